"""Reads the lines on a picture of the screen: a line counts only if its dots are on the picture."""

from __future__ import annotations

from collections.abc import Iterator

from cribd.display.fonts import Bitmap, font
from cribd.display.screen import HEIGHT, WIDTH, screen_image
from cribd.table.snapshot import Line, Snapshot
from cribd.text import Phrases

_AT_MOST = 4
#: The count judge gives its reasons in more.
_REASONS = 6


def lines_on_screen(snapshot: Snapshot, phrases: Phrases) -> tuple[str, ...]:
    """The main line, and what stands below it: why nothing happened, what just did, or what helps."""
    phrases = phrases.seated_for(snapshot.view)
    dots = screen_image(snapshot, phrases).tobytes()
    step = WIDTH // 8
    rows = [int.from_bytes(dots[y * step : (y + 1) * step], "big") for y in range(HEIGHT)]
    seen = [line for text in _candidates(snapshot, phrases) for line in (text, f"{text} …") if _is_seen(line, rows)]
    return tuple(dict.fromkeys(seen))[: _REASONS if snapshot.judging else _AT_MOST]


def _candidates(snapshot: Snapshot, phrases: Phrases) -> Iterator[str]:
    yield phrases.prompt(snapshot)
    if snapshot.refusal is not None:
        yield from phrases.refusal(snapshot.refusal)
        yield from phrases.hints(snapshot)
    elif snapshot.menu is not None:
        yield phrases.menu_now(snapshot.menu.current)
        line = snapshot.menu.current
        if line.line is Line.RULES or {"ends", "now"} <= line.values.keys():  # a third line is about the choice itself
            yield phrases.hints(snapshot)[0]
    else:
        if snapshot.looking is not None:
            yield from phrases.said(snapshot.looking.view)
        elif snapshot.view is not None and snapshot.lobby is None and snapshot.judging is None:
            yield from phrases.said(snapshot.view)
        yield from phrases.hints(snapshot)


def _is_seen(text: str, rows: list[int]) -> bool:
    large, small = font("tall").fit_text(text, WIDTH), font("small").fit_text(text, WIDTH - 1)
    return _stands(large, min(1, WIDTH - large.width), rows) or _stands(small, 1, rows)


def _stands(line: Bitmap, x: int, rows: list[int]) -> bool:
    """Whether these dots, and nothing to the right of them, stand somewhere `x` dots from the left, bright or dark."""
    width = WIDTH - x
    inked = [at for at, row in enumerate(line.rows) if row]  # into the empty rows an accent of the next line may reach
    mask, dots = (1 << width) - 1, [row << width - line.width for row in line.rows[inked[0] : inked[-1] + 1]]
    bright = [row & mask for row in rows]
    return any(
        shown[y] == dots[0] and shown[y : y + len(dots)] == dots
        for shown in (bright, [row ^ mask for row in bright])
        for y in range(HEIGHT - len(dots) + 1)
    )
