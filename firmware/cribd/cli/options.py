"""The options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cribd.languages import spellings


def add_language(parser: argparse.ArgumentParser, *aliases: str, default: str | None = argparse.SUPPRESS) -> None:
    """Add `--lang` to a command."""
    parser.add_argument("--lang", *aliases, dest="lang", choices=sorted(spellings()), default=default)


def add_json(parser: argparse.ArgumentParser, **default: Any) -> None:
    """Add `--json` to a command.

    For a part of a command, the `default` is SUPPRESS, so that the option may stand before the part."""
    parser.add_argument("--json", action="store_true", **default)


def add_journal(parser: argparse.ArgumentParser, **default: Any) -> None:
    """Add `--journal` and `--config` to a command.

    The `default` has the same use as in `add_json`."""
    parser.add_argument("--journal", metavar="FILE", **default)
    parser.add_argument("--config", type=Path, metavar="FILE", **default)


def add_cards(parser: argparse.ArgumentParser) -> None:
    """Add the positional argument for cards."""
    parser.add_argument("cards", nargs="+", metavar="CARD")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules`, the name of the rules; the default is six-card."""
    parser.add_argument("--rules", default="six-card", metavar="NAME")


def journal_path(options: argparse.Namespace) -> Path:
    """Return the path of the journal. Raises `ConfigError`."""
    if options.journal:
        return Path(options.journal)
    from cribd.config.config import load_config

    return load_config(options.config).journal_path
