"""A55 and A56 of the rules reference: nineteen, said in jest for nothing, and calls that no hand can make."""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, Table, ruling_in, verdict_in
from tests.support.seats import at_the_show as to_count_two

from cribboard import RULES
from cribboard.actions import Accept, ReleasePeg, TakePegInHand
from cribboard.event_terms import Verdict
from cribboard.events import ClaimJudged
from cribboard.view import PromptKind, see

EMPTY, OTHER = "2H 4C 6D 8S", "3H 7S 9D JC"

of_every_preset = pytest.mark.parametrize("name", sorted(RULES))


def at_the_first_count(name: str, way: str = "verify") -> Table:
    """The first seat is to count a hand of nothing."""
    rules = RULES[name]
    table = Table(way, rules=rules, scores=[10] * len(rules.sides))
    table.starter("TC")
    table.play_out({0: EMPTY if rules.deal_and_play.hand_size == 4 else "2H 4C 8S", 1: OTHER})
    if table.now.to_show is not None:
        laid = {str(each) for each in table.now.hands[0]}
        table.show(0, " ".join(each for each in ("2H", "4C", "8S") if each not in laid))
    return table


@of_every_preset
def test_a55_nineteen_for_an_empty_hand_asks_whether_it_is_zero_and_ok_says_yes(name: str) -> None:
    table = at_the_first_count(name)
    before = table.scores
    table.do(TakePegInHand(BLUE, 19))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.NINETEEN, BLUE)
    events = table.do(ReleasePeg(BLUE), Accept(RED))
    judged = next(event for event in events if isinstance(event, ClaimJudged) and event.side == BLUE)
    assert (judged.called, judged.due, judged.verdict) == (0, 0, Verdict.EXACT)
    assert table.scores == before
    assert table.now.counting is None or table.now.counting[0] == 1


def test_a55_nineteen_asks_where_the_table_trusts_too() -> None:
    table = Table("trust", scores=(30, 30))
    table.do(TakePegInHand(BLUE, 19))
    assert see(table.now).prompt.kind is PromptKind.NINETEEN
    table.do(ReleasePeg(BLUE))
    assert (table.scores, table.now.claim) == ((30, 30), None)


def test_nineteen_for_a_hand_that_counts_is_zero_too_and_the_points_are_lost() -> None:
    table = to_count_two()
    before = table.scores
    judged = verdict_in(table.do(TakePegInHand(BLUE, 19), ReleasePeg(BLUE)))
    assert (judged.called, judged.due, judged.verdict) == (0, 2, Verdict.TOO_FEW)
    assert table.scores == before


def test_nineteen_in_the_play_is_no_zero_and_ok_puts_the_peg_back() -> None:
    """A zero is for one's own count (7.4); the fifteen is still to be had."""
    table = Table()
    table.starter()
    table.play("5 T")
    table.do(TakePegInHand(RED, 19), ReleasePeg(RED))
    assert (table.now.claim, table.scores) == (None, (0, 0))
    assert table.claim(RED, 2).verdict is Verdict.EXACT


def test_another_hole_says_that_nineteen_was_not_zero() -> None:
    table = at_the_first_count("six-card")
    table.do(TakePegInHand(BLUE, 19), TakePegInHand(BLUE, 2))
    assert verdict_in(table.do(ReleasePeg(BLUE))).verdict is Verdict.TOO_MANY


@of_every_preset
@pytest.mark.parametrize("called", [25, 26, 27, 30])
def test_a56_twenty_five_to_seven_are_refused_as_impossible_and_the_count_stays_open(name: str, called: int) -> None:
    table = at_the_first_count(name)
    before = table.scores
    assert ruling_in(table.do(TakePegInHand(BLUE, called))).verdict is Verdict.IMPOSSIBLE
    assert (table.scores, table.now.counting and table.now.counting[0]) == (before, 0)
    assert see(table.now).sides[BLUE].in_hand is None
    assert TakePegInHand(BLUE, called) not in table.game.expected()
    table.count(BLUE, 0)


@pytest.mark.parametrize("called", [25, 26, 27])
def test_a56_where_the_table_trusts_they_must_be_pressed_again(called: int) -> None:
    table = Table("trust", scores=(30, 30))
    table.do(TakePegInHand(BLUE, called))
    assert see(table.now).prompt.kind is PromptKind.SAME_HOLE
    assert table.refused(ReleasePeg(BLUE)) == "same_hole_again"
