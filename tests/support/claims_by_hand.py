"""Claims that the tests of `judgement_by_the_rules` start from. Blue is 0, red is 1, and red deals.

It must never import anything of the product.
"""

from __future__ import annotations

from tests.bookkeeper.claims_by_the_rules import Count
from tests.bookkeeper.judgement_by_the_rules import Judge
from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import Opening, read_rules

BLUE, RED, GREEN = 0, 1, 2
BRITANNICA = "britannica muggins=on"


def judge(rules: str, blue: int = 0, red: int = 0) -> Judge:
    """A judge for these rules and scores."""
    at_table = Judge(read_rules(rules))
    at_table.pegs = [Pegs(blue, 0), Pegs(red, 0)]
    return at_table


def fronts(at_table: Judge) -> tuple[int, ...]:
    return tuple(pegs.front for pegs in at_table.pegs)


def words(at_table: Judge) -> list[str]:
    return [verdict.word for verdict in at_table.verdicts]


def counting(rules: str, worth: int, blue: int = 0, red: int = 0, *, crib: bool = False) -> Judge:
    """Blue counts a hand that is worth this much."""
    at_table = judge(rules, blue, red)
    at_table.open_count(Count(BLUE, RED, Opening((worth,), "hand"), crib=crib))
    return at_table


def counted(rules: str, worth: int, called: int, blue: int = 0, red: int = 0) -> Judge:
    """Blue has called this many points for it and let go."""
    at_table = counting(rules, worth, blue, red)
    lets_go(at_table, BLUE, called)
    return at_table


def lets_go(at_table: Judge, side: int, points: int) -> None:
    to = min(at_table.pegs[side].front + points, at_table.rules.target)
    if points:
        at_table.press(side, to)
    else:
        at_table.ok(side)
    at_table.ok(side)


def laid(at_table: Judge, side: int, *worth: int, leads: bool = False, about: str = "card") -> None:
    """A side lays a card that brings these points."""
    at_table.next_card(leads=leads, dealers_own=side == RED)
    at_table.brings(side, [Opening((points,), about) for points in worth])


def calls_muggins(at_table: Judge, side: int, points: int) -> None:
    at_table.challenge(side)
    at_table.press(side, at_table.pegs[side].front + points)
    at_table.ok(side)
