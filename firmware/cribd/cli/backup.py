"""`cribboard backup`: copies the journal and the configuration."""

from __future__ import annotations

import argparse
from pathlib import Path

from cribd.cli.doctor import configured, installed_file
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.cli.options import add_journal, add_language
from cribd.clock import SystemClock
from cribd.storage import stick
from cribd.storage.archive import ArchiveAway
from cribd.storage.journal_backup import copy_at
from cribd.terminal import say
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("to", nargs="?", type=Path, metavar="FOLDER")
    add_journal(parser)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Copy the journal and the configuration. Returns the exit code."""
    config, _ = configured(options.config, words)
    file = options.config or installed_file()
    journal = Path(options.journal) if options.journal else config.journal_path
    if not journal.exists():
        raise CommandRefused(words.say("command.event.no_journal", file=journal))
    label, now, to = config.backup.label, SystemClock().wall().astimezone(), options.to
    if to is None and (to := stick.find_stick(label)) is None:
        raise CommandRefused(words.say("command.backup.no_stick", label=label))
    try:
        if options.to is None:
            to = stick.copy_to(to, journal, file, now)
        else:
            to = copy_at(to, now)
            stick.copy_both(to, journal, file)
    except NotADirectoryError as wrong:
        raise CommandRefused(words.say("command.event.no_folder", folder=options.to)) from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(to, wrong, words)) from wrong
    except ArchiveAway as wrong:
        raise CommandRefused(
            words.say("command.event.damaged", file=journal, why=words.problem(wrong.args[0]))
        ) from wrong
    say(str(to), *(() if file is None else (str(stick.beside(to)),)))
    return Exit.DONE
