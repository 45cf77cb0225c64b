"""The process that checks records: it ends with its checker, and with no other."""

from __future__ import annotations

import asyncio
import multiprocessing
from functools import partial
from time import sleep
from uuid import UUID

import pytest

from cribd.club.record_check import RecordChecker, RecordVerdict
from cribd.storage.outbox import Outcome, PlayedFor

pytestmark = pytest.mark.slow

OUTCOME = Outcome(place=PlayedFor(UUID(int=1), 1, 1, 1), scores=(121, 0), broken_off=False, record="a link")


def children() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


async def test_a_checker_that_is_closed_ends_its_own_process_and_leaves_that_of_another_at_work() -> None:
    before = children()
    one, other = RecordChecker(), RecordChecker()
    try:
        assert await one.check(b"", OUTCOME, "acc/1") is RecordVerdict.UNREADABLE
        own = children() - before
        assert await other.check(b"", OUTCOME, "acc/1") is RecordVerdict.UNREADABLE
        others = children() - before - own
        assert (len(own), len(others)) == (1, 1)
        one.close()
        async with asyncio.timeout(20):
            while children() & own:
                await asyncio.sleep(0.01)
        assert await other.check(b"", OUTCOME, "acc/1") is RecordVerdict.UNREADABLE
        assert children() - before == others
        assert await one.check(b"", OUTCOME, "acc/1") is RecordVerdict.UNREADABLE
    finally:
        one.close()
        other.close()


async def test_a_checker_that_is_closed_before_its_process_has_begun_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cribd.club.record_check._begin", partial(sleep, 60))  # as on a busy machine
    before = children()
    checker = RecordChecker()
    checking = asyncio.create_task(checker.check(b"", OUTCOME, "acc/1"))
    await asyncio.sleep(0)
    checker.close()
    async with asyncio.timeout(20):
        await asyncio.gather(checking, return_exceptions=True)
        while children() - before:
            await asyncio.sleep(0.01)
