"""The routes of the organiser's desk, and of the hall.

The organiser's PIN, or the owner's, opens the desk in a browser. What it asks for and does is answered by
`answers`, once it is committed; what came of it comes with the streams too, of the desk behind the PIN and of the hall
for everybody (design law 10).
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from typing import BinaryIO

from aiohttp import web

from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.snapshot import State
from cribd.paper.html import POLICY
from cribd.storage.archive import ArchiveAway
from cribd.storage.journal import JournalAway, JournalDamaged
from cribd.storage.journal_backup import file_name, open_copy
from cribd.web.http.encode_json import encode_json
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.sse import ThreadedStream, json_message
from cribd.web.kiosk.desk.answers import DeskAnswer, DeskAnswers
from cribd.web.kiosk.desk.competition_files import CompetitionFile
from cribd.web.kiosk.shared import competition_json
from cribd.web.kiosk.shared.pin_session import PinSession

#: The message of a board without a competition.
NOTHING = b'data: {"competition":null}\n\n'
#: The names of the requests that read, and of those that change something, each at `/desk/NAME`.
_READ = ("state", "log", "formats", "record", "competitions", "board")
_READ_WITHOUT_HEAD = ("draw", "seeds", "members", "print/{name}", "export/{name}", "season/{name}")
_DONE = ("begin", "switch", "do", "draw", "board", "board/say", "csv", "csv/confirm", "members", "members/here")
#: How much of the copy of the journal is read at a time.
_PIECE_BYTES = 65_536
#: How soon somebody may ask for a copy again while another is sent, in seconds.
_RETRY_S = "10"
#: A body is this long at most: a seating of all tables; a file of entrants, or the names of all members.
_LONGEST, _LONGEST_LIST = 16_384, 262_144


class DeskRoutes:
    """The routes of the desk, and the hall's event stream.

    The desk runs the `competitions`, and needs an open `session`. `language` gives the hall's language,
    `edition` the version of the pages' files, `address` each table's address for phones.
    `has_board`: whether this machine is a board, which may stand at a table."""

    def __init__(
        self,
        competitions: LazyOrganiser,
        session: PinSession,
        *,
        clock: Clock,
        language: Callable[[], str],
        edition: Callable[[], str],
        address: Callable[[web.Request], Awaitable[Callable[[int], str] | None]],
        has_board: bool = True,
    ) -> None:
        self._competitions = competitions
        self._session = session
        self._bodies = JsonBodyReader(clock)
        self._clock = clock
        self._language = language
        self._edition = edition
        self._address = address
        self._has_board = has_board
        self._halls = ThreadedStream(lambda: competitions.state, self._hall_message, clock)
        self._desks = ThreadedStream(lambda: competitions.state, self._desk_message, clock)
        self._copying = asyncio.Lock()
        session.watch(self._desks.end_unauthorised)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        self._session.mount(app)
        app.router.add_get("/event/events", self._halls.answer, allow_head=False)
        app.router.add_get("/desk/events", self._desk_events, allow_head=False)
        for what in (*_READ, *_READ_WITHOUT_HEAD):
            app.router.add_get(f"/desk/{what}", partial(self._get, what=what), allow_head=what in _READ)
        for what in _DONE:
            app.router.add_post(f"/desk/{what}", partial(self._post, what=what))
        app.router.add_get("/desk/backup", self._backup, allow_head=False)
        app.on_startup.append(self._open_competition)
        app.on_shutdown.append(self._close)

    # What is shown

    async def _open_competition(self, _app: web.Application) -> None:
        """Open the current competition, if any, and show its changes."""
        self._competitions.watch(self._show)
        await self._competitions.open_if_begun()

    def _show(self, _: State) -> None:
        self._halls.change()
        self._desks.change()

    def _hall_message(self, state: State) -> bytes:
        beside = {"edition": self._edition(), "language": self._language()}
        return json_message(beside | competition_json.hall(state))

    def _desk_message(self, state: State) -> bytes:
        return json_message({"edition": self._edition()} | competition_json.desk(state))

    async def _close(self, _app: web.Application) -> None:
        await self._halls.close()
        await self._desks.close()

    async def _desk_events(self, request: web.Request) -> web.StreamResponse:
        await self._open(request)
        return await self._desks.answer(request, may_look=lambda: self._session.is_open(request))

    # Requests

    async def _open(self, request: web.Request) -> DeskAnswers:
        """Return the `DeskAnswers` for a browser that gave a PIN. Raises HTTPForbidden for others."""
        self._session.must_be_open(request)
        return DeskAnswers(await self._competitions.organiser(), has_board=self._has_board)

    async def _get(self, request: web.Request, *, what: str) -> web.Response:
        answers = await self._open(request)
        address = await self._address(request) if what.startswith("print/") else None
        return await self._respond(answers.get(what.format(**request.match_info), request.query, address=address))

    async def _post(self, request: web.Request, *, what: str) -> web.Response:
        answers = await self._open(request)
        payload = await self._body(request, what)
        return await self._respond(answers.post(what, payload, request.query))

    async def _body(self, request: web.Request, what: str) -> object:
        """Read the body of the request `what`, CSV or JSON.

        If it is too long, raises HTTPRequestEntityTooLarge with a refusal in words."""
        is_csv, is_list = what.startswith("csv"), what.startswith("members")
        most = _LONGEST_LIST if is_csv or is_list else _LONGEST
        try:
            if is_csv:
                return await self._bodies.read_bytes(request, "text/csv", most=most)
            return await self._bodies.read(request, most=most)
        except web.HTTPRequestEntityTooLarge as refused:
            values = {"most": most // 1024}
            body = competition_json.refusal("body_too_long", values, self._competitions.state)
            refused.text, refused.content_type = json.dumps(body), "application/json"
            raise

    async def _respond(self, answer: Awaitable[DeskAnswer]) -> web.Response:
        """Send the answer over HTTP. Raises HTTPServiceUnavailable, with the reason, if the journal cannot be read."""
        try:
            status, body = await answer
        except (ArchiveAway, JournalDamaged, JournalAway) as wrong:
            raise web.HTTPServiceUnavailable(text=f"{wrong}\n") from wrong
        headers = {"Cache-Control": "no-store"}
        if status == 404:
            return web.Response(status=status, text=body)
        if not isinstance(body, CompetitionFile):
            encoded = await self._clock.run_in_thread(partial(encode_json, body))
            return web.Response(body=encoded, status=status, content_type="application/json", headers=headers)
        headers |= {"Content-Type": body.content_type, "Content-Security-Policy": POLICY}
        if body.is_attachment:
            headers["Content-Disposition"] = f'attachment; filename="{body.name}"'
        return web.Response(body=body.body, headers=headers)

    # The copy of the journal

    async def _backup(self, request: web.Request) -> web.StreamResponse:
        """Send a copy of the whole journal.

        Only one at a time is made and sent, since each takes as much of the disk as the journal. Raises
        HTTPServiceUnavailable for a second one, or if none can be made."""
        self._session.must_be_open(request)
        if self._copying.locked():
            raise web.HTTPServiceUnavailable(headers={"Retry-After": _RETRY_S})
        path = self._competitions.journal.path
        async with self._copying:
            files = ExitStack()  # the thread puts the file here: it is closed even if the request is cancelled
            try:
                copy = await self._clock.run_in_thread(lambda: files.enter_context(open_copy(path)))
            except (OSError, ArchiveAway) as wrong:
                raise web.HTTPServiceUnavailable from wrong
            else:
                return await self._send_copy(request, copy)
            finally:
                await self._clock.run_in_thread(files.close)  # the disk gives the room back, which takes its time

    async def _send_copy(self, request: web.Request, copy: BinaryIO) -> web.StreamResponse:
        """Send a copy of the journal, piece by piece."""
        name = file_name(self._clock.wall().astimezone())
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        answer = web.StreamResponse(headers=headers)
        answer.content_type = "application/vnd.sqlite3"
        answer.content_length = os.fstat(copy.fileno()).st_size
        await answer.prepare(request)
        while piece := await self._clock.run_in_thread(partial(copy.read, _PIECE_BYTES)):
            await answer.write(piece)
        return answer
