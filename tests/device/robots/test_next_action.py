"""What robots decide: whole games by every rule set, with cards alone and no board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from random import Random

import pytest
from tests.support.forgetful import Forgetful
from tests.support.sweeps import one_in

from cribboard import RULES, Game, actions
from cribboard.cards import PACK
from cribboard.event_terms import OF_SHOW, Occasion, Verdict
from cribboard.events import ChallengeRaised, ClaimChallenged, ClaimJudged, ClaimRuled, MugginsRuled
from cribboard.position import Phase, Position
from cribboard.rules import OPTIONS, Option, Rules, Way
from cribboard.strategy import RobotLevel
from cribd.robots.deal import Deal, from_json, to_json
from cribd.robots.next_action import BesideBoard, Robots
from cribd.table.rule_sets import RuleSet, options_on


def dealt(p: Position, rng: Random) -> Deal:
    """A new deal, which also stands as JSON."""
    deal = Deal.at(p, rng.sample(PACK, len(PACK)))
    assert from_json(to_json(deal)) == deal
    return deal


def whole_game(rules: Rules, way: Way, levels: Mapping[int, RobotLevel], *, seed: int, off: int = 0) -> Game:
    """A game of robots. Whatever a seat without one would do, a robot does: it calls what it made in the play at
    once, and waits with all else for the others. Side 0 counts its first hand of four points or more wrong by `off`."""
    rng, game = Random(seed), Game.start(rules, way=way, dealer=0)
    robots = Robots(rules, levels, str(seed))
    others = Robots(rules, dict.fromkeys(rules.seats, RobotLevel.MEDIUM), str(seed))
    people = Robots(rules, {seat: RobotLevel.MEDIUM for seat in rules.seats if seat not in levels}, str(seed))
    deals: dict[int, Deal] = {}
    for _ in range(3000):
        p = game.position
        if p.phase is Phase.OVER:
            return game
        if p.deal not in deals:
            assert p.dealer is not None
            deal = dealt(p, rng)
            deals[p.deal] = others.deal_with_discards(robots.deal_with_discards(deal, p, p.deal), p, p.deal)
        deal = deals[p.deal]
        in_play = way is Way.VERIFY and any(
            opening.seat in people.levels and opening.occasion not in OF_SHOW for opening in chain(*p.open_windows)
        )
        own = people.next_action(p, game.log, deal) if in_play else None
        at_once = own if isinstance(own, actions.TakePegInHand | actions.ReleasePeg) else None
        action = at_once or robots.next_action(p, game.log, deal) or others.next_action(p, game.log, deal)
        match action:
            case actions.TakePegInHand(side, points) if off and side == 0 and points >= 4:
                if p.phase is Phase.SHOW:
                    action, off = actions.TakePegInHand(side, points + off), 0
        if isinstance(action, BesideBoard):
            deals[p.deal] = deal.with_act(action.act)
        else:
            game.do(action or actions.OpenCount(0))
    raise AssertionError(f"{game.position}")


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("name", list(RULES))
def test_robots_play_every_rule_set_in_every_way_and_call_what_is_due(name: str, way: Way) -> None:
    rules = RULES[name]
    for people in ((), (0,)):
        levels = {seat: RobotLevel.EASY for seat in rules.seats if seat not in people}
        log = whole_game(rules, way, levels, seed=7).log
        verdicts = {event.verdict for event in log if isinstance(event, ClaimJudged)}
        assert verdicts <= {Verdict.EXACT}
        assert not any(isinstance(event, ClaimRuled | MugginsRuled) for event in log)
        assert not any(isinstance(event, ClaimChallenged | ChallengeRaised) for event in log), "all calls were right"


@pytest.mark.sweep
@pytest.mark.parametrize("option", [f"{name} {option}" for name in OPTIONS for option in OPTIONS[name]][:: one_in(3)])
def test_robots_play_to_the_end_with_each_option_that_can_be_chosen(option: str) -> None:
    name, key = option.split()
    rules = RuleSet(name, RULES[name]).with_options([key])
    assert options_on(rules) == (key,)
    game = whole_game(rules, Way.VERIFY, dict.fromkeys(rules.seats, RobotLevel.MEDIUM), seed=3)
    assert game.position.winner is not None
    assert game.position.pegs[game.position.winner].front == rules.game.target
    judged = [event.verdict for event in game.log if isinstance(event, ClaimJudged)]
    assert set(judged) <= {Verdict.EXACT}, "robots call what is due"


def test_where_muggins_is_played_a_robot_takes_what_a_count_left_out() -> None:
    acc = RULES["acc"]
    rules = replace(acc, claims=replace(acc.claims, muggins=Option.ON))
    log = whole_game(rules, Way.VERIFY, {0: RobotLevel.MEDIUM, 1: RobotLevel.STRONG}, seed=7, off=-2).log
    ruled = [event for event in log if isinstance(event, MugginsRuled)]
    assert [(each.by, each.against, each.called, each.missed) for each in ruled] == [(1, 0, 2, 2)]


def test_where_the_board_is_silent_a_robot_says_that_a_call_is_too_high() -> None:
    acc = RULES["acc"]
    for rules in (acc, replace(acc, claims=replace(acc.claims, muggins=Option.ON))):
        log = whole_game(rules, Way.VERIFY, {0: RobotLevel.MEDIUM, 1: RobotLevel.STRONG}, seed=7, off=2).log
        challenged = [(event.side, event.by) for event in log if isinstance(event, ClaimChallenged)]
        assert challenged == [(0, 1)]


@pytest.mark.parametrize("level", list(RobotLevel))
def test_each_level_plays_a_whole_game(level: RobotLevel) -> None:
    game = whole_game(RULES["six-card"], Way.AUTO, {0: level, 1: level}, seed=3)
    assert game.position.winner is not None


def test_the_same_seed_makes_the_same_game() -> None:
    games = [whole_game(RULES["acc"], Way.VERIFY, {1: RobotLevel.EASY}, seed=5).log for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("name", "way"), [*((name, Way.VERIFY) for name in RULES), ("fadoq", Way.TRUST), ("five-card", Way.AUTO)]
)
def test_no_robot_falls_silent_beside_a_person_who_forgets_what_he_made(name: str, way: Way) -> None:
    for seed in range(2):
        assert Forgetful(RULES[name], way, seed).play().position.winner is not None


@pytest.mark.parametrize(("name", "seed"), [("three-player", 1000), ("acc", 1006)])
def test_with_muggins_a_robot_ignores_a_wrong_call_that_can_no_longer_be_answered(name: str, seed: int) -> None:
    rules = replace(RULES[name], claims=replace(RULES[name].claims, muggins=Option.ON))
    log = Forgetful(rules, Way.VERIFY, seed).play().log
    assert sum(isinstance(event, ChallengeRaised) for event in log) < 20


@pytest.mark.parametrize("name", ["partners", "fadoq", "six-player"])
def test_a_partner_calls_its_hand_after_a_person_forgot_his_last_card(name: str) -> None:
    """It calls what its own cards make, and no point of the person's unless the board would take the press for that."""
    rules, called = RULES[name], 0
    for seed in range(3):
        log = Forgetful(rules, Way.VERIFY, seed).play().log
        for event in log:
            if isinstance(event, ClaimJudged) and Occasion.HAND in event.occasions and len(event.occasions) > 1:
                called += event.verdict is Verdict.TOO_FEW
    assert called, "nobody forgot a last card before a partner's hand"
