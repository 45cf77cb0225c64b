"""`cribboard rules`: every preset in one line, every value with its source, and house rules files that are checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import has_phrase, phrase

from cribboard.rules import OPTIONS, PARAMETERS, RULES, RulesError, changed, read_label, source_of, spelled
from cribd.__main__ import main
from cribd.config.house_rules import load_rules, read_rules

SHORT = """
preset = "britannica"
name = "Tuesday club"
target = 61
skunk_line = 31
exact_out = true
"""
SHORT_LABEL = "britannica/2 target=61 exact_out=on skunk_line=31"


@pytest.fixture
def club(tmp_path: Path) -> Path:
    file = tmp_path / "club.toml"
    file.write_text(SHORT, encoding="utf-8")
    return file


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.toml"
    file.write_text('preset = "fadoq"\ntargt = 61\nexact_out = "on"\nmatch = [8]\n', encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that breaks no line."""
    monkeypatch.setenv("COLUMNS", "200")


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def answered(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code, out, err = said(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


# The list


def test_the_list_has_one_line_for_each_preset_and_says_what_is_special(capsys: pytest.CaptureFixture[str]) -> None:
    presets = answered(capsys, "rules")
    assert [preset["name"] for preset in presets] == list(RULES)
    assert all(preset["special"] and not preset["special"].startswith("special.") for preset in presets)
    assert len({preset["special"] for preset in presets}) == len(RULES)
    code, out, _ = said(capsys, "rules", "list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:10]] == list(RULES)
    assert said(capsys, "rules") == said(capsys, "rules", "list")


def test_the_list_says_how_many_play_with_how_many_cards_to_where(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    lines = {line.split()[0]: " ".join(line.split()) for line in said(capsys, "rules")[1].splitlines() if line}
    no_skunk, one_game = phrase("command.rules.no_skunk"), phrase("command.rules.match.one")

    def match(scoring: str, games: int) -> str:
        return phrase(f"command.rules.match.{scoring}", games=games)

    assert lines["six-card"].startswith(f"six-card 2 6 - 2 121 90 {match('wins', 7)} ")
    assert lines["six-player"].startswith(f"six-player 3 x 2 5 - 1 121 {no_skunk} {match('wins', 7)} ")
    assert lines["fadoq"].startswith(f"fadoq 2 x 2 5 - 1 121 {no_skunk} {match('points', 8)} ")
    assert lines["five-card"].startswith(f"five-card 2 5 - 2 61 {no_skunk} {one_game} ")
    assert lines["acc"].startswith(f"acc 2 6 - 2 121 91, 61 {match('game_points', 9)} ")


# One set of rules, whole


@pytest.mark.parametrize("name", RULES)
def test_every_parameter_is_shown_with_value_meaning_and_source(capsys: pytest.CaptureFixture[str], name: str) -> None:
    rules = RULES[name]
    shown = answered(capsys, "rules", "show", name)
    assert shown["label"] == rules.label
    assert shown["options"] == OPTIONS.get(name, {})
    assert [parameter["name"] for parameter in shown["parameters"]] == list(PARAMETERS)
    for parameter in shown["parameters"]:
        assert str(parameter["value"]) == spelled(rules.values[parameter["name"]])
        assert parameter["says"] == phrase(f"command.rules.says.{parameter['name']}")
        assert parameter["source"] == source_of(rules, parameter["name"])
    derived = {value["name"]: value["value"] for value in shown["derived"]}
    assert derived == {
        "hand_size": rules.deal_and_play.hand_size,
        "crib_from_pack": rules.deal_and_play.crib_from_pack,
    }


@pytest.mark.parametrize("columns", [60, 72, 100, 200])
@pytest.mark.parametrize("name", RULES)
def test_the_table_fits_the_terminal_and_breaks_no_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, _ = said(capsys, "rules", "show", name)
    assert code == 0
    assert all(len(line) <= max(columns, 72) for line in out.splitlines())
    assert all(line == line.rstrip() for line in out.splitlines())
    firsts = [line.split()[0] for line in out.splitlines() if line and not line.startswith(" ")]
    assert set(PARAMETERS) <= set(firsts)


def test_the_words_that_bar_a_single_point_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    by_name = {parameter["name"]: parameter for parameter in answered(capsys, "rules", "show", "fadoq")["parameters"]}
    assert by_name["no_single_point_from"]["value"] == 116
    assert by_name["no_single_point_from"]["source"] == "FADOQ, 12: À partir de 116"
    assert by_name["single_point_rule"]["allowed"] == "move or component or out_only"


def test_house_rules_are_shown_with_what_they_change_marked(capsys: pytest.CaptureFixture[str], club: Path) -> None:
    shown = answered(capsys, "rules", "show", club)
    assert (shown["title"], shown["label"]) == ("Tuesday club", SHORT_LABEL)
    changes = {
        parameter["name"]: (parameter["value"], parameter["instead_of"])
        for parameter in shown["parameters"]
        if "instead_of" in parameter
    }
    assert changes == {"target": (61, 121), "exact_out": ("on", "off"), "skunk_line": (31, 61)}
    _, out, _ = said(capsys, "rules", "show", club)
    assert out.splitlines()[0] == f"Tuesday club: {SHORT_LABEL}"
    assert [
        line.split()[0] for line in out.splitlines() if " * " in line and has_phrase(line, "command.rules.instead_of")
    ] == list(changes)


def test_rules_that_are_not_there_are_answered_with_those_that_are(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = said(capsys, "rules", "show", "whist")
    assert (code, out) == (2, "")
    assert "whist" in err
    assert "six-card" in err
    code, out, err = said(capsys, "rules", "show", tmp_path / "nowhere.toml")
    assert (code, out) == (2, "")
    assert "nowhere.toml" in err
    assert "Traceback" not in err


# Checking house rules


def test_house_rules_that_can_be_played_are_answered_with_their_label(
    capsys: pytest.CaptureFixture[str], club: Path
) -> None:
    code, out, err = said(capsys, "rules", "check", club)
    assert (code, err) == (0, "")
    assert out == f"{phrase('command.rules.sound', file=club, label=SHORT_LABEL)}\n"


def test_everything_that_is_wrong_with_house_rules_is_in_one_report(
    capsys: pytest.CaptureFixture[str], club: Path, wrong: Path
) -> None:
    code, out, err = said(capsys, "rules", "check", wrong, club)
    assert code == 2
    assert out == f"{phrase('command.rules.sound', file=club, label=SHORT_LABEL)}\n"
    problems = [
        phrase("problem.unknown.meant", name="targt", what=phrase("problem.parameter"), meant="target"),
        phrase("problem.not_allowed", key="match", value=[8], allowed=phrase("problem.whole_number", low=1, high=99)),
        phrase(
            "problem.placed",
            where="exact_out = on, no_single_point_from = 116",
            problem=phrase("problem.rules.one_is_barred"),
        ),
    ]
    assert err.splitlines() == [f"{wrong}: {problem}" for problem in problems]
    code, out, err = said(capsys, "rules", "check", wrong, club, "--json")
    assert (code, err) == (2, "")
    answers = json.loads(out)
    assert [(Path(answer["file"]).name, len(answer["problems"])) for answer in answers] == [
        ("wrong.toml", 3),
        ("club.toml", 0),
    ]
    assert answers[1]["label"] == SHORT_LABEL


@pytest.mark.parametrize(
    "content", [b"", b"preset", b"target = 61\n", b'preset = "whist"\n', b'preset = "acc"\nname = ""\n', b"\xff"]
)
def test_a_file_that_holds_no_house_rules_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "empty.toml"
    file.write_bytes(content)
    code, out, err = said(capsys, "rules", "check", file)
    assert (code, out) == (2, "")
    assert "empty.toml" in err
    assert "Traceback" not in err


# Counting by other rules


@pytest.mark.parametrize(("starter", "points"), [("QS", 3), ("QH", 4)])
def test_a_five_card_flush_is_three_of_a_suit_and_four_with_the_starter_a34(
    capsys: pytest.CaptureFixture[str], starter: str, points: int
) -> None:
    assert answered(capsys, "count", "3H", "8H", "KH", starter, "--rules", "five-card")["total"] == points


def test_a_five_card_hand_and_its_crib_are_counted_a35_a68(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "count", "JC", "5D", "5H", "5C", "--rules", "five-card")["total"] == 15
    assert answered(capsys, "count", "5C", "5H", "5S", "JD", "5D", "--crib", "--rules", "five-card")["total"] == 29


def test_a_hand_is_counted_by_house_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "plain.toml"
    file.write_text('preset = "jeux50"\nhis_nobs = 0\n', encoding="utf-8")
    assert answered(capsys, "count", "5H", "5C", "5S", "JD", "5D", "--rules", file)["total"] == 28


@pytest.mark.parametrize(
    ("cards", "options", "problem"),
    [
        ("3H 8H KH QH", (), phrase("command.count.hand", n=4, wanted=5, rules="six-card", size=4)),
        (
            "3H 8H KH QH 2C",
            ("--rules", "five-card"),
            phrase("command.count.hand", n=5, wanted=4, rules="five-card", size=3),
        ),
        (
            "3H 8H KH 5C",
            ("--rules", "five-card", "--crib"),
            phrase("command.count.crib", n=4, wanted=5, rules="five-card", size=4),
        ),
    ],
)
def test_a_hand_of_another_size_is_refused_with_the_size_it_has(
    capsys: pytest.CaptureFixture[str], cards: str, options: tuple[str, ...], problem: str
) -> None:
    assert said(capsys, "count", *cards.split(), *options) == (2, "", f"{problem}\n")


# Reading house rules


#: What a TOML file may say of a key: of each kind something, right or wrong.
WORDS = ("", "on", "off", "61", "Club de Gaspé", "high_cut", "bury", "points", *RULES)
NO_WORDS = ("0", "3", "61", "-1", "1.5", "nan", "true", "false", "[61]", "{ target = 61 }", "1979-05-27", "[]")
SAID = (*NO_WORDS, *(f'"{word}"' for word in WORDS))


@given(st.dictionaries(st.sampled_from(["preset", "name", "lowball", *PARAMETERS]), st.sampled_from(SAID), max_size=6))
def test_whatever_a_file_says_it_gives_rules_that_can_be_played_or_sentences(keys: dict[str, str]) -> None:
    try:
        _, rules = read_rules("\n".join(f"{key} = {value}" for key, value in keys.items()), "club")
    except RulesError as wrong:
        problems = wrong.problems
    else:
        assert read_label(rules.label) == rules
        return
    assert problems
    assert all(problem[-1] in ".?" and "\n" not in problem for problem in problems)


@given(st.text())
def test_any_text_gives_rules_or_sentences(text: str) -> None:
    with pytest.raises(RulesError):
        read_rules(text, "club")


@pytest.mark.parametrize("name", ['""', '" Tuesday"', '"Tuesday\\nclub"', "2"])
def test_house_rules_are_called_by_one_line(name: str) -> None:
    with pytest.raises(RulesError) as wrong:
        read_rules(f'preset = "acc"\nname = {name}\n', "club")
    (problem,) = wrong.value.problems
    assert has_phrase(problem, "problem.not_allowed", key="name", allowed=phrase("problem.name"))


def test_a_preset_is_loaded_by_its_name_and_house_rules_by_their_path(club: Path) -> None:
    assert load_rules("acc")[1] is RULES["acc"]
    assert load_rules(str(club)) == (
        "Tuesday club",
        changed(RULES["britannica"], {"target": 61, "skunk_line": 31, "exact_out": "on"}),
    )
