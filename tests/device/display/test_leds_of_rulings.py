"""Where pegs stand and blink while a score is doubted, and after the ruling (7.3, 7.21, 7.22)."""

from __future__ import annotations

import pytest
from tests.support.moments import BLUE, RED
from tests.support.moments_of_rulings import ACC, BRITANNICA, TOURNAMENT, moments_of_rulings, to_the_show

from cribboard import Rules
from cribboard.actions import Accept, Challenge, ReleasePeg, TakePegInHand
from cribd.boards import load
from cribd.display.led_colours import led_colours
from cribd.table.snapshot import Snapshot

MOMENTS = moments_of_rulings()
BOARD = load("continuous")


def pegs(snapshot: Snapshot, seconds: float = 0.0) -> list[set[int]]:
    """The holes of each track that glow; 0 stands for those where it starts. The game hole always does."""
    lit = {number for number, light in led_colours(snapshot, BOARD, seconds).colours.items() if light.level}
    return [
        {n for n, spot in enumerate(track.holes[:-1], start=1) if spot.led in lit}
        | {0 for spot in track.starts if spot.led in lit}
        for track in BOARD.tracks[:2]
    ]


def test_muggins_in_hand_blinks_on_the_callers_track() -> None:
    """Blue's six stands; red's back peg, lifted from where it started, is over its hole 6."""
    lit, dark = (pegs(MOMENTS["muggins-in-hand"], at) for at in (0.0, 0.3))
    assert lit == [{6, 0}, {3, 6}]
    assert dark == [{6, 0}, {3}]


def test_a_challenge_that_is_only_raised_moves_no_light() -> None:
    assert pegs(MOMENTS["muggins-asked"]) == pegs(MOMENTS["muggins-withdrawn"]) == [{6, 0}, {3, 0}]


def test_after_a_correction_the_front_peg_stands_on_the_truth_and_the_back_peg_where_it_was_before() -> None:
    assert pegs(to_the_show(ACC).peg(BLUE, 12).shows()) == [{12, 0}, {3, 0}]
    assert pegs(MOMENTS["acc-hand-too-many"]) == [{9, 0}, {3, 6}]


def test_after_a_false_game_the_front_peg_stands_fifteen_holes_behind_the_truth() -> None:
    assert pegs(MOMENTS["acc-game-claimed"])[BLUE] == {107}, "and in the game hole"
    assert max(pegs(MOMENTS["acc-false-game"])[BLUE]) == 116 - 15
    assert pegs(MOMENTS["acc-false-game"])[RED] == {3, 8}
    assert pegs(MOMENTS["tournament-false-game"])[BLUE] == {107, 116}


@pytest.mark.parametrize("rules", [ACC, BRITANNICA, TOURNAMENT], ids=["acc", "muggins", "tournament"])
def test_right_and_wrong_calls_of_a_silent_game_give_the_same_light_until_they_are_closed(rules: Rules) -> None:
    """Blue's hand is 9: called rightly, and three too high."""
    seen = []
    for called in (9, 12):
        story = to_the_show(rules).do(TakePegInHand(BLUE, called))
        holding = led_colours(story.shows(), BOARD, 0.0)
        let_go = led_colours(story.do(ReleasePeg(BLUE)).shows(), BOARD, 0.0)
        accepted = led_colours(story.do(Accept(RED)).shows(), BOARD, 0.0)
        assert accepted == let_go, "an OK moves nothing"
        seen.append((len(holding.colours), holding.until, len(let_go.colours), let_go.until))
    assert seen[0] == seen[1]


def test_a_challenge_to_an_exact_call_moves_nothing() -> None:
    story = to_the_show(TOURNAMENT).peg(BLUE, 9)
    before = pegs(story.shows())
    assert pegs(story.do(Challenge(RED)).shows()) == before
