"""`cribboard release`: manages the releases on this machine.

`check` is what an installation asks of a new release before the board runs on it: whether its parts can be imported,
the configuration can be read, and a copy of the journal can be opened and raised to this version.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.cli.options import add_json, add_language
from cribd.clock import SystemClock
from cribd.install import releases
from cribd.install.machine import InstallRefused, Machine
from cribd.terminal import say
from cribd.text import Phrases

#: The modules that a board imports only after its start.
_LATE_MODULES = (
    *("cribd.daemon.service", "cribd.daemon.pages", "cribd.daemon.examination"),
    *("cribd.drivers", "cribd.readers.serial_reader", "cribd.voice", "cribd.wires.pi"),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list")
    use = what.add_parser("use")
    remove = what.add_parser("remove")
    check = what.add_parser("check")
    check.add_argument("--config", type=Path, metavar="FILE")
    for part in (use, remove):
        part.add_argument("name", metavar="NAME")
    for command in (parser, lists, use, remove, check):
        default: dict[str, Any] = {} if command is parser else {"default": argparse.SUPPRESS}
        add_language(command)
        add_json(command, **default)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Manage the releases on this machine. Returns the exit code."""
    machine = Machine()
    try:
        match options.what:
            case "check":
                return _check(options.config, words)
            case "use":
                _needs_root(words)
                with machine.locked():
                    releases.activate(machine, releases.named(machine, options.name), SystemClock())
                say(words.say("command.release.runs", name=options.name))
                return Exit.DONE
            case "remove":
                _needs_root(words)
                with machine.locked():
                    releases.remove(machine, options.name)
                return Exit.DONE
    except InstallRefused as wrong:
        raise CommandRefused(*map(words.problem, wrong.problems)) from wrong
    return _list(machine, words, as_json=options.json)


def _needs_root(words: Phrases) -> None:
    if os.geteuid() != 0:
        raise CommandRefused(words.say("command.release.root"))


def _list(machine: Machine, words: Phrases, *, as_json: bool) -> int:
    there, runs = releases.releases(machine), releases.current(machine)
    if as_json:
        print(json.dumps([asdict(release) | {"runs": release.name == runs} for release in there]))
        return Exit.DONE
    for release in there:
        code = "command.release.line.runs" if release.name == runs else "command.release.line"
        say(words.say(code, name=release.name, python=release.python))
    if not there:
        say(words.say("command.release.none", folder=releases.RELEASES))
    return Exit.DONE


def _check(config: Path | None, words: Phrases) -> int:
    """Check whether this release works on this machine. Raises `CommandRefused`, `ConfigError`."""
    from cribd.config.config import configure
    from cribd.storage.archive import ArchiveAway
    from cribd.storage.journal import JournalAway, JournalDamaged
    from cribd.storage.journal_backup import try_copy

    for part in _LATE_MODULES:
        try:
            import_module(part)
        except ImportError as missing:
            raise CommandRefused(words.say("command.release.import", part=part, why=missing)) from missing
    journal = configure(config, {})[0].journal_path
    try:
        if journal.exists():
            try_copy(journal, SystemClock())
    except (JournalDamaged, JournalAway) as wrong:
        raise CommandRefused(f"{words.problem(wrong)}.") from wrong
    except ArchiveAway as damaged:
        reason = words.problem(damaged)
        raise CommandRefused(words.say("command.journal_damaged", where=journal, why=reason)) from damaged
    except OSError as wrong:
        raise CommandRefused(unwritable(journal, wrong, words)) from wrong
    say(words.say("command.release.sound"))
    return Exit.DONE
