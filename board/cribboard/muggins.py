"""Muggins: the other side takes what a call left out, or what was never called at all.

A hole alone is never muggins. CHALLENGE raises a question first (7.3): the challenger's OK says that the call was too
much, a hole on the challenger's own track that so much was missed, CHALLENGE again takes it back. See the rules
reference, section 4, and ACC rule 10 as far as that quotes it. Whether anything was missed is known to nobody before
the peg for it is let go: nothing here may take a challenge, or refuse it, because of what is due.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard import verdicts
from cribboard.actions import By, IllegalAction
from cribboard.claim_value import moves
from cribboard.decision import Ruling
from cribboard.events import (
    ChallengeRaised,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimRuled,
    Ground,
    MugginsRuled,
    MugginsTaken,
    Occasion,
    Verdict,
)
from cribboard.openings import left_open
from cribboard.position import Opening, PegState, Phase, Position, Raised, Standing
from cribboard.press_kind import is_count
from cribboard.rules import Option, WrongCall


def is_played(p: Position) -> bool:
    """Whether a challenge may come to muggins here."""
    return p.silent and p.rules.claims.muggins is Option.ON


def may_challenge(p: Position, side: int) -> bool:
    """Whether this side may raise a challenge: while no other peg is in hand; between two deals it is told that it is
    too late."""
    if p.phase not in (Phase.DEAL, Phase.PLAY, Phase.SHOW) or p.raised is not None or p.renege:
        return False
    claim = p.claim
    if claim is None:
        return True
    return claim.state is PegState.RELEASED and not (is_count(p) and claim.side == side)


def challenge(ruling: Ruling, side: int) -> None:
    """CHALLENGE: raised, or taken back by who raised it."""
    p = ruling.position
    if p.raised is not None:
        if p.raised.by != side:
            raise IllegalAction("waits_for_other_side", side=p.raised.by)
        ruling.add(ChallengeWithdrawn(side))
        return
    if not may_challenge(p, side):
        if p.claim is not None and p.claim.state is PegState.IN_HAND:
            raise IllegalAction("not_let_go", side=p.claim.side)
        raise IllegalAction("nothing_to_challenge")
    ruling.add(ChallengeRaised(side, against(p, side)))


def against(p: Position, side: int) -> int:
    """Whose call is challenged: the one that waits for an answer, or that of the side which laid last. With nothing of
    the kind, the side to the left."""
    if p.claim is not None and p.claim.side != side:
        return p.claim.side
    laid = (p.rules.side_of(seat) for seat, _ in reversed(p.stack))
    return next((other for other in laid if other != side), (side + 1) % len(p.pegs))


def too_much(ruling: Ruling, side: int) -> None:
    """The challenger's own OK with no points in hand: the call that waits was too much."""
    p = ruling.position
    if p.claim is None or p.claim.side == side or p.claim.state is PegState.IN_HAND:
        raise IllegalAction("nothing_to_challenge")
    ruling.add(ClaimChallenged(p.claim.side, side))
    verdicts.too_much(ruling, side)


def take(ruling: Ruling, side: int, points: int) -> None:
    """A hole on the challenger's own track: so many points were missed."""
    left = ruling.position.left_to_go(side)
    if points < 1:
        raise IllegalAction("behind_the_peg", points=points)
    if points > left:
        raise IllegalAction("past_the_end", points=points, left=left)
    ruling.add(MugginsTaken(side, points))


def settle(ruling: Ruling) -> None:
    """Somebody goes on: muggins in hand is let go, and a question with no points is asked no more."""
    raised = ruling.position.raised
    if raised is None:
        return
    if raised.points is None:
        ruling.add(ChallengeWithdrawn(raised.by))
    else:
        let_go(ruling, raised)


def is_in_time(p: Position, side: int) -> bool:
    """Whether the side that is challenged can still claim all that it made: then the challenge was too soon."""
    raised = p.raised
    if raised is None or raised.against != side or p.claim is not None:
        return False
    if p.missed[side] or _standing(p, side):
        return False
    return bool(left_open(p, side) if p.phase is Phase.SHOW else p.unclaimed(side))


def let_go(ruling: Ruling, raised: Raised) -> None:
    """From here the call of muggins counts: what was missed is told, and the lesser of called and missed is pegged. Of
    several other sides it is for the one that has missed something."""
    assert raised.points is not None
    p = ruling.position
    by, called = raised.by, raised.points
    others = sorted((side for side in p.rules.sides if side != by), key=lambda side: side != raised.against)
    doubted = [side for side in others if p.missed[side] or _standing(p, side)]
    if not doubted:
        soon = p.phase is Phase.PLAY and any(p.unclaimed(side) for side in others)
        ruling.add(ChallengeWithdrawn(by))
        ruling.add(ClaimRuled(by, called, Verdict.OUT_OF_TURN if soon else Verdict.TOO_LATE, Ground.MUGGINS))
        return
    other = next((side for side in doubted if _missed_by(p, side)[0]), doubted[0])
    missed, never_claimed = _missed_by(p, other)
    unread = not missed and any(not o.verified for each in _standing(p, other) for o in each.openings)
    for each in _standing(p, other):
        verdicts.compare(ruling, each)
    if unread:  # nobody can know whether anything was missed
        ruling.add(ChallengeWithdrawn(by))
        ruling.add(ClaimRuled(by, called, Verdict.UNVERIFIED, Ground.UNREAD))
    else:
        combinations = tuple(award for opening in never_claimed for award in opening.awards)
        verdict, ground = _verdict(called, missed)
        ruling.add(MugginsRuled(by, other, called, missed, verdict, combinations, ground))
        if missed:
            verdicts.award(ruling, by, min(called, missed), Ground.MUGGINS)
        elif p.rules.claims.muggins_wrong_call is WrongCall.REVERSE:
            verdicts.award(ruling, other, called, Ground.WRONG_CALL)
    claim = ruling.position.claim
    if not ruling.won() and claim is not None and claim.side == other and claim.state is PegState.RELEASED:
        ruling.add(ClaimAccepted(other, By.CHALLENGE))
        verdicts.win(ruling, other)


def _standing(p: Position, side: int) -> tuple[Standing, ...]:
    return tuple(each for each in p.standing if each.side == side)


def _missed_by(p: Position, side: int) -> tuple[int, tuple[Opening, ...]]:
    """How much this side has missed, and what of it was never claimed. What it may still claim is not missed yet."""
    never_claimed = _that_count(p, p.missed[side])
    missed = sum(move.points for move in moves(p, side, never_claimed))
    for each in _standing(p, side):
        heels = sum(o.due for o in each.openings if o.occasion is Occasion.HEELS and not _heels_count(p))
        missed += max(0, verdicts.weigh(p, each).due - max(heels, each.called))
    return missed, never_claimed


def _verdict(called: int, missed: int) -> tuple[Verdict, Ground]:
    if not missed:
        return Verdict.NOTHING_MISSED, Ground.WRONG_CALL
    if called == missed:
        return Verdict.EXACT, Ground.MUGGINS
    return (Verdict.TOO_MANY if called > missed else Verdict.TOO_FEW), Ground.MUGGINS


def _heels_count(p: Position) -> bool:
    return p.rules.claims.muggins_on_heels is Option.ON


def _that_count(p: Position, openings: Sequence[Opening]) -> tuple[Opening, ...]:
    """Of what was never claimed, what muggins may be called on."""
    return tuple(o for o in openings if o.verified and (_heels_count(p) or o.occasion is not Occasion.HEELS))
