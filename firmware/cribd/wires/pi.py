"""The wires of a Raspberry Pi.

Hardware libraries are imported when they are first needed, and gpiozero's global factory is never used. SPI goes
through gpiozero's spidev class and not through its lgpio one, which holds Python's lock for the whole transfer. That
class is made here directly, because gpiozero's own factory falls back to bit-banging without it.

On Raspberry Pi OS lgpio and spidev are Debian packages (`python3-lgpio`, `python3-spidev`), seen from an environment
that was made with `--system-site-packages`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from errno import EACCES
from functools import wraps
from pathlib import Path
from typing import Any

from cribd.causes import Message, reason
from cribd.wires import Spi
from cribd.wires.line_events import LineEvents, Pull

_CLOCK, _MOSI, _MISO, _SELECT = "GPIO11", "GPIO10", "GPIO9", ("GPIO8", "GPIO7")  # SPI0 with CE0 and CE1
_DEV = Path("/dev")


class PiWires:
    """The wires of a board on a Raspberry Pi.

    `ports` has the device of each reader by name: `{"scanner": "/dev/ttyACM0"}`. What cannot be opened raises
    an OSError that says why.
    """

    def __init__(self, ports: Mapping[str, str]) -> None:
        self._ports = dict(ports)
        self._guard = threading.Lock()  # the loop asks for keys while the bus's thread asks for SPI
        self._factory: Any = None
        self._buses: list[Any] = []

    @property
    def root(self) -> Path:
        """The root of the file system."""
        return Path("/")

    @property
    def pin_factory(self) -> Any:
        """The gpiozero factory for GPIO, by lgpio."""
        with self._guard:
            if self._factory is None:
                self._factory = self._open_gpio()
            return self._factory

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """Open SPI0 with CE0 or CE1, by spidev."""
        from gpiozero import GPIOZeroError
        from gpiozero.pins.local import LocalPiHardwareSPI

        try:
            import spidev  # noqa: F401 - gpiozero has looked for it already, and says nothing if it was missing
        except ImportError as error:
            raise OSError(_missing_package("spidev")) from error
        try:
            device = LocalPiHardwareSPI(_CLOCK, _MOSI, _MISO, _SELECT[select], self.pin_factory)
        except OSError as error:
            raise OSError(_why_no_node(f"/dev/spidev0.{select}", error, "dtparam=spi=on", "spi")) from error
        except GPIOZeroError as error:
            raise OSError(f"SPI0 CE{select}: {error}") from error
        try:
            device.clock_mode = mode
            device.rate = hz
        except OSError:
            device.close()  # or its pins would be taken at the next try
            raise
        opened: Spi = device
        return opened

    def i2c(self, port: int) -> Any:
        """Open I²C by smbus2, with a new file for each caller.

        The I²C address belongs to the file."""
        from smbus2 import SMBus

        try:
            bus = SMBus(port)
        except OSError as error:
            raise OSError(_why_no_node(f"/dev/i2c-{port}", error, "dtparam=i2c_arm=on", "i2c")) from error
        self._buses.append(bus)
        return bus

    def serial(self, name: str) -> str:
        """Return the port of the reader with this name."""
        try:
            return self._ports[name]
        except KeyError:
            no_port = Message("wires.no_port", "reader {name} has no port in the configuration", name=name)
            raise OSError(no_port) from None

    def close(self) -> None:
        """Close I²C and GPIO, but not SPI."""
        while self._buses:
            self._buses.pop().close()
        with self._guard:
            factory, self._factory = self._factory, None
        if factory is not None:
            with contextlib.suppress(OSError):  # it is gone: nothing is left to close
                factory.close()

    def _open_gpio(self) -> Any:
        # lgpio reads this when it is imported, and makes a FIFO there; otherwise in the working directory.
        os.environ.setdefault("LG_WD", tempfile.gettempdir())
        from gpiozero import PinUnknownPi

        try:
            import lgpio
            from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin
            from gpiozero.pins.local import LocalPiPin
        except ImportError as error:
            raise OSError(_missing_package("lgpio")) from error

        def with_os_errors(method: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(method)
            def call(pin: Any, *args: Any) -> Any:
                try:
                    return method(pin, *args)
                except lgpio.error as error:
                    raise OSError(_why_no_pin(pin.info.name, error)) from error

            return call

        class Pin(LGPIOPin):  # type: ignore[misc]
            """A pin of lgpio that gets its edges from `LineEvents`.

            It raises OSErrors instead of lgpio's own errors, because no caller catches lgpio's own errors."""

            _events: LineEvents | None = None

            def close(self) -> None:
                self.when_changed = None
                with contextlib.suppress(lgpio.error):  # it is gone: nothing is left to close
                    super().close()

            def _get_state(self) -> Any:
                return super()._get_state() if self._events is None else self._events.level()

            def _enable_event_detect(self) -> None:
                try:
                    self._loop = asyncio.get_running_loop()
                except RuntimeError:
                    return  # in a thread nobody waits for edges
                pull = Pull[{"floating": "NONE"}.get(self.pull, self.pull.upper())]
                lgpio.gpio_free(self.factory._handle, self._number)
                try:
                    self._events = LineEvents(f"/dev/gpiochip{self.factory.chip}", self._number, pull)
                except OSError as error:
                    self._when_changed = None
                    raise OSError(_why_no_pin(self.info.name, error)) from error
                self._loop.add_reader(self._events, self._take_events)

            def _take_events(self) -> None:
                assert self._events is not None
                try:
                    edges = self._events.read()
                except OSError:  # the chip is gone: the next one who reads the pin says so
                    self._loop.remove_reader(self._events)
                    return
                for at, level in edges:
                    LocalPiPin._call_when_changed(self, at, level)

            def _disable_event_detect(self) -> None:
                if self._events is not None:
                    self._loop.remove_reader(self._events)
                    self._events.close()
                    self._events = None
                    lgpio.gpio_claim_input(self.factory._handle, self._number, lgpio.SET_PULL_NONE)

            def _set_frequency(self, value: float | None) -> None:
                try:
                    super()._set_frequency(value)
                except BaseException:
                    self._pwm = None  # or gpiozero could not even close the pin
                    raise

        for name, method in {**vars(LGPIOPin), **vars(Pin)}.items():
            if callable(method) and not name.startswith("__"):
                setattr(Pin, name, with_os_errors(method))

        class Factory(LGPIOFactory):  # type: ignore[misc]
            """A factory of lgpio's pins that raises OSError for lgpio's errors."""

            def __init__(self) -> None:
                super().__init__()
                self.pin_class = Pin

            def pin(self, name: Any) -> Any:
                try:
                    return super().pin(name)
                except lgpio.error as error:
                    raise OSError(_why_no_pin(f"GPIO {name}", error)) from error

            def close(self) -> None:
                try:
                    super().close()
                except lgpio.error as error:
                    raise OSError(f"/dev/gpiochip cannot be closed: {error}") from error

        try:
            return Factory()
        except PinUnknownPi as error:
            why = str(error)
            raise OSError(
                Message("wires.no_pi", "this is no Raspberry Pi ({why}): `cribboard run --twin` needs none", why=why)
            ) from error
        except lgpio.error as error:
            raise OSError(_why_no_chip(error)) from error


def _missing_package(name: str) -> Message:
    return Message("wires.no_package", "{name} is missing: install python3-{name}", name=name)


def _why_no_node(node: str, error: OSError, setting: str, group: str) -> Message:
    """Return the reason why a device node cannot be opened."""
    match error:
        case FileNotFoundError():
            return Message(
                "wires.no_node",
                "{node} is missing (errno {errno}): {setting} in config.txt brings it",
                node=node, errno=error.errno, setting=setting,
            )  # fmt: skip
        case PermissionError():
            return forbidden(node, group)
    return Message("device.why_at", "{file}: {why} (errno {errno})", file=node, why=reason(error), errno=error.errno)


def forbidden(node: str, group: str) -> Message:
    """Say that the user may not open the device node."""
    return Message(
        "wires.forbidden",
        "{node} may not be opened (errno {errno}): the user must be in the group {group}",
        node=node, errno=EACCES, group=group,
    )  # fmt: skip


def _why_no_pin(pin: str, error: Exception) -> str:
    if "busy" in str(error):
        return Message("wires.pin_busy", "{pin}: another program holds this pin ({why})", pin=pin, why=str(error))
    return f"{pin}: {error}"


def _why_no_chip(error: Exception) -> str:
    """Say why no GPIO chip can be opened.

    lgpio gives the same error for a missing and for a forbidden chip."""
    chips = sorted(str(chip) for chip in _DEV.glob("gpiochip*"))
    if not chips:
        return Message("wires.no_chip", "there is no /dev/gpiochip: the kernel shows no pins here")
    closed = [chip for chip in chips if not os.access(chip, os.R_OK | os.W_OK)]
    if closed:
        return forbidden(", ".join(closed), "gpio")
    return f"{', '.join(chips)}: {error}"
