"""The command line of `cribboard`.

Only the module of the command that was typed is imported: `cribboard count` never waits for a web server.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from cribd.cli.errors import Exit, refusal
from cribd.cli.options import add_language
from cribd.cli.parser import Parser
from cribd.terminal import complain
from cribd.text import load

#: The commands. What each does is in the catalogues (`cribd.cli.parser`).
COMMANDS = (
    *("run", "hub", "count", "discard", "rules", "record", "event"),
    *("enroll", "decks", "statistics", "replay", "demo", "doctor", "selftest"),
    *("release", "first-boot", "backup", "restore", "club"),
)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line, or the given `arguments`.

    In the result, `command` is the function that runs the command."""
    words = sys.argv[1:] if arguments is None else arguments
    return parser(words).parse_args(words)


def parser(words: Sequence[str] = ()) -> Parser:
    """Return the parser of `cribboard`, for the typed `words`."""
    top = Parser(prog="cribboard", typed=words)
    top.add_argument("--version", action=_Version, nargs=0)
    add_language(top, default=None)
    top.set_defaults(command=lambda *_: _help(top), json=False)
    commands = top.add_subparsers(metavar="COMMAND")
    for name in COMMANDS:
        commands.add_later(name, partial(_define, name))
    return top


def _define(name: str, command: Parser) -> None:
    """Add the options of a command from the command's module."""
    module = import_module(f"cribd.cli.{name.replace('-', '_')}")
    command.set_defaults(command=module.run)
    module.add_options(command)


def run_command(options: argparse.Namespace) -> int:
    """Run the parsed command, and return the exit code."""
    words = load(options.language)
    try:
        return int(options.command(options, words))
    except Exception as wrong:
        if (refused := refusal(wrong, words)) is None:
            raise
        complain(*refused.sentences)
        return refused.code


class _Version(argparse.Action):
    """The action of `--version`: it prints the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version  # slow

        print(f"cribboard {version('cribboard')}")
        parser.exit()


def _help(top: argparse.ArgumentParser) -> int:
    """Print the list of commands, because the user has typed none."""
    top.print_help(sys.stderr)
    return Exit.CANNOT
