"""The desk's copy of the journal: sent in pieces, one at a time, and nothing stays behind."""

from __future__ import annotations

import asyncio
import os
import socket
import tracemalloc
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.journals import opened
from tests.support.kiosk_club import PATIENCE_S, Club, served
from tests.support.kiosk_rooms import ORGANISER_PIN, House, house

#: More than the buffers of a connection hold.
PADDING = 4_000_000


@dataclass
class Hall:
    """A board whose journal is long, its pages on a network, and the session of the organiser."""

    home: House
    club: Club
    cookie: str

    async def ask(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Ask for a copy, with little room for what comes."""
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.club.port))
        reader, writer = await asyncio.open_connection(sock=sock, limit=4096)
        more = f"Cookie: cribboard-desk={self.cookie}\r\nConnection: close\r\n"
        writer.write(self.club.look("/desk/backup", more))
        return reader, writer

    async def head(self, reader: asyncio.StreamReader) -> str:
        async with asyncio.timeout(PATIENCE_S):
            return (await reader.readuntil(b"\r\n\r\n")).decode()

    @property
    def left(self) -> set[str]:
        """The files beside the journal, and those without a name that this process holds open."""
        folder = self.home.table.path.parent
        usual = {f"{self.home.table.path.name}{end}" for end in ("", "-wal", "-shm", ".ends")}
        names = {file.name for file in folder.iterdir()} - usual
        return names | {link for link in links() if link.startswith(str(folder)) and link.endswith("(deleted)")}

    async def until_nothing_is_left(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.left:
                await asyncio.sleep(0.005)


def links() -> set[str]:
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        try:
            found.add(os.readlink(each))
        except FileNotFoundError:
            continue
    return found


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    (tmp_path / "home").mkdir()
    async with house(tmp_path / "home") as home, served(home.site) as club:
        home.table.journal.write_settings({"padding": "x" * PADDING})
        answer = await home.post("/desk/pin", {"pin": ORGANISER_PIN})
        await home.post("/desk/begin", {"format": "acc"})
        yield Hall(home, club, answer.cookies["cribboard-desk"].value)


async def test_the_copy_opens_and_holds_everything(hall: Hall, tmp_path: Path) -> None:
    answer = await hall.home.client.get("/desk/backup")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="cribboard-')
    whole = await answer.read()
    assert len(whole) == int(answer.headers["Content-Length"]) > PADDING
    (tmp_path / "copy.db").write_bytes(whole)
    with opened(tmp_path / "copy.db") as copy:
        assert copy.competitions.newest() == 1
        assert len(copy.setting("padding") or "") == PADDING
    await hall.until_nothing_is_left()


async def test_the_journal_is_never_whole_in_memory(hall: Hall) -> None:
    tracemalloc.start()
    try:
        reader, writer = await hall.ask()
        await hall.head(reader)
        while await reader.read(65_536):
            pass
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    writer.close()
    assert most < PADDING / 4


async def test_a_download_that_is_cut_off_leaves_no_copy_behind(hall: Hall) -> None:
    reader, writer = await hall.ask()
    assert "200 OK" in await hall.head(reader)
    assert hall.left, "the copy waits for its reader"
    writer.transport.abort()
    await hall.until_nothing_is_left()
    assert (await hall.home.client.get("/desk/state")).status == 200


async def test_one_copy_is_made_at_a_time(hall: Hall) -> None:
    reader, writer = await hall.ask()
    assert "200 OK" in await hall.head(reader)
    other, second = await hall.ask()
    assert "503 Service Unavailable" in (refused := await hall.head(other))
    assert "Retry-After: " in refused
    writer.transport.abort()
    second.close()
    await hall.until_nothing_is_left()
    assert (await hall.home.client.get("/desk/backup")).status == 200


@pytest.mark.slow
async def test_a_server_that_stops_in_mid_copy_leaves_nothing_behind(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        async with served(home.site) as club:
            home.table.journal.write_settings({"padding": "x" * PADDING})
            answer = await home.post("/desk/pin", {"pin": ORGANISER_PIN})
            hall = Hall(home, club, answer.cookies["cribboard-desk"].value)
            reader, writer = await hall.ask()
            await hall.head(reader)
        writer.close()
        await hall.until_nothing_is_left()


async def test_files_left_by_a_power_cut_are_removed(hall: Hall) -> None:
    path = hall.home.table.path
    for name in ("copy", "copy.part"):
        path.with_name(f"{path.name}.{name}").write_text("half")
    answer = await hall.home.client.get("/desk/backup")
    assert len(await answer.read()) > PADDING
    await hall.until_nothing_is_left()


async def test_an_unreadable_journal_is_reported_as_unreadable(hall: Hall) -> None:
    hall.home.table.path.with_name("journal.db.copy.part").mkdir()
    assert (await hall.home.client.get("/desk/backup")).status == 503
    hall.home.table.path.with_name("journal.db.copy.part").rmdir()
    assert (await hall.home.client.get("/desk/backup")).status == 200
