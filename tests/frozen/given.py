"""The given files, from which the frozen outputs are made: records, journals, and scripts of evenings.

    python -m tests.frozen --given

makes records, journals and scripts again. That was done once, by the version whose outputs are frozen: owners have
such files on their disks.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.support.players import Players
from tests.support.seats import BLUE, RED, Table, card

from .product import (
    RULES,
    Acted,
    Agree,
    Ask,
    Heading,
    LayCard,
    LetLieDead,
    Question,
    Record,
    Way,
    changed,
    load_board,
    play,
    read_label,
    record,
)

GIVEN = Path(__file__).parent / "given"
RECORDS, EVENINGS, JOURNALS = GIVEN / "records", GIVEN / "evenings", GIVEN / "journals"
COMPETITIONS = GIVEN / "competitions"
BOARDS = GIVEN / "boards"

#: Each preset to hole 31, so that a whole game is short.
SHORT: Mapping[str, Mapping[str, Any]] = {
    "six-card": {"target": 31, "skunk_line": 16},
    "three-player": {"target": 31},
    "partners": {"target": 31, "skunk_line": 16},
    "six-player": {"target": 31},
    "fadoq": {"target": 31, "no_single_point_from": 26},
    "five-card": {"target": 32},
    "britannica": {"target": 31, "skunk_line": 16},
    "jeux50": {"target": 31},
    "acc": {"target": 31, "skunk_line": 16, "double_skunk_line": 8},
}
#: What else a club plays, by preset.
VARIANTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "muggins": ("britannica", {"muggins": "on"}),
    "acc-muggins": ("acc", {"muggins": "on"}),
    "exact-out": ("britannica", {"exact_out": "on"}),
    "lurch": ("five-card", {"skunk_line": 16}),
    "bury": ("six-player", {"six_player_deal": "bury"}),
    "component": ("fadoq", {"single_point_rule": "component"}),
    "out-only": ("fadoq", {"single_point_rule": "out_only"}),
    "coach": ("six-card", {"telling": "coach"}),
    "tournament": ("three-player", {"telling": "tournament"}),
}
#: In this game a rule bars a single point.
_SEEDS = {"fadoq-verify": "fadoq verify 5"}
#: What the sides do about a false go.
_FALSE_GOS: Mapping[str, tuple[str, Sequence[Any]]] = {
    "told": ("six-card", ()),
    "taken-back": ("six-card", (Ask(BLUE, Question.ROLL_BACK), Agree(RED))),
    "paid-for": ("acc", (Agree(BLUE),)),
    "dead": ("acc", (LetLieDead(BLUE),)),
}
#: A walk in which a claim of the game costs points.
_PENALTIES = 26
#: Out of so many random walks, the one with the most kinds of events is kept.
_WALKS = 12
_NAMES = ("Maude", "Réjean", "Zoë & Bob")
#: The evenings that robots play: preset, what is changed in it, way, how many of their acts are kept.
_ROBOTS = {
    "verify": ("six-card", {}, "verify", 100),
    "auto": ("six-card", {}, "auto", 35),
    "trust": ("six-card", {}, "trust", 80),
    "acc": ("acc", {}, "verify", 45),
    "muggins": ("acc", {"muggins": "on"}, "verify", 45),
    "three-player": ("three-player", {}, "verify", 40),
    "partners": ("partners", {}, "verify", 30),
    "fadoq": ("fadoq", {}, "trust", 60),
    "five-card": ("five-card", {}, "verify", 30),
}
#: Evenings whose scripts are written by hand.
_BY_HAND = ("by-hand", "match")


def make() -> None:
    """Write records and scripts again."""
    for read in (evenings, records, journals):
        read.cache_clear()
    for folder in (RECORDS, EVENINGS, JOURNALS):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            if old.stem not in _BY_HAND:
                old.unlink()
    for name, played in _records():
        (RECORDS / f"{name}.txt.gz").write_bytes(packed(record.write(played).encode()))
    for name, script in _evenings():
        (EVENINGS / f"{name}.txt").write_text(script, encoding="utf-8")


def make_journals(journals: Mapping[str, bytes]) -> None:
    """Write these journals, packed."""
    for name, content in journals.items():
        (JOURNALS / f"{name}.db.gz").write_bytes(packed(content))


def packed(content: bytes) -> bytes:
    """The content, packed. The same content gives the same bytes."""
    return gzip.compress(content, 9, mtime=0)


# Records


def _records() -> Iterator[tuple[str, Record]]:
    for preset, short in SHORT.items():
        for way in Way:
            most = 35 if way is Way.AUTO and preset not in ("six-card", "five-card") else None
            yield (
                f"{preset}-{way}",
                _played(preset, short, way, seed=_SEEDS.get(f"{preset}-{way}", f"{preset} {way}"), most=most),
            )
    for name, (preset, changes) in VARIANTS.items():
        yield f"verify-{name}", _played(preset, {**SHORT[preset], **changes}, Way.VERIFY, seed=name, most=65)
    seen: set[str] = set()
    for preset, way in (*((preset, Way.VERIFY) for preset in RULES), ("six-card", Way.TRUST), ("six-card", Way.AUTO)):
        walks = [_walked(preset, way, seed) for seed in range(_WALKS)]
        rarest = max(walks, key=lambda walk: len(kinds(walk) - seen))
        seen |= kinds(rarest)
        yield f"{preset}-walk" + ("" if way is Way.VERIFY else f"-{way}"), rarest
    yield "acc-walk-penalties", _walked("acc", Way.VERIFY, _PENALTIES)
    for name, (preset, answers) in _FALSE_GOS.items():
        yield f"false-go-{name}", _false_go(preset, answers)


def kinds(walk: Record) -> set[str]:
    """The names of the actions and events that a record has."""
    acts = {type(event.action).__name__ for event in walk.events if isinstance(event, Acted)}
    return acts | {type(event).__name__ for event in walk.events}


def _played(preset: str, changes: Mapping[str, Any], way: Way, *, seed: str, most: int | None = None) -> Record:
    """A game by players who now and then err: a whole one, or its first `most` acts."""
    rules = changed(RULES[preset], changes)
    heading = Heading(rules=rules, way=way, names=_NAMES[: len(rules.sides)], date="2026-02-14", board="continuous")
    game = heading.begin()
    players = Players(seed, slips=0.12)
    if most is None:
        players.play(game)
    for _ in range(most or 0):
        game.do(players.act(game.position))
    return Record(heading, game.log)


def _walked(preset: str, way: Way, seed: int) -> Record:
    """The beginning of a game of random legal actions: false gos, misdeals, undos. Every fourth is broken off."""
    heading, rng = Heading(rules=RULES[preset], way=way), Random(f"{preset} {way} {seed}")
    game = heading.begin()
    for _ in range(45):
        kinds: dict[str, list[Any]] = {}
        for action in game.expected():
            kinds.setdefault(type(action).__name__, []).append(action)
        names = [name for name in kinds if name != "BreakOff"]
        forward = [name for name in names if name not in ("UndoOfficially", "Undo")]
        names = forward if forward and rng.random() < 0.95 else names
        if names:
            game.do(rng.choice(kinds[rng.choice(names)]))
    if seed % 4 == 0 and (ends := [action for action in game.expected() if type(action).__name__ == "BreakOff"]):
        game.do(ends[0])
    return Record(heading, game.log)


def _false_go(preset: str, answers: Sequence[Any]) -> Record:
    """Red says go at 25 with a five in hand, and lays it later; then the sides answer."""
    heading = Heading(rules=RULES[preset], way=Way.VERIFY, dealer=RED)
    table = Table("verify", rules=heading.rules)
    table.starter("KS")
    table.play("T Q 5 go A go+1")
    table.do(LayCard(RED, card("5D")), *answers)
    table.play("2" if table.now.seen(card("5D")) else "5D")
    return Record(heading, table.game.log)


# Evenings


def _evenings() -> Iterator[tuple[str, str]]:
    for name, (preset, changes, way, most) in _ROBOTS.items():
        rules = changed(RULES[preset], {**SHORT[preset], **changes})
        board = "triple" if len(rules.sides) > 2 else "continuous"
        acts = _robots(rules.label, way, board)
        yield name, "\n".join([f"# {board} {way} {rules.label}", *acts[:most], ""])


def _robots(label: str, way: str, board: str) -> list[str]:
    """What robots do in a game, one act a line."""
    diary: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder, "house.toml")
        house.write_text(_house_rules(label), encoding="utf-8")
        asyncio.run(
            play(
                load_board(board),
                Path(folder),
                rules=str(house),
                games=1,
                way=way,
                slips=0.1,
                wrong=0.2,
                seed=3,
                diary=diary.append,
                progress=lambda _: None,
                screen=False,
            )
        )
    return [line for entry in diary for line in _lines(entry)]


def _house_rules(label: str) -> str:
    preset, *changes = label.split(" ")
    said = (change.partition("=")[::2] for change in changes)
    values = (f"{key} = {value if value.isdecimal() else json.dumps(value)}" for key, value in said)
    return "\n".join([f'preset = "{preset.partition("/")[0]}"', *values, ""])


def _lines(entry: Mapping[str, Any]) -> Iterator[str]:
    match entry:
        case {"scan": text}:
            yield f"scan {text}"
        case {"press": track, "holes": [hole]}:
            yield f"hole {track} {hole}"
        case {"press": track, "holes": holes}:
            yield " + ".join(f"hole {track} {hole}" for hole in holes)
        case {"key": key, "side": side, "held": True}:
            yield f"hold {key}" if side is None else f"hold {key} {side}"
        case {"key": key, "side": side}:
            yield str(key) if side is None else f"{key} {side}"
        case {"waited": seconds}:
            yield f"wait {seconds}"


def parts(name: str) -> dict[str, str]:
    """The parts of a given file, by the heading of each."""
    _, *found = (GIVEN / f"{name}.txt").read_text(encoding="utf-8").split("\n--- ")
    return {head: body for head, _, body in (part.partition("\n") for part in found)}


@cache
def evenings() -> dict[str, tuple[str, str, str, list[str]]]:
    """Each evening by name: its board, way, label of rules, and acts."""
    found = {}
    for file in sorted(EVENINGS.glob("*.txt")):
        head, *acts = file.read_text(encoding="utf-8").splitlines()
        _, board, way, label = head.split(" ", 3)
        read_label(label)
        found[file.stem] = board, way, label, [act for act in acts if act and not act.startswith("#")]
    return found


@cache
def records() -> Mapping[str, str]:
    """The text of every record, by its name."""
    return {path.name.partition(".")[0]: gzip.decompress(path.read_bytes()).decode() for path in _files(RECORDS)}


@cache
def journals() -> Mapping[str, bytes]:
    """Every journal, by its name."""
    return {path.name.partition(".")[0]: gzip.decompress(path.read_bytes()) for path in _files(JOURNALS)}


@cache
def competitions() -> Mapping[str, str]:
    """The text of every record of a competition, by its name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(COMPETITIONS.glob("*.txt"))}


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.gz"))
