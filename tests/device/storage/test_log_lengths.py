"""A write-ahead log that is deleted or cut leaves a sound journal, only shorter: the board says what it has lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.journals import ACTS, TUESDAY, begin, do, organise
from tests.support.rotten import quick_folder

from cribboard.competition.actions import Register
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config
from cribd.daemon import open_device
from cribd.inputs import FaultKind
from cribd.storage.journal import Journal
from cribd.storage.journal_backup import back_up_journal
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.restore import Restored, restore
from cribd.table.snapshot import Snapshot
from cribd.twin.machine import Twin


@pytest.fixture
def journal() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "journal.db"


def log(journal: Path) -> Path:
    return journal.with_name("journal.db-wal")


def ends(journal: Path) -> Path:
    return journal.with_name("journal.db.ends")


def switch_off(board: Journal, journal: Path) -> None:
    """Take the power from a board: its files stay as they are."""
    files = {file: file.read_bytes() for file in (journal, log(journal), ends(journal)) if file.exists()}
    board.close()
    for file, content in files.items():
        file.write_bytes(content)


def opened(journal: Path) -> Journal:
    board, aside = open_or_repair_journal(journal, ManualClock())
    assert aside is None
    return board


def lost(journal: Path) -> tuple[str, ...]:
    """What a board says that is switched on for a moment."""
    board = opened(journal)
    said = board.truncated_logs
    board.close()
    return said


def missing(number: int) -> str:
    return f"{phrase('problem.journal.game', number=number)}: {phrase('problem.journal.missing')}"


def shorter(number: int, had: int, has: int, what: str = "game") -> str:
    where = phrase(f"problem.journal.{what}", number=number)
    return f"{where}: {phrase('problem.journal.lines', had=had, has=has)}"


def test_a_complete_log_reports_no_lost_events(journal: Path) -> None:
    board = opened(journal)
    do(board, begin(board), *ACTS)
    switch_off(board, journal)
    assert lost(journal) == ()


def test_the_games_of_a_log_that_is_deleted_are_named_until_somebody_plays_on(journal: Path) -> None:
    opened(journal).close()
    board = opened(journal)
    for _ in range(2):
        do(board, begin(board), *ACTS)
    switch_off(board, journal)
    log(journal).unlink()
    assert lost(journal) == (missing(1), missing(2))
    assert lost(journal) == (missing(1), missing(2)), "also at the next start"
    board = opened(journal)
    do(board, begin(board), *ACTS)
    board.close()
    assert lost(journal) == ()


def test_a_log_that_is_put_back_before_anybody_plays_brings_its_games_back(journal: Path) -> None:
    opened(journal).close()
    board = opened(journal)
    stored = begin(board)
    do(board, stored, *ACTS)
    switch_off(board, journal)
    stick = log(journal).read_bytes()
    log(journal).unlink()
    assert lost(journal) == (missing(1),)
    log(journal).write_bytes(stick)
    board = opened(journal)
    assert (board.truncated_logs, board.game(1).game.log) == ((), stored.game.log)
    board.close()


def test_a_log_that_is_cut_is_found_at_each_length_that_loses_a_commit(journal: Path) -> None:
    board = opened(journal)
    stored = begin(board)
    commits = [(log(journal).stat().st_size, 0)]
    for act in ACTS:
        do(board, stored, act)
        commits.append((log(journal).stat().st_size, len(stored.game.log)))
    switch_off(board, journal)
    files = {file: file.read_bytes() for file in journal.parent.iterdir()}
    newest = len(stored.game.log)
    for length, lines in commits:
        for file, content in files.items():
            file.write_bytes(content)
        log(journal).write_bytes(files[log(journal)][:length])
        assert lost(journal) == (() if lines == newest else (shorter(1, newest, lines),))


def test_entrants_whose_log_is_deleted_are_said_to_be_missing(journal: Path) -> None:
    board = opened(journal)
    event = board.competitions.begin(TUESDAY)
    board.close()
    board = opened(journal)
    stored = board.competitions.competition(event.id)
    organise(board, stored, Register(name="Odile"), Register(name="Guy"))
    switch_off(board, journal)
    log(journal).unlink()
    assert lost(journal) == (shorter(1, 2, 0, "competition"),)


def test_settings_and_members_survive_the_log(journal: Path) -> None:
    board = opened(journal)
    board.write_settings({"sound": "off"})
    board.members.add(["Odile", "Guy"])
    board.members.correct(2, "Guy Roy")
    board.members.remove(1)
    switch_off(board, journal)
    log(journal).unlink()
    board = opened(journal)
    assert board.setting("sound") == "off"
    assert board.members.all() == {2: "Guy Roy"}
    board.close()


def test_a_journal_that_is_deleted_is_missed(journal: Path) -> None:
    board = opened(journal)
    do(board, begin(board), *ACTS)
    switch_off(board, journal)
    journal.unlink()
    log(journal).unlink()
    assert lost(journal) == (missing(1),)


@pytest.mark.parametrize("length", [0, 10, 30])
def test_ends_that_the_disk_kept_in_part_or_from_earlier_say_nothing_wrong(journal: Path, length: int) -> None:
    board = opened(journal)
    stored = begin(board)
    do(board, stored, *ACTS[:2])
    earlier = ends(journal).read_bytes()
    do(board, stored, *ACTS[2:])
    switch_off(board, journal)
    ends(journal).write_bytes(earlier)
    assert lost(journal) == ()
    ends(journal).write_bytes(earlier[:length])
    log(journal).unlink(missing_ok=True)
    assert lost(journal) == ()


def test_the_ends_of_many_events_fit_into_a_sector(journal: Path) -> None:
    board = opened(journal)
    for _ in range(20):
        organise(board, board.competitions.begin(TUESDAY), Register(name="Odile"))
    do(board, begin(board), *ACTS)
    switch_off(board, journal)
    assert ends(journal).stat().st_size == 512
    log(journal).unlink()
    said = lost(journal)
    assert missing(1) in said
    assert len(said) == 21
    board = opened(journal)
    board.close()


def test_a_copy_that_is_restored_instead_lacks_nothing(journal: Path, tmp_path: Path) -> None:
    board = opened(journal)
    do(board, begin(board), *ACTS)
    back_up_journal(journal, tmp_path / "copy.db")
    do(board, begin(board), *ACTS)
    switch_off(board, journal)
    assert isinstance(restore(tmp_path / "copy.db", journal, ManualClock(), instead=True), Restored)
    assert lost(journal) == ()


def test_no_ends_can_be_written_and_the_game_goes_on(journal: Path) -> None:
    ends(journal).mkdir()
    board = opened(journal)
    stored = begin(board)
    do(board, stored, *ACTS)
    assert board.game(stored.id).game.log == stored.game.log
    board.close()


async def test_a_board_shows_and_logs_what_is_lost_until_the_next_game_begins(
    journal: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    opened(journal).close()
    board = opened(journal)
    do(board, begin(board), *ACTS)
    switch_off(board, journal)
    log(journal).unlink()
    clock, continuous = ManualClock(), load("continuous")
    twin = Twin(continuous, clock, folder=tmp_path)
    config = Config(journal=str(journal))
    device, opened_journal = open_device(config, continuous, twin.wires, clock=clock, threaded=False)
    shown: list[Snapshot] = []
    device.watch(shown.append)
    device.table.load()
    [fault] = shown[-1].faults
    assert (fault.kind, str(fault.cause)) == (FaultKind.JOURNAL_SHORT, missing(1))
    assert f"Fault journal_short (journal): {missing(1)}." in capsys.readouterr().err
    opened_journal.close()
    twin.close()
