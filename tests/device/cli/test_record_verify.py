"""`cribboard record verify`: whether a record is whole, and where one that was changed breaks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import phrase
from tests.support.typed_commands import HEADING, READ, TEXT, Terminal

from cribboard import record


def reported(file: Path, line: int, code: str, language: str = "en", /, **values: object) -> str:
    """What is said of a line of this file, for this reason."""
    return phrase("record.at", language, file=file, line=line, reason=phrase(f"record.{code}", language, **values))


#: What is forged, as what; the line that is wrong, and the form that is wanted there.
FORGED: list[tuple[str, str, int, str, dict[str, object]]] = [
    ("Cribboard record 1", "Cribbage record 1", 1, "begins", {"wanted": "'Cribboard record 1'"}),
    ("Way: verify", "Way: hope", 3, "way", {"ways": "trust, verify, auto"}),
    ("Dealer: cut", "Dealer: pink", 4, "dealer", {"seats": "blue, red"}),
    ("Way: verify", "Weigh: verify", 3, "keys", {"keys": "Rules, Way, Dealer, Blue, Red, Green, Date, Board"}),
    ("Way: verify\n", "", 7, "lacks", {"key": "'Way'"}),
    ("laid ", "lied ", 23, "no_event", {}),
    ("Blue: Maude", "Blue:  Maude", 5, "otherwise", {"wanted": "'Blue: Maude'"}),
    ("laid blue ", "laid blue X", 23, "template", {"wanted": "laid {seat} {card} count {count}"}),
]


@pytest.mark.parametrize(("old", "new", "line", "form", "values"), FORGED)
def test_a_record_of_the_wrong_form_is_reported_in_one_language(
    typed: Terminal, page: Path, old: str, new: str, line: int, form: str, values: dict[str, object]
) -> None:
    assert old in TEXT
    page.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    code, out, _ = typed("verify", page, "--lang", "fr")
    assert code == 1
    reason = phrase(f"record.form.{form}", "fr_CA", **values)
    assert out.splitlines()[0] == reported(page, line, "form", "fr_CA", reason=reason)
    english = typed("verify", page)[1]
    assert json.loads(typed("verify", page, "--json", "--lang", "fr")[1])["reason"] in english


def test_a_sound_record_is_reported_as_sound(typed: Terminal, page: Path) -> None:
    sound = phrase("record.sound", n=len(READ.events), file=page, rules="six-card/2")
    assert typed("verify", page) == (0, f"{sound}\n", "")
    assert typed.json("verify", page) == {
        "sound": True,
        "rules": "six-card/2",
        "way": "verify",
        "events": len(READ.events),
    }


def at_line(wanted: str) -> int:
    """The number of the first line that holds this."""
    return next(at for at, line in enumerate(TEXT.splitlines(), start=1) if wanted in line)


def rechained(text: str) -> str:
    """The text with the chain that its lines would have: what a careful forger does."""
    head, body, _ = text.strip().split("\n\n")
    link = record.first_link(record.read_heading(head))
    for line in body.splitlines():
        link = record.next_link(link, line.split(maxsplit=1)[1])
    return f"{head}\n\n{body}\n\nChain: {link}\n"


def test_a_score_that_was_changed_breaks_the_chain_and_the_rules_say_where(typed: Terminal, page: Path) -> None:
    pegged = re.search(r"pegged blue \+(\d+) = (\d+)", TEXT)
    assert pegged is not None
    more = f"pegged blue +{int(pegged[1]) + 2} = {int(pegged[2]) + 2}"
    page.write_text(TEXT.replace(pegged[0], more, 1), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    last = len(TEXT.splitlines())
    assert out.splitlines() == [
        reported(page, at_line(pegged[0]), "due", wanted=pegged[0]),
        f"    {more}",
        phrase("record.chain_too", line=last),
    ]
    french = typed("verify", page, "--lang", "fr")[1]
    assert french.splitlines()[0] == reported(page, at_line(pegged[0]), "due", "fr_CA", wanted=pegged[0])
    answer = json.loads(typed("verify", page, "--json")[1])
    assert not answer["sound"]
    assert (answer["line"], answer["text"], answer["chain"]["line"]) == (at_line(pegged[0]), more, last)


def test_a_forged_chain_does_not_save_it(typed: Terminal, page: Path) -> None:
    pegged = re.search(r"pegged red \+(\d+) = (\d+)", TEXT)
    assert pegged is not None
    page.write_text(rechained(TEXT.replace(pegged[0], "pegged red +9 = 99", 1)), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert out == f"{reported(page, at_line(pegged[0]), 'due', wanted=pegged[0])}\n    pegged red +9 = 99\n"


def test_a_name_that_was_changed_is_a_change_that_no_rule_sees(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("Blue: Maude", "Blue: Mauve"), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    last = len(TEXT.splitlines())
    first, _, alone = out.splitlines()
    assert (first, alone) == (reported(page, last, "chain"), phrase("record.chain_alone"))
    assert typed("verify", page, "--lang", "fr")[1].splitlines()[-1] == phrase("record.chain_alone", "fr_CA")


def without(*numbers: int) -> str:
    """The record without these events."""
    return "\n".join(line for line in TEXT.split("\n") if not re.match(rf" *({'|'.join(map(str, numbers))}) ", line))


def swapped(one: int, other: int) -> str:
    """The record in which these two events stand in each other's place."""
    lines = TEXT.split("\n")
    places = [next(at for at, line in enumerate(lines) if re.match(rf" *{n} ", line)) for n in (one, other)]
    lines[places[0]], lines[places[1]] = lines[places[1]], lines[places[0]]
    return "\n".join(lines)


def with_chain_after(number: int, text: str) -> str:
    """The text, with the line of the chain moved up to stand after this event."""
    above, chain = text[: text.index("Chain:")], text[text.index("Chain:") :].strip()
    return re.sub(rf"(\n *{number} .*\n)", rf"\g<1>{chain}\n", above, count=1)


HEAD = len(HEADING.lines()) + 1


@pytest.mark.parametrize(
    ("spoilt", "line", "code", "values"),
    [
        (without(23), HEAD + 23, "missing", {"first": 23}),
        (with_chain_after(5, without(23)), HEAD + 24, "missing", {"first": 23}),
        (without(23, 24, 25), HEAD + 23, "missing_several", {"first": 23, "last": 25}),
        (swapped(23, 24), HEAD + 23, "swapped", {"first": 23, "last": 24}),
        (swapped(23, 40), HEAD + 23, "swapped", {"first": 23, "last": 40}),
        (
            TEXT.replace("\n  23 ", "\n  23 put\n  23 ").replace(" put\n", " > put-back red\n"),
            HEAD + 24,
            "twice",
            {"first": 23},
        ),
        (TEXT.replace("\n   3 ", "\n   4 ", 1), HEAD + 3, "misnumbered", {"first": 3, "said": 4}),
    ],
)
def test_a_misplaced_line_is_reported_by_its_event(
    typed: Terminal, page: Path, spoilt: str, line: int, code: str, values: dict[str, object]
) -> None:
    page.write_text(spoilt, encoding="utf-8")
    exit_code, out, _ = typed("verify", page)
    assert exit_code == 1
    assert out.splitlines()[0] == reported(page, line, code, **values)


@pytest.mark.parametrize(
    ("spoilt", "code", "values"),
    [
        (TEXT[: TEXT.index("Chain")], "short", {"number": len(READ.events)}),
        (TEXT[: TEXT.index("\n  31 ") - 4], "short", {"number": 29}),
        (TEXT[: TEXT.index("\n  31 ")], "short", {"number": 30}),
        (TEXT[:-30], "short_chain", {}),
        (TEXT[:45], "short_heading", {}),
    ],
)
def test_a_truncated_file_is_reported_as_truncated(
    typed: Terminal, page: Path, spoilt: str, code: str, values: dict[str, object]
) -> None:
    page.write_text(spoilt, encoding="utf-8")
    exit_code, out, _ = typed("verify", page)
    assert exit_code == 1
    line = len(spoilt.rstrip().splitlines())
    assert reported(page, line, code, **values) in out.splitlines()
    assert (phrase("record.up_to_there") in out) == (code == "short")
    assert reported(page, line, code, "fr_CA", **values) in typed("verify", page, "--lang", "fr")[1].splitlines()


def test_above_where_a_file_is_cut_short_the_rules_still_see_a_change(typed: Terminal, page: Path) -> None:
    page.write_text(
        TEXT[: TEXT.index("\n 300 ")].replace("pegged red +2 = 2\n", "pegged red +3 = 3\n"), encoding="utf-8"
    )
    out = typed("verify", page)[1]
    short, _, due, changed = out.splitlines()
    assert short == reported(page, HEAD + 299, "short", number=299)
    assert due == reported(page, at_line("pegged red +2 = 2"), "due", wanted="pegged red +2 = 2")
    assert changed == "    pegged red +3 = 3"


def test_an_empty_file_is_no_record(typed: Terminal, page: Path) -> None:
    page.write_text("", encoding="utf-8")
    assert typed("verify", page) == (
        1,
        f"{reported(page, 1, 'form.begins', wanted=repr('Cribboard record 1'))}\n",
        "",
    )


def test_an_illegal_act_is_reported_in_the_words_of_the_table(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("> lay blue 7H", "> lay red 7H", 1), encoding="utf-8")
    for language in ("en", "fr_CA"):
        not_your_turn = phrase("refusal.not_your_turn", language, seat=phrase("side.0", language))
        first = typed("verify", page, "--lang", language)[1].splitlines()[0]
        assert first == reported(page, at_line("> lay blue 7H"), "not_allowed", language, why=not_your_turn)


@pytest.mark.parametrize(
    ("spoil", "line", "form", "values", "text"),
    [
        (lambda text: text.replace("> cut blue", "> cut  blue", 1), 10, "no_event", {}, "1 > cut  blue 7C"),
        (
            lambda text: text.replace("> cut blue 7C", "> cut blue 7X", 1),
            10,
            "template",
            {"wanted": "cut {seat} {card}"},
            "1 > cut blue 7X",
        ),
        (lambda text: text.split("\n", 1)[1], 1, "begins", {"wanted": "'Cribboard record 1'"}, "Rules: six-card/2"),
    ],
)
def test_the_line_that_breaks_the_form_is_named(
    typed: Terminal, page: Path, spoil: Any, line: int, form: str, values: dict[str, object], text: str
) -> None:
    page.write_text(spoil(TEXT), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert out == f"{reported(page, line, f'form.{form}', **values)}\n    {text}\n"
    assert not json.loads(typed("verify", page, "--json")[1])["sound"]


@pytest.mark.parametrize("what", ["verify", "claims", "show"])
def test_an_unreadable_file_is_not_called_an_unsound_record(typed: Terminal, tmp_path: Path, what: str) -> None:
    assert typed(what, "nowhere.txt") == (2, "", f"{phrase('record.no_file', file='nowhere.txt')}\n")
    assert typed(what, "nowhere.txt", "--lang", "fr") == (
        2,
        "",
        f"{phrase('record.no_file', 'fr_CA', file='nowhere.txt')}\n",
    )
    assert typed(what, tmp_path) == (2, "", f"{phrase('record.a_folder', file=tmp_path)}\n")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff")
    no_text = phrase("record.no_text", file=tmp_path / "picture")
    assert typed(what, tmp_path / "picture") == (2, "", f"{no_text}\n")


@pytest.mark.parametrize("what", ["verify", "claims", "show", "export"])
def test_a_game_of_the_journal_is_looked_at_by_its_number(
    typed: Terminal, page: Path, journal: Path, what: str
) -> None:
    by_number = typed(what, 1, "--journal", journal)
    assert by_number[0] == 0
    if what in ("claims", "show"):
        assert by_number == typed(what, page)
    no_game = phrase("record.no_game", game=9, games="1, 2")
    assert typed(what, 9, "--journal", journal) == (2, "", f"{no_game}\n")


def test_an_unsound_record_is_not_shown(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("Blue: Maude", "Blue: Mauve"), encoding="utf-8")
    assert typed("show", page)[0] == typed("claims", page)[0] == 1
