"""A hub that dies is replaced: another machine restores the club's backup, and the boards bring what it lacks."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.club import free_port, make_key
from tests.support.club_evenings import club_table, joined, until
from tests.support.hub_process import PIN, Visitor, hub

from cribd.__main__ import main
from cribd.clock import SystemClock
from cribd.club.certificates import certified_hub, tls_to_hub
from cribd.club.connection import board_connection
from cribd.club.transport import Transport
from cribd.storage.outbox import OutcomeStatus


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["event", *words]) == 0
    return capsys.readouterr().out


async def draw(organiser: Visitor) -> None:
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


async def results(organiser: Visitor) -> list[tuple[Any, ...]]:
    """The results of the newest round: the table, who plays there, the scores, and the state."""
    tables = (await organiser.state())["tables"]
    return [
        (seated["table"], tuple(seated["entrants"]), result["scores"], result["state"])
        for seated in tables
        for result in seated["results"]
    ]


async def late_becomes(organiser: Visitor, wanted: list[tuple[Any, ...]]) -> None:
    """Wait for these lines of the desk about results of boards: the round, the table, who played, the scores."""
    found = None
    async with asyncio.timeout(20):
        while found != wanted:
            lines = (await organiser.get("/desk/boards"))["late"]
            found = sorted((line["round"], line["table"], tuple(line["unseated"]), line["scores"]) for line in lines)
            await asyncio.sleep(0.1)


async def results_come(organiser: Visitor, wanted: int) -> list[tuple[Any, ...]]:
    async with asyncio.timeout(20):
        while len(found := await results(organiser)) < wanted:
            await asyncio.sleep(0.1)
    return found


def signed(journal: Path) -> int:
    """How many outcomes of boards this hub has, whether it could enter them or not."""
    with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as db:
        return int(db.execute("SELECT count(*) FROM signed_outcome").fetchone()[0])


async def test_another_machine_restores_the_backup_and_each_result_counts_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phrase = tmp_path / "phrase"
    phrase.write_text("caribou tapioca zigzag nectar lynx\n", encoding="utf-8")
    backup, old, new = tmp_path / "stick.club", tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    keys = [make_key(tmp_path / name) for name in ("one", "two")]
    at = [0]
    async with AsyncExitStack() as boards:
        async with hub(old, "--broker", str(free_port())) as on, on.visitor() as organiser:
            await organiser.post("/desk/pin", {"pin": PIN})
            clubs = [await joined(on, organiser, key) for key in keys]
            club, at[0] = certified_hub(clubs[0].hub), clubs[0].port
            certificates = {key.id: (key, of_club.certificate) for key, of_club in zip(keys, clubs, strict=True)}

            def connect(board: str) -> Transport:
                tls = tls_to_hub(*certificates[board], clubs[0].hub)
                return board_connection(board, lambda: [("127.0.0.1", at[0])], SystemClock(), tls=tls)

            for number, key in enumerate(keys, start=1):
                await organiser.post("/desk/boards/seat", {"board": key.id, "table": number})
            await organiser.post("/desk/begin", {"format": "round-robin", "name": "Mardi", "tables": 2})
            for number, name in enumerate(("Rita", "Marcel", "Odile", "Luc"), start=1):
                await organiser.do("register", name=name)
                await organiser.do("check_in", entrant=number)
            await organiser.do("begin")
            await draw(organiser)
            one, two = [
                await boards.enter_async_context(club_table(tmp_path / name, club, connect)) for name in ("one", "two")
            ]

            await one.play()
            await results_come(organiser, 1)
            options = ("--phrase-file", str(phrase), "--config", str(old / "club.toml"))
            (tmp_path / "pin").write_text(PIN, encoding="ascii")
            here = ("--journal", str(on.journal), "--pin-file", str(tmp_path / "pin"))
            assert run(capsys, "backup", str(backup), "--club", *options, *here) == f"{backup}\n"

            await two.play()
            first = await results_come(organiser, 2)
            await draw(organiser)
            for table in (one, two):
                await table.play()
            second = await results_come(organiser, 2)
            assert second != first
            await until(lambda: one.now.entered is two.now.entered is OutcomeStatus.ACCEPTED, "the answers")
            assert await on.end(signal.SIGKILL) == -signal.SIGKILL
        shutil.rmtree(old)

        restoring = ("--journal", str(new / "journal.db"), "--phrase-file", str(phrase))
        run(capsys, "restore", str(backup), *restoring)
        at[0] = free_port()
        async with hub(new, "--broker", str(at[0])) as on, on.visitor() as organiser:
            await organiser.post("/desk/pin", {"pin": PIN})
            assert await results_come(organiser, 2) == first
            await until(lambda: signed(on.journal) == 4, "what the backup lacks")
            assert await results(organiser) == first
            await late_becomes(organiser, [(2, *result[:3]) for result in second])
            await draw(organiser)
            assert await results_come(organiser, 2) == second
            assert signed(on.journal) == 4
            await late_becomes(organiser, [])
            assert await on.end() == 0
