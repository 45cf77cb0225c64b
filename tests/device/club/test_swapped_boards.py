"""A board is put in the place of another one in mid-game: the game ends as it stands or goes on by slip, and the
new board has the next one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import HUB, ClubTable, Hub, Topics, board_copy, club_hub, club_table, hub_copy, until
from tests.support.evenings import BLUE_WINS, MENU, OK, RED, holes
from tests.support.event_evenings import OPEN, SEALED
from tests.support.organised import draw_and_start, held, open_hall, slip

from cribboard.competition import Format
from cribboard.competition.position import Result
from cribboard.competition.terms import Ending, ResultSource, ResultState
from cribd.clock import SystemClock
from cribd.club.admission import Admission, HubAddress
from cribd.club.board_requests import do
from cribd.club.board_status import SwapGame, TakenGameFinish
from cribd.club.club_desk import ClubDesk
from cribd.club.joined_boards import JoinedBoard, JoinedBoards
from cribd.club.keys import load_or_make
from cribd.club.messages import Order, read_down, write
from cribd.club.transport import ONLINE, topic
from cribd.competition.refusals import RefusedRequest
from cribd.daemon.due_at_table import due_at
from cribd.inputs import Input
from cribd.storage.journal import Journal
from cribd.storage.outbox import OutcomeStatus
from cribd.table.snapshot import DeskMessage, DeskMessageMode, Line, Lobby

pytestmark = pytest.mark.slow

CLOCK = SystemClock()
#: The presses of a trusted game that stands at 0 to 2.
IN_MID_GAME: tuple[Input, ...] = (OK[0], OK[0], *holes(RED, 2), OK[RED])


@dataclass
class Club:
    """A hub whose first round has started, its desk, and two boards, of which the first stands at table 1."""

    folder: Path
    topics: Topics
    hub: Hub
    desk: ClubDesk
    keys: tuple[str, str]

    @property
    def results(self) -> tuple[Result, ...]:
        return self.hub.state.organiser.rounds[0].tables[0].results

    def fates(self) -> list[TakenGameFinish]:
        return [taken.fate for taken in self.desk.snapshot.taken]

    def switch_on(self, number: int) -> AbstractAsyncContextManager[ClubTable]:
        return club_table(self.folder / str(number), HUB, board_copy(self.topics))

    async def swap(self, game: SwapGame) -> None:
        await do(self.desk, "swap", {"old": self.keys[0], "new": self.keys[1], "game": game})


@asynccontextmanager
async def club(folder: Path, form: Format = OPEN) -> AsyncIterator[Club]:
    """The same folder gives the same club again."""
    topics, keys = Topics(), [make_key(folder / str(number)).id for number in (1, 2)]
    (folder / "desk").mkdir(exist_ok=True)
    journal = Journal(folder / "desk" / "journal.db", CLOCK)
    boards = JoinedBoards(journal, CLOCK)
    if not boards.boards:
        await boards.add(JoinedBoard(keys[0], "Érable", 1))
        await boards.add(JoinedBoard(keys[1], "Bouleau"))
    admission = Admission(boards, load_or_make(folder / "desk" / "journal.db"), CLOCK, lambda: HubAddress("", 1))
    hubs: list[Hub] = []
    desk = ClubDesk(boards, admission, CLOCK, due_at=lambda table: due_at(held(hubs[0].organiser), table))
    try:
        async with club_hub(folder / "hub", hub_copy(topics), desk.seats) as hub:
            hubs.append(hub)
            if hub.organiser.state is None:
                await open_hall(hub.organiser, 2, form)
                await draw_and_start(hub.organiser)
            yield Club(folder, topics, hub, desk, (keys[0], keys[1]))
    finally:
        journal.close()


async def in_mid_game(old: ClubTable) -> None:
    await until(lambda: old.now.event is not None, "a game at the old board")
    await old.post(*IN_MID_GAME)


def due_game(table: ClubTable) -> int | None:
    """The number of the game that is due."""
    return None if table.now.event is None else table.now.event.place.game


@pytest.mark.parametrize("form", [OPEN, SEALED], ids=["open", "sealed"])
async def test_the_old_board_hands_in_its_game_as_it_stands_and_the_new_one_has_the_next(
    tmp_path: Path, form: Format
) -> None:
    async with AsyncExitStack() as on, club(tmp_path, form) as at:
        old, new = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        await in_mid_game(old)
        await at.swap(SwapGame.ENDS)
        await until(lambda: due_game(new) == 2, "the next game at the new board")
        await until(lambda: old.now.entered is OutcomeStatus.ACCEPTED, "the answer at the old board")
        assert old.now.mode == DeskMessageMode(DeskMessage.ENDED, covers=Lobby.AGAIN)
        [result] = at.results
        assert (result.scores, result.ending, result.source) == ((0, 2), Ending.BROKEN_OFF, ResultSource.BOARD)
        assert result.record == old.journal.outcome(1).record
        assert all(shown.event is None or shown.event.place.game == 2 for shown in new.shown)
        await new.play()
        await until(lambda: len(at.results) == 2, "the result of the new board")
        assert at.fates() == []


async def test_a_game_not_begun_is_due_at_the_board_swapped_in(tmp_path: Path) -> None:
    async with AsyncExitStack() as on, club(tmp_path) as at:
        old, new = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        await until(lambda: due_game(old) == 1, "a game at the old board")
        await at.swap(SwapGame.ENDS)
        await until(lambda: due_game(new) == 1, "the same game at the new board")
        assert (due_game(old), at.results) == (None, ())


@pytest.mark.parametrize("scores", [(121, 98), (2, 121)])
async def test_a_board_that_is_dead_leaves_its_game_to_a_slip_and_its_own_result_joins_later(
    tmp_path: Path, scores: tuple[int, int]
) -> None:
    async with AsyncExitStack() as on, club(tmp_path) as at:
        async with at.switch_on(1) as old:
            await in_mid_game(old)
        await until(lambda: not at.desk.snapshot.boards[0].is_online, "the end of the old board")
        await at.swap(SwapGame.ENDS)
        new = await on.enter_async_context(at.switch_on(2))
        await until(lambda: new.now.waits is not None, "the new board to wait")
        assert at.fates() == [TakenGameFinish.AWAY]
        await at.hub.organiser.do(slip(1, *scores))
        await until(lambda: due_game(new) == 2, "the next game at the new board")
        old = await on.enter_async_context(at.switch_on(1))
        await until(lambda: old.now.entered is OutcomeStatus.ACCEPTED, "the answer, once it is back")
        assert [(result.scores, result.state) for result in at.results] == [(scores, ResultState.ACCEPTED)]
        assert at.fates() == []


async def test_a_board_that_had_finished_its_game_disputes_another_slip_when_it_is_back(tmp_path: Path) -> None:
    async with club(tmp_path) as at, at.switch_on(1) as old:
        await in_mid_game(old)
    async with club_table(tmp_path / "1", HUB, board_copy(Topics())) as old:  # it is cut off
        await old.post(OK[RED], *holes(RED, 121, 121, 121), *OK)
        assert old.now.entered is OutcomeStatus.KEPT
    async with AsyncExitStack() as on, club(tmp_path) as at:
        await at.swap(SwapGame.ENDS)
        await at.hub.organiser.do(slip(1, 121, 98))
        old = await on.enter_async_context(at.switch_on(1))
        await until(lambda: old.journal.outbox.waiting(HUB) == (), "the answer, once it is back")
        assert [result.state for result in at.results] == [ResultState.DISPUTED]


async def test_a_game_that_goes_on_by_slip_counts_once_though_it_is_broken_off_at_the_old_board(tmp_path: Path) -> None:
    async with AsyncExitStack() as on, club(tmp_path) as at:
        old, new = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        await in_mid_game(old)
        await at.swap(SwapGame.SLIP)
        await until(lambda: isinstance(old.now.mode, DeskMessageMode), "the word on the old board")
        assert old.now.mode == DeskMessageMode(DeskMessage.BY_SLIP)
        assert at.fates() == [TakenGameFinish.SLIP]
        await stop(old)
        await until(lambda: old.now.entered is OutcomeStatus.NOT_TAKEN, "the answer at the old board")
        await until(lambda: any("by slip" in line for line in at.hub.said), "the line in the log")
        assert (at.results, new.now.event) == ((), None)
    async with AsyncExitStack() as on, club(tmp_path) as at:
        old, new = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        await until(lambda: new.now.waits is not None, "the new board to wait after a restart of all")
        await at.hub.organiser.do(slip(1, 121, 98))
        await until(lambda: due_game(new) == 2, "the next game at the new board")
        assert [(result.scores, result.state) for result in at.results] == [((121, 98), ResultState.ACCEPTED)]


async def test_a_game_goes_on_at_the_old_board_that_is_seated_there_again(tmp_path: Path) -> None:
    async with AsyncExitStack() as on, club(tmp_path) as at:
        old = await on.enter_async_context(at.switch_on(1))
        await in_mid_game(old)
        await at.swap(SwapGame.SLIP)
        await until(lambda: old.now.mode == DeskMessageMode(DeskMessage.BY_SLIP), "the word on the old board")
        await do(at.desk, "seat", {"board": at.keys[1], "table": None})
        await do(at.desk, "seat", {"board": at.keys[0], "table": 1})
        await until(lambda: not isinstance(old.now.mode, DeskMessageMode), "the game again")
        await old.post(*holes(RED, 121, 121, 121), *OK)
        await until(lambda: [result.scores for result in at.results] == [(0, 121)], "its result")
        assert at.fates() == []


@pytest.mark.parametrize("form", [OPEN, SEALED], ids=["open", "sealed"])
@pytest.mark.parametrize("table", [None, 2])
async def test_a_game_is_taken_also_from_a_board_that_was_seated_elsewhere_meanwhile(
    tmp_path: Path, form: Format, table: int | None
) -> None:
    async with AsyncExitStack() as on, club(tmp_path, form) as at:
        old, new = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        await in_mid_game(old)
        await do(at.desk, "seat", {"board": at.keys[0], "table": table})
        await until(lambda: at.desk.snapshot.boards[0].plays is not None, "what the old board plays")
        await at.swap(SwapGame.ENDS)
        assert at.fates() == [TakenGameFinish.ENDS]
        await until(lambda: len(at.results) == 1, "the result of the old board")
        assert [(result.scores, result.ending) for result in at.results] == [((0, 2), Ending.BROKEN_OFF)]
        if table is None:
            assert [board.table for board in at.desk.snapshot.boards] == [None, 1]
            await until(lambda: due_game(new) == 2, "the next game at the new board")
        else:
            assert [board.table for board in at.desk.snapshot.boards] == [None, 2]


async def test_a_board_that_neither_stands_nor_plays_at_a_table_has_no_place_to_take(tmp_path: Path) -> None:
    async with at_once(tmp_path) as (at, old):
        await do(at.desk, "seat", {"board": at.keys[0], "table": None})
        with pytest.raises(RefusedRequest, match="at no table"):
            await at.swap(SwapGame.ENDS)
        await until(lambda: due_game(old) is None, "the old board to have no game")
        await do(at.desk, "seat", {"board": at.keys[0], "table": 1})
        await in_mid_game(old)
        await until(lambda: at.desk.snapshot.boards[0].plays is not None, "what the old board plays")
        await do(at.desk, "seat", {"board": at.keys[0], "table": None})
        await at.hub.organiser.do(slip(1, 121, 98))
        with pytest.raises(RefusedRequest, match="at no table"):
            await at.swap(SwapGame.ENDS)  # what it plays has its result


async def test_a_game_that_a_board_which_is_away_had_not_begun_begins_at_the_new_one_if_the_desk_says_so(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as on, club(tmp_path) as at:
        async with at.switch_on(1) as old:
            await until(lambda: due_game(old) == 1, "a game at the old board")
        await until(lambda: not at.desk.snapshot.boards[0].is_online, "the end of the old board")
        new = await on.enter_async_context(at.switch_on(2))
        await at.swap(SwapGame.SLIP)
        await until(lambda: new.now.waits is not None, "the new board to wait")
        await do(at.desk, "seat", {"board": at.keys[0], "table": 1})
        await at.swap(SwapGame.ANEW)
        await until(lambda: due_game(new) == 1, "the game at the new board")
        assert at.fates() == []
        await new.play()
        await until(lambda: [result.scores for result in at.results] == [(121, 0)], "its result")


@pytest.mark.parametrize("is_moved", [False, True], ids=["both there", "the first one elsewhere"])
@pytest.mark.parametrize("first", [0, 1], ids=["the old board first", "the new board first"])
async def test_one_game_that_two_boards_play_against_the_warning_is_disputed_with_both_results_and_counts_once(
    tmp_path: Path, first: int, is_moved: bool
) -> None:
    ends, scores = ((*holes(RED, 121, 121, 121), *OK), (*BLUE_WINS, *OK)), ((0, 121), (121, 0))
    async with AsyncExitStack() as on, club(tmp_path) as at:
        boards = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        await in_mid_game(boards[0])
        await until(lambda: at.desk.snapshot.boards[0].plays is not None, "what the old board plays")
        if is_moved:
            await do(at.desk, "seat", {"board": at.keys[0], "table": 2})
        await do(at.desk, "seat", {"board": at.keys[1], "table": 1})
        await until(lambda: due_game(boards[1]) == 1, "the same game at the new board")
        await boards[1].post(OK[0], OK[0])
        await boards[first].post(*ends[first])
        await until(lambda: [result.scores for result in at.results] == [scores[first]], "the first result")
    async with AsyncExitStack() as on, club(tmp_path) as at:  # all were off
        boards = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        second = boards[1 - first]
        await until(lambda: second.now.mode is Lobby.RESUME, "the unfinished game")
        await second.post(OK[RED], *ends[1 - first])
        await until(lambda: second.now.entered is OutcomeStatus.DISPUTED, "the answer to the second result")
        [result] = at.results
        assert result.board is not None
        both = result.scores, result.board.scores
        assert (result.state, both) == (ResultState.DISPUTED, (scores[first], scores[1 - first]))
        assert result.record == boards[first].journal.outcome(1).record != result.board.record
        assert [row.played for row in at.hub.state.organiser.standings] == [0, 0]


@pytest.mark.parametrize("by_seat", [False, True])
async def test_a_game_that_began_anew_counts_once_and_the_old_board_says_that_its_own_does_not(
    tmp_path: Path, by_seat: bool
) -> None:
    async with AsyncExitStack() as on:
        async with club(tmp_path) as at:
            async with at.switch_on(1) as old:
                await in_mid_game(old)
            await at.swap(SwapGame.ENDS if by_seat else SwapGame.ANEW)
            if by_seat:
                await do(at.desk, "seat", {"board": at.keys[1], "table": 1})
        at = await on.enter_async_context(club(tmp_path))  # also after a restart of the hub
        old, new = [await on.enter_async_context(at.switch_on(number)) for number in (1, 2)]
        says = DeskMessageMode(DeskMessage.BY_SLIP, covers=Lobby.RESUME)
        await until(lambda: old.now.mode == says, "the word on the old board")
        await new.play()
        await until(lambda: len(at.results) == 1, "the result of the new board")
        await CLOCK.sleep(1.1)
        await old.post(OK[RED], OK[RED])  # it was read, and the game resumes
        await stop(old)
        await until(lambda: old.now.entered is OutcomeStatus.NOT_TAKEN, "the answer at the old board")
        assert [(result.scores, result.state) for result in at.results] == [((121, 0), ResultState.ACCEPTED)]


@pytest.mark.parametrize("is_elsewhere", [False, True])
async def test_a_table_that_moves_to_slips_in_mid_game_has_the_result_of_that_game_by_slip(
    tmp_path: Path, is_elsewhere: bool
) -> None:
    async with at_once(tmp_path) as (at, old):
        await in_mid_game(old)
        await until(lambda: at.desk.snapshot.boards[0].plays is not None, "what the old board plays")
        if is_elsewhere:
            await do(at.desk, "seat", {"board": at.keys[0], "table": 2})
        await do(at.desk, "slips", {"table": 1})
        await until(lambda: old.now.mode == DeskMessageMode(DeskMessage.BY_SLIP), "the word on the old board")
        assert at.fates() == [TakenGameFinish.SLIP]
        await stop(old)
        await until(lambda: old.now.entered is OutcomeStatus.NOT_TAKEN, "the answer at the old board")
        assert [*at.results] == []
        await at.hub.organiser.do(slip(1, 121, 98))
        assert [(result.scores, result.state) for result in at.results] == [((121, 98), ResultState.ACCEPTED)]
        assert at.fates() == []


@asynccontextmanager
async def at_once(folder: Path) -> AsyncIterator[tuple[Club, ClubTable]]:
    """A club whose first board is switched on, with the game that is due."""
    async with club(folder) as at, at.switch_on(1) as old:
        await until(lambda: due_game(old) == 1, "a game at the board")
        yield at, old


async def stop(table: ClubTable) -> None:
    """Break off the game under way at a board to which the desk says that its result comes by slip."""
    if isinstance(table.now.mode, DeskMessageMode):
        await CLOCK.sleep(1.1)
        await table.post(OK[RED])
    await table.post(MENU)
    while table.now.menu is not None and table.now.menu.current.line is not Line.BREAK_OFF:
        await table.post(MENU)
    await table.post(*OK)


@pytest.mark.parametrize("is_away", [False, True])
async def test_the_game_of_a_board_that_is_removed_goes_on_by_slip_and_the_desk_says_so_until_it_has_one(
    tmp_path: Path, is_away: bool
) -> None:
    async with AsyncExitStack() as on, club(tmp_path) as at:
        async with at.switch_on(1) as old:
            await in_mid_game(old)
            await until(lambda: at.desk.snapshot.boards[0].plays is not None, "what the old board plays")
            if not is_away:
                await do(at.desk, "remove", {"board": at.keys[0]})
        if is_away:
            await until(lambda: not at.desk.snapshot.boards[0].is_online, "the end of the old board")
            await do(at.desk, "remove", {"board": at.keys[0]})
        assert [(taken.place.table, taken.place.game, taken.fate) for taken in at.desk.snapshot.taken] == [
            (1, 1, TakenGameFinish.SLIP)
        ]
        old = await on.enter_async_context(at.switch_on(1))
        await old.post(OK[RED], *holes(RED, 121, 121, 121), *OK)
        await until(lambda: any("does not know it" in line for line in at.hub.said), "the line in the log")
        assert (old.now.entered, at.results) == (OutcomeStatus.KEPT, ())
        await at.hub.organiser.do(slip(1, 121, 98))
        assert at.fates() == []


async def test_a_board_that_is_removed_while_none_of_its_games_is_under_way_leaves_nothing_to_a_slip(
    tmp_path: Path,
) -> None:
    async with at_once(tmp_path) as (at, _):
        await do(at.desk, "remove", {"board": at.keys[0]})
        await do(at.desk, "seat", {"board": at.keys[1], "table": 1})
        assert at.fates() == []
        async with at.switch_on(2) as new:
            await until(lambda: due_game(new) == 1, "the game at another board")


async def test_the_desk_is_told_that_the_players_of_an_older_board_end_the_game_by_hand(tmp_path: Path) -> None:
    async with club(tmp_path) as at:
        older = write_as_older()
        at.topics.publish(topic(at.keys[0], "online"), ONLINE)
        at.topics.publish(topic(at.keys[0], "up"), older)
        await until(lambda: at.desk.snapshot.boards[0].protocol == 1, "the older board")
        await at.swap(SwapGame.ENDS)
        assert at.fates() == [TakenGameFinish.BY_HAND]


def write_as_older() -> bytes:
    return b'{"status": {"release": "0.1.0", "protocol": 1}}'


def test_an_order_of_an_older_hub_takes_no_game() -> None:
    assert read_down(b'{"order": {"table": 4}}').order == Order(table=4)
    assert b"takes" in write(read_down(b"{}"))
