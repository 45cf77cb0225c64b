"""The command line: each command's options and work are in the module of its name.

Modules import what a command needs when it is called: `cribboard count` never waits for a web server.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cribd.cli import count, decks, demo, discard, enroll, event, record, replay, rules, run, statistics
from cribd.cli.errors import Exit
from cribd.cli.options import add_language
from cribd.languages import of_environment, spellings

#: Each command, and what it is for.
COMMANDS = {
    "run": (run, "run the board"),
    "count": (count, "count a hand, the starter last: count 5H 5C 5S JD 5D"),
    "discard": (discard, "rank all discards: discard 2H 3H 4S 5C 5D JD --crib mine"),
    "rules": (rules, "list the rules there are, show all of one, or check house rules"),
    "record": (record, "list the games of the journal; write, verify or look through a record"),
    "event": (event, "organise a competition: entrants, rounds, results, standings"),
    "enroll": (enroll, "teach a deck of tagged cards, card by card"),
    "decks": (decks, "list the decks of tagged cards, show one, or forget it"),
    "statistics": (statistics, "averages against par, wins, skunks and best hands of each player"),
    "replay": (replay, "judge a record again, and show the game act by act"),
    "demo": (demo, "let robots play on the simulated board"),
}


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, or these arguments. `command` of the result is the function to call with it."""
    words = sys.argv[1:] if arguments is None else arguments
    return parser(words).parse_args(words)


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The command line as argparse reads it. Only commands that are named in `words` get their options: to make those
    of all takes longer than most commands."""
    top = argparse.ArgumentParser(prog="cribboard", description="An electronic cribbage board.")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    add_language(top, default=None)
    top.set_defaults(command=lambda _: _help(top), json=False)
    commands = top.add_subparsers(metavar="COMMAND")
    for name, (module, what_for) in COMMANDS.items():
        command = commands.add_parser(name, help=what_for)
        if name in words:
            module.add_options(command)
    return top


class _Version(argparse.Action):
    """Prints the version. The look-up is slow, so it waits until somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"cribboard {version('cribboard')}")
        parser.exit()


def _help(top: argparse.ArgumentParser) -> int:
    """No command was named: list them."""
    top.print_help(sys.stderr)
    return Exit.CANNOT


def spoken(options: argparse.Namespace) -> str:
    """The language of what a command prints: that of `--lang`, or else of the environment. JSON is always English."""
    if options.lang is not None:
        return spellings()[options.lang]
    return "en" if options.json else of_environment()
