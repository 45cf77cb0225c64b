"""The Pi's own wires, as far as they can be followed on a machine that is none.

The real gpiozero and smbus2 run here. What needs a Pi is stood in for: lgpio, spidev and the kernel's GPIO lines.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import Device, DigitalInputDevice
from gpiozero.pins import local
from tests.support.catalogues import has_phrase, phrase

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.drivers.buzzer import Buzzer, Sound
from cribd.drivers.keys import KeyDecoder, Keys
from cribd.drivers.oled import OledDriver
from cribd.inputs import Fault, FaultCleared, FaultKind, Input, Key, KeyPressed
from cribd.wires import pi
from cribd.wires.line_events import Pull
from cribd.wires.pi import PiWires

BOARD = load("continuous")


class LgpioError(Exception):
    """lgpio's errors are of no other kind."""


class FakeLgpio(ModuleType):
    """lgpio, as far as gpiozero asks for it, on a chip of 28 lines."""

    error = LgpioError
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.scratch = os.environ.get("LG_WD")  # the real one looks when it is imported, too
        self.opened: list[int] = []
        self.busy: set[int] = set()
        self.flags: dict[int, int] = {}
        self.forbidden = False
        self.refuses: set[str] = set()
        self.lines: dict[int, FakeLine] = {}
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name == "error" or name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("_"):
            return lambda *_: 0

        def ask(*arguments: Any) -> Any:
            self.asked.add(name)
            if name in self.refuses:
                raise LgpioError(f"'{name} refused'")
            return getattr(self, f"_{name}")(*arguments)

        return ask

    def _gpiochip_open(self, chip: int) -> int:
        if self.forbidden:
            raise LgpioError("'can not open gpiochip'")
        self.opened.append(chip)
        return 5

    def _gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> None:
        if gpio in self.busy:
            raise LgpioError("'GPIO busy'")
        self.flags[gpio] = flags

    def _gpio_claim_output(self, handle: int, gpio: int) -> None:
        self.flags[gpio] = 2

    def _gpio_read(self, handle: int, gpio: int) -> int:
        return 1

    def _gpio_get_mode(self, handle: int, gpio: int) -> int:
        return self.flags.get(gpio, 0)

    def line(self, chip: str, gpio: int, pull: Pull) -> "FakeLine":
        """A line whose edges the kernel reports."""
        assert chip == "/dev/gpiochip0"
        self.asked.add("line_events")
        if "line_events" in self.refuses or gpio in self.busy:
            raise OSError(16, "Device or resource busy")
        assert gpio not in self.flags, "lgpio has it"
        line = self.lines[gpio] = FakeLine(pull, self)
        return line

    def _gpio_free(self, handle: int, gpio: int) -> None:
        self.flags.pop(gpio, None)


class FakeLine:
    """A line of the kernel: a pipe, into which `change` writes the levels after its edges."""

    def __init__(self, pull: Pull, lgpio: FakeLgpio) -> None:
        self.pull = pull
        self._lgpio = lgpio
        self._out, self._in = os.pipe()

    def fileno(self) -> int:
        return self._out

    def level(self) -> int:
        self._lgpio.asked.add("level")
        if "level" in self._lgpio.refuses:
            raise OSError(19, "No such device")
        return 1

    def change(self, *levels: int) -> None:
        os.write(self._in, bytes(levels))

    def read(self) -> list[tuple[float, int]]:
        return [(0.0, level) for level in os.read(self._out, 100)]

    def close(self) -> None:
        os.close(self._out)
        os.close(self._in)


class FakeSpiDev:
    """spidev with its trap: it writes the answer into the list that it was given."""

    made: list["FakeSpiDev"]

    def __init__(self) -> None:
        self.mode = self.max_speed_hz = -1
        self.closed = False
        self.made.append(self)

    def open(self, port: int, device: int) -> None:
        self.where = port, device

    def xfer2(self, values: Any) -> list[int]:
        answer = values if isinstance(values, list) else list(values)
        answer[:] = [0xA7] * len(answer)
        return answer

    def close(self) -> None:
        self.closed = True


def whole(code: str, **values: object) -> str:
    """The pattern of an error whose whole text is this phrase."""
    return f"^{re.escape(phrase(code, **values))}$"


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeLgpio]:
    """A Pi 3 with lgpio and spidev installed."""
    monkeypatch.setenv("LG_WD", str(tmp_path))
    fake = FakeLgpio()
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    sys.modules.pop("gpiozero.pins.lgpio", None)
    monkeypatch.setattr(local, "get_pi_revision", lambda: 0xA02082)
    FakeSpiDev.made = []
    monkeypatch.setitem(sys.modules, "spidev", ModuleType("spidev"))
    monkeypatch.setattr(local, "SpiDev", FakeSpiDev)
    monkeypatch.setattr(pi, "LineEvents", fake.line)
    yield fake
    sys.modules.pop("gpiozero.pins.lgpio", None)


@pytest.fixture
def wires(lgpio: FakeLgpio) -> Iterator[PiWires]:
    wires = PiWires({"scanner": "/dev/serial0"})
    yield wires
    wires.close()


def test_no_device_is_opened_before_it_is_used(wires: PiWires, lgpio: FakeLgpio) -> None:
    assert lgpio.opened == []
    assert FakeSpiDev.made == []


def test_pins_come_from_lgpio_and_the_global_factory_is_left_alone(wires: PiWires, lgpio: FakeLgpio) -> None:
    with DigitalInputDevice(17, pull_up=True, pin_factory=wires.pin_factory) as key:
        assert not key.is_active
        assert lgpio.flags[17] & lgpio.SET_PULL_UP
    assert wires.pin_factory is wires.pin_factory
    assert lgpio.opened == [0]
    assert Device.pin_factory is None


async def test_the_edges_of_a_key_come_from_the_kernel_to_the_loop(wires: PiWires, lgpio: FakeLgpio) -> None:
    clock, inputs = ManualClock(), list[Input]()
    keys = Keys(BOARD, wires, clock=clock, report=inputs.extend, decoder=KeyDecoder(debounce_ms=10))
    keys.open()
    pin = next(pin for pin in BOARD.keys if pin.key is Key.UNDO)
    line = lgpio.lines[pin.gpio]
    assert line.pull is Pull.UP
    line.change(0)
    await asyncio.sleep(0.01)
    await clock.advance(0.1)
    assert inputs == [KeyPressed(Key.UNDO, None)]
    keys.close()
    assert pin.gpio in lgpio.flags, "the pin is as it was before"


def test_spi_goes_through_spidev_at_the_rate_and_mode_of_each_device(wires: PiWires) -> None:
    strip = wires.spi(0, hz=8_000_000, mode=0)
    chain = wires.spi(1, hz=1_000_000, mode=2)
    assert [(dev.where, dev.max_speed_hz, dev.mode) for dev in FakeSpiDev.made] == [
        ((0, 0), 8_000_000, 0),
        ((0, 1), 1_000_000, 2),
    ]
    nothing = bytes(3)
    assert chain.transfer(nothing) == [0xA7] * 3
    assert nothing == bytes(3)
    strip.close()
    chain.close()
    assert all(dev.closed for dev in FakeSpiDev.made)
    wires.spi(0, hz=8_000_000, mode=0).close()


def test_an_spi_that_is_taken_is_an_oserror(wires: PiWires) -> None:
    first = wires.spi(0, hz=8_000_000, mode=0)
    with pytest.raises(OSError, match=r"SPI0 CE0: .*in use"):
        wires.spi(0, hz=8_000_000, mode=0)
    first.close()


def test_an_spi_that_is_switched_off_can_be_asked_for_again_and_again(
    wires: PiWires, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(self: FakeSpiDev, port: int, device: int) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    off_by_setting = whole("problem.wires.no_node", node="/dev/spidev0.1", errno=2, setting="dtparam=spi=on")
    with monkeypatch.context() as off:
        off.setattr(FakeSpiDev, "open", missing)
        for _ in range(3):
            with pytest.raises(OSError, match=off_by_setting):
                wires.spi(1, hz=1_000_000, mode=2)
    wires.spi(1, hz=1_000_000, mode=2).close()


def test_an_spi_that_does_not_take_its_mode_can_be_asked_for_again_and_again(
    wires: PiWires, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Any, value: int) -> None:
        raise OSError(22, "Invalid argument")

    with monkeypatch.context() as off:
        off.setattr(local.LocalPiHardwareSPI, "_set_clock_mode", refuse)
        for _ in range(3):
            with pytest.raises(OSError, match="Invalid argument"):
                wires.spi(1, hz=1_000_000, mode=2)
    wires.spi(1, hz=1_000_000, mode=2).close()


def test_a_bus_that_may_not_be_opened_names_its_group(wires: PiWires, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FakeSpiDev, "open", forbidden)
    with pytest.raises(
        OSError,
        match=whole("problem.wires.forbidden", node="/dev/spidev0.1", errno=13, group="spi"),
    ):
        wires.spi(1, hz=1_000_000, mode=2)
    monkeypatch.setattr("smbus2.SMBus", forbidden)
    with pytest.raises(OSError, match=whole("problem.wires.forbidden", node="/dev/i2c-1", errno=13, group="i2c")):
        wires.i2c(1)


def test_without_spidev_the_package_is_named(wires: PiWires, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(OSError, match=whole("problem.wires.no_package", name="spidev")):
        wires.spi(0, hz=8_000_000, mode=0)


def test_a_pin_that_another_program_holds_is_an_oserror(wires: PiWires, lgpio: FakeLgpio) -> None:
    lgpio.busy.add(17)
    with pytest.raises(OSError, match=whole("problem.wires.pin_busy", pin="GPIO 17", why="'GPIO busy'")):
        DigitalInputDevice(17, pull_up=True, pin_factory=wires.pin_factory)


async def test_a_buzzer_sounds_once_another_program_has_freed_its_pin(lgpio: FakeLgpio, wires: PiWires) -> None:
    """The fault stays in a list meanwhile: it must not keep the device that could not be opened."""
    clock, inputs = ManualClock(), list[Input]()
    lgpio.busy.add(12)
    buzzer = Buzzer(12, wires, clock=clock, report=inputs.extend)
    buzzer.play(Sound.TICK)
    await clock.advance(0.1)
    assert [given_input.kind for given_input in inputs if isinstance(given_input, Fault)] == [FaultKind.BUZZER_AWAY]
    lgpio.busy.clear()
    buzzer.play(Sound.TICK)
    await clock.advance(0.1)
    assert inputs[1:] == [FaultCleared(FaultKind.BUZZER_AWAY, "buzzer")]
    buzzer.close()


@pytest.mark.parametrize(
    ("chips", "readable", "code"),
    [
        ([], True, "problem.wires.no_chip"),
        (["gpiochip0"], False, "problem.wires.forbidden"),
        (["gpiochip0", "gpiochip4"], False, "problem.wires.forbidden"),
        (["gpiochip0"], True, ""),
    ],
    ids=["missing", "forbidden", "two-forbidden", "neither"],
)
def test_the_error_of_a_gpio_chip_says_whether_it_is_missing_or_forbidden(
    wires: PiWires,
    lgpio: FakeLgpio,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    chips: list[str],
    readable: bool,
    code: str,
) -> None:
    for chip in chips:
        (tmp_path / chip).touch()
    monkeypatch.setattr(pi, "_DEV", tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: readable)  # root, who runs this in CI, may open everything
    lgpio.forbidden = True
    paths = ", ".join(str(tmp_path / chip) for chip in chips)
    advice = {
        "": f"{paths}: 'can not open gpiochip'",
        "problem.wires.no_chip": phrase("problem.wires.no_chip"),
        "problem.wires.forbidden": phrase("problem.wires.forbidden", node=paths, errno=13, group="gpio"),
    }[code]
    with pytest.raises(OSError, match=f"^{re.escape(advice)}$"):
        wires.pin_factory  # noqa: B018


# What lgpio refuses later: its own kind of error is neither an OSError nor one of gpiozero's

CALLS = [
    "line_events",
    "gpio_claim_input",
    "gpio_claim_output",
    "gpio_free",
    "gpio_get_mode",
    "level",
    "gpio_write",
    "tx_pwm",
    "gpiochip_close",
    "gpiochip_open",
]


async def use(wires: PiWires, clock: ManualClock, inputs: list[Input]) -> None:
    """All that the drivers do with pins, from the opening to the end. Keys say that they are away by an OSError."""
    keys = Keys(BOARD, wires, clock=clock, report=inputs.extend, decoder=KeyDecoder(debounce_ms=10))
    buzzer = Buzzer(12, wires, clock=clock, report=inputs.extend)
    screen = OledDriver(replace(BOARD.oled, reset_gpio=4), wires, clock=clock, report=inputs.extend)
    snapshot = asyncio.create_task(screen.run())
    try:
        keys.open()
    except OSError:
        inputs.append(Fault(FaultKind.KEYS_AWAY, "keys"))
    for _ in range(2):
        buzzer.play(Sound.SCORE)
        await clock.advance(0.04)
    await clock.advance(3)
    assert not snapshot.done()
    snapshot.cancel()
    keys.close()
    buzzer.close()
    wires.close()


@pytest.mark.parametrize("call", CALLS)
async def test_every_error_of_lgpio_is_a_fault(
    lgpio: FakeLgpio, wires: PiWires, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    inputs: list[Input] = []
    lgpio.refuses = {call}
    await use(wires, ManualClock(), inputs)
    assert call in lgpio.asked
    away = {given_input.kind for given_input in inputs if isinstance(given_input, Fault)}
    assert away >= {
        "line_events": {FaultKind.KEYS_AWAY},
        "level": {FaultKind.KEYS_AWAY},
        "tx_pwm": {FaultKind.BUZZER_AWAY},
        "gpio_claim_output": {FaultKind.BUZZER_AWAY, FaultKind.SCREEN_AWAY},
        "gpiochip_open": {FaultKind.KEYS_AWAY, FaultKind.BUZZER_AWAY, FaultKind.SCREEN_AWAY},
    }.get(call, set())


@pytest.mark.parametrize("call", CALLS)
async def test_a_pin_that_lgpio_refuses_is_a_fault_until_it_works(lgpio: FakeLgpio, wires: PiWires, call: str) -> None:
    clock, inputs = ManualClock(), list[Input]()
    keys = Keys(BOARD, wires, clock=clock, report=inputs.extend, decoder=KeyDecoder(debounce_ms=10))
    keys.open()
    buzzer = Buzzer(12, wires, clock=clock, report=inputs.extend)
    buzzer.play(Sound.WIN)
    await clock.advance(0.05)
    lgpio.refuses = {call}
    for sound in (Sound.TICK, Sound.WIN):
        buzzer.play(sound)
        await clock.advance(0.3)
    assert inputs == [Fault(FaultKind.BUZZER_AWAY, "buzzer")] * (call in ("tx_pwm", "gpio_write", "gpio_get_mode"))
    lgpio.refuses = set()
    facts_before = len(inputs)
    buzzer.play(Sound.TICK)
    await clock.advance(0.3)
    assert inputs[facts_before:] == [FaultCleared(FaultKind.BUZZER_AWAY, "buzzer")] * facts_before
    lgpio.refuses = {call}
    keys.close()
    buzzer.close()


def test_lgpio_gets_a_writable_folder_before_it_is_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lgpio", None)  # importing it fails, and it is too late to say where
    with pytest.raises(OSError, match=whole("problem.wires.no_package", name="lgpio")):
        PiWires({}).pin_factory  # noqa: B018
    assert os.environ["LG_WD"] == str(tmp_path)


def test_a_desktop_gets_an_error_that_names_the_twin(lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    with pytest.raises(OSError) as wrong:  # noqa: PT011
        PiWires({}).pin_factory  # noqa: B018
    assert has_phrase(str(wrong.value), "problem.wires.no_pi")


def test_an_i2c_that_is_switched_off_names_the_setting() -> None:
    missing = whole("problem.wires.no_node", node="/dev/i2c-99", errno=2, setting="dtparam=i2c_arm=on")
    with pytest.raises(OSError, match=missing):
        PiWires({}).i2c(99)


def test_a_reader_is_found_by_its_name(wires: PiWires) -> None:
    assert wires.serial("scanner") == "/dev/serial0"
    with pytest.raises(OSError, match=whole("problem.wires.no_port", name="pad")):
        wires.serial("pad")


def test_closing_twice_is_allowed(wires: PiWires) -> None:
    assert wires.pin_factory
    wires.close()
    wires.close()
