"""`cribboard doctor`: examines the board and its machine."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from cribd.boards import Board
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_json, add_language
from cribd.clock import SystemClock
from cribd.config.config import Config, configure
from cribd.doctor.examine import examine
from cribd.doctor.findings import Finding, Installation, Severity, run_command
from cribd.doctor.running_board import ask_board
from cribd.doctor.service import UNIT
from cribd.terminal import say, table
from cribd.text import Phrases
from cribd.wires.pi import PiWires

#: The configuration file of the installed service, below the root, and the folder of its journal.
_INSTALLED, _STATE = "etc/cribboard/config.toml", "/var/lib/cribboard"
Installed = tuple[Config, Board]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE")
    add_json(parser)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Examine the board. Returns the exit code."""
    config, board = configured(options.config, words)
    with closing(PiWires({reader.name: reader.port for reader in config.readers})) as wires:
        installation = Installation(config=config, board=board, wires=wires, clock=SystemClock())
        findings = list(examine(installation, answer=ask_board(installation, options.language)))
    return report(findings, words, as_json=options.json)


def installed_file(root: Path = Path("/")) -> Path | None:
    """Return the installed service's configuration file, or None."""
    installed = root / _INSTALLED
    return installed if installed.exists() else None


def configured(
    path: Path | None, words: Phrases, root: Path = Path("/"), command: Callable[..., str] = run_command
) -> Installed:
    """Read the configuration and the board that is configured.

    Without a path, read the configuration of the installed service. Raises `ConfigError`, and `CommandRefused` if only
    root may read the service's: it has the PINs."""
    installed = root / _INSTALLED
    if path is not None or not installed.exists():
        return configure(path, {})
    if not os.access(installed, os.R_OK):
        raise CommandRefused(words.say("command.doctor.root", file=installed))
    config, board = configure(installed, {})
    if config.journal or os.environ.get("STATE_DIRECTORY"):
        return config, board
    try:
        moved = re.search(r"STATE_DIRECTORY=(\S+)", command("systemctl", "show", UNIT, "-p", "Environment"))
    except OSError:
        moved = None
    return replace(config, journal=f"{moved[1] if moved else _STATE}/journal.db"), board


def report(findings: Sequence[Finding], words: Phrases, *, as_json: bool) -> int:
    """Print the findings, and return the exit code."""
    if as_json:
        print(json.dumps([as_values(finding) for finding in findings], ensure_ascii=False))
    else:
        say(*lines(findings, words))
    severities = {finding.severity for finding in findings}
    if Severity.FAULT in severities:
        return Exit.CANNOT
    return Exit.PROBLEM if Severity.WARNING in severities else Exit.DONE


def as_values(finding: Finding) -> dict[str, str]:
    """Convert a finding to JSON values, in English."""
    return {
        "check": finding.check,
        "level": finding.severity,
        "measured": str(finding.measured),
        "remedy": str(finding.remedy),
    }


def lines(findings: Sequence[Finding], words: Phrases) -> Iterator[str]:
    """Yield the lines of the findings, in groups."""
    rows: list[list[str]] = []
    for group, found in groupby(findings, lambda finding: finding.check.partition(".")[0]):
        rows.append([words.say(f"command.doctor.group.{group}")])
        for finding in found:
            level = words.say(f"command.doctor.level.{finding.severity}")
            rows.append([f"  {level}", finding.check, words.problem(finding.measured)])
            if finding.remedy:
                rows.append(["", "", f"→ {words.problem(finding.remedy)}"])
    yield from table(rows)
    counts = {level: sum(finding.severity is level for finding in findings) for level in Severity}
    yield ", ".join(
        words.say("command.doctor.count", level=words.say(f"command.doctor.level.{level}"), count=count)
        for level, count in counts.items()
    )
