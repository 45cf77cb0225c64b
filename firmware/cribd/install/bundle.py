"""The release file of `make dist`: a zip archive of wheels.

`sudo sh FILE` installs it, without a network: Python runs the archive's `__main__.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cribboard.validation import Message
from cribd.install.machine import InstallRefused
from cribd.install.preflight import ARCHITECTURES, ProcessFacts
from cribd.install.releases import ReleaseSource

SUMS = "SHA256SUMS"
ABOUT = "about.json"
LOCK = "pi.txt"
WHEELS = "wheels/"


@dataclass(frozen=True, slots=True)
class ReleaseDescription:
    """The description of a release, as stored in its release file."""

    version: str
    wheel: str
    processor: str
    pythons: tuple[str, ...]


def unpack(file: Path, folder: Path, facts: ProcessFacts) -> ReleaseSource:
    """Check and unpack a release file. Raises `InstallRefused`, OSError."""
    with _open(file) as archive:
        about = _checked(file, archive)
        _check_machine(file, about, facts)
        archive.extractall(folder, members=_members(archive))
        return ReleaseSource(about.version, folder / about.wheel, folder / LOCK, wheels=folder / WHEELS)


def read_about(file: Path) -> ReleaseDescription:
    """Check a release file, and read its description. Raises `InstallRefused`, OSError."""
    with _open(file) as archive:
        return _checked(file, archive)


@contextlib.contextmanager
def _open(file: Path) -> Iterator[zipfile.ZipFile]:
    """Open a release file. Raises `InstallRefused`.

    Errors inside the `with` block become `InstallRefused` too."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, TypeError) as wrong:
        cut = Message("install.bundle_cut", "{file} is cut off, or no release file; copy the file again.", file=file)
        raise InstallRefused(cut) from wrong


def _members(archive: zipfile.ZipFile) -> list[str]:
    return sorted({name for name in archive.namelist() if name not in ("__main__.py", SUMS)})


def _checked(file: Path, archive: zipfile.ZipFile) -> ReleaseDescription:
    """Check the archive's checksums, and return its description. Raises `InstallRefused`."""
    listed = [line.split("  ", 1) for line in archive.read(SUMS).decode().splitlines()]
    sums = {name: sha256 for sha256, name in listed}
    for name in sorted({*_members(archive), *sums}):
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
    return ReleaseDescription(about["version"], about["wheel"], about["processor"], tuple(about["pythons"]))


def _check_machine(file: Path, about: ReleaseDescription, facts: ProcessFacts) -> None:
    python = ".".join(map(str, facts.python))
    if ARCHITECTURES.get(facts.processor) != about.processor or python not in about.pythons:
        raise InstallRefused(
            Message(
                "install.bundle_other",
                "{file} is for {processor} and Python {pythons}; this machine is {machine}, with Python {python}.",
                file=file,
                processor=about.processor,
                pythons=" or ".join(about.pythons),
                machine=facts.processor,
                python=python,
            )
        )
