"""Claims at the show, of heels and of the crib, on trust and on auto: who counts what, and when it is accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.seats import BLUE, RED, SIX_CARD, Table, at_the_show, card, ruling_in, verdict_in

from cribboard.actions import (
    Accept,
    Action,
    By,
    Challenge,
    CutForDeal,
    LayCard,
    OpenCount,
    PutPegBack,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
)
from cribboard.event_terms import Occasion, Verdict
from cribboard.events import ClaimAccepted, Pegged
from cribboard.position import Phase
from cribboard.view import PromptKind, see

NO_LAST_CARD = replace(SIX_CARD, deal_and_play=replace(SIX_CARD.deal_and_play, last_card=0))


# At the show


def test_an_exact_count_waits_for_the_other_sides_ok_and_then_the_next_opens() -> None:
    table = at_the_show()
    table.claim(BLUE, 2)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.ACCEPT, RED)
    assert table.scores[BLUE] == 14
    table.do(Accept(RED))
    assert table.now.counting == (RED, Occasion.HAND)


def test_a_count_too_high_is_set_to_the_truth_without_a_challenge() -> None:
    table = at_the_show()
    table.count(BLUE, 2)
    assert table.claim(RED, 9).verdict is Verdict.TOO_MANY
    assert table.scores == (14, 29)


def test_a_count_too_low_stands_and_the_rest_is_lost() -> None:
    table = at_the_show()
    table.count(BLUE, 2)
    assert table.count(RED, 6).verdict is Verdict.TOO_FEW
    assert table.scores == (14, 27)
    assert table.now.counting is None


def test_a_count_before_the_pones_is_out_of_turn() -> None:
    table = at_the_show()
    before = table.scores
    assert ruling_in(table.do(TakePegInHand(RED, 8))).verdict is Verdict.OUT_OF_TURN
    assert (table.scores, table.now.counting) == (before, (BLUE, Occasion.HAND))
    table.do(Accept(BLUE))  # red's claim for the last card, which waited
    assert ruling_in(table.do(TakePegInHand(RED, 8))).verdict is Verdict.OUT_OF_TURN
    assert (table.scores, table.now.claim, table.now.counting) == (before, None, (BLUE, Occasion.HAND))


@pytest.mark.parametrize("let_go_first", [True, False])
def test_ones_own_next_count_accepts_the_count_before_it(let_go_first: bool) -> None:
    table = at_the_show()
    table.do(TakePegInHand(BLUE, 2), *([ReleasePeg(BLUE)] if let_go_first else []))
    events = table.do(TakePegInHand(RED, 8))
    assert ClaimAccepted(BLUE, By.NEXT_COUNT) in events
    assert table.now.counting == (RED, Occasion.HAND)
    assert see(table.now).sides[RED].in_hand == table.scores[RED] + 8
    assert verdict_in(table.do(ReleasePeg(RED))).verdict is Verdict.EXACT


def test_a_press_of_the_side_that_does_not_count_next_lets_the_peg_go_and_accepts_nothing() -> None:
    table = at_the_show()
    table.count(BLUE, 2)
    table.do(TakePegInHand(RED, 8))
    events = table.do(TakePegInHand(BLUE, 3))
    assert Pegged(RED, 8, 29) in events
    assert ruling_in(events).verdict is Verdict.OUT_OF_TURN
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.ACCEPT, BLUE)


def test_an_unanswered_nineteen_is_not_accepted_by_the_next_count() -> None:
    table = at_the_show()
    table.do(TakePegInHand(BLUE, 19))
    assert TakePegInHand(RED, 8) not in table.game.expected()
    assert ruling_in(table.do(TakePegInHand(RED, 8))).verdict is Verdict.OUT_OF_TURN
    assert table.now.counting == (BLUE, Occasion.HAND)


# The last card, and the hand of the side that laid it


def pone_laid_last() -> Table:
    """Blue laid the last card of all, worth 1, has not claimed it, and is to count a hand of 10."""
    table = Table(scores=(10, 20))
    table.starter("5S")
    table.play("4D TC KD 6H go AC+2 QS 7C 5H")
    return table


def test_the_last_card_is_claimed_before_the_hand_of_the_same_side() -> None:
    table = pone_laid_last()
    assert table.claim(BLUE, 1).occasions == (Occasion.CARD,)
    assert table.now.counting == (BLUE, Occasion.HAND)
    assert TakePegInHand(BLUE, 10) in table.game.expected()
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.COUNT_HAND, BLUE)
    assert table.claim(BLUE, 10).occasions == (Occasion.HAND,)
    assert table.scores == (21, 22)


def test_the_last_card_and_the_hand_may_be_called_together() -> None:
    table = pone_laid_last()
    both = table.claim(BLUE, 11)
    assert (both.verdict, both.occasions) == (Verdict.EXACT, (Occasion.CARD, Occasion.HAND))
    assert table.scores == (21, 22)


def test_while_a_peg_may_be_for_the_last_card_the_other_side_does_not_count_next() -> None:
    table = pone_laid_last()
    table.do(TakePegInHand(BLUE, 11))
    assert TakePegInHand(RED, 8) not in table.game.expected()
    assert ruling_in(table.do(TakePegInHand(RED, 8))).verdict is Verdict.OUT_OF_TURN
    assert table.scores == (21, 22)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.ACCEPT, RED)


@pytest.mark.parametrize("called", [2, 3])
def test_too_many_for_the_last_card_leaves_the_hand_to_claim(called: int) -> None:
    table = pone_laid_last()
    judged = table.claim(BLUE, called)
    assert (judged.verdict, judged.occasions, judged.due) == (Verdict.TOO_MANY, (Occasion.CARD,), 1)
    assert table.claim(BLUE, 10).verdict is Verdict.EXACT
    assert table.scores == (21, 22)


def test_a_hand_counted_while_the_last_card_is_forgotten_stands_as_called() -> None:
    table = pone_laid_last()
    judged = table.claim(BLUE, 10)
    assert (judged.verdict, judged.called, judged.due) == (Verdict.TOO_FEW, 10, 11)
    assert table.scores == (20, 22)
    assert table.refused(TakePegInHand(BLUE, 1)) == "peg_is_down"


def dealer_laid_last() -> Table:
    """Red laid the last card of all, worth 1, and has not claimed it; blue is to count 2 and red 8."""
    table = Table(scores=(10, 20))
    table.starter("7S")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S")
    return table


def test_the_dealer_claims_the_last_card_while_the_pones_count_is_open() -> None:
    table = dealer_laid_last()
    assert table.claim(RED, 1).occasions == (Occasion.CARD,)
    assert table.now.counting == (BLUE, Occasion.HAND)
    assert table.claim(BLUE, 2).verdict is Verdict.EXACT
    table.do(Accept(RED))
    assert table.count(RED, 8).verdict is Verdict.EXACT
    assert table.scores == (14, 29)


def test_the_pone_who_takes_a_peg_first_does_not_cost_the_dealer_the_last_card() -> None:
    table = dealer_laid_last()
    table.do(TakePegInHand(BLUE, 2), TakePegInHand(RED, 1))
    assert verdict_in(table.do(ReleasePeg(RED))).occasions == (Occasion.CARD,)
    assert table.count(RED, 8).verdict is Verdict.EXACT
    assert table.scores == (14, 29)


def test_a_claim_for_the_last_card_stands_when_the_pone_counts() -> None:
    table = dealer_laid_last()
    table.do(TakePegInHand(RED, 1))
    assert Pegged(RED, 1, 21) in table.do(TakePegInHand(BLUE, 2))
    assert table.now.counting == (BLUE, Occasion.HAND)
    assert verdict_in(table.do(ReleasePeg(BLUE))).verdict is Verdict.EXACT


def test_a_go_of_the_pone_and_the_last_card_of_the_dealer_are_both_claimed_at_the_end() -> None:
    table = Table()
    table.starter("2C")
    table.play("T 8 K 3+2 9 4 J")
    table.do(LayCard(RED, card("KD")))
    table.claim(BLUE, 1)
    table.claim(RED, 1)
    assert table.scores == (1, 3)
    assert table.now.counting == (BLUE, Occasion.HAND)


def test_the_dealers_count_opens_with_its_last_card_in_hand_if_the_pone_called_go_and_hand_together() -> None:
    table = Table()
    table.starter("2C")
    table.play("TD 8S KD 3D+2 9H 4S JS")
    table.do(LayCard(RED, card("KH")))
    hand = table.now.open_windows[BLUE][-1].due
    table.do(TakePegInHand(BLUE, 1 + hand), TakePegInHand(RED, 1))
    assert table.scores == (1 + hand, 2)
    assert table.now.counting == (RED, Occasion.HAND)
    table.do(PutPegBack(RED))
    assert see(table.now).prompt.kind is PromptKind.COUNT_HAND


# The crib


def test_the_crib_is_read_in_any_order_and_counted_last() -> None:
    table = at_the_show()
    table.count(BLUE, 2)
    table.count(RED, 8)
    assert see(table.now).prompt.kind is PromptKind.READ_CRIB
    assert ruling_in(table.do(TakePegInHand(RED, 4))).verdict is Verdict.OUT_OF_TURN
    table.read_crib("QH 3C JC")
    assert (len(table.now.crib), table.now.counting) == (3, None)
    table.read_crib("5D")
    assert table.now.counting == (RED, Occasion.CRIB)
    assert see(table.now).prompt.kind is PromptKind.COUNT_CRIB
    assert table.refused(ReadCrib(card("2S"))) == "no_card_now"
    table.count(RED, 6)
    assert (table.now.phase, table.now.dealer, table.now.deal) == (Phase.DEAL, BLUE, 2)


def test_a_card_of_the_hands_is_no_card_of_the_crib() -> None:
    table = at_the_show()
    table.count(BLUE, 2)
    table.count(RED, 8)
    table.read_crib("QH")
    for seen in ("QH", "TD", "9S", "7S"):
        assert table.refused(ReadCrib(card(seen))) == "card_twice"


# His heels


def test_heels_after_the_dealers_own_first_card_are_late() -> None:
    table = Table()
    table.starter("JH")
    table.play("5 9 8")
    table.do(TakePegInHand(RED, 2))
    assert see(table.now).prompt.kind is PromptKind.LATE
    table.do(Accept(BLUE))
    assert table.scores == (0, 2)


def test_a_pone_that_claims_heels_is_out_of_turn() -> None:
    table = Table()
    table.starter("JH")
    assert ruling_in(table.do(TakePegInHand(BLUE, 2))).verdict is Verdict.OUT_OF_TURN


# Trust: the call is the truth


def test_trust_pegs_what_is_called_when_the_peg_is_let_go() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8))
    assert table.scores == (0, 0)
    table.do(ReleasePeg(BLUE, By.TIME))
    assert (table.scores, table.now.claim) == ((8, 0), None)


@pytest.mark.parametrize("action", [ReleasePeg(BLUE), Accept(RED), TakePegInHand(RED, 3)])
def test_in_trust_a_peg_is_released_by_either_side(action: Action) -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), action)
    assert table.scores == (8, 0)


def test_in_trust_a_challenge_sends_a_peg_in_hand_back_to_be_counted_again() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), Challenge(RED))
    assert (table.scores, table.now.claim) == ((0, 0), None)
    table.do(TakePegInHand(BLUE, 6), ReleasePeg(BLUE))
    assert table.refused(Challenge(RED)) == "nothing_to_challenge"


def test_in_trust_a_far_hole_must_be_pressed_again_before_it_counts() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 30))
    assert see(table.now).prompt.kind is PromptKind.SAME_HOLE
    for action in (ReleasePeg(BLUE), ReleasePeg(BLUE, By.TIME), Accept(RED)):
        assert table.refused(action) == "same_hole_again"
    table.do(TakePegInHand(BLUE, 35))
    assert see(table.now).prompt.kind is PromptKind.SAME_HOLE  # another far hole is not the same
    table.do(TakePegInHand(BLUE, 30), TakePegInHand(BLUE, 30), ReleasePeg(BLUE))
    assert table.scores == (30, 0)


def test_in_trust_nineteen_asks_and_neither_time_nor_the_other_side_answers() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 19))
    assert table.refused(ReleasePeg(BLUE, By.TIME)) == "answer_first"
    assert table.refused(Accept(RED)) == "answer_first"
    table.do(ReleasePeg(BLUE))
    assert (table.scores, table.now.claim) == ((0, 0), None)


def test_in_trust_a_peg_in_doubt_goes_back_when_the_other_side_pegs() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 30), TakePegInHand(RED, 2))
    assert table.scores == (0, 0)
    assert table.now.claim is not None
    assert table.now.claim.side == RED


def test_a_table_that_trusts_reads_no_cards() -> None:
    table = Table("trust")
    assert Table("trust", dealer=None).refused(CutForDeal(BLUE, card("5C"))) == "no_cards_here"
    for action in (TurnStarter(card("5C")), LayCard(BLUE, card("5C")), SayGo(BLUE), ReadCrib(card("5C"))):
        assert table.refused(action) == "no_cards_here"


# Auto: the board calls


def test_auto_counts_each_hand_and_the_next_at_any_ok() -> None:
    table = Table("auto", scores=(10, 20))
    table.starter("7S")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    assert see(table.now).prompt.kind is PromptKind.NEXT_COUNT
    assert verdict_in(table.next_count()).due == 2
    assert verdict_in(table.do(OpenCount(RED))).due == 8
    table.next_count()
    assert see(table.now).prompt.kind is PromptKind.READ_CRIB
    assert table.refused(OpenCount(BLUE)) == "nothing_to_accept"
    table.read_crib("QH 3C JC 5D")
    assert table.scores == (14, 35)
    table.next_count()
    assert (table.now.phase, table.now.dealer) == (Phase.DEAL, BLUE)


def test_auto_tells_a_hand_of_nothing_and_pegs_nothing() -> None:
    table = Table("auto")
    table.starter("QS")
    table.play("2H 9S 6D KH 4H+2 JD 8C TS+1")
    judged = verdict_in(table.next_count())
    assert (judged.due, judged.combinations) == (0, ())


def test_auto_counts_the_hand_of_the_side_whose_last_card_made_nothing() -> None:
    table = Table("auto", rules=NO_LAST_CARD)
    table.starter("KS")
    table.play("4D TC KD 6H go AC+2 QS 8C 2H")
    judged = verdict_in(table.next_count())
    assert (judged.verdict, judged.due, table.scores) == (Verdict.EXACT, 2, (2, 2))


@pytest.mark.parametrize("way", ["auto", "verify"])
def test_a_zero_is_the_hands_though_the_last_card_made_nothing_either(way: str) -> None:
    table = Table(way, rules=NO_LAST_CARD)
    table.starter("7S")
    table.play("4D TC KD 6H go AC+2 QS 8C 2H")
    if way == "auto":
        table.next_count()
        table.next_count()
    else:
        table.do(TakeZero(BLUE), ReleasePeg(BLUE), Accept(RED))
    assert table.now.counting == (RED, Occasion.HAND)


def test_the_next_count_is_opened_by_an_ok_on_auto_alone() -> None:
    table = at_the_show()
    assert table.refused(OpenCount(BLUE)) == "nothing_to_accept"
