"""However many strangers there are, and from however many addresses: the board's own screen finds a place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.kiosk_club import PATIENCE_S, Club, served
from tests.support.kiosk_rooms import house

from cribd.web.http import server, sse
from cribd.web.http.limits import LOCAL, ConnectionLimit

HERSELF = "127.0.0.1"
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def full(folder: Path, path: str, *, each: int, room: int) -> AsyncIterator[tuple[Club, list[bytes]]]:
    """A board of which every address of many has asked for as much as it may, and the first word of each answer."""
    async with house(folder) as within, served(within.site) as home:
        lines: list[Line] = []

        async def take(address: str) -> bytes:
            lines.append(await home.call(address))
            reader, writer = lines[-1]
            try:
                writer.write(home.look(path))
                async with asyncio.timeout(PATIENCE_S):
                    return (await reader.readline())[9:12]
            except ConnectionError:
                return b""

        answers = [
            answer
            for stranger in range(2, 3 + room // each)
            for answer in await asyncio.gather(*(take(f"127.0.0.{stranger}") for _ in range(each)))
        ]
        try:
            yield home, answers
        finally:
            for _, writer in lines:
                writer.close()


async def first_line(home: Club, path: str, who: str) -> bytes:
    """How a request is answered, b"" where nobody is let in."""
    reader, writer = await home.call(who)
    try:
        writer.write(home.look(path))
        async with asyncio.timeout(PATIENCE_S):
            return (await reader.readline())[9:12]
    except ConnectionError:
        return b""
    finally:
        writer.close()


def test_the_last_places_are_this_machines() -> None:
    crowd = ConnectionLimit(5, per_client=2, reserved=2)
    assert [crowd.enter(f"stranger {number}") for number in range(4)] == [True, True, True, False]
    assert [crowd.enter(LOCAL) for _ in range(3)] == [True, True, False]
    crowd.leave("stranger 0")
    assert not crowd.enter("stranger 5"), "the place that is free is kept"
    assert crowd.enter(LOCAL)


async def test_strangers_who_look_leave_places_for_the_boards_own_screen(tmp_path: Path) -> None:
    async with full(tmp_path, "/table/events", each=sse.VIEWERS_PER_CLIENT, room=sse.VIEWERS) as (home, answers):
        assert answers.count(b"200") == sse.VIEWERS - sse.VIEWERS_RESERVED
        assert answers.count(b"503") == len(answers) - answers.count(b"200") > 0
        assert await first_line(home, "/table/events", HERSELF) == b"200"


async def test_strangers_who_keep_connections_leave_some_for_the_boards_own_screen(tmp_path: Path) -> None:
    each, room = server.CONNECTIONS_PER_CLIENT, server.CONNECTIONS
    async with full(tmp_path, "/page/icon.svg", each=each, room=room) as (home, answers):
        assert answers.count(b"200") == server.CONNECTIONS - server.CONNECTIONS_RESERVED
        assert await first_line(home, "/", "127.0.0.99") == b""
        assert await first_line(home, "/", HERSELF) == b"200"
