"""The one owner of the competition of this machine (design law 4): actions go in, snapshots come out.

One act at a time is decided, committed and then published (law 5), all in a thread: the standings of many entrants take
longer than the loop may be held. A draw is shuffled here and recorded as the seating that came of it (law 1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import TypeVar

from cribboard.competition import draws
from cribboard.competition.actions import Action, DrawPlayOff, DrawRound
from cribboard.competition.events import Event
from cribboard.competition.evolution import fold
from cribboard.competition.position import Position
from cribboard.competition.record import Heading
from cribboard.competition.referee import decide
from cribboard.competition.results import outstanding
from cribboard.competition.rounds import must_be_drawable
from cribboard.competition.terms import Phase, Stage
from cribboard.competition.view import Eye, see
from cribd.clock import Clock
from cribd.competition.conflicts import conflicts
from cribd.competition.refusals import RefusedRequest
from cribd.competition.since import began, since
from cribd.competition.snapshot import Damaged, Held, State
from cribd.storage.competitions import CompetitionAct, KeptCompetition
from cribd.storage.journal import Journal, JournalDamaged, NotKept

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """What the sender of a request had before them: the number of the competition, and of events in its log."""

    competition: int
    events: int


class Organiser:
    """The competition that is held, of those in the `journal`. Publishers are called on the loop with each new state;
    they must not block."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._chance = SystemRandom()
        self._turn = asyncio.Lock()
        self._kept: KeptCompetition | None = None
        self._state: State = None
        self._published: State = None
        self._publishers: list[Callable[[State], None]] = []

    @property
    def state(self) -> State:
        """The newest snapshot, or why there is none."""
        return self._published

    def watch(self, publish: Callable[[State], None]) -> None:
        """Call `publish` with each new state from now on."""
        self._publishers.append(publish)

    async def load(self) -> None:
        """Take up the competition that was begun last. One that is damaged becomes the state, and costs no other."""
        await self._in_turn(self._load)

    async def begin(self, heading: Heading, *, instead: bool = False) -> Held:
        """Begin a new competition; `instead` of one that is not over, if need be. Raises `RefusedRequest`."""
        return await self._in_turn(partial(self._begin, heading, instead=instead))

    async def do(
        self,
        *actions: Action,
        seen: Seen | None = None,
        commit: Callable[[CompetitionAct], None] | None = None,
    ) -> Held:
        """Do these actions, all or none. Raises `RefusedAction`, and `RefusedRequest` if another change of the same
        thing came since what was `seen`, or if the journal cannot be written.

        `commit` writes the act instead of the journal's own `competitions.append`, in a transaction with a game's end.
        """
        return await self._in_turn(partial(self._do, actions, seen, commit))

    async def draw(self, *, seen: Seen | None = None) -> Held:
        """Draw the next round, or a play-off once play has ended. Raises as `do`."""
        return await self._in_turn(partial(self._draw, seen))

    async def propose(self) -> DrawRound | DrawPlayOff:
        """What `draw` could do now; nothing is done. Chance makes it another each time. Raises as `do`."""
        return await self._in_turn(partial(self._proposed, None))

    # In a thread, one at a time

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """Run `work` in a thread after what came before it, and publish what changed, also if nobody waits any more."""
        async with self._turn:
            try:
                return await self._clock.run_in_thread(work)
            finally:
                self._publish()

    def _publish(self) -> None:
        if self._published is not self._state:
            self._published = self._state
            for publish in self._publishers:
                publish(self._state)

    def _load(self) -> None:
        competitions = self._journal.competitions
        number = 0
        try:
            number = competitions.newest()
            self._kept = competitions.competition(number) if number else None
        except JournalDamaged as damaged:
            self._kept, self._state = None, Damaged(number, str(damaged))
        else:
            self._state = None if self._kept is None else snapshot(self._kept)

    def _begin(self, heading: Heading, *, instead: bool) -> Held:
        if self._kept is not None and not instead and self._kept.competition.position.phase is not Phase.OPEN:
            raise RefusedRequest("competition_unfinished", number=self._kept.id)
        try:
            self._kept = self._journal.competitions.begin(heading)
        except NotKept as away:
            raise RefusedRequest("not_kept", reason=str(away)) from away
        return self._took_place(self._kept)

    def _do(
        self, actions: Sequence[Action], seen: Seen | None, commit: Callable[[CompetitionAct], None] | None = None
    ) -> Held:
        kept = self._held(seen)
        caused = _caused(kept.competition.position, actions)
        if seen is not None:
            came = kept.competition.log[seen.events :]
            if any(conflicts(action, came) for action in actions):
                raise RefusedRequest("changed_meanwhile")
        try:
            (commit or self._journal.competitions.append)(CompetitionAct(kept, caused))
        except NotKept as away:
            raise RefusedRequest("not_kept", reason=str(away)) from away
        kept.competition.append(caused)
        return self._took_place(kept)

    def _draw(self, seen: Seen | None) -> Held:
        return self._do((self._proposed(seen),), seen)

    def _proposed(self, seen: Seen | None) -> DrawRound | DrawPlayOff:
        p = self._held(seen).competition.position
        shuffled = [each.number for each in p.entrants]
        self._chance.shuffle(shuffled)
        if p.phase is Phase.PLAYED:
            play_off = draws.next_play_off(p, shuffled)
            if play_off is None:
                raise RefusedRequest("nobody_to_seat")
            return DrawPlayOff(play_off)
        must_be_drawable(p)
        last = () if p.current is None else p.current.encounters
        ahead = [self._chance.choice(each.entrants) for each in last]  # of a level game that was broken off (3.31)
        seating = draws.next_seating(p, draws.order_of_draw(p, shuffled), ahead=ahead)
        if seating is None:
            raise RefusedRequest("nobody_to_seat")
        return DrawRound(seating)

    def _held(self, seen: Seen | None) -> KeptCompetition:
        """The competition that is held. Raises `RefusedRequest` if there is none, or another than was seen."""
        if isinstance(self._state, Damaged):
            raise RefusedRequest("competition_damaged", number=self._state.number, reason=self._state.reason)
        if self._kept is None:
            raise RefusedRequest("no_competition")
        if seen is not None and seen.competition != self._kept.id:
            raise RefusedRequest("another_competition", meant=seen.competition, number=self._kept.id)
        return self._kept

    def _took_place(self, kept: KeptCompetition) -> Held:
        held = snapshot(kept)
        self._state = held
        return held


def snapshot(kept: KeptCompetition) -> Held:
    """The snapshot of a competition."""
    p, log = kept.competition.position, kept.competition.log
    started = [held.number for held in p.rounds if held.stage is Stage.STARTED]
    when = began(log, kept.times, started)
    return Held(
        number=kept.id,
        heading=kept.heading,
        hall=see(p, Eye.HALL),
        organiser=see(p, Eye.ORGANISER),
        log=log,
        times=tuple(kept.times),
        since=since(outstanding(p), when),
        round_since=when.get(started[-1], "") if started and p.current is p.rounds[started[-1] - 1] else "",
    )


def _caused(p: Position, actions: Sequence[Action]) -> tuple[Event, ...]:
    """The events of these actions, one after the other. Raises `RefusedAction`."""
    caused: list[Event] = []
    for number, action in enumerate(actions, start=1):
        events = decide(p, action)
        caused += events
        if number < len(actions):
            p = fold(p, events)
    return tuple(caused)
