"""From game to game and from evening to evening: results, matches, switching on, and a disk that takes no more."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cribboard import Way
from cribboard.events import BrokenOff
from cribboard.position import Phase
from cribboard.series import Result
from cribd.facts import CardRead, Fault, HolePressed, Kind
from cribd.journal import JournalDamaged
from cribd.menu import Settings
from cribd.showing import Line, Lobby
from cribd.table import Policy

from .evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    Evening,
    SlowDisk,
    cards,
    evening,
    step_to,
)

# The end of a game, the match, the next


def last_result(table: Evening) -> Result:
    """What the journal holds of the game that ended last."""
    kept = table.journal.latest()
    assert kept is not None
    return table.journal.match(kept.match, kept.heading).results[-1]


async def test_the_result_is_final_after_both_oks_and_undo_works_until_then(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, OK[RED])
        assert table.scores == (121, 0)
        await table.hear(UNDO)
        assert (table.scores, table.position.winner, table.now.lobby) == ((0, 0), None, None)
        await table.hear(*BLUE_WINS, *OK)
        assert table.now.lobby is Lobby.AGAIN
        assert table.now.games == (2, 0), "a skunk"
        refused = await table.hear(UNDO)
        assert refused.refusal is not None
        assert table.now.games == (2, 0)


async def test_a_later_game_may_be_won_in_its_first_deal(tmp_path: Path) -> None:
    """No event says who dealt first there: the match knew."""
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, *OK, OK[BLUE])
        assert table.position.dealer == RED, "the loser deals"
        await table.hear(*BLUE_WINS, *OK)
        assert table.now.games == (4, 0)
        number = last_result(table).first_dealer
        assert number == RED


async def test_who_dealt_first_is_who_dealt_after_an_undone_choice(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(OK[BLUE], OK[BLUE], UNDO, OK[RED], *BLUE_WINS, *OK)
        assert last_result(table).first_dealer == RED


async def test_who_dealt_first_is_not_who_dealt_last(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, OK[BLUE], *BLUE_WINS, *OK)
        assert last_result(table).first_dealer == BLUE


async def test_a_match_goes_on_to_seven_and_then_another_begins(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, *OK)
        for _ in range(3):
            assert table.now.match_winner is None
            await table.hear(OK[BLUE], *BLUE_WINS, *OK)
        assert (table.now.games, table.now.match, table.now.match_winner) == ((8, 0), 7, BLUE)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games, table.now.match_winner) == (Lobby.AGAIN, (8, 0), BLUE)
        await table.hear(OK[RED])
        assert (table.now.games, table.now.match_winner) == ((0, 0), None)
        assert table.position.phase is Phase.CUT, "a new match is cut for"


# Switching on


async def test_an_unfinished_game_is_asked_about_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
        before = table.position
    async with evening(tmp_path, "trust") as table:
        assert table.now.lobby is Lobby.RESUME
        assert table.position == before
        refused = await table.hear(CardRead("KD"))
        assert refused.refusal is not None
        assert refused.refusal.code == "unfinished"
        resumed = await table.hear(OK[BLUE])
        assert (resumed.lobby, resumed.refusal) == (None, None)
        await table.hear(OK[RED])
        assert table.scores == (0, 2)


async def test_a_trusted_peg_in_hand_is_let_go_a_while_after_the_game_was_taken_up(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
    async with evening(tmp_path) as table:
        await table.clock.advance(60)
        assert table.scores == (0, 0)
        await table.hear(OK[RED])
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


async def test_an_unfinished_game_that_is_not_wanted_is_kept_as_broken_off(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.hear(MENU)
        pictures = len(table.shown)
        await table.hear(OK[BLUE])
        assert [showing.lobby for showing in table.shown[pictures:]] == [None]
        assert table.position.phase is Phase.CUT
        old, new = (table.journal.game(number) for number, _, _ in table.journal.games())
        assert isinstance(old.game.log[-1], BrokenOff)
        assert new.game.log == ()


async def test_asking_for_a_new_game_loses_nothing_until_an_ok(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 5D"))
    for last in ([], [UNDO], [MENU], [MENU, MENU_HELD], [HolePressed(RED, 2)]):
        async with evening(tmp_path, "verify") as table:
            before, lines = table.position, table.lines_on_disk()
            assert (await table.hear(MENU)).lobby is Lobby.START
            await table.hear(*last)
            assert (table.position, table.lines_on_disk()) == (before, lines)
    async with evening(tmp_path, "verify") as table:
        assert table.now.lobby is Lobby.RESUME
        assert (await table.hear(MENU, UNDO)).lobby is Lobby.RESUME
        assert (await table.hear(OK[RED])).lobby is None
        assert table.position == before


async def test_a_language_can_be_chosen_before_a_new_game_instead_of_the_unfinished_one(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.hear(MENU)
        await step_to(table, Line.LANGUAGE)
        left = await table.hear(OK[RED], MENU_HELD)
        assert (left.menu, left.lobby, left.language) == (None, Lobby.START, "fr_CA")
        assert (await table.hear(UNDO)).lobby is Lobby.RESUME
        assert len(table.journal.games()) == 1


async def test_after_a_finished_game_another_is_offered(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, *OK)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games) == (Lobby.AGAIN, (2, 0))
        assert (await table.hear(OK[RED])).lobby is None
        assert table.position.dealer == RED


async def test_a_table_whose_last_game_is_damaged_says_so_and_starts_afresh(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
    with sqlite3.connect(tmp_path / "journal.db") as file:
        file.executescript("DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE number = 2;")
    file.close()
    table = Evening(tmp_path, clock=SlowDisk(), policy=Policy(), chosen=Settings(way=Way.TRUST))
    with pytest.raises(JournalDamaged, match="nonsense"):
        table.table.wake()
    assert table.now.lobby is Lobby.START
    table._running = asyncio.create_task(table.table.run())
    await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8), OK[BLUE])
    assert table.scores == (8, 0)
    await table.end()


# A disk that takes no more


@contextmanager
def full_disk(file: Path) -> Iterator[None]:
    """No file of this process may grow beyond what `file` has now: the kernel refuses, as a full disk does."""
    wal = file.with_name(file.name + "-wal")
    _, hard = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(1, wal.stat().st_size if wal.exists() else 1), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def test_a_press_that_the_disk_cannot_keep_is_refused_and_the_game_goes_on_when_it_can(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        before, lines = table.position, table.lines_on_disk()
        with full_disk(table.path):
            refused = await table.hear(HolePressed(BLUE, 8))
            assert refused.refusal is not None
            assert refused.refusal.code == "not_kept"
            assert refused.pending is None
            assert refused.faults == (Fault(Kind.JOURNAL_AWAY, "journal"),)
            assert (table.position, table.lines_on_disk()) == (before, lines)
        kept = await table.hear(HolePressed(BLUE, 8))
        assert kept.refusal is None
        assert kept.faults == ()
        assert table.lines_on_disk() > lines
        assert kept.view is not None
        assert kept.view.sides[BLUE].in_hand == 8
