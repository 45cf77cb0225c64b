"""`docs/rules.md` is what the rules are: every preset, option and parameter has its heading, and what it says is so."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import pytest
from tests.support.places import ROOT

from cribboard import Card, Game
from cribboard.deal.claim_comparison import due
from cribboard.event_terms import Occasion
from cribboard.position import ClaimWindow, Pegs
from cribboard.rules import OPTIONS, PARAMETERS, RULES, Option, changed, read_label, spelled
from cribboard.scoring import Combination, Kind
from cribd.__main__ import main
from cribd.config.house_rules import read_rules

PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def parts(text: str, level: int) -> dict[str, str]:
    """What stands below each heading of this level, deeper headings included."""
    marks = "#" * level
    return dict(re.findall(rf"(?ms)^{marks} (.+?)\n(.*?)(?=^#{{1,{level}}} |\Z)", text))


CHAPTERS = parts(PAGE, 2)
PRESETS = parts(CHAPTERS["The presets"], 3)
OPTION_TEXTS = {name: parts(text, 4) for name, text in PRESETS.items()}
GROUPS = {name: parts(text, 4) for name, text in parts(CHAPTERS["The parameters"], 3).items()}
PARAMETER_TEXTS = {name: text for group in GROUPS.values() for name, text in group.items()}
FENCES = re.findall(r"(?ms)^```(\w+)\n(.*?)^```", CHAPTERS["House rules"])


#: What a parameter may be, where that is one of several words and not only on or off.
CHOICES = {
    name: {str(word) for word in parameter.kind}
    for name, parameter in PARAMETERS.items()
    if isinstance(parameter.kind, type) and issubclass(parameter.kind, StrEnum) and parameter.kind is not Option
}


def in_one_line(text: str) -> str:
    return " ".join(text.split())


# Headings, both ways


def test_every_preset_and_option_has_its_heading_and_every_heading_its_preset_or_option() -> None:
    assert list(PRESETS) == list(RULES)
    assert {name: list(options) for name, options in OPTION_TEXTS.items() if options} == {
        name: list(options) for name, options in OPTIONS.items()
    }


def test_every_parameter_has_its_heading_in_its_part_and_every_heading_its_parameter() -> None:
    assert list(PARAMETER_TEXTS) == list(PARAMETERS)
    headings = {"deal_and_play": "Deal and play", "claims": "Claims", "game": "Game and match"}
    assert {name: list(group) for name, group in GROUPS.items()} == {
        heading: [name for name, parameter in PARAMETERS.items() if parameter.part == part]
        for part, heading in headings.items()
    }


def test_every_parameter_that_the_page_names_is_there() -> None:
    spoken_of = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)\b", PAGE))
    assert spoken_of <= PARAMETERS.keys() | {word for words in CHOICES.values() for word in words}


# Presets and options


def test_the_table_of_presets_is_what_the_command_lists(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["rules"]) == 0
    listed = [re.split(r"  +", line)[:6] for line in capsys.readouterr().out.splitlines()[1 : 1 + len(RULES)]]
    rows = re.findall(r"(?m)^\| \[(\S+)\]\(#\1\) \| (.*) \|$", CHAPTERS["The presets"])
    assert [[name, *cells.split(" | ")] for name, cells in rows] == listed


@pytest.mark.parametrize("name", RULES)
def test_a_preset_is_documented_with_every_difference_from_six_card(name: str) -> None:
    usual = RULES["six-card"].values
    found = re.search(r"Otherwise than six-card: (.*?)\.\n\n", PRESETS[name] + "\n\n", re.DOTALL)
    otherwise = dict(re.findall(r"`(\w+) = ([^`]+)`", in_one_line(found[1]))) if found else {}
    assert otherwise == {what: spelled(value) for what, value in RULES[name].values.items() if value != usual[what]}


@pytest.mark.parametrize(("name", "option"), [(name, option) for name in OPTIONS for option in OPTIONS[name]])
def test_the_lines_of_an_option_are_what_it_changes(name: str, option: str) -> None:
    _, _, lines = in_one_line(OPTION_TEXTS[name][option]).partition("In a file: ")
    text = "\n".join([f'preset = "{name}"', *re.findall(r"`([^`]+)`", lines)])
    assert read_rules(text, option) == (option, changed(RULES[name], OPTIONS[name][option]))


def test_the_examples_of_the_single_point_are_what_the_board_rules() -> None:
    """Each row in each reading: where the peg stands, what falls due in one move or in two, where the peg goes."""
    head, *rows = re.findall(r"(?m)^\| (.*) \|$", PRESETS["fadoq"])
    readings = re.findall(r"`(\w+)`", head)
    assert readings == ["move", "component", "out_only"]
    assert len(rows[1:]) >= 6
    for row in rows[1:]:
        stands, makes, *ends = row.split(" | ")
        moves = [[int(points) for points in re.findall(r"\d+", move)] for move in makes.split(", then ")]
        if "of them" in makes:
            moves = [[moves[0][0] - moves[0][1], moves[0][1]]]
        for reading, end in zip(readings, ends, strict=True):
            start = Game.start(changed(RULES["fadoq"], {"single_point_rule": reading}), way="auto").position
            pegs = (Pegs(front=int(stands)), *start.pegs[1:])
            openings = [
                ClaimWindow(
                    Occasion.CARD, 0, tuple(Combination(Kind.PAIR, (Card.parse("5H"),), point) for point in points)
                )
                for points in moves
            ]
            assert int(stands) + due(replace(start, pegs=pegs), 0, openings) == int(end), (row, reading)


# Parameters


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_documented_with_its_range_its_values_and_its_source(name: str) -> None:
    meaning, _, lines = PARAMETER_TEXTS[name].partition("\n- Allowed: ")
    assert len(meaning.split()) >= 6
    usual = RULES["six-card"].values[name]
    others: dict[str, list[str]] = {}
    for rules in RULES.values():
        if rules.values[name] != usual:
            others.setdefault(spelled(rules.values[name]), []).append(rules.name)
    default = "; ".join([f"`{spelled(usual)}`", *(f"`{value}` in {', '.join(who)}" for value, who in others.items())])
    assert lines.strip().splitlines() == [
        PARAMETERS[name].allowed,
        f"- Default: {default}",
        f"- Source: {PARAMETERS[name].source}",
    ]


@pytest.mark.parametrize("name", CHOICES)
def test_each_word_that_a_parameter_may_be_is_explained(name: str) -> None:
    assert CHOICES[name] <= set(re.findall(r"`([\w-]+)`", PARAMETER_TEXTS[name].partition("\n- Allowed: ")[0]))


# House rules


def test_the_example_of_house_rules_can_be_played_and_has_the_label_that_is_shown() -> None:
    example, _, _, label = [text for _, text in FENCES]
    title, rules = read_rules(example, "no name")
    assert title == "Tuesday club"
    assert rules.label == label.strip()
    assert read_label(label.strip()) == rules


def test_the_report_is_what_the_refused_example_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, example, report, _ = [text for _, text in FENCES]
    monkeypatch.chdir(tmp_path)
    Path("tuesday.toml").write_text(example, encoding="utf-8")
    assert main(["rules", "check", "tuesday.toml"]) == 2
    assert capsys.readouterr().err == report
    assert len(report.splitlines()) == len(tomllib.loads(example)) - 1, "each line but the preset is wrong"
