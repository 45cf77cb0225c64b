"""What the screen shows where a score is doubted, ruled or cannot be read: approved by eye, compared dot by dot."""

from __future__ import annotations

import pytest
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.moments_of_rulings import moments_of_rulings

from cribd.text import languages

MOMENTS = moments_of_rulings()


@pytest.mark.parametrize("language", languages())
def test_each_moment_is_drawn_as_in_its_golden(language: str, approved: Approved) -> None:
    approved(f"rulings.{language}", drawn(MOMENTS, language))
