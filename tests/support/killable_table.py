"""A table that can be killed at any write: it plays actions on a real journal, in a process of its own.

    python -m tests.support.killable_table

It reads one request a line on stdin, a JSON object, and writes one answer a line on stdout: how the process ended. The
server forks for each request, so that a death costs milliseconds. The child opens the journal, resumes an unfinished
game, plays the actions, and dies where the request says:

- `{"statement": k}`: SIGKILL before the k-th SQL statement of the actions, BEGIN, INSERTs and COMMIT alike;
- `{"byte": n}`: killed by the kernel in the middle of a write, at byte n of any file. RLIMIT_FSIZE does that: the bytes
  before n are written, and the write that begins at n ends the process by SIGXFSZ;
- `{"stops": folder}`: it does not die. Before every SQL statement of the actions the kernel stops it, and the server
  copies the files of the journal, which is what a kill would leave, into the folder `folder/k` for the k-th statement;
- `{"shown": k}`: SIGKILL when the table is about to show the k-th snapshot of the actions;
- `{}`: after all actions, without closing anything.

With `"opening": true` it may die from the opening of the journal on, else from the first action. With `"resume": false`
an unfinished game is not resumed; with `"close": true` the journal is closed at the end.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import signal
import sqlite3
import sys
import traceback
from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from tests.support.evenings import policy

from cribboard.rules import RULES as PRESETS
from cribboard.rules import Way
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyHeld, KeyPressed
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.settings import Settings, read_settings
from cribd.table.snapshot import Lobby, Snapshot
from cribd.table.table import Table

BOARD = load("continuous")
#: The shortest game. A board that comes back reads all of it, after every death.
RULES = PRESETS["five-card"]

Act = Mapping[str, Any]
Death = Mapping[str, int | str]


def facts_of(act: Act) -> list[Input]:
    """The inputs that drivers would send for an entry of the robots' diary."""
    match act:
        case {"scan": text}:
            return [CardRead(text)]
        case {"press": track, "holes": holes}:
            return [HolePressed(track, hole) for hole in holes]
        case {"key": key, "side": side}:
            return [KeyPressed(Key(key), side)]
        case {"hold": key, "side": side}:
            return [KeyHeld(Key(key), side)]
    return []


class KillableTable:
    """A table, and how it dies. Nothing before the first act counts."""

    def __init__(self, death: Death) -> None:
        self.death = death
        self.statements: int | None = None
        self.pictures: int | None = None
        self.snapshot = Snapshot()

    def begin(self) -> None:
        """From now on it may die."""
        self.statements = self.pictures = 0
        if isinstance(limit := self.death.get("byte"), int):
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    def write(self, _: str) -> None:
        """SQLite is about to run a statement."""
        if self.statements is not None:
            self.statements += 1
            if "stops" in self.death:
                os.kill(os.getpid(), signal.SIGSTOP)
            if self.statements == self.death.get("statement"):
                os.kill(os.getpid(), signal.SIGKILL)

    def show(self, snapshot: Snapshot) -> None:
        """The table shows another snapshot."""
        self.snapshot = snapshot
        if self.pictures is not None and snapshot.pending is None:
            self.pictures += 1
            if self.pictures == self.death.get("shown"):
                os.kill(os.getpid(), signal.SIGKILL)

    async def play(self, request: Mapping[str, Any]) -> None:
        """Open the journal, resume, and play."""
        if request.get("opening"):
            self.begin()
        clock = ManualClock()
        journal = Journal(Path(request["journal"]), clock)
        table = Table(
            board=BOARD,
            journal=journal,
            clock=clock,
            settings=read_settings(journal, Settings(rules=RULES, way=Way(request["way"])), languages=languages()),
            policy=policy(),
            publish=self.show,
        )
        running = asyncio.create_task(table.run())
        table.load()
        if self.snapshot.lobby is Lobby.RESUME and request.get("resume", True):
            table.post([KeyPressed(Key.OK, 0)])
            await clock.run_ready_tasks()
        if not request.get("opening"):
            self.begin()
        for act in request["acts"]:
            await clock.advance(act.get("waited", 0))
            table.post(facts_of(act))
            await clock.run_ready_tasks()
            if running.done():
                running.result()
        if request.get("close"):
            journal.close()


def _child(request: Mapping[str, Any]) -> None:
    table = KillableTable(request["death"])

    class Watched(sqlite3.Connection):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            self.set_trace_callback(table.write)

    with mock.patch("sqlite3.connect", partial(sqlite3.connect, factory=Watched)):
        asyncio.run(table.play(request))


def _end_of(child: int, request: Mapping[str, Any]) -> int:
    """Wait for the end of the child; each time that it stops, copy its journal and let it go on."""
    journal = Path(request["journal"])
    for stop in count(1):
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        copy_journal(journal.parent, Path(request["death"]["stops"]) / str(stop))
        os.kill(child, signal.SIGCONT)
    return status


def copy_journal(base: Path, to: Path) -> Path:
    """Copy the files of the journal as they are into a folder of their own, which must be new."""
    to.mkdir()
    for file in base.glob("journal.db*"):
        (to / file.name).write_bytes(file.read_bytes())
    return to


def _grow_up() -> None:
    """Play a little and resume it, so that the server has all modules loaded and its children start sooner."""
    acts = [{"key": "ok", "side": 0}, *({"scan": card} for card in ("9H", "4C", "6C", "TC", "5D"))]
    with TemporaryDirectory() as folder:
        for some in (acts, []):
            request = {"journal": f"{folder}/journal.db", "way": "verify", "acts": some, "death": {}, "close": True}
            asyncio.run(KillableTable({}).play(request))
    gc.collect()
    gc.freeze()


def main() -> None:
    _grow_up()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                _child(json.loads(line))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        status = _end_of(child, json.loads(line))
        print(json.dumps({"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "code": status >> 8}))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
