"""A board whose wires are recorded: everything that anybody can see or hear of it, with its time.

The tests of design law 9 play one deal on two such boards, step by step, under rules that differ only in what something
is worth. Blue is side 0 and deals, red is side 1 and leads.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from tests.support.fake_speaker import FakeSpeaker
from tests.support.seats import BLUE, RED

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig, TableConfig
from cribd.daemon import open_device
from cribd.inputs import Key
from cribd.robots.fingers import Fingers
from cribd.table.snapshot import Line, Snapshot
from cribd.text import languages
from cribd.twin.machine import Twin
from cribd.voice.speech_process import Speech
from cribd.voice.voice import Voice


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
#: When, and what it then was: the LEDs, the dots of the OLED, the tone of the buzzer in hertz.
Seen = tuple[float, object, bytes, float]


def scans(cards: str) -> list[Step]:
    return [Scan(card) for card in cards.split()]


# Blue cuts the lower card and deals; red leads. 31 by blue's ace, then blue's go and red's go point, then blue's last.
BEGIN = [Hit(Key.OK, BLUE), *scans("4H 9S")]
TO_THIRTY_ONE = scans("TH KS JH AC")
TO_THE_RUN = [*TO_THIRTY_ONE, *scans("9H 8C 7D")]
TO_THE_GO = [*TO_THE_RUN, Hit(Key.GO, BLUE)]
TO_THE_LAST = [*TO_THE_GO, *scans("QC")]


def house_rules(folder: Path, values: Mapping[str, object]) -> Path:
    """A file of house rules with these values. All such rules have the same name."""
    folder.mkdir()
    file = folder / "rules.toml"
    rules = {"preset": "six-card", "name": "House", "match": 8, "telling": "club", **values}
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in rules.items()))
    return file


class WatchedBoard:
    """One board, and all that it ever showed (`seen`) or said (`aloud`), with the time of each."""

    def __init__(self, folder: Path, parameter: str, worth: int, **more: object) -> None:
        self.rules = house_rules(folder, {parameter: worth, **more})
        self.clock = ManualClock()
        self.board = load("continuous")
        self.twin = Twin(self.board, self.clock, folder=folder, rng=Random(1))
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
            language: Voice(FakeSpeaker(self._hear), clock=self.clock, quiet=None, sound=lambda: "on")
            for language in languages()
        }
        self.speaking = [asyncio.create_task(voice.run()) for voice in self.voices.values()]
        self.device.watch(self._speak)

    def _see(self, _: int) -> None:
        self.seen.append((self.clock.now(), self.twin.leds(), self.twin.oled().pixels, self.twin.buzzer_hz()))

    def _speak(self, snapshot: Snapshot) -> None:
        """Say it in every language at once."""
        for language, voice in self.voices.items():
            voice.publish(replace(snapshot, language=language))

    def _hear(self, speech: Speech | None) -> None:
        self.aloud.append((self.clock.now(), speech))

    async def start(self) -> None:
        await self.device.start()
        await self.clock.advance(1)

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
        """Scan a card. The board's clock stands still."""
        before = self.shown
        self.twin.scan(f"{card}\r".encode())
        await self.clock.run_ready_tasks(lambda: self.shown != before)
        assert self.shown != before, f"{card} was not answered"

    def _count(self, snapshot: Snapshot) -> None:
        self.shown += 1

    async def menu_to(self, line: Line) -> None:
        """Open the menu, if need be, and step to this line."""
        while self.fingers.snapshot.menu is None or self.fingers.snapshot.menu.current.line is not line:
            await self.fingers.key(Key.MENU)

    async def open_count_judge(self) -> None:
        await self.menu_to(Line.JUDGE)
        await self.do([Hit(Key.OK, RED)])
        assert self.fingers.snapshot.judging is not None

    async def try_count_judge(self) -> None:
        """Everything that the count judge takes, and then MENU, which leaves it: a hand of the deal, numbers, hand or
        crib, a card too many, the rules, UNDO."""
        self.fingers.slipping = True
        await self.do(scans("TH KS JC AC 5C"))
        for hole in (2, 3, 7, 8, 12):
            await self.fingers.press(RED, hole)
        await self.do([Hit(Key.GO, BLUE), Scan("QD"), Hit(Key.OK, BLUE)])
        await self.fingers.key(Key.UNDO)
        await self.fingers.key(Key.MENU)
        self.fingers.slipping = False
        assert self.fingers.snapshot.judging is None

    async def leave(self) -> None:
        stopping = asyncio.create_task(self.device.stop())
        while not stopping.done():
            await self.clock.advance(0.01)
        for task in self.speaking:
            task.cancel()
        self.journal.close()
        self.twin.close()
