"""What the screen shows in the moments that only some rules have: approved by eye, and compared dot by dot."""

from __future__ import annotations

import pytest

from cribboard import RULES
from cribd.panel.screen import picture
from cribd.phrases import languages, load

from .conftest import Golden
from .moments_of_rules import moments_of_rules

MOMENTS = moments_of_rules()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("language", languages())
def test_each_moment_looks_as_it_was_approved(language: str, moment: str, golden: Golden) -> None:
    golden(f"screen_of_rules/{language}/{moment}", picture(MOMENTS[moment], load(language)))


def test_every_preset_but_the_one_that_all_others_are_compared_with_has_its_moments() -> None:
    told = {name for name in RULES if sum(moment.startswith(name) for moment in MOMENTS) > 2}
    assert told == set(RULES) - {"six-card"}
