"""The screen of the review, in both languages: the place in the game, and the table as it was then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.moments import moments
from tests.support.moments_of_rulings import moments_of_rulings

from cribd.display.fonts import font
from cribd.inputs import Fault, FaultKind
from cribd.table.review import only_seen
from cribd.table.snapshot import Refusal, ReviewMode, Snapshot
from cribd.text import languages, load

NOW = moments()["four-cards"]
THEN = ("laid", "too-many", "hand", "hand-judged", "false-go", "trust", "won", "acc-game-claimed", "acc-false-go")


def looking(then: str) -> Snapshot:
    """The game stands at four cards of a count, and somebody looks at this moment."""
    view = {**moments(), **moments_of_rulings()}[then].view
    assert view is not None
    return replace(NOW, mode=ReviewMode(only_seen(view), 310))


MOMENTS = {
    **{then: looking(then) for then in THEN},
    "refused": replace(looking("laid"), refusal=Refusal("looking_back")),
    "never": replace(looking("laid"), refusal=Refusal("look_never", {"side": 1, "hole": 46})),
    "fault": replace(looking("laid"), faults=(Fault(FaultKind.READER_SILENT, "reader"),)),
}


@pytest.mark.parametrize("language", languages())
def test_each_moment_is_drawn_as_in_its_golden(language: str, approved: Approved) -> None:
    approved(f"review.{language}", drawn(MOMENTS, language))


@pytest.mark.parametrize("language", languages())
def test_the_longest_place_fits_the_main_line(language: str) -> None:
    line = load(language).say("look.place", number=1214, last=1310)
    assert font("tall").line(line).width <= 128
