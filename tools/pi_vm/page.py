"""The board's pages, as seen from outside its machine, and the check that the journal has all that they showed."""

from __future__ import annotations

import http.client
import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tools.pi_vm.system import PAGE, System

from cribboard.game import Game
from cribd.clock import SystemClock
from cribd.storage.journal import Journal

_ORIGIN = f"http://127.0.0.1:{PAGE}"
_WINDOW = "vm"
PIN = "2468"


def _request(system: System, path: str, body: object = None, cookie: str = "") -> http.client.HTTPResponse:
    """Send a request to a page: GET, or POST with a body, as the page's script does. Raises OSError."""
    connection = http.client.HTTPConnection("127.0.0.1", PAGE)
    connection.sock = system.connect()
    headers = {"Cookie": cookie} if cookie else {}
    if body is None:
        connection.request("GET", path, headers=headers)
    else:
        headers |= {"Origin": _ORIGIN, "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
    return connection.getresponse()


def ask_as_owner(system: System, path: str, body: object = None) -> bytes:
    """Enter the PIN, and return a page's answer to the owner. Raises OSError."""
    cookie = _request(system, "/table/pin", {"pin": PIN}).headers["Set-Cookie"] or ""
    return ask(system, path, body, cookie.partition(";")[0])


def ask(system: System, path: str, body: object = None, cookie: str = "") -> bytes:
    """Return the answer of a page. Raises OSError, also if the page refuses."""
    try:
        answer = _request(system, path, body, cookie)
        said = answer.read()
    except http.client.HTTPException as wrong:
        raise OSError(f"{path}: {wrong!r}") from wrong
    if answer.status >= 400:
        raise OSError(f"{path}: {answer.status} {said[:200]!r}")
    return said


def answers(system: System) -> bool:
    """Whether the first page answers and belongs to the board."""
    with suppress(OSError):
        return b"Cribboard" in ask(system, "/")
    return False


def play(system: System) -> None:
    """Let robots play as fast as they can: a new game, or the game that the power cut interrupted."""
    game = {"do": "start", "rules": "six-card/2", "way": "auto", "strength": "easy", "person": False}
    with suppress(OSError):  # they play already
        ask(system, "/solo/act", {"window": _WINDOW, **game})
    ask(system, "/solo/act", {"window": _WINDOW, "do": "take_over"})
    ask(system, "/solo/act", {"window": _WINDOW, "do": "pace", "speed": 8, "waits": False})


class Watcher:
    """Reads the scoreboard's stream until it breaks off, and keeps the last view that it showed."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.view: dict[str, Any] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError, http.client.HTTPException):
            for line in _request(self._system, "/table/events"):
                if line.startswith(b"data: "):
                    self._take(json.loads(line[6:])["view"])

    def _take(self, view: dict[str, Any] | None) -> None:
        with self._changed:
            if view is not None:
                self.view = view
            self._changed.notify_all()

    def until(self, seen: Callable[[dict[str, Any]], bool], timeout_s: float) -> bool:
        """Wait until the scoreboard has shown a view for which `seen` is true. Returns whether it has."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self.view) and seen(self.view), timeout_s)

    @property
    def events(self) -> int:
        """The number of events of the newest game in the last view."""
        return int(self.view.get("number", 0))


class Kept:
    """The games in a copy of the journal. Raises `JournalDamaged` if the journal or the chain of a game is damaged."""

    def __init__(self, copy: Path) -> None:
        with closing(sqlite3.connect(copy)) as db:
            self.is_sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        with closing(Journal(copy, SystemClock(), make=False)) as journal:
            journal.check()
            self.games = [journal.game(number) for number, _, _ in journal.games()]

    @property
    def lines(self) -> list[int]:
        """The number of events of each game."""
        return [len(game.game.log) for game in self.games]

    def has(self, view: dict[str, Any]) -> bool:
        """Whether one of the two newest games had this view at some event."""
        return any(self._stood(stored.game, view) for stored in self.games[-2:])

    @staticmethod
    def _stood(game: Game, view: dict[str, Any]) -> bool:
        if len(game.log) < view["number"]:
            return False
        stood = game.position_after(view["number"])  # of another game it may be one that nobody was shown
        return (str(stood.phase), stood.deal, [(pegs.front, pegs.back) for pegs in stood.pegs]) == (
            *(view["phase"], view["deal"]),
            [(side["score"], side["back"]) for side in view["sides"]],
        )
