"""`docs/playing.md` is what the board answers: made, whole, and told once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest
from tests.support.moments import RED, Story, moments
from tests.support.places import ROOT
from tools.playing import outcome_of, page, rows
from tools.playing.glimpse import lines_on_screen
from tools.playing.happenings import NOTHING
from tools.playing.presses import OffAndOn, Together, Wait, in_words, read

from cribboard.actions import REFUSALS as GAME_REFUSALS
from cribboard.actions import Action, BreakOff, NameDealer, UndoOfficially
from cribboard.cards import NotationError
from cribboard.events import Acted, Event
from cribboard.rules import RULES, Way
from cribboard.view import Asks
from cribd.boards import NAMES, load
from cribd.inputs import CardRead, HolePressed, Key, KeyHeld, KeyPressed
from cribd.languages import languages
from cribd.table.commands import Situation
from cribd.table.interpret import REFUSALS
from cribd.table.snapshot import Line, Lobby, Refusal, Snapshot
from cribd.text import load as phrases_in

DOC = ROOT / "docs" / "playing.md"

#: Refusals that no press on these boards can cause, and why.
NOT_PRESSED = {
    "game_is_over": "the table asks for another game, and no press reaches the old one",
    "no_count_now": "OK says zero only at one's own count",
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
    "not_kept": "the disk must be full for it",
    "other_deck": "the page's presses hold up cards of one deck",
    "read_again": "a card must be held badly for it",
    "unclear_card": "a card must be half covered for it",
    "two_cards": "two cards must be held at a reader at once",
    "unknown_tag": "a tag must be of no deck for it",
}


#: Which key gives which of two answers goes before what helps, where there is room for one line.
TWO_ANSWERS = (Asks.CHALLENGE, Asks.MUGGINS, Asks.GAME_CLAIMED, Asks.RENEGE)


def tables() -> list[list[list[str]]]:
    """The rows of each table of the page, without their heads."""
    found = re.findall(r"(?m)(?:^\|.*\n)+", DOC.read_text(encoding="utf-8"))
    return [[[cell.strip() for cell in line.strip("|").split("|")] for line in t.splitlines()[2:]] for t in found]


def test_the_page_is_what_the_board_answers() -> None:
    assert DOC.read_text(encoding="utf-8") == page(), "run: python -m tools.playing docs/playing.md"


def test_every_refusal_that_a_press_can_cause_is_told() -> None:
    after = (outcome_of(row, "en").after for row in rows())
    told = {snapshot.refusal.code for snapshot in after if snapshot.refusal is not None}
    assert told == (GAME_REFUSALS.keys() | REFUSALS.keys()) - NOT_PRESSED.keys()


def test_every_action_and_every_event_is_told() -> None:
    events = [event for row in rows() for event in outcome_of(row, "en").log]
    assert {type(event) for event in events} == set(get_args(Event))
    acted = {type(event.action) for event in events if isinstance(event, Acted)}
    not_here = {BreakOff, UndoOfficially}  # the end of a game that is not the newest, and the owner's from afar
    assert acted == set(get_args(Action)) - not_here


def test_everything_that_the_table_asks_is_asked() -> None:
    shown = [snapshot for row in rows() for o in [outcome_of(row, "en")] for snapshot in (o.before, o.after)]
    assert {snapshot.lobby for snapshot in shown} == {None, *Lobby}
    assert {snapshot.menu.current.line for snapshot in shown if snapshot.menu is not None} == set(Line)
    assert {s.view.ask.what for s in shown if s.view is not None} == set(Asks)


def test_every_way_every_board_and_every_preset_have_their_rows() -> None:
    assert {row.way for row in rows()} == set(Way)
    assert {row.moment.rules for row in rows()} == set(RULES)
    assert {row.moment.board for row in rows()} == set(NAMES)


def test_no_outcome_stands_twice_in_a_table() -> None:
    for table in tables():
        outcomes = [tuple(cells[1:]) for cells in table]
        assert len(set(outcomes)) == len(outcomes)


def test_every_row_says_what_happens_and_what_the_screen_shows_in_both_languages() -> None:
    for table in tables():
        for cells in table:
            assert all(cells)
            assert all("**" in screen for screen in cells[-2:])


def test_what_is_refused_leaves_the_game_as_it_was_and_says_so_on_the_screen() -> None:
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
                assert set(instead) <= set(seen) or (view is not None and view.ask.what in TWO_ANSWERS), row


def test_nothing_changes_only_where_nothing_did() -> None:
    for row in rows():
        came = outcome_of(row, "en")
        changed = replace(came.after, refusal=None) != replace(came.before, refusal=None)
        assert changed == (came.happened != NOTHING), row


# What it is made with


def test_a_line_is_told_only_if_its_dots_are_on_the_picture() -> None:
    english, french = phrases_in("en"), phrases_in("fr_CA")
    lobby = Snapshot(lobby=Lobby.START, refusal=Refusal("no_game"))
    assert lines_on_screen(lobby, english) == ("New game? Press OK", "No game under way", "OK starts one")
    assert "Nouvelle partie ? OK" in lines_on_screen(lobby, french)
    hinted = Snapshot(lobby=Lobby.START)
    assert english.refusal(Refusal("no_game"))[0] not in lines_on_screen(hinted, english)


def test_a_line_is_told_though_its_letters_hang_low_and_a_detail_stands_below_it() -> None:
    false_go = lines_on_screen(moments()["false-go"], phrases_in("fr_CA"))
    assert false_go == ("Bleu : à vous", "Faux go : 3♣ à 22", "MENU : revenir au go")


def test_the_beginning_of_a_line_is_not_taken_for_a_line() -> None:
    named = Story("verify").do(NameDealer(RED)).shows()
    told = lines_on_screen(named, phrases_in("en"))
    assert told == ("Red deals 6 cards", "Discard 2 each", "Starter: scan it"), "nowhere does it say: Red deals"


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
