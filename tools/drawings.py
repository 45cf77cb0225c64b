"""Makes the papers in `hardware/` from the board files: `python -m tools.drawings hardware`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from tools.drawing import drawing
from tools.papers import bill_of_materials, pinout

from cribd.boards import NAMES, load

MADE = "<!-- Made from the board files by `make papers`. Change those, not this. -->"


def papers() -> Mapping[str, str]:
    """Every made file in `hardware/`, by its name."""
    boards = [load(name) for name in NAMES]
    return {
        "pinout.md": "\n\n".join(["# Pinout", MADE, *(pinout(board) for board in boards)]) + "\n",
        "bill-of-materials.md": "\n\n".join(
            ["# Bill of materials", MADE, *(bill_of_materials(board) for board in boards)]
        )
        + "\n",
        **{f"{board.name}.svg": drawing(board) for board in boards},
    }


def write(folder: Path) -> None:
    """Write them all."""
    for name, text in papers().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "hardware"))
