"""Robots at every seat of a table that plays in an event: they play what is due, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.alone import Alone, alone
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, held, open_hall

from cribboard.position import Phase
from cribd.solo.robot_turns import Pace
from cribd.storage.outbox import OutcomeStatus
from cribd.table.snapshot import Lobby

pytestmark = pytest.mark.slow


async def begun(table: Alone) -> None:
    """Register two entrants, and let robots play at table 1."""
    organiser = await table.device.competitions.organiser()
    await open_hall(organiser, 2, OPEN)
    await organiser.stand_at({"table": 1})
    table.turns.set_pace(Pace(speed=8))
    await table.session.watch_event()


@pytest.mark.long
async def test_robots_wait_for_the_round_and_play_each_game_that_is_due(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await begun(table)
        organiser = await table.device.competitions.organiser()
        await table.pass_time(20)
        assert table.device.table.latest is None, "no round has started"
        await draw_and_start(organiser)
        await table.until(lambda: _played(table) == 3, most_s=5000)
        await table.pass_time(60)
        assert table.device.snapshot.lobby is Lobby.AGAIN
        assert _played(table) == 3, "nothing more is due"
        assert table.device.snapshot.entered is OutcomeStatus.ACCEPTED
        (encounter,) = held(organiser).organiser.rounds[0].tables
        assert [result.counts for result in encounter.results] == [True, True, True]


async def test_a_game_of_an_event_goes_on_with_the_same_cards_after_a_restart(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await begun(table)
        await draw_and_start(await table.device.competitions.organiser())
        await table.until(lambda: table.device.table.latest is not None, most_s=60)
        await table.until(lambda: table.position.phase is Phase.PLAY, most_s=120)
        game, deal = table.device.table.latest, table.session.deal
    async with alone(tmp_path) as table:
        table.turns.set_pace(Pace(speed=8))
        await table.session.watch_event()
        await table.until(lambda: table.device.snapshot.lobby is None, most_s=60)
        assert game is not None
        assert table.session.game is not None
        assert (table.session.game.id, table.session.deal) == (game.id, deal)
        await table.until(lambda: _played(table) == 1, most_s=1500)


def _played(table: Alone) -> int:
    latest = table.device.table.latest
    over = latest is not None and latest.game.position.phase is Phase.OVER
    return 0 if latest is None or latest.played_for is None else latest.played_for.game - (not over)
