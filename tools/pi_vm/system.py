"""A Debian system with its own systemd that can be switched on, used as root, and cut off from power."""

from __future__ import annotations

import base64
import hashlib
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.dist import ROOT

#: The port of the board's pages.
PAGE = 8121
DISK_MB, STATE_MB = 6000, 500
PACKAGES = (
    "linux-image-amd64",
    "initramfs-tools",
    "overlayroot",
    "e2fsprogs",
    "dosfstools",
    "busybox",
    "zstd",
    "sudo",
    "make",
    "mosquitto",
)
#: Shells for the emulated machine, on its virtual ports.
_SHELL = """\
[Unit]
ConditionVirtualization=vm
[Service]
ExecStart=/bin/bash -c 'exec bash <>/dev/virtio-ports/shell >&0 2>&1'
Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin LC_ALL=C.UTF-8
Restart=always
[Install]
WantedBy=multi-user.target
"""
_FILES = {
    "etc/hostname": "raspberrypi\n",
    # In QEMU udev needs minutes to find the second disk; systemd waits 90 s by default.
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n"
    "LABEL=STATE /mnt/state ext4 nofail,x-systemd.device-timeout=15min 0 2\n",
    "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 raspberrypi\n",
    "etc/machine-id": "",
    "etc/systemd/network/50-cable.network": "[Match]\nType=ether\n[Network]\nDHCP=ipv4\n",
    "etc/systemd/system/shell.service": _SHELL,
    "etc/initramfs-tools/conf.d/pi-vm": "MODULES=list\nFSTYPE=ext4\n",
    "etc/initramfs-tools/modules": "virtio_pci\nvirtio_blk\next4\noverlay\n",
    # Stand-ins for Raspberry Pi OS.
    "boot/firmware/config.txt": "dtparam=audio=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n[all]\n",
    "boot/firmware/cmdline.txt": "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n",
}


class CommandFailed(Exception):  # noqa: N818 (what the system did, not an error of the caller)
    """A command in the system ended with an exit code other than 0."""


def make_files(files: Path) -> None:
    """Make the files of the system, unless they exist."""
    tree = files.with_name("tree")
    files.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "tools" / "debian-system", tree, *PACKAGES], check=True)
    if (files / ".made").exists():
        return
    subprocess.run(["cp", "-a", tree, files], check=True)
    (files / ".made").unlink()  # it was copied
    for name, text in _FILES.items():
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(text, encoding="utf-8")
    for name in ("state", "release", "clone"):
        (files / "mnt" / name).mkdir()
    units = ["systemd-networkd.service", "shell.service"]
    subprocess.run(["systemctl", "--quiet", f"--root={files}", "enable", *units], check=True)
    subprocess.run(["chroot", files, "update-initramfs", "-u"], check=True, capture_output=True)
    (files / ".made").touch()


@dataclass
class System(ABC):
    """A system whose disks are `root.img` and `state.img` in `folder`. `make_files` makes its `files`."""

    folder: Path
    files: Path

    def make(self) -> None:
        """Make the disks of the system anew, with `files` on the first disk."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, size_mb, options in (
            ("root.img", DISK_MB, ("-d", str(self.files))),
            ("state.img", STATE_MB, ("-L", "STATE")),
        ):
            (self.folder / name).unlink(missing_ok=True)
            command = ["mke2fs", "-q", "-t", "ext4", *options, str(self.folder / name), f"{size_mb}M"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def start(self) -> float:
        """Switch the system on, and wait until it has started. Returns the seconds that this took."""
        began = time.monotonic()
        self.boot()
        return time.monotonic() - began

    @property
    @abstractmethod
    def is_on(self) -> bool:
        """Whether the system is switched on."""

    @abstractmethod
    def boot(self) -> None:
        """Switch the system on, and wait until it has started."""

    @abstractmethod
    def cut(self) -> None:
        """Cut the power of the system."""

    @abstractmethod
    def wait_off(self, timeout_s: float) -> bool:
        """Wait until the system has switched itself off. Returns whether it has."""

    @abstractmethod
    def run(self, command: str, *, timeout_s: float = 600.0) -> tuple[int, str]:
        """Run a command as root. Returns its exit code and its output."""

    @abstractmethod
    def connect(self) -> socket.socket:
        """Open a connection to the board's pages."""

    def must(self, command: str, *, timeout_s: float = 600.0) -> str:
        """Run a command that must succeed, and return its output. Raises `CommandFailed`."""
        code, said = self.run(command, timeout_s=timeout_s)
        if code:
            raise CommandFailed(f"{command!r} ended with {code}: {said[-2000:]}")
        return said

    def fetch(self, path: str) -> bytes:
        """Read a file of the system; at most three times, if bytes change on the way. Raises `CommandFailed`."""
        for _ in range(3):
            wanted, _, text = self.must(f"sha256sum < {path} && base64 -w0 {path}").partition("\n")
            with suppress(ValueError):
                content = base64.b64decode(text, validate=True)
                if hashlib.sha256(content).hexdigest() == wanted.split()[0]:
                    return content
        raise CommandFailed(f"{path} is not read without an error")
