"""The readers on the twin's serial wires, with their simulated chips.

A reader of labels has no chip: it sends the bytes of the label that is shown to it. The chips of tag readers run while
`run` is awaited, on the loop, in the time of the clock.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence

from cribd.clock import Clock
from cribd.twin.chips import TagReaderChip
from cribd.twin.chips.pn532 import Pn532Chip
from cribd.twin.chips.rdm6300 import Rdm6300Chip
from cribd.twin.uart import SerialLine
from cribd.wires import ReaderKind, ReaderWire

#: How often a chip looks at its line. Bytes of the host wake it at once; but in virtual time seconds pass until the
#: kernel has delivered a byte, unless somebody waits for it.
_LOOKS_S = 0.005

CHIPS: Mapping[ReaderKind, type[TagReaderChip]] = {ReaderKind.RDM6300: Rdm6300Chip, ReaderKind.PN532: Pn532Chip}


class Readers:
    """The readers of one twin, by name."""

    def __init__(self, wires: Sequence[ReaderWire], clock: Clock, line: Callable[[str], SerialLine]) -> None:
        self.wires = {wire.name: wire for wire in wires}
        self._tag_readers = {
            wire.name: _TagReader(CHIPS[wire.kind](), line(wire.name), clock) for wire in wires if wire.kind.reads_tags
        }

    def put_tags_in_field(self, reader: str, uids: tuple[str, ...]) -> None:
        """Replace the tags in the reader's field. Raises ValueError if the reader reads no tags."""
        if reader not in self._tag_readers:
            raise ValueError(f"{reader!r} reads no tags: those that do are {', '.join(self._tag_readers) or 'none'}")
        self._tag_readers[reader].put_tags_in_field(uids)

    async def run(self) -> None:
        """Run the tag readers until cancelled."""
        await asyncio.gather(*(reader.run() for reader in self._tag_readers.values()))


class _TagReader:
    """A tag reader on a serial line.

    `put_tags_in_field` may be called from any thread.
    """

    def __init__(self, chip: TagReaderChip, line: SerialLine, clock: Clock) -> None:
        self._chip = chip
        self._line = line
        self._clock = clock
        self._default_baud = line.baud
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._field: tuple[str, ...] = ()
        self._laid = False
        self._watched: int | None = None
        line.on_plug = self._plugged

    def put_tags_in_field(self, uids: tuple[str, ...]) -> None:
        self._field, self._laid = uids, True
        self._wake()

    def _wake(self) -> None:
        if self._loop is not None:  # else `run` sees the change when it begins
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._changed.set)

    async def run(self) -> None:
        self._loop = asyncio.get_running_loop()
        running = True

        def look() -> bool:
            if running:
                self._clock.call_later(_LOOKS_S, look)
            return self._line.settle()

        look()
        try:
            while True:
                self._watch()
                frames = self._answers()
                for frame in frames:
                    await self._line.send_async(frame)
                if unasked := self._chip.frame():
                    await self._line.send_async(unasked)
                    await self._clock.sleep(self._chip.pause_s)
                elif not frames:
                    await self._changed.wait()
                    self._changed.clear()
        finally:
            running = False
            self._unwatch()

    def _answers(self) -> list[bytes]:
        """Return the chip's answers to changed tags and received bytes."""
        frames: list[bytes] = []
        if self._laid:
            self._laid = False
            frames += self._chip.put_tags_in_field(self._field)
        if self._line.read_baud == self._chip.new_baud:  # the host has sent its ACK: no byte has a speed here
            self._line.baud = self._chip.new_baud
        if data := self._line.receive():
            frames += self._chip.receive(data)
        return frames

    def _plugged(self, number: int | None) -> None:
        """Reset the chip when it is plugged in or unplugged.

        `number` is the file descriptor of the reader's end; None before the plug is pulled."""
        self._chip.power_on()
        self._line.baud = self._default_baud
        if number is None:
            self._unwatch()
        self._wake()

    def _watch(self) -> None:
        number = self._line.number
        if number != self._watched and number is not None:
            asyncio.get_running_loop().add_reader(number, self._changed.set)
            self._watched = number

    def _unwatch(self) -> None:
        number, self._watched = self._watched, None
        if number is not None:
            with contextlib.suppress(RuntimeError):  # the plug is pulled after the loop has ended
                asyncio.get_running_loop().remove_reader(number)
