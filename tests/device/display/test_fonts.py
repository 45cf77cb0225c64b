"""The fonts of the screen, dot by dot, and the canvas."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribd.display import fonts
from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Weight, doubled, font, read_font, smoothed

WORDS = ("tall", "small")
FIGURES = ("medium", "large")


def drawn(bitmap: Bitmap) -> list[str]:
    return [f"{row:0{bitmap.width}b}".replace("0", ".").replace("1", "#") for row in bitmap.rows]


def bitmap(*rows: str) -> Bitmap:
    return Bitmap(len(rows[0]), tuple(int(row.replace(".", "0").replace("#", "1"), 2) for row in rows))


def characters(name: str) -> list[str]:
    """All that a font draws."""
    return sorted(read_font((Path(fonts.__file__).parent / "glyphs" / f"{name}.txt").read_text(encoding="utf-8")))


def test_a_font_file_is_read_dot_for_dot() -> None:
    glyphs = read_font("A note.\n\nL  space  i\n#.  ..     #\n#.  ..     .\n##  ..     #\n")
    assert drawn(glyphs["L"]) == ["#.", "#.", "##"]
    assert glyphs[" "] == Bitmap(2, (0, 0, 0))
    assert drawn(glyphs["i"]) == ["#", ".", "#"]


def test_a_drawing_with_uneven_rows_is_refused_with_its_name() -> None:
    with pytest.raises(ValueError, match="drawing of L"):
        read_font("A note.\n\nL\n#.\n#\n")


@pytest.mark.parametrize("name", [*WORDS, *FIGURES])
def test_all_characters_of_a_font_are_as_high_as_the_font(name: str) -> None:
    lettering = font(name)
    assert {lettering.glyph(c, Weight.HEAVY).height for c in characters(name)} == {lettering.height}


def test_the_main_font_is_16_dots_high_and_the_detail_8_or_more() -> None:
    assert font("tall").height == 16
    assert font("small").height >= 8
    assert font("large").height >= 24


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("weight", Weight)
def test_no_two_characters_look_the_same(name: str, weight: Weight) -> None:
    seen: dict[Bitmap, str] = {}
    for character in characters(name):
        drawing = font(name).glyph(character, weight)
        assert drawing not in seen, f"{character} looks like {seen[drawing]}"
        seen[drawing] = character


def test_a_line_is_its_characters_with_a_gap_between_them() -> None:
    assert drawn(font("small").line("il"))[1:4] == ["#.#.", "..#.", "#.#."]


def test_a_heavy_letter_is_one_dot_wider_and_a_picture_is_not() -> None:
    for character, wider in (("n", 1), ("♣", 0), (" ", 0)):
        light, heavy = (font("tall").glyph(character, weight) for weight in (Weight.LIGHT, Weight.HEAVY))
        assert heavy.width == light.width + wider


@pytest.mark.parametrize("name", WORDS)
def test_the_three_dots_of_a_cut_line_stand_apart_in_both_weights(name: str) -> None:
    for weight in Weight:
        assert {row for row in drawn(font(name).line("…", weight)) if "#" in row} == {"#.#.#"}


def test_an_unknown_character_is_an_empty_box() -> None:
    assert font("tall").line("漢") == font("tall").line("\N{REPLACEMENT CHARACTER}")


def test_a_line_is_as_heavy_as_fits_and_is_cut_only_at_last() -> None:
    tall = font("tall")
    heavy, light = (tall.line("Rouge : à vous", weight) for weight in (Weight.HEAVY, Weight.LIGHT))
    assert tall.fit_text("Rouge : à vous", heavy.width) == heavy
    assert tall.fit_text("Rouge : à vous", light.width) == light
    assert tall.fit_text("Rouge : à vous", 30) in {tall.line(f"{text}…") for text in ("Ro", "Rou", "Roug")}


@given(st.text(alphabet=characters("tall"), max_size=40), st.integers(20, 200))
def test_a_fitted_text_is_no_wider_than_its_space(text: str, room: int) -> None:
    assert font("tall").fit_text(text, room).width <= room


def test_a_doubled_drawing_has_squares_for_dots() -> None:
    assert drawn(doubled(bitmap("#.", ".#"))) == ["##..", "##..", "..##", "..##"]


def test_a_smoothed_drawing_has_no_stairs_and_keeps_its_straight_lines() -> None:
    assert drawn(smoothed(bitmap("#..", ".#.", "..#"))) == ["##....", "###...", ".###..", "..###.", "...###", "....##"]
    assert drawn(smoothed(bitmap("###", "...", "#.#"))) == drawn(doubled(bitmap("###", "...", "#.#")))


dots = st.integers(-20, 150)


@given(dots, dots, st.integers(1, 30), st.integers(1, 30))
def test_put_draws_the_bitmap_and_changes_no_other_dot(x: int, y: int, width: int, height: int) -> None:
    canvas = Canvas(128, 64)
    canvas.fill(x, y, width, height)
    image = canvas.image()
    lit = {(a, b) for b in range(64) for a in range(128) if image.getpixel((a, b))}
    assert lit == {(a, b) for b in range(64) for a in range(128) if x <= a < x + width and y <= b < y + height}


def test_inverting_twice_changes_nothing() -> None:
    canvas = Canvas(20, 8)
    canvas.put(font("small").line("Ag"), 2, 0)
    before = canvas.bitmap()
    canvas.invert(0, 0, 12, 8)
    assert canvas.bitmap() != before
    canvas.invert(0, 0, 12, 8)
    assert canvas.bitmap() == before


def test_a_frame_is_an_edge_without_corners() -> None:
    canvas = Canvas(4, 3)
    canvas.frame(0, 0, 4, 3)
    assert drawn(canvas.bitmap()) == [".##.", "#..#", ".##."]


def test_an_odd_width_is_an_image_of_that_width() -> None:
    canvas = Canvas(13, 2)
    canvas.fill(12, 1, 1, 1)
    assert [canvas.image().getpixel((x, 1)) for x in (11, 12)] == [0, 255]
