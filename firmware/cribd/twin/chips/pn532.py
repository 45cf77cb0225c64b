"""A simulated PN532 tag reader (NXP's manual UM0701-02).

The chip sleeps after power-on until its line has five rising edges: one byte of 55 has them, or five of 00. Edges of
other bytes are not counted, so that no driver can rely on a frame that wakes it; the manual does not say how much of
such a frame is lost. It looks for no tag before SAMConfiguration has brought it out of low battery mode; drivers ask
its version and configure it before that. It acknowledges a whole command and answers it; an answer is repeated after a
NACK, and an ACK aborts a running command. What it cannot read it does not acknowledge; a command that it does not know
gets the error frame. Looking for tags with retries without end, it answers when one is laid down.

It answers what drivers send at their start and their end, and the look for tags, of which all here are of type A. How
its radio is set changes nothing, and a register reads what was written to it, 0 before. The rest (data exchange with a
tag, being a target, GPIO) gets the error frame: a board reads the number of a tag and nothing else.
"""

from __future__ import annotations

from cribd.twin.chips import TagReaderChip

ACK = b"\x00\x00\xff\x00\xff\x00"
ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"

FIRMWARE = bytes((0x32, 0x01, 0x06, 0x07))
MOST_TARGETS = 2
FOR_EVER = 0xFF

#: The speed of its line, by the code that SetSerialBaudRate has for it (7.2.8).
BAUDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)

_FROM_HOST, _TO_HOST = 0xD4, 0xD5
_LIST = 0x4A
_TYPE_A, _LAST_TYPE = 0, 4
_RF_RETRIES = 5
#: How many bytes each item of RFConfiguration takes (7.3.1).
_RF_ITEMS = {0x01: 1, 0x02: 3, 0x04: 1, _RF_RETRIES: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9}
#: GetGeneralStatus: no error, no field, no target, and a SAM that is not there (7.2.3).
_STATUS = bytes((0x00, 0x00, 0x00, 0x80))
_WAKING_EDGES = 5
_EDGES = {0x00: 1, 0x55: 5}  # rising, from the start bit to the stop bit
_MOST_SAID = 265  # TFI, the code, and what an extended frame can carry (6.2.1.2)
_LONGEST = 300


class Pn532Chip(TagReaderChip):
    """The PN532 chip, with its serial port and its field."""

    def __init__(self) -> None:
        self._field: tuple[str, ...] = ()
        self.power_on()

    def power_on(self) -> None:
        """Turn the power on: reset everything, but keep the tags."""
        self.new_baud = None  # what the host asked for; it holds from the host's ACK on
        self._ready = False
        self._retries = FOR_EVER
        self._registers: dict[bytes, int] = {}
        self._last = b""
        self._looking = 0
        self._sleep()

    def _sleep(self) -> None:
        self._awake = False
        self._edges = 0
        self._buffer = bytearray()

    def put_tags_in_field(self, uids: tuple[str, ...]) -> list[bytes]:
        """Set the tags, and return the answer to a running search."""
        self._field = uids
        if uids and self._looking:
            return [self._found(self._looking)]
        return []

    def receive(self, data: bytes) -> list[bytes]:
        """Accept bytes from the host, and return the answers."""
        self._buffer += data if self._awake else self._wake(data)
        answers: list[bytes] = []
        while (frame := self._next()) is not None:
            answers += self._obey(frame)
        return answers

    def _wake(self, data: bytes) -> bytes:
        """Count signal edges, and return the bytes after the wake-up."""
        for at, byte in enumerate(data, start=1):
            self._edges = self._edges + _EDGES[byte] if byte in _EDGES else 0
            if self._edges >= _WAKING_EDGES:
                self._awake = True
                return data[at:]
        return b""

    def _next(self) -> bytes | None:
        """Return the data of the next complete frame, or None.

        The data begin with byte TFI. An ACK gives b"", a NACK one byte FF. Other bytes are dropped."""
        buffer = self._buffer
        while True:
            at = buffer.find(b"\x00\xff")
            if at < 0:
                del buffer[:-1]
                return None
            if len(buffer) < at + 4:
                return None
            length, check = buffer[at + 2], buffer[at + 3]
            if (length, check) in ((0x00, 0xFF), (0xFF, 0x00)):
                del buffer[: at + 4]
                return b"" if length == 0 else b"\xff"
            begin = at + 4
            if (length, check) == (0xFF, 0xFF):  # extended: two bytes of length and their check
                if len(buffer) < at + 7:
                    return None
                length, check, begin = buffer[at + 4] << 8 | buffer[at + 5], sum(buffer[at + 4 : at + 7]), at + 7
            else:
                check += length
            if check % 256 or not 2 <= length <= _MOST_SAID:
                del buffer[: at + 2]
                continue
            end = begin + length
            if len(buffer) <= end:
                if len(buffer) > _LONGEST:
                    del buffer[: at + 2]
                    continue
                return None
            body, data_check = bytes(buffer[begin:end]), buffer[end]
            del buffer[: end + 1]
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
        if not self._ready and code == _LIST:
            return []
        return [ACK, *self._answers(code, values)]

    def _answers(self, code: int, values: bytes) -> list[bytes]:
        answer = b""
        match code:
            case 0x00 if values[:1] == b"\x00":  # the line test: an echo
                answer = values
            case 0x02:
                answer = FIRMWARE
            case 0x04:
                answer = _STATUS
            case 0x06 if values and len(values) % 2 == 0:
                places = [values[at : at + 2] for at in range(0, len(values), 2)]
                answer = bytes(self._registers.get(place, 0) for place in places)
            case 0x08 if values and len(values) % 3 == 0:
                self._registers |= {values[at : at + 2]: values[at + 2] for at in range(0, len(values), 3)}
            case 0x10 if len(values) == 1 and values[0] < len(BAUDS):
                self.new_baud = BAUDS[values[0]]
            case 0x12 if len(values) == 1:
                pass
            case 0x14 if values[:1] == b"\x01":
                self._ready = True
            case 0x16 if len(values) in (1, 2):
                self._sleep()
                answer = b"\x00"
            case 0x32 if values and len(values) - 1 == _RF_ITEMS.get(values[0]):
                if values[0] == _RF_RETRIES:
                    self._retries = values[3]
            case 0x4A if len(values) >= 2 and 1 <= values[0] <= MOST_TARGETS and values[1] <= _LAST_TYPE:
                most = values[0] if values[1] == _TYPE_A else 0  # tags of another type are not known here
                if self._retries == FOR_EVER and not (most and self._field):
                    self._looking = most
                    return []
                return [self._found(most)]
            case _:
                self._last = ERROR
                return [ERROR]
        return [self._say(code, answer)]

    def _found(self, most: int) -> bytes:
        self._looking = 0
        targets = self._field[:most]
        data = [_target(number, bytes.fromhex(uid)) for number, uid in enumerate(targets, start=1)]
        return self._say(_LIST, bytes((len(targets), *b"".join(data))))

    def _say(self, code: int, values: bytes) -> bytes:
        body = bytes((_TO_HOST, code + 1)) + values
        size = bytes(divmod(len(body), 256)) if len(body) > 0xFF else bytes((len(body),))
        extended = b"\xff\xff" if len(body) > 0xFF else b""
        head = b"\x00\x00\xff" + extended + size + bytes((-sum(size) % 256,))
        self._last = head + body + bytes((-sum(body) % 256, 0))
        return self._last


def _target(number: int, uid: bytes) -> bytes:
    """Return the target data of a tag.

    They are Tg, SENS_RES, SEL_RES, NFCIDLength and NFCID1; for ISO/IEC 14443-4 (a UID of ten bytes) ATS follows."""
    sens_res, sel_res, ats = {
        4: (b"\x00\x04", 0x08, b""),
        7: (b"\x00\x44", 0x00, b""),
        10: (b"\x03\x44", 0x20, b"\x05\x75\x77\x81\x02"),
    }[len(uid)]
    return bytes((number,)) + sens_res + bytes((sel_res, len(uid))) + uid + ats
