"""Reads and checks the PIN for a command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cribd.cli.errors import read_text
from cribd.text import Phrases

if TYPE_CHECKING:
    from cribd.config.config import Config


def add_pin_file(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add `--pin-file` to a command."""
    parser.add_argument("--pin-file", type=Path, metavar="FILE", default=default)


def given_pin(options: argparse.Namespace, words: Phrases) -> str:
    """Return the PIN that the user gives, or "".

    Raises `CommandRefused`."""
    if options.pin_file is not None:
        return read_text(options.pin_file, words).strip()
    if not sys.stdin.isatty():
        return ""
    from getpass import getpass

    try:
        return getpass(words.say("command.event.pin"))
    except EOFError:
        return ""


def pins(config: Config) -> frozenset[str]:
    """Return the PINs of organiser and owner that are set.

    Each PIN gives access to the desk and to sealed games."""
    return frozenset({config.page.organiser_pin, config.page.pin} - {""})


def may_see_sealed(options: argparse.Namespace, words: Phrases) -> bool:
    """Whether the user has given the PIN to see sealed games (law 10).

    Raises `ConfigError`, `CommandRefused`."""
    from cribd.config.config import load_config

    allowed = pins(load_config(options.config))
    return bool(allowed) and given_pin(options, words) in allowed
