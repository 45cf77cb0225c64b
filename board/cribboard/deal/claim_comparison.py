"""Compare a claim with the points due.

Points that were made do not always move a peg: some rules bar a single point near the end (`rule_of_116`), or a score
past the game hole (rules reference, 3.1 and 3.18). Each claim window is a move of its own, valued from where the front
peg stands before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribboard.deal import exact_out, rule_of_116
from cribboard.event_terms import Bar, Verdict
from cribboard.position import ClaimWindow, Position


@dataclass(frozen=True, slots=True)
class WindowValue:
    """The value of one claim window."""

    window: ClaimWindow
    points: int  # how far the peg moves
    barred: int = 0  # points that were made and move no peg
    bar: Bar | None = None  # why


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """The comparison of a claim with the points due."""

    values: tuple[WindowValue, ...]  # of the claim windows that it closes
    verdict: Verdict
    due: int
    pegs: int  # points that are pegged for it


def window_values(p: Position, side: int, windows: Sequence[ClaimWindow]) -> Iterator[WindowValue]:
    """Yield the value of each claim window in order.

    The points stop at the game hole."""
    game, front = p.rules.game, p.pegs[side].front
    for before, window in zip((None, *windows), windows, strict=False):
        left, made = game.target - front, window.due
        barred, bar = 0, None
        if exact_out.is_required(game) and made > left:
            barred, bar = made, Bar.EXACT_OUT
        elif rule_of_116.applies_at(game, front) and (
            singles := rule_of_116.barred_points_of(game.single_point_rule, window, before)
        ):
            barred, bar = min(singles, made), Bar.SINGLE_POINT
        points = min(made - barred, left)
        front += points
        yield WindowValue(window, points, barred, bar)


def due(p: Position, side: int, windows: Sequence[ClaimWindow]) -> int:
    """Add up the points to peg for these claim windows."""
    return sum(value.points for value in window_values(p, side, windows))


def compare_claim(
    p: Position, side: int, windows: Sequence[ClaimWindow], called: int, *, at_least: int = 1
) -> ClaimComparison:
    """Compare a call with the points due for these windows.

    Points that fell due one after the other (a card, then the go) may be called separately or together: a call closes
    as many claim windows as it takes to reach it, and at least `at_least`. An over-claim is set to the truth; an
    under-claim stands. A call that rests on an unread card stands as called, and closes all.
    """
    if not all(window.verified for window in windows):
        unknown = tuple(WindowValue(window, 0) for window in windows)
        return ClaimComparison(unknown, Verdict.UNVERIFIED, called, min(called, p.left_to_go(side)))
    made: list[WindowValue] = []
    reached = 0
    for value in window_values(p, side, windows):
        made.append(value)
        reached += value.points
        if reached >= called and len(made) >= at_least:
            return ClaimComparison(
                tuple(made), Verdict.EXACT if reached == called else Verdict.TOO_FEW, reached, called
            )
    return ClaimComparison(tuple(made), Verdict.TOO_MANY, reached, reached)
