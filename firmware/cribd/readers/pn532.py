"""Polls the PN532 for tags on its UART (NXP UM0701-02).

It wakes the chip (a preamble of 55 55 and zeros), has it work without a SAM (SAMConfiguration, 7.2.10) and look only
briefly for tags (RFConfiguration, 7.3.1; from the factory it looks for ever and does not answer), and then asks for at
most two targets of type A (InListPassiveTarget, 7.3.5), which is all that it can tell apart. Each command is
acknowledged and then answered. A damaged answer is asked for again by NACK. A command without an answer is sent again,
and after the third time everything from the start; only then is it a `ReadFailed`. A chip that answers nothing is woken
again every second, and is `LinkState.SILENT` meanwhile.

A frame is 00 00 FF, its length and the length's checksum, TFI, the data, the data's checksum, 00 (6.2.1). Each checksum
makes the sum of its bytes a multiple of 256. Bytes before a frame are ignored.

Two tags at once are `MultipleTags`: which was meant is unknown.
Wiring: both switches of the module off (HSU); TX and RX at 3.3 V, or a USB converter. 115200 baud.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from cribd.inputs import Input, MultipleTags, ReadFailed, TagRead
from cribd.readers import Decoder, LinkState

FROM_HOST, TO_HOST = 0xD4, 0xD5
ACK = bytes((0, 0, 0xFF, 0, 0xFF, 0))
NACK = bytes((0, 0, 0xFF, 0xFF, 0, 0))

_START = b"\x00\xff"
_ERROR = 0x7F
#: TFI, the code, and what an extended frame can carry at the most (6.2.1.2).
_LONGEST = 265

_WAKE = b"\x55\x55" + bytes(14)
_LOOKS = 2  # how often the chip looks for a tag before it answers that there is none
_MOST_TARGETS = 2
_TYPE_A_106 = 0x00
_NUMBER_SIZES = (4, 7, 10)
_HAS_ATS = 0x20  # in SEL_RES: ISO/IEC 14443-4, and then its answer to select follows

_ACK_S = 0.1
_ANSWER_S = 0.5
_POLL_S = 0.05
_RETRY_S = 1.0
_TRIES = 3


class SpecialFrame(Enum):
    """A frame without data, or a damaged frame."""

    ACK = "ack"
    NACK = "nack"
    ERROR = "error"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Response:
    """A response; `code` is the command's code plus one."""

    code: int
    values: bytes


Frame = Response | SpecialFrame


def command(code: int, values: bytes) -> bytes:
    """Return the frame of a command.

    >>> command(0x02, b"").hex(" ")
    '00 00 ff 02 fe d4 02 2a 00'
    """
    body = bytes((FROM_HOST, code)) + values
    return b"\x00" + _START + bytes((len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Frames:
    """The received bytes that form no whole frame yet."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def half(self) -> bool:
        """Whether a frame has begun but not ended."""
        return self._buffer.startswith(_START)

    def forget(self) -> None:
        """Drop the incomplete frame."""
        self._buffer.clear()

    def feed(self, data: bytes) -> list[Frame]:
        """Add bytes, and return the frames that they complete."""
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
    """Return the frame at `start` or None, and the next offset."""
    size, check = start + 2, start + 3
    if len(buffer) <= check:
        return None, start
    match buffer[size], buffer[check]:
        case 0x00, 0xFF:
            return SpecialFrame.ACK, check + 1
        case 0xFF, 0x00:
            return SpecialFrame.NACK, check + 1
        case 0xFF, 0xFF:  # extended: two bytes of length, the higher first, and their check
            if len(buffer) <= check + 3:
                return None, start
            high, low, right = buffer[check + 1 : check + 4]
            length, begin, fits = high << 8 | low, check + 4, not (high + low + right) & 0xFF
        case short, right:
            length, begin, fits = short, check + 1, not (short + right) & 0xFF
    if not fits or not 0 < length <= _LONGEST:
        return SpecialFrame.DAMAGED, size
    if len(buffer) <= begin + length:
        return None, start
    end = begin + length
    body, damaged = bytes(buffer[begin:end]), sum(buffer[begin : end + 1]) & 0xFF
    if body == bytes((_ERROR,)) and not damaged:
        return SpecialFrame.ERROR, end + 1
    if damaged or length < 2 or body[0] != TO_HOST:
        return SpecialFrame.DAMAGED, end + 1
    return Response(body[1], body[2:]), end + 1


class _Step(Enum):
    """A step of the protocol: a command and its parameters."""

    SAM = (0x14, b"\x01\x14\x01")
    RETRIES = (0x32, bytes((0x05, 0xFF, 0x01, _LOOKS)))
    TARGETS = (0x4A, bytes((_MOST_TARGETS, _TYPE_A_106)))


_NEXT = dict(pairwise(_Step))


class _Awaiting(Enum):
    """What the protocol waits for."""

    TURN = "turn"
    ACK = "ack"
    ANSWER = "answer"


class Pn532(Decoder):
    """Polls one PN532 for tags."""

    def __init__(self, reader: str = "reader") -> None:
        self._reader = reader
        self._frames = Frames()
        self._out = bytearray()
        self._step = _Step.SAM
        self._awaiting = _Awaiting.TURN
        self._tries = 0
        self._refused = 0
        self._garbled = False
        self.link = LinkState.UNKNOWN
        self.due = 0.0

    def to_send(self) -> bytes:
        sent = bytes(self._out)
        self._out.clear()
        return sent

    def feed(self, data: bytes, now: float = 0.0) -> list[Input]:
        inputs: list[Input] = []
        for frame in self._frames.feed(data):
            has_asked = self._awaiting is not _Awaiting.TURN
            match frame:
                case Response(code, values) if has_asked and code == self._step.value[0] + 1:
                    inputs += self._handle_answer(values, now)
                case SpecialFrame.ACK if self._awaiting is _Awaiting.ACK:
                    self._await(_Awaiting.ANSWER, now + _ANSWER_S)
                case SpecialFrame.DAMAGED if has_asked:
                    inputs += self._ask_again(now)
                case SpecialFrame.ERROR if has_asked:  # it could not read the command, or has lost its settings
                    self._step = _Step.SAM
                    inputs += self._retry(now)
        return inputs

    def tick(self, now: float) -> list[Input]:
        """Send or repeat a command, if that is due."""
        if now < self.due:
            return []
        if self._awaiting is _Awaiting.TURN:
            self._ask(now)
            return []
        return self._retry(now)

    def _ask(self, now: float) -> None:
        """Send the command of the current step."""
        if self._step is _Step.SAM:
            self._out += _WAKE
        self._out += command(*self._step.value)
        self._refused = 0
        self._await(_Awaiting.ACK, now + _ACK_S)

    def _ask_again(self, now: float) -> list[Input]:
        """Ask the chip to repeat a damaged answer (6.2.1.4)."""
        self._garbled = True
        self._refused += 1
        if self._refused >= _TRIES:
            return self._retry(now)
        self._out += NACK
        self._await(_Awaiting.ANSWER, now + _ANSWER_S)
        return []

    def _retry(self, now: float) -> list[Input]:
        """Send the command again, or begin again after three attempts.

        No answer to three attempts may mean that the chip was switched off or unplugged."""
        self._garbled = self._garbled or self._frames.half
        self._frames.forget()
        self._tries += 1
        failed: list[Input] = []
        if self._tries >= _TRIES:
            self._tries = 0
            if self._step is _Step.SAM:
                self.link = LinkState.SILENT
                self._await(_Awaiting.TURN, now + _RETRY_S)
                return []
            if self._step is _Step.TARGETS and self._garbled:
                failed.append(ReadFailed(self._reader))
            self._step = _Step.SAM
            self._garbled = False
        elif self._awaiting is _Awaiting.ANSWER:
            self._out += ACK  # aborts the command that it still works at (6.2.1.3)
        self._ask(now)
        return failed

    def _handle_answer(self, values: bytes, now: float) -> list[Input]:
        self._tries = 0
        self._garbled = False
        self.link = LinkState.ANSWERING
        if self._step is not _Step.TARGETS:
            self._step = _NEXT[self._step]
            self._ask(now)
            return []
        self._await(_Awaiting.TURN, now + _POLL_S)
        match tag_numbers(values):
            case None:
                return [ReadFailed(self._reader)]
            case ():
                return []
            case (uid,):
                return [TagRead(uid, self._reader)]
            case uids:
                return [MultipleTags(uids, self._reader)]

    def _await(self, what: _Awaiting, until: float) -> None:
        self._awaiting, self.due = what, until


def tag_numbers(values: bytes) -> tuple[str, ...] | None:
    """Return the tag numbers in an answer, in upper-case hex.

    None if the answer to InListPassiveTarget is malformed (7.3.5).

    >>> tag_numbers(bytes.fromhex("01 01 00 04 08 04 12 34 56 78"))
    ('12345678',)
    """
    if not values or values[0] > _MOST_TARGETS:
        return None
    found: dict[str, None] = {}
    end = 1
    for _ in range(values[0]):
        number = end + 5  # behind Tg, SENS_RES (two bytes), SEL_RES and the number's length
        if len(values) < number or values[number - 1] not in _NUMBER_SIZES:
            return None
        end = number + values[number - 1]
        if len(values) < end:
            return None
        found[values[number:end].hex().upper()] = None
        if values[number - 2] & _HAS_ATS and end < len(values):
            end += values[end]  # the length of ATS counts itself
    return tuple(found) if end == len(values) else None
