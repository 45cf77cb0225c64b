"""A PN532 at its HSU from NXP's user manual UM0701-02: bytes in, bytes out, and a field with tags.

Knows no wire, no time and no card. It sleeps after power-on until two bytes of 55 wake it, and then takes no command
but SAMConfiguration before it was given one (low battery mode). It acknowledges a whole command and answers it; an
answer is said again at a NACK, and an ACK ends a command that is under way. What it cannot read it does not
acknowledge; a command that it does not know gets the error frame. Looking for tags with retries without end, it answers
when one is laid down.
"""

from __future__ import annotations

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"
ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"

FIRMWARE = bytes((0x32, 0x01, 0x06, 0x07))
MOST_TARGETS = 2
FOR_EVER = 0xFF

_FROM_HOST, _TO_HOST = 0xD4, 0xD5
_SAM, _LIST = 0x14, 0x4A
_RF_RETRIES = 5
_LONGEST = 300


class Pn532:
    """The chip behind its serial port."""

    def __init__(self) -> None:
        self._field: tuple[str, ...] = ()
        self.power_on()

    def power_on(self) -> None:
        """Asleep, with everything forgotten. What lies in the field lies there still."""
        self._awake = False
        self._ready = False
        self._retries = FOR_EVER
        self._heard = bytearray()
        self._last = b""
        self._looking = 0

    def lay(self, uids: tuple[str, ...]) -> list[bytes]:
        """These tags lie in the field now; it answers if it was looking for them."""
        self._field = uids
        if uids and self._looking:
            return [self._found(self._looking)]
        return []

    def hear(self, data: bytes) -> list[bytes]:
        """Bytes from the host; give what is said to them, frame by frame."""
        self._heard += data
        if not self._awake:
            at = self._heard.find(b"\x55\x55")
            if at < 0:
                del self._heard[:-1]
                return []
            self._awake = True
            del self._heard[: at + 2]
        said: list[bytes] = []
        while (frame := self._next()) is not None:
            said += self._obey(frame)
        return said

    def _next(self) -> bytes | None:
        """The next whole frame, from its length on: empty for an ACK, one byte FF for a NACK. None if there is none.

        What is no frame is let fall."""
        heard = self._heard
        while True:
            at = heard.find(b"\x00\xff")
            if at < 0:
                del heard[:-1]
                return None
            if len(heard) < at + 4:
                return None
            length, check = heard[at + 2], heard[at + 3]
            if (length, check) in ((0x00, 0xFF), (0xFF, 0x00)):
                del heard[: at + 4]
                return b"" if length == 0 else b"\xff"
            if (length + check) % 256 or length < 2:
                del heard[: at + 2]
                continue
            end = at + 4 + length
            if len(heard) <= end:
                if len(heard) > _LONGEST:
                    del heard[: at + 2]
                    continue
                return None
            body, data_check = bytes(heard[at + 4 : end]), heard[end]
            del heard[: end + 1]
            if (sum(body) + data_check) % 256 == 0 and body[0] == _FROM_HOST:
                return body

    def _obey(self, frame: bytes) -> list[bytes]:
        if frame == b"":
            self._looking = 0
            return []
        if frame == b"\xff":
            return [self._last] if self._last else []
        self._looking = 0
        code, values = frame[1], frame[2:]
        if not self._ready and code != _SAM:
            return []
        return [ACK, *self._answers(code, values)]

    def _answers(self, code: int, values: bytes) -> list[bytes]:
        match code:
            case 0x02:
                return [self._say(code, FIRMWARE)]
            case 0x14 if values[:1] == b"\x01":
                self._ready = True
                return [self._say(code, b"")]
            case 0x32 if len(values) == 4 and values[0] == _RF_RETRIES:
                self._retries = values[3]
                return [self._say(code, b"")]
            case 0x4A if len(values) >= 2 and 1 <= values[0] <= MOST_TARGETS and values[1] == 0:
                if not self._field and self._retries == FOR_EVER:
                    self._looking = values[0]
                    return []
                return [self._found(values[0])]
        self._last = ERROR
        return [ERROR]

    def _found(self, most: int) -> bytes:
        self._looking = 0
        targets = self._field[:most]
        said = bytes((len(targets),))
        for number, uid in enumerate(targets, start=1):
            said += _target(number, bytes.fromhex(uid))
        return self._say(_LIST, said)

    def _say(self, code: int, values: bytes) -> bytes:
        body = bytes((_TO_HOST, code + 1)) + values
        length = len(body)
        self._last = b"\x00\x00\xff" + bytes((length, 256 - length)) + body + bytes((-sum(body) % 256, 0))
        return self._last


def _target(number: int, uid: bytes) -> bytes:
    """Tg, SENS_RES, SEL_RES, NFCIDLength, NFCID1; and ATS where the tag is one of ISO/IEC 14443-4: of ten bytes."""
    sens_res, sel_res, ats = {
        4: (b"\x00\x04", 0x08, b""),
        7: (b"\x00\x44", 0x00, b""),
        10: (b"\x03\x44", 0x20, b"\x05\x75\x77\x81\x02"),
    }[len(uid)]
    return bytes((number,)) + sens_res + bytes((sel_res, len(uid))) + uid + ats
