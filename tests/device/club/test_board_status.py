"""What the desk is told of the club's boards."""

from cribd.club.board_status import BoardStatus, ClubSnapshot


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
