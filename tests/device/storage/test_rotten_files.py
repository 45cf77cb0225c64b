"""Whatever the files of a board hold, it starts, says what is damaged, and plays on: an SD card rots, bit by bit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.journals import tamper
from tests.support.rotten import HEADING, flip, flipped, only, quick_folder, read_by_everybody, small_journal, stored
from tests.support.sweeps import IS_WHOLE, one_in

from cribboard.record import first_link, next_link
from cribd.clock import ManualClock
from cribd.languages import languages
from cribd.readers.decks import Deck, load_decks, write_deck
from cribd.storage.archive import Archive, DamagedGame, EndedGame
from cribd.storage.journal import Journal
from cribd.storage.open_journal import open_or_repair_journal
from cribd.table.settings import Settings, read_settings
from cribd.twin.tags import tags
from cribd.wires import ReaderKind


@pytest.fixture
def journal() -> Iterator[Path]:
    """The path of a journal of three games; one of them is being played."""
    with quick_folder() as folder:
        small_journal(folder / "journal.db")
        yield folder / "journal.db"


# One bit


def test_a_sound_journal_is_taken_up(journal: Path) -> None:
    assert read_by_everybody(journal, commands=True) == "taken up"


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("table", "every"), [("game", 25), ("line", 200), ("result", 1), ("setting", 12)])
def test_a_board_plays_on_after_any_bit_of_a_row_has_flipped(journal: Path, table: str, every: int) -> None:
    """The sample has an eighth of these bits, drawn by chance over all columns of the rows."""
    places = [place for place in stored(journal) if place.table == table]
    came = flip(journal, places, every=every * one_in(8))
    assert came.total() >= one_in(5, whole=50)
    assert not came["refused"]
    if table in ("result", "setting"):
        assert came["damaged"] == came["left out"] == 0, "nothing of a game depends on it"


@pytest.mark.slow
def test_every_command_reads_on_whichever_bit_of_a_row_has_rotted(journal: Path) -> None:
    assert flip(journal, stored(journal), every=1500, commands=True).total() > 20


@pytest.mark.slow
@pytest.mark.sweep
def test_a_bit_of_a_line_of_the_running_game_is_never_played_on_from(journal: Path) -> None:
    """What a game stands on is its lines, their numbers and their chain: each bit of those is noticed."""
    with closing(sqlite3.connect(journal)) as db:
        (last,) = db.execute("SELECT max(number) FROM line WHERE game = 3").fetchone()
    places = [place for place in stored(journal) if place.table == "line" and place.column in ("line", "chain")]
    assert set(flip(journal, places[-2 * last :], every=40 * one_in(8))) == {"damaged"}


# Any value

#: The journal's tables, with columns that take whatever they are given.
LOOSE = """
CREATE TABLE game (id INTEGER PRIMARY KEY, match, heading, at);
CREATE TABLE line (game, number, line, chain, at, boot, seconds, PRIMARY KEY (game, number)) WITHOUT ROWID;
CREATE TABLE result (game INTEGER PRIMARY KEY, winner, scores, counts, first_dealer);
CREATE TABLE setting (name PRIMARY KEY, value) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
COLUMNS = {
    "game": ("id", "match", "heading", "at"),
    "line": ("game", "number", "line", "chain", "at"),
    "result": ("game", "winner", "scores", "counts", "first_dealer"),
    "setting": ("value",),
}
ODD = (
    *(None, -1, 0, 1.5, 2**40, 2**63 - 1, 9e99, b"", b"\xff\xfe", bytes(100)),
    *("", "121", "121 99 ", "\0", "\u202e", "9" * 5000, "[" * 5000, '{"a": ' * 5000),
    *("9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00", "2026-01-01T12:00:00", "2026-02-30"),
)


def loose_journal(path: Path) -> None:
    """The same games in a journal whose cells take whatever they are given, as those of a rotten file do."""
    tamper(path, LOOSE)
    small_journal(path)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("table", "column"), [(table, column) for table, some in COLUMNS.items() for column in some])
def test_a_board_plays_on_with_any_value_in_a_cell(table: str, column: str) -> None:
    """In the least and the greatest cell of the column. In the sample every column has a quarter of the values, by
    turns."""
    with quick_folder() as folder:
        path = folder / "journal.db"
        loose_journal(path)
        sound = path.read_bytes()
        cells = [(which, value) for at, value in enumerate(ODD) for which in (("min", "max"), ("max", "min"))[at % 2]]
        first = 0 if IS_WHOLE else 2 * (COLUMNS[table].index(column) % 4)
        for which, value in cells[first :: one_in(8)]:
            only(path, sound)
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                row = f"{column} = (SELECT {which}({column}) FROM {table})"
                try:
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE {row}", (value,))
                except sqlite3.IntegrityError:
                    continue  # no key is like that, or two would be
            assert read_by_everybody(path) != "refused", (which, value)


def test_a_valid_chain_of_impossible_events_is_damaged(journal: Path) -> None:
    """A chain says that nothing was changed since it was written, and not who wrote it."""
    tamper(journal, "DROP TRIGGER line_delete; DELETE FROM line WHERE game = 3")
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        link = first_link(HEADING)
        for number, line in enumerate(("dealer named blue", "undone to 77"), start=1):
            link = next_link(link, line)
            db.execute("INSERT INTO line VALUES (3, ?, ?, ?, '', '', 0)", (number, line, link))
    assert read_by_everybody(journal, commands=True) == "damaged"


def test_a_result_that_lines_prove_and_no_game_came_to_counts_nothing(journal: Path) -> None:
    tamper(journal, "DROP TRIGGER line_delete; DELETE FROM line WHERE game = 3")
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        link = next_link(first_link(HEADING), "result final")
        db.execute("INSERT INTO line VALUES (3, 1, 'result final', ?, '', '', 0)", (link,))
    assert read_by_everybody(journal, commands=True) == "taken up"


def test_a_time_that_no_clock_can_show_costs_the_list_that_game_alone(journal: Path) -> None:
    tamper(journal, "DROP TRIGGER game_update; UPDATE game SET at = '9999-12-31T23:59:59-23:00' WHERE id = 1")
    archive = Archive(journal)
    assert [(type(game), game.id) for game in archive.page(9)] == [(EndedGame, 2), (DamagedGame, 1)]
    assert archive.record(1).events


# What else lies there


@pytest.mark.parametrize("left", [0, 1, 99, 100, 101, 512, 4095, 4096, 8192, 12_289, 20_000])
def test_a_truncated_journal_is_set_aside_or_read_up_to_its_end(journal: Path, left: int) -> None:
    only(journal, journal.read_bytes()[:left])
    assert read_by_everybody(journal, commands=True) != "refused"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_whatever_stands_in_the_files_that_sqlite_keeps_beside_a_journal_the_board_plays_on(
    journal: Path, suffix: str
) -> None:
    board, _ = open_or_repair_journal(journal, ManualClock())
    board.write_settings({"sound": "off"})
    files = {name: journal.with_name(name).read_bytes() for name in ("journal.db", "journal.db-wal", "journal.db-shm")}
    board.close()
    rotten = f"journal.db{suffix}"
    for content in (b"", bytes(100), *(flipped(files[rotten], 8 * byte + byte % 8) for byte in range(0, 200, 5))):
        only(journal, files["journal.db"])
        for name, sound in files.items():
            journal.with_name(name).write_bytes(content if name == rotten else sound)
        assert read_by_everybody(journal) == "taken up"


def test_an_invalid_setting_returns_to_its_default(journal: Path) -> None:
    board = Journal(journal, ManualClock())
    for value in map(str, ODD):
        board.write_settings(dict.fromkeys(("rules", "way", "language", "brightness", "sound", "names"), value))
        read = read_settings(board, Settings(), languages=languages())
        assert (read.rules, read.way, read.language, read.sound) == (
            Settings().rules,
            Settings().way,
            Settings().language,
            Settings().sound,
        )
    board.close()


@pytest.mark.slow
def test_whatever_a_deck_has_rotted_into_the_other_decks_are_known(tmp_path: Path) -> None:
    whole = write_deck(Deck("rouge", tags(ReaderKind.PN532))).encode()
    other = write_deck(Deck("bleu", tags(ReaderKind.RDM6300)))
    (tmp_path / "bleu.toml").write_text(other)
    cut = (whole[:length] for length in range(0, len(whole), 29))
    bits = (flipped(whole, bit) for bit in range(0, 8 * len(whole), 37))
    odd = (b"[" * 3000, b"name = " + b"9" * 5000, b"name = 9999-99-99", b"\xff\xfe", bytes(4096), b"a." * 3000 + b"b=1")
    for content in (*cut, *bits, *odd):
        (tmp_path / "rouge.toml").write_bytes(content)
        found = load_decks(tmp_path)
        assert found.named("bleu") is not None
        assert (found.named("rouge") is None) == bool(found.problems)
        assert all(problem.count("\n") == 0 for problem in found.problems)
