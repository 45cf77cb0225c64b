"""Outputs for the given journals: commands, pages, and a table that resumes the game."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.support.kept_games import keep

from .evening_outputs import ASKED, answer, at_table, do, picture, rows
from .given import evenings, journals, records
from .product import main, record
from .text import Terminal, changes, shortened

#: Evenings whose journals are given.
_EVENINGS = ("by-hand", "match", "three-player")
#: An archive of these games; the last is still being played.
_ARCHIVE = ("six-card-trust", "fadoq-trust", "three-player-trust", "jeux50-walk")
#: What is done at a table that opens each: it is resumed, and played on.
_THEN = {
    "by-hand": ("ok 0", "menu", "hold menu", "undo", "ok 0", "new-game", "scan 5H"),
    "match": ("ok 0", "hole 0 9", "wait 3.1", "ok 1", "new-match"),
    "three-player": ("menu", "ok 0", "scan 5H", "scan 6H", "scan 7H"),
    "archive": ("ok 0", "undo", "new-game"),
}


async def make(folder: Path) -> dict[str, bytes]:
    """The journals, as the code of today writes them."""
    made = {}
    for name in _EVENINGS:
        (folder / name).mkdir()
        async with at_table(name, folder / name) as (table, _):
            for act in evenings()[name][3]:
                await do(table, act)
        made[name] = table.path.read_bytes()
    path = folder / "archive.db"
    keep(path, [record.read(records()[name]) for name in _ARCHIVE])
    return {**made, "archive": path.read_bytes()}


async def of_journal(name: str, folder: Path) -> list[str]:
    """What commands print about a journal; then a table resumes its game and plays on."""
    path = folder / "journal.db"
    path.write_bytes(journals()[name])
    terminal = Terminal(main)
    lines = terminal.run("record list --journal journal.db")
    for command in ("record list --lang fr", "record list --json", "statistics --json", "statistics --lang fr"):
        lines += shortened(terminal.run(f"{command} --journal journal.db"), most=30)
    with closing(sqlite3.connect(path)) as db:
        (games,) = db.execute("SELECT count(*) FROM game").fetchone()
    for number in range(1, games + 2):
        lines += terminal.run(f"record verify {number} --journal journal.db")
        lines += terminal.run(f"record export {number} --journal journal.db", shown=False)
        lines += terminal.run(f"record export {number} --json --journal journal.db", shown=False)
        lines += terminal.run(f"record show {number} --json --journal journal.db")
    lines += terminal.run("record export 1 game.txt --journal journal.db")
    lines += terminal.run("record verify game.txt")
    lines += terminal.run("count 5H 5C 5S JD 5D --journal journal.db")
    return lines + await _resumed(name, folder)


async def _resumed(name: str, folder: Path) -> list[str]:
    played = "three-player" if name == "three-player" else "match"
    async with at_table(played, folder) as (table, client):
        now = await picture(client)
        lines = ["(taken up)", *changes(now, {}, whole=3)]
        for path in ASKED:
            lines += await answer(client, path, most=10)
        for act in _THEN[name]:
            before = now
            await do(table, act)
            now = await picture(client)
            lines += [f"> {act}", *changes(now, before, whole=3)]
        journal = table.path
    return [*lines, *rows(journal, most=3)]


async def of_damaged(folder: Path) -> list[str]:
    """Journals that cannot be read, or only in part."""
    path = folder / "journal.db"
    terminal = Terminal(main)
    lines: list[str] = []
    for statement in (
        "UPDATE line SET line = 'pegged blue +9 = 9' WHERE game = 1 AND number = 20",
        "DELETE FROM line WHERE game = 2 AND number > 5",
        "UPDATE game SET heading = 'nonsense' WHERE id = 3",
        "UPDATE game SET match = 99 WHERE id = 1",
        "PRAGMA user_version = 4",
        "PRAGMA user_version = 99",
        "PRAGMA user_version = 4711",
    ):
        path.write_bytes(journals()["archive"])
        with closing(sqlite3.connect(path)) as db:
            for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {trigger}")
            db.execute(statement)
            db.commit()
        lines.append(f"--- {statement}")
        for command in (
            "record list",
            "record verify 1 --lang fr",
            "record verify 2 --json",
            "record show 3 --lang fr",
        ):
            lines += terminal.run(f"{command} --journal journal.db")
        lines += terminal.run("statistics --journal journal.db --lang fr", shown=False)
    path.write_bytes(b"nonsense" * 1000)
    for command in (
        "record list",
        "record list --lang fr",
        "record export 1",
        "statistics",
        "statistics --json --lang fr",
    ):
        lines += terminal.run(f"{command} --journal journal.db")
    return lines


def outputs() -> Mapping[str, Callable[[Path], Awaitable[list[str]]]]:
    """What makes each output, by its name."""
    return {**{f"journals/{name}": partial(of_journal, name) for name in journals()}, "journals-spoilt": of_damaged}
