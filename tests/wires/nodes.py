"""The device nodes of a Pi whose wires end at the chips of a twin: the server behind `nodes.c`.

It speaks the interface of the kernel (`linux/gpio.h` version 2, `linux/spi/spidev.h`, `linux/i2c-dev.h`), as far as
lgpio 0.2.2, spidev and smbus2 ask for it, and gives the errors of the kernel. It imports none of these libraries.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.wires.buses import I2c, Spi
from tests.wires.interface import Faults, Node, Reply

from cribd.boards import Board
from cribd.clock import SystemClock
from cribd.twin.machine import Twin
from cribd.wires import ReaderKind, ReaderWire

READER = "ttyACM0"
_PACKET = 65_536
_CLOSING = 0


class Model(NamedTuple):
    """A model of the Pi: its revision, the number of the GPIO chip with its pins, and whether SPI0 sets modes late."""

    revision: int
    chip: int = 0
    late_mode: bool = False


ZERO_2_W = Model(0x902120)
PI_5, OLD_PI_5 = Model(0xC04170, late_mode=True), Model(0xC04170, chip=4, late_mode=True)  # the second: older kernels


class Nodes:
    """The device nodes in a tree of their own. `folder` goes to the environment as CRIBBOARD_NODES.

    `edges` are the times at which the buzzer's pin rose.
    """

    def __init__(self, twin: Twin, folder: Path, model: Model) -> None:
        self.twin = twin
        self.folder = folder
        self.faults = Faults()
        self.edges: list[float] = []
        self._held: dict[int, Line] = {}
        self._opens: dict[str, Callable[[], Node]] = {
            f"gpiochip{model.chip}": lambda: Chip(self),
            "i2c-1": lambda: I2c(twin, self.faults),
            **{f"spidev0.{select}": lambda select=select: Spi(twin, self.faults, select) for select in (0, 1)},  # type: ignore[misc]
        }
        self._listening: dict[str, socket.socket] = {}
        self._connections: dict[str, set[socket.socket]] = {}
        self._guard = threading.Lock()
        system = folder / "proc" / "device-tree" / "system"
        system.mkdir(parents=True)
        (system / "linux,revision").write_bytes(struct.pack(">L", model.revision))
        (folder / "proc" / "cpuinfo").write_text("model name : a processor that says no revision\n", encoding="utf-8")
        self.appear(*self._opens)

    def appear(self, *names: str) -> None:
        """Bring nodes that are missing."""
        for name in names:
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            listening.bind(str(self.folder / "dev" / name))
            listening.listen()
            self._listening[name], self._connections[name] = listening, set()
            threading.Thread(target=self._accept, args=(name, listening), daemon=True).start()

    def vanish(self, *names: str) -> None:
        """Take nodes away, as when their driver is unloaded. Whoever has one open gets an error from then on."""
        for name in names:
            (self.folder / "dev" / name).unlink()
            for end in (self._listening.pop(name), *self._connections.pop(name)):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def forbid(self, *names: str, forbidden: bool = True) -> None:
        """Let nobody open these nodes, or everybody again."""
        for name in names:
            (self.folder / "dev" / name).chmod(0 if forbidden else 0o660)

    def fail(self, *names: str) -> None:
        """Let every transfer on these nodes time out."""
        self.faults.broken.update(names)

    def close(self) -> None:
        """Take all nodes away."""
        self.vanish(*list(self._listening))

    def claim(self, line: Line) -> None:
        """Give a line to a program. EBUSY if another has it."""
        with self._guard:
            if line.offset in self._held or line.offset in self.faults.busy_pins:
                raise OSError(errno.EBUSY, f"line {line.offset} is held")
            self._held[line.offset] = line

    def release(self, line: Line) -> None:
        """Take a line back from the program that has it."""
        with self._guard:
            if self._held.get(line.offset) is line:
                del self._held[line.offset]

    def holder(self, offset: int) -> Line | None:
        """The line as a program has it now."""
        return self._held.get(offset)

    # Connections

    def _accept(self, name: str, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the node vanishes
            while True:
                connection, _ = listening.accept()
                self._connections[name].add(connection)
                threading.Thread(target=serve, args=(connection, self._opens[name]()), daemon=True).start()


def serve(connection: socket.socket, node: Node) -> None:
    """Answer every ioctl on this connection until it ends."""
    with connection, contextlib.suppress(OSError):
        while packet := connection.recv(_PACKET):
            request = int.from_bytes(packet[:4], "little")
            if request == _CLOSING:
                node.close()
                connection.send(struct.pack("ii", 0, 0))
                break
            try:
                reply = node.ioctl(request, packet[4:])
            except OSError as error:
                connection.send(struct.pack("ii", -1, error.errno or errno.EIO))
                continue
            answer = struct.pack("ii", 0, 0) + reply.data
            socket.send_fds(connection, [answer], list(reply.sockets))
            for number in reply.sockets:
                os.close(number)
    node.close()


# linux/gpio.h

_CHIP_INFO, _LINE_INFO, _GET_LINE = 0x8044B401, 0xC100B405, 0xC250B407
_GET_VALUES, _SET_VALUES = 0xC010B40E, 0xC010B40F
_USED, _INPUT, _OUTPUT, _RISING, _FALLING, _UP, _DOWN = 1 << 0, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 8, 1 << 9
_REQUEST = struct.Struct("256x 32s QI20x 240s II20xi")
_ATTRIBUTE = struct.Struct("II Q Q")
_OUTPUT_VALUES = 2
_LINES = 54


class Chip:
    """The GPIO chip, opened once."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    def ioctl(self, request: int, data: bytes) -> Reply:
        match request:
            case _ if request == _CHIP_INFO:
                return Reply(struct.pack("32s32sI", b"gpiochip", b"pinctrl", _LINES))
            case _ if request == _LINE_INFO:
                (offset,) = struct.unpack_from("I", data, 64)
                line = self._nodes.holder(offset)
                flags = _INPUT if line is None else line.flags | _USED
                return Reply(struct.pack("32s32sIIQ176x", b"", b"", offset, 0, flags))
            case _ if request == _GET_LINE:
                return self._open_line(data)
        raise OSError(errno.ENOTTY, f"no request of a chip: {request:#x}")

    def _open_line(self, data: bytes) -> Reply:
        (offset,) = struct.unpack_from("I", data)
        _, flags, attributes, config, lines, _, _ = _REQUEST.unpack(data)
        if lines != 1 or offset >= _LINES:
            raise OSError(errno.EINVAL, "one line at a time")
        level = 0
        for identity, _, value, mask in list(_ATTRIBUTE.iter_unpack(config))[:attributes]:
            if identity == _OUTPUT_VALUES and mask & 1:
                level = value & 1
        line = Line(self._nodes, offset, flags)
        self._nodes.claim(line)
        events = line.start(level)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        threading.Thread(target=serve, args=(ours, line), daemon=True).start()
        return Reply(data, (events, theirs.detach()))

    def close(self) -> None:
        """Do nothing: lines that were requested stay, as with the kernel."""


class Line:
    """One line of the chip that a program has requested: a pin of the twin, at its other end."""

    def __init__(self, nodes: Nodes, offset: int, flags: int) -> None:
        self.offset = offset
        self.flags = flags
        self._nodes = nodes
        self._pin: Any = nodes.twin.wires.pin_factory.pin(f"GPIO{offset}")
        self._number = 0
        self._events, self._read_by_program = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._events.setblocking(False)

    def start(self, level: int) -> int:
        """Connect the pin. Returns the descriptor from which its events are read."""
        pin = self._pin
        pin.when_changed = None
        if self.flags & _OUTPUT:
            pin.function = "output"
            self._write(level)
        else:
            pin.function = "input"
            pin.pull = "up" if self.flags & _UP else "down" if self.flags & _DOWN else "floating"
            if self.flags & (_RISING | _FALLING):
                pin.edges = "both"
                pin.when_changed = self._changed
        return self._read_by_program.detach()

    def ioctl(self, request: int, data: bytes) -> Reply:
        bits, mask = struct.unpack("QQ", data)
        if request == _GET_VALUES:
            return Reply(struct.pack("QQ", int(self._pin.state) & mask, mask))
        if request != _SET_VALUES:
            raise OSError(errno.ENOTTY, f"no request of a line: {request:#x}")
        if not self.flags & _OUTPUT:
            raise OSError(errno.EPERM, "an input is not written")
        if mask & 1:
            self._write(bits & 1)
        return Reply(data)

    def close(self) -> None:
        if self._nodes.holder(self.offset) is self:
            self._pin.when_changed = None
            self._nodes.release(self)
        self._events.close()

    def _write(self, level: int) -> None:
        if level and not self._pin.state and self._pin is self._nodes.twin.buzzer:
            self._nodes.edges.append(time.monotonic())
        self._pin.state = level

    def _changed(self, _: float, level: int) -> None:
        """Report an edge, at the level that the pin has now."""
        if not self.flags & (_RISING if level else _FALLING):
            return
        self._number += 1
        event = (time.monotonic_ns(), 1 if level else 2, self.offset, self._number, self._number)
        with contextlib.suppress(OSError):  # the line is closed, or the program reads no events
            self._events.send(struct.pack("QIIII24x", *event))


@contextmanager
def nodes_of(board: Board, model: Model = ZERO_2_W, kind: ReaderKind = ReaderKind.SCANNER) -> Iterator[Nodes]:
    """The nodes of a Pi of this model with this board and one reader of this kind, at /dev/ttyACM0.

    Their tree has a short name, because the path of a socket has 107 characters at most.
    """
    folder = Path(tempfile.mkdtemp(prefix="nodes-"))
    reader = ReaderWire(READER, kind, kind.default_baud)
    twin = Twin(board, SystemClock(), folder=folder / "dev", readers=[reader], late_mode=model.late_mode)
    twin.wires.line(READER)
    nodes = Nodes(twin, folder, model)
    try:
        yield nodes
    finally:
        nodes.close()
        twin.close()
        shutil.rmtree(folder)
