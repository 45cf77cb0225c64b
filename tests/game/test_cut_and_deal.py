"""Who deals: the cut with its ties, a dealer named, and the deal that passes on (rules reference, 1.9 to 1.11, 7.8)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.seats import BLUE, RED, SIX_CARD, Table, card

from cribboard import Game, Way
from cribboard.actions import Accept, CutForDeal, EndDeal, NameDealer, ReleasePeg, TakePegInHand, TakeZero, TurnStarter
from cribboard.events import CutTied
from cribboard.position import Phase
from cribboard.rules import Option, RulesError
from cribboard.view import PromptKind, see


def cut(table: Table, *names: str) -> None:
    table.do(*(CutForDeal(seat, card(name)) for seat, name in enumerate(names)))


def test_seats_cut_in_order_and_no_card_twice() -> None:
    table = Table(dealer=None)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.CUT, BLUE)
    assert table.refused(CutForDeal(RED, card("4H"))) == "not_your_turn"
    table.do(CutForDeal(BLUE, card("4H")))
    assert see(table.now).prompt.side == RED
    assert table.refused(CutForDeal(BLUE, card("5H"))) == "not_your_turn"
    assert table.refused(CutForDeal(RED, card("4H"))) == "card_twice"


def test_equal_cuts_are_cut_again_by_all_and_any_card_may_come_again() -> None:
    table = Table(dealer=None)
    table.do(CutForDeal(BLUE, card("4H")))
    assert table.do(CutForDeal(RED, card("4C")))[-1] == CutTied()
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.CUT_AGAIN, BLUE)
    cut(table, "4C", "4H")
    cut(table, "4H", "3C")
    assert table.now.dealer == RED


@pytest.mark.parametrize("way", list(Way))
def test_the_players_may_name_the_dealer_themselves(way: Way) -> None:
    table = Table(way, dealer=None)
    assert see(table.now).prompt.kind is (PromptKind.WHO_DEALS if way is Way.TRUST else PromptKind.CUT)
    assert table.refused(NameDealer(2)) == "no_such_seat"
    table.do(NameDealer(RED))
    assert table.now.dealer == RED
    assert table.refused(NameDealer(BLUE)) == "no_dealer_now"


def test_the_dealer_cannot_be_named_twice() -> None:
    table = Table()
    assert table.refused(CutForDeal(BLUE, card("4H"))) == "no_dealer_now"
    table.starter()
    assert table.refused(NameDealer(BLUE)) == "no_dealer_now"


def test_a_side_that_does_not_sit_here_is_refused() -> None:
    table = Table("trust")
    for side in (-1, 2):
        assert table.refused(TakePegInHand(side, 2)) == "no_such_seat"


def test_a_starter_is_turned_once_and_the_pone_leads() -> None:
    table = Table(dealer=BLUE)
    assert (see(table.now).prompt.kind, see(table.now).prompt.values["cards"]) == (PromptKind.STARTER, 6)
    table.starter("5C")
    assert (see(table.now).prompt.kind, table.now.turn) == (PromptKind.LEAD, RED)
    assert table.refused(TurnStarter(card("6C"))) == "no_card_now"


def test_a_deal_in_which_nothing_is_counted_ends_too() -> None:
    table = Table()
    table.starter("QS")
    table.play("2H 9S 6D KH 4H+2 JD 8C TS")
    table.do(TakeZero(BLUE), Accept(RED), TakeZero(RED), Accept(BLUE))
    table.read_crib("3C AD 5H 7C")
    table.do(TakeZero(RED), Accept(BLUE))
    assert table.now.dealer == BLUE


def test_in_trust_the_dealers_side_ends_the_deal_with_no_peg_in_hand() -> None:
    table = Table("trust")
    assert table.refused(EndDeal(BLUE)) == "not_the_dealer"
    table.do(TakePegInHand(BLUE, 2))
    assert table.refused(EndDeal(RED)) == "nothing_to_accept"
    table.do(ReleasePeg(BLUE), EndDeal(RED))
    assert (table.now.dealer, table.now.deal, table.now.phase) == (BLUE, 2, Phase.PEGGING)


def test_where_cards_are_read_end_deal_is_refused() -> None:
    table = Table()
    assert table.refused(EndDeal(RED)) == "nothing_to_accept"


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="'vrify'"):
        Game.start(SIX_CARD, way="vrify")


def test_rules_that_contradict_themselves_are_refused_all_at_once() -> None:
    rules = replace(
        SIX_CARD,
        deal_and_play=replace(SIX_CARD.deal_and_play, players=3),
        game=replace(SIX_CARD.game, exact_out=Option.ON, no_single_point_from=116),
    )
    with pytest.raises(RulesError) as refused:
        Game.start(rules, way="verify")
    assert [problem.partition(":")[0] for problem in refused.value.problems] == [
        "players = 3, teams = 2",
        "exact_out = on, no_single_point_from = 116",
    ]


def test_points_of_the_rules_may_be_changed() -> None:
    rules = replace(
        SIX_CARD,
        deal_and_play=replace(SIX_CARD.deal_and_play, go=2),
        game=replace(SIX_CARD.game, target=61, skunk_line=31),
    )
    assert Game.start(rules, way="auto").position.left_to_go(BLUE) == 61
    table = Table("auto", rules=rules)
    table.starter()
    table.play("T Q K go go+2")
