"""The command line. The options and the work of each command are in the module of its name.

Modules import what a command needs when it is called: `cribboard count` never waits for a web server.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cribd.cli import count, decks, demo, discard, enroll, event, record, replay, rules, run, statistics
from cribd.cli.errors import Exit
from cribd.cli.options import add_language
from cribd.cli.parser import Parser
from cribd.languages import of_environment, spellings

#: The commands. What each does is in the catalogues (`cribd.cli.parser`).
COMMANDS = {
    "run": run,
    "count": count,
    "discard": discard,
    "rules": rules,
    "record": record,
    "event": event,
    "enroll": enroll,
    "decks": decks,
    "statistics": statistics,
    "replay": replay,
    "demo": demo,
}


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line, or these arguments. `command` of the result is the function to call with it."""
    words = sys.argv[1:] if arguments is None else arguments
    return parser(words).parse_args(words)


def parser(words: Sequence[str] = ()) -> Parser:
    """The parser of the command line. Only commands named in `words` get their options: to make those of all takes
    longer than most commands."""
    top = Parser(prog="cribboard", typed=words)
    top.add_argument("--version", action=_Version, nargs=0)
    add_language(top, default=None)
    top.set_defaults(command=lambda _: _help(top), json=False)
    commands = top.add_subparsers(metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(name)
        if name in words:
            module.add_options(command)
    return top


class _Version(argparse.Action):
    """Prints the version. The slow look-up happens only when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"cribboard {version('cribboard')}")
        parser.exit()


def _help(top: argparse.ArgumentParser) -> int:
    """List the commands, because none was named."""
    top.print_help(sys.stderr)
    return Exit.CANNOT


def spoken(options: argparse.Namespace) -> str:
    """The language of a command's output: `--lang`, or the environment. JSON is always English."""
    if options.lang is not None:
        return spellings()[options.lang]
    return "en" if options.json else of_environment()
