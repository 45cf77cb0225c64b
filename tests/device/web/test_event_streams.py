"""Event streams over HTTP: no viewer's trouble is another's."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

import pytest
from aiohttp import ClientPayloadError, web
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.typedefs import Handler
from tests.support.kiosk_rooms import Looker
from tests.support.waiting import until

from cribd.clock import ManualClock, SystemClock
from cribd.web.http.encode_json import encode_json
from cribd.web.http.sse import EventStream, ThreadedStream


async def test_a_viewer_whose_message_fails_is_left_alone_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent = 1
    stream = EventStream(lambda: b"", SystemClock())

    def well() -> bytes:
        return b"data: %d\n\n" % sent

    def badly() -> bytes:
        return well() if sent == 1 else b"data: %d\n\n" % (1 // 0)

    def answer(render: Callable[[], bytes]) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            return await stream.answer(request, render)

        return handle

    app = web.Application()
    for path, render in (("/badly", badly), ("/well", well)):
        app.router.add_get(path, answer(render))
    async with TestClient(TestServer(app)) as client:
        failing, going = [Looker(await client.get(path)) for path in ("/badly", "/well")]
        assert [await failing.picture(), await going.picture()] == [1, 1]
        for sent in (2, 3):
            stream.change()
            assert await going.picture() == sent
        with pytest.raises((ClientPayloadError, AssertionError)):
            await failing.picture()
        assert len(stream._viewers) == 1
        await stream.close()
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.exc_info and record.exc_info[0] for record in errors] == [ZeroDivisionError]


async def test_the_board_has_five_milliseconds_before_a_change_goes_to_the_viewers() -> None:
    clock, number = ManualClock(), 1
    stream = EventStream(lambda: b"data: %d\n\n" % number, clock)
    app = web.Application()
    app.router.add_get("/", stream.answer)
    async with TestClient(TestServer(app)) as client:
        viewer = Looker(await client.get("/"))
        assert await viewer.picture() == 1
        number = 2
        stream.change()
        await clock.advance(0.004)
        [at] = stream._viewers
        assert at.sent is not None
        assert b"data: 1" in at.sent
        await clock.advance(0.001)
        assert await viewer.picture() == 2
        await stream.close()


async def test_a_long_message_is_made_only_while_somebody_looks_and_what_changes_meanwhile_is_one() -> None:
    clock, shown, made = ManualClock(), 1, []

    def make(value: int) -> bytes:
        made.append(value)
        clock.wait(0.2)
        return b"data: %d\n\n" % (value // 10)

    stream = ThreadedStream(lambda: shown, make, clock, least_s=0.5)
    app = web.Application()
    app.router.add_get("/", stream.answer)
    async with TestClient(TestServer(app)) as client:
        for value in (10, 20):
            shown = value
            stream.change()
        await clock.advance(1)
        assert made == []
        asking = asyncio.create_task(client.get("/"))
        await until(lambda: made == [20])
        await clock.advance(0.2)
        viewer = Looker(await asking)
        assert await viewer.picture() == 2
        for value in (30, 40, 41):
            shown = value
            stream.change()
            await clock.advance(0.1)
        await clock.advance(0.35)
        assert made == [20, 30]
        assert await viewer.picture() == 3
        await clock.advance(0.2)
        assert made == [20, 30, 41]
        await clock.advance(0.3)
        assert await viewer.picture() == 4
        shown = 42
        stream.change()
        await clock.advance(1)
        assert made == [20, 30, 41, 42]
        shown = 50
        stream.change()
        await clock.advance(1)
        assert await viewer.picture() == 5
        viewer.answer.close()
        await stream.close()


@pytest.mark.parametrize(
    "value",
    [{}, [], (), {"a": {"b": [], "c": {}}}, [[1, 2.5, None, True, "é \u2028\n"]] * 3, [{"n": n} for n in range(50)]],
    ids=repr,
)
def test_json_that_is_encoded_piece_by_piece_is_the_same_as_at_once(value: object) -> None:
    assert encode_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


async def test_a_change_that_shows_nothing_new_does_not_delay_the_next_message() -> None:
    clock, shown, made = ManualClock(), 10, list[int]()

    def make(value: int) -> bytes:
        made.append(value)
        return b"data: %d\n\n" % (value // 10)

    stream = ThreadedStream(lambda: shown, make, clock, least_s=0.5)
    app = web.Application()
    app.router.add_get("/", stream.answer)
    async with TestClient(TestServer(app)) as client:
        viewer = Looker(await client.get("/"))
        assert await viewer.picture() == 1
        await clock.advance(1)
        for shown in (11, 20):
            stream.change()
            await until(lambda: made[-1] == shown)  # noqa: B023
        await clock.advance(0.1)
        assert await viewer.picture() == 2
    await stream.close()
