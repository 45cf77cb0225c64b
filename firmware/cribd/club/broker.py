"""The mosquitto of a hub: a private one with its own configuration, started, kept alive and ended with the hub.

It carries and stores nothing. Everybody who connects shows a certificate that the hub has made, is known by the key in
it, and reads and writes the topics that its lines in the access list name. docs/club-network.md has what was measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from cribboard.validation import Message
from cribd.clock import Clock, wait_for, wait_for_first
from cribd.club.certificates import hub_certificate, revocation_list
from cribd.club.keys import ClubKey, is_id
from cribd.club.transport import HUB_ONLINE, ROOT, topic

#: The registered port of MQTT over TLS.
PORT = 8883
#: A message of 64 KiB, with its topic and head. Who sends more is cut off before the broker keeps any of it.
LARGEST_PACKET = 65 * 1024
#: Boards, the hub, and as many strangers who may hold a connection until the broker ends it.
MOST_CONNECTIONS = 600
#: What the broker takes at most; past it, it cuts off who sends and who does not read.
MOST_BYTES = 128 * 1024 * 1024
#: What waits for one receiver at most: a message each of 300 boards is less.
MOST_QUEUED, MOST_QUEUED_BYTES = 1000, 32 * 1024 * 1024

CONFIGURATION, ACCESS, CERTIFICATE, REMOVED = "mosquitto.conf", "access", "hub.pem", "removed.pem"
PID = "mosquitto.pid"

#: Where Debian has it, which is in no PATH but that of root.
PLACES = ("/usr/local/sbin", "/usr/sbin")
#: Pause before a broker that has ended is started again: the first, and the longest.
_PAUSE_S, _LONGEST_PAUSE_S = 0.2, 5.0
#: One that has lived so long has started well.
_WELL_S = 10.0
#: How long systemd may take to start it.
_START_S = 5.0
#: How long a board that joins waits at most until the broker lets it in.
_TELLS_S = 3.0
#: How long it may take to end before it is killed.
_END_S = 3.0
#: mosquitto 2.0.21 crashes at the first connection when the clock has passed this second, in January 2038.
_LAST_SECOND = 2**31
#: How many different lines of the broker are passed on.
_MOST_LINES = 100


class NoBroker(Exception):  # noqa: N818 (a state of the machine, not an error of the caller)
    """There is no mosquitto here."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """Whom the broker lets in, and whose certificate it refuses: the identities of boards."""

    boards: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


class Broker:
    """Runs mosquitto as a child of this process, with its files in `folder`, which nobody else reads.

    `say` gets each different line of mosquitto once, and why it has ended. Raises `NoBroker`."""

    def __init__(
        self, key: ClubKey, folder: Path, clock: Clock, say: Callable[[str], None], *, port: int = PORT
    ) -> None:
        self._key, self._folder, self._clock, self._port = key, folder, clock, port
        self._program = find_mosquitto()
        self._say, self._said = say, set[str]()
        self._wanted, self._written = Admitted(), Admitted()
        self._changed, self._is_told = asyncio.Event(), asyncio.Event()
        self._last_line = ""

    def admit(self, boards: Collection[str], removed: Collection[str]) -> None:
        """Let these boards in, and no others. One that was let in before is cut off at once. Call it on the loop."""
        self._wanted = Admitted(frozenset(boards), frozenset(removed))
        self._is_told.clear()
        self._changed.set()

    async def told(self) -> None:
        """Wait until mosquitto is told whom to let in, but not long: it may be away.

        What others send it drops without a word."""
        await wait_for(self._is_told, _TELLS_S, self._clock)

    async def run(self) -> None:
        """Keep mosquitto running until cancelled. Raises OSError where its files cannot be written."""
        pause = _PAUSE_S
        while True:
            await self._write()
            started = self._clock.now()
            # setpriv: if the hub is killed, the kernel ends mosquitto, which would hold the port.
            command = ["setpriv", "--pdeathsig", "TERM", self._program, "-c", str(self._folder / CONFIGURATION)]
            process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
            listening = asyncio.create_task(self._listen(process))
            self._note_told()
            try:
                is_wanted = await self._serve(process)
            finally:
                await self._end(process)
                await listening
            if is_wanted:
                continue
            pause = _PAUSE_S if self._clock.now() - started > _WELL_S else min(2 * pause, _LONGEST_PAUSE_S)
            why = self._why(process.returncode)
            self._tell(Message("club.broker_ended", "The broker has ended, and starts again: {why}", why=why))
            await self._clock.sleep(pause)

    async def _serve(self, process: Process) -> bool:
        """Tell mosquitto of each change until it ends. Returns whether it ends because it has to forget a board.

        On SIGHUP it reads its lists again, and a board without lines gets nothing any more, but stays connected; so for
        a removal it starts anew."""
        while True:
            await wait_for_first(process.wait(), self._changed.wait())
            if process.returncode is not None:
                return process.returncode == -signal.SIGHUP  # it came before mosquitto was ready for it
            if await self._write():
                return True
            process.send_signal(signal.SIGHUP)
            self._note_told()

    def _note_told(self) -> None:
        if not self._changed.is_set():
            self._is_told.set()

    async def _write(self) -> bool:
        """Write what is wanted now. Returns whether mosquitto has to forget a board."""
        self._changed.clear()
        before, wanted = self._written, self._wanted
        await self._clock.run_in_thread(lambda: write_files(self._folder, self._key, wanted, self._port))
        self._written = wanted
        return bool(before.boards - wanted.boards) or before.removed != wanted.removed

    async def _listen(self, process: Process) -> None:
        """Pass on what mosquitto says, each line once: a stranger can make it say one thing thousands of times."""
        assert process.stderr is not None
        with contextlib.suppress(ValueError):  # a line longer than asyncio reads
            async for line in process.stderr:
                self._last_line = line.decode(errors="replace").strip()
                self._tell(self._last_line)

    def _tell(self, line: str) -> None:
        if line not in self._said and len(self._said) < _MOST_LINES:
            self._said.add(line)
            self._say(line)

    def _why(self, status: int | None) -> str:
        now = self._clock.wall()
        if status == -signal.SIGSEGV and now.timestamp() >= _LAST_SECOND:
            return Message(
                "club.clock_late",
                "the clock of this machine says {year}, and this mosquitto works until 2037. Set the clock.",
                year=now.year,
            )
        return self._last_line or str(status)

    async def _end(self, process: Process) -> None:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await wait_for_first(process.wait(), self._clock.sleep(_END_S))
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class BrokerOfUnit(Broker):
    """Tells the mosquitto of `cribboard-broker.service` what to do: systemd starts it once its files are there."""

    async def run(self) -> None:
        """Keep its files right until cancelled, then end it. Raises OSError where they cannot be written."""
        wanted = signal.SIGTERM  # one that still runs with the files of an earlier hub
        try:
            while True:
                forgets = await self._write()
                self._signal(signal.SIGTERM if forgets else wanted)
                self._note_told()
                wanted = signal.SIGHUP
                while not await wait_for(self._changed, _START_S, self._clock):
                    if self._pid() is None:
                        self._tell(
                            Message(
                                "club.no_broker_unit",
                                "The broker does not run: journalctl -u cribboard-broker says why",
                            )
                        )
        finally:
            (self._folder / CONFIGURATION).unlink(missing_ok=True)  # systemd does not start it again
            self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to mosquitto, if it runs. It has the user of this process."""
        if pid := self._pid():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _pid(self) -> int | None:
        """Return the number of the mosquitto that runs with this configuration; None if none runs."""
        file = os.fsencode((self._folder / CONFIGURATION).absolute())
        with contextlib.suppress(OSError, ValueError):
            pid = int((self._folder / PID).read_text(encoding="ascii"))
            if file in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                return pid
        return None


def broker_of(key: ClubKey, clock: Clock, say: Callable[[str], None], *, port: int = PORT) -> Broker:
    """Make the broker of this hub: a unit of its own where systemd runs the hub, else a child. Raises `NoBroker`."""
    if runtime := os.environ.get("RUNTIME_DIRECTORY"):
        return BrokerOfUnit(key, Path(runtime) / "broker", clock, say, port=port)
    return Broker(key, key.file.with_name("broker"), clock, say, port=port)


def find_mosquitto() -> str:
    """Find the program. Raises `NoBroker`."""
    if found := shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", os.defpath), *PLACES])):
        return found
    raise NoBroker(
        Message(
            "club.no_mosquitto",
            "A club needs the program mosquitto: sudo apt install mosquitto, then start again.",
        )
    )


def write_files(folder: Path, hub: ClubKey, admitted: Admitted, port: int) -> None:
    """Write the files of mosquitto, each whole or not at all; the configuration last. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = {
        CERTIFICATE: hub_certificate(hub),
        ACCESS: access(hub.id, admitted.boards),
        REMOVED: revocation_list(hub, admitted.removed),
        CONFIGURATION: configuration(folder, hub.file, port),
    }
    for name, text in files.items():
        part = folder / f"{name}.part"
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        part.write_text(text, encoding="ascii")
        part.rename(folder / name)


def configuration(folder: Path, key: Path, port: int) -> str:
    """Return the configuration of mosquitto, for the versions that Debian 12 and 13 have."""
    folder, key = folder.absolute(), key.absolute()
    return f"""\
# Written by Cribboard's hub at each start.
user root
pid_file {folder / PID}
persistence false
sys_interval 0
allow_anonymous false
acl_file {folder / ACCESS}
connection_messages false
log_dest stderr
log_timestamp false
log_type error
log_type warning
max_packet_size {LARGEST_PACKET}
max_queued_messages {MOST_QUEUED}
max_queued_bytes {MOST_QUEUED_BYTES}
max_inflight_messages 20
memory_limit {MOST_BYTES}
set_tcp_nodelay true

listener {port}
max_connections {MOST_CONNECTIONS}
max_qos 1
max_topic_alias 0
tls_version tlsv1.3
cafile {folder / CERTIFICATE}
certfile {folder / CERTIFICATE}
keyfile {key}
crlfile {folder / REMOVED}
require_certificate true
use_identity_as_username true
use_username_as_clientid true
"""


def access(hub: str, boards: Iterable[str]) -> str:
    """Return the access list: the hub has every topic, and a board its own.

    >>> print(access("0" * 64, ["1" * 64]).replace("0" * 64, "HUB").replace("1" * 64, "BOARD"))
    user HUB
    topic readwrite cribboard/1/#
    <BLANKLINE>
    user BOARD
    topic write cribboard/1/BOARD/up
    topic write cribboard/1/BOARD/online
    topic read cribboard/1/BOARD/down
    topic read cribboard/1/hub/online
    <BLANKLINE>
    """
    lines = [f"user {hub}", f"topic readwrite {ROOT}/#"]
    for board in sorted(filter(is_id, boards)):
        lines += ["", f"user {board}", *(f"topic write {topic(board, what)}" for what in ("up", "online"))]
        lines += [f"topic read {topic(board, 'down')}", f"topic read {HUB_ONLINE}"]
    return "\n".join([*lines, ""])
