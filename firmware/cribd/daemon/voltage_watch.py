"""Reports when the voltage of the Pi is too low."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from cribd.causes import Message
from cribd.clock import Clock
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.wires.voltage import is_low

#: The driver of the kernel asks the firmware every two seconds.
_EVERY_S = 1.0


class VoltageWatch:
    """The watch on the Pi's voltage alarm.

    It reads the alarm once a second, from the system's files in `root`."""

    def __init__(self, root: Path, *, clock: Clock, report: Callable[[Sequence[Input]], None]) -> None:
        self._root = root
        self._clock = clock
        self._report = report

    async def run(self) -> None:
        """Watch the voltage until cancelled, if this machine measures it."""
        was_low = False
        while (low := await self._clock.run_in_thread(partial(is_low, self._root))) is not None:
            if low and not was_low:
                why = Message("doctor.power.low", "the voltage is too low now")
                self._report([Fault(FaultKind.UNDERVOLTAGE, "power", why)])
            elif was_low and not low:
                self._report([FaultCleared(FaultKind.UNDERVOLTAGE, "power")])
            was_low = low
            await self._clock.sleep(_EVERY_S)
