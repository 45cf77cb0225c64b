"""A board in a process of its own, as systemd starts it, and the resources that it uses."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread

_LOOK_S = 0.002
_PATIENCE_S = 60.0


class BoardProcess:
    """A board process, started at `at` on the monotonic clock. `ready` is the time of its READY; None before."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str] = os.environ) -> None:
        self.ready: float | None = None
        self._said = folder / "stderr"
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = str(Path(mkdtemp(prefix="notify-"), "socket"))  # the path of a socket has 107 characters at most
        self._line.bind(address)
        Thread(target=self._listen, daemon=True).start()
        with self._said.open("a") as said:
            self.at = time.monotonic()
            self.process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=said, env={**environment, "NOTIFY_SOCKET": address}
            )

    def _listen(self) -> None:
        while self.ready is None:
            if b"READY=1" in self._line.recv(1000):
                self.ready = time.monotonic()

    def until(self, seen: Callable[[], bool]) -> float:
        """Wait until `seen` is true. Returns the seconds since the start."""
        end = time.monotonic() + _PATIENCE_S
        while not seen():
            assert self.process.poll() is None, self._said.read_text()
            assert time.monotonic() < end, self._said.read_text()
            time.sleep(_LOOK_S)
        return time.monotonic() - self.at

    def ready_s(self) -> float:
        """Wait for READY. Returns the seconds since the start."""
        self.until(lambda: self.ready is not None)
        return (self.ready or 0.0) - self.at

    def cpu_s(self) -> float:
        """Return the processor seconds so far."""
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def rest_percent(self, seconds: float) -> float:
        """Return the share of a core, in per cent, that the board takes during the next seconds."""
        before, at = self.cpu_s(), time.monotonic()
        time.sleep(seconds)
        return 100 * (self.cpu_s() - before) / (time.monotonic() - at)

    def resident_mb(self) -> float:
        """Return the megabytes of memory that the board holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the board. A second call does nothing."""
        self.process.send_signal(how)
        self.process.wait(10)
        self._line.close()
