"""Paths that tests read: the repository, its documents, and the figures of the data sheets."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
#: The record of one whole game, as docs/record.md explains it.
A_GAME = ROOT / "docs" / "a-game.txt"
#: Records and journals that earlier versions made.
OLDER_GAMES = Path(__file__).with_name("older_games")
#: Facts of the chips' data sheets, by chip.
DATA_SHEETS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("data_sheets.toml").read_text(encoding="utf-8"))
