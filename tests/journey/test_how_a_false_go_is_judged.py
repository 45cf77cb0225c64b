"""A false go as the bookkeeper judges it, held against section 4 of the rules reference, and how robots say one.

Nothing of the product plays in the first part: what fingers and cards do is written by hand.
"""

from __future__ import annotations

from random import Random

import pytest

from cribboard.rules import RULES
from cribd.robots.croupier import Counted, Croupier, FalseGoSeen, Go, Happening, Laid

from .bookkeeper import Bookkeeper
from .evening_by_hand import fronts, in_deal, peg, press, scan

BLUE, RED = 0, 1


def after_a_false_go(rules: str = "acc/2", *, standing: tuple[int, int] = (10, 20)) -> Bookkeeper:
    """Red says go at 24, though it holds a seven; blue has one for the go, and red leads the next count."""
    keeper = in_deal(rules, "verify", "2C", "TC", "9C", "5D", standing=standing)
    press(keeper, "go", RED)
    scan(keeper, "6H")
    press(keeper, "go", BLUE)
    peg(keeper, BLUE, standing[BLUE] + 1)
    press(keeper, "ok", BLUE)
    return keeper


def turn_and_stack(keeper: Bookkeeper) -> tuple[int, list[str]]:
    assert keeper.deal is not None
    return keeper.deal.play.turn, keeper.deal.play.stack


def test_the_other_side_has_two_points_and_may_take_play_back() -> None:
    keeper = after_a_false_go()
    assert fronts(keeper) == [11, 20]
    scan(keeper, "7S")
    assert fronts(keeper) == [11, 20]
    press(keeper, "ok", BLUE)
    assert fronts(keeper) == [12, 20]
    assert turn_and_stack(keeper) == (RED, ["TC", "9C", "5D"])
    scan(keeper, "7S")
    assert turn_and_stack(keeper) == (BLUE, [])  # it is 31 now, and no false go any more
    peg(keeper, RED, 22, 22)
    assert fronts(keeper) == [12, 22]


def test_or_the_card_lies_dead_and_is_counted_at_the_show_alone() -> None:
    keeper = after_a_false_go()
    scan(keeper, "7S")
    press(keeper, "challenge", BLUE)
    assert fronts(keeper) == [13, 20]
    assert keeper.deal is not None
    assert keeper.deal.hand(RED) == ["9C", "7S"]
    scan(keeper, "7S")
    assert turn_and_stack(keeper)[1] == []


def test_nothing_else_is_heard_before_the_other_side_has_answered() -> None:
    keeper = after_a_false_go()
    scan(keeper, "7S", "KD")
    press(keeper, "ok", RED)
    assert turn_and_stack(keeper) == (RED, [])
    assert fronts(keeper) == [11, 20]


def test_the_two_points_may_win() -> None:
    keeper = after_a_false_go(standing=(119, 20))
    scan(keeper, "7S")
    press(keeper, "ok", BLUE)
    assert keeper.phase == "won"


@pytest.mark.parametrize("card", ["8S", "KD"])
def test_a_card_that_did_not_fit_shows_nothing(card: str) -> None:
    keeper = after_a_false_go()
    scan(keeper, card)
    assert turn_and_stack(keeper) == (BLUE, [card])


@pytest.mark.parametrize("rules", ["six-card/2", "jeux50/2", "britannica/2 muggins=on"])
def test_without_a_penalty_the_card_is_laid(rules: str) -> None:
    keeper = after_a_false_go(rules)
    scan(keeper, "7S")
    assert turn_and_stack(keeper) == (BLUE, ["7S"])
    assert fronts(keeper) == [11, 20]


# Robots


def deals(count: int, *, lies_dead: bool) -> list[list[Happening]]:
    croupier = Croupier(Random(3), RULES["acc"], false_gos=0.5, lies_dead=lies_dead)
    return [list(croupier.deal(dealer % 2)) for dealer in range(count)]


@pytest.mark.parametrize("lies_dead", [False, True])
def test_robots_play_a_deal_to_its_end_with_a_false_go_in_it(lies_dead: bool) -> None:
    seen = 0
    for deal in deals(200, lies_dead=lies_dead):
        shown = [happening for happening in deal if isinstance(happening, FalseGoSeen)]
        laid = {happening.card for happening in deal if isinstance(happening, Laid)}
        first, second, _ = [happening.cards for happening in deal if isinstance(happening, Counted)]
        assert laid | {happening.card for happening in shown} == {*first, *second}
        if lies_dead and all(happening.may_die for happening in shown):  # else the dead come back with the play
            assert not laid & {happening.card for happening in shown}
        seen += bool(shown)
    assert seen > 20


def test_robots_that_are_honest_say_no_false_go() -> None:
    croupier = Croupier(Random(3), RULES["acc"])
    happenings = [happening for dealer in range(100) for happening in croupier.deal(dealer % 2)]
    assert any(isinstance(happening, Go) for happening in happenings)
    assert not any(isinstance(happening, FalseGoSeen) for happening in happenings)
