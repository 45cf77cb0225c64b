"""A challenge that is raised, a game that is claimed, a peg that others let go: who comes first, and what waits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.seats import BLUE, GREEN, RED, Table, card, ruling_in

from cribboard import RULES, Game, Rules
from cribboard.actions import (
    Accept,
    AllPass,
    Challenge,
    GoOnUnread,
    LayCard,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
)
from cribboard.event_terms import Occasion, Verdict
from cribboard.events import ClaimRuled, FalseGoFound, MugginsRuled, PegReleased
from cribboard.position import Pegs, Phase
from cribboard.referee import decide
from cribboard.rules import OPTIONS, RulesError, changed
from cribboard.view import PromptKind, see

MUGGINS = changed(RULES["britannica"], OPTIONS["britannica"]["muggins"])
SILENT = changed(RULES["six-card"], {"telling": "tournament"})
THREE = changed(RULES["three-player"], {"muggins": "on"})


def in_the_play(rules: Rules, story: str, scores: tuple[int, ...] = (10, 20)) -> Table:
    table = Table(rules=rules, scores=scores)
    table.starter("KS")
    table.play(story)
    return table


@pytest.mark.parametrize("rules", [RULES["acc"], MUGGINS, SILENT])
def test_a_card_that_lets_go_of_a_claim_of_the_game_is_not_laid(rules: Rules) -> None:
    table = in_the_play(rules, "7 9", scores=(40, 118))
    table.do(TakePegInHand(RED, 3))
    events = table.do(LayCard(BLUE, card("4D")))
    assert any(isinstance(event, PegReleased) for event in events)
    assert (table.now.phase, see(table.now).prompt.kind) == (Phase.PLAY, PromptKind.GAME_CLAIMED)
    assert card("4D") not in table.now.cards
    table.do(Challenge(BLUE))
    if table.now.open_challenge:
        table.do(Accept(BLUE))
    assert table.scores[RED] <= 118


def test_an_unread_card_does_not_decide_a_claimed_win() -> None:
    table = in_the_play(SILENT, "7 9", scores=(40, 118))
    table.do(TakePegInHand(RED, 3), GoOnUnread(BLUE))
    assert see(table.now).prompt.kind is PromptKind.GAME_CLAIMED


def test_an_unread_card_does_not_withdraw_a_challenge() -> None:
    table = in_the_play(MUGGINS, "7 9", scores=(40, 118))
    table.do(TakePegInHand(RED, 3), ReleasePeg(RED), Challenge(BLUE))
    assert table.refused(GoOnUnread(BLUE)) == "game_is_claimed"
    assert see(table.now).prompt.kind is PromptKind.CHALLENGE


def test_the_excess_of_a_call_is_counted_from_where_the_peg_stands_now() -> None:
    """It may have been given points for a false go since."""
    table = Table(rules=SILENT, scores=(10, 20))
    table.starter("KS")
    table.play("7 9")
    table.press(RED, 4)
    pegs = (table.now.pegs[BLUE], Pegs(front=26, back=24))
    table.game = Game(replace(table.now, pegs=pegs))
    table.do(Challenge(BLUE))
    assert table.scores == (10, 22)


def test_taking_a_pass_back_closes_the_call_for_the_go() -> None:
    rules = changed(RULES["three-player"], {"telling": "tournament"})
    table = in_the_play(rules, "T Q 5", scores=(10, 20, 30))
    table.do(AllPass(GREEN))
    table.press(GREEN, 1)
    table.do(TakeBackPass(BLUE))
    assert table.scores == (10, 20, 30)
    assert table.refused(Challenge(BLUE)) == "nothing_to_challenge"


def test_an_unread_laid_card_causes_no_false_go_at_the_show() -> None:
    table = Table(rules=RULES["acc"], scores=(10, 20))
    table.starter("KS")
    table.do(GoOnUnread(BLUE), SayGo(RED), SayGo(BLUE))
    table.play("T Q 7 go go K 9 8 J")
    assert see(table.now).prompt.kind is PromptKind.READ_HAND
    events = table.do(ShowCard(BLUE, card("2H")))
    assert not [event for event in events if isinstance(event, FalseGoFound)], (
        "it may have been the card that was unread"
    )


def test_the_side_that_forgot_does_not_end_the_challenge_by_counting_its_hand() -> None:
    table = in_the_play(MUGGINS, "7C 7H 2C TH 3C go AH+1 4C 8C")
    table.press(RED, 1)
    table.do(Accept(BLUE))
    table.press(BLUE, 2)
    table.do(Challenge(RED))
    assert table.refused(TakePegInHand(BLUE, 3)) == "waits_for_other_side"
    assert table.refused(TakeZero(BLUE)) == "waits_for_other_side"


def test_the_claimant_does_not_block_the_challenge_of_its_own_count() -> None:
    table = in_the_play(MUGGINS, "7C 7H 2C TH 3C go AH+1 4C 8C")
    table.press(RED, 1)
    table.do(Accept(BLUE))
    table.press(BLUE, 2)
    assert table.refused(Challenge(BLUE)) == "nothing_to_challenge"


def test_a_third_side_does_not_answer_a_challenge_that_another_has_raised() -> None:
    table = Table(rules=THREE, scores=(30, 30, 30))
    table.starter("7H")
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C", 2: "2H 4S 6C 8D"}, crib="KD JC TH 9H")
    if table.now.claim is not None:
        table.do(Accept(table.left_side(table.now.claim.side)))
    table.press(BLUE, 2)
    table.do(Challenge(GREEN))
    assert table.refused(Accept(RED)) == "waits_for_other_side"
    table.do(Challenge(GREEN), Accept(RED))


def test_with_three_sides_muggins_finds_the_side_that_missed_points() -> None:
    table = Table(rules=THREE, scores=(10, 20, 30))
    table.starter("KS")
    table.play("7C 7H 2C 3C")
    table.do(Challenge(GREEN), TakePegInHand(GREEN, 2), ReleasePeg(GREEN))
    assert table.scores == (10, 20, 32)


def test_muggins_before_the_next_card_is_too_soon_and_not_too_late() -> None:
    table = in_the_play(MUGGINS, "7C 7H")
    ruled = ruling_in(table.do(Challenge(BLUE), TakePegInHand(BLUE, 2), ReleasePeg(BLUE)))
    assert ruled.verdict is Verdict.OUT_OF_TURN
    table.press(RED, 2)
    assert table.scores == (10, 22)


def test_muggins_on_an_unread_card_moves_no_peg() -> None:
    table = Table(rules=changed(RULES["acc"], {"muggins": "on"}), scores=(10, 20))
    table.starter("KS")
    table.play("7C")
    table.do(GoOnUnread(RED))
    table.press(RED, 2)
    events = table.do(Challenge(BLUE), TakePegInHand(BLUE, 2), ReleasePeg(BLUE))
    assert [event.verdict for event in events if isinstance(event, ClaimRuled)] == [Verdict.UNVERIFIED]
    assert not [event for event in events if isinstance(event, MugginsRuled)]
    assert table.scores == (10, 22)


def test_a_single_point_is_not_given_where_none_is_taken() -> None:
    rules = changed(
        RULES["six-card"], {"telling": "tournament", "over_claim": "award_excess", "no_single_point_from": 116}
    )
    table = in_the_play(rules, "7 8", scores=(117, 20))
    table.press(RED, 3)
    table.do(Challenge(BLUE))
    assert table.scores == (117, 22)


def test_a_go_after_a_challenge_leaves_it_raised() -> None:
    table = in_the_play(MUGGINS, "T Q 5")
    table.do(Challenge(RED), SayGo(RED))
    assert see(table.now).prompt.kind is PromptKind.CHALLENGE


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"telling": "tournament", "undo": "free"}, "undo = free"),
        ({"false_game_penalty": 15}, "false_game_penalty = 15"),
        ({"muggins": "on", "peg_release_final": "off"}, "peg_release_final = off"),
    ],
)
def test_rules_that_contradict_a_silent_game_are_refused_with_the_reason(changes: dict[str, object], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        changed(RULES["six-card"], changes)


def test_a_refused_action_does_not_release_a_winning_muggins() -> None:
    table = in_the_play(MUGGINS, "7 8 K", scores=(119, 40))  # red made fifteen two, and forgot it
    table.do(Challenge(BLUE), TakePegInHand(BLUE, 2))
    assert table.refused(ReadCrib(card("QD"))) == "no_card_now"
    table.do(Accept(RED))
    assert table.now.winner == BLUE


def test_after_the_crib_muggins_is_too_late_and_recorded_as_late() -> None:
    table = Table(rules=MUGGINS, scores=(10, 20))
    table.starter("7H")
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C"}, crib="KD JC TH 9H")
    table.do(Accept(table.left_side(RED)))
    table.claim(BLUE, 2)
    table.claim(RED, 2)
    table.read_crib("KD JC TH 9H")
    table.claim(RED, 0)
    assert table.now.phase is Phase.DEAL
    ruled = ruling_in(table.do(Challenge(BLUE), TakePegInHand(BLUE, 2), ReleasePeg(BLUE)))
    assert ruled.verdict is Verdict.TOO_LATE


def test_every_expected_action_is_legal_while_muggins_meets_a_claim_of_the_game() -> None:
    table = Table(rules=MUGGINS, scores=(60, 119))
    table.starter("TC")
    table.play("K Q 6 go 5 8 9 4 7")
    while table.now.counting != (RED, Occasion.HAND):
        table.do(TakeZero(BLUE), ReleasePeg(BLUE), Accept(RED))
    table.do(TakePegInHand(RED, 2), ReleasePeg(RED), Challenge(BLUE), TakePegInHand(BLUE, 1))
    assert table.now.game_claimed == RED
    for action in table.game.expected():
        decide(table.now, action)
