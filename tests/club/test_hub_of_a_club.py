"""`cribboard hub --broker` is a club's hub: a board joins it, plays the game that is due, and its result is there."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from tests.support.club import free_port, make_key
from tests.support.club_evenings import ClubTable, club_table, joined, until
from tests.support.evenings import OK, RED, holes
from tests.support.hub_process import CLUB, PIN, begin, hub, sit
from tests.support.places import ROOT

from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import SystemClock
from cribd.club.broker import CONFIGURATION
from cribd.club.certificates import certified_hub, tls_to_hub
from cribd.club.connection import board_connection
from cribd.club.keys import FILE_NAME, ClubKey
from cribd.club.membership import Membership
from cribd.club.transport import Transport
from cribd.storage.outbox import OutcomeStatus
from cribd.table.snapshot import DeskMessage, DeskMessageMode

CLOCK = SystemClock()


def to_hub(key: ClubKey, of_club: Membership) -> Callable[[str], Transport]:
    """How this board connects to the hub."""
    tls = tls_to_hub(key, of_club.certificate, of_club.hub)
    addresses = [(of_club.addresses[0], of_club.port)]
    return lambda board: board_connection(board, lambda: addresses, CLOCK, tls=tls)


async def test_a_board_joins_and_its_result_is_at_the_desk_though_the_hub_is_killed(tmp_path: Path) -> None:
    key = make_key(tmp_path / "board")
    async with hub(tmp_path, "--broker", str(free_port())) as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        of_club = await joined(on, organiser, key)
        assert of_club.name == CLUB
        await organiser.post("/desk/boards/seat", {"board": key.id, "table": 1})
        await begin(organiser)
        async with club_table(tmp_path / "board", certified_hub(of_club.hub), to_hub(key, of_club)) as table:
            await until(lambda: table.now.event is not None, "a game that is due")
            assert await on.end(signal.SIGKILL) == -signal.SIGKILL
            await on.start()
            await organiser.post("/desk/pin", {"pin": PIN})
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the hub's answer")
            [board] = (await organiser.get("/desk/boards"))["boards"]
            assert (board["name"], board["table"], board["is_online"]) == ("Planche 1", 1, True)
        [seated] = (await organiser.state())["tables"]
        assert [result["scores"] for result in seated["results"]] == [[121, 0]]
        assert await on.end() == 0


async def test_the_desk_lists_which_boards_have_answered_each_rehearsal(tmp_path: Path) -> None:
    keys = [make_key(tmp_path / name) for name in ("one", "two")]
    async with hub(tmp_path, "--broker", str(free_port())) as on, on.visitor() as organiser, AsyncExitStack() as boards:
        await organiser.post("/desk/pin", {"pin": PIN})
        tables = []
        for key in keys:
            of_club = await joined(on, organiser, key)
            connected = club_table(key.file.parent, certified_hub(of_club.hub), to_hub(key, of_club))
            tables.append(await boards.enter_async_context(connected))

        async def answered_by(wanted: list[bool]) -> None:
            async with asyncio.timeout(20):
                while await listed() != wanted:
                    await asyncio.sleep(0.05)

        async def listed() -> list[bool]:
            shown = {board["id"]: board["has_answered"] for board in (await organiser.get("/desk/boards"))["boards"]}
            return [shown[key.id] for key in keys]

        for one, other in (tables, tables[::-1]):
            await organiser.post("/desk/boards/rehearse", {"running": True})
            await answered_by([False, False])
            await until(lambda: all(map(is_asked, tables)), "the question at each board")
            await CLOCK.sleep(1.1)  # a press that comes as the question does is no answer
            await one.post(OK[0])
            await answered_by([table is one for table in tables])
            await other.post(OK[0])
            await answered_by([True, True])
        await organiser.post("/desk/boards/rehearse", {"running": False})
        await answered_by([False, False])
        assert await on.end() == 0


def is_asked(table: ClubTable) -> bool:
    """Whether this board asks for the OK of a rehearsal."""
    mode = table.now.mode
    return isinstance(mode, DeskMessageMode) and mode.what is DeskMessage.REHEARSAL


async def test_a_board_that_is_restarted_while_the_hub_is_killed_plays_on_and_hands_in_when_it_is_back(
    tmp_path: Path,
) -> None:
    key = make_key(tmp_path / "board")
    async with hub(tmp_path, "--broker", str(free_port())) as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        of_club = await joined(on, organiser, key)
        of_hub, connect = certified_hub(of_club.hub), to_hub(key, of_club)
        await organiser.post("/desk/boards/seat", {"board": key.id, "table": 1})
        await begin(organiser, format={"format": "round-robin", "meeting_games": 3, "games": 3})
        async with club_table(tmp_path / "board", of_hub, connect) as table:
            await until(lambda: table.now.event is not None, "a game that is due")
        assert await on.end(signal.SIGKILL) == -signal.SIGKILL
        async with club_table(tmp_path / "board", of_hub, connect) as table:
            await table.play()
            assert table.now.entered is OutcomeStatus.KEPT
        async with club_table(tmp_path / "board", of_hub, connect) as table:
            await table.play()
            await on.start()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the hub's answer")
        await organiser.post("/desk/pin", {"pin": PIN})
        [seated] = (await organiser.state())["tables"]
        assert [result["scores"] for result in seated["results"]] == [[121, 0], [121, 0]]
        assert await on.end() == 0


async def test_a_game_that_a_phone_has_reported_counts_in_a_match_that_ends_while_the_hub_is_killed(
    tmp_path: Path,
) -> None:
    key = make_key(tmp_path / "board")
    async with hub(tmp_path, "--broker", str(free_port())) as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        of_club = await joined(on, organiser, key)
        await organiser.post("/desk/boards/seat", {"board": key.id, "table": 1})
        match = {"format": "round-robin", "meeting": "best_of", "meeting_games": 3}
        await begin(organiser, format=match)
        async with club_table(tmp_path / "board", certified_hub(of_club.hub), to_hub(key, of_club)) as table:
            await until(lambda: table.now.event is not None, "a game that is due")
            async with on.visitor() as phone:
                [seated] = (await organiser.state())["tables"]
                await sit(organiser, phone, 1, seated["entrants"][0])
                report = {"competition": 1, "at": {"round": 1, "table": 1, "game": 1}, "scores": [121, 60]}
                await phone.post("/event/table/do", {"do": "report_result", "ending": "finished", **report})
            await until(lambda: table.now.event is not None and table.now.event.place.game == 2, "the second game")
            assert await on.end(signal.SIGKILL) == -signal.SIGKILL
            await table.play()
            assert (table.now.entered, table.now.event) == (OutcomeStatus.KEPT, None)
            await on.start()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the hub's answer")
            assert table.now.event is None
        assert await on.end() == 0


@pytest.mark.parametrize("is_there_still", [True, False])
async def test_another_board_comes_in_mid_game_and_the_old_one_hands_its_game_in_as_it_stands(
    tmp_path: Path, is_there_still: bool
) -> None:
    keys = [make_key(tmp_path / name) for name in ("old", "new")]
    async with AsyncExitStack() as on_all, hub(tmp_path, "--broker", str(free_port())) as on:
        organiser = await on_all.enter_async_context(on.visitor())
        await organiser.post("/desk/pin", {"pin": PIN})
        boards = []
        for key in keys:
            of_club = await joined(on, organiser, key)
            connect = to_hub(key, of_club)
            of_hub = certified_hub(of_club.hub)
            boards.append(await on_all.enter_async_context(club_table(key.file.parent, of_hub, connect)))
        old, new = boards
        await organiser.post("/desk/boards/seat", {"board": keys[0].id, "table": 1})
        await begin(organiser, format={"format": "round-robin", "meeting_games": 3, "games": 3})
        await until(lambda: old.now.event is not None, "a game at the old board")
        await old.post(OK[0], OK[0], *holes(RED, 2), OK[RED])
        if not is_there_still:
            await organiser.post("/desk/boards/seat", {"board": keys[0].id, "table": None})
            async with asyncio.timeout(10):
                while (await organiser.get("/desk/boards"))["boards"][0]["plays"] != 1:
                    await asyncio.sleep(0.1)
        await organiser.post("/desk/boards/swap", {"old": keys[0].id, "new": keys[1].id, "game": "ends"})
        await until(lambda: old.now.entered is OutcomeStatus.ACCEPTED, "the hub's answer")
        await until(lambda: new.now.event is not None, "the next game at the new board")
        assert new.now.event is not None
        assert new.now.event.place.game == 2
        await new.play()
        await until(lambda: new.now.entered is OutcomeStatus.ACCEPTED, "the answer to the new board")
        [seated] = (await organiser.state())["tables"]
        ended = [(result["scores"], result["ending"]) for result in seated["results"]]
        assert ended == [([0, 2], "broken-off"), ([121, 0], "finished")]
        assert (await organiser.get("/desk/boards"))["taken"] == []
        assert await on.end() == 0


async def test_a_hub_that_is_a_service_leaves_its_broker_to_systemd(tmp_path: Path) -> None:
    configuration = tmp_path / "broker" / CONFIGURATION
    async with hub(tmp_path, "--broker", str(free_port()), RUNTIME_DIRECTORY=str(tmp_path)) as on:
        await until(configuration.exists, "the files of mosquitto")
        assert await on.end() == 0
    assert not configuration.exists()


async def test_ctrl_c_ends_a_hub_and_its_broker_without_complaints(tmp_path: Path) -> None:
    """A terminal sends SIGINT to every process of the group."""
    port = free_port()
    given = ("--broker", str(port), "--journal", tmp_path / "journal.db", "--port", "0", "--no-browser")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cribd", "hub", *given),
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )

    def listens() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return True
        return False

    try:
        await until(listens, "the broker")
        await asyncio.sleep(1.5)  # the hub connects
        os.killpg(process.pid, signal.SIGINT)
        async with asyncio.timeout(10):
            _, complaints = await process.communicate()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    [_, at_the_end] = complaints.decode().split("Ctrl-C stops the hub.")
    known = "The organiser’s PIN", "No other machine", "Warning: Mosquitto should not", "OpenSSL Error"
    assert [line for line in at_the_end.split("\n") if line and not line.startswith(known)] == []
    assert not listens()


@pytest.mark.parametrize("missing", ["mosquitto", "key"])
def test_a_hub_that_cannot_have_a_club_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    if missing == "mosquitto":
        monkeypatch.setattr("cribd.club.broker.PLACES", ())
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        (tmp_path / FILE_NAME).write_text("no key", encoding="ascii")
    given = ("--journal", str(tmp_path / "journal.db"), "--port", "0", "--no-browser")
    assert main(["hub", "--broker", str(free_port()), *given]) == Exit.CANNOT
    assert ("mosquitto" if missing == "mosquitto" else FILE_NAME) in capsys.readouterr().err
