"""The line protocol of a barcode scanner: each scan is one line of text.

Never judges what was read: `CardRead` carries the text, card or not. A line ends with CR, LF or CRLF, as scanners can
be set; an empty line is none. Most scanners can put a prefix before the code (an AIM identifier, STX) and a suffix
behind it: both are taken off where they stand.
"""

from __future__ import annotations

from cribd.inputs import CardRead, Input


class Lines:
    """Bytes of a scanner become `CardRead`, one for each line.

    Bytes that are no text come as U+FFFD, each. Of a line longer than `longest` bytes only the beginning is kept, and
    "…" after it says so: no card is so long, and no scanner can fill the memory.
    """

    def __init__(self, reader: str = "reader", *, prefix: str = "", suffix: str = "", longest: int = 64) -> None:
        self._reader = reader
        self._prefix = prefix
        self._suffix = suffix
        self._longest = longest
        self._line = bytearray()
        self._cut = ""

    def feed(self, data: bytes) -> list[Input]:
        """Take some bytes; give a fact for each line that ended in them."""
        facts: list[Input] = []
        pieces = data.replace(b"\r", b"\n").split(b"\n")
        for number, piece in enumerate(pieces):
            if number:
                facts += self._end()
            self._line += piece
            if len(self._line) > self._longest:
                del self._line[self._longest :]
                self._cut = "…"
        return facts

    def _end(self) -> list[Input]:
        text = self._line.decode("ascii", "replace").removeprefix(self._prefix)
        text = text if self._cut else text.removesuffix(self._suffix)
        text = text.strip(" \t") + self._cut
        self._line.clear()
        self._cut = ""
        return [CardRead(text, self._reader)] if text else []
