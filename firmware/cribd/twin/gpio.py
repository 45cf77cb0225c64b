"""The twin's GPIO pins, as a pin factory of gpiozero.

It extends gpiozero's `MockFactory`, which is private to gpiozero's tests; therefore gpiozero stays below 3. It is never
gpiozero's global factory: drivers are given it. Its pins store no history, and take time from `Clock`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gpiozero.exc import DeviceClosed, PinFixedPull, SPIBadArgs
from gpiozero.pins import SPI
from gpiozero.pins.mock import MockFactory, MockPWMPin

from cribd.clock import Clock
from cribd.twin.pulses import Pulses
from cribd.twin.spi import SpiPort

PI = "902120"  # a Zero 2 W
SELECTS = {"GPIO8": 0, "GPIO7": 1}
DEFAULT_HZ = 500_000
MOST_BYTES = 4096  # of one transfer: spidev's own bound, and the kernel's default (`bufsiz`)


class TwinPin(MockPWMPin):  # type: ignore[misc]
    """A GPIO pin that a key can connect to ground.

    `state` and `frequency` are what the driver asked for, with the duty cycle in whole per cents, as gpiozero does it
    for lgpio; `pulses` models what happens at the pin, and when.
    """

    _state: float

    def __init__(self, factory: TwinFactory, info: Any) -> None:
        self.pulses = Pulses()
        super().__init__(factory, info)

    def clear_states(self) -> None:
        """Forget earlier edges, and set the time of the last change to now."""
        self._last_change = self.factory.clock.now()
        self.states: list[Any] = []

    def _change_state(self, value: float) -> bool:
        if self._state == value:
            return False
        self._last_change = self.factory.clock.now()
        self._state = value
        self.factory.changed(self)
        return True

    def _set_state(self, value: float) -> None:
        if self._frequency is None:
            super()._set_state(bool(value))
            self.pulses.write(int(self._state))
        else:
            percent = int(100 * value)
            super()._set_state(percent / 100)
            self.pulses.start(self._frequency, percent, self.factory.clock.now())

    def _set_frequency(self, value: float | None) -> None:
        now = self.factory.clock.now()
        if value:
            self.pulses.start(value, round(100 * self._state) if self._frequency else 0, now)
        elif self._frequency:
            self.pulses.end(now)
        super()._set_frequency(value or None)
        self.factory.changed(self)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"{self!r} is an output")
        self._pull = value
        if value == "down" or self.info.name in self.factory.grounded:
            self.drive_low()
        elif value == "up":
            self.drive_high()


class TwinFactory(MockFactory):  # type: ignore[misc]
    """The gpiozero pins and SPI0 of one twin.

    `on_change(pin)` is called after a change of level or frequency."""

    def __init__(self, clock: Clock, *, port: SpiPort, on_change: Callable[[TwinPin], None]) -> None:
        super().__init__(revision=PI, pin_class=TwinPin)
        self.clock = clock
        self.port = port
        self.changed = on_change
        self.grounded: set[str] = set()

    def ticks(self) -> float:
        """Return the time in seconds, as gpiozero's devices count it."""
        return self.clock.now()

    def ground(self, gpio: int) -> None:
        """Connect a pin to ground, even before gpiozero opens the pin."""
        self.grounded.add(f"GPIO{gpio}")
        self._pull(gpio)

    def let_go(self, gpio: int) -> None:
        """Disconnect a pin from ground."""
        self.grounded.discard(f"GPIO{gpio}")
        self._pull(gpio)

    def _pull(self, gpio: int) -> None:
        if (pin := self.pin(gpio)).function == "input":
            pin.pull = pin.pull  # sets the level anew

    def release_all(self, reserver: object) -> None:
        """Release all pins that the device `reserver` has reserved.

        The method of gpiozero is slow: for the sake of another factory it looks up every pin ever reserved."""
        with self._res_lock:
            for pin, holders in self._reservations.items():
                self._reservations[pin] = [holder for holder in holders if holder() not in (reserver, None)]

    def _get_spi_class(self, shared: bool, hardware: bool) -> type[SPI]:
        if shared or not hardware:
            raise SPIBadArgs("the twin has SPI0 alone, on its own pins, each select for one owner")
        return TwinSpi


class TwinSpi(SPI):  # type: ignore[misc]
    """A device on SPI0, at CE0 (GPIO8) or CE1 (GPIO7)."""

    def __init__(self, clock_pin: str, mosi_pin: str, miso_pin: str, select_pin: str, pin_factory: TwinFactory) -> None:
        self._port: SpiPort | None = pin_factory.port
        self._select = SELECTS[select_pin]
        self._mode = 0
        self._hz = DEFAULT_HZ
        super().__init__(pin_factory=pin_factory)
        pin_factory.reserve_pins(self, clock_pin, mosi_pin, miso_pin, select_pin)

    def _conflicts_with(self, other: object) -> bool:
        return not isinstance(other, TwinSpi) or other._select == self._select

    def close(self) -> None:
        """Release the port and the pins. A second call does nothing."""
        if self._port is not None:
            self._port = None
            self.pin_factory.release_all(self)
        super().close()

    @property
    def closed(self) -> bool:
        return self._port is None

    def transfer(self, data: Sequence[int]) -> list[int]:
        """Send bytes, and return the bytes received meanwhile."""
        if (port := self._port) is None:
            raise DeviceClosed("this SPI device is closed")
        if len(data) > MOST_BYTES:
            raise OverflowError(f"{len(data)} bytes: spidev takes {MOST_BYTES} at the most")
        return port.transfer(self._select, data, hz=self._hz, mode=self._mode)

    def _get_clock_mode(self) -> int:
        return self._mode

    def _set_clock_mode(self, value: int) -> None:
        self._mode = value

    def _get_rate(self) -> int:
        return self._hz

    def _set_rate(self, value: int) -> None:
        self._hz = value
