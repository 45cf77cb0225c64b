"""What a picture of the screen is made of, as text: each drawn line, bitmap and bright bar with its place.

A golden of such lists has one file a language. It says what stands where and in which font, so that a new phrase
changes one line of it; how a font looks is its own glyph file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from unittest import mock
from zlib import crc32

from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Font, Weight, doubled, font, smoothed
from cribd.display.screen import screen_image
from cribd.table.snapshot import Snapshot
from cribd.text import load

_FONTS = ("tall", "small", "medium", "narrow", "large")


class _Recorder:
    """Notes what is drawn on each canvas, and from which text or canvas each bitmap was made."""

    def __init__(self) -> None:
        self._fonts = {font(name): name for name in _FONTS}
        self._sources: dict[Bitmap, str] = {}
        self._drawn: dict[Canvas, list[tuple[int, int, str]]] = {}
        self._within = False

    def texts(self, line: Bitmap, drawn_by: Font, text: str, weight: Weight, squeezed: int) -> None:
        style = f"{self._fonts[drawn_by]}{' heavy' * (weight is Weight.HEAVY)}{' squeezed' * squeezed}"
        self._sources[line] = f"{style}: {text}"

    def draws(self, canvas: Canvas, x: int, y: int, what: str) -> None:
        if not self._within:
            self._drawn.setdefault(canvas, []).append((y, x, what))

    @contextmanager
    def shape(self, canvas: Canvas, x: int, y: int, what: str) -> Iterator[None]:
        """Note a shape as one thing, not the bitmaps that it is drawn with."""
        self.draws(canvas, x, y, what)
        before, self._within = self._within, True
        yield
        self._within = before

    def nests(self, canvas: Canvas, bitmap: Bitmap) -> None:
        self._sources[bitmap] = "{" + ", ".join(f"{what} at {x} {y}" for y, x, what in self._of(canvas)) + "}"

    def source(self, bitmap: Bitmap) -> str:
        """The text or canvas that a bitmap was made from, also if it was enlarged; else a checksum of its dots."""
        if bitmap in self._sources:
            return self._sources[bitmap]
        for larger in (smoothed, doubled):
            for small, what in self._sources.items():
                if 2 * small.width == bitmap.width and larger(small) == bitmap:
                    return f"{larger.__name__} {what}"
        return f"{bitmap.width} × {bitmap.height} dots {crc32(repr(bitmap.rows).encode()):08x}"

    def _of(self, canvas: Canvas) -> list[tuple[int, int, str]]:
        return sorted(self._drawn.get(canvas, ()))

    def lines(self, size: tuple[int, int], top: int) -> list[str]:
        """What was drawn on the only canvas of this size, from the row `top` on, in the order of rows and columns."""
        (canvas,) = (canvas for canvas in self._drawn if (canvas.width, canvas.height) == size)
        return [f"{x:4}{y:3}  {what}" for y, x, what in self._of(canvas) if y >= top]


@contextmanager
def _recording() -> Iterator[_Recorder]:
    recorder = _Recorder()
    line, put, bitmap = Font.line, Canvas.put, Canvas.bitmap

    def noted_line(self: Font, text: str, weight: Weight = Weight.LIGHT, *, squeezed: int = 0) -> Bitmap:
        made = line(self, text, weight, squeezed=squeezed)
        recorder.texts(made, self, text, weight, squeezed)
        return made

    def noted_put(self: Canvas, part: Bitmap, x: int, y: int) -> None:
        recorder.draws(self, x, y, recorder.source(part))
        put(self, part, x, y)

    def noted(shape: str) -> Callable[[Canvas, int, int, int, int], None]:
        draw = getattr(Canvas, shape)

        def noted_shape(self: Canvas, x: int, y: int, width: int, height: int) -> None:
            with recorder.shape(self, x, y, f"{shape} {width} × {height}"):
                draw(self, x, y, width, height)

        return noted_shape

    def noted_bitmap(self: Canvas) -> Bitmap:
        made = bitmap(self)
        recorder.nests(self, made)
        return made

    with (
        mock.patch.object(Font, "line", noted_line),
        mock.patch.object(Canvas, "put", noted_put),
        mock.patch.object(Canvas, "fill", noted("fill")),
        mock.patch.object(Canvas, "frame", noted("frame")),
        mock.patch.object(Canvas, "invert", noted("invert")),
        mock.patch.object(Canvas, "bitmap", noted_bitmap),
    ):
        yield recorder


def drawn(moments: Mapping[str, Snapshot], language: str, *, top: int = 0) -> str:
    """What the screen draws in each moment, by name. `top`: only what begins in this row or below it."""
    blocks = []
    for name, snapshot in sorted(moments.items()):
        with _recording() as recorder:
            size = screen_image(snapshot, load(language)).size
        blocks.append("\n".join((name, *recorder.lines(size, top), "")))
    return "\n".join(blocks)
