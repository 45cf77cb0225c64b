"""Runs or controls the MQTT broker mosquitto of one hub.

This module carries and stores no messages. Everybody who connects shows a certificate that the hub has made, is known
by the key in it, and reads and writes the topics of that key alone. docs/club-network.md has what was measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Iterable
from pathlib import Path

from cribboard.validation import Message
from cribd.clock import Clock, wait_for, wait_for_first
from cribd.club.certificates import hub_certificate, revocation_list
from cribd.club.keys import ClubKey
from cribd.club.transport import HUB_ONLINE, ROOT, topic

#: The largest packet: a message of 64 KiB with topic and head. The broker disconnects a sender of more.
LARGEST_PACKET = 65 * 1024
#: Boards, the hub, and as many strangers who may hold a connection until the broker ends it.
MOST_CONNECTIONS = 600
#: The most memory of the broker. At this limit it disconnects clients that send, and clients that do not read.
MOST_BYTES = 128 * 1024 * 1024
#: The most messages and bytes that wait for one client. One message from each of 300 boards is less.
MOST_QUEUED, MOST_QUEUED_BYTES = 1000, 32 * 1024 * 1024

CONFIGURATION, ACCESS, CERTIFICATE, REMOVED = "mosquitto.conf", "access", "hub.pem", "removed.pem"
PID = "mosquitto.pid"

#: The folders where Debian puts mosquitto; only the PATH of root contains them.
PLACES = ("/usr/local/sbin", "/usr/sbin")
#: Pause before a broker that has ended is started again: the first, and the longest.
_PAUSE_S, _LONGEST_PAUSE_S = 0.2, 5.0
#: A broker that has run this long has started well.
_WELL_S = 10.0
#: How long systemd may take to start the broker.
_START_S = 5.0
#: How long the broker may take to end before it is killed.
_END_S = 3.0
#: mosquitto 2.0.21 crashes at the first connection when the clock has passed this second, in January 2038.
_LAST_SECOND = 2**31
#: The warning that is ignored: mosquitto complains about the topic that all boards read.
_EXPECTED = f"Warning: ACL pattern '{HUB_ONLINE}'"
#: Lines of mosquitto that need plain words: what each contains, and the sentence. `{who}` is the client's name.
_IN_WORDS = (
    ("peer did not return a certificate", "A machine without a certificate of this club is refused."),
    ("certificate verify failed", "A machine is refused: it is not of this club, or was removed from it."),
    ("oversize packet", f"Board {{who}} is cut off: it sent a message of more than {LARGEST_PACKET // 1024 - 1} KiB."),
    ("disconnected due to", "Board {who} is cut off: what it sent is no MQTT."),
)
#: The beginnings of lines about connections and the start, which are not passed on.
_OF_CONNECTIONS = ("New c", "Client ", "mosquitto version", "Config loaded", "Opening ipv")
#: How many different lines of the broker are passed on.
_MOST_LINES = 100


class NoBroker(Exception):  # noqa: N818 (a state of the machine, not an error of the caller)
    """This machine does not have mosquitto."""


class Broker:
    """Runs mosquitto as a child of this process.

    Its files are in `folder`, which no other user can read. mosquitto lets in each board that the hub has certified
    and `revoke` does not name. `say` gets each different line of mosquitto once, and why it has ended. Raises
    `NoBroker`."""

    def __init__(self, key: ClubKey, folder: Path, clock: Clock, say: Callable[[str], None], *, port: int) -> None:
        self._key, self._folder, self._clock, self._port = key, folder, clock, port
        self._program = find_mosquitto()
        self._say, self._said = say, set[str]()
        self._removed = frozenset[str]()
        self._changed = asyncio.Event()
        self._last_line = ""

    def revoke(self, removed: Iterable[str]) -> None:
        """Make mosquitto refuse only the certificates of these boards.

        mosquitto starts anew, since it would not cut off who is connected; the other boards connect again."""
        if (wanted := frozenset(removed)) != self._removed:
            self._removed = wanted
            self._changed.set()

    async def run(self) -> None:
        """Keep mosquitto running until cancelled. Raises OSError if its files cannot be written."""
        pause = _PAUSE_S
        while True:
            await self._write()
            started = self._clock.now()
            # setpriv: if the hub is killed, the kernel ends mosquitto, which would hold the port.
            command = ["setpriv", "--pdeathsig", "TERM", self._program, "-c", str(self._folder / CONFIGURATION)]
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                process_group=0,  # Ctrl-C is for the hub alone
            )
            listening = asyncio.create_task(self._listen(process))
            try:
                await wait_for_first(process.wait(), self._changed.wait())
                has_ended = process.returncode is not None
            finally:
                await self._end(process)
                await listening
            if not has_ended:
                continue
            pause = _PAUSE_S if self._clock.now() - started > _WELL_S else min(2 * pause, _LONGEST_PAUSE_S)
            why = self._why(process.returncode)
            self._tell(Message("club.broker_ended", "The broker has ended, and starts again: {why}", why=why))
            await self._clock.sleep(pause)

    async def _write(self) -> None:
        self._changed.clear()
        removed = self._removed
        await self._clock.run_in_thread(lambda: write_files(self._folder, self._key, removed, self._port))

    async def _listen(self, process: Process) -> None:
        """Report each unexpected line of mosquitto's output once.

        A stranger can cause thousands of lines, so at most `_MOST_LINES` are reported."""
        assert process.stderr is not None
        with contextlib.suppress(ValueError):  # a line longer than asyncio reads
            async for line in process.stderr:
                said = line.decode(errors="replace").strip()
                if (plain := _in_words(said)) is not None:
                    self._tell(plain)
                elif not said.startswith((_EXPECTED, *_OF_CONNECTIONS)):
                    self._last_line = said
                    self._tell(said)

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
        if status is not None and status < 0:  # its last line is about something before
            return signal.strsignal(-status) or str(status)
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
    """Controls the mosquitto that systemd runs as `cribboard-broker.service`.

    systemd starts the service once the files of mosquitto exist."""

    async def run(self) -> None:
        """Restart mosquitto after each change, until cancelled. Raises OSError."""
        try:
            while True:
                await self._write()
                self._signal(signal.SIGTERM)  # systemd starts it anew
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
        """Send a signal to mosquitto if it runs.

        This is allowed because both processes have the same user."""
        if pid := self._pid():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _pid(self) -> int | None:
        """Return the process id of this configuration's mosquitto, or None."""
        file = os.fsencode((self._folder / CONFIGURATION).absolute())
        with contextlib.suppress(OSError, ValueError):
            pid = int((self._folder / PID).read_text(encoding="ascii"))
            if file in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                return pid
        return None


def _in_words(line: str) -> str | None:
    """Rewrite a line of mosquitto in plain words, or return None.

    >>> _in_words("Client 6c7aab9bb82e89e3 disconnected due to oversize packet.")
    'Board 6c7aab9b is cut off: it sent a message of more than 64 KiB.'
    """
    who = line.removeprefix("Client ").strip("<")[:8].strip(">")
    return next((sentence.format(who=who) for contained, sentence in _IN_WORDS if contained in line), None)


def broker_of(key: ClubKey, clock: Clock, say: Callable[[str], None], *, port: int) -> Broker:
    """Make the broker of this hub. Raises `NoBroker`.

    If systemd runs the hub, the broker is a systemd unit of its own, else a child process."""
    if runtime := os.environ.get("RUNTIME_DIRECTORY"):
        return BrokerOfUnit(key, Path(runtime) / "broker", clock, say, port=port)
    return Broker(key, key.file.with_name("broker"), clock, say, port=port)


def find_mosquitto() -> str:
    """Find the program mosquitto. Raises `NoBroker`."""
    if found := shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", os.defpath), *PLACES])):
        return found
    raise NoBroker(
        Message(
            "club.no_mosquitto",
            "A club needs the program mosquitto: sudo apt install mosquitto, then start again.",
        )
    )


def write_files(folder: Path, hub: ClubKey, removed: Iterable[str], port: int) -> None:
    """Write mosquitto's files into `folder`. Raises OSError.

    mosquitto refuses the `removed` boards. Each file is written whole or not at all, the configuration last."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = {
        CERTIFICATE: hub_certificate(hub),
        ACCESS: access(hub.id),
        REMOVED: revocation_list(hub, removed),
        CONFIGURATION: configuration(folder, hub.file, port),
    }
    for name, text in files.items():
        part = folder / f"{name}.part"
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        part.write_text(text, encoding="ascii")
        part.rename(folder / name)


def configuration(folder: Path, key: Path, port: int) -> str:
    """Return a configuration for mosquitto of Debian 12 and 13."""
    folder, key = folder.absolute(), key.absolute()
    return f"""\
# Written by Cribboard's hub at each start.
user root
pid_file {folder / PID}
persistence false
sys_interval 0
allow_anonymous false
acl_file {folder / ACCESS}
connection_messages true
log_dest stderr
log_timestamp false
log_type error
log_type warning
log_type notice
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


def access(hub: str) -> str:
    """Return mosquitto's access list.

    The hub may use all topics, a board only its own and the hub's `online`. `%u` is the name in the certificate.

    >>> print(access("HUB"))
    user HUB
    topic readwrite cribboard/1/#
    <BLANKLINE>
    pattern write cribboard/1/%u/up
    pattern write cribboard/1/%u/online
    pattern read cribboard/1/%u/down
    pattern read cribboard/1/hub/online
    <BLANKLINE>
    """
    writes = [f"pattern write {topic('%u', what)}" for what in ("up", "online")]
    reads = [f"pattern read {about}" for about in (topic("%u", "down"), HUB_ONLINE)]
    return "\n".join([f"user {hub}", f"topic readwrite {ROOT}/#", "", *writes, *reads, ""])
