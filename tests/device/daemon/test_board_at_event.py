"""A board at a table of an event: it offers the game that is due, and its result goes to the desk with the record."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.support.alone import alone
from tests.support.catalogues import phrase
from tests.support.evenings import BLUE, BLUE_WINS, MENU, MENU_HELD, OK, RED, Evening, evening, holes, step_to
from tests.support.event_evenings import A_WIN, OPEN, SEALED, at_event, open_results
from tests.support.organised import draw_and_start, held, open_hall, slip

from cribboard.competition import FORMATS
from cribboard.competition.actions import (
    AnswerCall,
    Begin,
    CallOfficial,
    CancelRound,
    CheckIn,
    CheckResult,
    CorrectResult,
    EnterResult,
    Register,
    ReportResult,
    ShowAs,
    StartRound,
    UndoCompetitionAct,
)
from cribboard.competition.position import Result
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import Ending, GameAt, Level, ResultState, Source
from cribboard.events import BrokenOff
from cribboard.record import Record, write
from cribboard.rules import RULES, Option
from cribd.competition.change_request import ChangeRequest
from cribd.competition.organiser import Organiser
from cribd.daemon import event_games
from cribd.display.screen import picture
from cribd.inputs import Key, NamesGiven, NewGameAsked, RulesGiven
from cribd.storage.competitions import PlayedFor
from cribd.storage.journal import NotKept
from cribd.table.event import Entered, Outcome, WaitsForRound
from cribd.table.snapshot import Line, Lobby, Official, Refusal
from cribd.text import load

FIRST = GameAt(1, 1, 1)


def results(organiser: Organiser) -> tuple[Result, ...]:
    """The results of table 1 in the first round."""
    return next(each for each in held(organiser).organiser.rounds[0].tables if each.table == 1).results


def due(table: Evening) -> PlayedFor | None:
    """The game of the event that OK starts."""
    return None if table.now.event is None else table.now.event.place


def waits(table: Evening) -> WaitsForRound | None:
    """The round that the table waits for."""
    return table.now.waits


def is_called(table: Evening) -> bool:
    """Whether a game of the event is due while another is played."""
    return table.now.is_called


def names_of_table(organiser: Organiser) -> tuple[str, ...]:
    view = held(organiser).organiser
    pairing = next(each for each in view.tables if each.table == 1)
    return tuple(view.entrants[number - 1].name for number in pairing.entrants)


def chain_of(table: Evening, game: int) -> str:
    """The last link of a game, as another program reads it from the file."""
    with closing(sqlite3.connect(table.path)) as file:
        query = "SELECT chain FROM line WHERE game = ? ORDER BY number DESC LIMIT 1"
        return str(file.execute(query, (game,)).fetchone()[0])


# The next game


async def test_one_ok_starts_the_game_that_is_due_with_its_names_and_rules(tmp_path: Path) -> None:
    form = replace(OPEN, rules="jeux50")
    async with at_event(tmp_path, form) as (table, organiser):
        due = table.now.event
        assert due is not None
        assert (due.place, due.names, due.rules) == (PlayedFor(1, 1, 1, 1), names_of_table(organiser), RULES["jeux50"])
        await table.post(OK[RED])
        assert table.now.names == names_of_table(organiser)
        assert table.position.rules == RULES["jeux50"]
        kept = table.journal.latest()
        assert kept is not None
        assert kept.played_for == PlayedFor(1, 1, 1, 1)


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


async def test_rules_that_the_board_cannot_play_are_not_offered(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        assert table.now.event is not None
        table.table.offer(replace(table.now.event, rules=RULES["three-player"]))
        assert table.now.event is None


async def test_a_friendly_game_between_rounds_goes_nowhere_near_the_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(RulesGiven(RULES["acc"].label), MENU)
        assert table.now.menu is not None
        assert table.now.menu.current.line is Line.EVENT
        assert Line.RULES not in [each.line for each in table.now.menu.lines], "the event has settled them"
        await table.post(OK[BLUE])
        assert Line.RULES in [each.line for each in table.now.menu.lines]
        await table.post(MENU_HELD, OK[BLUE])
        assert table.position.rules.name == "acc"
        await table.post(NewGameAsked())
        assert results(organiser) == ()
        kept = table.journal.game(1)
        assert kept.played_for is None
        assert table.now.event is None, "the game of the event is being played now"


# Between two games (7.23)

LONGER = replace(FORMATS["round-robin"], meeting_games=1, games=3, level_medals=Level.SHARE)


async def test_between_two_rounds_the_board_waits_and_ok_starts_no_friendly_game(tmp_path: Path) -> None:
    async with at_event(tmp_path, LONGER, entrants=4) as (table, organiser):
        await table.post(*A_WIN)
        assert (table.now.lobby, table.now.event, waits(table)) == (Lobby.AGAIN, None, WaitsForRound(1, 2))
        await table.post(OK[BLUE], OK[RED])
        assert table.now.refusal == Refusal("waits_for_round")
        assert (table.now.lobby, len(table.journal.games())) == (Lobby.AGAIN, 1)
        await organiser.do(slip(2, 121, 98))
        await draw_and_start(organiser)
        assert (due(table), waits(table)) == (PlayedFor(1, 2, 1, 1), None)
        await table.post(OK[BLUE])
        assert table.table.latest is not None
        assert table.table.latest.played_for == PlayedFor(1, 2, 1, 1)


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


async def test_a_friendly_game_is_chosen_in_the_menu_for_one_game(tmp_path: Path) -> None:
    async with at_event(tmp_path, LONGER, entrants=4) as (table, _):
        await table.post(*A_WIN, MENU)
        assert table.now.menu is not None
        assert table.now.menu.current.line is Line.EVENT
        await table.post(OK[BLUE], MENU_HELD)
        assert waits(table) is None
        await table.post(*A_WIN)
        assert [kept.played_for is None for kept in map(table.journal.game, (1, 2))] == [False, True]
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
        assert (table.table.latest.played_for, is_called(table)) == (PlayedFor(1, 2, 1, 1), False)
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
            return board.twin.oled().pixels == picture(board.device.snapshot, load("en")).tobytes()

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
        assert board.device.table.latest.played_for == PlayedFor(1, 1, 1, 1)


# Its result


async def test_the_result_goes_to_the_desk_with_the_record_behind_it(tmp_path: Path) -> None:
    async with at_event(tmp_path, OPEN) as (table, organiser):
        await table.post(*A_WIN)
        (result,) = results(organiser)
        assert (result.scores, result.ending, result.source) == ((121, 0), Ending.FINISHED, Source.BOARD)
        kept = table.journal.game(1)
        text = write(Record(kept.heading, kept.game.log))
        assert result.record == chain_of(table, 1)
        assert result.record in text
        assert table.now.entered is Entered.ACCEPTED
        assert table.now.event is not None
        assert table.now.event.place.game == 2, "the next of the visit"


async def test_the_games_end_and_the_events_result_are_one_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        lines, log = table.lines_on_disk(), held(organiser).log

        def full(*_: object) -> None:
            raise NotKept("the disk is full")

        with monkeypatch.context() as away:
            away.setattr(table.journal.competitions, "write", full)
            await table.post(A_WIN[-1])
        assert (table.lines_on_disk(), held(organiser).log) == (lines, log), "neither is written"
        assert table.now.refusal is not None
        assert table.now.refusal.code == "not_kept"
        await table.post(A_WIN[-1])
        assert len(results(organiser)) == 1
        assert table.lines_on_disk() > lines


async def test_a_game_that_is_broken_off_is_entered_as_broken_off(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2], *holes(RED, 12, 12))
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE], OK[RED])
        (result,) = results(organiser)
        assert (result.scores, result.ending, result.winner) == ((0, 12), Ending.BROKEN_OFF, None)


async def test_a_game_that_the_owner_breaks_off_makes_room_for_the_next_of_the_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2], NewGameAsked())
        assert [result.ending for result in results(organiser)] == [Ending.BROKEN_OFF]
        kept = table.journal.latest()
        assert kept is not None
        assert kept.played_for is None, "nobody was asked whether the next game of the event begins"


async def test_a_report_from_one_phone_is_settled_by_the_board(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        first = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants[0]
        await organiser.do(ReportResult(at=FIRST, entrant=first, scores=(121, 0)))
        await table.post(*A_WIN[2:])
        (result,) = results(organiser)
        assert (result.state, result.source) == (ResultState.ACCEPTED, Source.BOARD)


async def test_the_same_result_from_a_slip_and_the_board_is_no_dispute(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        await organiser.do(slip(1, 121, 0))
        await table.post(*A_WIN[2:])
        (result,) = results(organiser)
        assert (result.state, result.source) == (ResultState.ACCEPTED, Source.SLIP)
        assert table.now.entered is Entered.ACCEPTED


async def test_another_result_than_the_desk_has_is_disputed_and_neither_is_lost(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        await organiser.do(slip(1, 98, 121))
        await table.post(*A_WIN[2:])
        (result,) = results(organiser)
        assert (result.state, result.scores) == (ResultState.DISPUTED, (98, 121))
        assert result.board is not None
        assert (result.board.scores, result.board.record) == ((121, 0), chain_of(table, 1))
        assert table.now.entered is Entered.DISPUTED
        assert table.journal.game(1).game.position.winner == BLUE


@pytest.mark.parametrize("state", [ResultState.ACCEPTED, ResultState.CHECKED, ResultState.DISPUTED])
async def test_a_ruling_for_the_board_is_its_result_with_the_record_also_after_a_restart(
    tmp_path: Path, state: ResultState
) -> None:
    async with at_event(tmp_path, OPEN) as (table, organiser):
        await table.post(*A_WIN[:2])
        if state is ResultState.DISPUTED:
            first, second = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
            await organiser.do(
                ReportResult(at=FIRST, entrant=first, scores=(121, 0)),
                ReportResult(at=FIRST, entrant=second, scores=(98, 121)),
            )
        else:
            await organiser.do(slip(1, 121, 30), *[CheckResult(FIRST)] * (state is ResultState.CHECKED))
        await table.post(*A_WIN[2:])
        assert table.now.entered is Entered.DISPUTED
        await organiser.do(CorrectResult(at=FIRST, scores=(121, 0), reason="asked the players"))
        link = chain_of(table, 1)
    async with at_event(tmp_path) as (_, organiser):
        (result,) = results(organiser)
        assert (result.state, result.source, result.record) == (ResultState.ACCEPTED, Source.BOARD, link)


async def test_a_ruling_against_the_board_is_the_slips_result(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        await organiser.do(slip(1, 121, 30))
        await table.post(*A_WIN[2:])
        await organiser.do(CorrectResult(at=FIRST, scores=(121, 30), reason="asked the players"))
        (result,) = results(organiser)
        assert (result.state, result.source, result.record) == (ResultState.ACCEPTED, Source.SLIP, "")


@pytest.mark.parametrize("acts", [(), (CheckResult(FIRST),)], ids=["accepted", "checked"])
async def test_a_game_that_is_broken_off_disputes_no_result_that_counts(
    tmp_path: Path, acts: tuple[CheckResult, ...]
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2], *holes(RED, 12, 12))
        await organiser.do(slip(1, 121, 98), *acts)
        before = results(organiser)
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE], OK[RED])
        assert results(organiser) == before
        assert table.now.entered is Entered.ACCEPTED, "nobody at the board has anything to do"
        assert isinstance(table.journal.game(1).game.log[-1], BrokenOff)


async def test_a_game_that_is_broken_off_leaves_a_dispute_to_the_official(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        first, second = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
        await organiser.do(
            ReportResult(at=FIRST, entrant=first, scores=(121, 90)),
            ReportResult(at=FIRST, entrant=second, scores=(98, 121)),
        )
        before = results(organiser)
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE], OK[RED])
        assert results(organiser) == before
        assert table.now.entered is Entered.DISPUTED


async def test_a_game_of_a_round_that_is_gone_ends_all_the_same(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await organiser.do(UndoCompetitionAct())
        await organiser.do(CancelRound("trop tôt"))
        before = held(organiser)
        await table.post(A_WIN[-1])
        assert table.now.entered is Entered.NOT_TAKEN
        assert table.journal.game(1).game.position.winner == BLUE
        assert held(organiser) == before


async def test_a_game_counts_for_the_event_it_began_in_although_another_is_current(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await open_hall(organiser, 2, OPEN)
        await draw_and_start(organiser)
        evening = held(organiser)
        assert table.now.event is not None
        assert table.now.event.place == PlayedFor(2, 1, 1, 1)
        await table.post(A_WIN[-1])
        assert table.now.entered is Entered.ACCEPTED
        assert held(organiser) == evening
        await table.post(*A_WIN)
        assert [result.record for result in results(organiser)] == [chain_of(table, 2)]
        await organiser.switch(1)
        assert [result.record for result in results(organiser)] == [chain_of(table, 1)]
        assert results(organiser)[0].source is Source.BOARD


async def test_a_game_of_the_other_event_ends_there_after_a_power_failure_too(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await organiser.begin(CompetitionHeading(format=OPEN))
    async with at_event(tmp_path) as (table, organiser):
        assert held(organiser).number == 2
        await table.post(OK[BLUE], *OK)
        assert table.now.entered is Entered.ACCEPTED
        assert len((await organiser.switch(1)).organiser.rounds[0].tables[0].results) == 1


async def test_a_result_that_the_other_event_has_otherwise_is_disputed_there(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await organiser.do(slip(1, 98, 121))
        await organiser.begin(CompetitionHeading(format=OPEN))
        await table.post(A_WIN[-1])
        assert table.now.entered is Entered.DISPUTED
        assert held(organiser).log == ()
        await organiser.switch(1)
        assert results(organiser)[0].state is ResultState.DISPUTED


async def test_a_call_from_a_game_of_the_other_event_is_one_of_that_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE])
        await organiser.begin(CompetitionHeading(format=OPEN))
        await call_at_the_board(table, BLUE)
        assert held(organiser).log == ()
        assert (await organiser.switch(1)).organiser.calls == (held(organiser).organiser.tables[0].entrants[BLUE],)


async def test_outcomes_from_boards_elsewhere_come_in_one_batch_and_each_counts_once(tmp_path: Path) -> None:
    async with at_event(tmp_path, entrants=6) as (table, organiser):
        before = held(organiser)

        def sent(at_table: int, *scores: int, of_round: int = 1, broken_off: bool = False) -> Outcome:
            place = PlayedFor(before.number, of_round, at_table, 1)
            return Outcome(place=place, scores=scores, broken_off=broken_off, record=f"{at_table}")

        outcomes = [
            sent(1, 121, 98), sent(1, 121, 98), sent(2, 60, 121), sent(2, 121, 60), sent(3, 7, 12, broken_off=True),
            sent(9, 121, 0), sent(1, 121, 0, of_round=2), sent(3, 121, 121),
        ]  # fmt: skip
        requests = [ChangeRequest(partial(event_games.action_for, outcome=outcome)) for outcome in outcomes]
        done = await organiser.do_many(requests, competition=before.number)
        assert [event_games.desk_answer(done.snapshot, outcome) for outcome in outcomes] == [
            Entered.ACCEPTED, Entered.ACCEPTED, Entered.DISPUTED, Entered.DISPUTED, Entered.ACCEPTED,
            Entered.NOT_TAKEN, Entered.NOT_TAKEN, Entered.DISPUTED,
        ]  # fmt: skip
        assert len(done.snapshot.log) - len(before.log) == 4, "a result for each table, and one dispute"
        assert table.now.event is not None
        assert table.now.event.place.game == 2, "this board's own table has its next game"


async def test_nothing_takes_an_accepted_result_back(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        await table.post(*A_WIN)
        shown = table.now
        assert (shown.lobby, shown.undoes) == (Lobby.AGAIN, None)


async def test_a_game_that_was_cut_short_by_a_power_failure_ends_in_the_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        await table.post(*A_WIN[:2], *BLUE_WINS)
    async with at_event(tmp_path) as (table, organiser):
        assert table.now.lobby is Lobby.RESUME
        await table.post(OK[BLUE], *OK)
        assert [result.scores for result in results(organiser)] == [(121, 0)]


# What the games tell of one another


async def test_in_a_sealed_event_no_standing_of_a_match_tells_of_the_game_before(tmp_path: Path) -> None:
    async with at_event(tmp_path, SEALED) as (table, _):
        await table.post(*A_WIN, OK[RED])
        assert (table.now.games, table.now.points) == ((0, 0), (0, 0))
        assert table.now.view is not None
        assert table.now.view.dealer == RED, "the loser deals, as in any match: the exception of law 10"


async def test_how_many_games_have_ended_tells_of_no_sealed_one(tmp_path: Path) -> None:
    async with at_event(tmp_path, replace(SEALED, meeting_games=1, games=1)) as (table, _):
        await table.post(*A_WIN)
        assert table.now.ended == 0
        await table.post(*A_WIN)
        assert table.now.ended == 1, "a friendly game"
        await table.post(OK[BLUE])
    async with at_event(tmp_path) as (table, _):
        assert table.now.ended == 1, "the game under way has not ended"
        await table.post(OK[BLUE], *BLUE_WINS, *OK)
        assert table.now.ended == 2


async def test_a_game_of_an_open_event_that_ends_is_news_for_the_lists(tmp_path: Path) -> None:
    async with at_event(tmp_path, OPEN) as (table, _):
        await table.post(*A_WIN, OK[RED])
        assert table.now.ended == 1


async def test_in_an_open_event_the_games_of_one_visit_are_a_match(tmp_path: Path) -> None:
    async with at_event(tmp_path, OPEN) as (table, _):
        await table.post(*A_WIN, OK[RED])
        assert table.now.games == (2, 0), "a skunk counts two"


async def test_a_friendly_game_after_the_event_is_of_another_match(tmp_path: Path) -> None:
    async with at_event(tmp_path, replace(OPEN, meeting_games=1, games=1)) as (table, _):
        await table.post(*A_WIN)
        assert table.now.event is None
        assert (table.now.games, table.now.ends) == ((0, 0), ())


# An official


async def test_the_board_names_the_captain_who_may_call_an_official(tmp_path: Path) -> None:
    async with at_event(tmp_path, FORMATS["fadoq"], entrants=4) as (table, organiser):
        await table.post(OK[BLUE])
        view = held(organiser).organiser
        captains = [
            view.entrants[number - 1].players[view.entrants[number - 1].captain]
            for number in next(each for each in view.tables if each.table == 1).entrants
        ]
        await step_to(table, Line.OFFICIAL)
        await table.post(OK[RED])
        assert isinstance(table.now.mode, Official)
        assert (table.now.mode.captain, table.now.mode.name) == (True, captains[RED])


async def call_at_the_board(table: Evening, side: int) -> None:
    await step_to(table, Line.OFFICIAL)
    await table.post(OK[side])
    assert table.now.official is not None
    assert table.now.official.side == side


async def test_a_call_at_the_board_is_one_at_the_desk_until_an_ok_says_that_the_official_is_here(
    tmp_path: Path,
) -> None:
    async with at_event(tmp_path, FORMATS["fadoq"], entrants=4) as (table, organiser):
        callers = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
        await table.post(OK[BLUE])
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == (callers[BLUE],)
        await table.post(OK[RED])
        assert held(organiser).hall.calls == ()
        await organiser.do(CheckIn(callers[RED], captain=1))
        await call_at_the_board(table, RED)
        assert held(organiser).hall.calls == (callers[RED],), "in the name of its captain"
        await table.post(OK[BLUE])
        assert held(organiser).hall.calls == ()
        assert table.now.official is None


async def test_the_desk_may_answer_a_call_first_and_a_phone_may_have_called(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE])
        first, _ = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
        await organiser.do(CallOfficial(first))
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == (first,)
        await organiser.do(AnswerCall(first))
        assert isinstance(table.now.mode, Official), "he is on his way"
        await table.post(OK[BLUE])
        assert table.now.official is None


async def test_a_call_in_a_friendly_game_is_not_the_events(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(MENU, OK[BLUE], MENU_HELD, OK[BLUE])
        assert table.journal.game(1).played_for is None
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == ()


async def test_a_call_that_the_desk_cannot_take_is_one_at_the_table_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE])

        def full(*_: object) -> None:
            raise NotKept("the disk is full")

        monkeypatch.setattr(table.journal.competitions, "append", full)
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == ()
        await table.post(OK[BLUE])
        monkeypatch.undo()
        await open_results(organiser)
        await call_at_the_board(table, BLUE)
        await table.post(OK[BLUE])
        assert table.now.official is None


async def test_the_next_round_comes_to_the_table_by_itself(tmp_path: Path) -> None:
    one = replace(OPEN, meeting_games=1, games=2)
    async with at_event(tmp_path, one, entrants=4) as (table, organiser):
        await table.post(*A_WIN)
        assert due(table) is None
        await organiser.do(EnterResult(at=GameAt(1, 2), scores=(121, 90)))
        await draw_and_start(organiser)
        assert due(table) == PlayedFor(1, 2, 1, 1)


def test_a_sealed_event_is_one_by_its_format_alone() -> None:
    assert SEALED.sealed is Option.ON
    assert SEALED.game_rules.game.sealed is Option.OFF
