"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

from cribd.languages import spellings


def add_language(parser: argparse.ArgumentParser, *aliases: str, default: str | None = argparse.SUPPRESS) -> None:
    """Add `--lang` to a command; what stands before the command's own parts holds for them too."""
    parser.add_argument(
        "--lang",
        *aliases,
        dest="lang",
        choices=sorted(spellings()),
        default=default,
    )


def add_cards(parser: argparse.ArgumentParser) -> None:
    """Add the cards that a command is given."""
    parser.add_argument("cards", nargs="+", metavar="CARD")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules`, by which a command counts or plays; six-card if it is not there."""
    parser.add_argument("--rules", default="six-card", metavar="NAME")


def journal_path(options: argparse.Namespace) -> Path:
    """The journal: the file after `--journal`, or else that of the configuration. Raises `ConfigError`."""
    if options.journal:
        return Path(options.journal)
    from cribd.config.config import load_config

    return load_config(options.config).journal_path
