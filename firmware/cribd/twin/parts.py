"""The parts on the twin's buses, each chip with its plug.

They connect the buses, which have time, with the chips, which have bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from threading import Lock
from typing import NamedTuple

from cribd.boards import Chain, Oled, Strip
from cribd.twin.chips.hc165 import Hc165Chain
from cribd.twin.chips.led_strip import Chip, LedStrip
from cribd.twin.chips.ssd1306 import COLUMNS, ROWS, Ssd1306


class Buttons:
    """The button chain on the SPI bus, with its plug.

    Spare inputs carry the board's pattern at the near end; all others are pulled to the level of an open button.
    While the chain is unplugged, the Pi's pull-down keeps MISO low."""

    def __init__(self, wired: Chain) -> None:
        self.chain = Hc165Chain(wired.chips, far_level=wired.far_level)
        for place in range(wired.chips * 8):
            self.chain.set(place, 1 - wired.pressed_level)
        for place, level in enumerate(wired.near_pattern):
            self.chain.set(place, int(level))
        self._plugged = True
        self._rng = Random(165)
        self._settling: dict[int, tuple[float, int]] = {}  # an input's time and level when its contact has settled
        self.cut: tuple[int, int] | None = None  # from this chip on, all bits are read at this level
        self.scans = 0  # how often the select has fallen so far

    def plug(self) -> None:
        """Plug the button chain in."""
        self._plugged = True

    def unplug(self) -> None:
        """Unplug the button chain."""
        self._plugged = False

    def bounce_until(self, place: int, level: int, until: float) -> None:
        """Let an input bounce until this time, then hold `level`."""
        self._settling[place] = until, level

    def transfer(self, data: bytes, *, hz: int, mode: int, begin: float, late: int | None) -> tuple[list[int], None]:
        """Make one scan of the inputs."""
        self.scans += 1
        if not self._plugged:
            return [0] * len(data), None
        for place, (until, level) in tuple(self._settling.items()):
            is_settled = begin >= until
            self.chain.set(place, level if is_settled else self._rng.randrange(2))
            if is_settled:
                self._settling.pop(place, None)
        bits = self.chain.shift(len(data), mode=mode, late=late is not None)
        if self.cut is not None:
            chip, level = self.cut
            bits[chip - 1 :] = [0xFF if level else 0x00] * len(bits[chip - 1 :])
        return bits, None

    def rest(self, count: int) -> list[int]:
        """Return what the button chain puts on MISO while it is not selected.

        The output of the chain is always active."""
        return self.chain.rest(count) if self._plugged else [0] * count


class Lights:
    """The LED strip on the SPI bus, with its plug.

    `shown` has four bytes for each LED; all LEDs are dark while the strip is unplugged."""

    def __init__(self, wired: Strip, on_change: Callable[[], None]) -> None:
        self._strip = LedStrip(Chip(wired.chip), count=wired.count)
        self._on_change = on_change
        self._plugged = True
        self._guard = Lock()
        self.shown = self._strip.shown
        self._cut: int | None = None
        self.changed_at: float | None = None

    def transfer(
        self, data: bytes, *, hz: int, mode: int, begin: float, late: int | None
    ) -> tuple[None, Callable[[], None] | None]:
        """Accept the bytes of one transfer.

        The returned function shows the new frames after the transfer. It is None if no LED changes."""
        with self._guard:
            last = self._strip.receive(data, mode=mode, late=late) if self._plugged else None
        if last is None:
            return None, None

        def over() -> None:
            self.changed_at = begin + last / hz
            self._show()

        return None, over

    def unplug(self) -> None:
        """Unplug the strip: all LEDs are dark."""
        with self._guard:
            self._plugged = False
            self._strip.power_on()
        self._show()

    def plug(self) -> None:
        """Plug the strip in, dark until a frame arrives."""
        with self._guard:
            self._plugged = True

    def cut(self, led: int | None) -> None:
        """Cut the strip before this LED. With None, repair the strip.

        This LED and all LEDs beyond keep their frames."""
        with self._guard:
            self._cut = led
        self._show()

    def _show(self) -> None:
        shown = self._strip.shown
        if self._cut is not None:
            shown = shown[: 4 * self._cut] + self.shown[4 * self._cut :]
        if shown != self.shown:
            self.shown = shown
            self._on_change()


SIZES = ((128, 64), (128, 32))


@dataclass(frozen=True, slots=True)
class OledView:
    """The picture on the twin's OLED.

    `pixels` are the lit pixels as seen, also when inverse: row after row from the top, eight pixels a byte, the
    leftmost in the highest bit (Pillow's mode "1"). `contrast` is 0 to 255."""

    width: int
    height: int
    on: bool
    contrast: int
    inverse: bool
    pixels: bytes


def oled_view(chip: Ssd1306, width: int, height: int) -> OledView:
    """Return the picture on a panel of this size.

    The panel is wired to its controller as in common modules. On these SEG127 is the left column and the highest COM is
    the top row, which is why drivers remap both. A panel of 64 rows has its even rows on one side of the chip and its
    odd rows on the other (com pins 0x12); one of 32 rows has them in sequence (0x02). ValueError if there is no such
    module.
    """
    if (width, height) not in SIZES:
        raise ValueError(f"a glass of {width} x {height}: known are {SIZES}")
    pins = chip.lines()
    if height == ROWS:
        lines = [pins[line // 2 + (ROWS // 2 if line % 2 else 0)] for line in range(ROWS)]
    else:
        lines = pins[:height]
    registers = chip.registers
    return OledView(
        width,
        height,
        on=registers.on and registers.charge_pump,
        contrast=registers.contrast,
        inverse=registers.inverse,
        pixels=b"".join([line.to_bytes(COLUMNS // 8, "big") for line in reversed(lines)]),
    )


class Screen:
    """The OLED module on the I²C bus, with its plug."""

    def __init__(self, wired: Oled, on_change: Callable[[], None], *, noise: Callable[[int], bytes]) -> None:
        if wired.chip != "ssd1306":
            raise ValueError(f"the twin has no {wired.chip}: its screen is an ssd1306")
        self._wired = wired
        self._on_change = on_change
        self._chip = Ssd1306(noise=noise)
        self._plugged = True
        self._running = True
        self._guard = Lock()
        self._view: OledView | None = None  # until something changes
        self.changed_at: float | None = None

    def acknowledges(self) -> bool:
        """Whether the screen answers at its address."""
        return self._plugged and self._running

    def written(self, payload: bytes, *, end: float) -> None:
        """Accept commands and data, without the address."""
        with self._guard:
            before = self._chip.looks()
            self._chip.write(payload)
            same = self._chip.looks() == before
        if not same:
            self.changed_at = end
            self._changed()

    def read(self) -> int:
        """Return the status byte."""
        return self._chip.read()

    def look(self) -> OledView:
        """Return the picture on the panel."""
        with self._guard:
            if self._view is None:
                width, height = self._wired.width, self._wired.height
                dark = OledView(width, height, on=False, contrast=0, inverse=False, pixels=bytes(width * height // 8))
                self._view = oled_view(self._chip, width, height) if self._plugged else dark
            return self._view

    def unplug(self) -> None:
        """Unplug the screen."""
        self._plugged = False
        self._changed()

    def plug(self) -> None:
        """Plug the screen in, with reset registers and random RAM.

        Does nothing if the screen is plugged in already."""
        with self._guard:
            if self._plugged:
                return
            self._chip.power_on()
            self._plugged = True
        self._changed()

    def reset_pin(self, level: int) -> None:
        """Set the level of the active-low reset pin RES#."""
        with self._guard:
            if not level:
                self._chip.reset()
            self._running = bool(level)
        self._changed()

    def _changed(self) -> None:
        self._view = None
        self._on_change()


class LedState(NamedTuple):
    """The light of one LED.

    Each colour is 0 to 255, and the chip's global brightness `level` is 0 to 31."""

    red: int
    green: int
    blue: int
    level: int


@lru_cache(maxsize=4096)
def _led_state(head: int, blue: int, green: int, red: int) -> LedState:
    return LedState(red, green, blue, head & 31)


@lru_cache(maxsize=2)
def led_states(shown: bytes) -> tuple[LedState, ...]:
    """Return the light of each LED of a strip."""
    return tuple(map(_led_state, shown[::4], shown[1::4], shown[2::4], shown[3::4]))
