"""Faults of the hardware in the middle of a game: the board names them, the game goes on, and heals by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.seat import BOARD, seat

from cribboard import Card
from cribd.inputs import Fault, FaultKind, Key
from cribd.twin.faults import FaultName, TwinFault, default

BLUE, RED = 0, 1
HEALS_S = 2.0


async def test_contacts_that_bounce_20_ms_press_once(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.BOUNCE, 20))
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        position = at.device.table.position
        assert position is not None
        await at.fingers.press(BLUE, 2)  # fifteen for two: in hand, and not released by a bounce
        claim = at.device.table.position.claim  # type: ignore[union-attr]
        assert claim is not None
        assert (claim.points, claim.state.value) == (2, "in-hand")
        await at.fingers.key(Key.OK, BLUE)
        assert at.device.table.position.pegs[BLUE].front == 2  # type: ignore[union-attr]
        assert at.faults() == ()


async def test_a_stuck_button_is_named_and_every_other_hole_still_counts(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        at.twin.make(TwinFault(FaultName.STUCK, (RED, 40)))
        await at.time(11)
        assert at.faults() == (Fault(FaultKind.BUTTON_STUCK, "track 1 hole 40"),)
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        await at.fingers.press(BLUE, 2)
        await at.fingers.key(Key.OK, BLUE)
        assert at.device.table.position.pegs[BLUE].front == 2  # type: ignore[union-attr]
        at.twin.mend(FaultName.STUCK)
        await at.time(HEALS_S)
        assert at.faults() == ()


@pytest.mark.parametrize("name", [FaultName.CHAIN_LOW, FaultName.CHAIN_HIGH])
async def test_a_cut_button_chain_presses_nothing_and_is_found_again(tmp_path: Path, name: FaultName) -> None:
    async with seat(tmp_path) as at:
        before = at.device.table.position
        at.twin.make(default(name, BOARD))
        await at.time(0.5)
        [fault] = at.faults()
        assert fault.kind is FaultKind.CHAIN_BROKEN
        assert fault.cause
        assert at.device.table.position == before
        at.twin.mend(name)
        await at.time(HEALS_S)
        assert at.faults() == ()
        assert at.device.table.position == before


async def test_lights_before_a_cut_are_right_and_those_beyond_come_back(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        cut = BOARD.strip.count // 2
        at.twin.make(TwinFault(FaultName.STRIP_CUT, cut))
        dark_beyond = at.twin.leds()[cut:]
        await at.fingers.scan(Card.parse("5D"))
        await at.fingers.scan(Card.parse("TD"))
        for side in (BLUE, RED):
            at.twin.press(side, 2)
            await at.time(0.1)
            at.twin.release(side, 2)
        assert at.twin.leds()[cut:] == dark_beyond
        at.twin.mend(FaultName.STRIP_CUT)
        await at.time(HEALS_S)
        shown = at.twin.leds()
        at.twin.unplug("strip")
        at.twin.plug("strip")
        await at.time(HEALS_S)
        assert at.twin.leds() == shown, "what the cut left is what a whole frame shows"


async def test_half_messages_of_a_reader_lay_no_card_and_the_next_whole_one_counts(tmp_path: Path) -> None:
    async with seat(tmp_path) as at:
        before = at.device.table.position
        at.twin.make(TwinFault(FaultName.HALF_FRAMES, 50))
        at.twin.scan(b"5D\r")
        await at.time(1)
        assert at.device.table.position == before
        at.twin.mend(FaultName.HALF_FRAMES)
        await at.time(HEALS_S)
        await at.fingers.scan(Card.parse("5D"))
        assert at.device.table.position.count == 5  # type: ignore[union-attr]
