"""Fuzz test: sends random bytes through every reader and random inputs to a real table.

The board must survive: the table still runs, its game equals its log, and each refusal has its texts in both
languages. The only I/O is the journal in the folder that is given. The same seed gives the same run. `make bench`
makes a long run, `tests/device/tools/test_fuzz.py` a short one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random

from cribboard.cards import PACK
from cribboard.evolution import fold
from cribboard.rules import RULES, Way
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import (
    CardRead,
    Fault,
    FaultCleared,
    FaultKind,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeyPressed,
    KeysTogether,
    MultipleCards,
    MultipleTags,
    OtherDeck,
    ReadFailed,
    TagRead,
    UnknownTag,
)
from cribd.languages import languages
from cribd.readers import Decoder
from cribd.readers.labels import CARDS, write_label
from cribd.readers.pn532 import ACK
from cribd.readers.scan_resolver import ScanResolver
from cribd.readers.serial_reader import decoder_of
from cribd.storage.journal import Journal
from cribd.table.settings import Policy, Settings
from cribd.table.snapshot import Refusal, Snapshot
from cribd.table.table import Table
from cribd.text import count_judge
from cribd.text import load as phrases_in
from cribd.wires import ReaderKind, ReaderWire

#: A board is switched on for so many inputs, and then another.
_PER_BOARD = 2000
#: So many inputs come before the loop has its turn.
_AT_ONCE = 16
_SIDES = (0, 1, 2)
_KEYS = (*[Key.OK] * 12, *[Key.GO] * 4, *[Key.CHALLENGE] * 2, Key.UNDO, Key.MENU)
_DECK = {f"01{number:08X}": ("rouge" if number % 9 else "bleu", card) for number, card in enumerate(CARDS)}


class Broken(Exception):  # noqa: N818 (what the fuzz test found)
    """The board failed the fuzz test."""


@dataclass(slots=True)
class Totals:
    """The number of strings and inputs sent to the boards, and of their answers; refusals by their codes."""

    strings: int = 0
    inputs: int = 0
    read: int = 0
    acts: int = 0
    games: int = 0
    refusals: Counter[str] = field(default_factory=Counter)


async def fuzz_boards(folder: Path, *, strings: int, inputs: int, seed: int = 1) -> Totals:
    """Send random byte strings and inputs to boards in `folder`. Raises `Broken` if a board fails."""
    rng, totals = Random(seed), Totals()
    kinds = cycle((name, way) for name in RULES for way in (Way.VERIFY, Way.AUTO, Way.VERIFY, Way.TRUST))
    for number in range(-(-inputs // _PER_BOARD)):
        name, way = next(kinds)
        share = min(_PER_BOARD, inputs - number * _PER_BOARD) / inputs
        board = _FuzzedBoard(folder / f"{number}.db", name, way, totals, rng)
        await board.run(round(strings * share), min(_PER_BOARD, inputs - number * _PER_BOARD))
    return totals


class _FuzzedBoard:
    """One board under the fuzz test."""

    def __init__(self, path: Path, name: str, way: Way, totals: Totals, rng: Random) -> None:
        self._path = path
        self._rng = rng
        self._totals = totals
        self._clock = ManualClock()
        self._journal = Journal(path, self._clock)
        self._scan_resolver = ScanResolver(_DECK.get, repeat_ms=20)
        self._readers: dict[ReaderKind, Decoder] = {
            kind: decoder_of(ReaderWire(kind.value, kind)) for kind in ReaderKind
        }
        self._explained: set[object] = set()
        self._unexplained = ""
        self._table = Table(
            board=load("triple"),
            journal=self._journal,
            clock=self._clock,
            settings=Settings(rules=RULES[name], way=way),
            policy=Policy(languages=languages(), pages=count_judge.pages, release_after_ms=3000),
            publish=self._see,
        )

    async def run(self, strings: int, inputs: int) -> None:
        running = asyncio.create_task(self._table.run())
        try:
            self._table.load()
            await self._hear([KeyPressed(Key.OK, 0)])
            each = max(1, inputs // _AT_ONCE)
            for turn in range(each):
                batch = list(self._inputs(inputs // each))
                read = self._bytes(strings * (turn + 1) // each - strings * turn // each)
                await self._hear([*batch, *read])
                if self._rng.random() < 0.02:
                    await self._clock.advance(3.1)
                if self._unexplained:
                    raise Broken(self._unexplained)
                if running.done():
                    raise Broken(f"{self._path.name}: the table has ended") from running.exception()
            self._consistent()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            self._journal.close()
        for left in self._path.parent.glob(f"{self._path.name}*"):
            left.unlink()

    async def _hear(self, inputs: Sequence[Input]) -> None:
        for given_input in inputs:
            self._table.post([given_input])
            if not self._table.has_no_input:
                await self._clock.run_ready_tasks(lambda: self._table.has_no_input)

    def _inputs(self, many: int) -> Iterator[Input]:
        for _ in range(many):
            self._totals.inputs += 1
            yield self._rng.choice(_MAKERS)(self._rng)

    def _bytes(self, many: int) -> list[Input]:
        """Return the inputs that readers of all kinds and the scan resolver make of `many` random strings."""
        heard: list[Input] = []
        for _ in range(many):
            self._totals.strings += 1
            kind = self._rng.choice(list(ReaderKind))
            reader, now = self._readers[kind], self._clock.now()
            found = [*reader.tick(now), *reader.feed(_string(self._rng), now)]
            reader.to_send()
            heard += self._scan_resolver.resolve(found, now)
        self._totals.read += len(heard)
        return heard

    def _see(self, snapshot: Snapshot) -> None:
        refusal = snapshot.refusal
        if refusal is not None:
            self._totals.refusals[refusal.code] += 1
            self._unexplained = self._unexplained or self._explain(refusal, snapshot)

    def _explain(self, refusal: Refusal, snapshot: Snapshot) -> str:
        """Return what is missing in the texts of a refusal; "" if it has lines in each language."""
        known = refusal.code, str(refusal.values)
        if known in self._explained:
            return ""
        self._explained.add(known)
        lines: list[str] = []
        for language in languages():
            lines += phrases_in(language).seated_for(snapshot.view).refusal(refusal)
        for line in lines:
            if not line or "{" in line.replace(str(refusal.values.get("text")), ""):
                return f"{refusal} is not explained: {line!r}"
            if line.startswith(("refusal.", "instead.")):
                return f"{refusal} has no words: {line}"
        return ""

    def _consistent(self) -> None:
        """Check that the table, the log and the journal have the same game. Raises `Broken`."""
        stored = self._journal.latest_game()
        position = self._table.position
        if stored is None:
            if position is not None:
                raise Broken(f"{self._path.name}: there is a game that the journal does not hold")
            return
        self._totals.games += stored.id
        self._totals.acts += len(stored.game.log)
        if not stored.game.position == position == fold(stored.game.beginning, stored.game.log):
            raise Broken(f"{self._path.name}: the game is not what its log says")


# Random inputs and bytes


def _hole(rng: Random) -> Input:
    return HolePressed(rng.choice(_SIDES), rng.randint(1, rng.choice((12, 40, 121))))


def _key(rng: Random) -> Input:
    key = rng.choice(_KEYS)
    side = None if key in (Key.MENU, Key.UNDO) else rng.choice(_SIDES)
    held = rng.random() < (0.7 if key is Key.MENU else 0.1)  # held, it leaves the menu
    return KeyHeld(key, side) if held else KeyPressed(key, side)


def _card(rng: Random) -> Input:
    side = rng.choice(_SIDES) if rng.random() < 0.1 else None
    return CardRead(str(rng.choice(PACK)), "north", side)


def _rubbish(rng: Random) -> Input:
    text = "".join(rng.choice("A23456789TJQKCDHS?01\ufffd{}%é\x00 ") for _ in range(rng.randrange(12)))
    tag = f"01{rng.randrange(60):08X}"
    return rng.choice(
        (
            CardRead(text),
            MultipleCards((text, str(rng.choice(PACK)))),
            MultipleCards(()),
            OtherDeck("bleu"),
            UnknownTag(tag),
            TagRead(tag),
            MultipleTags((tag, tag)),
            ReadFailed(),
            KeysTogether(),
            Fault(rng.choice(list(FaultKind)), "north"),
            FaultCleared(rng.choice(list(FaultKind)), "north"),
        )
    )


_MAKERS: tuple[Callable[[Random], Input], ...] = (_hole, _key, _key, _card, _card, _rubbish)


def _string(rng: Random) -> bytes:
    """Return random bytes as a wire may bring them: noise, or a message of a reader, mostly damaged."""
    match rng.randrange(5):
        case 0:
            return rng.randbytes(rng.randrange(40))
        case 1:
            said = f"{rng.choice(CARDS)}\r".encode()
        case 2:
            said = write_label("rouge", rng.choice(CARDS)).encode() + b"\r"
        case 3:
            number = bytes.fromhex(rng.choice(list(_DECK)))
            check = 0
            for byte in number:
                check ^= byte
            said = b"\x02" + (number + bytes((check,))).hex().upper().encode() + b"\x03"
        case _:
            uid = bytes(rng.randrange(256) for _ in range(rng.choice((4, 7, 10, 5))))
            body = b"\xd5\x4b\x01\x01\x00\x04\x08" + bytes((len(uid),)) + uid
            said = ACK + b"\x00\x00\xff" + bytes((len(body), -len(body) & 255)) + body + bytes((-sum(body) & 255, 0))
    if rng.random() < 0.5:
        at = rng.randrange(len(said))
        said = said[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(3))) + said[at + 1 :]
    return said
