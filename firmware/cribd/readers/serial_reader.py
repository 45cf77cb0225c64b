"""Runs a reader on a serial port, USB or UART.

The reader may be unplugged and plugged in at any time.
Bytes go to a `Decoder` and come from it. It never asks for `in_waiting`, which raises plain OSError after an unplug
where read and write raise pyserial's own. A port is opened in a thread, since a USB converter takes milliseconds;
reading and writing never block.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import termios
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from math import isfinite
from typing import Any

from cribboard.validation import Message
from cribd.causes import cause
from cribd.clock import Clock
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.readers import Decoder, LinkState
from cribd.readers.barcode import BarcodeScanner
from cribd.readers.pn532 import Pn532
from cribd.readers.ports import Ports
from cribd.readers.rdm6300 import Rdm6300
from cribd.wires import ReaderKind, ReaderWire

_NO_ANSWER = Message("reader.no_answer", "the port is open, but nothing answers")
_TAG_DECODERS: Mapping[ReaderKind, Callable[[str], Decoder]] = {ReaderKind.RDM6300: Rdm6300, ReaderKind.PN532: Pn532}


def decoder_of(wire: ReaderWire) -> Decoder:
    """Make the decoder for a configured reader."""
    if wire.kind is ReaderKind.SCANNER:
        return BarcodeScanner(wire.name, prefix=wire.prefix, suffix=wire.suffix)
    return _TAG_DECODERS[wire.kind](wire.name)


def attach(wire: ReaderWire, ports: Ports, *, clock: Clock, report: Callable[[list[Input]], None]) -> SerialReader:
    """Make the `SerialReader` of a reader, without opening its port."""
    return SerialReader(wire.name, ports, baud=wire.baud, decoder=lambda: decoder_of(wire), clock=clock, report=report)


@dataclass(eq=False)
class SerialReader:
    """Runs the decoder of a reader, and reports the inputs.

    Wiring: a USB scanner set to serial (CDC), or a 3.3 V UART on GPIO 14 and 15. A 5 V part needs a divider.

    `decoder` makes a new one for each connection, so that half a line from before never joins one from after. `report`
    is called on the loop. A port that cannot be opened is tried every `retry_s` seconds. A port that cannot be opened,
    and a reader that does not answer, give `Fault(READER_SILENT)` with the reader's name, once, and `FaultCleared`
    afterwards.
    """

    name: str
    ports: Ports
    _: KW_ONLY
    decoder: Callable[[], Decoder]
    clock: Clock
    report: Callable[[list[Input]], None]
    baud: int = 9600
    retry_s: float = 1.0
    _silent: bool = field(default=False, init=False)

    async def run(self) -> None:
        """Read the port until cancelled."""
        while True:
            try:
                port = await self.clock.run_in_thread(self._open)
                try:
                    await _Connection(port, self.decoder(), self.clock, self._handle).run()
                finally:
                    with contextlib.suppress(OSError):  # it is unplugged: nothing is left to close
                        port.close()
            except (OSError, termios.error) as error:
                self._handle(LinkState.SILENT, [], cause(error))
                await self.clock.sleep(self.retry_s)

    def _open(self) -> Any:
        from serial import Serial, SerialException

        path = self.ports.find(self.name)
        try:
            port = Serial(path, self.baud, timeout=0, exclusive=True)
        except SerialException as error:
            if error.errno is None:
                raise
            raise OSError(error.errno, os.strerror(error.errno), path) from error
        self.ports.note(self.name, path)
        return port

    def _handle(self, link: LinkState, inputs: list[Input], why: str = _NO_ANSWER) -> None:
        """Report the inputs, and a change of the link."""
        match link:
            case LinkState.SILENT if not self._silent:
                self._silent = True
                inputs = [*inputs, Fault(FaultKind.READER_SILENT, self.name, why)]
            case LinkState.ANSWERING if self._silent:
                self._silent = False
                inputs = [FaultCleared(FaultKind.READER_SILENT, self.name), *inputs]
        if inputs:
            self.report(inputs)


class _Connection:
    """One connection with a reader, until the reader is unplugged.

    `report` receives the state of the link and the inputs."""

    def __init__(
        self, port: Any, decoder: Decoder, clock: Clock, report: Callable[[LinkState, list[Input]], None]
    ) -> None:
        self._port = port
        self._number: int = port.fileno()
        self._decoder = decoder
        self._clock = clock
        self._report = report
        self._unplugged: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._due = 0.0
        self._alarm: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Read until the reader is unplugged. Raises the port's OSError."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._number, self._readable)
        try:
            self._tick()
            await self._unplugged
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
        self._handle_decoded(self._decoder.feed(data, self._clock.now()))

    def _tick(self) -> None:
        self._handle_decoded(self._decoder.tick(self._clock.now()))

    def _handle_decoded(self, inputs: list[Input]) -> None:
        """Report the inputs, and do what the decoder asks for."""
        if data := self._decoder.to_send():
            try:
                with contextlib.suppress(BlockingIOError):  # the buffer is full: the decoder sends it again
                    os.write(self._number, data)
            except OSError as error:
                self._lost(error)
        self._report(self._decoder.link, inputs)
        due = self._decoder.due
        if due != self._due and not self._unplugged.done():
            self._due = due
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = asyncio.create_task(self._wake(due), name="reader's alarm") if isfinite(due) else None

    async def _wake(self, due: float) -> None:
        await self._clock.sleep(due - self._clock.now())
        self._alarm = None
        self._due = 0.0
        self._tick()

    def _lost(self, error: OSError) -> None:
        asyncio.get_running_loop().remove_reader(self._number)
        if not self._unplugged.done():
            self._unplugged.set_exception(error)
