"""The twin page: the simulated board in a browser, from the daemon itself.

It shows what the chips hold, and all it can do is what a person could: a finger down, a finger up, bytes at the reader,
a plug pulled or put back. Never knows a position, a view or a fact. What people at a table see beside the board, the
daemon tells it in plain words (`show`). Whatever a browser sends is judged first; what is no such act is as if it had
not been sent. A browser that is slow, silent or gone holds nobody up: each has a painter of its own, who always sends
the newest picture and never keeps a second one.

The daemon decides where the page listens, and `cribd.web.http.security` who may come in.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cribd.boards import PATHS, Board
from cribd.clock import Clock, SystemClock
from cribd.twin.machine import Pluggable
from cribd.twin.messages import Act, Down, Hold, Machine, Plug, Scan, Up, geometry, hole_name, key_name, picture, read
from cribd.web.http.security import HEADERS, RequestGuard
from cribd.web.http.static_files import StaticFiles

if TYPE_CHECKING:
    from aiohttp import web

PAGE = Path(__file__).with_name("page")
INDEX = "index.html"

PICTURE_S = 1 / 30  # no two pictures for one browser are nearer
TOUCH_S = 0.04  # no finger goes down and up quicker, and no scan of the buttons may miss it
ALIVE_S = 20.0  # how often a silent browser is asked whether it is there
GOODBYE_S = 1.0  # how long a browser may take to say goodbye
BROWSERS = 16
EDGES = 8  # how many fingers may wait for one button
SCANS = 8  # how many cards may wait for the reader
RECEIVED = 4096  # bytes; a longer message is not even read, and its socket closes


@dataclass(slots=True)
class Button:
    """A button or key under everybody's fingers: it goes down with the first and up with the last of them."""

    press: Callable[[], None]
    release: Callable[[], None]
    fingers: set[Browser] = field(default_factory=set)
    edges: deque[Callable[[], None]] = field(default_factory=deque)
    moving: asyncio.Task[None] | None = None


@dataclass(slots=True, eq=False)
class Browser:
    """One page that is open somewhere. `sending` while a picture is on its way to it; `sent` is the last that went."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    sending: bool = False
    sent: dict[str, object] = field(default_factory=dict)


class TwinPage:
    """The twin page of one machine.

        page = TwinPage(twin, board)
        page.mount(app)         # an aiohttp Application: /twin, /twin/board.json, /twin/wires

    `hosts` are names that a request may use for this machine besides its addresses, its own name and localhost.
    """

    def __init__(
        self, machine: Machine, board: Board, *, clock: Clock | None = None, hosts: Sequence[str] = ()
    ) -> None:
        self._machine = machine
        self._board = board
        self._clock: Clock = clock or SystemClock()
        self._guard = RequestGuard(hosts)
        self._files = StaticFiles(PAGE, self._made)
        self._buttons = {
            hole_name(board, track.side, number): Button(
                partial(machine.press, track.side, number), partial(machine.release, track.side, number)
            )
            for track in board.tracks
            for number in range(1, len(track.holes) + 1)
        } | {
            key_name(board, key.key, key.side): Button(
                partial(machine.key_down, key.key, key.side), partial(machine.key_up, key.key, key.side)
            )
            for key in board.keys
        }
        self._plugs = {part.value: True for part in Pluggable}
        self._scans: deque[Callable[[], Awaitable[None]]] = deque()
        self._scanning: asyncio.Task[None] | None = None
        self._browsers: set[Browser] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._deaf: Callable[[], None] | None = None
        self._told = False
        self._seen: tuple[int, dict[str, object]] | None = None
        self._table: Mapping[str, object] = {}

    def show(self, table: Mapping[str, object]) -> None:
        """What people see beside the board, for the page as JSON: `seen`, the cards that lie open; `language`, which
        the board speaks; `menu`, the line of its menu that is shown, "" where MENU opens it, None where it does not;
        and the number of that line, `step`. Call it on the loop."""
        if table != self._table:
            self._table = table
            self._wake()

    def mount(self, app: web.Application) -> None:
        """Add the routes, and let go of everything when the application shuts down."""
        app.router.add_get("/twin", self._file)
        app.router.add_get("/twin/wires", self._wires)
        app.router.add_get("/twin/{name}", self._file)
        app.on_shutdown.append(self._shut_down)

    # Files

    def _made(self) -> dict[str, bytes]:
        readers = [{"name": reader.name, "kind": reader.kind} for reader in self._machine.readers]
        board = json.dumps(geometry(self._board) | {"readers": readers}).encode()
        return {"board.json": board, PATHS.name: PATHS.read_bytes()}

    async def _file(self, request: web.Request) -> web.Response:
        self._guard.check(request)
        return self._files.respond(request, request.match_info.get("name", INDEX))

    # Browsers

    async def _wires(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import WSMsgType, web

        self._guard.check(request)
        if len(self._browsers) >= BROWSERS:
            raise web.HTTPServiceUnavailable(headers=HEADERS)
        if "Sec-WebSocket-Protocol" in request.headers:
            raise web.HTTPBadRequest(text="The page speaks no protocol of a name.\n", headers=HEADERS)
        wires = web.WebSocketResponse(heartbeat=ALIVE_S, timeout=GOODBYE_S, max_msg_size=RECEIVED, compress=False)
        browser = Browser(wires, request.transport)
        self._enter(browser)
        painter = None
        try:
            try:
                await wires.prepare(request)
            except ValueError:  # a head that is not in ASCII
                raise web.HTTPBadRequest(headers=HEADERS) from None
            painter = asyncio.create_task(self._paint(browser), name="twin page picture")
            async for message in wires:
                if message.type is WSMsgType.TEXT and (act := read(message.data)) is not None:
                    self._do(browser, act)
                await asyncio.sleep(0)  # a flood of messages lets others run too
        finally:
            self._leave(browser)
            if painter is not None:
                painter.cancel()
                await asyncio.wait((painter,))
        return wires

    def _enter(self, browser: Browser) -> None:
        self._browsers.add(browser)
        browser.changed.set()
        if self._deaf is None:
            self._loop = asyncio.get_running_loop()
            self._told = False
            self._deaf = self._machine.listen(self._hear)

    def _leave(self, browser: Browser) -> None:
        self._browsers.discard(browser)
        for button in self._buttons.values():
            self._lift(button, browser)
        if not self._browsers and self._deaf is not None:
            self._deaf()
            self._deaf = None

    def _hear(self, _version: int) -> None:
        """Something changed, says some thread. What has been told and not yet heard is not told twice."""
        if not self._told and self._loop is not None:
            self._told = True
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody looks any more
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._told = False
        for browser in self._browsers:
            browser.changed.set()

    async def _paint(self, browser: Browser) -> None:
        """Send a browser all there is, then what changes; whatever it missed is in the next picture."""
        while True:
            await browser.changed.wait()
            browser.changed.clear()
            browser.sending = True
            try:
                await self._send_news(browser)
            except (ConnectionError, RuntimeError):  # it is closing, or gone
                return
            except asyncio.CancelledError:
                self._hang_up(browser)
                raise
            browser.sending = False
            await self._clock.sleep(PICTURE_S)

    async def _send_news(self, browser: Browser) -> None:
        now = self._look()
        news = {part: value for part, value in now.items() if browser.sent.get(part) != value}
        if news:
            await browser.socket.send_str(json.dumps(news))
            browser.sent = now

    @staticmethod
    def _hang_up(browser: Browser) -> None:
        """Leave a browser that takes nothing more: what waits for it will never be read."""
        if browser.transport is not None:
            browser.transport.abort()

    def _look(self) -> dict[str, object]:
        version = self._machine.version
        if self._seen is None or self._seen[0] != version:
            self._seen = version, picture(self._machine)
        return {"edition": self._files.edition, "plugs": dict(self._plugs), "table": self._table, **self._seen[1]}

    # What people do

    def _do(self, browser: Browser, act: Act) -> None:
        match act:
            case Down(name) if (button := self._buttons.get(name)) is not None:
                if browser not in button.fingers:
                    if not button.fingers:
                        self._move(button, button.press)
                    button.fingers.add(browser)
            case Up(name) if (button := self._buttons.get(name)) is not None:
                self._lift(button, browser)
            case Scan(data):
                self._scan(lambda: self._clock.run_in_thread(partial(self._machine.scan, data)))
            case Hold(card, reader) if reader in {each.name for each in self._machine.readers}:
                self._scan(partial(self._machine.hold_up, card, reader=reader))
            case Plug(part, put_in) if self._plugs[part.value] is not put_in:
                self._plugs[part.value] = put_in
                (self._machine.plug if put_in else self._machine.unplug)(part.value)
                self._wake()

    def _lift(self, button: Button, browser: Browser) -> None:
        if browser in button.fingers:
            button.fingers.discard(browser)
            if not button.fingers:
                self._move(button, button.release)

    def _move(self, button: Button, edge: Callable[[], None]) -> None:
        """Move a button now, or as soon as it has stood still for `TOUCH_S`."""
        if button.moving is None:
            edge()
            button.moving = asyncio.create_task(self._rest(button), name="twin page button")
        elif len(button.edges) < EDGES:
            button.edges.append(edge)
        else:
            button.edges.pop()  # down and up again, sooner than any finger: neither is felt

    async def _rest(self, button: Button) -> None:
        try:
            await self._clock.sleep(TOUCH_S)
            while button.edges:
                button.edges.popleft()()
                await self._clock.sleep(TOUCH_S)
        finally:
            button.moving = None

    def _scan(self, hold: Callable[[], Awaitable[None]]) -> None:
        """Hold a card before a reader, after those that wait already."""
        if len(self._scans) < SCANS:
            self._scans.append(hold)
            if self._scanning is None:
                self._scanning = asyncio.create_task(self._scan_all(), name="twin page scans")

    async def _scan_all(self) -> None:
        try:
            while self._scans:
                await self._scans.popleft()()
        finally:
            self._scanning = None

    async def _part(self, browser: Browser) -> None:
        """Show a browser how the chips were left, and say goodbye."""
        from aiohttp import WSCloseCode

        try:
            async with asyncio.timeout(GOODBYE_S):
                await self._send_news(browser)
                await browser.socket.close(code=WSCloseCode.GOING_AWAY)
        except (TimeoutError, ConnectionError, RuntimeError):
            self._hang_up(browser)

    async def _shut_down(self, _app: web.Application) -> None:
        """The application stops: say goodbye to every browser, and take every finger off."""
        browsers = list(self._browsers)
        for browser in browsers:
            if browser.sending:
                self._hang_up(browser)
        await asyncio.gather(*(self._part(browser) for browser in browsers if not browser.sending))
        for browser in browsers:
            self._leave(browser)
        for button in self._buttons.values():
            if button.moving is not None:
                button.moving.cancel()
            while button.edges:
                button.edges.popleft()()
