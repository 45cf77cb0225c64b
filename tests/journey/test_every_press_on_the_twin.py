"""Every press at every moment, at the simulated board: from the buttons through chips, wires and drivers to
the game, and back to LEDs, screen, buzzer and journal.

What the row tells was found at a table without any hardware. Here the same fingers are on the twin, and what is seen
and heard comes from its chips alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from itertools import count, cycle
from pathlib import Path

import pytest
from tests.support.presses import Row, outcome_of, walks
from tests.support.presses.outcome import Outcome, Walk
from tests.support.presses.steps import OffAndOn, Step, Together, Wait, read
from tests.support.sweeps import IS_WHOLE, by_turns, mostly_long, one_in

from cribboard.events import Event
from cribboard.position import Phase
from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig, SoundConfig, TableConfig
from cribd.daemon import Device, open_device
from cribd.display.screen import screen_image
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyHeld, KeyPressed
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.snapshot import Refusal, Snapshot
from cribd.text import load as phrases_in
from cribd.twin.machine import Twin
from cribd.twin.parts import LedState

pytestmark = pytest.mark.shares("the outcomes of all presses")

#: A short touch, and the time until the bounce of the release is over.
DOWN_S, UP_S = 0.012, 0.022
#: Longer than a key must be held.
HELD_S = 1.05
#: Within this a picture is on the screen, with every other wire busy.
SOON_S = 0.2
#: A little longer than the board takes a card that comes again for one that lies there still.
LIES_THERE_S = 1.2
BLINK_S = 0.5
#: How long the board may take to answer; only a test that fails takes it.
PATIENCE_S = 2.0


class Bench:
    """One board on its twin, and what it showed and sounded last."""

    def __init__(self, board: Board, folder: Path, *, rules: str, way: str, language: str) -> None:
        self.board = board
        self._folder = folder
        self._clock = ManualClock()
        self._config = Config(
            table=TableConfig(rules=rules, way=way, language=language),
            sound=SoundConfig(volume=1.0),
            readers=(ReaderConfig(port="twin"),),
            journal=str(folder / "journal.db"),
        )
        self.twin: Twin
        self.journal: Journal
        self.snapshot = Snapshot()
        self.sounded = False
        self.answers = 0
        self._held_up: dict[CardRead, float] = {}
        self._device: Device

    async def switch_on(self) -> None:
        self.twin = Twin(self.board, self._clock, folder=self._folder)
        self.twin.listen(self._hear)
        self._device, self.journal = open_device(
            self._config, self.board, self.twin.wires, clock=self._clock, threaded=False
        )
        self._device.watch(self._see)
        await self._device.start()
        await self._clock.advance(SOON_S)

    async def switch_off(self) -> None:
        stopping = asyncio.create_task(self._device.stop())
        while not stopping.done():
            await self._clock.advance(0.01)
        with suppress(asyncio.CancelledError):
            await stopping
        self.journal.close()
        self.twin.close()

    def _see(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.answers += snapshot.pending is None

    def _hear(self, _: int) -> None:
        self.sounded = self.sounded or self.twin.buzzer_hz() > 0

    def forget(self) -> None:
        """What was sounded and shown until now counts no more."""
        self.sounded, self.answers = False, 0

    async def pass_time(self, seconds: float) -> None:
        await self._clock.advance(seconds)

    async def do(self, step: Step) -> None:
        """Somebody does this at the board, and waits until it has answered."""
        self.forget()
        match step:
            case Wait(seconds):
                await self._clock.advance(seconds)
            case OffAndOn():
                await self.switch_off()
                await self.switch_on()
            case Together(inputs):
                cards = [given_input for given_input in inputs if isinstance(given_input, CardRead)]
                await self._wait_until_taken_away(cards)
                for given_input in inputs:
                    self._touch(given_input)
                held = any(isinstance(given_input, KeyHeld) for given_input in inputs)
                await self._clock.advance(HELD_S if held else DOWN_S)
                for given_input in inputs:
                    self._let_go(given_input)
                await self._clock.advance(UP_S)
                await self._answered(step)
                self._held_up |= dict.fromkeys(cards, self._clock.now())

    async def _wait_until_taken_away(self, cards: Sequence[CardRead]) -> None:
        """Or one would be the card that was held up just now."""
        lies_there_until = [self._held_up[card] + LIES_THERE_S for card in cards if card in self._held_up]
        if lies_there_until:
            await self._clock.advance(max(0.0, max(lies_there_until) - self._clock.now()))

    async def _answered(self, step: Step) -> None:
        latest = self._clock.now() + PATIENCE_S
        while not self.answers:
            assert self._clock.now() < latest, f"no answer to {step}; the board shows {self.snapshot}"
            await self._clock.advance(0.005)

    def _touch(self, given_input: Input) -> None:
        match given_input:
            case HolePressed(track, hole):
                self.twin.press(track, hole)
            case KeyPressed(key, side) | KeyHeld(key, side):
                self.twin.key_down(key, side)
            case CardRead(text):
                self.twin.scan(f"{text}\r".encode())

    def _let_go(self, given_input: Input) -> None:
        match given_input:
            case HolePressed(track, hole):
                self.twin.release(track, hole)
            case KeyPressed(key, side) | KeyHeld(key, side):
                self.twin.key_up(key, side)

    def log(self) -> tuple[Event, ...]:
        """What the journal holds of the newest game."""
        stored = self.journal.latest_game()
        return () if stored is None else stored.game.log

    async def look(self) -> list[tuple[LedState, ...]]:
        """The LEDs over one blink; the screen has time to change."""
        await self._clock.advance(SOON_S)
        seen = []
        for _ in range(10):
            await self._clock.advance(BLINK_S / 10)
            seen.append(self.twin.leds())
        return seen


@asynccontextmanager
async def bench(
    model: Board, *, way: str, language: str, folder: Path, rules: str = "six-card"
) -> AsyncIterator[Bench]:
    board = Bench(model, folder, rules=rules, way=way, language=language)
    await board.switch_on()
    yield board
    await board.switch_off()


def glows(light: LedState) -> bool:
    return bool(light.level and (light.red or light.green or light.blue))


def assert_pegs(board: Board, snapshot: Snapshot, seen: list[tuple[LedState, ...]]) -> None:
    """Front pegs burn in their holes, a peg in hand blinks in its own, and the dealer's lamp burns."""
    view = snapshot.view if snapshot.looking is None else snapshot.looking.view
    if view is None or view.phase is Phase.WON:  # lights run round the winner's track
        return
    for side, track in zip(view.sides, board.tracks, strict=False):  # a track may have no player
        front = board.hole_of(side.score, view.target)
        spot = track.holes[front - 1] if front else track.starts[0]
        assert all(glows(leds[spot.led]) for leds in seen)
        assert track.dealer_lamp is not None
        assert glows(seen[-1][track.dealer_lamp.led]) == (view.dealer_side == track.side)
        if side.in_hand is not None and side.in_hand != side.score:
            blinking = track.holes[board.hole_of(side.in_hand, view.target) - 1]
            assert len({leds[blinking.led] for leds in seen}) > 1


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("walk", "language"),
    mostly_long([*zip(walks(), cycle(languages()), strict=False)][:: one_in(3)], every=2),
    ids=str,
)
def test_the_board_does_what_the_rows_say(walk: Walk, language: str, tmp_path: Path) -> None:
    """One in six rows of each walk, with the first of each moment; at a table without hardware every row is tried. In
    the languages by turns; tests/device/table/test_every_press.py says that a language changes words alone."""
    firsts = {row.moment: row for row in reversed(walk.rows)}.values()
    outcomes = {
        row: outcome_of(row, language) for at, row in enumerate(walk.rows) if at % one_in(6) == 0 or row in firsts
    }
    asyncio.run(press_all(outcomes, language, tmp_path))


async def press_all(outcomes: Mapping[Row, Outcome], language: str, folder: Path) -> None:
    """A board goes on while there is a row that it has not passed."""
    left = list(outcomes)
    moment, way = left[0].moment, left[0].way
    for number in count():
        if not left:
            return
        own = folder / str(number)
        async with bench(load(moment.board), rules=moment.rules, way=way, language=language, folder=own) as board:
            done: tuple[str, ...] = ()
            refused: Refusal | None = None
            for row in [*left]:
                if row.steps[: len(done)] == done:
                    try:
                        for step in row.steps[len(done) :]:
                            await board.do(read(step))
                        still_told = refused if row.steps == done else None
                        assert board.snapshot == replace(outcomes[row].before, refusal=still_told)
                        await press(row, board, outcomes[row])
                    except (AssertionError, pytest.fail.Exception) as failed:
                        failed.add_note(f"{row}, on board {number} of the walk")
                        raise
                    done = row.steps if outcomes[row].stays else (*row.steps, row.press.step)
                    refused = outcomes[row].after.refusal
                    left.remove(row)


async def press(row: Row, board: Bench, outcome: Outcome) -> None:
    await board.do(read(row.press.step))
    assert board.snapshot == outcome.after

    seen = await board.look()
    if outcome.after.refusal is not None:
        assert board.sounded, "a refusal is heard"
    oled = board.twin.oled()
    assert oled.on
    assert oled.pixels == screen_image(outcome.after, phrases_in(outcome.after.language)).tobytes()
    assert_pegs(board.board, outcome.after, seen)

    assert board.log() == outcome.log
    assert len(board.journal.games()) == outcome.games


# A palm on the keys


PALMS: dict[str, list[tuple[Key, int | None]]] = {
    "all": [(pin.key, pin.side) for pin in load("continuous").keys],
    "red": [(Key.OK, 1), (Key.GO, 1), (Key.CHALLENGE, 1)],
    "blue and the two of all": [(Key.CHALLENGE, 0), (Key.UNDO, None), (Key.GO, 0), (Key.MENU, None), (Key.OK, 0)],
}
#: Red is to play at 25, red has a peg in hand, and nobody has begun.
MOMENTS = {"at 25": "ok.blue 9H 4C 6C TC 5D TD", "peg in hand": "ok.blue 9H 4C 6C TC 5D red:2", "lobby": ""}


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("palm", "moment"), by_turns([*PALMS], [*MOMENTS]))
def test_a_palm_on_the_keys_is_one_clear_line_and_leaves_the_game_as_it_was(
    palm: str, moment: str, tmp_path: Path
) -> None:
    """All keys at once, or one after the other: each palm does both, at moments that take turns."""
    both = (0.0, 0.015)
    first = ([*PALMS].index(palm) + [*MOMENTS].index(moment)) % 2
    for every in both if IS_WHOLE else both[first : first + 1]:
        asyncio.run(mash(PALMS[palm], MOMENTS[moment], every, tmp_path / str(every)))


async def mash(palm: list[tuple[Key, int | None]], steps: str, every: float, folder: Path) -> None:
    async with bench(load("continuous"), way="verify", language="en", folder=folder) as board:
        for step in steps.split():
            await board.do(read(step))
        before, log = board.snapshot, board.log()
        board.forget()
        for key, side in palm:
            board.twin.key_down(key, side)
            await board.pass_time(every)
        await board.pass_time(HELD_S)
        for key, side in palm:
            board.twin.key_up(key, side)
            await board.pass_time(every)
        await board.pass_time(HELD_S)
        assert board.answers == 1
        assert board.snapshot == replace(before, refusal=Refusal("two_keys"))
        assert board.sounded
        assert board.log() == log


# Two fingers on one track


@pytest.mark.slow
def test_a_second_finger_on_the_track_a_moment_later_does_not_move_the_peg(tmp_path: Path) -> None:
    asyncio.run(slip(tmp_path))


async def slip(folder: Path) -> None:
    async with bench(load("continuous"), way="verify", language="en", folder=folder) as board:
        for step in ("ok.blue", "9H", "4C", "6C", "TC", "5D"):
            await board.do(read(step))
        board.twin.press(1, 2)
        await board.pass_time(0.015)
        board.twin.press(1, 3)
        await board.pass_time(0.5)
        assert board.snapshot.refusal == Refusal("two_holes")
        assert board.snapshot.view is not None
        assert board.snapshot.view.sides[1].in_hand == 2
        assert board.sounded
