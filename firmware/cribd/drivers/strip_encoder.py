"""The encoder of frames for the LED strip.

`cribd.display.led_colours` chooses the colours. The frame follows the APA102 and SK9822 sheets: 32 zero bits, for each
LED 111, five bits of global brightness, blue, green and red, then 32 zero bits more (only then does an SK9822 show the
frame) and a clock for every second LED, in zeros: a one would begin another LED.

Dimming uses the colour bytes first and the global brightness last, because that is a slow PWM on an APA102. Only
colours that are too dim for eight bits use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from cribd.boards import Strip

_DARK_UA = 1_000  # an LED that shows nothing
_CHANNEL_UA = 20_000  # one colour of one LED at its brightest
_FULL = 31  # global brightness
_STEPS = 32  # the least value of the strongest colour byte, or the global brightness goes down
_WHOLE = 1024  # a frame that is not scaled down
_REMEMBERED = 4096


class LedColour(NamedTuple):
    """The colour and the brightness of one LED.

    Each value is 0 to 255, as the eye sees it."""

    red: int
    green: int
    blue: int
    level: int = 255


class StripEncoder:
    """Turns the colours of the LEDs into a frame.

    Wiring: the strip on SPI0 MOSI and SCLK through a 74AHCT125 whose output enables hang on CE0, SPI mode 0.

    `brightness` (0 to 1, as the eye sees it) dims the whole board. No frame draws more than the strip's `budget_ma`,
    counting 1 mA for each LED, lit or not, and 20 mA for each colour at its brightest: a frame that would is dimmed as
    a whole, so that no hue changes. The same colours always give the same bytes.
    """

    def __init__(self, strip: Strip, *, brightness: float = 1.0, gamma: float = 2.2) -> None:
        self._count = strip.count
        self._budget_ua = max(0, 1000 * strip.budget_ma - _DARK_UA * strip.count)
        self._linear = [(value / 255) ** gamma for value in range(256)]
        self._dim = brightness**gamma
        self._cached_current_of = lru_cache(_REMEMBERED)(self._current_of)
        self._cached_led_bytes = lru_cache(_REMEMBERED)(self._led_bytes)
        #: The frame in which every LED is dark.
        self.dark_frame = bytes(4) + b"\xe0\0\0\0" * strip.count + _end_frame(strip.count)

    def encode(self, lights: Mapping[int, LedColour]) -> bytes:
        """Return the frame with these colours.

        A key is the number of an LED: LED 0 is nearest the Pi. All other LEDs are dark. ValueError for an LED that the
        strip does not have, or a colour that is not made of 0 to 255."""
        scale = self._scale_within_budget(lights.values())
        frame = bytearray(self.dark_frame)
        for led, light in lights.items():
            if not 0 <= led < self._count:
                raise ValueError(f"led = {led}: the strip has 0 to {self._count - 1}")
            at = 4 + 4 * led
            frame[at : at + 4] = self._cached_led_bytes(light, scale)
        return bytes(frame)

    def _scale_within_budget(self, lights: Iterable[LedColour]) -> int:
        """Return the factor, in 1024ths, that keeps the budget.

        1024 leaves the colours as they are."""
        wanted = sum(self._cached_current_of(light)[0] for light in lights)
        return _WHOLE if wanted <= self._budget_ua else _WHOLE * self._budget_ua // wanted

    def _current_of(self, light: LedColour) -> tuple[int, float, float, float]:
        """Return the current of an LED with this colour, in microamperes.

        Three more numbers are the shares of full current for blue, green and red."""
        try:
            red, green, blue, level = bytes(light)
        except ValueError:
            raise ValueError(f"{light}: 0 to 255 are allowed") from None
        linear = self._linear
        dim = linear[level] * self._dim
        shares = linear[blue] * dim, linear[green] * dim, linear[red] * dim
        return 1 + int(_CHANNEL_UA * sum(shares)), *shares

    def _led_bytes(self, light: LedColour, scale: int) -> bytes:
        """Return the four bytes of one LED, rounded down."""
        _, blue, green, red = self._cached_current_of(light)
        most, brightness = max(blue, green, red) * scale / _WHOLE, _FULL
        while brightness > 1 and most * 255 * _FULL < _STEPS * brightness:
            brightness //= 2
        steps = 255 * _FULL * scale / _WHOLE / brightness
        colours = bytes((int(blue * steps), int(green * steps), int(red * steps)))
        return bytes((0b111_00000 | brightness,)) + colours if any(colours) else b"\xe0\0\0\0"


def _end_frame(leds: int) -> bytes:
    """Return the zeros that follow the last LED.

    They are 32 bits, and one bit for every second LED."""
    clocks = (leds + 1) // 2
    return bytes(4) + bytes((clocks + 7) // 8)
