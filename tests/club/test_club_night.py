"""`make club`: one command begins an evening of a club, and Ctrl-C ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import aiohttp
import pytest
from tests.support.club import free_port
from tests.support.places import ROOT
from tools.club.hall import PIN
from tools.club.organiser import at_desk, team

#: The longest start of a hub and two boards on a machine that is busy.
PATIENCE_S = 60.0


def of_this_night(folder: Path) -> list[str]:
    """The processes that have a file of this folder in their command."""
    commands = [process.read_bytes().decode(errors="replace") for process in Path("/proc").glob("[0-9]*/cmdline")]
    return [command for command in commands if str(folder) in command]


def test_all_teams_of_a_hall_have_names_of_their_own() -> None:
    teams = [team(number) for number in range(1, 201)]
    assert len({name for name, *_ in teams}) == len({player for _, *players in teams for player in players}) / 2 == 200
    assert teams[0] == ("Rita et Marcel", "Rita Roy", "Marcel Roy")


@pytest.mark.slow
async def test_one_command_begins_an_evening_at_which_robots_play_and_ctrl_c_ends_all_of_it(tmp_path: Path) -> None:
    port, folder = free_port() - 3, tmp_path / "night"
    asked = ("--boards", "2", "--speed", "8", "--port", str(port), "--folder", str(folder))
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o700)
    night = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tools.club", *asked),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "DISPLAY": ":0", "BROWSER": str(browser)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert night.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        said = b""
        while b"round 1 has started" not in said:
            line = await night.stdout.readline()
            assert line, said.decode()
            said += line
        assert f"http://127.0.0.1:{port}/desk  (PIN {PIN})" in said.decode()
        hall, desk = opened.read_text().split()
        assert hall == f"http://127.0.0.1:{port}/event"
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as visitor:
            async with visitor.get(desk) as page:
                assert str(page.url) == f"http://127.0.0.1:{port}/desk"
            async with visitor.get(page.url.with_path("/desk/pad")) as pad:
                assert await pad.json() == {"pin": "given"}, "nobody types it"
        async with at_desk(f"http://127.0.0.1:{port}", PIN, print) as organiser:
            while [board["shows"] for board in (await organiser.get("/desk/boards"))["boards"]] != [1, 2]:
                await asyncio.sleep(0.1)
        assert len(of_this_night(folder)) > 4  # the command, a hub, its broker, and two boards
        night.send_signal(signal.SIGINT)
        assert await night.wait() == 0
    assert of_this_night(folder) == []
