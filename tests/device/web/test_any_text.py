"""What anybody may send to a board: no text of a body, a cookie, an address or a head is answered by an error of ours.

Every route is taken from the application itself, and every field from examples of its body (`tests.support.any_body`).
The board has all its pages: the kiosk's, the twin's and those of somebody who plays alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import ClientResponse, web
from tests.support.alone import Alone, alone
from tests.support.any_body import BODIES, FILES, NO_BODY, undescribed, variants
from tests.support.kiosk_club import served_app
from tests.support.kiosk_rooms import ORGANISER_PIN, PIN
from tests.support.places import ROOT
from tests.support.visitors import run_clock
from tests.support.waiting import PATIENCE_S

from cribboard.competition import FORMATS
from cribboard.competition.actions import Begin, CheckIn, Register, StartRound
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.season import ALLOWED as RULE_FIELDS
from cribboard.competition.terms import Choice
from cribd.boards import load
from cribd.competition.phones import Phones
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.config.config import BackupConfig
from cribd.daemon.stick_backups import StickBackups
from cribd.storage.archive import Archive
from cribd.table.rule_sets import PRESETS
from cribd.twin.web import TwinPage
from cribd.web.http import server
from cribd.web.kiosk.site import Site

pytestmark = pytest.mark.slow

#: An answer of HTTP that says nothing: "400: Bad Request".
BARE = re.compile(r"\d{3}: [\w ]+")
#: What the modules read of a query, and the cookies that they set.
SOURCES = sorted((ROOT / "firmware" / "cribd").rglob("*.py"))
QUERY = re.compile(r'(?:query\.get\(|_number\((?:request|query), )"(\w+)"')
COOKIE = re.compile('"(cribboard-(?:pad|desk|phone)[a-z-]*)"')
#: A name in the path of a route.
NAME = re.compile(r"\{\w+\}")
#: What may stand in an address, a query or a cookie, as bytes of the request.
PARTS = (
    b"%ff%fe",
    b"%00",
    b"%ed%a0%80",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"..%2f..%2fetc",
    b"-1",
    b"1e9",
    b"%d9%a3",
    900 * b"x",
)
COOKIES = (b"\xff\xfe", b"\xed\xa0\x80", b'"\\355\\240\\200"', b'"\\377"', b'"', b"%ed%a0%80", 3000 * b"x", b"")


class Board:
    """A board with all its pages, an event and somebody who plays alone, and a browser that gave every PIN."""

    def __init__(
        self, table: Alone, app: web.Application, port: int, client: aiohttp.ClientSession, path: Path
    ) -> None:
        self.table = table
        self.app = app
        self.port = port
        self.client = client
        self.path = path
        self.key = ""
        self.cookies = ""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def paths(self, method: str) -> list[str]:
        """The paths of the routes of this method."""
        routes = [route for route in self.app.router.routes() if route.method == method]
        return sorted({route.resource.canonical for route in routes if route.resource is not None})

    async def post(self, path: str, body: bytes, kind: str = "application/json") -> ClientResponse:
        headers = {"Origin": f"http://{self.host}", "Content-Type": kind, "Cookie": self.cookies}
        return await self.client.post(f"http://{self.host}{path}", data=body, headers=headers)

    async def open(self, path: str, payload: object) -> None:
        """Post it, and keep the cookie that this gives."""
        answer = await self.post(path, json.dumps(payload).encode())
        assert answer.status == 200, await answer.text()
        cookies = [f"{name}={each.value}" for name, each in answer.cookies.items()]
        self.cookies = "; ".join([*filter(None, [self.cookies]), *cookies])

    async def status(self, method: bytes, address: bytes, body: bytes = b"", more: bytes = b"") -> int:
        """The status of the answer to a request in these bytes; 0 if there is none."""
        cookie = b"" if b"Cookie:" in more else f"Cookie: {self.cookies}\r\n".encode()
        kind = b"" if b"Content-Type" in more else b"Content-Type: application/json\r\n"
        where = f"Host: {self.host}\r\nOrigin: http://{self.host}\r\nContent-Length: {len(body)}\r\n".encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(method + b" " + address + b" HTTP/1.1\r\n" + where + kind + cookie + more + b"\r\n" + body)
        async with asyncio.timeout(PATIENCE_S):
            line = await reader.readline()
            writer.transport.abort()
        return int(line.split()[1]) if line else 0


@pytest.fixture
async def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Board]:
    monkeypatch.setattr(server, "REQUESTS_PER_S", 100_000.0)
    monkeypatch.setattr(server, "ACCEPTS_PER_S", 100_000.0)
    async with alone(tmp_path) as table:
        drawn, path = load("continuous"), tmp_path / "journal.db"
        site = Site(
            table.device.table,
            board=drawn,
            archive=Archive(path),
            offered=PRESETS,
            clock=table.clock,
            pin=PIN,
            competitions=table.device.competitions,
            organiser_pin=ORGANISER_PIN,
            is_dealt=lambda: table.page.is_playing,
            backups=StickBackups(BackupConfig(), path, None, table.clock),
        )
        app = web.Application(logger=logging.getLogger("aiohttp.server"))
        site.mount(app)
        site.show(table.device.snapshot)
        table.device.watch(site.show)
        table.page.mount(app)
        TwinPage(table.twin, drawn, clock=table.clock, allows=table.page.allows).mount(app)
        organiser = await table.device.competitions.organiser()
        await organiser.begin(CompetitionHeading(format=FORMATS["acc"], name="Mardi", tables=4))
        await organiser.do(*(Register(name=name) for name in ("Zoé", "Luc")), CheckIn(1), CheckIn(2))
        await organiser.do(Begin(Choice.ONE_SHORT))
        await organiser.draw()
        await organiser.do(StartRound())
        async with served_app(app) as port, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
            opened = Board(table, app, port, client, path)
            opened.key = Phones(table.journal, 1).table_key(1)
            going = asyncio.create_task(run_clock(table.clock))
            await opened.open("/table/pin", {"pin": PIN})
            await opened.open("/desk/pin", {"pin": ORGANISER_PIN})
            await opened.open("/event/table/sit", {"table": 1, "key": opened.key, "entrant": 1})
            yield opened
            going.cancel()
            await asyncio.gather(going, return_exceptions=True)


@pytest.fixture(autouse=True)
def _nothing_is_logged(caplog: pytest.LogCaptureFixture) -> Any:
    with caplog.at_level(logging.WARNING):
        yield
    assert [record.getMessage() for record in caplog.records] == []


async def wrong_with(answer: ClientResponse) -> str:
    """What is wrong with an answer; "" if nothing is."""
    text = await answer.text()
    if answer.status >= 500:
        return f"{answer.status} {text[:80]}"
    if answer.status >= 400 and (not text.strip() or BARE.fullmatch(text.strip())):
        return f"{answer.status} without a reason: {text!r}"
    if answer.content_type == "application/json":
        payload = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
        json.dumps(payload, ensure_ascii=False).encode()  # which half a surrogate pair would break
    return ""


async def test_a_route_or_a_field_without_an_example_is_named(board: Board) -> None:
    assert undescribed(board.app) == []

    async def develop(_request: web.Request) -> web.Response:
        return web.Response()

    board.app.router._frozen = False
    board.app.router.add_post("/desk/photos", develop)
    assert undescribed(board.app) == ["/desk/photos"]


async def test_no_value_of_a_request_causes_a_server_error_or_is_stored(board: Board) -> None:
    found, tried = [], 0
    watching = closing(sqlite3.connect(board.path))
    with watching as disk:
        for path in sorted(BODIES, key=lambda path: ("leave" in path, "pin" in path, "solo" in path)):
            sends_more = {"window": "a1"} if path == "/solo/act" else {}
            for example in BODIES[path]:
                values = {name: board.key if value == "KEY" else value for name, value in example.items()} | sends_more
                first = await board.post(path, json.dumps(values).encode())
                assert first.status in (200, 204, 403, 409, 429), (path, values, await first.text())
                for body in variants(values) if example is not BODIES[path][0] else (*NO_BODY, *variants(values)):
                    [(before,)] = disk.execute("PRAGMA data_version").fetchall()
                    answer = await board.post(path, body)
                    tried += 1
                    if wrong := await wrong_with(answer):
                        found.append(f"{path} {body[:90]!r}: {wrong}")
                    elif answer.status >= 400 and not path.startswith(("/solo", "/table")):
                        [(after,)] = disk.execute("PRAGMA data_version").fetchall()
                        assert before == after, (path, body)
    assert not found, "\n".join([f"{len(found)} of {tried}", *found[:40]])
    assert tried > 2000
    with closing(sqlite3.connect(board.path)) as disk:
        texts = [cell for row in _all_rows(disk) for cell in row if isinstance(cell, str)]
    assert [cell for cell in texts if "\x00" in cell or 500 * "x" in cell or "\\u0000" in cell] == []


def _all_rows(disk: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Every row of the journal."""
    tables = [name for (name,) in disk.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return [row for name in tables for row in disk.execute(f"SELECT * FROM {name}")]


async def test_the_card_pad_lays_no_card_in_a_game_alone(board: Board) -> None:
    """The robot that was dealt the card would wait for ever."""
    scan = json.dumps({"card": "5H"}).encode()
    assert (await board.post("/table/scan", scan)).status == 204
    start = {"do": "start", "rules": "six-card/2", "way": "verify", "strength": "easy", "breaks_off": True}
    assert (await board.post("/solo/act", json.dumps({"window": "a1", "do": "take_over"}).encode())).status == 204
    assert (await board.post("/solo/act", json.dumps({"window": "a1"} | start).encode())).status == 204
    async with asyncio.timeout(PATIENCE_S):
        while board.table.session.game is None:
            await asyncio.sleep(0.01)
    refused = await board.post("/table/scan", scan)
    assert (refused.status, await wrong_with(refused)) == (409, "")
    assert (await board.post("/solo/act", b'{"window": "a1", "do": "leave"}')).status == 204
    async with asyncio.timeout(PATIENCE_S):
        while (await board.post("/table/scan", scan)).status != 204:
            await asyncio.sleep(0.01)


async def test_no_file_of_entrants_is_answered_by_an_error(board: Board) -> None:
    for path in FILES:
        for file in (*NO_BODY[1:], b"nom\nZo\x00\n", b"nom\nZo\xed\xa0\x81\n", b"\xff\xfe\x00\xd8"):
            answer = await board.post(path, file, "text/csv")
            assert await wrong_with(answer) == "", (path, file)
        assert (await board.post(path, b"nom\nAna\n")).status == 415
    state = (await board.table.device.competitions.organiser()).state
    assert isinstance(state, CompetitionSnapshot)
    assert len(state.organiser.entrants) == 2


async def test_no_part_of_an_address_is_answered_by_an_error(board: Board) -> None:
    """Names in a path, and every field that a query may have, in any bytes."""
    asked = {name for file in SOURCES for name in QUERY.findall(file.read_text(encoding="utf-8"))}
    fields = sorted({*asked, *RULE_FIELDS})
    assert {"before", "after", "competition", "language", "round", "public", "title", "window"} <= set(fields)
    wrong, tried = [], 0
    for path in board.paths("GET"):
        whole = NAME.sub("1", path).encode()
        ends = (b"slips", b"results.csv", b"season.csv", b"look.css", *PARTS) if "{" in path else ()
        addresses = [NAME.sub("@", path).encode().replace(b"@", end) for end in ends]
        addresses += [whole + b"?" + b"&".join(name.encode() + b"=" + part for name in fields) for part in PARTS]
        addresses += [whole + b"?" + name.encode() + b"=" + part for name in fields for part in (b"%00", b"\xff\xfe")]
        for address in addresses:
            tried += 1
            if (status := await board.status(b"GET", address)) not in range(200, 500):
                wrong.append(f"{status} {address!r}")
    assert not wrong, "\n".join([f"{len(wrong)} of {tried}", *wrong[:40]])


async def test_no_cookie_is_answered_by_an_error(board: Board) -> None:
    names = sorted({name for file in SOURCES for name in COOKIE.findall(file.read_text(encoding="utf-8"))})
    assert names == ["cribboard-desk", "cribboard-pad", "cribboard-phone"]
    wrong = []
    for value in COOKIES:
        cookie = b"Cookie: " + b"; ".join(name.encode() + b"=" + value for name in names) + b"\r\n"
        for path in board.paths("GET"):
            if (status := await board.status(b"GET", NAME.sub("1", path).encode(), b"", cookie)) not in range(200, 500):
                wrong.append(f"{status} {path} {value[:20]!r}")  # noqa: PERF401 (so are the others)
        for path, (example, *_) in BODIES.items():
            values = {name: board.key if each == "KEY" else each for name, each in example.items()}
            body = json.dumps(values | ({"window": "b1"} if path == "/solo/act" else {})).encode()
            if (status := await board.status(b"POST", path.encode(), body, cookie)) not in range(200, 500):
                wrong.append(f"{status} {path} {value[:20]!r}")
    assert not wrong, "\n".join(wrong)


async def test_no_other_field_of_a_head_is_answered_by_an_error(board: Board) -> None:
    wrong = []
    for name in (b"Accept-Language", b"If-None-Match", b"Accept", b"Content-Type", b"Range", b"Expect"):
        for value in (*COOKIES, b"text/html", b"application/json; charset=\xff", b"q=nan;q=1e999, *;q=x"):
            for path in (b"/nothing", b"/games/list", b"/page/look.css", b"/table/pin"):
                method = b"POST" if path == b"/table/pin" else b"GET"
                status = await board.status(method, path, b"{}", name + b": " + value + b"\r\n")
                if status not in range(200, 500):
                    wrong.append(f"{status} {path!r} {name!r} {value[:20]!r}")
    assert not wrong, "\n".join(wrong)
