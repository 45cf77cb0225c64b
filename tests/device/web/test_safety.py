"""What somebody who means no good finds on a club's network: nothing that is left open, and no way to all of the board.

Every route is walked as the application has it, so that none can be forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from tests.support.kiosk_club import OTHER, PATIENCE_S, STRANGER, Club, club, served
from tests.support.kiosk_rooms import PIN, house

from cribd.clock import SystemClock
from cribd.config.config import Config
from cribd.web.http import server, sse
from cribd.web.http.limits import LOCAL, ConnectionLimit, RateLimiter, RateLimiterPerClient, client_key
from cribd.web.http.security import HEADERS
from cribd.web.http.server import FIELD_BYTES, FIELDS, LINE_BYTES, serve_app

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND")


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Club]:
    async with club(tmp_path) as opened:
        yield opened


async def hung_up(writer: asyncio.StreamWriter, piece: bytes, *, pause_s: float = 0.0) -> int:
    """Write a piece again and again, until the board hangs up: how many bytes were sent until then."""
    sent = 0
    async with asyncio.timeout(PATIENCE_S):
        try:
            while True:
                writer.write(piece)
                await writer.drain()
                sent += len(piece)
                await asyncio.sleep(pause_s)
        except ConnectionError:
            return sent


def strict(answer: aiohttp.ClientResponse) -> bool:
    """Whether the answer tells the browser all that it must."""
    headers = {name: value for name, value in HEADERS.items() if name != "Cache-Control"}
    return headers.items() <= answer.headers.items() and answer.headers["Cache-Control"] in ("no-cache", "no-store")


# Every door


async def test_no_route_accepts_another_host_name(home: Club) -> None:
    async with aiohttp.ClientSession() as evil:
        for method, path in home.routes:
            for host in (
                "evil.example",
                f"evil.example:{home.port}",
                f"{home.host}.evil.example",
                f"evil@{home.host}x",
            ):
                async with evil.request(method, home.origin + path, headers={"Host": host}) as answer:
                    assert answer.status in (400, 403), (method, path, host)
                    assert strict(answer), (method, path)


async def test_no_route_accepts_another_sites_origin(home: Club) -> None:
    async with aiohttp.ClientSession() as evil:
        for method, path in home.routes:
            for origin in ("http://evil.example", "null", "http://127.0.0.1", f"http://127.0.0.1:{home.port}1"):
                async with evil.request(method, home.origin + path, headers={"Origin": origin}) as answer:
                    assert answer.status == 403, (method, path, origin)
                    assert strict(answer), (method, path)


async def test_no_route_changes_anything_without_an_origin(home: Club) -> None:
    async with aiohttp.ClientSession() as evil:
        for method, path in home.routes:
            if method not in ("GET", "HEAD"):
                async with evil.request(method, home.origin + path, json={}) as answer:
                    assert answer.status == 403, (method, path)


async def test_every_answer_has_the_strict_policy_whatever_it_is(home: Club) -> None:
    """Pages, files, lists, streams, what is not found, what is not allowed, what cannot be read."""
    known: dict[str, set[str]] = {}
    for method, path in home.routes:
        known.setdefault(path, set()).add(method)
    async with aiohttp.ClientSession(headers={"Origin": home.origin}) as anybody:
        for path in (*known, "/nothing", "/page/../site.py", "/table/events/more"):
            for method in METHODS:
                async with anybody.request(method, home.origin + path) as answer:
                    assert strict(answer), (method, path, answer.status)
                    assert "unsafe" not in answer.headers["Content-Security-Policy"]
                    if path not in known:
                        assert answer.status in (404, 405)
                    elif method not in known[path]:
                        assert answer.status == 405, (method, path)
                    assert answer.status < 500, (method, path)
    assert b"Content-Security-Policy: default-src 'none'" in await home.ask(b"\x16\x03\x01\r\n\r\n")


async def test_the_policy_allows_nothing_but_our_own() -> None:
    directives = dict(each.strip().split(" ", 1) for each in HEADERS["Content-Security-Policy"].split(";"))
    assert directives["default-src"] == "'none'"
    assert {"frame-ancestors", "base-uri", "form-action"} <= set(directives)
    assert set(directives.values()) <= {"'none'", "'self'"}


async def test_no_answer_holds_the_pin_or_the_key_that_it_gave(home: Club) -> None:
    async with aiohttp.ClientSession(headers={"Origin": home.origin}) as owner:
        async with owner.post(f"{home.origin}/table/pin", json={"pin": PIN}) as opened:
            assert opened.status == 200
            key = opened.cookies["cribboard-pad"].value
        for method, path in home.routes:
            if method == "GET" and path != "/twin/wires":
                async with owner.get(home.origin + path) as answer:
                    text = await answer.content.read(100_000)
                    assert PIN.encode() not in text, path
                    assert key.encode() not in text, path


def test_the_board_listens_on_loopback_unless_configured_otherwise() -> None:
    assert Config().page.host == "127.0.0.1"


# Heads and bodies

GARBAGE = [
    b"\x00" * 5000,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) + b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    b"GET /verify HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /table/pin HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz\r\n",
    b"GET /" + b"a" * (LINE_BYTES + 1) + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * (FIELD_BYTES + 1) + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: a\r\n" * (FIELDS + 1) + b"\r\n",
]


@pytest.mark.parametrize("raw", GARBAGE, ids=range(len(GARBAGE)))
async def test_garbage_is_refused_and_not_logged(
    home: Club, raw: bytes, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.WARNING):
        answer = await home.ask(raw + home.look(more="Connection: close\r\n"))
    assert answer.partition(b" ")[2][:3] in (b"400", b"403", b""), answer[:200]
    assert b"Content-Security-Policy" in answer or answer == b""
    assert caplog.records == []
    assert capfd.readouterr().err == ""
    async with aiohttp.ClientSession() as visitor, visitor.get(f"{home.origin}/verify") as page:
        assert page.status == 200


async def test_a_long_body_is_not_taken_in_and_a_packed_one_not_unpacked(home: Club) -> None:
    head = (
        f"POST /table/pin HTTP/1.1\r\nHost: {home.host}\r\nOrigin: {home.origin}\r\nContent-Type: application/json\r\n"
    )
    reader, writer = await home.call()
    writer.write(f"{head}Content-Length: 1000000000\r\n\r\n".encode())
    assert await hung_up(writer, b" " * 65_536) < 10_000_000
    writer.close()
    answer = await home.ask(
        f"{head}Content-Encoding: gzip\r\nContent-Length: 4\r\nConnection: close\r\n\r\n".encode() + b"\x1f\x8b\x08\x00"
    )
    assert b" 400 " in answer.partition(b"\r\n")[0]
    del reader


async def test_a_head_that_does_not_end_is_not_waited_for(home: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_S", 0.3)
    silent = await home.call()
    reader, writer = await home.call()
    writer.write(b"GET / HTTP/1.1\r\n")
    await hung_up(writer, b"X", pause_s=0.02)  # a byte now and then, as a slow loris does
    assert await silent[0].read() == b"", "nor is one that says nothing"
    for _, line in ((reader, writer), silent):
        line.close()


async def test_a_client_that_does_not_read_its_answer_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files too, and not only the stream: hundreds of them are asked for, and none is read."""
    monkeypatch.setattr(server, "STALL_CHECK_S", 0.2)
    monkeypatch.setattr(server, "CLIENT_REQUESTS_PER_S", 10_000.0)
    async with club(tmp_path) as home:
        reader, writer = await asyncio.open_connection("127.0.0.1", home.port, local_addr=(STRANGER, 0), limit=1)
        await hung_up(writer, home.look("/page/look.css"), pause_s=0.001)
        writer.close()
        del reader


async def test_a_viewer_that_reads_no_pictures_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STALL_CHECK_S", 0.2)
    async with house(tmp_path) as within, served(within.site) as home:
        within.site._stream._render = lambda: b"data: " + b"x" * 20_000_000 + b"\n\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", home.port, local_addr=(STRANGER, 0), limit=1)
        writer.write(home.look("/table/events"))
        await within.until(lambda: len(within.site._stream._viewers) == 1)
        while within.site._stream._viewers:
            within.site._stream.change()
            await within.table.clock.advance(sse.MESSAGE_S)
            await asyncio.sleep(0.01)
        writer.close()
        del reader


# Places


def test_client_key_groups_ipv6_by_network_and_ipv4_by_address() -> None:
    assert client_key("127.0.0.1") == client_key("::1") == client_key("::ffff:127.0.0.1") == LOCAL
    assert client_key("192.168.1.20") == client_key("::ffff:192.168.1.20") == "192.168.1.20"
    assert client_key("2001:db8::1") == client_key("2001:db8::ffff:1") != client_key("2001:db8:0:1::1")
    assert client_key("fe80::1%eth0") == client_key("fe80::2")
    assert client_key("") == ""


def test_one_address_has_a_share_of_the_places_and_this_machine_may_have_them_all() -> None:
    limit = ConnectionLimit(5, per_client=2)
    assert [limit.enter("one") for _ in range(3)] == [True, True, False]
    assert limit.enter("other")
    limit.leave("one")
    assert limit.enter("one")
    assert [limit.enter(LOCAL) for _ in range(3)] == [True, True, False], "there is no more room"


def test_rare_requests_do_not_wait_and_constant_ones_are_limited_per_second() -> None:
    pace = RateLimiter(10, burst=3)
    assert [pace.reserve(0) for _ in range(5)] == pytest.approx([0, 0, 0, 0.1, 0.2])
    assert pace.reserve(1) == 0
    paces = RateLimiterPerClient(10, burst=1)
    assert [paces.reserve("one", 0) for _ in range(2)] == pytest.approx([0, 0.1])
    assert paces.reserve("other", 0) == 0
    assert paces.reserve(LOCAL, 0) == paces.reserve(LOCAL, 0) == 0


def test_idle_addresses_are_forgotten() -> None:
    paces = RateLimiterPerClient(10, burst=2)
    for number in range(1000):
        paces.reserve(f"10.0.{number // 256}.{number % 256}", now=number)
    assert len(paces._limiters) < 5


async def test_one_address_cannot_take_all_connections(home: Club) -> None:
    taken = [await home.call() for _ in range(server.CONNECTIONS_PER_CLIENT)]
    assert await home.ask(home.look(more="Connection: close\r\n")) == b""
    assert b" 200 " in await home.ask(home.look(more="Connection: close\r\n"), OTHER)
    for _, line in taken:
        line.close()
    async with asyncio.timeout(PATIENCE_S):
        while not await home.ask(home.look(more="Connection: close\r\n")):
            await asyncio.sleep(0.05)


async def test_three_pages_on_a_phone_are_shown_and_one_address_cannot_take_all_places(home: Club) -> None:
    opened = [await home.call() for _ in range(sse.VIEWERS_PER_CLIENT + 1)]
    first = []
    for reader, line in opened:
        line.write(home.look("/table/events"))
        first.append((await reader.readline()).split()[1])
    assert first == [b"200"] * sse.VIEWERS_PER_CLIENT + [b"503"]
    assert sse.VIEWERS_PER_CLIENT >= 3
    assert sse.VIEWERS >= 4 * sse.VIEWERS_PER_CLIENT
    reader, line = await home.call(OTHER)
    line.write(home.look("/table/events"))
    assert b" 200 " in await reader.readline()
    for _, each in (*opened, (reader, line)):
        each.close()


async def test_a_client_with_too_many_requests_waits_and_others_do_not(home: Club) -> None:
    """On as many connections as he may have, one request after the other on each."""
    answers = 0

    async def flood() -> None:
        nonlocal answers
        reader, writer = await home.call()
        with suppress(asyncio.CancelledError):
            while True:
                writer.write(home.look("/table/pad"))
                assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
                await reader.readuntil(b"}")
                answers += 1
        writer.close()

    flooding = [asyncio.create_task(flood()) for _ in range(server.CONNECTIONS_PER_CLIENT)]
    begun = asyncio.get_running_loop().time()
    assert b" 200 " in await home.ask(home.look(more="Connection: close\r\n"), OTHER)
    assert asyncio.get_running_loop().time() - begun < 1
    await asyncio.sleep(0.5)
    for each in flooding:
        each.cancel()
    await asyncio.gather(*flooding)
    assert 0 < answers < 2 * server.CLIENT_REQUESTS_BURST


async def test_if_the_port_is_in_use_the_board_names_another(capsys: pytest.CaptureFixture[str]) -> None:
    said = asyncio.Queue[str]()
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        serving_it = serve_app(web.Application(), "127.0.0.1", taken, clock=SystemClock(), announce=said.put_nowait)
        running = asyncio.create_task(serving_it, name="pages")
        async with asyncio.timeout(PATIENCE_S):
            free = (await said.get()).rpartition(":")[2]
        running.cancel()
        await asyncio.wait([running])
    assert free != str(taken)
    assert capsys.readouterr().err == f"Port {taken} is in use; using {free} instead.\n"
