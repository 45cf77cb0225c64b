"""The laws of the game (design, section 3), on random walks: expected actions, and any others thrown in."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard import RULES, Game, IllegalAction, Rules, Way, record
from cribboard.actions import (
    Accept,
    Action,
    LayCard,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
)
from cribboard.events import (
    BrokenOff,
    ClaimRuled,
    DealBegan,
    DealVoided,
    Event,
    GameWon,
    Occasion,
    Pegged,
    PegTaken,
    ResultFinal,
    Undone,
    Verdict,
)
from cribboard.evolution import fold
from cribboard.expected import expected
from cribboard.position import Opening, Pegs, Phase, Position
from cribboard.rules import LateClaim
from cribboard.view import see

from .seats import SIX_CARD, Table, verdict_in
from .walks import any_action, likely, walk

TARGET = SIX_CARD.game.target


class Bookkeeper:
    """Adds up what was pegged, and knows only that undo and a misdeal go back."""

    def __init__(self, scores: tuple[int, ...]) -> None:
        self.scores = scores
        self._after = [scores]
        self._at_deal = [scores]

    def hear(self, event: Event) -> None:
        at_deal = self._at_deal[-1]
        match event:
            case Pegged(side, points, score):
                self.scores = tuple(was + points * (side == each) for each, was in enumerate(self.scores))
                assert self.scores[side] == score
            case Undone(to):
                self.scores, at_deal = self._after[to], self._at_deal[to]
            case DealVoided():
                self.scores = at_deal
            case DealBegan():
                at_deal = self.scores
        self._after.append(self.scores)
        self._at_deal.append(at_deal)


class Walker:
    """Walks through one game and looks, after each step, whether the laws held."""

    def __init__(self, way: Way, chance: Random, scores: tuple[int, int], rules: Rules = SIX_CARD) -> None:
        self.game = Table(way, dealer=None, scores=scores, rules=rules).game
        self.chance = chance
        self.books = Bookkeeper(scores)

    def go(self, steps: int) -> None:
        for _ in range(steps):
            if self.game.position.phase is Phase.OVER:
                break
            nonsense = self.chance.random() < 0.3
            self.step(any_action(self.chance) if nonsense else likely(self.chance, self.game.expected()))
        self.at_the_end()

    def step(self, action: Action) -> None:
        before, log = self.game.position, self.game.log
        offered = expected(before)
        assert offered, "nothing is expected before the end"
        events = self.answer(action)
        if events is None:
            assert action not in offered, f"{action} was expected, and refused"
            assert (self.game.position, self.game.log) == (before, log), "a refusal left a trace"
            return
        self.compare(action, offered, events)
        for event in events:
            self.books.hear(event)
        self.look()

    def answer(self, action: Action) -> tuple[Event, ...] | None:
        try:
            return self.game.do(action)
        except IllegalAction:
            return None

    def compare(self, action: Action, offered: tuple[Action, ...], events: tuple[Event, ...]) -> None:
        """What is done, and not only ruled upon, was expected; and the other way round."""
        if not isinstance(action, TakePegInHand):
            assert action in offered, f"{action} was not expected, and was done"
            return
        taken = any(isinstance(event, PegTaken) and event.side == action.side for event in events)
        ruled = any(isinstance(event, ClaimRuled) and event.side == action.side for event in events)
        lost = any(isinstance(event, GameWon) and event.side != action.side for event in events)
        assert taken + ruled + lost == 1
        assert action in offered or not taken
        assert action not in offered or taken or lost

    def look(self) -> None:
        now = self.game.position
        assert tuple(pegs.front for pegs in now.pegs) == self.books.scores
        assert all(0 <= pegs.back <= pegs.front <= TARGET for pegs in now.pegs)
        if now.phase is Phase.WON:
            assert now.winner is not None
            assert [side for side, pegs in enumerate(now.pegs) if pegs.front == TARGET] == [now.winner]
        elif now.phase is not Phase.OVER:
            assert now.winner is None
            assert all(pegs.front < TARGET for pegs in now.pegs)
        assert see(now) == see(now)

    def at_the_end(self) -> None:
        game, log = self.game, self.game.log
        assert fold(game.beginning, log) == game.position
        ends = [number for number, event in enumerate(log, start=1) if isinstance(event, ResultFinal | BrokenOff)]
        assert ends == ([len(log)] if game.position.phase is Phase.OVER else [])
        wins = Counter(type(event) for event in log if isinstance(event, GameWon | Undone))
        assert wins[GameWon] <= wins[Undone] + 1, "a game is won once"


NOTHING_EXTRA = replace(SIX_CARD.deal_and_play, go=0, thirty_one=0, last_card=0, his_heels=0, his_nobs=0)
OTHER_RULES = replace(
    SIX_CARD,
    deal_and_play=NOTHING_EXTRA,
    claims=replace(SIX_CARD.claims, late_claim=LateClaim.REFUSED),
    game=replace(SIX_CARD.game, skunk_line=None),
)
"""Every number of the rules that may be another is another."""


@given(
    way=st.sampled_from(Way),
    rules=st.sampled_from([SIX_CARD, SIX_CARD, OTHER_RULES]),
    seed=st.integers(0, 2**32),
    near=st.sampled_from([(0, 0), (95, 110), (113, 104)]),
)
@settings(max_examples=80, deadline=None)
def test_the_laws_hold_after_every_step_of_any_game(way: Way, rules: Rules, seed: int, near: tuple[int, int]) -> None:
    Walker(way, Random(seed), near, rules).go(120)


@pytest.mark.slow
@pytest.mark.parametrize("way", list(Way))
def test_the_laws_hold_over_a_hundred_thousand_actions(way: Way) -> None:
    for seed in range(40):
        Walker(way, Random(f"{way} {seed}"), ((0, 0), (95, 110), (113, 104), (0, 0))[seed % 4]).go(850)


@given(way=st.sampled_from(Way), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_where_a_game_stands_is_the_fold_of_its_log_after_every_step(way: Way, seed: int) -> None:
    game, chance = Game.start(RULES["six-card"], way=way), Random(seed)
    walk(game, chance, 80)
    for number in (0, len(game.log), *(chance.randint(0, len(game.log)) for _ in range(10))):
        assert fold(game.beginning, game.log[:number]) == game.position_after(number)


@given(way=st.sampled_from(Way), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_game_written_read_and_judged_again_is_the_game_that_was_played(way: Way, seed: int) -> None:
    heading = record.Heading(rules=RULES["six-card"], way=way)
    game = heading.begin()
    walk(game, Random(seed), 150)
    text = record.write(record.Record(heading, game.log))
    read = record.read(text)
    assert read == record.Record(heading, game.log)
    assert record.write(read) == text
    assert record.judge(read).position == game.position


CARDS = TurnStarter | LayCard | SayGo | ReadCrib


FIRST_COMES = (Occasion.HEELS, Occasion.GO, Occasion.CARD, Occasion.HAND, Occasion.CRIB)
"""A go before the card that made it known, and the play before the hands."""


def next_to_call(now: Position) -> Opening | None:
    """What is to be called next, if anything: what counts nothing is called only at the show."""
    waiting = [
        next((opening for opening in openings if opening.due or now.counting == (opening.seat, opening.occasion)), None)
        for openings in now.open
    ]
    return min(filter(None, waiting), key=lambda opening: FIRST_COMES.index(opening.occasion), default=None)


def call_all_that_is_due(table: Table) -> None:
    """Whoever has something due pegs it, one thing at a time, and the other side says OK."""
    while table.now.phase is not Phase.WON and (opening := next_to_call(table.now)):
        side, points = opening.seat, min(opening.due, table.now.left_to_go(opening.seat))
        table.do(TakePegInHand(side, points) if points else TakeZero(side))
        assert verdict_in(table.do(ReleasePeg(side))).verdict is Verdict.EXACT
        if table.now.claim is not None:
            table.do(Accept(1 - side))


@given(seed=st.integers(0, 2**32), rules=st.sampled_from([SIX_CARD, SIX_CARD, OTHER_RULES]))
@settings(max_examples=12, deadline=None)
def test_players_who_call_exactly_end_on_the_holes_that_auto_pegs(seed: int, rules: Rules) -> None:
    auto, verify, chance = Table("auto", rules=rules), Table("verify", rules=rules), Random(seed)
    while auto.now.phase is not Phase.WON:
        cards = [action for action in auto.game.expected() if isinstance(action, CARDS)]
        if not cards:
            auto.next_count()
            continue
        action = chance.choice(cards)
        auto.do(action)
        if verify.now.phase is not Phase.WON:
            verify.do(action)
            call_all_that_is_due(verify)
        if auto.now.phase is Phase.PLAY:
            assert verify.scores == auto.scores
    assert (verify.now.winner, verify.scores) == (auto.now.winner, auto.scores)


def test_a_walker_notices_a_bookkeeper_who_is_wrong() -> None:
    walker = Walker(Way.TRUST, Random(1), (0, 0))
    walker.books = Bookkeeper((0, 1))
    with pytest.raises(AssertionError):
        walker.go(200)


def test_a_walker_notices_a_peg_that_passed_the_game_hole() -> None:
    walker = Walker(Way.TRUST, Random(1), (0, 0))
    object.__setattr__(walker.game.position, "pegs", (Pegs(122, 0), Pegs()))
    with pytest.raises(AssertionError):
        walker.look()
