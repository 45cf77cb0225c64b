"""What the desk is told of the club's boards."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from tests.support.club_boards import moment

from cribd.club.board_status import BoardStatus, ClubSnapshot, CountShown, CountWords, MatchShown, StepShown
from cribd.club.known_boards import KnownBoard
from cribd.club.messages import BoardToHub, Order, ReportedStatus, read_up, write

EVENT = UUID(int=1)
STEP = StepShown(("5H", "5C"), 2)
#: Words that lack those of the step.
SILENT = CountWords(language="en", who="Rita", what="hand")


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


def heard(*starts: int) -> list[bool]:
    """Whether two machines have the key of a board, after each of its messages."""
    board = KnownBoard()
    return [board.hear(BoardToHub(status=ReportedStatus(start=start))) for start in starts]


def test_a_board_whose_program_starts_again_and_again_is_one_machine() -> None:
    assert not any(heard(5, 5, 7, 7, 3, 9, 9))
    assert not any(heard(*range(1, 50)))
    assert not any(heard(0, 0, 5, 0, 5))  # an older program that does not say it


def test_two_machines_that_cut_each_other_off_have_one_key_once_the_first_comes_back() -> None:
    assert heard(5, 7, 7, 5, 5, 7, 8, 8, 5) == [False, False, False, True, False, True, False, False, True]


def shown_by_the_hub(up: BoardToHub) -> Any:
    return KnownBoard(up=read_up(write(up))).status("a", "Ash", 1, Order(), {EVENT}).game


@pytest.mark.parametrize(
    "name", ["cut", "four-cards", "hand-in-hand", "crib", "crib-too-few", "trust-far", "nearly-home", "skunk"]
)
def test_a_moment_of_a_game_comes_to_the_hub_as_it_is_in_words_of_both_languages(name: str) -> None:
    game = moment(name, EVENT, ("Rita", "Marcel"))
    assert shown_by_the_hub(BoardToHub(game=game)) == game
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
        {"match": MatchShown(games=(1, 0, 0), points=(1, 0), of=7, standings="wins")},
        {"match": MatchShown(games=(1, 0), points=(), of=7, standings="wins")},
        {"last_count": CountShown(number=9, deal=1, cards=("5H", "<b>"), points=4)},
        {"last_count": CountShown(number=9, deal=1, cards=("5H",), starter="zz", points=4)},
        {"last_count": CountShown(number=9, deal=1, cards=("5H",), steps=(StepShown(("1X",), 2),), points=4)},
        {"last_count": CountShown(number=9, deal=1, cards=(), points=4, steps=(STEP,), words=(SILENT,))},
    ],
)
def test_a_game_that_fits_no_board_is_not_shown_and_the_rest_of_the_message_is_taken(changes: Any) -> None:
    game = moment("four-cards", EVENT, ("Rita", "Marcel"))
    assert shown_by_the_hub(BoardToHub(game=game)) is not None
    assert shown_by_the_hub(BoardToHub(game=replace(game, **changes))) is None
