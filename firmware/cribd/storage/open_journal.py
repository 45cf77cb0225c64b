"""Opens the journal for its one writer.

A board puts a damaged file aside; a command does not. The lock is `flock` on the file itself. It belongs to the
descriptor, and the kernel drops it when the process ends. SQLite locks with `fcntl`, which belongs to the process and
is lost when any descriptor of the file closes: so this descriptor is opened before SQLite's and closed after it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from cribd.clock import Clock
from cribd.storage.journal import Journal, JournalBusy, JournalDamaged
from cribd.storage.journal_file import journal_unavailable
from cribd.storage.rebuild import READY, rebuild


class NoJournal(Exception):  # noqa: N818 (a state of the disk, not an error of the caller)
    """There is no file at this path."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: there is no journal here")
        self.path = path


def open_or_repair_journal(path: Path, clock: Clock, *, upgrade: bool = True) -> tuple[Journal, Path | None]:
    """Open and lock a board's journal; repair a damaged file.

    Return the journal, and the new path of the damaged file or None. A damaged file is rebuilt from its readable rows,
    and `Journal.rebuilt` reports it. Without any, a new file begins. Without `upgrade`, a file of an earlier version
    stays one: a release on trial must leave it to the one before. Raises `JournalBusy` if another board writes it (two
    writers would break the chain), `JournalAway` if it cannot be opened.
    """
    lock, aside, rebuilt = _lock(path), None, None
    ready = path.with_name(f"{path.name}.{READY}")
    try:
        lock = take_place(path, lock, ready)
        try:
            journal = _open_checked(path, clock, upgrade=upgrade)
        except JournalDamaged as damaged:
            rebuilt = rebuild(path, ready, damaged.reason)
            aside = put_aside(path)  # under the lock: no other board may move the new file too
            lock = take_place(path, _lock_again(path, lock), ready)
            try:
                journal = _open_checked(path, clock)
            except JournalDamaged:  # its rows do not make a sound one
                rebuilt = None
                path.unlink()
                lock = _lock_again(path, lock)
                journal = _open_checked(path, clock)
        journal.rebuilt, journal.aside = rebuilt, aside
    except BaseException as wrong:
        os.close(lock)
        if isinstance(wrong, OSError):
            raise journal_unavailable(path, wrong) from wrong
        raise
    journal.lock = lock
    return journal, aside


def open_journal_as_it_is(path: Path, clock: Clock, *, make: bool) -> Journal:
    """Open, lock and upgrade the journal, but never repair it.

    A damaged file stays in place. With `make`, a missing file is created. Raises `NoJournal`, `JournalDamaged` (also
    for a database of another program), `JournalBusy`, `JournalAway`.
    """
    lock = _lock(path, make=make)
    try:
        journal = _open_checked(path, clock, make=make and os.fstat(lock).st_size == 0)
    except BaseException:
        os.close(lock)
        raise
    journal.lock = lock
    return journal


def take_place(path: Path, lock: int, ready: Path) -> int:
    """Rename `ready` to `path`, if `path` is free.

    If the earlier file is still at `path`, delete `ready`. This also works after a power cut between both steps. Return
    the lock of the file that is at `path` in the end."""
    if not ready.exists():
        return lock
    if path.exists() and path.stat().st_size:  # the file before is there still: the switch has not begun
        ready.unlink()
        return lock
    _remove_logs(path)
    ready.rename(path)
    return _lock_again(path, lock)


def _lock_again(path: Path, lock: int) -> int:
    """Lock the new file at `path`, and release `lock`."""
    new = _lock(path)
    os.close(lock)
    return new


def _remove_logs(path: Path) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _lock(path: Path, *, make: bool = True) -> int:
    """Lock the file for this process only. Return the file descriptor.

    The lock stays if the file is renamed. Raises `NoJournal` if the file is missing and `make` is false."""
    while True:
        try:
            if make:
                path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(path, os.O_RDONLY | os.O_CLOEXEC | (os.O_CREAT if make else 0), 0o644)
        except OSError as wrong:
            if isinstance(wrong, FileNotFoundError | NotADirectoryError) and not make:
                raise NoJournal(path) from wrong
            raise journal_unavailable(path, wrong) from wrong
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(path.stat(), os.fstat(lock)):
                return lock
        except BlockingIOError as locked:
            os.close(lock)
            raise JournalBusy(path) from locked
        except OSError as wrong:
            os.close(lock)
            raise journal_unavailable(path, wrong) from wrong
        os.close(lock)  # another board has just put this file aside


def lock_to_replace(path: Path) -> int:
    """Lock the journal that will be replaced. Raises `JournalBusy`, `JournalAway`.

    If there is none, create an empty one."""
    return _lock(path)


def is_played_on(path: Path) -> bool:
    """Whether another process has this journal open for writing."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _open_checked(path: Path, clock: Clock, *, make: bool = True, upgrade: bool = True) -> Journal:
    """Open and check the journal. Raises `JournalDamaged`."""
    journal = Journal(path, clock, make=make)
    try:
        journal.check()
        if upgrade:
            journal.upgrade()
            journal.rehearse()
    except BaseException:
        journal.close()
        raise
    return journal


def put_aside(path: Path, why: str = "damaged") -> Path:
    """Rename the journal's files, and return the new path."""
    names = (path.with_name(f"{path.name}.{why}-{number}") for number in range(1, 1000))
    aside = next(name for name in names if not name.exists())
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside
