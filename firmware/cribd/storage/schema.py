"""The schema of the journal's SQLite file, and common functions.

The file may sit on a worn SD card: any cell may hold any value of any type.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

#: The version of the tables that this program writes, kept as the setting `writer`. 2: competitions beside games.
#: 3: the two numbers. 4: the members of a club. 5: what checks the rows. 6: outcomes on their way to the
#: organiser, and games for the events of other machines. 7: who played such a game, and what boards have signed.
VERSION = 7
#: Since this version the rows have checks.
CHECKED = 5
#: The least version that may read and write what this program writes, kept as SQLite's `user_version`. It rises only
#: when an older program would read something wrongly. A new table raises `VERSION` alone, because older programs ignore
#: the table.
LEAST_READER = 2
#: The same number once the file has a game for an event of another machine: older versions do not know its seal.
LEAST_READER_OF_EVENT_GAMES = 6
#: No program will ever write a version as high as this.
VERSIONS = 100
#: What SQLite raises for a damaged file; the second where its own message quotes bytes that are no UTF-8.
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)

_GAMES = """
CREATE TABLE IF NOT EXISTS game (
    id INTEGER PRIMARY KEY, match INTEGER NOT NULL, heading TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS line (
    game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, line TEXT NOT NULL, chain TEXT NOT NULL,
    at TEXT NOT NULL, boot TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS result (
    game INTEGER PRIMARY KEY REFERENCES game, winner INTEGER NOT NULL, scores TEXT NOT NULL, counts INTEGER NOT NULL,
    first_dealer INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
_COMPETITIONS = """
CREATE TABLE IF NOT EXISTS competition (id INTEGER PRIMARY KEY, heading TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS competition_line (
    competition INTEGER NOT NULL REFERENCES competition, number INTEGER NOT NULL, line TEXT NOT NULL,
    chain TEXT NOT NULL, at TEXT NOT NULL, boot TEXT NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (competition, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS competition_game (
    game INTEGER PRIMARY KEY REFERENCES game, competition INTEGER NOT NULL REFERENCES competition,
    round INTEGER NOT NULL, at_table INTEGER NOT NULL, number INTEGER NOT NULL) STRICT;
"""
#: Names may be changed and removed, so no trigger protects them.
_MEMBERS = "CREATE TABLE IF NOT EXISTS member (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
#: `outbox` has the games of events that have ended on this board, `outbox_answer` what the desk said of each, and
#: `received` what the organiser has of all boards.
_OUTCOMES = """
CREATE TABLE IF NOT EXISTS outbox (game INTEGER PRIMARY KEY REFERENCES game) STRICT;
CREATE TABLE IF NOT EXISTS outbox_answer (
    game INTEGER PRIMARY KEY REFERENCES outbox, answer TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS received (
    competition INTEGER NOT NULL REFERENCES competition, round INTEGER NOT NULL, at_table INTEGER NOT NULL,
    number INTEGER NOT NULL, board TEXT NOT NULL, record TEXT NOT NULL, answer TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (competition, round, at_table, number, board, record)) STRICT, WITHOUT ROWID;
"""
#: Games for events of other machines, each once more as a check, and which of these events are open.
_EVENT_GAMES = """
CREATE TABLE IF NOT EXISTS event_game (
    game INTEGER PRIMARY KEY REFERENCES game, event TEXT NOT NULL, round INTEGER NOT NULL, at_table INTEGER NOT NULL,
    number INTEGER NOT NULL, is_sealed INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS event_game_check (
    game INTEGER PRIMARY KEY, event TEXT NOT NULL, round INTEGER NOT NULL, at_table INTEGER NOT NULL,
    number INTEGER NOT NULL, is_sealed INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS opened_event (event TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS event_game_checked AFTER INSERT ON event_game
BEGIN INSERT OR REPLACE INTO event_game_check
VALUES (NEW.game, NEW.event, NEW.round, NEW.at_table, NEW.number, NEW.is_sealed); END;
"""
#: `event_entrants` says who plays a game of an event, and which club organises it ("" is this machine).
#: `signed_outcome` has what the boards of a club have signed, with its place in the sequence of its board, and
#: `game_record` the records of these games, compressed, each with what a check has found.
_CLUB = """
CREATE TABLE IF NOT EXISTS event_entrants (
    game INTEGER PRIMARY KEY REFERENCES game, club TEXT NOT NULL, entrants TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS signed_outcome (
    board TEXT NOT NULL, record TEXT NOT NULL, sequence INTEGER NOT NULL, event TEXT NOT NULL, round INTEGER NOT NULL,
    at_table INTEGER NOT NULL, number INTEGER NOT NULL, scores TEXT NOT NULL, broken_off INTEGER NOT NULL,
    entrants TEXT NOT NULL, signature BLOB NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (board, event, round, at_table, number, record)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS game_record (
    board TEXT NOT NULL, record TEXT NOT NULL, sequence INTEGER NOT NULL, data BLOB NOT NULL, found TEXT NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (board, sequence, record)) STRICT, WITHOUT ROWID;
"""
#: Second copies of the data of each game, competition and setting, on another page: they reveal a damaged row, and a
#: log that has lost its newest lines. Triggers write them, also for rows that an older program writes.
_CHECKS = """
CREATE TABLE IF NOT EXISTS game_check (
    game INTEGER PRIMARY KEY, match INTEGER NOT NULL, heading TEXT NOT NULL, at TEXT NOT NULL,
    lines INTEGER NOT NULL, until TEXT, competition INTEGER, round INTEGER, at_table INTEGER, number INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS competition_check (
    competition INTEGER PRIMARY KEY, heading TEXT NOT NULL, at TEXT NOT NULL, lines INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS setting_check (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
_CHECK_TRIGGERS = """
CREATE TRIGGER IF NOT EXISTS game_checked AFTER INSERT ON game
BEGIN INSERT OR REPLACE INTO game_check (game, match, heading, at, lines)
VALUES (NEW.id, NEW.match, NEW.heading, NEW.at, 0); END;
CREATE TRIGGER IF NOT EXISTS competition_game_checked AFTER INSERT ON competition_game
BEGIN UPDATE game_check SET competition = NEW.competition, round = NEW.round, at_table = NEW.at_table,
number = NEW.number WHERE game = NEW.game; END;
CREATE TRIGGER IF NOT EXISTS line_checked AFTER INSERT ON line
BEGIN UPDATE game_check SET lines = NEW.number, until = NEW.at WHERE game = NEW.game; END;
CREATE TRIGGER IF NOT EXISTS competition_checked AFTER INSERT ON competition
BEGIN INSERT OR REPLACE INTO competition_check VALUES (NEW.id, NEW.heading, NEW.at, 0); END;
CREATE TRIGGER IF NOT EXISTS competition_line_checked AFTER INSERT ON competition_line
BEGIN UPDATE competition_check SET lines = NEW.number WHERE competition = NEW.competition; END;
CREATE TRIGGER IF NOT EXISTS setting_inserted AFTER INSERT ON setting
BEGIN INSERT OR REPLACE INTO setting_check VALUES (NEW.name, NEW.value); END;
CREATE TRIGGER IF NOT EXISTS setting_updated AFTER UPDATE ON setting
BEGIN INSERT OR REPLACE INTO setting_check VALUES (NEW.name, NEW.value); END;
CREATE TRIGGER IF NOT EXISTS setting_deleted AFTER DELETE ON setting
BEGIN DELETE FROM setting_check WHERE name = OLD.name; END;
"""
#: Adds checks for rows that an older version wrote.
_CHECK_OLDER = """
INSERT OR IGNORE INTO game_check SELECT id, match, heading, game.at,
    coalesce((SELECT max(number) FROM line WHERE game = id), 0),
    (SELECT at FROM line WHERE game = id ORDER BY number DESC LIMIT 1), competition, round, at_table,
    competition_game.number
    FROM game LEFT JOIN competition_game ON competition_game.game = id;
INSERT OR IGNORE INTO competition_check SELECT id, heading, at,
    coalesce((SELECT max(number) FROM competition_line WHERE competition = id), 0) FROM competition;
INSERT OR IGNORE INTO setting_check SELECT name, value FROM setting;
"""
#: By table: the condition under which a new row is refused, because it is there already or out of order.
_GAMES_REFUSE = {
    "game": "NEW.id <> 1 + coalesce((SELECT max(id) FROM game), 0)",
    "line": "NEW.number <> 1 + coalesce((SELECT max(number) FROM line WHERE game = NEW.game), 0)",
    "result": "EXISTS (SELECT 1 FROM result WHERE game = NEW.game)",
}
#: Refuses a row for a game that has already begun: only a new game can be made a game of an event.
_NOT_BEGINNING = "NEW.game IS NOT (SELECT max(id) FROM game) OR EXISTS (SELECT 1 FROM line WHERE game = NEW.game)"
_COMPETITIONS_REFUSE = {
    "competition": "NEW.id <> 1 + coalesce((SELECT max(id) FROM competition), 0)",
    "competition_line": "NEW.number <> 1 + coalesce("
    "(SELECT max(number) FROM competition_line WHERE competition = NEW.competition), 0)",
    "competition_game": f"{_NOT_BEGINNING} OR EXISTS (SELECT 1 FROM competition_game WHERE game = NEW.game)",
}
_OUTCOMES_REFUSE = {
    "event_game": f"{_NOT_BEGINNING} OR EXISTS (SELECT 1 FROM event_game WHERE game = NEW.game)",
    "outbox": "EXISTS (SELECT 1 FROM outbox WHERE game = NEW.game)",
    "outbox_answer": "EXISTS (SELECT 1 FROM outbox_answer WHERE game = NEW.game)",
    "received": "EXISTS (SELECT 1 FROM received WHERE competition = NEW.competition AND round = NEW.round "
    "AND at_table = NEW.at_table AND number = NEW.number AND board = NEW.board AND record = NEW.record)",
}
_CLUB_REFUSE = {
    "event_entrants": f"{_NOT_BEGINNING} OR EXISTS (SELECT 1 FROM event_entrants WHERE game = NEW.game)",
    "signed_outcome": "EXISTS (SELECT 1 FROM signed_outcome WHERE board = NEW.board AND event = NEW.event "
    "AND round = NEW.round AND at_table = NEW.at_table AND number = NEW.number AND record = NEW.record)",
    "game_record": "EXISTS (SELECT 1 FROM game_record WHERE board = NEW.board AND sequence = NEW.sequence "
    "AND record = NEW.record)",
}
#: A game, or a competition, takes at least this much of the file, in bytes.
BYTES_A_GAME = 64


@contextmanager
def open_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal to read, even on a read-only disk. Raises `UNREADABLE`.

    SQLite keeps two files beside a database that is written, the log and its index, and makes them if they are missing.
    Without a log nobody writes, and none is needed: made by root, they would shut the board out. Where the index cannot
    be made or used, since nothing can be written there, it is made in memory, and no lock is taken.
    """
    address, log = path.absolute().as_uri(), path.with_name(f"{path.name}-wal")
    if not log.exists():
        with _connected(f"{address}?mode=ro&immutable=1") as db:
            yield db
        return
    with ExitStack() as opened:
        db = opened.enter_context(_connected(f"{address}?mode=ro"))
        try:
            db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
        except sqlite3.OperationalError:
            if refused_beside(path) is None:
                raise
            db = opened.enter_context(_connected(f"{address}?mode=ro&vfs=unix-none"))
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        yield db


def refused_beside(path: Path) -> OSError | None:
    """Try to write beside this file, and return the error, if any."""
    try:
        with TemporaryFile(dir=path.parent) as written:
            written.write(b"?")
            written.flush()
            os.fsync(written.fileno())
    except OSError as refused:
        return refused
    return None


@contextmanager
def _connected(address: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)) as db:
        db.text_factory = as_text
        yield db


def least_reader(db: sqlite3.Connection) -> int:
    """Return the first version that can read the file.

    It is 0 for a new file."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def writer(db: sqlite3.Connection) -> int:
    """Return the newest version that has written the file, or 0.

    It is 0 if unknown: versions before 3 did not store their number."""
    with suppress(*UNREADABLE):
        for (value,) in db.execute("SELECT value FROM setting WHERE name = 'writer'"):
            if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= len(str(VERSIONS)):
                return int(value)
    return 0


def is_for_later_versions(db: sqlite3.Connection) -> bool:
    """Whether only a later version may read the file.

    If `least_reader` is above `writer`, these numbers are damaged."""
    return VERSION < least_reader(db) < VERSIONS and not 0 < writer(db) < least_reader(db)


def upgrade(db: sqlite3.Connection) -> None:
    """Add what the file lacks, in one transaction.

    The check tables have a copy of what was written of each game, competition and setting. The triggers forbid changes
    of written rows. Do nothing if this or a later version wrote it."""
    least, wrote = least_reader(db), writer(db)
    if wrote >= VERSION and LEAST_READER <= least <= wrote:
        return
    least = max(least, LEAST_READER) if least <= VERSION else LEAST_READER
    if db.execute(EVENT_GAMES).fetchone() and db.execute("SELECT 1 FROM event_game LIMIT 1").fetchone():
        least = max(least, LEAST_READER_OF_EVENT_GAMES)
    added = "".join(_ADDED.values()) if wrote < VERSION else ""
    db.executescript(
        f"BEGIN; {added} {_CHECK_OLDER if wrote < VERSION else ''} PRAGMA user_version = {least}; "
        f"INSERT OR REPLACE INTO setting (name, value) VALUES ('writer', '{max(wrote, VERSION)}'); COMMIT;"
    )


def _refusals(refused: Mapping[str, str]) -> str:
    rules = [
        (table, event, when)
        for table, condition in refused.items()
        for event, when in (("UPDATE", "true"), ("DELETE", "true"), ("INSERT", condition))
    ]
    return "".join(
        f"CREATE TRIGGER IF NOT EXISTS {table}_{event.lower()} BEFORE {event} ON {table} WHEN {when} "
        f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
        for table, event, when in rules
    )


#: The script with the additions of each version, for older files. A version that adds a table adds its script here.
_ADDED = {
    1: _GAMES + _refusals(_GAMES_REFUSE),
    2: _COMPETITIONS + _refusals(_COMPETITIONS_REFUSE),
    4: _MEMBERS,
    CHECKED: _CHECKS + _CHECK_TRIGGERS,
    6: _OUTCOMES + _EVENT_GAMES + _refusals(_OUTCOMES_REFUSE),
    7: _CLUB + _refusals(_CLUB_REFUSE),
}


@dataclass(frozen=True, slots=True, order=True)
class SchemaObject:
    """A table or a trigger of an SQLite schema."""

    type: str
    name: str
    table: str
    sql: str
    root: int = field(compare=False)
    """The root page in a new file."""


@cache
def objects(version: int = VERSION) -> tuple[SchemaObject, ...]:
    """List the tables and triggers of a file of this version."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript("".join(script for number, script in _ADDED.items() if number <= version))
        rows = db.execute("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema").fetchall()
    return tuple(SchemaObject(*row) for row in rows)


def as_text(stored: bytes) -> str:
    """Decode a text cell; replace bytes that are not UTF-8."""
    return stored.decode("utf-8", "replace")


def highest_possible_number(db: sqlite3.Connection) -> int:
    """Return how many games or competitions fit into the file.

    A higher number was never written."""
    pages, size = (db.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size"))
    return max(int(pages), 1) * int(size) // BYTES_A_GAME


def newest_game(db: sqlite3.Connection) -> int:
    """Return the number of the newest game, or 0.

    Numbers that are too high for the size of the file are ignored."""
    return _newest(db, "game")


def newest_competition(db: sqlite3.Connection) -> int:
    """Return the number of the newest competition, or 0.

    Numbers that are too high for the size of the file are ignored. The number is 0 also in a file of version 1."""
    return _newest(db, "competition") if holds_competitions(db) else 0


def holds_competitions(db: sqlite3.Connection) -> bool:
    """Whether the file has the tables of competitions.

    One of their names is enough: if another is damaged, queries fail, so no game is mistaken for one outside
    competitions."""
    return db.execute(_COMPETITIONS_THERE).fetchone() is not None


def holds_checks(db: sqlite3.Connection) -> bool:
    """Whether the file has the check tables (from version 5)."""
    return db.execute(CHECKS).fetchone() is not None


def _newest(db: sqlite3.Connection, table: str) -> int:
    queries = [f"SELECT coalesce(max(id), 0) FROM {table} WHERE id <= ?"]
    if holds_checks(db):
        queries.append(f"SELECT coalesce(max({table}), 0) FROM {table}_check WHERE {table} <= ?")
    most = (highest_possible_number(db),)
    return max(int(db.execute(query, most).fetchone()[0]) for query in queries)


#: The lines of a game, as `cribboard.record.read_chained` takes them. Its parameter is the number of the game.
LINES = "SELECT number, line, chain FROM line WHERE game = ? ORDER BY number"
#: The lines of a competition in the same form, and the time of each line.
COMPETITION_LINES = "SELECT number, line, chain, at FROM competition_line WHERE competition = ? ORDER BY number"
#: A row if the file has the tables of competitions.
_COMPETITIONS_THERE = "SELECT 1 FROM sqlite_schema WHERE name LIKE 'competition%' LIMIT 1"
#: The last link of each game of a competition, and the number of the game. It seeks one line a game: as a join SQLite
#: would scan all lines.
LAST_LINKS = (
    "SELECT (SELECT chain FROM line WHERE game = played.game ORDER BY number DESC LIMIT 1), game "
    "FROM competition_game AS played"
)
#: The place of a game in a competition: the numbers of the competition, the round, the table and the game there.
PLAYED_FOR = "SELECT competition, round, at_table, number FROM competition_game WHERE game = ?"
#: A row if the file has the tables of outcomes.
OUTBOX = "SELECT 1 FROM sqlite_schema WHERE name = 'outbox'"
#: A row if the file has the tables of games for events of other machines.
EVENT_GAMES = "SELECT 1 FROM sqlite_schema WHERE name LIKE 'event_game%' LIMIT 1"
#: A row if the file has the tables of the club.
CLUB = "SELECT 1 FROM sqlite_schema WHERE name = 'event_entrants'"
#: A row if the file has the table of members.
MEMBERS = "SELECT 1 FROM sqlite_schema WHERE name = 'member'"
#: The check of a game: its match, its heading, when it began, how many lines it has, when the last of them was written,
#: and its place in a competition.
GAME_CHECK = (
    "SELECT match, heading, at, lines, until, competition, round, at_table, number FROM game_check WHERE game = ?"
)
#: The check of a competition: when it began, and how many lines it has.
COMPETITION_CHECK = "SELECT at, lines FROM competition_check WHERE competition = ?"
#: A row if the file has the checks.
CHECKS = "SELECT 1 FROM sqlite_schema WHERE name = 'game_check'"


def delete(*files: Path) -> None:
    """Delete database files and their logs.

    SQLite would read an old log into the next file. Missing files are ignored. Raises OSError."""
    for file in files:
        for suffix in ("", "-journal", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
