"""Measures the count judge: from the edge on a hole's wire to the verdict in the RAM of the OLED.

It runs on the twin's wires in real time, as `bench.device` does: the press is debounced, read, judged and drawn, and
the bus takes the time that its clock rate needs. Numbers alternate, so that each press changes the picture.
"""

from __future__ import annotations

import asyncio
import random
import statistics

from bench.device import key, p99, running

from cribboard.count_judge import Judgment
from cribd.inputs import Key
from cribd.table.snapshot import Line, Snapshot
from cribd.twin.machine import Twin

PRESSES = 120
_HAND = ("6C", "7S", "8D", "8H", "9S")
#: What is called in turn: right, too few, too many, and what no hand counts.
_CALLS = (16, 12, 20, 19)


async def press_to_verdict() -> dict[str, float]:
    """Measure milliseconds from a button's edge to the end of the write of the verdict to the OLED."""
    rng = random.Random(1)
    waits: list[float] = []
    async with running("verify") as (twin, device):
        pictures: list[Snapshot] = []
        device.watch(pictures.append)
        while not pictures or pictures[-1].menu is None or pictures[-1].menu.current.line is not Line.JUDGE:
            await _menu(twin)
        await key(twin, Key.OK, 0)
        for card in _HAND:
            await asyncio.to_thread(twin.scan, f"{card}\r".encode())
            await asyncio.sleep(0.15)
        for number in range(PRESSES):
            hole, track = _CALLS[number % len(_CALLS)], number % 2
            await asyncio.sleep(rng.uniform(0.12, 0.16))
            twin.press(track, hole)
            await asyncio.sleep(0.1)
            twin.release(track, hole)
            edge, changed = twin.pressed_at, twin.screen.changed_at
            assert edge is not None
            assert changed is not None
            assert changed > edge, f"{hole} was not answered"
            waits.append(1000 * (changed - edge))
        judge = pictures[-1].judging
        assert judge is not None
        assert judge.called is not None
        assert isinstance(judge.called.answer, Judgment)
    return {"press_to_verdict_p50_ms": statistics.median(waits), "press_to_verdict_p99_ms": p99(waits)}


async def _menu(twin: Twin) -> None:
    twin.key_down(Key.MENU)
    await asyncio.sleep(0.05)
    twin.key_up(Key.MENU)
    await asyncio.sleep(0.1)


PARTS = (press_to_verdict,)
