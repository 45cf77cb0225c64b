"""What goes wrong at a desk in an evening is noticed and said, and no result is lost or counts twice: two boards at one
table, an undo or a new draw while a result is on its way, rules of another version on one board."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import (
    A_WIN,
    HUB,
    AtTables,
    ClubTable,
    Hub,
    Topics,
    board_copy,
    club_table,
    hall,
    results,
    until,
)
from tests.support.evenings import BLUE_DEALS, OK, RED, holes
from tests.support.organised import slip

from cribboard.competition.actions import CancelRound, StartRound, UndoCompetitionAct
from cribboard.competition.position import Result
from cribboard.competition.terms import ResultState
from cribd.club.board_status import RecordShown
from cribd.club.messages import ReportedFault, ReportedStatus, read_down, write
from cribd.club.transport import topic
from cribd.inputs import Fault, FaultCleared, FaultKind
from cribd.storage.outbox import OutcomeStatus, PlayedFor

pytestmark = pytest.mark.slow

#: From the deal on, red wins.
RED_WINS = (*holes(RED, 121, 121, 121), *OK)


def result_of(hub: Hub) -> Result:
    return hub.state.organiser.rounds[0].tables[0].results[0]


@pytest.mark.parametrize("is_equal", [True, False])
async def test_two_boards_at_one_table_are_said_and_their_results_join_or_are_disputed(
    tmp_path: Path, is_equal: bool
) -> None:
    topics, seats = Topics(), AtTables()
    folders = tmp_path / "one", tmp_path / "two"
    seats.tables = {make_key(folder).id: 1 for folder in folders}
    async with (
        hall(tmp_path, topics, seats) as hub,
        club_table(folders[0], HUB, board_copy(topics)) as one,
        club_table(folders[1], HUB, board_copy(topics)) as two,
    ):
        await until(lambda: one.now.event is not None and two.now.event is not None, "games")
        assert seats.shown.disputed == (1,)
        await two.post(*BLUE_DEALS)
        await one.post(*A_WIN)
        await until(lambda: one.now.entered is OutcomeStatus.ACCEPTED, "the first answer")
        await two.post(*(A_WIN[2:] if is_equal else RED_WINS))
        await until(lambda: two.now.entered is not OutcomeStatus.KEPT, "the second answer")
        assert two.now.entered is (OutcomeStatus.ACCEPTED if is_equal else OutcomeStatus.DISPUTED)
        assert len(results(hub)) == 1
        assert result_of(hub).state is (ResultState.ACCEPTED if is_equal else ResultState.DISPUTED)
        received = hub.organiser.journal.competitions.received
        assert len(received.signed()) == 2
        await until(lambda: len(received.records()) == 2, "both records")


async def test_two_machines_with_one_key_are_said_until_one_is_off_and_a_board_that_starts_again_is_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribd.club.hub.COPY_S", 2.0)
    topics, seats, reader = Topics(), AtTables(), (FaultKind.READER_SILENT, "reader")
    one, copy = tmp_path / "one", tmp_path / "copy"
    seats.tables[make_key(one).id] = 1
    async with hall(tmp_path, topics, seats) as hub:

        def has_copy() -> bool:
            return seats.shown.boards[0].has_copy

        def has_game(table: ClubTable) -> Callable[[], bool]:
            return lambda: table.now.event is not None

        async def both_are_there(*machines: ClubTable) -> None:
            news: tuple[Fault | FaultCleared, ...] = (Fault(*reader), FaultCleared(*reader))
            for each in cycle(news):
                for machine in machines:
                    await machine.post(each)
                    await asyncio.sleep(0.05)
                if has_copy():
                    return

        for _ in range(3):
            async with club_table(one, HUB, board_copy(topics)) as table:
                await until(has_game(table), "a game")
        await until(lambda: not seats.shown.boards[0].is_online, "its end")
        assert (has_copy(), hub.said) == (False, [])
        shutil.copytree(one, copy)
        async with club_table(one, HUB, board_copy(topics)) as table:
            await until(has_game(table), "a game")
            async with club_table(copy, HUB, board_copy(topics)) as copied:
                await until(has_game(copied), "the same game")
                async with asyncio.timeout(20):
                    await both_are_there(table, copied)
            await until(lambda: not has_copy(), "its end")
        assert len(hub.said) == 1


async def test_a_copy_that_joins_with_a_key_of_its_own_hands_in_nothing_twice_and_plays_on(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    one, copy = tmp_path / "one", tmp_path / "copy"
    seats.tables[make_key(one).id] = 1
    async with hall(tmp_path, topics, seats) as hub:
        async with club_table(one, HUB, board_copy(topics)) as table:
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
        shutil.copytree(one, copy)
        (copy / "club-key.pem").unlink()
        key = make_key(copy)
        seats.tables = {make_key(one).id: None, key.id: 1}
        seats.changed()
        async with club_table(copy, HUB, board_copy(topics)) as copied:
            received = hub.organiser.journal.competitions.received
            await until(lambda: {one.board for one in received.signed()} == {*seats.tables}, "what it hands in again")
            assert (results(hub), result_of(hub).state) == ({(1, 1, 1): (121, 0)}, ResultState.ACCEPTED)
            await until(lambda: copied.now.event is not None and copied.now.event.place.game == 2, "the next game")
            await copied.play()
            await until(lambda: len(results(hub)) == 2, "its result")
        assert seats.shown.late == ()


async def played_without_a_hub(folder: Path) -> None:
    """The board that has begun the game ends it while it reaches no hub."""
    async with club_table(folder, HUB, board_copy(Topics())) as table:
        await table.post(OK[0], *RED_WINS)
        assert table.now.entered is OutcomeStatus.KEPT


async def begun(folder: Path, topics: Topics) -> None:
    async with club_table(folder, HUB, board_copy(topics)) as table:
        await until(lambda: table.now.event is not None, "a game")
        await table.post(*BLUE_DEALS)


async def test_a_result_that_comes_after_a_new_draw_is_not_entered_for_others_and_is_said(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables(tables={make_key(tmp_path / "one").id: 1})
    async with hall(tmp_path, topics, seats, 4) as hub:
        before = hub.state.organiser.rounds[0].tables[0].entrants
        await begun(tmp_path / "one", topics)
        await hub.organiser.do(UndoCompetitionAct())
        await hub.organiser.do(CancelRound("trop tôt"))
        await hub.organiser.draw()
        while hub.state.organiser.rounds[0].tables[0].entrants == before:
            await hub.organiser.do(CancelRound("encore"))
            await hub.organiser.draw()
        await hub.organiser.do(StartRound())
    await played_without_a_hub(tmp_path / "one")
    async with hall(tmp_path, topics, seats) as hub, club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        await until(lambda: table.journal.outbox.waiting(HUB) == (), "the answer")
        assert results(hub) == {}
        [signed] = hub.organiser.journal.competitions.received.signed()
        assert (signed.outcome.scores, signed.outcome.entrants) == ((0, 121), before)
        assert any("no such pair plays at round 1, table 1, game 1" in line for line in hub.said)
        not_taken = RecordShown(signed.outcome.place, "not_taken")
        await until(lambda: not_taken in seats.shown.records, "the word at the desk")
        now = hub.state.organiser.rounds[0].tables[0].entrants
        await until(lambda: table.now.event is not None and table.now.event.entrants == now, "the game of the new pair")
        await table.play()
        await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer to the game of the new pair")
        assert results(hub) == {(1, 1, 1): (121, 0)}


async def test_a_result_that_comes_while_its_round_is_taken_back_is_entered_once_it_starts_again(
    tmp_path: Path,
) -> None:
    topics, seats = Topics(), AtTables(tables={make_key(tmp_path / "one").id: 1})
    async with hall(tmp_path, topics, seats) as hub:
        await begun(tmp_path / "one", topics)
        await hub.organiser.do(UndoCompetitionAct())
    await played_without_a_hub(tmp_path / "one")
    async with hall(tmp_path, topics, seats) as hub, club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        await until(lambda: table.journal.outbox.waiting(HUB) == (), "the answer")
        assert results(hub) == {}
        await hub.organiser.do(StartRound())
        await until(lambda: results(hub) == {(1, 1, 1): (0, 121)}, "the result")
        await until(lambda: all(record.found == "" for record in seats.shown.records), "its end at the desk")


async def test_a_result_that_the_desk_takes_back_does_not_come_again_and_its_game_is_due_again(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables(tables={make_key(tmp_path / "one").id: 1})
    async with hall(tmp_path, topics, seats) as hub, club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        await table.play()
        await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
        await hub.organiser.do(UndoCompetitionAct())
    async with hall(tmp_path, topics, seats) as hub, club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        again = PlayedFor(hub.state.uuid, 1, 1, 1)
        await until(lambda: table.now.event is not None and table.now.event.place == again, "the game again")
        assert results(hub) == {}
        await table.post(*BLUE_DEALS, *RED_WINS)
        await until(lambda: results(hub) == {(1, 1, 1): (0, 121)}, "the result of the game that was played again")


async def test_a_board_that_does_not_know_the_rules_of_its_game_says_so_and_the_desk_too(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables(tables={make_key(tmp_path / "one").id: 1})
    async with hall(tmp_path, topics, seats) as hub, club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        await until(lambda: table.now.event is not None, "a game")
        show_status(table)
        about = topic(table.key.id, "down")
        down = read_down(topics.retained[about])
        assert down.order.due is not None
        newer = replace(down.order, due=replace(down.order.due, rules="six-card/99"))
        topics.publish(about, write(replace(down, order=newer)))
        cannot = Fault(FaultKind.CANNOT_PLAY, "club")
        await until(lambda: table.now.faults == (cannot,), "the fault on the screen")
        assert (table.now.event, "six-card/99" in table.now.faults[0].cause) == (None, True)
        await until(lambda: seats.shown.boards[0].faults == (cannot,), "the fault at the desk")
        await hub.organiser.do(slip(1, 121, 98))
        await until(lambda: table.now.event is not None and table.now.faults == (), "the next game")


def show_status(table: ClubTable) -> None:
    """The hub is told of each change of this board from now on."""
    link = table.at_event._club
    assert link is not None

    def tell(_: object) -> None:
        faults = tuple(ReportedFault(str(fault.kind), str(fault.where)) for fault in table.now.faults)
        link.show(ReportedStatus(release="1", faults=faults), lambda: None)

    table.watchers.append(tell)
