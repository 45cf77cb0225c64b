"""The page of the twin: the simulated board in a browser.

It shows the state of the chips, and a browser can do only what a person could: press and release, show a card to a
reader, pull a plug and put it back. `show` gives it what people see beside the board. Every message is validated, and
an invalid one is ignored. A browser that is slow, silent or gone delays no other: each has a task of its own that sends
the newest state and stores no second one.

The daemon chooses the port; `cribd.web.http.security` says who may connect.
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

from aiohttp import WSCloseCode, WSMsgType, web

from cribd.boards import Board
from cribd.clock import Clock
from cribd.twin.faults import default
from cribd.twin.machine import Pluggable, Twin
from cribd.twin.messages import (
    PersonAct,
    Plug,
    PresentCard,
    PressButton,
    ReleaseButton,
    Scan,
    SwitchFault,
    geometry,
    hole_name,
    key_name,
    read,
    twin_state,
)
from cribd.web.http.security import HEADERS, RequestGuard
from cribd.web.http.static_files import StaticFiles

PAGE = Path(__file__).with_name("page")
INDEX = "index.html"

PICTURE_S = 1 / 30  # the shortest time between two states for one browser
TOUCH_S = 0.04  # no press is shorter, and none ends before so many scans of the buttons:
TOUCH_SCANS = 3  # two equal ones make a press, and one may be under way when it begins
LONGEST_TOUCH_S = 1.0  # a press ends after this time, even without a scan
ALIVE_S = 20.0  # seconds between two pings of a silent browser
GOODBYE_S = 1.0  # seconds that a browser has for the closing handshake
BROWSERS = 16
EDGES = 8  # how many fingers may wait for one button
SCANS = 8  # how many cards may wait for the reader
RECEIVED = 4096  # bytes; a longer message is not even read, and its socket closes


@dataclass(slots=True)
class Button:
    """A button or key, pressed while any browser holds it."""

    press: Callable[[], None]
    release: Callable[[], None]
    fingers: set[Browser] = field(default_factory=set)
    edges: deque[Callable[[], None]] = field(default_factory=deque)
    moving: asyncio.Task[None] | None = None


@dataclass(slots=True, eq=False)
class Browser:
    """A page that is open in a browser.

    `sending` is true while a state is on its way to the page; `sent` is the last state that was sent."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    window: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    sending: bool = False
    sent: dict[str, object] = field(default_factory=dict)


class TwinPage:
    """The page of one twin, with its routes and open browsers.

        page = TwinPage(twin, board, clock=clock)
        page.mount(app)         # an aiohttp Application: /twin, /twin/board.json, /twin/wires

    `allows` says whether a window of a browser, by the name that its page made up, may do this. `beside` is the path of
    a script that the page runs beside its own. `pages` are the links to other pages: the `path` of each, and the code
    of its `word`. Files that the page shares with these, such as its words, it fetches from `/page/NAME` of the same
    application; `edition` is that of these files.
    """

    def __init__(
        self,
        twin: Twin,
        board: Board,
        *,
        clock: Clock,
        allows: Callable[[str, PersonAct], bool] = lambda _window, _action: True,
        beside: str = "",
        pages: Sequence[Mapping[str, str]] = (),
        edition: Callable[[], str] = lambda: "",
    ) -> None:
        self._allows = allows
        self._beside = beside
        self._pages = pages
        self._shared_edition = edition
        self._twin = twin
        self._board = board
        self._clock = clock
        self._guard = RequestGuard()
        self._files = StaticFiles([PAGE], self._generated_files)
        self._buttons = {
            hole_name(board, track.side, number): Button(
                partial(twin.press, track.side, number), partial(twin.release, track.side, number)
            )
            for track in board.tracks
            for number, hole in enumerate(track.holes, start=1)
            if hole.input is not None
        } | {
            key_name(board, key.key, key.side): Button(
                partial(twin.key_down, key.key, key.side), partial(twin.key_up, key.key, key.side)
            )
            for key in board.keys
        }
        missing = {Pluggable.BUTTONS: not board.chain.chips, Pluggable.STRIP: not board.strip.count}
        self._plugs = {part.value: True for part in Pluggable if not missing.get(part)}
        self._scans: deque[Callable[[], Awaitable[None]]] = deque()
        self._scanning: asyncio.Task[None] | None = None
        self._browsers: set[Browser] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_listening: Callable[[], None] | None = None
        self._woken = False
        self._seen: tuple[int, dict[str, object]] | None = None
        self._table: Mapping[str, object] = {}

    def show(self, table: Mapping[str, object]) -> None:
        """Set the table's state, which the page shows beside the board.

        Call `show` on the loop. `seen` are the open cards, `language` is the board's. `menu` is the menu line that is
        shown, "" if MENU opens the menu, None if it does not; `step` is the number of that line."""
        if table != self._table:
            self._table = table
            self._wake()

    def mount(self, app: web.Application) -> None:
        """Add the routes, and close all connections at shutdown."""
        app.router.add_get("/twin", self._file)
        app.router.add_get("/twin/wires", self._wires)
        app.router.add_get("/twin/{name}", self._file)
        app.on_shutdown.append(self._shut_down)

    # Files

    def _generated_files(self) -> dict[str, bytes]:
        readers = [{"name": reader.name, "kind": reader.kind} for reader in self._twin.readers]
        beside = {"beside": self._beside} if self._beside else {}
        others = {"pages": self._pages} if self._pages else {}
        board = json.dumps({**geometry(self._board), "readers": readers, **beside, **others}).encode()
        return {"board.json": board}

    async def _file(self, request: web.Request) -> web.Response:
        self._guard.check(request)
        return self._files.respond(request, request.match_info.get("name", INDEX))

    # Browsers

    async def _wires(self, request: web.Request) -> web.StreamResponse:
        self._guard.check(request)
        if len(self._browsers) >= BROWSERS:
            raise web.HTTPServiceUnavailable(headers=HEADERS)
        if "Sec-WebSocket-Protocol" in request.headers:
            raise web.HTTPBadRequest(text="The page speaks no protocol of a name.\n", headers=HEADERS)
        wires = web.WebSocketResponse(heartbeat=ALIVE_S, timeout=GOODBYE_S, max_msg_size=RECEIVED, compress=False)
        browser = Browser(wires, request.transport, request.query.get("window", ""))
        self._enter(browser)
        sender = None
        try:
            try:
                await wires.prepare(request)
            except ValueError:  # a head that is not in ASCII
                raise web.HTTPBadRequest(text="A head of a request is in ASCII.\n", headers=HEADERS) from None
            sender = asyncio.create_task(self._send_states(browser), name="twin page states")
            async for message in wires:
                if message.type is WSMsgType.TEXT and (action := read(message.data)) is not None:
                    self._do(browser, action)
                await asyncio.sleep(0)  # let other tasks run between many messages
        finally:
            self._leave(browser)
            if sender is not None:
                sender.cancel()
                await asyncio.wait((sender,))
        return wires

    def _enter(self, browser: Browser) -> None:
        self._browsers.add(browser)
        browser.changed.set()
        if self._stop_listening is None:
            self._loop = asyncio.get_running_loop()
            self._woken = False
            self._stop_listening = self._twin.listen(self._changed)

    def _leave(self, browser: Browser) -> None:
        self._browsers.discard(browser)
        for button in self._buttons.values():
            self._lift(button, browser)
        if not self._browsers and self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None

    def _changed(self, _version: int) -> None:
        """Record a change of the twin, from any thread."""
        if not self._woken and self._loop is not None:
            self._woken = True
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for browser in self._browsers:
            browser.changed.set()

    async def _send_states(self, browser: Browser) -> None:
        """Send a browser the whole state, then every change.

        A change while a message is sent is in the next message."""
        while True:
            await browser.changed.wait()
            browser.changed.clear()
            browser.sending = True
            try:
                await self._send_news(browser)
            except (ConnectionError, RuntimeError):  # it is closing, or gone
                return
            except asyncio.CancelledError:
                self._abort(browser)
                raise
            browser.sending = False
            await self._clock.sleep(PICTURE_S)

    async def _send_news(self, browser: Browser) -> None:
        """Send the parts of the state that this browser lacks."""
        self._woken = False
        version = self._twin.version
        if self._seen is None or self._seen[0] != version:
            self._seen = version, twin_state(self._twin)
        edition = self._files.edition + self._shared_edition()
        now = {
            "edition": edition,
            "plugs": dict(self._plugs),
            "faults": self._faults(),
            "table": self._table,
            **self._seen[1],
        }
        news = {part: value for part, value in now.items() if browser.sent.get(part) != value}
        if news:
            await browser.socket.send_str(json.dumps(news))
            browser.sent = now

    @staticmethod
    def _abort(browser: Browser) -> None:
        """Abort the connection of a browser that no longer reads."""
        if browser.transport is not None:
            browser.transport.abort()

    def _faults(self) -> dict[str, bool]:
        present = self._twin.faults
        return {name.value: name in present for name in self._twin.can_make}

    # What people do

    def _do(self, browser: Browser, action: PersonAct) -> None:
        if not isinstance(action, ReleaseButton) and not self._allows(browser.window, action):
            return
        match action:
            case PressButton(name) if (button := self._buttons.get(name)) is not None:
                if browser not in button.fingers:
                    if not button.fingers:
                        self._move(button, button.press)
                    button.fingers.add(browser)
            case ReleaseButton(name) if (button := self._buttons.get(name)) is not None:
                self._lift(button, browser)
            case Scan(data):
                self._queue_scan(lambda: self._clock.run_in_thread(partial(self._twin.scan, data)))
            case PresentCard(card, reader) if reader in {wire.name for wire in self._twin.readers}:
                self._queue_scan(partial(self._twin.present_cards, card, reader=reader))
            case Plug(part, put_in) if self._plugs.get(part.value, put_in) is not put_in:
                self._plugs[part.value] = put_in
                (self._twin.plug if put_in else self._twin.unplug)(part.value)
                self._wake()
            case SwitchFault(name, make) if (name in self._twin.faults) is not make and name in self._twin.can_make:
                if make:
                    self._twin.make(default(name, self._board))
                else:
                    self._twin.mend(name)
                self._wake()

    def _lift(self, button: Button, browser: Browser) -> None:
        if browser in button.fingers:
            button.fingers.discard(browser)
            if not button.fingers:
                self._move(button, button.release)

    def _move(self, button: Button, edge: Callable[[], None]) -> None:
        """Press or release a button, once its earlier moves are done."""
        if button.moving is None:
            edge()
            button.moving = asyncio.create_task(self._move_on(button), name="twin page button")
        elif len(button.edges) < EDGES:
            button.edges.append(edge)
        else:
            button.edges.pop()  # down and up again faster than a finger: both are dropped

    async def _move_on(self, button: Button) -> None:
        try:
            await self._rest()
            while button.edges:
                button.edges.popleft()()
                await self._rest()
        finally:
            button.moving = None

    async def _rest(self) -> None:
        """Wait until the buttons are scanned, at most about a second.

        The wait is at least `TOUCH_S`, also without a button chain. On a busy machine, buttons are scanned late."""
        scans = TOUCH_SCANS if self._board.chain.chips else 0
        enough, latest = self._twin.buttons.scans + scans, self._clock.now() + LONGEST_TOUCH_S
        await self._clock.sleep(TOUCH_S)
        while self._twin.buttons.scans < enough and self._clock.now() < latest:
            await self._clock.sleep(TOUCH_S)

    def _queue_scan(self, scan: Callable[[], Awaitable[None]]) -> None:
        if len(self._scans) < SCANS:
            self._scans.append(scan)
            if self._scanning is None:
                self._scanning = asyncio.create_task(self._run_scans(), name="twin page scans")

    async def _run_scans(self) -> None:
        try:
            while self._scans:
                await self._scans.popleft()()
        finally:
            self._scanning = None

    async def _say_goodbye(self, browser: Browser) -> None:
        """Send the last state if possible, and close the connection."""
        if browser.sending:
            self._abort(browser)
            return
        try:
            async with asyncio.timeout(GOODBYE_S):
                await self._send_news(browser)
                await browser.socket.close(code=WSCloseCode.GOING_AWAY)
        except (TimeoutError, ConnectionError, RuntimeError):
            self._abort(browser)

    async def _shut_down(self, _app: web.Application) -> None:
        """Close every connection and release every button."""
        browsers = list(self._browsers)
        await asyncio.gather(*map(self._say_goodbye, browsers))
        for browser in browsers:
            self._leave(browser)
        for button in self._buttons.values():
            if button.moving is not None:
                button.moving.cancel()
            while button.edges:
                button.edges.popleft()()
