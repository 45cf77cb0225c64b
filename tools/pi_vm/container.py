"""A system in a systemd-nspawn container with its own file system: fast, but on this machine's kernel.

Its disk is an ext4 image. A power cut stops that file system without a flush, as file system tests do, and ends every
process of the container by SIGKILL: what the system had not written to its disk is lost.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.dist import ROOT
from tools.pi_vm.system import PAGE, System

#: `EXT4_IOC_SHUTDOWN`, and its flag that not even the journal of the file system is written.
_SHUTDOWN, _NO_FLUSH = 0x8004587D, 2
_NETWORK = 0x40000000


@dataclass
class Container(System):
    """The container whose disks are in `folder`. `release` is a folder of release files, as its read-only stick."""

    release: Path
    _nspawn: subprocess.Popen[bytes] | None = None
    _init: int = 0

    @property
    def root(self) -> Path:
        """The folder where its disk is mounted while it is on."""
        return self.folder / "mounted-root"

    @property
    def _state(self) -> Path:
        return self.folder / "mounted-state"

    @property
    def is_on(self) -> bool:
        """Whether the container is switched on."""
        return self._nspawn is not None and self._nspawn.poll() is None

    def boot(self) -> None:
        """Switch the container on."""
        for name, mounted in (("root.img", self.root), ("state.img", self._state)):
            mounted.mkdir(exist_ok=True)
            checked = subprocess.run(["e2fsck", "-p", self.folder / name], capture_output=True, text=True, check=False)
            if checked.returncode > 1:
                raise OSError(f"{name}: {checked.stdout}{checked.stderr}")
            subprocess.run(["mount", "-o", "loop", self.folder / name, mounted], check=True)
        words = ["--boot", "--private-network", "--register=no", "--keep-unit", "--console=pipe"]
        words += ["--kill-signal=SIGRTMIN+3", f"--bind={self._state}:/mnt/state", f"--bind-ro={ROOT}:/mnt/clone"]
        self._nspawn = subprocess.Popen(
            ["systemd-nspawn", f"--directory={self.root}", f"--bind-ro={self.release}:/mnt/release", *words],
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / "console").open("ab"),
            stderr=subprocess.STDOUT,
            env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
        )
        until = time.monotonic() + 90
        while self.run("systemctl is-system-running --wait")[1] not in ("running", "degraded"):
            if time.monotonic() > until or not self.is_on:
                raise TimeoutError("systemd does not start in the container")
            time.sleep(0.2)
            # The last child is the first process of the container; an earlier one only sets it up.
            self._init = max(self._children(self._nspawn.pid), default=0)

    @staticmethod
    def _children(process: int) -> list[int]:
        with suppress(OSError):
            return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split())]
        return []

    def cut(self) -> None:
        """Cut the power of the container."""
        for mounted in (self.root, self._state):
            opened = os.open(mounted, os.O_RDONLY)
            fcntl.ioctl(opened, _SHUTDOWN, struct.pack("I", _NO_FLUSH))
            os.close(opened)
        os.kill(self._init, signal.SIGKILL)  # the first process of its namespace: all others end with it
        self._ended(30)

    def wait_off(self, timeout_s: float) -> bool:
        """Wait until the container has switched itself off. Returns whether it has."""
        return self._ended(timeout_s)

    def _ended(self, timeout_s: float) -> bool:
        assert self._nspawn is not None
        try:
            self._nspawn.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        for mounted in (self.root, self._state):
            subprocess.run(["umount", mounted], check=True)
        return True

    def run(self, command: str, *, timeout_s: float = 600.0) -> tuple[int, str]:
        """Run a command as root. Returns its exit code and its output."""
        enter = ["nsenter", f"--target={self._init}", "--all", "env", "-i", "-C", "/", "TERM=dumb", "HOME=/root"]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
        ran = subprocess.run(
            [*enter, path, "LC_ALL=C.UTF-8", "bash", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
        )
        return ran.returncode, ran.stdout.decode(errors="replace").rstrip("\n")

    def connect(self) -> socket.socket:
        """Open a connection to the board's pages, with a socket made by a thread in the container's network."""
        made: list[socket.socket] = []

        def make() -> None:
            network = os.open(f"/proc/{self._init}/ns/net", os.O_RDONLY)
            if ctypes.CDLL(None).setns(network, _NETWORK) == 0:
                made.append(socket.socket(socket.AF_INET))
            os.close(network)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        if not made:
            raise OSError("the container is off")
        made[0].settimeout(60)
        made[0].connect(("127.0.0.1", PAGE))
        return made[0]
