"""What the hub knows of each board.

Nothing here reads a clock, a file or the network.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Protocol
from uuid import UUID

from cribboard.competition.terms import CompetitionPhase
from cribboard.competition.view import TableView
from cribboard.rules import Option
from cribd.club.board_status import BoardStatus, ClubSnapshot
from cribd.club.joined_boards import GameTakenFromBoard
from cribd.club.messages import (
    MOST_OUTCOMES,
    AwaitedRound,
    BoardToHub,
    CommittedUpTo,
    DueGame,
    EventSeal,
    OfficialCall,
    Order,
    OutcomeAnswer,
    ReceivedSummary,
    RecordPart,
    TableMove,
)
from cribd.competition.change_request import ChangeRequest
from cribd.competition.outcomes import call_official, official_came
from cribd.competition.snapshot import CompetitionSnapshot, DamagedCompetition, ListedCompetition, State
from cribd.inputs import FaultKind, read_fault
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import Due, EventGame, TakenGame, WaitsForRound

#: The longest record, compressed.
_LONGEST_RECORD = 256 * 1024
NOTHING = CommittedUpTo()
#: The most starts of a board's program that are remembered.
_MOST_STARTS = 8
#: So many broken connections within so many seconds are the work of another machine with the same key.
_MANY_DROPS, _DROPS_S = 5, 60.0
#: Stands for a current event of which not even the id can be read.
UNKNOWN_EVENT = UUID(int=0)
#: The most events of which boards learn whether they are open: the newest ones.
MOST_EVENTS = 8


class BoardAssignments(Protocol):
    """The interface to what the desk decides about boards."""

    def names(self) -> Mapping[str, str]:
        """Map the keys of the boards to their names."""

    def order(self, board: str) -> Order:
        """Return the desk's order for this board.

        The due game is not in it."""

    def stood_at(self, board: str) -> Collection[int]:
        """Return the present and earlier tables of this board.

        The hub accepts outcomes of the board from all of these tables."""

    def taken(self) -> Sequence[GameTakenFromBoard]:
        """Return the games that the desk has taken from boards."""

    def show(self, snapshot: ClubSnapshot) -> None:
        """Show the newest state of all boards at the desk."""

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop after each change."""


@dataclass(slots=True)
class KnownCall:
    """A call for an official that a board has sent."""

    call: OfficialCall
    entrant: int
    """The number of the entrant who called; 0 if the game does not exist."""
    was_open: bool = False
    """Whether the desk had it."""


@dataclass(slots=True)
class KnownBoard:
    """The hub's knowledge of one board."""

    up: BoardToHub = field(default_factory=BoardToHub)
    starts: tuple[int, ...] = ()
    """The starts of its program that were heard; the newest last."""
    copies: int = 0
    """How many times of late it was heard that another machine has its key."""
    is_online: bool = False
    since: datetime | None = None
    outcomes: CommittedUpTo = NOTHING
    records: CommittedUpTo = NOTHING
    answers: dict[CommittedUpTo, tuple[OutcomeStatus, UUID]] = field(default_factory=dict)
    """By number and last link, each with the event of the outcome; the newest last."""
    calls: dict[int, KnownCall] = field(default_factory=dict)
    drops: tuple[float, ...] = ()
    """When its connection broke of late, while its program ran on."""
    part_of: str = ""
    data: bytes = b""
    """What came so far of the record that ends with this link."""

    def note_presence(self, is_online: bool, now: datetime) -> None:
        """Record whether the board is online, and since when."""
        if is_online != self.is_online or self.since is None:
            self.is_online, self.since = is_online, now

    def note_drop(self, now: float) -> bool:
        """Record that the connection broke.

        Returns whether another machine probably uses the board's key: many breaks in a short time are the sign. Such a
        machine may only listen. A program that has started anew begins the count again."""
        self.drops = (*(at for at in self.drops if now - at < _DROPS_S), now)
        return len(self.drops) >= _MANY_DROPS

    def hear(self, up: BoardToHub) -> bool:
        """Store the board's newest message.

        Returns whether another machine also uses the board's key."""
        self.up, start = up, up.status.start
        has_copied_key = self._has_copied_key(start)
        if (start,) != self.starts[-1:]:
            self.drops = ()
        if start:
            self.starts = (*(other for other in self.starts if other != start), start)[-_MOST_STARTS:]
        return has_copied_key

    def _has_copied_key(self, start: int) -> bool:
        """Whether another machine also uses the board's key.

        Then the number `start` was heard earlier, and another number since. A program has a new number after each
        start, and its old number is never heard again. Two machines cut each other off, and each comes back."""
        return start in self.starts[:-1]

    def store_answer(self, which: CommittedUpTo, entered: OutcomeStatus, event: UUID) -> None:
        """Store the desk's answer to an outcome, as the newest answer.

        `which` is the outcome, `entered` the answer, and `event` the event of the outcome."""
        self.answers.pop(which, None)
        self.answers[which] = entered, event

    def add(self, part: RecordPart) -> bool:
        """Add the next part, and return whether it completes the record."""
        is_checked = self.part_of == part.link and len(self.data) == part.size
        if is_checked or CommittedUpTo(part.number, part.link) == self.records:
            return False
        if part.offset == 0 and 0 < part.size <= _LONGEST_RECORD:
            self.part_of, self.data = part.link, b""
        if (self.part_of, len(self.data)) != (part.link, part.offset) or part.offset + len(part.data) > part.size:
            return False
        self.data += part.data
        return len(self.data) == part.size

    def have(self, open_events: Collection[UUID] | None = None) -> ReceivedSummary:
        """Summarise what the hub has received from this board.

        The answers are those of the `open_events`, or of all events."""
        answers = [
            OutcomeAnswer(which.number, which.link, entered)
            for which, (entered, event) in self.answers.items()
            if open_events is None or event in open_events
        ]
        return ReceivedSummary(
            outcomes=self.outcomes,
            records=self.records,
            part_of=self.part_of,
            got=len(self.data),
            answers=tuple(answers[-MOST_OUTCOMES:]),
        )

    def changed_calls(self) -> list[OfficialCall]:
        """Return the ended calls for an official, then the new ones."""
        ended = [known.call for known in self.calls.values() if known.call not in self.up.calls]
        return [*ended, *(call for call in self.up.calls if call.number not in self.calls)]

    def request(self, call: OfficialCall) -> ChangeRequest:
        """Make the request that tells the desk of this call.

        If the call has ended at the board, the request ends it."""
        make = call_official if call in self.up.calls else official_came
        return ChangeRequest(partial(make, place=call.place, side=call.side))

    def note_call(self, call: OfficialCall, pair: TableView | None) -> None:
        """Record that the desk knows of this call for an official.

        `pair` plays at the place of the call."""
        if call in self.up.calls:
            entrant = pair.entrants[call.side] if pair is not None and call.side in (0, 1) else 0
            self.calls[call.number] = KnownCall(call, entrant)
        else:
            self.calls.pop(call.number, None)

    def answered_calls(self, calling: Iterable[int]) -> tuple[int, ...]:
        """Return which calls for an official the desk has answered.

        `calling` are the entrants who wait for an official."""
        waiting = set(calling)
        for known in self.calls.values():
            known.was_open |= known.entrant in waiting
        return tuple(number for number, known in self.calls.items() if known.was_open and known.entrant not in waiting)

    def status(
        self, key: str, name: str, table: int | None, order: Order, open_events: Collection[UUID]
    ) -> BoardStatus:
        """Return the status of this board as the desk sees it.

        It shows the board's game only if the game's event is one of the `open_events`."""
        status, game = self.up.status, self.up.game
        return BoardStatus(
            id=key,
            name=name,
            table=table,
            shows=status.table or None,
            is_online=self.is_online,
            since=self.since,
            release=status.release,
            protocol=status.protocol if self.up != BoardToHub() else 0,
            faults=tuple(read_fault(FaultKind(said.kind), said.where) for said in status.faults if said.kind in _KINDS),
            reader=status.reader,
            backlog=status.backlog,
            is_paused=order.is_paused,
            word=order.word,
            calls=tuple(call.side for call in self.up.calls),
            game=game if game is not None and game.is_sound and game.event in open_events else None,
            plays=status.plays,
            not_begun=status.not_begun,
            has_copy=self.copies > 0,
            has_answered=order.rehearsal != 0 and status.rehearsal == order.rehearsal,
        )


_KINDS = frozenset(map(str, FaultKind))


def due_in_order(due: Due, taken: Collection[PlayedFor]) -> tuple[DueGame | None, AwaitedRound | None]:
    """Convert a due game or round to the form that an `Order` has.

    If the game was taken from another board, the table waits."""
    match due:
        case EventGame(place=place) if place in taken:
            return None, AwaitedRound(place.round)
        case EventGame():
            game = DueGame(
                place=due.place,
                names=due.names,
                entrants=due.entrants,
                rules=due.rules.label,
                captains=due.captains,
                is_play_off=due.is_play_off,
                meeting=due.meeting,
                is_sealed=due.is_sealed,
            )
            return game, None
        case WaitsForRound():
            moves = tuple(TableMove(name, table) for name, table in due.moves if table is not None)
            return None, AwaitedRound(due.round, moves, tuple(name for name, table in due.moves if table is None))
    return None, None


def seals(state: State, listed: Iterable[ListedCompetition], ids: Mapping[int, UUID]) -> tuple[EventSeal, ...]:
    """Return, for each of the newest competitions, whether it is open.

    The current competition is the first. If it is damaged, it counts as sealed."""
    found = {}
    match state:
        case CompetitionSnapshot():
            found[state.uuid] = is_open(state.heading.format.sealed, state.organiser.phase)
        case DamagedCompetition():
            found[ids.get(state.number, UNKNOWN_EVENT)] = False
    for competition in sorted(listed, key=lambda competition: -competition.number):
        is_seen = competition.heading is not None and is_open(competition.heading.format.sealed, competition.phase)
        found.setdefault(ids[competition.number], is_seen)
    return tuple(EventSeal(event, is_open) for event, is_open in list(found.items())[:MOST_EVENTS])


def is_open(sealed: Option, phase: CompetitionPhase | None) -> bool:
    """Whether the hall may see a competition's games and results."""
    return sealed is Option.OFF or phase is CompetitionPhase.OPEN


def pair_at(state: State, place: PlayedFor) -> TableView | None:
    """Return the pair that is drawn for this game, or None."""
    if not isinstance(state, CompetitionSnapshot) or state.uuid != place.event:
        return None
    rounds = state.organiser.rounds[place.round - 1 : place.round] if place.round else ()
    return next((pair for round_ in rounds for pair in round_.tables if pair.table == place.table), None)


def games_elsewhere(taken: Iterable[GameTakenFromBoard], boards: Mapping[str, KnownBoard]) -> Collection[PlayedFor]:
    """Return the taken games that may still be under way.

    No other board may begin these games."""
    return {
        taken_game.game.place
        for taken_game in taken
        if taken_game.may_be_playing(boards[taken_game.board].up.status.not_begun)
    }


def goes_by_slip(outcome: Outcome, order: Order) -> bool:
    """Whether the game's result comes on a paper slip.

    The desk took the game from the board, which broke the game off."""
    return outcome.broken_off and TakenGame(outcome.place, ends=False) in order.takes


def may_be_entered(state: State, outcome: Outcome) -> bool:
    """Whether the hub may try again to enter an outcome.

    The entrants of the outcome must be the pair that is now drawn at the game's round and table."""
    pair = pair_at(state, outcome.place)
    return pair is not None and pair.entrants == outcome.entrants
