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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Protocol

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


class Reply(NamedTuple):
    """What an ioctl answers: what the kernel would write, and the sockets of a line that was opened."""

    data: bytes = b""
    sockets: tuple[int, ...] = ()


class Node(Protocol):
    """One opened node or line."""

    def ioctl(self, request: int, data: bytes) -> Reply:
        """Do what is asked for. Raises OSError with the errno that the kernel gives."""

    def close(self) -> None:
        """End it: its last descriptor is closed."""


@dataclass(eq=False)
class Faults:
    """What is wrong below the wires at this moment."""

    busy_pins: set[int] = field(default_factory=set)  # another program holds these lines
    busy_addresses: set[int] = field(default_factory=set)  # a driver of the kernel holds these I²C addresses
    broken: set[str] = field(default_factory=set)  # every transfer on these nodes is given up after `give_up_s`
    spi_times_out_above: int | None = None  # bytes; such a transfer is given up too
    give_up_s: float = 0.2
    given_up: int = 0  # how many transfers were given up

    def give_up(self) -> NoReturn:
        """End a transfer as the kernel does: after a while, with ETIMEDOUT."""
        self.given_up += 1
        time.sleep(self.give_up_s)
        raise OSError(errno.ETIMEDOUT, "given up")


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
            "i2c-1": lambda: I2c(self),
            **{f"spidev0.{select}": lambda select=select: Spi(self, select) for select in (0, 1)},  # type: ignore[misc]
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


# linux/spi/spidev.h

_MESSAGE = 0x40206B00
_MOST_BYTES = 4096
_TRANSFER = struct.Struct("QQ II HBB 4x")
_SETTINGS = {1: "B", 2: "B", 3: "B", 4: "I", 5: "I"}  # mode, LSB first, bits, Hz, mode of 32 bits


class Spi:
    """/dev/spidev0.0 or 0.1, opened once."""

    def __init__(self, nodes: Nodes, select: int) -> None:
        self._nodes = nodes
        self._select = select
        self._settings = {1: 0, 2: 0, 3: 8, 4: 125_000_000}

    def ioctl(self, request: int, data: bytes) -> Reply:
        if request == _MESSAGE:
            return self._message(data)
        kind, number, reads = request >> 8 & 0xFF, request & 0xFF, request >> 31
        if kind != ord("k") or number not in _SETTINGS:
            raise OSError(errno.ENOTTY, f"no request of SPI: {request:#x}")
        at = 1 if number == 5 else number
        if reads:
            return Reply(struct.pack(_SETTINGS[number], self._settings[at]))
        (self._settings[at],) = struct.unpack(_SETTINGS[number], data)
        return Reply()

    def _message(self, data: bytes) -> Reply:
        sent, _, length, hz, _, bits, _ = _TRANSFER.unpack_from(data)
        payload = data[_TRANSFER.size :]
        if bits not in (0, 8) or self._settings[2] or not sent or len(payload) != length:
            raise OSError(errno.EINVAL, "one transfer at a time, of bytes that are sent")
        if length > _MOST_BYTES:
            raise OSError(errno.EMSGSIZE, f"{length} bytes")
        hz = min(hz or self._settings[4], self._settings[4])
        faults = self._nodes.faults
        is_long = faults.spi_times_out_above is not None and length > faults.spi_times_out_above
        if is_long or f"spidev0.{self._select}" in faults.broken:
            faults.give_up()
        port = self._nodes.twin.wires.spi_port
        return Reply(bytes(port.transfer(self._select, payload, hz=hz, mode=self._settings[1] & 3)))

    def close(self) -> None:
        """Do nothing: a bus keeps nothing of who used it."""


# linux/i2c-dev.h

_SLAVE, _SLAVE_FORCE, _FUNCS, _RDWR, _SMBUS = 0x0703, 0x0706, 0x0705, 0x0707, 0x0720
_FUNCTIONS = 0x0EFF0009  # what the Pi's controller can: I²C, and the SMBus commands made of it, not `quick`
_I2C_READ = 1
_BYTE, _BYTE_DATA, _WORD_DATA, _BLOCK_DATA = 1, 2, 3, 8
_BLOCK = 34  # bytes of every SMBus answer


class I2c:
    """/dev/i2c-1, opened once: the address belongs to it."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._port = nodes.twin.wires.i2c_ports[1]
        self._address = 0

    def ioctl(self, request: int, data: bytes) -> Reply:
        match request:
            case _ if request in (_SLAVE, _SLAVE_FORCE):
                address = int.from_bytes(data, "little")
                if request == _SLAVE and address in self._nodes.faults.busy_addresses:
                    raise OSError(errno.EBUSY, f"a driver holds {address:#x}")
                self._address = address
                return Reply()
            case _ if request == _FUNCS:
                return Reply(struct.pack("L", _FUNCTIONS))
            case _ if "i2c-1" in self._nodes.faults.broken:
                self._nodes.faults.give_up()
            case _ if request == _SMBUS:
                reads, command, size = struct.unpack_from("III", data)
                return Reply(self._smbus(reads, command, size, data[12:]).ljust(_BLOCK, b"\0"))
            case _ if request == _RDWR:
                return Reply(self._messages(data))
        raise OSError(errno.ENOTTY, f"no request of I2C: {request:#x}")

    def _smbus(self, reads: int, command: int, size: int, data: bytes) -> bytes:
        """One SMBus command, of the kinds that smbus2 and luma use."""
        port, address = self._port, self._address
        count = {_BYTE: 1, _BYTE_DATA: 1, _WORD_DATA: 2, _BLOCK_DATA: data[0]}.get(size, 0)
        match size, bool(reads):
            case 1, False:
                port.write(address, bytes((command,)))
                return b""
            case 1, True:
                return bytes(port.read(address, count))
            case 2 | 3, False:
                port.write(address, bytes((command, *data[:count])))
                return b""
            case 8, False:
                port.write(address, bytes((command, *data[1 : 1 + count])))
                return b""
            case 2 | 3 | 8, True:
                port.write(address, bytes((command,)))
                read = bytes(port.read(address, count))
                return bytes((count, *read)) if size == _BLOCK_DATA else read
        raise OSError(errno.EOPNOTSUPP, f"no SMBus command of size {size}")

    def _messages(self, data: bytes) -> bytes:
        received = b""
        while data:
            address, flags, length = struct.unpack_from("III", data)
            data = data[12:]
            if flags & _I2C_READ:
                received += bytes(self._port.read(address, length))
            else:
                self._port.write(address, data[:length])
                data = data[length:]
        return received

    def close(self) -> None:
        """Do nothing: a bus keeps nothing of who used it."""


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
