"""Real processes of a club, on simulated wires, that are killed in the middle of a game: each result arrives."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.support.club import free_port
from tests.support.club_evenings import until
from tests.support.daemon_process import daemon
from tests.support.hub_process import PIN, Visitor, hub
from tools.club.hall import furnish

pytestmark = pytest.mark.slow

#: The longest way to a result: an answer, a try to connect, and a start on a machine that is busy.
PATIENCE_S = 30.0


async def begin(organiser: Visitor) -> None:
    """An event whose first round is played at two tables."""
    await organiser.post("/desk/begin", {"format": "round-robin", "name": "Mardi", "tables": 2})
    for number, name in enumerate(("Rita", "Marcel", "Huguette", "Gilles"), start=1):
        await organiser.do("register", name=name)
        await organiser.do("check_in", entrant=number)
    await organiser.do("begin")
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


async def seen(organiser: Visitor, table: int, what: str, value: object) -> None:
    """Wait until the desk sees this of the board at this table."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            boards = (await organiser.get("/desk/boards"))["boards"]
            if [board[what] for board in boards if board["table"] == table] == [value]:
                return
            await asyncio.sleep(0.1)


async def scores(organiser: Visitor) -> dict[int, list[list[int]]]:
    tables = (await organiser.state())["tables"]
    return {table["table"]: [result["scores"] for result in table["results"]] for table in tables}


async def test_a_board_and_the_hub_killed_in_a_game_go_on_and_each_result_arrives(tmp_path: Path) -> None:
    hall = await furnish(tmp_path, 2, port=free_port() - 3)
    config = tmp_path / "board.toml"
    config.write_text('[table]\nway = "trust"\n', encoding="utf-8")

    def switched_on(table: int) -> Any:
        return daemon(hall.boards[table - 1].folder, "--config", str(config))

    async with (
        hub(hall.hub.folder, "--broker", str(hall.broker_port)) as on,
        on.visitor() as organiser,
        AsyncExitStack() as boards,
    ):
        await organiser.post("/desk/pin", {"pin": PIN})
        await begin(organiser)
        one = await boards.enter_async_context(switched_on(1))
        async with switched_on(2) as two:
            for table, board in ((1, one), (2, two)):
                await seen(organiser, table, "shows", table)
                await board.do("blue ok", "blue ok", "blue 7", "blue 7")
            assert two.pegs(0) == (7, 0)
            await two.kill()
        await seen(organiser, 2, "is_online", False)

        assert await on.end(signal.SIGKILL) == -signal.SIGKILL
        await one.do("red 121", "red 121", "red 121", "blue ok", "red ok")
        two = await boards.enter_async_context(switched_on(2))
        await two.do("blue ok")
        await until(lambda: two.pegs(0) == (7, 0), "the game as it was")
        await on.start()
        await organiser.post("/desk/pin", {"pin": PIN})
        await seen(organiser, 2, "is_online", True)
        await two.do("blue 121", "blue 121", "blue 121", "blue ok", "red ok")

        async with asyncio.timeout(PATIENCE_S):
            while await scores(organiser) != {1: [[7, 121]], 2: [[121, 0]]}:
                await asyncio.sleep(0.1)
        for table in (1, 2):
            await seen(organiser, table, "backlog", 0)
        assert await on.end() == 0
