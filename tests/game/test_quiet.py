"""The board keeps quiet when it must (design law 9): what is due is in nothing that leaves the table, nor in what the
table lets anybody do, before its claim is closed.

Pairs of positions differ only in what is due. Until the claim that it is due for is judged they must look alike,
expect the same, and answer every action alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from tests.support.players import Players
from tests.support.seats import Table, card
from tests.support.sweeps import examples
from tests.support.walks import any_action, any_rules, likely, walk

from cribboard import RULES, Combination, Game, IllegalAction, Kind, Rules
from cribboard.actions import Accept, Action, ReleasePeg, TakePegInHand
from cribboard.deal.claim_comparison import due
from cribboard.deal.press_kind import acceptor
from cribboard.event_terms import OF_SHOW, Occasion
from cribboard.events import ClaimJudged, Event, MugginsRuled, PointsBarred
from cribboard.evolution import fold, step
from cribboard.expected import expected
from cribboard.position import ClaimWindow, Phase, Position
from cribboard.referee import decide
from cribboard.rules import changed
from cribboard.view import see

Rows = tuple[tuple[ClaimWindow, ...], ...]

KINDS_OF_RULES = {
    "two players": RULES["six-card"],
    "three players": RULES["three-player"],
    "partners": RULES["partners"],
    "six players": RULES["six-player"],
    "no single point": changed(RULES["fadoq"], {"no_single_point_from": 20}),
    "exact out": changed(RULES["britannica"], {"exact_out": "on"}),
    "silent": changed(RULES["six-card"], {"telling": "tournament"}),
    "muggins": changed(RULES["britannica"], {"muggins": "on"}),
    "penalties": RULES["acc"],
    "a peg may be added to": changed(RULES["six-card"], {"peg_release_final": "off"}),
}


def other_awards(windows: Rows, rng: Random) -> Rows:
    """The same claim windows, with something else due for each that can still be claimed. All cards of the play lie
    open, so the points that they are worth are public (rules reference, 3.25); only what they are for is another."""
    return tuple(tuple(_other(window, rng) for window in row) for row in windows)


def _other(window: ClaimWindow, rng: Random) -> ClaimWindow:
    if window.verified and window.occasion in OF_SHOW:
        return replace(window, awards=awards(rng))
    kind = rng.choice((Kind.PAIR, Kind.RUN, Kind.FIFTEEN))
    return replace(window, awards=tuple(replace(award, kind=kind) for award in window.awards))


def any_awards(windows: tuple[ClaimWindow, ...], rng: Random) -> tuple[ClaimWindow, ...]:
    """The same claim windows, with something else due for each: of a call that waits for its answer nothing is told."""
    return tuple(replace(window, awards=awards(rng) if window.verified else ()) for window in windows)


def awards(rng: Random) -> tuple[Combination, ...]:
    single = (Combination(Kind.NOBS, (card("JH"),), 1),) * rng.randint(0, 1)
    return (*(Combination(Kind.FIFTEEN, (card("5H"), card("TC")), 2) for _ in range(rng.randint(0, 8))), *single)


def twin_of(position: Position, rng: Random) -> Position:
    others = [any_awards(each.windows, rng) for each in position.unjudged]
    return replace(
        position,
        open_windows=other_awards(position.open_windows, rng),
        missed_windows=other_awards(position.missed_windows, rng),
        unjudged=tuple(replace(each, windows=row) for each, row in zip(position.unjudged, others, strict=True)),
    )


def answer(position: Position, action: Action) -> tuple[Event, ...] | tuple[str, str]:
    """What an action causes until a claim is judged, or the refusal."""
    try:
        return tuple(until_judged(decide(position, action)))
    except IllegalAction as refusal:
        return refusal.code, str(refusal)


def until_judged(events: tuple[Event, ...]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, ClaimJudged | MugginsRuled | PointsBarred):
            return
        yield event


def somewhere(rules: Rules, seed: int, steps: int, to_go: int | None) -> Game:
    """A game that verifies, so many steps on: people play it, and sometimes do what makes no sense."""
    target = rules.game.target
    scores = None if to_go is None else [max(target - to_go - side, 0) for side in rules.sides]
    game, rng = Table("verify", rules=rules, scores=scores).game, Random(seed)
    players = Players(seed, slips=0.3)
    for _ in range(steps):
        if game.position.phase is Phase.WON:
            break
        aimless = rng.random() < 0.3
        action = likely(rng, game.expected(), taking_back=0.02) if aimless else players.act(game.position)
        game.do(action)
    return game


games = st.builds(somewhere, any_rules, st.integers(0, 2**32), st.integers(5, 110), st.sampled_from([None, 10, 4]))


@pytest.mark.sweep
@pytest.mark.slow
@given(game=games, seed=st.integers(0, 2**32))
@settings(max_examples=examples(150), deadline=None)
def test_positions_that_differ_only_in_what_is_due_look_and_answer_alike(game: Game, seed: int) -> None:
    note(game.position.rules.label)
    one, rng = game.position, Random(seed)
    other = twin_of(one, rng)
    assert see(one) == see(other)
    assert expected(one) == expected(other)
    anything = (any_action(rng, one.rules) for _ in range(30))
    for action in (*anything, *rng.sample(expected(one), min(5, len(expected(one))))):
        assert answer(one, action) == answer(other, action), action


@pytest.mark.sweep
@pytest.mark.slow
@given(game=games, seed=st.integers(0, 2**32))
@settings(max_examples=examples(80), deadline=None)
def test_such_positions_still_look_alike_after_any_action_that_closes_no_claim(game: Game, seed: int) -> None:
    note(game.position.rules.label)
    one, other = game.position, twin_of(game.position, Random(seed))
    history = [game.position_after(number) for number in range(game.position.number)]
    for action in expected(one):
        events = decide(one, action)
        if any(isinstance(event, ClaimJudged) for event in events):
            continue
        assert decide(other, action) == events
        after, after_other = (_after(history, position, events) for position in (one, other))
        assert see(after) == see(after_other), action
        assert expected(after) == expected(after_other), action


def _after(history: list[Position], position: Position, events: tuple[Event, ...]) -> Position:
    line = [*history, position]
    for event in events:
        line.append(step(line, event))
    return line[-1]


def play_and_hand_open(rules: Rules) -> Position:
    """The show begins, and the side that counts first has also something of the play to claim."""
    for seed in range(100):
        game, players = Table("verify", rules=rules, scores=[30] * len(rules.sides)).game, Players(seed)
        while game.position.phase is not Phase.WON:
            p = game.position
            if p.counts_done == 0 and p.counting and p.claim is None:
                side = p.rules.side_of(p.counting[0])
                if due(p, side, p.unclaimed(side)[:-1]):
                    return p
            game.do(players.act(p))
    raise AssertionError("no such game")


def with_hand_of(position: Position, twos: int) -> Position:
    """The same, but that the hand that is to be counted is worth so many twos."""
    assert position.counting is not None
    side = position.rules.side_of(position.counting[0])
    *play, hand = position.open_windows[side]
    assert hand.occasion is Occasion.HAND
    made = tuple(Combination(Kind.FIFTEEN, (card("5H"), card("KD")), 2) for _ in range(twos))
    rows = (*position.open_windows[:side], (*play, replace(hand, awards=made)), *position.open_windows[side + 1 :])
    return replace(position, open_windows=rows)


def claimed(position: Position, called: int) -> tuple[tuple[Occasion, ...], list[object]]:
    """Which claim windows a call of so many closed, and what the table can know after it."""
    assert position.counting is not None
    side = position.rules.side_of(position.counting[0])
    seen: list[object] = []
    closed: tuple[Occasion, ...] = ()
    for action in (TakePegInHand(side, called), ReleasePeg(side), None):
        accepts = acceptor(position)
        events = decide(position, action or Accept((side + 1) % len(position.pegs) if accepts is None else accepts))
        position = fold(position, events)
        seen += [events, see(position), expected(position)]
        closed += tuple(occasion for event in events if isinstance(event, ClaimJudged) for occasion in event.occasions)
    return closed, seen


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_OF_RULES)
def test_a_claim_that_leaves_the_hand_open_tells_nothing_of_it(kind: str) -> None:
    position = play_and_hand_open(KINDS_OF_RULES[kind])
    left_open = 0
    for called in range(1 if position.silent else 2, 19):
        outcomes = [claimed(with_hand_of(position, twos), called) for twos in range(12)]
        if all(closed[-1:] == (Occasion.HAND,) for closed, _ in outcomes):
            continue
        left_open += 1
        assert all(outcome == outcomes[0] for outcome in outcomes), called
    assert left_open


def test_a_table_that_trusts_shows_no_hand_no_crib_and_no_count() -> None:
    game = Table("trust").game
    walk(game, Random(3), 60)
    view = see(game.position)
    assert (view.count, view.laid, view.counted, view.starter) == (None, (), (), None)


def test_positions_that_differ_in_what_is_due_differ_once_the_claim_is_closed() -> None:
    position = play_and_hand_open(RULES["six-card"])
    closed, seen = claimed(with_hand_of(position, 2), 7)
    other_closed, other_told = claimed(with_hand_of(position, 3), 7)
    assert closed == other_closed
    assert seen != other_told
