"""The board's connection with the hub.

An outcome waits in the journal's outbox until the hub has answered it. The board sends those that the hub lacks, and
of the oldest record that the hub lacks the next part (`cribd.club.board_results`). What the hub has is unknown until it
says so. If that fits the board's own sequence, the board sends what follows, and else everything again: an outcome
counts once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from random import SystemRandom
from uuid import UUID

from cribboard.validation import Message
from cribd.clock import Clock
from cribd.club.board_results import BoardResults
from cribd.club.board_status import GameShown
from cribd.club.due_game import due_in
from cribd.club.last_order import read_order, store_order, stored_part
from cribd.club.messages import (
    BEAT_S,
    PROTOCOL,
    SEALED_SIZE,
    BoardToHub,
    HubToBoard,
    NotUnderstood,
    OfficialCall,
    Order,
    ReceivedSummary,
    ReportedStatus,
    read_down,
    write,
)
from cribd.club.signatures import Signer
from cribd.club.transport import Transport, topic
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.storage.journal import Journal, JournalAway, JournalDamaged
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import NOTHING_SAID, DeskSays, Offer

#: The longest random wait of a board before it sends outcomes after a break, so that not all send at once.
SPREAD_S = 1.0
#: How long after a change at the table its message is made. The light that answers a press comes first.
LIGHT_FIRST_S = 0.01
#: The most faults in a message to the hub; the newest ones are sent.
MOST_FAULTS = 8
#: How long the board waits before it repeats a write that the journal has refused.
_RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class _StoredMessage:
    """A message of the hub whose content this board has stored."""

    down: HubToBoard
    answered: tuple[tuple[Outcome, OutcomeStatus], ...]
    waiting: Mapping[PlayedFor, Outcome | None]
    """The games that were played here, and that the hub has not answered. None: another meeting's, or not readable."""


class HubClient:
    """The connection of this board to the hub of its club.

    `club` is the id of the club. `refused` gets a line for each message that was no message, and `report` a fault: a
    hub that is too new, or rules that this board does not know."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        transport: Transport,
        signer: Signer,
        club: str,
        *,
        refused: Callable[[str], None],
        report: Callable[[Sequence[Input]], None] = lambda _: None,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._transport = transport
        self._signer = signer
        self._club = club
        self._refused = refused
        self._report = report
        self._reported: set[FaultKind] = set()
        self._rng = SystemRandom()
        self._start = 1 + self._rng.randrange(2**40)
        self._status = ReportedStatus()
        self._game: Callable[[], GameShown | None] = lambda: None
        self._calls: tuple[OfficialCall, ...] = ()
        self._numbers = self._rng.randrange(2**40)  # of calls; another start has others
        self._down: HubToBoard | None = None
        self._have: ReceivedSummary | None = None
        self._awaits_answer = False
        self._silent_until = 0.0
        self._incoming: bytes | None = None
        self._unstored: bytes | None = None
        self._opened: dict[UUID, bool] = {}
        self._results = BoardResults(journal, signer, club)
        self._lacked: set[UUID | None] = set()
        self._order: Order | None = None
        self._stored: Order | None = None
        self._ended: dict[PlayedFor, Outcome | None] = {}
        self._publishing = asyncio.Lock()
        self._published = b""
        self._changed = asyncio.Event()
        self._offer: Offer = lambda _, __=NOTHING_SAID, /: None
        self._answer: Callable[[Outcome, OutcomeStatus], None] = lambda _, __: None
        self._load()

    def _load(self) -> None:
        """Load the hub's last order and the unanswered results."""
        if (order := read_order(self._journal, self._club, self._clock.wall())) is not None:
            with suppress(JournalDamaged):
                self._ended = self._results.unanswered(order)
                self._order = self._stored = order

    # The table's side

    def connect(self, offer: Offer, answer: Callable[[Outcome, OutcomeStatus], None]) -> None:
        """Set the callbacks of the table."""
        self._offer, self._answer = offer, answer
        if self._order is not None:  # the hub may be away since the start
            self._offer(due_in(self._order, self._club, self._ended)[0], _desk_says(self._order))

    def show(self, status: ReportedStatus, game: Callable[[], GameShown | None]) -> None:
        """Send this board's status and game to the hub.

        `game` makes the public view, in a thread. The view is sent only if the event is known to be open."""
        self._status, self._game = status, game
        self._clock.call_later(LIGHT_FIRST_S, self._wake_publisher)

    def hand_in(self, outcome: Outcome) -> None:
        """Send this outcome, and offer the table what is due next."""
        self._results.read_again()
        self._ended[outcome.place] = outcome
        if self._order is not None:
            self._offer(due_in(self._order, self._club, self._ended)[0], _desk_says(self._order))
        self._changed.set()

    def call_official(self, place: PlayedFor, side: int) -> None:
        """Call an official for a side of this game."""
        self._numbers += 1
        self._calls = (*self._calls, OfficialCall(self._numbers, place, side))
        self._changed.set()

    def official_came(self, place: PlayedFor, side: int) -> None:
        """End this side's call for an official."""
        self._calls = tuple(call for call in self._calls if (call.place, call.side) != (place, side))
        self._changed.set()

    def hear_removed(self) -> None:
        """Tell the table that the hub has removed this board.

        No game is due any more, and results go on paper slips. The outbox keeps them for the hub, in case that the
        board joins again."""
        self._report_fault(FaultKind.NOT_IN_CLUB, _removed())
        self._order = None
        self._offer(None, NOTHING_SAID)
        for outcome in self._ended.values():
            if outcome is not None:
                self._answer(outcome, OutcomeStatus.NOT_TAKEN)

    async def run(self) -> None:
        """Exchange messages with the hub until cancelled."""
        carrying = [
            asyncio.create_task(self._transport.run(self._receive, self._connected), name="transport"),
            asyncio.create_task(self._send_heartbeats(), name="heartbeat"),
            asyncio.create_task(self._main_loop(), name="work"),
        ]
        try:
            await asyncio.gather(*carrying)
        finally:
            for task in carrying:
                task.cancel()
            await asyncio.gather(*carrying, return_exceptions=True)
            for kind in tuple(self._reported):
                self._report_fault(kind, None)

    def _receive(self, about: str, payload: bytes) -> None:
        if about == topic(self._signer.id, "down"):
            self._incoming = payload
            self._changed.set()

    def _connected(self, is_connected: bool) -> None:
        if is_connected:
            self._report_fault(FaultKind.NOT_IN_CLUB, None)
            self._silent_until = self._clock.now() + SPREAD_S * self._rng.random()
        self._have, self._published = None, b""
        self._changed.set()

    async def _send_heartbeats(self) -> None:
        while True:
            await self._clock.sleep(BEAT_S)
            if self._is_sealed:
                await self._publish()

    @property
    def _is_sealed(self) -> bool:
        """Whether this board sends only at fixed times.

        True unless these events are known to be open: the hub's current one, and those of the running game and of the
        results that the hub lacks. After a start no event is known to be open."""
        down, plays = self._down, self._status.plays
        events = {place.event for place in self._ended} | self._lacked | ({plays.event} if plays else set())
        return down is None or down.is_sealed or not events <= down.open_events

    async def _main_loop(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            payload, self._incoming = self._incoming, None
            if payload is not None:
                await self._apply_hub_message(payload)
            if not self._is_sealed:
                await self._publish()

    # What the hub says

    async def _apply_hub_message(self, payload: bytes) -> None:
        before = self._ended.copy()
        try:
            stored = await self._clock.run_in_thread(partial(self._store_hub_message, payload))
        except NotUnderstood as wrong:
            self._refused(f"A message of the hub is refused: {wrong}.")
            return
        except (JournalAway, JournalDamaged):
            if self._incoming is None:
                self._unstored = payload
                self._clock.call_later(_RETRY_S, self._retry_storing)
            return
        down = self._down = stored.down
        self._order = down.order
        self._have = down.have
        for outcome, entered in stored.answered:
            self._answer(outcome, entered)
        since = {place: outcome for place, outcome in self._ended.items() if outcome is not before.get(place)}
        self._ended = {**stored.waiting, **since}
        due, unknown = due_in(down.order, self._club, self._ended)
        is_newer = down.order.protocol > PROTOCOL + 1  # what it says may be understood wrongly
        self._report_fault(FaultKind.HUB_NEWER, _newer_hub(down.order) if is_newer else None)
        self._report_fault(FaultKind.CANNOT_PLAY, _unknown_rules(unknown) if unknown else None)
        has_ruled = any(call.number in down.rulings for call in self._calls)
        self._calls = tuple(call for call in self._calls if call.number not in down.rulings)
        self._offer(due, replace(_desk_says(down.order), has_ruled=has_ruled))

    def _report_fault(self, kind: FaultKind, why: Message | None) -> None:
        """Report this fault, or its end if `why` is None.

        An unchanged state is not reported again."""
        if (why is None) is (kind in self._reported):
            self._reported ^= {kind}
            self._report([FaultCleared(kind, "club") if why is None else Fault(kind, "club", why)])

    def _retry_storing(self) -> bool:
        if self._incoming is None:
            self._incoming = self._unstored
        self._changed.set()
        return True

    def _store_hub_message(self, payload: bytes) -> _StoredMessage:
        """Store the content of a message from the hub.

        Raises `NotUnderstood`, `JournalAway`, `JournalDamaged`."""
        down = read_down(payload)
        for event in down.events:
            if self._opened.get(event.event) is not event.is_open:
                self._journal.event_games.set_open(event.event, is_open=event.is_open)
                self._opened[event.event] = event.is_open
        order = stored_part(down.order)
        if order != self._stored and store_order(self._journal, self._club, order, self._clock.wall()):
            self._stored = order  # before the answers: what is answered is not due again after a restart
        answered = self._results.store_answers(down.have.answers) if down.have else ()
        return _StoredMessage(down, tuple(answered), self._results.unanswered(down.order))

    # The message to the hub

    async def _publish(self) -> None:
        async with self._publishing:
            wait = self._silent_until - self._clock.now()
            if wait > 0 and self._have is not None:
                self._clock.call_later(wait, self._wake_publisher)
            size = SEALED_SIZE if self._is_sealed else 0
            up = BoardToHub(status=self._status, calls=self._calls)
            have = self._have if wait <= 0 else None
            payload = await self._clock.run_in_thread(partial(self._make_message, up, have, size))
            if size and not self._is_sealed:
                self._changed.set()  # from now on messages need not wait
            if size or (payload != self._published and not self._is_sealed):
                self._published = payload
                self._transport.publish(topic(self._signer.id, "up"), payload)
                if self._awaits_answer and not size:  # a broker that is flooded drops messages
                    self._clock.call_later(BEAT_S, partial(self._resend, payload))

    def _resend(self, payload: bytes) -> bool:
        if self._published is payload and self._awaits_answer:
            self._published = b""
            self._changed.set()
        return True

    def _wake_publisher(self) -> bool:
        self._changed.set()
        return True

    def _make_message(self, up: BoardToHub, have: ReceivedSummary | None, size: int) -> bytes:
        """Complete the message for the hub, and return its bytes."""
        shown = None if size else self._game()
        if shown is not None and self._down is not None and shown.event in self._down.open_events:
            up = replace(up, game=shown)
        faults = up.status.faults[-MOST_FAULTS:]
        up = replace(up, status=replace(up.status, faults=faults, not_begun=self._not_begun(), start=self._start))
        up = self._results.add_to(up, have, size)
        if have is not None:
            self._lacked = self._results.lacked_events(have)
        self._awaits_answer = bool(have is None or up.calls or up.outcomes or up.part)
        return write(up, size)

    def _not_begun(self) -> tuple[PlayedFor, ...]:
        """Return the games that the desk took before they began here."""
        places = [] if self._order is None else [taken.place for taken in self._order.takes]
        with suppress(JournalDamaged):
            return tuple(place for place in places if not self._journal.event_games.has(place))
        return ()


def _desk_says(order: Order) -> DeskSays:
    return DeskSays(order.is_paused, order.word, order.word_number, order.rehearsal, takes=order.takes)


def _newer_hub(order: Order) -> Message:
    release = order.release
    return Message("club.newer", "the hub has version {release}, which this board is too old for", release=release)


def _removed() -> Message:
    return Message(
        "club.removed",
        "the club has removed this board, and takes no result of it: leave the club in the menu, and join it again",
    )


def _unknown_rules(rules: str) -> Message:
    return Message("club.rules", "this board does not know the rules {rules} of the game that is due", rules=rules)
