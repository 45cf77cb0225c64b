"""The lights of the board: colours in, the bytes of one LED frame out.

Never touches a bus and never decides what glows; that is the view's. It follows the APA102 and SK9822 sheets: 32 zero
bits, for each LED 111, five bits of global brightness, blue, green and red, then 32 zero bits more (only then does an
SK9822 show the frame) and a clock for every second LED, in zeros: a one would begin another LED.

Dimming uses the colour bytes first and the global brightness last, because on an APA102 that one is a slow PWM. Only a
light too dim for its colour to be told in eight bits goes down by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cribd.boards import Strip

_DARK_UA = 1_000  # an LED that shows nothing
_CHANNEL_UA = 20_000  # one colour of one LED at its brightest
_FULL = 31  # global brightness
_STEPS = 32  # the steps that the strongest colour of a light must have left, or the global brightness goes down
_WHOLE = 1024  # a picture that is not scaled down
_REMEMBERED = 4096


class LedColour(NamedTuple):
    """How one LED glows: a colour, and how much of it. All 0 to 255, as the eye sees it."""

    red: int
    green: int
    blue: int
    level: int = 255


class StripEncoder:
    """What must glow becomes what the strip hears.

    Wiring: the strip on SPI0 MOSI and SCLK through a 74AHCT125 whose output enables hang on CE0, SPI mode 0.

    `brightness` (0 to 1, as the eye sees it) dims the whole board. No frame draws more than the strip's `budget_ma`,
    counting 1 mA for each LED, lit or not, and 20 mA for each colour at its brightest: a picture that would is scaled
    down as a whole, so that no hue changes. The same lights always give the same bytes.
    """

    def __init__(self, strip: Strip, *, brightness: float = 1.0, gamma: float = 2.2) -> None:
        self._count = strip.count
        self._budget_ua = max(0, 1000 * strip.budget_ma - _DARK_UA * strip.count)
        self._linear = [(value / 255) ** gamma for value in range(256)]
        self._dim = brightness**gamma
        self._shares: dict[LedColour, tuple[int, float, float, float]] = {}
        self._words: dict[tuple[LedColour, int], bytes] = {}
        clocks = (strip.count + 1) // 2
        self._dark = bytes(4) + b"\xe0\0\0\0" * strip.count + bytes(4) + bytes((clocks + 7) // 8)

    @property
    def dark(self) -> bytes:
        """The frame in which nothing glows."""
        return self._dark

    def encode(self, lights: Mapping[int, LedColour]) -> bytes:
        """The frame in which these LEDs glow, numbered from 0 nearest the Pi, and no others.

        ValueError for an LED that the strip does not have, or a light that is not made of 0 to 255.
        """
        if len(self._words) > _REMEMBERED:
            self._words.clear()
            self._shares.clear()
        scale = self._scale(lights)
        count, words = self._count, self._words
        frame = bytearray(self._dark)
        for led, light in lights.items():
            if not 0 <= led < count:
                raise ValueError(f"led = {led}: the strip has 0 to {count - 1}")
            word = words.get((light, scale))
            if word is None:
                word = words[light, scale] = self._word(light, scale)
            at = 4 + 4 * led
            frame[at : at + 4] = word
        return bytes(frame)

    def _scale(self, lights: Mapping[int, LedColour]) -> int:
        """How much of the picture the budget allows, in 1024ths."""
        wanted, known = 0, self._shares
        for light in lights.values():
            share = known.get(light)
            if share is None:
                share = known[light] = self._share(light)
            wanted += share[0]
        return _WHOLE if wanted <= self._budget_ua else _WHOLE * self._budget_ua // wanted

    def _share(self, light: LedColour) -> tuple[int, float, float, float]:
        """What a light draws in microamperes, and what share of its full current each colour gets: blue, green, red."""
        try:
            red, green, blue, level = bytes(light)
        except ValueError:
            raise ValueError(f"{light}: 0 to 255 are allowed") from None
        linear = self._linear
        dim = linear[level] * self._dim
        shares = linear[blue] * dim, linear[green] * dim, linear[red] * dim
        return 1 + int(_CHANNEL_UA * sum(shares)), *shares

    def _word(self, light: LedColour, scale: int) -> bytes:
        """The four bytes of one LED. Rounds down, so that a budget that holds for the shares holds for the bytes."""
        _, blue, green, red = self._shares[light]
        most, brightness = max(blue, green, red) * scale / _WHOLE, _FULL
        while brightness > 1 and most * 255 * _FULL < _STEPS * brightness:
            brightness //= 2
        steps = 255 * _FULL * scale / _WHOLE / brightness
        colours = bytes((int(blue * steps), int(green * steps), int(red * steps)))
        return bytes((0b111_00000 | brightness,)) + colours if any(colours) else b"\xe0\0\0\0"
