"""The board with three tracks on the twin's wires: every finger arrives as it was meant, every light is in its place.

The chips are the twin's, the drivers are the panel's, and the time is the test's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.support.spots import spots_of

from cribd.boards import Spot, Track, load
from cribd.clock import ManualClock
from cribd.config.config import Config, TableConfig
from cribd.daemon import open_device
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.keys import KeyDecoder, Keys
from cribd.drivers.spi_bus import SpiBus
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.inputs import Fault, FaultCleared, FaultKind, HolePressed, Input, Key, KeyHeld, KeyPressed
from cribd.twin.machine import Twin

BOARD = load("triple")
BLUE, RED, GREEN = 0, 1, 2
BRIGHT = 255


@dataclass
class Panel:
    """The drivers at work on the wires of a twin, and what they told."""

    clock: ManualClock
    twin: Twin
    bus: SpiBus
    inputs: list[Input] = field(default_factory=list)

    async def press(self, track: int, hole: int) -> list[Input]:
        """A finger on a hole for a tenth of a second; what is told of it."""
        self.inputs.clear()
        self.twin.press(track, hole)
        await self.clock.advance(0.1)
        self.twin.release(track, hole)
        await self.clock.advance(0.1)
        return list(self.inputs)

    async def key(self, key: Key, side: int | None, seconds: float = 0.1) -> list[Input]:
        self.inputs.clear()
        self.twin.key_down(key, side)
        await self.clock.advance(seconds)
        self.twin.key_up(key, side)
        await self.clock.advance(0.1)
        return list(self.inputs)

    async def glow(self, lights: dict[int, LedColour]) -> dict[int, tuple[int, int, int]]:
        """Send these lights; what the LEDs' chips then hold, but for the dark ones."""
        self.bus.show(StripEncoder(BOARD.strip).encode(lights))
        await self.clock.advance(0.02)
        held = {number: (led.red, led.green, led.blue) for number, led in enumerate(self.twin.leds()) if led.level}
        return {number: colour for number, colour in held.items() if any(colour)}


@pytest.fixture
async def panel(tmp_path: Path) -> AsyncIterator[Panel]:
    clock = ManualClock()
    twin = Twin(BOARD, clock, folder=tmp_path)
    inputs: list[Input] = []
    holes = ButtonChain(BOARD, debounce_ms=10)
    bus = SpiBus(BOARD, twin.wires, clock=clock, report=inputs.extend, holes=holes)
    keys = Keys(BOARD, twin.wires, clock=clock, report=inputs.extend, decoder=KeyDecoder(debounce_ms=10))
    driving = asyncio.create_task(bus.drive())
    keys.open()
    await clock.advance(0.1)
    yield Panel(clock, twin, bus, inputs)
    keys.close()
    bus.stop()
    await clock.advance(0.1)
    driving.cancel()
    await asyncio.gather(driving, return_exceptions=True)
    twin.close()


async def test_all_46_chips_are_scanned_without_a_fault(panel: Panel) -> None:
    assert ButtonChain(BOARD, debounce_ms=10).scan_bytes == 46 + 1
    await panel.clock.advance(1)
    assert panel.inputs == [], "neither a press nor a fault"


async def test_a_press_on_green_77_is_a_press_on_hole_77_of_the_third_side(panel: Panel) -> None:
    assert await panel.press(GREEN, 77) == [HolePressed(GREEN, 77)]


@pytest.mark.parametrize("track", [BLUE, RED, GREEN])
async def test_every_hole_of_every_track_tells_its_own_number_once(panel: Panel, track: int) -> None:
    for hole in range(1, BOARD.game_hole + 1):
        assert await panel.press(track, hole) == [HolePressed(track, hole)]


async def test_three_fingers_on_three_tracks_are_three_presses(panel: Panel) -> None:
    for track in (BLUE, RED, GREEN):
        panel.twin.press(track, 121)
    await panel.clock.advance(0.1)
    assert panel.inputs == [HolePressed(track, 121) for track in (BLUE, RED, GREEN)]


async def test_every_key_tells_its_side(panel: Panel) -> None:
    for side in (BLUE, RED, GREEN):
        for key in (Key.OK, Key.CHALLENGE, Key.GO):
            assert await panel.key(key, side) == [KeyPressed(key, side)]
        assert await panel.key(Key.GO, side, 1.2) == [KeyHeld(Key.GO, side)]
    for key in (Key.UNDO, Key.MENU):
        assert await panel.key(key, None) == [KeyPressed(key, None)]


async def test_three_players_may_press_at_the_same_moment(panel: Panel) -> None:
    for side in (BLUE, RED, GREEN):
        panel.twin.key_down(Key.OK, side)
    await panel.clock.advance(0.1)
    assert sorted(panel.inputs, key=str) == [KeyPressed(Key.OK, side) for side in (BLUE, RED, GREEN)]


@pytest.mark.parametrize("track", BOARD.tracks, ids=lambda track: str(track.name))
async def test_each_light_of_a_track_is_decoded_in_its_place_and_colour(panel: Panel, track: Track) -> None:
    strongest = max(range(3), key=lambda part: track.colour[part])
    for spot in spots_of(track):
        seen = await panel.glow({spot.led: LedColour(*track.colour, BRIGHT)})
        assert seen.keys() == {spot.led}
        colour = seen[spot.led]
        assert max(range(3), key=lambda part: colour[part]) == strongest


async def test_all_lights_at_once_stay_within_the_budget(panel: Panel) -> None:
    everything: list[Spot] = [spot for track in BOARD.tracks for spot in spots_of(track)]
    await panel.glow({spot.led: LedColour(255, 255, 255, BRIGHT) for spot in everything})
    shining = [led for led in panel.twin.leds() if led.level and max(led.red, led.green, led.blue)]
    assert len(shining) == len(everything)
    full = sum((led.red + led.green + led.blue) / 255 * 20 * led.level / 31 for led in shining)
    assert full + BOARD.strip.count <= BOARD.strip.budget_ma


async def test_a_chain_that_is_away_is_one_fault_until_it_is_back(panel: Panel) -> None:
    panel.twin.unplug("buttons")
    await panel.clock.advance(0.1)
    assert panel.inputs == [Fault(FaultKind.CHAIN_BROKEN, "near end")]
    panel.twin.plug("buttons")
    await panel.clock.advance(0.1)
    assert panel.inputs[1:] == [FaultCleared(FaultKind.CHAIN_BROKEN, "near end")]


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
async def test_the_whole_device_lights_the_tracks_that_are_played_on(tmp_path: Path) -> None:
    """The daemon's own parts, put together as on a Pi; its table waits for a first game of two."""
    clock = ManualClock()
    twin = Twin(BOARD, clock, folder=tmp_path)
    config = Config(table=TableConfig(board="triple"), journal=str(tmp_path / "journal.db"))
    device, journal = open_device(config, BOARD, twin.wires, clock=clock, threaded=False)
    await device.start()
    await clock.advance(1)
    leds = twin.leds()
    lit = {number for number, led in enumerate(leds) if led.level and max(led.red, led.green, led.blue)}
    blue, red, green = BOARD.tracks
    assert {spot.led for track in (blue, red) for spot in track.starts} <= lit
    assert not {spot.led for spot in spots_of(green)} & lit
    assert twin.oled().on
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    journal.close()
    twin.close()
