"""Figures of many games, and of games of any kind: they add up in any order, and are never what cannot be."""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from itertools import pairwise
from operator import add
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.players import Players
from tests.support.sweeps import examples
from tests.support.walks import any_rules, likely

from cribboard import RULES, IllegalAction, Rules
from cribboard.events import DealEnded
from cribboard.figures import Mean, Statistics
from cribboard.record import Heading, Record
from cribboard.rules import Way, changed
from cribboard.statistics import statistics_of

pytestmark = pytest.mark.slow

GAMES = 12


@pytest.fixture(scope="module")
def evenings() -> list[Statistics]:
    """Games of people who slip now and then, of every kind, under five names."""
    names, kinds = ("Ann", "bo", "Cy", "ann", "Bo", ""), ("six-card", "five-card", "partners", "acc")
    found = []
    for number in range(GAMES):
        rules, way = RULES[kinds[number % len(kinds)]], list(Way)[number % len(Way)]
        pair = (names[number % 6], names[(number + 1 + number % 4) % 6])
        heading = Heading(rules=rules, way=way, names=pair, date=f"2026-03-{10 + number // 3}")
        game = heading.begin()
        Players(number, slips=0.1).play(game)
        found.append(statistics_of(Record(heading, game.log)))
    return found


@pytest.mark.sweep
@settings(max_examples=examples(50), deadline=None)
@given(data=st.data())
def test_games_may_be_added_in_any_order_and_in_any_parts(evenings: list[Statistics], data: st.DataObject) -> None:
    whole = reduce(add, evenings)
    shuffled = data.draw(st.permutations(evenings))
    cuts = sorted(data.draw(st.lists(st.integers(0, GAMES), max_size=4)))
    parts = [reduce(add, shuffled[a:b], Statistics()) for a, b in pairwise((0, *cuts, GAMES))]
    assert reduce(add, parts, Statistics()) == whole


def test_every_game_has_one_winner(evenings: list[Statistics]) -> None:
    players = reduce(add, evenings).ranked()
    assert sum(player.won for player in players) == GAMES
    assert sum(player.games for player in players) == 2 * GAMES
    assert sum(player.skunked for player in players) == sum(player.skunks_taken for player in players)
    assert all(len(player.best) <= 3 for player in players)


@pytest.mark.sweep
@settings(max_examples=examples(15), deadline=None)
@given(
    seed=st.integers(0, 10_000), slips=st.sampled_from([0.0, 0.1, 0.3]), name=st.sampled_from(["six-card", "five-card"])
)
def test_points_made_minus_points_left_is_how_far_the_pegs_moved(seed: int, slips: float, name: str) -> None:
    """As long as nobody is near the end, and no rule gives points away."""
    heading = Heading(rules=changed(RULES[name], {"target": 121}), way=Way.VERIFY, names=("Ann", "Bo"))
    game = heading.begin()
    people = Players(seed, slips=slips)
    for _ in range(400):
        if max(pegs.front for pegs in game.position.pegs) < 90:
            game.do(people.act(game.position))
    ends = [number for number, event in enumerate(game.log, start=1) if isinstance(event, DealEnded)]
    for player in statistics_of(Record(heading, game.log[: ends[-1]] if ends else ())).ranked():
        parts = [made for _, _, made in player.averages]
        made = sum(part.play.points + part.hand.points + part.crib.points for part in parts)
        assert made - player.left.points == sum(part.deal.points for part in parts)


@pytest.mark.sweep
@settings(max_examples=examples(25), deadline=None)
@given(rules=any_rules, way=st.sampled_from(list(Way)), seed=st.integers(0, 10_000))
def test_any_game_by_any_rules_has_figures_that_can_be_true(rules: Rules, way: Way, seed: int) -> None:
    """People who slip, and now and then somebody who does anything at all: taking back, going on unread."""
    heading = Heading(rules=rules, way=way)
    game, rng, people = heading.begin(), Random(seed), Players(seed, slips=0.1)
    for _ in range(300):
        if not (expected := game.expected()):
            break
        with suppress(IllegalAction, IndexError, StopIteration, ValueError):
            game.do(likely(rng, expected, taking_back=0.3) if rng.random() < 0.2 else people.act(game.position))
    figures = statistics_of(Record(heading, game.log))
    deals = game.position.deal
    for player in figures.ranked():
        for _, _, made in player.averages:
            assert 0 <= made.deal.times <= deals
            assert 0 <= made.play.times <= deals
            assert 0 <= made.crib.points <= 60 * made.crib.times
            assert 0 <= made.hand.points <= 60 * made.hand.times
            if way is Way.TRUST:
                assert made.play == made.hand == made.crib == Mean()
        assert (player.left.average is None) == (player.left.times == 0)
        assert player.left.points >= player.mugged >= 0
        assert way is Way.VERIFY or player.left == Mean()
