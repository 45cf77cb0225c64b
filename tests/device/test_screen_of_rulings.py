"""What the screen shows where a score is doubted, ruled or cannot be read: approved by eye, compared dot by dot."""

from __future__ import annotations

import pytest

from cribd.panel.screen import picture
from cribd.phrases import languages, load

from .conftest import Golden
from .moments_of_rulings import moments_of_rulings

MOMENTS = moments_of_rulings()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("language", languages())
def test_each_moment_looks_as_it_was_approved(language: str, moment: str, golden: Golden) -> None:
    golden(f"screen_of_rulings/{language}/{moment}", picture(MOMENTS[moment], load(language)))
