"""What an opening is worth to the side that claims it, near the end of a game and elsewhere.

Points that were made do not always move a peg: some rules bar a single point near the end, or a score that would pass
the game hole (rules reference, 3.1 and 3.18). Each opening is a move of its own, judged from where the front peg
stands before it. This module must never know who presses what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribboard.events import Bar, Occasion, Verdict
from cribboard.position import Opening, Position
from cribboard.rules import Option, SinglePointRule
from cribboard.scoring import Combination


@dataclass(frozen=True, slots=True)
class Move:
    """What one opening comes to: `points` for the peg, and those that are `barred`, with the reason."""

    opening: Opening
    points: int
    barred: int = 0
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """What a call comes to: `closes` openings by their `moves`, of which `due` was due and `pegs` points are pegged."""

    moves: tuple[Move, ...]
    verdict: Verdict
    due: int
    pegs: int

    @property
    def closes(self) -> int:
        return len(self.moves)

    @property
    def combinations(self) -> tuple[Combination, ...]:
        return tuple(award for move in self.moves for award in move.opening.awards)


def no_single_point(p: Position, front: int) -> bool:
    """Whether a side whose front peg stands there can take no single point."""
    game = p.rules.game
    if game.no_single_point_from is None or front < game.no_single_point_from:
        return False
    return game.single_point_rule is not SinglePointRule.OUT_ONLY or front == game.target - 1


def moves(p: Position, side: int, openings: Sequence[Opening]) -> Iterator[Move]:
    """What each opening moves the peg of the side, one after the other. Never past the game hole."""
    game, front = p.rules.game, p.pegs[side].front
    for before, opening in zip((None, *openings), openings, strict=False):
        left, made = game.target - front, opening.due
        barred, bar = 0, None
        if game.exact_out is Option.ON and made > left:
            barred, bar = made, Bar.EXACT_OUT
        elif no_single_point(p, front) and (singles := _singles(game.single_point_rule, opening, before)):
            barred, bar = min(singles, made), Bar.SINGLE_POINT
        points = min(made - barred, left)
        front += points
        yield Move(opening, points, barred, bar)


def _singles(rule: SinglePointRule, opening: Opening, before: Opening | None) -> int:
    """Points that are barred as single ones: the whole of a move of one, or each combination that is worth one. A go
    that fell due with a card which scores is one move with it, if both are claimed at once."""
    if rule is SinglePointRule.COMPONENT:
        return sum(award.points for award in opening.awards if award.points == 1)
    with_card = opening.beside and before is not None and before.occasion is Occasion.CARD
    return opening.due if opening.due == 1 and not with_card else 0


def due(p: Position, side: int, openings: Sequence[Opening]) -> int:
    """What all of these openings are worth to the side."""
    return sum(move.points for move in moves(p, side, openings))


def judge(p: Position, side: int, openings: Sequence[Opening], called: int, *, at_least: int = 1) -> ClaimValue:
    """Compare a call of the side with what is due.

    Points that fell due one after the other (a card, then the go) may be called apart or together: a call closes as
    many of them as it takes to reach it, but `at_least` so many. Too many is set to the truth; too few stands. What
    rests on a card that could not be read stands as it was called, and closes all.
    """
    if not all(opening.verified for opening in openings):
        unknown = tuple(Move(opening, 0) for opening in openings)
        return ClaimValue(unknown, Verdict.UNVERIFIED, called, min(called, p.left_to_go(side)))
    made: list[Move] = []
    reached = 0
    for move in moves(p, side, openings):
        made.append(move)
        reached += move.points
        if reached >= called and len(made) >= at_least:
            return ClaimValue(tuple(made), Verdict.EXACT if reached == called else Verdict.TOO_FEW, reached, called)
    return ClaimValue(tuple(made), Verdict.TOO_MANY, reached, reached)
