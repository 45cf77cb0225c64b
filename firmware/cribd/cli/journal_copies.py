"""`cribboard event backup` and `restore`: copy the whole journal, games and competitions, to and from a file."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from cribd.causes import unreadable
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.clock import SystemClock
from cribd.storage.backup import back_up, copy_at
from cribd.storage.journal import JournalBusy, JournalDamaged, NotKept
from cribd.storage.journal_file import NewerJournal
from cribd.storage.open_journal import NoJournal
from cribd.storage.restore import Lacking, restore
from cribd.storage.schema import VERSION
from cribd.terminal import say
from cribd.text import Phrases


def add_backup_options(backup: argparse.ArgumentParser) -> None:
    """Add the options of `event backup`."""
    backup.add_argument("to", type=Path, metavar="FOLDER")


def add_restore_options(restore: argparse.ArgumentParser) -> None:
    """Add the options of a restore."""
    restore.add_argument("copy", type=Path, metavar="FILE")
    restore.add_argument("--instead", action="store_true")


def make_copy(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    """Copy the journal.

    It is only read, so a board may play on it. Raises `NoJournal`, `ArchiveAway`, `CommandRefused`."""
    if not os.path.exists(journal):
        raise NoJournal(journal)
    to = options.to
    try:
        to = copy_at(to, SystemClock().wall().astimezone())
        back_up(journal, to)
    except NotADirectoryError as wrong:
        raise CommandRefused(words.say("command.event.no_folder", folder=options.to)) from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(to, wrong, words)) from wrong
    say(str(to))
    return Exit.DONE


def restore_copy(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    """Replace the journal by a copy. Raises `CommandRefused`."""
    copy: Path = options.copy
    try:
        with copy.open("rb"):
            pass
    except OSError as wrong:
        raise CommandRefused(words.problem(unreadable(copy, wrong))) from wrong
    try:
        restored = restore(copy, journal, SystemClock(), instead=options.instead)
    except JournalBusy as wrong:
        raise CommandRefused(words.say("command.event.restore_busy", file=journal)) from wrong
    except JournalDamaged as wrong:
        damaged = words.say("command.event.restore_damaged", file=copy, why=wrong.reason)
        raise CommandRefused(damaged, code=Exit.PROBLEM) from wrong
    except NewerJournal as newer:
        values = {"file": copy, "least": newer.least, "version": VERSION}
        raise CommandRefused(words.say("command.event.restore_newer", **values)) from newer
    except NotKept as wrong:
        raise CommandRefused(f"{words.problem(wrong)}.") from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(journal, wrong, words)) from wrong
    if isinstance(restored, Lacking):
        what = _in_words(restored, words)
        raise CommandRefused(words.say("command.event.restore_loses", file=journal, what=what))
    say(words.say("command.event.restored", file=journal, games=restored.games, events=restored.events))
    if restored.aside is not None:
        say(words.say("command.event.restore_aside", file=restored.aside))
    return Exit.DONE


def _in_words(lacking: Lacking, words: Phrases) -> str:
    """The numbers of games and competitions in words, such as `games 4, 5, 6; events 2`."""
    parts = [
        words.say(f"command.event.lacks.{name}", numbers=", ".join(map(str, numbers)))
        for name, numbers in (("games", lacking.games), ("events", lacking.events))
        if numbers
    ]
    parts += [words.say("command.event.lacks.members", number=lacking.members)] if lacking.members else []
    return "; ".join(parts)
