"""A Debian tree for the processor of a Pi, whose programs QEMU runs one by one; it does not boot."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tools.dist import ROOT

_BINFMT = Path("/proc/sys/fs/binfmt_misc")
#: Stand-ins: nothing is started but a page, since a plain Debian has no package for the pins.
_PROGRAMS = {
    "systemctl": '[ "$1" != is-enabled ] || exit 1\n'
    '[ "$1" != restart ] || python3 -m http.server 8121 -d /srv/page >/dev/null 2>&1 &\n'
    "until [ $1 != restart ] || ss -Hltn | grep -q :8121; do sleep 1; done",
    "journalctl": ":",
}


def make_tree(tree: Path) -> None:
    """Make the tree unless it exists, and register QEMU with the kernel, which then runs the tree's programs."""
    if not (_BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", _BINFMT], check=True)
    if not (_BINFMT / "qemu-aarch64").exists():
        line = Path("/usr/lib/binfmt.d/qemu-aarch64.conf").read_text(encoding="utf-8")
        (_BINFMT / "register").write_text(line, encoding="utf-8")
    subprocess.run([ROOT / "tools" / "debian-system", tree], check=True, env=os.environ | {"DEBIAN_ARCH": "arm64"})
    for name, script in _PROGRAMS.items():
        (tree / "usr/local/sbin" / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tree / "usr/local/sbin" / name).chmod(0o755)
    for path, text in (("srv/page/index.html", "Cribboard"), ("boot/firmware/config.txt", "[all]\n")):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")


def install(tree: Path, file: Path) -> str:
    """Install this release file in the tree, without a network. Returns the output."""
    shutil.copy(file, tree / "srv")
    inside = f"mount -t proc proc /proc && ip link set lo up && sh /srv/{file.name}; cribboard release check"
    command = [
        "unshare",
        "--net",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "chroot",
        str(tree),
        "sh",
        "-c",
        inside,
    ]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr
