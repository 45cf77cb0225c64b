"""A board that runs as on a Pi, in a process and an environment of its own, and the hands of a person at it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import aiohttp
from tests.support.catalogues import phrase
from tests.support.places import ROOT
from tests.wires.nodes import READER, Nodes

from cribd.inputs import Key
from cribd.robots.fingers import lights_of
from cribd.twin.machine import Twin

#: The environment that `make test-wires` makes: what a Pi has, with lgpio and spidev, and nothing of the twin.
ENVIRONMENT = ROOT / ".venv-wires" / "bin"
PATIENCE_S = 15.0  # of real time; only a test that fails takes it
_LOOKS_S = 0.005
_SCANS = 4  # of the button chain, for each press and each release: two are read as equal, even if one has begun
_KEY_S = 0.05
_LONG_S = 1.05
_REPEAT_S = 1.2
_STILL_S = 0.3

CONFIGURATION = """\
journal = "{folder}/journal.db"

[page]
port = 0

[[readers]]
name = "reader"
port = "/dev/{reader}"
"""


@dataclass(eq=False)
class RunningBoard:
    """A running board: its wires end at `nodes`, and `snapshots` is what its page was sent."""

    nodes: Nodes
    folder: Path
    process: subprocess.Popen[str]
    snapshots: list[dict[str, Any]] = field(default_factory=list)
    _scanned: dict[str, float] = field(default_factory=dict, init=False)  # when each card was last read

    @property
    def twin(self) -> Twin:
        return self.nodes.twin

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    @property
    def said(self) -> str:
        """What it has printed for people and for systemd's journal."""
        return (self.folder / "stderr").read_text(encoding="utf-8")

    @property
    def shown(self) -> dict[str, Any]:
        """What its page was sent last."""
        return self.snapshots[-1]

    @property
    def faults(self) -> list[str]:
        """The faults that its page names."""
        faults: list[str] = self.shown["text"]["en"]["faults"]
        return faults

    @property
    def lights(self) -> list[dict[str, int]]:
        """What glows on each track and how strongly, by the name of the hole or lamp, as a robot's diary has it."""
        return lights_of(self.twin)

    async def until(self, seen: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Wait until this is seen, as long as the board runs."""
        async with asyncio.timeout(patience_s):
            while not seen():
                assert self.process.poll() is None, self.said
                await asyncio.sleep(_LOOKS_S)

    async def still_picture(self) -> bytes:
        """What the screen shows, once it has stayed the same: it is sent block by block."""
        picture, since = self.twin.oled().pixels, monotonic()
        while monotonic() < since + _STILL_S:
            await asyncio.sleep(_LOOKS_S)
            if (now := self.twin.oled().pixels) != picture:
                picture, since = now, monotonic()
        return picture

    async def press(self, track: int, *holes: int) -> None:
        """Press holes at the same moment, long enough to be read."""
        for act in (self.twin.press, self.twin.release):
            for hole in holes:
                act(track, hole)
            enough = self.twin.buttons.scans + _SCANS
            await self.until(lambda enough=enough: self.twin.buttons.scans >= enough)  # type: ignore[misc]

    async def key(self, key: Key, side: int | None = None, *, long: bool = False) -> None:
        """Press a key, briefly or for its long press."""
        self.twin.key_down(key, side)
        await asyncio.sleep(_LONG_S if long else _KEY_S)
        self.twin.key_up(key, side)

    async def scan(self, card: str) -> None:
        """Hold a card before the reader, but no card again so soon that it counts as a repeat."""
        await asyncio.sleep(self._scanned.get(card, 0) + _REPEAT_S - monotonic())
        await self.twin.present_cards(card, reader=READER)
        self._scanned[card] = monotonic()

    async def begin(self) -> None:
        """Begin a game in which blue has the lower card, and deals."""
        await self.key(Key.OK, 0)
        await self.until(lambda: bool(self.shown["view"]))
        await self.scan("4H")
        await self.scan("9S")
        await self.until(lambda: self.shown["view"]["dealer"] == 0)

    async def watch(self, events: aiohttp.StreamReader) -> None:
        """Take in what the page is sent."""
        async for line in events:
            if line.startswith(b"data: {"):
                self.snapshots.append(json.loads(line.removeprefix(b"data: ")))

    async def stop(self) -> int:
        """Stop it as systemd does. Returns the exit code."""
        self.process.terminate()
        return await asyncio.to_thread(self.process.wait, PATIENCE_S)


def lines_of(journal: Path) -> list[str]:
    """Every line of the games in a journal: what was decided, without the times."""
    with closing(sqlite3.connect(journal)) as file:
        return [line for (line,) in file.execute("SELECT line FROM line ORDER BY game, number")]


def system_error(why: str, errno: int) -> str:
    """What is said of an error of the system."""
    return phrase("problem.device.why", why=why, errno=errno)


def missing_node(node: str, setting: str) -> str:
    """What is said of a node that is missing: the setting that brings it."""
    return phrase("problem.wires.no_node", node=f"/dev/{node}", errno=2, setting=setting)


def forbidden_node(node: str, group: str) -> str:
    """What is said of a node that may not be opened: the group that may."""
    return phrase("problem.wires.forbidden", node=f"/dev/{node}", errno=13, group=group)


def held_pin(gpio: int) -> str:
    """What is said of a pin that another program holds."""
    return phrase("problem.wires.pin_busy", pin=f"GPIO {gpio}", why="'GPIO busy'")


class Starts(Protocol):
    """Starts a board with further lines of configuration."""

    def __call__(self, settings: str = "") -> AbstractAsyncContextManager[RunningBoard]: ...


def environment(preload: Path, nodes: Nodes) -> Mapping[str, str]:
    """The environment of a process that runs on these nodes."""
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CI")}
    return environ | {"LD_PRELOAD": str(preload), "CRIBBOARD_NODES": str(nodes.folder), "LG_WD": str(nodes.folder)}


@contextmanager
def board_process(
    preload: Path, nodes: Nodes, folder: Path, settings: str = "", *, service: bool = False
) -> Iterator[RunningBoard]:
    """A board on these nodes whose process has just begun; as a `service` it has the folders that systemd gives one."""
    file = folder / "board.toml"
    file.write_text(CONFIGURATION.format(folder=folder, reader=READER) + settings, encoding="utf-8")
    systemd = {"NOTIFY_SOCKET": "/nobody/listens", "STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}
    with (folder / "stderr").open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [ENVIRONMENT / "cribboard", "run", "--config", file],
            env={**environment(preload, nodes), **(systemd if service else {})},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout is not None
    try:
        yield RunningBoard(nodes, folder, process)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@asynccontextmanager
async def running_board(
    preload: Path, nodes: Nodes, folder: Path, settings: str = "", *, service: bool = False
) -> AsyncIterator[RunningBoard]:
    """A board on these nodes, which shows its lights; `settings` are further lines of its configuration."""
    with board_process(preload, nodes, folder, settings, service=service) as board:
        async with watched(board):
            yield board


@asynccontextmanager
async def watched(board: RunningBoard) -> AsyncIterator[None]:
    """Somebody looks at the page of the board, once it is there."""
    assert board.process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        said = await asyncio.to_thread(board.process.stdout.readline)
    assert said, board.said
    address = said.rpartition(" ")[2].strip()
    async with aiohttp.ClientSession() as browser, browser.get(f"{address}/table/events") as events:
        watching = asyncio.create_task(board.watch(events.content))
        try:
            await board.until(lambda: bool(board.snapshots))
            yield
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError, aiohttp.ClientError):
                await watching
