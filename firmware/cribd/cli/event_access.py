"""How `cribboard event` reaches the competition: through the running board, or in the store where none runs.

Both speak the JSON of the desk's routes (docs/competition.md). The lock of the journal says whether a board runs.
"""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from cribd.text import Phrases

if TYPE_CHECKING:
    from cribd.competition.snapshot import CompetitionSnapshot

#: How long the board may take to answer.
_PATIENCE_S = 30.0
#: The statuses by which a board refuses a PIN.
_PIN_REFUSED = (400, 403, 429)


class NoAddress(Exception):  # noqa: N818 (what somebody typed)
    """This is no address of a board."""


class Unreachable(Exception):  # noqa: N818 (a state of the board, not an error of the caller)
    """No board answers at this address, or not as one does."""


class WrongPin(Exception):  # noqa: N818 (what somebody typed)
    """The PIN is wrong or missing (403), none is set on the board (400), or one must wait (429): `status`."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


class Access(Protocol):
    """The desk of a competition. Each call returns a status as HTTP has it, and the answer."""

    def get(self, what: str) -> tuple[int, Any]:
        """What the desk holds under this name."""
        ...

    def post(self, what: str, told: object) -> tuple[int, Any]:
        """What came of this request to the desk."""
        ...

    def close(self) -> None:
        """Leaves the desk. No call follows."""
        ...


class RunningBoard:
    """The board that serves its pages at `address`. Gives the PIN at once. Raises `NoAddress`, `WrongPin`, and
    `Unreachable` where no board answers, or not as one does; the calls too."""

    def __init__(self, address: str, pin: str) -> None:
        self._host, self._port = _host_and_port(address)
        self._origin = address.rstrip("/")
        self._cookie = ""
        status, text = self._ask("POST", "/desk/pin", {"pin": pin})
        if status in _PIN_REFUSED:
            raise WrongPin(status)
        if _read(text) != {"pin": "given"}:
            raise Unreachable(f"HTTP {status}")

    def get(self, what: str) -> tuple[int, Any]:
        status, text = self._ask("GET", f"/desk/{what}")
        return _as_a_desk(status, text if "/" in what else _read(text))

    def post(self, what: str, told: object) -> tuple[int, Any]:
        status, text = self._ask("POST", f"/desk/{what}", told)
        return _as_a_desk(status, _read(text))

    def close(self) -> None:
        with suppress(Unreachable):
            self._ask("POST", "/desk/leave", {})

    def _ask(self, method: str, path: str, told: object = None) -> tuple[int, str]:
        """Bytes are sent as CSV, all else as JSON."""
        headers = {"Origin": self._origin, "Cookie": self._cookie}
        headers["Content-Type"] = "text/csv" if isinstance(told, bytes) else "application/json"
        body = told if isinstance(told, bytes) else json.dumps(told).encode() if method == "POST" else None
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_PATIENCE_S)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if cookie := answer.getheader("Set-Cookie"):
                self._cookie = cookie.partition(";")[0]
            return answer.status, text
        except (OSError, http.client.HTTPException, ValueError) as wrong:
            raise Unreachable(getattr(wrong, "strerror", None) or str(wrong)) from wrong
        finally:
            connection.close()


def _host_and_port(address: str) -> tuple[str, int]:
    """Where to connect to. Raises `NoAddress`."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as wrong:
        raise NoAddress(address) from wrong
    beside = (parts.path.strip("/"), parts.query, parts.fragment, parts.username)
    if parts.scheme != "http" or not parts.hostname or not address.isascii() or any(beside):
        raise NoAddress(address)
    return parts.hostname, 80 if port is None else port


def _as_a_desk(status: int, told: Any) -> tuple[int, Any]:
    """What the desk of a board answered. Raises `WrongPin` where the session has ended, `Unreachable` for what no desk
    answers."""
    if status == 403:
        raise WrongPin(status)
    if status in (200, 404) or (isinstance(told, dict) and "refused" in told):
        return status, told
    raise Unreachable(f"HTTP {status}")


def _read(text: str) -> Any:
    """The value of JSON; another text as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class Store:
    """The competition in the journal at `path`, which no board plays on; `make` one where there is none. A damaged one
    stays where it is. Raises `NoJournal`, `JournalDamaged`, `JournalBusy`, `NotKept`, also in `get`."""

    def __init__(self, path: Path, spoken: Mapping[str, Phrases], *, make: bool) -> None:
        from cribd.clock import SystemClock
        from cribd.competition.organiser import Organiser
        from cribd.storage.lock import open_journal_as_it_is

        self._spoken = spoken
        self._clock = SystemClock()
        self._journal = open_journal_as_it_is(path, self._clock, make=make)
        self._owner = Organiser(self._journal, self._clock)
        asyncio.run(self._owner.load())

    def get(self, what: str) -> tuple[int, Any]:
        from cribboard.competition.record import Record, write
        from cribd.competition.board_table import read_board_table
        from cribd.competition.members import read_members
        from cribd.competition.snapshot import CompetitionSnapshot
        from cribd.web.kiosk import competition_json

        state = self._owner.state
        if what.startswith("seeds?from="):
            return self._seeds(int(what.partition("=")[2]))
        if what == "competitions":
            listed = asyncio.run(self._owner.listed())
            return 200, competition_json.listed(listed, current=competition_json.number_of(state))
        if what == "board":
            return 200, {"table": read_board_table(self._journal)}
        if what == "members":
            return 200, {"members": read_members(self._journal)}
        kind, _, name = what.partition("/")
        if kind in ("print", "export", "season"):
            return self._file(kind, name)
        if what == "state":
            return 200, competition_json.desk(state, self._spoken)
        if not isinstance(state, CompetitionSnapshot):
            return 404, ""
        if what == "record":
            return 200, write(Record(state.heading, state.log))
        return 200, competition_json.log(state, self._spoken)

    def _seeds(self, number: int) -> tuple[int, Any]:
        from cribd.competition.refusals import RefusedRequest
        from cribd.web.kiosk import competition_json

        try:
            entrants, placed = asyncio.run(self._owner.seeds_from(number))
        except RefusedRequest as refused:
            return 409, competition_json.refusal(refused.code, refused.values, self._owner.state, self._spoken)
        return 200, {"entrants": entrants, "placed": placed}

    def _file(self, kind: str, asked: str) -> tuple[int, str]:
        from cribd.competition.snapshot import CompetitionSnapshot
        from cribd.web.kiosk import event_files

        name, _, fields = asked.partition("?")
        query, state = dict(parse_qsl(fields)), self._owner.state
        try:
            if kind == "season":
                made = event_files.season(name, query, self._spoken, self._journal)
            elif not isinstance(state, CompetitionSnapshot):
                return 404, ""
            elif kind == "print":
                made = event_files.sheet(name, query, state, self._spoken)
            else:
                made = event_files.kept(name, query, state, self._spoken, self._journal)
        except event_files.NoFile as none:
            return 404, none.reason
        return 200, made.body.decode()

    def post(self, what: str, told: object) -> tuple[int, Any]:
        from cribboard.competition import RefusedAction
        from cribd.competition.action_json import NotAnAction
        from cribd.competition.board_table import keep_board_table
        from cribd.competition.members import change_members, read_members
        from cribd.competition.refusals import RefusedRequest
        from cribd.web.kiosk import competition_json

        try:
            if what == "csv":
                return 200, competition_json.preview_of(self._preview(told), self._spoken)
            if what == "board":
                return 200, {"table": keep_board_table(self._journal, told)}
            if what == "members":
                new = change_members(self._journal, told, self._owner.state)
                return 200, {"new": new, "members": read_members(self._journal)}
            held = asyncio.run(self._work(what, told))
        except NotAnAction as wrong:
            return 400, competition_json.not_understood(wrong, self._spoken)
        except (RefusedAction, RefusedRequest) as refused:
            return 409, competition_json.refusal(refused.code, refused.values, self._owner.state, self._spoken)
        return 200, {"competition": held.number, "events": len(held.log)}

    def close(self) -> None:
        self._journal.close()

    def _work(self, what: str, told: object) -> Coroutine[Any, Any, CompetitionSnapshot]:
        from cribd.competition.action_json import read_action, split_ask
        from cribd.competition.members import registrations
        from cribd.competition.refusals import RefusedRequest
        from cribd.web.kiosk.competition_json import read_heading, read_switch

        match what:
            case "begin":
                today = self._clock.wall().astimezone().date().isoformat()
                return self._owner.begin(read_heading(told, today=today))
            case "switch":
                return self._owner.switch(read_switch(told))
            case "members/here":
                ask, names = split_ask(told)
                return self._owner.do_from(partial(registrations, self._journal, names), ask=ask)
            case "draw":
                return self._owner.draw(ask=_split(told)[0])
            case "csv/confirm":
                found = self._preview(told)
                if found.problems or not found.rows:
                    raise RefusedRequest("csv_has_problems")
                return self._owner.do(*found.actions)
        ask, action = _split(told)
        return self._owner.do(read_action(action), ask=ask)

    def _preview(self, file: object) -> Any:
        from cribd.competition.refusals import RefusedRequest
        from cribd.competition.registration import preview
        from cribd.competition.snapshot import CompetitionSnapshot

        state = self._owner.state
        if not isinstance(state, CompetitionSnapshot) or not isinstance(file, bytes):
            raise RefusedRequest("no_competition")
        return preview(file, team_size=state.heading.format.team_size, registered=state.organiser.entrants)


def _split(told: object) -> tuple[bool, object]:
    """Whether a request asks for its consequences, and the rest of it. Raises `NotAnAction`."""
    from cribd.competition.action_json import split_ask

    return split_ask(told) if isinstance(told, dict) else (False, told)
