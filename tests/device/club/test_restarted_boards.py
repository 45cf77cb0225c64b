"""A board that is restarted while its hub is away plays on by what the hub has said last."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.club_evenings import HUB, AtTables, ClubTable, Topics, board_copy, club_table, hall, results, until
from tests.support.evenings import OK, RED, holes
from tests.support.event_evenings import OPEN, SEALED
from tests.support.organised import slip

from cribboard.competition import Format
from cribd.clock import SystemClock
from cribd.club.last_order import LONGEST, read_order, store_order, stored_part
from cribd.club.membership import ORDER, keep_membership
from cribd.club.messages import AwaitedRound, DueGame, Order
from cribd.storage.journal import Journal
from cribd.storage.outbox import OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import TakenGame
from cribd.table.snapshot import DeskMessage, DeskMessageMode, Lobby

pytestmark = pytest.mark.slow

CLOCK = SystemClock()


def due_game(table: ClubTable) -> int | None:
    """The number of the game that is due."""
    return None if table.now.event is None else table.now.event.place.game


@pytest.mark.parametrize("form", [OPEN, SEALED], ids=["open", "sealed"])
async def test_a_meeting_goes_on_at_a_board_that_is_restarted_between_games_and_in_one(
    tmp_path: Path, form: Format
) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats, form=form):
            await until(lambda: due_game(table) == 1, "a game that is due")
    for number in (1, 2):
        async with club_table(tmp_path / "one", HUB, board_copy(Topics())) as table:
            assert due_game(table) == number
            await table.post(OK[0], OK[0])
        async with club_table(tmp_path / "one", HUB, board_copy(Topics())) as table:
            assert table.now.mode == Lobby.RESUME
            await table.post(OK[0])
            await table.play_on()
            assert table.now.entered is OutcomeStatus.KEPT
    async with AsyncExitStack() as on:
        table = await on.enter_async_context(club_table(tmp_path / "one", HUB, board_copy(topics)))
        assert due_game(table) == 3
        hub = await on.enter_async_context(hall(tmp_path, topics, seats, form=form))
        await table.play()
        await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
        assert results(hub) == {(1, 1, number): (121, 0) for number in (1, 2, 3)}


async def test_a_game_that_the_hub_has_answered_is_not_due_again(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats):
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
            await until(lambda: due_game(table) == 2, "the next game")
    async with club_table(tmp_path / "one", HUB, board_copy(Topics())) as table:
        assert due_game(table) == 2


async def test_the_hub_decides_when_it_is_back(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats, 4):
            await until(lambda: due_game(table) == 1, "a game that is due")
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        assert table.now.event is not None
        assert table.now.event.place.table == 1
        seats.tables[table.key.id] = 2
        async with hall(tmp_path, topics, seats, 4) as hub:
            await until(lambda: table.now.event is not None and table.now.event.place.table == 2, "its new table")
            await hub.organiser.do(*(slip(2, 121, 90, game=game) for game in (1, 2, 3)))
            await until(lambda: table.now.event is None, "nothing that is due")
    async with club_table(tmp_path / "one", HUB, board_copy(Topics())) as table:
        assert (table.now.event, table.now.waits) == (None, None)


async def test_a_pause_and_a_game_that_the_desk_takes_stay_and_a_word_is_of_the_moment(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats):
            await until(lambda: due_game(table) == 1, "a game that is due")
            assert table.now.event is not None
            place = table.now.event.place
            await table.post(OK[0], OK[0], *holes(RED, 2), OK[RED])
            says = Order(
                word="Souper", word_number=1, rehearsal=3, is_paused=True, takes=(TakenGame(place, ends=False),)
            )
            seats.orders[table.key.id] = says
            seats.changed()
            await until(lambda: isinstance(table.now.mode, DeskMessageMode), "what the desk says")
    async with club_table(tmp_path / "one", HUB, board_copy(Topics())) as table:
        assert table.now.mode == DeskMessageMode(DeskMessage.BY_SLIP, covers=Lobby.RESUME)
        await CLOCK.sleep(1.1)
        await table.post(OK[RED])
        assert table.now.mode == DeskMessageMode(DeskMessage.PAUSED, covers=Lobby.RESUME)


EVENT = UUID(int=1)
ORDERS = [
    Order(),
    Order(release="1", table=4, waits=AwaitedRound(2), is_paused=True),
    Order(table=4, due=DueGame(place=PlayedFor(EVENT, 1, 4, 2), names=("Ann", "Bob"), entrants=(1, 2), rules="x/1")),
    Order(takes=(TakenGame(PlayedFor(EVENT, 1, 4, 2), ends=True),)),
]


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_is_read_as_it_was_stored_for_its_own_club_on_its_own_day(tmp_path: Path, order: Order) -> None:
    journal, now = Journal(tmp_path / "journal.db", CLOCK), datetime(2026, 3, 1, 19, tzinfo=UTC)
    assert read_order(journal, HUB, now) is None
    assert store_order(journal, HUB, order, now)
    assert read_order(journal, HUB, now + LONGEST) == order
    assert read_order(journal, HUB, now - timedelta(days=400)) == order  # the clock has no battery
    assert read_order(journal, HUB, now + LONGEST + timedelta(seconds=1)) is None
    assert read_order(journal, "another club", now) is None
    keep_membership(journal, None)
    assert read_order(journal, HUB, now) is None
    journal.close()


def test_the_stored_order_has_no_word_and_no_rehearsal() -> None:
    order = ORDERS[1]
    assert stored_part(replace(order, word="Souper", word_number=7, rehearsal=3)) == order


@pytest.mark.parametrize(
    "text", ["", "[", "{}", "[1, 2, 3]", '["a club", "yesterday", "{}"]', '["a club", "2026-03-01", "{}"]']
)
def test_an_invalid_stored_order_is_read_as_none(tmp_path: Path, text: str) -> None:
    journal = Journal(tmp_path / "journal.db", CLOCK)
    journal.write_settings({ORDER: text})
    assert read_order(journal, HUB, CLOCK.wall()) is None
    journal.close()
