"""The OLED shows pictures, and is found again after it was unplugged."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from math import inf
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import i2c
from luma.oled import device
from PIL import Image, ImageDraw
from tests.support.catalogues import phrase
from tests.support.no_wires import NoWires

from cribd.boards import OLED_CHIPS, OLED_SIZE, load
from cribd.clock import Clock, ManualClock, SystemClock
from cribd.drivers.oled import OledDriver
from cribd.inputs import Fault, FaultCleared, FaultKind, Input

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

OLED = load("classic").oled
NACK = OSError(121, "Remote I/O error")
AWAY, BACK = Fault(FaultKind.SCREEN_AWAY, "oled 0x3c"), FaultCleared(FaultKind.SCREEN_AWAY, "oled 0x3c")


def picture(text: str) -> Image.Image:
    image = Image.new("1", (OLED.width, OLED.height))
    ImageDraw.Draw(image).text((3, 5), text, fill=1)
    return image


class Bench(NoWires):
    """An I²C bus at 400 kHz with one listener, who writes down what the panel's RAM must hold by the data sheet."""

    def __init__(self, clock: Clock, oled: Any = OLED, *, answers: bool = True) -> None:
        self.clock = clock
        self.answers = answers
        self.writes: list[tuple[int, bytes]] = []
        self.threads: set[int] = set()
        self.ram = bytearray()
        self.inputs: list[Input] = []
        self.pin_factory = MockFactory()
        self.at_each_write: Callable[[], None] = lambda: None
        self.display_on = False
        self.status: Callable[[], int] = lambda: 0x00 if self.display_on else 0x40  # table 9-2
        self.screen = OledDriver(oled, self, clock=clock, report=self.inputs.extend)

    def write_i2c_block_data(self, address: int, control: int, data: list[int]) -> None:
        self.at_each_write()
        self.threads.add(threading.get_ident())
        if not self.answers or address != OLED.address:
            raise NACK
        self.writes.append((control, bytes(data)))
        self.clock.wait(9 * (2 + len(data)) / 400_000)
        if control == 0x40:
            self.ram = (self.ram + bytes(data))[-1024:]
        elif data[0] in {0xAE, 0xAF}:
            self.display_on = data[0] == 0xAF

    def read_byte(self, address: int) -> int:
        if not self.answers or address != OLED.address:
            raise NACK
        return self.status()

    def lose_power(self) -> None:
        """For a moment: the registers are reset, and the RAM holds anything."""
        self.display_on, self.ram = False, bytearray(b"\xa5" * 1024)

    @property
    def commands(self) -> list[bytes]:
        return [data for control, data in self.writes if control == 0x00]

    @property
    def starts(self) -> int:
        """How often the panel was initialised: the charge pump is switched on by that alone."""
        return sum(b"\x8d\x14" in command for command in self.commands)

    def shows(self, image: Image.Image) -> bool:
        """By the SSD1306 sheet, 8.7: 8 pages of 128 columns, the top row of a page in the lowest bit."""
        dots = image.load()
        assert dots is not None
        return self.ram == bytes(
            sum(1 << row for row in range(8) if dots[column, 8 * page + row])
            for page in range(8)
            for column in range(128)
        )

    def i2c(self, port: int) -> Any:
        assert port == OLED.i2c_port
        if self.bus_error is not None:
            raise self.bus_error
        return self

    bus_error: OSError | None = None


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.fixture
async def bench(clock: ManualClock) -> AsyncIterator[Bench]:
    """A panel at work."""
    bench = Bench(clock)
    task = asyncio.create_task(bench.screen.run())
    await clock.advance(0.06)
    yield bench
    await ended(task)


async def test_the_oled_is_initialised_once_and_shows_each_picture(bench: Bench, clock: ManualClock) -> None:
    for text in ("one", "two", "three"):
        bench.screen.show(picture(text))
        await clock.advance(0.05)
        assert bench.shows(picture(text))
    assert bench.starts == 1
    assert bench.inputs == []


async def test_a_picture_may_be_drawn_on_after_it_was_given(bench: Bench, clock: ManualClock) -> None:
    image = picture("first")
    bench.screen.show(image)
    ImageDraw.Draw(image).rectangle((0, 0, 50, 50), fill=1)
    await clock.advance(0.05)
    assert bench.shows(picture("first"))
    bench.screen.show(image)
    await clock.advance(0.05)
    assert bench.shows(image)


async def test_only_the_newest_of_several_pictures_is_shown(bench: Bench, clock: ManualClock) -> None:
    bench.writes.clear()
    for number in range(10):
        bench.screen.show(picture(str(number)))
    await clock.advance(0.2)
    assert bench.shows(picture("9"))
    assert sum(len(data) for control, data in bench.writes if control == 0x40) == 1024


async def test_a_picture_waits_for_the_one_that_is_on_its_way_and_no_longer(bench: Bench, clock: ManualClock) -> None:
    bench.screen.show(picture("one"))
    await clock.advance(0.005)
    bench.screen.show(picture("two"))
    bench.screen.show(picture("three"))
    await clock.advance(0.050)
    assert bench.shows(picture("three"))


async def test_the_same_picture_again_costs_the_bus_next_to_nothing(bench: Bench, clock: ManualClock) -> None:
    bench.screen.show(picture("same"))
    await clock.advance(0.05)
    bench.writes.clear()
    for _ in range(5):
        bench.screen.show(picture("same"))
        await clock.advance(0.1)
    assert bench.writes == []


async def test_a_panel_that_is_not_there_is_a_fault_once_and_is_found_later(clock: ManualClock) -> None:
    bench = Bench(clock, answers=False)
    task = asyncio.create_task(bench.screen.run())
    bench.screen.show(picture("hello"))
    await clock.advance(5)
    assert bench.inputs == [AWAY]
    bench.answers = True
    await clock.advance(1.1)
    assert bench.inputs == [AWAY, BACK]
    assert bench.shows(picture("hello"))
    await ended(task)


async def test_a_bus_that_is_not_there_is_a_fault_too_with_the_cause_that_the_wires_give(clock: ManualClock) -> None:
    bench = Bench(clock)
    bench.bus_error = OSError("I²C is off")
    bench.bus_error.__context__ = FileNotFoundError(2, "No such file", "/dev/i2c-1")
    task = asyncio.create_task(bench.screen.run())
    await clock.advance(3)
    assert bench.inputs == [AWAY]
    assert [fault.cause for fault in bench.inputs if isinstance(fault, Fault)] == ["I²C is off"]
    bench.bus_error = None
    await clock.advance(1.1)
    assert bench.inputs == [AWAY, BACK]
    await ended(task)


async def test_a_panel_that_vanishes_is_missed_though_nothing_is_drawn(bench: Bench, clock: ManualClock) -> None:
    bench.answers = False
    await clock.advance(1.1)
    assert bench.inputs == [AWAY]


async def test_a_panel_that_vanishes_in_the_middle_is_initialised_anew(bench: Bench, clock: ManualClock) -> None:
    writes_left = iter(range(20))

    def pull_out_in_the_middle() -> None:
        if next(writes_left, None) is None:
            bench.answers = False

    bench.at_each_write = pull_out_in_the_middle
    bench.screen.show(picture("one"))
    await clock.advance(0.1)
    assert bench.inputs == [AWAY]
    bench.screen.show(picture("two"))
    await clock.advance(3)
    bench.at_each_write, bench.answers, bench.ram = lambda: None, True, bytearray()
    await clock.advance(1.1)
    assert bench.inputs == [AWAY, BACK]
    assert bench.starts == 2
    assert bench.shows(picture("two"))


async def test_a_panel_that_lost_its_power_for_a_moment_is_initialised_anew_and_said(
    bench: Bench, clock: ManualClock
) -> None:
    bench.screen.show(picture("still here"))
    await clock.advance(0.1)
    bench.lose_power()
    await clock.advance(1.1)
    assert bench.starts == 2
    assert bench.display_on
    assert bench.shows(picture("still here"))
    assert bench.inputs == [AWAY, BACK]
    assert bench.inputs[0].cause == phrase("problem.oled.power")  # type: ignore[union-attr]


async def test_showing_a_picture_detects_lost_power_at_once(bench: Bench, clock: ManualClock) -> None:
    bench.lose_power()
    bench.screen.show(picture("hello"))
    await clock.advance(0.1)
    assert bench.display_on
    assert bench.shows(picture("hello"))


def no_answer() -> int:
    raise NACK


@pytest.mark.parametrize("status", [no_answer, lambda: 0x40])
async def test_a_module_whose_status_cannot_be_believed_is_initialised_at_intervals(
    clock: ManualClock, status: Callable[[], int]
) -> None:
    bench = Bench(clock)
    bench.status = status
    task = asyncio.create_task(bench.screen.run())
    bench.screen.show(picture("still here"))
    await clock.advance(0.5)
    bench.lose_power()
    starts = bench.starts
    await clock.advance(1.1)
    assert bench.starts > starts
    assert bench.display_on
    assert bench.shows(picture("still here"))
    assert bench.inputs == []
    bench.writes.clear()
    bench.at_each_write = lambda: dark.append(clock.now()) if not bench.display_on else None
    dark: list[float] = []
    await clock.advance(1)
    assert dark[-1] - dark[0] < 0.005, "nobody sees it"
    await ended(task)


@pytest.mark.parametrize("status", [no_answer, lambda: 0x40])
async def test_a_module_that_is_initialised_again_has_shown_its_first_picture_all_the_same(
    clock: ManualClock, status: Callable[[], int]
) -> None:
    bench = Bench(clock)
    bench.status = status
    task = asyncio.create_task(bench.screen.run())
    await clock.advance(0.5)
    assert bench.screen.first_shown_at == inf
    bench.screen.show(picture("hello"))
    await clock.advance(0.1)
    first = bench.screen.first_shown_at
    assert first <= clock.now()
    bench.at_each_write = lambda: seen.append(bench.screen.first_shown_at)
    seen: list[float] = []
    await clock.advance(3)
    assert {*seen} == {first}
    await ended(task)


@pytest.mark.parametrize("status", [no_answer, lambda: 0x40])
async def test_a_module_whose_status_cannot_be_believed_is_still_missed(
    clock: ManualClock, status: Callable[[], int]
) -> None:
    bench = Bench(clock)
    bench.status = status
    task = asyncio.create_task(bench.screen.run())
    bench.screen.show(picture("hello"))
    await clock.advance(10)
    assert bench.inputs == []
    assert bench.shows(picture("hello"))
    bench.answers = False
    await clock.advance(1.1)
    assert bench.inputs == [AWAY]
    bench.answers = True
    await clock.advance(1.1)
    assert bench.inputs == [AWAY, BACK]
    await ended(task)


async def test_a_missing_panel_registers_no_exit_hooks_while_it_is_tried(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered: list[Any] = []
    for hooks in ("atexit", "luma.core.device.atexit"):
        monkeypatch.setattr(f"{hooks}.register", registered.append)
    bench = Bench(clock, answers=False)
    task = asyncio.create_task(bench.screen.run())
    await clock.advance(3600)
    assert registered == []
    bench.answers = True
    await clock.advance(2)
    assert len(registered) == 1
    await ended(task)


async def test_the_oled_keeps_its_picture_at_the_end_unless_darkened(clock: ManualClock) -> None:
    bench = Bench(clock)
    task = asyncio.create_task(bench.screen.run())
    bench.screen.show(picture("good night"))
    await clock.advance(0.1)
    await ended(task)
    assert bench.screen._device.persist
    assert bench.commands[-1] != b"\xae"
    darkening = asyncio.create_task(bench.screen.darken())
    await clock.advance(0.1)
    await darkening
    assert bench.commands[-1] == b"\xae"


async def test_darkening_a_missing_panel_sends_nothing(clock: ManualClock) -> None:
    bench = Bench(clock, answers=False)
    await bench.screen.darken()
    assert bench.writes == []


async def test_a_reset_pin_is_pulsed_before_each_initialisation_and_stays_high(clock: ManualClock) -> None:
    bench = Bench(clock, replace(OLED, reset_gpio=4))
    pin, levels = bench.pin_factory.pin(4), list[bool]()
    bench.at_each_write = lambda: levels.append(pin.state)
    task = asyncio.create_task(bench.screen.run())
    await clock.advance(0.2)
    assert [state.state for state in pin.states][-2:] == [False, True]
    assert all(levels)
    await ended(task)
    assert pin.state


@pytest.mark.parametrize("chip", OLED_CHIPS)
async def test_every_chip_that_is_allowed_can_be_opened_on_i2c(clock: ManualClock, chip: str) -> None:
    bench = Bench(clock, replace(OLED, chip=chip))
    task = asyncio.create_task(bench.screen.run())
    bench.screen.show(Image.new("1", OLED_SIZE, 1))
    await clock.advance(1)
    assert bench.inputs == []
    assert b"\xff" in bench.ram
    await ended(task)


@pytest.mark.parametrize("chip", OLED_CHIPS)
async def test_each_chip_is_sent_what_luma_itself_would_send(clock: ManualClock, chip: str) -> None:
    bench = Bench(clock, replace(OLED, chip=chip))
    task = asyncio.create_task(bench.screen.run())
    await clock.advance(0.5)
    bench.writes.clear()
    bench.screen.show(picture("Réjean leads"))
    await clock.advance(0.2)
    await ended(task)
    sent = [write for write in bench.writes if write != (0x00, b"\xaf")]  # which asks whether the panel answers
    luma = getattr(device, chip)(i2c(bus=bench, address=OLED.address), width=OLED.width, height=OLED.height)
    bench.writes.clear()
    luma.display(picture("Réjean leads"))
    luma.persist = True
    assert bench.writes == sent


async def test_a_picture_that_does_not_fit_is_refused(bench: Bench) -> None:
    with pytest.raises(ValueError, match="a picture of 4096 dots: the panel has 128 × 64"):
        bench.screen.show(Image.new("1", (128, 32)))


async def test_with_the_real_clock_another_thread_does_the_work() -> None:
    bench = Bench(SystemClock())
    task = asyncio.create_task(bench.screen.run())
    bench.screen.show(picture("hello"))
    for _ in range(5000):
        if len(bench.ram) == 1024 and bench.shows(picture("hello")):
            break
        await asyncio.sleep(0.001)
    await ended(task)
    assert bench.shows(picture("hello"))
    assert threading.get_ident() not in bench.threads
