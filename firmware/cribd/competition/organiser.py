"""The one owner of the competitions of this machine (design law 4): actions go in, snapshots come out.

Several may be open; one is the current one, which is shown and organised until another is begun or switched to. A game
that was begun for another ends there all the same.

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

from cribboard.cards import NotationError
from cribboard.competition import draws
from cribboard.competition.actions import Action, DrawPlayOff, DrawRound, Undo
from cribboard.competition.consequences import Consequence, consequences
from cribboard.competition.events import Event
from cribboard.competition.evolution import fold
from cribboard.competition.position import Position
from cribboard.competition.record import Heading, read_heading
from cribboard.competition.referee import decide
from cribboard.competition.results import outstanding
from cribboard.competition.rounds import must_be_drawable
from cribboard.competition.season import SeasonError, outcome
from cribboard.competition.seeds import seeds_from
from cribboard.competition.terms import Phase, Stage
from cribboard.competition.view import Eye, see
from cribd.clock import Clock
from cribd.competition.conflicts import conflicts
from cribd.competition.current import keep_current, read_current
from cribd.competition.refusals import RefusedRequest
from cribd.competition.since import began, since
from cribd.competition.snapshot import CompetitionSnapshot, Damaged, Listed, State
from cribd.storage.competitions import Begun, CompetitionAct, StoredCompetition
from cribd.storage.journal import Journal, JournalDamaged, NotKept

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """What the sender of a request had before them: the number of the competition, and of events in its log."""

    competition: int
    events: int


class Organiser:
    """The competitions of the `journal`, one of them the current one. Publishers are called on the loop with each new
    state; they must not block."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._chance = SystemRandom()
        self._turn = asyncio.Lock()
        self._kept: StoredCompetition | None = None
        self._state: State = None
        self._published: State = None
        self._publishers: list[Callable[[State], None]] = []
        self._listed: dict[int, tuple[int, Listed]] = {}  # by competition: how many events it had

    @property
    def state(self) -> State:
        """The newest snapshot of the current competition, or why there is none."""
        return self._published

    def watch(self, publish: Callable[[State], None]) -> None:
        """Call `publish` with each new state from now on."""
        self._publishers.append(publish)

    async def load(self) -> None:
        """Take up the current competition. One that is damaged becomes the state, and costs no other."""
        await self._in_turn(self._load)

    async def begin(self, heading: Heading) -> CompetitionSnapshot:
        """Begin a new competition, which is the current one from now on. It ends no other. Raises `RefusedRequest`."""
        return await self._in_turn(partial(self._begin, heading))

    async def switch(self, number: int) -> CompetitionSnapshot:
        """Make this competition the current one. Raises `RefusedRequest`, also if it is damaged."""
        return await self._in_turn(partial(self._switch, number))

    async def look_at(self, number: int) -> State:
        """The snapshot of any competition, or that it is damaged; None if there is none of this number."""
        return await self._in_turn(partial(self._look_at, number))

    async def listed(self) -> tuple[Listed, ...]:
        """Every competition, the first first. Raises `JournalDamaged` if the journal cannot be read at all."""
        return await self._clock.run_in_thread(self._list)

    async def do(
        self,
        *actions: Action,
        seen: BaseVersion | None = None,
        ask: bool = False,
        competition: int | None = None,
        commit: Callable[[CompetitionAct], None] | None = None,
    ) -> CompetitionSnapshot:
        """Do these actions, all or none. Raises `RefusedAction`, and `RefusedRequest` if another change of the same
        thing came since what was `seen`, if the journal cannot be written, or with `ask` if an action has consequences.

        `competition` is the number of another one than the current: that of a game that was begun before the switch.
        `commit` writes the act instead of the journal's own `competitions.append`, in a transaction with a game's end.
        """
        return await self._in_turn(partial(self._do, actions, seen, commit, competition, ask=ask))

    async def do_from(
        self, make: Callable[[CompetitionSnapshot], Sequence[Action]], *, ask: bool = False
    ) -> CompetitionSnapshot:
        """Do the actions that follow from the state at their turn: nothing comes between. Raises as `do`, and what
        `make` raises."""
        return await self._in_turn(partial(self._do_from, make, ask=ask))

    async def draw(self, *, seen: BaseVersion | None = None, ask: bool = False) -> CompetitionSnapshot:
        """Draw the next round, or a play-off once play has ended. Raises as `do`."""
        return await self._in_turn(partial(self._draw, seen, ask=ask))

    async def seeds_from(self, number: int) -> tuple[tuple[int, ...], int]:
        """The entrants in the order of their places in competition `number`, and how many have one there; nothing is
        done. Raises `RefusedRequest`, also until the results of that one are open (design law 10)."""
        return await self._in_turn(partial(self._seeds_from, number))

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
            number = read_current(self._journal)
            self._kept = competitions.competition(number) if number else None
        except JournalDamaged as damaged:
            self._kept, self._state = None, Damaged(number, str(damaged))
        else:
            self._state = None if self._kept is None else snapshot(self._kept)

    def _begin(self, heading: Heading) -> CompetitionSnapshot:
        try:
            self._kept = self._journal.competitions.begin(heading)
        except NotKept as away:
            raise RefusedRequest("not_kept", reason=str(away)) from away
        return self._took_place(self._kept)

    def _switch(self, number: int) -> CompetitionSnapshot:
        kept = self._any(number)
        try:
            keep_current(self._journal, number)
        except (NotKept, JournalDamaged) as away:
            raise RefusedRequest("not_kept", reason=str(away)) from away
        self._kept = kept
        return self._took_place(kept)

    def _look_at(self, number: int) -> State:
        try:
            return snapshot(self._any(number))
        except RefusedRequest as none:
            return Damaged(number, str(none)) if none.code == "competition_damaged" else None

    def _list(self) -> tuple[Listed, ...]:
        return tuple(map(self._one_listed, self._journal.competitions.begun()))

    def _one_listed(self, begun: Begun) -> Listed:
        """A competition of the list; its log is read again only once it is longer."""
        competitions = self._journal.competitions
        try:
            length = competitions.length(begun.id)
            if begun.id not in self._listed or self._listed[begun.id][0] != length:
                past = competitions.past(begun.id)
                listed = Listed(begun.id, begun.at, past.heading, past.competition.position.phase)
                self._listed[begun.id] = len(past.times), listed
            return self._listed[begun.id][1]
        except (JournalDamaged, KeyError):
            return Listed(begun.id, begun.at, _heading(begun.heading), None)

    def _do(
        self,
        actions: Sequence[Action],
        seen: BaseVersion | None,
        commit: Callable[[CompetitionAct], None] | None = None,
        competition: int | None = None,
        *,
        ask: bool = False,
    ) -> CompetitionSnapshot:
        kept = self._held(seen) if competition is None else self._any(competition)
        caused = _caused(kept.competition.position, actions)
        if seen is not None:
            came = kept.competition.log[seen.events :]
            if any(conflicts(action, came) for action in actions):
                raise RefusedRequest("changed_meanwhile")
        if ask and (found := _consequences(kept.competition.position, actions)):
            raise RefusedRequest("asked", consequences=found)
        try:
            (commit or self._journal.competitions.append)(CompetitionAct(kept, caused))
        except NotKept as away:
            raise RefusedRequest("not_kept", reason=str(away)) from away
        kept.competition.append(caused)
        return self._took_place(kept) if kept is self._kept else snapshot(kept)

    def _do_from(self, make: Callable[[CompetitionSnapshot], Sequence[Action]], *, ask: bool) -> CompetitionSnapshot:
        self._held(None)
        assert isinstance(self._state, CompetitionSnapshot)
        actions = make(self._state)
        return self._do(actions, None, ask=ask) if actions else self._state

    def _seeds_from(self, number: int) -> tuple[tuple[int, ...], int]:
        entrants = see(self._held(None).competition.position, Eye.ORGANISER).entrants
        past = self._any(number)
        try:
            ended = outcome(past.heading, see(past.competition.position, Eye.ORGANISER))
        except SeasonError:
            raise RefusedRequest("event_not_open", number=number) from None
        return seeds_from(entrants, ended.finishes)

    def _draw(self, seen: BaseVersion | None, *, ask: bool) -> CompetitionSnapshot:
        return self._do((self._proposed(seen),), seen, ask=ask)

    def _proposed(self, seen: BaseVersion | None) -> DrawRound | DrawPlayOff:
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

    def _held(self, seen: BaseVersion | None) -> StoredCompetition:
        """The current competition. Raises `RefusedRequest` if there is none, or another than was seen."""
        if isinstance(self._state, Damaged):
            raise RefusedRequest("competition_damaged", number=self._state.number, reason=self._state.reason)
        if self._kept is None:
            raise RefusedRequest("no_competition")
        if seen is not None and seen.competition != self._kept.id:
            raise RefusedRequest("another_competition", meant=seen.competition, number=self._kept.id)
        return self._kept

    def _any(self, number: int) -> StoredCompetition:
        """Competition `number`, current or not. Raises `RefusedRequest` if there is none, or it is damaged."""
        if self._kept is not None and self._kept.id == number:
            return self._kept
        try:
            return self._journal.competitions.competition(number)
        except KeyError:
            newest = self._journal.competitions.newest()
            raise RefusedRequest("no_such_competition", number=number, newest=newest) from None
        except JournalDamaged as damaged:
            raise RefusedRequest("competition_damaged", number=number, reason=damaged.reason) from damaged

    def _took_place(self, kept: StoredCompetition) -> CompetitionSnapshot:
        held = snapshot(kept)
        self._state = held
        return held


def snapshot(kept: StoredCompetition) -> CompetitionSnapshot:
    """The snapshot of a competition."""
    p, log = kept.competition.position, kept.competition.log
    started = [held.number for held in p.rounds if held.stage is Stage.STARTED]
    when = began(log, kept.times, started)
    return CompetitionSnapshot(
        number=kept.id,
        uuid=kept.uuid,
        heading=kept.heading,
        hall=see(p, Eye.HALL),
        organiser=see(p, Eye.ORGANISER),
        log=log,
        times=tuple(kept.times),
        since=since(outstanding(p), when),
        round_since=when.get(started[-1], "") if started and p.current is p.rounds[started[-1] - 1] else "",
    )


def _heading(text: str) -> Heading | None:
    """The heading of a competition whose log is damaged; None if it is too."""
    try:
        return read_heading(text)
    except NotationError:
        return None


def _caused(p: Position, actions: Sequence[Action]) -> tuple[Event, ...]:
    """The events of these actions, one after the other. Raises `RefusedAction`."""
    caused: list[Event] = []
    for number, action in enumerate(actions, start=1):
        events = decide(p, action)
        caused += events
        if number < len(actions):
            p = fold(p, events)
    return tuple(caused)


def _consequences(p: Position, actions: Sequence[Action]) -> tuple[Consequence, ...]:
    """Of these actions, one after the other, each once. An undo has none. Raises `RefusedAction`."""
    found: list[Consequence] = []
    for action in actions:
        if isinstance(action, Undo):
            break
        found += [each for each in consequences(p, action) if each not in found]
        p = fold(p, decide(p, action))
    present = len(p.present)  # what holds only with fewer is past
    return tuple(each for each in found if each.values.get("present", present) == present)
