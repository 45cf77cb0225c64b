"""`cribboard run --broker`: a board organises, is the hub of a club, and plays at its own table without the network."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.support.catalogues import phrase
from tests.support.club import free_port, make_key
from tests.support.club_evenings import club_table, joined, until
from tests.support.daemon_process import Daemon
from tests.support.evenings import OK, RED, holes
from tests.support.hub_process import CLUB, PIN, Hub, Visitor, hub

from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import SystemClock
from cribd.club.certificates import certified_hub, tls_to_hub
from cribd.club.connection import board_connection
from cribd.club.membership import Membership, keep_membership
from cribd.club.transport import Transport
from cribd.storage.journal import Journal
from cribd.storage.outbox import OutcomeStatus

CLOCK = SystemClock()


async def begin(organiser: Visitor, **form: object) -> None:
    """An event whose first round is played at two tables."""
    await organiser.post("/desk/begin", {"format": "round-robin", "name": "Mardi", "tables": 2} | form)
    for number, name in enumerate(("Rita", "Marcel", "Aline", "Paul"), start=1):
        await organiser.do("register", name=name)
        await organiser.do("check_in", entrant=number)
    await organiser.do("begin")
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


@asynccontextmanager
async def board_and_hub(
    folder: Path, config: str = ""
) -> AsyncIterator[tuple[Hub, Visitor, aiohttp.ClientWebSocketResponse]]:
    """A board that is a hub too, its organiser at the desk, and its wires."""
    async with (
        hub(folder, "--twin", "--broker", str(free_port()), command="run", config=config) as on,
        on.visitor() as organiser,
        organiser.session.ws_connect(f"{on.origin}/twin/wires") as wires,
    ):
        await organiser.post("/desk/pin", {"pin": PIN})
        yield on, organiser, wires


async def test_another_board_joins_a_board_that_is_the_hub_and_its_result_is_at_the_desk(tmp_path: Path) -> None:
    key = make_key(tmp_path / "board")
    on_board = ("--twin", "--broker", str(free_port()))
    async with hub(tmp_path, *on_board, command="run") as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        [own] = (await organiser.get("/desk/boards"))["boards"]
        of_club = await joined(on, organiser, key, own["name"])
        assert of_club.name == CLUB
        names = [board["name"] for board in (await organiser.get("/desk/boards"))["boards"]]
        assert names == [own["name"], f"{own['name'][:16]} 2"]
        await organiser.post("/desk/boards/seat", {"board": key.id, "table": 2})
        await begin(organiser)

        def connect(board: str) -> Transport:
            addresses = [(of_club.addresses[0], of_club.port)]
            return board_connection(
                board, lambda: addresses, CLOCK, tls=tls_to_hub(key, of_club.certificate, of_club.hub)
            )

        async with club_table(tmp_path / "board", certified_hub(of_club.hub), connect) as table:
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the hub's answer")
        tables = (await organiser.state())["tables"]
        assert [[result["scores"] for result in seated["results"]] for seated in tables] == [[], [[121, 0]]]
        assert await on.end() == 0


async def test_the_desk_seats_the_board_that_is_the_hub_and_it_shows_a_pause_a_word_and_a_rehearsal(
    tmp_path: Path,
) -> None:
    on_board = ("--twin", "--broker", str(free_port()))
    async with hub(tmp_path, *on_board, command="run") as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        [own] = (await organiser.get("/desk/boards"))["boards"]
        assert (own["table"], own["is_online"]) == (None, True)
        await organiser.post("/desk/boards/seat", {"board": own["id"], "table": 2})
        await begin(organiser)
        assert await shown(organiser) == (2, 2, False, "")
        await until_said(organiser, "")
        await organiser.post("/desk/boards/pause", {"table": 2, "paused": True})
        await until_said(organiser, phrase("desk.paused"))
        await organiser.post("/desk/boards/pause", {"table": 2, "paused": False})
        await organiser.post("/desk/boards/say", {"board": own["id"], "text": "Souper à 18 h"})
        await until_said(organiser, "Souper à 18 h")
        assert await shown(organiser) == (2, 2, False, "Souper à 18 h")
        await organiser.post("/desk/boards/say", {"board": own["id"], "text": ""})
        await organiser.post("/desk/boards/rehearse", {"running": True})
        await until_said(organiser, phrase("desk.rehearsal"))
        await organiser.post("/desk/boards/rehearse", {"running": False})
        await until_said(organiser, "")
        assert own["is_hub"]
        refused = await organiser.post("/desk/boards/remove", {"board": own["id"]}, status=409)
        assert refused["refused"]["code"] == "own_board"
        await organiser.post("/desk/boards/slips", {"table": 2})
        assert (await shown(organiser))[0] is None


async def test_ok_at_the_board_that_is_the_hub_answers_each_rehearsal_at_the_desk(tmp_path: Path) -> None:
    async with board_and_hub(tmp_path) as (on, organiser, wires):
        board = Daemon(on.process, wires, on.origin)
        looking = asyncio.create_task(board.look())
        await board.rests()

        async def has_answered() -> bool:
            [own] = (await organiser.get("/desk/boards"))["boards"]
            return bool(own["has_answered"])

        for _ in range(2):
            await organiser.post("/desk/boards/rehearse", {"running": True})
            await until_said(organiser, phrase("desk.rehearsal"))
            assert not await has_answered()
            await board.rests()
            await board.do("blue ok")
            async with asyncio.timeout(10):
                while not await has_answered():
                    await asyncio.sleep(0.05)
        await organiser.post("/desk/boards/rehearse", {"running": False})
        assert not await has_answered()
        looking.cancel()


async def test_the_hall_sees_the_game_at_the_table_of_the_board_that_is_the_hub(tmp_path: Path) -> None:
    async with board_and_hub(tmp_path) as (on, organiser, wires):
        [own] = (await organiser.get("/desk/boards"))["boards"]
        await organiser.post("/desk/boards/seat", {"board": own["id"], "table": 2})
        await begin(organiser)
        await until_said(organiser, "")
        assert await games(organiser) == []
        board = Daemon(on.process, wires, on.origin)
        looking = asyncio.create_task(board.look())
        await board.rests()
        await board.do("blue ok", "blue ok")
        async with asyncio.timeout(10):
            while await games(organiser) != [2]:
                await asyncio.sleep(0.1)
        looking.cancel()


async def test_the_board_that_is_the_hub_is_swapped_in_mid_game_with_another_one_and_back(tmp_path: Path) -> None:
    key = make_key(tmp_path / "board")
    async with board_and_hub(tmp_path) as (on, organiser, wires):
        of_club = await joined(on, organiser, key)
        own = next(board["id"] for board in (await organiser.get("/desk/boards"))["boards"] if board["is_hub"])
        await organiser.post("/desk/boards/seat", {"board": own, "table": 2})
        await begin(organiser, format={"format": "round-robin", "meeting_games": 3, "games": 9})
        await until_due(organiser, 1)
        board = Daemon(on.process, wires, on.origin)
        looking = asyncio.create_task(board.look())
        await board.rests()
        await board.do("blue ok", "blue ok")

        def connect(board: str) -> Transport:
            addresses = [(of_club.addresses[0], of_club.port)]
            return board_connection(
                board, lambda: addresses, CLOCK, tls=tls_to_hub(key, of_club.certificate, of_club.hub)
            )

        async with club_table(tmp_path / "board", certified_hub(of_club.hub), connect) as table:
            await organiser.post("/desk/boards/swap", {"old": own, "new": key.id, "game": "ends"})
            await until(lambda: table.now.event is not None, "the next game at the other board")
            assert table.now.event is not None
            assert (table.now.event.place.table, table.now.event.place.game) == (2, 2)
            assert await ended(organiser) == [([0, 0], "broken-off")]
            await until_due(organiser, None)
            await table.post(OK[0], OK[0], *holes(RED, 2), OK[RED])
            await organiser.post("/desk/boards/swap", {"old": key.id, "new": own, "game": "slip"})
            await until_due(organiser, None)
            assert (await newest(organiser, "/table/events"))["waits"] == {"table": 2, "round": 1}
            [taken] = (await organiser.get("/desk/boards"))["taken"]
            assert (taken["table"], taken["game"], taken["fate"]) == (2, 2, "slip")
            await organiser.do("enter_result", at={"round": 1, "table": 2, "game": 2}, scores=[121, 98], source="slip")
            await until_due(organiser, 3)
            await organiser.post("/desk/boards/slips", {"table": 2})
            await until_due(organiser, None)
        looking.cancel()
        assert await on.end() == 0


async def test_a_game_that_was_taken_from_the_board_that_is_the_hub_stays_taken_though_that_is_killed(
    tmp_path: Path,
) -> None:
    async with board_and_hub(tmp_path) as (on, organiser, wires):
        key = make_key(tmp_path / "board")
        await joined(on, organiser, key)
        own = next(board["id"] for board in (await organiser.get("/desk/boards"))["boards"] if board["is_hub"])
        await organiser.post("/desk/boards/seat", {"board": own, "table": 2})
        await begin(organiser)
        await until_due(organiser, 1)
        board = Daemon(on.process, wires, on.origin)
        looking = asyncio.create_task(board.look())
        await board.rests()
        await board.do("blue ok", "blue ok")
        await organiser.post("/desk/boards/swap", {"old": own, "new": key.id, "game": "slip"})
        assert await on.end(signal.SIGKILL) == -signal.SIGKILL
        looking.cancel()
        await on.start()
        await organiser.post("/desk/pin", {"pin": PIN})
        async with asyncio.timeout(10):
            while phrase("desk.by_slip") not in await picture(organiser):
                await asyncio.sleep(0.1)
        [taken] = (await organiser.get("/desk/boards"))["taken"]
        assert (taken["table"], taken["game"], taken["fate"]) == (2, 1, "slip")
        assert await on.end() == 0


async def test_a_late_result_of_the_board_that_is_the_hub_is_at_the_desk_as_of_any_other_board(tmp_path: Path) -> None:
    async with board_and_hub(tmp_path, '[table]\nway = "trust"\n') as (on, organiser, wires):
        [own] = (await organiser.get("/desk/boards"))["boards"]
        await organiser.post("/desk/boards/seat", {"board": own["id"], "table": 2})
        await begin(organiser, format={"format": "round-robin", "games": 1, "medals": 1, "level_medals": "share"})
        await until_due(organiser, 1)
        board = Daemon(on.process, wires, on.origin)
        looking = asyncio.create_task(board.look())
        await board.rests()
        await board.do("blue ok", "blue ok")
        for table in (1, 2):
            at = {"round": 1, "table": table, "game": 1}
            await organiser.do("enter_result", at=at, scores=[98, 121], source="slip")
        await organiser.do("end_play")
        await organiser.do("open_place", place=1, reason="late")
        await board.do(*["blue 121"] * 3, "blue ok", "red ok")
        line = {"name": own["name"], "round": 1, "table": 2, "game": 1, "scores": [121, 0], "counts": [98, 121]}
        [shown] = await late(organiser)
        assert shown == line | {"unseated": [], "id": shown["id"]}
        assert (await ended(organiser)) == [([98, 121], "finished")]
        looking.cancel()
        assert await on.end(signal.SIGKILL) == -signal.SIGKILL
        await on.start()
        await organiser.post("/desk/pin", {"pin": PIN})
        assert await late(organiser) == [shown]
        at = {"round": 1, "table": 2, "game": 1}
        await organiser.do("correct_result", at=at, scores=[121, 0], ending="finished", reason="as the board")
        async with asyncio.timeout(10):
            while (await organiser.get("/desk/boards"))["late"]:
                await asyncio.sleep(0.1)


async def late(organiser: Visitor) -> list[dict[str, Any]]:
    """The lines of the desk about late results, once there are some."""
    async with asyncio.timeout(10):
        while not (lines := (await organiser.get("/desk/boards"))["late"]):
            await asyncio.sleep(0.1)
    return list(lines)


async def ended(organiser: Visitor) -> list[tuple[list[int], str]]:
    """The results of table 2, and how each game ended."""
    table = (await organiser.state())["tables"][1]
    return [(result["scores"], result["ending"]) for result in table["results"]]


async def until_due(organiser: Visitor, game: int | None) -> None:
    """Wait until this game of the meeting at table 2 is due at the board of the hub."""
    async with asyncio.timeout(10):
        while True:
            event = (await newest(organiser, "/table/events")).get("event")
            if (None if event is None else event["game"]) == game:
                return
            await asyncio.sleep(0.1)


async def games(organiser: Visitor) -> list[int]:
    """The tables whose games the hall sees."""
    return [game["table"] for game in (await newest(organiser, "/event/games"))["games"]]


SAID = (phrase("desk.paused"), "Souper à 18 h", phrase("desk.rehearsal"))


async def until_said(organiser: Visitor, said: str) -> None:
    """Wait until the desk has this on the screen of the board, or nothing for ""."""
    async with asyncio.timeout(10):
        while [text for text in SAID if text in await picture(organiser)] != [said] * bool(said):
            await asyncio.sleep(0.1)


async def picture(organiser: Visitor) -> str:
    """What the board shows, as its pages are sent it."""
    return json.dumps(await newest(organiser, "/table/events"), ensure_ascii=False)


async def newest(organiser: Visitor, stream: str) -> Any:
    """The newest message of a stream."""
    async with organiser.session.get(f"{organiser.origin}{stream}") as answer:
        async for line in answer.content:
            if line.startswith(b"data:"):
                return json.loads(line.removeprefix(b"data:"))
    raise AssertionError("the stream ended")


async def shown(organiser: Visitor) -> tuple[int | None, int | None, bool, str]:
    """The only board as the desk has it: where it stands, which table it shows, its pause and its word."""
    [board] = (await organiser.get("/desk/boards"))["boards"]
    return board["table"], board["shows"], board["is_paused"], board["word"]


def test_a_board_of_another_club_is_no_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(tmp_path / "journal.db", CLOCK)
    member = Membership(name="Rimouski", hub="h", certificate="c", addresses=("192.168.1.4",), port=8883)
    keep_membership(journal, member)
    journal.close()
    given = ("--journal", str(tmp_path / "journal.db"), "--port", "0", "--no-browser")
    assert main(["run", "--twin", "--broker", str(free_port()), *given]) == Exit.CANNOT
    assert phrase("problem.club.other", club="Rimouski") in capsys.readouterr().err


def test_a_board_whose_pages_are_off_is_no_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[page]\nport = "off"\n', encoding="utf-8")
    given = ("--config", str(config), "--journal", str(tmp_path / "journal.db"))
    assert main(["run", "--twin", "--broker", *given]) == Exit.CANNOT
    assert phrase("command.hub.no_page") in capsys.readouterr().err
