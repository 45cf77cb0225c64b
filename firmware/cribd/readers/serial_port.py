"""A reader on a serial port, USB or UART: it may be pulled out and put back at any time.

Never decodes, and never looks at `in_waiting`, which raises plain OSError after an unplug where read and write raise
pyserial's own. Opening is done aside, since a USB converter takes its milliseconds; to read and to write wait
for nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import termios
from collections.abc import Callable
from math import isfinite
from typing import Any

from cribd.clock import Clock
from cribd.inputs import Fault, Input, Kind, Mended
from cribd.readers import Conversation, Hearing
from cribd.wires import Wires


class SerialReader:
    """Holds the conversation with a reader on its port, and hands on the facts that come of it.

    Wiring: a USB scanner set to serial (CDC), or a 3.3 V UART on GPIO 14 and 15. A 5 V part needs a divider.

    `conversation` makes a new one for each connection, so that half a line from before never joins one from after.
    `tell` is called on the loop. While the port cannot be had, it is tried every `again_s` seconds. A port that cannot
    be had, and a reader that does not answer, are `Fault(READER_SILENT)` with the reader's name, once, and `Mended`
    when it is back.
    """

    def __init__(
        self,
        name: str,
        wires: Wires,
        *,
        baud: int = 9600,
        conversation: Callable[[], Conversation],
        clock: Clock,
        tell: Callable[[list[Input]], None],
        again_s: float = 1.0,
    ) -> None:
        self._name = name
        self._wires = wires
        self._baud = baud
        self._conversation = conversation
        self._clock = clock
        self._tell = tell
        self._again = again_s
        self._silent = False

    async def run(self) -> None:
        """Talk until cancelled."""
        while True:
            try:
                port = await self._clock.run_in_thread(self._open)
                try:
                    await _Connection(port, self._conversation(), self._clock, self._heard).last()
                finally:
                    with contextlib.suppress(OSError):  # it has gone: there is nothing left to close
                        port.close()
            except (OSError, termios.error):
                self._heard(Hearing.SILENT, [])
                await self._clock.sleep(self._again)

    def _open(self) -> Any:
        from serial import Serial

        return Serial(self._wires.serial(self._name), self._baud, timeout=0, exclusive=True)

    def _heard(self, hearing: Hearing, facts: list[Input]) -> None:
        """Hand on what was read, and whether anybody is there if that is news."""
        match hearing:
            case Hearing.SILENT if not self._silent:
                self._silent = True
                facts = [*facts, Fault(Kind.READER_SILENT, self._name)]
            case Hearing.ANSWERS if self._silent:
                self._silent = False
                facts = [Mended(Kind.READER_SILENT, self._name), *facts]
        if facts:
            self._tell(facts)


class _Connection:
    """One plug, from its being put in to its being pulled. `heard` is told who answers, and what was read."""

    def __init__(
        self, port: Any, conversation: Conversation, clock: Clock, heard: Callable[[Hearing, list[Input]], None]
    ) -> None:
        self._port = port
        self._number: int = port.fileno()
        self._conversation = conversation
        self._clock = clock
        self._heard = heard
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._due = 0.0
        self._alarm: asyncio.Task[None] | None = None

    async def last(self) -> None:
        """Talk as long as the plug is in. Ends only by the OSError of a port that has gone."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._number, self._readable)
        try:
            self._ticked()
            await self._gone
        finally:
            loop.remove_reader(self._number)
            if self._alarm is not None:
                self._alarm.cancel()

    def _readable(self) -> None:
        try:
            data = self._port.read(4096)
        except OSError as error:
            self._lost(error)
            return
        self._after(self._conversation.feed(data, self._clock.now()))

    def _ticked(self) -> None:
        self._after(self._conversation.tick(self._clock.now()))

    def _after(self, facts: list[Input]) -> None:
        """Say what is to be said now, hand on what was read, and come back when it is time."""
        if said := self._conversation.to_send():
            try:
                with contextlib.suppress(BlockingIOError):  # nobody takes it: it will be said again
                    os.write(self._number, said)
            except OSError as error:
                self._lost(error)
        self._heard(self._conversation.hearing, facts)
        due = self._conversation.due
        if due != self._due and not self._gone.done():
            self._due = due
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = asyncio.create_task(self._wake(due), name="reader's alarm") if isfinite(due) else None

    async def _wake(self, due: float) -> None:
        await self._clock.sleep(due - self._clock.now())
        self._alarm = None
        self._due = 0.0
        self._ticked()

    def _lost(self, error: OSError) -> None:
        asyncio.get_running_loop().remove_reader(self._number)
        if not self._gone.done():
            self._gone.set_exception(error)
