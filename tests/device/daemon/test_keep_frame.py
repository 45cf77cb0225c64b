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
from cribboard.count_judge import CountJudge
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
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import CountJudgeMode, ReviewMode, Snapshot, SwitchedOff
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


def stored_frame(seat: Seat) -> bytes:
    file = seat.config.journal_path.with_name("last-frame.json")
    return bytes.fromhex(json.loads(file.read_text(encoding="utf-8"))["frame"])


def shown(seat: Seat) -> bytes | None:
    steady = seat.device._leds.steady
    return None if steady is None else steady[0]


async def test_the_frame_that_stands_is_kept_after_fifteen_seconds_at_most(seat: Seat) -> None:
    first = stored_frame(seat)
    assert first == shown(seat)
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.scan(Card.parse("6C"))
    assert stored_frame(seat) == first
    await seat.time(KEPT_EVERY_S)
    assert stored_frame(seat) == shown(seat) != first


async def test_a_blinking_frame_is_never_stored(seat: Seat) -> None:
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.scan(Card.parse("JC"))  # two for the dealer
    await seat.time(KEPT_EVERY_S)
    before = stored_frame(seat)
    seat.twin.press(0, 2)
    await seat.time(KEPT_EVERY_S + 1)
    assert shown(seat) is None
    assert stored_frame(seat) == before


VIEW = see(Game.start(RULES["six-card"], way="trust").position)


class Keeping:
    """A keeper whose LEDs show `frame`; None while they blink."""

    def __init__(self, folder: Path) -> None:
        (folder / "journal.db").touch()
        light = FirstLight(["run"], folder)
        light.describe(BOARD, files=[], journal=folder / "journal.db", chip="/dev/null")
        self._file = folder / "last-frame.json"
        self.frame: bytes | None = None
        self.clock = ManualClock()
        self._keeper = FrameKeeper(light, BOARD.oled, steady=self._steady, clock=self.clock)
        self._running = asyncio.create_task(self._keeper.run())

    def _steady(self) -> tuple[bytes, frozenset[int]] | None:
        return None if self.frame is None else (self.frame, frozenset())

    async def publish(self, frame: bytes | None, snapshot: Snapshot, seconds: float = 0.1) -> bytes | None:
        """Show a snapshot for some seconds. Returns the frame that is kept then."""
        self.frame = frame
        self._keeper.publish(snapshot)
        await self.clock.advance(seconds)
        if not self._file.exists():
            return None
        return bytes.fromhex(json.loads(self._file.read_text(encoding="utf-8"))["frame"])

    async def end(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)


@pytest.fixture
async def keeping(tmp_path: Path) -> AsyncIterator[Keeping]:
    keeping = Keeping(tmp_path)
    yield keeping
    await keeping.end()


async def test_a_frame_of_the_next_game_is_kept_at_once(keeping: Keeping) -> None:
    """The game before may be sealed from now on."""
    assert await keeping.publish(b"before", Snapshot(view=replace(VIEW, number=40))) == b"before"
    assert await keeping.publish(b"next", Snapshot(view=replace(VIEW, number=2))) == b"next"


async def test_no_frame_is_kept_of_the_game_before_while_the_next_one_blinks(keeping: Keeping) -> None:
    assert await keeping.publish(b"before", Snapshot(view=replace(VIEW, number=40))) == b"before"
    for number in (1, 30, 50):  # the next game is longer before anything stands still
        assert await keeping.publish(None, Snapshot(view=replace(VIEW, number=number))) is None
    assert await keeping.publish(b"next", Snapshot(view=replace(VIEW, number=51)), KEPT_EVERY_S) == b"next"


async def test_a_blink_that_follows_in_the_same_game_leaves_its_frame(keeping: Keeping) -> None:
    assert await keeping.publish(b"before", Snapshot(view=replace(VIEW, number=40))) == b"before"
    assert await keeping.publish(None, Snapshot(view=replace(VIEW, number=41)), KEPT_EVERY_S) == b"before"


OTHERS = {
    "review": Snapshot(view=VIEW, mode=ReviewMode(VIEW, 0)),
    "count": Snapshot(view=VIEW, mode=CountJudgeMode(CountJudge(), PRESETS[0])),
    "rest": Snapshot(view=VIEW, resting=True),
    "off": Snapshot(view=VIEW, mode=SwitchedOff()),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
async def test_a_frame_that_is_not_of_the_game_as_it_stands_is_never_kept(keeping: Keeping, other: Snapshot) -> None:
    assert await keeping.publish(b"game", Snapshot(view=VIEW)) == b"game"
    assert await keeping.publish(b"something else", other, KEPT_EVERY_S) == b"game"


async def test_what_shows_starting_is_kept_after_fifteen_seconds_in_the_language_of_the_board(seat: Seat) -> None:
    assert starting_kept(seat) == []
    await seat.time(KEPT_EVERY_S + 0.5)
    assert starting_kept(seat) == messages(starting(load("en")))
    seat.device._frames.publish(replace(seat.device.snapshot, language="fr_CA"))  # type: ignore[union-attr]
    await seat.time(2 * KEPT_EVERY_S + 0.5)
    assert starting_kept(seat) == messages(starting(load("fr_CA")))


def starting_kept(seat: Seat) -> list[str]:
    file = seat.config.journal_path.with_name("last-frame.json")
    stored: list[str] = json.loads(file.read_text(encoding="utf-8"))["starting"]
    return stored


def messages(picture: Image) -> list[str]:
    return [message.hex() for message in messages_to_show(BOARD.oled, picture)]


async def test_at_the_end_the_last_frame_is_kept_at_once(seat: Seat) -> None:
    await seat.fingers.key(Key.OK, 0)
    await seat.fingers.key(Key.OK, 0)
    standing = shown(seat)
    await seat.end()
    assert stored_frame(seat) == standing


async def test_a_board_that_is_switched_off_keeps_the_frame_before_it_went_dark(seat: Seat) -> None:
    before = shown(seat)
    await seat.end()
    assert stored_frame(seat) == before
