"""The driver of LEDs on GPIO pins, each a gpiozero `LED`.

`cribd.display.lit_pin_leds` decides which are lit. Without blinking an `LED` needs no thread.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from typing import Any

from cribd.boards import LedPin
from cribd.causes import cause
from cribd.drivers import pin_errors
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.wires import Wires

LEDS = "leds"  # where the fault is


class PinLeds:
    """Lights the LEDs on GPIO pins.

    Wiring: each LED from its GPIO (9 to 27) through its resistor to ground. Lit is high; the pin gives at most 16 mA.

    If a pin cannot be had, the next `show` tries again (design law 6).
    """

    def __init__(self, pins: Sequence[LedPin], wires: Wires, *, report: Callable[[list[Input]], None]) -> None:
        self._gpios = [pin.gpio for pin in pins]
        self._wires = wires
        self._report = report
        self._devices: dict[int, Any] = {}
        self._away = False

    def show(self, lit: Collection[int]) -> None:
        """Light only the LEDs on these pins.

        Call it on the loop."""
        try:
            for gpio in self._gpios:
                self._light(gpio, on=gpio in lit)
        except pin_errors() as error:
            self.close()
            if not self._away:
                self._away = True
                self._report([Fault(FaultKind.LIGHTS_AWAY, LEDS, cause(error))])
        else:
            if self._away:
                self._away = False
                self._report([FaultCleared(FaultKind.LIGHTS_AWAY, LEDS)])

    def close(self) -> None:
        """Close the pins, which turns the LEDs off."""
        while self._devices:
            with contextlib.suppress(*pin_errors()):
                self._devices.popitem()[1].close()

    def _light(self, gpio: int, *, on: bool) -> None:
        from gpiozero import LED

        if gpio not in self._devices:
            self._devices[gpio] = LED(gpio, pin_factory=self._wires.pin_factory)
        if self._devices[gpio].is_lit is not on:
            self._devices[gpio].value = on
