"""Beside a running board the doctor opens no part: it asks the board for its faults at the port of its pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.patients import BOARD

from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config, changed
from cribd.daemon import serve
from cribd.doctor.examine import examine
from cribd.doctor.findings import Finding, Installation, Severity
from cribd.doctor.running_board import ask_board
from cribd.storage.open_journal import open_or_repair_journal
from cribd.text import load
from cribd.twin.machine import Twin
from cribd.wires import Wires

PATIENCE_S = 15


class NoWires:
    """Wires that nobody may open."""

    root = Path("/nowhere")

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"the doctor asks for {name}")


def beside(config: Config, root: Path, *, unit: str = "") -> Installation:
    """The installation of a board that runs."""
    wires = cast(Wires, NoWires())
    return Installation(config=config, board=BOARD, wires=wires, clock=ManualClock(), root=root, run=lambda *_: unit)


def by_check(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.check: finding for finding in findings}


def asked(at: Installation, language: str = "en") -> dict[str, Finding]:
    """What the doctor finds, by the name of the check, after it asked the board."""
    return by_check(list(examine(at, answer=ask_board(at, language))))


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Config, Twin]]:
    """A board that runs on the wires of a twin, and its configuration with the port that it got."""
    stop, said = asyncio.Event(), asyncio.Queue[str]()
    twin = Twin(BOARD, SystemClock(), folder=folder / "wires")
    config = changed(Config(), {"journal": str(folder / "journal.db"), "page": {"port": 0}})
    board = asyncio.create_task(serve(config, BOARD, twin.wires, twin=None, stop=stop, announce=said.put_nowait))
    async with asyncio.timeout(PATIENCE_S):
        port = urlsplit(await said.get()).port
    yield changed(config, {"page": {"port": port}}), twin
    stop.set()
    async with asyncio.timeout(PATIENCE_S):
        await board
    twin.close()


@pytest.mark.slow
async def test_the_running_board_tells_its_faults_and_keeps_its_parts(tmp_path: Path) -> None:
    async with running(tmp_path) as (config, twin):
        twin.unplug("screen")
        twin.press(0, 14)

        async def found(language: str) -> dict[str, Finding]:
            at = beside(config, tmp_path / "root")
            return await asyncio.to_thread(asked, at, language)

        async with asyncio.timeout(PATIENCE_S):
            while (english := await found("en"))["oled.board"].severity is not Severity.FAULT:
                await asyncio.sleep(0.1)
        french = await found("fr_CA")
    why = phrase("problem.device.why", why="no device acknowledges 0x3C", errno=121)
    assert english["oled.board"].measured == phrase(
        "problem.doctor.board.fault", fault=phrase("fault.screen_away"), why=why
    )
    said = load("fr_CA").problem(french["oled.board"].measured)
    assert has_phrase(said, "problem.doctor.board.fault", "fr_CA", fault=phrase("fault.screen_away", "fr_CA"))
    assert english["strip.board"].severity is Severity.OK
    assert english["buses.board"].severity is Severity.NOT_LOOKED_AT
    assert "oled.address" not in english
    assert "journal.file" in english


async def test_a_board_without_pages_cannot_be_asked(tmp_path: Path) -> None:
    journal, _ = open_or_repair_journal(tmp_path / "journal.db", ManualClock())
    try:
        config = changed(Config(), {"journal": str(tmp_path / "journal.db"), "page": {"port": "off"}})
        found = asked(beside(config, tmp_path))
    finally:
        journal.close()
    for group in ("buses", "oled", "strip", "buttons", "keys", "readers", "sound", "network"):
        finding = found[f"{group}.board"]
        assert finding.severity is Severity.NOT_LOOKED_AT
        assert load("fr_CA").problem(finding.measured) == phrase("problem.doctor.board.no_pages", "fr_CA")
        assert load("fr_CA").problem(finding.remedy) == phrase("problem.doctor.board.stop", "fr_CA", unit="cribd")
    assert "clock.board" not in found


def test_the_state_of_the_service_says_that_a_board_runs_whose_journal_nobody_may_read(tmp_path: Path) -> None:
    config = changed(Config(), {"journal": str(tmp_path / "none.db"), "page": {"port": 1}})
    found = asked(beside(config, tmp_path, unit="LoadState=loaded\nActiveState=active"))
    refused = phrase("problem.device.why", why=phrase("problem.file.why.ECONNREFUSED"), errno=111)
    assert found["oled.board"].measured == phrase("problem.doctor.board.silent", why=refused)
