"""The same disks in QEMU without KVM: with a kernel, USB, a watchdog and an initramfs of its own, but much slower."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from tools.pi_vm.system import PAGE, CommandFailed, System

BOOT_S = 900.0
STICK_MB = 64


@dataclass
class Emulated(System):
    """The emulated machine whose disks are in `folder`. It uses the kernel in `files`."""

    _qemu: subprocess.Popen[bytes] | None = None
    _port: int = 0
    _ports: dict[str, socket.socket] = field(default_factory=dict)
    _answers: BinaryIO | None = None

    @property
    def is_on(self) -> bool:
        """Whether the machine is switched on."""
        return self._qemu is not None and self._qemu.poll() is None

    def boot(self) -> None:
        """Switch the machine on."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        paths = {name: self.folder / f"{name}.socket" for name in ("qmp", "shell")}
        for path in paths.values():
            path.unlink(missing_ok=True)
        # One processor: two in QEMU 7.2 fail when the kernel changes its own code. The host writes at once what the
        # system flushes, so SIGKILL for QEMU takes only what it had not flushed.
        words = (
            "-accel tcg -cpu max -smp 1 -m 1024 -nodefaults -display none -no-reboot -global ICH9-LPC.noreboot=false"
        )
        drive = "if=virtio,format=raw,cache=unsafe"
        self._qemu = subprocess.Popen(
            [
                *("qemu-system-x86_64", "-machine", "q35,sata=off,smbus=off", *words.split()),
                *("-kernel", self.files / "vmlinuz", "-initrd", self.files / "initrd.img"),
                # No "ro", as on a Pi: with it overlayroot makes an overlay that cannot be written.
                *("-append", "root=/dev/vda rootfstype=ext4 console=ttyS0 mitigations=off"),
                *("-serial", f"file:{self.folder}/console"),
                *("-drive", f"file={self.folder}/root.img,{drive}", "-drive", f"file={self.folder}/state.img,{drive}"),
                *("-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self._port}-:{PAGE}"),
                *(
                    "-device",
                    "virtio-net-pci,netdev=net",
                    "-device",
                    "qemu-xhci,id=usb",
                    "-device",
                    "virtio-serial-pci",
                ),
                *("-chardev", f"socket,id=shell,path={paths['shell']},server=on,wait=off"),
                *("-device", "virtserialport,chardev=shell,name=shell"),
                *("-qmp", f"unix:{paths['qmp']},server=on,wait=off"),
            ],
            stdin=subprocess.DEVNULL,
        )
        for name, path in paths.items():
            self._ports[name] = self._connected(path)
        self._answers = self._ports["qmp"].makefile("rb")
        self.qmp("qmp_capabilities")
        self.run("systemctl is-system-running --wait", timeout_s=BOOT_S)

    def _connected(self, path: Path) -> socket.socket:
        until = time.monotonic() + 30
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(path))
            except OSError:
                connection.close()
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
            else:
                return connection

    def cut(self) -> None:
        """Cut the power of the machine."""
        assert self._qemu is not None
        if self._qemu.poll() is None:
            os.kill(self._qemu.pid, signal.SIGKILL)
            self._qemu.wait()
        for connection in self._ports.values():
            connection.close()
        self._ports.clear()

    def wait_off(self, timeout_s: float) -> bool:
        """Wait until the machine has switched itself off. Returns whether it has."""
        assert self._qemu is not None
        with suppress(subprocess.TimeoutExpired):
            self._qemu.wait(timeout_s)
            self.cut()
            return True
        return False

    def run(self, command: str, *, timeout_s: float = 600.0) -> tuple[int, str]:
        """Run a command as root. Returns its exit code and its output. Raises TimeoutError, OSError."""
        token, port = uuid4().hex, self._ports["shell"]
        script = base64.b64encode(command.encode()).decode()
        shell = f'bash -c "$(echo {script} | base64 -d)" </dev/null 2>&1; code=$?; echo; echo {token} $code\n'
        port.sendall(shell.encode())
        said, until = b"", time.monotonic() + timeout_s
        while token.encode() + b" " not in said or not said.endswith(b"\n"):
            port.settimeout(max(0.1, until - time.monotonic()))
            got = port.recv(65536)
            if not got:
                raise ConnectionError("the machine is off")
            said += got
        text, _, code = said.decode(errors="replace").rpartition(f"\n{token} ")
        return int(code), text.rstrip("\n")

    def connect(self) -> socket.socket:
        """Open a connection to the board's pages."""
        return socket.create_connection(("127.0.0.1", self._port), timeout=120)

    # USB

    def qmp(self, command: str, **arguments: Any) -> None:
        """Send QEMU a QMP command. Raises `CommandFailed`."""
        assert self._answers is not None
        self._ports["qmp"].sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        for line in self._answers:
            answer = json.loads(line)
            if "error" in answer:
                raise CommandFailed(f"{command}: {answer['error']}")
            if "return" in answer:
                return
        raise ConnectionError("QEMU has ended")

    def make_stick(self, label: str) -> None:
        """Make an empty USB stick with this label, formatted with FAT."""
        (self.folder / "stick.img").unlink(missing_ok=True)
        command = ["mkfs.vfat", "-C", "-n", label, str(self.folder / "stick.img"), str(STICK_MB * 1024)]
        subprocess.run(command, check=True, capture_output=True)
        drive = {
            "driver": "raw",
            "node-name": "stick",
            "file": {"driver": "file", "filename": f"{self.folder}/stick.img"},
        }
        self.qmp("blockdev-add", **drive)

    def plug(self) -> None:
        """Plug in the stick."""
        self.qmp("device_add", driver="usb-storage", id="usb-stick", drive="stick", bus="usb.0")

    def pull(self) -> None:
        """Pull the stick out."""
        self.qmp("device_del", id="usb-stick")
