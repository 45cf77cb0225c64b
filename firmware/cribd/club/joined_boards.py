"""The boards of the club, which the hub stores in its journal: who they are, and where they stand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from cribd.clock import Clock
from cribd.storage.journal import Journal

SETTING = "club boards"
#: How many boards a club has at most, and of how many it remembers that they were removed.
MOST = 256


@dataclass(frozen=True, slots=True)
class JoinedBoard:
    """A board of the club."""

    id: str
    """Its public key, as 64 hex digits."""
    name: str = ""
    table: int | None = None
    """The table of the hall at which the desk has seated it; None if it has none."""


class TooManyBoards(Exception):  # noqa: N818 (a bound that is reached)
    """The club has as many boards as it can have."""


class JoinedBoards:
    """The boards of the club. Each change is stored before `watch` is told of it (design law 5)."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._watchers: list[Callable[[], None]] = []
        self.boards, self.removed = _read(journal.setting(SETTING) or "{}")

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop after each change."""
        self._watchers.append(changed)

    def board(self, key: str) -> JoinedBoard | None:
        """Find a board by its key; None if it is no board of the club."""
        return next((board for board in self.boards if board.id == key), None)

    async def add(self, board: JoinedBoard) -> None:
        """Let this board into the club; one that is known gets its new name and table.

        Raises `NotKept`, `TooManyBoards`."""
        others = tuple(known for known in self.boards if known.id != board.id)
        if len(others) >= MOST:
            raise TooManyBoards
        await self._keep((*others, board), tuple(key for key in self.removed if key != board.id))

    async def remove(self, key: str) -> bool:
        """Remove a board that is lost. Its key opens nothing any more until it joins again. Returns whether it was one.

        Raises `NotKept`."""
        if self.board(key) is None:
            return False
        await self._keep(tuple(board for board in self.boards if board.id != key), (*self.removed, key)[-MOST:])
        return True

    async def seat(self, key: str, table: int | None) -> bool:
        """Seat a board at a table, or at none. Returns whether it is a board of the club. Raises `NotKept`."""
        if self.board(key) is None:
            return False
        seated = (replace(board, table=table) if board.id == key else board for board in self.boards)
        await self._keep(tuple(seated), self.removed)
        return True

    async def _keep(self, boards: Sequence[JoinedBoard], removed: Sequence[str]) -> None:
        text = json.dumps({"boards": [asdict(board) for board in boards], "removed": removed}, ensure_ascii=False)
        await self._clock.run_in_thread(partial(self._journal.write_settings, {SETTING: text}))
        self.boards, self.removed = tuple(boards), tuple(removed)
        for changed in self._watchers:
            changed()


def _read(text: str) -> tuple[tuple[JoinedBoard, ...], tuple[str, ...]]:
    """Read the boards, and the keys of those that were removed. What cannot be read is left out."""
    try:
        stored: Any = json.loads(text)
    except (ValueError, RecursionError):
        return (), ()
    match stored:
        case {"boards": list(boards), "removed": list(removed)}:
            read = tuple(
                JoinedBoard(board["id"], board["name"], board["table"]) for board in boards if _is_board(board)
            )
            return read, tuple(key for key in removed if isinstance(key, str))
    return (), ()


def _is_board(stored: object) -> bool:
    match stored:
        case {"id": str(), "name": str(), "table": int() | None}:
            return True
    return False
