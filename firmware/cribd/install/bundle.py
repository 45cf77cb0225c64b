"""The release file of `make dist`: one zip archive with the wheel, the wheels that it needs, and a list of their sums.

`sudo sh FILE` installs it, without a network: Python runs the archive's `__main__.py`.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from cribboard.validation import Message
from cribd.install.machine import InstallRefused
from cribd.install.preflight import ARCHITECTURES, Facts
from cribd.install.releases import Source

SUMS = "SHA256SUMS"
ABOUT = "about.json"
LOCK = "pi.txt"
WHEELS = "wheels/"


def unpack(file: Path, folder: Path, facts: Facts) -> Source:
    """Check a release file against its own list, and unpack it. Raises `InstallRefused`, OSError."""
    try:
        with zipfile.ZipFile(file) as archive:
            listed = [line.split("  ", 1) for line in archive.read(SUMS).decode().splitlines()]
            sums = {name: sha256 for sha256, name in listed}
            names = {name for name in archive.namelist() if name not in ("__main__.py", SUMS)}
            for name in sorted(names | set(sums)):
                if hashlib.sha256(archive.read(name)).hexdigest() != sums.get(name):
                    raise InstallRefused(
                        Message(
                            "install.bundle_sum",
                            "{file} is damaged: {name} is not what its list says; copy the file again.",
                            file=file,
                            name=name,
                        )
                    )
            about = json.loads(archive.read(ABOUT))
            _check_machine(file, about["processor"], about["pythons"], facts)
            archive.extractall(folder, members=sorted(names))
            return Source(about["version"], folder / about["wheel"], folder / LOCK, wheels=folder / WHEELS)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, TypeError) as wrong:
        cut = Message("install.bundle_cut", "{file} is cut off, or no release file; copy the file again.", file=file)
        raise InstallRefused(cut) from wrong


def _check_machine(file: Path, processor: str, pythons: Sequence[str], facts: Facts) -> None:
    python = ".".join(map(str, facts.python))
    if ARCHITECTURES.get(facts.processor) != processor or python not in pythons:
        raise InstallRefused(
            Message(
                "install.bundle_other",
                "{file} is for {processor} and Python {pythons}; this machine is {machine}, with Python {python}.",
                file=file,
                processor=processor,
                pythons=" or ".join(pythons),
                machine=facts.processor,
                python=python,
            )
        )
