"""The copies of the journal on a USB stick.

The stick is found by its label, wherever the system or `systemd/media-cribboard.mount` has mounted it. A copy is two
files: the journal, and beside it the configuration. The newest `KEPT` copies stay. Everything here blocks.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cribd.storage.journal_backup import back_up_journal, file_name, write_whole

#: How many copies stay on a stick.
KEPT = 30

_NAME = re.compile(r"cribboard-(\d{4}-\d\d-\d\d-\d{6})\.db", re.ASCII)
_BY_LABEL, _MOUNTS = Path("/dev/disk/by-label"), Path("/proc/self/mountinfo")


@dataclass(frozen=True, slots=True)
class StickState:
    """The last known state of the copies on the stick."""

    label: str
    is_there: bool
    last: datetime | None
    """When the newest copy was made; None if nobody knows."""
    problem: str = ""
    """Why the latest copy failed; a `Message` if the catalogues have it. "" if it did not fail."""


def find_stick(label: str, *, by_label: Path = _BY_LABEL, mounts: Path = _MOUNTS) -> Path | None:
    """Return the folder where the stick is mounted, or None.

    A desktop may have mounted it too: one that can be written goes first."""
    link = by_label / label
    if not link.exists():
        return None
    device = os.path.realpath(link)
    found = []
    for line in mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        before, _, after = line.partition(" - ")  # proc_pid_mountinfo(5): field 5, and the second after the hyphen
        if _unescaped(after.split(" ")[1]) == device:
            found.append(Path(_unescaped(before.split(" ")[4])))
    return next((folder for folder in found if os.access(folder, os.W_OK)), found[0] if found else None)


def _unescaped(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), field)


def copies(folder: Path) -> list[tuple[datetime, Path]]:
    """List the copies in this folder with local times, oldest first.

    Raises OSError."""
    found = []
    for path in folder.iterdir():
        if name := _NAME.fullmatch(path.name):
            try:
                found.append((datetime.strptime(name[1], "%Y-%m-%d-%H%M%S").astimezone(), path))
            except ValueError:
                continue  # no such day: somebody's own file
    return sorted(found)


def copy_to(folder: Path, journal: Path, configuration: Path | None, now: datetime) -> Path:
    """Copy the journal and the configuration to the folder.

    Delete the oldest copies beyond `KEPT`, and return the new path. Raises OSError, `ArchiveAway`."""
    copy = folder / file_name(now)
    copy_both(copy, journal, configuration)
    _delete_oldest_copies(folder, copy)
    return copy


def _delete_oldest_copies(folder: Path, newest: Path) -> None:
    """Delete the oldest copies beyond `KEPT`, but never `newest`."""
    old = [path for _, path in copies(folder) if path != newest]
    for path in old[: max(0, len(old) + 1 - KEPT)]:
        path.unlink(missing_ok=True)
        beside(path).unlink(missing_ok=True)


def copy_both(copy: Path, journal: Path, configuration: Path | None) -> None:
    """Copy the journal to `copy`, and the configuration beside `copy`.

    Raises OSError, `ArchiveAway`; then neither is there."""
    if configuration is not None:
        write_whole(beside(copy), configuration.read_bytes())
    try:
        back_up_journal(journal, copy)
    except BaseException:
        if configuration is not None and not copy.exists():
            beside(copy).unlink(missing_ok=True)
        raise


def beside(copy: Path) -> Path:
    """Return the path of the configuration beside this copy."""
    return copy.with_suffix(".toml")
