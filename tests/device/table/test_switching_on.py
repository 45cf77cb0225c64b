"""Switching on again: the unfinished game, the finished one, and a disk that takes no more."""

from __future__ import annotations

import asyncio
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.disks import ext4
from tests.support.evenings import (
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
    policy,
    step_to,
)
from tests.support.event_evenings import at_event
from tests.support.journals import tamper
from tests.support.organised import held

from cribboard import Way
from cribboard.events import BrokenOff
from cribboard.position import Phase
from cribd.inputs import CardRead, Fault, FaultKind, HolePressed
from cribd.storage.journal import JournalDamaged
from cribd.storage.outbox import OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import DeskSays, TakenGame
from cribd.table.settings import Settings
from cribd.table.snapshot import Line, Lobby, Refusal, ReviewMode
from cribd.text import languages

# Switching on


async def test_an_unfinished_game_is_asked_about_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
        before = table.position
    async with evening(tmp_path, "trust") as table:
        assert table.now.lobby is Lobby.RESUME
        assert table.position == before
        refused = await table.post(CardRead("KD"))
        assert refused.refusal is not None
        assert refused.refusal.code == "unfinished"
        resumed = await table.post(OK[BLUE])
        assert (resumed.lobby, resumed.refusal) == (None, None)
        await table.post(OK[RED])
        assert table.scores == (0, 2)


async def test_the_timer_of_a_trusted_peg_begins_again_when_the_game_is_resumed(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
    async with evening(tmp_path) as table:
        await table.clock.advance(60)
        assert table.scores == (0, 0)
        await table.post(OK[RED])
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


async def test_an_unfinished_game_is_broken_off_when_a_new_one_begins(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.post(MENU)
        pictures = len(table.shown)
        await table.post(OK[BLUE])
        assert [snapshot.lobby for snapshot in table.shown[pictures:]] == [None]
        assert table.position.phase is Phase.CUT
        old, new = (table.journal.game(number) for number, _, _ in table.journal.games())
        assert isinstance(old.game.log[-1], BrokenOff)
        assert new.game.log == ()


async def test_after_a_restart_of_the_service_a_game_goes_on_without_a_question(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"))
    async with evening(tmp_path, "verify", resumes_at_once=True) as table:
        assert table.now.lobby is None
        await table.post(HolePressed(RED, 2), OK[BLUE])
        assert table.scores == (0, 2)


async def test_after_a_restart_a_finished_game_is_still_a_question(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    async with evening(tmp_path, resumes_at_once=True) as table:
        assert table.now.lobby is Lobby.AGAIN


async def test_menu_for_a_new_game_keeps_the_old_one_until_an_ok(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"))
    for last in ([], [UNDO], [MENU], [MENU, MENU_HELD], [HolePressed(RED, 2)]):
        async with evening(tmp_path, "verify") as table:
            before, lines = table.position, table.lines_on_disk()
            assert (await table.post(MENU)).lobby is Lobby.START
            await table.post(*last)
            assert (table.position, table.lines_on_disk()) == (before, lines)
    async with evening(tmp_path, "verify") as table:
        assert table.now.lobby is Lobby.RESUME
        assert (await table.post(MENU, UNDO)).lobby is Lobby.RESUME
        assert (await table.post(OK[RED])).lobby is None
        assert table.position == before


async def test_a_language_can_be_chosen_before_a_new_game_instead_of_the_unfinished_one(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.post(MENU)
        await step_to(table, Line.LANGUAGE)
        left = await table.post(OK[RED], MENU_HELD)
        assert (left.menu, left.lobby, left.language) == (None, Lobby.START, languages()[1])
        assert (await table.post(UNDO)).lobby is Lobby.RESUME
        assert len(table.journal.games()) == 1


async def test_after_a_finished_game_another_is_offered(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games) == (Lobby.AGAIN, (2, 0))
        assert (await table.post(OK[RED])).lobby is None
        assert table.position.dealer == RED


async def test_a_damaged_last_game_is_reported_and_a_new_one_can_begin(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
    tamper(tmp_path / "journal.db", "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE number = 2;")
    table = Evening(tmp_path, clock=SlowDisk(), policy=policy(), chosen=Settings(way=Way.TRUST))
    with pytest.raises(JournalDamaged, match="nonsense"):
        table.table.load()
    assert table.now.lobby is Lobby.START
    table._running = asyncio.create_task(table.table.run())
    await table.post(*BLUE_DEALS, HolePressed(BLUE, 8), OK[BLUE])
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
        await table.post(*BLUE_DEALS)
        before, lines = table.position, table.lines_on_disk()
        with full_disk(table.path):
            refused = await table.post(HolePressed(BLUE, 8))
            assert refused.refusal is not None
            assert refused.refusal.code == "not_kept"
            assert refused.pending is None
            assert refused.faults == (Fault(FaultKind.JOURNAL_AWAY, "journal"),)
            assert (table.position, table.lines_on_disk()) == (before, lines)
        committed = await table.post(HolePressed(BLUE, 8))
        assert committed.refusal is None
        assert committed.faults == ()
        assert table.lines_on_disk() > lines
        assert committed.view is not None
        assert committed.view.sides[BLUE].in_hand == 8


async def test_a_game_that_the_desk_ends_on_a_full_disk_ends_as_soon_as_there_is_room(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        says = DeskSays(takes=(TakenGame(PlayedFor(held(organiser).uuid, 1, 1, 1), ends=True),))
        table.journal._file.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with full_disk(table.path):
            table.table.offer(None, says)
            await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
            assert (table.now.faults, table.now.lobby) == ((Fault(FaultKind.JOURNAL_AWAY, "journal"),), None)
        await table.clock.advance(1)
        await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
        assert (table.now.faults, table.now.lobby, table.now.entered) == ((), Lobby.AGAIN, OutcomeStatus.ACCEPTED)


async def test_a_press_on_a_disk_that_linux_made_read_only_says_that_the_pi_must_start_again(tmp_path: Path) -> None:
    with ext4(tmp_path) as disk:
        async with evening(disk) as table:
            await table.post(*BLUE_DEALS)
            before = table.position
            subprocess.run(["mount", "-o", "remount,abort", str(disk)], check=True)
            refused = await table.post(HolePressed(BLUE, 8))
            assert refused.refusal == Refusal("disk_read_only")
            [fault] = refused.faults
            assert fault == Fault(FaultKind.JOURNAL_AWAY, "journal")
            assert phrase("problem.journal.read_only") in str(fault.cause)
            assert table.position == before
            await step_to(table, Line.LOOK_BACK)
            looks = await table.post(OK[BLUE])
            assert isinstance(looks.mode, ReviewMode), "what needs no journal goes on"


async def test_a_press_that_a_damaged_file_cannot_keep_is_not_called_a_full_disk(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        tamper(table.path, "CREATE TRIGGER rot BEFORE INSERT ON line BEGIN SELECT NEW.compftition; END")
        refused = await table.post(HolePressed(BLUE, 8))
        assert refused.refusal is not None
        assert refused.refusal.code == "file_hurt"
        assert Fault(FaultKind.JOURNAL_HURT, "journal") in refused.faults
