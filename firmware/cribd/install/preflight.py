"""Examines a machine before anything on it is changed."""

from __future__ import annotations

import os
import re
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cribboard.validation import Message
from cribd.install.boot_config import model
from cribd.install.machine import Machine

#: What a release needs on the disk, in MB: its environment, what pip unpacks beside it, and a copy of the journal.
ROOM_MB = 300
ARCHITECTURES = {"aarch64": "aarch64", "arm64": "aarch64", "x86_64": "x86_64", "amd64": "x86_64"}
DEBIANS = ("12", "13")
OLDEST_PYTHON = (3, 11)
#: The devices that the board needs for itself.
DEVICES = re.compile(r"/dev/(spidev0\.\d|gpiochip\d+|i2c-1)$")
#: pip asks here unless its configuration names another index.
INDEX = "https://pypi.org/simple/"
NO_ROOT = Message("install.no_root", "Only root may install Cribboard: put sudo before the command.")


@dataclass(frozen=True, slots=True)
class ProcessFacts:
    """The processor, Python and user of the process that installs."""

    processor: str
    pointer_bits: int
    python: tuple[int, int]
    is_root: bool

    @classmethod
    def here(cls) -> ProcessFacts:
        """Return the processor, Python and user of this process."""
        bits = 64 if sys.maxsize > 2**32 else 32
        return cls(os.uname().machine, bits, (sys.version_info[0], sys.version_info[1]), os.geteuid() == 0)


def examine(
    machine: Machine, facts: ProcessFacts, *, folders: tuple[str, ...], index: str | None, port: int
) -> list[Message]:
    """Return every problem that prevents an installation.

    `folders` need room. `index` is the package index that must answer, None for an installation without a network.
    `port` is that of the pages, 0 for any.
    """
    problems = [
        *_system(machine, facts),
        *_room(machine, folders),
        *_index(index),
        *_in_use(machine, port),
    ]
    if not facts.is_root:
        problems.append(NO_ROOT)
    return problems


def _system(machine: Machine, facts: ProcessFacts) -> Iterator[Message]:
    if facts.processor not in ARCHITECTURES or facts.pointer_bits != 64:
        yield Message(
            "install.architecture",
            "This system is {processor} with {bits} bits; Cribboard needs a 64-bit system on aarch64 or amd64.",
            processor=facts.processor,
            bits=facts.pointer_bits,
        )
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', machine.read("/etc/os-release") or "", re.MULTILINE))
    if release.get("ID") != "debian" or release.get("VERSION_ID") not in DEBIANS:
        yield Message(
            "install.system",
            "This system is {system}; Cribboard needs Raspberry Pi OS or Debian, of version {versions}.",
            system=release.get("PRETTY_NAME") or release.get("ID") or "unknown",
            versions=" or ".join(DEBIANS),
        )
    if facts.python < OLDEST_PYTHON:
        yield Message(
            "install.python",
            "This is Python {python}; Cribboard needs Python {oldest} or newer.",
            python=".".join(map(str, facts.python)),
            oldest=".".join(map(str, OLDEST_PYTHON)),
        )
    pi = model(machine)
    if pi and not re.match(r"Raspberry Pi (Zero 2|3|4|5|400|500|Compute Module [345])\b", pi):
        yield Message(
            "install.model",
            "This is a {model}; Cribboard runs on a Raspberry Pi Zero 2 W, 3, 4 or 5.",
            model=pi,
        )


def _room(machine: Machine, folders: tuple[str, ...]) -> Iterator[Message]:
    seen = set()
    for folder in folders:
        there = machine.path(folder)
        while not there.exists():
            there = there.parent
        free_mb = shutil.disk_usage(there).free // 1_000_000
        if free_mb < ROOM_MB and there.stat().st_dev not in seen:
            seen.add(there.stat().st_dev)
            yield Message(
                "install.room",
                "{folder} has {free} MB free; Cribboard needs {needed} MB.",
                folder=folder,
                free=free_mb,
                needed=ROOM_MB,
            )


def _index(index: str | None) -> Iterator[Message]:
    if index is None:
        return
    try:
        urllib.request.urlopen(index, timeout=15).close()
    except urllib.error.HTTPError:
        pass  # it answers
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "reason", wrong)
        if "CERTIFICATE" not in str(why):  # pip may know the certificate
            yield Message(
                "install.index",
                "The package index {index} does not answer ({why}); without a network, install from the file of "
                "`make dist`.",
                index=index,
                why=why,
            )


def package_index(machine: Machine) -> str:
    """Return the address of the package index that pip uses."""
    asked = machine.run(sys.executable, "-m", "pip", "config", "list").stdout or ""
    found = re.findall(r"^[\w.:]*\.index-url='(.*)'$", asked, re.MULTILINE)
    return os.environ.get("PIP_INDEX_URL") or (found[-1] if found else INDEX)


def _in_use(machine: Machine, port: int) -> Iterator[Message]:
    """Report other programs that use the board's devices or port."""
    sockets = _listening(machine, port)
    for process, target in _open_files(machine):
        name = _name(machine, process)
        if name in ("cribboard", "cribd"):
            continue
        number = target.removeprefix("socket:[").rstrip("]")
        if DEVICES.match(target):
            yield Message(
                "install.device_in_use",
                "{program} (process {process}) uses {device}; stop it first.",
                program=name,
                process=process,
                device=target,
            )
        elif target.startswith("socket:[") and number in sockets:
            yield Message(
                "install.port_in_use",
                "{program} (process {process}) listens on port {port}; stop it, or set page.port in "
                "/etc/cribboard/config.toml.",
                program=name,
                process=process,
                port=port,
            )


def _listening(machine: Machine, port: int) -> set[str]:
    """Return the inodes of the sockets that listen on this port."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in (machine.read(table) or "").splitlines()[1:]:
            fields = line.split()
            if len(fields) > 9 and fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                found.add(fields[9])
    return found if port else set()


def _open_files(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield each process with each file that it has open.

    No pair comes twice. Files that this process may not see are left out."""
    seen = set()
    for link in machine.path("/proc").glob("[0-9]*/fd/*"):
        try:
            pair = (link.parts[-3], os.readlink(link))
        except OSError:
            continue
        if pair not in seen:
            seen.add(pair)
            yield pair


def _name(machine: Machine, process: str) -> str:
    """Return the name of a process or of its Python script."""
    words = (machine.read(f"/proc/{process}/cmdline") or "").split("\0")
    names = [Path(word).name for word in words[:2] if word]
    if len(names) == 2 and names[0].startswith("python"):
        return names[1]
    return names[0] if names else (machine.read(f"/proc/{process}/comm") or "?").strip()
