"""The keys beside the board: edges on GPIO in, `KeyPressed` and `KeyHeld` out.

Never says what a key means, and never asks gpiozero for `Button` (a thread each) or for its bounce time (a mock pin
ignores it): edges come with their time, and the debouncing is done here on those times, the same on every wire.

GO and MENU have a long press: at the second they give `KeyHeld` and then nothing at the release; a shorter press of
theirs is only known at the release. All other keys answer at the press.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cribd.boards import Board, KeyPin
from cribd.clock import Clock
from cribd.facts import Fact, Key, KeyHeld, KeyPressed
from cribd.wires import Wires

LONG = frozenset({Key.GO, Key.MENU})  # the keys that have a long press

_NEVER = float("inf")


@dataclass(slots=True)
class _State:
    """One key: what its contact shows, what was accepted, and what is still to come."""

    key: Key
    side: int | None
    contact: bool = False
    down: bool = False
    locked_until: float = -_NEVER
    held_at: float = _NEVER  # when it will have been down for long; never, if it has no long press or has had it


class KeyDecoder:
    """Edges with their times become presses. It keeps no time itself: call `due` when `next_due` has come.

    An edge is accepted at once, and the key is then locked out for `debounce_ms`; if its contact rests at the other
    level when that time is over, this counts as an edge of that moment. `hold_s` makes a press a long one.
    """

    def __init__(self, *, debounce_ms: float = 10.0, hold_s: float = 1.0) -> None:
        self._bounce_s = debounce_ms / 1000
        self._hold_s = hold_s
        self._states: dict[tuple[Key, int | None], _State] = {}

    def begin(self, key: Key, side: int | None, *, down: bool) -> None:
        """Say how a key was found. One that is down already means nothing until it has been up."""
        self._states[key, side] = _State(key, side, contact=down, down=down)

    def edge(self, key: Key, side: int | None, *, down: bool, at: float) -> list[Fact]:
        """The contact of a key closed or opened at `at` seconds."""
        state = self._states.setdefault((key, side), _State(key, side))
        facts = self._pass(state, at)
        state.contact = down
        return facts + self._accept(state, at)

    def due(self, at: float) -> list[Fact]:
        """What has come about by `at` seconds without an edge: a long press, or a bounce that has come to rest."""
        return [fact for state in self._states.values() for fact in self._pass(state, at)]

    @property
    def next_due(self) -> float | None:
        """When `due` has something to say, if no edge comes before; None if nothing is to come."""
        soonest = min(map(self._soonest, self._states.values()), default=_NEVER)
        return None if soonest == _NEVER else soonest

    @staticmethod
    def _soonest(state: _State) -> float:
        return min(state.held_at, state.locked_until if state.contact != state.down else _NEVER)

    def _pass(self, state: _State, at: float) -> list[Fact]:
        """Let time pass for one key, event by event."""
        facts: list[Fact] = []
        while (soonest := self._soonest(state)) <= at:
            if soonest == state.held_at:
                state.held_at = _NEVER
                facts.append(KeyHeld(state.key, state.side))
            else:
                facts += self._accept(state, soonest)
        return facts

    def _accept(self, state: _State, at: float) -> list[Fact]:
        if state.contact == state.down or at < state.locked_until:
            return []
        state.down = state.contact
        state.locked_until = at + self._bounce_s
        if state.key not in LONG:
            return [KeyPressed(state.key, state.side)] if state.down else []
        if state.down:
            state.held_at = at + self._hold_s
            return []
        was_short, state.held_at = state.held_at != _NEVER, _NEVER
        return [KeyPressed(state.key, state.side)] if was_short else []


class Keys:
    """The keys of a board on their pins.

    Wiring: each key from its GPIO (9 to 27) to ground, with a series resistor; the Pi's own pull-up holds it high.

    `tell` is called on the loop that `open` was called on, whatever thread an edge comes from.
    """

    def __init__(
        self, board: Board, wires: Wires, *, clock: Clock, tell: Callable[[list[Fact]], None], decoder: KeyDecoder
    ) -> None:
        self._pins = board.keys
        self._wires = wires
        self._clock = clock
        self._tell = tell
        self._decoder = decoder
        self._devices: list[Any] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.Task[None] | None = None
        self._timer_due = _NEVER

    def open(self) -> None:
        """Listen to every key. Call it on the loop. OSError names the key whose pin cannot be had."""
        from gpiozero import DigitalInputDevice, GPIOZeroError

        self._loop = asyncio.get_running_loop()
        factory = self._wires.pin_factory
        for pin in self._pins:
            try:
                device = DigitalInputDevice(pin.gpio, pull_up=True, pin_factory=factory)
            except (OSError, GPIOZeroError) as error:
                self.close()
                raise OSError(f"key {pin.key} on GPIO {pin.gpio}: {error}") from error
            self._devices.append(device)
            self._decoder.begin(pin.key, pin.side, down=bool(device.is_active))
            device.when_activated = partial(self._heard, pin, True)
            device.when_deactivated = partial(self._heard, pin, False)

    def close(self) -> None:
        """Let go of the pins."""
        while self._devices:
            self._devices.pop().close()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _heard(self, pin: KeyPin, down: bool) -> None:
        """An edge, in whatever thread it comes from: note its time, and leave the rest to the loop."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._edge, pin, down, self._clock.now())

    def _edge(self, pin: KeyPin, down: bool, at: float) -> None:
        self._pass_on(self._decoder.edge(pin.key, pin.side, down=down, at=at))

    def _pass_on(self, facts: list[Fact]) -> None:
        due = self._decoder.next_due
        if due is not None and (self._timer is None or due < self._timer_due):
            if self._timer is not None:
                self._timer.cancel()
            self._timer_due = due
            self._timer = asyncio.create_task(self._wait(due), name="keys timer")
        if facts:
            self._tell(facts)

    async def _wait(self, due: float) -> None:
        await self._clock.sleep(due - self._clock.now())
        self._timer = None
        self._pass_on(self._decoder.due(self._clock.now()))
