"""Backs up and restores the whole journal.

With `--club` the hub's key is in the copy too, and a phrase encrypts both (`cribd.club.encrypted_backup`).
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from cribd.causes import unreadable
from cribd.cli.errors import CommandRefused, Exit, read_file, read_text, unwritable
from cribd.clock import SystemClock
from cribd.storage.journal import JournalAway, JournalBusy, JournalDamaged
from cribd.storage.journal_backup import CLUB_MAGIC, back_up_journal, copy_at, write_whole
from cribd.storage.journal_file import NewerJournal
from cribd.storage.open_journal import NoJournal
from cribd.storage.restore import MissingData, restore, restore_beside
from cribd.storage.schema import VERSION
from cribd.terminal import say
from cribd.text import Phrases


def add_backup_options(backup: argparse.ArgumentParser) -> None:
    """Add the options of `event backup`."""
    backup.add_argument("to", type=Path, metavar="FOLDER")
    backup.add_argument("--club", action="store_true")
    _add_phrase_file(backup)


def add_restore_options(restore: argparse.ArgumentParser) -> None:
    """Add the options that `event restore` and `restore` share."""
    restore.add_argument("copy", type=Path, metavar="FILE")
    restore.add_argument("--instead", action="store_true")
    _add_phrase_file(restore)


def _add_phrase_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--phrase-file", type=Path, metavar="FILE")


def make_copy(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    """Copy the journal to a new file.

    The journal is only read, so a board may play on it. Raises `NoJournal`, `ArchiveAway`, `CommandRefused`."""
    if not os.path.exists(journal):
        raise NoJournal(journal)
    to = options.to
    try:
        to = copy_at(to, SystemClock().wall().astimezone(), ".club" if options.club else ".db")
        if options.club:
            _back_up_club(options, journal, to, words)
        else:
            back_up_journal(journal, to)
    except NotADirectoryError as wrong:
        raise CommandRefused(words.say("command.event.no_folder", folder=options.to)) from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(to, wrong, words)) from wrong
    say(str(to))
    return Exit.DONE


def _back_up_club(options: argparse.Namespace, journal: Path, to: Path, words: Phrases) -> None:
    """Encrypt the journal and the hub's key into the new file `to`. Raises `CommandRefused`, `ArchiveAway`, OSError."""
    _require_club(words)
    from cribd.club.encrypted_backup import SHORTEST, back_up_club, is_long_enough, propose_phrase
    from cribd.club.keys import FILE_NAME, KeyDamaged

    if not (key := journal.with_name(FILE_NAME)).exists():
        raise CommandRefused(words.say("command.event.no_club_key", file=key))
    if options.phrase_file is None and sys.stdin.isatty():
        proposed = propose_phrase()
        say(words.say("command.event.phrase_proposed", phrase=proposed), words.say("command.event.phrase_keep"))
        phrase = _ask(words.say("command.event.phrase_new", least=SHORTEST)) or proposed
        if phrase != proposed and phrase != _ask(words.say("command.event.phrase_again")):
            raise CommandRefused(words.say("command.event.phrases_differ"))
    else:
        phrase = _given_phrase(options, words)
    if not is_long_enough(phrase):
        raise CommandRefused(words.say("command.event.phrase_short", least=SHORTEST))
    try:
        back_up_club(journal, to, phrase)
    except KeyDamaged as wrong:
        raise CommandRefused(words.problem(wrong)) from wrong


def _given_phrase(options: argparse.Namespace, words: Phrases) -> str:
    """Read the passphrase of a club backup. Raises `CommandRefused`."""
    if options.phrase_file is not None:
        return read_text(options.phrase_file, words)
    if not sys.stdin.isatty():
        raise CommandRefused(words.say("command.event.no_phrase"))
    return _ask(words.say("command.event.phrase"))


def _ask(question: str) -> str:
    from getpass import getpass

    try:
        return getpass(question)
    except EOFError:
        return ""


def _require_club(words: Phrases) -> None:
    if find_spec("cryptography") is None:
        raise CommandRefused(words.say("command.event.no_club"))


def restore_copy(options: argparse.Namespace, journal: Path, words: Phrases) -> int:
    """Replace the journal by a copy. Raises `CommandRefused`.

    A club's copy also replaces the hub's key."""
    copy: Path = options.copy
    try:
        with copy.open("rb") as file:
            is_of_club = file.read(len(CLUB_MAGIC)) == CLUB_MAGIC
    except OSError as wrong:
        raise CommandRefused(words.problem(unreadable(copy, wrong))) from wrong
    if not is_of_club:
        return _restore(options, copy, journal, words)
    _require_club(words)
    from cribd.club.encrypted_backup import NoClubBackup, decrypt
    from cribd.club.keys import FILE_NAME

    try:
        club = decrypt(read_file(copy, words), _given_phrase(options, words))
    except NoClubBackup as wrong:
        refused = words.say("command.event.restore_refused", file=copy, why=words.problem(wrong))
        raise CommandRefused(refused, code=Exit.PROBLEM) from wrong
    plain = journal.with_name(f"{journal.name}.club")
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        write_whole(plain, club.journal)
        _restore(options, plain, journal, words)
        aside = restore_beside(journal, FILE_NAME, club.key)
    except OSError as wrong:
        raise CommandRefused(unwritable(journal, wrong, words)) from wrong
    finally:
        plain.unlink(missing_ok=True)
    if aside is not None:
        say(words.say("command.event.restore_key_aside", file=aside))
    say(words.say("command.event.restored_club"))
    return Exit.DONE


def _restore(options: argparse.Namespace, copy: Path, journal: Path, words: Phrases) -> int:
    """Replace the journal by the journal file `copy`. Raises `CommandRefused`."""
    try:
        restored = restore(copy, journal, SystemClock(), instead=options.instead)
    except JournalBusy as wrong:
        raise CommandRefused(words.say("command.event.restore_busy", file=journal)) from wrong
    except JournalDamaged as wrong:
        damaged = words.say("command.event.restore_damaged", file=options.copy, why=wrong.reason)
        raise CommandRefused(damaged, code=Exit.PROBLEM) from wrong
    except NewerJournal as newer:
        values = {"file": options.copy, "least": newer.least, "version": VERSION}
        raise CommandRefused(words.say("command.event.restore_newer", **values)) from newer
    except JournalAway as wrong:
        raise CommandRefused(f"{words.problem(wrong)}.") from wrong
    except OSError as wrong:
        raise CommandRefused(unwritable(journal, wrong, words)) from wrong
    if isinstance(restored, MissingData):
        what = _in_words(restored, words)
        raise CommandRefused(words.say("command.event.restore_loses", file=journal, what=what))
    say(words.say("command.event.restored", file=journal, games=restored.games, events=restored.events))
    if restored.aside is not None:
        say(words.say("command.event.restore_aside", file=restored.aside))
    return Exit.DONE


def _in_words(lacking: MissingData, words: Phrases) -> str:
    parts = [
        words.say(f"command.event.lacks.{name}", numbers=", ".join(map(str, numbers)))
        for name, numbers in (("games", lacking.games), ("events", lacking.events))
        if numbers
    ]
    parts += [words.say("command.event.lacks.members", number=lacking.members)] if lacking.members else []
    return "; ".join(parts)
