"""`cribboard doctor`: examines the board and its machine, and says what to do about each fault."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from cribd.cli.errors import Exit
from cribd.cli.options import add_json, add_language
from cribd.clock import SystemClock
from cribd.config.config import configure
from cribd.doctor.examine import examine
from cribd.doctor.findings import Finding, Installation, Level
from cribd.terminal import say, table
from cribd.text import Phrases
from cribd.wires.pi import PiWires


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--config", type=Path, metavar="FILE")
    add_json(parser)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Examine the board. Returns the exit code: 2 if there is a fault, else 1 if there is a warning, else 0."""
    config, board = configure(options.config, {})
    with closing(PiWires({reader.name: reader.port for reader in config.readers})) as wires:
        installation = Installation(config=config, board=board, wires=wires, clock=SystemClock())
        return report(list(examine(installation)), words, as_json=options.json)


def report(findings: Sequence[Finding], words: Phrases, *, as_json: bool) -> int:
    """Print the findings, and return the exit code."""
    if as_json:
        print(json.dumps([as_values(finding) for finding in findings], ensure_ascii=False))
    else:
        say(*lines(findings, words))
    levels = {finding.level for finding in findings}
    if Level.FAULT in levels:
        return Exit.CANNOT
    return Exit.PROBLEM if Level.WARNING in levels else Exit.DONE


def as_values(finding: Finding) -> dict[str, str]:
    """A finding as JSON, in English."""
    return {
        "check": finding.check,
        "level": finding.level,
        "measured": str(finding.measured),
        "remedy": str(finding.remedy),
    }


def lines(findings: Sequence[Finding], words: Phrases) -> Iterator[str]:
    """The findings in words: a line for each, grouped, and the remedy on the next."""
    rows: list[list[str]] = []
    for group, found in groupby(findings, lambda finding: finding.check.partition(".")[0]):
        rows.append([words.say(f"command.doctor.group.{group}")])
        for finding in found:
            level = words.say(f"command.doctor.level.{finding.level}")
            rows.append([f"  {level}", finding.check, words.problem(finding.measured)])
            if finding.remedy:
                rows.append(["", "", f"→ {words.problem(finding.remedy)}"])
    yield from table(rows)
    counts = {level: sum(finding.level is level for finding in findings) for level in Level}
    yield ", ".join(
        words.say("command.doctor.count", level=words.say(f"command.doctor.level.{level}"), count=count)
        for level, count in counts.items()
    )
