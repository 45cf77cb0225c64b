"""An RDM6300 from its specification: what it sends while a tag lies in its field, and what while two do.

Knows no wire, no time and no card: a tag is its number. It listens to nobody. Without anti-collision two tags answer
over each other, and what comes of it has a checksum that is wrong.
"""

from __future__ import annotations

#: From the end of a frame to the beginning of the next, while the tag stays.
PAUSE_S = 0.05


class Rdm6300:
    """The reader with its field. A tag's number has ten digits, upper-case hex."""

    def __init__(self) -> None:
        self._field: tuple[str, ...] = ()

    def lay(self, uids: tuple[str, ...]) -> None:
        """These tags lie in the field now."""
        self._field = uids

    def frame(self) -> bytes:
        """What it sends next; nothing while its field is empty."""
        if not self._field:
            return b""
        data = bytes.fromhex(self._field[0][-10:].zfill(10))
        check = 0
        for byte in data:
            check ^= byte
        for _ in self._field[1:]:  # bits of another over these
            check ^= 0xFF
        return b"\x02" + data.hex().upper().encode("ascii") + f"{check:02X}".encode("ascii") + b"\x03"
