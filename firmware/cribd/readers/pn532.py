"""The PN532 at its high-speed UART: asks it again and again for the tags in its field (NXP UM0701-02).

It wakes the chip (a preamble of 55 55 and zeros), has it work without a SAM (SAMConfiguration, 7.2.10) and look only
briefly for tags (RFConfiguration, 7.3.1; from the factory it looks for ever and does not answer), and then asks for at
most two targets of type A (InListPassiveTarget, 7.3.5), which is all that it can tell apart. Each command is
acknowledged and then answered. A damaged answer is asked for again by NACK. A command without an answer is sent again,
and after the third time everything from the start; only then is it a `ReadFailed`. A chip that answers nothing is woken
again every second, and is `LinkState.SILENT` meanwhile.

Two tags at once are `TagsTogether`: which was meant is unknown.
Wiring: both switches of the module off (HSU); TX and RX at 3.3 V, or a USB converter. 115200 baud.
"""

from __future__ import annotations

from enum import Enum
from itertools import pairwise

from cribd.inputs import Input, ReadFailed, TagRead, TagsTogether
from cribd.readers import LinkState
from cribd.readers.pn532_frames import ACK, NACK, Frames, Response, Special, command

_WAKE = b"\x55\x55" + bytes(14)
_LOOKS = 2  # how often the chip looks for a tag before it answers that there is none
_MOST_TARGETS = 2
_TYPE_A_106 = 0x00
_NUMBER_SIZES = (4, 7, 10)
_HAS_ATS = 0x20  # in SEL_RES: ISO/IEC 14443-4, and then its answer to select follows

_ACK_S = 0.1
_ANSWER_S = 0.5
_POLL_S = 0.05
_AGAIN_S = 1.0
_TRIES = 3


class _Step(Enum):
    """A step of the protocol: the code of its command, and the parameters."""

    SAM = (0x14, b"\x01\x14\x01")
    RETRIES = (0x32, bytes((0x05, 0xFF, 0x01, _LOOKS)))
    TARGETS = (0x4A, bytes((_MOST_TARGETS, _TYPE_A_106)))


_NEXT = dict(pairwise(_Step))


class _Awaiting(Enum):
    """What is awaited next: the time to ask, the ACK of the command, or the answer."""

    TURN = "turn"
    ACK = "ack"
    ANSWER = "answer"


class Pn532:
    """Polls one PN532: a `TagRead` or `TagsTogether` for every poll that finds tags."""

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
        """The bytes to send to the reader now. Each is returned only once."""
        sent = bytes(self._out)
        self._out.clear()
        return sent

    def feed(self, data: bytes, now: float) -> list[Input]:
        """Take received bytes; return what was read."""
        inputs: list[Input] = []
        for frame in self._frames.feed(data):
            has_asked = self._awaiting is not _Awaiting.TURN
            match frame:
                case Response(code, values) if has_asked and code == self._step.value[0] + 1:
                    inputs += self._handle_answer(values, now)
                case Special.ACK if self._awaiting is _Awaiting.ACK:
                    self._await(_Awaiting.ANSWER, now + _ANSWER_S)
                case Special.DAMAGED if has_asked:
                    inputs += self._ask_again(now)
                case Special.ERROR if has_asked:  # it could not read the command, or has lost its settings
                    self._step = _Step.SAM
                    inputs += self._retry(now)
        return inputs

    def tick(self, now: float) -> list[Input]:
        """Send the next command if it is due, or repeat one that was not answered in time."""
        if now < self.due:
            return []
        if self._awaiting is _Awaiting.TURN:
            self._ask(now)
            return []
        return self._retry(now)

    def _ask(self, now: float) -> None:
        """Send the command of this step. The SAM step begins with the preamble that wakes a sleeping chip."""
        if self._step is _Step.SAM:
            self._out += _WAKE
        self._out += command(*self._step.value)
        self._refused = 0
        self._await(_Awaiting.ACK, now + _ACK_S)

    def _ask_again(self, now: float) -> list[Input]:
        """Ask again for a damaged answer: the chip still has it, and repeats it after a NACK (6.2.1.4)."""
        self._garbled = True
        self._refused += 1
        if self._refused >= _TRIES:
            return self._retry(now)
        self._out += NACK
        self._await(_Awaiting.ANSWER, now + _ANSWER_S)
        return []

    def _retry(self, now: float) -> list[Input]:
        """Repeat the command. After the third time start again: the chip was switched off or unplugged."""
        self._garbled = self._garbled or self._frames.half
        self._frames.forget()
        self._tries += 1
        failed: list[Input] = []
        if self._tries >= _TRIES:
            self._tries = 0
            if self._step is _Step.SAM:
                self.link = LinkState.SILENT
                self._await(_Awaiting.TURN, now + _AGAIN_S)
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
        match numbers(values):
            case None:
                return [ReadFailed(self._reader)]
            case ():
                return []
            case (uid,):
                return [TagRead(uid, self._reader)]
            case uids:
                return [TagsTogether(uids, self._reader)]

    def _await(self, what: _Awaiting, until: float) -> None:
        self._awaiting, self.due = what, until


def numbers(values: bytes) -> tuple[str, ...] | None:
    """The numbers of the tags in an answer to InListPassiveTarget, upper-case hex; None if it is malformed (7.3.5).

    >>> numbers(bytes.fromhex("01 01 00 04 08 04 12 34 56 78"))
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
