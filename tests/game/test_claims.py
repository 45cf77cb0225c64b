"""The one protocol by which points reach a peg (rules reference, sections 4 and 7.1 to 7.5, 7.20, 7.21)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.seats import BLUE, RED, SIX_CARD, Table, at_the_show, card, ruling_in, verdict_in

from cribboard.actions import (
    Accept,
    Action,
    By,
    Challenge,
    LayCard,
    PutPegBack,
    ReleasePeg,
    TakePegInHand,
    TakeZero,
)
from cribboard.event_terms import Doubt, Ground, Occasion, Timing, Verdict
from cribboard.events import ClaimAccepted, ClaimChallenged, ClaimRuled, Pegged, PegPutBack, PegReleased
from cribboard.position import PegState
from cribboard.rules import LateClaim, Rules
from cribboard.view import PromptKind, see

NO_LATE_CLAIMS = replace(SIX_CARD, claims=replace(SIX_CARD.claims, late_claim=LateClaim.REFUSED))


def red_has_a_pair(way: str = "verify") -> Table:
    """Blue leads a five and red pairs it: two points, unclaimed where red must claim them."""
    table = Table(way, scores=(10, 20))
    table.starter()
    table.play("5 5+2" if way == "auto" else "5 5")
    return table


# In hand


def test_a_press_takes_the_peg_in_hand_and_moves_no_point() -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 2))
    assert (table.scores, table.back_pegs) == ((10, 20), (9, 19))
    assert see(table.now).sides[RED].in_hand == 22
    assert see(table.now).prompt.kind is PromptKind.RELEASE


def test_another_hole_moves_the_peg_and_the_last_hole_counts() -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 5), TakePegInHand(RED, 2))
    assert verdict_in(table.do(ReleasePeg(RED))).called == 2


def test_a_peg_that_is_put_back_claims_nothing_and_loses_nothing() -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 5))
    assert table.do(PutPegBack(RED))[-1] == PegPutBack(RED)
    assert table.now.claim is None
    assert table.claim(RED, 2).verdict is Verdict.EXACT


def test_there_is_no_peg_to_put_back_or_let_go_where_none_is_in_hand() -> None:
    table = red_has_a_pair()
    assert table.refused(PutPegBack(RED)) == "no_peg_in_hand"
    assert table.refused(ReleasePeg(RED)) == "no_peg_in_hand"
    table.do(TakePegInHand(RED, 2))
    assert table.refused(PutPegBack(BLUE)) == "no_peg_in_hand"
    assert table.refused(ReleasePeg(BLUE)) == "no_peg_in_hand"


@pytest.mark.parametrize("points", [0, -1, -21])
def test_a_peg_never_moves_backwards(points: int) -> None:
    table = red_has_a_pair()
    assert table.refused(TakePegInHand(RED, points)) == "behind_the_peg"


def test_no_hole_lies_beyond_the_game_hole() -> None:
    table = red_has_a_pair()
    assert table.refused(TakePegInHand(RED, 102)) == "past_the_end"


def test_nothing_is_scored_before_the_starter_is_turned() -> None:
    table = Table()
    assert table.refused(TakePegInHand(RED, 2)) == "no_score_now"
    table = Table(dealer=None)
    assert table.refused(TakePegInHand(RED, 2)) == "no_score_now"


def test_on_auto_the_board_alone_pegs() -> None:
    table = red_has_a_pair("auto")
    assert table.scores == (10, 22)
    for action in (TakePegInHand(RED, 2), TakePegInHand(BLUE, 2)):
        assert table.refused(action) == "board_pegs"
    assert table.refused(Accept(BLUE)) == "nothing_to_accept"
    assert table.refused(Challenge(BLUE)) == "nothing_to_challenge"
    assert table.refused(TakeZero(BLUE)) == "no_count_now"


# Let go


def let_go(action: Action) -> tuple[Table, tuple[object, ...]]:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 2))
    return table, table.do(action)


@pytest.mark.parametrize(
    ("action", "by", "accepted"),
    [
        pytest.param(ReleasePeg(RED), By.OWNER, False, id="its owner's OK, or the same hole again"),
        pytest.param(Accept(BLUE), By.OTHER_SIDE, True, id="the other side's OK"),
        pytest.param(TakePegInHand(BLUE, 2), By.NEXT_COUNT, True, id="a claim of the other side"),
        pytest.param(LayCard(BLUE, card("KD")), By.NEXT_CARD, True, id="the next card"),
        pytest.param(Challenge(BLUE), By.OTHER_SIDE, True, id="a challenge"),
    ],
)
def test_a_peg_is_released_by_its_owner_the_other_side_the_next_claim_or_card(
    action: Action, by: By, accepted: bool
) -> None:
    table, events = let_go(action)
    assert PegReleased(RED, 2, by) in events
    assert Pegged(RED, 2, 22) in events
    assert any(isinstance(event, ClaimAccepted) for event in events) is accepted
    assert (table.scores, table.back_pegs) == ((10, 22), (9, 20))


def test_any_press_of_the_other_side_on_its_own_track_lets_a_peg_go() -> None:
    table = Table()
    table.starter("JH")
    table.do(TakePegInHand(RED, 2))
    events = table.do(TakePegInHand(BLUE, 2))
    assert PegReleased(RED, 2, By.OTHER_SIDE) in events
    assert ruling_in(events).verdict is Verdict.OUT_OF_TURN
    assert table.scores == (0, 2)
    assert table.now.claim is not None  # not accepted: that press was no answer


@pytest.mark.parametrize("by", sorted(set(By) - {By.OWNER}))
def test_with_cards_only_the_owner_releases_a_peg_and_never_the_timer(by: By) -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 2))
    assert table.refused(ReleasePeg(RED, by)) == "no_peg_in_hand"


def test_a_released_peg_cannot_be_moved_or_put_back() -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 1), ReleasePeg(RED))
    assert table.refused(TakePegInHand(RED, 1)) == "peg_is_down"
    assert table.refused(PutPegBack(RED)) == "no_peg_in_hand"
    assert table.refused(ReleasePeg(RED)) == "no_peg_in_hand"
    assert table.scores == (10, 21)


def test_a_claim_of_points_and_the_one_after_it_are_two_moves_of_the_peg() -> None:
    table = red_has_a_pair()
    table.claim(RED, 2)
    table.play("5")
    table.claim(BLUE, 8)
    table.play("5")
    table.claim(RED, 12)
    assert (table.scores, table.back_pegs) == ((18, 34), (10, 22))


# Judged


@pytest.mark.parametrize(
    ("called", "verdict", "stands_in"),
    [
        pytest.param(2, Verdict.EXACT, 22, id="A50 exact"),
        pytest.param(9, Verdict.TOO_MANY, 22, id="A51 too many is set to the truth"),
        pytest.param(1, Verdict.TOO_FEW, 21, id="A52 too few stands as called"),
    ],
)
def test_a_call_is_compared_when_the_peg_is_let_go(called: int, verdict: Verdict, stands_in: int) -> None:
    table = red_has_a_pair()
    judged = table.claim(RED, called)
    assert (judged.verdict, judged.called, judged.due) == (verdict, called, 2)
    assert [combination.points for combination in judged.combinations] == [2]
    assert (table.scores[RED], table.back_pegs[RED]) == (stands_in, 20)


def test_for_a_card_that_makes_nothing_the_peg_does_not_move_and_the_back_peg_stays() -> None:
    table = Table(scores=(10, 20))
    table.starter()
    table.play("5 7")
    judged = table.claim(RED, 2)
    assert (judged.verdict, judged.due) == (Verdict.TOO_MANY, 0)
    assert (table.scores, table.back_pegs) == ((10, 20), (9, 19))


def test_after_a_correction_the_back_peg_stands_where_the_front_peg_was() -> None:
    table = red_has_a_pair()
    table.claim(RED, 9)
    assert (table.scores[RED], table.back_pegs[RED]) == (22, 20)


@pytest.mark.parametrize("called", [2, 5])
def test_a_challenge_is_answered_by_the_cards_and_recorded(called: int) -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, called), ReleasePeg(RED))
    events = table.do(Challenge(BLUE))
    assert ClaimChallenged(side=RED, by=BLUE) in events
    assert events[-1] == ClaimAccepted(RED, By.CHALLENGE)
    assert table.scores == (10, 22)


def test_an_accepted_claim_cannot_be_challenged() -> None:
    table = red_has_a_pair()
    table.claim(RED, 2)
    table.do(Accept(BLUE))
    assert table.refused(Challenge(BLUE)) == "nothing_to_challenge"
    assert table.refused(Accept(BLUE)) == "nothing_to_accept"


def test_no_side_accepts_or_challenges_its_own_claim() -> None:
    table = red_has_a_pair()
    table.claim(RED, 2)
    assert table.refused(Accept(RED)) == "own_claim"
    assert table.refused(Challenge(RED)) == "own_claim"


def test_in_the_play_the_next_card_accepts_and_no_ok_is_needed() -> None:
    table = red_has_a_pair()
    table.claim(RED, 2)
    assert ClaimAccepted(RED, By.NEXT_CARD) in table.do(LayCard(BLUE, card("KD")))


# Ruled: no peg moves, and the log keeps it


def test_a_claim_out_of_turn_is_ruled_and_moves_no_peg() -> None:
    table = Table()
    table.starter()
    ruled = table.do(TakePegInHand(BLUE, 2))
    assert ruling_in(ruled) == ClaimRuled(BLUE, 2, Verdict.OUT_OF_TURN, Ground.ORDER)
    assert (table.now.claim, table.scores) == (None, (0, 0))
    assert ruled[-1] in table.game.log


@pytest.mark.parametrize("called", [25, 26, 27, 30, 35])
def test_an_impossible_call_is_ruled_and_a_peg_in_hand_stays_where_it_was(called: int) -> None:
    table = at_the_show()
    table.do(TakePegInHand(BLUE, 2))
    assert ruling_in(table.do(TakePegInHand(BLUE, called))).verdict is Verdict.IMPOSSIBLE
    assert see(table.now).sides[BLUE].in_hand == table.scores[BLUE] + 2


@pytest.mark.parametrize("called", [19, 25, 26, 27])
def test_a_call_to_the_game_hole_may_be_any_that_wins(called: int) -> None:
    table = Table(scores=(10, 121 - called))
    table.starter()
    table.play("5 5")
    table.do(TakePegInHand(RED, called))
    assert table.now.claim is not None
    assert table.now.claim.doubt is Doubt.NONE
    table.do(ReleasePeg(RED))
    assert table.scores[RED] == 121 - called + 2  # and if it is too many it is set to the truth


def test_twenty_nine_is_the_most_that_is_expected() -> None:
    table = at_the_show()
    holes = [act.points for act in table.game.expected() if isinstance(act, TakePegInHand) and act.side == BLUE]
    assert holes == [*range(1, 25), 28, 29]


# Nineteen, and zero


def test_nineteen_is_answered_by_its_own_side_alone() -> None:
    table = at_the_show()
    table.do(TakePegInHand(BLUE, 19))
    assert table.refused(Accept(RED)) == "answer_first"
    assert table.refused(Challenge(RED)) == "answer_first"


def test_another_hole_says_that_nineteen_was_not_zero() -> None:
    table = at_the_show()
    table.do(TakePegInHand(BLUE, 19), TakePegInHand(BLUE, 2))
    assert verdict_in(table.do(ReleasePeg(BLUE))).verdict is Verdict.EXACT


def test_an_unanswered_nineteen_goes_back_when_the_next_card_is_laid() -> None:
    table = red_has_a_pair()
    table.do(TakePegInHand(RED, 19))
    assert PegPutBack(RED) in table.do(LayCard(BLUE, card("KD")))
    assert table.scores == (10, 20)


def test_at_the_own_count_ok_claims_zero_and_a_second_ok_releases_it() -> None:
    table = at_the_show()
    table.do(TakeZero(BLUE))
    assert see(table.now).prompt.kind is PromptKind.ZERO
    judged = verdict_in(table.do(ReleasePeg(BLUE)))
    assert (judged.called, judged.due, judged.verdict) == (0, 2, Verdict.TOO_FEW)
    assert see(table.now).prompt.kind is PromptKind.ACCEPT


def test_a_hole_replaces_a_zero_in_hand_and_a_zero_a_hole() -> None:
    table = at_the_show()
    table.do(TakeZero(BLUE), TakePegInHand(BLUE, 2), TakeZero(BLUE))
    assert table.now.claim is not None
    assert (table.now.claim.points, table.now.claim.state) == (0, PegState.IN_HAND)
    assert table.now.counting == (BLUE, Occasion.HAND)  # nothing was accepted on the way


def test_the_other_sides_ok_lets_go_of_a_zero_and_accepts_it() -> None:
    table = at_the_show()
    table.do(TakeZero(BLUE), Accept(RED))
    assert table.now.counting == (RED, Occasion.HAND)


def test_zero_can_be_claimed_only_at_the_own_count() -> None:
    table = red_has_a_pair()
    assert table.refused(TakeZero(RED)) == "no_count_now"
    table = at_the_show()
    assert table.refused(TakeZero(RED)) == "no_count_now"


# Late


def forgotten(rules: Rules = SIX_CARD) -> Table:
    """Red forgot its pair, and blue has laid on."""
    table = Table(scores=(10, 20), rules=rules)
    table.starter()
    table.play("5 5 K")
    return table


def test_forgotten_points_are_pegged_with_the_other_sides_ok() -> None:
    table = forgotten()
    table.do(TakePegInHand(RED, 2))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.LATE, BLUE)
    assert table.refused(ReleasePeg(RED)) == "waits_for_other_side"
    judged = verdict_in(table.do(Accept(BLUE)))
    assert (judged.verdict, table.scores) == (Verdict.EXACT, (10, 22))


def test_a_go_is_late_when_the_next_count_is_led() -> None:
    table = Table(scores=(10, 20))
    table.starter()
    table.play("T Q K go go 7")
    table.do(TakePegInHand(BLUE, 1))
    assert see(table.now).prompt.kind is PromptKind.LATE
    table.do(Accept(RED))
    assert table.scores == (11, 20)


def test_late_points_are_compared_with_what_was_due() -> None:
    table = forgotten()
    table.do(TakePegInHand(RED, 8), Accept(BLUE))
    assert table.scores == (10, 22)


@pytest.mark.parametrize(
    "answer", [pytest.param(Challenge(BLUE), id="says no"), pytest.param(LayCard(RED, card("2D")), id="says nothing")]
)
def test_late_points_go_back_if_the_other_side_refuses_or_plays_on(answer: Action) -> None:
    table = forgotten()
    table.do(TakePegInHand(RED, 2))
    events = table.do(answer)
    assert PegPutBack(RED) in events
    assert ruling_in(events).verdict is Verdict.TOO_LATE
    assert (table.scores, table.now.claim) == ((10, 20), None)


def test_late_points_may_be_claimed_until_the_next_count_is_led() -> None:
    table = forgotten()
    table.play("A T+2")
    table.do(TakePegInHand(RED, 2))
    assert table.now.claim is not None
    assert table.now.claim.timing is Timing.LATE
    table.do(PutPegBack(RED))
    table.play("2")
    assert table.claim(RED, 2).due == 0  # a new count: what is claimed now is claimed for the card that was led


def test_rules_that_refuse_late_claims_rule_them_too_late() -> None:
    table = forgotten(NO_LATE_CLAIMS)
    assert TakePegInHand(RED, 2) not in table.game.expected()
    assert ruling_in(table.do(TakePegInHand(RED, 2))).verdict is Verdict.TOO_LATE
    assert (table.scores, table.now.claim) == ((10, 20), None)


def test_nineteen_late_is_taken_back_by_its_owners_ok() -> None:
    table = forgotten()
    table.do(TakePegInHand(RED, 19))
    assert table.refused(Accept(BLUE)) == "answer_first"
    table.do(ReleasePeg(RED))
    assert table.now.claim is None
    assert table.now.missed_windows[RED]
