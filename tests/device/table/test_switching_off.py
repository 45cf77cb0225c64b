"""Switching off at the board: what asks, who answers, and what happens to the game (rules reference, 7.24)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.evenings import (
    BLUE,
    CHALLENGE,
    GO,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    Evening,
    cards,
    evening,
)

from cribd.inputs import (
    CardRead,
    HolePressed,
    Input,
    Key,
    KeyHeldLonger,
    KeysTogether,
    NewGameAsked,
    ReadFailed,
    SwitchOffAsked,
)
from cribd.table.snapshot import (
    ConfirmOff,
    CountJudgeMode,
    Line,
    Lobby,
    Menu,
    OfficialMode,
    Playing,
    Refusal,
    ReviewMode,
    SwitchedOff,
)

HELD_LONGER = KeyHeldLonger(Key.MENU)
#: How long the question stands before OK answers it.
READ_S = 1.0
IN_PLAY = [*RED_DEALS, CardRead("TC")]


class Machine:
    """A machine that switches off when it is asked to, unless `stays` says why not."""

    def __init__(self, stays: Refusal | None = None) -> None:
        self.stays = stays
        self.asked = 0

    async def off(self) -> Refusal:
        self.asked += 1
        if self.stays is None:
            await asyncio.Event().wait()
        assert self.stays is not None
        return self.stays


def on(machine: Machine, table: Evening) -> Machine:
    table.table._mode.off.power_off = machine.off
    return machine


async def test_menu_held_for_three_seconds_and_ok_switch_the_machine_off(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        asked = await table.post(*IN_PLAY, MENU_HELD, HELD_LONGER)
        assert (asked.mode, asked.refusal, machine.asked) == (ConfirmOff(Playing()), None, 0)
        await table.clock.advance(READ_S)
        off = await table.post(OK[RED])
        assert (off.mode, machine.asked) == (SwitchedOff(Playing()), 1)


async def test_an_ok_that_comes_before_the_question_can_be_read_is_no_answer(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        await table.post(*IN_PLAY, MENU_HELD)
        asked = await table.post(HELD_LONGER, OK[BLUE])
        await table.clock.advance(READ_S - 0.1)
        assert await table.post(OK[RED]) == asked
        assert (asked.mode, machine.asked) == (ConfirmOff(Playing()), 0)
        await table.clock.advance(0.2)
        await table.post(OK[RED])
        assert machine.asked == 1


async def test_an_ok_that_waited_while_a_slow_disk_wrote_is_no_answer(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        await table.post(*IN_PLAY)
        for batch in ([HolePressed(RED, 2)], [HELD_LONGER], [OK[RED]]):  # the question is shown after the first
            table.table.post(batch)
        await table.clock.run_ready_tasks()
        assert isinstance(table.now.mode, ConfirmOff)
        assert machine.asked == 0


ANYTHING_ELSE: list[Input] = [
    UNDO, MENU, MENU_HELD, *GO, *CHALLENGE, HolePressed(RED, 3), CardRead("5D"), ReadFailed(), KeysTogether()
]  # fmt: skip


@pytest.mark.parametrize("given", ANYTHING_ELSE, ids=str)
async def test_any_other_press_or_scan_says_no_and_does_nothing_else(given: Input, tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        before = await table.post(*IN_PLAY)
        assert await table.post(HELD_LONGER, given) == before
        await table.post(OK[BLUE])
        assert machine.asked == 0


async def test_after_ten_seconds_the_game_goes_on_by_itself(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        before = await table.post(*IN_PLAY)
        await table.post(HELD_LONGER, UNDO)
        await table.clock.advance(6)
        await table.post(HELD_LONGER)
        await table.clock.advance(9.9)
        assert isinstance(table.now.mode, ConfirmOff), "the time began again with the second question"
        await table.clock.advance(0.2)
        assert table.now == before
        await table.post(OK[BLUE])
        assert machine.asked == 0


async def test_switching_off_asks_in_every_mode_and_a_no_returns_there(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        moments: list[tuple[type, list[Input]]] = [
            (Lobby, []),
            (Menu, [MENU]),
            (Playing, [*IN_PLAY]),
            (Menu, [MENU]),
            (CountJudgeMode, [*[MENU] * 6, OK[BLUE]]),
            (ReviewMode, [*[MENU] * 7, OK[BLUE]]),
            (OfficialMode, [*[MENU] * 8, OK[BLUE]]),
        ]
        for mode, inputs in moments:
            now = await table.post(*inputs)
            assert isinstance(now.mode, mode)
            covered = now.base if now.official is None else now.official
            assert (await table.post(HELD_LONGER)).mode == ConfirmOff(covered)
            assert (await table.post(UNDO)).mode == covered


async def test_a_machine_that_stays_on_says_why_and_the_game_goes_on(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        on(Machine(Refusal("off_not_allowed")), table)
        before = await table.post(*IN_PLAY)
        await table.post(HELD_LONGER)
        await table.clock.advance(READ_S)
        after = await table.post(OK[BLUE])
        assert (after.mode, after.refusal, after.view) == (Playing(), Refusal("off_not_allowed"), before.view)
        await table.post(*cards("5D"), HolePressed(RED, 2), OK[RED])
        assert table.scores[RED] == 2


async def test_a_trusted_peg_waits_while_it_asks_and_is_released_afterwards(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(OK[BLUE], OK[BLUE], HolePressed(BLUE, 8), HELD_LONGER)
        await table.clock.advance(9)
        assert table.scores == (0, 0)
        await table.post(UNDO)
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


async def test_the_menu_between_games_ends_with_the_question_and_in_a_game_has_none(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        opened = await table.post(MENU)
        assert opened.menu is not None
        assert opened.menu.lines[-1].line is Line.SWITCH_OFF
        asked = await table.post(*[MENU] * (len(opened.menu.lines) - 1), OK[RED])
        assert (asked.mode, machine.asked) == (ConfirmOff(Lobby.START), 0)
        await table.post(UNDO, *IN_PLAY)
        opened = await table.post(MENU)
        assert opened.menu is not None
        assert Line.SWITCH_OFF not in [line.line for line in opened.menu.lines]


async def test_the_owner_switches_off_without_a_question_and_nothing_is_taken_any_more(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        machine = on(Machine(), table)
        await table.post(*IN_PLAY, SwitchOffAsked())
        assert (table.now.mode, machine.asked) == (SwitchedOff(Playing()), 1)
        shown, lines = len(table.shown), table.lines_on_disk()
        for given in (*ANYTHING_ELSE, OK[BLUE], HELD_LONGER, NewGameAsked(), SwitchOffAsked()):
            table.table.post([given])
            await table.clock.run_ready_tasks()
        assert (len(table.shown), table.lines_on_disk(), machine.asked) == (shown, lines, 1)


async def test_a_game_in_progress_goes_on_after_the_next_start(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        on(Machine(), table)
        before = await table.post(*IN_PLAY)
        await table.post(HELD_LONGER)
        await table.clock.advance(READ_S)
        await table.post(OK[BLUE])
    async with evening(tmp_path, "verify") as table:
        assert table.now.mode is Lobby.RESUME
        after = await table.post(OK[BLUE])
        assert (after.view, after.mode) == (before.view, Playing())
