"""How a phone gets to the table: by the address at which the board listens, and never by one that leads elsewhere."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from pathlib import Path

import pytest
import segno
from tests.support.kiosk_rooms import house

from cribd.web.http import addresses as finder
from cribd.web.http.addresses import addresses, reached_by
from cribd.web.kiosk.shared.phone_qr_code import draw_qr_code


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_board_on_loopback_only_shows_no_qr_code(host: str) -> None:
    assert reached_by(host) is None


@pytest.mark.parametrize(("host", "address"), [("192.168.1.20", "192.168.1.20"), ("fd00::20", "[fd00::20]")])
def test_a_board_with_an_address_is_reached_by_it(host: str, address: str) -> None:
    assert reached_by(host) == address


def test_a_board_that_listens_everywhere_is_reached_by_its_own_address_or_not_at_all() -> None:
    found = reached_by("0.0.0.0")
    assert found is None or not found.startswith(("127.", "0."))


def test_a_board_that_listens_everywhere_is_reached_by_the_address_from_which_it_would_go_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = {version: ip_address(found) for version, found in ((4, "192.168.1.20"), (6, "fd00::20"))}
    monkeypatch.setattr(finder, "_own_address", own.get)
    assert reached_by("0.0.0.0") == "192.168.1.20"
    assert reached_by("::") == "[fd00::20]"


def test_without_a_network_no_qr_code_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "_own_address", lambda _version: None)
    assert reached_by("0.0.0.0") is None
    assert reached_by("::") is None


def test_the_code_says_the_address_and_can_be_drawn_without_a_style() -> None:
    address = "http://192.168.1.20:8121/table"
    drawn = draw_qr_code(address)
    side = segno.make(address, error="m").symbol_size(border=3)[0]
    assert f'viewBox="0 0 {side} {side}"' in drawn
    assert not re.search(r"style=|<script|\son[a-z]+=|https?:", drawn)


async def test_the_page_gets_the_address_of_the_board_or_none(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        answer = await home.client.get("/table/invitation")
        assert await answer.json() == {"address": None, "code": None}
    async with house(tmp_path / "two", host="192.168.1.20") as home:
        payload = await (await home.client.get("/table/invitation")).json()
        assert re.fullmatch(r"http://192\.168\.1\.20:\d+/table", payload["address"])
        assert payload["code"].startswith("<svg")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ("127.0.0.1",)),
        ("localhost", ("localhost",)),
        ("::1", ("[::1]",)),
        ("192.168.1.20", ("192.168.1.20",)),
        ("fd00::20", ("[fd00::20]",)),
        ("0.0.0.0", ("127.0.0.1", "192.168.1.20", "10.0.0.2")),
        ("::", ("[::1]", "[fd00::20]", "[fd00::30]")),
        ("0:0:0:0:0:0:0:0", ("[::1]", "[fd00::20]", "[fd00::30]")),
    ],
)
def test_a_board_is_reached_by_real_addresses_and_by_that_of_its_own_machine_first(
    host: str, expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    main = {4: ip_address("192.168.1.20"), 6: ip_address("fd00::20")}
    others = {
        4: ["127.0.0.1", "192.168.1.20", "10.0.0.2", "169.254.3.4"],
        6: ["::1", "fe80::1", "fd00::20", "fd00::30"],
    }
    monkeypatch.setattr(finder, "_own_address", main.get)
    monkeypatch.setattr(finder, "_of_ipv4", lambda: map(ip_address, others[4]))
    monkeypatch.setattr(finder, "_of_ipv6", lambda: map(ip_address, others[6]))
    assert addresses(host) == expected


def test_addresses_are_found_without_netlink_which_the_service_may_not_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """`RestrictAddressFamilies=` of the unit refuses it, and a board on 0.0.0.0 would not start."""

    def refused() -> list[tuple[int, str]]:
        raise OSError(97, "Address family not supported by protocol")

    before = addresses("0.0.0.0")
    monkeypatch.setattr(socket, "if_nameindex", refused)
    assert addresses("0.0.0.0") == before


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_every_address_of_this_machine_is_one_at_which_it_can_listen(host: str) -> None:
    for each in addresses(host)[1:]:
        family = socket.AF_INET6 if ":" in each else socket.AF_INET
        socket.create_server((each.strip("[]"), 0), family=family).close()
