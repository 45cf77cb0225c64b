"""The board as the pages draw it: every hole where the board file says that it is, and nothing beside."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.evenings import LONG
from tests.support.kiosk_rooms import house
from tests.support.spots import HOLED

from cribd.boards import load
from cribd.web.kiosk.shared.drawing import drawing


@pytest.mark.parametrize("name", HOLED)
def test_every_hole_is_drawn_where_it_is_drilled(name: str) -> None:
    board = load(name)
    drawn = drawing(board)
    assert (drawn["name"], drawn["laps"], drawn["pitch"]) == (name, board.laps, board.pitch_mm)
    assert (drawn["width"], drawn["height"]) == (board.width_mm, board.height_mm)
    assert drawn["laps"] * len(drawn["tracks"][0]["holes"]) + 1 == 121
    assert [(label["text"], *label["at"]) for label in drawn["labels"]] == [
        (label.text, pytest.approx(label.x_mm, abs=0.01), pytest.approx(label.y_mm, abs=0.01)) for label in board.labels
    ]
    for track, payload in zip(board.tracks, drawn["tracks"], strict=True):
        assert (payload["name"], payload["side"]) == (track.name, track.side)
        assert len(payload["holes"]) == board.last_hole
        assert track.dealer_lamp is not None
        spots = (*reversed(track.starts), *track.holes, *track.matches, track.dealer_lamp)
        places = (*payload["start"], *payload["holes"], payload["game"], *payload["match"], payload["dealer"])
        for spot, place in zip(spots, places, strict=True):
            assert place == [pytest.approx(spot.x_mm, abs=0.01), pytest.approx(spot.y_mm, abs=0.01)]
        assert (payload["lap"] is not None) == (board.laps == 2)


@pytest.mark.parametrize("name", HOLED)
def test_everything_that_is_drawn_lies_on_the_board(name: str) -> None:
    drawn = drawing(load(name))
    places = [place for track in drawn["tracks"] for place in (*track["start"], *track["holes"], track["game"])]
    assert all(0 < x < drawn["width"] and 0 < y < drawn["height"] for x, y in places)
    assert all(0 < label["at"][0] < drawn["width"] for label in drawn["labels"])


def test_a_board_without_holes_is_drawn_with_those_of_the_continuous_board() -> None:
    assert drawing(load("starter")) == drawing(load("continuous")) | {"name": "starter"}


async def test_a_page_gets_the_drawing_once(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        first = await home.client.get("/table/board")
        assert await first.json() == drawing(LONG)
        again = await home.client.get("/table/board", headers={"If-None-Match": first.headers["ETag"]})
        assert again.status == 304
