"""Who accepts a count and who may challenge it, with two sides and with three, and a peg that may be added to.

Sections 7.1 to 7.3 and 7.14 of the rules reference; `verify_ack` and `peg_release_final`, on and off.
"""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, GREEN, RED, SIX_CARD, Table, in_every_way, ruling_in, verdict_in

from cribboard import RULES, Rules
from cribboard.actions import (
    Accept,
    AcceptResult,
    Agree,
    Ask,
    Challenge,
    Question,
    ReleasePeg,
    TakePegInHand,
)
from cribboard.event_terms import Occasion, Verdict
from cribboard.events import BrokenOff, ClaimAccepted, ClaimChallenged, DealVoided, ResultFinal
from cribboard.rules import changed
from cribboard.view import PromptKind, see

THREE, SIX = RULES["three-player"], RULES["six-player"]
HANDS = {0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C", 2: "2H 4S 6C 8D"}
CRIB = "KD JC TH 9H"
of_three_sides = pytest.mark.parametrize("rules", [THREE, SIX], ids=lambda rules: str(rules.name))


def to_the_show(rules: Rules) -> Table:
    """All cards are laid and every point of the play is pegged; the first three hands count two each, with a seven."""
    table = Table(rules=rules, scores=[30] * len(rules.sides))
    table.starter("7H")
    table.play_out(HANDS, crib=CRIB)
    return table


def accepted(events: tuple[object, ...]) -> bool:
    return any(isinstance(event, ClaimAccepted) for event in events)


# With three sides (7.2)


@of_three_sides
def test_the_side_that_counts_next_accepts_and_no_other(rules: Rules) -> None:
    table = to_the_show(rules)
    sides = [rules.side_of(seat) for seat in rules.round_from(rules.left_of(rules.seats[-1]))]
    for place, side in enumerate(sides):
        assert table.now.counting == (place, Occasion.HAND)
        table.press(side, 1)
        left, other = (side + 1) % 3, (side + 2) % 3
        assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.ACCEPT, left)
        assert see(table.now).prompt.values["claimant"] == side
        assert table.refused(Accept(other)) == "not_your_claim"
        assert table.refused(Accept(side)) == "own_claim"
        assert accepted(table.do(Accept(left)))
    table.read_crib(CRIB)
    table.press(sides[-1], 1)
    assert see(table.now).prompt.side == (sides[-1] + 1) % 3
    assert table.refused(Accept((sides[-1] + 2) % 3)) == "not_your_claim"


@of_three_sides
@pytest.mark.parametrize("challenger", [RED, GREEN])
@pytest.mark.parametrize("let_go_first", [True, False])
def test_any_other_side_challenges_and_the_first_press_has_the_challenge(
    rules: Rules, challenger: int, let_go_first: bool
) -> None:
    table = to_the_show(rules)
    before = table.scores[BLUE]
    claimed = table.do(TakePegInHand(BLUE, 9), *([ReleasePeg(BLUE)] if let_go_first else []))
    challenged = table.do(Challenge(challenger))
    assert ClaimChallenged(side=BLUE, by=challenger) in challenged
    assert table.scores[BLUE] == before + verdict_in(claimed + challenged).due
    for side in (RED, GREEN):
        assert table.refused(Challenge(side)) == "nothing_to_challenge"
    assert table.now.counting == (1, Occasion.HAND)


@of_three_sides
@pytest.mark.parametrize("let_go_first", [True, False])
def test_the_next_count_of_the_side_on_the_left_accepts_and_a_press_of_the_third_side_does_not(
    rules: Rules, let_go_first: bool
) -> None:
    table = to_the_show(rules)
    table.do(TakePegInHand(BLUE, 1), *([ReleasePeg(BLUE)] if let_go_first else []))
    events = table.do(TakePegInHand(GREEN, 1))
    assert ruling_in(events).verdict is Verdict.OUT_OF_TURN
    assert not accepted(events)
    events = table.do(TakePegInHand(RED, 1))
    assert accepted(events)
    assert table.now.counting == (1, Occasion.HAND)


@of_three_sides
def test_in_the_play_any_other_side_lets_go_of_a_peg_and_challenges(rules: Rules) -> None:
    for act in (Accept(GREEN), Accept(RED), Challenge(GREEN), Challenge(RED), TakePegInHand(GREEN, 1)):
        table = Table(rules=rules)
        table.starter()
        table.tell("S1 7, S2 9, S3 5, S1 5" if rules is THREE else "S1 7, S2 9, S3 5, S4 5")
        table.do(TakePegInHand(BLUE, 2), act)
        assert table.scores == (2, 0, 0), act


@in_every_way
@of_three_sides
@pytest.mark.parametrize(
    ("question", "done"), [(Question.MISDEAL, DealVoided), (Question.BREAK_OFF, BrokenOff)], ids=["misdeal", "end"]
)
def test_both_other_sides_agree_before_it_is_done(
    way: str, rules: Rules, question: Question, done: type[object]
) -> None:
    table = Table(way, rules=rules)
    table.do(Ask(RED, question))
    assert table.refused(Agree(RED)) == "waits_for_other_side"
    assert not isinstance(table.do(Agree(GREEN))[-1], done)
    assert see(table.now).prompt.side == BLUE
    assert isinstance(table.do(Agree(BLUE))[-1], done)


@in_every_way
def test_a_result_is_final_after_the_ok_of_all_three(way: str) -> None:
    table = Table(way, rules=THREE, scores=(40, 119, 50))
    table.starter()
    table.tell("S1 5, S2 5+2")
    for side in (GREEN, BLUE):
        assert not isinstance(table.do(AcceptResult(side))[-1], ResultFinal)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.RESULT, RED)
    assert isinstance(table.do(AcceptResult(RED))[-1], ResultFinal)


# An OK before the next count (verify_ack)

ACK_ON = [RULES["jeux50"], changed(SIX_CARD, {"verify_ack": "on"})]
ACK_OFF = [SIX_CARD, RULES["acc"]]


@pytest.mark.parametrize("rules", ACK_ON, ids=lambda rules: str(rules.label))
@pytest.mark.parametrize("let_go_first", [True, False])
def test_while_a_count_waits_for_ok_the_next_count_is_out_of_turn(rules: Rules, let_go_first: bool) -> None:
    table = show_of_two(rules)
    table.do(TakePegInHand(BLUE, 2), *([ReleasePeg(BLUE)] if let_go_first else []))
    before = table.scores[RED]
    events = table.do(TakePegInHand(RED, 8))
    assert ruling_in(events).verdict is Verdict.OUT_OF_TURN
    assert not accepted(events)
    assert (table.scores[RED], table.now.counting) == (before, (0, Occasion.HAND))
    assert TakePegInHand(RED, 8) not in table.game.expected()
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.ACCEPT, RED)
    table.do(Accept(RED))
    assert table.count(RED, 8).verdict is Verdict.EXACT


@pytest.mark.parametrize("rules", ACK_OFF, ids=lambda rules: str(rules.label))
def test_without_verify_ack_the_next_count_accepts_the_one_before(rules: Rules) -> None:
    table = show_of_two(rules)
    table.press(BLUE, 2)
    assert accepted(table.do(TakePegInHand(RED, 8)))
    assert table.now.counting == (1, Occasion.HAND)


def test_with_fadoq_the_partners_of_the_next_counter_say_ok() -> None:
    table = Table(rules=RULES["fadoq"], scores=(30, 30))
    table.starter("7H")
    table.play_out({0: HANDS[0], 1: HANDS[1]}, crib=CRIB)
    table.press(BLUE, 2)
    assert ruling_in(table.do(TakePegInHand(RED, 2))).verdict is Verdict.OUT_OF_TURN
    table.do(Accept(RED))
    assert table.now.counting == (1, Occasion.HAND)


def show_of_two(rules: Rules) -> Table:
    """Blue is to count 2 and red 8."""
    table = Table(rules=rules, scores=(10, 20))
    table.starter("7S")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    return table


# A peg that was let go (peg_release_final)

MAY_ADD = changed(SIX_CARD, {"peg_release_final": "off"})


def red_calls_six_of_eight(rules: Rules) -> Table:
    table = show_of_two(rules)
    table.count(BLUE, 2)
    table.press(RED, 6)
    assert table.scores[RED] == 27
    return table


def test_a_released_peg_that_is_not_final_can_be_added_to_until_it_is_accepted() -> None:
    table = red_calls_six_of_eight(MAY_ADD)
    judged = table.claim(RED, 2)
    assert (judged.verdict, table.scores[RED]) == (Verdict.EXACT, 29)
    table.do(Accept(BLUE))
    assert table.now.counting is None


def test_adding_too_many_is_set_to_the_truth() -> None:
    table = red_calls_six_of_eight(MAY_ADD)
    assert table.claim(RED, 5).verdict is Verdict.TOO_MANY
    assert table.scores[RED] == 29


def test_a_zero_that_was_let_go_may_be_added_to() -> None:
    table = show_of_two(MAY_ADD)
    table.press(BLUE, 0)
    assert table.claim(BLUE, 2).verdict is Verdict.EXACT
    table.do(Accept(RED))
    assert table.now.counting == (1, Occasion.HAND)


def test_nothing_is_added_once_the_peg_is_accepted() -> None:
    table = red_calls_six_of_eight(MAY_ADD)
    table.do(Accept(BLUE))
    assert ruling_in(table.do(TakePegInHand(RED, 2))).verdict is Verdict.OUT_OF_TURN
    assert table.scores[RED] == 27


def test_in_the_play_a_peg_is_added_to_until_the_next_card() -> None:
    for rules, reaches in ((MAY_ADD, 8), (SIX_CARD, 6)):
        table = Table(rules=rules)
        table.starter()
        table.play("5 5+2 5")
        table.claim(BLUE, 6)
        if reaches == 8:
            table.claim(BLUE, 2)
        else:
            table.do(TakePegInHand(BLUE, 2))
            assert see(table.now).prompt.kind is PromptKind.LATE, "it is asked about as forgotten, for an earlier card"
            table.do(Accept(RED))
        table.play("K")
        assert table.scores == (reaches, 2)


@pytest.mark.parametrize("name", ["six-card", "jeux50", "acc"])
def test_a_released_peg_that_is_final_cannot_be_moved(name: str) -> None:
    table = red_calls_six_of_eight(RULES[name])
    for act in (TakePegInHand(RED, 2), TakePegInHand(RED, 8), ReleasePeg(RED)):
        assert table.refused(act) in ("peg_is_down", "no_peg_in_hand")
    table.do(Accept(BLUE))
    assert table.scores[RED] == 27
