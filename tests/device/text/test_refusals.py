"""What is said of a press or scan that did nothing, and of a part that went wrong."""

from __future__ import annotations

import pytest
from tests.support.catalogues import phrase
from tests.support.moments import BLUE

from cribd.inputs import Fault, FaultKind, Key
from cribd.table.snapshot import Refusal
from cribd.text import LINE, languages, load


@pytest.mark.parametrize("points", [30, 35, 121])
def test_a_hole_beyond_every_count_is_far(points: int) -> None:
    refused = Refusal("same_hole_again", {"points": points})
    for language in ("en", "fr_CA"):
        far, again = phrase("doubt.far", language, points=points), phrase("instead.same_hole_again", language)
        assert load(language).refusal(refused) == (far, again)


@pytest.mark.parametrize("language", languages())
def test_a_refusal_gives_no_hint_if_the_main_line_is_enough(language: str) -> None:
    assert len(load(language).refusal(Refusal("key_means_nothing", {"key": Key.MENU}))) == 1
    assert len(load(language).refusal(Refusal("nothing_to_accept"))) == 2


def test_a_side_that_does_not_play_is_named_by_its_colour_at_any_table() -> None:
    idle = Refusal("not_playing", {"side": 2})
    for seating in ((2, 2), (4, 2)):
        for language, green in ("en", "Green"), ("fr_CA", "Vert"):
            said = load(language).seated(*seating).refusal(idle)
            assert said == (phrase("refusal.not_playing", language, side=green),)


def test_a_refusal_names_a_seat_as_its_table_does() -> None:
    refused = Refusal("not_your_turn", {"seat": 3})
    for language, seat in ("en", "Red 2"), ("fr_CA", "Rouge 2"):
        assert load(language).seated(4, 2).refusal(refused) == (
            phrase("refusal.not_your_turn.seats", language, seat=seat),
            phrase("instead.not_your_turn", language, seat=seat),
        )
    waits = Refusal("waits_for_other_side", {"side": BLUE})
    assert load("en").refusal(waits)[1] == phrase("instead.waits_for_other_side")
    assert load("en").seated(3, 3).refusal(waits)[1] == phrase("instead.waits_for_other_side.three")


def test_a_reader_is_called_by_its_name_if_it_has_one() -> None:
    french = load("fr_CA")
    assert french.fault(Fault(FaultKind.READER_SILENT, "reader")) == phrase("fault.reader_silent", "fr_CA")
    named = phrase("fault.reader_silent.named", "fr_CA", name="sud")
    assert french.fault(Fault(FaultKind.READER_SILENT, "sud")) == named


def test_of_a_long_name_of_a_reader_as_much_is_shown_as_has_room() -> None:
    name = "antenne-du-sud-du-grand-salon"
    said = load("fr_CA").fault(Fault(FaultKind.READER_SILENT, name))
    cut = [phrase("fault.reader_silent.named", "fr_CA", name=f"{name[:length]}…") for length in range(1, len(name))]
    assert said in cut
    assert len(said) == LINE
