"""Long work in a thread: one address leaves room for another, and all of them leave some for the board itself."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from tests.support.evenings import SlowDisk

from cribd.web.http.worker import WAITING, WAITING_PER_CLIENT, WAITING_RESERVED, Worker


def asked_from(address: str) -> web.Request:
    return make_mocked_request("GET", "/").clone(remote=address)


async def test_one_address_leaves_room_for_another_and_strangers_leave_some_for_the_board_itself() -> None:
    clock = SlowDisk()
    worker = Worker(clock)
    clock.free.clear()
    waiting: list[asyncio.Task[int]] = []

    async def ask(address: str) -> None:
        waiting.append(asyncio.create_task(worker.run(lambda: 5, asked_from(address))))
        await asyncio.sleep(0)

    for _ in range(WAITING_PER_CLIENT):
        await ask("192.168.1.66")
    with pytest.raises(web.HTTPServiceUnavailable):
        await worker.run(lambda: 5, asked_from("192.168.1.66"))
    for phone in range(WAITING - WAITING_PER_CLIENT - WAITING_RESERVED):
        await ask(f"192.168.1.{phone}")
    with pytest.raises(web.HTTPServiceUnavailable):
        await worker.run(lambda: 5, asked_from("192.168.1.99"))
    for _ in range(WAITING_RESERVED):
        await ask("127.0.0.1")
    with pytest.raises(web.HTTPServiceUnavailable):
        await worker.run(lambda: 5, asked_from("127.0.0.1"))
    clock.free.set()
    assert await asyncio.gather(*waiting) == [5] * WAITING
    assert await worker.run(lambda: 6, asked_from("192.168.1.66")) == 6
