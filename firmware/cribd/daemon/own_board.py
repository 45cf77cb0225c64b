"""The board of a machine that is also a hub."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from socket import gethostname
from uuid import UUID

from cribd.clock import Clock
from cribd.club.board_status import BoardStatus, GameShown
from cribd.club.known_boards import KnownBoard, is_open
from cribd.club.messages import BoardToHub, Order, ReportedStatus
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.daemon.club_link import game_of, status_of
from cribd.daemon.device import Device
from cribd.inputs import LONGEST_NAME
from cribd.storage.outbox import HandedIn, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import DeskSays
from cribd.table.snapshot import Snapshot


class OwnBoard:
    """The board in this process (`cribd.club.club_desk.HubBoard`)."""

    def __init__(self, key: str, device: Device, clock: Clock, *, reader: str) -> None:
        self.id = key
        self.name = gethostname().partition(".")[0][:LONGEST_NAME]
        self._competitions: LazyOrganiser = device.competitions
        self._device = device
        self._clock = clock
        self._release, self._reader = version("cribboard"), reader
        self._status = ReportedStatus()
        self._shown = Snapshot()
        self._game: GameShown | None = None
        self._is_played = asyncio.Event()
        self._changed: Callable[[], None] = lambda: None
        self._note: Callable[[HandedIn, OutcomeStatus], None] = lambda _, __: None
        device.watch(self._publish)

    @property
    def table(self) -> int | None:
        return self._competitions.board_table

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop after each change."""
        self._changed = changed
        self._competitions.watch(lambda _: changed())

    def status(self, order: Order) -> BoardStatus:
        """Return this board's status as the desk sees it."""
        known = KnownBoard(up=BoardToHub(status=self._status, game=self._game), is_online=True)
        status = known.status(self.id, self.name, self.table, order, self._open_events())
        return replace(status, is_hub=True)

    def _open_events(self) -> tuple[UUID, ...]:
        """Return the current competition, if the hall may see its games."""
        state = self._competitions.state
        if isinstance(state, CompetitionSnapshot) and is_open(state.heading.format.sealed, state.organiser.phase):
            return (state.uuid,)
        return ()

    def watch_unentered(self, note: Callable[[HandedIn, OutcomeStatus], None]) -> None:
        """Let `run` call `note` for each result that was not entered."""
        self._note = lambda submission, answer: note(replace(submission, board=self.id), answer)

    async def run(self) -> None:
        await self._device.at_event.watch_unentered(self._note)
        while True:
            await self._is_played.wait()
            self._is_played.clear()
            game = await self._clock.run_in_thread(partial(game_of, self._shown, self._device.table.latest))
            if game != self._game:
                self._game = game
                self._changed()

    async def seat(self, table: int | None, also: Mapping[str, str]) -> None:
        """Assign this board to a table, or to no table.

        The settings `also` are stored too. Raises `RefusedRequest`."""
        await (await self._competitions.organiser()).stand_at({"table": table}, also)

    def hear(self, order: Order, games_elsewhere: Collection[PlayedFor]) -> None:
        """Obey an order of the desk.

        The `games_elsewhere` are under way at other boards: the table does not begin them."""
        says = DeskSays(order.is_paused, order.word, order.word_number, order.rehearsal, takes=order.takes)
        self._device.at_event.set_desk_messages(says, games_elsewhere)

    def _publish(self, snapshot: Snapshot) -> None:
        self._shown = snapshot
        self._is_played.set()
        now = status_of(snapshot, self._device.table.latest, release=self._release, reader=self._reader)
        if now != self._status:
            self._status = now
            self._changed()
