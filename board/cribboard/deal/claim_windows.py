"""Claim windows: the points that a side may claim now.

The value of a claim window is computed in `cribboard.deal.claim_comparison`; `cribboard.deal.claims` decides who may
claim.
"""

from __future__ import annotations

from cribboard.deal import exact_out, score_log
from cribboard.deal.claim_comparison import due, window_values
from cribboard.event_terms import OF_SHOW, Occasion, Timing, Verdict
from cribboard.events import ClaimJudged, CountEnded
from cribboard.position import ClaimWindow, Pegs, Position, UnjudgedCall, put, updated
from cribboard.rules import HeelsTiming, Option, Way

#: The most points above the open points of the play with which a call is still for the play, where calls are judged at
#: once. A fifteen or a pair scores this much.
SLIP = 2


def open_windows(p: Position, *windows: ClaimWindow) -> Position:
    """Open each claim window for the side of its seat."""
    for window in windows:
        side = p.rules.side_of(window.seat)
        p = updated(p, open_windows=put(p.open_windows, side, (*p.open_windows[side], window)))
    return p


def miss_open_windows(p: Position, seat: int) -> Position:
    """Mark open claim windows as missed when `seat` lays a card.

    His heels stay open until the dealer's own card. A go that only this card revealed, because no other seat held a
    card, is claimed with it. Without muggins what was missed stays until the next running count, with muggins until
    its side pegs again.
    """
    just_ended = any(isinstance(event, CountEnded) for event in p.last)
    heels_are_lost = p.rules.deal_and_play.heels_timing is HeelsTiming.BEFORE_DEALER_PLAYS
    missed_before = p.missed_windows
    if p.count_over and p.rules.claims.muggins is Option.OFF:
        missed_before = ((),) * len(p.pegs)
    still_open: list[tuple[ClaimWindow, ...]] = []
    missed: list[tuple[ClaimWindow, ...]] = []
    for mine, before in zip(p.open_windows, missed_before, strict=True):
        stay = tuple(
            o
            for o in mine
            if (o.occasion is Occasion.HEELS and seat != o.seat and o.verified)
            or (o.occasion is Occasion.GO and just_ended)
        )
        lost = (o for o in mine if o not in stay and not (heels_are_lost and o.occasion is Occasion.HEELS))
        still_open.append(stay)
        missed.append((*before, *lost))
    return updated(p, open_windows=tuple(still_open), missed_windows=tuple(missed))


def covered(p: Position, side: int, called: int = 0) -> tuple[ClaimWindow, ...]:
    """Return the claim windows that a call covers in a silent game.

    Normally they are all windows of the play. If the play has none, those of a hand or crib.

    A call above all that the play is worth is for the hand or crib (rules reference, 3.25)."""
    of_play, of_show = play_windows(p, side), tuple(o for o in p.open_windows[side] if o.occasion in OF_SHOW)
    above = p.rules.version > 1 and all(o.verified for o in of_play) and called > due(p, side, of_play)
    return of_show if not of_play or (of_show and above) else of_play


def called_for(p: Position, side: int, points: int) -> tuple[ClaimWindow, ...]:
    """Return the claim windows for a call of `points`.

    Where its last card and its hand are both open, a call little above the play is about the play alone: a slip there
    must not cost a hand. On auto the board calls everything at once, or one by one where each is a claim of its own
    (rules reference, 3.18).
    """
    windows = p.open_windows[side]
    if p.silent:
        return covered(p, side, points)
    if p.way is Way.AUTO:
        scores = [at for at, window in enumerate(windows, start=1) if window.due]
        return windows[: scores[0]] if scores and exact_out.is_required(p.rules.game) else windows
    return play_windows(p, side) if is_for_play(p, side, points) else windows


def is_for_play(p: Position, side: int, points: int) -> bool:
    """Whether a call of `points` is for the play alone.

    All cards of the play lie open, so their worth is public. Where calls are judged at once, a call up to `SLIP` above
    it is for the play too."""
    of_play = play_windows(p, side)
    if not all(window.verified for window in of_play):
        return True
    left = due(p, side, of_play)
    return left > 0 and 0 < points <= (left if p.silent else left + SLIP)


def play_windows(p: Position, side: int) -> tuple[ClaimWindow, ...]:
    """Return the side's open windows for the play and his heels."""
    return tuple(o for o in p.open_windows[side] if o.occasion not in OF_SHOW)


def store_unjudged_call(p: Position, side: int, called: int) -> Position:
    """Store a released call of a silent game.

    The first hand that is released closes the windows of the play for every side."""
    late = p.claim is not None and p.claim.timing is Timing.LATE
    covers = p.missed_windows[side] if late else covered(p, side, called)
    unjudged = (*p.unjudged, UnjudgedCall(side, called, covers, p.pegs[side]))
    missed = put(p.missed_windows, side, ())
    if late:
        return updated(p, unjudged=unjudged, missed_windows=missed)
    left = put(p.open_windows, side, tuple(o for o in p.open_windows[side] if o not in covers))
    if any(o.occasion in OF_SHOW for o in covers):
        left = tuple(tuple(o for o in windows if o.occasion in OF_SHOW) for windows in left)
        missed = ((),) * len(p.pegs)
    return updated(p, unjudged=unjudged, missed_windows=missed, open_windows=left)


def close_windows(p: Position, judged: ClaimJudged) -> Position:
    """Close the claim windows of a judged claim.

    If a side may add to a released peg, points that were not called stay open."""
    side, how_many = judged.side, len(judged.occasions)
    if p.silent:
        return _judged_at_last(p, judged)
    late = p.claim is not None and p.claim.timing is Timing.LATE
    p = score_log.judged(p, judged, (p.missed_windows if late else p.open_windows)[side][:how_many])
    if late:
        return updated(p, missed_windows=put(p.missed_windows, side, p.missed_windows[side][how_many:]))
    these, rest = p.open_windows[side][:how_many], p.open_windows[side][how_many:]
    if judged.verdict is Verdict.TOO_FEW and p.rules.claims.peg_release_final is Option.OFF:
        called = judged.called + sum(window.called or 0 for window in these)
        rest = (ClaimWindow(these[-1].occasion, these[-1].seat, judged.combinations, called), *rest)
    if p.declared_for and any(window.occasion is Occasion.GO for window in these):
        p = updated(p, pegged_for_go=_for_the_go(p, judged, these))
    return updated(p, open_windows=put(p.open_windows, side, rest))


def _judged_at_last(p: Position, judged: ClaimJudged) -> Position:
    call = next(other for other in p.unjudged if other.side == judged.side)
    if p.declared_for and any(is_go_of_count(p, window) for window in call.windows):
        before = updated(p, pegs=put(p.pegs, call.side, call.before))
        p = updated(p, pegged_for_go=_for_the_go(before, judged, call.windows))
    p = score_log.judged(p, judged, call.windows, points=call.called)
    return updated(p, unjudged=tuple(other for other in p.unjudged if other is not call))


def is_go_of_count(p: Position, window: ClaimWindow) -> bool:
    """Whether this window is for a go in the present count."""
    if window.occasion is not Occasion.GO:
        return False
    return any(card in p.cards for award in window.awards for card in award.cards) if window.verified else p.blind


def _for_the_go(p: Position, judged: ClaimJudged, these: tuple[ClaimWindow, ...]) -> tuple[int, Pegs]:
    """Return the go's points, and the pegs without those points."""
    front, back = p.pegs[judged.side].front, p.pegs[judged.side].back
    others = sum(v.points for v in window_values(p, judged.side, these) if v.window.occasion is not Occasion.GO)
    pegged = min(judged.called, judged.due)
    others = min(others, pegged)
    return pegged - others, Pegs(front + others, front if others else back)
