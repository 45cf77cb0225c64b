"""Sends the hub's messages to the boards and the desk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from uuid import UUID

from cribd.clock import Clock
from cribd.club.board_status import BoardStatus, ClubSnapshot
from cribd.club.known_boards import BoardAssignments, KnownBoard, due_in_order, games_elsewhere, seals
from cribd.club.messages import (
    BEAT_S,
    SEALED_SIZE,
    EventSeal,
    HubToBoard,
    NotUnderstood,
    Order,
    is_current_sealed,
    open_events,
    write,
)
from cribd.club.record_check import GameRecords
from cribd.club.transport import Transport, topic
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.journal import JournalDamaged
from cribd.table.organiser_desk import Due

#: The number of boards that are sent a message before other tasks run.
_AT_ONCE = 30


class HubPublisher:
    """Sends each board its message, and informs the desk.

    `due_at` finds a table's due game."""

    def __init__(
        self,
        competitions: LazyOrganiser,
        clock: Clock,
        transport: Transport,
        seats: BoardAssignments,
        boards: Mapping[str, KnownBoard],
        records: GameRecords,
        due_at: Callable[[State, int | None], Due],
    ) -> None:
        self._competitions = competitions
        self._clock = clock
        self._transport = transport
        self._seats = seats
        self._boards = boards
        self._records = records
        self._due_at = due_at
        self.rules: Mapping[UUID, str] = {}
        """The label of the rules of each event."""
        self._seals: tuple[EventSeal, ...] = ()
        self._sealed_for: object = None
        self._state: State = None
        self._seen: tuple[object, ...] = ()
        self._touched: set[str] = set()
        self._on_beat: set[str] = set()
        self._about: dict[str, object] = {}
        self._downs: dict[str, HubToBoard] = {}
        self._statuses: dict[str, BoardStatus] = {}

    async def load_events(self) -> None:
        """Load which competitions are sealed, and their rules."""
        await self._find_seals(self._competitions.state)

    def touch(self, *boards: str) -> None:
        """Record that something has changed for these boards.

        Changes of the competition are noticed without this."""
        self._touched.update(boards)

    def resend_all(self) -> None:
        """Make the next `publish` send every board everything again."""
        self._downs.clear()
        self.touch(*self._seats.names())

    def set_beat(self, board: str, *, keeps_beat: bool) -> None:
        """Choose whether this board gets messages only at fixed times.

        These are every `BEAT_S` seconds; otherwise each change is sent at once."""
        if keeps_beat:
            self._on_beat.add(board)
        elif board in self._on_beat:
            self._on_beat.remove(board)
            self._downs.pop(board, None)

    def _is_on_beat(self, board: str) -> bool:
        return board in self._on_beat or is_current_sealed(self._seals)

    async def beat(self) -> None:
        """Send messages every `BEAT_S` seconds, until cancelled.

        Only boards chosen by `set_beat` get these messages; while the current event is sealed, all boards."""
        while True:
            await self._clock.sleep(BEAT_S)
            downs = {board: down for board, down in self._downs.items() if self._is_on_beat(board)}
            padded = await self._clock.run_in_thread(lambda: [*map(_padded, downs.values())])  # noqa: B023
            for board, payload in zip(downs, padded, strict=True):
                self._transport.publish(topic(board, "down"), payload)

    async def publish(self) -> None:
        """Send changed messages to the boards, and inform the desk.

        The messages for boards that get messages at fixed times wait for `beat`."""
        state = self._competitions.state
        await self._find_seals(state)
        touched, self._touched = self._touched, set()
        changed = await self._clock.run_in_thread(partial(self._changes, state, touched))
        for number, (board, (down, payload)) in enumerate(changed.items(), start=1):
            self._downs[board] = down
            if not self._is_on_beat(board):
                self._transport.publish(topic(board, "down"), payload)
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
        names = self._seats.names()
        statuses = tuple(self._statuses[board] for board in names if board in self._statuses)
        event = state.uuid if isinstance(state, CompetitionSnapshot) else None
        records, late = self._records.shown(event), self._records.late(state)
        self._seats.show(ClubSnapshot(boards=statuses, records=records, late=late))

    def _changes(self, state: State, touched: set[str]) -> dict[str, tuple[HubToBoard, bytes]]:
        """Return the messages that have changed, by board.

        Updates the statuses of these boards and of those in `touched`."""
        calling = state.organiser.calls if isinstance(state, CompetitionSnapshot) else ()
        taken = games_elsewhere(self._seats.taken(), self._boards)
        names, seen, changed = self._seats.names(), (self._seals, taken), {}
        is_open = open_events(self._seals)
        is_as_before = state is self._state and seen == self._seen
        self._state, self._seen = state, seen
        for board in touched & names.keys() if is_as_before else names:
            known, order = self._boards[board], self._seats.order(board)
            game, waits = due_in_order(self._due_at(state, order.table or None), taken)
            about = order, game, waits, self._seals, known.answered_calls(calling)
            if board not in touched and self._about.get(board) == about:
                continue
            self._about[board] = about
            down = HubToBoard(
                have=known.have(None if self._is_on_beat(board) else is_open),
                order=replace(order, due=game, waits=waits),
                events=self._seals,
                rulings=about[-1],
            )
            if down != self._downs.get(board):
                changed[board] = down, b"" if self._is_on_beat(board) else write(down)
            self._statuses[board] = known.status(board, names[board], order.table or None, order, is_open)
        return changed

    async def _find_seals(self, state: State) -> None:
        """Update which competitions are sealed, and their rules.

        It does so only after a change of the current event or its phase, after a failure, or if it knows no event."""
        phase = (state.uuid, state.organiser.phase) if isinstance(state, CompetitionSnapshot) else state
        if phase != self._sealed_for or not self._seals:
            organiser = await self._competitions.organiser()
            # If the journal is damaged: the current event alone, and the next call asks again.
            self._seals, self._sealed_for = seals(state, (), {}), object()
            with suppress(JournalDamaged):
                listed = await organiser.listed()
                uuid_of = organiser.journal.competitions.uuid_of
                ids = {competition.number: uuid_of(competition.number) for competition in listed}
                self._seals, self._sealed_for = seals(state, listed, ids), phase
                self.rules = {
                    ids[competition.number]: competition.heading.format.game_rules.label
                    for competition in listed
                    if competition.heading
                }


def _padded(down: HubToBoard) -> bytes:
    """Write a message, padded to `SEALED_SIZE` bytes.

    If it does not fit, most of its order is left out."""
    try:
        return write(down, SEALED_SIZE)
    except NotUnderstood:
        return write(
            HubToBoard(have=down.have, order=Order(table=down.order.table), events=down.events[:1]), SEALED_SIZE
        )
