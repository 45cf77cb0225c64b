"""The meaning of a press on a side's own track.

It depends only on what everybody at the table can see (design law 9). Rules reference, 7.1 to 7.5 and A16.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from cribboard.deal import late_claims
from cribboard.deal.claim_windows import covered
from cribboard.event_terms import Doubt, Occasion, Timing
from cribboard.position import PegState, Phase, Position
from cribboard.rules import Option, Way


def acceptor(p: Position) -> int | None:
    """Return the side that must accept the open claim.

    It is the side that counts next, or else the side to the claimant's left. None if any other side may accept, as in
    the play (7.2)."""
    claim = p.claim
    if claim is None or not (is_count(p) or claim.timing is Timing.LATE):
        return None
    to_come = p.show_order()[p.counts_done + 1 :] if is_count(p) else ()
    others = (p.rules.side_of(seat) for seat, _ in to_come if p.rules.side_of(seat) != claim.side)
    return next(others, (claim.side + 1) % len(p.pegs))


def is_count(p: Position) -> bool:
    """Whether the open claim is only for a hand or crib."""
    claim = p.claim
    if claim is None or p.counting is None or not is_counting(p, claim.side):
        return False
    if claim.state is PegState.RELEASED:
        return not p.unclaimed(claim.side)
    closes = covered(p, claim.side, claim.points) if p.silent else p.unclaimed(claim.side)
    return tuple(window.occasion for window in closes) == (p.counting[1],)


def counts_next(p: Position, side: int) -> bool:
    """Whether a press of `side` begins the side's own count (7.2).

    The press then accepts the count before. False if there is nothing to accept, or if the peg in hand may be for the
    play."""
    claim = p.claim
    if claim is None or claim.side == side or not is_count(p) or claim.doubt is not Doubt.NONE:
        return False
    if p.rules.claims.verify_ack is Option.ON:
        return False
    return any(
        occasion is Occasion.HAND and p.rules.side_of(seat) == side and not p.cards_left(seat)
        for seat, occasion in p.show_order()[p.counts_done + 1 :][:1]
    )


class PressKind(Enum):
    """The meanings of a press on the side's own track."""

    MOVES = auto()  # the peg in hand moves to another hole
    CLAIMS = auto()  # a new claim
    ADDS = auto()  # the peg was released and may still be added to
    COUNTS = auto()  # the side begins its own count and so accepts the count before it
    LATE = auto()  # a late claim, which the other side may accept
    TOO_LATE = auto()  # a late claim, which the rules refuse
    OUT_OF_TURN = auto()  # the side has nothing to claim now
    IS_DOWN = auto()  # the peg was released and does not move
    WAITS = auto()  # the side's call for its last card waits for an answer; its own count does not answer it


#: Presses that take the peg in hand. The others are ruled on, or refused.
TAKEN = (PressKind.MOVES, PressKind.CLAIMS, PressKind.ADDS, PressKind.COUNTS, PressKind.LATE)


def press_of(p: Position, side: int) -> PressKind:
    """Return what a side's press means now (7.1, 7.2, 7.5).

    The hole can change this: see `press_at`."""
    claim, mine = p.claim, p.claim is not None and p.claim.side == side
    if has_peg_in_hand(p, side):
        return PressKind.MOVES
    if p.way is Way.TRUST:
        return PressKind.CLAIMS
    late = late_claims.may_be_accepted(p, side)
    if mine and not p.open_windows[side] and (p.silent or not late):
        others_count = p.counting is not None and p.rules.side_of(p.counting[0]) != side
        return PressKind.OUT_OF_TURN if others_count else PressKind.IS_DOWN
    if claim and not mine and is_count(p):
        return PressKind.COUNTS if counts_next(p, side) else PressKind.OUT_OF_TURN
    if waits_for_answer(p, side):
        return PressKind.WAITS
    if p.open_windows[side]:
        return PressKind.ADDS if mine and not p.unclaimed(side) else PressKind.CLAIMS
    if late:
        return PressKind.LATE
    return PressKind.TOO_LATE if late_claims.is_too_late(p, side) else PressKind.OUT_OF_TURN


def press_at(p: Position, side: int, points: int) -> PressKind:
    """Return the meaning of a press `points` ahead of the front peg.

    If a press can mean two things, the hole decides (3.25)."""
    return presses_at(p, side, (points,))[0]


def presses_at(p: Position, side: int, holes: Sequence[int]) -> list[PressKind]:
    """List the meaning of a press at each hole.

    `holes` are numbers of points ahead of the front peg."""
    meant = press_of(p, side)
    if meant not in (PressKind.MOVES, PressKind.CLAIMS) or p.way is Way.TRUST:
        return [meant] * len(holes)
    forgotten = late_claims.calls_for_missed(p, side)
    late = PressKind.LATE if late_claims.may_be_accepted(p, side) else PressKind.TOO_LATE
    return [late if points in forgotten else meant for points in holes]


def waits_for_answer(p: Position, side: int) -> bool:
    """Whether a call for the play still waits for an OK.

    True only at the show of a silent game. No card can accept the call any more, and the side's own count must not
    end a challenge early."""
    claim = p.claim
    if claim is None or not p.silent or p.phase is not Phase.SHOW or claim.side != side:
        return False
    return claim.state is PegState.RELEASED and bool(p.open_windows[side])


def may_claim_unread(p: Position, side: int) -> bool:
    """Whether the side may claim points of an unread card.

    On auto the board does not call such points."""
    return any(not window.verified for window in (p.open_windows[side] if p.open_windows else ()))


def is_counting(p: Position, side: int) -> bool:
    """Whether a hand or crib of this side is being counted."""
    return p.counting is not None and p.rules.side_of(p.counting[0]) == side


def has_peg_in_hand(p: Position, side: int) -> bool:
    return p.claim is not None and p.claim.side == side and p.claim.state is PegState.IN_HAND
