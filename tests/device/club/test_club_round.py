"""A hub and boards play a round: results reach the hub, once each, whatever breaks meanwhile."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import (
    A_WIN,
    HUB,
    AtTables,
    ClubTable,
    Mosquitto,
    Topics,
    board_copy,
    board_of,
    club_hub,
    club_table,
    hub_copy,
    hub_of,
    results,
    until,
)
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, open_hall

from cribd.storage.outbox import OutcomeStatus

pytestmark = pytest.mark.slow


def on_boards(*tables: ClubTable) -> dict[tuple[int, int, int], tuple[int, ...]]:
    """The results on the boards, from the records of their journals."""
    found = {}
    for table in tables:
        for game, _ in table.journal.outbox.of_club(HUB):
            outcome = table.journal.outcome(game)
            found[outcome.place.round, outcome.place.table, outcome.place.game] = outcome.scores
    return found


async def test_a_game_that_is_due_at_the_hub_is_played_and_its_result_is_there(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
        await open_hall(hub.organiser, 2, OPEN)
        await draw_and_start(hub.organiser)
        async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
            seats.tables[table.key.id] = 1
            seats.changed()
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the hub's answer")
            assert results(hub) == on_boards(table) == {(1, 1, 1): (121, 0)}
            assert table.journal.outbox.waiting(HUB) == ()
            received = hub.organiser.journal.competitions.received
            await until(lambda: received.records() != (), "the record")
            assert [link for _, _, link, _ in received.records()] == [table.journal.outcome(1).record]
            assert hub.said == []


async def test_standings_equal_the_records_of_the_boards_though_broker_hub_and_a_board_fail(tmp_path: Path) -> None:
    broker, seats = Mosquitto(tmp_path), AtTables()
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for number, folder in enumerate(folders, start=1):
        seats.tables[make_key(folder).id] = number
    broker.start()
    try:
        async with AsyncExitStack() as boards:
            async with club_hub(tmp_path / "hub", hub_of(broker), seats) as hub:
                await open_hall(hub.organiser, 6, OPEN)
                await draw_and_start(hub.organiser)
                one, two = [
                    await boards.enter_async_context(club_table(folder, HUB, board_of(broker)))
                    for folder in folders[:2]
                ]
                async with club_table(folders[2], HUB, board_of(broker)) as three:
                    await one.play()
                    await until(lambda: len(results(hub)) == 1, "the first result")
                    await until(lambda: two.now.event is not None and three.now.event is not None, "games")
                    broker.kill()
                    await two.post(*A_WIN)
                    await three.post(*A_WIN)
                    assert two.now.entered is three.now.entered is OutcomeStatus.KEPT
                # the third board is away now, with its result
                broker.start()
                await until(lambda: len(results(hub)) == 2, "the second result")
                await until(lambda: two.now.entered is OutcomeStatus.ACCEPTED, "its answer")
                await one.play()
                await until(lambda: len(results(hub)) == 3, "the third result")
            # the hub is away now
            await until(lambda: two.now.event is not None, "the next game")
            await two.post(*A_WIN)
            async with club_hub(tmp_path / "hub", hub_of(broker), seats) as hub:
                await until(lambda: len(results(hub)) == 4, "the result that waited for the hub")
                await one.play()
                three = await boards.enter_async_context(club_table(folders[2], HUB, board_of(broker)))
                await until(lambda: len(results(hub)) == 6, "the results of the board that was away")
                assert results(hub) == on_boards(one, two, three)
                received = hub.organiser.journal.competitions.received
                await until(lambda: len(received.records()) == 6, "all records")
                assert hub.said == []
    finally:
        broker.kill()
