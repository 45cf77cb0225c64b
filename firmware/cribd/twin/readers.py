"""What hangs on the serial wires: the chips of the readers, in their time.

Between the lines, which know bytes and speed, and the chips, which know frames. A scanner speaks when a label is held
before it; tag readers work by themselves while `run` is awaited, on the loop, in whatever time the clock keeps. Never
knows what a card means.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol

from cribd.clock import Clock
from cribd.twin.chips import pn532, rdm6300
from cribd.twin.uart import SerialLine
from cribd.wires import ReaderKind, ReaderWire


class TagReader(Protocol):
    """A reader with a field that tags are laid in. `lay` may be called from any thread."""

    def lay(self, uids: tuple[str, ...]) -> None: ...

    async def run(self) -> None: ...


class Readers:
    """All readers of one twin, by their names."""

    def __init__(self, wires: Sequence[ReaderWire], clock: Clock, line: Callable[[str], SerialLine]) -> None:
        self.wires = {wire.name: wire for wire in wires}
        self._clock = clock
        self._line = line
        self._tags: dict[str, TagReader] = {}
        for wire in wires:
            match wire.kind:
                case ReaderKind.RDM6300:
                    self._tags[wire.name] = _Rdm6300(line(wire.name), clock)
                case ReaderKind.PN532:
                    self._tags[wire.name] = _Pn532(line(wire.name))

    def lay(self, reader: str, uids: tuple[str, ...]) -> None:
        """These tags, and no others, lie before the reader now. ValueError if it reads no tags."""
        if reader not in self._tags:
            raise ValueError(f"{reader!r} reads no tags: those that do are {', '.join(self._tags) or 'none'}")
        self._tags[reader].lay(uids)

    async def run(self) -> None:
        """Let the tag readers work, until cancelled."""
        if self._tags:
            await asyncio.gather(*(reader.run() for reader in self._tags.values()))


class _Bell:
    """Wakes the loop from any thread. What rings before anybody listens is heard then."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set() if self._loop is None else self._from_any_thread(self._loop)

    def _from_any_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._rung.set)

    async def wait(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._rung.wait()
        self._rung.clear()


class _Rdm6300:
    """Sends again and again while a tag lies there, whoever listens."""

    def __init__(self, line: SerialLine, clock: Clock) -> None:
        self._line = line
        self._clock = clock
        self._chip = rdm6300.Rdm6300()
        self._laid = _Bell()

    def lay(self, uids: tuple[str, ...]) -> None:
        self._chip.lay(uids)
        self._laid.ring()

    async def run(self) -> None:
        while True:
            while frame := self._chip.frame():
                await self._line.say(frame)
                await self._clock.sleep(rdm6300.PAUSE_S)
            await self._laid.wait()


class _Pn532:
    """Listens, and answers. Its power comes through its plug."""

    def __init__(self, line: SerialLine) -> None:
        self._line = line
        self._usual_baud = line.baud
        self._chip = pn532.Pn532()
        self._news = _Bell()
        self._field: tuple[str, ...] = ()
        self._laid = False
        self._watched: int | None = None
        line.on_plug = self._plugged

    def lay(self, uids: tuple[str, ...]) -> None:
        self._field, self._laid = uids, True
        self._news.ring()

    def _plugged(self, number: int | None) -> None:
        """The plug was put in, or is about to be pulled."""
        self._chip.power_on()
        self._line.baud = self._usual_baud
        if number is None:
            self._unwatch()
        self._news.ring()

    async def run(self) -> None:
        try:
            while True:
                self._watch()
                said: list[bytes] = []
                if self._laid:
                    self._laid = False
                    said += self._chip.lay(self._field)
                if self._line.read_baud == self._chip.new_baud:  # the host has said its ACK: no byte has a speed here
                    self._line.baud = self._chip.new_baud
                if heard := self._line.take():
                    said += self._chip.hear(heard)
                for frame in said:
                    await self._line.say(frame)
                if not said:
                    await self._news.wait()
        finally:
            self._unwatch()

    def _watch(self) -> None:
        number = self._line.number
        if number != self._watched and number is not None:
            asyncio.get_running_loop().add_reader(number, self._news.ring)
            self._watched = number

    def _unwatch(self) -> None:
        number, self._watched = self._watched, None
        if number is not None:
            with contextlib.suppress(RuntimeError):  # the plug is pulled after the loop has ended
                asyncio.get_running_loop().remove_reader(number)
