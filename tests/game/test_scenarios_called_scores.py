"""A50 to A54 and A69 to A73 of the rules reference: scores that are called, and what becomes of them.

The pone counts a hand of the points that a scenario gives; the dealer's hand counts nothing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.seats import BLUE, RED, Table, card, ruling_in, verdict_in

from cribboard import RULES, Game, Rules
from cribboard.actions import Accept, Challenge, LayCard, ReleasePeg, TakePegInHand, TakeZero
from cribboard.event_terms import Ground, Occasion, Verdict
from cribboard.events import Awarded, ClaimJudged, ClaimRuled, Event, MugginsRuled, SetBack
from cribboard.position import Pegs, Phase
from cribboard.rules import OPTIONS, changed
from cribboard.view import PromptKind, see

#: By what they count with the seven of spades.
HANDS = {0: "4D KH 9C TD", 2: "7C JH 9C QC", 6: "5C JD TD 3C", 8: "KS 7D KH 8D", 9: "8C 5S JS 5D"}
NOTHING = "3H 9D JC QD"

MUGGINS = changed(RULES["britannica"], OPTIONS["britannica"]["muggins"])
ACC_MUGGINS = changed(RULES["acc"], OPTIONS["acc"]["muggins"])
SILENT = changed(RULES["six-card"], {"telling": "tournament"})


def to_the_count(rules: Rules, worth: int, scores: tuple[int, int] = (30, 40)) -> Table:
    """Blue is to count a hand that is worth so much, and the pegs stand at `scores`."""
    table = Table(rules=rules, scores=(10, 10))
    table.starter("7S")
    table.play_out({0: HANDS[worth], 1: NOTHING})
    if table.now.claim is not None:
        table.do(Accept(table.left_side(table.now.claim.side)))
    pegs = tuple(Pegs(front=score, back=score - 2) for score in scores)
    table.game = Game(replace(table.now, pegs=pegs))
    assert table.now.counting is not None
    return table


def counting(table: Table) -> int | None:
    """The seat whose hand is to be counted."""
    return table.now.counting[0] if table.now.counting else None


def call_muggins(table: Table, side: int, points: int) -> tuple[Event, ...]:
    """CHALLENGE, the hole that takes the missed points, and the same hole again."""
    return table.do(Challenge(side), TakePegInHand(side, points), ReleasePeg(side))


def kinds(events: tuple[Event, ...], *wanted: type) -> list[type]:
    return [type(event) for event in events if isinstance(event, wanted)]


# A50


@pytest.mark.parametrize("rules", [RULES["six-card"], RULES["britannica"], RULES["jeux50"]])
def test_a50_an_exact_call_is_confirmed_at_once_and_the_ok_opens_the_next_count(rules: Rules) -> None:
    table = to_the_count(rules, 8)
    assert verdict_in(table.press(BLUE, 8)).verdict is Verdict.EXACT
    assert table.scores == (38, 40)
    table.do(Accept(RED))
    assert counting(table) == RED


@pytest.mark.parametrize("rules", [RULES["acc"], MUGGINS, SILENT])
def test_a50_in_silence_it_is_pegged_at_once_and_judged_with_the_ok(rules: Rules) -> None:
    table = to_the_count(rules, 8)
    judged = [event for event in table.press(BLUE, 8) if isinstance(event, ClaimJudged)]
    assert not [each for each in judged if Occasion.HAND in each.occasions]
    assert table.scores == (38, 40)
    assert verdict_in(table.do(Accept(RED))).verdict is Verdict.EXACT
    assert counting(table) == RED


# A51


def test_a51_a_call_that_is_too_high_is_corrected_without_a_challenge() -> None:
    table = to_the_count(RULES["six-card"], 6)
    judged = verdict_in(table.press(BLUE, 9))
    assert (judged.verdict, judged.due, judged.ground) == (Verdict.TOO_MANY, 6, Ground.OVER_CLAIM)
    assert table.scores == (36, 40)


def test_a51_in_silence_too_many_comes_back_if_it_is_challenged() -> None:
    table = to_the_count(SILENT, 6)
    table.press(BLUE, 9)
    assert table.scores == (39, 40)
    events = table.do(Challenge(RED))
    assert (table.scores, table.back_pegs) == ((36, 40), (30, 38)), "the back peg stands where the claim began (7.21)"
    assert kinds(events, SetBack, Awarded) == [SetBack]
    assert verdict_in(events).verdict is Verdict.TOO_MANY
    assert counting(table) == RED


def test_a51_in_silence_too_many_stands_if_it_is_accepted() -> None:
    table = to_the_count(SILENT, 6)
    table.press(BLUE, 9)
    judged = verdict_in(table.do(Accept(RED)))
    assert (judged.verdict, judged.called, judged.due) == (Verdict.TOO_MANY, 9, 6)
    assert table.scores == (39, 40)


def test_a_challenge_of_what_is_right_changes_nothing() -> None:
    table = to_the_count(SILENT, 6)
    table.press(BLUE, 6)
    assert verdict_in(table.do(Challenge(RED))).verdict is Verdict.EXACT
    assert table.scores == (36, 40)


def test_a_call_of_nothing_at_all_takes_both_pegs_back_to_where_they_stood() -> None:
    table = to_the_count(SILENT, 0)
    table.press(BLUE, 4)
    table.do(Challenge(RED))
    assert (table.scores, table.back_pegs) == ((30, 40), (28, 38))


def test_a_peg_that_is_still_in_hand_is_not_challenged_in_silence() -> None:
    table = to_the_count(SILENT, 6)
    table.do(TakePegInHand(BLUE, 9))
    assert table.refused(Challenge(RED)) == "not_let_go"


# A52


@pytest.mark.parametrize("rules", [RULES["six-card"], RULES["jeux50"], RULES["acc"], SILENT])
def test_a52_too_few_stands_and_the_rest_is_lost(rules: Rules) -> None:
    table = to_the_count(rules, 9)
    judged = table.claim(BLUE, 6)
    assert (judged.verdict, judged.ground) == (Verdict.TOO_FEW, Ground.UNDER_CLAIM)
    assert table.scores == (36, 40)


# A53


@pytest.mark.parametrize("rules", [MUGGINS, ACC_MUGGINS])
def test_a53_points_left_out_go_to_the_other_side_if_it_calls_them(rules: Rules) -> None:
    table = to_the_count(rules, 9)
    table.press(BLUE, 6)
    table.do(Challenge(RED))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.CHALLENGE, RED)
    table.do(TakePegInHand(RED, 3))
    assert see(table.now).sides[RED].in_hand == 43
    events = table.do(ReleasePeg(RED))
    assert table.scores == (36, 43)
    (ruled,) = [event for event in events if isinstance(event, MugginsRuled)]
    assert (ruled.verdict, ruled.called, ruled.missed, ruled.ground) == (Verdict.EXACT, 3, 3, Ground.MUGGINS)
    assert counting(table) == RED


def test_muggins_is_let_go_by_the_other_sides_ok_too() -> None:
    table = to_the_count(MUGGINS, 9)
    table.press(BLUE, 6)
    table.do(Challenge(RED), TakePegInHand(RED, 3), Accept(BLUE))
    assert table.scores == (36, 43)


def test_a_hole_without_a_challenge_is_never_muggins() -> None:
    table = to_the_count(MUGGINS, 9)
    table.press(BLUE, 6)
    table.do(TakePegInHand(RED, 3))
    assert table.now.claim is not None
    assert table.now.claim.side == RED, "it is red's own count"


def test_a_challenge_may_be_taken_back() -> None:
    table = to_the_count(MUGGINS, 9)
    table.press(BLUE, 6)
    before = see(table.now).prompt
    table.do(Challenge(RED), Challenge(RED))
    assert see(table.now).prompt == before
    table.do(Accept(RED))
    assert table.scores == (36, 40)


def test_after_the_ok_muggins_is_too_late() -> None:
    table = to_the_count(MUGGINS, 9)
    table.press(BLUE, 6)
    table.do(Accept(RED))
    ruled = ruling_in(call_muggins(table, RED, 3))
    assert (ruled.verdict, ruled.ground) == (Verdict.TOO_LATE, Ground.MUGGINS)
    assert table.scores == (36, 40)


def test_muggins_takes_no_more_than_the_holes_that_are_left() -> None:
    table = to_the_count(MUGGINS, 9, scores=(30, 119))
    table.press(BLUE, 6)
    call_muggins(table, RED, 2)
    assert (table.scores, table.now.phase, table.now.winner) == ((36, 121), Phase.WON, RED)


# A54


def test_a54_the_excess_goes_to_the_challenger() -> None:
    table = to_the_count(RULES["acc"], 6)
    table.press(BLUE, 8)
    events = table.do(Challenge(RED))
    assert table.scores == (36, 42)
    assert kinds(events, SetBack, Awarded) == [SetBack, Awarded]


def test_with_muggins_the_challengers_own_ok_says_that_it_was_too_much() -> None:
    table = to_the_count(ACC_MUGGINS, 6)
    table.press(BLUE, 8)
    table.do(Challenge(RED))
    assert table.scores == (38, 40), "nothing is judged before red has said which"
    table.do(Accept(RED))
    assert table.scores == (36, 42)


# A69


def test_a69_a_false_claim_of_the_game_costs_the_excess_and_fifteen_holes() -> None:
    table = to_the_count(RULES["acc"], 2, scores=(117, 100))
    table.press(BLUE, 4)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.GAME_CLAIMED, RED)
    assert table.now.phase is Phase.SHOW, "nobody has won before the other side has answered"
    events = table.do(Challenge(RED))
    assert table.scores == (104, 102)
    assert [event.score for event in events if isinstance(event, SetBack)] == [119, 104]
    assert [event.ground for event in events if isinstance(event, SetBack)] == [Ground.OVER_CLAIM, Ground.FALSE_GAME]


@pytest.mark.parametrize("rules", [RULES["six-card"], SILENT])
def test_a69_without_that_rule_the_truth_is_pegged_and_play_goes_on(rules: Rules) -> None:
    table = to_the_count(rules, 2, scores=(117, 100))
    table.press(BLUE, 4)
    if rules is SILENT:
        table.do(Challenge(RED))
    assert table.scores == (119, 100)
    assert table.now.phase is Phase.SHOW


def test_a_claim_of_the_game_that_is_accepted_wins_whatever_was_due() -> None:
    table = to_the_count(RULES["acc"], 2, scores=(117, 100))
    table.press(BLUE, 4)
    table.do(Accept(RED))
    assert (table.now.phase, table.now.winner) == (Phase.WON, BLUE)


def test_a_claim_above_the_truth_is_no_false_claim_where_the_truth_is_enough() -> None:
    table = to_the_count(RULES["acc"], 9, scores=(117, 100))
    table.press(BLUE, 4)
    table.do(Challenge(RED))
    assert (table.now.phase, table.now.winner, table.scores) == (Phase.WON, BLUE, (121, 100))


def test_while_the_game_is_claimed_no_card_is_laid() -> None:
    table = Table(rules=RULES["acc"], scores=(40, 119))
    table.starter("KS")
    table.play("7 8")
    table.press(RED, 2)
    assert table.refused(LayCard(BLUE, card("2C"))) == "game_is_claimed"
    table.do(Accept(BLUE))
    assert table.now.winner == RED


# A70


def test_a70_muggins_on_an_exact_call_costs_the_points_under_acc() -> None:
    table = to_the_count(ACC_MUGGINS, 9)
    table.press(BLUE, 9)
    events = call_muggins(table, RED, 3)
    assert table.scores == (42, 40)
    (ruled,) = [event for event in events if isinstance(event, MugginsRuled)]
    assert (ruled.verdict, ruled.ground) == (Verdict.NOTHING_MISSED, Ground.WRONG_CALL)


def test_a70_muggins_on_an_exact_call_costs_nothing_under_britannica() -> None:
    table = to_the_count(MUGGINS, 9)
    table.press(BLUE, 9)
    call_muggins(table, RED, 3)
    assert table.scores == (39, 40)


# A71


@pytest.mark.parametrize("rules", [MUGGINS, ACC_MUGGINS])
def test_a71_muggins_called_too_high_takes_what_was_missed(rules: Rules) -> None:
    table = to_the_count(rules, 9)
    table.press(BLUE, 6)
    call_muggins(table, RED, 5)
    assert table.scores == (36, 43)


@pytest.mark.parametrize("rules", [MUGGINS, ACC_MUGGINS])
def test_muggins_called_too_low_takes_what_was_called(rules: Rules) -> None:
    table = to_the_count(rules, 9)
    table.press(BLUE, 6)
    call_muggins(table, RED, 2)
    assert table.scores == (36, 42)


# A72


@pytest.mark.parametrize("rules", [RULES["six-card"], RULES["jeux50"], RULES["acc"], MUGGINS, SILENT])
def test_a72_a_count_out_of_turn_moves_no_peg_and_is_kept(rules: Rules) -> None:
    table = to_the_count(rules, 6)
    ruled = ruling_in(table.do(TakePegInHand(RED, 4)))
    assert (ruled.verdict, ruled.ground) == (Verdict.OUT_OF_TURN, Ground.ORDER)
    assert table.scores == (30, 40)
    assert any(isinstance(event, ClaimRuled) for event in table.game.log)


# A73


def after_a_forgotten_fifteen(rules: Rules) -> Table:
    table = Table(rules=rules, scores=(10, 20))
    table.starter("KS")
    table.play("7 8 T")
    return table


def test_a73_a_forgotten_fifteen_is_given_if_the_other_side_says_ok() -> None:
    table = after_a_forgotten_fifteen(RULES["six-card"])
    table.do(TakePegInHand(RED, 2))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.LATE, BLUE)
    table.do(Accept(BLUE))
    assert table.scores == (10, 22)


@pytest.mark.parametrize("rules", [RULES["acc"], RULES["jeux50"], MUGGINS])
def test_a73_a_forgotten_fifteen_is_refused_where_the_rules_say_so(rules: Rules) -> None:
    table = after_a_forgotten_fifteen(rules)
    ruled = ruling_in(table.do(TakePegInHand(RED, 2)))
    assert (ruled.verdict, ruled.ground) == (Verdict.TOO_LATE, Ground.LATE_CLAIM)
    assert table.scores == (10, 20)


def test_a_forgotten_fifteen_can_be_claimed_after_the_own_next_card() -> None:
    table = after_a_forgotten_fifteen(RULES["six-card"])
    table.play("5")
    table.do(TakePegInHand(RED, 2))
    assert see(table.now).prompt.kind is PromptKind.LATE
    table.do(Accept(BLUE))
    assert table.scores == (10, 22)


# Muggins in the play


def test_a_forgotten_fifteen_is_the_other_sides_until_its_maker_pegs_again() -> None:
    table = after_a_forgotten_fifteen(MUGGINS)
    call_muggins(table, BLUE, 2)
    assert table.scores == (12, 20)


def test_points_can_no_longer_be_mugged_once_their_side_has_pegged_again() -> None:
    table = after_a_forgotten_fifteen(MUGGINS)
    table.play("6")
    table.press(RED, 2)
    call_muggins(table, BLUE, 2)
    assert table.scores == (10, 22)


def test_a_side_that_can_still_claim_is_in_time() -> None:
    table = Table(rules=MUGGINS, scores=(10, 20))
    table.starter("KS")
    table.play("7 8")
    table.do(Challenge(BLUE), TakePegInHand(BLUE, 2), TakePegInHand(RED, 2), ReleasePeg(RED))
    assert table.scores == (10, 22)


@pytest.mark.parametrize(("rules", "blue"), [(MUGGINS, 12), (ACC_MUGGINS, 10)])
def test_on_heels_muggins_may_be_called_by_preset(rules: Rules, blue: int) -> None:
    table = Table(rules=rules, scores=(10, 20))
    table.starter("JS")
    table.play("7 9")
    call_muggins(table, BLUE, 2)
    assert table.scores[BLUE] == blue


def test_the_last_card_is_not_missed_while_its_side_may_still_claim_it() -> None:
    table = Table(rules=MUGGINS, scores=(10, 20))
    table.starter("KS")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S")
    call_muggins(table, BLUE, 1)
    assert table.scores == (10 + 2, 20)
    table.press(RED, 1)
    assert table.scores == (12, 21)


def test_an_unclaimed_last_card_is_lost_once_its_side_has_counted() -> None:
    """Until then its side may claim it; and then the pone's hand has long been pegged (rules reference, 4)."""
    table = Table(rules=MUGGINS, scores=(10, 20))
    table.starter("KS")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S")
    table.press(BLUE, 4)
    table.press(RED, 4)
    ruled = [event for event in call_muggins(table, BLUE, 1) if isinstance(event, MugginsRuled)]
    assert [(each.missed, each.verdict) for each in ruled] == [(0, Verdict.NOTHING_MISSED)]
    assert table.scores == (10 + 2 + 4, 20 + 4)


@pytest.mark.parametrize("rules", [RULES["acc"], MUGGINS, SILENT])
def test_a_hand_cannot_be_counted_before_the_last_card_is_answered(rules: Rules) -> None:
    table = Table(rules=rules, scores=(10, 20))
    table.starter("7S")
    table.play("KD QD 9S AS go AC+2 2C 8H 2D")
    table.press(BLUE, 1)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.ACCEPT, RED)
    assert table.refused(TakePegInHand(BLUE, 4)) == "waits_for_other_side"
    assert table.refused(TakeZero(BLUE)) == "waits_for_other_side"
    table.do(Challenge(RED))
    if rules is MUGGINS:
        table.do(Accept(RED))
    assert table.scores[BLUE] == 11
    table.claim(BLUE, 4)


def test_muggins_on_an_earlier_card_leaves_the_last_one_to_its_side() -> None:
    table = Table(rules=MUGGINS, scores=(10, 20))
    table.starter("KS")
    table.play("7C 7H 2C TH 3C go AH+1 4C 8C")
    assert table.now.phase is Phase.SHOW
    call_muggins(table, BLUE, 2)
    assert table.scores == (11 + 2, 20)
    table.press(RED, 1)
    assert table.scores == (13, 21)
