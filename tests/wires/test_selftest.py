"""`cribboard selftest` with the Pi's own libraries, over faked nodes: a person does what it asks in the terminal."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.wires.board import CONFIGURATION, ENVIRONMENT, PATIENCE_S, environment
from tests.wires.nodes import READER, Nodes, nodes_of

from cribd.boards import load
from cribd.inputs import Key
from cribd.twin.faults import FaultName, TwinFault

_SCANS = 4  # of the button chain, for each press and each release
_KEY_S = 0.05
_LAST_S = 2.0
BOARD, STARTER = load("classic"), load("starter")
SIDES = {"Blue": 0, "Red": 1}


class Person:
    """Reads what the terminal asks, and does it at the nodes. A hole in `dead` has no contact."""

    def __init__(self, nodes: Nodes, dead: tuple[int, int] | None = None) -> None:
        self._twin = nodes.twin
        self._dead = dead
        self.read: list[str] = []

    async def follow(self, lines: asyncio.StreamReader) -> None:
        """Do what each line asks."""
        async for line in lines:
            text = line.decode().strip()
            self.read.append(text)
            if found := re.search(r"(\w+): press hole (\d+)\.$", text):
                await self._press(SIDES[found[1]], int(found[2]))
            elif found := re.search(r"(?:(\w+): p|P)ress the key (\S+)\.$", text):
                await self._key(Key.STEP if found[2] == "+1" else Key(found[2].lower()), SIDES.get(found[1]))
            elif text.startswith("Is this part of the screen lit"):
                await asyncio.sleep(0.2)
                if any(self._twin.oled().pixels):
                    await self._key(Key.OK, 1)
            elif text.startswith("All LEDs are lit"):
                if any(lit := self._twin.pin_leds()) and all(lit):
                    await self._key(Key.OK, 1)
            elif "Do you hear" in text:
                await self._key(Key.OK, 1)
            elif text.startswith("Hold a card"):
                await self._twin.present_cards("5H", reader=READER)

    async def _press(self, side: int, hole: int) -> None:
        if (side, hole) == self._dead:
            await self._key(Key.OK, side)
            return
        for act in (self._twin.press, self._twin.release):
            act(side, hole)
            enough = self._twin.buttons.scans + _SCANS
            with suppress(TimeoutError):  # after the last hole the board scans no more
                async with asyncio.timeout(_LAST_S):
                    while self._twin.buttons.scans < enough:
                        await asyncio.sleep(0.002)

    async def _key(self, key: Key, side: int | None) -> None:
        await asyncio.sleep(_KEY_S)
        self._twin.key_down(key, side)
        await asyncio.sleep(_KEY_S)
        self._twin.key_up(key, side)


@asynccontextmanager
async def selftest(preload: Path, nodes: Nodes, folder: Path, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The command with these words, as a process of its own on these nodes."""
    file = folder / "board.toml"
    text = CONFIGURATION.format(folder=folder, reader=READER) + f'[table]\nboard = "{nodes.twin.board.name}"\n'
    file.write_text(text, encoding="utf-8")
    command = [str(ENVIRONMENT / "cribboard"), "selftest", "--json", "--config", str(file), *words]
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment(preload, nodes),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def outcome_of(
    preload: Path, nodes: Nodes, folder: Path, *words: str, dead: tuple[int, int] | None = None
) -> tuple[int, dict[str, Any], list[str]]:
    """The exit code, the report, and what a person read in the terminal."""
    person = Person(nodes, dead)
    async with selftest(preload, nodes, folder, *words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        async with asyncio.timeout(10 * PATIENCE_S):
            out, _ = await asyncio.gather(process.stdout.read(), person.follow(process.stderr))
            code = await process.wait()
    return code, json.loads(out), person.read


@pytest.mark.whole_game
async def test_every_part_of_a_board_is_right_with_a_person_who_does_what_is_asked(
    preload: Path, tmp_path: Path
) -> None:
    with nodes_of(BOARD) as nodes:
        code, report, read = await outcome_of(preload, nodes, tmp_path, "--pace", "0.1", "--patience", "3")
        assert not any(any(led[:3]) for led in nodes.twin.leds())
        assert not nodes.twin.oled().on
        assert all(nodes.holder(line) is None for line in range(28)), "every pin is free again"
    wrong = [step["text"] for step in report["steps"] if step["outcome"] != "ok"]
    assert wrong == ["All LEDs: nobody confirmed it"], "nobody answers in the lights"
    assert (code, report["complete"]) == (1, True)
    assert 0 < report["light_ms"]["median"] < 50
    assert any(line.startswith("The progress is at http://") for line in read)


async def test_every_part_of_a_board_without_holes_is_right(preload: Path, tmp_path: Path) -> None:
    with nodes_of(STARTER) as nodes:
        code, report, _ = await outcome_of(preload, nodes, tmp_path, "--pace", "0.1", "--patience", "3")
        assert not any(nodes.twin.pin_leds())
        assert not nodes.twin.oled().on
        assert all(nodes.holder(line) is None for line in range(28)), "every pin is free again"
    assert [step["text"] for step in report["steps"] if step["outcome"] != "ok"] == []
    assert (code, report["complete"]) == (0, True)


async def test_a_stuck_and_a_dead_button_are_named(preload: Path, tmp_path: Path) -> None:
    with nodes_of(BOARD) as nodes:
        nodes.twin.make(TwinFault(FaultName.STUCK, (0, 14)))
        code, report, _ = await outcome_of(preload, nodes, tmp_path, "holes", dead=(1, 7))
    assert code == 1
    assert [step["text"] for step in report["steps"] if step["outcome"] != "ok"] == [
        "Blue 14: is down, and nobody presses it",
        "Red 7: nothing answered",
    ]


async def test_a_bus_that_is_off_is_the_result_of_its_steps(preload: Path, tmp_path: Path) -> None:
    with nodes_of(BOARD) as nodes:
        nodes.vanish("i2c-1")
        code, report, read = await outcome_of(preload, nodes, tmp_path, "screen")
    assert code == 1
    assert {step["outcome"] for step in report["steps"]} == {"fault"}
    assert any(
        "/dev/i2c-1 is missing (errno 2): dtparam=i2c_arm=on in config.txt brings it" in line for line in read
    ), read


async def test_without_pins_it_says_why_it_cannot_run(preload: Path, tmp_path: Path) -> None:
    with nodes_of(BOARD) as nodes:
        nodes.vanish("gpiochip0")
        async with selftest(preload, nodes, tmp_path) as process:
            out, said = await process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert b"there is no /dev/gpiochip: the kernel shows no pins here" in said
