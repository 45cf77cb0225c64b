"""A32 to A35 and A68 of the rules reference: five-card cribbage, 61 holes and one count only."""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, Table, card, in_every_way, named, ruling_in, scores_of, where_cards_are_read

from cribboard import RULES, Game
from cribboard.actions import Agree, Ask, NameDealer, Question, ShowCard, TakePegInHand, Undo
from cribboard.event_terms import Verdict
from cribboard.events import FalseGoFound, ThreeForLast
from cribboard.position import Phase
from cribboard.rules import OPTIONS, changed
from cribboard.view import PromptKind, see

FIVE_CARD = RULES["five-card"]
NO_HEAD_START = changed(FIVE_CARD, {"three_for_last": 0})


@in_every_way
@pytest.mark.parametrize(("dealer", "scores"), [(RED, (3, 0)), (BLUE, (0, 3))])
def test_a32_the_non_dealer_of_the_first_deal_starts_at_three(way: str, dealer: int, scores: tuple[int, int]) -> None:
    cut = Game.start(FIVE_CARD, way=way)
    events = cut.do(NameDealer(dealer))
    assert ThreeForLast(1 - dealer, 3) in events
    known = Game.start(FIVE_CARD, way=way, dealer=dealer)
    for game in (cut, known):
        assert scores_of(game.position) == scores


@in_every_way
def test_three_for_last_is_given_once_in_a_game(way: str) -> None:
    """3.19."""
    table = Table(way, rules=FIVE_CARD)
    whole_deal(table)
    assert table.now.deal == 2
    assert table.scores == (3, 1)


@in_every_way
def test_a_misdeal_of_the_first_deal_neither_takes_three_for_last_back_nor_gives_it_again(way: str) -> None:
    table = Table(way, rules=FIVE_CARD, dealer=None)
    table.do(NameDealer(RED), Ask(BLUE, Question.MISDEAL), Agree(RED))
    assert (table.scores, table.now.dealer, table.now.deal) == ((3, 0), RED, 1)


@in_every_way
def test_three_for_last_is_taken_back_with_the_deal_it_came_with(way: str) -> None:
    table = Table(way, rules=changed(FIVE_CARD, {"undo": "free"}), dealer=None)
    table.do(NameDealer(RED), Undo(), NameDealer(BLUE))
    assert (table.scores, table.now.dealer) == ((0, 3), BLUE)


def whole_deal(table: Table) -> None:
    """A deal in which the dealer makes one for the go and nothing else counts."""
    table.starter("QS")
    table.tell("P 2, D K, P 8, D 9 (29), P go, D go+1")
    table.counts(BLUE, 0, shows="4H")
    table.counts(RED, 0, shows="7H")
    table.counts_crib(RED, "TH 3H 6C 8H", 0)
    table.end_deal()


@in_every_way
def test_a33_the_play_ends_with_its_one_count_and_cards_unplayed(way: str) -> None:
    table = Table(way, rules=NO_HEAD_START)
    table.starter()
    table.tell("P 9, D 6+2 (15), P T (25), D go, P go+1")
    assert table.scores == (1, 2)
    if way != "trust":
        assert table.now.phase is Phase.SHOW
        assert [table.now.cards_left(seat) for seat in (BLUE, RED)] == [1, 2]


@in_every_way
def test_the_play_ends_with_thirty_one_too(way: str) -> None:
    table = Table(way, rules=NO_HEAD_START)
    table.starter()
    table.tell("P T, D K, P J, D A+2 (31)")
    assert table.scores == (0, 2)
    assert way == "trust" or table.now.phase is Phase.SHOW


@where_cards_are_read
def test_each_seat_shows_the_card_that_it_did_not_lay_before_its_hand_is_counted(way: str) -> None:
    table = Table(way, rules=NO_HEAD_START)
    table.starter("KS")
    table.tell("P 9, D 6+2, P T, D go, P go+1")
    assert (see(table.now).prompt.kind, see(table.now).prompt.values["seat"]) == (PromptKind.READ_HAND, BLUE)
    table.counts(BLUE, 3, shows="8D")
    if way == "auto":
        table.next_count()
    assert (see(table.now).prompt.kind, see(table.now).prompt.values["seat"]) == (PromptKind.READ_HAND, RED)
    table.counts(RED, 2, shows="KH 7D")
    assert table.scores == (4, 4)


@in_every_way
@pytest.mark.parametrize(("starter", "points"), [("QS", 3), ("QH", 4)])
def test_a34_three_of_a_suit_are_a_flush_and_four_with_the_starter(way: str, starter: str, points: int) -> None:
    assert named("3H 8H KH", starter, rules=FIVE_CARD) == {"flush": points}
    table = Table(way, rules=NO_HEAD_START)
    table.starter(starter)
    table.tell("P 3H, D KS, P 8H, D TS+2 (31)")
    table.counts(BLUE, points, shows="KH")


@in_every_way
def test_a35_a_hand_of_three_worth_fifteen(way: str) -> None:
    assert named("JC 5D 5H", "5C", rules=FIVE_CARD) == {"fifteen": 8, "pair": 6, "nobs": 1}
    table = Table(way, rules=NO_HEAD_START)
    table.starter("5C")
    table.tell("P JC, D KS, P 5D, D 6S+2 (31)")
    table.counts(BLUE, 15, shows="5H")


def at_the_crib(way: str) -> Table:
    """Both hands are counted: nothing for the pone, and two for the dealer."""
    table = Table(way, rules=NO_HEAD_START)
    table.starter("5D")
    table.tell("P 2C, D 9C, P 7C, D TC (28), P go, D go+1")
    table.counts(BLUE, 0, shows="9H")
    table.counts(RED, 2, shows="4H")
    return table


def test_the_crib_has_a_flush_of_five_alone() -> None:
    """3.3."""
    assert named("3H 8H KH AH", "QS", crib=True, rules=FIVE_CARD) == {}
    assert named("3H 8H KH AH", "QH", crib=True, rules=FIVE_CARD) == {"flush": 5}


@in_every_way
def test_a68_a_crib_of_twenty_nine(way: str) -> None:
    assert named("5C 5H 5S JD", "5D", crib=True, rules=FIVE_CARD) == {"fifteen": 16, "pair": 12, "nobs": 1}
    if way == "trust":
        Table(way, rules=NO_HEAD_START).counts(RED, 29)
    else:
        at_the_crib(way).counts_crib(RED, "5C 5H 5S JD", 29)


@pytest.mark.parametrize("called", [16, 17, 18])
def test_a68_sixteen_to_eighteen_may_be_called_for_a_crib_and_never_for_a_hand_of_three(called: int) -> None:
    table = Table(rules=NO_HEAD_START)
    table.starter("5C")
    table.tell("P JC, D KS, P 5D, D 6S+2 (31)")
    table.do(ShowCard(BLUE, card("5H")))
    assert ruling_in(table.do(TakePegInHand(BLUE, called))).verdict is Verdict.IMPOSSIBLE

    table = at_the_crib("verify")
    table.read_crib("5C 5H 5S JD")
    table.do(TakePegInHand(RED, called))
    assert see(table.now).sides[RED].in_hand == table.scores[RED] + called


@pytest.mark.parametrize(("called", "possible"), [(15, True), (20, True), (21, False), (24, False), (28, False)])
def test_a_hand_of_three_is_never_called_above_twenty(called: int, possible: bool) -> None:
    """3.23."""
    table = Table(rules=NO_HEAD_START)
    table.starter("5C")
    table.tell("P JC, D KS, P 5D, D 6S+2 (31)")
    table.do(ShowCard(BLUE, card("5H")))
    events = table.do(TakePegInHand(BLUE, called))
    assert (table.now.claim is not None and table.now.claim.side == BLUE) is possible
    assert possible or ruling_in(events).verdict is Verdict.IMPOSSIBLE


@where_cards_are_read
def test_a_seat_that_can_lay_after_a_go_must_unless_the_option_allows_otherwise(way: str) -> None:
    """3.8: with the option, a seat that could lay may say go as well."""
    may = changed(NO_HEAD_START, OPTIONS["five-card"]["may-play-on"])
    for rules, is_false in ((NO_HEAD_START, True), (may, False)):
        table = Table(way, rules=rules)
        table.starter()
        table.tell("P 9, D 6+2, P T, D go, P go+1")
        table.do(ShowCard(BLUE, card("5C")))  # at 25 it could have been laid
        assert (FalseGoFound(BLUE, card("5C"), 25) in table.now.last) is is_false
