"""A cable between two programs that can be cut: a TCP proxy that carries nothing meanwhile, and closes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Cable:
    """A way to a port of this machine, by a port of its own."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._whole = asyncio.Event()
        self._whole.set()
        self.port = 0

    def cut(self) -> None:
        """Carry nothing from now on. Who is connected hears nothing of that, as when a cable is unplugged."""
        self._whole.clear()

    def join(self) -> None:
        """Carry again."""
        self._whole.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await self._whole.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
            both = [asyncio.create_task(self._carry(*ends)) for ends in ((reader, far_writer), (far_reader, writer))]
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in both:
                    task.cancel()
                await asyncio.gather(*both, return_exceptions=True)
                far_writer.close()
        writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await self._whole.wait()
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def cable(to: int) -> AsyncIterator[Cable]:
    """A cable to this port, from when it listens."""
    made = Cable(to)
    server = await asyncio.start_server(made._connect, "127.0.0.1", 0)
    made.port = int(server.sockets[0].getsockname()[1])
    try:
        yield made
    finally:
        server.close()
