"""`cribboard event backup` and `restore`: copy the whole journal, games and competitions, to and from a file."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from cribd.cli.errors import Exit, refuse, unwritable
from cribd.file_errors import unreadable
from cribd.terminal import say

if TYPE_CHECKING:
    from cribd.storage.restore import Lacking
    from cribd.text import Phrases


def add_options(backup: argparse.ArgumentParser, restore: argparse.ArgumentParser) -> None:
    """Add the options of both commands."""
    backup.add_argument("to", type=Path, metavar="FOLDER")
    restore.add_argument("copy", type=Path, metavar="FILE")
    restore.add_argument("--instead", action="store_true")


def run(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    """Make or restore a copy. Returns the exit code. Raises `NoJournal`, `ArchiveAway`."""
    return _restore(options, journal, words) if options.what == "restore" else _back_up(options, journal, words)


def _back_up(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    """Copy the journal. It is only read, so a board may play on it."""
    from cribd.clock import SystemClock
    from cribd.storage.backup import back_up, copy_at
    from cribd.storage.lock import NoJournal

    if not os.path.exists(journal):
        raise NoJournal(journal)
    to = options.to
    try:
        to = copy_at(to, SystemClock().wall().astimezone())
        back_up(journal, to)
    except NotADirectoryError:
        return refuse(words.say("command.event.no_folder", folder=options.to))
    except OSError as wrong:
        return refuse(unwritable(to, wrong, words))
    say(str(to))
    return Exit.DONE


def _restore(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    from cribd.clock import SystemClock
    from cribd.storage.journal import JournalBusy, JournalDamaged, NotKept
    from cribd.storage.journal_file import NewerJournal
    from cribd.storage.restore import Lacking, restore
    from cribd.storage.schema import VERSION

    copy: Path = options.copy
    try:
        with copy.open("rb"):
            pass
    except OSError as wrong:
        return refuse(words.problem(unreadable(copy, wrong)))
    try:
        came = restore(copy, journal, SystemClock(), instead=options.instead)
    except JournalBusy:
        return refuse(words.say("command.event.restore_busy", file=journal))
    except JournalDamaged as damaged:
        return refuse(words.say("command.event.restore_damaged", file=copy, why=damaged.reason), code=Exit.PROBLEM)
    except NewerJournal as newer:
        values = {"file": copy, "least": newer.least, "version": VERSION}
        return refuse(words.say("command.event.restore_newer", **values))
    except NotKept as wrong:
        return refuse(f"{words.problem(wrong)}.")
    except OSError as wrong:
        return refuse(unwritable(journal, wrong, words))
    if isinstance(came, Lacking):
        return refuse(words.say("command.event.restore_loses", file=journal, what=_in_words(came, words)))
    say(words.say("command.event.restored", file=journal, games=came.games, events=came.events))
    if came.aside is not None:
        say(words.say("command.event.restore_aside", file=came.aside))
    return Exit.DONE


def _in_words(lacking: Lacking, words: Phrases) -> str:
    """The numbers of games and events in words, such as `games 4, 5, 6; events 2`."""
    parts = [
        words.say(f"command.event.lacks.{name}", numbers=", ".join(map(str, numbers)))
        for name, numbers in (("games", lacking.games), ("events", lacking.events))
        if numbers
    ]
    parts += [words.say("command.event.lacks.members", number=lacking.members)] if lacking.members else []
    return "; ".join(parts)
