"""Whose turn it is with two, three, four and six seats: go, the lead after it, and seats without cards.

Readings 3.9 and 3.10 of the rules reference; a second opinion on the turn walks along through whole plays.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.seats import SIX_CARD, Table, card, where_cards_are_read
from tests.support.sweeps import examples

from cribboard import PACK, RULES, Card, Rules
from cribboard.actions import LayCard, SayGo
from cribboard.position import Phase

THREE, PARTNERS, SIX = RULES["three-player"], RULES["partners"], RULES["six-player"]
of_many = pytest.mark.parametrize("rules", [THREE, PARTNERS, SIX], ids=lambda rules: str(rules.name))


def played(way: str, story: str, rules: Rules) -> Table:
    table = Table(way, rules=rules)
    table.starter()
    table.tell(story)
    return table


# 3.9: who leads after go


@where_cards_are_read
@of_many
def test_after_a_go_the_seat_to_the_left_of_the_last_to_lay_leads(way: str, rules: Rules) -> None:
    gos = [f"S{number} go" for number in [*range(4, len(rules.seats) + 1), 1, 2]]
    table = played(way, ", ".join(["S1 T, S2 Q, S3 9 (29)", *gos, "S3 go+1"]), rules)
    assert table.now.turn == rules.left_of(table.seat("S3"))


@where_cards_are_read
def test_a_seat_without_cards_does_not_lead_and_the_next_to_its_left_does(way: str) -> None:
    """The last to lay is the third seat: the first, on its left, has no cards any more, nor has the third itself."""
    table = played(
        way,
        """S1 T, S2 Q, S3 8, S1 A, S2 go, S3 2+2 (31); S1 J, S2 8, S3 9, S1 2 (29), S2 go, S3 A+1 (30);
           S2 K, S2 9+1 (19)""",
        THREE,
    )
    assert table.scores == (0, 1, 3)


@where_cards_are_read
def test_the_last_to_lay_leads_again_if_no_other_player_has_cards(way: str) -> None:
    table = played(way, "P T, D 8, P K, D go, P 3+2 (31); D 9, P J, D 7 (26), D go+1; D K+1", SIX_CARD)
    assert table.scores == (2, 2)


# 3.10: go with three seats and more


@where_cards_are_read
@of_many
def test_a_seat_that_said_go_is_not_asked_again_and_cannot_lay_before_the_next_count(way: str, rules: Rules) -> None:
    gos = [f"S{number} go" for number in [*range(4, len(rules.seats) + 1), 1]]
    table = played(way, ", ".join(["S1 T, S2 9, S3 6 (25)", *gos, "S2 2, S3 A (28)"]), rules)
    assert table.now.turn == table.seat("S2")
    assert table.refused(SayGo(table.seat("S1"))) == "not_your_turn"
    assert table.refused(LayCard(table.seat("S1"), card("2H"))) == "not_your_turn"
    table.tell("S2 2 (30), S3 go, S2 go+1")
    assert sum(table.scores) == 1
    assert table.pegged[table.seat("S2")] == 1


@where_cards_are_read
@of_many
def test_the_point_for_go_is_given_once_and_to_the_last_to_lay(way: str, rules: Rules) -> None:
    gos = [f"S{number} go" for number in [*range(4, len(rules.seats) + 1), 1, 2]]
    table = played(way, ", ".join(["S1 T, S2 Q, S3 9 (29)", *gos]), rules)
    assert table.scores == (0,) * len(rules.sides)
    assert not table.now.count_over  # the last to lay has cards too, and has not said that none fits
    table.tell("S3 go+1")
    assert table.scores == tuple(int(side == rules.side_of(2)) for side in rules.sides)


@where_cards_are_read
def test_no_go_is_wanted_of_seats_without_cards(way: str) -> None:
    """Of four: the count ends with the gos of the third and the fourth, for the first and the second hold nothing."""
    table = played(
        way,
        """S1 T, S2 J, S3 6, S4 3, S1 A (30), S2 go, S3 go, S4 go, S1 go+1; S2 Q, S3 9, S4 3, S1 5, S2 4+5 (31);
           S3 8, S4 5, S1 K, S2 7 (30), S3 go""",
        PARTNERS,
    )
    assert (table.now.turn, table.now.count_over) == (table.seat("S4"), False)
    table.tell("S4 go+1")
    assert (table.now.turn, table.now.count_over) == (table.seat("S3"), True)


@where_cards_are_read
def test_the_last_card_of_a_seat_ends_the_count_where_all_others_have_gone(way: str) -> None:
    table = played(
        way,
        """S1 T, S2 5+2, S3 A, S4 8, S5 7+2 (31); S6 9, S1 5, S2 Q, S3 6, S4 go, S5 A+2 (31);
           S6 2, S1 K, S2 7, S3 9, S4 go, S5 go, S6 go, S1 2 (30), S2 go, S3 go+1;
           S2 3, S3 8, S4 J, S5 K+2 (31); S6 Q, S4 T, S5 6, S6 go, S4 4+1 (30)""",
        SIX,
    )
    assert (table.now.turn, table.now.count_over) == (table.seat("S6"), True)


class Turns:
    """A second opinion on whose turn it is, from the rules alone: who holds how many cards, who has gone, who laid
    last."""

    def __init__(self, seats: int, first: int) -> None:
        self.seats = seats
        self.cards = [4] * seats
        self.gone: set[int] = set()
        self.last = self.turn = first
        self.leads = True

    def laid(self, seat: int, count: int) -> None:
        self.cards[seat] -= 1
        self.last, self.leads = seat, False
        if count == 31:
            self._new_count()
        else:
            self._ask_from(seat)

    def went(self, seat: int) -> None:
        self.gone.add(seat)
        self._ask_from(seat)

    def _ask_from(self, seat: int) -> None:
        asked = [each for each in self._left_of(seat) if self.cards[each] and each not in self.gone]
        if asked:
            self.turn = asked[0]
        else:
            self._new_count()

    def _new_count(self) -> None:
        self.gone.clear()
        self.leads = True
        self.turn = next((each for each in self._left_of(self.last) if self.cards[each]), -1)

    def _left_of(self, seat: int) -> list[int]:
        return [(seat + step) % self.seats for step in range(1, self.seats + 1)]


@pytest.mark.sweep
@pytest.mark.slow
@given(
    seed=st.integers(0, 2**32),
    rules=st.sampled_from([SIX_CARD, THREE, PARTNERS, SIX]),
    dealer=st.integers(0, 5),
    way=st.sampled_from(["verify", "auto"]),
)
@settings(max_examples=examples(150), deadline=None)
def test_turn_and_lead_agree_with_an_independent_model_of_the_play(
    seed: int, rules: Rules, dealer: int, way: str
) -> None:
    rng = Random(seed)
    table = Table(way, rules=rules, dealer=dealer % len(rules.seats))
    pack = rng.sample(PACK, len(PACK))
    table.starter(str(pack.pop()))
    hands: list[list[Card]] = [[pack.pop() for _ in range(4)] for _ in rules.seats]
    turns = Turns(len(rules.seats), rules.left_of(dealer % len(rules.seats)))
    while table.now.phase is Phase.PLAY:
        seat = turns.turn
        assert (table.now.turn, table.now.count_over) == (seat, turns.leads)
        count = 0 if turns.leads else table.now.count
        fits = [each for each in hands[seat] if count + each.value <= 31]
        for other in set(rules.seats) - {seat}:
            assert table.refused(SayGo(other)) in ("not_your_turn", "no_go_now")
        if fits:
            laid = rng.choice(fits)
            hands[seat].remove(laid)
            table.do(LayCard(seat, laid))
            turns.laid(seat, count + laid.value)
        else:
            table.do(SayGo(seat))
            turns.went(seat)
    assert not any(turns.cards)
