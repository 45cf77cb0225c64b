"""What a press of a hole on one's own track means, before anybody asks which hole, and what the board asks about one.

Only what all can see decides (design law 9). Here is nothing that changes the game: `cribboard.claims` acts on it. See
the rules reference, 7.1 to 7.5, and A16.
"""

from __future__ import annotations

from enum import Enum, auto

from cribboard.claim_value import no_single_point
from cribboard.events import (
    Doubt,
    Occasion,
    Timing,
)
from cribboard.openings import covered, is_for_forgotten
from cribboard.position import PegState, Phase, Position
from cribboard.rules import Option, Way

#: No hand of four with a starter counts more than this, and none counts these (rules reference, A16).
MOST = 29
IMPOSSIBLE = frozenset({25, 26, 27})
NINETEEN = 19

#: The same of a hand of three (rules reference, 3.23); 19 is asked about like any.
MOST_OF_THREE = 20
IMPOSSIBLE_OF_THREE = frozenset({16, 17, 18})


def doubt_about(position: Position, side: int, points: int) -> Doubt:
    """What the board asks before it believes a peg `points` ahead. The game hole may be any count that wins."""
    most, impossible = MOST, IMPOSSIBLE | {NINETEEN}
    if _counts_hand_of_three(position, side):
        most, impossible = MOST_OF_THREE, IMPOSSIBLE_OF_THREE | {NINETEEN}
    if (nobs := position.rules.deal_and_play.his_nobs) > 1:  # with as much for his nobs any number may come about
        most, impossible = most + nobs - 1, frozenset()
    wins = points == position.left_to_go(side)
    if points == NINETEEN and points in impossible and not wins:
        return Doubt.NINETEEN
    if points > most or (points in impossible and not wins):
        return Doubt.FAR
    return Doubt.NONE


def _counts_hand_of_three(p: Position, side: int) -> bool:
    if p.counting is None or p.rules.deal_and_play.hand_size != 3:
        return False
    seat, occasion = p.counting
    return counts_next(p, side) or (occasion is Occasion.HAND and p.rules.side_of(seat) == side)


def takes_no_single(p: Position, side: int, points: int) -> bool:
    """Whether a peg so far ahead would advance by the one point that is barred. The game hole may be any count."""
    return points == 1 < p.left_to_go(side) and no_single_point(p, p.pegs[side].front)


def acceptor(p: Position) -> int | None:
    """The side whose OK the claim waits for: the one that counts next, or the one to the left of who claims. None
    where any other side may let go of the peg, as in the play (7.2)."""
    claim = p.claim
    if claim is None or not (is_count(p) or claim.timing is Timing.LATE):
        return None
    to_come = p.show_order()[p.counts_done + 1 :] if is_count(p) else ()
    others = (p.rules.side_of(seat) for seat, _ in to_come if p.rules.side_of(seat) != claim.side)
    return next(others, (claim.side + 1) % len(p.pegs))


def is_count(p: Position) -> bool:
    """Whether the claim is for the hand or crib that is being counted, and for nothing that the play left."""
    claim = p.claim
    if claim is None or p.counting is None or p.rules.side_of(p.counting[0]) != claim.side:
        return False
    if claim.state is PegState.RELEASED:
        return not p.unclaimed(claim.side)
    closes = covered(p, claim.side, claim.points) if p.silent else p.unclaimed(claim.side)
    return tuple(opening.occasion for opening in closes) == (p.counting[1],)


def counts_next(p: Position, side: int) -> bool:
    """Whether a press of `side` is its own next count, which accepts the count before it (7.2). It is not while there
    is nothing to accept, nor while what is in hand may yet be for the play and not for the hand."""
    claim = p.claim
    if claim is None or claim.side == side or not is_count(p) or claim.doubt is not Doubt.NONE:
        return False
    if p.rules.claims.verify_ack is Option.ON:
        return False
    return any(
        occasion is Occasion.HAND and p.rules.side_of(seat) == side and not p.cards_left(seat)
        for seat, occasion in p.show_order()[p.counts_done + 1 :][:1]
    )


class Press(Enum):
    """What a press of a hole on one's own track means, before anybody asks which hole."""

    MOVES = auto()
    """The peg in hand goes to another hole."""
    CLAIMS = auto()
    ADDS = auto()
    """The peg was let go, and may still be added to."""
    COUNTS = auto()
    """It accepts the count before, and is the side's own next count."""
    LATE = auto()
    TOO_LATE = auto()
    OUT_OF_TURN = auto()
    IS_DOWN = auto()
    """The peg was let go: nothing raises it."""
    WAITS = auto()
    """What the side called for its last card waits for an answer: it does not accept that by its own count."""


#: With these the peg is in hand; the others are ruled on, or refused.
TAKEN = frozenset({Press.MOVES, Press.CLAIMS, Press.ADDS, Press.COUNTS, Press.LATE})


def press_of(p: Position, side: int) -> Press:
    """What a press of this side means now (7.1, 7.2, 7.5). Only what all can see decides."""
    claim, mine = p.claim, p.claim is not None and p.claim.side == side
    if holds(p, side):
        return Press.MOVES
    if p.way is Way.TRUST:
        return Press.CLAIMS
    late = bool(p.missed[side]) and p.rules.claims.takes_late
    if mine and not p.open[side] and (p.silent or not late):
        others_count = p.counting is not None and p.rules.side_of(p.counting[0]) != side
        return Press.OUT_OF_TURN if others_count else Press.IS_DOWN
    if claim and not mine and is_count(p):
        return Press.COUNTS if counts_next(p, side) else Press.OUT_OF_TURN
    if waits_for_answer(p, side):
        return Press.WAITS
    if p.open[side]:
        return Press.ADDS if mine and not p.unclaimed(side) else Press.CLAIMS
    if late:
        return Press.LATE
    return Press.TOO_LATE if p.missed[side] and p.phase is Phase.PLAY else Press.OUT_OF_TURN


def press_at(p: Position, side: int, points: int) -> Press:
    """What a press of the hole so many points ahead means: where it could be for two things, the hole says which
    (rules reference, 3.25)."""
    meant = press_of(p, side)
    if meant in (Press.MOVES, Press.CLAIMS) and p.way is not Way.TRUST and is_for_forgotten(p, side, points):
        return Press.LATE if p.rules.claims.takes_late else Press.TOO_LATE
    return meant


def waits_for_answer(p: Position, side: int) -> bool:
    """Whether, in a silent game, what this side called for the play waits at the show for the others' OK: no card will
    be laid on it, and its own count must not cut their challenge short."""
    claim = p.claim
    if claim is None or not p.silent or p.phase is not Phase.SHOW or claim.side != side:
        return False
    return claim.state is PegState.RELEASED and bool(p.open[side])


def unverified(p: Position, side: int) -> bool:
    """Whether the side may claim what no card tells: on auto the board does not call that."""
    return any(not opening.verified for opening in (p.open[side] if p.open else ()))


def counts(p: Position, side: int) -> bool:
    """Whether it is the count of this side."""
    return p.counting is not None and p.rules.side_of(p.counting[0]) == side


def holds(p: Position, side: int) -> bool:
    """Whether this side has a peg in hand."""
    return p.claim is not None and p.claim.side == side and p.claim.state is PegState.IN_HAND
