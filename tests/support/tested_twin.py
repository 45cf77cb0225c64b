"""A self-test on the twin, in virtual time: simulated fingers do what the board asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig
from cribd.selftest.fingers import SimulatedFingers
from cribd.selftest.results import Results, StepOutcome
from cribd.selftest.runner import Runner
from cribd.selftest.steps import BoardPart, steps_of
from cribd.selftest.walk import Scene, Walk
from cribd.selftest.wording import problem
from cribd.text import load as words_of
from cribd.twin.faults import read_fault
from cribd.twin.machine import Twin

#: The clock of a whole test that nobody answers goes on no longer.
_LONGEST_S = 3600.0


class TestedTwin:
    """A twin with faults, and a walk through these parts."""

    __test__ = False

    def __init__(
        self,
        folder: Path,
        parts: Collection[BoardPart],
        faults: Sequence[str] = (),
        *,
        board: Board | None = None,
        readers: Sequence[ReaderConfig] = (ReaderConfig(port="twin"),),
        results: Results | None = None,
    ) -> None:
        self.board = load("continuous") if board is None else board
        self.clock = ManualClock()
        config = Config(readers=tuple(readers), journal=str(folder / "journal.db"))
        self.twin = Twin(self.board, self.clock, folder=folder, readers=[reader.wire for reader in readers])
        for fault in faults:
            self.twin.make(read_fault(fault, self.board))
        self.steps = steps_of(self.board, [reader.name for reader in readers], parts)
        self.walk = Walk(self.steps, results=results)
        self.scenes: list[Scene] = []
        self.fingers = SimulatedFingers(self.twin, self.clock)
        self.stop = asyncio.Event()
        self.runner = Runner(
            config,
            self.board,
            self.twin.wires,
            self.walk,
            words=words_of("en"),
            clock=self.clock,
            threaded=False,
            watch=self._see,
        )

    def _see(self, scene: Scene) -> None:
        self.scenes.append(scene)
        self.fingers.see(scene)

    async def run(self, *, until: Callable[[], bool] = lambda: False, with_fingers: bool = True) -> None:
        """Let fingers do what is asked, to the end or until this is seen."""
        working = [asyncio.create_task(self.twin.run())]
        if with_fingers:
            working.append(asyncio.create_task(self.fingers.run()))
        running = asyncio.create_task(self.runner.run(self.stop))
        began = self.clock.now()
        try:
            while not running.done():
                assert self.clock.now() < began + _LONGEST_S, self.walk.scene
                await self.clock.advance(0.02)
                if until():
                    self.stop.set()
            await running
        finally:
            for task in working:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            self.twin.close()

    def found(self) -> list[str]:
        """What is not right, in words."""
        words = words_of("en")
        bad = {step: result for step, result in self.walk.results.items() if result.outcome is not StepOutcome.OK}
        return [problem(step, result, words) for step, result in bad.items()]
