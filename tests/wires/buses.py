"""SPI and I²C of the faked nodes, as `linux/spi/spidev.h` and `linux/i2c-dev.h` say, down to the twin's ports."""

from __future__ import annotations

import errno
import struct

from tests.wires.interface import Faults, Reply

from cribd.twin.machine import Twin

# linux/spi/spidev.h

_MESSAGE = 0x40206B00
_MOST_BYTES = 4096
_TRANSFER = struct.Struct("QQ II HBB 4x")
_SETTINGS = {1: "B", 2: "B", 3: "B", 4: "I", 5: "I"}  # mode, LSB first, bits, Hz, mode of 32 bits


class Spi:
    """/dev/spidev0.0 or 0.1, opened once."""

    def __init__(self, twin: Twin, faults: Faults, select: int) -> None:
        self._port = twin.wires.spi_port
        self._faults = faults
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
        faults = self._faults
        is_long = faults.spi_times_out_above is not None and length > faults.spi_times_out_above
        if is_long or f"spidev0.{self._select}" in faults.broken:
            faults.give_up()
        return Reply(bytes(self._port.transfer(self._select, payload, hz=hz, mode=self._settings[1] & 3)))

    def close(self) -> None:
        """Do nothing: a bus keeps nothing of who used it."""


# linux/i2c-dev.h

_WRITING = 1  # what `nodes.c` makes of write()
_SLAVE, _SLAVE_FORCE, _FUNCS, _RDWR, _SMBUS = 0x0703, 0x0706, 0x0705, 0x0707, 0x0720
_FUNCTIONS = 0x0EFF0009  # what the Pi's controller can: I²C, and the SMBus commands made of it, not `quick`
_I2C_READ = 1
_BYTE, _BYTE_DATA, _WORD_DATA, _BLOCK_DATA = 1, 2, 3, 8
_BLOCK = 34  # bytes of every SMBus answer


class I2c:
    """/dev/i2c-1, opened once: the address belongs to it."""

    def __init__(self, twin: Twin, faults: Faults) -> None:
        self._port = twin.wires.i2c_ports[1]
        self._faults = faults
        self._address = 0

    def ioctl(self, request: int, data: bytes) -> Reply:
        match request:
            case _ if request in (_SLAVE, _SLAVE_FORCE):
                address = int.from_bytes(data, "little")
                if request == _SLAVE and address in self._faults.busy_addresses:
                    raise OSError(errno.EBUSY, f"a driver holds {address:#x}")
                self._address = address
                return Reply()
            case _ if request == _FUNCS:
                return Reply(struct.pack("L", _FUNCTIONS))
            case _ if "i2c-1" in self._faults.broken:
                self._faults.give_up()
            case _ if request == _WRITING:
                self._port.write(self._address, data)
                return Reply()
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
