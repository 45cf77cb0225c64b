"""A simulated RDM6300 tag reader.

It follows its specification. It sends frames while tags are in its field, and ignores what is sent to it. Without
anti-collision several tags answer over each other: the checksum is wrong.
"""

from __future__ import annotations

from cribd.twin.chips import TagReaderChip


class Rdm6300Chip(TagReaderChip):
    """An RDM6300 whose tag numbers have ten upper-case hex digits."""

    pause_s = 0.05

    def __init__(self) -> None:
        self._field: tuple[str, ...] = ()

    def put_tags_in_field(self, uids: tuple[str, ...]) -> list[bytes]:
        """Set the tags in the field. Returns an empty list."""
        self._field = uids
        return []

    def frame(self) -> bytes:
        """Return the frame of the tag in the field, or b""."""
        if not self._field:
            return b""
        data = bytes.fromhex(self._field[0][-10:].zfill(10))
        check = 0
        for byte in data:
            check ^= byte
        if len(self._field) > 1:  # bits of others over these
            check ^= 0xFF
        return b"\x02" + data.hex().upper().encode("ascii") + f"{check:02X}".encode("ascii") + b"\x03"
