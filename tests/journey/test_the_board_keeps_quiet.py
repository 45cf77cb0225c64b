"""Design law 9, on the wires: until a claim is closed the board tells nobody what is due.

Two boards play the same cards with the same fingers, under rules that differ only in what something is worth. All that
leaves them (LEDs, screen, buzzer, voice, and when) must be equal, bit for bit and microsecond for microsecond, until
the claim is let go; and then it must differ, or this test could not fail.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from cribd.boards import load
from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config, ReaderConfig, TableConfig
from cribd.daemon import open_device
from cribd.inputs import Key
from cribd.robots.fingers import Fingers
from cribd.table.snapshot import Snapshot
from cribd.text import languages
from cribd.twin.machine import Twin
from cribd.voice.aloud import Voice
from cribd.voice.speaker import Speech

BLUE, RED = 0, 1


@dataclass(frozen=True)
class Scan:
    card: str


@dataclass(frozen=True)
class Press:
    side: int
    points: int


@dataclass(frozen=True)
class Hit:
    key: Key
    side: int


Step = Scan | Press | Hit
Seen = tuple[float, object, bytes, float]


def scans(cards: str) -> list[Step]:
    return [Scan(card) for card in cards.split()]


# Blue cuts the lower card and deals; red leads. 31 by blue's ace, then blue's go and red's go point, then blue's last.
BEGIN = [Hit(Key.OK, BLUE), *scans("4H 9S")]
TO_THIRTY_ONE = scans("TH KS JH AC")
TO_THE_RUN = [*TO_THIRTY_ONE, *scans("9H 8C 7D")]
TO_THE_GO = [*TO_THE_RUN, Hit(Key.GO, BLUE)]
RUN_CLAIMED: list[Step] = [Press(RED, 3), Hit(Key.OK, RED)]
TO_THE_LAST = [*TO_THE_GO, *scans("QC")]


@dataclass(frozen=True)
class Case:
    """`steps` end with a peg in hand; `close` lets it go. `parameter` is worth `one` or `other`."""

    parameter: str
    one: int
    other: int
    steps: Sequence[Step]
    close: Sequence[Step]


CASES = (
    Case("his_heels", 2, 3, [*BEGIN, Scan("JD"), Press(BLUE, 3)], [Hit(Key.OK, RED)]),
    Case("thirty_one", 2, 3, [*BEGIN, Scan("5H"), *TO_THIRTY_ONE, Press(BLUE, 3)], [Hit(Key.OK, BLUE)]),
    Case("go", 1, 2, [*BEGIN, Scan("5H"), *TO_THE_RUN, *RUN_CLAIMED, Hit(Key.GO, BLUE), Press(RED, 1)], [Scan("QC")]),
    Case("last_card", 1, 2, [*BEGIN, Scan("5H"), *TO_THE_LAST, Press(BLUE, 1)], [Hit(Key.OK, RED)]),
    Case("his_nobs", 1, 0, [*BEGIN, Scan("5H"), *TO_THE_LAST, Press(RED, 9)], [Hit(Key.OK, BLUE)]),
)


def house_rules(folder: Path, values: Mapping[str, object]) -> Path:
    """Rules in which something is worth more or less; all of them are house rules, and called by the same name."""
    folder.mkdir()
    file = folder / "rules.toml"
    told = {"preset": "six-card", "name": "House", "match": 8, "telling": "club", **values}
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items()))
    return file


class Ear:
    """Stands where espeak-ng stands, and hears what it would be told to say, and when."""

    def __init__(self, hear: Callable[[Speech | None], None]) -> None:
        self._hear = hear

    def say(self, speech: Speech) -> None:
        self._hear(speech)

    def hush(self) -> None:
        self._hear(None)

    async def run(self) -> None:
        await asyncio.Event().wait()


class Watched:
    """One board, and everything that was ever seen or heard of it, with the time."""

    def __init__(self, folder: Path, parameter: str, worth: int, **more: object) -> None:
        self.rules = house_rules(folder, {parameter: worth, **more})
        self.clock = ManualClock()
        self.board = load("continuous")
        self.twin = Twin(self.board, self.clock, folder=folder, chance=Random(1))
        self.config = Config(
            table=TableConfig(rules=str(self.rules)),
            readers=(ReaderConfig(port="twin"),),
            journal=str(folder / "journal.db"),
        )
        self.device, self.journal = open_device(
            self.config, self.board, self.twin.wires, clock=self.clock, threaded=False
        )
        self.fingers = Fingers(self.twin, self.device, self.clock, speed=0, diary=lambda entry: None)
        self.shown = 0
        self.device.watch(self._count)
        self.seen: list[Seen] = []
        self.twin.listen(self._see)
        self.aloud: list[tuple[float, Speech | None]] = []
        self.voices = {
            language: Voice(Ear(self._hear), clock=self.clock, quiet=None, sound=lambda: "on")
            for language in languages()
        }
        self.speaking = [asyncio.create_task(voice.run()) for voice in self.voices.values()]
        self.device.watch(self._speak)

    def _see(self, _: int) -> None:
        light = tuple(self.twin.leds())
        self.seen.append((self.clock.now(), light, self.twin.oled().pixels, self.twin.buzzer_hz()))

    def _speak(self, snapshot: Snapshot) -> None:
        """In every language at once."""
        for language, voice in self.voices.items():
            voice.hear(replace(snapshot, language=language))

    def _hear(self, speech: Speech | None) -> None:
        self.aloud.append((self.clock.now(), speech))

    async def do(self, steps: Sequence[Step]) -> None:
        for step in steps:
            match step:
                case Scan(card):
                    await self.scan(card)
                case Press(side, points):
                    view = self.fingers.snapshot.view
                    assert view is not None
                    await self.fingers.press(side, view.sides[side].score + points)
                case Hit(key, side):
                    await self.fingers.key(key, side)
            await self.clock.advance(1)

    async def scan(self, card: str) -> None:
        """The bytes go through the kernel's terminal, which takes real time; the board's clock stands still for it."""
        before = self.shown
        self.twin.scan(f"{card}\r".encode())
        for _ in range(2000):
            await SystemClock().sleep(0.001)
            if self.shown != before:
                await self.clock.settle()
                return
        pytest.fail(f"{card} was not answered")

    def _count(self, snapshot: Snapshot) -> None:
        self.shown += 1

    async def leave(self) -> None:
        stopping = asyncio.create_task(self.device.stop())
        while not stopping.done():
            await self.clock.advance(0.01)
        for task in self.speaking:
            task.cancel()
        self.journal.close()
        self.twin.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.parameter)
async def test_what_is_due_is_seen_by_nobody_before_the_claim_is_closed(case: Case, tmp_path: Path) -> None:
    quiet: list[list[Seen]] = []
    told: list[list[Seen]] = []
    hushed: list[list[tuple[float, Speech | None]]] = []
    aloud: list[list[tuple[float, Speech | None]]] = []
    for name, worth in (("one", case.one), ("other", case.other)):
        board = Watched(tmp_path / name, case.parameter, worth)
        await board.device.start()
        await board.clock.advance(1)
        await board.do(case.steps)
        quiet.append(list(board.seen))
        hushed.append(list(board.aloud))
        assert len(board.aloud) >= 2 * len(languages())
        board.seen.clear()
        board.aloud.clear()
        await board.do(case.close)
        told.append(list(board.seen))
        aloud.append(list(board.aloud))
        await board.leave()
    assert len(quiet[0]) > 20
    assert quiet[0] == quiet[1]
    assert hushed[0] == hushed[1]
    assert told[0] != told[1]
    assert aloud[0] != aloud[1]


async def test_a_score_that_nobody_claims_stays_unsaid(tmp_path: Path) -> None:
    """Thirty-one is reached and forgotten; the board plays on as if nothing had been due."""
    seen = []
    for name, worth in (("one", 2), ("other", 5)):
        board = Watched(tmp_path / name, "thirty_one", worth)
        await board.device.start()
        await board.clock.advance(1)
        await board.do([*BEGIN, Scan("5H"), *TO_THE_GO])
        seen.append(list(board.seen))
        await board.leave()
    assert seen[0] == seen[1]
