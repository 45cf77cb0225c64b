"""A real board and a real hub that are killed while a result is on its way between them: each result counts once."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.club import free_port
from tests.support.daemon_process import Daemon, daemon
from tests.support.hub_process import PIN, Visitor, hub
from tests.support.proxies import cable
from tools.club.hall import furnish

from cribd.clock import SystemClock
from cribd.club.membership import keep_membership, read_membership
from cribd.storage.open_journal import open_or_repair_journal

pytestmark = pytest.mark.slow

#: The longest way to a result: an answer, a try to connect, and a start on a machine that is busy.
PATIENCE_S = 30.0
#: So long a message may take from the cable through the broker into the hub.
ON_ITS_WAY_S = 0.5


def move_broker(journal: Path, port: int) -> None:
    """Let the board of this journal reach its broker at another port."""
    with closing(open_or_repair_journal(journal, SystemClock())[0]) as own:
        membership = read_membership(own)
        assert membership is not None
        keep_membership(own, replace(membership, port=port))


def rows(journal: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as db:
        return db.execute(query).fetchall()


async def begin(organiser: Visitor) -> None:
    """An event whose first meeting has three games at one table."""
    form = {"format": "round-robin", "meeting_games": 3, "games": 3}
    await organiser.post("/desk/begin", {"format": form, "name": "Mardi", "tables": 1})
    for number, name in enumerate(("Rita", "Marcel"), start=1):
        await organiser.do("register", name=name)
        await organiser.do("check_in", entrant=number)
    await organiser.do("begin")
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


async def results(organiser: Visitor) -> list[tuple[list[int], str]]:
    [table] = (await organiser.state())["tables"]
    return [(result["scores"], result["state"]) for result in table["results"]]


async def results_are(organiser: Visitor, wanted: list[tuple[list[int], str]]) -> None:
    """Wait until the desk has these results, and the board knows that it has."""
    async with asyncio.timeout(PATIENCE_S):
        while await results(organiser) != wanted:
            await asyncio.sleep(0.05)
    await board_is(organiser, "backlog", 0)
    assert await results(organiser) == wanted


async def board_is(organiser: Visitor, what: str, value: object) -> None:
    """Wait until the desk sees this of the board."""
    async with asyncio.timeout(PATIENCE_S):
        while [board[what] for board in (await organiser.get("/desk/boards"))["boards"]] != [value]:
            await asyncio.sleep(0.05)


async def comes(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.02)


async def nearly_play(board: Daemon) -> None:
    """Play a game up to the last press, by which both sides have confirmed its end."""
    await board.do("blue ok", "blue ok", "blue 121", "blue 121", "blue 121", "blue ok")


async def test_a_result_counts_once_though_board_or_hub_is_killed_before_in_or_after_its_message(
    tmp_path: Path,
) -> None:
    hall = await furnish(tmp_path, 1, port=free_port() - 2)
    [machine] = hall.boards
    config = tmp_path / "board.toml"
    config.write_text('[table]\nway = "trust"\n', encoding="utf-8")
    won = [121, 0], "accepted"

    def switched_on() -> Any:
        return daemon(machine.folder, "--config", str(config))

    def is_played(games: int) -> bool:
        return len(rows(machine.journal, "SELECT game FROM outbox")) == games

    async with (
        cable(hall.broker_port) as wire,
        hub(hall.hub.folder, "--broker", str(hall.broker_port)) as on,
        on.visitor() as organiser,
    ):
        move_broker(machine.journal, wire.port)
        await organiser.post("/desk/pin", {"pin": PIN})
        await begin(organiser)

        async with switched_on() as board:  # is killed in the middle of its message
            await board_is(organiser, "shows", 1)
            await nearly_play(board)
            wire.tear()
            await board.press("red ok")
            await comes(lambda: is_played(1))
            await board.kill()
        assert await results(organiser) == []
        wire.join()

        async with switched_on() as board:  # is killed before it has the answer to its message
            await results_are(organiser, [won])
            await nearly_play(board)
            wire.cut(answers_only=True)
            await board.press("red ok")
            async with asyncio.timeout(PATIENCE_S):
                while await results(organiser) != [won, won]:
                    await asyncio.sleep(0.05)
            await board.kill()
        assert len(rows(machine.journal, "SELECT game FROM outbox_answer")) == 1
        wire.join()

        async with switched_on() as board:
            await results_are(organiser, [won, won])
            await nearly_play(board)
            with closing(sqlite3.connect(on.journal, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # the hub cannot commit what it receives
                sent = len(wire.heard[0])
                await board.press("red ok")
                await comes(lambda: is_played(3) and len(wire.heard[0]) > sent)
                await asyncio.sleep(ON_ITS_WAY_S)
                assert await on.end(signal.SIGKILL) == -signal.SIGKILL
            assert len(rows(on.journal, "SELECT board FROM signed_outcome")) == 2
            await on.start()
            await organiser.post("/desk/pin", {"pin": PIN})
            await results_are(organiser, [won, won, won])
            assert len(rows(on.journal, "SELECT board FROM signed_outcome")) == 3
        assert await on.end() == 0
