"""Turns edges on GPIO pins into key presses.

Each edge comes with its time, and debouncing works on these times, the same on every wire. It does not use gpiozero's
`Button` (a thread each) or bounce time (a mock pin ignores it).

GO and MENU have a long press: after a second they give `KeyHeld`, and nothing at the release; a shorter press is
reported at the release. MENU that stays down three times as long gives `KeyHeldLonger` too. All other keys are reported
at the press, once no other key spoils it. The step key is reported so, and repeats as long as it is down.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cribd.boards import Board, KeyPin
from cribd.clock import Clock
from cribd.drivers import pin_errors
from cribd.inputs import Input, Key, KeyHeld, KeyHeldLonger, KeyPressed, KeysTogether, KeysTooEarly
from cribd.wires import Wires

if TYPE_CHECKING:
    from cribd.first_light import EarlyKey

LONG_PRESS_KEYS = frozenset({Key.GO, Key.MENU})  # the keys that have a long press
ANSWERS = frozenset({Key.OK, Key.MENU, Key.UNDO})  # the keys that answer what the screen shows
LONGER_PRESS_KEY = Key.MENU  # the key that has a longer press too
LONGER_PRESS = 3  # how long that is, in long presses
AUTO_REPEAT_DELAY = 1 / 2  # when a held step key repeats first, in long presses
AUTO_REPEAT_INTERVAL = 1 / 6  # how long after a repeat it repeats again, in long presses
MOST_REPEATS = 40  # in case the key is stuck

_NEVER = float("inf")


def may_go_together(side: int | None, other: int | None) -> bool:
    """Whether keys of these sides may be pressed together.

    The sides must differ. UNDO and MENU, whose side is None, are pressed alone."""
    return side is not None and other is not None and side != other


@dataclass(slots=True, eq=False)
class _State:
    key: Key
    side: int | None
    contact: bool = False
    down: bool = False
    locked_until: float = -_NEVER
    pressed_at: float = -_NEVER
    alone_at: float = _NEVER  # when no other key can spoil its press any more; never, if none is open
    held_at: float = _NEVER  # when its long press is reached, or it repeats; never, if it has none or has had it
    repeats: int = 0
    longer_at: float = _NEVER  # when its longer press is reached

    @property
    def next_at(self) -> float:
        """The time of this key's next deadline."""
        return min(
            self.alone_at, self.held_at, self.longer_at, self.locked_until if self.contact != self.down else _NEVER
        )


class KeyDecoder:
    """Turns timed GPIO edges into key presses.

    It reads no clock: call `due_inputs` at the time `next_due`.
    An edge is accepted at once, and the key is then locked out for `debounce_ms`; if its contact rests at the other
    level when that time is over, this counts as an edge of that moment. `hold_s` makes a press a long one.

    A press waits for `together_ms`, too short to notice. If a key that may not go together with it goes down
    meanwhile, both are dropped: it was a palm. `KeysTogether` comes instead, once. Until all of these keys are up, keys
    that may not go together with them are dropped too.

    `asked_at` returns since when the screen shows something; for ever, while it shows nothing. `KeysTooEarly` comes
    instead of OK, MENU or UNDO that went down before.
    """

    def __init__(
        self,
        *,
        debounce_ms: float,
        hold_s: float = 1.0,
        together_ms: float = 40.0,
        asked_at: Callable[[], float] = lambda: -_NEVER,
    ) -> None:
        self._bounce_s = debounce_ms / 1000
        self._hold_s = hold_s
        self._together_s = together_ms / 1000
        self._asked_at = asked_at
        self._states: dict[tuple[Key, int | None], _State] = {}
        self._mashed: set[_State] = set()

    def begin(self, key: Key, side: int | None, *, down: bool) -> None:
        """Set the state of a key at the start.

        A key that is down then is ignored until it is released."""
        self._states[key, side] = _State(key, side, contact=down, down=down)

    def edge(self, key: Key, side: int | None, *, down: bool, at: float) -> list[Input]:
        """Process a GPIO edge at `at` seconds, and return the inputs."""
        inputs = self.due_inputs(at)
        state = self._states.setdefault((key, side), _State(key, side))
        state.contact = down
        return inputs + self._accept_unless_bouncing(state, at)

    def due_inputs(self, at: float) -> list[Input]:
        """Return the inputs due by `at` seconds, oldest first.

        They need no new edge: a press that stayed alone, a long press or a repeat, or a bounce that has ended. The
        order matters because one key may spoil another."""
        inputs: list[Input] = []
        while (state := self._soonest) is not None and state.next_at <= at:
            match state.next_at:
                case state.alone_at:
                    state.alone_at = _NEVER
                    if state.held_at == _NEVER or state.key not in LONG_PRESS_KEYS:
                        inputs.append(self._unless_too_early(state, KeyPressed(state.key, state.side)))
                case state.held_at:
                    inputs.append(self._long_press_or_repeat(state))
                case state.longer_at:
                    state.longer_at = _NEVER
                    inputs.append(self._unless_too_early(state, KeyHeldLonger(state.key)))
                case then:
                    inputs += self._accept_unless_bouncing(state, then)
        return inputs

    def _long_press_or_repeat(self, state: _State) -> Input:
        """Return the input of a key that is held."""
        state.repeats += 1
        again = state.key is Key.STEP and state.repeats < MOST_REPEATS
        state.held_at = state.held_at + AUTO_REPEAT_INTERVAL * self._hold_s if again else _NEVER
        return self._unless_too_early(state, KeyHeld(state.key, state.side))

    def _unless_too_early(self, state: _State, given: Input) -> Input:
        """Return `given`, or `KeysTooEarly` before the question is shown."""
        return KeysTooEarly() if state.key in ANSWERS and state.pressed_at < self._asked_at() else given

    @property
    def next_due(self) -> float | None:
        """The time to call `due_inputs`, or None for never."""
        soonest = self._soonest
        return None if soonest is None or soonest.next_at == _NEVER else soonest.next_at

    @property
    def _soonest(self) -> _State | None:
        return min(self._states.values(), key=lambda state: state.next_at, default=None)

    def _accept_unless_bouncing(self, state: _State, at: float) -> list[Input]:
        if state.contact == state.down or at < state.locked_until:
            return []
        state.down = state.contact
        state.locked_until = at + self._bounce_s
        return self._pressed(state, at) if state.down else self._released(state)

    def _pressed(self, state: _State, at: float) -> list[Input]:
        if state in self._mashed or any(not may_go_together(state.side, other.side) for other in self._mashed):
            self._mash(state)
            return []
        spoilt = [
            other
            for other in self._states.values()
            if other is not state and other.alone_at != _NEVER and not may_go_together(state.side, other.side)
        ]
        if spoilt:
            reported = bool(self._mashed)
            self._mash(state, *spoilt)
            return [] if reported else [KeysTogether()]
        if state.alone_at == _NEVER:  # else it went down twice within that time: one press
            state.pressed_at, state.alone_at = at, at + self._together_s
        if state.key in LONG_PRESS_KEYS:
            state.held_at = at + self._hold_s
        if state.key is Key.STEP:
            state.held_at, state.repeats = at + AUTO_REPEAT_DELAY * self._hold_s, 0
        if state.key is LONGER_PRESS_KEY:
            state.longer_at = at + LONGER_PRESS * self._hold_s
        return []

    def _mash(self, *states: _State) -> None:
        for state in states:
            state.alone_at = state.held_at = state.longer_at = _NEVER
            self._mashed.add(state)

    def _released(self, state: _State) -> list[Input]:
        if not any(key.down for key in self._mashed):
            self._mashed.clear()
        was_short = state.key in LONG_PRESS_KEYS and state.held_at != _NEVER
        state.held_at = state.longer_at = _NEVER
        is_press = was_short and state.alone_at == _NEVER
        return [self._unless_too_early(state, KeyPressed(state.key, state.side))] if is_press else []


class Keys:
    """The keys of a board, on their GPIO pins.

    Wiring: each key from its GPIO (9 to 27) to ground, with a series resistor; the Pi's own pull-up holds it high.

    `report` is called on the loop that called `open`, also for edges from other threads.
    """

    def __init__(
        self, board: Board, wires: Wires, *, clock: Clock, report: Callable[[list[Input]], None], decoder: KeyDecoder
    ) -> None:
        self._pins = board.keys
        self._wires = wires
        self._clock = clock
        self._report = report
        self._decoder = decoder
        self._devices: list[Any] = []
        #: By GPIO: whether the key was down at first, and its edges so far.
        self._early: dict[int, tuple[bool, list[tuple[float, bool]]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.Task[None] | None = None
        self._timer_due = _NEVER

    def open(self, early: Mapping[int, EarlyKey] | None = None) -> None:
        """Open every key's pin, and process the edges in `early`.

        Call it on the loop. If a pin cannot be opened, raises OSError with the name of its key. Each line of `early`,
        by GPIO, is closed just before its pin is opened. The next call processes the edges if this one fails."""
        self._loop = asyncio.get_running_loop()
        lines = dict(early or {})
        try:
            factory = self._wires.pin_factory
            for pin in self._pins:
                if (key := lines.pop(pin.gpio, None)) is not None:
                    self._close_early(pin.gpio, key)
                try:
                    self._open_pin(pin, factory)
                except pin_errors() as error:
                    self.close()
                    raise OSError(f"key {pin.key} on GPIO {pin.gpio}: {error}") from error
        finally:
            for gpio, key in lines.items():
                self._close_early(gpio, key)
        self._process_early()

    def _close_early(self, gpio: int, key: EarlyKey) -> None:
        """Copy the GPIO edges that `key` has recorded, and close its line."""
        edges: list[tuple[float, bool]] = []
        with contextlib.closing(key.line), contextlib.suppress(OSError):
            edges += [(at, not level) for at, level in key.line.read()]
        was_down = not edges[0][1] if edges else key.was_down  # it may have gone down before its level was read
        self._early[gpio] = was_down, edges

    def _open_pin(self, pin: KeyPin, factory: Any) -> None:
        from gpiozero import DigitalInputDevice

        device = DigitalInputDevice(pin.gpio, pull_up=True, pin_factory=factory)
        self._devices.append(device)
        down = bool(device.is_active)
        if pin.gpio in self._early:
            self._early[pin.gpio][1].append((self._clock.now(), down))  # it may have changed while no line was open
        else:
            self._decoder.begin(pin.key, pin.side, down=down)
        device.when_activated = partial(self._edge_in_thread, pin, device, True)
        device.when_deactivated = partial(self._edge_in_thread, pin, device, False)

    def _process_early(self) -> None:
        """Process the GPIO edges from before the board was loaded."""
        edges: list[tuple[float, KeyPin, bool]] = []
        for pin in self._pins:
            if pin.gpio in self._early:
                was_down, own = self._early.pop(pin.gpio)
                self._decoder.begin(pin.key, pin.side, down=was_down)
                edges += [(at, pin, down) for at, down in own]
        for at, pin, down in sorted(edges, key=lambda edge: edge[0]):
            self._handle(self._decoder.edge(pin.key, pin.side, down=down, at=at))

    def close(self) -> None:
        """Close the pins, and ignore errors."""
        while self._devices:
            with contextlib.suppress(*pin_errors()):
                self._devices.pop().close()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _edge_in_thread(self, pin: KeyPin, device: Any, down: bool) -> None:
        """Pass a GPIO edge to the loop, with the time from the kernel.

        The loop may run late."""
        assert self._loop is not None
        at = self._clock.now() - ((device.active_time if down else device.inactive_time) or 0.0)
        self._loop.call_soon_threadsafe(lambda: self._handle(self._decoder.edge(pin.key, pin.side, down=down, at=at)))

    def _handle(self, inputs: list[Input]) -> None:
        due = self._decoder.next_due
        if due is not None and (self._timer is None or due < self._timer_due):
            if self._timer is not None:
                self._timer.cancel()
            self._timer_due = due
            self._timer = asyncio.create_task(self._tick(due), name="keys timer")
        self._report_some(inputs)

    def _report_some(self, inputs: list[Input]) -> None:
        if inputs:
            self._report(inputs)

    async def _tick(self, due: float) -> None:
        await self._clock.sleep(due - self._clock.now())
        self._timer = None
        self._handle(self._decoder.due_inputs(self._clock.now()))
