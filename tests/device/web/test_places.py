"""However many strangers there are, and from however many addresses: the board's own screen finds a place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.support.kiosk_club import PATIENCE_S, Club, served
from tests.support.kiosk_rooms import house

from cribd.web.http import server, sse
from cribd.web.http.limits import LOCAL, ConnectionLimit

HERSELF = "127.0.0.1"


@asynccontextmanager
async def full(folder: Path, path: str, *, each: int, room: int) -> AsyncIterator[tuple[Club, list[bytes]]]:
    """A board of which every address of many has asked for as much as it may, and the first word of each answer."""
    async with house(folder) as within, served(within.site) as home, AsyncExitStack() as lines:

        async def take(address: str) -> bytes:
            return await lines.enter_async_context(status_of(home, path, address))

        answers = [
            answer
            for stranger in range(2, 3 + room // each)
            for answer in await asyncio.gather(*(take(f"127.0.0.{stranger}") for _ in range(each)))
        ]
        yield home, answers


@asynccontextmanager
async def status_of(home: Club, path: str, who: str) -> AsyncIterator[bytes]:
    """The status with which a request is answered, b"" where nobody is let in; its connection stays open."""
    reader, writer = await home.call(who)
    try:
        writer.write(home.look(path))
        async with asyncio.timeout(PATIENCE_S):
            status = (await reader.readline())[9:12]
    except ConnectionError:
        status = b""
    try:
        yield status
    finally:
        writer.close()


def test_the_last_connections_are_reserved_for_this_machine() -> None:
    limit = ConnectionLimit(5, per_client=2, reserved=2)
    assert [limit.enter(f"stranger {number}") for number in range(4)] == [True, True, True, False]
    assert [limit.enter(LOCAL) for _ in range(3)] == [True, True, False]
    limit.leave("stranger 0")
    assert not limit.enter("stranger 5"), "the place that is free is kept"
    assert limit.enter(LOCAL)


async def test_viewers_leave_places_for_the_boards_own_screen(tmp_path: Path) -> None:
    async with full(tmp_path, "/table/events", each=sse.VIEWERS_PER_CLIENT, room=sse.VIEWERS) as (home, answers):
        assert answers.count(b"200") == sse.VIEWERS - sse.VIEWERS_RESERVED
        assert answers.count(b"503") == len(answers) - answers.count(b"200") > 0
        async with status_of(home, "/table/events", HERSELF) as answer:
            assert answer == b"200"


async def test_idle_connections_leave_places_for_the_boards_own_screen(tmp_path: Path) -> None:
    each, room = server.CONNECTIONS_PER_CLIENT, server.CONNECTIONS
    async with full(tmp_path, "/page/icon.svg", each=each, room=room) as (home, answers):
        assert answers.count(b"200") == server.CONNECTIONS - server.CONNECTIONS_RESERVED
        for who, status in (("127.0.0.99", b""), (HERSELF, b"200")):
            async with status_of(home, "/", who) as answer:
                assert answer == status
