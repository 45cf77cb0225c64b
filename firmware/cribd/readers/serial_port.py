"""A reader on a serial port, USB or UART: it may be pulled out and put back at any time.

Never decodes, and never looks at `in_waiting`, which raises plain OSError after an unplug where read and write raise
pyserial's own. Opening is done aside, since a USB converter takes its milliseconds; reading waits for nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import termios
from collections.abc import Callable
from typing import Any

from cribd.clock import Clock
from cribd.facts import Fact, Fault, Kind, Mended
from cribd.readers import Decoder
from cribd.wires import Wires


class SerialReader:
    """Hands what the port brings to a decoder, and its facts on.

    Wiring: a USB scanner set to serial (CDC), or a 3.3 V UART on GPIO 15. A 5 V part needs a divider.

    `decoder` makes a new decoder for each connection, so that half a line from before never joins one from after.
    `tell` is called on the loop. While the port cannot be had, it is tried every `again_s` seconds: that is
    `Fault(READER_SILENT)` with the reader's name, once, and `Mended` when it is back.
    """

    def __init__(
        self,
        name: str,
        wires: Wires,
        *,
        baud: int = 9600,
        decoder: Callable[[], Decoder],
        clock: Clock,
        tell: Callable[[list[Fact]], None],
        again_s: float = 1.0,
    ) -> None:
        self._name = name
        self._wires = wires
        self._baud = baud
        self._decoder = decoder
        self._clock = clock
        self._tell = tell
        self._again = again_s
        self._silent = False

    async def run(self) -> None:
        """Read until cancelled."""
        while True:
            try:
                port = await self._clock.aside(self._open)
                try:
                    self._heard()
                    await self._read(port)
                finally:
                    with contextlib.suppress(OSError):  # it has gone: there is nothing left to close
                        port.close()
            except (OSError, termios.error):
                if not self._silent:
                    self._silent = True
                    self._tell([Fault(Kind.READER_SILENT, self._name)])
                await self._clock.sleep(self._again)

    def _open(self) -> Any:
        from serial import Serial

        return Serial(self._wires.serial(self._name), self._baud, timeout=0, exclusive=True)

    def _heard(self) -> None:
        if self._silent:
            self._silent = False
            self._tell([Mended(Kind.READER_SILENT, self._name)])

    async def _read(self, port: Any) -> None:
        """Read as bytes come. Ends only by the OSError of a port that has gone."""
        loop = asyncio.get_running_loop()
        gone: asyncio.Future[None] = loop.create_future()
        decoder = self._decoder()

        def readable() -> None:
            try:
                data = port.read(4096)
            except OSError as error:
                loop.remove_reader(number)
                if not gone.done():
                    gone.set_exception(error)
                return
            if facts := decoder.feed(data):
                self._tell(facts)

        number = port.fileno()
        loop.add_reader(number, readable)
        try:
            await gone
        finally:
            loop.remove_reader(number)
