"""Keeps this board connected with the hub of its club.

The room of the club is imported only for a board that belongs to one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cribboard.position import Phase
from cribboard.validation import Message
from cribboard.view import View
from cribd import openssl
from cribd.causes import cause
from cribd.clock import Clock
from cribd.config.config import Config
from cribd.daemon.board_at_event import BoardAtEvent
from cribd.daemon.hub_search import HubSearch
from cribd.daemon.join_club import ClubAtBoard
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.storage import schema
from cribd.storage.journal import Journal, StoredGame
from cribd.storage.outbox import PlayedFor
from cribd.table.snapshot import Snapshot
from cribd.terminal import complain
from cribd.text import Phrases, load_all
from cribd.text.words import Style

if TYPE_CHECKING:
    from cribd.club.board_status import CountShown, GameShown, GameWords
    from cribd.club.hub_client import HubClient
    from cribd.club.membership import Membership
    from cribd.club.messages import ReportedStatus


class ClubLink:
    """The connection of one board with its hub.

    `latest` returns the table's latest game, `report` receives faults."""

    def __init__(
        self,
        config: Config,
        journal: Journal,
        clock: Clock,
        club: ClubAtBoard,
        at_event: BoardAtEvent,
        latest: Callable[[], StoredGame | None],
        report: Callable[[Sequence[Input]], None],
    ) -> None:
        self._reader = config.readers[0].kind if config.readers else ""
        self._path = config.journal_path
        self._journal = journal
        self._clock = clock
        self._club = club
        self._at_event = at_event
        self._latest = latest
        self._report = report
        self._release = ""
        self._snapshot = Snapshot()
        self._board: HubClient | None = None
        self._search: HubSearch | None = None

    def publish(self, snapshot: Snapshot) -> None:
        """Send the hub the present status of the board."""
        self._snapshot = snapshot
        if self._board is not None:
            self._show(self._board)

    async def run(self) -> None:
        """Until cancelled, keep this board linked to its club's hub."""
        changed = asyncio.Event()
        self._club.watch(changed.set)
        while True:
            changed.clear()
            membership = self._club.membership
            opened: HubClient | str | None = None
            if membership is not None:
                opened = await self._clock.run_in_thread(partial(self._open, membership))
            if opened is None or isinstance(opened, str):
                self._board = None
                self._at_event.join(None)
                await self._wait_without(opened, changed)
                continue
            self._board = opened
            self._at_event.join(opened)
            self._show(opened)
            linked = asyncio.create_task(opened.run(), name="club link")
            waiting = asyncio.create_task(changed.wait())
            try:
                await asyncio.wait((linked, waiting), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (linked, waiting):
                    task.cancel()
                results = await asyncio.gather(linked, waiting, return_exceptions=True)
                if self._search is not None:
                    await self._search.stop()
            if isinstance(results[0], Exception):
                raise results[0]

    async def _wait_without(self, why: str | None, changed: asyncio.Event) -> None:
        """Wait for a change of club; meanwhile report the fault `why`."""
        if why is not None:
            self._report([Fault(FaultKind.NOT_IN_CLUB, "club", why)])
        await changed.wait()
        if why is not None:
            self._report([FaultCleared(FaultKind.NOT_IN_CLUB, "club")])

    def _open(self, membership: Membership) -> HubClient | str:
        """Open the link to this club, or return an error text."""
        openssl.allow()
        from importlib.metadata import version

        from cribd.club.certificates import NoCertificate, certified_board, certified_hub, tls_to_hub
        from cribd.club.connection import board_connection
        from cribd.club.hub_client import HubClient
        from cribd.club.keys import KeyDamaged, load_or_make

        self._release = version("cribboard")
        try:
            key = load_or_make(self._path)
            hub = certified_hub(membership.hub)
            if certified_board(membership.certificate, membership.hub) != key.id:
                return _another_key()
            tls = tls_to_hub(key, membership.certificate, membership.hub)
        except (KeyDamaged, NoCertificate, OSError) as wrong:
            return cause(wrong)
        self._search = search = HubSearch(membership, hub, self._journal, self._clock)

        def removed() -> None:
            client.hear_removed()

        connection = board_connection(key.id, search.addresses, self._clock, tls=tls, removed=removed)
        client = HubClient(self._journal, self._clock, connection, key, hub, refused=complain, report=self._report)
        return client

    def _show(self, board: HubClient) -> None:
        shown, latest = self._snapshot, self._latest()
        status = status_of(shown, latest, release=self._release, reader=self._reader)
        board.show(status, partial(game_of, shown, latest))


def _another_key() -> Message:
    return Message(
        "club.another_key",
        "this board has another key than when it joined the club: leave the club in the menu, and join it again",
    )


def status_of(shown: Snapshot, latest: StoredGame | None, *, release: str, reader: str) -> ReportedStatus:
    """Return the status that a board reports to its hub."""
    from cribd.club.messages import ReportedFault, ReportedStatus

    table, place = 0, None if latest is None else latest.played_for
    if shown.event is not None:
        table = shown.event.place.table
    elif shown.waits is not None:
        table = shown.waits.table
    elif place is not None and shown.lobby is None:
        table = place.table
    is_over = latest is None or latest.game.position.phase is Phase.OVER
    return ReportedStatus(
        release=release,
        journal=schema.VERSION,
        faults=tuple(ReportedFault(str(fault.kind), str(fault.where)) for fault in shown.faults),
        reader=reader,
        table=table,
        rehearsal=shown.rehearsed,
        plays=None if is_over else place,
    )


def game_of(shown: Snapshot, latest: StoredGame | None) -> GameShown | None:
    """Return what the hall sees of the board's game, or None.

    None if the board shows no game of an event. Call it in a thread: the words take a Pi milliseconds."""
    if latest is None or latest.played_for is None or shown.lobby is not None:
        return None
    return game_shown(shown, latest.played_for, latest.heading.names, board=latest.heading.board)


def game_shown(shown: Snapshot, place: PlayedFor, names: tuple[str, ...], *, board: str = "") -> GameShown | None:
    """Return this game as the hall sees it, or None."""
    from cribd.club.board_status import GameShown, MatchShown

    view = shown.view
    if view is None:
        return None
    in_turn = view.turn if view.phase is Phase.PLAY else None
    return GameShown(
        event=place.event,
        round=place.round,
        table=place.table,
        game=place.game,
        names=names,
        scores=tuple(side.score for side in view.sides),
        backs=tuple(side.back for side in view.sides),
        target=view.target,
        deal=view.deal,
        dealer=view.dealer_side,
        starter="" if view.starter is None else str(view.starter),
        laid=tuple("" if laid.card is None else str(laid.card) for laid in view.laid),
        count=view.count,
        winner=view.winner,
        number=view.number,
        rules=view.rules,
        way=view.way,
        phase=view.phase,
        acts=in_turn % len(view.sides) if view.prompt.side is None and in_turn is not None else view.prompt.side,
        in_hand=tuple(side.in_hand for side in view.sides),
        laid_by=tuple(laid.seat for laid in view.laid),
        counted=tuple(str(card) for card in view.counted),
        last_count=_last_count(view, names),
        match=MatchShown(games=shown.games, points=shown.points, of=shown.match, standings=shown.standings),
        board=board,
        words=tuple(
            _words(replace(shown, mode=shown.base, refusal=None), view, language, phrases.named(names))
            for language, phrases in load_all().items()
        ),
    )


def _last_count(view: View, names: tuple[str, ...]) -> CountShown | None:
    """Return the hand or crib that was counted last, or None.

    Once the starter is cut, counts of earlier deals are left out. A penalty, with fewer than 0 points, is not shown."""
    from cribd.club.board_status import CountShown, CountWords, StepShown
    from cribd.web.kiosk.shared.score_json import latest_count

    if (count := latest_count(view, names)) is None or count["points"] < 0:
        return None
    return CountShown(
        number=count["number"],
        deal=count["deal"],
        cards=tuple(count["cards"]),
        points=count["points"],
        due=count["due"],
        starter=count["starter"] or "",
        steps=tuple(StepShown(tuple(step["cards"]), step["total"]) for step in count["steps"]),
        words=tuple(
            CountWords(
                language=language, who=said["who"], what=said["what"], steps=tuple(said["steps"]), ruling=said["ruling"]
            )
            for language, said in count["text"].items()
        ),
    )


def _words(shown: Snapshot, view: View, language: str, phrases: Phrases) -> GameWords:
    from cribd.club.board_status import GameWords

    asks = phrases.stepped(shown.steps).styled(Style.PAGE).prompt(shown)
    return GameWords(language, asks, phrases.said(view), phrases.skunk(view))
