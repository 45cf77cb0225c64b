"""The pulses of a PWM pin, as lgpio makes them.

This follows lgpio 0.2.2 (`lgPthTx.c`, `xSetAsPwm` in `lgGpio.c`) and models time alone: pure, for any later moment. One
thread makes the pulses of all pins. An idle thread sleeps 20 ms at a time, so pulses begin up to 20 ms and one cycle
after the request. A new frequency or duty begins at the end of a cycle. An end takes effect at once and writes nothing:
the pin keeps the level that it had at that moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

_SLEEP_S = 0.020


@dataclass(frozen=True, slots=True)
class _Cycles:
    """Equal cycles from `begin` on, each first high, then low."""

    hz: float
    percent: int
    begin: float

    def ended(self, now: float) -> int:
        """Count the cycles that have ended; 0 before `begin`."""
        return max(0, floor((now - self.begin) * self.hz))

    def begun(self, now: float) -> int:
        """Count the rising edges so far."""
        return self.ended(now) + 1 if now >= self.begin and self.percent else 0

    def high(self, now: float) -> bool:
        into = (now - self.begin) * self.hz
        return into >= 0 and into - floor(into) < self.percent / 100

    def over(self, now: float) -> float:
        """Return the end time of the cycle at `now`.

        Before the first cycle, return the end time of this one."""
        return self.begin + (self.ended(now) + 1) / self.hz


class Pulses:
    """The pulses of one pin.

    No method may get an earlier time than the method before."""

    def __init__(self) -> None:
        self._level = 0
        self._risen = 0
        self._wakes = 0.0  # once when the thread woke up while it had nothing to do
        self._now: _Cycles | None = None
        self._next: _Cycles | None = None

    def write(self, level: int) -> None:
        """Set the pin's level; allowed only while no pulses run."""
        self._level = level

    def start(self, hz: float, percent: int, now: float) -> None:
        """Start pulses, or change their frequency and duty.

        New pulses begin one cycle after lgpio's thread wakes. A change takes effect at the end of the current cycle."""
        self._turn(now)
        if self._now is not None:
            self._next = _Cycles(hz, percent, self._now.over(now))
        else:
            wakes = self._wakes + ceil((now - self._wakes) / _SLEEP_S) * _SLEEP_S
            self._now = _Cycles(hz, percent, wakes + 1 / hz)

    def end(self, now: float) -> None:
        """Stop the pulses. The pin keeps its current level."""
        self._turn(now)
        cycles = self._now
        if cycles is None:
            return
        if now >= cycles.begin:
            self._level = int(cycles.high(now))
            self._risen += cycles.begun(now)
        self._wakes = cycles.over(now)
        self._now = self._next = None

    def level(self, now: float) -> int:
        """Return the level of the pin, 0 or 1."""
        self._turn(now)
        cycles = self._now
        return self._level if cycles is None or now < cycles.begin else int(cycles.high(now))

    def risen(self, now: float) -> int:
        """Count the pulses that have begun by the time `now`."""
        self._turn(now)
        return self._risen + (0 if self._now is None else self._now.begun(now))

    def _turn(self, now: float) -> None:
        """Change to the next pulses if their start time has come."""
        if self._now is not None and self._next is not None and now >= self._next.begin:
            cycles = round((self._next.begin - self._now.begin) * self._now.hz)
            self._risen += cycles if self._now.percent else 0
            self._now, self._next = self._next, None
