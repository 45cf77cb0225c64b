"""A club in one process: a hub and boards, each with a journal, over a real mosquitto or a copy of topics."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from tests.support.evenings import BLUE_DEALS, BLUE_WINS, LONG, OK, USUAL
from tests.support.event_evenings import OPEN
from tests.support.hub_process import Hub as HubProcess
from tests.support.hub_process import Visitor
from tests.support.organised import draw_and_start, held, open_hall

from cribboard import Way
from cribboard.competition.formats import Format
from cribd.clock import Clock, SystemClock
from cribd.club.board_status import ClubSnapshot
from cribd.club.connection import board_connection, hub_connection
from cribd.club.hub import ClubHub
from cribd.club.hub_client import HubClient
from cribd.club.hub_place import HubPlace
from cribd.club.joined_boards import GameTakenFromBoard
from cribd.club.joining import Comparing
from cribd.club.joining_client import JoinProgress, join
from cribd.club.keys import ClubKey, load_or_make, verify
from cribd.club.known_boards import BoardAssignments
from cribd.club.membership import Membership
from cribd.club.messages import Order
from cribd.club.transport import OFFLINE, ONLINE, Transport, topic
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.organiser import Organiser
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.daemon.board_at_event import BoardAtEvent
from cribd.daemon.club_link import status_of
from cribd.daemon.due_at_table import due_at
from cribd.inputs import Input
from cribd.storage.journal import Journal
from cribd.table.settings import Settings
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table

#: A trusted game: blue deals, wins at once, and both confirm it.
A_WIN: Sequence[Input] = (*BLUE_DEALS, *BLUE_WINS, *OK)
#: What the boards of a test call their club.
HUB = "a club"
#: No test waits longer for what must come.
_LONGEST_S = 20.0


async def until(holds: Callable[[], bool], what: str = "", seconds: float = _LONGEST_S) -> None:
    """Wait until this holds."""
    try:
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"it never came: {what}") from None


class Mosquitto:
    """A real broker on this machine that keeps nothing."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._file = folder / "mosquitto.conf"
        self._file.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nmessage_size_limit 70000\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["/usr/sbin/mosquitto", "-c", str(self._file)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def addresses(self) -> Sequence[tuple[str, int]]:
        return (("127.0.0.1", self.port),)


class Topics:
    """Copies topics between transports in this process, as a broker does that keeps nothing."""

    def __init__(self) -> None:
        self.retained: dict[str, bytes] = {}
        self.sent: list[tuple[str, bytes]] = []
        self._readers: list[tuple[Callable[[str], bool], Callable[[str, bytes], None]]] = []

    def publish(self, about: str, payload: bytes) -> None:
        self.retained[about] = payload
        self.sent.append((about, payload))
        for reads, receive in [*self._readers]:
            if reads(about):
                receive(about, payload)

    def transport(self, name: str, online: str, reads: Callable[[str], bool]) -> Transport:
        topics = self

        class Copy:
            def publish(self, about: str, payload: bytes) -> None:
                topics.publish(about, payload)

            async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
                reader = reads, receive
                topics._readers.append(reader)
                try:
                    topics.publish(online, ONLINE)
                    connected(True)
                    for about, payload in [*topics.retained.items()]:
                        if reads(about):
                            receive(about, payload)
                    await asyncio.Event().wait()
                finally:
                    topics._readers.remove(reader)
                    topics.publish(online, OFFLINE)

        return Copy()


@dataclass
class AtTables:
    """Where boards stand."""

    tables: dict[str, int | None] = field(default_factory=dict)
    orders: dict[str, Order] = field(default_factory=dict)
    shown: ClubSnapshot = field(default_factory=ClubSnapshot)
    changed: Callable[[], None] = lambda: None

    def names(self) -> dict[str, str]:
        return {board: f"Board {table}" for board, table in self.tables.items()}

    def order(self, board: str) -> Order:
        return replace(self.orders.get(board, Order(release="1")), table=self.tables[board] or 0)

    def stood_at(self, board: str) -> set[int]:
        return {self.tables[board] or 0}

    def taken(self) -> tuple[GameTakenFromBoard, ...]:
        return tuple(GameTakenFromBoard(board, game) for board, order in self.orders.items() for game in order.takes)

    def show(self, snapshot: ClubSnapshot) -> None:
        self.shown = snapshot

    def watch(self, changed: Callable[[], None]) -> None:
        self.changed = changed


class ClubTable:
    """A table, before it belongs to a club."""

    client: HubClient

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.key = load_or_make(folder / "journal.db")
        self.clock: Clock = SystemClock()
        self.journal = Journal(folder / "journal.db", self.clock)
        self.shown: list[Snapshot] = []
        self.watchers: list[Callable[[Snapshot], None]] = []
        self.at_event = BoardAtEvent(self.journal, LazyOrganiser(self.journal, self.clock), self.clock)
        self.table = Table(
            board=LONG,
            journal=self.journal,
            clock=self.clock,
            settings=Settings(way=Way.TRUST),
            policy=USUAL,
            publish=self._see,
            desk=self.at_event,
        )

    def _see(self, snapshot: Snapshot) -> None:
        self.shown.append(snapshot)
        for watcher in self.watchers:
            watcher(snapshot)

    @property
    def now(self) -> Snapshot:
        return self.shown[-1]

    async def post(self, *inputs: Input) -> Snapshot:
        for one in inputs:
            before = len(self.shown)
            self.table.post([one])
            await until(partial(self._has_shown, before), f"an answer to {one}")
            await asyncio.sleep(0.02)
        return self.now

    def _has_shown(self, before: int) -> bool:
        return self.table.has_no_input and len(self.shown) > before

    async def play(self) -> None:
        """Play the game that is due."""
        await until(lambda: self.now.event is not None, "a game that is due")
        await self.post(*A_WIN)

    async def play_on(self) -> None:
        """End the game that blue has begun to deal."""
        await self.post(*BLUE_WINS, *OK)


@asynccontextmanager
async def club_table(folder: Path, club: str, connect: Callable[[str], Transport]) -> AsyncIterator[ClubTable]:
    """A board that is switched on, and off again at the end."""
    table, refused = ClubTable(folder), list[str]()
    board = HubClient(
        table.journal,
        table.clock,
        connect(table.key.id),
        table.key,
        club,
        refused=refused.append,
        report=table.table.post,
    )
    table.client = board
    table.at_event.join(board)

    def show(snapshot: Snapshot) -> None:
        board.show(status_of(snapshot, table.table.latest, release="1", reader=""), lambda: None)

    table.watchers.append(show)
    table.table.load()
    tasks = [asyncio.create_task(run()) for run in (table.table.run, table.at_event.run, board.run)]
    try:
        yield table
        assert refused == []
        assert not any(task.done() for task in tasks), [task for task in tasks if task.done()]
    finally:
        await _end(tasks)
        table.journal.close()


@dataclass
class Hub:
    """A hub that is switched on."""

    key: ClubKey
    organiser: Organiser
    seats: BoardAssignments
    said: list[str]
    club: ClubHub

    @property
    def state(self) -> CompetitionSnapshot:
        return held(self.organiser)


@asynccontextmanager
async def club_hub(
    folder: Path, connection: Transport, seats: BoardAssignments, clock: Clock | None = None
) -> AsyncIterator[Hub]:
    """A hub that is switched on, and off again at the end. The same folder gives the same hub again."""
    folder.mkdir(exist_ok=True)
    clock = clock or SystemClock()
    journal = Journal(folder / "journal.db", clock)
    competitions = LazyOrganiser(journal, clock)
    said: list[str] = []
    hub = ClubHub(competitions, clock, connection, verify, seats, due_at=due_at, log=said.append)
    organiser = await competitions.organiser()
    running = asyncio.create_task(hub.run())
    try:
        yield Hub(load_or_make(folder / "journal.db"), organiser, seats, said, hub)
        assert not running.done(), running
    finally:
        await _end([running])
        journal.close()


@asynccontextmanager
async def hall(
    folder: Path, topics: Topics, seats: AtTables, entrants: int = 2, form: Format = OPEN
) -> AsyncIterator[Hub]:
    """A hub whose first round has started. The same folder gives the same hub again."""
    async with club_hub(folder / "hub", hub_copy(topics), seats) as hub:
        if hub.organiser.state is None:
            await open_hall(hub.organiser, entrants, form)
            await draw_and_start(hub.organiser)
        yield hub


def results(hub: Hub) -> dict[tuple[int, int, int], tuple[int, ...]]:
    """The results at the hub, by round, table and game."""
    return {
        (round_.number, pair.table, game): result.scores
        for round_ in hub.state.organiser.rounds
        for pair in round_.tables
        for game, result in enumerate(pair.results, start=1)
    }


def board_of(broker: Mosquitto) -> Callable[[str], Transport]:
    return lambda key: board_connection(key, broker.addresses, SystemClock(), tls=None)


def hub_of(broker: Mosquitto) -> Transport:
    return hub_connection(broker.addresses, SystemClock(), tls=None)


def board_copy(topics: Topics) -> Callable[[str], Transport]:
    return lambda key: topics.transport(key, topic(key, "online"), lambda about: about == topic(key, "down"))


def hub_copy(topics: Topics) -> Transport:
    return topics.transport("hub", "cribboard/1/hub/online", lambda about: about.endswith(("/up", "/online")))


async def joined(on: HubProcess, organiser: Visitor, key: ClubKey, name: str = "Planche 1") -> Membership:
    """The membership of a board that joins: the desk and the board show the same two words, and both say OK."""
    confirmed, seen = asyncio.Event(), list[tuple[str, str]]()

    def show(progress: JoinProgress, _club: str) -> None:
        if isinstance(progress, Comparing):
            seen.append(progress.words)

    place = HubPlace("127.0.0.1", on.port)
    joining = asyncio.create_task(join(place, key, SystemClock(), name=name, show=show, confirmed=confirmed))
    await until(lambda: bool(seen), "the words")
    [asks] = (await organiser.get("/desk/boards"))["joining"]
    assert tuple(asks["words"]) == seen[0]
    confirmed.set()
    await organiser.post("/desk/boards/join", {"board": key.id, "accept": True})
    return await joining


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
