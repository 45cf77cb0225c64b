"""Whole games under every preset and any house rules: they end, they can be told again, and the ways to score agree."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import Phase as Stage
from hypothesis import given, note, settings
from hypothesis import strategies as st
from tests.support.players import Players, next_to_call
from tests.support.seats import Table, scores_of
from tests.support.sweeps import examples
from tests.support.walks import any_rules, house_rules, walk

from cribboard import Game, Rules, Way, record
from cribboard.actions import (
    Accept,
    AllPass,
    LayCard,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    TurnStarter,
)
from cribboard.deal.press_kind import acceptor
from cribboard.event_terms import Verdict
from cribboard.events import AllPassed, ClaimJudged, ResultFinal
from cribboard.evolution import fold
from cribboard.position import Phase
from cribboard.rules import PARAMETERS

pytestmark = pytest.mark.slow

ways = st.sampled_from(Way)
seeds = st.integers(0, 2**32)


# They end


@pytest.mark.sweep
@given(way=ways, rules=any_rules, seed=seeds)
@settings(max_examples=examples(60), deadline=None)
def test_people_who_know_the_game_play_it_to_its_result(way: Way, rules: Rules, seed: int) -> None:
    note(rules.label)
    game = Game.start(rules, way=way)
    Players(seed, slips=0.1).play(game)
    assert isinstance(game.log[-1], ResultFinal)
    assert game.expected() == ()


@pytest.mark.long
def test_house_rules_of_every_parameter_are_drawn() -> None:
    drawn: Counter[str] = Counter()

    @given(house_rules())
    @settings(max_examples=1000, database=None, derandomize=True, phases=[Stage.generate])
    def draw(rules: Rules) -> None:
        drawn.update(list(rules.changes))

    draw()
    assert drawn.keys() == PARAMETERS.keys()


# They can be told again


@pytest.mark.sweep
@given(way=ways, rules=any_rules, seed=seeds)
@settings(max_examples=examples(40), deadline=None)
def test_the_position_is_the_fold_of_the_log_after_every_step(way: Way, rules: Rules, seed: int) -> None:
    note(rules.label)
    game, rng = Game.start(rules, way=way), Random(seed)
    walk(game, rng, 80)
    for number in (0, len(game.log), *(rng.randint(0, len(game.log)) for _ in range(10))):
        assert fold(game.beginning, game.log[:number]) == game.position_after(number)


@pytest.mark.sweep
@given(way=ways, rules=any_rules, seed=seeds, means_well=st.booleans())
@settings(max_examples=examples(60), deadline=None)
def test_a_game_written_read_and_judged_again_is_the_game_that_was_played(
    way: Way, rules: Rules, seed: int, means_well: bool
) -> None:
    note(rules.label)
    heading = record.Heading(rules=rules, way=way)
    game = heading.begin()
    if means_well:
        Players(seed, slips=0.1).play(game)
    else:
        walk(game, Random(seed), 150)
    text = record.write(record.Record(heading, game.log))
    read = record.read(text)
    assert read == record.Record(heading, game.log)
    assert record.write(read) == text
    assert record.judge(read).position == game.position


# The ways to score agree

CARDS = TurnStarter | LayCard | SayGo | AllPass | ShowCard | ReadCrib


def call_all_that_is_due(table: Table) -> None:
    """Whoever has something due pegs it, one thing at a time, and who is to accept it says OK."""
    while table.now.phase is not Phase.WON and (call := next_to_call(table.now)):
        window, points = call
        side = table.rules.side_of(window.seat)
        table.do(TakePegInHand(side, points) if points else TakeZero(side))
        events = table.do(ReleasePeg(side))
        if table.now.claim is not None:
            accepts = acceptor(table.now)
            events += table.do(Accept(table.left_side(side) if accepts is None else accepts))
        judged = [event for event in events if isinstance(event, ClaimJudged)]
        assert judged
        assert {each.verdict for each in judged} == {Verdict.EXACT}


@pytest.mark.sweep
@given(seed=seeds, rules=any_rules)
@settings(max_examples=examples(40), deadline=None)
def test_players_who_call_exactly_end_on_the_holes_that_auto_pegs(seed: int, rules: Rules) -> None:
    note(rules.label)
    auto, verify, players = Table("auto", rules=rules), Table("verify", rules=rules), Players(seed)
    while auto.now.phase is not Phase.WON:
        action = players.act(auto.now)
        auto.do(action)
        if isinstance(action, CARDS) and verify.now.phase is not Phase.WON:
            verify.do(action)
            call_all_that_is_due(verify)
        if auto.now.phase is Phase.PLAY:
            assert verify.scores == auto.scores
    assert (verify.now.winner, verify.scores) == (auto.now.winner, auto.scores)


# Passing together


@pytest.mark.sweep
@given(
    way=st.sampled_from([Way.VERIFY, Way.AUTO]),
    rules=any_rules.filter(lambda rules: len(rules.seats) > 2),
    seed=seeds,
)
@settings(max_examples=examples(30), deadline=None)
def test_all_pass_equals_a_go_of_each_seat_and_can_be_taken_back(way: Way, rules: Rules, seed: int) -> None:
    note(rules.label)
    game, players = Game.start(rules, way=way), Players(seed)
    while game.position.phase is not Phase.OVER:
        action = players.act(game.position)
        if isinstance(action, AllPass):
            together, one_by_one = Game(game.position), Game(game.position)
            (passed,) = [event.seats for event in together.do(action) if isinstance(event, AllPassed)]
            for seat in passed:
                one_by_one.do(SayGo(seat))
            assert stands(together) == stands(one_by_one)
            if TakeBackPass(passed[-1]) in together.expected():
                together.do(TakeBackPass(passed[-1]))
                assert scores_of(together.position) == scores_of(game.position)
                assert together.position.turn == passed[-1]
                together.do(SayGo(passed[-1]))
                assert stands(together) == stands(one_by_one)
        game.do(action)


def stands(game: Game) -> tuple[object, ...]:
    """Where the game stands, and whom a go binds, in whatever order it was said."""
    p = game.position
    return p.phase, scores_of(p), p.turn, p.stack, p.count_over, p.open_windows, p.said_go, sorted(p.binding_gos)
