"""What the screen shows where a score is doubted, ruled or cannot be read: approved by eye, compared dot by dot."""

from __future__ import annotations

import pytest
from tests.support.goldens import Golden, names
from tests.support.moments_of_rulings import moments_of_rulings

from cribd.display.screen import picture
from cribd.text import languages, load

MOMENTS = moments_of_rulings()


@pytest.mark.parametrize("moment", MOMENTS)
def test_each_moment_looks_as_it_was_approved(moment: str, golden: Golden) -> None:
    golden(f"rulings/{moment}", {language: picture(MOMENTS[moment], load(language)) for language in languages()})


def test_no_golden_is_left_over() -> None:
    assert names("rulings") == set(MOMENTS)
