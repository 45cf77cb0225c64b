"""`cribboard selftest`: tests a board with a person's help.

It tests each LED, hole, key, corner of the OLED, tone and reader. It asks one step after another, on the OLED, here and
on a page, and reports at the end. Ctrl-C stops it, and `--resume` goes on. It cannot run beside the board, which holds
its parts. Exit codes: 0 everything is right, 1 something is not right or was not tested, 2 the command cannot do it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TextIO

from cribd.boards import Board
from cribd.cli.doctor import configured
from cribd.cli.enroll import typed_keys
from cribd.cli.errors import CommandRefused, Exit, unwritable, why
from cribd.cli.options import add_json, add_language
from cribd.cli.progress import draw
from cribd.cli.run import settings
from cribd.clock import SystemClock
from cribd.config.config import Config, ReaderConfig, configure
from cribd.selftest.report import report
from cribd.selftest.results import NotProgress, Results, StepOutcome, load_results, save_results
from cribd.selftest.runner import Runner
from cribd.selftest.steps import BoardPart, LightStep, SelfTestStep, part_of, steps_of
from cribd.selftest.walk import PersonAnswer, Scene, Walk
from cribd.selftest.wording import note, problem, question
from cribd.terminal import complain, control, say
from cribd.text import Phrases, load
from cribd.wires import Wires

if TYPE_CHECKING:
    from cribd.twin.machine import Twin

#: The file with the results, beside the journal.
PROGRESS, PROGRESS_OF_TWIN = "selftest.json", "selftest-twin.json"
#: The answer for each letter that a person types. Enter is YES too.
_LETTERS = {
    "o": PersonAnswer.YES,
    "\n": PersonAnswer.YES,
    "\r": PersonAnswer.YES,
    "g": PersonAnswer.GO,
    "c": PersonAnswer.NO,
    "u": PersonAnswer.BACK,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--twin", action="store_true")
    parser.add_argument("--board", metavar="NAME")
    parser.add_argument("--journal", metavar="FILE")
    parser.add_argument("--fingers", action="store_true")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME[:VALUE]")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--patience", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--pace", type=float, default=0.5, metavar="SECONDS")
    parser.add_argument("--port", type=int, metavar="N")
    parser.add_argument("--no-browser", action="store_true")
    add_json(parser)
    add_language(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Test the board. Returns the exit code."""
    for name in ("patience", "pace"):
        if not 0.1 <= (seconds := getattr(options, name)) <= 3600:
            raise CommandRefused(words.say("command.selftest.seconds", option=name, seconds=seconds))
    if unknown := [part for part in options.parts if part not in set(BoardPart)]:
        raise CommandRefused(words.say("command.selftest.no_part", part=unknown[0], parts=", ".join(BoardPart)))
    if options.twin:
        return _run_on_twin(options, words)
    if options.fault or options.fingers or options.board:
        raise CommandRefused(words.say("command.selftest.on_twin"))
    return _run_on_pi(options, words)


def _run_on_pi(options: argparse.Namespace, words: Phrases) -> int:
    """Test the board on the wires of a Pi. Returns the exit code."""
    from cribd.doctor.findings import Installation
    from cribd.doctor.running_board import is_running
    from cribd.doctor.service import UNIT
    from cribd.wires.pi import PiWires

    config, board = configured(options.config, words)
    if options.journal:
        config = replace(config, journal=options.journal)
    with closing(PiWires({reader.name: reader.port for reader in config.readers})) as wires:
        if is_running(Installation(config=config, board=board, wires=wires, clock=SystemClock())):
            raise CommandRefused(words.say("command.selftest.running", unit=UNIT))
        try:
            _ = wires.pin_factory
        except OSError as wrong:
            no_pins = words.say("command.run.no_pins", why=wrong)
            raise CommandRefused(no_pins, words.say("command.selftest.with_twin")) from wrong
        return _test(config, board, wires, config.journal_path.with_name(PROGRESS), options, words)


def _run_on_twin(options: argparse.Namespace, words: Phrases) -> int:
    """Test a simulated board. Returns the exit code."""
    from cribd.twin.faults import read_fault
    from cribd.twin.machine import Twin

    config, board = configure(options.config, settings(options))
    config = replace(config, readers=config.readers or (ReaderConfig(port="twin"),))
    wires = [reader.wire for reader in config.readers]
    with (
        TemporaryDirectory(prefix="cribboard-selftest-") as folder,
        closing(Twin(board, SystemClock(), folder=Path(folder), readers=wires)) as twin,
    ):
        try:
            for text in options.fault:
                twin.make(read_fault(text, board))  # before the first scan
        except ValueError as wrong:
            raise CommandRefused(words.problem(wrong)) from wrong
        path = config.journal_path.with_name(PROGRESS_OF_TWIN)
        return _test(config, board, twin.wires, path, options, words, twin)


def _test(
    config: Config,
    board: Board,
    wires: Wires,
    path: Path,
    options: argparse.Namespace,
    words: Phrases,
    twin: Twin | None = None,
) -> int:
    """Run the self-test and print the report. Returns the exit code."""
    readers = [reader.name for reader in config.readers]
    steps = steps_of(board, readers, [BoardPart(part) for part in options.parts] or tuple(BoardPart))
    if lacks := [part for part in options.parts if part not in {part_of(step) for step in steps}]:
        raise CommandRefused(words.say("command.selftest.lacks", part=lacks[0], board=board.name))
    earlier = _earlier_results(path, board, steps_of(board, readers), options, words)
    asked_before = {step: earlier[step] for step in steps if step in earlier} if options.resume or options.again else {}
    if options.again:
        asked_before = {step: result for step, result in asked_before.items() if result.outcome is StepOutcome.OK}
    walk = Walk(steps, results=asked_before, patience_s=options.patience, pace_s=options.pace)
    if walk.step is not None:
        others = {step: result for step, result in earlier.items() if step not in steps}
        keeper = ResultsSaver(path, board, walk, others, words)
        terminal = Terminal(words, sys.stderr if options.json else sys.stdout)
        asyncio.run(_walk(config, board, wires, walk, keeper, terminal, options, twin))
    if options.json:
        print(json.dumps(as_values(board, steps, walk.results), ensure_ascii=False))
    else:
        say(*report(steps, walk.results, words))
    is_right = walk.step is None and all(result.outcome is StepOutcome.OK for result in walk.results.values())
    return Exit.DONE if is_right else Exit.PROBLEM


def _earlier_results(
    path: Path, board: Board, steps: Sequence[SelfTestStep], options: argparse.Namespace, words: Phrases
) -> Results:
    """Load the results of earlier runs. Raises `CommandRefused`."""
    try:
        return load_results(path, board.name, steps)
    except FileNotFoundError:
        refused = words.say("command.selftest.nothing_to_resume", file=path)
    except OSError as wrong:
        refused = words.say("command.selftest.unreadable", file=path, why=why(wrong, words))
    except NotProgress:
        refused = words.say("command.selftest.not_progress", file=path, board=board.name)
    if options.resume or options.again:
        raise CommandRefused(refused)
    return {}


async def _walk(
    config: Config,
    board: Board,
    wires: Wires,
    walk: Walk,
    keeper: ResultsSaver,
    terminal: Terminal,
    options: argparse.Namespace,
    twin: Twin | None,
) -> None:
    """Run the remaining steps, and save each new result."""
    clock, stop = SystemClock(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    watchers: list[Callable[[Scene], None]] = [lambda scene: terminal.show(scene, walk), keeper.note]

    async def serve_pages() -> None:
        """Serve the progress page, unless pages are off.

        The web library loads slowly, so a thread imports it."""
        if config.page.port is None:
            return
        site_module = await clock.run_in_thread(lambda: import_module("cribd.selftest.site"))
        site = site_module.SelfTestSite(board, clock, twin)
        watchers.append(lambda scene: site.show(scene, walk.results))
        site.show(walk.scene, walk.results)
        path = "/" if twin is None else "/twin"
        await site.serve(config.page.host, config.page.port, lambda at: _announce(at + path, terminal, options))

    on_screen = load(config.table.language)  # those at the board read it, and not whoever types

    def watch(scene: Scene) -> None:
        for watcher in watchers:
            watcher(scene)

    runner = Runner(config, board, wires, walk, words=on_screen, clock=clock, watch=watch)

    def typed(letter: str) -> None:
        if letter == "q":
            stop.set()
        elif letter in _LETTERS:
            runner.answer(_LETTERS[letter])

    async with AsyncExitStack() as beside:
        beside.push_async_callback(keeper.keep)
        tasks = [
            asyncio.create_task(keeper.run(), name="progress"),
            asyncio.create_task(serve_pages(), name="pages"),
        ]
        if twin is not None:
            tasks.append(asyncio.create_task(twin.run(), name="twin's readers"))
            if options.fingers:
                from cribd.selftest.fingers import SimulatedFingers

                fingers = SimulatedFingers(twin, clock)
                watchers.append(fingers.see)
                tasks.append(asyncio.create_task(fingers.run(), name="fingers"))
        beside.push_async_callback(_end, tasks)
        beside.callback(terminal.end)
        await beside.enter_async_context(typed_keys(typed))
        await runner.run(stop)


def _announce(address: str, terminal: Terminal, options: argparse.Namespace) -> None:
    """Show the user where the progress page is."""
    terminal.say(terminal.words.say("command.selftest.at", address=address))
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if options.twin and has_screen and not options.no_browser:
        threading.Thread(target=lambda: webbrowser.open(address), daemon=True).start()


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended


class ResultsSaver:
    """Saves the results of a self-test to a file.

    Files are written in a thread. `others` are earlier results of other steps. A file that cannot be written is
    complained about once."""

    def __init__(self, path: Path, board: Board, walk: Walk, others: Results, words: Phrases) -> None:
        self._path = path
        self._board = board
        self._walk = walk
        self._others = others
        self._words = words
        self._changed = asyncio.Event()
        self._saved: Results = {}
        self._failed = False

    def note(self, _scene: Scene) -> None:
        """Record that the results may have changed."""
        self._changed.set()

    async def run(self) -> None:
        """Save the results after each change, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self.keep()

    async def keep(self) -> None:
        """Save the results if they have changed."""
        results = {**self._others, **self._walk.results}
        if results == self._saved:
            return
        try:
            await SystemClock().run_in_thread(lambda: save_results(self._path, self._board.name, results))
            self._saved = results
        except OSError as wrong:
            if not self._failed:
                self._failed = True
                complain(unwritable(self._path, wrong, self._words))


class Terminal:
    """Shows the questions and problems of the self-test as text.

    Where the output is no terminal, only steps that need a person get a line."""

    def __init__(self, words: Phrases, out: TextIO) -> None:
        self.words = words
        self._out = out
        self._is_terminal = out.isatty()
        self._known: dict[SelfTestStep, StepOutcome] = {}
        self._part: BoardPart | None = None
        self._said = ""

    def show(self, scene: Scene, walk: Walk) -> None:
        """Print the new problems and the present question."""
        for step, result in walk.results.items():
            if self._known.get(step) is not result.outcome:
                self._known[step] = result.outcome
                if result.outcome is not StepOutcome.OK:
                    self.say(problem(step, result, self.words))
        if scene.step is None:
            return
        if (part := part_of(scene.step)) is not self._part:
            self._part = part
            self.say(self.words.say(f"command.selftest.part.{part}"))
        asked = " ".join(filter(None, (note(scene, self.words), question(scene, self.words))))
        if self._is_terminal:
            draw(scene.done, scene.of, f"{scene.done}/{scene.of} {asked}")
        elif asked != self._said and not (isinstance(scene.step, LightStep) and not scene.paused):
            self.say(asked)
        self._said = asked

    def end(self) -> None:
        """Remove the line with the question from the terminal."""
        self._clear()

    def say(self, text: str) -> None:
        """Remove the question, and print this text."""
        self._clear()
        print(text, file=self._out, flush=True)

    def _clear(self) -> None:
        if self._is_terminal:
            control("\r\x1b[K", sys.stderr)
            sys.stderr.flush()


def as_values(board: Board, steps: Sequence[SelfTestStep], results: Results) -> dict[str, object]:
    """Convert the report of the self-test to JSON values, in English."""
    words = load("en")
    times = [result.light_ms for result in results.values() if result.light_ms is not None]
    return {
        "board": board.name,
        "complete": all(step in results for step in steps),
        "right": sum(result.outcome is StepOutcome.OK for result in results.values()),
        "light_ms": {"median": round(median(times), 1), "longest": round(max(times), 1)} if times else None,
        "steps": [
            {
                "step": step.name,
                "part": part_of(step).value,
                "outcome": result.outcome.value,
                "other": None if result.other is None else result.other.name,
                "light_ms": None if result.light_ms is None else round(result.light_ms, 1),
                "text": problem(step, result, words),
            }
            for step in steps
            if (result := results.get(step)) is not None
        ],
    }
