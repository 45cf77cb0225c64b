"""The frame that is kept for the next start: of which moment it is, and how often it is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL.Image import Image
from tests.support.seat import BOARD, Seat

from cribboard import RULES, Card, Game
from cribboard.view import see
from cribd.boards.loader import file_of
from cribd.clock import ManualClock
from cribd.daemon import open_device
from cribd.daemon.keep_frame import FrameKeeper
from cribd.display.screen import starting
from cribd.drivers.oled import messages_to_show
from cribd.first_light import KEPT_EVERY_S, FirstLight
from cribd.inputs import Key
from cribd.robots.fingers import Fingers
from cribd.table.snapshot import Snapshot
from cribd.text import load


@pytest.fixture
async def seat(tmp_path: Path) -> AsyncIterator[Seat]:
    """Somebody at a board that keeps its frames; the game waits for the starter."""
    seat = Seat(tmp_path)
    seat.journal.close()
    light = FirstLight(["run"], tmp_path)
    light.describe(BOARD, files=[file_of("continuous")], journal=seat.config.journal_path, chip="/dev/null")
    seat.device, seat.journal = open_device(
        seat.config, BOARD, seat.twin.wires, clock=seat.clock, threaded=False, first_light=light
    )
    seat.fingers = Fingers(seat.twin, seat.device, seat.clock, speed=0, diary=lambda _: None)
    await seat.device.start()
    await seat.time(0.2)
    try:
        yield seat
    finally:
        await seat.end()


def kept(seat: Seat) -> bytes:
    file = seat.config.journal_path.with_name("last-frame.json")
    return bytes.fromhex(json.loads(file.read_text(encoding="utf-8"))["frame"])


def shown(seat: Seat) -> bytes | None:
    return seat.device._leds.steady


async def test_the_frame_that_stands_is_kept_after_fifteen_seconds_at_most(seat: Seat) -> None:
    first = kept(seat)
    assert first == shown(seat)
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.scan(Card.parse("6C"))
    assert kept(seat) == first
    await seat.time(KEPT_EVERY_S)
    assert kept(seat) == shown(seat) != first


async def test_a_blinking_frame_is_never_stored(seat: Seat) -> None:
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.scan(Card.parse("JC"))  # two for the dealer
    await seat.time(KEPT_EVERY_S)
    before = kept(seat)
    seat.twin.press(0, 2)
    await seat.time(KEPT_EVERY_S + 1)
    assert shown(seat) is None
    assert kept(seat) == before


async def test_a_frame_of_the_next_game_is_kept_at_once(tmp_path: Path) -> None:
    """The game before may be sealed from now on."""
    (tmp_path / "journal.db").touch()
    light = FirstLight(["run"], tmp_path)
    light.describe(BOARD, files=[], journal=tmp_path / "journal.db", chip="/dev/null")
    clock, frame = ManualClock(), b"of the game before"
    keeper = FrameKeeper(light, BOARD.oled, steady=lambda: frame, clock=clock)
    running = asyncio.create_task(keeper.run())
    view = see(Game.start(RULES["six-card"], way="trust").position)

    def kept_now() -> bytes:
        return bytes.fromhex(json.loads((tmp_path / "last-frame.json").read_text(encoding="utf-8"))["frame"])

    keeper.publish(Snapshot(view=replace(view, number=40)))
    await clock.advance(0.1)
    assert kept_now() == b"of the game before"
    frame = b"of the next game"
    keeper.publish(Snapshot(view=replace(view, number=2)))
    await clock.advance(0.1)
    assert kept_now() == b"of the next game"
    running.cancel()


async def test_what_shows_starting_is_kept_after_fifteen_seconds_in_the_language_of_the_board(seat: Seat) -> None:
    assert starting_kept(seat) == []
    await seat.time(KEPT_EVERY_S + 0.5)
    assert starting_kept(seat) == messages(starting(load("en")))
    seat.device._frames.publish(replace(seat.device.snapshot, language="fr_CA"))  # type: ignore[union-attr]
    await seat.time(2 * KEPT_EVERY_S + 0.5)
    assert starting_kept(seat) == messages(starting(load("fr_CA")))


def starting_kept(seat: Seat) -> list[str]:
    file = seat.config.journal_path.with_name("last-frame.json")
    kept: list[str] = json.loads(file.read_text(encoding="utf-8"))["starting"]
    return kept


def messages(picture: Image) -> list[str]:
    return [message.hex() for message in messages_to_show(BOARD.oled, picture)]


async def test_at_the_end_the_last_frame_is_kept_at_once(seat: Seat) -> None:
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.key(Key.OK, 0)
    standing = shown(seat)
    await seat.end()
    assert kept(seat) == standing


async def test_a_board_that_is_switched_off_keeps_the_frame_before_it_went_dark(seat: Seat) -> None:
    before = shown(seat)
    await seat.end()
    assert kept(seat) == before
