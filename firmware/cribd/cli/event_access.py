"""Access to the competition for `cribboard event`: through the running board, or in the store if no board runs.

Both speak the JSON of the desk's routes (docs/competition.md). The lock of the journal says whether a board runs.
"""

from __future__ import annotations

import asyncio
import http.client
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

#: How long the board may take to answer.
_PATIENCE_S = 30.0
#: The statuses by which a board refuses a PIN.
_PIN_REFUSED = (400, 403, 429)


class NoAddress(Exception):  # noqa: N818 (what somebody typed)
    """The address is not that of a board."""


class Unreachable(Exception):  # noqa: N818 (a state of the board, not an error of the caller)
    """No board answers at this address, or the answer is not that of a board."""


class WrongPin(Exception):  # noqa: N818 (what somebody typed)
    """The PIN is wrong or missing (403), none is set on the board (400), or the client must wait (429): `status`."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


class Access(Protocol):
    """The desk of a competition. Each call returns an HTTP status and the answer."""

    def get(self, what: str) -> tuple[int, Any]:
        """Read what the desk has under this name."""
        ...

    def post(self, what: str, payload: object) -> tuple[int, Any]:
        """Send this request to the desk and return its answer."""
        ...

    def close(self) -> None:
        """Close the access. No call may follow."""
        ...


class RunningBoard:
    """The board that serves its pages at `address`. The PIN is sent at once. The calls and the constructor raise
    `NoAddress`, `WrongPin`, and `Unreachable`."""

    def __init__(self, address: str, pin: str) -> None:
        self._host, self._port = _host_and_port(address)
        self._origin = address.rstrip("/")
        self._cookie = ""
        status, text = self._request("POST", "/desk/pin", {"pin": pin})
        if status in _PIN_REFUSED:
            raise WrongPin(status)
        if _read(text) != {"pin": "given"}:
            raise Unreachable(f"HTTP {status}")

    def get(self, what: str) -> tuple[int, Any]:
        status, text = self._request("GET", f"/desk/{what}")
        return _check_answer(status, text if "/" in what else _read(text))

    def post(self, what: str, payload: object) -> tuple[int, Any]:
        status, text = self._request("POST", f"/desk/{what}", payload)
        return _check_answer(status, _read(text))

    def close(self) -> None:
        with suppress(Unreachable):
            self._request("POST", "/desk/leave", {})

    def _request(self, method: str, path: str, payload: object = None) -> tuple[int, str]:
        """Send a request and return status and text. Bytes are sent as CSV, all else as JSON."""
        headers = {"Origin": self._origin, "Cookie": self._cookie}
        headers["Content-Type"] = "text/csv" if isinstance(payload, bytes) else "application/json"
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode() if method == "POST" else None
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
    """The host and port of an address. Raises `NoAddress`."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as wrong:
        raise NoAddress(address) from wrong
    beside = (parts.path.strip("/"), parts.query, parts.fragment, parts.username)
    if parts.scheme != "http" or not parts.hostname or not address.isascii() or any(beside):
        raise NoAddress(address)
    return parts.hostname, 80 if port is None else port


def _check_answer(status: int, payload: Any) -> tuple[int, Any]:
    """Check an answer of a desk. Raises `WrongPin` if the session has ended, `Unreachable` if no desk answers like
    this."""
    if status == 403:
        raise WrongPin(status)
    if status in (200, 404) or (isinstance(payload, dict) and "refused" in payload):
        return status, payload
    raise Unreachable(f"HTTP {status}")


def _read(text: str) -> Any:
    """Parse JSON; other text is returned unchanged."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class Store:
    """The competition in the journal at `path`, on which no board plays. `make` creates a missing one; a damaged one is
    not moved. All methods raise `NoJournal`, `JournalDamaged`, `JournalBusy`, `NotKept`."""

    def __init__(self, path: Path, *, make: bool) -> None:
        from cribd.clock import SystemClock
        from cribd.competition.organiser import Organiser
        from cribd.storage.lock import open_journal_as_it_is
        from cribd.web.kiosk.desk.answers import DeskAnswers

        clock = SystemClock()
        self._journal = open_journal_as_it_is(path, clock, make=make)
        organiser = Organiser(self._journal, clock)
        asyncio.run(organiser.load())
        self._answers = DeskAnswers(organiser)

    def get(self, what: str) -> tuple[int, Any]:
        from cribd.web.kiosk.desk.competition_files import CompetitionFile

        name, _, query = what.partition("?")
        status, answer = asyncio.run(self._answers.get(name, dict(parse_qsl(query))))
        return status, answer.body.decode() if isinstance(answer, CompetitionFile) else answer

    def post(self, what: str, payload: object) -> tuple[int, Any]:
        return asyncio.run(self._answers.post(what, payload, {}))

    def close(self) -> None:
        self._journal.close()
