"""What a board and its hub send is padded, and leaves on the beat, as long as it is about a sealed event."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.club import make_key
from tests.support.club_boards import moment
from tests.support.club_evenings import (
    HUB,
    AtTables,
    Topics,
    board_copy,
    club_hub,
    club_table,
    hall,
    hub_copy,
    until,
)
from tests.support.event_evenings import OPEN, SEALED
from tests.support.organised import draw_and_start, open_hall

from cribboard.competition import Format
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import CompetitionPhase
from cribd.clock import ManualClock
from cribd.club.board_results import BoardResults
from cribd.club.hub_client import HubClient
from cribd.club.known_boards import seals
from cribd.club.messages import (
    BEAT_S,
    SEALED_SIZE,
    BoardToHub,
    CommittedUpTo,
    EventSeal,
    HubToBoard,
    Order,
    ReceivedSummary,
    ReportedStatus,
    is_current_sealed,
    open_events,
    read_down,
    read_up,
    write,
)
from cribd.club.transport import topic
from cribd.competition.snapshot import DamagedCompetition, ListedCompetition
from cribd.storage.journal import Journal
from cribd.storage.outbox import OutcomeStatus, PlayedFor

pytestmark = pytest.mark.slow
TONIGHT, OTHER = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(("before", "tonight"), [(SEALED, OPEN), (OPEN, SEALED)])
async def test_only_the_event_of_tonight_decides_whether_the_hall_sees_a_game(
    tmp_path: Path, before: Format, tonight: Format
) -> None:
    topics, seats = Topics(), AtTables()
    seats.tables[make_key(tmp_path / "one").id] = 1
    async with (
        club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub,
        club_table(tmp_path / "one", HUB, board_copy(topics)) as table,
    ):
        await open_hall(hub.organiser, 2, before)
        await open_hall(hub.organiser, 2, tonight)
        await draw_and_start(hub.organiser)
        await until(lambda: table.now.event is not None, "a game")
        begun = len(topics.sent)
        assert table.client is not None
        status = ReportedStatus(table=1, reader="the newest status")
        table.client.show(status, lambda: moment("cut", hub.state.uuid, ("Rita", "Marcel")))
        await until(lambda: seats.shown.boards[0].reader == status.reader, "the board at the desk")
        shown = seats.shown.boards[0].game
        assert (shown is not None) is (tonight is OPEN)
        sizes = {len(payload) for about, payload in topics.sent[begun:] if not about.endswith("online")}
        assert (sizes == {SEALED_SIZE}) is (tonight is SEALED)


@dataclass
class Wire:
    """The connection of a board, with what it has sent."""

    down: str
    board: HubClient = field(init=False)
    sent: list[bytes] = field(default_factory=list)

    def publish(self, _: str, payload: bytes) -> None:
        self.sent.append(payload)

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        self._receive, self.connected = receive, connected
        await asyncio.Event().wait()

    def hear(self, **events: bool) -> None:
        """The hub lists these events, the current one first: whether each is open."""
        known = {"tonight": TONIGHT, "other": OTHER}
        seals = tuple(EventSeal(known[name], is_open) for name, is_open in events.items())
        self._receive(self.down, write(HubToBoard(events=seals)))

    def show(self, status: ReportedStatus) -> None:
        """The board has this status, and a game of tonight's event under way."""
        self.board.show(status, lambda: moment("cut", TONIGHT, ("Rita", "Marcel")))

    def shows_game(self) -> bool:
        return read_up(self.sent[-1]).game is not None


@asynccontextmanager
async def playing(folder: Path, clock: ManualClock) -> AsyncIterator[Wire]:
    """A board that was just started, with a game of tonight's event under way."""
    key = make_key(folder)
    wire = Wire(topic(key.id, "down"))
    with closing(Journal(folder / "journal.db", clock)) as journal:
        wire.board = HubClient(journal, clock, wire, key, HUB, refused=pytest.fail)
        wire.show(ReportedStatus(table=1))
        running = asyncio.create_task(wire.board.run())
        await clock.run_ready_tasks()
        wire.connected(True)
        await clock.run_ready_tasks()
        try:
            yield wire
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_a_board_that_has_not_heard_its_hub_yet_sends_as_in_a_sealed_event(tmp_path: Path) -> None:
    clock = ManualClock()
    async with playing(tmp_path, clock) as wire:
        assert wire.sent == []
        await clock.advance(2.5 * BEAT_S)
        assert [len(payload) for payload in wire.sent] == [SEALED_SIZE] * 2
        assert not wire.shows_game()
        wire.hear(tonight=True)
        await clock.run_ready_tasks()
        assert wire.shows_game()
        assert len(wire.sent[-1]) != SEALED_SIZE


async def test_a_game_is_sent_only_if_the_hub_lists_its_event_as_open(tmp_path: Path) -> None:
    clock = ManualClock()
    async with playing(tmp_path, clock) as wire:
        for events, is_shown in (
            ({}, False),
            ({"other": True}, False),
            ({"tonight": True, "other": False}, True),
            ({"other": True, "tonight": False}, False),
            ({"other": False, "tonight": True}, False),  # the current event is sealed: only the beat
            ({"other": True, "tonight": True}, True),
            ({"tonight": False}, False),
        ):
            wire.hear(**events)
            await clock.advance(BEAT_S)
            assert wire.shows_game() is is_shown, events


async def test_a_game_under_way_of_another_sealed_event_keeps_its_board_on_the_beat_until_it_is_over(
    tmp_path: Path,
) -> None:
    clock = ManualClock()
    async with playing(tmp_path, clock) as wire:
        wire.hear(tonight=True, other=False)
        wire.show(ReportedStatus(table=1, plays=PlayedFor(OTHER, 1, 1, 1)))
        await clock.advance(BEAT_S)
        wire.sent.clear()
        for reader in ("one", "two"):
            wire.show(ReportedStatus(table=1, plays=PlayedFor(OTHER, 1, 1, 1), reader=reader))
            await clock.advance(BEAT_S / 5)
        assert wire.sent == []
        await clock.advance(2 * BEAT_S)
        assert [len(payload) for payload in wire.sent] == [SEALED_SIZE] * 2
        wire.show(ReportedStatus(table=1, plays=PlayedFor(TONIGHT, 1, 1, 1)))
        await clock.advance(BEAT_S / 5)
        assert wire.shows_game()
        assert len(wire.sent[-1]) != SEALED_SIZE


async def test_results_and_records_of_an_old_sealed_event_are_sent_again_as_in_that_event_while_tonights_is_open(
    tmp_path: Path,
) -> None:
    topics, seats = Topics(), AtTables()
    one_game = replace(SEALED, meeting_games=1, games=1)
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats, 2, one_game):
            await until(lambda: table.now.event is not None, "a game that is due")
        shutil.copytree(tmp_path / "hub", tmp_path / "restored")
        async with hall(tmp_path, topics, seats):
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
    async with club_hub(tmp_path / "restored", hub_copy(Topics()), seats) as hub:
        old = hub.state.uuid
        await open_hall(hub.organiser, 2, OPEN)
        await draw_and_start(hub.organiser)
    topics = Topics()
    async with (
        club_hub(tmp_path / "restored", hub_copy(topics), seats),
        club_table(tmp_path / "one", HUB, board_copy(topics)) as table,
    ):

        def have() -> ReceivedSummary | None:
            payload = topics.retained.get(topic(table.key.id, "down"))
            return None if payload is None else read_down(payload).have

        await until(lambda: (now := have()) is not None and now.records.number == 1, "the record")
        ups = [payload for about, payload in topics.sent if about == topic(table.key.id, "up")]
        of_results = [payload for payload in ups if (up := read_up(payload)).outcomes or up.part]
        assert {signed.outcome.place.event for payload in of_results for signed in read_up(payload).outcomes} == {old}
        assert {len(payload) for payload in of_results} == {SEALED_SIZE}
        await until(lambda: len(topics.retained[topic(table.key.id, "up")]) != SEALED_SIZE, "the end of the beat")
        await until(lambda: len(topics.retained[topic(table.key.id, "down")]) != SEALED_SIZE, "that of the hub")
        downs = [payload for about, payload in topics.sent if about == topic(table.key.id, "down")]
        answers = [
            (len(payload) == SEALED_SIZE, bool(have and have.answers))
            for payload in downs
            for have in [read_down(payload).have]
        ]
        assert (True, True) in answers
        assert (False, True) not in answers


async def test_a_game_that_cannot_be_read_any_more_does_not_count_as_one_that_the_hub_still_lacks(
    tmp_path: Path,
) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats, 2, SEALED) as hub:
            await until(lambda: table.now.event is not None, "a game that is due")
        await table.play()
    with closing(Journal(tmp_path / "one" / "journal.db", ManualClock())) as journal:
        results, nothing = BoardResults(journal, table.key, HUB), ReceivedSummary()
        assert results.add_to(BoardToHub(), nothing, 0).part is not None
        assert results.lacked_events(nothing) == {hub.state.uuid}
        assert results.lacked_events(ReceivedSummary(outcomes=CommittedUpTo(1, journal.outcome(1).record))) != set()
    with closing(sqlite3.connect(tmp_path / "one" / "journal.db", isolation_level=None)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute("UPDATE line SET line = 'rotten' WHERE number = 2")
    with closing(Journal(tmp_path / "one" / "journal.db", ManualClock())) as journal:
        results = BoardResults(journal, table.key, HUB)
        assert results.add_to(BoardToHub(), nothing, 0).part is None
        assert results.lacked_events(nothing) == set()


async def test_the_hub_answers_a_board_on_the_beat_on_the_beat_and_at_once_when_that_has_left_it(
    tmp_path: Path,
) -> None:
    topics, seats, clock = Topics(), AtTables(), ManualClock()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 1

    def said() -> list[tuple[str, bool]]:
        """The words for the board that were sent since the last call, and whether the message was padded."""
        sent = [payload for about, payload in topics.sent if about == topic(key.id, "down")]
        topics.sent.clear()
        return [(read_down(payload).order.word, len(payload) == SEALED_SIZE) for payload in sent]

    async def say(word: str) -> None:
        seats.orders[key.id] = Order(word=word)
        seats.changed()
        await clock.run_ready_tasks()

    async with club_hub(tmp_path / "hub", hub_copy(topics), seats, clock) as hub:
        await open_hall(hub.organiser, 2, OPEN)
        await clock.run_ready_tasks()
        said()
        await say("at once")
        assert said() == [("at once", False)]
        topics.publish(topic(key.id, "up"), write(BoardToHub(), SEALED_SIZE))
        await say("later")
        assert said() == []
        await clock.advance(2 * BEAT_S)
        assert said() == [("later", True)] * 2
        await say("the last one")
        topics.publish(topic(key.id, "up"), write(BoardToHub()))
        await clock.run_ready_tasks()
        assert said() == [("the last one", False)]
        await clock.advance(2 * BEAT_S)
        assert said() == []


def test_a_current_event_that_is_damaged_counts_as_sealed_whatever_other_events_are_open() -> None:
    heading = CompetitionHeading(format=OPEN)
    listed = [ListedCompetition(number, "", heading, CompetitionPhase.PLAY) for number in (1, 2)]
    events = seals(DamagedCompetition(1, "its log has changed"), listed, {1: OTHER, 2: TONIGHT})
    assert is_current_sealed(events)
    assert open_events(events) == {TONIGHT}
    assert is_current_sealed(seals(DamagedCompetition(0, "the journal is damaged"), (), {}))
    assert not is_current_sealed(seals(None, (), {}))
