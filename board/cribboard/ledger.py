"""The claims of a game, one row for each: what was called and due, by what it was closed, and what it moved.

Pure: a game that was judged again goes in, rows come out. A row has every hole that was gained or lost by it, on
either side, each with its rule, so that the rows that were not undone add up to the score. What is not judged yet has
no row (design law 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cribboard.actions import By
from cribboard.events import (
    Acted,
    Awarded,
    Bar,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    DealBegan,
    DealVoided,
    Event,
    Ground,
    MugginsRuled,
    Occasion,
    PassTakenBack,
    Pegged,
    PegReleased,
    PointsBarred,
    RolledBack,
    SetBack,
    Undone,
    Verdict,
)
from cribboard.position import Position
from cribboard.scoring import Combination


@dataclass(frozen=True, slots=True)
class Move:
    """So many holes gained, or lost, by a side, and the rule by which. Points that were `barred` moved no peg."""

    side: int
    holes: int
    ground: Ground
    barred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade:
    """One claim of the record: who called what, for what, on which cards, what was due, and by what it stood.

    `at` is the number of the event that closed or ruled it, and `accepted_at` of that by which it stood; it is None
    while it does not, or where the claim moved no peg. `ground` is the rule that the verdict rests on, and `grounds`
    has all that it came to. A call of muggins is `against` a side, and what was missed is due; `mugged` is a claim that
    was closed by one. Points for a false go were never called, and have no verdict. `undone` says whether play went
    back to before it later.
    """

    at: int
    deal: int
    side: int
    ground: Ground
    called: int | None = None
    due: int | None = None
    occasions: tuple[Occasion, ...] = ()
    combinations: tuple[Combination, ...] = ()
    verdict: Verdict | None = None
    against: int | None = None
    moves: tuple[Move, ...] = ()
    challenged: bool = False
    mugged: bool = False
    accepted_by: By | None = None
    accepted_at: int | None = None
    undone: bool = False

    @property
    def grounds(self) -> tuple[Ground, ...]:
        """Every rule that decided something here, the verdict's own first."""
        return tuple(dict.fromkeys((self.ground, *(move.ground for move in self.moves))))

    def gained(self, side: int) -> int:
        """The holes that this side gained."""
        return sum(max(0, move.holes) for move in self.moves if move.side == side and not move.barred)

    def lost(self, side: int) -> int:
        """The holes that this side lost."""
        return sum(max(0, -move.holes) for move in self.moves if move.side == side)


@dataclass(frozen=True, slots=True)
class _Accepted:
    """A call of a silent game that is pegged and not judged yet, and by what it stands."""

    by: By | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class _Ledger:
    """The rows so far; of each side the calls that wait for their judgement and whether the next is challenged; the
    row to which the moves that follow belong, and the rule by which points were given that are pegged next."""

    rows: tuple[ClaimMade, ...] = ()
    waiting: tuple[tuple[_Accepted, ...], ...] = ()
    challenged: frozenset[int] = frozenset()
    current: int | None = None
    award: Ground | None = None
    mugged: bool = False
    deal_began: int = 0

    def with_row(self, row: ClaimMade) -> _Ledger:
        return replace(self, rows=(*self.rows, row), current=len(self.rows))

    def but_row(self, at: int, row: ClaimMade) -> _Ledger:
        return replace(self, rows=(*self.rows[:at], row, *self.rows[at + 1 :]))

    def moved(self, *moves: Move, at: int | None = None) -> _Ledger:
        at = self.current if at is None else at
        if at is None:
            return self
        return self.but_row(at, replace(self.rows[at], moves=(*self.rows[at].moves, *moves)))

    def latest(self, side: int) -> int | None:
        """Where the latest claim of this side that was judged by its cards stands among the rows."""
        places = reversed(range(len(self.rows)))
        return next((at for at in places if self.rows[at].side == side and self.rows[at].occasions), None)

    def waits(self, side: int, *calls: _Accepted) -> _Ledger:
        return replace(self, waiting=(*self.waiting[:side], calls, *self.waiting[side + 1 :]))


def claims_made(log: Sequence[Event], positions: Sequence[Position]) -> tuple[ClaimMade, ...]:
    """Every claim that was judged or ruled, in order, those that were undone included. `positions` has where the game
    stood after each event, and first where it began."""
    ledgers = [_Ledger(waiting=((),) * len(positions[0].pegs))]
    for number, event in enumerate(log, start=1):
        before = ledgers[-1]
        match event:
            case Undone(to):
                ledger = _gone_back(before, ledgers[to])
            case RolledBack():
                false_go = positions[number - 1].false_go
                assert false_go is not None
                ledger = _gone_back(before, ledgers[false_go.before.number])
            case DealVoided():
                ledger = _gone_back(before, ledgers[before.deal_began])
            case _:
                ledger = _after(before, number, event, positions[number - 1], positions[number])
        ledgers.append(ledger)
    return ledgers[-1].rows


def _gone_back(now: _Ledger, then: _Ledger) -> _Ledger:
    """Play stands again where it stood then; what was closed since is undone."""
    since = tuple(replace(row, undone=True) for row in now.rows[len(then.rows) :])
    return replace(then, rows=(*then.rows, *since), current=None)


def _after(ledger: _Ledger, number: int, event: Event, before: Position, after: Position) -> _Ledger:
    match event:
        case Acted():
            return replace(ledger, current=None, mugged=False)
        case DealBegan():
            return replace(ledger, current=None, deal_began=number)
        case PegReleased(side):
            ledger = replace(ledger, current=None)
            return ledger.waits(side, *ledger.waiting[side], _Accepted()) if before.silent else ledger
        case ClaimJudged():
            return _judged(ledger, number, event, before)
        case ClaimRuled(side, points, verdict, ground):
            ruled = ClaimMade(at=number, deal=before.deal, side=side, called=points, verdict=verdict, ground=ground)
            muggins = ground is Ground.MUGGINS or verdict is Verdict.UNVERIFIED
            return replace(ledger.with_row(ruled), mugged=ledger.mugged or muggins)
        case MugginsRuled(side, against, called, missed, verdict, combinations, ground):
            muggins_called = ClaimMade(
                at=number,
                deal=before.deal,
                side=side,
                ground=ground,
                called=called,
                due=missed,
                combinations=combinations,
                verdict=verdict,
                against=against,
            )
            return replace(ledger.with_row(muggins_called), mugged=True)
        case ClaimChallenged(side):
            at = ledger.latest(side)
            if ledger.waiting[side] or at is None or ledger.rows[at].accepted_at is not None:
                return replace(ledger, challenged=ledger.challenged | {side})
            return ledger.but_row(at, replace(ledger.rows[at], challenged=True))
        case ClaimAccepted(side, by):
            return _accepted(ledger, number, side, by)
        case _:
            return _moved(ledger, number, event, before, after)


def _judged(ledger: _Ledger, number: int, event: ClaimJudged, before: Position) -> _Ledger:
    side = event.side
    stood = _Accepted()
    waiting = ledger.waiting[side]
    if waiting:
        stood, *rest = waiting
        ledger = ledger.waits(side, *rest)
    row = ClaimMade(
        at=number,
        deal=before.deal,
        side=side,
        ground=event.ground,
        called=event.called,
        due=event.due,
        occasions=event.occasions,
        combinations=event.combinations,
        verdict=event.verdict,
        challenged=side in ledger.challenged,
        accepted_by=stood.by,
        accepted_at=stood.at,
    )
    ledger = replace(ledger.with_row(row), challenged=ledger.challenged - {side})
    if before.silent and event.called:  # it was pegged as it was called, when the peg was let go
        return ledger.moved(Move(side, event.called, Ground.COUNT))
    return ledger


def _accepted(ledger: _Ledger, number: int, side: int, by: By) -> _Ledger:
    waiting = ledger.waiting[side]
    if waiting and waiting[-1].by is None:  # where the board was silent it is judged when it has been accepted
        return ledger.waits(side, *waiting[:-1], _Accepted(by, number))
    at = ledger.latest(side)
    if at is None or ledger.rows[at].accepted_at is not None:
        return ledger
    mugged = ledger.mugged and not ledger.rows[at].challenged
    return ledger.but_row(at, replace(ledger.rows[at], accepted_by=by, accepted_at=number, mugged=mugged))


def _moved(ledger: _Ledger, number: int, event: Event, before: Position, after: Position) -> _Ledger:
    """The pegs, and what keeps them from moving."""
    match event:
        case Awarded(side, _, ground):
            if ground is Ground.RENEGE:
                ledger = ledger.with_row(ClaimMade(at=number, deal=before.deal, side=side, ground=ground))
            return replace(ledger, award=ground)
        case Pegged(side, points):
            return replace(ledger.moved(Move(side, points, ledger.award or Ground.COUNT)), award=None)
        case SetBack(side, score, _, ground):
            return ledger.moved(Move(side, score - before.pegs[side].front, ground))
        case PointsBarred(side, points, bar):
            ground = Ground.SINGLE_POINT if bar is Bar.SINGLE_POINT else Ground.COUNT
            return ledger.moved(Move(side, points, ground, barred=True))
        case PassTakenBack():
            for side, (was, now) in enumerate(zip(before.pegs, after.pegs, strict=True)):
                for_go = (at for at, row in enumerate(ledger.rows) if row.side == side and Occasion.GO in row.occasions)
                at = max(for_go, default=None)
                if was.front != now.front and at is not None:
                    ledger = ledger.moved(Move(side, now.front - was.front, Ground.COUNT), at=at)
    return ledger
