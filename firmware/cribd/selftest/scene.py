"""Draws the LEDs and the OLED of a self-test.

    0   what is asked                              16 dots
    17  what has answered instead, dark on bright  16 dots
    34  what the keys do                           two small lines
    56  how much is done, as a bar

In the steps of the screen itself, the text leaves the corners free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cribd.boards import OLED_SIZE
from cribd.display.canvas import Canvas
from cribd.drivers.strip_encoder import LedColour
from cribd.selftest.results import Results, StepOutcome
from cribd.selftest.steps import AllLightsStep, Area, HoleStep, LightStep, ScreenStep
from cribd.selftest.walk import Scene
from cribd.selftest.wording import screen_hints, screen_line, screen_note
from cribd.text import Phrases

if TYPE_CHECKING:
    from PIL.Image import Image

_WHITE = LedColour(255, 255, 255)
_DIM_WHITE = LedColour(255, 255, 255, 60)
_RED = LedColour(255, 0, 0)

_WIDTH, _HEIGHT = OLED_SIZE
_NOTE, _HINTS, _BAR = 17, (34, 44), 56
_LINE = 16
#: The size of a corner that is lit, and the line between the corners.
CORNER = (32, 16)
_MIDDLE = 24


def colours(scene: Scene, results: Results) -> dict[int, LedColour]:
    """Return the colour of each lit LED."""
    match scene.step:
        case LightStep(led):
            return {led: _WHITE}
        case AllLightsStep():
            lights = (step for step in results if isinstance(step, LightStep))
            return {step.led: _DIM_WHITE for step in lights if results[step].outcome is StepOutcome.OK}
        case HoleStep(led=led):
            other = None if scene.note is None else scene.note.other
            return {other.led: _RED, led: _WHITE} if isinstance(other, HoleStep) else {led: _WHITE}
    return {}


def scene_image(scene: Scene, words: Phrases) -> Image:
    """Return the picture of the OLED, one bit for each dot."""
    canvas = Canvas(_WIDTH, _HEIGHT)
    if isinstance(scene.step, ScreenStep):
        _draw_area(canvas, scene.step.area, screen_line(scene, words))
        return canvas.image()
    canvas.line(screen_line(scene, words), 0)
    if said := screen_note(scene, words):
        canvas.line(said, _NOTE)
        canvas.invert(0, _NOTE - 1, _WIDTH, _LINE)
    for hint, y in zip(screen_hints(scene, words), _HINTS, strict=False):
        canvas.small_line(hint, y)
    canvas.frame(0, _BAR, _WIDTH, _HEIGHT - _BAR)
    canvas.fill(2, _BAR + 2, (_WIDTH - 4) * scene.done // max(1, scene.of), _HEIGHT - _BAR - 4)
    return canvas.image()


def area_of(area: Area) -> tuple[int, int, int, int]:
    """Return the x, y, width and height in dots."""
    width, height = CORNER
    right, bottom = _WIDTH - width, _HEIGHT - height
    match area:
        case Area.TOP_LEFT:
            return 0, 0, width, height
        case Area.TOP_RIGHT:
            return right, 0, width, height
        case Area.BOTTOM_LEFT:
            return 0, bottom, width, height
        case Area.BOTTOM_RIGHT:
            return right, bottom, width, height
        case Area.ALL:
            return 0, 0, _WIDTH, _HEIGHT


def _draw_area(canvas: Canvas, area: Area, text: str) -> None:
    canvas.line(text, _MIDDLE)
    canvas.invert(*area_of(area))
