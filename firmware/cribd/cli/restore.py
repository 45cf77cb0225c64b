"""`cribboard restore`: replaces this machine's journal and configuration by a copy."""

from __future__ import annotations

import argparse
from pathlib import Path

from cribd.cli import event_backup_and_restore
from cribd.cli.doctor import configured, installed_file
from cribd.cli.errors import CommandRefused, Exit, read_file, unwritable
from cribd.cli.options import add_journal, add_language
from cribd.config.config import load_config
from cribd.storage import stick
from cribd.storage.restore import replace_file
from cribd.terminal import say
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    event_backup_and_restore.add_restore_options(parser)
    parser.add_argument("--journal-only", action="store_true")
    add_journal(parser)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Restore the copy. Returns the exit code.

    Raises `CommandRefused`, and `ConfigError` if this release cannot read the copy's configuration: then nothing has
    changed."""
    copied = stick.beside(options.copy)
    takes_both = copied.exists() and not options.journal_only
    if takes_both:
        load_config(copied)
    config, _ = configured(options.config, words)
    journal = Path(options.journal) if options.journal else config.journal_path
    event_backup_and_restore.restore_copy(options, journal, words)
    if takes_both:
        _restore_configuration(copied, options.config or installed_file(), words)
    return Exit.DONE


def _restore_configuration(copied: Path, file: Path | None, words: Phrases) -> None:
    if file is None:
        say(words.say("command.restore.config_stays", file=copied))
        return
    try:
        aside = replace_file(file, read_file(copied, words))
    except OSError as wrong:
        raise CommandRefused(unwritable(file, wrong, words)) from wrong
    if aside is None:
        say(words.say("command.restore.config_same", file=file))
    else:
        say(words.say("command.restore.config", file=file, aside=aside))
