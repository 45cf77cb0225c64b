"""`cribboard demo`: robots play whole games on the twin.

Drivers, journal, lights and screen are the real ones, down to the simulated wires, and run in virtual time. The command
prints its progress, and at the end how many presses and scans a deal took.

The diary (`--diary`) has one JSON object a line. Sides, tracks and seats are numbers from 0:

- the options of the robots, once: `way`, `board`, `rules` (their label), `slips`, `wrong`, `seed`; and `level` if
  it was asked for
- the seat that deals: `deal`
- what fingers did: `press` on a track with its `holes`; `key` with its `side`, null for UNDO and MENU, and `held` if it
  was; `scan` with what the reader read; or nothing for so many seconds: `waited`
- what was said aloud: `call` is the side that calls, with its `seat`, the `points`, what they are `for` (`turned`,
  `laid`, `gowon`, `counted`, `crib`), and the `card` or `cards`; where the table trusts, also `say`: "go", with its
  `side` and `seat`
- what glowed on each track after each act, by the name of its hole or lamp: `lights`
- how a game ended: `result` by side, `winner`, `skunked`
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from cribboard.rules import RulesError
from cribboard.strategy import RobotLevel
from cribboard.validation import Message
from cribd.boards import Board, BoardError, load
from cribd.causes import unreadable
from cribd.cli.errors import CommandRefused, Exit, unwritable
from cribd.cli.options import add_json, add_language, add_rules
from cribd.cli.progress import draw
from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config, LightsConfig, ReaderConfig, SoundConfig, TableConfig, rules_of
from cribd.config.house_rules import load_rules
from cribd.daemon import open_device
from cribd.robots.fingers import Fingers, teach_twin
from cribd.robots.self_play import SelfPlay
from cribd.storage.journal import JournalAway, JournalBusy
from cribd.table.rule_sets import RuleSet, misfits
from cribd.text import Phrases
from cribd.twin.machine import Twin
from cribd.twin.noise import Noise
from cribd.wires import ReaderKind

_SIDES = ("blue", "red", "green")
#: Seconds between two lines of progress, where the output is no terminal.
LINE_S = 5.0


@dataclass(slots=True)
class DemoTally:
    """The totals of a demo."""

    games: Counter[int] = field(default_factory=Counter)
    skunks: int = 0
    deals: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def averages(self) -> dict[str, float]:
        """Return the average presses, keys and scans of a deal."""
        return {what: self.counts[what] / max(1, self.deals) for what in ("presses", "keys", "scans")}


Diary = Callable[[dict[str, Any]], None]
ShowTally = Callable[[DemoTally], None]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=1, metavar="N")
    parser.add_argument("--way", choices=("trust", "verify", "auto"), default="verify")
    add_rules(parser)
    parser.add_argument("--board", metavar="NAME")
    parser.add_argument("--speed", type=float, default=0, metavar="N")
    for share in ("--slips", "--wrong", "--noise"):
        parser.add_argument(share, type=float, default=0, metavar="SHARE")
    parser.add_argument("--level", choices=tuple(level.value for level in RobotLevel))
    parser.add_argument("--reader", choices=tuple(kind.value for kind in ReaderKind), default="scanner")
    parser.add_argument("--journal", type=Path, metavar="FILE")
    parser.add_argument("--diary", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    add_language(parser, "--language")
    add_json(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Play games, and print the results. Returns the exit code."""
    for name in ("slips", "wrong", "noise"):
        if not 0 <= getattr(options, name) <= 1:
            raise CommandRefused(words.say("command.demo.share", name=name, value=getattr(options, name)))
    if options.games < 1 or options.speed < 0:
        raise CommandRefused(words.say("command.demo.amounts"))
    if options.journal and os.path.exists(options.journal):
        raise CommandRefused(words.say("command.demo.journal_there", file=options.journal))
    try:
        _play_and_print(options, words)
    except OSError as wrong:
        raise CommandRefused(unwritable(wrong.filename, wrong, words) if wrong.filename else str(wrong)) from wrong
    except BoardError as wrong:
        raise CommandRefused(*map(words.problem, wrong.lines)) from wrong
    except UnicodeDecodeError as wrong:
        raise CommandRefused(words.problem(unreadable(f"--board {options.board}", wrong))) from wrong
    except (JournalBusy, JournalAway) as wrong:
        raise CommandRefused(words.problem(wrong)) from wrong
    return Exit.DONE


def _play_and_print(options: argparse.Namespace, words: Phrases) -> None:
    """Play games, and print the results.

    Raises `RulesError` if the rules cannot be played at all, or cannot be played on this board."""
    chosen = RuleSet(*load_rules(options.rules))
    sides = _SIDES[: len(chosen.rules.sides)]
    board = load(options.board or ("triple" if len(sides) > 2 else "continuous"))
    if problems := tuple(misfits(chosen, board)):
        raise RulesError(tuple(Message("sentence", "{clause}.", clause=problem) for problem in problems))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribboard-demo-")))
        diary: Diary = _ignore
        if options.diary:
            pages = stack.enter_context(options.diary.open("w", encoding="utf-8"))
            diary = lambda entry: print(json.dumps(entry), file=pages)  # noqa: E731 (one line, one use)
        same = ("rules", "games", "way", "language", "speed", "slips", "wrong", "seed", "journal", "noise")
        tally = asyncio.run(
            play(
                board,
                folder,
                **{name: getattr(options, name) for name in same},
                reader=ReaderKind(options.reader),
                level=RobotLevel(options.level) if options.level else None,
                diary=diary,
                progress=_ignore if options.json else _progress(options.games, words),
            )
        )
    print((_as_json if options.json else _as_text)(tally, options, words, chosen.title, board.name, sides))


async def play(
    board: Board,
    folder: Path,
    *,
    rules: str = "six-card",
    games: int,
    way: str,
    language: str = "en",
    speed: float = 0,
    slips: float = 0,
    wrong: float = 0,
    seed: int = 1,
    diary: Diary,
    progress: ShowTally,
    screen: bool = True,
    journal: Path | None = None,
    noise: float = 0,
    reader: ReaderKind = ReaderKind.SCANNER,
    level: RobotLevel | None = None,
) -> DemoTally:
    """Let robots play games on a twin. Returns the totals.

    `rules` is the name of a preset, or the path of a house rules file. `journal` None: the journal is in `folder`; the
    deck of tags is stored beside it. `noise` is the share of readings of the `reader` that fail. `screen` False: the
    screen is unplugged. `level`: how well robots choose their cards; None for by rote. Raises `ConfigError` for rules
    that do not fit the board.
    """
    clock = ManualClock()
    config = Config(
        table=TableConfig(rules=rules, way=way, language=language, blue="Robot 1", red="Robot 2", green="Robot 3"),
        lights=LightsConfig(),
        sound=SoundConfig(volume=0.0),
        readers=(ReaderConfig(port="twin", kind=reader.value),),
        journal=str(journal or folder / "journal.db"),
    )
    played, _ = rules_of(config, board)
    teach_twin(config)
    twin = Twin(board, clock, folder=folder, rng=Random(seed), readers=[own.wire for own in config.readers])
    if not screen:
        twin.unplug("screen")
    device, journal_file = open_device(config, board, twin.wires, clock=clock, threaded=False)
    heading = {"way": way, "board": board.name, "rules": played.rules.label}
    diary({**heading, "slips": slips, "wrong": wrong, "seed": seed, **({"level": level} if level else {})})

    def write(entry: dict[str, Any]) -> None:
        diary(entry)
        if "deal" in entry:
            tally.deals = robots.deals
            progress(tally)

    fingers = Fingers(
        twin, device, clock, speed=speed, diary=write, noise=Noise(noise, Random(seed)) if noise else None
    )
    robots = SelfPlay(device.table, fingers, seed, rules=played.rules, slips=slips, wrong=wrong, level=level)
    tally = DemoTally(counts=fingers.counts)
    readers = asyncio.create_task(twin.run(), name="twin's readers")
    try:
        await device.start()
        await clock.advance(0.1)
        for _ in range(games):
            last = await robots.play_game()
            assert last.winner is not None
            tally.games[last.winner] += 1
            tally.skunks += last.skunked
            tally.deals = robots.deals
            progress(tally)
    finally:
        stopping = asyncio.create_task(device.stop())
        while not stopping.done():
            await clock.advance(0.01)
        readers.cancel()
        for task in (stopping, readers):
            with suppress(asyncio.CancelledError):
                await task
        journal_file.close()
        twin.close()
    return tally


def _ignore(_: object) -> None:
    """Print nothing."""


def _progress(games: int, words: Phrases) -> ShowTally:
    """Return a function that prints the progress."""
    clock = SystemClock()
    printed = clock.now()

    def show(tally: DemoTally) -> None:
        nonlocal printed
        done, deals = tally.games.total(), words.count("command.demo.deals", tally.deals)
        so_far = words.say("command.demo.progress", done=done, games=games, deals=deals)
        if sys.stderr.isatty():
            draw(done, games, so_far, end="\n" if done == games else "")
        elif clock.now() >= printed + LINE_S:
            printed = clock.now()
            print(so_far, file=sys.stderr, flush=True)

    return show


def _as_text(
    tally: DemoTally, options: argparse.Namespace, words: Phrases, title: str, board: str, sides: Sequence[str]
) -> str:
    played = words.count(
        "command.demo.games",
        options.games,
        rules=title,
        board=board,
        way=words.say(f"way_in_short.{options.way}"),
        won=", ".join(f"{words.side(side).lower()} {tally.games[side]}" for side in range(len(sides))),
        skunks=words.count("command.demo.skunks", tally.skunks),
        deals=words.count("command.demo.deals", tally.deals),
    )
    decimal = words.say("audit.statistics.decimal")
    a_deal = {what: f"{average:.1f}".replace(".", decimal) for what, average in tally.averages().items()}
    level = [words.say(f"command.demo.level.{options.level}")] if options.level else []
    return "\n".join([played, *level, words.say("command.demo.a_deal", **a_deal)])


def _as_json(
    tally: DemoTally, options: argparse.Namespace, _: Phrases, title: str, board: str, sides: Sequence[str]
) -> str:
    a_deal = {what: round(average, 2) for what, average in tally.averages().items()}
    won = {name: tally.games[side] for side, name in enumerate(sides)}
    payload = {"games": options.games, "rules": title, "way": options.way, "board": board, "won": won}
    payload |= {"level": options.level} if options.level else {}
    return json.dumps(payload | {"skunks": tally.skunks, "deals": tally.deals, "a_deal": a_deal})
