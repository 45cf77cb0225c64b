"""Reads GPIO edges, or sets a line high (linux/gpio.h, version 2).

The kernel queues edges and wakes the loop. lgpio would look for them every half millisecond in a thread of its own,
half of what a board at rest takes. Needs the standard library alone.
"""

from __future__ import annotations

import os
import struct
from enum import IntFlag
from fcntl import ioctl

_GET_LINE, _GET_VALUES = 0xC250B407, 0xC010B40E
#: offsets, consumer, flags, attributes, the first attribute (what it is, its values, the lines), lines, size of the
#: queue, descriptor
_REQUEST = struct.Struct("=64I 32s Q I 20x I 4x Q Q 216x I I 20x i")
_VALUES = struct.Struct("=QQ")  # bits, mask
_EVENT = struct.Struct("=Q I 36x")  # time in nanoseconds, kind
_INPUT, _OUTPUT, _BOTH_EDGES = 1 << 2, 1 << 3, 1 << 4 | 1 << 5
_OUTPUT_VALUES = 2
_RISING = 1
_QUEUED = 16


class Pull(IntFlag):
    """The Pi's pull-up or pull-down resistor for a GPIO line."""

    UP = 1 << 8
    DOWN = 1 << 9
    NONE = 1 << 10


class LineEvents:
    """The edges of one GPIO line. Raises OSError if the line is not available.

    `chip` is the device node of the line's chip."""

    def __init__(self, chip: str, line: int, pull: Pull) -> None:
        self._file = _request(chip, line, _INPUT | _BOTH_EDGES | pull)
        os.set_blocking(self._file, False)

    def fileno(self) -> int:
        """Return the descriptor, which is readable after an edge."""
        return self._file

    def level(self) -> int:
        """Return the level of the line now, 0 or 1."""
        values = bytearray(_VALUES.pack(0, 1))
        ioctl(self._file, _GET_VALUES, values)
        return int(_VALUES.unpack(values)[0] & 1)

    def read(self) -> list[tuple[float, int]]:
        """Return the edges since the last call, oldest first.

        An edge is its monotonic time in seconds, and the level after the edge."""
        edges: list[tuple[float, int]] = []
        while True:
            try:
                events = os.read(self._file, _QUEUED * _EVENT.size)
            except BlockingIOError:
                return edges
            if not events:
                raise OSError("the line is gone")
            edges += [(at / 1e9, int(kind == _RISING)) for at, kind in _EVENT.iter_unpack(events)]

    def close(self) -> None:
        """Release the line."""
        os.close(self._file)


class HighLine:
    """A GPIO output that is high until `close`. Raises OSError if the line is not available."""

    def __init__(self, chip: str, line: int) -> None:
        self._file = _request(chip, line, _OUTPUT, high=True)

    def close(self) -> None:
        """Release the line."""
        os.close(self._file)


def _request(chip: str, line: int, flags: int, *, high: bool = False) -> int:
    """Request one line. Returns its file descriptor."""
    request = bytearray(_REQUEST.size)
    attribute = (_OUTPUT_VALUES, 1, 1) if high else (0, 0, 0)
    _REQUEST.pack_into(request, 0, line, *[0] * 63, b"cribboard", flags, int(high), *attribute, 1, _QUEUED, 0)
    node = os.open(chip, os.O_RDWR | os.O_CLOEXEC)
    try:
        ioctl(node, _GET_LINE, request)
    finally:
        os.close(node)
    file: int = _REQUEST.unpack(request)[-1]
    return file
