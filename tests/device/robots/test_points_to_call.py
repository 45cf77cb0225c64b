"""A deal that a croupier plays by the rules, under every rule set: told to a game that counts by itself.

No board is here. The croupier deals; the game, on auto, must take every card in the turn in which it is laid, and peg
what a good player would call, no more and no less, to the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.croupier import AllPass, Counted, Croupier, Go, GoWon, Happening, Laid, PassedTooSoon, Turned
from tests.support.sweeps import one_in

from cribboard import RULES, Game, Rules, Way, actions
from cribboard.actions import LayCard, OpenCount, ReadCrib, SayGo, ShowCard, TurnStarter
from cribboard.cards import PACK
from cribboard.events import AllPassed
from cribboard.evolution import start
from cribboard.position import Phase
from cribboard.rules import OPTIONS, RulesError, changed
from cribd.robots.points_to_call import Moves, called_points

HOUSE: Mapping[str, Mapping[str, Any]] = {
    "odd points": {"go": 2, "thirty_one": 3, "last_card": 0, "his_heels": 1, "his_nobs": 4},
    "no points for turning or ending": {"his_heels": 0, "go": 0, "thirty_one": 0, "last_card": 0},
    "every way out exact": {"exact_out": "on", "target": 41},
    "singles barred soon": {"no_single_point_from": 9, "skunk_line": None},
    "parts of one barred soon": {"no_single_point_from": 9, "single_point_rule": "component"},
    "one count, and none must play on": {"single_series": "on", "must_play_after_go": "off"},
    "flushes of three": {"hand_flush_min": 3, "crib_flush": "four_ok"},
}


def rule_sets() -> Iterator[Any]:
    """The presets, each with its options, and each with what a house might change."""
    for name, preset in RULES.items():
        yield pytest.param(preset, id=name)
        for option, changes in {**OPTIONS.get(name, {}), **HOUSE}.items():
            try:
                yield pytest.param(changed(preset, changes), id=f"{name}, {option}")
            except RulesError:
                continue  # not under this preset


EVERY_RULE_SET = pytest.mark.parametrize("rules", list(rule_sets()))


class Listener:
    """Plays on auto what the croupier tells, and adds up what a good player would call."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.game = Game(start(rules, Way.AUTO, dealer=rules.seats[-1]))
        self.rules = rules
        self.called = list(self.pegged)
        self.owed: Moves = ()
        self.croupier = Croupier(Random(seed), rules, hasty=0.3)

    @property
    def pegged(self) -> list[int]:
        return [pegs.front for pegs in self.game.position.pegs]

    @property
    def won(self) -> bool:
        return self.game.position.phase is Phase.WON

    def deal(self) -> list[Happening]:
        """A deal, or as much of it as it takes to win. What happened in it."""
        dealer = self.game.position.dealer
        heard: list[Happening] = []
        assert dealer is not None
        for happening in self.croupier.deal(dealer):
            if self.stands(heard, happening):
                assert self.called == self.pegged, heard
            if self.won and not isinstance(happening, GoWon):
                return heard
            heard.append(happening)
            self.hear(happening)
        assert self.called == self.pegged
        if not self.won:
            self.game.do(OpenCount(0))
        return heard

    def stands(self, heard: list[Happening], next_to_come: Happening) -> bool:
        """Whether pegs stand where they were called. A go is pegged with what came before it, and one that nobody has
        won comes back with the next card."""
        return not isinstance(next_to_come, GoWon) and not (heard and isinstance(heard[-1], PassedTooSoon))

    def hear(self, happening: Happening) -> None:
        match happening:
            case Turned(_, card, moves):
                self.game.do(TurnStarter(card))
                self.call(happening.dealer, moves)
            case Laid(seat, card, moves):
                self.game.do(LayCard(seat, card))
                self.call(seat, self.owed + moves)
                self.owed = ()
            case Go(seat):
                self.game.do(SayGo(seat))
            case AllPass(seat, passing):
                assert self.game.do(actions.AllPass(seat))[1] == AllPassed(passing)
            case PassedTooSoon(seat):
                self.game.do(actions.AllPass(seat))
                if self.won:  # nobody can take that back but by an undo
                    self.called = self.pegged
            case GoWon(_, moves, alone=True):
                self.owed = moves
            case GoWon(seat, moves):
                self.call(seat, moves)
            case Counted(seat, _, moves, crib, shown):
                if self.game.position.to_show is None:
                    self.game.do(OpenCount(0))
                for card in shown:
                    self.game.do(ReadCrib(card) if crib else ShowCard(seat, card))
                self.call(seat, moves)

    def call(self, seat: int, moves: Moves) -> None:
        side = self.rules.side_of(seat)
        points = called_points(self.rules, self.called[side], moves)
        self.called[side] = min(self.called[side] + points, self.rules.game.target)


@pytest.mark.sweep
@EVERY_RULE_SET
def test_a_game_takes_every_card_of_the_croupier_and_pegs_what_robots_would_call(rules: Rules) -> None:
    for seed in range(0, 6, one_in(6)):
        listener = Listener(rules, seed)
        while not listener.won:
            listener.deal()
        assert listener.called == listener.pegged
        assert max(listener.pegged) == rules.game.target


@given(name=st.sampled_from(sorted(RULES)), option=st.sampled_from(sorted(HOUSE)), seed=st.integers(0, 2**32))
def test_a_deal_under_any_rules_is_called_as_it_is_pegged(name: str, option: str, seed: int) -> None:
    try:
        listener = Listener(changed(RULES[name], HOUSE[option]), seed)
    except RulesError:
        return
    listener.deal()


# What is dealt


@EVERY_RULE_SET
def test_hands_crib_and_starter_are_different_cards_of_one_pack(rules: Rules) -> None:
    for dealer in rules.seats:
        happenings = list(Croupier(Random(7), rules).deal(dealer))
        counted = [happening for happening in happenings if isinstance(happening, Counted)]
        assert [each.seat for each in counted] == [*rules.round_from(rules.left_of(dealer)), dealer]
        assert [len(each.cards) for each in counted] == [rules.deal_and_play.hand_size] * len(rules.seats) + [4]
        starter = next(happening.card for happening in happenings if isinstance(happening, Turned))
        seen = [starter, *(card for each in counted for card in each.cards)]
        assert len(set(seen)) == len(seen)
        assert set(seen) <= set(PACK)


def test_who_need_not_play_on_after_a_go_sometimes_stops_and_who_must_never_does() -> None:
    def stops(rules: Rules) -> int:
        return sum(_could_have_laid(Croupier(Random(seed), rules), dealer=0) for seed in range(60))

    assert stops(RULES["five-card"]) == 0
    assert stops(changed(RULES["five-card"], {"must_play_after_go": "off"})) > 0


def _could_have_laid(croupier: Croupier, *, dealer: int) -> int:
    """How many seats said go with a card that fitted: seen from the hands that they show at the end."""
    stack, gone, hands = 0, [], {}
    for happening in croupier.deal(dealer):
        match happening:
            case Laid(card=card):
                stack += card.value
            case Go(seat):
                gone.append((seat, stack))
            case Counted(seat, shown=shown, crib=False):
                hands[seat] = shown
    return sum(any(card.value + at <= 31 for card in hands[seat]) for seat, at in gone)


def test_only_hasty_robots_pass_for_all_too_soon() -> None:
    def too_soon(hasty: float) -> int:
        deals = (Croupier(Random(seed), RULES["three-player"], hasty).deal(0) for seed in range(30))
        return sum(isinstance(happening, PassedTooSoon) for deal in deals for happening in deal)

    assert too_soon(0) == 0
    assert too_soon(1) > 5


def test_where_no_card_is_read_the_seats_cut_among_themselves() -> None:
    low, high = RULES["partners"], changed(RULES["partners"], {"first_deal": "high_cut", "cut_tie": "tied_recut"})
    dealers = [Croupier(Random(seed), low).first_dealer() for seed in range(40)]
    assert set(dealers) == set(low.seats)
    assert dealers != [Croupier(Random(seed), high).first_dealer() for seed in range(40)]


# What is called


@pytest.mark.parametrize(
    ("preset", "changes", "at", "moves", "called"),
    [
        ("fadoq", {}, 115, [(1,)], 1),
        ("fadoq", {}, 116, [(1,)], 0),
        ("fadoq", {}, 117, [(2, 1)], 3),
        ("fadoq", {}, 115, [(1,), (1,)], 1),
        ("fadoq", {}, 120, [(2,)], 2),
        ("fadoq", {"single_point_rule": "component"}, 117, [(2, 1)], 2),
        ("fadoq", {"single_point_rule": "out_only"}, 119, [(1,)], 1),
        ("fadoq", {"single_point_rule": "out_only"}, 120, [(1,)], 0),
        ("six-card", {}, 117, [(1,)], 1),
        ("britannica", {"exact_out": "on"}, 119, [(2,), (2,)], 2),
        ("britannica", {"exact_out": "on"}, 120, [(2,), (1,)], 1),
        ("britannica", {"exact_out": "on"}, 120, [(2,)], 0),
    ],
)
def test_robots_do_not_call_points_that_cannot_be_pegged(
    preset: str, changes: Mapping[str, Any], at: int, moves: Moves, called: int
) -> None:
    assert called_points(changed(RULES[preset], changes), at, moves) == called
