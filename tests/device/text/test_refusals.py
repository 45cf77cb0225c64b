"""What is said of a press or scan that did nothing, and of a part that went wrong."""

from __future__ import annotations

import pytest
from tests.support.moments import BLUE

from cribd.inputs import Fault, FaultKind, Key
from cribd.table.snapshot import Refusal
from cribd.text import languages, load


@pytest.mark.parametrize("points", [30, 35, 121])
def test_a_hole_beyond_every_count_is_far(points: int) -> None:
    refused = Refusal("same_hole_again", {"points": points})
    assert load("en").refusal(refused) == (f"+{points}: are you sure?", "Same hole = yes")
    assert load("fr_CA").refusal(refused) == (f"+{points} : c'est sûr?", "Même trou = oui")


@pytest.mark.parametrize("language", languages())
def test_a_refusal_gives_no_hint_if_the_main_line_is_enough(language: str) -> None:
    assert len(load(language).refusal(Refusal("key_means_nothing", {"key": Key.MENU}))) == 1
    assert len(load(language).refusal(Refusal("nothing_to_accept"))) == 2


def test_a_side_that_does_not_play_is_named_by_its_colour_at_any_table() -> None:
    idle = Refusal("not_playing", {"side": 2})
    for seating in ((2, 2), (4, 2)):
        assert load("en").seated(*seating).refusal(idle) == ("Green is not playing",)
        assert load("fr_CA").seated(*seating).refusal(idle) == ("Vert ne joue pas",)


def test_a_refusal_names_a_seat_as_its_table_does() -> None:
    refused = Refusal("not_your_turn", {"seat": 3})
    assert load("en").seated(4, 2).refusal(refused) == ("It is Red 2's turn", "Wait for Red 2")
    assert load("fr_CA").seated(4, 2).refusal(refused) == ("Pas à vous : Rouge 2", "Attendez Rouge 2")
    waits = Refusal("waits_for_other_side", {"side": BLUE})
    assert load("en").refusal(waits)[1] == "The other side's OK"
    assert load("en").seated(3, 3).refusal(waits)[1] == "The other sides' OK"


def test_a_reader_is_called_by_its_name_if_it_has_one() -> None:
    french = load("fr_CA")
    assert french.fault(Fault(FaultKind.READER_SILENT, "reader")) == "Lecteur muet"
    assert french.fault(Fault(FaultKind.READER_SILENT, "sud")) == "Lecteur sud muet"
    assert french.fault(Fault(FaultKind.READER_SILENT, "antenne-du-sud")) == "Lecteur antenne… muet"
