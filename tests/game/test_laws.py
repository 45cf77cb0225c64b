"""Design law 2 under any rules: players who mean well, expected actions, and any others thrown in.

After each step a walker looks whether they held.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_args, get_type_hints

import pytest
from hypothesis import example, given, note, settings
from hypothesis import strategies as st
from tests.support.players import Players
from tests.support.seats import SIX_CARD, Table, scores_of
from tests.support.sweeps import examples, one_in
from tests.support.walks import any_action, any_rules, likely

from cribboard import RULES, Game, IllegalAction, Rules, Way
from cribboard.actions import Action, TakePegInHand
from cribboard.deal.press_kind import acceptor
from cribboard.event_terms import Ground, Occasion
from cribboard.events import (
    AllPassed,
    BrokenOff,
    CardUnread,
    ClaimRuled,
    CountEnded,
    CountOpened,
    DealBegan,
    DealVoided,
    Event,
    GameWon,
    MugginsRuled,
    MugginsTaken,
    PassTakenBack,
    Pegged,
    PegTaken,
    PlayEnded,
    ResultFinal,
    RolledBack,
    SaidGo,
    SetBack,
    ThreeForLast,
    Undone,
)
from cribboard.evolution import TOPICS, fold
from cribboard.expected import expected
from cribboard.play import LIMIT
from cribboard.position import Pegs, Phase, Position
from cribboard.rules import CRIB_SIZE, changed
from cribboard.view import see

Scores = tuple[int, ...]


class Bookkeeper:
    """Adds up what was pegged, and knows only that undo and a misdeal go back, and that of what was pegged since the
    count ended a pass that is taken back may give back as much as a go is worth, or in a silent game was called."""

    def __init__(self, scores: Scores, *, go: int = 0, as_called: bool = False) -> None:
        self.scores = self._at_deal = self._at_count = scores
        self._after = [(scores, scores, scores)]
        self._at_go: dict[int, set[Scores]] = {}
        self._go = go
        self._as_called = as_called

    def hear(self, event: Event, scores: Scores) -> None:
        """This happened, and the pegs stand so."""
        match event:
            case Pegged(side, points, score):
                self.scores = more(self.scores, side, points)
                assert self.scores[side] == score
            case DealBegan():
                self._at_deal = self.scores
            case ThreeForLast(side, points):
                self._at_deal = more(self._at_deal, side, points)
            case CountEnded():
                self._at_count = self.scores
            case DealVoided():
                self.scores = self._at_deal
            case CardUnread():
                self._as_called = True
            case SetBack(side, score):
                assert score <= self.scores[side]
                self.scores = more(self.scores, side, score - self.scores[side])
            case SaidGo(seat):
                self._at_go.setdefault(seat, set()).add(self.scores)
            case AllPassed(seats):
                for seat in seats:
                    self._at_go.setdefault(seat, set()).add(self.scores)
            case RolledBack(seat):
                assert scores in self._at_go[seat]
                self.scores = scores
            case PassTakenBack():
                assert all(
                    least <= now <= was for least, now, was in zip(self._at_count, scores, self.scores, strict=True)
                )
                assert sum(self.scores) - sum(scores) <= self._go or self._as_called
                self.scores = scores
            case Undone(to):
                self.scores, self._at_deal, self._at_count = self._after[to]
        assert self.scores == scores, f"the pegs do not stand where {event} leaves them"
        self._after.append((self.scores, self._at_deal, self._at_count))


class Listener:
    """Hears who says go, and knows whom each count has asked."""

    def __init__(self) -> None:
        self._gone: frozenset[int] = frozenset()
        self._gone_at_end: frozenset[int] = frozenset()
        self._before_go: dict[int, set[frozenset[int]]] = {}
        self._after = [(self._gone, self._gone_at_end)]

    def hear(self, event: Event, before: Position) -> None:
        """This happened, and so it stood before."""
        match event:
            case SaidGo(seat):
                self._says_go({seat}, before)
            case AllPassed(seats):
                self._says_go({*seats}, before)
                assert holders(before) <= self._gone, "not everybody passed"
            case CountEnded(_, count):
                asked = holders(before) <= self._gone or len(holders(before)) == 1
                assert count == LIMIT or asked, "a count ends, and not everybody was asked"
                self._gone, self._gone_at_end = frozenset(), self._gone
            case PassTakenBack(seat):
                self._gone = self._gone_at_end - {seat}
            case RolledBack(seat):
                assert before.false_go is not None
                self._gone = before.false_go.before.said_go
                assert self._gone in self._before_go[seat]
            case PlayEnded() | DealBegan() | DealVoided():
                self._gone = self._gone_at_end = frozenset()
            case Undone(to):
                self._gone, self._gone_at_end = self._after[to]
        self._after.append((self._gone, self._gone_at_end))

    def _says_go(self, seats: set[int], before: Position) -> None:
        assert self._gone.isdisjoint(seats), "a seat is asked twice for its go"
        assert seats <= holders(before), "a seat without cards is asked for its go"
        for seat in seats:
            self._before_go.setdefault(seat, set()).add(self._gone)
        self._gone |= seats


def more(scores: Scores, side: int, points: int) -> Scores:
    return tuple(was + points * (side == each) for each, was in enumerate(scores))


class Walker:
    """Walks through one game and looks, after each step, whether the laws held. Of its actions `nonsense` are of any
    kind, and `aimless` are expected, but make no sense."""

    def __init__(
        self,
        way: Way,
        seed: object,
        *,
        rules: Rules = SIX_CARD,
        to_go: int | None = None,
        nonsense: float = 0.2,
        aimless: float = 0.2,
    ) -> None:
        target = rules.game.target
        scores = None if to_go is None else [max(target - to_go - 3 * side, 0) for side in rules.sides]
        self.game = Table(way, dealer=None, scores=scores, rules=rules).game
        self.players = Players(seed, slips=0.1)
        self.rng = Random(f"{seed}")
        self.nonsense, self.aimless = nonsense, aimless
        self.books = Bookkeeper(
            scores_of(self.game.position), go=rules.deal_and_play.go, as_called=self.game.position.silent
        )
        self.listener = Listener()

    def go(self, steps: int) -> None:
        for _ in range(steps):
            if self.game.position.phase is Phase.OVER:
                break
            self.step(self.choose())
        self.at_the_end()

    def choose(self) -> Action:
        what = self.rng.random()
        if what < self.nonsense:
            return any_action(self.rng, self.game.position.rules)
        if what < self.nonsense + self.aimless:
            return likely(self.rng, self.game.expected())
        return self.players.act(self.game.position)

    def step(self, action: Action) -> None:
        before, length = self.game.position, len(self.game.log)
        offered = expected(before)
        assert offered, "nothing is expected before the end"
        for other in self.rng.sample(offered, min(3, len(offered))):
            assert self.game.decide(other), f"{other} was expected, and causes nothing"
        events = self.answer(action)
        if events is None:
            assert action not in offered, f"{action} was expected, and refused"
            assert self.game.position == before, "a refusal left a trace"
            assert len(self.game.log) == length
            return
        self.compare(action, offered, events)
        for number, event in enumerate(events, start=length):
            self.books.hear(event, scores_of(self.game.position_after(number + 1)))
            self.listener.hear(event, self.game.position_after(number))
            look_at_the_count(self.game.position_after(number), event)
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
        taken = any(
            (isinstance(event, PegTaken) and event.side == action.side)
            or (isinstance(event, MugginsTaken) and event.by == action.side)
            for event in events
        )
        ruled = any(isinstance(event, ClaimRuled) and event.side == action.side for event in events)
        lost = any(isinstance(event, GameWon) and event.side != action.side for event in events)
        muggins_ruled = any(
            isinstance(event, MugginsRuled)
            or (
                isinstance(event, ClaimRuled)
                and event.side != action.side
                and event.ground in (Ground.MUGGINS, Ground.UNREAD)
            )
            for event in events
        )
        if muggins_ruled or self.game.position.game_claimed not in (None, action.side):
            return  # the press let go of another's peg, and no more
        assert taken + ruled + lost == 1
        assert action in offered or not taken, f"{action} was not expected, and was taken"
        assert action not in offered or taken or lost, f"{action} was expected, and ruled"

    def look(self) -> None:
        now = self.game.position
        target = now.rules.game.target
        assert all(0 <= pegs.back <= pegs.front <= target for pegs in now.pegs)
        if now.phase is Phase.WON:
            assert now.winner is not None
            assert [side for side, pegs in enumerate(now.pegs) if pegs.front == target] == [now.winner]
        elif now.phase is not Phase.OVER:
            assert now.winner is None
            claimants = [side for side, pegs in enumerate(now.pegs) if pegs.front == target]
            assert claimants == ([] if now.game_claimed is None else [now.game_claimed])
        if now.phase is Phase.PLAY:
            assert now.turn is not None
            assert now.cards_left(now.turn) > 0, "a seat without cards is asked"
        if now.claim is not None:
            assert acceptor(now) != now.claim.side, "a side is to accept its own claim"
        assert see(now) == see(now)
        for side, begun in enumerate(scores_of(self.game.beginning)):
            settled = sum(entry.points for entry in now.scores if entry.side == side)
            waiting = sum(call.called for call in now.unjudged if call.side == side)
            assert begun + settled + waiting == now.pegs[side].front, "what was scored does not add up"

    def at_the_end(self) -> None:
        game, log = self.game, self.game.log
        assert fold(game.beginning, log) == game.position
        ends = [number for number, event in enumerate(log, start=1) if isinstance(event, ResultFinal | BrokenOff)]
        assert ends == ([len(log)] if game.position.phase is Phase.OVER else [])
        wins = Counter(type(event) for event in log if isinstance(event, GameWon | Undone))
        assert wins[GameWon] <= wins[Undone] + 1, "a game is won once"


def look_at_the_count(before: Position, event: Event) -> None:
    """What is counted is known whole."""
    match event:
        case CountOpened(seat, occasion) if (seat, occasion) in before.waived:
            pass
        case CountOpened(_, Occasion.CRIB):
            assert len(before.crib) == CRIB_SIZE
        case CountOpened(seat):
            assert not before.cards_left(seat), "a hand is counted that nobody has seen whole"


def holders(p: Position) -> set[int]:
    """The seats that hold cards."""
    return {seat for seat in p.rules.seats if p.cards_left(seat)}


@pytest.mark.sweep
@pytest.mark.slow
@given(
    way=st.sampled_from(Way),
    rules=any_rules,
    seed=st.integers(0, 2**32),
    to_go=st.sampled_from([None, 40, 12]),
)
@example(Way.VERIFY, changed(RULES["five-card"], {"cards_dealt": 4, "discards": 1, "muggins": "on"}), 13, None)
@example(Way.VERIFY, changed(RULES["partners"], {"players": 6}), 1, 12)
@settings(max_examples=examples(150), deadline=None)
def test_the_laws_hold_after_every_step_of_any_game(way: Way, rules: Rules, seed: int, to_go: int | None) -> None:
    note(rules.label)
    Walker(way, seed, rules=rules, to_go=to_go).go(150)


@pytest.mark.sweep
@pytest.mark.slow
@given(way=st.sampled_from(Way), rules=any_rules, seed=st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_the_laws_hold_under_random_actions(way: Way, rules: Rules, seed: int) -> None:
    note(rules.label)
    Walker(way, seed, rules=rules, to_go=12, nonsense=0.3, aimless=0.7).go(120)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("name", RULES)
def test_the_laws_hold_in_whole_games_under_every_preset(name: str, way: Way) -> None:
    """Four games of each; the sample is one of them."""
    ended, seeds = 0, range(0, 4, one_in(4))
    for seed in seeds:
        walker = Walker(way, f"{name} {way} {seed}", rules=RULES[name], nonsense=0.1, aimless=0.03)
        walker.go(2500)
        ended += isinstance(walker.game.log[-1], ResultFinal)
    assert ended >= max(1, len(seeds) - 1), "the games hardly ever end"


def test_a_walk_fails_when_its_bookkeeper_starts_with_other_scores() -> None:
    walker = Walker(Way.TRUST, 1)
    walker.books = Bookkeeper((0, 1))
    with pytest.raises(AssertionError):
        walker.go(200)


def test_a_walker_notices_a_peg_that_passed_the_game_hole() -> None:
    walker = Walker(Way.TRUST, 1)
    object.__setattr__(walker.game.position, "pegs", (Pegs(122, 0), Pegs()))
    with pytest.raises(AssertionError):
        walker.look()


def test_a_walker_notices_a_seat_that_is_asked_without_cards() -> None:
    table = Table("auto", rules=RULES["three-player"])
    table.starter()
    walker = Walker(Way.AUTO, 1, rules=RULES["three-player"])
    walker.game = Game(table.now)
    walker.look()
    object.__setattr__(walker.game.position, "hands", ((table.find("4"),) * 4, (), ()))
    with pytest.raises(AssertionError, match="without cards"):
        walker.look()


def test_every_type_of_event_is_applied_by_exactly_one_topic() -> None:
    applied = [event for evolve in set(TOPICS.values()) for event in get_args(get_type_hints(evolve)["event"])]
    assert Counter(applied) == Counter(list(TOPICS)) == Counter(get_args(Event))
