"""The lists of what a picture is made of say whatever tells two pictures apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.drawn import drawn
from tests.support.goldens import compare_text
from tests.support.moments import moments
from tests.support.moments_of_count_judge import MOMENTS as MOMENTS_OF_COUNT_JUDGE
from tests.support.moments_of_rules import moments_of_rules
from tests.support.moments_of_rulings import moments_of_rulings

from cribd.display.screen import screen_image
from cribd.table.snapshot import Refusal, Snapshot
from cribd.text import languages, load

MOMENTS: Mapping[str, Snapshot] = {
    f"{family}/{name}": snapshot
    for family, members in (
        ("screen", moments()),
        ("rules", moments_of_rules()),
        ("rulings", moments_of_rulings()),
        ("count_judge", MOMENTS_OF_COUNT_JUDGE),
    )
    for name, snapshot in members.items()
}


@pytest.mark.parametrize("language", languages())
def test_two_lists_are_equal_only_if_their_pictures_are(language: str) -> None:
    pictures: dict[str, set[bytes]] = {}
    for name, snapshot in MOMENTS.items():
        made_of = drawn({"": snapshot}, language)
        pictures.setdefault(made_of, set()).add(screen_image(snapshot, load(language)).tobytes())
        assert len(pictures[made_of]) == 1, name
    assert len(pictures) > 200


def test_a_list_names_each_text_with_its_place_and_font_each_bright_bar_and_each_shield() -> None:
    refused = replace(moments()["hand"], refusal=Refusal("two_holes"))
    lines = drawn({"hand": refused}, "en").splitlines()
    assert lines[0] == "hand"
    assert f"   1  0  tall heavy: {phrase('ask.count_hand', seat='Blue')}" in lines
    assert "   0 16  invert 128 × 16" in lines
    assert any(line.endswith("{tall heavy: R at 3 -1, frame 12 × 13 at 0 0}") for line in lines)


def test_a_list_with_a_top_row_leaves_out_what_begins_above_it() -> None:
    lines = drawn({"hand": moments()["hand"]}, "en", top=33).splitlines()[1:]
    assert lines
    assert all(int(line[4:7]) >= 33 for line in lines)


def test_a_text_that_differs_fails_with_the_lines_that_do(tmp_path: Path) -> None:
    file = tmp_path / "golden" / "screen.en.txt"
    with pytest.raises(pytest.fail.Exception, match="look at it before you commit it"):
        compare_text(file, "one\ntwo\n", remake=True)
    compare_text(file, "one\ntwo\n", remake=False)
    with pytest.raises(pytest.fail.Exception, match=r"(?s)-two\n\+three.*--remake"):
        compare_text(file, "one\nthree\n", remake=False)
