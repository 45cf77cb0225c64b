"""A40 and A67 of the rules reference: where the way out is exact, what would pass the game hole counts nothing.

Reading 3.18.
"""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, Table, in_every_way, verdict_in, where_cards_are_read

from cribboard import RULES
from cribboard.actions import TakePegInHand
from cribboard.event_terms import Bar, Verdict
from cribboard.events import PointsBarred
from cribboard.rules import OPTIONS, changed

BRITANNICA = RULES["britannica"]
EXACT_OUT = changed(BRITANNICA, OPTIONS["britannica"]["exact-out"])


def played(way: str, story: str, scores: tuple[int, int]) -> Table:
    table = Table(way, rules=EXACT_OUT, scores=scores)
    table.starter()
    table.tell(story)
    return table


@in_every_way
def test_a40_a_pair_at_120_counts_nothing(way: str) -> None:
    table = played(way, "P 5, D 5", (40, 120))
    if way == "verify":
        assert table.claim(RED, 1).due == 0
    if way != "auto":
        assert table.refused(TakePegInHand(RED, 2)) in ("past_the_end", "peg_is_down")
    else:
        assert PointsBarred(RED, 2, Bar.EXACT_OUT) in table.now.last
    assert (table.now.winner, table.scores) == (None, (40, 120))


@in_every_way
def test_a40_a_go_at_120_wins(way: str) -> None:
    table = played(way, "P T, D Q, P K, D go, P go+1", (120, 40))
    assert (table.now.winner, table.scores) == (BLUE, (121, 40))


@in_every_way
def test_a67_a_card_that_makes_a_pair_and_thirty_one_wins_on_the_pair_at_119(way: str) -> None:
    table = played(way, "P 9, D J, P 6, D 6+2 (31)", (40, 119))
    assert (table.now.winner, table.scores) == (RED, (40, 121))


@where_cards_are_read
def test_at_120_neither_the_pair_nor_the_thirty_one_counts(way: str) -> None:
    table = played(way, "P 9, D J, P 6, D 6 (31)", (40, 120))
    if way == "verify":
        assert table.claim(RED, 1).due == 0
    assert table.scores == (40, 120)


@where_cards_are_read
@pytest.mark.parametrize(("red_has", "then"), [(118, 120), (117, 121), (116, 120)])
def test_the_thirty_one_is_a_claim_of_its_own_after_the_pair(way: str, red_has: int, then: int) -> None:
    """At 118 the pair reaches 120 and the thirty-one passes the game hole; at 117 the two are exactly enough."""
    table = played(way, "P 9, D J, P 6, D 6" + ("" if way == "verify" else f"+{then - red_has}"), (40, red_has))
    if way == "verify":
        table.claim(RED, 2)
        if then - red_has == 4:
            table.claim(RED, 2)
    assert table.scores == (40, then)


@where_cards_are_read
def test_the_go_is_a_claim_of_its_own_after_the_card(way: str) -> None:
    """At 119 a run of three passes the game hole, and the go that follows reaches 120."""
    table = played(way, "P T, D Q, P J, D go, P go" + ("+1" if way == "auto" else ""), (119, 40))
    if way == "verify":
        judged = table.claim(BLUE, 1)
        assert judged.verdict is Verdict.EXACT
    assert table.scores == (120, 40)


@where_cards_are_read
@pytest.mark.parametrize(("blue_has", "gets"), [(113, 8), (114, 0), (105, 8)])
def test_a_hand_that_would_pass_the_game_hole_counts_nothing_at_all(way: str, blue_has: int, gets: int) -> None:
    """The pone's hand is worth eight."""
    story = "P KH, D JD, P 5C, D 6D+2 (31); P KD, D 9D, P 9S+2, D 2D+1 (30)"
    table = Table(way, rules=EXACT_OUT, scores=(blue_has - 2, 40))
    table.starter("QC")
    table.tell(story)
    assert table.scores == (blue_has, 43)
    events = table.next_count() if way == "auto" else table.press(BLUE, min(8, 121 - blue_has))
    assert verdict_in(events).due == gets
    assert table.scores[BLUE] == blue_has + gets


@in_every_way
def test_without_the_option_an_overshoot_wins_with_britannica_too(way: str) -> None:
    table = Table(way, rules=BRITANNICA, scores=(40, 120))
    table.starter()
    table.tell("P 5, D 5+1")
    assert table.now.winner == RED
