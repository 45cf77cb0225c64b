"""How much a connection may say and hold: what is more costs the board no memory, no time and no line of its log."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import logging
import re
import struct
import textwrap
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import aiohttp
import pytest
from aiohttp import web
from tests.support.catalogues import phrase
from tests.support.kiosk_club import OTHER, PATIENCE_S, STRANGER, Club, club
from tests.support.kiosk_rooms import ORGANISER_PIN
from tests.support.places import ROOT

from cribd.web.http import server
from cribd.web.http.server import HEAD_BYTES, SOCKET_BYTES, WAITING, HttpConnection

UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
CLOSE = "Connection: close\r\n"
PING = bytes([0x89, 0x80, 0, 0, 0, 0])


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Club]:
    async with club(tmp_path) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _nothing_is_written(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    with caplog.at_level(logging.WARNING):
        yield
    assert [record.getMessage() for record in caplog.records] == []
    assert capfd.readouterr().err == ""


async def still_answers(home: Club) -> None:
    assert b" 200 " in await home.ask(home.look(more=CLOSE), OTHER)


def head_of_body(home: Club) -> str:
    """Of a request with a body."""
    where = f"Host: {home.host}\r\nOrigin: {home.origin}\r\n"
    return f"POST /table/pin HTTP/1.1\r\n{where}Content-Type: application/json\r\n"


def socket_frame(opcode: int, content: bytes = b"", *, mask: bytes = bytes(4), fin: bool = True, rsv: int = 0) -> bytes:
    """A frame as a browser sends it, which masks it (RFC 6455, 5.2)."""
    head = bytes([fin << 7 | rsv << 4 | opcode])
    size = len(content)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size)
    return head + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))


async def open_socket(home: Club, who: str = STRANGER) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await home.call(who)
    writer.write(home.look("/twin/wires", UPGRADE))
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


# Heads


async def test_a_head_that_is_too_long_is_answered_in_a_sentence(home: Club) -> None:
    """None of its lines is, and there are not too many of them."""
    for size, status in ((HEAD_BYTES - 500, b"200"), (HEAD_BYTES + 500, b"431")):
        fields = "".join(f"X-{number}: {'x' * (size // 50 - 9)}\r\n" for number in range(50))
        answer = await home.ask(home.look(more=fields + CLOSE))
        assert answer.split(b" ", 2)[1] == status
        assert b"Content-Security-Policy" in answer
    assert answer.endswith(b"The head of a request may have 16,384 bytes.\n")
    await still_answers(home)


@pytest.mark.parametrize("piece", [1, 7, 4096])
async def test_a_head_is_as_long_in_pieces_as_it_is_in_one(home: Club, piece: int) -> None:
    reader, writer = await home.call()
    raw = home.look(more="".join(f"X-{number}: {7000 * 'x'}\r\n" for number in range(9)))
    raw = raw if piece > 1 else raw[: HEAD_BYTES + 2]
    with suppress(ConnectionError):
        for at in range(0, len(raw), piece):
            writer.write(raw[at : at + piece])
            if at % 1024 == 0:
                await writer.drain()
        async with asyncio.timeout(PATIENCE_S):
            assert b" 431 " in await reader.readline()
            await reader.read()
    writer.close()


async def test_a_client_that_pipelines_too_many_requests_is_disconnected(home: Club) -> None:
    asked = home.look()
    assert (await home.ask(WAITING * asked + home.look(more=CLOSE))).count(b"HTTP/1.1 200 ") == 1 + WAITING
    assert (await home.ask((WAITING + 30) * asked + home.look(more=CLOSE))).count(b"HTTP/1.1") <= 1
    await still_answers(home)


async def test_a_client_that_is_gone_leaves_no_waiting_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """He asks more often than he is answered, and goes before his turn; his own next request does not pay for those."""
    monkeypatch.setattr(server, "CLIENT_REQUESTS_PER_S", 0.5)
    async with club(tmp_path) as home:
        before = len(asyncio.all_tasks())
        for _ in range(3 * server.CLIENT_REQUESTS_BURST):
            _, writer = await home.call()
            writer.write(home.look())
            writer.transport.abort()
        async with asyncio.timeout(PATIENCE_S):
            while len(asyncio.all_tasks()) > before:
                await asyncio.sleep(0.02)
        assert b" 200 " in await home.ask(home.look(more=CLOSE))


@pytest.mark.parametrize(
    "body",
    [
        '5\r\n{"pin',
        "zz\r\n",
        "5;" + 20_000 * "x",
        "1;a=b\r\n \r\n" * 4000,
        "0\r\n" + "X: y\r\n" * 100 + "\r\n",
        "0\r\nX: " + 20_000 * "y",
        "ffffffffffffffffff\r\n",
        "-1\r\n",
        "2\r\n{}0\r\n\r\n",
    ],
    ids=range(9),
)
async def test_any_chunked_body_is_handled(home: Club, body: str) -> None:
    reader, writer = await home.call()
    writer.write(f"{head_of_body(home)}Transfer-Encoding: chunked\r\n\r\n{body}".encode())
    writer.write_eof()
    async with asyncio.timeout(PATIENCE_S):
        with suppress(ConnectionError):
            assert (await reader.read()).split(b" ", 2)[1:2] in ([b"400"], [b"413"], [b"431"], [])
    writer.close()
    await still_answers(home)


async def test_a_body_that_is_cut_short_writes_nothing(home: Club) -> None:
    for _ in range(20):
        _, writer = await home.call()
        writer.write(f"{head_of_body(home)}Content-Length: 100\r\n\r\n{{".encode())
        await asyncio.sleep(0.005)
        writer.transport.abort()
    await still_answers(home)


# Bodies, up to what is promised

LONGEST_FILE = 262_144


@pytest.fixture
async def cookie(home: Club) -> str:
    """The cookie of the organiser, who has begun an event of teams."""
    async with aiohttp.ClientSession(headers={"Origin": home.origin}) as organiser:
        async with organiser.post(f"{home.origin}/desk/pin", json={"pin": ORGANISER_PIN}) as opened:
            key = opened.cookies["cribboard-desk"].value
        jar = {"cribboard-desk": key}
        async with organiser.post(f"{home.origin}/desk/begin", json={"format": "fadoq"}, cookies=jar) as begun:
            assert begun.status == 200
    return f"Cookie: cribboard-desk={key}\r\n"


async def send_file(home: Club, cookie: str, more: str, pieces: Iterable[bytes], *, pause_s: float = 0) -> bytes:
    """The answer to a CSV file that comes in these pieces."""
    reader, writer = await home.call()
    where = f"Host: {home.host}\r\nOrigin: {home.origin}\r\n{cookie}Content-Type: text/csv\r\n"
    writer.write(f"POST /desk/csv HTTP/1.1\r\n{where}{more}{CLOSE}\r\n".encode())
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause_s)
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()
    writer.close()
    return answer


def cut(file: bytes, size: int) -> Iterator[bytes]:
    return (file[at : at + size] for at in range(0, len(file), size))


def chunked(file: bytes, size: int) -> Iterator[bytes]:
    yield from (b"%x\r\n%b\r\n" % (len(piece), piece) for piece in cut(file, size))
    yield b"0\r\n\r\n"


async def test_a_file_as_long_as_promised_is_taken_however_it_comes(home: Club, cookie: str) -> None:
    """Three hundred teams, and blanks up to the last byte: at once, in pieces, slowly, in chunks, when asked."""
    teams = "".join(f"Équipe {number};Alpha {number};Bravo {number}\n" for number in range(300))
    file = f"nom;joueur 1;joueur 2\n{teams}".encode()
    file += (LONGEST_FILE - len(file)) * b"\n"
    length, chunks = f"Content-Length: {len(file)}\r\n", "Transfer-Encoding: chunked\r\n"
    for answer in (
        await send_file(home, cookie, length, [file]),
        await send_file(home, cookie, length, cut(file, 1000)),
        await send_file(home, cookie, length, cut(file, 20_000), pause_s=0.01),
        await send_file(home, cookie, chunks, chunked(file, 100_000)),
        await send_file(home, cookie, chunks, chunked(file, 40)),
        await send_file(home, cookie, f"{length}Expect: 100-continue\r\n", [file]),
    ):
        assert b" 200 OK\r\n" in answer
        payload = json.loads(answer.rpartition(b"\r\n\r\n")[2])
        assert (len(payload["rows"]), payload["problems"]) == (300, [])


async def test_a_file_that_is_longer_is_refused_in_a_sentence(home: Club, cookie: str) -> None:
    for size in (LONGEST_FILE + 1, 500_000):
        file = size * b"n"
        for answer in (
            await send_file(home, cookie, f"Content-Length: {size}\r\n", cut(file, 50_000)),
            await send_file(home, cookie, "Transfer-Encoding: chunked\r\n", chunked(file, 50_000)),
        ):
            assert answer.startswith(b"HTTP/1.1 413 ")
            payload = json.loads(answer.rpartition(b"\r\n\r\n")[2])
            assert payload["refused"]["text"]["en"] == phrase("competition.refused.body_too_long", most=256)
    await still_answers(home)


async def test_a_long_body_leaves_room_for_the_next_request(home: Club, cookie: str) -> None:
    """The bytes of a body count neither for its own head nor for the head that comes after it."""
    reader, writer = await home.call()
    where = f"Host: {home.host}\r\nOrigin: {home.origin}\r\n{cookie}Content-Type: text/csv\r\n"
    for _ in range(3):
        writer.write(f"POST /desk/csv HTTP/1.1\r\n{where}Content-Length: 30000\r\n\r\n".encode() + 30_000 * b"n")
        writer.write(home.look("/table/pad"))
        for _ in range(2):
            async with asyncio.timeout(PATIENCE_S):
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200 ")
                length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
                await reader.readexactly(int(length.partition(b":")[2]))
    writer.close()


# The twin's socket


async def test_an_upgrade_that_is_cut_short_writes_nothing(home: Club) -> None:
    for number in range(60):
        _, writer = await home.call()
        writer.write(home.look("/twin/wires", UPGRADE))
        await asyncio.sleep(0.0005 * (number % 4))
        writer.transport.abort()
    await still_answers(home)


async def test_a_client_that_sends_before_the_upgrade_is_answered_is_disconnected(home: Club) -> None:
    assert await home.ask(home.look("/twin/wires", UPGRADE) + 1000 * PING) == b""
    await still_answers(home)


@pytest.mark.parametrize("name", ["Upgrade: web", "Sec-WebSocket-Key: AAAA"])
async def test_an_upgrade_that_is_not_in_ascii_is_refused(home: Club, name: str) -> None:
    reader, writer = await home.call()
    writer.write(home.look("/twin/wires", UPGRADE).replace(name.encode(), name[:-1].encode() + b"\xf9"))
    assert b" 400 " in await reader.readline()
    writer.close()


async def test_an_unknown_websocket_protocol_is_refused(home: Club) -> None:
    reader, writer = await home.call()
    writer.write(home.look("/twin/wires", UPGRADE + "Sec-WebSocket-Protocol: chat\r\n"))
    assert b" 400 " in await reader.readline()
    writer.close()


@pytest.mark.parametrize("frame", [PING, socket_frame(1, b"{}"), socket_frame(10)], ids=["ping", "message", "pong"])
async def test_frames_are_taken_in_at_the_pace_of_requests(
    home: Club, monkeypatch: pytest.MonkeyPatch, frame: bytes
) -> None:
    """However many sockets there are of an address, and whatever the frames; another address does not wait."""
    taken = 0
    feed = web.RequestHandler.data_received

    def count(visitor: server.HttpConnection, data: bytes) -> None:
        nonlocal taken
        taken += len(data) if visitor._is_socket else 0
        feed(visitor, data)

    monkeypatch.setattr(web.RequestHandler, "data_received", count)
    opened = [await open_socket(home) for _ in range(5)]
    begun = asyncio.get_running_loop().time()
    for _, writer in opened:
        writer.write(5000 * frame)
    await still_answers(home)
    other = await open_socket(home, OTHER)
    other[1].write(PING)
    async with asyncio.timeout(PATIENCE_S):
        await other[0].readuntil(b"\x8a\x00")
    await asyncio.sleep(0.3)
    passed_s = asyncio.get_running_loop().time() - begun
    turns = server.CLIENT_REQUESTS_BURST + server.CLIENT_REQUESTS_PER_S * passed_s + 1
    assert SOCKET_BYTES < taken <= SOCKET_BYTES * turns + len(PING)
    for _, writer in (*opened, other):
        writer.close()


async def test_the_page_on_this_machine_does_not_wait(home: Club) -> None:
    reader, writer = await open_socket(home, "127.0.0.1")
    for _ in range(40):
        writer.write(PING)
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(40):
            await reader.readuntil(b"\x8a\x00")
    writer.close()


@pytest.mark.parametrize("seed", range(8))
async def test_any_websocket_frame_is_handled(home: Club, seed: int) -> None:
    """Wrong codes, bits, lengths and masks, broken text, packed where nothing is packed, without a mask, cut short."""
    rng = Random(seed)
    for _ in range(12):
        reader, writer = await open_socket(home)
        content = rng.choice([b"", b"{}", b"\xff\xfe", rng.randbytes(rng.randrange(300)), 5000 * b"x"])
        raw = b"".join(
            socket_frame(
                rng.randrange(16),
                content,
                mask=rng.randbytes(4),
                fin=rng.random() < 0.5,
                rsv=rng.choice([0, 0, rng.randrange(8)]),
            )
            for _ in range(rng.randrange(1, 5))
        )
        broken = bytearray(raw[: rng.randrange(1, len(raw) + 1)])
        broken[rng.randrange(len(broken))] = rng.randrange(256)
        writer.write(rng.choice([raw, bytes(broken)]))
        await asyncio.sleep(0)
        writer.transport.abort() if rng.random() < 0.5 else writer.close()
        del reader
    await still_answers(home)


def test_a_connection_uses_only_those_private_parts_of_aiohttp_that_it_lists() -> None:
    """Whoever takes a newer aiohttp looks at these, and writes down its version."""
    listed = set(re.findall(r"- `(_\w+)`", inspect.getdoc(HttpConnection) or ""))
    source = ast.parse(textwrap.dedent(inspect.getsource(HttpConnection)))
    own = set(HttpConnection.__slots__) | {name for name in vars(HttpConnection) if not name.startswith("__")}
    used = {node.attr for node in ast.walk(source) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert listed == used - own - {"__init__"}
    assert listed <= set(web.RequestHandler.__slots__)


def test_the_version_of_aiohttp_that_was_tried_is_the_one_that_is_installed() -> None:
    tried = re.search(r"tried with ([\d.]+\d)", inspect.getdoc(HttpConnection) or "")
    locked = re.search(r"^aiohttp==(\S+)", (ROOT / "requirements" / "pi.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert tried is not None
    assert locked is not None
    assert tried[1] == locked[1]


async def test_a_new_connection_has_the_private_parts_as_they_are_read() -> None:
    async def nothing(request: web.BaseRequest) -> web.Response:
        return web.Response()

    loop = asyncio.get_running_loop()
    connection = HttpConnection(web.Server(nothing), loop=loop, wait_turn=asyncio.sleep, on_closed=print)  # type: ignore[arg-type]
    assert connection._request_count == 0
    assert len(connection._messages) == 0
    assert connection._current_request is None
    assert connection._message_tail == b""
