"""Work in a thread that leaves time for presses."""

from __future__ import annotations

import asyncio
import sys
import threading
from itertools import cycle
from pathlib import Path

import pytest

from cribd.boards import load
from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config
from cribd.daemon.device import open_device
from cribd.daemon.throttle import throttled
from cribd.inputs import Key
from cribd.twin.machine import Twin


def step(clock: ManualClock) -> None:
    """A piece of work that takes a tenth of a millisecond."""
    clock.wait(0.0001)


def work(clock: ManualClock, steps: int) -> str:
    for _ in range(steps):
        step(clock)
    return "done"


def test_the_work_is_done_and_takes_a_third_of_the_time() -> None:
    clock = ManualClock()
    begun = clock.now()
    assert throttled(lambda: work(clock, 10_000), clock=clock, is_answering=lambda: False) == "done"
    assert clock.now() - begun == pytest.approx(3, rel=0.01)


def test_throttled_work_pauses_while_a_press_is_answered() -> None:
    clock = ManualClock()
    begun = clock.now()
    worked: list[float] = []

    def note() -> None:
        for _ in range(10_000):
            step(clock)
            worked.append(clock.now() - begun)

    throttled(note, clock=clock, is_answering=lambda: 1 <= clock.now() - begun < 3)
    assert len([at for at in worked if 1.01 < at < 3]) == 0
    assert worked[-1] == pytest.approx(5, abs=0.05)


class LateClock(ManualClock):
    """A clock whose rests may end late. It has no lock, since the work pauses within a step, too."""

    def __init__(self, *late_s: float) -> None:
        super().__init__()
        self._late_s = cycle(late_s or (0.0,))
        self.rests: list[float] = []

    def wait(self, seconds: float) -> None:
        if seconds > 0.001:
            self.rests.append(seconds)
            self._now += next(self._late_s)
        self._now += seconds


@pytest.mark.parametrize("presses", [10, 300])
def test_it_stands_still_for_every_press_at_once_and_not_at_the_end_of_its_piece(presses: int) -> None:
    clock = LateClock()
    begun = clock.now()
    worked: list[float] = []

    def note() -> None:
        for _ in range(presses * 200):
            step(clock)
            worked.append((clock.now() - begun) % 0.1)

    throttled(note, clock=clock, is_answering=lambda: (clock.now() - begun) % 0.1 > 0.05)
    assert clock.now() - begun > presses * 0.1
    assert 0.045 < max(worked) < 0.0508


def test_a_rest_that_ends_late_goes_on_three_times_as_long() -> None:
    clock = LateClock(0.005, 0.0)
    throttled(lambda: work(clock, 1_000), clock=clock, is_answering=lambda: False)
    assert len(clock.rests) > 50
    assert clock.rests[1::2] == [3 * seconds for seconds in clock.rests[0::2]]


def test_a_machine_that_is_always_late_does_not_keep_it_from_its_end() -> None:
    clock = LateClock(0.005)
    assert throttled(lambda: work(clock, 1_000), clock=clock, is_answering=lambda: False) == "done"


def test_a_button_that_never_settles_does_not_keep_it_from_its_end() -> None:
    clock = ManualClock()
    begun = clock.now()
    assert throttled(lambda: work(clock, 10_000), clock=clock, is_answering=lambda: True) == "done"
    assert clock.now() - begun == pytest.approx(10 + 3, rel=0.01)


def test_an_error_of_the_work_is_the_callers_and_nothing_is_left_behind() -> None:
    before = sys.getprofile()
    with pytest.raises(ZeroDivisionError):
        throttled(lambda: 1 / 0, clock=SystemClock(), is_answering=lambda: False)
    assert sys.getprofile() is before


def test_only_its_own_thread_is_slow() -> None:
    clock = ManualClock()
    elsewhere: list[object] = []

    def both() -> None:
        other = threading.Thread(target=lambda: elsewhere.append(sys.getprofile()))
        other.start()
        other.join()

    throttled(both, clock=clock, is_answering=lambda: False)
    assert elsewhere == [None]


@pytest.mark.parametrize("pressed", ["a hole", "a key"])
async def test_a_board_answers_from_the_press_until_50_ms_after_its_snapshot(pressed: str, tmp_path: Path) -> None:
    clock, board = ManualClock(), load("classic")
    twin = Twin(board, clock, folder=tmp_path / "wires")
    config = Config(journal=str(tmp_path / "journal.db"))
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    await device.start()
    await clock.advance(1)
    seen = [device.is_answering]
    if pressed == "a hole":
        twin.press(0, 7)
    else:  # which is reported 40 ms later, once no other key spoils it
        twin.key_down(Key.OK, 0)
        await clock.advance(0.035)
    for seconds in (0.011, 0.035, 0.03):
        await clock.advance(seconds)
        seen.append(device.is_answering)
    assert seen == [False, True, True, False]
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    await stopping
    journal.close()
    twin.close()
