"""`cribboard club`: shows, joins or leaves a club.

A board that runs has its journal to itself: its menu and its owner's page do the same.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cribd.cli.doctor import configured
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_journal, add_language
from cribd.clock import SystemClock
from cribd.inputs import LONGEST_NAME
from cribd.storage.archive import Archive, ArchiveAway
from cribd.storage.journal import Journal, JournalBusy, JournalDamaged
from cribd.storage.journal_file import JournalAway
from cribd.storage.open_journal import NoJournal, open_journal_as_it_is
from cribd.terminal import say
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parts: Any = parser.add_subparsers(dest="what", metavar="WHAT")
    for word in ("join", "leave"):
        parts.add_later(word, lambda part, word=word: _add_own(word, part))
    add_journal(parser)
    add_language(parser)


def _add_own(word: str, parser: argparse.ArgumentParser) -> None:
    if word == "join":
        parser.add_argument("address", metavar="ADDRESS")
    add_journal(parser, default=argparse.SUPPRESS)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Show, join or leave a club. Returns the exit code."""
    config, _ = configured(options.config, words)
    path = Path(options.journal) if options.journal else config.journal_path
    if not all(find_spec(name) for name in ("aiomqtt", "cryptography")):
        raise CommandRefused(words.say("command.club.no_library"))
    from cribd.club.membership import SETTING, membership_in

    try:
        if options.what is None:
            member = membership_in(Archive(path).setting(SETTING) or "") if path.exists() else None
            say(words.say("command.club.none") if member is None else words.say("command.club.of", club=member.name))
            return Exit.DONE
        with closing(open_journal_as_it_is(path, SystemClock(), make=options.what == "join")) as journal:
            return _leave(journal, words) if options.what == "leave" else _join(options.address, journal, path, words)
    except NoJournal as wrong:
        raise CommandRefused(words.say("command.event.no_journal", file=wrong.path)) from wrong
    except JournalBusy as wrong:
        raise CommandRefused(words.say("command.club.busy")) from wrong
    except (JournalDamaged, ArchiveAway, JournalAway) as wrong:
        why = words.problem(wrong.args[0])
        raise CommandRefused(words.say("command.event.damaged", file=path, why=why)) from wrong


def _leave(journal: Journal, words: Phrases) -> int:
    from cribd.club.membership import keep_membership

    keep_membership(journal, None)
    say(words.say("command.club.none"))
    return Exit.DONE


def _join(address: str, journal: Journal, path: Path, words: Phrases) -> int:
    from cribd.club.hub_place import read_place
    from cribd.club.joining import JoiningEnded
    from cribd.club.joining_client import JoinProgress, join
    from cribd.club.keys import load_or_make
    from cribd.club.membership import Membership, keep_membership

    place = read_place(address)
    if place is None:
        raise CommandRefused(words.say("command.club.no_address", address=address))
    confirmed = asyncio.Event()

    async def compare() -> Membership:
        loop = asyncio.get_running_loop()
        left = loop.create_future()

        def show(progress: JoinProgress, club: str) -> None:
            if not (two := getattr(progress, "words", ())):
                return
            say(words.say("command.club.words", club=club, words=" ".join(two)))

            def answer() -> None:
                """Read the user's yes or no from stdin, in a thread."""
                is_yes = sys.stdin.readline().strip().casefold()[:1] in ("y", "o")
                loop.call_soon_threadsafe(confirmed.set if is_yes else left.cancel)

            loop.run_in_executor(None, answer)

        name = socket.gethostname().partition(".")[0][:LONGEST_NAME]
        joining = asyncio.ensure_future(
            join(place, load_or_make(path), SystemClock(), name=name, show=show, confirmed=confirmed)
        )
        left.add_done_callback(lambda _: joining.cancel())
        return await joining

    try:
        member = asyncio.run(compare())
    except asyncio.CancelledError:
        raise CommandRefused(words.say("club.why.left"), code=Exit.PROBLEM) from None
    except JoiningEnded as ended:
        raise CommandRefused(words.say(f"club.why.{ended.code}", **ended.values), code=Exit.PROBLEM) from ended
    keep_membership(journal, member)
    say(words.say("command.club.of", club=member.name))
    return Exit.DONE
