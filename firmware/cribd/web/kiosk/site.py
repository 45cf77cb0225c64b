"""A board's site, which extends the site of a hub (`hub_site`).

`/` is the scoreboard. `/verify` is the count judge, for anybody, also without a game. `/table` shows the game to
everybody, and takes requests from the owner, who gave the PIN: cards, names, rules, a new game, undo (rules reference,
7.18). `/games` has past games and statistics. A page gets snapshots and answers, never a position or a secret. Handlers
run on the daemon's loop, and long work in a thread (`Worker`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from aiohttp import web

from cribboard.count_judge import CountJudge
from cribd.boards import Board
from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.inputs import Input
from cribd.storage.archive import Archive
from cribd.table.rule_sets import RuleSet, misfits
from cribd.table.snapshot import Snapshot
from cribd.web.http.sse import EventStream
from cribd.web.kiosk import pages
from cribd.web.kiosk.games.routes import Games
from cribd.web.kiosk.hub_site import HubSite
from cribd.web.kiosk.scoreboard.idle_routes import IdleScoreboard
from cribd.web.kiosk.shared import translations
from cribd.web.kiosk.shared.phone_qr_code import PhoneQrCode
from cribd.web.kiosk.shared.snapshot_json import faults_json, message
from cribd.web.kiosk.statistics.routes import StatisticsAnswer
from cribd.web.kiosk.table.owner_routes import BackupMaker, Examine, Owner
from cribd.web.kiosk.table.score_history import ScoreHistory

if TYPE_CHECKING:
    from cribd.club.admission import Admission
    from cribd.club.board_status import BoardControl


async def _no_doctor(_language: str) -> list[dict[str, str]]:
    return []


class PressTarget(Protocol):
    """The methods of the table that the site calls.

    One takes inputs. The other says whether the count judge must stay silent now."""

    def post(self, inputs: Sequence[Input]) -> None: ...
    def must_not_judge(self, judge: CountJudge) -> bool: ...


class Site(HubSite):
    """The site of one board, with its table and games.

        site = Site(table, board=board, archive=Archive(journal_path), offered=..., clock=clock, pin=config.page.pin)
        site.mount(app)         # an aiohttp Application
        device.watch(site.show)

    `offered` are the rules that this board can play or count by. The `organiser_pin` opens the desk of the
    `competitions`, and `pin` too; without them there is no desk. `boards` are those of a club, and `admission` lets
    others into it. `host` is where the site listens, `hosts` are names for the site besides its own. `is_dealt` says
    whether the cards of the game come from the board, for somebody who plays alone. `examine` asks the doctor,
    `backups` copies to a stick.
    """

    pages = pages.PAGES

    def __init__(
        self,
        table: PressTarget,
        *,
        board: Board,
        archive: Archive,
        offered: Sequence[RuleSet],
        clock: Clock,
        pin: str = "",
        competitions: LazyOrganiser | None = None,
        organiser_pin: str = "",
        boards: BoardControl | None = None,
        admission: Admission | None = None,
        host: str = "127.0.0.1",
        hosts: Iterable[str] = (),
        is_dealt: Callable[[], bool] = lambda: False,
        examine: Examine = _no_doctor,
        backups: BackupMaker | None = None,
    ) -> None:
        self._offered = offered
        self._snapshot = Snapshot()
        self._stream = EventStream(self._snapshot_message, clock)
        super().__init__(
            board=board,
            offered=offered,
            clock=clock,
            competitions=competitions,
            language=lambda: self._snapshot.language,
            chosen=lambda: self._snapshot.rules,
            closes=table.must_not_judge,
            pin=pin,
            organiser_pin=organiser_pin,
            boards=boards,
            admission=admission,
            host=host,
            hosts=hosts,
            has_board=True,
        )
        owner = Owner(
            session=self._session,
            bodies=self._bodies,
            post=table.post,
            board=board,
            rules=[rule_set for rule_set in offered if not any(misfits(rule_set, board))],
            chosen=lambda: self._snapshot.rules,
            is_dealt=is_dealt,
            examine=examine,
            backups=backups,
        )

        def has_pin(request: web.Request) -> bool:
            return self._session.is_open(request) or self._desk.is_open(request)

        self._games = Games(archive, offered=offered, clock=clock, has_pin=has_pin)
        self._mounts += [
            ScoreHistory(lambda: self._snapshot, clock).mount,
            owner.mount,
            self._games.mount,
            IdleScoreboard(archive, self._games, clock).mount,
            StatisticsAnswer(archive, clock, has_pin=has_pin).mount,
            PhoneQrCode(host, clock).mount,
        ]

    def show(self, snapshot: Snapshot) -> None:
        """Show a snapshot on the pages, unless a press is pending.

        A press is pending until the journal has stored it (law 5 of docs/architecture.md)."""
        if snapshot.pending is None:
            self._snapshot = snapshot
            self._stream.change()

    def mount(self, app: web.Application) -> None:
        """Add the routes and the handlers of startup and shutdown."""
        super().mount(app)
        app.router.add_get("/table/events", self._stream.answer, allow_head=False)
        app.router.add_get("/table/faults", self._faults)
        app.on_shutdown.append(self._shut_down)

    # Files

    def get_ready(self, app: web.Application) -> None:
        self._has_twin = any(resource.canonical == "/twin" for resource in app.router.resources())
        super().get_ready(app)

    def _made_files(self) -> Mapping[str, bytes]:
        return {**super()._made_files(), **translations.files(steps=self._board.has_step_calls)}

    # The table

    def _snapshot_message(self) -> bytes:
        return message(self._snapshot, self._offered, edition=self._files.edition)

    async def _faults(self, _request: web.Request) -> web.Response:
        return web.json_response(faults_json(self._snapshot))

    async def _shut_down(self, _app: web.Application) -> None:
        await self._stream.close()
