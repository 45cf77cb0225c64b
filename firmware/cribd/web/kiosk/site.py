"""The pages of a board: what is at which address, and what each lets a visitor do.

`/` is the scoreboard, for whoever looks from afar. `/verify` judges counts, for anybody, with no game and beside any.
`/table` shows the game to whoever may come in, and lets who gave the owner's PIN tap cards as a reader would read them
(rules reference, 7.18). A page is given pictures and answers, never a position, and no secret is in it. It belongs to
the daemon's loop: what takes long is done aside, one after the other, and no visitor waits for another's network.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cribboard.count_judge import CountJudge
from cribd.boards import PATHS, Board
from cribd.clock import Clock
from cribd.inputs import Input
from cribd.table.rule_sets import RuleSet, misfits
from cribd.table.snapshot import Snapshot
from cribd.text import Phrases, languages, load
from cribd.web.http.json_body import Bodies
from cribd.web.http.security import Door
from cribd.web.http.sse import Stream
from cribd.web.http.static_files import StaticFiles
from cribd.web.http.worker import Worker
from cribd.web.kiosk import translations, verify
from cribd.web.kiosk.counts import Counts
from cribd.web.kiosk.drawing import drawing
from cribd.web.kiosk.games import Games, PastGames
from cribd.web.kiosk.join_code import JoinCode
from cribd.web.kiosk.not_found import Lost
from cribd.web.kiosk.owner import Owning
from cribd.web.kiosk.pin import Pin
from cribd.web.kiosk.snapshot_json import message
from cribd.web.kiosk.statistics import Figures

if TYPE_CHECKING:
    from aiohttp import web

PAGE = Path(__file__).with_name("page")
#: What is a file and nothing else, at its address. Of one past game the page is the same: it asks for the game itself.
_FILES = {
    "/": "scoreboard.html",
    "/verify": "verify.html",
    "/table": "table.html",
    "/table/board": "board.json",
    "/games": "games.html",
    r"/games/{number:\d{1,9}}": "games.html",
}
#: The link of each page to a page that only a desktop has.
_TO_TWIN = b'<a href="/twin" class="tool" data-word="page.to.twin"></a>'


class Owner(Protocol):
    """What the pages ask of the table."""

    def hear(self, facts: Sequence[Input]) -> None: ...
    def closes(self, judge: CountJudge) -> bool: ...


class Site:
    """The pages of one board.

        site = Site(table, board=board, archive=Archive(journal_path), offered=..., clock=clock, pin=config.page.pin)
        site.mount(app)         # an aiohttp Application
        device.watch(site.show)

    `offered` are the rules by which this board counts; `host` is where it listens, and `hosts` names it may go by
    besides its own.
    """

    def __init__(
        self,
        table: Owner,
        *,
        board: Board,
        archive: PastGames,
        offered: Sequence[RuleSet],
        clock: Clock,
        pin: str = "",
        host: str = "127.0.0.1",
        hosts: Iterable[str] = (),
    ) -> None:
        self._table = table
        self._offered = offered
        self._clock = clock
        self._door = Door(hosts)
        self._bodies = Bodies(clock)
        self._owning = Owning(
            Pin(pin, clock),
            self._bodies,
            table.hear,
            board=board,
            rules=[each for each in offered if not any(misfits(each, board))],
            chosen=lambda: self._snapshot.rules,
            spoken=lambda: self._spoken,
        )
        self._board = board
        self._shelf = StaticFiles(PAGE, self._made)
        self._lost = Lost(lambda: self._shelf.files["lost.html"], lambda: self._spoken)
        self._addresses: Collection[str] = ()
        self._snapshot = Snapshot()
        self._stream = Stream(self._look, clock)
        self._judging = Worker(clock)
        self._counts = Counts(lambda: self._snapshot, lambda: self._spoken, clock)
        self._invitation = JoinCode(host, clock)
        self._games = Games(
            archive,
            offered=offered,
            clock=clock,
            spoken=lambda: self._spoken,
            bodies=self._bodies,
            is_owner=self._owning.is_open,
            hear=table.hear,
        )
        self._figures = Figures(archive, clock)

    def show(self, snapshot: Snapshot) -> None:
        """The table has another picture."""
        if snapshot.pending is None:
            self._snapshot = snapshot
            self._stream.change()

    def mount(self, app: web.Application) -> None:
        """Add the routes; be ready when the application starts, and let everybody go when it shuts down."""
        self._lost.guide(app)
        self._door.guard(app)
        for path, name in _FILES.items():
            app.router.add_get(path, partial(self._page, name=name))
        app.router.add_get("/page/{name}", self._file)
        app.router.add_get("/verify/rules", self._rules)
        app.router.add_post("/verify/judge", self._judge)
        app.router.add_get("/table/events", self._stream.answer, allow_head=False)
        self._counts.mount(app)
        self._owning.mount(app)
        self._games.mount(app)
        self._figures.mount(app)
        self._invitation.mount(app)
        app.on_startup.append(self._get_ready)
        app.on_shutdown.append(self._shut_down)

    # Files

    @cached_property
    def _spoken(self) -> Mapping[str, Phrases]:
        return {language: load(language) for language in languages()}

    async def _get_ready(self, app: web.Application) -> None:
        """Files and catalogues are read aside, before the first visitor: they take tenths of a second on a Pi. A
        catalogue that cannot be read spoils the pages, and never the board."""
        self._addresses = {resource.canonical for resource in app.router.resources()}
        with suppress(OSError, ValueError, KeyError):
            await self._clock.run_in_thread(lambda: (self._spoken, self._shelf.edition))

    def _made(self) -> Mapping[str, bytes]:
        pages = {} if "/twin" in self._addresses else {page.name: _without_twin(page) for page in PAGE.glob("*.html")}
        board = json.dumps(drawing(self._board)).encode()
        return {**pages, **translations.files(), PATHS.name: PATHS.read_bytes(), "board.json": board}

    async def _page(self, request: web.Request, name: str) -> web.Response:
        return self._shelf.hand(request, name)

    async def _file(self, request: web.Request) -> web.Response:
        return self._shelf.hand(request, request.match_info["name"])

    # The count judge

    async def _rules(self, _request: web.Request) -> web.Response:
        from aiohttp import web

        title = self._snapshot.rules.title
        played = next((each.rules.label for each in self._offered if each.title == title), None)
        rules = verify.rules_to_choose(self._offered, self._spoken)
        return web.json_response({"rules": rules, "played": played})

    async def _judge(self, request: web.Request) -> web.Response:
        """A count is judged aside, one after the other; while claims are open, not on cards like those of the
        running deal."""
        from aiohttp import web

        try:
            question = verify.read(await self._bodies.read(request), self._offered)
        except verify.NoQuestion:
            raise web.HTTPBadRequest from None
        if self._table.closes(question.judge):
            return web.json_response({"closed": True})
        return web.json_response(await self._judging.do(partial(verify.answer, question, self._spoken), asked=request))

    # The table

    def _look(self) -> bytes:
        return message(self._snapshot, self._spoken, self._offered, edition=self._shelf.edition)

    async def _shut_down(self, _app: web.Application) -> None:
        await self._stream.close()


def _without_twin(page: Path) -> bytes:
    """A page of a board with hardware of its own: there is no simulated one to go to."""
    return page.read_bytes().replace(_TO_TWIN, b"")
