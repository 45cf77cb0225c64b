"""Muggins: another side takes the points that a side missed.

A challenge comes first (7.3): CHALLENGE raises it; then the challenger's OK says that the call was too much, a hole on
the challenger's own track says how much was missed, and CHALLENGE again withdraws it. Rules reference, section 4, and
ACC rule 10 as far as that quotes it. Whether anything was missed stays hidden until the peg for it is released: nothing
here may take a challenge, or refuse it, because of what is due.

Points of the play stay open to muggins until their side pegs again, and no longer than until the first hand is
released: `claim_windows.miss_open_windows` stores those that were never called, and `claims.release` judges calls.
"""

from __future__ import annotations

from dataclasses import replace

from cribboard import events
from cribboard.actions import By, IllegalAction
from cribboard.deal import claim_verdicts
from cribboard.deal.claim_comparison import window_values
from cribboard.deal.claim_windows import play_windows
from cribboard.deal.decision import Decision, must_be_ahead
from cribboard.deal.press_kind import is_count
from cribboard.event_terms import Ground, Occasion, Verdict
from cribboard.position import ClaimWindow, OpenChallenge, PegState, Phase, Position, put, updated
from cribboard.rules import Option, WrongMugginsCall


def is_played(p: Position) -> bool:
    """Whether muggins may be called in this game."""
    return p.silent and p.rules.claims.muggins is Option.ON


def may_challenge(p: Position, side: int) -> bool:
    """Whether this side may raise a challenge now.

    It may not while a side has a peg in hand. A challenge before the starter is turned is ruled too late."""
    if p.phase not in (Phase.DEAL, Phase.PLAY, Phase.SHOW) or p.open_challenge is not None or p.awaits_false_go_answer:
        return False
    claim = p.claim
    if claim is None:
        return True
    return claim.state is PegState.RELEASED and not (is_count(p) and claim.side == side)


def raise_or_withdraw(decision: Decision, side: int) -> None:
    """Raise a challenge for this side, or withdraw the side's open challenge."""
    p = decision.position
    if p.open_challenge is not None:
        if p.open_challenge.by != side:
            raise IllegalAction("waits_for_other_side", side=p.open_challenge.by)
        decision.add(events.ChallengeWithdrawn(side))
        return
    if not may_challenge(p, side):
        if p.claim is not None and p.claim.state is PegState.IN_HAND:
            raise IllegalAction("not_let_go", side=p.claim.side)
        raise IllegalAction("nothing_to_challenge")
    decision.add(events.ChallengeRaised(side, challenged_side(p, side)))


def challenged_side(p: Position, side: int) -> int:
    """Return the side against which a new challenge would be raised.

    It is the one that waits for an answer, or else the one that laid last, or else the one to the left."""
    if p.claim is not None and p.claim.side != side:
        return p.claim.side
    laid = (p.rules.side_of(seat) for seat, _ in reversed(p.stack))
    return next((other for other in laid if other != side), (side + 1) % len(p.pegs))


def challenge_as_too_much(decision: Decision, side: int) -> None:
    """Judge whether the challenged call was too high."""
    p = decision.position
    if p.claim is None or p.claim.side == side or p.claim.state is PegState.IN_HAND:
        raise IllegalAction("nothing_to_challenge")
    decision.add(events.ClaimChallenged(p.claim.side, side))
    claim_verdicts.judge_challenged_call(decision, side)


def claim_muggins(decision: Decision, side: int, points: int) -> None:
    """Claim this many missed points for the challenger."""
    must_be_ahead(decision.position, side, points)
    decision.add(events.MugginsTaken(side, points))


def settle_challenge(decision: Decision) -> None:
    """Settle the open challenge, if there is one.

    Judge its claim of muggins, or withdraw the challenge."""
    open_challenge = decision.position.open_challenge
    if open_challenge is None:
        return
    if open_challenge.points is None:
        decision.add(events.ChallengeWithdrawn(open_challenge.by))
    else:
        judge_muggins_claim(decision, open_challenge)


def challenge_is_too_early(p: Position, side: int) -> bool:
    """Whether the challenged side can still claim and has missed nothing."""
    open_challenge = p.open_challenge
    if open_challenge is None or open_challenge.against != side or p.claim is not None:
        return False
    if p.missed_windows[side] or claim_verdicts.unjudged_of(p, side):
        return False
    return bool(play_windows(p, side) if p.phase is Phase.SHOW else p.unclaimed(side))


def judge_muggins_claim(decision: Decision, open_challenge: OpenChallenge) -> None:
    """Judge a claim of muggins, and peg the missed points.

    Peg at most the number that was called. With several other sides, take one that missed something."""
    assert open_challenge.points is not None
    p = decision.position
    by, called = open_challenge.by, open_challenge.points
    others = sorted((side for side in p.rules.sides if side != by), key=lambda side: side != open_challenge.against)
    doubted = [side for side in others if p.missed_windows[side] or claim_verdicts.unjudged_of(p, side)]
    if not doubted:
        soon = p.phase is Phase.PLAY and any(p.unclaimed(side) for side in others)
        decision.add(events.ChallengeWithdrawn(by))
        decision.add(events.ClaimRuled(by, called, Verdict.OUT_OF_TURN if soon else Verdict.TOO_LATE, Ground.MUGGINS))
        return
    other = next((side for side in doubted if missed_by(p, side)[0]), doubted[0])
    missed, never_claimed = missed_by(p, other)
    unread = not missed and any(not o.verified for call in claim_verdicts.unjudged_of(p, other) for o in call.windows)
    for call in claim_verdicts.unjudged_of(p, other):
        claim_verdicts.judge_waiting_call(decision, call)
    if unread:  # only the players know whether anything was missed
        decision.add(events.ChallengeWithdrawn(by))
        decision.add(events.ClaimRuled(by, called, Verdict.UNVERIFIED, Ground.UNREAD))
    else:
        combinations = tuple(award for window in never_claimed for award in window.awards)
        verdict, ground = _verdict(called, missed)
        decision.add(events.MugginsRuled(by, other, called, missed, verdict, combinations, ground))
        if missed:
            claim_verdicts.award(decision, by, min(called, missed), Ground.MUGGINS)
        elif p.rules.claims.muggins_wrong_call is WrongMugginsCall.REVERSE:
            claim_verdicts.award(decision, other, called, Ground.WRONG_CALL)
    claim = decision.position.claim
    if not decision.won() and claim is not None and claim.side == other and claim.state is PegState.RELEASED:
        decision.add(events.ClaimAccepted(other, By.CHALLENGE))
        claim_verdicts.win(decision, other)


def missed_by(p: Position, side: int) -> tuple[int, tuple[ClaimWindow, ...]]:
    """Return the side's missed points, and its windows without a call.

    What it may still claim is not missed."""
    heels_count = p.rules.claims.muggins_on_heels is Option.ON
    never_claimed = tuple(
        o for o in p.missed_windows[side] if o.verified and (heels_count or o.occasion is not Occasion.HEELS)
    )
    missed = sum(value.points for value in window_values(p, side, never_claimed))
    for call in claim_verdicts.unjudged_of(p, side):
        heels = sum(o.due for o in call.windows if o.occasion is Occasion.HEELS and not heels_count)
        missed += max(0, claim_verdicts.compare_waiting_call(p, call).due - max(heels, call.called))
    return missed, never_claimed


def _verdict(called: int, missed: int) -> tuple[Verdict, Ground]:
    if not missed:
        return Verdict.NOTHING_MISSED, Ground.WRONG_CALL
    if called == missed:
        return Verdict.EXACT, Ground.MUGGINS
    return (Verdict.TOO_MANY if called > missed else Verdict.TOO_FEW), Ground.MUGGINS


# How the events change the position


def evolve(p: Position, event: events.MugginsEvent) -> Position:
    """Apply an event that concerns muggins."""
    match event:
        case events.ChallengeRaised():
            return updated(p, open_challenge=OpenChallenge(event.by, event.against))
        case events.MugginsTaken():
            return updated(p, open_challenge=p.open_challenge and replace(p.open_challenge, points=event.points))
        case events.ChallengeWithdrawn():
            return updated(p, open_challenge=None)
        case events.MugginsRuled():
            return updated(p, open_challenge=None, missed_windows=put(p.missed_windows, event.against, ()))
