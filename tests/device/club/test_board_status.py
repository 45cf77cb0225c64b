"""What the desk is told of the club's boards."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from tests.support.club_boards import moment

from cribd.club.board_status import BoardStatus, ClubSnapshot
from cribd.club.known_boards import KnownBoard
from cribd.club.messages import Order, Up, read_up, write

EVENT = UUID(int=1)


def test_two_boards_at_one_table_are_disputed_as_seated_or_as_their_screens_show() -> None:
    boards = (
        BoardStatus(id="a", name="Ash", table=1, shows=1),
        BoardStatus(id="b", name="Birch", table=2, shows=3),
        BoardStatus(id="c", name="Cedar", table=3),
        BoardStatus(id="d", name="Dogwood"),
        BoardStatus(id="e", name="Elm"),
    )
    assert ClubSnapshot(boards=boards).disputed == (3,)
    assert ClubSnapshot(boards=(*boards, BoardStatus(id="f", name="Fir", table=1))).disputed == (1, 3)


def shown_by_the_hub(up: Up) -> Any:
    return KnownBoard(up=read_up(write(up))).status("a", "Ash", 1, Order(), is_sealed=False).game


@pytest.mark.parametrize("name", ["cut", "four-cards", "hand-in-hand", "crib", "trust-far", "skunk"])
def test_a_moment_of_a_game_comes_to_the_hub_as_it_is_in_words_of_both_languages(name: str) -> None:
    game = moment(name, EVENT, ("Rita", "Marcel"))
    assert shown_by_the_hub(Up(game=game)) == game
    assert [words.language for words in game.words] == ["en", "fr_CA"]


@pytest.mark.parametrize(
    "changes",
    [
        {"names": ("Rita",)},
        {"scores": (1, 2, 3)},
        {"backs": ()},
        {"in_hand": (5,)},
        {"laid_by": (0,)},
        {"laid": ("5H", "<b>", "5C", "4S")},
        {"starter": "1X"},
        {"counted": ("5H", "zz")},
        {"winner": 2},
        {"acts": 5},
        {"target": 0},
    ],
)
def test_a_game_that_fits_no_board_is_not_shown_and_the_rest_of_the_message_is_taken(changes: Any) -> None:
    game = moment("four-cards", EVENT, ("Rita", "Marcel"))
    assert shown_by_the_hub(Up(game=game)) is not None
    assert shown_by_the_hub(Up(game=replace(game, **changes))) is None
