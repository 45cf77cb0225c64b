"""Golden pictures: what is written is read again dot by dot, and a difference is shown where it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tests.support import goldens


@st.composite
def pictures(draw: st.DrawFn) -> Image.Image:
    size = width, height = draw(st.integers(1, 40)), draw(st.integers(1, 12))
    shown = Image.new("1", size)
    shown.putdata(draw(st.lists(st.sampled_from((0, 255)), min_size=width * height, max_size=width * height)))
    return shown


@pytest.mark.slow
@given(pictures(), pictures())
def test_every_dot_of_every_picture_is_read_as_it_was_written(one: Image.Image, other: Image.Image) -> None:
    both = {"en": goldens.rows_of(one), "fr_CA": goldens.rows_of(other)}
    assert goldens.read(goldens.written(both)) == both
    for shown, rows in zip((one, other), both.values(), strict=True):
        lit = {(x, y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"}
        assert {(x, y) for x in range(shown.width) for y in range(shown.height) if shown.getpixel((x, y))} == lit


def test_a_golden_file_has_a_block_of_dots_a_language() -> None:
    assert goldens.written({"en": ("#.", ".#"), "fr_CA": ("##", "..")}) == "en\n#.\n.#\n\nfr_CA\n##\n..\n"


def test_a_difference_says_where_and_shows_both_sides_of_it() -> None:
    approved = ("......", ".##...", "......")
    made = ("......", ".#.#..", "...#..")
    assert goldens.difference(approved, approved) == ""
    assert goldens.difference(approved, made).splitlines() == [
        "3 dots differ, in rows 1 to 2 and columns 2 to 3",
        "approved:", "#.", "..",
        "now:", ".#", ".#",
    ]  # fmt: skip


def test_a_picture_of_another_size_is_refused_with_both_sizes() -> None:
    assert goldens.difference(("..", ".."), ("...",)) == "the approved picture has 2 × 2 dots, this one 3 × 1"


@pytest.fixture
def blank(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Image.Image]:
    """A golden file `family/blank` of two dark pictures, in a folder of its own."""
    folder = tmp_path_factory.mktemp("golden")
    (folder / "family").mkdir()
    monkeypatch.setattr(goldens, "FOLDER", folder)
    dark = {language: Image.new("1", (3, 2)) for language in ("en", "fr_CA")}
    rows = {language: goldens.rows_of(shown) for language, shown in dark.items()}
    (folder / "family" / "blank.txt").write_text(goldens.written(rows), encoding="utf-8")
    return dark


def test_one_dot_in_one_language_fails_and_names_the_language(blank: dict[str, Image.Image]) -> None:
    goldens.compare("family/blank", blank, remake=False)
    blank["fr_CA"].putpixel((2, 1), 255)
    with pytest.raises(pytest.fail.Exception, match=r"family/blank\.txt, fr_CA: 1 dots differ, in rows 1 to 1"):
        goldens.compare("family/blank", blank, remake=False)


def test_a_language_or_a_file_that_is_missing_fails(blank: dict[str, Image.Image]) -> None:
    with pytest.raises(AssertionError, match=r"family/blank\.txt holds en, fr_CA; shown are en"):
        goldens.compare("family/blank", {"en": blank["en"]}, remake=False)
    with pytest.raises(AssertionError, match=r"family/other\.txt is missing: --remake makes it"):
        goldens.compare("family/other", blank, remake=False)


def test_remaking_a_golden_writes_it_and_fails_the_test(blank: dict[str, Image.Image]) -> None:
    blank["en"].putpixel((0, 0), 255)
    for name in ("family/blank", "other/blank"):
        with pytest.raises(pytest.fail.Exception, match="look at it before you commit it"):
            goldens.compare(name, blank, remake=True)
        goldens.compare(name, blank, remake=False)
    assert goldens.names("other") == {"blank"}
