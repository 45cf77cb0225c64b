"""Rebuilds a journal from the rows of a damaged file.

The damage may be in SQLite's own schema, or in the head of the file. So no schema of it is trusted: each table is read
from its root page, under a first page that is written here. It is read from its beginning, and where a page cannot be
read from its end too. What is missing then is found as ever, by the chain and the checks of its game, and costs that
game alone.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cribboard.cards import NotationError
from cribboard.events import BrokenOff, ResultFinal
from cribboard.record import read_heading
from cribd.storage import schema
from cribd.storage.schema import UNREADABLE, SchemaObject
from cribd.storage.soundness import rows_of

#: The end of the name of a file that waits to take the place of the journal.
READY = "rebuilt"
_PAGE = 4096
#: The tables with rows of a game or competition, and in each the column that names it.
_ROWS = {
    "game": (
        *(("game", "id"), ("line", "game"), ("game_check", "game")),
        *(("outbox", "game"), ("outbox_answer", "game"), ("event_game", "game"), ("event_game_check", "game")),
        ("event_entrants", "game"),
    ),
    "competition": (
        *(("competition", "id"), ("competition_line", "competition"), ("competition_check", "competition")),
        *(("competition_game", "competition"), ("received", "competition")),
    ),
}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The report on a rebuilt journal.

    It says `why` it had to be rebuilt, the number of games, and what was lost, such as `game 3`, `competition 1`,
    `setting sound`. If the file ends too early, `missing` is how many of its pages are gone, and of how many: what was
    only there cannot be named."""

    why: str
    games: int
    lost: tuple[str, ...]
    missing: tuple[int, int] | None = None


def describe_damage(rebuilt: Rebuilt | None, aside: Path) -> str:
    """Describe the damage and the repair in one line."""
    if rebuilt is None:
        return f"The journal could not be read; it is kept as {aside}, and a new one begins."
    lost = f"Lost: {', '.join(rebuilt.lost)}." if rebuilt.lost else "Nothing is lost."
    if rebuilt.missing is not None:
        missing, pages = rebuilt.missing
        lost = (
            f"{missing} of its {pages} pages are missing, and with them what was newer. {lost if rebuilt.lost else ''}"
        )
    return (
        f"The journal was damaged ({rebuilt.why}). It was built again from its rows, with {rebuilt.games} games; "
        f"the damaged file is kept as {aside}. {lost}"
    ).rstrip()


def rebuild(damaged: Path, to: Path, why: str) -> Rebuilt | None:
    """Rebuild a damaged journal as the new file `to`.

    The file `to` appears only when the journal is complete.

    None if no row can be read, or the disk is full. `damaged` is only read."""
    part, copy = (to.with_name(f"{to.name}.{what}") for what in ("part", "copy"))
    try:
        schema.delete(part, copy)
        _copy_with_log(damaged, copy)
        missing = _missing_pages(copy)
        with closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN;")
            lost = _fill(db, copy, is_cut=missing is not None)
            db.execute("COMMIT")
            games = int(db.execute("SELECT count(*) FROM game WHERE heading <> ''").fetchone()[0])
            db.execute("DELETE FROM setting WHERE name = 'writer'")  # a later version adds what is missing
            if not any(rows_of(db, table) for table in ("game", "competition", "member", "setting")):
                return None
            schema.upgrade(db)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(to)
    except (OSError, *UNREADABLE):
        return None
    else:
        return Rebuilt(why, games, lost, missing)
    finally:
        schema.delete(part, copy)


# The damaged file


def _copy_with_log(damaged: Path, copy: Path) -> None:
    """Copy the file with the pages of its write-ahead log. Raises OSError."""
    shutil.copyfile(damaged, copy)
    log, log_of_copy = (file.with_name(f"{file.name}-wal") for file in (damaged, copy))
    if not log.exists():
        return
    first = copy.read_bytes()[:_PAGE]
    for page in (first, _first_page(_tables()["setting"], 5, copy.stat().st_size // _PAGE, wal=True)):
        shutil.copyfile(log, log_of_copy)
        _write_first_page(copy, page)
        with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as db:
            db.execute("PRAGMA writable_schema = ON")  # an unreadable schema is no error
            busy, pages, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy and pages >= 0:
                return
    _write_first_page(copy, first)
    log_of_copy.unlink(missing_ok=True)


def _missing_pages(copy: Path) -> tuple[int, int] | None:
    """Return the numbers of missing and of expected pages, or None."""
    with copy.open("rb") as file:
        pages = int.from_bytes(file.read(32)[28:])
    there = copy.stat().st_size // _PAGE
    return (pages - there, pages) if there < pages else None


def _tables() -> Mapping[str, SchemaObject]:
    return {entry.name: entry for entry in schema.objects() if entry.type == "table"}


def _first_page(table: SchemaObject, root: int, pages: int, *, wal: bool = False) -> bytes:
    """Make the first page of an SQLite file with this table.

    The file has `pages` pages; the root page of the table is `root`."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(f"PRAGMA page_size = {_PAGE}; {table.sql}; PRAGMA writable_schema = ON;")
        db.execute("UPDATE sqlite_schema SET rootpage = ?", (root,))
        db.commit()
        page = bytearray(db.serialize()[:_PAGE])
    page[18:20] = bytes([2, 2] if wal else [1, 1])  # who reads and writes it: a write-ahead log or none
    page[24:28] = page[92:96] = (1).to_bytes(4)  # the count of pages holds for this change
    page[28:32] = pages.to_bytes(4)
    page[32:40] = bytes(8)  # no free pages
    return bytes(page)


def _write_first_page(file: Path, page: bytes) -> None:
    with file.open("r+b") as out:
        out.write(page)


def _schema_of(copy: Path) -> list[tuple[object, ...]]:
    """Read the damaged file's schema, as far as possible."""
    rows: list[tuple[object, ...]] = []
    with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as db:
        db.text_factory = schema.as_text
        db.execute("PRAGMA writable_schema = ON")
        rows.extend(db.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema"))
    return rows


def _roots(rows: list[tuple[object, ...]], pages: int) -> Mapping[str, int]:
    """Map each SQLite table to its root page.

    If the schema `rows` do not tell the page, it is assumed to be that of a new file. The settings come first, because
    they show which tables exist."""
    said = {
        name: root
        for name, table in _tables().items()
        for _, named, of, root, sql in rows
        if isinstance(root, int) and 1 < root <= pages and sum((named == name, of == name, sql == table.sql)) >= 2
    }
    sound = {name: root for name, root in said.items() if list(said.values()).count(root) == 1}
    roots = {name: sound.get(name, table.root) for name, table in _tables().items()}
    return {"setting": roots["setting"]} | roots


def _had_table(name: str, rows: list[tuple[object, ...]], writer: int) -> bool:
    """Whether the file had this table before the damage.

    The version of the file's writer says so, or a trace in the schema. The page of a missing table may contain another
    table."""
    its = {entry.name for entry in schema.objects(writer)} if writer >= schema.CHECKED else _OF_EVERY_FILE
    return name in its or any(name in row[1:3] for row in rows)


# The new one


def _fill(db: sqlite3.Connection, copy: Path, *, is_cut: bool) -> tuple[str, ...]:
    """Copy the readable rows into `db`, and name the lost rows.

    `is_cut` says whether the file ends too early."""
    pages = copy.stat().st_size // _PAGE
    rows = _schema_of(copy)
    for made in _tables().values():
        db.execute(made.sql)
    _copy_unknown(db, copy, rows)
    most = pages * _PAGE // schema.BYTES_A_GAME
    lost: list[str] = []
    for name, root in _roots(rows, pages).items():
        if _had_table(name, rows, schema.writer(db)):
            _write_first_page(copy, _first_page(_tables()[name], root, pages))
            lost += _copy_rows(db, copy, name)
    for owner, places in _ROWS.items():
        for table, column in places:
            db.execute(f"DELETE FROM {table} WHERE {column} NOT BETWEEN 1 AND {most}")
        lost += _restore_first_rows(db, owner, places)
    if is_cut and schema.writer(db) >= schema.CHECKED:
        lost += _mark_unproved(db)
    db.execute("DELETE FROM competition_game WHERE game NOT IN (SELECT id FROM game)")
    db.execute(
        "INSERT OR IGNORE INTO competition_game SELECT game, competition, round, at_table, number FROM game_check "
        "WHERE competition IS NOT NULL AND round IS NOT NULL AND at_table IS NOT NULL AND number IS NOT NULL"
    )
    db.execute("DELETE FROM event_game WHERE game NOT IN (SELECT id FROM game)")
    db.execute("INSERT OR IGNORE INTO event_game SELECT * FROM event_game_check")
    db.execute("INSERT OR IGNORE INTO setting SELECT name, value FROM setting_check")
    return tuple(dict.fromkeys(lost))


def _restore_first_rows(db: sqlite3.Connection, owner: str, places: tuple[tuple[str, str], ...]) -> list[str]:
    """Restore each log's lost first row from the check table.

    `owner` is `game` or `competition`. Without a copy, insert an empty row, which counts as damaged, so that the others
    keep their numbers. Return these and those with lost lines."""
    (_, _), (line, _), (check, _), *_ = places
    rows, lines, checks = ("id", owner), (owner, line), (owner, check)
    for (column, table), others in ((checks, (rows, lines)), (rows, (lines, checks))):  # numbers that have rotted
        known = " UNION ".join(f"SELECT {its} AS number FROM {other}" for its, other in others)
        next_one = f"1 + (SELECT coalesce(max(number), 0) FROM ({known}))"  # it may have no line yet
        db.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({known}) AND {column} > {next_one}")
    columns = "match, heading, at" if owner == "game" else "heading, at"
    db.execute(f"INSERT OR IGNORE INTO {owner} (id, {columns}) SELECT {owner}, {columns} FROM {check}")
    (newest,) = db.execute(f"SELECT coalesce(max(id), 0) FROM {owner}").fetchone()
    while db.execute(f"SELECT 1 FROM {line} WHERE {owner} = ?", (newest + 1,)).fetchone():
        newest += 1
    for table, column in places:
        db.execute(f"DELETE FROM {table} WHERE {column} > ?", (newest,))  # the number has rotted
    there = {number for (number,) in db.execute(f"SELECT id FROM {owner}")}
    missing = [number for number in range(1, newest + 1) if number not in there]
    empty = "1, '', ''" if owner == "game" else "'', ''"
    db.executemany(f"INSERT INTO {owner} (id, {columns}) VALUES (?, {empty})", [(number,) for number in missing])
    shorter = db.execute(
        f"SELECT {owner} FROM {check} AS kept WHERE lines > "
        f"(SELECT count(*) FROM {line} WHERE {line}.{owner} = kept.{owner})"
    )
    return [f"{owner} {number}" for number in sorted({*missing, *(number for (number,) in shorter)})]


def _mark_unproved(db: sqlite3.Connection) -> list[str]:
    """Mark each unfinished game without a `game_check` row as damaged.

    As it may have lost lines, its new check asks for one more line than there are. Return these games."""
    unproved = []
    last = "(SELECT line FROM line WHERE game = id ORDER BY number DESC LIMIT 1)"
    query = f"SELECT id, heading, {last} FROM game WHERE heading <> '' AND id NOT IN (SELECT game FROM game_check)"
    for number, text, line in db.execute(query).fetchall():
        try:
            spelling = read_heading(text).spelling
        except NotationError:
            continue  # it is damaged
        if line not in (spelling.write(ResultFinal()), spelling.write(BrokenOff())):
            unproved.append(number)
    db.executemany(
        "INSERT INTO game_check (game, match, heading, at, lines) SELECT id, match, heading, at, "
        "1 + (SELECT count(*) FROM line WHERE game = id) FROM game WHERE id = ?",
        [(number,) for number in unproved],
    )
    return [f"game {number}" for number in unproved]


def _copy_rows(db: sqlite3.Connection, copy: Path, name: str) -> Iterator[str]:
    """Copy the readable rows of a table.

    Yield the names of lost rows."""
    table = _tables()[name]
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.execute(table.sql)
        columns = empty.execute(f"PRAGMA table_info({name})").fetchall()
    keys = [column for _, column, *_, key in columns if key]
    insert = f"INSERT OR IGNORE INTO {name} VALUES ({', '.join('?' * len(columns))})"
    for order in ("ASC", "DESC"):
        try:
            with _reading(copy) as old:
                for row in old.execute(f"SELECT * FROM {name} ORDER BY {', '.join(f'{key} {order}' for key in keys)}"):
                    try:
                        db.execute(insert, row)
                    except sqlite3.IntegrityError:  # damaged: this table refuses the row
                        yield f"{_OWNERS.get(name, name)} {row[0]}"
            return
        except UNREADABLE:
            if name == "member":
                yield "members"
            continue  # what is missing of the others is found by the checks


#: The tables that files of every version have.
_OF_EVERY_FILE = ("game", "line", "result", "setting")
#: The owner of a row, if its table has another name.
_OWNERS = {
    "line": "game",
    "result": "result of game",
    "game_check": "check of game",
    "competition_game": "game",
    "competition_line": "competition",
    "competition_check": "check of competition",
    "setting_check": "check of setting",
    "event_game": "game",
    "event_game_check": "check of game",
    "outbox": "outcome of game",
    "outbox_answer": "answer to game",
    "received": "outcome for competition",
    "event_entrants": "entrants of game",
    "signed_outcome": "outcome of board",
    "game_record": "record of board",
}


@contextmanager
def _reading(copy: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        db.text_factory = schema.as_text
        yield db


def _copy_unknown(db: sqlite3.Connection, copy: Path, rows: list[tuple[object, ...]]) -> None:
    """Copy the readable tables and objects of a later version."""
    known = {entry.name for entry in schema.objects()}
    unknown = [row for row in rows if row[1] not in known and row[2] not in known and isinstance(row[4], str)]
    with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as old:
        old.text_factory = schema.as_text
        old.execute("PRAGMA writable_schema = ON")
        for kind, name, _, _, sql in sorted(unknown, key=lambda row: row[0] != "table"):
            with suppress(*UNREADABLE):
                db.execute(str(sql))
                if kind == "table":
                    found = old.execute(f'SELECT * FROM "{name}"').fetchall()
                    holes = ", ".join("?" * len(found[0])) if found else ""
                    db.executemany(f'INSERT INTO "{name}" VALUES ({holes})', found)
