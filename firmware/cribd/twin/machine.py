"""The simulated board, with all its chips.

A person's actions come in (a finger, a key, a card at a reader, a plug); what a person sees goes out, from the chips
alone. Any thread may call the methods here; under the faults `bounce` and `oled-resets` only the loop may.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, cast

from cribd.boards import Board, Chain
from cribd.causes import Message
from cribd.clock import Clock
from cribd.inputs import Key
from cribd.twin.disk import Disk, disk
from cribd.twin.faults import OF_A_HOLE, OF_THE_DISK, FaultName, TwinFault, inputs_of, missing_part, next_hole
from cribd.twin.i2c import I2cPort
from cribd.twin.parts import Buttons, LedState, Lights, OledView, Screen, led_states
from cribd.twin.readers import Readers
from cribd.twin.spi import SpiPort
from cribd.twin.tags import tag_of
from cribd.twin.uart import SerialLine
from cribd.twin.unset_clock import UnsetClock
from cribd.twin.wires import TwinWires
from cribd.wires import ReaderWire

if TYPE_CHECKING:
    from cribd.twin.gpio import TwinPin

#: How long a card is held before a reader of tags: until it has been read for certain.
_HELD_S = 0.25

_DAYS_A_YEAR = 365.25

#: How often the contact of a key changes while it bounces.
_BOUNCES = 6


class Pluggable(StrEnum):
    """The kinds of parts that can be unplugged."""

    SCREEN = "screen"
    READER = "reader"
    BUTTONS = "buttons"
    STRIP = "strip"


class Twin:
    """One simulated board.

        twin = Twin(board, clock, folder=Path("/run/cribd"))
        twin.wires                  # for the drivers
        twin.press(0, 29)           # a finger on hole 29 of side 0, until release
        twin.leds()[board.tracks[0].holes[28].led]
        twin.pin_leds()             # on a board with LEDs on pins

    `folder` is where the readers' serial wires appear; `readers` hang on them, one scanner by default. `rng` fills
    the screen's RAM at power-on. `late_mode`: SPI0 changes its mode as the Pi 5's may (`cribd.twin.spi`). Readers of
    tags work while `run` is awaited; it makes `faults` first, so that the journal is open by then. `version` rises with
    every change that a person could see or hear.
    """

    def __init__(
        self,
        board: Board,
        clock: Clock,
        *,
        folder: Path,
        rng: Random | None = None,
        readers: Sequence[ReaderWire] = (ReaderWire(),),
        late_mode: bool = False,
        faults: Sequence[TwinFault] = (),
    ) -> None:
        self.board = board
        self.readers = tuple(readers)
        self.version = 0
        self.pressed_at: float | None = None  # when a button or key was last pressed, by the clock
        self.scanned_at: float | None = None  # when the last bit of a reader's last bytes was on the wire
        self.clock = UnsetClock(clock)  # for the board, whose time of day it may get wrong
        self._clock = clock
        rng = rng or Random(1306)
        self.buttons = Buttons(board.chain)
        self.lights = Lights(board.strip, self._changed)
        self.screen = Screen(board.oled, self._changed, noise=rng.randbytes)
        port = SpiPort(
            clock,
            devices={
                part.spi_select: self.buttons if isinstance(part, Chain) else self.lights for part in board.on_spi
            },
            rest=self.buttons.rest if board.chain.chips else lambda count: [0] * count,
            late_mode=late_mode,
        )
        i2c = I2cPort(clock, hz=board.oled.i2c_hz, devices={board.oled.address: self.screen})
        self.wires = TwinWires(
            clock,
            spi_port=port,
            i2c_ports={board.oled.i2c_port: i2c},
            folder=folder,
            bauds={reader.name: reader.baud for reader in readers},
            on_pin=self._pin_changed,
        )
        self._set_alarm("0")
        self._readers = Readers(readers, clock, self.wires.line)
        self._keys = {(key.key, key.side): key.gpio for key in board.keys}
        pin = self.wires.pin_factory.pin
        self.buzzer: TwinPin = pin(f"GPIO{board.buzzer_gpio or 0}")  # without a buzzer a pin that stays as it is
        self._led_pins: tuple[TwinPin, ...] = tuple(pin(f"GPIO{led.gpio}") for led in board.leds)
        self._reset = f"GPIO{board.oled.reset_gpio}"
        self._guard = Lock()
        self._faults: dict[FaultName, TwinFault] = {}
        self._disk: Disk | None = None
        with suppress(OSError):
            self._disk = disk()
        self._from_start = tuple(faults)
        for fault in faults:
            self._must_be_possible(fault)
        self._bouncing: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[int], None]] = []

    # What a person does

    def press(self, track: int, hole: int) -> None:
        """Press the button of a hole.

        `track` is the side; `hole` is the number printed on the board, from 1 to the game hole's."""
        self._touch(track, hole, self.board.chain.pressed_level)

    def release(self, track: int, hole: int) -> None:
        """Release the button of a hole."""
        self._touch(track, hole, 1 - self.board.chain.pressed_level)

    def key_down(self, key: Key, side: int | None = None) -> None:
        """Press a key. `side` is None for UNDO and MENU."""
        self.pressed_at = self._clock.now()
        self._move_key(self._keys[key, side], down=True)

    def key_up(self, key: Key, side: int | None = None) -> None:
        """Release a key."""
        self._move_key(self._keys[key, side], down=False)

    def scan(self, data: bytes, reader: str = "reader") -> None:
        """Send bytes from a reader to the board.

        Blocks while the bytes are on the wire: on the loop, call it with `run_in_thread`."""
        self.scanned_at = self.wires.line(reader).send(data)

    def put_tags_in_field(self, reader: str, *uids: str) -> None:
        """Replace the tags in the field of a tag reader.

        ValueError if the reader reads no tags."""
        self.scanned_at = self._clock.now()
        self._readers.put_tags_in_field(reader, uids)

    def take_tags_from_field(self, reader: str) -> None:
        """Take all tags out of the field of a tag reader."""
        self._readers.put_tags_in_field(reader, ())

    async def present_cards(self, *cards: str, reader: str = "reader") -> None:
        """Hold a stack of the twin's cards before a reader.

        A reader of labels reads the label of the first card, which is on top: plain notation."""
        wire = self._readers.wires[reader]
        if not wire.kind.reads_tags:
            await self._clock.run_in_thread(lambda: self.scan(f"{cards[0]}\r".encode("ascii"), reader))
            return
        self.put_tags_in_field(reader, *(tag_of(card, wire.kind) for card in cards))
        await self._clock.sleep(_HELD_S)
        self.take_tags_from_field(reader)

    async def run(self) -> None:
        """Make the initial faults, and run the tag readers until cancelled."""
        for fault in self._from_start:
            self.make(fault)
        await self._readers.run()

    def unplug(self, part: str) -> None:
        """Unplug a part: "screen", "reader" (all readers), "buttons" or "strip".

        Raises ValueError for another name."""
        for plugged in self._parts(part):
            plugged.unplug()

    def plug(self, part: str) -> None:
        """Plug a part in again. The part has lost its state."""
        for plugged in self._parts(part):
            plugged.plug()

    def _parts(self, part: str) -> Sequence[Screen | Buttons | Lights | SerialLine]:
        match Pluggable(part):
            case Pluggable.SCREEN:
                return [self.screen]
            case Pluggable.BUTTONS:
                return [self.buttons]
            case Pluggable.STRIP:
                return [self.lights]
            case Pluggable.READER:
                return [self.wires.line(reader.name) for reader in self.readers]

    def make(self, fault: TwinFault) -> None:
        """Make this fault. Raises ValueError if its name is not in `can_make`.

        It replaces a fault with the same name."""
        self._must_be_possible(fault)
        self.mend(fault.name)
        if fault.name is not FaultName.STUCK and isinstance(fault.value, tuple):
            self.release(*fault.value)
        self._faults[fault.name] = fault
        match fault:
            case TwinFault(FaultName.STUCK, (side, hole)):
                self._touch(side, hole, self.board.chain.pressed_level)
            case TwinFault(FaultName.CHAIN_LOW, int(chip)):
                self.buttons.cut = chip, 0
            case TwinFault(FaultName.CHAIN_HIGH, int(chip)):
                self.buttons.cut = chip, 1
            case TwinFault(FaultName.STRIP_CUT, int(led)):
                self.lights.cut(led)
            case TwinFault(FaultName.HALF_FRAMES, int(percent)):
                self._set_line_noise(lambda data: data[: len(data) * percent // 100])
            case TwinFault(FaultName.CLOCK_JUMP, int(years)):
                self.clock.behind = timedelta(days=_DAYS_A_YEAR * years)
            case TwinFault(FaultName.UNDERVOLTAGE):
                self._set_alarm("1")
            case TwinFault(FaultName.READER_MOVES):
                for reader in self.readers:
                    self.wires.line(reader.name).move(self.wires.moved_path(reader.name))
            case TwinFault(FaultName.OLED_RESETS, int(seconds)):
                self._reset_oled(fault, seconds)
            case TwinFault(name) if name in OF_THE_DISK:
                self._set_disk()

    def mend(self, name: FaultName) -> None:
        """End the fault of this name, if there is one."""
        match self._faults.pop(name, None):
            case TwinFault(FaultName.STUCK, (side, hole)):
                self._touch(side, hole, 1 - self.board.chain.pressed_level)
            case TwinFault(name, (side, hole)) if name in OF_A_HOLE:
                for number in (hole, next_hole(self.board, side, hole)):  # what a finger holds down is let go
                    self._touch(side, number, 1 - self.board.chain.pressed_level)
            case TwinFault(FaultName.CHAIN_LOW | FaultName.CHAIN_HIGH):
                self.buttons.cut = None
            case TwinFault(FaultName.STRIP_CUT):
                self.lights.cut(None)
            case TwinFault(FaultName.HALF_FRAMES):
                self._set_line_noise(lambda data: data)
            case TwinFault(FaultName.CLOCK_JUMP):
                self.clock.behind = timedelta()
            case TwinFault(FaultName.UNDERVOLTAGE):
                self._set_alarm("0")
            case TwinFault(FaultName.READER_MOVES):
                for reader in self.readers:
                    self.wires.line(reader.name).move(Path(self.wires.serial(reader.name)))
            case TwinFault(name) if name in OF_THE_DISK:
                self._set_disk()

    @property
    def can_make(self) -> tuple[FaultName, ...]:
        """The faults that this twin can make.

        They are the faults of this board's parts, and of a disk that ctypes can reach."""
        possible = (name for name in FaultName if missing_part(name, self.board) is None)
        return tuple(name for name in possible if self._disk is not None or name not in OF_THE_DISK)

    @property
    def faults(self) -> frozenset[FaultName]:
        """The names of the present faults."""
        return frozenset(self._faults)

    def _must_be_possible(self, fault: TwinFault) -> None:
        if (missing := missing_part(fault.name, self.board)) is not None:
            raise ValueError(missing)
        if fault.name not in self.can_make:
            raise ValueError(
                Message(
                    "fault.no_disk", "{name}: it cannot be made, because this Python hides its SQLite", name=fault.name
                )
            )

    def _reset_oled(self, fault: TwinFault, seconds: int) -> None:
        """Reset the OLED every `seconds` seconds until this fault ends."""

        def again() -> bool:
            if self._faults.get(fault.name) is fault and self.screen.acknowledges():
                self.screen.unplug()
                self.screen.plug()
            if self._faults.get(fault.name) is fault:
                self._clock.call_later(seconds, again)
            return False

        again()

    def _set_alarm(self, level: str) -> None:
        alarm = self.wires.root / "sys/class/hwmon/hwmon0/in0_lcrit_alarm"
        alarm.parent.mkdir(parents=True, exist_ok=True)
        alarm.write_text(f"{level}\n")

    def _set_disk(self) -> None:
        if self._disk is not None:
            slow = self._faults.get(FaultName.SLOW_FSYNC)
            self._disk.fill(full=FaultName.DISK_FULL in self._faults)
            self._disk.forbid_writes(read_only=FaultName.READ_ONLY in self._faults)
            self._disk.slow_down(None if slow is None else (float(cast(int, slow.value)), self._clock))

    def _set_line_noise(self, noise: Callable[[bytes], bytes]) -> None:
        for reader in self.readers:
            self.wires.line(reader.name).noise = noise

    def close(self) -> None:
        """Close the wires, and end the faults of the disk.

        A second call does nothing. The disk outlives the twin."""
        for name in OF_THE_DISK:
            self.mend(name)
        self.wires.close()

    # What a person sees

    def leds(self) -> tuple[LedState, ...]:
        """Return the state of each LED, in the strip's order."""
        return led_states(self.lights.shown)

    def pin_leds(self) -> tuple[bool, ...]:
        """Return whether each LED of `board.leds` is lit."""
        return tuple(pin.function == "output" and bool(pin.state) for pin in self._led_pins)

    def oled(self) -> OledView:
        """Return the picture on the screen."""
        return self.screen.look()

    def buzzer_hz(self) -> float:
        """Return the frequency at the buzzer's pin in hertz; 0.0 for silence.

        The tone begins up to 20 ms later."""
        pin = self.buzzer
        return float(pin.frequency) if pin.function == "output" and pin.frequency and pin.state else 0.0

    def listen(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Call `callback(version)` after each change of the twin.

        Returns a function that stops the calls. The callback runs in the thread that made the change, so the callback
        must be quick and not raise."""
        with self._guard:
            self._listeners = [*self._listeners, callback]

        def end() -> None:
            with self._guard:
                self._listeners = [other for other in self._listeners if other is not callback]

        return end

    def _touch(self, track: int, hole: int, level: int) -> None:
        inputs = inputs_of(self.board, self._faults, track, hole)
        stuck, bounce = self._faults.get(FaultName.STUCK), self._faults.get(FaultName.BOUNCE)
        if stuck is not None and stuck.value == (track, hole):
            level = self.board.chain.pressed_level
        with self._guard:
            now = self._clock.now()
            if level == self.board.chain.pressed_level:
                self.pressed_at = now
            for place in inputs:
                if bounce is not None and isinstance(bounce.value, int):
                    self.buttons.bounce_until(place, level, now + bounce.value / 1000)
                else:
                    self.buttons.chain.set(place, level)

    def _move_key(self, gpio: int, *, down: bool) -> None:
        """Close or open a key's contact, which may bounce."""
        bounce = self._faults.get(FaultName.BOUNCE)
        if bounce is None or not isinstance(bounce.value, int):
            self._set_contact(gpio, closed=down)
            return
        task = asyncio.get_running_loop().create_task(self._bounce(gpio, bounce.value / 1000, down=down))
        self._bouncing.add(task)
        task.add_done_callback(self._bouncing.discard)

    async def _bounce(self, gpio: int, seconds: float, *, down: bool) -> None:
        for at in range(_BOUNCES):
            self._set_contact(gpio, closed=down is (at % 2 == 0))
            await self._clock.sleep(seconds / _BOUNCES)
        self._set_contact(gpio, closed=down)

    def _set_contact(self, gpio: int, *, closed: bool) -> None:
        factory = self.wires.pin_factory
        (factory.ground if closed else factory.let_go)(gpio)

    def _pin_changed(self, pin: TwinPin) -> None:
        if pin is self.buzzer or pin in self._led_pins:
            self._changed()
        elif pin.info.name == self._reset:
            self.screen.reset_pin(int(pin.state))

    def _changed(self) -> None:
        with self._guard:
            self.version += 1
            version, listeners = self.version, self._listeners
        for listener in listeners:
            listener(version)
