"""The serial wire of a reader, as a pseudo-terminal.

Every byte takes ten bits at the sender's speed, by `Clock.wait`. A pseudo-terminal has no speed: the one that the other
end set in termios is compared with the sender's, and at a wrong one the bytes arrive as a real receiver would read
them. The path is a symbolic link, because the terminal's number changes at each plugging. The terminal is raw from the
start, or its first bytes would be echoed and lost.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import termios
import tty
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from cribd.clock import Clock

BITS_PER_BYTE = 10
SPEEDS = {
    getattr(termios, name): int(name[1:])
    for name in dir(termios)
    if name[0] == "B" and name[1:].isdigit() and int(name[1:])
}

#: The most bytes that the kernel keeps until they are read: one less than its buffer holds.
_BUFFER = 4095
#: How many times the wait for bytes lets other threads run, which is mostly enough; how long each further look then
#: waits for the kernel's thread; and how many such looks there are before bytes count as lost.
_TURNS, _LATE_S, _LOOKS = 1000, 0.1, 20


class SerialLine:
    """One serial wire at `path`, with its reader's speed `baud`.

    Bytes have 8 data bits, no parity and 1 stop bit. `by_id` is a second link, which is named after the reader. `noise`
    changes the reader's bytes on their way. `on_plug` is called with the file descriptor of the reader's end after the
    plug was put in, and with None before the plug is pulled.
    """

    def __init__(self, path: Path, clock: Clock, *, baud: int, by_id: Path | None = None) -> None:
        self.path = path
        self._by_id = by_id
        self.baud = baud
        self.noise: Callable[[bytes], bytes] = lambda data: data
        self.on_plug: Callable[[int | None], None] = lambda _number: None
        self._clock = clock
        self._ends: tuple[int, int] | None = None
        self._guard = Lock()

    def plug(self) -> None:
        """Plug the wire in, and create its path."""
        with self._guard:
            if self._ends is not None:
                return
            ours, theirs = os.openpty()
            tty.setraw(theirs)
            os.set_blocking(ours, False)
            self._ends = ours, theirs
            for link in self._links():
                link.parent.mkdir(parents=True, exist_ok=True)
                link.unlink(missing_ok=True)
                link.symlink_to(os.ttyname(theirs))
        self.on_plug(ours)

    def unplug(self) -> None:
        """Unplug the wire, and remove its path."""
        if self.number is not None:
            self.on_plug(None)
        with self._guard:
            if self._ends is None:
                return
            for link in self._links():
                link.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def move(self, path: Path) -> None:
        """Move the wire to another path."""
        was_in = self.number is not None
        self.unplug()
        self.path = path
        if was_in:
            self.plug()

    def _links(self) -> list[Path]:
        return [self.path] if self._by_id is None else [self.path, self._by_id]

    def send(self, data: bytes) -> float:
        """Send these bytes from the reader.

        Blocks until the last bit is on the wire, and returns that time. The bytes are lost while the plug is out, and
        while the buffer is full."""
        data = self.noise(data)
        self._clock.wait(len(data) * BITS_PER_BYTE / self.baud)
        self._deliver(data)
        return self._clock.now()

    async def send_async(self, data: bytes) -> None:
        """Send these bytes from the reader without blocking the loop."""
        data = self.noise(data)
        await self._clock.sleep(len(data) * BITS_PER_BYTE / self.baud)
        self._deliver(data)

    @property
    def number(self) -> int | None:
        """The file descriptor of the reader's end, or None if unplugged."""
        ends = self._ends
        return None if ends is None else ends[0]

    def receive(self) -> bytes:
        """Return the new bytes for the reader, without blocking."""
        with self._guard:
            if self._ends is None:
                return b""
            try:
                data = os.read(self._ends[0], 4096)
            except BlockingIOError:
                return b""
        speed = self.read_baud
        return data if speed == self.baud else misread(data, sent_baud=speed, read_baud=self.baud)

    def settle(self) -> bool:
        """Wait for bytes under way, and return whether any has arrived."""
        with self._guard:
            return self._ends is not None and _has_come(self._ends[0])

    @property
    def read_baud(self) -> int:
        """The speed at which the host reads, in baud."""
        with self._guard:
            if self._ends is None:
                return self.baud
            return SPEEDS.get(termios.tcgetattr(self._ends[1])[4], self.baud)

    def _deliver(self, data: bytes) -> None:
        """Deliver all bytes together, as a UART does from its FIFO."""
        speed = self.read_baud
        data = data if speed == self.baud else misread(data, sent_baud=self.baud, read_baud=speed)
        with self._guard:
            if self._ends is not None:
                with contextlib.suppress(BlockingIOError):
                    _pass_on(data, *self._ends)


def _pass_on(data: bytes, ours: int, theirs: int) -> None:
    """Write these bytes, and wait a limited time for their arrival.

    A thread of the kernel carries them over, and may be late on a busy machine. It is not waited for any longer where
    the host reads meanwhile, or its buffer is full.
    """
    with select.epoll() as arrivals:
        arrivals.register(theirs, select.EPOLLIN | select.EPOLLET)
        arrivals.poll(0)  # what is there already is no arrival
        seen = _unread(theirs)
        wanted = min(seen + os.write(ours, data), _BUFFER)
        for turn in range(_TURNS + _LOOKS):
            now = _unread(theirs)
            if now >= wanted or now < seen or not _has_come(theirs):
                return
            seen = now
            if turn < _TURNS:
                os.sched_yield()
            else:
                arrivals.poll(_LATE_S)


def _has_come(end: int) -> bool:
    """Whether bytes can be read at this end of a pseudo-terminal.

    If not, this look waits for the kernel's thread. Behind bytes that are there already it does not wait for more.
    """
    looking = select.poll()
    looking.register(end, select.POLLIN)
    return bool(looking.poll(0))


def _unread(end: int) -> int:
    """Count the bytes that wait at this end of a pseudo-terminal."""
    waiting: int = struct.unpack("i", fcntl.ioctl(end, termios.FIONREAD, bytes(4)))[0]
    return waiting


def misread(data: bytes, *, sent_baud: int, read_baud: int) -> bytes:
    """Return what a receiver reads at a wrong speed.

    The bytes are sent without a pause, with the line at rest around them. The receiver waits for a falling edge, looks
    at the line in the middle of each of its own bits, the lowest first, and keeps what it saw even if there was no stop
    bit, as Linux does where framing errors are not asked for.
    """
    levels = [1]
    for byte in data:
        levels += [0, *(byte >> bit & 1 for bit in range(8)), 1]
    own = read_baud / sent_baud  # how many of the receiver's bits one bit of the sender lasts
    read = bytearray()
    free = 0.0
    for place in range(1, len(levels)):
        fall = place * own
        if levels[place - 1] and not levels[place] and fall >= free:
            looks = [int((fall + 1.5 + bit) / own) for bit in range(8)]
            read.append(sum((levels[at] if at < len(levels) else 1) << bit for bit, at in enumerate(looks)))
            free = fall + 9.5
    return bytes(read)
