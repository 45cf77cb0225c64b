"""A club with a real mosquitto: a hub, boards that it has paired, and Debian's mosquitto_pub and mosquitto_sub."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from cribd.clock import Clock, SystemClock
from cribd.club.broker import CONFIGURATION, Broker
from cribd.club.certificates import board_certificate, hub_certificate, tls_to_hub
from cribd.club.keys import ClubKey, load_or_make

#: A command that waits longer has been refused, or hangs.
PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine with its key and a certificate, which may be one that no club has made."""

    key: ClubKey
    certificate: str

    @property
    def id(self) -> str:
        return self.key.id

    @property
    def up(self) -> str:
        return f"cribboard/1/{self.id}/up"

    @property
    def down(self) -> str:
        return f"cribboard/1/{self.id}/down"

    @property
    def online(self) -> str:
        return f"cribboard/1/{self.id}/online"

    def certificate_file(self) -> Path:
        file = self.key.file.with_name("certificate.pem")
        file.write_text(self.certificate, encoding="ascii")
        return file


def make_key(folder: Path) -> ClubKey:
    """A key in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    return load_or_make(folder / "journal.db")


def free_port() -> int:
    """A port below those that the kernel gives to whoever connects, so that nobody takes it before the broker does."""
    while True:
        port = secrets.choice(range(12_000, 32_000))
        with suppress(OSError), socket.create_server(("", port)):
            return port


@dataclass(slots=True)
class Club:
    """A hub with its broker, and boards by their names."""

    folder: Path
    port: int = field(default_factory=free_port)
    said: list[str] = field(default_factory=list)
    environment: dict[str, str] | None = None
    clock: Clock = field(default_factory=SystemClock)

    def __post_init__(self) -> None:
        key = make_key(self.folder / "hub")
        self.hub = Machine(key, hub_certificate(key))
        self.boards = dict[str, Machine]()
        self.broker = Broker(key, self.folder / "broker", self.clock, self.said.append, port=self.port)

    hub: Machine = field(init=False)
    boards: dict[str, Machine] = field(init=False)
    broker: Broker = field(init=False)

    def pair(self, name: str) -> Machine:
        """A board with a certificate of the hub."""
        key = make_key(self.folder / name)
        self.boards[name] = Machine(key, board_certificate(self.hub.key, key.id))
        return self.boards[name]

    def remove(self, *names: str) -> None:
        """These boards are removed, and no others."""
        self.broker.revoke(self.boards[name].id for name in names)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The broker, from when it answers."""
        running = asyncio.create_task(self.broker.run())
        try:
            await self.answers()
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def answers(self) -> None:
        """Wait until the broker listens."""
        for _ in range(int(PATIENCE_S / 0.02)):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.02)
                continue
            writer.close()
            return
        raise AssertionError(self.said)

    def options(self, machine: Machine | None) -> list[str]:
        """What mosquitto_pub and mosquitto_sub are told; without a machine they show no certificate."""
        own = self.hub.certificate_file()
        asked = ["-h", "127.0.0.1", "-p", str(self.port), "--cafile", str(own), "--insecure"]
        if machine is not None:
            asked += ["--cert", str(machine.certificate_file()), "--key", str(machine.key.file)]
        return asked

    async def run(self, program: str, machine: Machine | None, *options: str) -> tuple[int, str]:
        """Run one of Debian's programs to its end. Returns its exit code and what it says."""
        process = await self.start(program, machine, *options)
        async with asyncio.timeout(PATIENCE_S):
            out, _ = await process.communicate()
        return process.returncode or 0, out.decode(errors="replace")

    async def start(self, program: str, machine: Machine | None, *options: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *("stdbuf", "-oL", program),  # a line at once, also into a pipe
            *self.options(machine),
            *options,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=self.environment,
        )

    async def publish(self, machine: Machine | None, topic: str, text: str, *options: str) -> tuple[int, str]:
        return await self.run("mosquitto_pub", machine, "-q", "1", "-t", topic, "-m", text, *options)

    async def read(self, machine: Machine | None, *topics: str, seconds: int = 1) -> list[str]:
        """What a machine gets within so many seconds, as "topic text"."""
        asked = [word for topic in topics for word in ("-t", topic)]
        _, said = await self.run("mosquitto_sub", machine, "-v", "-q", "1", "-W", str(seconds), *asked)
        return [line for line in said.splitlines() if line.startswith(("cribboard/", "$SYS/"))]

    @asynccontextmanager
    async def listening(self, machine: Machine, topic: str) -> AsyncIterator[asyncio.StreamReader]:
        """What a machine gets on a topic, a line each, from when it is connected."""
        process = await self.start("mosquitto_sub", machine, "-d", "-q", "1", "-t", topic)
        assert process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while b"Subscribed" not in (line := await process.stdout.readline()):
                    assert line, "the connection was refused"
            yield process.stdout
        finally:
            if process.returncode is None:
                process.terminate()
            async with asyncio.timeout(PATIENCE_S):
                await process.communicate()

    @asynccontextmanager
    async def connected(self, machine: Machine) -> AsyncIterator[asyncio.StreamReader]:
        """The bare connection of a machine: it ends when the broker ends it, and nobody makes it again."""
        tls = tls_to_hub(machine.key, machine.certificate, self.hub.certificate)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=tls)
        writer.write(b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x3c\x00\x01x")  # CONNECT of MQTT 3.1.1
        assert await reader.readexactly(4) == b"\x20\x02\x00\x00"  # CONNACK
        yield reader
        writer.close()


async def line_with(text: str, reader: asyncio.StreamReader) -> str:
    """Wait for a line with this text. Returns all lines up to it."""
    said = ""
    async with asyncio.timeout(PATIENCE_S):
        while text not in said:
            line = await reader.readline()
            assert line, f"the connection ended before {text!r}, after {said!r}"
            said += line.decode(errors="replace")
    return said


def pids(club: Club) -> list[int]:
    """The mosquittos that run with the configuration of this club."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes().split(b"\0")
            if command[0] != b"setpriv" and str(club.folder / "broker" / CONFIGURATION).encode() in command:
                found.append(int(process.name))
    return found
