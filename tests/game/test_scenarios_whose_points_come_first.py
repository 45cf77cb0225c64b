"""A78 of the rules reference: the order of points decides who wins, and not that of the fingers.

Heels come first, then the play as it went, then the hands in seat order, then the crib (3.24).
"""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, GREEN, RED, SIX_CARD, Table, card, ruling_in

from cribboard import RULES, Rules
from cribboard.actions import Accept, Challenge, LayCard, PutPegBack, ReleasePeg, TakePegInHand, TakeZero
from cribboard.event_terms import Occasion
from cribboard.events import PegPutBack
from cribboard.position import Phase
from cribboard.rules import changed
from cribboard.view import PromptKind, see

MUGGINS = changed(RULES["britannica"], {"muggins": "on"})
of_two = pytest.mark.parametrize(
    "rules",
    [SIX_CARD, RULES["jeux50"], RULES["acc"], RULES["britannica"], MUGGINS],
    ids=["six-card", "jeux50", "acc", "britannica", "muggins"],
)


def red_laid_last(rules: Rules = SIX_CARD, scores: tuple[int, int] = (117, 120), way: str = "verify") -> Table:
    """Red deals, and its last card is worth one; blue's hand of nine is to be counted."""
    table = Table(way, rules=rules, scores=scores)
    table.starter("TC")
    table.do(*(LayCard(seat, card(name)) for seat, name in ((BLUE, "KS"), (RED, "QH"), (BLUE, "6H"), (RED, "2D"))))
    table.play("go go 5D 9S 4C 8C")
    assert table.now.phase is Phase.SHOW
    return table


# The last card


@of_two
def test_a78_the_dealers_last_card_wins_although_the_pone_lifted_a_peg_for_the_hand_first(rules: Rules) -> None:
    table = red_laid_last(rules)
    table.do(TakePegInHand(BLUE, 4))
    assert TakePegInHand(RED, 1) in table.game.expected()
    assert PegPutBack(BLUE) in table.do(TakePegInHand(RED, 1))
    table.do(ReleasePeg(RED))
    if table.now.silent:
        table.do(Accept(BLUE))
    assert (table.now.phase, table.now.winner, table.scores) == (Phase.WON, RED, (117, 121))


@of_two
def test_a_hand_does_not_win_while_the_last_card_may_still_be_claimed(rules: Rules) -> None:
    table = red_laid_last(rules)
    table.do(TakePegInHand(BLUE, 4))
    assert table.refused(ReleasePeg(BLUE)) == "points_first"
    prompt = see(table.now).prompt
    assert (prompt.kind, prompt.side) == (PromptKind.POINTS_FIRST, RED)


@of_two
def test_the_dealers_ok_says_that_it_claims_no_last_card(rules: Rules) -> None:
    table = red_laid_last(rules)
    table.do(TakePegInHand(BLUE, 4), Accept(RED))
    assert (table.now.winner, table.scores) == (BLUE, (121, 120))


def test_in_an_open_game_a_challenge_accepts_the_hand_like_an_ok() -> None:
    table = red_laid_last()
    table.do(TakePegInHand(BLUE, 4), Challenge(RED))
    assert table.now.winner == BLUE


@of_two
def test_a_last_card_that_does_not_win_is_claimed_before_the_hand_wins(rules: Rules) -> None:
    table = red_laid_last(rules, scores=(117, 89))
    table.do(TakePegInHand(BLUE, 4), TakePegInHand(RED, 1), ReleasePeg(RED))
    if table.now.silent:
        table.do(Accept(BLUE))
    assert table.scores == (117, 90)
    table.do(TakePegInHand(BLUE, 4), ReleasePeg(BLUE))
    if table.now.silent:
        table.do(Accept(RED))
    assert (table.now.winner, table.scores) == (BLUE, (121, 90))


@of_two
def test_a_last_card_that_was_claimed_holds_nothing_up(rules: Rules) -> None:
    table = red_laid_last(rules, scores=(117, 110))
    table.claim(RED, 1)
    table.do(TakePegInHand(BLUE, 4), ReleasePeg(BLUE))
    if table.now.silent:
        table.do(Accept(RED))
    assert (table.now.winner, table.scores) == (BLUE, (121, 111))


def test_a_hand_that_does_not_reach_the_game_hole_waits_for_nothing() -> None:
    table = red_laid_last(scores=(100, 120))
    table.press(BLUE, 9)
    assert table.scores == (109, 120)


@pytest.mark.parametrize("rules", [RULES["acc"], MUGGINS], ids=["acc", "muggins"])
def test_in_a_silent_game_a_peg_lifted_for_a_hand_does_not_take_the_last_card_for_the_dealers_hand(
    rules: Rules,
) -> None:
    table = red_laid_last(rules, scores=(60, 70))
    table.do(TakePegInHand(BLUE, 9), TakePegInHand(RED, 1), ReleasePeg(RED), Accept(BLUE))
    assert table.scores == (60, 71)
    assert table.claim(BLUE, 9).due == 9


def test_a_press_above_the_last_card_is_the_dealers_own_count_and_accepts_the_hand() -> None:
    table = red_laid_last(scores=(117, 110))
    table.do(TakePegInHand(BLUE, 4))
    assert table.refused(TakePegInHand(RED, 9)) == "points_first"
    table.do(Accept(RED))
    assert table.now.winner == BLUE


def test_the_claimant_may_think_again_while_its_peg_waits() -> None:
    table = red_laid_last()
    table.do(TakePegInHand(BLUE, 4), TakePegInHand(BLUE, 3), ReleasePeg(BLUE))
    assert table.scores == (120, 120)
    table = red_laid_last()
    table.do(TakePegInHand(BLUE, 4), PutPegBack(BLUE))
    assert table.now.claim is None


def test_on_trust_a_peg_at_the_game_hole_goes_back_when_another_side_presses() -> None:
    table = Table("trust", scores=(117, 120))
    assert PegPutBack(BLUE) in table.do(TakePegInHand(BLUE, 4), TakePegInHand(RED, 1))
    table.do(ReleasePeg(RED))
    assert (table.now.winner, table.scores) == (RED, (117, 121))


def test_a_point_that_is_barred_holds_nothing_up() -> None:
    table = red_laid_last(changed(SIX_CARD, {"no_single_point_from": 116}), scores=(117, 120))
    table.press(BLUE, 4)
    assert (table.now.winner, table.scores) == (BLUE, (121, 120))


# With more sides

THREE = RULES["three-player"]


def green_laid_last(scores: tuple[int, int, int], rules: Rules = THREE) -> Table:
    """Blue leads and green deals."""
    table = Table(rules=rules, scores=scores)
    table.starter("TC")
    table.play("K Q T go go A")
    while table.now.phase is Phase.PLAY:
        p = table.now
        assert p.turn is not None
        count = 0 if p.count_over else p.count
        names = {0: "6H 5D 4C", 1: "2D 9S 8C", 2: "7D 3C"}[p.turn].split()
        fits = [name for name in names if not p.seen(card(name)) and count + card(name).value <= 31]
        table.play(fits[0] if fits else "go")
    return table


def test_with_three_sides_the_points_of_the_last_card_come_before_a_hand() -> None:
    table = green_laid_last((117, 50, 120))
    (last,) = [side for side in (BLUE, RED, GREEN) if any(o.occasion == "card" for o in table.now.unclaimed(side))]
    assert last != BLUE
    other = RED if last == GREEN else GREEN
    table.do(TakePegInHand(BLUE, 4))
    assert table.refused(ReleasePeg(BLUE)) == "points_first"
    assert table.refused(Accept(other)) == "points_first" if other == RED else "not_your_claim"
    table.do(Accept(last))
    assert table.now.winner == BLUE


def test_his_heels_come_before_a_pair_of_the_play() -> None:
    table = Table(rules=THREE, scores=(50, 119, 119))
    table.starter("JC")
    table.play("5")
    table.do(LayCard(RED, card("5D")), TakePegInHand(RED, 2))
    assert table.refused(ReleasePeg(RED)) == "points_first"
    assert table.refused(LayCard(GREEN, card("2D"))) == "points_first"
    assert PegPutBack(RED) in table.do(TakePegInHand(GREEN, 2))
    table.do(ReleasePeg(GREEN))
    assert (table.now.winner, table.scores) == (GREEN, (50, 119, 121))


def test_a_go_of_the_count_before_comes_before_the_last_card() -> None:
    table = Table(scores=(120, 118))
    table.starter("2C")
    table.play("T 8 K 3 9 4 J")
    table.do(LayCard(RED, card("KD")))
    assert table.scores == (120, 118)
    table.do(TakePegInHand(RED, 3))
    assert TakePegInHand(BLUE, 1) in table.game.expected()
    table.do(TakePegInHand(BLUE, 1), ReleasePeg(BLUE))
    assert (table.now.winner, table.scores) == (BLUE, (121, 118))


def test_each_of_two_sides_that_are_waited_for_says_ok() -> None:
    """Green's last card passes 31: the go is red's, the last card green's, and blue counts first."""
    for first, last in ((RED, GREEN), (GREEN, RED)):
        table = Table(rules=THREE, scores=(117, 50, 60))
        table.starter("TC")
        table.play("AC 9D 5H AD 8S 3C AH go go AS JD 6H 7C TD")
        assert table.now.counting == (BLUE, Occasion.HAND)
        table.do(TakePegInHand(BLUE, 4))
        assert table.refused(ReleasePeg(BLUE)) == "points_first"
        table.do(Accept(first))
        assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.POINTS_FIRST, last)
        table.do(Accept(last))
        assert table.now.winner == BLUE


# Hands in their order


def test_the_pones_hand_comes_before_the_dealers() -> None:
    table = red_laid_last(scores=(117, 119))
    table.claim(RED, 1)
    assert ruling_in(table.do(TakePegInHand(RED, 1))).verdict == "out-of-turn"
    table.do(TakePegInHand(BLUE, 4), TakePegInHand(RED, 1))
    assert table.now.winner == BLUE


def test_a_zero_for_the_hand_needs_no_answer() -> None:
    table = red_laid_last(scores=(117, 120))
    table.do(TakeZero(BLUE), ReleasePeg(BLUE))
    assert table.scores == (117, 120)
