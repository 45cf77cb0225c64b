"""The fonts of the screen, read from `glyphs/`.

A font file begins with a note. Then come blocks with an empty line between them: a line that names the characters, and
under each its rows, `#` for a lit dot. `space` names the blank.

At 0.96 inches a dot is 0.17 mm. So the main line is heavy where that fits, and always 16 rows high or more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_REMEMBERED = 512
_TEXT = 16  # rows of the highest font that is for words; higher ones are for figures


class Weight(Enum):
    """The thickness of the vertical strokes."""

    LIGHT = "light"
    HEAVY = "heavy"


class Bitmap(NamedTuple):
    """A rectangle of dots.

    `rows` go from top to bottom. The highest of the `width` bits of a row is the leftmost dot."""

    width: int
    rows: tuple[int, ...]

    @property
    def height(self) -> int:
        """The number of rows, in dots."""
        return len(self.rows)


class Font:
    """A set of characters, each `height` rows high."""

    def __init__(self, glyphs: Mapping[str, Bitmap]) -> None:
        self._glyphs = glyphs
        self.height = len(next(iter(glyphs.values())).rows)
        self.gap = 1 if self.height <= _TEXT else 2  # dots between two characters

    def line(self, text: str, weight: Weight = Weight.LIGHT, *, squeezed: int = 0) -> Bitmap:
        """Return `text` as a bitmap, its spaces `squeezed` dots narrower."""
        return _line(self, text, weight, squeezed)

    def fit_text(self, text: str, width: int) -> Bitmap:
        """Return `text` in one line of at most `width` dots.

        The text is bold if that fits, and cut if it is too wide."""
        for weight in (Weight.HEAVY, Weight.LIGHT):
            for squeezed in (0, 1):
                if (line := self.line(text, weight, squeezed=squeezed)).width <= width:
                    return line
        return self.fit_text(text.removesuffix("…")[:-1] + "…", width)

    def glyph(self, character: str, weight: Weight) -> Bitmap:
        """Return the bitmap of one character.

        A character that the font lacks is an empty box. Symbols (♣) and the ellipsis are alike in both weights."""
        glyph = self._glyphs.get(character) or self._glyphs[_UNKNOWN]
        if weight is Weight.LIGHT or character in " …" or unicodedata.category(character) == "So":
            return glyph
        return Bitmap(glyph.width + 1, tuple(row << 1 | row for row in glyph.rows))


@cache
def font(name: str) -> Font:
    """Return the font with this name: tall, small, medium, narrow or large."""
    return Font(read_font(Path(__file__).with_name("glyphs").joinpath(f"{name}.txt").read_text(encoding="utf-8")))


def read_font(text: str) -> dict[str, Bitmap]:
    """Read the characters from the text of a font file.

    If a drawing is not a rectangle, raises ValueError with the name of its character."""
    glyphs: dict[str, Bitmap] = {}
    _, *blocks = text.strip("\n").split("\n\n")
    for block in blocks:
        head, *rows = block.splitlines()
        for name, *drawing in zip(head.split(), *(row.split() for row in rows), strict=True):
            width = len(drawing[0])
            if any(len(row) != width or set(row) - {"#", "."} for row in drawing):
                raise ValueError(f"the drawing of {name} is not made of rows of {width} dots")
            dots = tuple(int(row.replace(".", "0").replace("#", "1"), 2) for row in drawing)
            glyphs[" " if name == "space" else name] = Bitmap(width, dots)
    return glyphs


@lru_cache(_REMEMBERED)
def _line(font: Font, text: str, weight: Weight, squeezed: int) -> Bitmap:
    rows = [0] * font.height
    width = 0
    for at, character in enumerate(text):
        glyph = font.glyph(character, weight)
        step = glyph.width + (font.gap if at else 0) - (squeezed if character == " " else 0)
        rows = [row << step | dots for row, dots in zip(rows, glyph.rows, strict=True)]
        width += step
    return Bitmap(width, tuple(rows))


def doubled(bitmap: Bitmap) -> Bitmap:
    """Return the bitmap at twice its size."""
    rows: list[int] = []
    for dots in bitmap.rows:
        wide = int("".join(2 * bit for bit in f"{dots:0{bitmap.width}b}"), 2)
        rows += [wide, wide]
    return Bitmap(2 * bitmap.width, tuple(rows))


@lru_cache(16)
def smoothed(bitmap: Bitmap) -> Bitmap:
    """Return the bitmap at twice its size, smoothed.

    A quarter of a dot takes the value of the two neighbours that it touches, if they agree and those opposite do not.
    """
    dark = "0" * (bitmap.width + 2)
    lines = [dark, *(f"0{dots:0{bitmap.width}b}0" for dots in bitmap.rows), dark]
    rows: list[int] = []
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        upper = lower = ""
        for x in range(1, bitmap.width + 1):
            here, left, right = line[x], line[x - 1], line[x + 1]
            slanted = above[x] != below[x] and left != right
            for near in left, right:
                upper += near if slanted and near == above[x] else here
                lower += near if slanted and near == below[x] else here
        rows += [int(upper, 2), int(lower, 2)]
    return Bitmap(2 * bitmap.width, tuple(rows))
