"""Measures the device on the twin's wires in real time: latencies, load, memory and start.

The wires take the time that their clock rates need; the clock is the machine's own. Latencies are read from the chips:
the edge on the button's wire, the last bit that changed an LED, the end of the write that changed the OLED's RAM.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from bench.processes import BoardProcess

from cribboard.cards import Card
from cribd.boards import load
from cribd.clock import SystemClock
from cribd.config.config import Config, ReaderConfig, SoundConfig, TableConfig
from cribd.daemon import Device, open_device
from cribd.inputs import Key
from cribd.twin.machine import Twin

PRESSES = 120
SCANS = 120
IDLE_S = 8.0
SETTLE_S = 3.0
STARTS = 5
#: How many moments a finger may have to stay down on a machine that has much else to do.
PATIENT = 20


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile of these values."""
    return statistics.quantiles(values, n=100, method="inclusive")[98]


@contextlib.asynccontextmanager
async def running(
    way: str, *, release_after_ms: int = 3000, prepare: Callable[[Path], None] = lambda _: None
) -> AsyncIterator[tuple[Twin, Device]]:
    """Yield a whole board on the twin's wires, in real time, with its bus in a thread. `prepare` gets its folder."""
    clock, board = SystemClock(), load("continuous")
    with tempfile.TemporaryDirectory(prefix="cribboard-bench-") as name:
        folder = Path(name)
        prepare(folder)
        config = Config(
            table=TableConfig(way=way, release_after_ms=release_after_ms),
            sound=SoundConfig(volume=0.0),
            readers=(ReaderConfig(port="twin"),),
            journal=str(folder / "journal.db"),
        )
        twin = Twin(board, clock, folder=folder)
        device, journal = open_device(config, board, twin.wires, clock=clock, threaded=True)
        await device.start()
        await asyncio.sleep(0.5)
        try:
            yield twin, device
        finally:
            await device.stop()
            journal.close()
            twin.close()


async def key(twin: Twin, which: Key, side: int) -> None:
    """Press a key briefly."""
    twin.key_down(which, side)
    await asyncio.sleep(0.05)
    twin.key_up(which, side)
    await asyncio.sleep(0.05)


async def press_to_light() -> dict[str, float]:
    """Measure milliseconds from a button's edge to the first LED answer, and to the committed peg.

    A game on trust whose pegs are let go at once, so that nothing blinks between two presses.
    """
    async with running("trust", release_after_ms=0) as (twin, device):
        await begin(twin)
        answers = await presses(twin, range(PRESSES))
        view = device.table.position
        assert view is not None
        assert sum(pegs.front for pegs in view.pegs) == PRESSES
    first, steady = zip(*answers, strict=True)
    return {
        "press_to_light_p50_ms": statistics.median(first),
        "press_to_light_p99_ms": p99(first),
        "press_to_steady_p99_ms": p99(steady),
    }


async def begin(twin: Twin) -> None:
    """Begin a trust game with blue as the dealer."""
    await key(twin, Key.OK, 0)
    await key(twin, Key.OK, 0)


async def presses(twin: Twin, numbers: range, *, moments: int = 1) -> list[tuple[float, float]]:
    """Press hole after hole on both tracks in turn, and measure the time to each answer.

    Return the milliseconds from each button's edge to the first change in LED bits, and to the last. A finger stays
    down for so many moments of 60 ms until it is answered, and it must be."""
    rng = random.Random(1)
    answers: list[tuple[float, float]] = []
    changes: list[float] = []

    def changed(_: int) -> None:
        at = twin.lights.changed_at
        if at is not None and (not changes or changes[-1] != at):
            changes.append(at)

    deaf = twin.listen(changed)
    for number in numbers:
        hole, track = number // 2 + 1, number % 2
        await asyncio.sleep(rng.uniform(0.12, 0.16))
        changes.clear()
        twin.press(track, hole)
        for _ in range(moments):
            await asyncio.sleep(0.06)
            if changes:
                break
        twin.release(track, hole)
        edge = twin.pressed_at
        assert edge is not None
        assert changes, f"hole {hole} of track {track} was not answered"
        answers.append((1000 * (changes[0] - edge), 1000 * (changes[-1] - edge)))
    deaf()
    return answers


async def scan_to_screen() -> dict[str, float]:
    """Measure milliseconds from the last bit of a scanned card to the changed RAM of the OLED (I²C at 400 kHz).

    Both sides cut the same rank again and again, so every scan is an act that is committed and shown.
    """
    waits: list[float] = []
    async with running("verify") as (twin, _):
        await key(twin, Key.OK, 0)
        await asyncio.sleep(0.3)
        for number in range(SCANS):
            card = Card.parse("A23456789TJQK"[number // 2 % 13] + "CD"[number % 2])
            await asyncio.to_thread(twin.scan, f"{card}\r".encode())
            await asyncio.sleep(0.15)
            scanned, shown = twin.scanned_at, twin.screen.changed_at
            assert scanned is not None
            assert shown is not None
            assert shown > scanned, f"{card} was not shown"
            waits.append(1000 * (shown - scanned))
    return {"scan_to_screen_p50_ms": statistics.median(waits), "scan_to_screen_p99_ms": p99(waits)}


def at_rest() -> dict[str, float]:
    """Measure the daemon as `make run` starts it: the seconds until it is ready, and its load while nobody plays."""
    with tempfile.TemporaryDirectory(prefix="cribboard-bench-") as name:
        folder = Path(name)
        journal = ["--journal", str(folder / "journal.db")]
        command = [sys.executable, "-m", "cribd", "run", "--twin", "--no-browser", "--port", "0", *journal]
        starts = []
        for _ in range(STARTS - 1):
            started = BoardProcess(command, folder)
            starts.append(started.ready_s())
            started.end()
        twin = BoardProcess(command, folder)
        starts.append(twin.ready_s())
        time.sleep(SETTLE_S)
        busy = twin.rest_percent(IDLE_S)
        with_twin = twin.resident_mb()
        twin.end()
    return {"ready_s": statistics.median(starts), "idle_cpu_percent": busy, "resident_with_twin_mb": with_twin}


PARTS = (press_to_light, scan_to_screen, at_rest)
