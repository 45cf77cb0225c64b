"""The frames between a PN532 and its host (NXP UM0701-02, 6.2.1), decoded from bytes in pieces of any size.

A frame is 00 00 FF, its length and the length's checksum, TFI, the data, the data's
checksum, 00. Each checksum makes the sum of its bytes a multiple of 256. Bytes before a frame are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

FROM_HOST, TO_HOST = 0xD4, 0xD5
ACK = bytes((0, 0, 0xFF, 0, 0xFF, 0))
NACK = bytes((0, 0, 0xFF, 0xFF, 0, 0))

_START = b"\x00\xff"
_ERROR = 0x7F
#: TFI, the code, and what an extended frame can carry at the most (6.2.1.2).
_LONGEST = 265


class Special(Enum):
    """Frames without data, and a damaged frame."""

    ACK = "ack"
    NACK = "nack"
    ERROR = "error"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Response:
    """The PN532's response to a command; `code` is the command's code plus one."""

    code: int
    values: bytes


Frame = Response | Special


def command(code: int, values: bytes) -> bytes:
    """Build the frame of a command.

    >>> command(0x02, b"").hex(" ")
    '00 00 ff 02 fe d4 02 2a 00'
    """
    body = bytes((FROM_HOST, code)) + values
    return b"\x00" + _START + bytes((len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Frames:
    """Collects bytes from a PN532 into frames. An incomplete frame never grows longer than the longest frame."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def half(self) -> bool:
        """Whether a frame has begun and has not ended."""
        return self._buffer.startswith(_START)

    def forget(self) -> None:
        """Drop the incomplete frame."""
        self._buffer.clear()

    def feed(self, data: bytes) -> list[Frame]:
        """Add bytes; return the frames they complete."""
        buffer = self._buffer
        buffer += data
        frames: list[Frame] = []
        at = 0
        while (start := buffer.find(_START, at)) >= 0:
            frame, at = _read(buffer, start)
            if frame is None:
                break
            frames.append(frame)
        if start < 0:
            at = max(at, len(buffer) - 1)  # it may be the 00 of a start
        del buffer[:at]
        return frames


def _read(buffer: bytearray, start: int) -> tuple[Frame | None, int]:
    """The frame that starts here, and the offset after it; None and the start if more bytes are needed."""
    size, check = start + 2, start + 3
    if len(buffer) <= check:
        return None, start
    match buffer[size], buffer[check]:
        case 0x00, 0xFF:
            return Special.ACK, check + 1
        case 0xFF, 0x00:
            return Special.NACK, check + 1
        case 0xFF, 0xFF:  # extended: two bytes of length, the higher first, and their check
            if len(buffer) <= check + 3:
                return None, start
            high, low, right = buffer[check + 1 : check + 4]
            length, begin, fits = high << 8 | low, check + 4, not (high + low + right) & 0xFF
        case short, right:
            length, begin, fits = short, check + 1, not (short + right) & 0xFF
    if not fits or not 0 < length <= _LONGEST:
        return Special.DAMAGED, size
    if len(buffer) <= begin + length:
        return None, start
    end = begin + length
    body, damaged = bytes(buffer[begin:end]), sum(buffer[begin : end + 1]) & 0xFF
    if body == bytes((_ERROR,)) and not damaged:
        return Special.ERROR, end + 1
    if damaged or length < 2 or body[0] != TO_HOST:
        return Special.DAMAGED, end + 1
    return Response(body[1], body[2:]), end + 1
