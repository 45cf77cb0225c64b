"""Plays a week of games under random faults: `python -m tools.soak` (`make soak`).

Seven days, each with rules, a way of scoring, a board and a reader of its own. Robots play the games of a day on the
twin, in virtual time. Before some of their acts a fault is made or a plug is pulled; later it is mended. A fault of the
disk is there while they act: the board must refuse what it cannot write, say so, and count nothing; the act is done
again afterwards. After each mending the board must name no fault any more within two seconds, and the game must stand
where it stood. Each evening the board is switched off, and the next day begins on the same journal.

It prints a line a game and, at the end, what was measured. It fails if memory, open files, threads or the journal grow
beyond their bounds, if a fault does not heal, or if the journal lacks a game or has another result than the robots saw.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tools.progress import Progress

from cribboard.cards import Card
from cribboard.rules import Way
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig, SoundConfig, TableConfig, rules_of
from cribd.daemon import open_device
from cribd.inputs import FaultKind, Key
from cribd.robots.fingers import BoardRefused, Fingers, teach_twin
from cribd.robots.self_play import SelfPlay
from cribd.storage.archive import Archive
from cribd.table.table import Table
from cribd.twin.faults import OF_THE_DISK, FaultName, TwinFault, default
from cribd.twin.machine import Pluggable, Twin
from cribd.wires import ReaderKind

SoakStep = Callable[[], Awaitable[None]]

#: The share of acts before which a fault is made.
_SHARE = 0.02
#: The most points of a count.
_MOST_POINTS = 29
#: How long a fault stays, in seconds, and in how many it must have healed.
_SHORT_S, _LONG_S, _HEALS_S = 0.01, 60.0, 2.0
#: How long a disk takes that is slow, and how long one fails, in seconds.
_SLOW_S, _FAILS_S = 1, 5.0
#: What may be added from the evening of the second day to that of the last.
_MORE_MEMORY_KB, _MORE_FILES, _MORE_THREADS = 10_000, 0, 0
#: The most bytes of the journal for a game.
_GAME_BYTES = 250_000


@dataclass(frozen=True, slots=True)
class Day:
    """The rules, way, board and reader of a day of games."""

    rules: str
    way: str
    board: str = "continuous"
    reader: ReaderKind = ReaderKind.SCANNER


WEEK = (
    Day("six-card", "verify"),
    Day("acc", "verify", board="classic"),
    Day("partners", "auto", reader=ReaderKind.PN532),
    Day("five-card", "trust"),
    Day("three-player", "verify", board="triple"),
    Day("fadoq", "auto", board="classic"),
    Day("britannica", "verify", reader=ReaderKind.RDM6300),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """The resources that the process uses in the evening of a day."""

    memory_kb: int
    files: int
    threads: int

    @classmethod
    def now(cls) -> Measured:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        memory_kb = pages * os.sysconf("SC_PAGE_SIZE") // 1024
        return cls(memory_kb, len(os.listdir("/proc/self/fd")), threading.active_count())


class SoakFailed(Exception):  # noqa: N818 (what the board did, not an error of the program)
    """The board failed a check of the soak test."""


@dataclass(slots=True)
class RandomFaults:
    """Makes random faults, and checks that the board recovers from them."""

    rng: Random
    made: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    """How many acts the board refused because the disk took nothing."""
    slowest_s: float = 0.0

    async def around(self, fingers: Soaked, act: SoakStep) -> None:
        """Do the act. Before some acts, make a fault and mend it; during others, let the disk fail."""
        holds = fingers.holds_a_peg
        if self.rng.random() < _SHARE:
            name = self.rng.choice([*Pluggable, *FaultName])
            if isinstance(name, FaultName) and name in OF_THE_DISK:
                self.made[name] += 1
                if await self._is_taken(name, fingers, act):
                    return
            elif name is not FaultName.STUCK or fingers.passed_holes:
                self.made[name] += 1
                await self._before(name, fingers)
        if holds and not fingers.holds_a_peg:
            return  # on trust it was released by time, as this act would release it
        await act()

    async def _is_taken(self, name: FaultName, fingers: Soaked, act: SoakStep) -> bool:
        """Do the act while the disk fails, and mend the disk. Returns whether the board has accepted the act."""
        before = fingers.lines
        slow = name is FaultName.SLOW_FSYNC
        fingers.twin.make(TwinFault(name, _SLOW_S) if slow else default(name, fingers.twin.board))
        with suppress(BoardRefused):
            await act()
        refusal = fingers.snapshot.refusal
        refused = refusal is not None and refusal.code == "not_kept"
        if refused:
            await fingers.pass_time(self.rng.uniform(_SHORT_S, _FAILS_S))
        kinds = [fault.kind for fault in fingers.snapshot.faults]
        if kinds != ([FaultKind.JOURNAL_AWAY] if refused else []):
            raise SoakFailed(f"{name}: an act was {'refused' if refused else 'taken'}, and the faults are {kinds}")
        if refused and slow:
            raise SoakFailed(f"{name}: an act was refused that is only slow to write")
        if fingers.lines != before and (refused or name is FaultName.READ_ONLY):  # a full disk may have room in the log
            raise SoakFailed(f"{name}: the game moved on, and nothing was written")
        self.refused += refused
        fingers.twin.mend(name)
        await self._healed(name, fingers)
        if refused and fingers.snapshot.refusal is not None:
            raise SoakFailed(f"{name}: {fingers.snapshot.refusal} is still there")
        return not refused

    async def _before(self, name: Pluggable | FaultName, fingers: Soaked) -> None:
        """Make a fault, mend it, and check that the board recovers."""
        before = fingers.position
        if isinstance(name, Pluggable):
            fingers.twin.unplug(name)
        else:
            value = self.rng.choice(fingers.passed_holes) if name is FaultName.STUCK else None
            fingers.twin.make(default(name, fingers.twin.board) if value is None else TwinFault(name, value))
        await fingers.pass_time(self.rng.uniform(_SHORT_S, _LONG_S))
        if isinstance(name, Pluggable):
            fingers.twin.plug(name)
        else:
            fingers.twin.mend(name)
        await self._healed(name, fingers)
        if fingers.position != before:
            raise SoakFailed(f"{name}: the game moved on by itself")

    async def _healed(self, name: str, fingers: Soaked) -> None:
        waited = 0.0
        while fingers.snapshot.faults:
            if waited > _HEALS_S:
                raise SoakFailed(f"{name}: {fingers.snapshot.faults} is still there after {_HEALS_S} s")
            await fingers.pass_time(0.05)
            waited += 0.05
        self.slowest_s = max(self.slowest_s, waited)
        await fingers.pass_time(_HEALS_S)  # the contacts are at rest, and a card may be shown again


class Soaked(Fingers):
    """Robot fingers at a board whose parts fail from time to time."""

    table: Table
    faults: RandomFaults

    @property
    def position(self) -> object:
        """The state of the game, which changes with each act. None in a trust game, where time releases pegs."""
        latest = self.table.latest
        return None if latest is None or latest.heading.way is Way.TRUST else self.lines

    @property
    def lines(self) -> tuple[int, int]:
        """The number of the game, and the number of lines in its log."""
        latest = self.table.latest
        return (0, 0) if latest is None else (latest.id, len(latest.game.log))

    @property
    def holds_a_peg(self) -> bool:
        """Whether a peg is in hand."""
        view = self.snapshot.view
        return view is not None and any(side.in_hand is not None for side in view.sides)

    @property
    def passed_holes(self) -> list[tuple[int, int]]:
        """The side and number of each button hole where no count can end, in this lap and the next."""
        view = self.snapshot.view
        if view is None:
            return []
        return [
            (track.side, number)
            for track in self.twin.board.tracks[: len(view.sides)]
            for number, hole in enumerate(track.holes[:-1], 1)  # the last is the game hole
            if hole.input
            and number < view.sides[track.side].back
            and number + len(track.holes) - 1 > view.sides[track.side].score + _MOST_POINTS
        ]

    async def press(self, track: int, *holes: int) -> None:
        act = super().press
        await self.faults.around(self, lambda: act(track, *holes))

    async def key(self, key: Key, side: int | None = None, *, long: bool = False) -> None:
        act = super().key
        await self.faults.around(self, lambda: act(key, side, long=long))

    async def scan(self, card: Card | str) -> None:
        act = super().scan
        await self.faults.around(self, lambda: act(card))


async def play(
    day: Day, games: int, folder: Path, seed: int, faults: RandomFaults, progress: Progress
) -> list[list[int]]:
    """Play the games of a day on the journal in `folder`. Returns the score of each side in each game."""
    clock, board = ManualClock(), load(day.board)
    config = Config(
        table=TableConfig(rules=day.rules, way=day.way),
        sound=SoundConfig(volume=0.0),
        readers=(ReaderConfig(port="twin", kind=day.reader.value),),
        journal=str(folder / "journal.db"),
    )
    rules = rules_of(config, board)[0].rules
    teach_twin(config)
    twin = Twin(board, clock, folder=folder / "wires", rng=Random(seed), readers=[r.wire for r in config.readers])
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    fingers = Soaked(twin, device, clock, speed=0, diary=lambda _: None)
    fingers.table, fingers.faults = device.table, faults
    working = asyncio.create_task(twin.run())
    scores: list[list[int]] = []
    try:
        await device.start()
        await clock.advance(0.1)
        robots = SelfPlay(device.table, fingers, seed, rules=rules, wrong=0.0 if day.way == "trust" else 0.2)
        for number in range(1, games + 1):
            last = await robots.play_game()
            scores.append([side.score for side in last.sides])
            progress(f"{day.rules}, {day.way}: game {number} of {games}, {faults.made.total()} faults so far")
    finally:
        stopping = asyncio.create_task(device.stop())
        while not stopping.done():
            await clock.advance(0.01)
        working.cancel()
        for task in (stopping, working):
            with suppress(asyncio.CancelledError):
                await task
        journal.close()
        twin.close()
    return scores


def check(evenings: list[Measured], path: Path, scores: list[list[int]]) -> None:
    """Check the measured values against their bounds, and the journal against the scores. Raises `SoakFailed`."""
    if len(evenings) > 2:
        early, late = evenings[1], evenings[-1]
        for what, more in (("memory_kb", _MORE_MEMORY_KB), ("files", _MORE_FILES), ("threads", _MORE_THREADS)):
            was, now = getattr(early, what), getattr(late, what)
            if now > was + more:
                raise SoakFailed(f"{what}: {was} on the second day, {now} on the last; allowed are {more} more")
    size = sum(file.stat().st_size for file in path.parent.glob("journal.db*"))
    if size > _GAME_BYTES * len(scores):
        raise SoakFailed(f"the journal has {size} bytes for {len(scores)} games; allowed are {_GAME_BYTES} each")
    archive = Archive(path)
    kept = [list(archive.scores(archive.ended(number))) for number in range(1, len(scores) + 1)]
    if kept != scores:
        raise SoakFailed("the journal has other results than the robots saw")


def main(arguments: list[str]) -> int:
    """Play the week, and print the measured values. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description="play a week under random faults")
    parser.add_argument("--games", type=int, default=60, metavar="N", help="how many games a day")
    parser.add_argument("--days", type=int, default=len(WEEK), choices=range(1, len(WEEK) + 1), metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)
    faults, scores, evenings = RandomFaults(Random(options.seed)), list[list[int]](), list[Measured]()
    progress = Progress(every_s=5)
    try:
        with tempfile.TemporaryDirectory(prefix="cribboard-soak-") as name:
            folder = Path(name)
            for number, day in enumerate(WEEK[: options.days]):
                seed = options.seed * len(WEEK) + number
                scores += asyncio.run(play(day, options.games, folder, seed, faults, progress))
                evenings.append(Measured.now())
                print(f"{day.rules:12} {evenings[-1]}")
            check(evenings, folder / "journal.db", scores)
    except SoakFailed as failed:
        print(f"Failed: {failed}", file=sys.stderr)
        return 1
    healed = f"healed in {faults.slowest_s:.2f} s at the most"
    print(f"{len(scores)} games, {faults.made.total()} faults, {healed}; the disk refused {faults.refused} acts:")
    print("  " + ", ".join(f"{name} {count}" for name, count in sorted(faults.made.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
