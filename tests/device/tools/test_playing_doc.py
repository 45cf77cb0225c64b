"""`docs/playing.md` is generated from the board's own answers, holds every row, and says each thing once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest
from tests.support.moments import RED, Story, moments
from tests.support.places import ROOT
from tests.support.refusals import REFUSALS
from tools.playing import chapters, outcome_of, page, rows
from tools.playing.answers import NOTHING
from tools.playing.moments import Press, read_chapters
from tools.playing.page import pressed_in
from tools.playing.screen_text import lines_on_screen
from tools.playing.steps import OffAndOn, Together, Wait, in_words, read

from cribboard.actions import Action, BreakOff, NameDealer, UndoOfficially
from cribboard.cards import NotationError
from cribboard.events import Acted, Event
from cribboard.rules import RULES, Way
from cribboard.view import PromptKind
from cribd.boards import NAMES, load
from cribd.inputs import CardRead, HolePressed, Key, KeyHeld, KeyPressed
from cribd.languages import languages
from cribd.table.commands import Situation
from cribd.table.snapshot import Line, Lobby, Menu, Refusal, Snapshot
from cribd.text import load as phrases_in

pytestmark = pytest.mark.shares("the outcomes of all presses")

DOC = ROOT / "docs" / "playing.md"

#: Refusals that no press on these boards can cause, and why.
NOT_PRESSED = {
    "game_is_over": "the table asks for another game, and no press reaches the old one",
    "no_count_now": "OK says zero only at one's own count",
    "waits_for_round": "a table of an event refuses it (7.23), and here nobody plays one",
    "no_dealer_now": "a card or an OK means something else once the dealer is known",
    "no_exposed_cut": "the menu does not offer it by such rules",
    "no_deal_now": "the menu does not offer it then",
    "no_misdeal_now": "the menu does not offer it then",
    "no_pass_to_take_back": "GO takes back only a pass that there is",
    "no_peg_in_hand": "OK without a peg means something else",
    "no_such_seat": "the table itself refuses what is pressed at a track that nobody plays",
    "nobody_to_pass": "GO held is an ordinary go where two play",
    "no_renege": "CHALLENGE lets a card lie dead only where one waits",
    "nothing_to_roll_back": "the menu does not offer it then",
    "nothing_unread": "the menu does not offer it then",
    "gone_on": "the owner of the board takes back from a phone, which shows it a moment late",
    "no_such_rules": "the phone of the board's owner offers those that there are",
    "nothing_asked": "OK and UNDO mean something else where nothing is asked",
    "file_hurt": "the file of the journal must rot while the board plays for it",
    "not_kept": "the disk must be full for it",
    "other_deck": "the page's presses hold up cards of one deck",
    "read_again": "a card must be held badly for it",
    "unclear_card": "a card must be half covered for it",
    "two_cards": "two cards must be held at a reader at once",
    "unknown_tag": "a tag must be of no deck for it",
}


#: Which key gives which of two answers goes before what helps, where there is room for one line.
TWO_ANSWERS = (PromptKind.CHALLENGE, PromptKind.MUGGINS, PromptKind.GAME_CLAIMED, PromptKind.RENEGE)


def cells() -> dict[str, tuple[list[str], list[str]]]:
    """By the title of each moment: what is answered there, and what is refused, a press or several an entry."""
    rows = re.findall(r"(?m)^\| \*\*(.+?)\*\* \(.*", DOC.read_text(encoding="utf-8"))
    lines = re.findall(r"(?m)^\| \*\*.+", DOC.read_text(encoding="utf-8"))
    found = {}
    for title, line in zip(rows, lines, strict=True):
        _, answered, refused = (cell.strip() for cell in line.strip("|").split(" | "))
        found[title] = (answered.split("<br>") if answered else [], refused.split("<br>") if refused else [])
    return found


@pytest.mark.slow
def test_the_page_is_what_the_board_answers() -> None:
    assert DOC.read_text(encoding="utf-8") == page(), "run: python -m tools.playing docs/playing.md"


@pytest.mark.slow
def test_every_refusal_that_a_press_can_cause_is_told() -> None:
    after = (outcome_of(row, "en").after for row in rows())
    told = {snapshot.refusal.code for snapshot in after if snapshot.refusal is not None}
    assert told == REFUSALS.keys() - NOT_PRESSED.keys()


@pytest.mark.slow
def test_every_action_and_every_event_is_told() -> None:
    events = [event for row in rows() for event in outcome_of(row, "en").log]
    assert {type(event) for event in events} == set(get_args(Event))
    acted = {type(event.action) for event in events if isinstance(event, Acted)}
    not_here = {BreakOff, UndoOfficially}  # the end of a game that is not the newest, and the owner's from afar
    assert acted == set(get_args(Action)) - not_here


@pytest.mark.slow
def test_everything_that_the_table_asks_is_asked() -> None:
    shown = [snapshot for row in rows() for o in [outcome_of(row, "en")] for snapshot in (o.before, o.after)]
    assert {snapshot.lobby for snapshot in shown} == {None, *Lobby}
    lines = {snapshot.menu.current.line for snapshot in shown if snapshot.menu is not None}
    assert lines == set(Line) - {Line.EVENT}, "only a board at a table of an event has that one"
    assert {s.view.prompt.kind for s in shown if s.view is not None} == set(PromptKind)


def test_every_way_every_board_and_every_preset_have_their_rows() -> None:
    assert {row.way for row in rows()} == set(Way)
    assert {row.moment.rules for row in rows()} == set(RULES)
    assert {row.moment.board for row in rows()} == set(NAMES)


def test_every_moment_has_its_own_title_and_its_own_row() -> None:
    titles = [moment.title for chapter in chapters() for moment in chapter.moments]
    assert len(set(titles)) == len(titles)
    assert list(cells()) == titles


@pytest.mark.slow
def test_no_answer_is_listed_twice_for_one_moment() -> None:
    for answered, refused in cells().values():
        told = [entry.split("**", 2)[2] for entry in answered + refused]
        assert len(set(told)) == len(told)


@pytest.mark.slow
def test_every_row_says_what_happens_and_what_the_screen_shows_in_both_languages() -> None:
    at = cells()
    for row in rows():
        came = [outcome_of(row, language) for language in languages()]
        answered, refused = at[row.moment.title]
        turned_down = came[0].answer == NOTHING and came[0].after.refusal is not None
        entries = refused if turned_down else answered
        pressed = pressed_in(row)
        mine = [entry for entry in entries if pressed.lower() in entry.lower().split("**")[1].split("; ")]
        ways = ", ".join(row.moment.ways)
        mine = [entry for entry in mine if row.way in (entry.split("**", 2)[2].split(":")[0] or ways)]
        assert len(mine) == 1, row
        shown = [lines_on_screen(each.after, phrases_in(each.after.language)) for each in came]
        if turned_down:
            assert mine[0].endswith(f": {shown[0][1]}"), row
        else:
            assert f": {came[0].answer} " in mine[0], row
            assert all(f"*{' / '.join(lines[:2])}*" in mine[0] for lines in shown), row


@pytest.mark.slow
def test_every_refusal_that_a_row_meets_is_in_the_last_table_in_both_languages() -> None:
    told: dict[str, list[str]] = {}
    for row in rows():
        came = [outcome_of(row, language).after for language in languages()]
        if came[0].refusal is not None:
            words = [phrases_in(each.language).seated_for(each.view) for each in came]
            lines = [each.refusal(came[0].refusal) for each in words]
            told.setdefault(came[0].refusal.code, ["<br>".join(each) for each in lines])
    table = DOC.read_text(encoding="utf-8").split("\n| The screen | ", 1)[1].splitlines()[2:]
    assert [line.strip("| ").split(" | ") for line in table] == list(told.values())


@pytest.mark.slow
def test_a_refused_press_leaves_the_game_unchanged_and_the_screen_says_so() -> None:
    for row in rows():
        for language in languages():
            came = outcome_of(row, language)
            if came.after.refusal is not None:
                assert came.after.view == came.before.view, row
                seen = lines_on_screen(came.after, phrases_in(language))
                words = phrases_in(language).seated_for(came.after.view)
                wrong, *instead = words.refusal(came.after.refusal)
                assert seen[1] == wrong, row
                assert set(seen[2:]) <= {*instead, *words.hints(came.after)}, row
                view = came.after.view
                assert set(instead) <= set(seen) or (view is not None and view.prompt.kind in TWO_ANSWERS), row


@pytest.mark.slow
def test_the_page_says_nothing_exactly_where_a_press_changes_nothing() -> None:
    for row in rows():
        came = outcome_of(row, "en")
        changed = replace(came.after, refusal=None) != replace(came.before, refusal=None)
        assert changed == (came.answer != NOTHING), row


@pytest.mark.slow
def test_a_row_is_the_same_in_every_language_but_for_the_words() -> None:
    for row in rows():
        one, *others = (outcome_of(row, language) for language in languages())
        for other in others:
            assert (other.log, other.games, other.answer) == (one.log, one.games, one.answer), row
            assert without_language(other.before) == without_language(one.before), row
            assert without_language(other.after) == without_language(one.after), row


def without_language(snapshot: Snapshot) -> Snapshot:
    """The snapshot but for the language, and for the line of a menu that changes it."""
    mode = snapshot.mode
    if isinstance(mode, Menu):
        mode = replace(mode, lines=tuple(line for line in mode.lines if line.line is not Line.LANGUAGE))
    return replace(snapshot, mode=mode, language="")


# What it is made with


def test_a_line_is_listed_only_if_its_dots_are_on_the_picture() -> None:
    english, french = phrases_in("en"), phrases_in("fr_CA")
    lobby = Snapshot(mode=Lobby.START, refusal=Refusal("no_game"))
    assert lines_on_screen(lobby, english) == ("New game? Press OK", "No game under way", "OK starts one")
    assert "Nouvelle partie? OK" in lines_on_screen(lobby, french)
    hinted = Snapshot(mode=Lobby.START)
    assert english.refusal(Refusal("no_game"))[0] not in lines_on_screen(hinted, english)


def test_a_line_with_descenders_above_a_detail_is_listed() -> None:
    false_go = lines_on_screen(moments()["false-go"], phrases_in("fr_CA"))
    assert false_go == ("Bleu : à vous", "Faux go : 3♣ à 22", "MENU : revenir au go")


def test_the_beginning_of_a_line_is_not_taken_for_a_line() -> None:
    named = Story("verify").do(NameDealer(RED)).shows()
    told = lines_on_screen(named, phrases_in("en"))
    assert told == ("Red deals 6 cards", "Discard 2 each", "Starter: scan it"), "nowhere does it say: Red deals"


def test_a_chapter_is_read() -> None:
    named = {"LEAD": "ok.blue 6C"}
    text = """
; a comment
# The play
Cards are scanned
as they are laid.

FIFTEEN = LEAD TC
    5D

## Red has made fifteen
Two are due.
when verify acc triple: FIFTEEN KD
- red:2 (what is due)
- ok.red, “XX”

## Nobody has pressed
when: undo
- menu
"""
    (chapter,) = read_chapters(text, named)
    fifteen, nobody = chapter.moments
    assert (chapter.title, chapter.told) == ("The play", "Cards are scanned as they are laid.")
    assert named["FIFTEEN"] == "ok.blue 6C TC 5D"
    assert (fifteen.title, fifteen.told, fifteen.steps) == (
        "Red has made fifteen",
        "Two are due.",
        "ok.blue 6C TC 5D KD",
    )
    assert (fifteen.ways, fifteen.rules, fifteen.board) == ((Way.VERIFY,), "acc", "triple")
    assert fifteen.presses == (Press("red:2", "what is due"), Press("ok.red"), Press("“XX”"))
    assert (nobody.told, nobody.ways, nobody.rules, nobody.board) == ("", tuple(Way), "six-card", "continuous")


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ("when verify: LEED\n- menu", "LEED"),
        ("when verify: menu", "its presses"),
        ("- menu", "its `when …:`"),
        ("when verify chess: menu\n- menu", "chess"),
        ("when acc fadoq: menu\n- menu", "acc fadoq"),
        ("when: menu\nWhat is told.\n- menu", "What is told."),
    ],
)
def test_a_line_of_a_chapter_that_means_nothing_is_named(lines: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        list(read_chapters(f"# The play\n## A moment\n{lines}\n", {}))


def test_steps_are_read() -> None:
    assert read("blue:8") == Together((HolePressed(0, 8),))
    assert read("blue:8&red:5") == Together((HolePressed(0, 8), HolePressed(1, 5)))
    assert read("ok.red") == Together((KeyPressed(Key.OK, 1),))
    assert read("go.green.held") == Together((KeyHeld(Key.GO, 2),))
    assert read("menu.held") == Together((KeyHeld(Key.MENU),))
    assert read("10h") == Together((CardRead("TH"),))
    assert read("“XX”") == Together((CardRead("XX"),))
    assert (read("wait:3.1"), read("off-on")) == (Wait(3.1), OffAndOn())


@pytest.mark.parametrize("step", ["", "ok.", "yellow:8", "1X", "hello"])
def test_a_step_that_means_nothing_is_refused(step: str) -> None:
    with pytest.raises((NotationError, ValueError)):
        in_words(read(step), Situation(load("continuous")))


def test_steps_are_told_in_words() -> None:
    nowhere = Situation(load("continuous"))
    told = [in_words(read(step), nowhere) for step in ("red:8", "ok.blue", "menu.held", "JD", "wait:3.1", "off-on")]
    assert told == [
        "red’s hole 8", "blue’s OK", "MENU, held", "J♦ scanned", "nothing for 3 seconds", "off and on again"
    ]  # fmt: skip
    assert in_words(read("ok.red&go.red&undo"), nowhere) == "red’s OK, red’s GO and UNDO at once"
