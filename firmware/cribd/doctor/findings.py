"""The data types of the doctor."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from errno import ETIMEDOUT
from pathlib import Path

from cribd.boards import Board
from cribd.causes import Message
from cribd.clock import Clock
from cribd.config.config import Config
from cribd.text import Phrases
from cribd.wires import Wires

#: How long a command may take to answer.
_COMMAND_S = 10.0


class CheckGroup(StrEnum):
    """The groups of checks, in the order of the examination."""

    MACHINE = "machine"
    POWER = "power"
    BUSES = "buses"
    OLED = "oled"
    STRIP = "strip"
    BUTTONS = "buttons"
    KEYS = "keys"
    READERS = "readers"
    SOUND = "sound"
    JOURNAL = "journal"
    CLOCK = "clock"
    NETWORK = "network"
    SERVICE = "service"
    UPDATE = "update"


class Severity(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"
    NOT_LOOKED_AT = "not_looked_at"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check.

    `remedy` says what a person can do, or is "" if nothing need be done.
    `check` is the name of the check with its group, as `oled.address`."""

    severity: Severity
    measured: str
    remedy: str = ""
    check: str = ""


def run_command(*words: str) -> str:
    """Run a command, and return its output in English.

    Raises OSError if there is no such command, or if it takes too long."""
    try:
        ran = subprocess.run(
            words,
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_COMMAND_S,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise OSError(ETIMEDOUT, os.strerror(ETIMEDOUT), words[0]) from None
    return ran.stdout.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """An installed board: its configuration, its wires and its machine.

    `root` is where /proc, /sys, /etc, /run, /dev and /opt are found. `run` runs a command and returns its output.
    """

    config: Config
    board: Board
    wires: Wires
    clock: Clock
    root: Path = Path("/")
    run: Callable[..., str] = run_command

    def read(self, path: str) -> str | None:
        """Return the text of a file below `root`, or None."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").rstrip("\0\n")
        except (FileNotFoundError, NotADirectoryError):
            return None


@dataclass(frozen=True, slots=True)
class Check:
    """A check of the installation: `look` yields the findings.

    With `takes`, the check opens a part that a running board uses, so it cannot run beside a board."""

    group: CheckGroup
    name: str
    look: Callable[[Installation], Iterator[Finding]]
    takes: bool = False


def ok(measured: str) -> Finding:
    """Return the finding of a check that found nothing wrong."""
    return Finding(Severity.OK, measured)


def warning(measured: str, remedy: str) -> Finding:
    """Return a finding of a fault that does not prevent play."""
    return Finding(Severity.WARNING, measured, remedy)


def fault(measured: str, remedy: str) -> Finding:
    """Return a finding of a fault that prevents play, or loses games."""
    return Finding(Severity.FAULT, measured, remedy)


def not_looked_at(why: str, remedy: str = "") -> Finding:
    """Return the finding of a check that could not be made."""
    return Finding(Severity.NOT_LOOKED_AT, why, remedy)


def in_words(finding: Finding, words: Phrases) -> dict[str, str]:
    """Return a finding as JSON, in the language of `words`."""
    group, _, check = finding.check.partition(".")
    return {
        "group": words.say(f"command.doctor.group.{group}"),
        "check": check,
        "level": finding.severity,
        "level_name": words.say(f"command.doctor.level.{finding.severity}"),
        "measured": words.problem(finding.measured),
        "remedy": words.problem(finding.remedy),
    }


def backup_command(at: Installation) -> Message:
    """Return the command that copies the journal."""
    return Message(
        "doctor.back_up",
        "`sudo cribboard event backup --journal {journal} FOLDER`, FOLDER on a USB stick",
        journal=at.config.journal_path,
    )


def restore_command(at: Installation) -> Message:
    """Return the command that restores a copy of the journal."""
    return Message(
        "doctor.bring_back",
        "`sudo systemctl stop cribd`, `sudo cribboard event restore --journal {journal} FILE`, "
        "`sudo systemctl start cribd`",
        journal=at.config.journal_path,
    )


def power_off() -> Message:
    """Return the advice to switch the power off first."""
    return Message("doctor.power_off", "First `sudo poweroff`, and pull the power of the Pi and of the strip.")


def as_root() -> Message:
    """Return the remedy "run the doctor with sudo"."""
    return Message("doctor.as_root", "Run the doctor with sudo.")
