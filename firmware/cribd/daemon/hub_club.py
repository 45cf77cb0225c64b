"""The club of a hub: its broker and its boards.

It is imported only where a hub has a club: its libraries are an extra.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

from cribd.causes import reason
from cribd.clock import Clock
from cribd.club.admission import Admission, HubAddress
from cribd.club.broker import broker_of
from cribd.club.certificates import hub_certificate, tls_to_hub
from cribd.club.club_desk import ClubDesk, HubBoard
from cribd.club.connection import hub_connection
from cribd.club.discovery import advertise
from cribd.club.hub import ClubHub
from cribd.club.joined_boards import JoinedBoards
from cribd.club.keys import load_or_make, verify
from cribd.club.membership import OtherClub, read_membership
from cribd.club.transport import read_topic
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.daemon.due_at_table import due_at
from cribd.terminal import complain
from cribd.web.http.addresses import reached_by

#: How long until the broker's files are written again after a failure.
_RETRY_S = 5.0
#: How long a board that floods the hub with messages is cut off.
CUT_OFF_S = 600.0


class HubClub:
    """A club with its hub on this machine.

    The journal of `competitions` lists the boards of the club. The key of the club is beside the journal.
    `name` is the club's name; "" means the name of the machine. `broker_port` is where the broker listens. `own` makes
    the board of this machine from the hub's key. Raises `OtherClub`, `KeyDamaged`, `NoBroker`, OSError."""

    def __init__(
        self,
        competitions: LazyOrganiser,
        clock: Clock,
        *,
        name: str,
        broker_port: int,
        own: Callable[[str], HubBoard | None] = lambda _: None,
    ) -> None:
        journal = competitions.journal
        if (member := read_membership(journal)) is not None:
            raise OtherClub(member)
        self._clock = clock
        self._name = name or socket.gethostname()
        self._key = key = load_or_make(journal.path)
        self._boards = JoinedBoards(journal, clock)
        self._broker = broker_of(key, clock, complain, port=broker_port)
        address = HubAddress(self._name, broker_port)
        self._own = own(key.id)
        own_name = "" if self._own is None else self._own.name
        self.admission = Admission(self._boards, key, clock, lambda: address, own=own_name)
        self.desk = ClubDesk(
            self._boards,
            self.admission,
            clock,
            release=version("cribboard"),
            due_at=lambda table: due_at(competitions.state, table),
            own=self._own,
        )
        tls = tls_to_hub(key, hub_certificate(key), hub_certificate(key))
        connection = hub_connection(lambda: [("127.0.0.1", broker_port)], clock, tls=tls, flooded=self._cut_off)
        seats = self.desk.seats
        self._hub = ClubHub(competitions, clock, connection, verify, seats, due_at=due_at, log=complain)
        if self._own is not None:
            self._own.watch_unentered(self._hub.note_unentered)
        self._flooding: set[str] = set()
        self._said_to_flood: set[str] = set()
        self._boards.watch(self._revoke)
        self._revoke()

    async def run(self, host: str, port: int) -> None:
        """Run the broker and the hub until cancelled.

        Boards find the pages at this host and port."""
        async with asyncio.TaskGroup() as first, asyncio.TaskGroup() as together:
            first.create_task(self._run_broker(), name="broker")  # it ends last, so that boards hear of the end
            together.create_task(self._hub.run(), name="boards")
            if self._own is not None:
                together.create_task(self._own.run(), name="own board")
            advertising = advertise(self._name, self._key.id, port, self._clock, address=lambda: reached_by(host))
            together.create_task(advertising, name="advertisement")

    def _revoke(self) -> None:
        self._broker.revoke({*self._boards.removed, *self._flooding})

    def _cut_off(self, about: str) -> None:
        """For `CUT_OFF_S` seconds, cut off the board that floods a topic."""
        if (found := read_topic(about)) is None or (board := found[0]) in self._flooding:
            return
        if board not in self._said_to_flood:
            self._said_to_flood.add(board)
            complain(f"Board {board[:8]} sends too many messages, and is cut off for {CUT_OFF_S / 60:.0f} minutes.")
        self._flooding.add(board)
        self._revoke()
        self._clock.call_later(CUT_OFF_S, partial(self._let_in_again, board))

    def _let_in_again(self, board: str) -> bool:
        self._flooding.discard(board)
        self._revoke()
        return True

    async def _run_broker(self) -> None:
        """Until cancelled, run the broker, and restart after a failure.

        While its files cannot be written, the desk works without a broker."""
        while True:
            try:
                await self._broker.run()
            except OSError as wrong:
                complain(f"The broker cannot be started: {reason(wrong)}.")
            await self._clock.sleep(_RETRY_S)
