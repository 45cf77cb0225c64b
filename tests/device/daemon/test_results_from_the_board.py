"""The result of a game of an event goes from the board to the desk, with the record."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.board_at_event import FIRST, call_at_the_board, chain_of, place, results
from tests.support.evenings import BLUE, BLUE_WINS, OK, RED, holes, step_to
from tests.support.event_evenings import A_WIN, OPEN, at_event
from tests.support.journals import tamper
from tests.support.organised import draw_and_start, held, open_hall, slip
from tests.support.places import ROOT

from cribboard.competition.actions import (
    CancelRound,
    CheckResult,
    CorrectResult,
    ReportResult,
    UndoCompetitionAct,
)
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import Ending, ResultSource, ResultState
from cribboard.events import BrokenOff
from cribboard.record import Record, write
from cribd.inputs import NewGameAsked
from cribd.storage.journal import JournalAway
from cribd.storage.outbox import HandedIn, Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import DeskSays, TakenGame
from cribd.table.snapshot import DeskMessage, DeskMessageMode, Line, Lobby

# Its result


async def test_the_result_goes_to_the_desk_with_the_record_behind_it(tmp_path: Path) -> None:
    async with at_event(tmp_path, OPEN) as (table, organiser):
        await table.post(*A_WIN)
        (result,) = results(organiser)
        assert (result.scores, result.ending, result.source) == ((121, 0), Ending.FINISHED, ResultSource.BOARD)
        stored = table.journal.game(1)
        text = write(Record(stored.heading, stored.game.log))
        assert result.record == chain_of(table, 1)
        assert result.record in text
        assert table.now.entered is OutcomeStatus.ACCEPTED
        assert table.now.event is not None
        assert table.now.event.place.game == 2, "the next of the visit"


def full(*_: object) -> None:
    raise JournalAway("the disk is full")


async def test_a_result_that_the_desk_cannot_write_waits_and_is_entered_a_second_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        with monkeypatch.context() as away:
            away.setattr(table.journal.competitions, "append", full)
            await table.post(A_WIN[-1])
            await table.clock.advance(3)
        assert (results(organiser), table.now.entered) == ((), OutcomeStatus.KEPT)
        await table.clock.advance(1)
        (result,) = results(organiser)
        assert (result.scores, result.record) == ((121, 0), chain_of(table, 1))
        assert table.shown[-1].entered is OutcomeStatus.ACCEPTED


@pytest.mark.parametrize(("lost", "written"), [("result", "append"), ("answer", "store_answer")])
async def test_a_result_on_its_way_when_the_power_failed_is_entered_once_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str, written: str
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        with monkeypatch.context() as away:
            away.setattr(table.journal.competitions if lost == "result" else table.journal.outbox, written, full)
            await table.post(A_WIN[-1])
        assert len(results(organiser)) == (lost == "answer")
        if lost == "answer":
            await organiser.do(UndoCompetitionAct())  # what the organiser took back does not come again
    async with at_event(tmp_path) as (table, organiser):
        await table.clock.advance(1)
        assert [result.record for result in results(organiser)] == [chain_of(table, 1)] * (lost == "result")
        assert table.journal.outbox.waiting() == ()


@pytest.mark.slow
async def test_a_board_killed_at_any_statement_of_a_result_enters_it_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.killable_result", str(tmp_path)]
    paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'board'}:{ROOT / 'firmware'}"}
    ran = subprocess.run(command, cwd=ROOT, env=os.environ | paths, capture_output=True, text=True, check=True)
    resumed = list[int]()
    for death in range(1, int(ran.stdout) + 1):
        async with at_event(tmp_path / str(death)) as (table, organiser):
            if table.now.lobby is Lobby.RESUME:
                resumed.append(death)
                await table.post(OK[BLUE], *OK)
            await table.clock.advance(1)
            assert [result.record for result in results(organiser)] == [chain_of(table, 1)], death
            assert table.journal.outbox.waiting() == ()
    assert 0 < len(resumed) < int(ran.stdout) - 10, "some before the game's end was written, some after it"


async def test_a_game_whose_outcome_cannot_be_read_any_more_waits_no_longer(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, _):
        await table.post(*A_WIN, *A_WIN)
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER outbox_answer_delete; DELETE FROM outbox_answer; DROP TRIGGER line_update;"
        "UPDATE line SET line = 'go' WHERE game = 1 AND number = 3",
    )
    async with at_event(tmp_path) as (table, organiser):
        await table.clock.advance(1)
        assert table.journal.outbox.waiting() == ()
        assert len(results(organiser)) == 2, "each came once"


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
        stored = table.journal.latest_game()
        assert stored is not None
        assert stored.played_for is None, "nobody was asked whether the next game of the event begins"


async def test_a_report_from_one_phone_is_settled_by_the_board(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        first = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants[0]
        await organiser.do(ReportResult(at=FIRST, entrant=first, scores=(121, 0)))
        await table.post(*A_WIN[2:])
        (result,) = results(organiser)
        assert (result.state, result.source) == (ResultState.ACCEPTED, ResultSource.BOARD)


async def test_the_same_result_from_a_slip_and_the_board_is_no_dispute(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        await organiser.do(slip(1, 121, 0))
        await table.post(*A_WIN[2:])
        (result,) = results(organiser)
        assert (result.state, result.source) == (ResultState.ACCEPTED, ResultSource.SLIP)
        assert table.now.entered is OutcomeStatus.ACCEPTED


async def test_another_result_than_the_desk_has_is_disputed_and_neither_is_lost(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        await organiser.do(slip(1, 98, 121))
        await table.post(*A_WIN[2:])
        (result,) = results(organiser)
        assert (result.state, result.scores) == (ResultState.DISPUTED, (98, 121))
        assert result.board is not None
        assert (result.board.scores, result.board.record) == ((121, 0), chain_of(table, 1))
        assert table.now.entered is OutcomeStatus.DISPUTED
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
        assert table.now.entered is OutcomeStatus.DISPUTED
        await organiser.do(CorrectResult(at=FIRST, scores=(121, 0), reason="asked the players"))
        link = chain_of(table, 1)
    async with at_event(tmp_path) as (_, organiser):
        (result,) = results(organiser)
        assert (result.state, result.source, result.record) == (ResultState.ACCEPTED, ResultSource.BOARD, link)


async def test_a_ruling_against_the_board_has_the_slip_as_its_source(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2])
        await organiser.do(slip(1, 121, 30))
        await table.post(*A_WIN[2:])
        await organiser.do(CorrectResult(at=FIRST, scores=(121, 30), reason="asked the players"))
        (result,) = results(organiser)
        assert (result.state, result.source, result.record) == (ResultState.ACCEPTED, ResultSource.SLIP, "")


async def test_a_game_that_the_desk_takes_for_slips_is_no_result_when_it_is_broken_off(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2], *holes(RED, 12, 12))
        at = place(organiser, 1, 1, 1)
        table.at_event.set_desk_messages(DeskSays(takes=(TakenGame(at, ends=False),)), ())
        await table.clock.advance(2)
        assert table.now.mode == DeskMessageMode(DeskMessage.BY_SLIP)
        await table.post(OK[BLUE])
        await step_to(table, Line.BREAK_OFF)
        await table.post(*OK)
        assert (results(organiser), table.now.entered) == ((), OutcomeStatus.NOT_TAKEN)


async def test_a_game_that_the_desk_ends_is_entered_as_it_stands(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:2], *holes(RED, 12, 12))
        table.at_event.set_desk_messages(DeskSays(takes=(TakenGame(place(organiser, 1, 1, 1), ends=True),)), ())
        await table.clock.advance(0.1)
        (result,) = results(organiser)
        assert (result.scores, result.ending) == ((0, 12), Ending.BROKEN_OFF)


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
        assert table.now.entered is OutcomeStatus.ACCEPTED, "nobody at the board has anything to do"
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
        assert table.now.entered is OutcomeStatus.DISPUTED


async def test_a_game_of_a_round_that_is_gone_ends_all_the_same(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await organiser.do(UndoCompetitionAct())
        await organiser.do(CancelRound("trop tôt"))
        before = held(organiser)
        await table.post(A_WIN[-1])
        assert table.now.entered is OutcomeStatus.NOT_TAKEN
        assert table.journal.game(1).game.position.winner == BLUE
        assert held(organiser) == before


async def test_a_game_counts_for_the_event_it_began_in_although_another_is_current(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await open_hall(organiser, 2, OPEN)
        await draw_and_start(organiser)
        evening = held(organiser)
        assert table.now.event is not None
        assert table.now.event.place == place(organiser, 1, 1, 1)
        await table.post(A_WIN[-1])
        assert table.now.entered is OutcomeStatus.ACCEPTED
        assert held(organiser) == evening
        await table.post(*A_WIN)
        assert [result.record for result in results(organiser)] == [chain_of(table, 2)]
        await organiser.switch(1)
        assert [result.record for result in results(organiser)] == [chain_of(table, 1)]
        assert results(organiser)[0].source is ResultSource.BOARD


async def test_a_game_of_the_other_event_ends_there_after_a_power_failure_too(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await organiser.begin(CompetitionHeading(format=OPEN))
    async with at_event(tmp_path) as (table, organiser):
        assert held(organiser).number == 2
        await table.post(OK[BLUE], *OK)
        assert table.now.entered is OutcomeStatus.ACCEPTED
        assert len((await organiser.switch(1)).organiser.rounds[0].tables[0].results) == 1


async def test_a_result_that_the_other_event_has_otherwise_is_disputed_there(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN[:-1])
        await organiser.do(slip(1, 98, 121))
        await organiser.begin(CompetitionHeading(format=OPEN))
        await table.post(A_WIN[-1])
        assert table.now.entered is OutcomeStatus.DISPUTED
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
            place = PlayedFor(before.uuid, of_round, at_table, 1)
            return Outcome(place=place, scores=scores, broken_off=broken_off, record=f"{at_table} {scores}")

        outcomes = [
            sent(1, 121, 98), sent(1, 121, 98), sent(2, 60, 121), sent(2, 121, 60), sent(3, 7, 12, broken_off=True),
            sent(9, 121, 0), sent(1, 121, 0, of_round=2), sent(3, 121, 121),
        ]  # fmt: skip
        handed_in = [HandedIn(outcome) for outcome in outcomes]
        answers = (
            OutcomeStatus.ACCEPTED, OutcomeStatus.ACCEPTED, OutcomeStatus.DISPUTED, OutcomeStatus.DISPUTED,
            OutcomeStatus.ACCEPTED, OutcomeStatus.NOT_TAKEN, OutcomeStatus.NOT_TAKEN, OutcomeStatus.DISPUTED,
        )  # fmt: skip
        assert await organiser.accept(before.uuid, handed_in) == answers
        assert await organiser.accept(before.uuid, handed_in[::-1]) == answers[::-1], "the same answers again"
        assert len(held(organiser).log) - len(before.log) == 4, "a result for each table, and one dispute"
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
