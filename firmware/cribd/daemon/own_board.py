"""The board of a machine that is the hub of a club too: the desk seats it as any board of the club."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from socket import gethostname

from cribd.club.board_status import BoardStatus
from cribd.club.known_boards import KnownBoard
from cribd.club.messages import Order, Status, Up
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.daemon.club_link import status_of
from cribd.daemon.device import Device
from cribd.table.event import DeskSays
from cribd.table.snapshot import Snapshot


class OwnBoard:
    """The board in this process (`cribd.club.club_desk.OwnBoard`). Its id is the hub's."""

    def __init__(self, key: str, device: Device, *, reader: str) -> None:
        self.id = key
        self.name = gethostname().partition(".")[0]
        self._competitions: LazyOrganiser = device.competitions
        self._device = device
        self._release, self._reader = version("cribboard"), reader
        self._status = Status()
        self._changed: Callable[[], None] = lambda: None
        device.watch(self._publish)

    @property
    def table(self) -> int | None:
        """The table of the hall at which it stands."""
        return self._competitions.board_table

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop after each change of the board, or of its table."""
        self._changed = changed
        self._competitions.watch(lambda _: changed())

    def status(self, order: Order) -> BoardStatus:
        """How it is, as the desk sees it."""
        known = KnownBoard(up=Up(status=self._status), is_online=True)
        return known.status(self.id, self.name, self.table, order, is_sealed=True)

    async def seat(self, table: int | None) -> None:
        """Put it at a table of the hall, or at none. Raises `RefusedRequest`."""
        await (await self._competitions.organiser()).stand_at({"table": table})

    def hear(self, order: Order) -> None:
        """Show what the desk says."""
        self._device.at_event.hear(DeskSays(order.is_paused, order.word, order.word_number, order.rehearsal))

    def _publish(self, snapshot: Snapshot) -> None:
        latest = self._device.table.latest
        place = None if latest is None else latest.played_for
        now = status_of(snapshot, place, release=self._release, reader=self._reader)
        if now != self._status:
            self._status = now
            self._changed()
