"""The screen after every press at every moment, in both languages: whole, clear, and the most telling ones
as they were approved."""

from __future__ import annotations

from functools import cache

import pytest
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.presses import outcome_of, rows
from tests.support.sweeps import mostly_long

from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Font, Weight
from cribd.display.screen import screen_image
from cribd.languages import languages
from cribd.table.snapshot import Snapshot
from cribd.text import load

pytestmark = pytest.mark.shares("the outcomes of all presses")

#: What six-card never shows, by the row that leads there.
TELLING = {
    "pass-taken-back": "All pass, and the go is pegged, verify: go.red",
    "one-of-two-agreed": "Green asks two others for a new deal, verify: ok.red",
    "crib-of-red-1": "The crib of Red 1 is to be scanned, verify: 2C",
    "one-at-116": "A go at 116, verify: blue:117",
    "hand-of-one": "Zero for a hand of one, verify: ok.red",
    "go-at-120": "A go at 120, and the board counts, auto: go.blue",
    "false-go-in-hand": "A false go comes to light, verify: 5C",
    "too-far": "Three of twelve are claimed, verify: ok.red",
    "heels-lost": "His heels are lost, verify: ok.blue",
}


@cache
def shown(language: str) -> tuple[tuple[str, Snapshot], ...]:
    """Every picture of the page once, with a row that it stands in."""
    seen: dict[bytes, tuple[str, Snapshot]] = {}
    for row in rows():
        came = outcome_of(row, language)
        for when, snapshot in (("before ", came.before), ("", came.after)):
            seen.setdefault(screen_image(snapshot, load(language)).tobytes(), (f"{when}{row}", snapshot))
    return tuple(seen.values())


@pytest.mark.slow
@pytest.mark.parametrize("language", mostly_long(reversed(languages()), every=2))
def test_no_line_is_cut(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, drawn = shown(language), list[str]()
    line = Font.line

    def overheard(self: Font, text: str, weight: Weight = Weight.LIGHT, *, squeezed: int = 0) -> Bitmap:
        drawn.append(text)
        return line(self, text, weight, squeezed=squeezed)

    monkeypatch.setattr(Font, "line", overheard)
    for row, snapshot in pictures:
        drawn.clear()
        screen_image(snapshot, load(language))
        assert [text for text in drawn if text.endswith("…") and not text.endswith(" …")] == [], row


@pytest.mark.slow
@pytest.mark.parametrize("language", mostly_long(reversed(languages()), every=2))
def test_nothing_is_drawn_over_anything_else(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, drawing = shown(language), [""]
    put = Canvas.put

    def put_on_dark(self: Canvas, bitmap: Bitmap, x: int, y: int) -> None:
        here = Canvas(self.width, self.height)
        put(here, bitmap, x, y)
        assert not any(new & old for new, old in zip(here.bitmap().rows, self.bitmap().rows, strict=True)), drawing
        assert 0 <= x <= self.width - bitmap.width, drawing
        put(self, bitmap, x, y)

    monkeypatch.setattr(Canvas, "put", put_on_dark)
    for drawing[0], snapshot in pictures:
        screen_image(snapshot, load(language))


@pytest.mark.slow
@pytest.mark.parametrize("language", mostly_long(reversed(languages()), every=2))
def test_each_telling_moment_is_drawn_as_in_its_golden(language: str, approved: Approved) -> None:
    by_name = {str(row): row for row in rows()}
    moments = {moment: outcome_of(by_name[row], language).after for moment, row in TELLING.items()}
    approved(f"playing.{language}", drawn(moments, language))
