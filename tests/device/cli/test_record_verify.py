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

FORGED = [
    ("Cribboard record 1", "Cribbage record 1", "une partie commence par 'Cribboard record 1'"),
    ("Way: verify", "Way: hope", "la façon de compter est un de trust, verify, auto"),
    ("Dealer: cut", "Dealer: pink", "le donneur est « cut » ou un de blue, red"),
    ("Way: verify", "Weigh: verify", "il faut un de Rules, "),
    ("Way: verify\n", "", "il manque 'Way' dans l’en-tête"),
    ("laid ", "lied ", "ce n’est la ligne d’aucun événement"),
    ("Blue: Maude", "Blue:  Maude", "cela s’écrit autrement : "),
    ("laid blue ", "laid blue X", "il faut : "),
]


@pytest.mark.parametrize(("old", "new", "reason"), FORGED)
def test_a_record_of_the_wrong_form_is_reported_in_one_language(
    typed: Terminal, page: Path, old: str, new: str, reason: str
) -> None:
    assert old in TEXT
    page.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    code, out, _ = typed("verify", page, "--lang", "fr")
    assert code == 1
    assert reason in out.splitlines()[0]
    english = typed("verify", page)[1]
    assert json.loads(typed("verify", page, "--json", "--lang", "fr")[1])["reason"] in english


def test_a_sound_record_is_reported_as_sound(typed: Terminal, page: Path) -> None:
    assert typed("verify", page) == (0, f"{page}: sound, {len(READ.events)} events, six-card/2.\n", "")
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
    assert out == (
        f"{page}, line {at_line(pegged[0])}: the rules give: {pegged[0]}.\n    {more}\n"
        f"Nor does the chain fit, line {last}: the file was changed after it was written.\n"
    )
    french = typed("verify", page, "--lang", "fr")[1]
    assert french.startswith(f"{page}, ligne {at_line(pegged[0])} : les règles donnent : {pegged[0]}.\n")
    answer = json.loads(typed("verify", page, "--json")[1])
    assert not answer["sound"]
    assert (answer["line"], answer["text"], answer["chain"]["line"]) == (at_line(pegged[0]), more, last)


def test_a_forged_chain_does_not_save_it(typed: Terminal, page: Path) -> None:
    pegged = re.search(r"pegged red \+(\d+) = (\d+)", TEXT)
    assert pegged is not None
    page.write_text(rechained(TEXT.replace(pegged[0], "pegged red +9 = 99", 1)), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert out == f"{page}, line {at_line(pegged[0])}: the rules give: {pegged[0]}.\n    pegged red +9 = 99\n"


def test_a_name_that_was_changed_is_a_change_that_no_rule_sees(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("Blue: Maude", "Blue: Mauve"), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    last = len(TEXT.splitlines())
    assert out.startswith(f"{page}, line {last}: the chain does not fit: the file was changed after it was written.\n")
    assert "Every line is as the rules would have it, and the chain alone cannot say which one was changed" in out
    assert "la chaîne seule ne peut pas dire laquelle" in typed("verify", page, "--lang", "fr")[1]


def without(*numbers: int) -> str:
    """The record without these events."""
    return "\n".join(line for line in TEXT.split("\n") if not re.match(rf" *({'|'.join(map(str, numbers))}) ", line))


def swapped(one: int, other: int) -> str:
    """The record in which these two events stand in each other's place."""
    lines = TEXT.split("\n")
    places = [next(at for at, line in enumerate(lines) if re.match(rf" *{n} ", line)) for n in (one, other)]
    lines[places[0]], lines[places[1]] = lines[places[1]], lines[places[0]]
    return "\n".join(lines)


HEAD = len(HEADING.lines()) + 1


@pytest.mark.parametrize(
    ("spoilt", "line", "reason"),
    [
        (without(23), HEAD + 23, "event 23 is missing"),
        (without(23, 24, 25), HEAD + 23, "events 23 to 25 are missing"),
        (swapped(23, 24), HEAD + 23, "events 23 and 24 are out of order"),
        (swapped(23, 40), HEAD + 23, "events 23 and 40 are out of order"),
        (
            TEXT.replace("\n  23 ", "\n  23 put\n  23 ").replace(" put\n", " > put-back red\n"),
            HEAD + 24,
            "event 23 is there twice",
        ),
        (TEXT.replace("\n   3 ", "\n   4 ", 1), HEAD + 3, "this is event 3, and the line says 4"),
    ],
)
def test_a_misplaced_line_is_reported_by_its_event(
    typed: Terminal, page: Path, spoilt: str, line: int, reason: str
) -> None:
    page.write_text(spoilt, encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert out.startswith(f"{page}, line {line}: {reason}.\n")


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (
            TEXT[: TEXT.index("Chain")],
            f"it ends with event {len(READ.events)}, and the chain, its last line, is missing",
        ),
        (TEXT[: TEXT.index("\n  31 ") - 4], "it ends with event 29, and the chain, its last line, is missing"),
        (TEXT[: TEXT.index("\n  31 ")], "it ends with event 30, and the chain, its last line, is missing"),
        (TEXT[:-30], "its last line, the chain, is not whole"),
        (TEXT[:45], "it ends in the heading"),
    ],
)
def test_a_truncated_file_is_reported_as_truncated(typed: Terminal, page: Path, spoilt: str, reason: str) -> None:
    page.write_text(spoilt, encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert f": the file is cut short: {reason}.\n" in out
    assert ("Up to there every line is as the rules would have it." in out) == ("it ends with event" in reason)
    assert "le fichier est tronqué" in typed("verify", page, "--lang", "fr")[1]


def test_above_where_a_file_is_cut_short_the_rules_still_see_a_change(typed: Terminal, page: Path) -> None:
    page.write_text(
        TEXT[: TEXT.index("\n 300 ")].replace("pegged red +2 = 2\n", "pegged red +3 = 3\n"), encoding="utf-8"
    )
    out = typed("verify", page)[1]
    assert "the file is cut short" in out
    assert f"line {at_line('pegged red +2 = 2')}: the rules give: pegged red +2 = 2.\n    pegged red +3 = 3" in out


def test_an_empty_file_is_no_record(typed: Terminal, page: Path) -> None:
    page.write_text("", encoding="utf-8")
    assert typed("verify", page) == (1, f"{page}, line 1: a record begins with 'Cribboard record 1'.\n", "")


def test_an_illegal_act_is_reported_in_the_words_of_the_table(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("> lay blue 7H", "> lay red 7H", 1), encoding="utf-8")
    out = typed("verify", page)[1]
    assert f"line {at_line('> lay blue 7H')}: the rules do not allow it: Not your turn" in out
    assert "les règles ne le permettent pas" in typed("verify", page, "--lang", "fr")[1]


@pytest.mark.parametrize(
    ("spoil", "line", "reason"),
    [
        (lambda text: text.replace("> cut blue", "> cut  blue", 1), 10, "it is the line of no event"),
        (
            lambda text: text.replace("> cut blue 7C", "> cut blue 7X", 1),
            10,
            "wanted: cut {seat} {card}.\n    1 > cut blue 7X",
        ),
        (lambda text: text.split("\n", 1)[1], 1, "a record begins with 'Cribboard record 1'"),
    ],
)
def test_the_line_that_breaks_the_form_is_named(
    typed: Terminal, page: Path, spoil: Any, line: int | None, reason: str
) -> None:
    page.write_text(spoil(TEXT), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert f"line {line or len(spoil(TEXT).splitlines())}: {reason}" in out
    assert not json.loads(typed("verify", page, "--json")[1])["sound"]


@pytest.mark.parametrize("what", ["verify", "claims", "show"])
def test_an_unreadable_file_is_not_called_an_unsound_record(typed: Terminal, tmp_path: Path, what: str) -> None:
    assert typed(what, "nowhere.txt") == (2, "", f"{phrase('record.no_file', file='nowhere.txt')}\n")
    assert typed(what, "nowhere.txt", "--lang", "fr") == (
        2,
        "",
        f"{phrase('record.no_file', 'fr_CA', file='nowhere.txt')}\n",
    )
    assert typed(what, tmp_path) == (2, "", f"{tmp_path}: that is a folder, not a record.\n")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff")
    assert typed(what, tmp_path / "picture") == (
        2,
        "",
        f"{tmp_path / 'picture'}: that is not text, so it is not a record.\n",
    )


@pytest.mark.parametrize("what", ["verify", "claims", "show", "export"])
def test_a_game_of_the_journal_is_looked_at_by_its_number(
    typed: Terminal, page: Path, journal: Path, what: str
) -> None:
    by_number = typed(what, 1, "--journal", journal)
    assert by_number[0] == 0
    if what in ("claims", "show"):
        assert by_number == typed(what, page)
    code, out, err = typed(what, 9, "--journal", journal)
    assert (code, out, err) == (2, "", "Game 9: the journal has games 1, 2.\n")


def test_an_unsound_record_is_not_shown(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("Blue: Maude", "Blue: Mauve"), encoding="utf-8")
    assert typed("show", page)[0] == typed("claims", page)[0] == 1
