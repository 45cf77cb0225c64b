"""Robots play games in which calls are verified, and the bookkeeper checks every light and every verdict.

One call in five is wrong, and readers of every kind fail now and then.

    python -m tests.support.refereed_evenings [GAMES [SEED [RULES]]]

plays GAMES games (200) under each rule set, or under RULES alone, in parts of ten, with each kind of reader in turn. It
prints the differences it found, and exits with 1 if there are any.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, cycle
from pathlib import Path
from types import MappingProxyType

from tests.bookkeeper.bookkeeper import Bookkeeper, audit
from tests.support.robot_games import play_games

from cribd.wires import ReaderKind

#: Rules by name: a preset, or what a file of house rules says.
EVENINGS: Mapping[str, str] = MappingProxyType(
    {
        "six-card": "six-card",
        "britannica with muggins": 'preset = "britannica"\nmuggins = "on"\n',
        "jeux50": "jeux50",
        "acc": "acc",
        "acc with muggins": 'preset = "acc"\nmuggins = "on"\n',
    }
)
GAMES = 200
PART = 10


async def evening_of(folder: Path, *, rules: str, reader: ReaderKind, games: int, seed: int) -> Bookkeeper:
    """The bookkeeper after he has read what robots did in these games."""
    if "=" in rules:
        (folder / "house.toml").write_text(rules, encoding="utf-8")
        rules = str(folder / "house.toml")
    diary, _ = await play_games(
        "continuous",
        folder,
        rules=rules,
        games=games,
        way="verify",
        slips=0.05,
        wrong=0.2,
        noise=0.1,
        reader=reader,
        seed=seed,
        journal=folder / "evening.db",
    )
    return audit(diary, folder / "evening.db")


def main(arguments: Sequence[str]) -> int:
    """Play, and print the differences. Returns the exit code."""
    games, seed = (*map(int, arguments[:2]), *(GAMES, 1)[len(arguments) :])
    wanted = arguments[2:] or [*EVENINGS]
    found = 0
    for name, rules in ((name, EVENINGS[name]) for name in wanted):
        words: Counter[str] = Counter()
        differences: list[str] = []
        readers = cycle(ReaderKind)
        for first in range(0, games, PART):
            with tempfile.TemporaryDirectory(prefix="cribboard-evening-") as folder:
                evening = evening_of(
                    Path(folder), rules=rules, reader=next(readers), games=min(PART, games - first), seed=seed + first
                )
                keeper = asyncio.run(evening)
            words.update(verdict.kind for verdict in chain.from_iterable(keeper.verdicts))
            differences += [f"seed {seed + first}: {difference}" for difference in keeper.differences]
        print(f"{name}: {games} games, {', '.join(f'{word} {count}' for word, count in words.most_common())}")
        print(*differences[:20], f"{len(differences)} differences", sep="\n", flush=True)
        found += len(differences)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
