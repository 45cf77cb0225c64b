"""A44, A45, A57 and A74 of the rules reference: who deals, who cuts, and a cut that showed a card."""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, GREEN, RED, SIX_CARD, Table, card, in_every_way, where_cards_are_read

from cribboard import RULES, Rules
from cribboard.actions import Agree, Ask, CutForDeal, NameDealer, Question, TakePegInHand
from cribboard.events import CutStands, CutTied, DealVoided
from cribboard.position import Phase
from cribboard.rules import Cutter, changed
from cribboard.view import PromptKind, see

JEUX50, ACC = RULES["jeux50"], RULES["acc"]
THREE, PARTNERS, SIX = RULES["three-player"], RULES["partners"], RULES["six-player"]
CRIB = "2H 4H 6H 8S"
of_many = pytest.mark.parametrize("rules", [THREE, PARTNERS, SIX], ids=lambda rules: str(rules.name))


def cut(table: Table, cuts: str) -> None:
    """The seats cut these cards, each in its turn."""
    for name in cuts.split():
        assert table.now.to_cut is not None
        table.do(CutForDeal(table.now.to_cut, card(name)))


# The first deal


@in_every_way
def test_a44_the_lower_cut_deals_first(way: str) -> None:
    left, right = BLUE, RED
    table = Table(way, dealer=None)
    if way == "trust":
        table.do(NameDealer(left))
    else:
        table.do(CutForDeal(left, card("4H")), CutForDeal(right, card("9C")))
    assert (table.now.dealer, table.now.deal) == (left, 1)


@where_cards_are_read
@pytest.mark.parametrize(("cuts", "dealer"), [("KH QC", RED), ("2H AC", RED), ("AS 2S", BLUE), ("TD JD", BLUE)])
def test_a44_the_ace_is_the_lowest_and_the_king_the_highest(way: str, cuts: str, dealer: int) -> None:
    table = Table(way, dealer=None)
    cut(table, cuts)
    assert table.now.dealer == dealer


@where_cards_are_read
@pytest.mark.parametrize(("first_deal", "dealer"), [("low_cut", 2), ("high_cut", 3)])
def test_the_lowest_or_the_highest_of_four_cuts_deals(way: str, first_deal: str, dealer: int) -> None:
    table = Table(way, dealer=None, rules=changed(PARTNERS, {"first_deal": first_deal}))
    cut(table, "5H 9C AD KS")
    assert table.now.dealer == dealer


@where_cards_are_read
def test_after_a_tie_all_cut_again_or_those_alone_who_tied(way: str) -> None:
    everybody = Table(way, dealer=None, rules=THREE)
    tied = Table(way, dealer=None, rules=changed(THREE, {"cut_tie": "tied_recut"}))
    for table in (everybody, tied):
        cut(table, "3H 9C 3D")
        assert table.now.last[-1] == CutTied()
        assert (see(table.now).prompt.kind, see(table.now).prompt.values["seat"]) == (PromptKind.CUT_AGAIN, 0)
    cut(everybody, "KH 2C QD")
    assert everybody.now.dealer == 1
    cut(tied, "KH")
    assert tied.now.to_cut == 2
    assert tied.refused(CutForDeal(1, card("2C"))) == "not_your_turn"
    cut(tied, "QD")
    assert tied.now.dealer == 2


@where_cards_are_read
def test_seats_that_tie_for_the_lowest_cut_again_and_other_ties_do_not_count(way: str) -> None:
    table = Table(way, dealer=None, rules=changed(PARTNERS, {"cut_tie": "tied_recut"}))
    cut(table, "3H 9C 3D 3S")
    cut(table, "8H TD 8S")
    assert table.now.to_cut == 0
    cut(table, "QH JS")
    assert table.now.dealer == 3

    table = Table(way, dealer=None, rules=PARTNERS)
    cut(table, "2H 9C 9D 9S")
    assert table.now.dealer == 0


# The deal passes on


@in_every_way
def test_a45_the_deal_alternates_between_two(way: str) -> None:
    assert dealers(way, SIX_CARD, deals=4) == [RED, BLUE, RED, BLUE]


@in_every_way
def test_a45_the_deal_passes_to_the_left_of_four(way: str) -> None:
    assert dealers(way, PARTNERS, deals=6) == [3, 0, 1, 2, 3, 0]


@in_every_way
@pytest.mark.parametrize("rules", [THREE, SIX], ids=lambda rules: str(rules.name))
def test_the_deal_passes_to_the_left_of_three_and_of_six(way: str, rules: Rules) -> None:
    seats = list(rules.seats)
    assert dealers(way, rules, deals=len(seats) + 1) == [seats[-1], *seats]


def dealers(way: str, rules: Rules, *, deals: int) -> list[int | None]:
    """Who deals so many deals; in each, all cards are laid and everything is counted."""
    table = Table(way, rules=rules)
    dealt = []
    for _ in range(deals):
        dealt.append(table.now.dealer)
        table.starter("QS")
        table.play_out(crib=CRIB)
        play_the_show(table)
        table.end_deal()
    return dealt


def play_the_show(table: Table) -> None:
    """Everybody calls zero, or the board counts; the crib holds nothing either."""
    if table.now.way.value == "trust":
        return
    assert table.now.dealer is not None
    for seat in table.rules.round_from(table.rules.left_of(table.now.dealer)):
        if table.now.way.value == "auto":
            table.next_count()
        else:
            table.count(table.rules.side_of(seat), 0)
    if table.now.way.value == "auto":
        table.next_count()
    table.read_crib(CRIB)
    if table.now.way.value == "verify":
        table.count(table.rules.side_of(table.now.dealer), 0)


# How it is dealt, and who cuts


@where_cards_are_read
@pytest.mark.parametrize(
    ("name", "cards", "discards", "from_pack"),
    [("six-card", 6, 2, 0), ("three-player", 5, 1, 1), ("partners", 5, 1, 0), ("six-player", 5, 1, 0),
     ("fadoq", 5, 1, 0), ("five-card", 5, 2, 0), ("britannica", 6, 2, 0), ("jeux50", 6, 2, 0), ("acc", 6, 2, 0)],
)  # fmt: skip
def test_every_preset_deals_and_discards_as_its_source_says(
    way: str, name: str, cards: int, discards: int, from_pack: int
) -> None:
    values = see(Table(way, rules=RULES[name]).now).prompt.values
    assert (values["cards"], values["discards"], values["from_pack"]) == (cards, discards, from_pack)


def test_with_six_players_two_seats_get_four_cards_or_the_dealers_side_buries_its_discards() -> None:
    """3.2."""
    short = see(Table(rules=SIX).now).prompt.values
    assert (sorted(short["four"]), short["buried"]) == ([4, 5], ())
    bury = see(Table(rules=changed(SIX, {"six_player_deal": "bury"})).now).prompt.values
    assert (bury["four"], sorted(bury["buried"])) == ((), [2, 5])


@pytest.mark.parametrize("dealer", range(6))
def test_of_six_players_the_dealer_and_the_seat_before_get_four_cards(dealer: int) -> None:
    values = see(Table(rules=SIX, dealer=dealer).now).prompt.values
    assert sorted(values["four"]) == sorted([dealer, (dealer - 1) % 6])


def test_the_pone_cuts_for_two_and_the_dealers_right_for_more_unless_the_rules_say_left() -> None:
    def cutter(rules: Rules, dealer: int) -> int:
        found: int = see(Table(rules=rules, dealer=dealer).now).prompt.values["cutter"]
        return found

    assert (SIX_CARD.deal_and_play.cutter, PARTNERS.deal_and_play.cutter) == (Cutter.PONE, Cutter.RIGHT)
    assert [cutter(SIX_CARD, dealer) for dealer in range(2)] == [1, 0]
    assert [cutter(PARTNERS, dealer) for dealer in range(4)] == [3, 0, 1, 2]
    assert [cutter(changed(PARTNERS, {"cutter": "left"}), dealer) for dealer in range(4)] == [1, 2, 3, 0]
    assert [cutter(THREE, dealer) for dealer in range(3)] == [2, 0, 1]


# A card seen at the cut


@in_every_way
def test_a57_a_card_seen_at_the_cut_voids_the_deal_with_jeux50(way: str) -> None:
    table = Table(way, rules=JEUX50, scores=(30, 20))
    table.starter("5S")
    table.do(Ask(BLUE, Question.EXPOSED_CUT))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.EXPOSED_CUT, RED)
    assert table.refused(Agree(BLUE)) == "waits_for_other_side"
    assert table.do(Agree(RED))[-1] == DealVoided(RED)
    assert (table.now.dealer, table.scores) == (RED, (30, 20))
    table.starter("5S")  # a new deal: no card has been seen


@in_every_way
def test_a74_heels_come_back_when_the_cut_is_void_with_jeux50(way: str) -> None:
    table = Table(way, rules=JEUX50, scores=(30, 20))
    table.starter("JH")
    if way != "auto":
        table.press(RED, 2)
    assert table.scores == (30, 22)
    table.do(Ask(RED, Question.EXPOSED_CUT), Agree(BLUE))
    assert (table.scores, table.back_pegs, table.now.dealer) == ((30, 20), (29, 19), RED)
    table.starter("QH")
    assert table.scores == (30, 20)


@in_every_way
def test_a_void_cut_leaves_what_earlier_deals_pegged(way: str) -> None:
    """3.17."""
    table = Table(way, rules=JEUX50)
    table.starter("QS")
    table.play_out(crib=CRIB)
    play_the_show(table)
    table.end_deal()
    before = table.scores
    assert table.now.dealer == BLUE
    table.starter("JH")
    table.do(Ask(RED, Question.EXPOSED_CUT), Agree(BLUE))
    assert (table.scores, table.now.dealer) == (before, BLUE)


@in_every_way
def test_with_acc_the_top_card_stands(way: str) -> None:
    table = Table(way, rules=ACC, scores=(30, 20))
    table.starter("5S")
    phase, turn = table.now.phase, table.now.turn
    assert CutStands() in table.do(Ask(BLUE, Question.EXPOSED_CUT))
    assert (table.now.phase, table.now.turn, table.now.question, table.scores) == (phase, turn, None, (30, 20))


@in_every_way
def test_without_a_rule_for_it_no_side_asks_about_an_exposed_cut(way: str) -> None:
    table = Table(way)
    table.starter("5S")
    assert table.refused(Ask(BLUE, Question.EXPOSED_CUT)) == "no_exposed_cut"


@where_cards_are_read
def test_a_cut_is_void_no_more_once_a_card_was_laid(way: str) -> None:
    table = Table(way, rules=JEUX50)
    table.starter("5S")
    table.play("7")
    assert table.refused(Ask(RED, Question.EXPOSED_CUT)) == "no_misdeal_now"


@in_every_way
def test_with_three_sides_both_others_agree_to_a_void_cut(way: str) -> None:
    table = Table(way, rules=changed(THREE, {"exposed_cut": "redeal"}))
    table.starter("5S")
    table.do(Ask(RED, Question.EXPOSED_CUT), Agree(BLUE))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.EXPOSED_CUT, GREEN)
    assert table.refused(Agree(BLUE)) == "waits_for_other_side"
    assert table.refused(Agree(RED)) == "waits_for_other_side"
    assert table.do(Agree(GREEN))[-1] == DealVoided(2)


@of_many
def test_seats_cut_in_order_however_many_there_are(rules: Rules) -> None:
    table = Table(dealer=None, rules=rules)
    names = ["9H", "8C", "7D", "6S", "5H", "4C"]
    for seat in rules.seats:
        assert see(table.now).prompt.values["seat"] == seat
        assert table.refused(CutForDeal((seat + 1) % len(rules.seats), card("KH"))) == "not_your_turn"
        table.do(CutForDeal(seat, card(names[seat])))
    assert table.now.dealer == rules.seats[-1]


@of_many
def test_a_dealer_may_be_named_and_points_wait_for_the_deal(rules: Rules) -> None:
    table = Table("trust", dealer=None, rules=rules)
    assert table.refused(TakePegInHand(0, 2)) == "no_score_now"
    table.do(NameDealer(rules.seats[-1]))
    assert table.now.phase is Phase.PEGGING
