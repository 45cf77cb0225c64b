"""Simulated boards of a club, in a process of their own: `python -m bench.club_boards FOLDER PORT FIRST LAST`.

Each has its key in FOLDER and its own connection to the hub's broker, and signs what it sends. All report the game of
`docs/a-game.txt`, with its record. Each line of the input is done, and answered with a line of JSON:

- `due ROUND`: waits until each board has a game of this round.
- `finish SECONDS`: each board finishes its game at a chance moment of these seconds, and sends it again after it is
  answered. The answer has how many seconds each waited for it.
- `records`: waits until the hub has checked the records of all.
- `peg HOLE`: the first board moves a peg, and the others soon after. The answer is the time at which the
  first began to make its message.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from cribboard import record
from cribboard.position import Phase
from cribboard.view import View, see
from cribd.clock import SystemClock
from cribd.club import keys
from cribd.club.certificates import board_certificate, hub_certificate, tls_to_hub
from cribd.club.connection import BrokerConnection, board_connection
from cribd.club.hub_client import LIGHT_FIRST_S
from cribd.club.messages import (
    BoardToHub,
    DueGame,
    HubToBoard,
    RecordPart,
    ReportedStatus,
    SignedOutcome,
    read_down,
    write,
)
from cribd.club.signatures import signed_text
from cribd.club.transport import topic
from cribd.daemon.club_link import game_shown
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.snapshot import Snapshot

#: How long the others take to move their pegs.
PEG_S = 0.4
_GAME = (Path(__file__).parents[1] / "docs" / "a-game.txt").read_text(encoding="utf-8")
_RECORD, _LINK = zlib.compress(_GAME.encode(), 9), _GAME.split()[-1]
_READ = record.read(_GAME)
SCORES = tuple(pegs.front for pegs in record.judge(_READ).position.pegs)


def _fullest() -> View:
    """Return the view of the show of which a board tells most."""
    place = PlayedFor(UUID(int=0), 1, 1, 1)
    names = ("Player 1", "Player 2")
    moments = (record.played(replace(_READ, events=_READ.events[:n])).position for n in range(1, len(_READ.events)))
    counts = (see(position) for position in moments if position.phase is Phase.SHOW)
    return max(counts, key=lambda view: len(repr(game_shown(Snapshot(view=view), place, names))))


_FULLEST = _fullest()
#: The moves of the other boards, which run on after the answer.
_MOVES: list[asyncio.Task[None]] = []


def key_of(folder: Path, number: int) -> keys.ClubKey:
    """Return the key of the board with this number, from 1, and make the key if it does not exist."""
    place = folder / f"board-{number}"
    place.mkdir(parents=True, exist_ok=True)
    return keys.load_or_make(place / "journal.db")


@dataclass(slots=True)
class BoardClient:
    """A simulated board at a table."""

    key: keys.ClubKey
    connection: BrokerConnection
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by each message of the hub."""
    down: HubToBoard = field(default_factory=HubToBoard)
    up: BoardToHub = field(default_factory=lambda: BoardToHub(status=ReportedStatus(release="bench")))
    played: int = 0

    def tell(self) -> None:
        """Send the hub the status of the board."""
        self.connection.publish(topic(self.key.id, "up"), write(self.up))

    def connected(self, is_connected: bool) -> None:
        """Send the hub the whole state of the board, after the connection was made."""
        if is_connected:
            self.tell()

    def receive(self, about: str, payload: bytes) -> None:
        """Process a message of the hub."""
        if about == topic(self.key.id, "down"):
            self.down = read_down(payload)
            self.heard.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds` is true after a message of the hub."""
        while not holds():
            self.heard.clear()
            await self.heard.wait()

    async def has_due(self, round_: int) -> None:
        """Wait for a game of this round."""
        await self.until(lambda: self.down.order.due is not None and self.down.order.due.place.round == round_)

    async def finish(self, after_s: float) -> float:
        """Finish the game that is due after so many seconds. Return the seconds until the hub answered."""
        due = self._due
        outcome = Outcome(place=due.place, scores=SCORES, broken_off=False, record=_LINK, entrants=due.entrants)
        signature = self.key.sign(signed_text(outcome, self.key.id))
        await asyncio.sleep(after_s)
        self.played += 1
        signed = SignedOutcome(self.played, outcome, signature)
        part = RecordPart(self.played, _LINK, 0, len(_RECORD), _RECORD)
        self.up = replace(self.up, outcomes=(signed,), part=part)
        sent = time.monotonic()
        self.tell()
        await self.until(lambda: self.down.have is not None and self.down.have.outcomes.number == self.played)
        answered = time.monotonic()
        assert self.down.have is not None
        assert self.down.have.answers[-1].entered is OutcomeStatus.ACCEPTED
        self.tell()
        return answered - sent

    async def has_record(self) -> None:
        """Wait until the hub has checked the newest record."""
        await self.until(lambda: self.down.have is not None and self.down.have.records.number == self.played)

    async def move_peg(self, hole: int, after_s: float = 0.0) -> None:
        """Show a peg of blue in this hole, in the fullest position of a real game, as a board's daemon does.

        The daemon lights its LED before it makes the message."""
        await asyncio.sleep(after_s + LIGHT_FIRST_S)
        due, view = self._due, _FULLEST
        blue = replace(view.sides[0], score=hole, back=hole - 1)
        snapshot = Snapshot(view=replace(view, sides=(blue, *view.sides[1:])))
        game = await asyncio.to_thread(game_shown, snapshot, due.place, due.names, board="Board")
        self.up = replace(self.up, game=game)
        self.tell()

    @property
    def _due(self) -> DueGame:
        assert self.down.order.due is not None
        return self.down.order.due


def made(folder: Path, port: int, number: int) -> BoardClient:
    """Make a board that the hub in this folder knows."""
    hub, key = keys.load_or_make(folder / "hub" / "journal.db"), key_of(folder, number)
    tls = tls_to_hub(key, board_certificate(hub, key.id), hub_certificate(hub))
    return BoardClient(key, board_connection(key.id, lambda: [("127.0.0.1", port)], SystemClock(), tls=tls))


async def done(boards: list[BoardClient], command: str, argument: str) -> Any:
    """Perform a command of the input, and return the answer."""
    match command:
        case "due":
            await asyncio.gather(*(board.has_due(int(argument)) for board in boards))
        case "finish":
            return await asyncio.gather(*(board.finish(random.uniform(0, float(argument))) for board in boards))
        case "records":
            await asyncio.gather(*(board.has_record() for board in boards))
        case "peg":
            hole, (first, *others) = int(argument), boards
            begun = time.time()
            await first.move_peg(hole)
            _MOVES[:] = [asyncio.create_task(board.move_peg(hole, random.uniform(0, PEG_S))) for board in others]
            return begun
    return None


async def main(folder: Path, port: int, first: int, last: int) -> None:
    """Run the boards until the input ends."""
    boards = [made(folder, port, each) for each in range(first, last + 1)]
    running = [asyncio.create_task(board.connection.run(board.receive, board.connected)) for board in boards]
    while line := await asyncio.to_thread(sys.stdin.readline):
        command, _, argument = line.strip().partition(" ")
        print(json.dumps(await done(boards, command, argument)), flush=True)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *map(int, sys.argv[2:])))
