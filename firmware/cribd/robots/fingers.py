"""How a robot acts: presses and scans on the twin, and the snapshots that the board shows.

It knows no game. Every act waits for the answer of the board, is counted, and goes to a diary.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.position import Position
from cribd.boards import Track
from cribd.clock import ManualClock, SystemClock
from cribd.inputs import Key
from cribd.robots.hand import Hand
from cribd.robots.presses import HolePress, KeyPress, press_for
from cribd.table.snapshot import Refusal, Snapshot
from cribd.twin.machine import LedState, Twin
from cribd.twin.noise import Noise
from cribd.twin.tags import CARDS

#: A quick human press: long enough for two scans, and the release has stopped bouncing before the next one.
_DOWN_S = 0.012
_UP_S = 0.022
#: A little longer than the board takes for a key to be held.
_HELD_S = 1.05
_PATIENCE_S = 4.0
#: How often a card is held up before a robot gives up, and how many seconds it waits in between.
_HOLDS_UP = 60
_AGAIN_S = 0.2

#: The refusals of a card that was not read.
_UNREAD = frozenset({"read_again", "two_cards", "no_such_card", "unclear_card", "unknown_tag"})


class BoardSilent(Exception):  # noqa: N818 (what the robot saw, not what it did wrong)
    """The board did not answer a press or a scan."""


class BoardRefused(Exception):  # noqa: N818 (what the robot saw, not what it did wrong)
    """The board refused a correct press: board and robots no longer play the same game."""


class SnapshotSource(Protocol):
    """The board as a robot sees it."""

    def watch(self, see: Callable[[Snapshot], None]) -> None:
        """Call `see` with every new snapshot."""

    def failure(self) -> BaseException | None:
        """The exception that ended the board, if one did."""


class Fingers:
    """Presses holes and keys of `twin`, scans cards, and sees the snapshots of `device`.

    `speed` is how many times as fast as people the robots play; 0 is as fast as the machine can. While `slipping` the
    board may refuse; at any other time a refusal raises `BoardRefused`. With `noise` the board may fail to read a card:
    then the card is held up again.
    """

    def __init__(
        self,
        twin: Twin,
        device: SnapshotSource,
        clock: ManualClock,
        *,
        speed: float,
        diary: Callable[[dict[str, Any]], None],
        noise: Noise | None = None,
    ) -> None:
        self.twin = twin
        self._lamps = [_lamps(track) for track in twin.board.tracks]
        self._hand = Hand(twin, clock, noise)
        self.counts: Counter[str] = Counter()
        self.diary = diary
        self.slipping = False
        self._device = device
        self._clock = clock
        self._speed = speed
        self._answers = 0
        self.snapshot = Snapshot()
        device.watch(self._see)

    def _see(self, snapshot: Snapshot) -> None:
        if snapshot.pending is None and snapshot.faults == self.snapshot.faults:
            self._answers += 1
        self.snapshot = snapshot

    async def do(self, action: Action, p: Position) -> None:
        """Do this action of a robot. `p` is where the game stands."""
        match press_for(action, p, self.twin.board):
            case HolePress(side, hole):
                await self.press(side, hole)
            case KeyPress(key, side, long):
                await self.key(key, side, held=long)
            case card:
                await self.scan(card)

    async def press(self, track: int, *holes: int) -> None:
        """Press a hole, or several at the same moment."""
        self.counts["presses"] += 1
        self.diary({"press": track, "holes": list(holes)})
        with self._answered():
            for hole in holes:
                self.twin.press(track, hole)
            await self.pass_time(_DOWN_S)
            for hole in holes:
                self.twin.release(track, hole)
            await self._wait_for_answer("a press")
        await self._look("a press")

    async def key(self, key: Key, side: int | None = None, *, held: bool = False) -> None:
        """Press a key: short, or `held` for its long press."""
        self.counts["keys"] += 1
        self.diary({"key": str(key), "side": side} | ({"held": True} if held else {}))
        with self._answered():
            self.twin.key_down(key, side)
            await self.pass_time(_HELD_S if held else _DOWN_S)
            self.twin.key_up(key, side)
            await self._wait_for_answer(f"the key {key}")
        await self._look(f"the key {key}")

    async def scan(self, card: Card | str) -> None:
        """Hold a card before the reader until the board has read it."""
        self.counts["scans"] += 1
        self.diary({"scan": str(card)})
        await self.pass_time(self._hand.rest(str(card)))
        before = self._taken()
        for _ in range(_HOLDS_UP):
            with self._answered():
                await self._hand.hold_up(str(card))
                answered = await self._is_answered(self._hand.patience_s or _PATIENCE_S)
                self._hand.take_away()
            if answered and not self._unread(str(card)):
                break
            if self._hand.noisy:
                self.counts["misread"] += 1
                await self.pass_time(_AGAIN_S)
            if self._taken() != before or not self._hand.noisy:
                break
        if not answered and self._taken() == before:
            self._unanswered(f"the card {card}")
        mangled = self._taken() != before and self._unread(str(card))  # the board has read it, and the rest is noise
        await self._look(f"the card {card}", refused=not mangled)

    def _taken(self) -> object:
        """A value that changes when the board takes a card, even late."""
        view = self.snapshot.view
        return None if view is None else (view.deal, view.number)

    def _is_noise(self, refusal: Refusal) -> bool:
        """Whether the refusal is an effect of noise: the reader failed to read a card that is not there."""
        return self._hand.noisy and refusal.code == "read_again"

    def _unread(self, card: str) -> bool:
        """Whether the board could not read a real card."""
        refusal = self.snapshot.refusal
        return self._hand.noisy and refusal is not None and refusal.code in _UNREAD and card in CARDS

    async def wait(self, seconds: float) -> None:
        """Press nothing for this time, and note the lights."""
        await self.pass_time(seconds)
        self.diary({"waited": seconds})
        self._note_lights()

    async def think(self, seconds: float) -> None:
        """Press nothing for this time, except at full speed."""
        if self._speed:
            await self.pass_time(seconds)

    async def pass_time(self, seconds: float) -> None:
        """Advance the board's time, and at a given speed wait for it."""
        await self._clock.advance(seconds)
        if self._speed:
            await SystemClock().sleep(seconds / self._speed)

    async def _look(self, at: str, *, refused: bool = True) -> None:
        """Wait for the end of the press, note the lights, and raise `BoardRefused` at a refusal."""
        await self.pass_time(_UP_S)
        self._note_lights()
        refusal = self.snapshot.refusal
        if refusal is not None and refused and not self.slipping and not self._is_noise(refusal):
            raise BoardRefused(f"{at}: {self.snapshot}")

    def _note_lights(self) -> None:
        """Write the lit LEDs into the diary, read from the chips alone."""
        leds = self.twin.leds()
        self.diary({"lights": [_glowing(lamps, leds) for lamps in self._lamps]})

    @contextlib.contextmanager
    def _answered(self) -> Any:
        self._answers = 0
        yield

    async def _wait_for_answer(self, to: str) -> None:
        if not await self._is_answered(_PATIENCE_S):
            self._unanswered(to)

    def _unanswered(self, to: str) -> None:
        unanswered = BoardSilent(f"no answer to {to}; the board shows {self.snapshot}")
        raise unanswered from self._device.failure()

    async def _is_answered(self, patience_s: float) -> bool:
        waited = 0.0
        while not self._answers:
            if waited > patience_s:
                return False
            await self._clock.advance(0.005)
            waited += 0.005
        return True


def _lamps(track: Track) -> list[tuple[str, int]]:
    """The holes and lamps of a track by name, and the LED of each."""
    spots = {str(number): spot for number, spot in enumerate(track.holes, start=1)}
    spots |= {f"start {number}": spot for number, spot in enumerate(track.starts, start=1)}
    spots |= {f"match {number}": spot for number, spot in enumerate(track.matches, start=1)}
    spots["dealer"] = track.dealer_lamp
    if track.lap_lamp is not None:
        spots["lap"] = track.lap_lamp
    return [(name, spot.led) for name, spot in spots.items()]


def _glowing(lamps: Sequence[tuple[str, int]], leds: Sequence[LedState]) -> dict[str, int]:
    """The brightness of the lit ones, whatever their colour."""
    lit = [(name, led) for name, number in lamps if (led := leds[number]).level]
    return {name: light for name, led in lit if (light := max(led.red, led.green, led.blue) * led.level)}
