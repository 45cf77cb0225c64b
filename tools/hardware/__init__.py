"""Makes the files in `hardware/` from the board files: `python -m tools.hardware hardware`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tools.hardware.breadboard_drawing import breadboard_drawing
from tools.hardware.drawing import drawing
from tools.hardware.tables import bill_of_materials, pinout

from cribd.boards import NAMES, load

MADE = "<!-- Made from the board files by `make papers`. Change those, not this. -->"


def papers() -> Mapping[str, str]:
    """Return the text of every generated file in `hardware/`, by its name."""
    boards = [load(name) for name in NAMES]
    return {
        "pinout.md": "\n\n".join(["# Pinout", MADE, *(pinout(board) for board in boards)]) + "\n",
        "bill-of-materials.md": "\n\n".join(
            ["# Bill of materials", MADE, *(bill_of_materials(board) for board in boards)]
        )
        + "\n",
        **{f"{board.name}.svg": (drawing if board.on_spi else breadboard_drawing)(board) for board in boards},
    }


def write(folder: Path) -> None:
    """Write every generated file into the folder."""
    for name, text in papers().items():
        (folder / name).write_text(text, encoding="utf-8")
