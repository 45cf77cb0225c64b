"""A damaged journal is built again from its rows; what is lost is named, and the damaged file is kept aside.

`tests.support.rotten_bits` flips bits all over a file with an event in it; here are the kinds of damage by name.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.journals import ACTS, begin, do, of_version, played, tamper
from tests.support.rotten import flipped, only, quick_folder
from tests.support.rotten_bits import (
    EVENT,
    flip_all,
    journal_with_event,
    read_archive,
    read_journal,
)
from tests.support.sweeps import one_in

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config
from cribd.daemon import open_device
from cribd.inputs import Fault, FaultKind
from cribd.languages import languages
from cribd.storage import schema
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal, JournalDamaged
from cribd.storage.open_journal import open_journal_as_it_is, open_or_repair_journal
from cribd.storage.outbox import PlayedFor
from cribd.storage.rebuild import rebuild
from cribd.storage.soundness import why_unsound
from cribd.table.settings import Settings, read_settings
from cribd.table.snapshot import Snapshot
from cribd.twin.machine import Twin


@pytest.fixture
def journal() -> Iterator[Path]:
    """The path of a journal with three games and an event in its second round."""
    with quick_folder() as folder:
        journal_with_event(folder / "journal.db")
        yield folder / "journal.db"


def start(path: Path) -> Journal:
    opened_journal, _ = open_or_repair_journal(path, ManualClock())
    return opened_journal


def rotten_schema(path: Path, change: str) -> None:
    """Change SQLite's own schema as a flipped bit does, with nobody who checks it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(f"UPDATE sqlite_schema SET {change}")


# All kinds of damage


@pytest.mark.slow
@pytest.mark.sweep
def test_whichever_bit_of_a_journal_with_an_event_has_rotted_nothing_is_wrong_without_a_word() -> None:
    """Each ends as the same content, as damage that is named, or as a new journal. The sample is every 7,993rd used
    bit, which is another of each page and another place in a byte, and the sweep every 499th. Another 500 bits each
    second day would be found by `python -m tests.support.rotten_bits`, which flips all 150,000."""
    with quick_folder() as folder:
        came = flip_all(folder / "journal.db", every=one_in(7993, whole=499))
    assert came.total() >= one_in(16, whole=250)
    assert set(came) <= {"same", "damaged", "rebuilt", "aside"}
    assert came["rebuilt"] > came["aside"]


# The schema

RENAMED = [
    "name = 'compftition', tbl_name = 'compftition' WHERE name = 'competition'",
    "sql = replace(sql, 'competition INTEGER', 'compftition INTEGER') WHERE name = 'competition_line'",
    "sql = replace(sql, 'NEW.number <> 1', 'NEW.number <> 3') WHERE name = 'line_insert'",
    "sql = replace(sql, 'WHEN true', 'WHEN trud') WHERE name = 'line_update'",
    "name = 'line_insesx' WHERE name = 'line_insert'",
    "tbl_name = 'lind' WHERE name = 'line_insert'",
    "type = 'tabld' WHERE name = 'game'",
    "sql = 'CREATE TABLE gamf (id)' WHERE name = 'game'",
    "rootpage = rootpage + 1 WHERE name = 'competition_line'",
    "sql = 'nonsense' WHERE name = 'setting'",
]


@pytest.mark.parametrize("change", RENAMED)
def test_a_journal_with_a_damaged_schema_is_rebuilt_without_loss(journal: Path, change: str) -> None:
    board = start(journal)
    before = read_journal(board)
    board.close()
    rotten_schema(journal, change)
    board = start(journal)
    assert board.aside is not None
    assert board.aside.exists()
    assert board.rebuilt is not None
    assert (board.rebuilt.games, board.rebuilt.lost) == (3, ())
    assert read_journal(board) == before
    do(board, begin(board), *ACTS)
    board.close()
    again = start(journal)
    assert again.aside is None
    assert again.game(4).game.log
    again.close()


def test_a_command_leaves_a_file_whose_schema_has_rotted_as_it_is_and_says_what_is_wrong(journal: Path) -> None:
    rotten_schema(journal, RENAMED[3])
    before = journal.read_bytes()
    with pytest.raises(JournalDamaged, match="its trigger line_update is not what was made"):
        open_journal_as_it_is(journal, ManualClock(), make=False)
    assert journal.read_bytes() == before
    assert [file.name for file in journal.parent.iterdir()] == ["journal.db"]


def test_tables_of_a_later_version_are_no_damage_and_stay_when_the_file_is_built_again(journal: Path) -> None:
    tamper(
        journal,
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, who TEXT NOT NULL) STRICT; CREATE INDEX visit_who ON visit (who);"
        "INSERT INTO visit (who) VALUES ('Zoë'), ('Bob'); UPDATE setting SET value = '9' WHERE name = 'writer';",
    )
    with closing(sqlite3.connect(journal)) as db:
        assert why_unsound(db) is None
    rotten_schema(journal, RENAMED[0])
    board = start(journal)
    assert board.rebuilt is not None
    board.close()
    with closing(sqlite3.connect(journal)) as db:
        assert db.execute("SELECT who FROM visit").fetchall() == [("Zoë",), ("Bob",)]
        assert schema.writer(db) == schema.VERSION, "a later version makes again what was not taken over"


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_earlier_version_is_built_again_too(path: Path, version: int) -> None:
    played(path, *ACTS, games=3)
    of_version(path, version)
    rotten_schema(path, RENAMED[7])
    board = start(path)
    assert board.rebuilt is not None
    assert (board.rebuilt.games, board.rebuilt.lost) == (3, ())
    assert all(board.game(number).game.log for number in (1, 2, 3))
    board.close()


# Rows, and what has fallen off


def test_a_game_that_has_lost_its_newest_lines_is_damaged_and_not_shorter(journal: Path) -> None:
    tamper(journal, "DROP TRIGGER line_delete; DELETE FROM line WHERE game = 3 AND number > 4")
    board = start(journal)
    with pytest.raises(JournalDamaged) as damaged:
        board.latest_game()
    lines = phrase("problem.journal.lines", had=9, has=4)
    placed = phrase("problem.placed", where=phrase("problem.journal.game", number=3), problem=lines)
    assert placed in str(damaged.value)
    assert board.game(1).game.log
    board.close()


def test_an_event_that_has_lost_its_newest_lines_is_damaged_and_its_games_stay_sealed(journal: Path) -> None:
    tamper(journal, "DROP TRIGGER competition_line_delete; DELETE FROM competition_line WHERE number > 4")
    board = start(journal)
    with pytest.raises(JournalDamaged) as damaged:
        board.competitions.competition(1)
    assert phrase("problem.journal.competition", number=1) in str(damaged.value)
    assert has_phrase(str(damaged.value), "problem.journal.lines", has=4)
    assert board.competitions.begin(EVENT).id == 2
    board.close()
    assert Archive(journal).is_sealed(2)
    assert 1 in Archive(journal).sealing()


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER competition_game_delete; DELETE FROM competition_game",
        "DROP TRIGGER competition_game_update; UPDATE competition_game SET game = 1",
        "DROP TRIGGER competition_game_update; UPDATE competition_game SET competition = 7",
    ],
)
def test_a_game_that_lost_its_event_stays_sealed_and_is_not_replaced_by_another(journal: Path, change: str) -> None:
    tamper(journal, f"PRAGMA foreign_keys = OFF; {change}")
    assert "anybody 2" not in {name for name, game in read_archive(journal).things.items() if game}
    board = start(journal)
    if board.rebuilt is None:
        with pytest.raises(JournalDamaged, match=re.escape(phrase("problem.journal.changed"))):
            board.game(2)
    board.close()
    assert Archive(journal).is_sealed(2)


def test_a_row_that_is_lost_is_taken_from_its_check(journal: Path) -> None:
    board = start(journal)
    before = read_journal(board)
    board.close()
    tamper(
        journal,
        "DROP TRIGGER game_delete; DROP TRIGGER competition_delete; DROP TRIGGER competition_game_delete;"
        "PRAGMA foreign_keys = OFF; DELETE FROM game; DELETE FROM competition; DELETE FROM competition_game;",
    )
    board = start(journal)
    assert board.rebuilt is not None
    assert read_journal(board) == before
    board.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE game_check SET game = 11 WHERE game = 3",
        "DROP TRIGGER game_update; UPDATE game SET id = 11 WHERE id = 3",
        "DROP TRIGGER game_update; UPDATE game SET id = 0 WHERE id = 1",
        "UPDATE competition_check SET competition = 9",
        "DROP TRIGGER competition_update; UPDATE competition SET id = 9",
        "DROP TRIGGER competition_update; UPDATE competition SET id = 0",
    ],
)
def test_a_number_that_has_rotted_makes_no_games_and_no_events(journal: Path, change: str) -> None:
    tamper(journal, f"PRAGMA foreign_keys = OFF; {change}")
    board = start(journal)
    assert board.rebuilt is not None
    assert (board.newest(), board.competitions.newest()) == (3, 1)
    assert board.game(1).game.log
    assert board.game(3).game.log
    assert board.competitions.competition(1).competition.log
    board.close()


def test_a_cell_of_another_type_costs_nothing_where_its_check_is_sound(journal: Path) -> None:
    """A NULL where a number must be: SQLite itself writes none, and a rotten serial type is one."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.executescript(
            "DROP TRIGGER competition_game_update; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
            " replace(sql, 'NOT NULL', '        ') WHERE name = 'competition_game';"
        )
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.executescript("UPDATE competition_game SET round = NULL")
    assert Archive(journal).is_sealed(2)
    board = start(journal)
    assert board.rebuilt is not None
    assert board.rebuilt.lost == ()
    assert board.game(2).played_for == PlayedFor(board.competitions.uuid_of(1), 1, 1, 1)
    board.close()
    assert Archive(journal).is_sealed(2)


def test_a_damaged_setting_returns_to_its_default_and_is_named(journal: Path) -> None:
    board = start(journal)
    board.write_settings({"sound": "off", "brightness": "40"})
    board.close()
    tamper(journal, "UPDATE setting_check SET value = 'on' WHERE name = 'sound'")
    board = start(journal)
    settings = read_settings(board, Settings(), languages=languages())
    assert (settings.sound, settings.brightness) == ("on", 40)
    assert board.rotten_settings == {"sound"}
    board.write_settings({"sound": "off"})
    assert board.setting("sound") == "off"
    board.close()


# How the file is built again


def test_of_a_large_journal_the_schema_is_checked_and_no_line(journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as db:
        assert why_unsound(db, whole=0) is None
    rotten_schema(journal, RENAMED[3])
    with closing(sqlite3.connect(journal)) as db:
        assert why_unsound(db, whole=0) == "its trigger line_update is not what was made"


def test_a_file_is_built_again_with_what_stands_in_the_log_beside_it_alone(journal: Path) -> None:
    """A power cut leaves the last acts in SQLite's write-ahead log; here the first page has rotted besides."""
    board = start(journal)
    do(board, begin(board), *ACTS)
    files = {name: journal.with_name(name).read_bytes() for name in ("journal.db", "journal.db-wal")}
    board.close()
    for bit in (8 * 16 + 3, 8 * 18, 8 * 56 + 6, 8 * 100, 8 * 103, 8 * 110):
        only(journal, flipped(files["journal.db"], bit))
        journal.with_name("journal.db-wal").write_bytes(files["journal.db-wal"])
        board = start(journal)
        assert board.game(4).game.log, bit
        assert board.game(1).game.log, bit
        board.close()


def test_a_board_that_is_switched_off_between_putting_aside_and_taking_up_finds_its_games(journal: Path) -> None:
    ready = journal.with_name("journal.db.rebuilt")
    assert rebuild(journal, ready, "") is not None
    journal.rename(journal.with_name("journal.db.damaged-1"))
    board = start(journal)
    assert board.game(1).game.log
    board.close()
    assert not ready.exists()


def test_a_board_that_is_switched_off_before_it_puts_the_damaged_file_aside_begins_again(journal: Path) -> None:
    rotten_schema(journal, RENAMED[0])
    ready = journal.with_name("journal.db.rebuilt")
    ready.write_bytes(b"half")
    board = start(journal)
    assert board.rebuilt is not None
    assert board.game(3).game.log
    board.close()
    assert sorted(file.name for file in journal.parent.iterdir()) == ["journal.db", "journal.db.damaged-1"]


def test_no_room_for_a_second_file_puts_the_damaged_one_aside(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cribd.storage.rebuild.shutil.copyfile", full)
    rotten_schema(journal, RENAMED[0])
    board = start(journal)
    assert board.rebuilt is None
    assert board.aside is not None
    assert board.games() == ()
    board.close()
    assert sorted(file.name for file in journal.parent.iterdir()) == ["journal.db", "journal.db.damaged-1"]


# What is said


async def test_damage_is_reported_on_the_board_and_in_the_log(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rotten_schema(journal, RENAMED[0])
    for fault, words in (
        (FaultKind.JOURNAL_REBUILT, "built again from its rows, with 3 games; the damaged file is kept as"),
        (FaultKind.JOURNAL_SET_ASIDE, "could not be read; it is kept as"),
        (None, ""),
    ):
        clock, board = ManualClock(), load("continuous")
        twin = Twin(board, clock, folder=journal.parent)
        device, opened_journal = open_device(
            Config(journal=str(journal)), board, twin.wires, clock=clock, threaded=False
        )
        shown: list[Snapshot] = []
        device.watch(shown.append)
        device.table.load()
        assert shown[-1].faults == (() if fault is None else (Fault(fault, "journal"),))
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == bool(words)
        opened_journal.close()
        twin.close()
        if fault is FaultKind.JOURNAL_REBUILT:
            journal.write_bytes(b"nonsense" * 4096)
