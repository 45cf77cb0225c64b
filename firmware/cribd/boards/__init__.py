"""The built-in boards, one file each (design law 8).

    board = load("continuous")
    board.tracks[0].holes[28]           # hole 29 of side 0: its LED, its input, its place in millimetres

`load` takes the name of a board that comes with the product, or the path of a board file. Drivers, twin, pages and
drawings read boards; this room must know nothing of the game.
"""

from pathlib import Path

from cribd.boards.board import (
    OLED_CHIPS,
    OLED_SIZE,
    Board,
    Chain,
    KeyPin,
    LedPin,
    Oled,
    Shows,
    Spot,
    Strip,
    Track,
)
from cribd.boards.loader import NAMES, BoardError, load

#: The script of the pages that draws the curves between holes.
PATHS = Path(__file__).with_name("paths.js")

__all__ = [
    "NAMES",
    "OLED_CHIPS",
    "OLED_SIZE",
    "PATHS",
    "Board",
    "BoardError",
    "Chain",
    "KeyPin",
    "LedPin",
    "Oled",
    "Shows",
    "Spot",
    "Strip",
    "Track",
    "load",
]
