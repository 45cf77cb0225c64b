"""Reads the verdict of each claim from the lines of a record, to be compared with the bookkeeper's judgement.

It must never import anything of the product: it reads lines as the description of a game record spells them, from a
journal, which holds the same lines, or from a record as text. It trusts none of them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from tests.bookkeeper.claims_by_the_rules import Verdict
from tests.bookkeeper.lights_by_the_rules import NAMES, Difference

_JUDGED = re.compile(r"judged (\w+) ([a-z-]+) (\S+) called (\d+) due (\d+)")
_RULED = re.compile(r"ruled (\w+) \+(\d+) ([a-z-]+)(?: by (\S+))?")
_MUGGINS = re.compile(r"muggins (\w+) ([a-z-]+) against \w+ called (\d+) missed (\d+)")
_UNDONE = re.compile(r"undone to (\d+)")
_NUMBERED = re.compile(r" *\d+ +(.*)")


def games_of(path: Path) -> list[list[Verdict]]:
    """The verdicts of each game of a journal, or of the one game of a record."""
    if path.read_bytes()[:6] != b"SQLite":
        body = path.read_text(encoding="utf-8").split("\n\n")[1]
        return [verdicts([found[1] for line in body.splitlines() if (found := _NUMBERED.fullmatch(line))])]
    journal = sqlite3.connect(path)
    try:
        games: dict[int, list[str]] = {}
        for game, line in journal.execute("SELECT game, line FROM line ORDER BY game, number"):
            games.setdefault(game, []).append(line)
    finally:
        journal.close()
    return [verdicts(lines) for lines in games.values()]


def verdicts(lines: Sequence[str]) -> list[Verdict]:
    """The verdicts in these lines that were not undone. A line is numbered by its place."""
    stands: list[str] = []
    for line in lines:
        undone = _UNDONE.fullmatch(line)
        if undone:
            stands = stands[: int(undone[1])] + [""] * (len(stands) - int(undone[1]))
        stands.append(line)
    return [verdict for verdict in map(_read, stands) if verdict is not None]


def _read(line: str) -> Verdict | None:
    if found := _JUDGED.match(line):
        side, word, about, called, due = found.groups()
        *_, latest = about.split("+")  # with a hand, the void points of the play that were still open are closed (3.1)
        what = latest if latest in ("hand", "crib") else "play"
        worth = int(called) if word == "exact" else int(due)  # on the way out less is enough
        return Verdict(word, NAMES.index(side), int(called), worth, what)
    if found := _RULED.fullmatch(line):
        side, points, word, ground = found.groups()
        return Verdict(word, NAMES.index(side), int(points), what="muggins" if ground == "muggins" else "play")
    if found := _MUGGINS.match(line):
        side, word, called, missed = found.groups()
        return Verdict(word, NAMES.index(side), int(called), int(missed), "muggins")
    return None


def compare(mine: Sequence[Sequence[Verdict]], theirs: Iterable[Sequence[Verdict]]) -> Iterator[Difference]:
    """Compare every verdict of every game, in order. After its first difference a game is not compared further."""
    for number, (game, recorded) in enumerate(zip_longest(mine, theirs, fillvalue=()), start=1):
        for at, (one, other) in enumerate(zip_longest(game, recorded), start=1):
            if one != other:
                yield f"verdict {at} of game {number}", one, other
                break
