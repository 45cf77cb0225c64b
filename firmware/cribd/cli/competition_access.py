"""How `cribboard event` reaches the competition.

The running board and the journal both speak the JSON of the desk's routes (docs/competition.md). The lock of the
journal says whether a board runs.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from cribd.cli.errors import CommandRefused, why
from cribd.cli.pin import given_pin, pins
from cribd.clock import SystemClock
from cribd.competition.organiser import Organiser
from cribd.config.config import Config
from cribd.storage.journal import Journal
from cribd.storage.journal_file import DiskReadOnly
from cribd.storage.open_journal import is_played_on, open_journal_as_it_is
from cribd.terminal import complain
from cribd.text import Phrases
from cribd.web.kiosk.desk.answers import DeskAnswers
from cribd.web.kiosk.desk.competition_files import CompetitionFile

#: How long the board may take to answer.
_TIMEOUT_S = 30.0
#: The phrases for the statuses by which a board refuses a PIN.
_PIN_REFUSED = {400: "command.event.no_pin", 403: "command.event.wrong_pin", 429: "command.event.wait"}


class Access(Protocol):
    """The interface to the desk of a competition."""

    def get(self, what: str) -> tuple[int, Any]:
        """Return the HTTP status and the data named `what`."""
        ...

    def post(self, what: str, payload: object) -> tuple[int, Any]:
        """Send this request. Returns the HTTP status and the answer."""
        ...

    def close(self) -> None:
        """Close the access; no other method may follow."""
        ...


def open_access(options: argparse.Namespace, config: Config, journal: Path, words: Phrases) -> Access:
    """Reach the desk through a running board or the journal.

    The board is chosen if an address is given or a board uses this journal. If a PIN is set, both require it. Only
    `begin` creates a missing journal. Raises what `RunningBoard` and `JournalAccess` raise."""
    if options.address or is_played_on(journal):
        address = options.address or _address(config, words)
        return RunningBoard(address, given_pin(options, words), words)
    require_pin(options, config, words)
    return JournalAccess(journal, words, make=options.what == "begin")


def require_pin(options: argparse.Namespace, config: Config, words: Phrases) -> None:
    """Require the PIN, if one is set. Raises `CommandRefused` if the user does not give it."""
    allowed = pins(config)
    if allowed and given_pin(options, words) not in allowed:
        raise CommandRefused(words.say("command.event.wrong_pin"))


def _address(config: Config, words: Phrases) -> str:
    """Return the address of this machine's board. Raises `CommandRefused` if the board serves no pages."""
    if config.page.port is None:
        raise CommandRefused(words.say("command.event.unreachable", why='page.port = "off"'))
    host = "127.0.0.1" if config.page.host in ("0.0.0.0", "::", "localhost") else config.page.host
    return f"http://{f'[{host}]' if ':' in host else host}:{config.page.port}"


class RunningBoard:
    """Access to the competition through the pages of a running board.

    The PIN is sent at once. All methods raise `CommandRefused` if the address, the PIN or the answer is wrong, or if
    there is no answer."""

    def __init__(self, address: str, pin: str, words: Phrases) -> None:
        self._words = words
        self._host, self._port = _host_and_port(address, words)
        self._origin = address.rstrip("/")
        self._cookie = ""
        status, text = self._request("POST", "/desk/pin", {"pin": pin})
        if status in _PIN_REFUSED:
            raise CommandRefused(words.say(_PIN_REFUSED[status]))
        if _read(text) != {"pin": "given"}:
            raise self._unreachable(f"HTTP {status}")

    def get(self, what: str) -> tuple[int, Any]:
        status, text = self._request("GET", f"/desk/{what}")
        return self._checked(status, text if "/" in what else _read(text))

    def post(self, what: str, payload: object) -> tuple[int, Any]:
        status, text = self._request("POST", f"/desk/{what}", payload)
        return self._checked(status, _read(text))

    def close(self) -> None:
        with suppress(CommandRefused):
            self._request("POST", "/desk/leave", {})

    def _request(self, method: str, path: str, payload: object = None) -> tuple[int, str]:
        """Send an HTTP request. Returns the status and the text."""
        headers = {"Origin": self._origin, "Cookie": self._cookie}
        headers["Content-Type"] = "text/csv" if isinstance(payload, bytes) else "application/json"
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode() if method == "POST" else None
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT_S)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if cookie := answer.getheader("Set-Cookie"):
                self._cookie = cookie.partition(";")[0]
            return answer.status, text
        except (OSError, http.client.HTTPException, ValueError) as wrong:
            raise self._unreachable(why(wrong, self._words) if isinstance(wrong, OSError) else str(wrong)) from wrong
        finally:
            connection.close()

    def _checked(self, status: int, payload: Any) -> tuple[int, Any]:
        """Return the status and payload of an answer by the desk.

        Raises `CommandRefused` if the session has ended, or if the answer is not one of a desk."""
        if status == 403:
            raise CommandRefused(self._words.say("command.event.wrong_pin"))
        if status in (200, 404) or (isinstance(payload, dict) and "refused" in payload):
            return status, payload
        raise self._unreachable(f"HTTP {status}")

    def _unreachable(self, reason: str) -> CommandRefused:
        return CommandRefused(self._words.say("command.event.unreachable", why=reason))


def _host_and_port(address: str, words: Phrases) -> tuple[str, int]:
    """Return the host and port of an address. Raises `CommandRefused`."""
    no_address = CommandRefused(words.say("command.event.no_address", address=address))
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as wrong:
        raise no_address from wrong
    beside = (parts.path.strip("/"), parts.query, parts.fragment, parts.username)
    if parts.scheme != "http" or not parts.hostname or not address.isascii() or any(beside):
        raise no_address
    return parts.hostname, 80 if port is None else port


def _read(text: str) -> Any:
    """Parse JSON; other text is returned unchanged."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class JournalAccess:
    """Access to the competition in the journal at `path`.

    No board may use the journal. `make` creates a missing journal; a damaged journal is not moved. On a read-only disk,
    the journal can only be read. All methods raise `NoJournal`, `JournalDamaged`, `JournalBusy`, `JournalAway`."""

    def __init__(self, path: Path, words: Phrases, *, make: bool) -> None:
        clock = SystemClock()
        try:
            self._journal = open_journal_as_it_is(path, clock, make=make)
        except DiskReadOnly:
            self._journal = Journal(path, clock, write=False)
        if self._journal.loss is not None:
            complain(f"{words.problem(self._journal.loss)}.")
        organiser = Organiser(self._journal, clock)
        asyncio.run(organiser.load())
        self._answers = DeskAnswers(organiser)

    def get(self, what: str) -> tuple[int, Any]:
        name, _, query = what.partition("?")
        status, answer = asyncio.run(self._answers.get(name, dict(parse_qsl(query))))
        return status, answer.body.decode() if isinstance(answer, CompetitionFile) else answer

    def post(self, what: str, payload: object) -> tuple[int, Any]:
        return asyncio.run(self._answers.post(what, payload, {}))

    def close(self) -> None:
        self._journal.close()
