"""The timer that releases a trusted peg, and what stops it (rules reference, 7.1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.evenings import BLUE, BLUE_DEALS, MENU, MENU_HELD, OK, RED, RED_DEALS, UNDO, cards, evening, policy

from cribboard.view import PromptKind
from cribd.inputs import HolePressed


async def test_a_trusted_peg_is_released_after_its_time(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(2.9)
        assert table.scores == (0, 0)
        await table.clock.advance(0.2)
        assert table.scores == (8, 0)


async def test_moving_the_peg_begins_its_time_again(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(2)
        await table.post(HolePressed(BLUE, 9))
        await table.clock.advance(2)
        assert table.scores == (0, 0)
        await table.clock.advance(1.1)
        assert table.scores == (9, 0)


async def test_a_timer_that_runs_out_as_the_peg_moves_releases_nothing(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(2.9)
        table.clock.free.clear()
        await table.post(HolePressed(BLUE, 9))
        await table.clock.advance(0.2)
        table.clock.free.set()
        await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
        assert table.scores == (0, 0)
        assert table.position.claim is not None
        assert table.position.claim.points == 9


async def test_the_time_may_be_zero_or_endless(tmp_path: Path) -> None:
    async with evening(tmp_path / "at once", policy=policy(release_after_ms=0)) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(0.001)
        assert table.scores == (8, 0)
    async with evening(tmp_path / "never", policy=policy(release_after_ms=None)) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(3600)
        assert table.scores == (0, 0)


async def test_a_menu_before_an_unfinished_game_is_taken_up_starts_no_timer(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
    async with evening(tmp_path) as table:
        await table.post(MENU, MENU, MENU_HELD)  # a new game instead? the menu opens, and closes
        await table.clock.advance(3600)
        assert table.scores == (0, 0)
        await table.post(UNDO, OK[RED])
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


async def test_no_verified_peg_is_released_by_time(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
        await table.clock.advance(3600)
        assert table.scores == (0, 0)


@pytest.mark.parametrize("hole", [19, 40])
async def test_a_doubtful_peg_is_not_released_by_time(tmp_path: Path, hole: int) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, hole))
        await table.clock.advance(3600)
        assert table.scores == (0, 0)


async def test_an_open_menu_holds_the_timer_which_begins_again_after_it(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8), MENU)
        await table.clock.advance(60)
        assert table.scores == (0, 0)
        await table.post(MENU_HELD)
        await table.clock.advance(2.9)
        assert table.scores == (0, 0)
        await table.clock.advance(0.2)
        assert table.scores == (8, 0)


async def test_while_a_question_is_open_no_timer_answers_it(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8), MENU, OK[BLUE])
        assert table.now.view is not None
        assert table.now.view.prompt.kind is PromptKind.MISDEAL
        await table.clock.advance(60)
        assert table.now.view.prompt.kind is PromptKind.MISDEAL
        await table.post(UNDO)
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)
