"""Presenters, one for each output of the board.

The daemon publishes every snapshot of the table to each of them. A presenter takes from `led_colours`, `screen` or
`sounds` what its output shows or plays, repeats that where time changes it, and hands the result to its driver.
`publish` is called on the loop and returns at once: the OLED is drawn in a thread, and only the newest snapshot is
drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from cribd.boards import Board
from cribd.clock import Clock
from cribd.display.choose_sound import sound_of
from cribd.display.led_colours import is_won, led_colours
from cribd.display.lit_pin_leds import lit_pin_leds
from cribd.drivers.buzzer import Sound
from cribd.drivers.strip_encoder import StripEncoder
from cribd.table.settings import Settings
from cribd.table.snapshot import Snapshot

if TYPE_CHECKING:
    from PIL.Image import Image

#: The share of the LEDs' brightness that a board at rest has, as the eye sees it.
_REST = 0.35
#: The least time to the next frame: a shorter one could be lost in the rounding of the clock, again and again.
_LEAST_S = 0.001
#: How often the picture of a board at rest moves, and its places: dots to the right and down. Only the last row and
#: the last column of the picture are lost.
_MOVES_S = 60.0
_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))

#: The turn of a side that sits across the screen and reads it upside down.
_ACROSS_DEG = 180


@dataclass(eq=False)
class LedPresenter:
    """Shows each snapshot on the LEDs.

    `send` takes the bytes of a frame, from any thread, and returns at once; `light` takes the pins of the lit LEDs.
    `settings` gives the brightness of the strip; while the board rests it is lower.
    """

    board: Board
    _: KW_ONLY
    gamma: float
    settings: Callable[[], Settings]
    clock: Clock
    send: Callable[[bytes], None]
    light: Callable[[frozenset[int]], None]

    def __post_init__(self) -> None:
        self._snapshot = Snapshot()
        self._brightness = self._brightness_now()
        self._encoder = self._new_encoder()
        self._shown_at = self._won_at = self.clock.now()
        self._next_frame: asyncio.Task[None] | None = None
        #: The strip's frame and the GPIOs that are lit, while nothing in them changes by itself; else None.
        self.steady: tuple[bytes, frozenset[int]] | None = None

    def publish(self, snapshot: Snapshot) -> None:
        """Show this snapshot now."""
        now = self.clock.now()
        if is_won(snapshot.view) and not is_won(self._snapshot.view):
            self._won_at = now
        self._snapshot, self._shown_at = snapshot, now
        self._send_frame()

    def darken(self) -> None:
        """Turn all LEDs off until the next `publish`."""
        self._cancel_next_frame()
        self.send(self._encoder.dark_frame)
        self.light(frozenset())

    def _send_frame(self) -> None:
        """Send the current frame.

        If its colours change with time, schedule the next frame."""
        if self._brightness_now() != self._brightness:
            self._brightness = self._brightness_now()
            self._encoder = self._new_encoder()
        now = self.clock.now()
        seconds = now - self._shown_at
        frame = led_colours(self._snapshot, self.board, seconds, since_win=now - self._won_at)
        encoded = self._encoder.encode(frame.colours)
        self.send(encoded)
        lit = lit_pin_leds(self._snapshot, self.board, seconds)
        self.light(lit.gpios)
        self._cancel_next_frame()
        until = min(frame.until, lit.until)
        self.steady = None if isfinite(until) else (encoded, lit.gpios)
        if isfinite(until):
            wait = max(_LEAST_S, until - seconds)
            self._next_frame = asyncio.create_task(self._send_later(wait), name="next LED frame")

    async def _send_later(self, seconds: float) -> None:
        await self.clock.sleep(seconds)
        self._next_frame = None
        self._send_frame()

    def _cancel_next_frame(self) -> None:
        if self._next_frame is not None:
            self._next_frame.cancel()
            self._next_frame = None

    def _brightness_now(self) -> float:
        chosen = self.settings().brightness / 100
        return chosen * _REST if self._snapshot.resting else chosen

    def _new_encoder(self) -> StripEncoder:
        return StripEncoder(self.board.strip, brightness=self._brightness, gamma=self.gamma)


class ShowImage(Protocol):
    """A function that shows a picture and returns at once."""

    def __call__(self, image: Image, *, dim: bool) -> None: ...


@dataclass(eq=False)
class OledPresenter:
    """Draws the newest snapshot in a thread.

    `show` gets the picture on the loop. A snapshot with a pending press is not drawn. `turns`: the picture turns to the
    side that must act. While the board rests the picture is dim, and moves now and then: dots that are always lit fade.
    """

    board: Board
    _: KW_ONLY
    turns: bool
    clock: Clock
    show: ShowImage
    _snapshot: Snapshot = field(default_factory=Snapshot, init=False)
    _changed: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _place: int = field(default=0, init=False)

    def publish(self, snapshot: Snapshot) -> None:
        """Let `run` draw this snapshot next.

        A snapshot with a pending press is not drawn."""
        self._snapshot = snapshot
        self._changed.set()

    async def run(self) -> None:
        """Draw the newest snapshots until cancelled."""
        moving = asyncio.create_task(self._move(), name="move the picture")
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                if (snapshot := self._snapshot).pending is None:
                    drawn = await self.clock.run_in_thread(partial(self.draw, snapshot))
                    self.show(drawn, dim=snapshot.resting)
        finally:
            moving.cancel()

    async def _move(self) -> None:
        while True:
            await self.clock.sleep(_MOVES_S)
            self._place = (self._place + 1) % len(_PLACES)
            if self._snapshot.resting:
                self._changed.set()

    def draw(self, snapshot: Snapshot) -> Image:
        """Return the picture of this snapshot.

        This is slow: call it in a thread."""
        from cribd.display.canvas import moved
        from cribd.display.screen import screen_image
        from cribd.text import load

        drawn = screen_image(snapshot, load(snapshot.language).stepped(snapshot.steps))
        asked = None if snapshot.view is None or snapshot.lobby is not None else snapshot.view.prompt.side
        if snapshot.resting:
            drawn = moved(drawn, *_PLACES[self._place])
        return drawn.rotate(180) if self.turns and self.board.turn_of(asked) == _ACROSS_DEG else drawn


@dataclass(eq=False, kw_only=True)
class BuzzerPresenter:
    """Plays the sound of each change, if sound is on."""

    settings: Callable[[], Settings]
    play: Callable[[Sound], None]
    _before: Snapshot = field(default_factory=Snapshot, init=False)

    def publish(self, snapshot: Snapshot) -> None:
        """Start the sound of the change to this snapshot."""
        sound = sound_of(snapshot, self._before)
        self._before = snapshot
        if sound is not None and self.settings().sound == "on":
            self.play(sound)
