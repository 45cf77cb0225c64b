"""A table at which nobody plays rests, until somebody comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.evenings import BLUE, NO_READER, OK, RED, evening, policy

from cribd.inputs import CardRead, HolePressed, Input, KeysTogether, NamesGiven
from cribd.table.organiser_desk import WaitsForRound

RESTS = policy(rest_after_s=600)


async def test_after_its_time_without_an_input_the_table_rests(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=RESTS) as table:
        await table.clock.advance(400)
        await table.post(OK[BLUE])
        await table.clock.advance(599)
        assert not table.now.resting
        await table.clock.advance(2)
        before = len(table.shown)
        assert table.shown[-1].resting
        await table.clock.advance(7200)
        assert len(table.shown) == before


WAKES: list[Input] = [OK[RED], HolePressed(BLUE, 3), CardRead("5H"), KeysTogether(), NamesGiven(("Aline", "Paul"))]


@pytest.mark.parametrize("given", WAKES, ids=str)
async def test_every_input_of_a_person_wakes_a_resting_table(given: Input, tmp_path: Path) -> None:
    async with evening(tmp_path, policy=RESTS) as table:
        await table.post(OK[BLUE])
        await table.clock.advance(601)
        assert table.now.resting
        assert not (await table.post(given)).resting
        await table.clock.advance(601)
        assert table.now.resting


async def test_the_press_that_wakes_a_resting_table_is_played(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=RESTS) as table:
        await table.post(OK[BLUE], OK[BLUE])
        await table.clock.advance(601)
        await table.post(HolePressed(BLUE, 8), OK[BLUE])
        assert table.scores == (8, 0)


async def test_a_round_that_falls_due_wakes_it_and_a_fault_does_not(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=RESTS) as table:
        await table.clock.advance(601)
        assert (await table.post(NO_READER)).resting
        table.table.offer(WaitsForRound(table=1, round=2))
        assert not table.now.resting


async def test_without_a_time_to_rest_a_table_never_rests(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.clock.advance(100_000)
        assert not table.now.resting
