"""A core of this machine that is about as slow as a Pi Zero 2 W's.

A process of real-time priority takes 0.6 of each 0.7 ms there. (The quota of a cgroup is no slow core: the kernel looks
at its ticks alone, so a busy process runs for 4 ms and stands still for 24.)

That process counts its loops. It counts fewer where the host of a virtual machine gives the core to others: there a
spinning loop can take ten times as long for 50 ms, and what is measured then says nothing about the board.
"""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import tempfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

#: Takes most of the core. Every ten turns it writes the time, and its loops in a second.
_HOG = """
import os, struct, time
now = time.perf_counter
turn = now()
while True:
    loops, busy = 0, 0.0
    for _ in range(10):
        begun = now()
        while (at := now()) < turn + 0.0006:
            loops += 1
        busy += at - begun
        turn += 0.0007
        time.sleep(max(0, turn - now()))
    os.write(1, struct.pack("dd", time.monotonic(), loops / busy))
"""
#: Since when, and until when, by the monotonic clock.
Span = tuple[float, float]
_SPEED = struct.Struct("dd")
_TURNS_S = 0.007
#: A process that is busy for two seconds, and prints what share of a core it got.
_BUSY = """
import time
begun = time.perf_counter()
while time.perf_counter() < begun + 2:
    pass
print(time.process_time() / (time.perf_counter() - begun))
"""


class SlowCore:
    """A slow core: `command` are the words before a command that runs there. Its speeds are in the file `speeds`."""

    def __init__(self, command: Sequence[str] = (), speeds: Path = Path(os.devnull)) -> None:
        self.command = tuple(command)
        self._speeds = speeds

    def share(self) -> float:
        """Measure what share of a core a busy process gets there."""
        asked = subprocess.run([*self.command, sys.executable, "-c", _BUSY], capture_output=True, text=True, check=True)
        return float(asked.stdout)

    def undisturbed(self, spans: Sequence[Span]) -> list[Span]:
        """Return the spans in which the core never fell below half its usual speed."""
        seen = list(_SPEED.iter_unpack(self._speeds.read_bytes()))
        if not seen:
            return list(spans)
        times, speeds = zip(*seen, strict=True)
        least = median(speeds) / 2
        return [
            (since, until)
            for since, until in spans
            if min(speeds[bisect_left(times, since) : bisect_right(times, until + _TURNS_S)], default=0) >= least
        ]


@contextlib.contextmanager
def slow_core() -> Iterator[SlowCore]:
    """Make the last core a slow one, which this process leaves.

    Without a second core, or the right to set priorities, it is as fast as any."""
    cores = os.sched_getaffinity(0)
    core = max(cores)
    if len(cores) < 2 or subprocess.run(["chrt", "--fifo", "1", "true"], capture_output=True, check=False).returncode:
        yield SlowCore()
        return
    os.sched_setaffinity(0, cores - {core})
    command = ("taskset", "--cpu-list", str(core))
    with tempfile.NamedTemporaryFile(prefix="speeds-") as speeds:
        hog = subprocess.Popen(["chrt", "--fifo", "50", *command, sys.executable, "-c", _HOG], stdout=speeds)
        try:
            yield SlowCore(command, Path(speeds.name))
        finally:
            hog.kill()
            hog.wait()
            os.sched_setaffinity(0, cores)
