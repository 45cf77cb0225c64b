"""What a press means around the game: undo, the win, the menu, start-up (rules reference, 7.13 to 7.16)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.press_meanings import LONG, MENU, MENU_HELD, UNDO, game, go, lay, meant, ok, refused, too_much
from tests.support.seats import BLUE, GREEN, RED, card

from cribboard import RULES, Card, Game, Way
from cribboard.actions import (
    AcceptResult,
    Action,
    Agree,
    Ask,
    DropQuestion,
    LayCard,
    Question,
    ReleasePeg,
    TakePegInHand,
    TurnStarter,
    Undo,
)
from cribboard.position import Phase
from cribd.inputs import CardRead, Fault, FaultCleared, FaultKind, HolePressed, Input, Key, KeyHeld, KeysTogether
from cribd.table.commands import ChangeMode, OpenMenu, Situation, StartGame, TakeLine
from cribd.table.interpret import interpret
from cribd.table.snapshot import PLAYING, Line, Lobby, Menu, MenuLine, NamingDealer, Refusal

# 7.13: undo


def test_undo_takes_back_or_asks_and_a_second_undo_drops_what_was_asked() -> None:
    play = game("verify", TurnStarter(card("6C")), lay("TC"))
    assert meant(play, UNDO) == Undo()
    play.do(Undo())
    assert meant(play, UNDO) == DropQuestion()
    assert meant(play, ok(RED)) == Agree(RED)
    assert refused(play, ok(BLUE)) == Refusal("waits_for_other_side", {"side": BLUE})


def test_before_anything_was_done_there_is_nothing_to_undo() -> None:
    assert refused(game("verify"), UNDO).code == "nothing_to_undo"


# 7.14: the win


def won() -> Game:
    return game("trust", TakePegInHand(BLUE, 121), TakePegInHand(BLUE, 121), ReleasePeg(BLUE))


def test_after_the_win_ok_accepts_the_result_and_all_else_but_undo_is_refused() -> None:
    assert won().position.phase is Phase.WON
    assert meant(won(), ok(RED)) == AcceptResult(RED)
    assert meant(won(), UNDO) == Undo()
    for given_input in (HolePressed(RED, 4), CardRead("4H"), too_much(RED), go(RED)):
        assert refused(won(), given_input).code == "game_is_won"


# 7.15: the menu


OPEN = Menu((MenuLine(Line.SOUND, {"sound": "off"}), MenuLine(Line.BREAK_OFF)), at=1)


def test_menu_opens_steps_takes_and_leaves() -> None:
    now = game("trust").position
    assert interpret(Situation(LONG, now), MENU) == OpenMenu()
    opened = Situation(LONG, now, OPEN)
    assert interpret(opened, MENU) == OpenMenu(0)
    assert interpret(opened, ok(RED)) == TakeLine(MenuLine(Line.BREAK_OFF), RED)
    assert interpret(opened, MENU_HELD) == ChangeMode(PLAYING)


@pytest.mark.parametrize(
    "given_input", [HolePressed(BLUE, 3), CardRead("4H"), UNDO, go(BLUE), KeyHeld(Key.GO, BLUE), too_much(RED)]
)
def test_while_the_menu_is_open_nothing_reaches_the_game(given_input: Input) -> None:
    for base in (PLAYING, *Lobby):
        opened = Situation(LONG, game("trust").position, replace(OPEN, covers=base))
        assert interpret(opened, given_input) == Refusal("menu_open")


def test_a_held_menu_key_does_nothing_while_no_menu_is_open() -> None:
    assert meant(game("trust"), MENU_HELD) == Refusal("key_means_nothing", {"key": Key.MENU})


# 7.14 and 7.16: while no game is under way


def test_one_ok_starts_a_game_and_the_menu_opens_before_it() -> None:
    for lobby in (Lobby.START, Lobby.AGAIN):
        for side in (BLUE, RED):
            assert interpret(Situation(LONG, None, lobby), ok(side)) == StartGame()
        assert interpret(Situation(LONG, None, lobby), MENU) == OpenMenu()
        assert interpret(Situation(LONG, None, lobby), HolePressed(BLUE, 3)) == Refusal("no_game")


def test_an_unfinished_game_is_taken_up_by_ok_and_menu_only_asks_for_another() -> None:
    found = Situation(LONG, game("verify").position, Lobby.RESUME)
    assert interpret(found, ok(RED)) == ChangeMode(PLAYING)
    assert interpret(found, MENU) == ChangeMode(Lobby.START)
    for given_input in (HolePressed(BLUE, 3), CardRead("4H"), UNDO, MENU_HELD):
        assert interpret(found, given_input) == Refusal("unfinished")


def test_a_new_game_instead_of_the_unfinished_one_is_begun_by_ok_and_left_by_undo() -> None:
    instead = Situation(LONG, game("verify").position, Lobby.START)
    assert interpret(instead, ok(RED)) == StartGame()
    assert interpret(instead, UNDO) == ChangeMode(Lobby.RESUME)
    assert interpret(instead, MENU) == OpenMenu()
    assert interpret(instead, HolePressed(BLUE, 3)) == Refusal("no_game")


def test_undo_finds_no_unfinished_game_where_there_is_none() -> None:
    over = game("trust", TakePegInHand(BLUE, 121), TakePegInHand(BLUE, 121), ReleasePeg(BLUE))
    for now in (Situation(LONG, None, Lobby.START), Situation(LONG, over.position, Lobby.AGAIN)):
        assert interpret(now, UNDO) == Refusal("no_game")


# Keys mashed


def test_keys_at_once_are_refused_wherever_they_are_pressed() -> None:
    for base in (PLAYING, *Lobby):
        for mode in (base, replace(OPEN, covers=base)):
            for position in (None, game("trust").position, game("verify", TurnStarter(card("6C"))).position):
                assert interpret(Situation(LONG, position, mode), KeysTogether()) == Refusal("two_keys")


def test_a_fault_causes_no_action() -> None:
    for given_input in (Fault(FaultKind.READER_SILENT, "reader"), FaultCleared(FaultKind.READER_SILENT, "reader")):
        assert interpret(Situation(LONG, game("verify").position), given_input) is None
        assert interpret(Situation(LONG, None, replace(OPEN, covers=Lobby.START)), given_input) is None


# A board may have more tracks than the game has sides


NOBODYS: list[Input] = [HolePressed(GREEN, 8), ok(GREEN), go(GREEN), KeyHeld(Key.GO, GREEN), too_much(GREEN)]


@pytest.mark.parametrize("given_input", NOBODYS, ids=str)
def test_an_unused_track_is_refused_before_anything_else(given_input: Input) -> None:
    """Seat 2 is blue's partner: green's keys are not his."""
    partners = RULES["partners"]
    laid = [LayCard(seat, each) for seat, each in enumerate(Card.parse_many("TC 8D TH"))]
    at_28: list[Action] = [TurnStarter(card("6C")), *laid]
    for way in Way:
        tables = [game(way, rules=partners), game(way, dealer=None, rules=partners)]
        tables.append(game(way, Ask(BLUE, Question.BREAK_OFF), rules=partners))
        if way is not Way.TRUST:
            tables.append(game(way, at_28, dealer=3, rules=partners))
        for now in tables:
            assert meant(now, given_input) == Refusal("not_playing", {"side": GREEN})
            naming = Situation(LONG, now.position, NamingDealer(1))
            assert interpret(naming, given_input) == Refusal("not_playing", {"side": GREEN})


def test_in_the_menu_and_between_games_any_ok_does() -> None:
    line, now = MenuLine(Line.BREAK_OFF), game("verify").position
    assert interpret(Situation(LONG, now, Menu((line,))), ok(GREEN)) == TakeLine(line, GREEN)
    for lobby, answer in ((Lobby.RESUME, ChangeMode(PLAYING)), (Lobby.START, StartGame()), (Lobby.AGAIN, StartGame())):
        assert interpret(Situation(LONG, now, lobby), ok(GREEN)) == answer
