"""An organiser without a board: `cribboard hub` runs a whole event, and loses nothing when it is killed."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.support.catalogues import phrase
from tests.support.daemon_process import PATIENCE_S
from tests.support.hub_process import PIN, Hub, Visitor, hub, sit
from tests.support.journals import tamper
from tests.support.places import ROOT

from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import ManualClock
from cribd.storage.journal import Journal
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.schema import VERSION

#: FADOQ's tournament, shorter.
FADOQ = {"format": "fadoq", "games": 3}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Hub]:
    async with hub(tmp_path) as on:
        yield on


async def report(phone: Visitor, at: dict[str, int], scores: list[int]) -> None:
    await phone.post(
        "/event/table/do", {"do": "report_result", "competition": 1, "at": at, "scores": scores, "saw": None}
    )


async def confirm(phone: Visitor, at: dict[str, int], scores: list[int]) -> None:
    await phone.post("/event/table/do", {"do": "confirm_result", "competition": 1, "at": at, "saw": scores})


async def killed(on: Hub, organiser: Visitor) -> None:
    """Kill the hub and start it again: the desk shows what it showed, once the PIN is given again."""
    before = await organiser.state()
    assert await on.end(signal.SIGKILL) == -signal.SIGKILL
    await on.start()
    await organiser.post("/desk/pin", {"pin": PIN})
    assert await organiser.state() == before


async def test_a_fadoq_event_runs_from_registration_to_medals_without_a_board_through_kills(served: Hub) -> None:
    async with AsyncExitStack() as browsers:
        organiser, one, other = [await browsers.enter_async_context(served.visitor()) for _ in range(3)]
        await organiser.post("/desk/pin", {"pin": PIN})
        await organiser.post("/desk/begin", {"format": FADOQ, "name": "Mars", "tables": 2})
        for number, name in enumerate(("Les As", "Les Valets", "Les Dames", "Les Rois"), start=1):
            await organiser.do("register", name=name, players=[f"Anne {number}", f"Benoît {number}"])
            await organiser.do("check_in", entrant=number)
        await organiser.do("begin")
        for number in range(1, 4):
            await organiser.post("/desk/draw", {})
            await organiser.do("start_round")
            await killed(served, organiser)
            await play_round(served, organiser, one, other, {"round": number, "table": 1, "game": 1})
        for round_ in (await organiser.state())["rounds"]:
            for table in round_["tables"]:
                await organiser.do("check_result", at={"round": round_["number"], "table": table["table"], "game": 1})
        await organiser.do("end_play")
        for late, points in ((2, 1), (3, 2)):
            await organiser.do("penalise", entrant=late, points=points, reason="retard")
        for place in (3, 2, 1):
            assert (await organiser.state())["next_place"] == place
            await organiser.do("open_place", place=place)
        rows = (await organiser.state())["standings"]
        assert [(row["place"], row["entrant"]) for row in rows][:: len(rows) - 1] == [(1, 1), (4, 4)]
        assert await served.end() == 0


def scores_of(pair: list[int]) -> list[int]:
    """The team with the lower number wins, and the other has fewer points the higher its number is. So no total equals
    another, whoever is drawn, once two teams have lost a point or two."""
    return [121 if number == min(pair) else 100 - 10 * number for number in pair]


async def play_round(served: Hub, organiser: Visitor, one: Visitor, other: Visitor, at: dict[str, int]) -> None:
    """Two phones give the result of the first table, and a slip that of the second. The hub is killed between."""
    tables = {table["table"]: table["entrants"] for table in (await organiser.state())["tables"]}
    scores = scores_of(tables[1])
    await sit(organiser, one, 1, tables[1][0])
    await sit(organiser, other, 1, tables[1][1])
    await report(one, at, scores)
    await killed(served, organiser)
    await confirm(other, at, scores)
    await organiser.do("enter_result", at=at | {"table": 2}, scores=scores_of(tables[2]))
    assert (await organiser.state())["outstanding"] == []


async def test_the_hub_that_is_told_to_stop_ends_in_order(served: Hub) -> None:
    assert await served.end() == 0
    journal, aside = open_or_repair_journal(served.journal, ManualClock())
    journal.close()
    assert aside is None


async def test_a_fresh_laptop_is_told_a_pin_that_opens_the_desk(tmp_path: Path) -> None:
    """And that no phone reaches it yet. Nothing was configured."""
    command = [sys.executable, "-m", "cribd", "hub", "--journal", str(tmp_path / "journal.db"), "--port", "0"]
    process = await asyncio.create_subprocess_exec(
        *(*command, "--no-browser"),
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}", "HOME": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    try:
        lines = ""
        async with asyncio.timeout(PATIENCE_S):
            while phrase("command.hub.alone") not in lines:
                lines += (await process.stdout.readline()).decode()
        [pin] = re.findall(r"\b\d{6}\b", lines)
        origin = re.findall(r"http://[\d.:]+", lines)[0]
        served = Hub(tmp_path, port=int(origin.rpartition(":")[2]))
        async with served.visitor() as organiser:
            assert (await organiser.get("/desk/pad")) == {"pin": "wanted"}
            assert await organiser.post("/desk/pin", {"pin": pin}) == {"pin": "given"}
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()


async def test_systemd_is_notified_of_ready_watchdog_and_stopping(tmp_path: Path) -> None:
    with TemporaryDirectory(prefix="cribd-") as short, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"{short}/notify")
        systemd.setblocking(False)

        async def heard() -> bytes:
            async with asyncio.timeout(PATIENCE_S):
                return await asyncio.get_running_loop().sock_recv(systemd, 100)

        async with hub(tmp_path, NOTIFY_SOCKET=f"{short}/notify", WATCHDOG_USEC="400000") as on:
            assert [await heard() for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
            assert await on.end() == 0
        words = [await heard()]
        while words[-1] == b"WATCHDOG=1":
            words.append(await heard())
        assert words[-1] == b"STOPPING=1"


def typed(*words: str) -> subprocess.CompletedProcess[str]:
    """Type a command, and wait for its end."""
    environment = {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}"}
    return subprocess.run(
        [sys.executable, "-m", "cribd", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE_S,
    )


def refused(journal: Path, *command: str) -> str:
    """What the command says that cannot start on this journal."""
    done = typed(*command, "--journal", str(journal), "--port", "0", "--no-browser")
    assert (done.returncode, done.stdout) == (Exit.CANNOT, "")
    return done.stderr


@pytest.mark.parametrize("why", ["busy", "newer"])
def test_a_journal_that_cannot_be_used_is_refused_as_the_board_does(tmp_path: Path, why: str) -> None:
    path = tmp_path / "journal.db"
    journal, _ = open_or_repair_journal(path, ManualClock())
    if why != "busy":
        journal.close()
    if why == "newer":
        later = VERSION + 1
        tamper(path, f"UPDATE setting SET value = '{later}' WHERE name = 'writer'; PRAGMA user_version = {later}")
    said = refused(path, "hub")
    assert said == refused(path, "run", "--twin")
    assert str(path) in said
    journal.close()


def test_a_journal_that_cannot_be_opened_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(tmp_path / "file" / "journal.db", "hub")
    assert str(tmp_path / "file") in said
    assert len(said.splitlines()) == 1


def test_a_hub_without_pages_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "club.toml"
    config.write_text('[page]\nport = "off"\n', encoding="utf-8")
    assert main(["hub", "--config", str(config), "--journal", str(tmp_path / "journal.db")]) == Exit.CANNOT
    assert phrase("command.hub.no_page") in capsys.readouterr().err


def event(on: Hub, *words: str) -> subprocess.CompletedProcess[str]:
    """Type `cribboard event` beside the hub."""
    pin_file = on.folder / "pin"
    pin_file.write_text(PIN, encoding="utf-8")
    given = ("--journal", str(on.journal), "--address", on.origin, "--pin-file", str(pin_file), "--lang", "en")
    return typed("event", *words, *given)


async def test_the_command_line_organises_at_a_running_hub_as_at_a_board(served: Hub) -> None:
    done: Any = await asyncio.to_thread(event, served, "begin", "acc", "--name", "Mardi", "--tables", "4")
    assert (done.returncode, done.stderr) == (0, "")
    async with served.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        assert (await organiser.state())["name"] == "Mardi"
    for words in (("board",), ("board", "4")):
        no_board = await asyncio.to_thread(event, served, *words)
        assert (no_board.returncode, no_board.stdout) == (1, "")
        assert no_board.stderr.strip() == phrase("competition.refused.no_board")


async def test_a_board_opens_the_journal_of_a_hub_with_its_competition(served: Hub) -> None:
    """The journal is the same file: the laptop's event goes on at a board, and back."""
    async with served.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        await organiser.post("/desk/begin", {"format": "acc", "name": "Mardi", "tables": 4})
    assert await served.end() == 0
    journal = Journal(served.journal, ManualClock())
    assert journal.competitions.newest() == 1
    journal.close()
