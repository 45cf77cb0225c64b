"""The protocol of the RDM6300 for 125 kHz tags.

A frame is STX, ten digits of the number, two of its checksum, ETX, all in ASCII, at 9600 baud (RDM6300 specification,
'TTL interface RS232 data output format'). The checksum is the XOR of the number's five bytes. The frame is sent over
and over while the tag is near. Nothing can be asked again, so each frame that is damaged or cut is a `ReadFailed`;
bytes between frames are ignored. The reader has no anti-collision: two tags in its field give damaged frames, or none.

Wiring: TX by a divider to the Pi's GPIO 15, for it is a 5 V part; or a USB converter.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import xor

from cribd.inputs import Input, ReadFailed, TagRead
from cribd.readers import Decoder

_STX, _ETX = b"\x02", b"\x03"
_MARKS = re.compile(rb"([\x02\x03])")
_NUMBER = re.compile(rb"[0-9A-F]{12}")
_DIGITS = 10


class Rdm6300(Decoder):
    """Decodes the frames of an RDM6300."""

    def __init__(self, reader: str = "reader") -> None:
        self._reader = reader
        self._inside = False
        self._buffer = bytearray()

    def feed(self, data: bytes, now: float = 0.0) -> list[Input]:
        """Return an input for each frame that these bytes complete."""
        inputs: list[Input] = []
        for piece in _MARKS.split(data):
            if piece == _STX:
                if self._inside:
                    inputs.append(ReadFailed(self._reader))
                self._inside = True
                self._buffer.clear()
            elif piece == _ETX:
                if self._inside or self._buffer:
                    inputs.append(self._decode())
                self._inside = False
                self._buffer.clear()
            else:
                self._buffer += piece[: _DIGITS + 3 - len(self._buffer)]
        return inputs

    def _decode(self) -> Input:
        """Return the `TagRead` or `ReadFailed` of a whole frame."""
        if self._inside and _NUMBER.fullmatch(self._buffer):
            number = bytes.fromhex(self._buffer.decode("ascii"))
            if not reduce(xor, number):
                return TagRead(number[:-1].hex().upper(), self._reader)
        return ReadFailed(self._reader)
