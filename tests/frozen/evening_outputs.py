"""Outputs of evenings that are played from a script: pages and voice after each act, the journal at the end."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.evenings import Evening, evening

from .given import evenings
from .product import Way, input_of, load_board, mount_kiosk, read_label, spoken
from .text import as_json, changes, fingerprint, shortened

Output = Callable[[Path], Awaitable[list[str]]]
Client = TestClient[web.Request, web.Application]

PIN = "2580"
#: A JSON object of at most so many values is one line.
_WHOLE = 3
_WHOLE_EVENINGS = ("by-hand", "match")
#: Of other evenings, the output has so many acts of the beginning and of the end.
_BEGINNING, _END = 13, 5
#: Addresses whose answers are in the output.
ASKED = (
    *("/table/scores", "/games/list", "/games/today", "/games/statistics", "/games/1/steps", "/games/1/record"),
    *(
        "/table/rules",
        "/table/pad",
        "/verify/rules",
        "/table/invitation",
        "/games/list?before=2",
        "/games/list?before=x",
    ),
)


@asynccontextmanager
async def at_table(name: str, folder: Path) -> AsyncIterator[tuple[Evening, Client]]:
    """The table of this evening, switched on, and a client for its pages."""
    board, way, label, _ = evenings()[name]
    async with evening(folder, Way(way), rules=read_label(label), board=load_board(board)) as table:
        app = web.Application()
        show = mount_kiosk(app, table.table, board=board, journal=table.path, clock=table.clock, pin=PIN)
        table.watchers.append(show)
        show(table.now)
        async with TestClient(TestServer(app, host="127.0.0.1")) as client:
            yield table, client


async def do(table: Evening, act: str) -> None:
    """Do one line of the script: wait, or press and scan at once."""
    if act.startswith("wait "):
        await table.clock.advance(float(act.removeprefix("wait ")))
    else:
        await table.at_once(*(input_of(each) for each in act.split(" + ")))


async def picture(client: Client) -> dict[str, Any]:
    """The snapshot that `/table` gets now, without the edition of the page's files."""
    async with client.get("/table/events") as answer:
        assert answer.status == 200
        async for line in answer.content:
            if line.startswith(b"data: {"):
                payload: dict[str, Any] = json.loads(line[6:])
                payload["edition"] = bool(payload["edition"])
                return payload
    raise AssertionError("the stream ended")


async def of_evening(name: str, folder: Path) -> list[str]:
    """After each act of the script, what changes on the pages and what the voice says; at the end the journal."""
    async with at_table(name, folder) as (table, client):
        now = await picture(client)
        lines = ["(at first)", *changes(now, {}, whole=_WHOLE)]
        acts = evenings()[name][3]
        for number, act in enumerate(acts):
            before, shown = now, table.now
            await do(table, act)
            if name not in _WHOLE_EVENINGS and _BEGINNING <= number < len(acts) - _END:
                lines.append(f"> {act}")
                continue
            now = await picture(client)
            aloud = (f"{language} aloud: {words}" for language, words in spoken(table.now, shown).items() if words)
            lines += [f"> {act}", *changes(now, before, whole=_WHOLE), *aloud]
        journal = table.path
    return [*lines, *rows(journal, most=None if name in _WHOLE_EVENINGS else 3)]


async def of_pages(folder: Path) -> list[str]:
    """The answers of the pages before any game, and after one."""
    async with at_table("verify", folder) as (table, client):
        lines = [line for path in ASKED for line in await answer(client, path)]
        for act in evenings()["verify"][3]:
            await do(table, act)
        for path in ASKED:
            lines += await answer(client, path)
    return lines


async def answer(client: Client, path: str, *, most: int = 80) -> list[str]:
    """The answer of an address, in at most about `most` lines."""
    got = await client.get(path)
    text = await got.text()
    head = ["", f"GET {path}: {got.status} {got.content_type}"]
    if got.status >= 400:
        return head
    if got.content_type != "application/json":
        return [*head, f"({len(text)} characters, {fingerprint(text)})"]
    if path.endswith("/steps") and got.status == 200:
        return head + shortened(_steps(json.loads(text)), most=2 * most)
    return head + shortened(as_json(text, whole=12), most=most)


def _steps(payload: Any) -> list[str]:
    """The steps of a past game: what changes at each."""
    lists = {
        key: value for key, value in payload.items() if isinstance(value, list) and value and isinstance(value[0], dict)
    }
    lines = changes({key: value for key, value in payload.items() if key not in lists}, {})
    for key, steps in lists.items():
        for number, (step, before) in enumerate(zip(steps, [{}, *steps], strict=False)):
            lines += [f"{key}[{number}] {line}" for line in changes(step, before)]
    return lines


def rows(path: Path, *, most: int | None = None) -> list[str]:
    """The schema of a journal and the rows of its tables, or the last `most` of each, without the machine's boot id."""
    lines = ["", f"The journal {path.name}"]
    with closing(sqlite3.connect(path)) as db:
        lines += [
            f"PRAGMA {name} = {db.execute(f'PRAGMA {name}').fetchone()[0]}" for name in ("user_version", "journal_mode")
        ]
        lines += [
            " ".join(sql.split())
            for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql <> '' ORDER BY name")
        ]
        for table, columns in _TABLES.items():
            found = db.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
            for row in found[-(most or len(found)) :]:
                lines.append(f"{table}: {' | '.join(str(each) for each in row)}".replace("\n", " / "))
    return lines


_TABLES = {
    "game": "id, match, at, heading",
    "line": "game, number, substr(chain, 1, 12), at, seconds, line",
    "result": "game, winner, scores, counts, first_dealer",
    "setting": "name, value",
}


def outputs() -> Mapping[str, Output]:
    """What makes each output, by its name."""
    return {**{f"evenings/{name}": partial(of_evening, name) for name in evenings()}, "pages": of_pages}
