"""The picture on the screen when three sides play: their scores fit, are legible, and nobody is taken for another.

What the words above the scores say is the phrases' own, and is looked at there.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.moments import Story

from cribboard import RULES, Card, Game
from cribboard.actions import LayCard, NameDealer
from cribboard.view import SideView
from cribd.boards import load as load_board
from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Weight, font
from cribd.display.scores import MEDIUM, SHIELD, ScorePainter
from cribd.display.screen import screen_image
from cribd.inputs import Fault, FaultKind, HolePlace
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import Lobby, Refusal, Snapshot
from cribd.text import languages, load

FULLEST = (120, 108, 100)
FAULTS = (Fault(FaultKind.READER_SILENT, "reader"), Fault(FaultKind.BUTTON_STUCK, HolePlace(1, 118)))
BLUE, RED, GREEN = 0, 1, 2
THREE_PLAYERS = RuleSet("three-player", RULES["three-player"])
_DOTS = str.maketrans("01", ".#")
Rows = tuple[str, ...]
FOOT = 33  # the row where the main line and the second line, which are the phrases' own, are over


class Three(Story):
    """A game of three that is played on."""

    def __init__(self, way: str, *, dealer: int | None = None) -> None:
        self.game = Game.start(RULES["three-player"], way=way, dealer=dealer)


def pegged(dealer: int, *scores: int) -> Story:
    """A game on trust in which the sides have pegged so much, the last side last."""
    story = Three("trust").do(NameDealer(dealer))
    for side, score in enumerate(scores):
        while (missing := score - story.game.position.pegs[side].front) > 0:
            story.peg(side, min(29, missing))
    return story


def laid(cards: str) -> Snapshot:
    """Green dealt, and these cards were laid in turn, the first by blue."""
    story = Three("verify", dealer=GREEN).starter("9D")
    for number, card in enumerate(Card.parse_many(cards)):
        story.do(LayCard(number % 3, card))
    return story.shows()


def standing(snapshot: Snapshot, scores: tuple[int, ...], dealer_side: int | None) -> Snapshot:
    """The same moment, with other scores and another dealer."""
    assert snapshot.view is not None
    sides = tuple(SideView(score, max(0, score - 2)) for score in scores)
    return replace(snapshot, view=replace(snapshot.view, sides=sides, dealer_side=dealer_side))


def _moments() -> dict[str, Snapshot]:
    four, won = laid("4H 9C 3S 6D"), pegged(RED, 100, 108, 121)
    return {
        "begin": pegged(RED, 0, 4, 8).shows(),
        "late": pegged(GREEN, *FULLEST).shows(),
        "laid": standing(laid("5H"), (8, 31, 61), BLUE),
        "four-cards": standing(four, (99, 88, 77), RED),
        "four-cards-late": standing(four, FULLEST, GREEN),
        "refused": standing(replace(four, refusal=Refusal("two_holes")), FULLEST, BLUE),
        "fault": standing(replace(four, faults=FAULTS), FULLEST, RED),
        "won": won.shows(),
        "again": won.shows(mode=Lobby.AGAIN, games=(1, 0, 2), points=(1, 0, 2), way="trust", rules=THREE_PLAYERS),
    }


MOMENTS = _moments()


def rows_of(picture: Image.Image) -> Rows:
    """The rows of a one-bit picture from the top: `#` is lit, `.` is dark."""
    return tuple(
        "".join(".#"[bool(picture.getpixel((x, y)))] for x in range(picture.width)) for y in range(picture.height)
    )


def stands(part: Bitmap, shown: Rows, x: int, y: int) -> bool:
    """Whether these dots are there, and nothing else among them."""
    rows = (f"{row:0{part.width}b}".translate(_DOTS) for row in part.rows)
    return all(shown[y + down][x : x + part.width] == row for down, row in enumerate(rows) if y + down < len(shown))


@pytest.mark.parametrize("language", languages())
def test_the_foot_of_each_moment_is_drawn_as_it_was_approved(language: str, approved: Approved) -> None:
    approved(f"three_sides.{language}", drawn(MOMENTS, language, top=FOOT))


@pytest.mark.parametrize("language", languages())
def test_the_sides_differ_by_shape_and_letter(language: str) -> None:
    words = load(language)
    assert len({words.initial(side) for side in range(3)}) == 3
    same = ScorePainter(Canvas(128, 64), lambda side: "G")
    shields = [same.shield(side, sides=3) for side in range(3)]
    for one, other in combinations(shields, 2):
        unlike = sum((a ^ b).bit_count() for a, b in zip(one.rows, other.rows, strict=True))
        assert unlike > 25, "even with one letter for all, their shields differ in many dots"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("refusal", [None, Refusal("two_holes")], ids=("taken", "refused"))
@pytest.mark.parametrize("faults", [(), FAULTS[:1]], ids=("sound", "a fault"))
def test_nothing_is_drawn_over_anything_else(
    language: str, refusal: Refusal | None, faults: tuple[Fault, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    put = Canvas.put
    drawing = [""]

    def put_on_dark(self: Canvas, part: Bitmap, x: int, y: int) -> None:
        here = Canvas(self.width, self.height)
        put(here, part, x, y)
        lit = self.bitmap().rows
        assert not any(new & old for new, old in zip(here.bitmap().rows, lit, strict=True)), (drawing, x, y)
        assert 0 <= x <= self.width - part.width, (drawing, x, y)
        put(self, part, x, y)

    monkeypatch.setattr(Canvas, "put", put_on_dark)
    for (drawing[0], snapshot), dealer in product(MOMENTS.items(), (None, 0, 1, 2)):
        assert snapshot.view is not None
        for scores in ((120, 120, 120), (8, 88, 108), (121, 0, 1)):
            shown = standing(replace(snapshot, faults=faults, refusal=refusal), scores, dealer)
            screen_image(shown, load(language))


scores = st.tuples(st.integers(0, 121), st.integers(0, 121), st.integers(0, 121))


@given(scores=scores, dealer=st.none() | st.integers(0, 2))
def test_the_scores_in_a_strip_are_whole_in_order_and_do_not_touch(
    scores: tuple[int, int, int], dealer: int | None
) -> None:
    """From 36 dots on, as narrow as it ever is: beside the running count."""
    canvas = Canvas(128, 64)
    drawn = ScorePainter(canvas, load("en").initial)
    drawn.draw_score_line(scores, dealer, (36, 64 - SHIELD), 128)
    shown = rows_of(canvas.image())
    left = 36
    for side, score in enumerate(scores):
        shield = drawn.shield(side, sides=3)
        numbers = [font("tall").line(str(score), weight) for weight in Weight]
        found = [
            (x, number)
            for number in numbers
            for x in range(left, 128 - number.width + 1)
            if stands(number, shown, x, 50) and stands(shield, shown, x - shield.width - 1, 51)
        ]
        assert found, f"{score} of side {side} is not to be read"
        x, number = found[0]
        left = x + number.width
        assert all(row[left : left + 2] in ("..", ".", "") for row in shown[51:]), "two dark dots follow it"


@given(scores=scores, dealer=st.none() | st.integers(0, 2))
def test_large_scores_stand_whole_each_in_its_third(scores: tuple[int, int, int], dealer: int | None) -> None:
    canvas = Canvas(128, 64)
    ScorePainter(canvas, load("en").initial).draw_large_scores(MEDIUM, scores, dealer)
    shown = rows_of(canvas.image())
    for side, score in enumerate(scores):
        numbers = [font(name).line(str(score)) for name in ("medium", "narrow")]
        xs = range(side * 42 + 1, side * 42 + 43)
        assert any(stands(number, shown, x, 44) for number in numbers for x in xs if x + number.width < side * 42 + 43)


@pytest.mark.parametrize("moment", [name for name in MOMENTS if name not in ("won", "again")])
def test_the_pack_lies_with_one_side_only(moment: str) -> None:
    snapshot = MOMENTS[moment]
    pack = font("small").line("\N{PLAYING CARD BACK}")
    ink = Bitmap(pack.width, pack.rows[1:-2])
    for dealer in range(3):
        assert snapshot.view is not None
        shown = rows_of(screen_image(standing(snapshot, (46, 108, 9), dealer), load("en")))
        found = [x for y in range(40, 60) for x in range(123) if stands(ink, shown, x, y)]
        assert len(found) == 1, (moment, dealer)


def test_every_score_changes_the_picture_at_every_moment() -> None:
    for name, snapshot in MOMENTS.items():
        assert snapshot.view is not None
        for side in range(3):
            sides = list(snapshot.view.sides)
            sides[side] = replace(sides[side], score=sides[side].score + 1)
            changed = replace(snapshot, view=replace(snapshot.view, sides=tuple(sides)))
            assert screen_image(changed, load("en")).tobytes() != screen_image(snapshot, load("en")).tobytes(), name


def test_the_board_with_three_tracks_has_a_screen_for_it() -> None:
    oled = load_board("triple").oled
    assert screen_image(MOMENTS["late"], load("fr_CA")).size == (oled.width, oled.height)
