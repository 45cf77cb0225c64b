"""The play of two at the table: whose turn it is, go by every path, who leads next, and where the pegs stand after it.

Whole sequences through `Game.do`; those of the rules reference, section 5, are in `test_scenarios_play`.
"""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, Table, card

from cribboard.actions import LayCard, ReadCrib, SayGo, TakePegInHand, TurnStarter
from cribboard.event_terms import Occasion, Verdict
from cribboard.events import CountEnded, FalseGoFound, PlayEnded
from cribboard.position import Phase
from cribboard.view import see


def test_after_a_go_the_seat_that_said_it_leads() -> None:
    table = Table()
    table.starter()
    table.play("T Q J+3 go go+1")
    assert (table.now.turn, table.now.count_over) == (RED, True)


def test_after_thirty_one_the_other_seat_leads() -> None:
    table = Table()
    table.starter()
    table.play("T K J A+2")
    assert (table.now.turn, table.now.count_over) == (BLUE, True)
    table.play("2")
    assert table.now.count == 2


def test_pairs_and_runs_end_with_the_count() -> None:
    table = Table("auto")
    table.starter()
    table.play("T K J A+2 A 3")  # the ace makes no pair, nor the three a run with anything before
    assert table.scores == (0, 2)


def test_a_seat_that_said_go_is_not_asked_again_while_the_other_lays_on() -> None:
    table = Table("auto")
    table.starter()
    table.play("T K 6 go 2")
    assert table.now.turn == BLUE
    table.play("go+1")
    assert (table.scores, table.now.turn) == ((1, 0), RED)


def test_the_last_card_of_a_seat_ends_the_count_where_the_other_has_said_go() -> None:
    table = Table("auto")
    table.starter()
    table.play("9 6+2 8 A 2 go 4+1")  # blue lays its fourth card at 30: nobody need say anything more
    assert table.now.cards_left(BLUE) == 0
    assert (table.now.turn, table.now.count_over) == (RED, True)


def test_the_go_belongs_to_the_last_card_though_the_other_side_leads_at_once() -> None:
    """Blue is out of cards and laid last; red's king passes 31, and as nobody else holds a card it says no go."""
    table = Table("verify")
    table.starter("2C")
    table.play("T 8 K 3+2 9 4 J")
    events = table.do(LayCard(RED, card("KD")))
    assert CountEnded(last=BLUE, count=23) in events
    assert events[-2:-1] == (PlayEnded(),)
    assert table.claim(BLUE, 1).occasions == (Occasion.GO,)
    assert table.claim(RED, 1).occasions == (Occasion.CARD,)
    assert table.scores == (1, 3)


def test_on_auto_that_go_is_pegged_for_the_right_side() -> None:
    table = Table("auto")
    table.starter("2C")
    table.play("T 8 K 3+2 9 4 J")
    table.do(LayCard(RED, card("KD")))
    assert table.scores == (1, 3)


def test_an_implied_go_may_also_be_said() -> None:
    table = Table("auto")
    table.starter("2C")
    table.play("T 8 K 3+2 9 4 J go+1 K+1")
    assert table.scores == (1, 3)


def test_the_only_seat_with_cards_begins_a_new_count_without_saying_go() -> None:
    auto, verify = Table("auto"), Table("verify")
    for table in (auto, verify):
        table.starter("2C")
        table.play("T 8 K go 3+2 9 J 7")
        events = table.do(LayCard(RED, card("KD")))
        assert CountEnded(last=RED, count=26) in events
    assert auto.scores == (2, 2)
    assert verify.claim(RED, 2).occasions == (Occasion.GO, Occasion.CARD)
    assert verify.scores == (2, 2)


def test_the_go_that_a_new_count_made_known_may_be_claimed_alone() -> None:
    table = Table()
    table.starter("2C")
    table.play("T 8 K go 3+2 9 J 7 K+1")
    assert table.claim(RED, 1).occasions == (Occasion.CARD,)
    assert table.scores == (2, 2)


def test_a_card_that_passes_thirty_one_is_refused_while_the_other_holds_any() -> None:
    table = Table()
    table.starter()
    table.play("T K 9")
    for over in ("3C", "4C", "KD"):
        assert table.refused(LayCard(RED, card(over))) == "past_thirty_one"


def test_go_is_for_the_seat_to_play_and_for_a_count_at_which_a_card_may_not_fit() -> None:
    table = Table()
    assert table.refused(SayGo(BLUE)) == "no_go_now"
    table.starter()
    assert table.refused(SayGo(BLUE)) == "no_go_now"
    assert table.refused(SayGo(RED)) == "not_your_turn"
    table.play("T A K")
    assert table.refused(SayGo(RED)) == "can_play"  # at 21 a ten still makes 31
    table = Table()
    table.starter()
    table.play("T 2 K")
    table.do(SayGo(RED))
    assert table.now.turn == BLUE


def test_a_card_shown_twice_is_refused_wherever_it_was_shown() -> None:
    table = Table()
    table.starter("KS")
    table.play("7C 8D")
    assert table.refused(LayCard(BLUE, card("7C"))) == "card_twice"
    assert table.refused(LayCard(BLUE, card("8D"))) == "card_twice"
    assert table.refused(LayCard(BLUE, card("KS"))) == "card_twice"


def test_a_card_out_of_turn_or_out_of_season_is_refused() -> None:
    table = Table()
    assert table.refused(LayCard(BLUE, card("7C"))) == "no_card_now"
    table.starter("KS")
    assert table.refused(LayCard(RED, card("7C"))) == "not_your_turn"
    assert table.refused(TurnStarter(card("7C"))) == "no_card_now"
    assert table.refused(ReadCrib(card("7C"))) == "no_card_now"


@pytest.mark.parametrize("shown", ["3H", "6H"])
def test_a_false_go_is_reported_when_the_card_appears_and_costs_nothing(shown: str) -> None:
    table = Table()
    table.starter()
    table.play("T K 5 go go+1")
    payload = [event for event in table.do(LayCard(RED, card(shown))) if isinstance(event, FalseGoFound)]
    assert payload == [FalseGoFound(seat=RED, card=card(shown), count=25)]
    assert table.scores == (1, 0)


def test_neither_a_true_go_nor_the_go_of_another_seat_is_reported() -> None:
    table = Table()
    table.starter()
    table.play("T K 6 go")
    assert not [event for event in table.do(LayCard(BLUE, card("2H"))) if isinstance(event, FalseGoFound)]
    table.play("go+1")
    assert not [event for event in table.do(LayCard(RED, card("6H"))) if isinstance(event, FalseGoFound)]


def test_the_cards_of_the_count_are_in_sight_until_the_next_is_led_and_no_longer_than_the_play() -> None:
    table = Table()
    assert (see(table.now).count, see(table.now).laid) == (None, ())
    table.starter()
    table.play("T 6 2 8 4 go A+2")
    assert (see(table.now).count, len(see(table.now).laid)) == (31, 6)
    table.play("K")
    assert (see(table.now).count, [str(laid.card) for laid in see(table.now).laid]) == (10, ["KC"])
    table.play("9")
    assert (see(table.now).count, see(table.now).laid) == (None, ())


def test_the_count_of_the_play_closes_with_the_last_card_and_the_pones_hand_opens() -> None:
    table = Table()
    table.starter()
    table.play("T 6 2 8 4 go A+2 K 9+1")
    assert (table.now.phase, table.now.counting) == (Phase.SHOW, (BLUE, Occasion.HAND))


def test_points_for_a_card_are_claimed_before_or_with_the_go_that_follows() -> None:
    apart, together = Table(), Table()
    for table in (apart, together):
        table.starter()
        table.play("T Q J")
    apart.claim(BLUE, 3)
    for table in (apart, together):
        table.do(SayGo(RED), SayGo(BLUE))
    apart.claim(BLUE, 1)
    both = together.claim(BLUE, 4)
    assert (both.verdict, both.occasions) == (Verdict.EXACT, (Occasion.CARD, Occasion.GO))
    assert apart.scores == together.scores == (4, 0)


def test_a_go_may_be_claimed_though_the_card_before_it_made_nothing() -> None:
    table = Table()
    table.starter()
    table.play("T Q K go go")
    judged = table.claim(BLUE, 1)
    assert (judged.verdict, table.scores) == (Verdict.EXACT, (1, 0))


def test_saying_go_leaves_a_peg_in_hand() -> None:
    table = Table()
    table.starter()
    table.play("T Q J")
    table.do(TakePegInHand(BLUE, 3), SayGo(RED), SayGo(BLUE))
    assert table.now.claim is not None
    table.do(TakePegInHand(BLUE, 4))
    table.play("2")
    assert table.scores == (4, 0)


def test_too_few_called_for_a_card_costs_nothing_of_the_go_that_followed() -> None:
    table = Table()
    table.starter("2H")
    table.play("T Q J go go")
    card_judged = table.claim(BLUE, 2)
    assert (card_judged.verdict, card_judged.occasions, card_judged.due) == (Verdict.TOO_FEW, (Occasion.CARD,), 3)
    go_judged = table.claim(BLUE, 1)
    assert (go_judged.verdict, go_judged.occasions) == (Verdict.EXACT, (Occasion.GO,))
    assert table.scores == (3, 0)
