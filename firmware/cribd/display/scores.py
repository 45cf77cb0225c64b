"""Draws the scores on the screen.

A shield is the mark of a side, with its letter: filled, outlined or underlined. Two sides have half the width each.
Three have a third: their shields are narrower, and so are their figures where a score of three digits would not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Weight, font

SHIELD = 13
"""The height of a shield, and of a strip of scores."""

_PACK = "\N{PLAYING CARD BACK}"


LARGE, MEDIUM, _NARROW = "large", "medium", "narrow"
"""The fonts of digits."""


def figure(number: int, size: str) -> Bitmap:
    """Return a score in digits of this size."""
    return font(size).line(str(number))


@dataclass(frozen=True, slots=True)
class ScorePainter:
    """Draws scores at the foot of `canvas`.

    `size` is that of two scores; three are as large as fits."""

    canvas: Canvas
    initial: Callable[[int], str]

    def shield(self, side: int, *, sides: int) -> Bitmap:
        """Return a side's shield with its letter."""
        width = 12 if sides == 2 else 10
        shield = Canvas(width, SHIELD)
        letter = font("tall").line(self.initial(side), Weight.HEAVY)
        shield.put(letter, (width - letter.width) // 2, -1 if side < 2 else -2)
        match side:
            case 0:
                shield.invert(0, 0, width, SHIELD)
            case 1:
                shield.frame(0, 0, width, SHIELD)
            case _:
                shield.fill(0, SHIELD - 1, width, 1)
        return shield.bitmap()

    def fit(self, size: str, totals: tuple[int, ...]) -> bool:
        """Whether these scores fit side by side."""
        sides = len(totals)
        room = self.canvas.width // sides - self.shield(0, sides=sides).width - 4
        return all(figure(total, size if sides == 2 else _NARROW).width <= room for total in totals)

    def draw_large_scores(self, size: str, totals: tuple[int, ...], dealer: int | None) -> None:
        """Draw the scores side by side at the foot."""
        if len(totals) > 2:
            self._draw_three_large_scores(totals, dealer)
            return
        half, foot = self.canvas.width // 2, self.canvas.height
        for side, total in enumerate(totals):
            shield, number = self.shield(side, sides=2), figure(total, size)
            x, y = side * half + 1, foot - number.height
            self.canvas.put(shield, x, y)
            self.canvas.put(number, x + shield.width + 3, y)
            if side == dealer and size == LARGE:
                self.canvas.put(_pack("tall"), x + 1, foot - SHIELD)
            elif side == dealer:
                self.canvas.put(_pack("tall"), x + shield.width + number.width + 6, foot - SHIELD)

    def _draw_three_large_scores(self, totals: tuple[int, ...], dealer: int | None) -> None:
        third, foot = self.canvas.width // 3, self.canvas.height
        shields = [self.shield(side, sides=3) for side in range(3)]
        room = third - shields[0].width - 4
        size = MEDIUM if all(figure(total, MEDIUM).width <= room for total in totals) else _NARROW
        for side, (shield, total) in enumerate(zip(shields, totals, strict=True)):
            x, number = side * third + 1, figure(total, size)
            self.canvas.put(shield, x, foot - 21)
            self.canvas.put(number, x + shield.width + 2, foot - number.height)
            if side == dealer:
                self.canvas.put(_pack("small"), x + 2, foot - 8)

    def draw_score_line(self, totals: tuple[int, ...], dealer: int | None, at: tuple[int, int], right: int) -> None:
        """Draw the scores in one line, from `at` to `right`."""
        if len(totals) > 2:
            self._draw_line_of_three(totals, dealer, at, right)
            return
        left, y = at
        step = (right - left) // 2
        for side, total in enumerate(totals):
            x, shield = left + side * step, self.shield(side, sides=2)
            number = font("tall").line(str(total), Weight.HEAVY)
            self.canvas.put(shield, x, y)
            self.canvas.put(number, x + shield.width + 2, y - 1)
            if side == dealer:
                self.canvas.put(_pack("tall"), x + shield.width + number.width + 5, y - 1)

    def _draw_line_of_three(self, totals: tuple[int, ...], dealer: int | None, at: tuple[int, int], right: int) -> None:
        x, y = at
        pack = _pack("small")
        for_pack = 0 if dealer is None else pack.width + 2
        step = (right - x - for_pack) // 3
        shields = [self.shield(side, sides=3) for side in range(3)]
        light, heavy = ([font("tall").line(str(total), weight) for total in totals] for weight in Weight)
        numbers = heavy if all(number.width <= step - shields[0].width - 3 for number in heavy) else light
        for side, (shield, number) in enumerate(zip(shields, numbers, strict=True)):
            self.canvas.put(shield, x, y)
            self.canvas.put(number, x + shield.width + 1, y - 1)
            if side == dealer:
                self.canvas.put(pack, x + shield.width + number.width + 3, y + 3)
                x += for_pack
            x += step


def _pack(name: str) -> Bitmap:
    """Return the symbol that marks the dealer, in the font `name`."""
    return font(name).line(_PACK)
