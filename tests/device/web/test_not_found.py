"""Where there is no page: a person gets one that leads to the others, a program what it got before."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.catalogues import phrase
from tests.support.evenings import LONG
from tests.support.kiosk_club import club, served
from tests.support.kiosk_rooms import House
from yarl import URL

from cribd.storage.archive import Archive
from cribd.table.rule_sets import PRESETS
from cribd.text import load
from cribd.twin.machine import Twin
from cribd.twin.web import TwinPage
from cribd.web.kiosk.not_found.middleware import NotFound, first_known
from cribd.web.kiosk.pages import PAGES
from cribd.web.kiosk.site import Site

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
FRENCH = BROWSER | {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.8"}
#: The pages of every board, and what a link to each says.
OURS = {page.paths[0]: page.link for page in PAGES if page.link}
#: Screens that hang where anybody may touch them.
PUBLIC = ("/", "/event")


def links(page: str) -> list[str]:
    [nav] = re.findall(r'<nav id="others".*?</nav>', page, re.DOTALL) or [""]
    return re.findall(r'<a href="([^"]*)"', nav)


def words(page: str) -> list[str]:
    """What is to be read of a page, without its address."""
    return [unescape(text) for text in re.findall(r">([^<>\n]+)</(?:h2|p|a)>", page)]


@pytest.mark.parametrize(
    "path", ["/nothing", "/table/x", "/games/x", "/verify/", "/page/", "/index.html", "/%2e%2e/etc"]
)
@pytest.mark.parametrize("accept", [BROWSER, {}])
async def test_an_unknown_address_is_a_page_that_leads_to_all_pages_of_this_board(
    home: House, path: str, accept: dict[str, str]
) -> None:
    answer = await home.client.get(URL(path, encoded=True), headers=accept)
    page = await answer.text()
    assert (answer.status, answer.content_type, answer.headers["Cache-Control"]) == (404, "text/html", "no-cache")
    assert links(page) == list(OURS)
    assert "404: Not Found" not in page
    assert f">{phrase('page.lost.nothing')}<" in page
    for link in links(page):
        assert (await home.client.get(link)).status == 200


async def test_the_page_not_found_uses_the_first_known_language_of_the_visitor(home: House) -> None:
    french = await (await home.client.get("/nothing", headers=FRENCH)).text()
    assert '<html lang="fr-CA"' in french
    said = load("fr_CA")
    codes = ("page.lost.nothing", "page.lost.nothing.then", *OURS.values())
    assert words(french) == ["404", *map(said.say, codes)]
    asked = await (await home.client.get("/nothing?language=fr", headers=BROWSER | {"Accept-Language": "en"})).text()
    assert words(asked) == words(french)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"), ("fr", "fr_CA"), ("fr-CA", "fr_CA"), ("FR-fr", "fr_CA"), ("de,fr;q=0.5", "fr_CA"), ("*", "en"),
        ("en;q=0.2, fr;q=0.9", "fr_CA"), ("fr;q=0, en", "en"), ("de", "en"), ("fr;q=x", "en"), (",;,;q=", "en"),
        ("fr;q=nan", "en"), ("-", "en"), ("fr" * 4000, "en"), ("en-GB,fr-CA", "en"),
    ],
)  # fmt: skip
def test_a_language_is_chosen_as_browsers_ask_for_it(accepted: str, language: str) -> None:
    assert first_known(accepted, ("en", "fr_CA")) == language


#: Addresses that somebody may make up, each with what is shown of it.
MADE_UP = {
    "/<script>alert(1)</script>": "/&lt;script&gt;alert(1)&lt;/script&gt;",
    "/%3Cimg%20src=x%20onerror=alert(1)%3E": "/&lt;img src=x onerror=alert(1)&gt;",
    '/"><b>': "/&quot;&gt;&lt;b&gt;",
    "/a&b'c": "/a&amp;b&#x27;c",
    "/%E2%80%AEtxt.exe": "/\N{REPLACEMENT CHARACTER}txt.exe",
    "/two%0Alines%00%1B[2J": "/two\N{REPLACEMENT CHARACTER}lines" + 2 * "\N{REPLACEMENT CHARACTER}" + "[2J",
    '/id="status"></': "/id=&quot;status&quot;&gt;&lt;/",
    '/data-word="page.to.table"></p>': "/data-word=&quot;page.to.table&quot;&gt;&lt;/p&gt;",
    '/<nav><div_data-why="404">': "/&lt;nav&gt;&lt;div_data-why=&quot;404&quot;&gt;",
    "/" + "x" * 500: "/" + "x" * 78 + "…",
    "/%ED%A0%80": None,
    "/%FF%FE": None,
    "/%": None,
    "/%zz": "/%zz",
    "/caf%C3%A9": "/café",
    "//evil.example/": "//evil.example/",
    "/?<script>": None,
    "/nothing?<script>": "/nothing",
    "/nothing#<script>": None,
}


async def test_an_address_is_shown_as_text_whatever_it_holds(tmp_path: Path) -> None:
    async with club(tmp_path) as board:
        for path, shown in MADE_UP.items():
            raw = await board.ask(board.look(path, "Accept: text/html\r\nConnection: close\r\n"))
            head, _, body = raw.partition(b"\r\n\r\n")
            page = body.decode()
            if path.startswith("/?"):
                assert head.startswith(b"HTTP/1.1 200 ")
                continue
            assert head.startswith(b"HTTP/1.1 404 "), path
            [found] = re.findall(r'<code id="address">(.*)</code>', page)
            assert shown in (None, found), path
            assert links(page) == list(OURS), path
            assert page.count("<script") == page.count("<nav") == page.count('id="status"') == 1, path


@pytest.mark.parametrize("accept", ["application/json", "image/png", "text/plain"])
async def test_a_program_that_accepts_no_html_gets_a_plain_answer(home: House, accept: str) -> None:
    answer = await home.client.get("/nothing", headers={"Accept": accept})
    assert (answer.status, await answer.text()) == (404, "404: Not Found")


async def test_a_script_gets_the_plain_error_of_a_route(home: House) -> None:
    for path in ("/page/nothing.js", "/games/99/record", "/games/99/steps"):
        answer = await home.client.get(path)
        assert (answer.status, await answer.text()) == (404, "404: Not Found"), path
    await home.unlock()
    refused = await home.post("/table/owner", {"do": "win"}, headers=BROWSER | {"Accept": "*/*"})
    assert (refused.status, refused.content_type) == (400, "text/plain")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/table/scan", 405), ("POST", "/table", 405), ("DELETE", "/games", 405), ("GET", "/games/99/record", 404)],
)
async def test_whatever_a_browser_may_be_refused_is_a_page_with_its_status(
    home: House, method: str, path: str, status: int
) -> None:
    answer = await home.client.request(method, path, headers=FRENCH | {"Origin": home.origin})
    page = await answer.text()
    assert (answer.status, answer.content_type) == (status, "text/html")
    assert f'<p id="status">{status}</p>' in page
    assert ("Allow" in answer.headers) == (status == 405)
    assert links(page) == list(OURS)


async def test_a_wrong_host_name_is_answered_in_the_visitors_language_without_links(home: House) -> None:
    answer = await home.client.get("/", headers=FRENCH | {"Host": "evil.example"})
    page = await answer.text()
    assert (answer.status, answer.content_type, links(page)) == (403, "text/html", [])
    assert phrase("page.lost.name", "fr_CA") in page
    script = await home.client.get("/", headers={"Host": "evil.example"})
    assert await script.text() == "This board does not go by that name.\n"


async def test_a_fault_of_our_own_is_a_page_without_a_traceback(home: House, caplog: pytest.LogCaptureFixture) -> None:
    async def breaks(_: web.Request) -> web.Response:
        raise RuntimeError("secret")

    app = web.Application()
    NotFound(lambda: home.site._files.files["lost.html"]).install(app)
    app.router.add_get("/breaks", breaks)
    async with TestClient(TestServer(app)) as client:
        answer = await client.get("/breaks", headers=BROWSER)
        page = await answer.text()
        assert (answer.status, answer.content_type) == (500, "text/html")
        assert phrase("page.lost.other") in page
        assert "secret" not in page
    assert "secret" in caplog.text, "and its owner can find out"


async def test_each_page_leads_to_all_others_and_not_to_itself(home: House) -> None:
    """The screens that hang where anybody may touch them do not lead to the organiser."""
    for path in OURS:
        page = await (await home.client.get(path)).text()
        closed = {path, "/desk"} if path in PUBLIC else {path}
        assert [link for link in links(page) if link in OURS] == [other for other in OURS if other not in closed]


async def test_beside_a_twin_each_page_links_to_it(home: House) -> None:
    table = home.table
    twin = Twin(LONG, table.clock, folder=table.path.parent / "wires")
    site = Site(table.table, board=LONG, archive=Archive(table.path), offered=PRESETS, clock=table.clock)
    async with served(site, TwinPage(twin, LONG, clock=table.clock)) as board, ClientSession() as browser:
        for path in (*OURS, "/nothing", "/twin/nothing"):
            page = await (await browser.get(board.origin + path, headers=BROWSER)).text()
            assert ("/twin" in links(page)) is (path not in PUBLIC), path
    twin.close()
