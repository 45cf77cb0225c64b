"""Real disks, mounted for a test. Where that is not allowed, the test is skipped."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(at: Path, *options: str) -> Iterator[Path]:
    """Mount a disk at this folder, with these options of `mount`."""
    at.mkdir(exist_ok=True)
    if os.geteuid() != 0 or subprocess.run(["mount", *options, str(at)], check=False).returncode != 0:
        pytest.skip("only root may mount a disk, and not everywhere")
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The folder on a disk that is mounted to be read only."""
    with mounted(folder, "--bind", str(folder)):
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield


@contextmanager
def ext4(folder: Path) -> Iterator[Path]:
    """A disk of 8 MB in this folder, with the file system of a Pi."""
    image = folder / "image"
    image.write_bytes(bytes(8 << 20))
    if subprocess.run(["mkfs.ext4", "-q", str(image)], check=False).returncode != 0:
        pytest.skip("there is no mkfs.ext4")
    with mounted(folder / "disk", "-o", "loop", str(image)) as at:
        yield at


class Flushed:
    """What is flushed to the disk after a file got its name by a rename."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._since: dict[Path, set[Path]] = {}
        rename, fsync = Path.rename, os.fsync

        def noted_rename(path: Path, to: Path) -> Path:
            self._since[to] = set()
            return rename(path, to)

        def noted_fsync(file: int) -> None:
            fsync(file)
            for flushed in self._since.values():
                flushed.add(Path(os.readlink(f"/proc/self/fd/{file}")))

        monkeypatch.setattr(Path, "rename", noted_rename)
        monkeypatch.setattr(os, "fsync", noted_fsync)

    def since_the_name(self, file: Path) -> set[Path]:
        """The files and folders that were flushed after this file got its name."""
        return self._since[file]
