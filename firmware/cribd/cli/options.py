"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path


def journal_path(options: argparse.Namespace) -> Path:
    """The journal: the file after `--journal`, or else that of the configuration. Raises `ConfigError`."""
    if options.journal:
        return Path(options.journal)
    from cribd.config.config import load_config

    return load_config(options.config).journal_path
