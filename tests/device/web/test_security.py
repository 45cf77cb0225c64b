"""Who may come in to the pages: whoever names this machine, and comes from its own pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from socket import gethostname
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.kiosk_club import Club, club

from cribd.web.http.security import RequestGuard


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Club]:
    async with club(tmp_path) as opened:
        yield opened


BAD_HOSTS = [
    *(
        "[::1]x",
        "[::1",
        "::1",
        "[::1]]",
        "[[::1]]",
        "[::1]:",
        "[::1]:x",
        "[::1].evil.example",
        "[::1]:80:80",
        "[]",
        "[:::1]",
    ),
    *("[::1%25eth0]", "[fe80::1%eth0]", "[v1.a]", "[127.0.0.1]", "[::ffff:999.0.0.1]", "[localhost]"),
    *(
        "127.0.0.1:",
        "127.0.0.1:x",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:080808",
        "127.0.0.1:-1",
        "127.0.0.1:+1",
    ),
    *(
        "127.0.0.1:8 1",
        "127.0.0.1 :81",
        "127.0.0.1:٨١",
        "127.0.0.1.",
        "127.0.0.1:81:81",
        "127.0.0.1:81/",
        "127.0.0.1/x",
    ),
    *("127.1", "0x7f.0.0.1", "127.0.0.01", "2130706433", "127.0.0.256", "1.2.3.4.5", "127%2e0.0.1", "127.0.0.1%00"),
    *("localhost.", "localhost..", ".localhost", "localhost,evil.example", "localhost evil.example", "local_host"),
    *(
        "localhost@evil.example",
        "a@localhost",
        "a:b@127.0.0.1",
        "@127.0.0.1",
        "localhost?",
        "localhost#x",
        "localhost\\x",
    ),
    *("http://127.0.0.1", "//127.0.0.1", "%6cocalhost", "ⅼocalhost", "localhost\u3002", "", " ", ":80", "*", "\u0661"),
]
GOOD_HOSTS = ["localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:8121", "[2001:DB8::7]:80", "192.168.1.7"]


@pytest.mark.slow
@pytest.mark.parametrize("host", BAD_HOSTS)
async def test_a_malformed_host_header_is_refused(home: Club, host: str) -> None:
    answer = await home.ask(f"GET /verify HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert answer.partition(b" ")[2][:3] in (b"400", b"403"), host


@pytest.mark.parametrize("host", GOOD_HOSTS)
async def test_every_way_to_write_an_address_of_this_machine_is_good(home: Club, host: str) -> None:
    more = f"Origin: http://{host}\r\nConnection: close\r\n"
    answer = await home.ask(f"GET /verify HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 200 "), host


hosts = st.sampled_from([*BAD_HOSTS, *GOOD_HOSTS]) | st.text("[]:.%@/\\ 0178afxlocahst\u0661-", max_size=24)


@given(hosts, st.text("[]:.%@/ 018x", max_size=3), st.integers(0, 24))
def test_a_host_that_is_let_in_is_an_address_or_a_known_name_and_a_port(host: str, more: str, at: int) -> None:
    """Another reader of addresses finds the same in it, and nothing else."""
    host = host[:at] + more + host[at:]
    if RequestGuard()._is_this_machine(host.lower()):
        place = urlsplit(f"http://{host}/verify")
        name, port = place.hostname or "", place.port
        bracketed = f"[{name}]" if ":" in name else name
        assert place.path == "/verify"
        ports = {f"{bracketed}:{port:0{digits}}" for digits in range(1, 6)} if port else set()
        assert host.lower() in {bracketed} | ports
        with suppress(ValueError):
            assert ip_address(name)
            return
        assert name in {"localhost", gethostname().lower(), f"{gethostname().lower().partition('.')[0]}.local"}


@pytest.mark.parametrize(
    "head",
    [
        "GET http://evil.example/verify HTTP/1.1\r\nHost: {host}",
        "GET http://{host}.evil.example/verify HTTP/1.1\r\nHost: {host}",
        "GET http://a@{host}/verify HTTP/1.1\r\nHost: {host}",
        "GET https://{host}/verify HTTP/1.1\r\nHost: {host}",
        "GET http://{host} HTTP/1.1\r\nHost: {host}",
        "GET http:/verify HTTP/1.1\r\nHost: {host}",
        "GET * HTTP/1.1\r\nHost: {host}",
        "OPTIONS * HTTP/1.1\r\nHost: {host}",
        "CONNECT {host} HTTP/1.1\r\nHost: {host}",
        "GET verify HTTP/1.1\r\nHost: {host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nHost: {host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nhost: evil.example",
        "GET /verify HTTP/1.1\r\nHost: {host},{host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nOrigin: http://evil.example",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nOrigin: http://{host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host} http://evil.example",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://a@{host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}/",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}?x",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}.",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: ftp://{host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: //{host}",
        "GET /verify HTTP/1.1\r\nHost: {host}\r\nOrigin: {host}",
        "GET /verify HTTP/1.0",
    ],
)
async def test_two_addresses_in_one_request_and_other_forms_of_an_origin_are_refused(home: Club, head: str) -> None:
    answer = await home.ask(f"{head}\r\nConnection: close\r\n\r\n".format(host=home.host).encode())
    assert answer.partition(b" ")[2][:3] in (b"400", b"403"), answer[:100]


async def test_a_whole_address_in_the_request_line_is_good_if_it_is_the_hosts(home: Club) -> None:
    """RFC 9112, 3.2.2: a server must accept it, though only a proxy is sent it."""
    raw = f"GET http://{home.host}/verify HTTP/1.1\r\nHost: {home.host}\r\nConnection: close\r\n\r\n".encode()
    assert (await home.ask(raw)).startswith(b"HTTP/1.1 200 ")
