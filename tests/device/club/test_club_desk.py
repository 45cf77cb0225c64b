"""What the desk does with the boards of a club, as boards and hub are told of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from tests.support.joining_hub import CLOCK, Hub, hub
from tests.support.waiting import until

from cribboard.competition.rounds import MOST_TABLES
from cribboard.rules import RULES
from cribd.clock import SystemClock
from cribd.club.board_requests import do
from cribd.club.board_status import BoardControl, BoardStatus, ClubSnapshot, LateResult, TakenGameFinish
from cribd.club.club_desk import ClubDesk
from cribd.club.joined_boards import JoinedBoard, JoinedBoards
from cribd.club.joining_client import join
from cribd.club.keys import ClubKey, load_or_make
from cribd.club.membership import Membership
from cribd.club.messages import Order
from cribd.competition.organiser import Organiser
from cribd.competition.refusals import RefusedRequest
from cribd.storage.journal import Journal, JournalAway
from cribd.storage.outbox import HandedIn, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import EventGame, TakenGame

ONE, TWO = "aa" * 32, "bb" * 32


@asynccontextmanager
async def club(folder: Path) -> AsyncIterator[tuple[Hub, ClubDesk]]:
    """The desk of a club with two boards."""
    async with hub(folder) as at:
        desk = ClubDesk(at.boards, at.admission, CLOCK, release="0.1.0")
        await at.boards.add(JoinedBoard(ONE, "Érable", 1))
        await at.boards.add(JoinedBoard(TWO, "Bouleau"))
        yield at, desk


def tables(desk: BoardControl) -> dict[str, int | None]:
    return {board.name: board.table for board in desk.snapshot.boards}


async def test_what_the_desk_says_is_in_the_order_of_the_board_and_the_hub_is_told(tmp_path: Path) -> None:
    async with club(tmp_path) as (_, desk):
        changes: list[int] = []
        desk.seats.watch(lambda: changes.append(1))
        await do(desk, "say", {"board": ONE, "text": "Souper à 18 h"})
        await do(desk, "pause", {"table": 1, "paused": True})
        await do(desk, "rehearse", {"running": True})
        order = desk.seats.order(ONE)
        assert (order.release, order.table, order.word, order.is_paused) == ("0.1.0", 1, "Souper à 18 h", True)
        assert order.rehearsal == desk.seats.order(TWO).rehearsal > 0
        assert not desk.seats.order(TWO).is_paused
        assert desk.snapshot.rehearsal is not None
        first = order.rehearsal
        await do(desk, "rehearse", {"running": True})
        assert desk.seats.order(ONE).rehearsal != first
        await do(desk, "rehearse", {"running": False})
        assert desk.seats.order(ONE).rehearsal == 0
        assert len(changes) == 5


async def test_boards_are_seated_swapped_and_moved_to_slips(tmp_path: Path) -> None:
    async with club(tmp_path) as (_, desk):
        await do(desk, "seat", {"board": TWO, "table": 2})
        assert tables(desk) == {"Érable": 1, "Bouleau": 2}
        await do(desk, "seat", {"board": TWO, "table": None})
        await do(desk, "swap", {"old": ONE, "new": TWO, "game": "ends"})
        assert tables(desk) == {"Érable": None, "Bouleau": 1}
        await do(desk, "slips", {"table": 1})
        assert (tables(desk), desk.snapshot.by_slips) == ({"Érable": None, "Bouleau": None}, (1,))
        await do(desk, "seat", {"board": ONE, "table": 1})
        assert (desk.seats.order(ONE).table, [*desk.snapshot.by_slips]) == (1, [])


class OwnTable:
    """The board of the hub's machine, whose table is in the organiser's settings."""

    id, name = "cc" * 32, "Tilleul"

    def __init__(self, organiser: Organiser) -> None:
        self._organiser = organiser
        self.heard: list[Order] = []
        self.plays: PlayedFor | None = None

    @property
    def table(self) -> int | None:
        return self._organiser.board_table

    def watch(self, changed: Callable[[], None]) -> None:
        self._organiser.watch(lambda _: changed())

    def status(self, order: Order) -> BoardStatus:
        return BoardStatus(id=self.id, name=self.name, table=order.table or None, plays=self.plays, is_hub=True)

    async def seat(self, table: int | None, also: Mapping[str, str]) -> None:
        await self._organiser.stand_at({"table": table}, also)

    def hear(self, order: Order, kept: Collection[PlayedFor]) -> None:
        self.heard.append(order)

    def watch_unentered(self, note: Callable[[HandedIn, OutcomeStatus], None]) -> None:
        pass

    async def run(self) -> None:
        pass


@asynccontextmanager
async def club_of_a_board(folder: Path) -> AsyncIterator[tuple[ClubDesk, OwnTable, Journal]]:
    """The desk of a club with two boards, whose hub is a board too."""
    async with hub(folder) as at:
        journal = Journal(folder / "own.sqlite", CLOCK)
        boards, organiser = JoinedBoards(journal, CLOCK), Organiser(journal, CLOCK)
        await organiser.load()
        if not boards.boards:
            await boards.add(JoinedBoard(ONE, "Érable", 1))
            await boards.add(JoinedBoard(TWO, "Bouleau"))
        own = OwnTable(organiser)
        try:
            yield ClubDesk(boards, at.admission, CLOCK, own=own), own, journal
        finally:
            journal.close()


async def test_the_own_board_of_the_hub_is_seated_swapped_and_moved_to_slips_each_in_one_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club_of_a_board(tmp_path) as (desk, own, journal):
        written: list[set[str]] = []
        write = journal.write_settings

        def note(settings: Mapping[str, str]) -> None:
            written.append({*settings})
            write(settings)

        monkeypatch.setattr(journal, "write_settings", note)
        for name, request, seen in [
            ("slips", {"table": 2}, {"Tilleul": None, "Érable": 1, "Bouleau": None}),
            ("seat", {"board": own.id, "table": 2}, {"Tilleul": 2, "Érable": 1, "Bouleau": None}),
            ("swap", {"old": own.id, "new": TWO, "game": "slip"}, {"Tilleul": None, "Érable": 1, "Bouleau": 2}),
            ("swap", {"old": ONE, "new": own.id, "game": "ends"}, {"Tilleul": 1, "Érable": None, "Bouleau": 2}),
            ("slips", {"table": 1}, {"Tilleul": None, "Érable": None, "Bouleau": 2}),
        ]:
            await do(desk, name, request)
            assert tables(desk) == seen
        both = {"club boards", "event_table"}
        assert written == [{"club boards"}, both, both, both, both]
    async with club_of_a_board(tmp_path) as (again, _, _):
        assert (tables(again), again.snapshot.by_slips) == (seen, (1,))


def disk_full(_: Mapping[str, str]) -> None:
    raise JournalAway("the disk is full")


async def test_what_cannot_be_written_seats_neither_the_own_board_nor_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club_of_a_board(tmp_path) as (desk, own, journal):
        monkeypatch.setattr(journal, "write_settings", disk_full)
        with pytest.raises(RefusedRequest, match="cannot be written"):
            await do(desk, "swap", {"old": ONE, "new": own.id, "game": "slip"})
        assert tables(desk) == {"Tilleul": None, "Érable": 1, "Bouleau": None}


async def test_a_game_under_way_at_the_own_board_is_taken_and_one_that_is_not_begun_is_left_to_the_new_one(
    tmp_path: Path,
) -> None:
    async with club_of_a_board(tmp_path) as (_, own, journal):
        game = EventGame(place=PlayedFor(uuid4(), 1, 3, 1), names=("Ann", "Bob"), rules=RULES["six-card"])
        async with hub(tmp_path / "other") as at:
            desk = ClubDesk(JoinedBoards(journal, CLOCK), at.admission, CLOCK, due_at=lambda _: game, own=own)
            await do(desk, "seat", {"board": own.id, "table": 3})
            await do(desk, "swap", {"old": own.id, "new": TWO, "game": "slip"})
            assert [*own.heard[-1].takes] == []
            await do(desk, "swap", {"old": TWO, "new": own.id, "game": "slip"})
            own.plays = game.place
            await do(desk, "swap", {"old": own.id, "new": TWO, "game": "slip"})
            assert own.heard[-1].takes == (TakenGame(game.place, ends=False),)
            assert {(taken.name, taken.fate) for taken in desk.snapshot.taken} >= {("Tilleul", TakenGameFinish.SLIP)}


async def test_the_own_board_of_the_hub_may_hand_in_what_it_played_at_any_table(tmp_path: Path) -> None:
    async with club_of_a_board(tmp_path) as (desk, own, _):
        assert {1, MOST_TABLES} <= {*desk.seats.stood_at(own.id)}
        assert 0 not in desk.seats.stood_at(own.id)


async def test_a_pause_and_the_tables_are_as_before_after_a_restart(tmp_path: Path) -> None:
    async with club(tmp_path) as (_, desk):
        await do(desk, "pause", {"table": 1, "paused": True})
        await do(desk, "slips", {"table": 3})
    async with hub(tmp_path) as at:
        again = ClubDesk(at.boards, at.admission, CLOCK)
        assert tables(again) == {"Érable": 1, "Bouleau": None}
        assert again.snapshot.boards[0].is_paused
        assert again.snapshot.by_slips == (3,)


async def test_a_board_may_hand_in_what_it_played_at_its_last_tables_also_after_a_restart(tmp_path: Path) -> None:
    async with club(tmp_path) as (_, desk):
        assert desk.seats.stood_at(ONE) == {1}
        await do(desk, "swap", {"old": ONE, "new": TWO, "game": "slip"})
        for table in (1, 2, 1):
            await do(desk, "seat", {"board": ONE, "table": table})
        await do(desk, "slips", {"table": 1})
    async with hub(tmp_path) as at:
        seats = ClubDesk(at.boards, at.admission, CLOCK).seats
        assert {*seats.stood_at(ONE)} >= {1, 2}
        assert {*seats.stood_at(TWO)} >= {1}
        assert 3 not in {*seats.stood_at(ONE)}
        for table in range(10, 20):
            await at.boards.seat({ONE: table})
        assert {*seats.stood_at(ONE)} == {*range(11, 20)}


async def test_a_removed_board_that_joins_again_may_hand_in_what_it_played_before(tmp_path: Path) -> None:
    async with club(tmp_path) as (at, desk):
        await do(desk, "seat", {"board": ONE, "table": 4})
        await at.boards.remove(ONE)
        assert desk.seats.stood_at(ONE) == ()
    async with hub(tmp_path) as at:
        seats = ClubDesk(at.boards, at.admission, CLOCK).seats
        await at.boards.add(JoinedBoard(ONE, "Érable"))
        assert {*seats.stood_at(ONE)} >= {1, 4}
        assert at.boards.board(ONE) == JoinedBoard(ONE, "Érable", None, stood_at=(1, 4))


async def test_what_the_hub_knows_of_a_board_is_shown_with_what_the_desk_has_said_last(tmp_path: Path) -> None:
    async with club(tmp_path) as (_, desk):
        seen: list[ClubSnapshot] = []
        desk.watch(lambda: seen.append(desk.snapshot))
        desk.seats.show(ClubSnapshot(boards=(BoardStatus(id=ONE, name="x", table=9, is_online=True, backlog=2),)))
        first = seen[-1].boards[0]
        assert (first.name, first.table, first.is_online, first.backlog) == ("Érable", 1, True, 2)


async def test_a_late_result_that_was_dismissed_is_shown_no_more_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = PlayedFor(UUID(int=7), 1, 1, 1)
    first, second = (LateResult(ONE, link, place, (77, 121), None) for link in ("one", "two"))
    heard = ClubSnapshot(late=(first, second))
    async with club_of_a_board(tmp_path) as (desk, _, journal):
        desk.seats.show(heard)
        assert [*desk.snapshot.late] == [first, second]
        with monkeypatch.context() as broken:
            broken.setattr(journal, "write_settings", disk_full)
            with pytest.raises(RefusedRequest, match="cannot be written"):
                await do(desk, "dismiss", {"late": first.id})
        assert [*desk.snapshot.late] == [first, second]
        await do(desk, "dismiss", {"late": first.id})
        assert [*desk.snapshot.late] == [second]
    async with club_of_a_board(tmp_path) as (desk, _, _):
        desk.seats.show(heard)
        assert [*desk.snapshot.late] == [second]
        await do(desk, "dismiss", {"late": second.id})
        assert [*desk.snapshot.late] == []


async def test_a_board_that_is_removed_has_no_order_and_no_name(tmp_path: Path) -> None:
    async with club(tmp_path) as (at, desk):
        await do(desk, "remove", {"board": ONE})
        assert desk.seats.names() == {TWO: "Bouleau"}
        assert [*at.boards.removed] == [ONE]
        with pytest.raises(RefusedRequest, match="no board"):
            await do(desk, "remove", {"board": ONE})


def joining(at: Hub, folder: Path) -> tuple[ClubKey, asyncio.Event, asyncio.Task[Membership]]:
    folder.mkdir()
    key, ok = load_or_make(folder / "journal.db"), asyncio.Event()
    task = join(replace(at.place, table=7), key, CLOCK, name="Noyer", show=lambda *_: None, confirmed=ok)
    return key, ok, asyncio.create_task(task)


async def test_the_desk_sees_the_words_of_a_board_and_lets_it_join_at_the_table_of_its_card(tmp_path: Path) -> None:
    async with club(tmp_path / "hub") as (at, desk):
        key, ok, task = joining(at, tmp_path / "board")
        await until(lambda: desk.snapshot.joining != ())
        (joins,) = desk.snapshot.joining
        assert (joins.id, joins.words, joins.name, joins.table, joins.is_confirmed) == (
            key.id, at.words, "Noyer", 7, False
        )  # fmt: skip
        ok.set()
        await until(lambda: all(joins.is_confirmed for joins in desk.snapshot.joining))
        await do(desk, "join", {"board": key.id, "accept": True})
        await task
        assert desk.snapshot.joining == ()
        assert tables(desk)["Noyer"] == 7


async def test_a_board_that_has_left_cannot_be_accepted_and_is_refused_away(tmp_path: Path) -> None:
    async with club(tmp_path / "hub") as (at, desk):
        key, _, task = joining(at, tmp_path / "board")
        await until(lambda: desk.snapshot.joining != ())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        with pytest.raises(RefusedRequest, match="has left"):
            await do(desk, "join", {"board": key.id, "accept": True})
        await do(desk, "join", {"board": key.id, "accept": False})
        assert desk.snapshot.joining == ()


async def test_words_that_nobody_has_compared_in_time_leave_the_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Soon(SystemClock):
        """A clock whose minutes are short, once something waits on it."""

        ahead = 0.0

        def now(self) -> float:
            return super().now() + self.ahead

        def call_later(self, seconds: float, work: Callable[[], bool]) -> None:
            self.ahead += seconds
            super().call_later(0.05, work)

    clock = Soon()
    monkeypatch.setattr("tests.support.joining_hub.CLOCK", clock)
    async with hub(tmp_path / "hub") as at:
        desk, seen = ClubDesk(at.boards, at.admission, clock), list[ClubSnapshot]()
        desk.watch(lambda: seen.append(desk.snapshot))
        _, _, task = joining(at, tmp_path / "board")
        await until(lambda: len(seen) >= 2 and seen[-1].joining == ())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_club_that_is_full_says_so_at_the_desk_and_the_board_asks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path / "hub") as (at, desk):
        monkeypatch.setattr("cribd.club.joined_boards.MOST_BOARDS", len(at.boards.boards))
        key, ok, task = joining(at, tmp_path / "board")
        ok.set()
        await until(lambda: any(joins.is_confirmed for joins in desk.snapshot.joining))
        with pytest.raises(RefusedRequest, match="as many as it can have") as refused:
            await do(desk, "join", {"board": key.id, "accept": True})
        assert refused.value.code == "too_many_boards"
        monkeypatch.undo()
        await do(desk, "join", {"board": key.id, "accept": True})
        await task
        assert tables(desk)["Noyer"] == 7


def test_an_invalid_list_of_boards_is_read_as_empty(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "hub.sqlite", CLOCK)
    for text in ("[", "[]", "{}", '{"boards": [{}], "paused": "1"}'):
        journal.write_settings({"club boards": text})
        assert [*JoinedBoards(journal, CLOCK).boards] == []
    journal.close()
