"""A simulated board in a process of its own joins `cribboard hub --broker`, and the broker takes its certificate.

Its owner does it at the keys of the board, or in the Club box of the page `/table`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Page, async_playwright, expect
from tests.support.browser import FLAGS, installed_chromium
from tests.support.catalogues import phrase
from tests.support.club import free_port
from tests.support.hub_process import CLUB, PIN, Visitor, hub
from tests.support.visitors import PHONE

OWNER = "1357"
#: How long a program may take to start, and to do what is asked.
PATIENCE_S = 30.0


@asynccontextmanager
async def twin(folder: Path, hub_port: int | None = None) -> AsyncIterator[Visitor]:
    """A simulated board, and its owner's phone. With `hub_port` it knows the address of the hub, or is in a network."""
    folder.mkdir(exist_ok=True)
    finds = 'host = "0.0.0.0"\n' if hub_port is None else f'[club]\nhub = "127.0.0.1:{hub_port}"\n'
    (folder / "board.toml").write_text(f'journal = "{folder}/journal.db"\n[page]\npin = "{OWNER}"\n{finds}')
    port = free_port()
    command = ("run", "--twin", "--no-browser", f"--port={port}", f"--config={folder}/board.toml")
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(str(Path(at).absolute()) for at in sys.path)}
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cribd", *command, env=paths, stdout=quiet, stderr=None
    )
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            owner = Visitor(session, f"http://127.0.0.1:{port}")
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    try:
                        await owner.post("/table/pin", {"pin": OWNER})
                        break
                    except aiohttp.ClientConnectionError:
                        await asyncio.sleep(0.2)
            yield owner
    finally:
        process.terminate()
        await process.wait()


async def shown(owner: Visitor) -> Any:
    """What the board shows now, as its pages are sent it."""
    async with owner.session.get(f"{owner.origin}/table/events") as answer:
        async for line in answer.content:
            if line.startswith(b"data:"):
                return json.loads(line.removeprefix(b"data:"))
    raise AssertionError("the stream ended")


async def act(owner: Visitor, what: str) -> None:
    headers = {"Origin": owner.origin}
    asked = {"do": "club", "act": what}
    async with owner.session.post(f"{owner.origin}/table/owner", json=asked, headers=headers) as answer:
        assert answer.status == 204, await answer.text()


async def until_step(owner: Visitor, step: str | None) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        while (now := await shown(owner))["club"]["step"] != step:
            await asyncio.sleep(0.1)
    return now


async def until_board(organiser: Visitor, *, is_online: bool) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            boards = (await organiser.get("/desk/boards"))["boards"]
            if [board["is_online"] for board in boards] == [is_online]:
                return boards[0]
            await asyncio.sleep(0.1)


async def test_both_show_the_same_words_both_say_ok_and_the_board_is_online_also_after_a_restart_until_it_is_removed(
    tmp_path: Path,
) -> None:
    (tmp_path / "hub").mkdir()
    async with hub(tmp_path / "hub", "--broker", str(free_port())) as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        async with twin(tmp_path / "board", on.port) as owner:
            await act(owner, "open")
            words = (await until_step(owner, "words"))["text"]["en"]["hints"][0]
            [asks] = (await organiser.get("/desk/boards"))["joining"]
            assert " ".join(asks["words"]) == words
            await act(owner, "ok")
            await until_step(owner, "desk")
            await organiser.post("/desk/boards/join", {"board": asks["id"], "accept": True})
            await until_step(owner, "joined")
            board = await until_board(organiser, is_online=True)
            assert board["id"] == asks["id"]
        await until_board(organiser, is_online=False)
        async with twin(tmp_path / "board", on.port) as owner:
            await until_board(organiser, is_online=True)
            await organiser.post("/desk/boards/remove", {"board": board["id"]})
            async with asyncio.timeout(2 * PATIENCE_S):
                while [fault["kind"] for fault in (await owner.get("/table/faults"))] != ["not_in_club"]:
                    await asyncio.sleep(0.1)


@asynccontextmanager
async def at_the_table_page(owner: Visitor, **wanted: Any) -> AsyncIterator[Page]:
    """The page `/table` on the owner's phone, with the owner's PIN given."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=installed_chromium(), args=FLAGS)
        context = await chromium.new_context(**PHONE | wanted)
        context.set_default_timeout(1000 * PATIENCE_S)
        page = await context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(f"{owner.origin}/table")
        await page.click("#parts [data-part='owner']")
        await page.fill("#pin", OWNER)
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#club:not([hidden])")
        yield page
        await chromium.close()
        assert errors == []


@pytest.mark.browser
@pytest.mark.parametrize(("locale", "language"), [("en-CA", "en"), ("fr-CA", "fr_CA")])
async def test_the_owner_joins_by_an_address_on_the_page_compares_the_words_and_leaves(
    tmp_path: Path, locale: str, language: str
) -> None:
    (tmp_path / "hub").mkdir()
    async with hub(tmp_path / "hub", "--broker", str(free_port())) as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        async with twin(tmp_path / "board") as owner, at_the_table_page(owner, locale=locale) as page:
            asks, words = page.locator("#club-ask"), page.locator("#club-words")

            async def is_asked(text: str) -> None:
                await expect(asks).to_have_text(text, timeout=1000 * PATIENCE_S)

            await is_asked(phrase("page.owner.club.none", language))
            await page.fill("#club-hub", f"127.0.0.1:{on.port}")
            await page.click("#club-address button")
            await is_asked(phrase("club.words", language))
            [joins] = (await organiser.get("/desk/boards"))["joining"]
            await expect(words).to_have_text(" ".join(joins["words"]))
            await page.click("#club-ok")
            await is_asked(phrase("club.desk", language))
            await organiser.post("/desk/boards/join", {"board": joins["id"], "accept": True})
            await is_asked(phrase("club.joined", language))
            await expect(words).to_have_text(CLUB)
            await until_board(organiser, is_online=True)
            await page.click("#club-close")
            await is_asked(phrase("page.owner.club.of", language, club=CLUB))
            await page.click("#club-open")
            await is_asked(phrase("club.member", language))
            await page.click("#club-ok")
            await is_asked(phrase("club.leave", language))
            await page.click("#club-ok")
            await expect(words).to_have_text(phrase("club.why.left", language))
            await page.click("#club-close")
            await is_asked(phrase("page.owner.club.none", language))
            await until_board(organiser, is_online=False)
