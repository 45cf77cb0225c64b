"""Hub and boards of other releases: one that is a version older works without a word, and more is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import (
    A_WIN,
    HUB,
    AtTables,
    Topics,
    board_copy,
    club_hub,
    club_table,
    hall,
    hub_copy,
    results,
    until,
)

from cribd.club.messages import PROTOCOL, Order
from cribd.inputs import FaultKind

pytestmark = pytest.mark.slow


async def test_a_board_says_that_its_hub_is_newer_by_more_plays_on_and_is_quiet_once_it_is_not(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    board = make_key(tmp_path / "one").id
    seats.tables[board] = 1
    async with hall(tmp_path, topics, seats) as hub, club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        for newer, kinds in ((1, []), (2, [FaultKind.HUB_NEWER]), (0, [])):
            seats.orders[board] = Order(release=f"0.{newer}", protocol=PROTOCOL + newer, word=f"{newer}")
            seats.changed()
            await until(lambda: getattr(table.now.mode, "word", "") == f"{newer}", "the order")  # noqa: B023
            assert [fault.kind for fault in table.now.faults] == kinds
            if kinds:
                assert "version 0.2" in table.now.faults[0].cause
        seats.orders[board] = Order(release="0.2", protocol=PROTOCOL + 2)
        seats.changed()
        await until(lambda: table.now.faults != () and table.now.event is not None, "a game that is due")
        await table.post(*A_WIN)
        await until(lambda: results(hub) == {(1, 1, 1): (121, 0)}, "its result")


async def test_the_desk_sees_how_old_each_board_is(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    seats.tables[make_key(tmp_path / "one").id] = 1
    async with (
        club_hub(tmp_path / "hub", hub_copy(topics), seats),
        club_table(tmp_path / "one", HUB, board_copy(topics)),
    ):
        await until(lambda: [board.protocol for board in seats.shown.boards] == [PROTOCOL], "its version")
