"""Moves the state of an earlier kind of installation.

The earlier kind is a clone in `/opt/cribboard`, run by a systemd dynamic user. The clone stays: it is somebody's, and
`releases` and `current` lie beside it. Its unit is put aside, and its state folder, which systemd kept in
`/var/lib/private`, becomes that of the static user. Everything is only renamed, so each step can be undone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from cribboard.validation import Message
from cribd.install.machine import InstallRefused, Machine
from cribd.install.plan import STATE, UNIT

OLD_STATE = "/var/lib/private/cribboard"
OLD_UNIT = f"/etc/systemd/system/{UNIT}"
_ASIDE = f"{OLD_UNIT}.before-releases"


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """What `take_over_state` has done.

    `state`: it has moved a folder. `ran`: the earlier board was running, and was stopped."""

    state: bool
    ran: bool


def has_earlier_installation(machine: Machine) -> bool:
    """Whether this machine has an earlier installation from a git clone."""
    return (
        machine.path(_ASIDE).exists()
        or "/opt/cribboard/.venv/" in (machine.read(OLD_UNIT) or "")
        or (machine.path(STATE).is_symlink() and machine.path(OLD_STATE).is_dir())
    )


def take_over_state(machine: Machine) -> MigrationResult:
    """Stop an earlier installation's board, and take over its state.

    An error undoes the move. Raises `InstallRefused` if there are two state folders."""
    ran = machine.run("systemctl", "is-active", "--quiet", UNIT).returncode == 0
    machine.run("systemctl", "stop", UNIT)
    old, new, unit = machine.path(OLD_STATE), machine.path(STATE), machine.path(OLD_UNIT)
    moved = MigrationResult(state=old.is_dir(), ran=ran)
    try:
        if unit.exists():
            unit.rename(machine.path(_ASIDE))
        if moved.state:
            if new.is_symlink():
                new.unlink()
            elif new.is_dir() and not any(new.iterdir()):
                new.rmdir()
            if new.exists():
                both = Message(
                    "install.two_states",
                    "There are two state folders, {one} and {other}: move one of them away.",
                    one=OLD_STATE,
                    other=STATE,
                )
                raise InstallRefused(both)
            old.rename(new)
        machine.run("systemctl", "daemon-reload")
    except BaseException:
        move_back(machine, moved)
        raise
    return moved


def move_back(machine: Machine, moved: MigrationResult | None) -> None:
    """Undo a move, and restart the old service if it ran.

    Does nothing for None. When the old unit starts, systemd gives the state to its dynamic user again."""
    if moved is None:
        return
    old, new, aside = machine.path(OLD_STATE), machine.path(STATE), machine.path(_ASIDE)
    if aside.exists():
        aside.rename(machine.path(OLD_UNIT))
    if moved.state and new.is_dir() and not new.is_symlink() and not old.exists():
        new.rename(old)
        new.symlink_to(os.path.relpath(OLD_STATE, os.path.dirname(STATE)))
    machine.run("systemctl", "daemon-reload")
    if moved.ran:
        machine.run("systemctl", "restart", UNIT)


def delete_old_unit(machine: Machine) -> None:
    """Delete the old unit. Call this only after the new unit runs."""
    machine.path(_ASIDE).unlink(missing_ok=True)
