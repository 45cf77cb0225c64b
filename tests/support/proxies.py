"""A cable that can be cut and listened at: a TCP proxy for TLS. One that is cut carries nothing and closes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

#: A record of TLS begins with a byte for its kind, two for the version, and two for the length of what follows.
_HEAD = 5


@dataclass(frozen=True, slots=True)
class Heard:
    """A record of TLS: when it passed, and how long it is."""

    at: float
    length: int


class Cable:
    """A way to a port of this machine, by a port of its own."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._whole = asyncio.Event(), asyncio.Event()
        self._tears = False
        self.join()
        self.port = 0
        self.connections = list[asyncio.Task[None]]()
        self.heard: tuple[list[Heard], list[Heard]] = [], []
        """What somebody hears who listens at the cable: what goes to the port, and what comes from it."""

    def cut(self, *, answers_only: bool = False) -> None:
        """Carry nothing from now on. Who is connected hears nothing of that, as when a cable is unplugged.

        `answers_only`: what goes to the port is carried."""
        for whole in self._whole[int(answers_only) :]:
            whole.clear()

    def tear(self) -> None:
        """Carry half of the next record to the port, and nothing after it."""
        self._tears = True

    def join(self) -> None:
        """Carry again."""
        self._tears = False
        for whole in self._whole:
            whole.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with AsyncExitStack() as both:
            both.callback(writer.close)
            for whole in self._whole:
                await whole.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
            both.callback(far_writer.close)
            ways = [
                asyncio.create_task(self._carry(*ends)) for ends in ((reader, far_writer, 0), (far_reader, writer, 1))
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await _end(ways)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(asyncio.create_task(self._connect(reader, writer)))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: int) -> None:
        with suppress(asyncio.IncompleteReadError, OSError):
            while head := await reader.readexactly(_HEAD):
                record = head + await reader.readexactly(int.from_bytes(head[3:]))
                await self._whole[way].wait()
                if self._tears and way == 0:
                    record = record[: len(record) // 2]
                    self.cut()
                self.heard[way].append(Heard(asyncio.get_running_loop().time(), len(record)))
                writer.write(record)
                await writer.drain()


@asynccontextmanager
async def cable(to: int) -> AsyncIterator[Cable]:
    """A cable to this port, from when it listens."""
    made = Cable(to)
    server = await asyncio.start_server(made._accept, "127.0.0.1", 0)
    made.port = int(server.sockets[0].getsockname()[1])
    try:
        yield made
    finally:
        server.close()
        await _end(made.connections)


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
