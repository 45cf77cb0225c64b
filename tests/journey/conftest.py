"""What the journeys share: a browser, a desk with the page of each board open in it, and an organiser's laptop."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import pytest_asyncio
from playwright import sync_api
from playwright.async_api import Browser, Page, async_playwright, expect
from tests.support import visitors
from tests.support.browser import FLAGS, installed_chromium, new_page
from tests.support.desk import PATIENCE_S, Desk, serve
from tests.support.kept_games import played_by_robots
from tests.support.organisers_laptop import Hall, laptop_at
from tests.support.spots import HOLED
from tests.support.sweeps import mostly_long

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.twin.machine import Twin

#: playwright's own patience ends sooner than that of a machine with much else to do.
expect.set_options(timeout=1000 * PATIENCE_S)


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """A worker that runs tests beside another ignores Ctrl-C, and so would every program that it starts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """The browser of all pages, each of which has a context of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed_chromium(), args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture(scope="module")
def people_browser() -> Iterator[sync_api.Browser]:
    """A browser for tests that wait where they stand, as people do who act one after the other."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(params=mostly_long(HOLED, every=len(HOLED)))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def desk_of(name: str, chromium: Browser, folder: Path, wanted: dict[str, Any]) -> AsyncIterator[Desk]:
    """A desk with this board whose page is open, in English at 1440 × 900 where `wanted` does not say otherwise. It
    must end quietly."""
    board, clock = load(name), ManualClock()
    twin = Twin(board, clock, folder=folder)
    runner = await serve(twin, board, clock, port=0)
    origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    window = {"viewport": {"width": 1440, "height": 900}, "locale": "en-CA"} | wanted
    context = await chromium.new_context(**window)
    context.set_default_timeout(1000 * PATIENCE_S)
    desk = Desk(board, twin, clock, origin, runner, context, await new_page(context))
    desk.read_buttons()
    context.on("request", lambda asked: desk.asked.append(asked.url))
    desk.page.on("websocket", lambda opened: desk.asked.append(opened.url))
    desk.page.on("console", lambda said: desk.complaints.append(f"{said.type}: {said.text}"))
    desk.page.on("pageerror", lambda error: desk.complaints.append(str(error)))
    await desk.open()
    yield desk
    await context.close()
    await desk.runner.cleanup()
    twin.close()
    own = (f"{origin}/", f"{origin.replace('http', 'ws')}/")
    assert [url for url in desk.asked if not url.startswith(own)] == [], "no request leaves the origin"
    assert desk.complaints == [], "the browser has nothing to complain of"


@pytest_asyncio.fixture(loop_scope="session")
async def own_desk(request: pytest.FixtureRequest, name: str, chromium: Browser, tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk of the test's own, with the `window` of its parameters."""
    wanted = request.node.callspec.params.get("window", {})
    async with desk_of(name, chromium, tmp_path / "wires", wanted) as desk:
        yield desk


@pytest_asyncio.fixture(loop_scope="session", scope="module", params=HOLED)
async def open_desk(
    request: pytest.FixtureRequest, chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Desk]:
    async with desk_of(request.param, chromium, tmp_path_factory.mktemp("wires"), {}) as desk:
        yield desk


@pytest_asyncio.fixture(loop_scope="session")
async def desk(open_desk: Desk) -> AsyncIterator[Desk]:
    """The desk that the tests of a module have in common: nothing is lit or held, and no finger is on the board."""
    yield open_desk
    await open_desk.page.mouse.move(5, 5)
    await open_desk.page.mouse.up()
    open_desk.glow({})
    open_desk.draw(b"")
    await open_desk.shows("document.querySelectorAll('.peg').length", 0)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def hall(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"))
    await hall.start()
    yield hall
    await hall.kill()


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def laptop(hall: Hall, chromium: Browser) -> AsyncIterator[Page]:
    """The organiser's laptop that the tests of a module share. Each begins an event of its own."""
    async with laptop_at(hall, chromium) as page:
        yield page


@pytest.fixture
def three_tracks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of these visitors draw the board on which the moments of any number of sides can be shown."""
    monkeypatch.setattr(visitors, "BOARD", load("triple"))


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose journal has two whole games that robots played, all cards read, with wrong calls."""
    return played_by_robots(tmp_path_factory.mktemp("robots"), wrong=0.15)


@pytest.fixture
def two_games(robots: Path, tmp_path: Path) -> None:
    """The journal of the test's folder has the games of `robots`, so that its board has two past games."""
    copytree(robots, tmp_path, dirs_exist_ok=True, ignore=lambda *_: ["twin"])
