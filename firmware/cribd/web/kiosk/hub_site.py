"""The site of a hub that is no board.

A board's site (`site`) has the same pages and more. A page gets what its eye may see, never a secret. Handlers run
on the daemon's loop, and long work in a thread (`Worker`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from aiohttp import web

from cribboard.count_judge import CountJudge
from cribd.boards import PATHS, Board
from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.table.rule_sets import RuleSet
from cribd.text import load_all
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.security import RequestGuard
from cribd.web.http.static_files import StaticFiles
from cribd.web.kiosk import pages
from cribd.web.kiosk.count_judge.routes import Verify
from cribd.web.kiosk.desk.routes import DeskRoutes
from cribd.web.kiosk.help import guide
from cribd.web.kiosk.not_found.middleware import NotFound
from cribd.web.kiosk.phone.routes import TablePhones
from cribd.web.kiosk.shared import translations
from cribd.web.kiosk.shared.drawing import drawing, drawings
from cribd.web.kiosk.shared.pin import PinAuthenticator
from cribd.web.kiosk.shared.pin_session import PinSession

if TYPE_CHECKING:
    from cribd.club.admission import Admission
    from cribd.club.board_status import BoardControl


def _judge_all(_judge: CountJudge) -> bool:
    return False


class HubSite:
    """The site of an organiser whose machine is no board.

        site = HubSite(board=..., offered=..., clock=clock, competitions=..., organiser_pin=..., language=lambda: "en")
        site.mount(app)         # an aiohttp Application

    `board` is this machine's. `offered` are the rules to count by, and `chosen` gives those that are counted by at
    first. The `organiser_pin` opens the desk of the `competitions`, and `pin` too; without them there is no desk.
    `boards` are those of a club, and `admission` lets others into it. `language` gives the hall's. `host` is where the
    site listens, `hosts` are names for it besides its own. `closes` says whether a question may be about a running
    deal, and `has_board` whether this machine is a board.
    """

    pages: Sequence[pages.Page] = pages.HUB_PAGES

    def __init__(
        self,
        *,
        board: Board,
        offered: Sequence[RuleSet],
        clock: Clock,
        competitions: LazyOrganiser | None,
        language: Callable[[], str],
        chosen: Callable[[], RuleSet] | None = None,
        closes: Callable[[CountJudge], bool] = _judge_all,
        pin: str = "",
        organiser_pin: str = "",
        boards: BoardControl | None = None,
        admission: Admission | None = None,
        host: str = "127.0.0.1",
        hosts: Iterable[str] = (),
        has_board: bool = False,
    ) -> None:
        self._clock = clock
        self._board = board
        self._has_club = boards is not None
        if self._has_club:
            from cribboard.competition.rounds import MOST_TABLES

            self.pages = pages.with_live(self.pages, MOST_TABLES)
        self._has_twin = False
        self._files = StaticFiles(pages.FOLDERS, self._made_files)
        self._not_found = NotFound(lambda: self._files.files["lost.html"])
        self._guard = RequestGuard(hosts)
        self._bodies = JsonBodyReader(clock)
        owners = PinAuthenticator(pin, clock)
        organisers = PinAuthenticator(organiser_pin, clock, other=owners)
        self._session = PinSession(owners, self._bodies, cookie="cribboard-pad", state="/table/pad")
        self._desk = PinSession(organisers, self._bodies, cookie="cribboard-desk", state="/desk/pad")

        def edition() -> str:
            return self._files.edition

        verify = Verify(closes, offered=offered, chosen=chosen or (lambda: offered[0]), clock=clock)
        self._mounts: list[Callable[[web.Application], None]] = [verify.mount]
        if competitions is not None:
            phones = TablePhones(competitions, self._desk, clock=clock, edition=edition, host=host)
            routes = DeskRoutes(
                competitions,
                self._desk,
                clock=clock,
                language=language,
                edition=edition,
                address=phones.address,
                has_board=has_board,
            )
            self._mounts += [phones.mount, routes.mount]
            if boards is not None:
                from cribd.web.kiosk.desk.board_routes import BoardRoutes

                shown = BoardRoutes(
                    boards,
                    competitions,
                    self._desk,
                    clock=clock,
                    edition=edition,
                    language=language,
                    drawings=lambda: self._drawings,
                )
                self._mounts.append(shown.mount)
        if admission is not None:
            from cribd.web.kiosk.joining_routes import JoiningRoutes

            self._mounts.append(JoiningRoutes(admission, self._bodies).mount)

    def mount(self, app: web.Application) -> None:
        """Add the routes and the startup handler."""
        self._not_found.install(app)
        self._guard.install(app)
        for page in self.pages:
            for path in page.paths:
                app.router.add_get(path, partial(self._file, name=f"{page.name}.html"))
        app.router.add_get("/page/{name}", self._file)
        app.router.add_get("/table/board", partial(self._file, name="board.json"))
        app.on_startup.append(self._get_ready)  # before its parts, which may load a competition and show it
        for mount in self._mounts:
            mount(app)

    # Files

    @property
    def edition(self) -> str:
        """A hash of all files.

        A page that was loaded with another edition reloads itself."""
        return self._files.edition

    def get_ready(self, app: web.Application) -> None:
        """Load files and catalogues before the first visitor.

        Call it in a thread: the first call takes tenths of a second. An error in a catalogue breaks only the pages."""
        with suppress(OSError, ValueError, KeyError):
            load_all()
            _ = self._files.edition

    async def _get_ready(self, app: web.Application) -> None:
        await self._clock.run_in_thread(partial(self.get_ready, app))

    def _made_files(self) -> Mapping[str, bytes]:
        documents = pages.documents(self.pages, twin=self._has_twin, club=self._has_club)
        return {
            **documents,
            **translations.files(),
            **guide.files(),
            PATHS.name: PATHS.read_bytes(),
            "board.json": json.dumps(drawing(self._board)).encode(),
            **({"boards.json": json.dumps(self._drawings).encode()} if self._has_club else {}),
        }

    @cached_property
    def _drawings(self) -> Mapping[str, Mapping[str, Any]]:
        """The drawings for a club's boards, by board name.

        Reading the board files is slow."""
        return drawings(self._board)

    async def _file(self, request: web.Request, name: str | None = None) -> web.Response:
        return self._files.respond(request, name or request.match_info["name"])
