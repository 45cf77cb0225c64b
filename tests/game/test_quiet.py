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
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard import Combination, IllegalAction, Kind
from cribboard.actions import Accept, Action, ReleasePeg, TakePegInHand
from cribboard.events import ClaimJudged, Event, Occasion
from cribboard.evolution import fold, step
from cribboard.expected import expected
from cribboard.position import Opening, Position
from cribboard.referee import decide
from cribboard.view import see

from .seats import BLUE, RED, Table, card
from .walks import any_action, walk

Rows = tuple[tuple[Opening, ...], ...]


def other_awards(openings: Rows, chance: Random) -> Rows:
    """The same openings, with something else due for each."""
    return tuple(tuple(replace(opening, awards=awards(chance)) for opening in row) for row in openings)


def awards(chance: Random) -> tuple[Combination, ...]:
    return tuple(Combination(Kind.FIFTEEN, (card("5H"), card("TC")), 2) for _ in range(chance.randint(0, 8)))


def twin_of(position: Position, chance: Random) -> Position:
    return replace(position, open=other_awards(position.open, chance), missed=other_awards(position.missed, chance))


def answer(position: Position, action: Action) -> tuple[Event, ...] | tuple[str, str]:
    """What an action causes until a claim is judged, or the refusal."""
    try:
        return tuple(until_judged(decide(position, action)))
    except IllegalAction as refusal:
        return refusal.code, str(refusal)


def until_judged(events: tuple[Event, ...]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, ClaimJudged):
            return
        yield event


def same_for_all(one: Position, other: Position, chance: Random) -> None:
    assert see(one) == see(other)
    assert expected(one) == expected(other)
    for action in (*(any_action(chance) for _ in range(30)), *chance.sample(expected(one), 5)):
        assert answer(one, action) == answer(other, action), action


@given(seed=st.integers(0, 2**32), steps=st.integers(5, 90))
@settings(max_examples=120, deadline=None)
def test_positions_that_differ_only_in_what_is_due_look_and_answer_alike(seed: int, steps: int) -> None:
    chance = Random(seed)
    game = Table("verify").game
    walk(game, chance, steps)
    if game.position.phase not in ("won", "over"):
        same_for_all(game.position, twin_of(game.position, chance), chance)


@given(seed=st.integers(0, 2**32), steps=st.integers(5, 90))
@settings(max_examples=80, deadline=None)
def test_they_still_look_alike_after_anything_that_closes_no_claim(seed: int, steps: int) -> None:
    chance = Random(seed)
    game = Table("verify").game
    walk(game, chance, steps, taking_back=0)
    if game.position.phase in ("won", "over"):
        return
    one, other = game.position, twin_of(game.position, chance)
    for action in expected(one):
        events = decide(one, action)
        if events == decide(other, action) and not any(isinstance(event, ClaimJudged) for event in events):
            history = [game.position_after(number) for number in range(game.position.number)]
            after, after_other = (_after(history, position, events) for position in (one, other))
            assert see(after) == see(after_other), action
            assert expected(after) == expected(after_other), action


def _after(history: list[Position], position: Position, events: tuple[Event, ...]) -> Position:
    line = [*history, position]
    for event in events:
        line.append(step(line, event))
    return line[-1]


def pone_laid_last(twos: int) -> Position:
    """Blue may claim the last card, worth 1, and then a hand worth so many twos."""
    table = Table()
    table.starter("5S")
    table.play("4D TC KD 6H go AC+2 QS 7C 5H")
    last_card, hand = table.now.open[BLUE]
    due = tuple(Combination(Kind.FIFTEEN, (card("5H"), card("KD")), 2) for _ in range(twos))
    return replace(table.now, open=((last_card, replace(hand, awards=due)), *table.now.open[1:]))


def claimed(position: Position, called: int) -> tuple[object, ...]:
    """What the table can know after blue has called so many, and which openings that closed."""
    told: list[object] = []
    closed: tuple[Occasion, ...] = ()
    for action in (TakePegInHand(BLUE, called), ReleasePeg(BLUE), Accept(RED)):
        events = decide(position, action)
        position = fold(position, events)
        told += [events, see(position), expected(position)]
        closed += tuple(each for event in events if isinstance(event, ClaimJudged) for each in event.occasions)
    return closed, told


@pytest.mark.parametrize("called", [called for called in range(1, 25) if called != 19])
def test_a_claim_that_leaves_the_hand_open_tells_nothing_of_it(called: int) -> None:
    outcomes = [claimed(pone_laid_last(twos), called) for twos in range(12)]
    if any(closed == (Occasion.CARD,) for closed, _ in outcomes):
        assert all(outcome == outcomes[0] for outcome in outcomes)
    else:
        assert all(closed == (Occasion.CARD, Occasion.HAND) for closed, _ in outcomes)


def test_a_table_that_trusts_shows_no_hand_no_crib_and_no_count() -> None:
    game = Table("trust").game
    walk(game, Random(3), 60)
    view = see(game.position)
    assert (view.count, view.laid, view.counted, view.starter, view.crib_read) == (None, (), (), None, 0)


def test_a_pair_is_told_apart_as_soon_as_the_claim_is_closed() -> None:
    closed, told = claimed(pone_laid_last(2), 7)
    other_closed, other_told = claimed(pone_laid_last(3), 7)
    assert closed == other_closed
    assert told != other_told
