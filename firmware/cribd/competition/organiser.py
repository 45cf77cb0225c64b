"""The one owner of this machine's competitions (design law 4).

Several may be open; one is the current one, which is shown and organised until another is begun or switched to. A game
that was begun for another competition still sends its result there.

Each request waits for its turn, and is committed and published before the next begins (law 5). Work runs in a thread,
because the standings of many entrants would block the event loop for too long. A draw is shuffled here, and only the
seating is recorded (law 1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import partial, wraps
from random import SystemRandom
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

from cribboard.cards import NotationError
from cribboard.competition import Competition
from cribboard.competition.actions import CompetitionAction, DrawPlayOff, DrawRound
from cribboard.competition.next_seating import next_play_off, next_seating, order_of_draw
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.record import CompetitionHeading, read_heading
from cribboard.competition.results import outstanding
from cribboard.competition.rounds import must_be_drawable
from cribboard.competition.season import SeasonError, outcome, seeds_from
from cribboard.competition.terms import CompetitionPhase, Stage
from cribboard.competition.view import CompetitionEye, PositionViews, see, see_both
from cribd.clock import Clock
from cribd.competition.change_request import AnyRefusal, BaseVersion, ChangeRequest, apply_requests
from cribd.competition.outcomes import actions_for, answer_to
from cribd.competition.phones import Phones
from cribd.competition.refusals import RefusedRequest, refused_unless_saved
from cribd.competition.settings import read_board_table, read_current, store_board_table, store_current
from cribd.competition.snapshot import (
    CompetitionSnapshot,
    DamagedCompetition,
    ListedCompetition,
    State,
    began,
    current_of,
)
from cribd.storage.competitions import BegunCompetition, CompetitionAct, StoredCompetition
from cribd.storage.journal import Journal, JournalDamaged
from cribd.storage.outbox import HandedIn, OutcomeStatus

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of several requests.

    An accepted request has None in `refused`."""

    snapshot: CompetitionSnapshot
    refused: tuple[AnyRefusal | None, ...]


def _in_turn(
    work: Callable[Concatenate[Organiser, P], T],
) -> Callable[Concatenate[Organiser, P], Coroutine[Any, Any, T]]:
    """Make a method run in a thread when its turn comes."""

    @wraps(work)
    async def run(organiser: Organiser, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await organiser.in_turn(partial(work, organiser, *args, **kwargs))

    return run


class Organiser:
    """Keeps the competitions of the journal; one of them is current.

    Calls each publisher, a function, with every new state on the asyncio loop. A publisher must not block."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self.journal = journal
        self.clock = clock
        self.board_table: int | None = None  # the table of the hall at which this board stands, from 1
        self.board_word = "", 0  # of the desk, for the screen of this board; another number for each
        self._rng = SystemRandom()
        self._turn = asyncio.Lock()
        self._current: StoredCompetition | None = None
        self._state: State = None
        self._seen: PositionViews | None = None
        self._published: State = None
        self._publishers: list[Callable[[State], None]] = []
        self._phones: dict[int, Phones] = {}  # by competition
        self._listed: dict[int, tuple[int, ListedCompetition]] = {}  # by competition: how many events it had

    @property
    def state(self) -> State:
        """The newest snapshot of the current competition.

        A `DamagedCompetition` if it cannot be read, None if there is no current competition."""
        return self._published

    def watch(self, publish: Callable[[State], None]) -> None:
        """Call `publish` with each new state from now on."""
        self._publishers.append(publish)

    @_in_turn
    def load(self) -> None:
        """Load the current competition and this board's table.

        If the competition is damaged, the state says so, and the other competitions still work."""
        self.board_table = read_board_table(self.journal)
        number = 0
        try:
            number = read_current(self.journal)
            self._current = self.journal.competitions.competition(number) if number else None
        except JournalDamaged as damaged:
            self._current, self._state = None, DamagedCompetition(number, damaged.args[0])
        else:
            self._state = None
            if self._current is not None:
                self._set_snapshot(self._current)

    # What is asked

    async def listed(self) -> tuple[ListedCompetition, ...]:
        """List every competition, oldest first. Raises `JournalDamaged` if the journal cannot be read at all."""
        return await self.clock.run_in_thread(lambda: tuple(map(self._list_entry, self.journal.competitions.begun())))

    @_in_turn
    def seeds_from(self, number: int) -> tuple[tuple[int, ...], int]:
        """Return the entrants, ordered by an earlier competition's ranks.

        `number` is the number of the earlier competition. The second value is how many of the entrants have a rank
        there. Changes nothing. Raises `RefusedRequest`, also while the results of that competition are sealed (design
        law 10).
        """
        entrants = see(self._stored().competition.position, CompetitionEye.ORGANISER).entrants
        past = self._stored(number)
        try:
            ended = outcome(past.heading, see(past.competition.position, CompetitionEye.ORGANISER))
        except SeasonError:
            raise RefusedRequest("event_not_open", number=number) from None
        return seeds_from(entrants, ended.finishes)

    @_in_turn
    def propose(self) -> DrawRound | DrawPlayOff:
        """Propose a round that `draw` could draw, and change nothing.

        Each proposal is shuffled anew. Raises the errors of `do`."""
        return self._proposed(self._stored().competition.position)

    # What is done

    @_in_turn
    def begin(self, heading: CompetitionHeading) -> CompetitionSnapshot:
        """Begin a new competition and make it the current one. Raises `RefusedRequest`.

        The earlier competition continues."""
        with refused_unless_saved():
            self._current = self.journal.competitions.begin(heading)
        return self._set_snapshot(self._current)

    @_in_turn
    def switch(self, number: int) -> CompetitionSnapshot:
        """Make this competition the current one. Raises `RefusedRequest`, also if it is damaged."""
        stored = self._stored(number)
        with refused_unless_saved():
            store_current(self.journal, number)
        self._current = stored
        return self._set_snapshot(stored)

    @_in_turn
    def do(
        self, *actions: CompetitionAction, seen: BaseVersion | None = None, ask: bool = False
    ) -> CompetitionSnapshot:
        """Do these actions, all or none.

        With `ask`, refuses them if they have side effects that somebody must confirm. Raises `RefusedAction` and
        `RefusedRequest`, also if the journal cannot be written."""
        return self._do(ChangeRequest(actions, seen, ask))

    @_in_turn
    def do_from(
        self, make: Callable[[CompetitionSnapshot], Sequence[CompetitionAction]], *, ask: bool = False
    ) -> CompetitionSnapshot:
        """Do the actions that `make` returns for the current snapshot.

        Raises the errors of `do` and those of `make`."""
        self._stored()
        snapshot = current_of(self._state)
        actions = make(snapshot)
        return self._do(ChangeRequest(actions, ask=ask)) if actions else snapshot

    @_in_turn
    def draw(self, *, seen: BaseVersion | None = None, ask: bool = False) -> CompetitionSnapshot:
        """Draw the next round, or a play-off after the last round. Raises the errors of `do`."""
        return self._do(ChangeRequest(lambda p: (self._proposed(p),), seen, ask))

    @_in_turn
    def do_many(self, requests: Sequence[ChangeRequest], *, event: UUID | None = None) -> BatchResult:
        """Do or refuse each of these requests, in order.

        They change the current competition, or the one with this id. There is one commit and one snapshot for all.

        Raises `RefusedRequest` if there is no such competition, or the journal cannot be written."""
        return self._do_many(requests, self._stored_of(event))

    @_in_turn
    def accept(
        self, event: UUID, handed_in: Sequence[HandedIn], *, refuted: Collection[HandedIn] = ()
    ) -> tuple[OutcomeStatus, ...]:
        """Enter these outcomes, and return an answer for each.

        `event` is the id of the competition. An outcome counts once: if it comes again, it gets the answer that it had.
        The results of the `refuted` ones, which their records do not confirm, are disputed.
        There is one commit and one snapshot for all. Raises `RefusedRequest` if there is no such competition, or the
        journal cannot be written."""
        stored = self._stored_of(event)
        received = self.journal.competitions.received
        with refused_unless_saved():
            answers = {submission.id: received.answer(stored.id, submission) for submission in handed_in}
        first = {submission.id: submission for submission in reversed(handed_in) if answers[submission.id] is None}
        entered = [first.pop(submission.id) for submission in handed_in if submission.id in first]
        requests = [
            ChangeRequest(partial(actions_for, outcome=submission.outcome, is_refuted=submission in refuted))
            for submission in entered
        ]
        now, _ = apply_requests(stored.competition, requests, stored.id)
        given = [(submission, answer_to(now.position, submission.outcome)) for submission in entered]
        if given:
            self._commit(stored, now, given)
        answers |= {submission.id: answer for submission, answer in given}
        return tuple(answers[submission.id] or OutcomeStatus.NOT_TAKEN for submission in handed_in)

    async def stand_at(self, payload: object, also: Mapping[str, str] | None = None) -> None:
        """Assign this board to a table or to none.

        A payload is `{"table": 4}`. The settings `also` are stored too. Raises `NotAnAction`, `RefusedRequest`."""

        def work() -> None:
            self.board_table = store_board_table(self.journal, payload, also or {})

        try:
            await self.in_turn(work)
        finally:
            self._publish()

    def say_at_board(self, word: str) -> None:
        """Show this text on the board's screen; "" removes the text."""
        self.board_word = word, self.board_word[1] + 1
        for publish in self._publishers:
            publish(self._published)

    # The phones at the tables

    async def phones(self) -> tuple[CompetitionSnapshot, Phones]:
        """Return the current competition and its phones. Raises `RefusedRequest`."""
        snapshot = current_of(self._published)
        if snapshot.number not in self._phones:
            await self.in_turn(partial(self._load_phones, snapshot.number))
        return snapshot, self._phones[snapshot.number]

    def phones_of(self, number: int) -> Phones | None:
        """Return the phones of this competition; None before their first use."""
        return self._phones.get(number)

    async def write_phones(self, phones: Phones, write: Callable[[], T]) -> T:
        """Store a change of the phones with `write`, and return its result.

        Raises `RefusedRequest`, also if another competition is current by now."""

        def work() -> T:
            if (number := current_of(self._state).number) != phones.competition:
                raise RefusedRequest("another_competition", meant=phones.competition, number=number)
            with refused_unless_saved():
                return write()

        return await self.in_turn(work)

    def _load_phones(self, number: int) -> None:
        with refused_unless_saved():
            self._phones[number] = Phones(self.journal, number)

    # In a thread, one at a time

    async def in_turn(self, work: Callable[[], T]) -> T:
        """Run `work` in a thread when its turn comes.

        Then a changed state is published, even if the caller was cancelled."""
        async with self._turn:
            try:
                return await self.clock.run_in_thread(work)
            finally:
                if self._published is not self._state:
                    self._publish()

    def _publish(self) -> None:
        self._published = self._state
        for publish in self._publishers:
            publish(self._state)

    def _list_entry(self, begun: BegunCompetition) -> ListedCompetition:
        """Make a competition's entry in the list of competitions.

        The log of the competition is read again only if it has grown."""
        competitions = self.journal.competitions
        try:
            length = competitions.length(begun.id)
            if begun.id not in self._listed or self._listed[begun.id][0] != length:
                past = competitions.past(begun.id)
                listed = ListedCompetition(begun.id, begun.at, past.heading, past.competition.position.phase)
                self._listed[begun.id] = len(past.times), listed
            return self._listed[begun.id][1]
        except (JournalDamaged, KeyError):
            return ListedCompetition(begun.id, begun.at, _heading(begun.heading), None)

    def _do(self, request: ChangeRequest) -> CompetitionSnapshot:
        done = self._do_many([request], self._stored())
        if (refused := done.refused[0]) is not None:
            raise refused
        return done.snapshot

    def _do_many(self, requests: Sequence[ChangeRequest], stored: StoredCompetition) -> BatchResult:
        now, refused = apply_requests(stored.competition, requests, stored.id)
        return BatchResult(self._commit(stored, now), refused)

    def _commit(
        self, stored: StoredCompetition, now: Competition, received: Sequence[tuple[HandedIn, OutcomeStatus]] = ()
    ) -> CompetitionSnapshot:
        """Write a changed competition and received outcomes to the journal. Raises `RefusedRequest`."""
        events = now.log[len(stored.competition.log) :]
        if events or received:
            with refused_unless_saved():
                self.journal.competitions.append(CompetitionAct(stored, events), received)
            stored.competition.append(events)
        if stored is not self._current:
            return snapshot_of(stored, see_both(stored.competition.position))
        return self._set_snapshot(stored) if events else current_of(self._state)

    def _proposed(self, p: CompetitionPosition) -> DrawRound | DrawPlayOff:
        shuffled = [entrant.number for entrant in p.entrants]
        self._rng.shuffle(shuffled)
        if p.phase is CompetitionPhase.PLAYED:
            if (play_off := next_play_off(p, shuffled)) is None:
                raise RefusedRequest("nobody_to_seat")
            return DrawPlayOff(play_off)
        must_be_drawable(p)
        last = () if p.current is None else p.current.encounters
        ahead = [self._rng.choice(pair.entrants) for pair in last]  # of a level game that was broken off (3.31)
        if (seating := next_seating(p, order_of_draw(p, shuffled), ahead=ahead)) is None:
            raise RefusedRequest("nobody_to_seat")
        return DrawRound(seating)

    def _stored_of(self, event: UUID | None) -> StoredCompetition:
        """Return the competition with this id, or the current one. Raises `RefusedRequest`."""
        if event is None or (self._current is not None and event == self._current.uuid):
            return self._stored()
        try:
            with refused_unless_saved():
                number = self.journal.competitions.number_of(event)
        except KeyError:
            raise RefusedRequest("no_such_event", event=event) from None
        return self._stored(number)

    def _stored(self, number: int | None = None) -> StoredCompetition:
        """Return the competition with this number, or the current one.

        Raises `RefusedRequest` if the competition is missing or damaged."""
        if number is None and isinstance(self._state, DamagedCompetition):
            raise RefusedRequest("competition_damaged", number=self._state.number, reason=self._state.reason)
        if self._current is not None and number in (None, self._current.id):
            return self._current
        if number is None:
            raise RefusedRequest("no_competition")
        try:
            return self.journal.competitions.competition(number)
        except KeyError:
            newest = self.journal.competitions.newest()
            raise RefusedRequest("no_such_competition", number=number, newest=newest) from None
        except JournalDamaged as damaged:
            raise RefusedRequest("competition_damaged", number=number, reason=damaged.reason) from damaged

    def _set_snapshot(self, stored: StoredCompetition) -> CompetitionSnapshot:
        """Set and return the new snapshot of the current competition.

        The snapshot is published when the caller's turn ends."""
        if self._phones and stored.id not in self._phones:
            with suppress(RefusedRequest):
                self._load_phones(stored.id)
        self._seen = see_both(stored.competition.position, self._seen)
        self._state = snapshot = snapshot_of(stored, self._seen)
        return snapshot


def snapshot_of(stored: StoredCompetition, seen: PositionViews) -> CompetitionSnapshot:
    """Make the snapshot of a competition."""
    p, log = seen.position, stored.competition.log
    started = [round_.number for round_ in p.rounds if round_.stage is Stage.STARTED]
    at_event = began(log, started)
    # The first game of a meeting starts with the round. The clock may jump, so the place in the log says what is older.
    waiting = [(at_event.get(at if at.game > 1 else at.round), at) for at in outstanding(p)]
    waiting.sort(key=lambda found: (-1 if found[0] is None else found[0], *astuple(found[1])))
    return CompetitionSnapshot(
        number=stored.id,
        uuid=stored.uuid,
        heading=stored.heading,
        hall=seen.hall,
        organiser=seen.organiser,
        log=log,
        times=tuple(stored.times),
        since=tuple((at, "" if index is None else stored.times[index]) for index, at in waiting),
        round_since=stored.times[at_event[started[-1]]]
        if started and p.current is p.rounds[started[-1] - 1] and started[-1] in at_event
        else "",
    )


def _heading(text: str) -> CompetitionHeading | None:
    """Read the heading of a competition, or return None."""
    try:
        return read_heading(text)
    except NotationError:
        return None
