"""The line protocol of a barcode scanner.

`CardRead` carries the text, card or not. A line ends with CR, LF or CRLF, as scanners can be set; empty lines are
skipped. Most scanners can put a prefix before the code (an AIM identifier, STX) and a suffix after it: both are removed
where they are present.
"""

from __future__ import annotations

from math import inf

from cribd.inputs import CardRead, Input, ReadFailed
from cribd.readers import Decoder

#: A line that is not complete after this time never will be: its rest was lost.
_LINE_S = 1.0


class BarcodeScanner(Decoder):
    """Decodes the lines of a scanner: one `CardRead` for each line.

    A line that never ends is dropped after a second (`ReadFailed`), so that the next line is read by itself.

    Each byte that is not ASCII becomes U+FFFD. A line longer than `longest` bytes is cut and ends with "…": no card is
    so long, and no scanner can fill the memory.
    """

    def __init__(self, reader: str = "reader", *, prefix: str = "", suffix: str = "", longest: int = 64) -> None:
        self._reader = reader
        self._prefix = prefix
        self._suffix = suffix
        self._longest = longest
        self._line = bytearray()
        self._cut = ""

    def feed(self, data: bytes, now: float = 0.0) -> list[Input]:
        """Return a `CardRead` for each line that these bytes complete."""
        inputs: list[Input] = []
        pieces = data.replace(b"\r", b"\n").split(b"\n")
        for number, piece in enumerate(pieces):
            if number:
                inputs += self._end()
            self._line += piece
            if len(self._line) > self._longest:
                del self._line[self._longest :]
                self._cut = "…"
        if not self._line:
            self.due = inf
        elif self.due == inf or inputs:
            self.due = now + _LINE_S
        return inputs

    def tick(self, now: float) -> list[Input]:
        """Drop a line that is overdue, and return `ReadFailed`."""
        if now < self.due:
            return []
        self._line.clear()
        self._cut, self.due = "", inf
        return [ReadFailed(self._reader)]

    def _end(self) -> list[Input]:
        text = self._line.decode("ascii", "replace").removeprefix(self._prefix)
        text = text if self._cut else text.removesuffix(self._suffix)
        text = text.strip(" \t") + self._cut
        self._line.clear()
        self._cut = ""
        return [CardRead(text, self._reader)] if text else []
