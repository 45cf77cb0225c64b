"""A board at a table of an event: it offers the game that is due, and waits between two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.support.alone import alone
from tests.support.board_at_event import due, is_called, names_of_table, place, results, waits
from tests.support.catalogues import phrase
from tests.support.evenings import BLUE, MENU, MENU_HELD, OK, RED, evening, holes
from tests.support.event_evenings import A_WIN, OPEN, at_event
from tests.support.organised import draw_and_start, held, open_hall, slip

from cribboard.competition import FORMATS
from cribboard.competition.actions import (
    Begin,
    CheckIn,
    Register,
    ShowAs,
    StartRound,
)
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import MedalTie
from cribboard.events import BrokenOff
from cribboard.rules import RULES
from cribd.display.screen import screen_image
from cribd.inputs import Fault, FaultKind, Key, NamesGiven, NewGameAsked, RulesGiven
from cribd.table.organiser_desk import NOTHING_SAID, WaitsForRound
from cribd.table.snapshot import Line, Lobby, Refusal
from cribd.text import load

# The next game


async def test_one_ok_starts_the_game_that_is_due_with_its_names_and_rules(tmp_path: Path) -> None:
    form = replace(OPEN, rules="jeux50")
    async with at_event(tmp_path, form) as (table, organiser):
        due = table.now.event
        assert due is not None
        assert (due.place, due.names, due.rules) == (
            place(organiser, 1, 1, 1),
            names_of_table(organiser),
            RULES["jeux50"],
        )
        await table.post(OK[RED])
        assert table.now.names == names_of_table(organiser)
        assert table.position.rules == RULES["jeux50"]
        stored = table.journal.latest_game()
        assert stored is not None
        assert stored.played_for == place(organiser, 1, 1, 1)


async def test_a_game_that_another_board_may_play_is_not_due_until_that_board_says_otherwise(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        table.at_event.set_desk_messages(NOTHING_SAID, {place(organiser, 1, 1, 1)})
        assert (due(table), waits(table)) == (None, WaitsForRound(1, 1))
        table.at_event.set_desk_messages(NOTHING_SAID, ())
        assert due(table) == place(organiser, 1, 1, 1)
        table.at_event.set_desk_messages(NOTHING_SAID, {place(organiser, 1, 1, 1)})
        await organiser.do(slip(1, 121, 98))
        assert due(table) == place(organiser, 1, 1, 2)


async def test_the_board_shows_the_public_short_name_of_an_entrant(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await organiser.do(ShowAs(1, "E. 1"))
        await table.post(OK[RED])
        assert "E. 1" in table.now.names


async def test_names_that_the_owner_gave_for_friendly_games_are_not_those_of_the_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(NamesGiven(("Ann", "Bob")), *A_WIN[:2])
        assert table.now.names == names_of_table(organiser)


async def test_a_board_at_another_table_or_at_none_is_offered_nothing(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        for place in (2, None):
            await organiser.stand_at({"table": place})
            assert table.now.event is None


async def test_the_table_of_the_board_is_known_again_after_a_restart(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (_, organiser):
        await organiser.stand_at({"table": 1})
    async with at_event(tmp_path) as (table, _):
        assert table.competitions.board_table == 1
        assert table.now.event is not None


async def test_a_game_whose_rules_the_board_cannot_play_is_not_offered_and_that_is_said(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        due = table.now.event
        assert due is not None
        table.table.offer(replace(due, rules=RULES["three-player"]))
        assert (table.now.event, table.now.faults) == (None, (Fault(FaultKind.CANNOT_PLAY, "board"),))
        assert "needs 3 tracks" in table.now.faults[0].cause
        table.table.offer(due)
        assert (table.now.event, table.now.faults) == (due, ())


async def test_a_friendly_game_between_rounds_goes_nowhere_near_the_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(RulesGiven(RULES["acc"].label), MENU)
        assert table.now.menu is not None
        assert table.now.menu.current.line is Line.EVENT
        assert Line.RULES not in [line.line for line in table.now.menu.lines], "the event has settled them"
        await table.post(OK[BLUE])
        assert Line.RULES in [line.line for line in table.now.menu.lines]
        await table.post(MENU_HELD, OK[BLUE])
        assert table.position.rules.name == "acc"
        await table.post(NewGameAsked())
        assert results(organiser) == ()
        stored = table.journal.game(1)
        assert stored.played_for is None
        assert table.now.event is None, "the game of the event is being played now"


# Between two games (7.23)

LONGER = replace(FORMATS["round-robin"], meeting_games=1, games=3, level_medals=MedalTie.SHARE)


async def test_between_two_rounds_the_board_waits_and_ok_starts_no_friendly_game(tmp_path: Path) -> None:
    async with at_event(tmp_path, LONGER, entrants=4) as (table, organiser):
        await table.post(*A_WIN)
        assert (table.now.lobby, table.now.event, waits(table)) == (Lobby.AGAIN, None, WaitsForRound(1, 2))
        await table.post(OK[BLUE], OK[RED])
        assert table.now.refusal == Refusal("waits_for_round")
        assert (table.now.lobby, len(table.journal.games())) == (Lobby.AGAIN, 1)
        await organiser.do(slip(2, 121, 98))
        await draw_and_start(organiser)
        assert (due(table), waits(table)) == (place(organiser, 2, 1, 1), None)
        await table.post(OK[BLUE])
        assert table.table.latest is not None
        assert table.table.latest.played_for == place(organiser, 2, 1, 1)


async def test_before_the_first_round_and_at_an_empty_table_the_board_waits_too(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        organiser = await table.competitions.organiser()
        await organiser.stand_at({"table": 7})
        assert waits(table) is None, "there is no event"
        await organiser.begin(CompetitionHeading(format=LONGER, tables=9))
        assert waits(table) == WaitsForRound(7, 1)
        await table.post(OK[BLUE])
        assert table.now.view is None
        await organiser.do(*(Register(name=name) for name in "ABCD"), *map(CheckIn, range(1, 5)), Begin())
        await organiser.draw()
        assert waits(table) == WaitsForRound(7, 1), "it is drawn"
        await organiser.do(StartRound())
        assert waits(table) == WaitsForRound(7, 2), "nobody sits here"
        await organiser.stand_at({"table": None})
        assert waits(table) is None


async def test_once_the_next_round_is_drawn_the_board_says_where_those_who_sat_here_sit_next(tmp_path: Path) -> None:
    async with at_event(tmp_path, LONGER, entrants=4) as (table, organiser):
        sat = next(pair.entrants for pair in held(organiser).hall.tables if pair.table == 1)
        await organiser.do(ShowAs(sat[0], "Rita"))
        await table.post(*A_WIN)
        await organiser.do(slip(2, 121, 98))
        await organiser.draw()
        view = held(organiser).hall
        sits = {number: pair.table for pair in view.tables for number in pair.entrants}
        moves = tuple((view.entrants[number - 1].name, sits[number]) for number in sat)
        assert moves[0][0] == "Rita", "as the hall sees the name"
        assert waits(table) == WaitsForRound(1, 2, moves)
        assert load("en").hints(table.now) == tuple(f"{name}: table {seat}" for name, seat in moves)


async def test_once_the_next_round_is_drawn_the_board_says_who_sat_here_and_has_a_bye(tmp_path: Path) -> None:
    async with at_event(tmp_path, LONGER, entrants=5) as (table, organiser):
        await table.post(*A_WIN)
        await organiser.do(slip(2, 121, 98))
        await organiser.draw()
        before, view = held(organiser).hall.rounds[0], held(organiser).hall
        [rests] = view.byes
        await organiser.stand_at({"table": next(pair.table for pair in before.tables if rests in pair.entrants)})
        shown, name = waits(table), view.entrants[rests - 1].name
        assert shown is not None
        assert len(shown.moves) == 2
        assert (name, None) in shown.moves
        assert f"{name}: sits out" in load("en").hints(table.now)


async def test_a_friendly_game_is_chosen_in_the_menu_for_one_game(tmp_path: Path) -> None:
    async with at_event(tmp_path, LONGER, entrants=4) as (table, _):
        await table.post(*A_WIN, MENU)
        assert table.now.menu is not None
        assert table.now.menu.current.line is Line.EVENT
        await table.post(OK[BLUE], MENU_HELD)
        assert waits(table) is None
        await table.post(*A_WIN)
        assert [stored.played_for is None for stored in map(table.journal.game, (1, 2))] == [False, True]
        assert waits(table) == WaitsForRound(1, 2), "it waits again"


async def test_a_round_that_starts_during_a_friendly_game_is_shown_at_once_and_taken_by_the_menu(
    tmp_path: Path,
) -> None:
    async with at_event(tmp_path, LONGER, entrants=4) as (table, organiser):
        await table.post(*A_WIN, MENU, OK[BLUE], MENU_HELD, *A_WIN[:2], *holes(BLUE, 5, 5))
        assert not is_called(table)
        await organiser.do(slip(2, 121, 98))
        await draw_and_start(organiser)
        assert is_called(table)
        await table.post(*holes(RED, 8, 8))
        assert table.scores == (5, 8), "the friendly game goes on"
        await table.post(MENU)
        assert table.now.menu is not None
        assert table.now.menu.current.line is Line.EVENT
        await table.post(OK[RED])
        assert table.table.latest is not None
        assert (table.table.latest.played_for, is_called(table)) == (place(organiser, 2, 1, 1), False)
        assert isinstance(table.journal.game(2).game.log[-1], BrokenOff)


async def test_after_the_last_round_ok_starts_a_friendly_game_again(tmp_path: Path) -> None:
    async with at_event(tmp_path, replace(OPEN, meeting_games=1, games=1)) as (table, _):
        await table.post(*A_WIN)
        assert (table.now.event, waits(table)) == (None, None)
        await table.post(OK[BLUE])
        assert table.table.latest is not None
        assert table.table.latest.played_for is None


async def test_the_keys_and_the_screen_of_a_board_wait_for_the_round_and_show_its_start_at_once(tmp_path: Path) -> None:
    """At the wires: the keys of the twin are pressed, and its screen is read."""
    async with alone(tmp_path) as board:

        async def press(*keys: tuple[Key, int | None]) -> None:
            for key, side in keys:
                await board.together(board.fingers.key(key, side))
                await board.pass_time(0.2)

        def shows() -> bool:
            return board.twin.oled().pixels == screen_image(board.device.snapshot, load("en")).tobytes()

        organiser = await board.device.competitions.organiser()
        await open_hall(organiser, 4, LONGER)
        await organiser.stand_at({"table": 1})
        await press((Key.OK, BLUE), (Key.OK, RED))
        assert board.device.snapshot.view is None
        assert load("en").prompt(board.device.snapshot) == phrase("lobby.waits", round=1)
        assert shows()
        await press((Key.MENU, None), (Key.OK, BLUE))
        board.twin.key_down(Key.MENU)
        await board.pass_time(1.5)
        board.twin.key_up(Key.MENU)
        await board.pass_time(0.2)
        await press((Key.OK, BLUE))
        assert board.device.table.latest is not None, "a friendly game"
        before = board.twin.oled().pixels
        await draw_and_start(organiser)
        await board.pass_time(0.2)
        assert board.device.snapshot.is_called
        assert board.twin.oled().pixels != before
        assert shows()
        await press((Key.MENU, None), (Key.OK, RED))
        assert board.device.table.latest.played_for == place(organiser, 1, 1, 1)
