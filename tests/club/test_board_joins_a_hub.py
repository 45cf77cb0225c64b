"""A simulated board in a process of its own joins `cribboard hub --broker`, and the broker takes its certificate."""

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
from tests.support.club import free_port
from tests.support.hub_process import PIN, Visitor, hub

OWNER = "1357"
#: How long a program may take to start, and to do what is asked.
PATIENCE_S = 30.0


@asynccontextmanager
async def twin(folder: Path, hub_port: int) -> AsyncIterator[Visitor]:
    """A simulated board, and its owner's phone. It knows the address of the hub."""
    folder.mkdir(exist_ok=True)
    (folder / "board.toml").write_text(
        f'journal = "{folder}/journal.db"\n[page]\npin = "{OWNER}"\n[club]\nhub = "127.0.0.1:{hub_port}"\n'
    )
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


async def test_both_show_the_same_words_both_say_ok_and_the_board_is_online_also_after_a_restart(
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
        async with twin(tmp_path / "board", on.port):
            await until_board(organiser, is_online=True)
