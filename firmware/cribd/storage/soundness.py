"""Checks that the file of a journal is sound.

Each table must have as many rows as its check table. SQLite checks no page before it reads it. A bit that flips in its
schema or in a page's pointers makes an error that no later start ends, or hides rows without a word. So the file is
checked before a board writes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain

from cribd.storage import schema

#: A file up to this size is checked whole, in bytes: some 300 games, which a Pi reads in two seconds. In a larger
#: file all is checked except the lines of games, which are checked by their chain when they are read.
WHOLE_FILE = 32 * 2**20


def why_unsound(db: sqlite3.Connection, *, whole: int = WHOLE_FILE) -> str | None:
    """Return the first error of the file, or None. Raises `UNREADABLE`."""
    return next(chain(_schema(db), _pages(db, whole), _missing(db)), None)


def _version(db: sqlite3.Connection) -> int:
    """Return the version of the schema that the file must match.

    It is at most the version of this program."""
    return min(schema.writer(db) or schema.least_reader(db), schema.VERSION)


def _schema(db: sqlite3.Connection) -> Iterator[str]:
    """Yield an error for each missing or changed table or trigger."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    found = {row[:2]: row[2:] for row in rows}
    for wanted in schema.objects(_version(db)):
        if found.get((wanted.type, wanted.name)) != (wanted.table, wanted.sql):
            yield f"its {wanted.type} {wanted.name} is not what was made"


def _pages(db: sqlite3.Connection, whole: int) -> Iterator[str]:
    """Yield the errors that SQLite's own check finds.

    In a file of more than `whole` bytes, the lines of games are not checked."""
    pages, size = (db.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size"))
    if pages * size <= whole:
        checks = ["integrity_check(1)"]
    else:
        tables = [
            entry.name for entry in schema.objects(_version(db)) if entry.type == "table" and entry.name != "line"
        ]
        checks = [f"integrity_check({table})" for table in tables]
    for check in checks:
        for (said,) in db.execute(f"PRAGMA {check}").fetchall():
            if said != "ok":
                yield str(said).replace("*** in database main ***\n", "").replace("\n", "; ")


def _missing(db: sqlite3.Connection) -> Iterator[str]:
    """Yield an error for each SQLite table that has lost rows."""
    version = _version(db)
    for owner, logs in (("game", ("line", "game_check")), ("competition", ("competition_line", "competition_check"))):
        if owner == "competition" and version < 2:
            continue
        first, newest, rows = db.execute(
            f"SELECT coalesce(min(id), 1), coalesce(max(id), 0), count(*) FROM {owner}"
        ).fetchone()
        if (first, newest) != (1, rows):
            yield f"it has {rows} rows of {owner}, the first is {first} and the newest {newest}"
        for log in logs if version >= schema.CHECKED else logs[:1]:
            (last,) = db.execute(f"SELECT coalesce(max({owner}), 0) FROM {log}").fetchone()
            if last > newest:
                yield f"{owner} {last} is missing"
    if version < schema.CHECKED:
        return
    event_games = ("event_game",) if version >= schema.LEAST_READER_OF_EVENT_GAMES else ()
    for table in ("game", "competition", *event_games):
        (checks,) = db.execute(f"SELECT count(*) FROM {table}_check").fetchone()
        if checks != rows_of(db, table):
            yield f"it has {checks} rows of {table}_check, and {rows_of(db, table)} of {table}"


def rows_of(db: sqlite3.Connection, table: str) -> int:
    """Count the rows of an SQL table."""
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
