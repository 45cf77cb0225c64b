"""The step key of a side: one point more for its call, on a board whose holes have no buttons (7.25)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.evenings import BLUE, CHALLENGE, MENU, OK, RED, SIX_CARD, Evening, cards, evening, holes, step_to
from tests.support.sweeps import examples
from tests.support.walks import walk

from cribboard import RULES, Game
from cribboard.actions import Action, IllegalAction, TakePegInHand
from cribboard.deal.impossible_points import doubt_about
from cribboard.event_terms import Doubt, Verdict
from cribboard.events import ClaimJudged
from cribboard.expected import expected
from cribboard.position import PegState, Position
from cribboard.rules import changed
from cribd.boards import load
from cribd.inputs import HolePressed, Input, Key, KeyHeld, KeyPressed
from cribd.table.commands import Situation
from cribd.table.interpret import interpret
from cribd.table.snapshot import Line
from cribd.table.step_key_to_hole import as_hole

STARTER = load("starter")
STEP = KeyPressed(Key.STEP, BLUE), KeyPressed(Key.STEP, RED)
HELD = KeyHeld(Key.STEP, BLUE), KeyHeld(Key.STEP, RED)
FOR_TWO = [name for name, rules in RULES.items() if len(rules.sides) == 2]
MUGGINS = changed(RULES["acc"], {"muggins": "on"})
TRUSTED: list[Input] = [OK[BLUE], OK[BLUE]]


def called(p: Position, side: int) -> int:
    """The points of this side's peg in hand; 0 for none."""
    return p.claim.points if p.claim and (p.claim.side, p.claim.state) == (side, PegState.IN_HAND) else 0


async def calls_of(table: Evening, side: int, steps: int) -> list[int]:
    """The call of this side after each of so many steps."""
    calls = []
    for _ in range(steps):
        await table.post(STEP[side])
        calls.append(called(table.position, side))
    return calls


@pytest.mark.parametrize("presses", [1, 8, 24])
async def test_each_step_raises_the_call_by_one_and_ok_pegs_it(tmp_path: Path, presses: int) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(*TRUSTED, *[STEP[BLUE]] * presses)
        assert (called(table.position, BLUE), table.scores) == (presses, (0, 0))
        await table.post(OK[BLUE])
        assert table.scores == (presses, 0)


async def test_after_24_come_28_and_29_and_then_no_call_because_no_hand_counts_the_others(tmp_path: Path) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(*TRUSTED)
        calls = await calls_of(table, RED, 28)
        assert calls == [*range(1, 25), 28, 29, 0, 1]


@pytest.mark.parametrize(("score", "calls"), [(110, [*range(1, 12), 0]), (116, [2, 3, 4, 5, 0]), (120, [1, 0])])
async def test_a_call_ends_at_the_game_hole_and_a_barred_single_point_is_left_out(
    tmp_path: Path, score: int, calls: list[int]
) -> None:
    async with evening(tmp_path, board=STARTER, rules=changed(SIX_CARD, {"no_single_point_from": 116})) as table:
        await table.post(*TRUSTED)
        for hole in (*range(24, score, 24), score):
            await table.post(*holes(BLUE, hole, hole))
        assert await calls_of(table, BLUE, len(calls)) == calls


async def test_a_step_key_that_is_held_goes_on_with_its_call_to_the_highest_and_stays_there(tmp_path: Path) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(*TRUSTED, *[HELD[BLUE]] * 5)
        assert called(table.position, BLUE) == 0, "there is no call to go on with"
        await table.post(STEP[BLUE], *[HELD[BLUE]] * 5)
        assert called(table.position, BLUE) == 6
        await table.post(*[HELD[BLUE]] * 400)
        assert called(table.position, BLUE) == 29
        shown = len(table.shown)
        await table.post(*[HELD[BLUE]] * 5)
        assert len(table.shown) == shown, "and nothing more is shown or written"


async def test_a_held_step_key_waits_for_a_slow_disk_and_does_not_run_on_after_its_release(tmp_path: Path) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(*TRUSTED, STEP[BLUE])
        table.clock.free.clear()
        for _ in range(12):
            table.table.post([HELD[BLUE]])
            await table.clock.run_ready_tasks()
        table.clock.free.set()
        await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
        assert called(table.position, BLUE) == 3


async def test_the_step_keys_of_both_sides_at_once_are_two_presses_one_after_the_other(tmp_path: Path) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(*TRUSTED)
        await table.at_once(*STEP)
        assert (called(table.position, RED), table.scores) == (1, (1, 0)), "red's press lets blue's peg go, as ever"


async def test_of_two_step_keys_that_are_held_at_once_the_later_runs_and_the_other_call_stands(tmp_path: Path) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(*TRUSTED)
        await table.at_once(*STEP)
        for _ in range(40):
            await table.at_once(*HELD)
        assert (called(table.position, BLUE), called(table.position, RED), table.scores) == (0, 29, (1, 0))
        await table.post(OK[RED])
        assert table.scores == (1, 29)


@pytest.mark.parametrize("way", ["trust", "verify", "auto"])
async def test_a_step_where_nothing_can_be_called_is_answered_as_a_hole(tmp_path: Path, way: str) -> None:
    async with evening(tmp_path, way, board=STARTER) as table:
        begins = [OK[BLUE], OK[RED]] if way == "trust" else [OK[BLUE], *cards("9H 4C")]
        for given_input in (None, *begins[:-1], MENU, MENU):
            await table.post(*([] if given_input is None else [given_input]))
            hole = (await table.post(HolePressed(RED, 1))).refusal
            assert hole is not None
            assert (await table.post(STEP[RED])).refusal == hole


async def test_a_call_by_steps_is_judged_as_one_by_a_hole(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", board=STARTER) as table:
        await table.post(OK[BLUE], *cards("9H 4C"), *cards("6C"), *cards("KH 5D"), *[STEP[RED]] * 2, OK[RED])
        stored = table.journal.latest_game()
        assert stored is not None
        verdicts = [event for event in stored.game.log if isinstance(event, ClaimJudged)]
        assert [(v.side, v.verdict) for v in verdicts] == [(RED, Verdict.EXACT)]
        assert table.scores == (0, 2)


async def test_a_step_says_how_much_was_missed_after_a_challenge(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", board=STARTER, rules=MUGGINS) as table:
        await table.post(
            OK[BLUE], *cards("9H 4C"), *cards("6C"), *cards("KH 5D KC"), CHALLENGE[BLUE], *[STEP[BLUE]] * 2
        )
        challenge = table.position.open_challenge
        assert challenge is not None
        assert (challenge.by, challenge.points) == (BLUE, 2)


async def test_before_the_count_judge_a_step_calls_the_next_number(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", board=STARTER) as table:
        await step_to(table, Line.JUDGE)
        await table.post(OK[BLUE], *cards("5H 5C 5S JD 5D"), STEP[RED], STEP[RED])
        judging = table.now.judging
        assert judging is not None
        assert judging.called is not None
        assert judging.called.number == 2
        judging = (await table.post(*[HELD[RED]] * 60)).judging
        assert judging is not None
        assert judging.called is not None
        assert judging.called.number == 29
        judging = (await table.post(STEP[RED])).judging
        assert judging is not None
        assert judging.called is not None
        assert judging.called.number == 1


@pytest.mark.sweep
@settings(max_examples=examples(150), deadline=None)
@given(
    rules=st.sampled_from(FOR_TWO),
    way=st.sampled_from(["trust", "verify", "auto"]),
    seed=st.integers(0, 10_000),
    length=st.integers(1, 250),
)
def test_steps_reach_every_call_that_a_hole_can_make(rules: str, way: str, seed: int, length: int) -> None:
    game = Game.start(RULES[rules], way=way)
    walk(game, Random(seed), length)
    for side in (BLUE, RED):
        begun = game.position
        presses = [act for act in expected(begun) if isinstance(act, TakePegInHand) and act.side == side]
        may = {act.points for act in presses if doubt_about(begun, side, act.points) is not Doubt.FAR}
        played, reached, in_hand = Game(begun), [called(begun, side)], called(begun, side)
        for _ in range(40):
            now = Situation(STARTER, played.position)
            press = as_hole(now, KeyPressed(Key.STEP, side))
            assert isinstance(press, HolePressed)
            action = interpret(now, press)
            if not isinstance(action, Action):
                break
            try:
                played.do(action)
            except IllegalAction:
                break
            reached.append(called(played.position, side))
        assert may - {in_hand} <= set(reached), (may, reached)
