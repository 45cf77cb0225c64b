"""The ledger of the claims in a game.

A row stands for a claim that was judged or refused, or for an award for a false go. The row has the call, the points
due, the acceptance and each gain or loss of holes by the claim, on either side, with the rule behind it. So the rows
that were not undone add up to the score. A call that is not judged yet has no row (design law 9). Reads a game that was
judged again, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cribboard import events
from cribboard.actions import By
from cribboard.event_terms import Bar, Ground, Occasion, Verdict
from cribboard.position import Position, put
from cribboard.scoring import Combination


@dataclass(frozen=True, slots=True)
class PegMove:
    """The holes that one side gained or lost by a claim."""

    side: int
    holes: int  # below 0 if lost
    ground: Ground  # the rule
    barred: bool = False  # the points moved no peg


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade:
    """One claim, as a row of the ledger.

    Points for a false go have a row too, without a call and a verdict."""

    at: int  # the number of the event that closed or ruled it
    deal: int
    side: int
    ground: Ground  # the rule that the verdict rests on
    called: int | None = None
    due: int | None = None  # for a call of muggins, what was missed
    occasions: tuple[Occasion, ...] = ()
    combinations: tuple[Combination, ...] = ()
    verdict: Verdict | None = None
    against: int | None = None  # the side that a call of muggins is against
    moves: tuple[PegMove, ...] = ()
    challenged: bool = False
    mugged: bool = False  # a call of muggins closed it
    accepted_by: By | None = None
    accepted_at: int | None = None  # the number of the event that accepted it; None: not yet, or it moved no peg
    undone: bool = False  # play went back to before it

    @property
    def grounds(self) -> tuple[Ground, ...]:
        """Every rule behind this row, first the rule of the verdict."""
        return tuple(dict.fromkeys((self.ground, *(move.ground for move in self.moves))))

    def gained(self, side: int) -> int:
        """Add up the holes that this side gained by the claim."""
        return sum(max(0, move.holes) for move in self.moves if move.side == side and not move.barred)

    def lost(self, side: int) -> int:
        """Add up the holes that this side lost by the claim."""
        return sum(max(0, -move.holes) for move in self.moves if move.side == side)


@dataclass(frozen=True, slots=True)
class _Accepted:
    """Who accepted an unjudged call, and at which event."""

    by: By | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class _Ledger:
    """The rows so far, and what the next row needs."""

    rows: tuple[ClaimMade, ...] = ()
    waiting: tuple[tuple[_Accepted, ...], ...] = ()  # by side, its calls that are not judged yet
    challenged: frozenset[int] = frozenset()  # sides whose next judged call was challenged
    current: int | None = None  # the row that the next moves belong to
    award: Ground | None = None  # the rule of points that were given and are pegged next
    mugged: bool = False  # this action ruled on muggins
    deal_began: int = 0  # the number of the event

    def with_row(self, row: ClaimMade) -> _Ledger:
        return replace(self, rows=(*self.rows, row), current=len(self.rows))

    def with_row_at(self, at: int, row: ClaimMade) -> _Ledger:
        return replace(self, rows=put(self.rows, at, row))

    def moved(self, *moves: PegMove, at: int | None = None) -> _Ledger:
        at = self.current if at is None else at
        if at is None:
            return self
        return self.with_row_at(at, replace(self.rows[at], moves=(*self.rows[at].moves, *moves)))

    def latest(self, side: int) -> int | None:
        """Return the index of this side's latest judged row, or None."""
        places = reversed(range(len(self.rows)))
        return next((at for at in places if self.rows[at].side == side and self.rows[at].occasions), None)

    def with_waiting(self, side: int, *calls: _Accepted) -> _Ledger:
        return replace(self, waiting=put(self.waiting, side, calls))


def claims_made(log: Sequence[events.Event], positions: Sequence[Position]) -> tuple[ClaimMade, ...]:
    """List all rows of the ledger, including undone rows.

    `positions` has the beginning and the position after each event."""
    ledgers = [_Ledger(waiting=((),) * len(positions[0].pegs))]
    for number, event in enumerate(log, start=1):
        before = ledgers[-1]
        match event:
            case events.Undone(to):
                ledger = _gone_back(before, ledgers[to])
            case events.RolledBack():
                false_go = positions[number - 1].false_go
                assert false_go is not None
                ledger = _gone_back(before, ledgers[false_go.before.number])
            case events.DealVoided():
                ledger = _gone_back(before, ledgers[before.deal_began])
            case _:
                ledger = _apply_event(before, number, event, positions[number - 1], positions[number])
        ledgers.append(ledger)
    return ledgers[-1].rows


def _gone_back(now: _Ledger, then: _Ledger) -> _Ledger:
    """Return the ledger after play has gone back from `now` to `then`.

    The later rows stay, marked as undone."""
    since = tuple(replace(row, undone=True) for row in now.rows[len(then.rows) :])
    return replace(then, rows=(*then.rows, *since), current=None)


def _apply_event(ledger: _Ledger, number: int, event: events.Event, before: Position, after: Position) -> _Ledger:
    """Return the ledger after an event that takes nothing back."""
    match event:
        case events.Acted():
            return replace(ledger, current=None, mugged=False)
        case events.DealBegan():
            return replace(ledger, current=None, deal_began=number)
        case events.PegReleased(side):
            ledger = replace(ledger, current=None)
            return ledger.with_waiting(side, *ledger.waiting[side], _Accepted()) if before.silent else ledger
        case events.ClaimJudged():
            return _judged(ledger, number, event, before)
        case events.ClaimRuled(side, points, verdict, ground):
            ruled = ClaimMade(at=number, deal=before.deal, side=side, called=points, verdict=verdict, ground=ground)
            muggins = ground is Ground.MUGGINS or verdict is Verdict.UNVERIFIED
            return replace(ledger.with_row(ruled), mugged=ledger.mugged or muggins)
        case events.MugginsRuled(side, against, called, missed, verdict, combinations, ground):
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
        case events.ClaimChallenged(side):
            at = ledger.latest(side)
            if ledger.waiting[side] or at is None or ledger.rows[at].accepted_at is not None:
                return replace(ledger, challenged=ledger.challenged | {side})
            return ledger.with_row_at(at, replace(ledger.rows[at], challenged=True))
        case events.ClaimAccepted(side, by):
            waiting = ledger.waiting[side]
            if waiting and waiting[-1].by is None:  # it is judged next
                return ledger.with_waiting(side, *waiting[:-1], _Accepted(by, number))
            at = ledger.latest(side)
            if at is None or ledger.rows[at].accepted_at is not None:
                return ledger
            mugged = ledger.mugged and not ledger.rows[at].challenged
            return ledger.with_row_at(at, replace(ledger.rows[at], accepted_by=by, accepted_at=number, mugged=mugged))
        case events.Awarded(side, _, ground):
            if ground is Ground.RENEGE:
                ledger = ledger.with_row(ClaimMade(at=number, deal=before.deal, side=side, ground=ground))
            return replace(ledger, award=ground)
        case events.Pegged(side, points):
            return replace(ledger.moved(PegMove(side, points, ledger.award or Ground.COUNT)), award=None)
        case events.SetBack(side, score, _, ground):
            return ledger.moved(PegMove(side, score - before.pegs[side].front, ground))
        case events.PointsBarred(side, points, bar):
            ground = Ground.SINGLE_POINT if bar is Bar.SINGLE_POINT else Ground.COUNT
            return ledger.moved(PegMove(side, points, ground, barred=True))
        case events.PassTakenBack():
            for side, (was, now) in enumerate(zip(before.pegs, after.pegs, strict=True)):
                for_go = (at for at, row in enumerate(ledger.rows) if row.side == side and Occasion.GO in row.occasions)
                at = max(for_go, default=None)
                if was.front != now.front and at is not None:
                    ledger = ledger.moved(PegMove(side, now.front - was.front, Ground.COUNT), at=at)
    return ledger


def _judged(ledger: _Ledger, number: int, event: events.ClaimJudged, before: Position) -> _Ledger:
    side = event.side
    stood, *rest = ledger.waiting[side] or (_Accepted(),)
    ledger = ledger.with_waiting(side, *rest)
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
    if before.silent and event.called:  # it was pegged as called when the peg was released
        return ledger.moved(PegMove(side, event.called, Ground.COUNT))
    return ledger
