"""A canvas of black and white dots.

A row is one integer, so drawing a line of text takes 16 operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cribd.display.fonts import Bitmap, font

if TYPE_CHECKING:
    from PIL.Image import Image


class Canvas:
    """A picture of dots, all dark at first.

    Drawing outside the picture is ignored."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._rows = [0] * height

    def put(self, bitmap: Bitmap, x: int, y: int) -> None:
        """Light the dots of `bitmap` at x and y."""
        shift = self.width - x - bitmap.width
        every = (1 << self.width) - 1
        for at, dots in enumerate(bitmap.rows, start=y):
            if 0 <= at < self.height:
                self._rows[at] |= (dots << shift if shift >= 0 else dots >> -shift) & every

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light a rectangle."""
        self.put(Bitmap(width, ((1 << width) - 1,) * height), x, y)

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Invert the dots of a rectangle."""
        shift = self.width - x - width
        for at in range(max(0, y), min(self.height, y + height)):
            self._rows[at] ^= ((1 << width) - 1) << shift

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """Light the border of a rectangle, except its corners."""
        for at in (y, y + height - 1):
            self.fill(x + 1, at, width - 2, 1)
        for at in (x, x + width - 1):
            self.fill(at, y + 1, 1, height - 2)

    def line(self, text: str, y: int) -> None:
        """Draw `text` in a line 16 dots high."""
        line = font("tall").fit_text(text, self.width)
        self.put(line, min(1, self.width - line.width), y)

    def small_line(self, text: str, y: int, *, room: int | None = None) -> None:
        """Draw `text` in the small font, at most `room` dots wide."""
        self.put(font("small").fit_text(text, self.width - 1 if room is None else room), 1, y)

    def dotted_rule(self, y: int) -> None:
        """Light every second dot of a row."""
        self.put(Bitmap(self.width, (int("10" * (self.width // 2), 2),)), 0, y)

    def bitmap(self) -> Bitmap:
        """Return the dots as a bitmap."""
        return Bitmap(self.width, tuple(self._rows))

    def image(self) -> Image:
        """Return the dots as an image for luma."""
        from PIL import Image

        stride = (self.width + 7) // 8
        spare = 8 * stride - self.width
        dots = b"".join((row << spare).to_bytes(stride, "big") for row in self._rows)
        return Image.frombytes("1", (self.width, self.height), dots)


def moved(image: Image, right: int, down: int) -> Image:
    """Return the image, moved this many dots.

    Dots beyond the edge are lost, and new dots are dark."""
    from PIL.Image import Transform

    return image.transform(image.size, Transform.AFFINE, (1, 0, -right, 0, 1, -down))
