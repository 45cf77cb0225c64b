"""Lets robots press and scan on the twin.

The module knows no game. Every act waits for the board's answer, is counted, and goes to a diary. The cards are those
of the twin's own deck, with labels for a noisy scanner, since plain notation has no check digit that finds a wrong bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import lru_cache
from random import Random
from typing import Any, NoReturn, Protocol

from cribboard.cards import Card
from cribd.boards import Shows, Track
from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config
from cribd.inputs import Key
from cribd.readers.decks import Deck, folder_of, save_deck
from cribd.readers.labels import write_label
from cribd.robots.press_and_scan import Presser
from cribd.table.snapshot import Snapshot
from cribd.twin.machine import Twin
from cribd.twin.noise import REPEATS, Noise, ReadError
from cribd.twin.parts import LedState
from cribd.twin.tags import CARDS, DECKS, tag_of, tags

#: A quick human press: long enough for two scans, and the release has stopped bouncing before the next one.
_DOWN_S = 0.012
_UP_S = 0.022
#: Seconds to wait for an answer, and to hold a card up where a reader may miss it.
_PATIENCE_S = 4.0
_NOISY_PATIENCE_S = 1.5
#: How often a card is held up before a robot gives up, and how many seconds it waits in between.
_MOST_TRIES = 60
_RETRY_S = 0.2
#: A little longer than the time in which the board takes a card for a repeat.
_REST_S = 1.2
#: A tag of no deck.
_STRANGE = "DEADBEEF"

#: The refusals of a card that was not read.
_UNREAD = frozenset({"read_again", "two_cards", "no_such_card", "unclear_card", "unknown_tag"})


class BoardSilent(Exception):  # noqa: N818 (what the robot saw, not what it did wrong)
    """The board did not answer a press or a scan."""


class BoardRefused(Exception):  # noqa: N818 (what the robot saw, not what it did wrong)
    """The board refused a correct press or scan."""


class SnapshotSource(Protocol):
    """The source of the board's snapshots."""

    def watch(self, see: Callable[[Snapshot], None]) -> None:
        """Call `see` with every new snapshot."""

    def failure(self) -> BaseException | None:
        """Return the exception that ended the board, or None."""


class Fingers(Presser):
    """Presses and scans on `twin`, and sees the snapshots of `device`.

    `speed` is how many times as fast as people the robots play; 0 is as fast as the machine can. While `slipping` the
    board may refuse; at any other time a refusal raises `BoardRefused`. With `noise` the board may fail to read a card:
    then the card is held up again.
    """

    _down_s = _DOWN_S

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
        super().__init__(twin, clock, shown=lambda: self.snapshot)
        self._clock: ManualClock = clock
        self._wire = twin.readers[0]
        self._noise = noise
        if noise is not None:
            twin.wires.line(self._wire.name).noise = noise.corrupt
        self._other_cards = Random(1)
        self._last_shown: dict[str, float] = {}  # when each card was taken away from the reader
        self.counts: Counter[str] = Counter()
        self.diary = diary
        self.slipping = False
        self._device = device
        self._speed = speed
        self._answers = 0
        self.snapshot = Snapshot()
        device.watch(self._see)

    def _see(self, snapshot: Snapshot) -> None:
        if snapshot.pending is None and snapshot.faults == self.snapshot.faults:
            self._answers += 1
        self.snapshot = snapshot

    async def press(self, track: int, *holes: int) -> None:
        if not self.has_buttons:
            await super().press(track, *holes)
            return
        self.diary({"press": track, "holes": list(holes)})
        await self._do_answered("presses", super().press(track, *holes), "a press")

    async def key(self, key: Key, side: int | None = None, *, long: bool = False) -> None:
        self.diary({"key": str(key), "side": side} | ({"held": True} if long else {}))
        await self._do_answered("keys", super().key(key, side, long=long), f"the key {key}")

    async def _do_answered(self, counted_as: str, pressing: Awaitable[None], what: str) -> None:
        """Count a press, do it, and wait for the board's answer. Raises `BoardSilent`, `BoardRefused`."""
        self.counts[counted_as] += 1
        self._answers = 0
        await pressing
        if not await self._is_answered(_PATIENCE_S):
            self._raise_silent(what)
        await self._look(what)

    async def scan(self, card: Card | str) -> None:
        """Hold a card before the card reader until the board answers. Raises `BoardSilent`, `BoardRefused`."""
        card, is_noisy = str(card), self._noise is not None
        self.counts["scans"] += 1
        self.diary({"scan": card})
        await self.pass_time(max(0.0, self._last_shown.get(card, -_REST_S) + _REST_S - self._clock.now()))
        before = self._event_mark()
        for _ in range(_MOST_TRIES):
            self._answers = 0
            self._present_card(card)
            answered = await self._is_answered(_NOISY_PATIENCE_S if is_noisy else _PATIENCE_S)
            self._last_shown[card] = self._clock.now()
            if self._wire.kind.reads_tags:
                self.twin.take_tags_from_field(self._wire.name)
            if not is_noisy or (answered and not self._unread(card)):
                break
            self.counts["misread"] += 1
            await self.pass_time(_RETRY_S)
            if self._event_mark() != before:
                break
        if not answered and self._event_mark() == before:
            self._raise_silent(f"the card {card}")
        mangled = self._event_mark() != before and self._unread(card)  # the board has read it, and the rest is noise
        await self._look(f"the card {card}", refused=not mangled)

    def _present_card(self, card: str) -> None:
        """Hold a card before the card reader once, or simulate a misread."""
        reader, kind = self._wire.name, self._wire.kind
        mishap = None if self._noise is None else self._noise.next_mishap()
        if mishap is ReadError.MISSED:
            return
        if not kind.reads_tags:
            is_labelled = self._noise is not None and card in CARDS
            label = write_label(DECKS[kind.reads], card) if is_labelled else card
            for _ in range(REPEATS if mishap is ReadError.REPEATED else 1):
                self.twin.scan(f"{label}\r".encode(), reader)
        elif card in CARDS:
            other = [self._other_cards.choice(CARDS)] if mishap is ReadError.STACKED else []
            self.twin.put_tags_in_field(reader, *(tag_of(stacked, kind) for stacked in dict.fromkeys([card, *other])))
        else:
            self.twin.put_tags_in_field(reader, _STRANGE)

    def _event_mark(self) -> object:
        """Return a value that changes with every event of the game.

        So it also shows that the board has accepted a card late."""
        view = self.snapshot.view
        return None if view is None else (view.deal, view.number)

    def _unread(self, card: str) -> bool:
        """Whether simulated noise kept the board from reading this card."""
        refusal = self.snapshot.refusal
        return self._noise is not None and refusal is not None and refusal.code in _UNREAD and card in CARDS

    async def wait(self, seconds: float) -> None:
        """Wait this many seconds without a press, and note the lights."""
        await self.pass_time(seconds)
        self.diary({"waited": seconds})
        self._note_lights()

    async def think(self, seconds: float) -> None:
        """Wait this many seconds, except at full speed."""
        if self._speed:
            await self.pass_time(seconds)

    async def pass_time(self, seconds: float) -> None:
        """Advance the board's time by this many seconds.

        Below full speed, let real time pass too."""
        await self._clock.advance(seconds)
        if self._speed:
            await SystemClock().sleep(seconds / self._speed)

    async def _look(self, at: str, *, refused: bool = True) -> None:
        """Wait for the end of the press, and note the lights. Raises `BoardRefused` at an unexpected refusal."""
        await self.pass_time(_UP_S)
        self._note_lights()
        refusal = self.snapshot.refusal
        # With noise the reader may fail to read a card that is not there.
        is_noise = self._noise is not None and refusal is not None and refusal.code == "read_again"
        if refusal is not None and refused and not self.slipping and not is_noise:
            raise BoardRefused(f"{at}: {self.snapshot}")

    def _note_lights(self) -> None:
        """Write the lit LEDs into the robots' diary.

        For a board without a strip, write the places of the pegs too."""
        self.diary({"lights": lights_of(self.twin)})
        if not self.twin.board.strip.count and (view := self.snapshot.view) is not None:
            self.diary({"pegs": [[side.score, side.back] for side in view.sides]})

    def _raise_silent(self, what: str) -> NoReturn:
        silent = BoardSilent(f"no answer to {what}; the board shows {self.snapshot}")
        raise silent from self._device.failure()

    async def _is_answered(self, patience_s: float) -> bool:
        waited = 0.0
        while not self._answers:
            if waited > patience_s:
                return False
            await self._clock.advance(0.005)
            waited += 0.005
        return True


@lru_cache(maxsize=4096)
def _glow(led: LedState) -> int:
    """Return the brightness of an LED.

    Cached, because most LEDs of a strip show the same."""
    return max(led.red, led.green, led.blue) * led.level


def lights_of(twin: Twin) -> list[dict[str, int]]:
    """Return the brightness of each track's lit LEDs, by name."""
    board = twin.board
    if board.strip.count:
        glow = [*map(_glow, twin.leds())]
        return [{name: glow[led] for name, led in _lamps_of(track) if glow[led]} for track in board.tracks]
    names = {Shows.DEALER: "dealer", Shows.GAMES: "match {}"}  # the others tell of presses
    lit = [led for led, is_lit in zip(board.leds, twin.pin_leds(), strict=True) if is_lit and led.shows in names]
    return [{names[led.shows].format(led.number): 1 for led in lit if led.side == track.side} for track in board.tracks]


@lru_cache
def _lamps_of(track: Track) -> list[tuple[str, int]]:
    """Return the names and LEDs of a track's holes and lamps."""
    numbered = {"": track.holes, "start ": track.starts, "match ": track.matches}
    lamps = [(f"{name}{number}", spot.led) for name in numbered for number, spot in enumerate(numbered[name], start=1)]
    single = {"dealer": track.dealer_lamp, "lap": track.lap_lamp}
    return lamps + [(name, spot.led) for name, spot in single.items() if spot is not None]


def teach_twin(config: Config) -> None:
    """Save the twin's decks in the board's data folder. Raises OSError."""
    for kind in {reader.wire.kind for reader in config.readers}:
        if kind.reads_tags:
            deck = Deck(DECKS[kind.reads], tags(kind))
            save_deck(folder_of(config.journal_path), deck)
