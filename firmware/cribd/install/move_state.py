"""Copies the journal to the state folder of `--state`.

The earlier folder stays as it is. What is copied gets its name only when it is whole and on the disk.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from cribboard.validation import Message
from cribd.install.machine import Machine, sync_name
from cribd.install.plan import UNIT

#: The write-ahead log comes first: a journal without it would lack the last acts.
_FILES = ("journal.db-wal", "journal.db")


def two_journals(machine: Machine, old: str, new: str) -> Iterator[Message]:
    """Yield an error if both folders have a journal."""
    if old != new and all(machine.path(folder).joinpath(_FILES[-1]).exists() for folder in (old, new)):
        yield Message(
            "install.two_states",
            "There are two state folders, {one} and {other}: move one of them away.",
            one=old,
            other=new,
        )


def copy_journal(machine: Machine, old: str, new: str) -> list[Path]:
    """Stop the board, and copy its journal to the folder `new`.

    Does nothing if there is no journal, or if `new` is `old`. Returns the copied files. Raises OSError."""
    if old == new or not machine.path(old).joinpath(_FILES[-1]).exists():
        return []
    machine.run("systemctl", "stop", UNIT)
    folder = machine.path(new)
    folder.mkdir(parents=True, exist_ok=True)
    there = [name for name in _FILES if machine.path(f"{old}/{name}").exists()]
    try:
        return [_copy(machine.path(f"{old}/{name}"), folder / name) for name in there]
    except BaseException:
        remove([folder / name for name in _FILES])
        raise


def remove(copies: list[Path]) -> None:
    """Remove the copied journal after an installation that failed."""
    for copy in copies:
        copy.unlink(missing_ok=True)


def _copy(there: Path, to: Path) -> Path:
    part = to.with_name(f".{to.name}.cribboard")
    try:
        with there.open("rb") as source, part.open("wb") as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
        part.rename(to)
    finally:
        part.unlink(missing_ok=True)
    sync_name(to)
    return to
