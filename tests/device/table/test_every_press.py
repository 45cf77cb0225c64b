"""Every press at every moment does what was approved, and the screen says so in every language."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from tests.support.catalogues import phrase
from tests.support.goldens import Approved
from tests.support.moments import RED, Story, moments
from tests.support.presses import chapters, outcome_of, rows
from tests.support.presses.codes import all_presses, all_screens
from tests.support.presses.moments import Press, read_chapters
from tests.support.presses.screen_text import lines_on_screen
from tests.support.presses.steps import OffAndOn, Together, Wait, read
from tests.support.refusals import REFUSALS
from tests.support.spots import HOLED
from tests.support.sweeps import mostly_long

from cribboard.actions import Action, BreakOff, NameDealer, UndoOfficially
from cribboard.cards import NotationError
from cribboard.events import Acted, Event
from cribboard.rules import RULES, Way
from cribboard.view import PromptKind
from cribd.inputs import CardRead, HolePressed, Key, KeyHeld, KeyPressed
from cribd.languages import languages
from cribd.table.snapshot import Line, Lobby, Menu, Refusal, Snapshot
from cribd.text import load as phrases_in

pytestmark = pytest.mark.shares("the outcomes of all presses")

#: Refusals that no press on these boards can cause, and why.
NOT_PRESSED = {
    "too_early": "the device drops the key, and the table only says so",
    "game_is_over": "the table asks for another game, and no press reaches the old one",
    "no_count_now": "OK says zero only at one's own count",
    "desk_paused": "the desk of an event speaks to a table (7.23), and here nobody plays one",
    "desk_speaks": "likewise",
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
    "disk_read_only": "Linux must have made the disk read-only for it",
    "other_deck": "the page's presses hold up cards of one deck",
    "read_again": "a card must be held badly for it",
    "unclear_card": "a card must be half covered for it",
    "two_cards": "two cards must be held at a reader at once",
    "unknown_tag": "a tag must be of no deck for it",
    **dict.fromkeys(("off_no_systemd", "off_not_allowed", "off_still_on"), "the machine must stay on for it"),
}


#: Which key gives which of two answers goes before what helps, where there is room for one line.
TWO_ANSWERS = (PromptKind.CHALLENGE, PromptKind.MUGGINS, PromptKind.GAME_CLAIMED, PromptKind.RENEGE)


@pytest.mark.slow
def test_each_press_does_what_its_golden_says(approved: Approved) -> None:
    approved("presses", all_presses())


@pytest.mark.slow
@pytest.mark.parametrize("language", mostly_long(reversed(languages()), every=2))
def test_after_each_press_the_screen_says_what_its_golden_says(language: str, approved: Approved) -> None:
    approved(f"screen.{language}", all_screens(language))


@pytest.mark.slow
def test_every_refusal_that_a_press_can_cause_is_met() -> None:
    after = (outcome_of(row, "en").after for row in rows())
    met = {snapshot.refusal.code for snapshot in after if snapshot.refusal is not None}
    assert met == REFUSALS.keys() - NOT_PRESSED.keys()


@pytest.mark.slow
def test_every_action_and_every_event_happens() -> None:
    events = [event for row in rows() for event in outcome_of(row, "en").log]
    assert {type(event) for event in events} == set(get_args(Event))
    acted = {type(event.action) for event in events if isinstance(event, Acted)}
    not_here = {BreakOff, UndoOfficially}  # the end of a game that is not the newest, and the owner's from afar
    assert acted == set(get_args(Action)) - not_here


@pytest.mark.slow
def test_every_lobby_menu_line_and_prompt_is_shown() -> None:
    shown = [snapshot for row in rows() for o in [outcome_of(row, "en")] for snapshot in (o.before, o.after)]
    assert {snapshot.lobby for snapshot in shown} == {None, *Lobby}
    lines = {snapshot.menu.current.line for snapshot in shown if snapshot.menu is not None}
    assert lines == set(Line) - {Line.EVENT, Line.CLUB}, "a board at a table of an event, or in a network, has these"
    assert {s.view.prompt.kind for s in shown if s.view is not None} == set(PromptKind)


def test_every_way_every_board_and_every_preset_have_their_rows() -> None:
    assert {row.way for row in rows()} == set(Way)
    assert {row.moment.rules for row in rows()} == set(RULES)
    assert {row.moment.board for row in rows()} == set(HOLED)


def test_every_moment_has_its_own_title() -> None:
    titles = [moment.title for chapter in chapters() for moment in chapter.moments]
    assert len(set(titles)) == len(titles)


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
def test_a_row_is_the_same_in_every_language_but_for_the_words() -> None:
    for row in rows():
        one, *others = (outcome_of(row, language) for language in languages())
        for other in others:
            assert (other.log, other.games, other.events) == (one.log, one.games, one.events), row
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
    assert lines_on_screen(lobby, english) == (
        phrase("lobby.start"),
        phrase("refusal.no_game"),
        phrase("instead.no_game"),
    )
    assert phrase("lobby.start", "fr_CA") in lines_on_screen(lobby, french)
    hinted = Snapshot(mode=Lobby.START)
    assert english.refusal(Refusal("no_game"))[0] not in lines_on_screen(hinted, english)


def test_a_line_with_descenders_above_a_detail_is_listed() -> None:
    false_go = lines_on_screen(moments()["false-go"], phrases_in("fr_CA"))
    assert false_go == (
        phrase("ask.lay", "fr_CA", seat="Bleu"),
        phrase("said.false_go", "fr_CA", card="3♣", count=22),
        phrase("hint.roll_back", "fr_CA"),
    )


def test_the_beginning_of_a_line_is_not_taken_for_a_line() -> None:
    named = Story("verify").do(NameDealer(RED)).shows()
    lines = lines_on_screen(named, phrases_in("en"))
    deal = phrase("ask.deal", seat="Red", cards=6)
    assert lines == (deal, phrase("step.discard", discards=2), phrase("ask.starter")), "nowhere does it say: Red deals"


def test_a_chapter_file_is_read_as_moments_with_title_and_steps() -> None:
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
    assert (chapter.title, chapter.about) == ("The play", "Cards are scanned as they are laid.")
    assert named["FIFTEEN"] == "ok.blue 6C TC 5D"
    assert (fifteen.title, fifteen.about, fifteen.steps) == (
        "Red has made fifteen",
        "Two are due.",
        "ok.blue 6C TC 5D KD",
    )
    assert (fifteen.ways, fifteen.rules, fifteen.board) == ((Way.VERIFY,), "acc", "triple")
    assert fifteen.presses == (Press("red:2", "what is due"), Press("ok.red"), Press("“XX”"))
    assert (nobody.about, nobody.ways, nobody.rules, nobody.board) == ("", tuple(Way), "six-card", "continuous")


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


def test_each_notation_of_a_step_is_read_as_its_inputs() -> None:
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
        read(step)
