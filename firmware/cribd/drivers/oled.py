"""The driver of the OLED, with luma.oled on I²C.

`cribd.display` draws the pictures. A panel that loses its power loses its registers and its RAM (SSD1306
sheet, 8.5), so one that comes back is initialised again. Nothing here may hold the loop: a picture takes 25 ms on a bus
of 400 kHz.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from errno import EBUSY
from functools import cache, partial
from math import inf
from typing import TYPE_CHECKING, Any

from cribd.boards import Oled
from cribd.causes import Message, cause
from cribd.clock import Clock, SystemClock
from cribd.drivers import pin_errors
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.wires import Wires

if TYPE_CHECKING:
    from PIL.Image import Image

DISPLAY_OFF = 0xAE  # every start sequence begins with it; here it also asks whether the panel answers
DISPLAY_ON = 0xAF
STATUS_OFF = 0x40  # D6 of the status byte, table 9-2
_DIM = 0x01  # contrast, of 256 steps (SSD1306, 10.1.7)
_BRIGHT_SSD, _BRIGHT_OTHER = 0xCF, 0x7F  # the contrast that luma begins with
_RESET_S = 0.001  # the sheet asks for 3 µs at least


@dataclass(eq=False)
class OledDriver:
    """Shows the newest picture on the OLED.

    Wiring: SDA and SCL of I²C 1 (GPIO 2 and 3), address 0x3C or 0x3D, 3.3 V, and the reset pin if the module has one.

    A panel that does not answer is `Fault(SCREEN_AWAY)`, once, until it shows the newest picture again
    (`FaultCleared`). One that lost its power for a moment is both at once. It is asked every `alive_s` seconds whether
    it is there, and still on. One that does not tell whether it is on is sent its registers and its picture again
    instead, without a gap that an eye could see. `report` is called on the loop.
    """

    oled: Oled
    wires: Wires
    _: KW_ONLY
    clock: Clock
    report: Callable[[list[Input]], None]
    alive_s: float = 1.0

    def __post_init__(self) -> None:
        self._where = f"oled 0x{self.oled.address:02x}"
        self._due = asyncio.Event()
        self._image: Image | None = None
        self._dim = False
        self._shown: Image | None = None  # what the panel shows; None if that is unknown
        self._bus: Any = None
        self._interface: Any = None
        self._device: Any = None
        self._reset_pin: Any = None
        self._shown_dim = False
        self._awake = False
        self._status_holds = False  # whether the status byte can be read and believed: with some modules it cannot
        self._lost_power = False  # and has it again, which is not reported yet
        self._away = False
        #: When the first picture was shown, or the panel did not answer; infinite before.
        self.first_shown_at = inf
        self._start: list[tuple[int, ...]] = []  # the commands of the last initialisation

    def show(self, image: Image, *, dim: bool = False) -> None:
        """Show this picture as soon as possible.

        Call it on the loop. A waiting picture is dropped. `dim` lowers the contrast. ValueError for a wrong size."""
        width, height = self.oled.width, self.oled.height
        if (dots := image.width * image.height) != width * height:
            raise ValueError(f"a picture of {dots} dots: the panel has {width} × {height}")
        self._image, self._dim = image.convert("1"), dim
        self._due.set()

    async def run(self) -> None:
        """Operate the panel until cancelled, and leave the last picture."""
        beat = asyncio.create_task(self._beat(), name=f"{self._where} alive")
        try:
            while True:
                self._due.clear()
                await self._work(partial(self._display_if_new, self._image, self._dim))
                await self._due.wait()
        finally:
            beat.cancel()

    async def finish(self) -> None:
        """Show the newest picture, after `run` has ended."""
        await self._work(partial(self._display_if_new, self._image, self._dim))

    async def darken(self) -> None:
        """Switch the panel off, after `run` has ended."""
        if self._awake:
            await self._work(self._device.hide)

    async def _beat(self) -> None:
        while True:
            await self.clock.sleep(self.alive_s)
            self._due.set()

    async def _work(self, work: Callable[[], None]) -> None:
        from luma.core.error import DeviceNotFoundError, DevicePermissionError

        try:
            await self.clock.run_in_thread(work)
        except (*pin_errors(), DeviceNotFoundError, DevicePermissionError) as error:
            self._awake = False
            if not self._away:
                self._away = True
                hidden = None if isinstance(error, OSError) else error.__context__  # behind an error of luma's
                origin = hidden if isinstance(hidden, OSError) else error
                self.report([Fault(FaultKind.SCREEN_AWAY, self._where, self._why(origin))])
        else:
            if self._lost_power and not self._away:
                lost = Message("oled.power", "it lost its power for a moment")
                self.report([Fault(FaultKind.SCREEN_AWAY, self._where, lost)])
            if self._lost_power or self._away:
                self._lost_power = self._away = False
                self.report([FaultCleared(FaultKind.SCREEN_AWAY, self._where)])
        if self._shown is not None or self._away:
            self.first_shown_at = min(self.first_shown_at, self.clock.now())

    def _why(self, error: Exception) -> str:
        if not isinstance(error, OSError) or error.errno != EBUSY:
            return cause(error)
        return Message(
            "oled.busy", "/dev/i2c-{port}: a driver of the kernel holds {address} (errno {errno})",
            port=self.oled.i2c_port, address=f"0x{self.oled.address:02X}", errno=EBUSY,
        )  # fmt: skip

    # In a thread

    def _display_if_new(self, image: Image | None, dim: bool) -> None:
        if not self._awake or self._has_lost_power():
            self._wake()
        if dim is not self._shown_dim:
            bright = _BRIGHT_SSD if self.oled.chip.startswith("ssd") else _BRIGHT_OTHER
            self._device.contrast(_DIM if dim else bright)
            self._shown_dim = dim
        if image is not None and image != self._shown:
            self._device.display(image)
            self._shown = image

    def _has_lost_power(self) -> bool:
        """Whether the panel reports that it has lost power.

        A panel that cannot report this gets its start commands again; the result is then False.
        Raises OSError or luma's error if the panel is silent."""
        if self._status_holds:
            self._lost_power = self._reads_off()
            return self._lost_power
        for command in self._start:
            self._interface.command(*command)
        self._shown = None
        return False

    def _reads_off(self) -> bool:
        return bool(self._bus.read_byte(self.oled.address) & STATUS_OFF)

    def _wake(self) -> None:
        """Initialise the panel from the beginning.

        One device object is used for ever: luma keeps each one until the program ends, so a panel that comes and goes
        would fill the memory. For the same reason nothing is made before the panel has answered.
        """
        from luma.core.interface.serial import i2c

        if self._device is None:
            self._bus = self.wires.i2c(self.oled.i2c_port)
            self._interface = i2c(bus=self._bus, address=self.oled.address)
            chip = _chip_class(self.oled.chip)
            self._device = chip.__new__(chip)
        self._reset()
        self._interface.command(DISPLAY_OFF)
        send, self._start = self._interface.command, []

        def note(*command: int) -> None:
            self._start.append(command)
            send(*command)

        self._interface.command = note
        try:
            self._device.__init__(self._interface, width=self.oled.width, height=self.oled.height, mode="1")
        finally:
            del self._interface.command
            self._device.persist = True  # or luma clears the panel when the program ends
        try:
            self._status_holds = not self._reads_off()
        except OSError:
            self._status_holds = False
        self._awake, self._shown, self._shown_dim = True, None, False

    def _reset(self) -> None:
        if self.oled.reset_gpio is None:
            return
        from gpiozero import DigitalOutputDevice

        if self._reset_pin is None:
            self._reset_pin = DigitalOutputDevice(self.oled.reset_gpio, pin_factory=self.wires.pin_factory)
        self._reset_pin.off()
        self.clock.wait(_RESET_S)
        self._reset_pin.on()
        self.clock.wait(_RESET_S)


class _Recorder:
    """Simulated wires that record every message to a panel."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def i2c(self, _port: int) -> _Recorder:
        return self

    def write_i2c_block_data(self, _address: int, control: int, data: list[int]) -> None:
        self.messages.append(bytes((control, *data)))

    def read_byte(self, _address: int) -> int:
        return 0


def messages_to_show(oled: Oled, image: Image) -> list[bytes]:
    """Return the messages that start a panel with this picture.

    The list is empty for a panel with a reset pin, because messages alone do not start it. This takes time: call it in
    a thread."""
    if oled.reset_gpio is not None:
        return []
    recorder: Any = _Recorder()
    driver = OledDriver(oled, recorder, clock=SystemClock(), report=lambda _: None)
    driver.show(image)
    driver._display_if_new(driver._image, False)
    return list(recorder.messages)


@cache
def _chip_class(name: str) -> Any:
    """Return luma's class for an OLED chip with this name.

    For chips like the SSD1306 Pillow packs the picture, because luma does it dot by dot, which takes fifteen times as
    long."""
    from luma.oled import device as chips
    from PIL.Image import Transpose

    chip: Any = getattr(chips, name)
    if not issubclass(chip, chips.ssd1306):
        return chip

    class Packing(chip):  # type: ignore[misc]
        def __init__(self, *wires: Any, **size: Any) -> None:
            super().__init__(*wires, **size)
            del self._mask, self._offsets  # what luma packs with takes 300 kB

        def display(self, image: Image) -> None:
            first, last = self._colstart, self._colend - 1
            self.command(self._const.COLUMNADDR, first, last, self._const.PAGEADDR, 0, self._pages - 1)
            columns = image.transpose(Transpose.TRANSPOSE).tobytes("raw", "1;R")  # a byte for the column of each page
            self.data(b"".join(columns[page :: self._pages] for page in range(self._pages)))

    return Packing
