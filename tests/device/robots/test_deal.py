"""Robots deal by the rules that the board reads out."""

import pytest

from cribboard.cards import PACK
from cribboard.rules import CRIB_SIZE, RULES, SixPlayerDeal, changed
from cribd.robots.deal import deal_cards


@pytest.mark.parametrize("dealer", range(6))
@pytest.mark.parametrize("teams", [2, 3])
@pytest.mark.parametrize("how", SixPlayerDeal)
def test_four_of_six_players_give_a_card_to_the_crib(how: SixPlayerDeal, teams: int, dealer: int) -> None:
    """3.2."""
    rules = changed(RULES["six-player"], {"six_player_deal": how.value, "teams": teams})
    deal = deal_cards(rules, PACK, dealer, fronts=(0,) * teams)
    for seat in rules.seats:
        deal = deal.with_discard(seat, deal.hands[seat][4:])
    assert [len(deal.kept(seat)) for seat in rules.seats] == [4] * 6
    assert (len(deal.crib), deal.from_pack) == (CRIB_SIZE, ())
