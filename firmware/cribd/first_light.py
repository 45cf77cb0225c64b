"""What a board does before its program is loaded.

A Pi Zero takes some seconds to import the board. The frame that the strip and the LEDs on pins showed last is kept
beside the journal, and is shown again as soon as Python runs. From then on a child process scans the button chain (a
thread would wait for the imports, which hold Python's lock), another sends the OLED what its driver would send, and the
kernel notes the edges of the keys until the pin of each key is opened. A board without a strip or a chain does the
rest. The board takes all over: what is pressed meanwhile counts. This module opens spidev, I²C and GPIO lines itself,
which is the one exception from design law 3.

The frame is that of the last snapshot that was committed and did not blink. It is used under systemd alone, and only
while the command line, the configuration and the board file are the same, and the journal is hardly newer: a frame of
another board or of an earlier game never shows (laws 9 and 10). The same holds for the messages to the OLED, which are
kept beside the frame. Whatever fails here, the board starts dark, as before.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from cribd.monotonic import monotonic
from cribd.wires.line_events import HighLine, LineEvents, Pull

if TYPE_CHECKING:
    from cribd.boards import Board

_FILE = "last-frame.json"
#: The shortest time between two writes of the frame, because writing wears the card.
KEPT_EVERY_S = 15.0
#: How much newer the journal may be than the frame: the time between two writes, and a clock's rounding.
_NEWER_S = KEPT_EVERY_S + 2.0
_SCAN_MS = 10
#: The longest wait for the first scan.
_FIRST_MS = 200
#: The first five equal scans are reported, because a contact has settled then, and after that every tenth.
_DEBOUNCED, _SELDOM = 5, 10
_MOST_BYTES = 65_536
_I2C_SLAVE = 0x0703  # linux/i2c-dev.h: to which address messages go


class EarlyInputs(NamedTuple):
    """The inputs that arrive before the board is loaded.

    `scans` are those of the holes, which go on until they are ended; None where nothing scans. `keys` are the keys by
    GPIO, whose edges the kernel notes until the line is closed."""

    scans: EarlyScans | None
    keys: Mapping[int, EarlyKey]


class EarlyKey(NamedTuple):
    """A key whose GPIO edges are noted before the board is loaded.

    `was_down`: whether the key was down when its line was opened."""

    line: LineEvents
    was_down: bool


class EarlyScans:
    """A child process that scans the holes until `end`."""

    def __init__(self, chain: Sequence[int], scan: bytes) -> None:
        self._record = struct.Struct(f"d{len(scan)}s")
        self._rest = b""
        import spidev  # noqa: F401, PLC0415 (here it is imported once, for the child too)

        stop, self._stop = os.pipe()
        self._pipe, write_end = os.pipe()
        self._child = os.fork()
        if not self._child:
            try:
                os.close(self._stop)
                for data, at in _scan(chain, scan, stop):
                    os.write(write_end, self._record.pack(at, data))  # it is short, so it arrives whole or not at all
            finally:
                os._exit(0)  # nothing of this process is the child's to end
        for end in (stop, write_end):
            os.close(end)
        os.set_blocking(self._pipe, False)

    def wait_for_first(self) -> None:
        """Wait for the first scan of the holes, for a limited time."""
        first = select.poll()
        first.register(self._pipe, select.POLLIN)
        first.poll(_FIRST_MS)

    def read(self) -> list[tuple[bytes, float]] | None:
        """Return the new scans, or None if the child has ended."""
        try:
            received = os.read(self._pipe, _MOST_BYTES)
        except BlockingIOError:
            return []
        if not received:
            return None
        received = self._rest + received
        whole = len(received) - len(received) % self._record.size
        self._rest = received[whole:]
        return [(data, at) for at, data in self._record.iter_unpack(received[:whole])]

    def end(self) -> list[tuple[bytes, float]]:
        """End the child process. Returns its last scans; none at a second call."""
        if self._child:
            os.close(self._stop)
            os.set_blocking(self._pipe, True)
            last = [scan for scans in iter(self.read, None) for scan in scans]
            os.close(self._pipe)
            os.waitpid(self._child, 0)
            self._child = 0
            return last
        return []


def _scan(chain: Sequence[int], scan: bytes, stop: int) -> Iterator[tuple[bytes, float]]:
    """Yield scans until the pipe `stop` is closed or the bus fails.

    Of equal scans, it yields few.
    After a change it scans again at once: a press needs two equal scans, and a busy machine may delay the next one."""
    last, equal, wait = b"", 0, _SCAN_MS
    ends = select.poll()
    ends.register(stop, select.POLLHUP)
    with contextlib.suppress(OSError):  # the board finds the same, and says so
        spi = _open(*chain)
        while not ends.poll(wait):
            data, now = bytes(spi.xfer2(scan)), monotonic()
            wait = 0 if data != last and wait else _SCAN_MS
            equal = equal + 1 if data == last else 0
            last = data
            if equal < _DEBOUNCED or equal % _SELDOM == 0:
                yield data, now


def _send(port: int, address: int, messages: Sequence[bytes]) -> int:
    """Send messages to a panel, in a child process.

    Returns the id of the child process."""
    child = os.fork()
    if not child:
        try:
            panel = _open_i2c(port, address)
            for message in messages:
                os.write(panel, message)
        finally:
            os._exit(0)  # as above
    return child


class FirstLight:
    """A board's display and inputs before the program is loaded.

    `arguments` are those of its command line. Its frame is stored in `folder`.

    `starting` are the messages that start the OLED and show "Starting", as its driver sends them. They are kept with
    each frame."""

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        self._arguments = list(arguments)
        self._file = folder / _FILE
        self._described: dict[str, Any] = {}
        self._lit: list[HighLine] = []
        self._keys: dict[int, EarlyKey] = {}
        self._scans: EarlyScans | None = None
        self._sends = 0  # the process of the child that sends `starting`
        self.starting: Sequence[bytes] = ()

    def begin(self) -> None:
        """Show the stored frame, and begin to record presses.

        Does nothing if the stored frame may not be shown."""
        try:
            last = json.loads(self._file.read_bytes())
            if not self._may_show(last):
                return
            if last["chain"]:
                self._scans = EarlyScans(last["chain"], bytes(last["scan_bytes"]))
                self._scans.wait_for_first()  # a hole that is down at the first scan is no press
            if last["strip"]:
                strip = _open(*last["strip"])
                strip.xfer2(bytes.fromhex(last["frame"]))
                strip.close()
        except (OSError, ValueError, TypeError, LookupError, AttributeError, OverflowError, ImportError):
            if self._scans is not None:
                self._scans.end()
                self._scans = None
            return
        with contextlib.suppress(OSError, LookupError, TypeError, struct.error):
            for gpio in last["keys"]:
                line = LineEvents(last["chip"], gpio, Pull.UP)
                self._keys[gpio] = EarlyKey(line, was_down=not line.level())
            for gpio in last["lit"]:  # a frame of an older release has none
                self._lit.append(HighLine(last["chip"], gpio))
        with contextlib.suppress(OSError, ValueError, TypeError, LookupError):  # nor has it this
            self.starting = [bytes.fromhex(message) for message in last["starting"]]
            port, address = last["oled"]
            if self.starting:
                self._sends = _send(port, address, self.starting)

    def end(self) -> EarlyInputs:
        """Release the OLED for the board. Returns the inputs so far.

        The scans go on, and the lines of keys and LEDs stay open."""
        if self._sends:
            os.kill(self._sends, signal.SIGKILL)  # it has ended long ago, or the bus hangs
            os.waitpid(self._sends, 0)
            self._sends = 0
        return EarlyInputs(self._scans, self._keys)

    def release_leds(self) -> None:
        """Release the GPIO pins of the LEDs."""
        while self._lit:
            self._lit.pop().close()

    def describe(self, board: Board, *, files: Iterable[Path], journal: Path, chip: str) -> None:
        """Set the board's description, which the method `keep` stores.

        The keys are at the GPIO node `chip`. A stored frame may show only while the contents of `files` are the same as
        now."""
        strip, chain = board.strip, board.chain
        self._described = {
            "arguments": self._arguments,
            "files": {str(file): _check(file) for file in files},
            "journal": str(journal),
            "strip": (strip.spi_select, strip.hz, strip.spi_mode) if strip.count else None,
            "chain": (chain.spi_select, chain.hz, chain.spi_mode) if chain.chips else None,
            "scan_bytes": chain.chips + 1,
            "oled": (board.oled.i2c_port, board.oled.address),
            "keys": [pin.gpio for pin in board.keys],
            "chip": chip,
        }

    def keep(self, frame: bytes, lit: Collection[int] = ()) -> None:
        """Store a frame for the next start. Raises OSError.

        `describe` has set its board. `frame` is sent to the strip, and the LEDs on the pins `lit` are on."""
        new = self._file.with_suffix(".new")
        starting = [message.hex() for message in self.starting]
        description = {**self._described, "frame": frame.hex(), "lit": sorted(lit), "starting": starting}
        new.write_text(json.dumps(description), encoding="utf-8")
        new.replace(self._file)

    def forget(self) -> None:
        """Delete the stored frame. The next start is dark for longer. Raises OSError."""
        self._file.unlink(missing_ok=True)

    def _may_show(self, last: dict[str, Any]) -> bool:
        journal, stored_at = Path(last["journal"]), self._file.stat().st_mtime
        written = max(file.stat().st_mtime for file in (journal, Path(f"{journal}-wal")) if file.exists())
        return (
            last["arguments"] == self._arguments
            and all(_check(Path(file)) == check for file, check in last["files"].items())
            and written <= stored_at + _NEWER_S
        )


def first_light(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> FirstLight | None:
    """Make and begin a `FirstLight` if systemd starts `cribboard run`.

    Returns None for any other command, and without systemd."""
    folder = environment.get("STATE_DIRECTORY")
    if arguments[:1] != ["run"] or not folder or "NOTIFY_SOCKET" not in environment:
        return None
    light = FirstLight(arguments, Path(folder))
    light.begin()
    return light


def _open(chip_select: int, hz: int, mode: int) -> Any:
    import spidev  # noqa: PLC0415 (a Pi has it)

    device = spidev.SpiDev()
    device.open(0, chip_select)
    device.mode, device.max_speed_hz = mode, hz
    return device


def _open_i2c(port: int, address: int) -> int:
    panel = os.open(f"/dev/i2c-{port}", os.O_RDWR)
    fcntl.ioctl(panel, _I2C_SLAVE, address)
    return panel


def _check(file: Path) -> int:
    return crc32(file.read_bytes())
