"""The pages of a self-test in a real browser, while it runs on the twin: one follows it, presses, and makes a fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.support.axe import found
from tests.support.browser import TURN_TO, new_page
from tests.support.desk import PATIENCE_S

from cribd.boards import load
from cribd.clock import SystemClock
from cribd.config.config import Config, ReaderConfig
from cribd.selftest.results import StepOutcome
from cribd.selftest.runner import Runner
from cribd.selftest.site import SelfTestSite
from cribd.selftest.steps import BoardPart, HoleStep, steps_of
from cribd.selftest.walk import Walk
from cribd.text import load as words_of
from cribd.twin.machine import Twin

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

BOARD = load("continuous")


@dataclass
class Underway:
    """A test that runs on the twin, and its pages."""

    walk: Walk
    twin: Twin
    origin: str
    page: Page


@pytest_asyncio.fixture(loop_scope="session")
async def tested(chromium: Browser, tmp_path: Path) -> AsyncIterator[Underway]:
    clock, stop = SystemClock(), asyncio.Event()
    config = Config(readers=(ReaderConfig(port="twin"),), journal=str(tmp_path / "journal.db"))
    twin = Twin(BOARD, clock, folder=tmp_path)
    walk = Walk(steps_of(BOARD, ["reader"], [BoardPart.HOLES, BoardPart.READERS]), patience_s=600.0)
    site = SelfTestSite(BOARD, clock, twin)
    runner = Runner(config, BOARD, twin.wires, walk, words=words_of("en"), clock=clock,
                    watch=lambda scene: site.show(scene, walk.results))  # fmt: skip
    at: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(site.serve("127.0.0.1", 0, at.set_result))
    running = asyncio.create_task(runner.run(stop))
    context = await chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-CA")
    context.set_default_timeout(1000 * PATIENCE_S)
    complaints: list[str] = []
    context.on("console", lambda said: complaints.append(said.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    try:
        yield Underway(walk, twin, await at, await new_page(context))
    finally:
        stop.set()
        await running
        await context.close()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving
        twin.close()
    assert complaints == []


async def test_the_page_of_the_twin_asks_for_a_hole_takes_the_press_and_names_another(tested: Underway) -> None:
    page = tested.page
    await page.goto(f"{tested.origin}/twin")
    await expect(page.locator("#selftest .asked")).to_have_text("Blue: press hole 1.")
    await expect(page.locator("#selftest .count")).to_have_text(f"0 of {len(tested.walk.steps)}")
    await page.locator("[data-track='0'][data-hole='1']").click(delay=60)
    await expect(page.locator("#selftest .asked")).to_have_text("Blue: press hole 2.")
    await page.locator("[data-track='0'][data-hole='9']").click(delay=60)
    said = "Blue 9 was pressed, not Blue 2: the wires may be exchanged"
    await expect(page.locator("#selftest .answered")).to_have_text(said)
    await page.locator("#console [data-button='blue ok']").click(delay=60)
    await expect(page.locator("#selftest summary")).to_have_text("Not right: 1")
    await page.locator("#selftest summary").click()
    await expect(page.locator("#selftest li")).to_have_text(f"Blue 2: {said}")
    assert await found(page, "twin") == []


@pytest.mark.long
async def test_a_switch_of_the_twin_makes_a_fault_that_the_test_names(tested: Underway) -> None:
    page = tested.page
    await page.goto(f"{tested.origin}/twin")
    await expect(page.locator("#selftest .asked")).to_have_text("Blue: press hole 1.")
    await page.locator("#plugs").click()
    await page.locator("[data-plug='buttons']").click()
    await expect(page.locator("#selftest .answered")).to_contain_text("Buttons")
    await page.locator("[data-plug='buttons']").click()
    await expect(page.locator("#selftest .answered")).to_be_empty()
    first = tested.walk.steps[0]
    assert isinstance(first, HoleStep)
    assert tested.walk.results.get(first) is None, "it was mended in time"


async def test_the_progress_alone_is_for_everybody_in_both_languages(tested: Underway) -> None:
    page = tested.page
    await page.goto(f"{tested.origin}/")
    await expect(page.locator("#selftest .asked")).to_have_text("Blue: press hole 1.")
    assert await found(page, "progress") == []
    await page.evaluate(TURN_TO, "fr")
    await expect(page.locator("#selftest .asked")).to_have_text("Bleu\u00a0: enfoncez le trou 1.")
    tested.twin.press(0, 1)
    await expect(page.locator("#selftest .count")).to_have_text(f"1 sur {len(tested.walk.steps)}")
    tested.twin.release(0, 1)
    assert next(iter(tested.walk.results.values())).outcome is StepOutcome.OK
