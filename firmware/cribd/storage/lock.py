"""Opens the journal for the one board that writes it, and puts a damaged file aside.

The lock is `flock` on the file itself. It belongs to the descriptor, and the kernel drops it when the process ends.
SQLite locks with `fcntl`, which belongs to the process and is lost when any descriptor of the file closes: so this
descriptor is opened before SQLite's and closed after it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from cribd.clock import Clock
from cribd.storage.journal import Journal, JournalBusy, JournalDamaged, NotKept


def open_journal(path: Path, clock: Clock) -> tuple[Journal, Path | None]:
    """The journal at `path`, locked until it closes, and the new name of a damaged file if there was one.

    Raises `JournalBusy` if another board writes it (two writers would break the chain), `NotKept` if it cannot be
    opened.
    """
    lock, aside = _lock(path), None
    try:
        try:
            journal = _sound(path, clock)
        except JournalDamaged:
            aside = _put_aside(path)  # under the lock: no other board may move the new file too
            held, lock = lock, _lock(path)
            os.close(held)
            journal = _sound(path, clock)
    except BaseException:
        os.close(lock)
        raise
    journal.lock = lock
    return journal, aside


def _lock(path: Path) -> int:
    """A descriptor of the file that only one process can hold, also under another name of the file."""
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as wrong:
            raise NotKept(f"{path}: {wrong}") from wrong
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(path.stat(), os.fstat(lock)):
                return lock
        except BlockingIOError as held:
            os.close(lock)
            raise JournalBusy(path) from held
        except OSError as wrong:
            os.close(lock)
            raise NotKept(f"{path}: {wrong}") from wrong
        os.close(lock)  # another board has just put this file aside


def is_played_on(path: Path) -> bool:
    """Whether a board writes the journal at `path` now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _sound(path: Path, clock: Clock) -> Journal:
    """An open journal that can be written. Raises `JournalDamaged`."""
    journal = Journal(path, clock)
    try:
        journal.upgrade()
        journal.rehearse()
    except BaseException:
        journal.close()
        raise
    return journal


def _put_aside(path: Path) -> Path:
    """Rename the file, and SQLite's files beside it. Returns the new name."""
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in range(1, 1000))
    aside = next(name for name in names if not name.exists())
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside
