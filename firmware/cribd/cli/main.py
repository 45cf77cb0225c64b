"""The command line: each command's options and work are in the module of its name.

Modules import what a command needs when it is called: `cribboard count` never waits for a web server.
"""

from __future__ import annotations

import argparse
import sys

from cribd.cli import count, decks, demo, enroll, event, record, replay, rules, run, statistics
from cribd.cli.errors import Exit
from cribd.cli.options import add_language
from cribd.languages import of_environment, spellings


def parser() -> argparse.ArgumentParser:
    """The command line as argparse reads it. `command` of its result is the function to call with that result."""
    top = argparse.ArgumentParser(prog="cribboard", description="An electronic cribbage board.")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    add_language(top, default=None)
    top.set_defaults(command=lambda _: _help(top), json=False)
    commands = top.add_subparsers(metavar="COMMAND")
    for command in (run, count, rules, record, event, enroll, decks, statistics, replay, demo):
        command.add_to(commands)
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
