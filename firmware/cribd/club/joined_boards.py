"""The boards of a club, in the hub's journal."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any
from uuid import UUID

from cribd.clock import Clock
from cribd.storage.journal import Journal
from cribd.storage.outbox import PlayedFor
from cribd.table.organiser_desk import TakenGame

SETTING = "club boards"
#: The most boards of a club, and the most removed boards that it remembers.
MOST_BOARDS = 300
#: The most earlier tables of a board from which the hub still accepts outcomes: the newest ones.
MOST_STOOD_AT = 8
#: The most games that are remembered as taken from boards: the newest ones.
MOST_TAKEN = 32
#: The most late results that are remembered as dismissed: the newest ones.
MOST_DISMISSED = 300


@dataclass(frozen=True, slots=True)
class JoinedBoard:
    """A board of the club."""

    id: str
    """Its public key, as 64 hex digits."""
    name: str = ""
    table: int | None = None
    """The table of the hall at which the desk has seated it; None if it has none."""
    stood_at: tuple[int, ...] = ()
    """The tables at which it stood before, the newest last: what it has played there may still come."""


@dataclass(frozen=True, slots=True)
class GameTakenFromBoard:
    """A game that the desk has taken from a board."""

    board: str
    game: TakenGame
    anew: bool = False
    """Whether another board begins it."""

    def may_be_playing(self, not_begun: Collection[PlayedFor]) -> bool:
        """Whether the board may still be playing this game.

        `not_begun` are the games that the board never began. False also if another board begins the game anew."""
        return not self.anew and self.game.place not in not_begun


class TooManyBoards(Exception):  # noqa: N818 (a bound that is reached)
    """The club has as many boards as it can have."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """The values that the journal stores about the boards."""

    boards: tuple[JoinedBoard, ...] = ()
    removed: tuple[str, ...] = ()
    former: tuple[JoinedBoard, ...] = ()
    """The removed boards: what they have played at their tables may still come once they have joined again."""
    by_slips: tuple[int, ...] = ()
    paused: tuple[int, ...] = ()
    taken: tuple[GameTakenFromBoard, ...] = ()
    dismissed: tuple[str, ...] = ()


#: Writes settings in one transaction, together with what belongs to them. Raises `JournalAway`.
Write = Callable[[Mapping[str, str]], Awaitable[None]]


class JoinedBoards:
    """The boards of the club.

    Each change is stored before the watchers are called (design law 5)."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._watchers: list[Callable[[], None]] = []
        self._take(_read(journal.setting(SETTING) or "{}"))

    @property
    def boards(self) -> tuple[JoinedBoard, ...]:
        """All boards, in the order in which they joined."""
        return self._stored.boards

    @property
    def removed(self) -> tuple[str, ...]:
        """The keys of removed boards that have not joined again."""
        return self._stored.removed

    @property
    def by_slips(self) -> tuple[int, ...]:
        """The tables that use paper slips, and no board."""
        return self._stored.by_slips

    @property
    def paused(self) -> tuple[int, ...]:
        """The tables that are paused."""
        return self._stored.paused

    @property
    def taken(self) -> tuple[GameTakenFromBoard, ...]:
        """The games taken from boards, oldest first."""
        return self._stored.taken

    @property
    def dismissed(self) -> tuple[str, ...]:
        """The ids of the dismissed late results, oldest first."""
        return self._stored.dismissed

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop after each stored change."""
        self._watchers.append(changed)

    def board(self, key: str) -> JoinedBoard | None:
        """Return the board with this key, or None."""
        return self._by_key.get(key)

    async def add(self, board: JoinedBoard) -> None:
        """Let this board into the club.

        A board that is known already gets its new name and table. Raises `JournalAway`, `TooManyBoards`."""
        others = tuple(known for known in self.boards if known.id != board.id)
        if len(others) >= MOST_BOARDS:
            raise TooManyBoards
        removed = tuple(key for key in self.removed if key != board.id)
        former = tuple(known for known in self._stored.former if known.id != board.id)
        await self._keep(replace(self._stored, boards=(*others, board), removed=removed, former=former))

    async def remove(self, key: str, taken: Iterable[GameTakenFromBoard] = ()) -> None:
        """Remove a board from the club.

        The desk takes the games `taken`. The key gives no access until the board joins again. Raises `JournalAway`."""
        if (removed := self.board(key)) is not None:
            left = replace(
                self._stored,
                boards=tuple(board for board in self.boards if board.id != key),
                removed=(*self.removed, key)[-MOST_BOARDS:],
                former=(*self._stored.former, removed)[-MOST_BOARDS:],
            )
            await self._keep(_take_games(left, taken))

    async def seat(self, seats: Mapping[str, int | None], write: Write | None = None) -> None:
        """Seat each of these boards at a table, or at none. Raises `JournalAway`.

        A table that was played by slips is played on its board from now on. Where the board of the hub itself comes or
        goes, `write` writes that in the same transaction.

        What was taken from another board there begins anew, and what was taken from the board itself goes on."""
        seated = self._seated(seats)
        taken = tuple(
            replace(taken_game, game=replace(taken_game.game, ends=False), anew=True)
            if taken_game.game.place.table in seats.values()
            else taken_game
            for taken_game in self.taken
            if seats.get(taken_game.board) != taken_game.game.place.table
        )
        await self._keep(replace(seated, taken=taken), write)

    async def swap(
        self, old: str, new: str, table: int, taken: Iterable[GameTakenFromBoard], write: Write | None = None
    ) -> None:
        """Replace the board `old` at this table by `new`. Raises `JournalAway`.

        `taken` are the games that are taken from the old board."""
        await self._keep(_take_games(self._seated({old: None, new: table}), taken), write)

    def _seated(self, seats: Mapping[str, int | None]) -> _Stored:
        boards = tuple(replace(board, table=seats[board.id]) if board.id in seats else board for board in self.boards)
        by_slips = tuple(table for table in self.by_slips if table not in seats.values())
        return replace(self._stored, boards=boards, by_slips=by_slips)

    async def to_slips(self, table: int, taken: Iterable[GameTakenFromBoard], write: Write | None = None) -> None:
        """Use paper slips at this table from now on. Raises `JournalAway`.

        `taken` are the games that are taken from boards."""
        boards = tuple(replace(board, table=None) if board.table == table else board for board in self.boards)
        by_slips = tuple(sorted({*self.by_slips, table}))
        await self._keep(_take_games(replace(self._stored, boards=boards, by_slips=by_slips), taken), write)

    async def pause(self, table: int, *, paused: bool) -> None:
        """Pause a table, or end the pause. Raises `JournalAway`."""
        others = {other for other in self.paused if other != table}
        await self._keep(replace(self._stored, paused=tuple(sorted(others | {table} if paused else others))))

    async def dismiss(self, late: str) -> None:
        """Record that the late result with this id is dismissed. Raises `JournalAway`."""
        others = (other for other in self.dismissed if other != late)
        await self._keep(replace(self._stored, dismissed=(*others, late)[-MOST_DISMISSED:]))

    async def _keep(self, stored: _Stored, write: Write | None = None) -> None:
        stored = replace(stored, boards=tuple(map(self._with_tables, stored.boards)))
        text = json.dumps(asdict(stored), ensure_ascii=False, default=str)
        await (write or self._write)({SETTING: text})
        self._take(stored)
        for changed in self._watchers:
            changed()

    async def _write(self, settings: Mapping[str, str]) -> None:
        await self._clock.run_in_thread(partial(self._journal.write_settings, settings))

    def _with_tables(self, board: JoinedBoard) -> JoinedBoard:
        """Return this board, with the tables where it stood earlier."""
        before = self._by_key.get(board.id) or self._former.get(board.id)
        if before is None:
            return board
        left = () if before.table in (None, board.table) else (before.table,)
        others = (table for table in before.stood_at if table != before.table)
        return replace(board, stood_at=(*others, *left)[-MOST_STOOD_AT:])

    def _take(self, stored: _Stored) -> None:
        self._stored = stored
        self._by_key = {board.id: board for board in stored.boards}
        self._former = {board.id: board for board in stored.former}
        self.names: Mapping[str, str] = {board.id: board.name for board in stored.boards}
        """By key."""


def _take_games(stored: _Stored, taken: Iterable[GameTakenFromBoard]) -> _Stored:
    """Add these games to the taken games.

    A game that was already taken from the same board is replaced."""
    new = {(taken_game.board, taken_game.game.place): taken_game for taken_game in taken}
    before = (taken_game for taken_game in stored.taken if (taken_game.board, taken_game.game.place) not in new)
    return replace(stored, taken=(*before, *new.values())[-MOST_TAKEN:])


def _read(text: str) -> _Stored:
    """Read all stored values that can be read."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return _Stored()
    lists: dict[str, list[Any]] = {
        field.name: values[field.name] if isinstance(values.get(field.name), list) else [] for field in fields(_Stored)
    }
    return _Stored(
        boards=_boards(lists["boards"]),
        removed=tuple(key for key in lists["removed"] if isinstance(key, str)),
        former=_boards(lists["former"]),
        by_slips=_tables(lists["by_slips"]),
        paused=_tables(lists["paused"]),
        taken=tuple(taken for stored in lists["taken"] if (taken := _taken(stored)) is not None),
        dismissed=tuple(late for late in lists["dismissed"] if isinstance(late, str)),
    )


def _boards(stored: Iterable[Any]) -> tuple[JoinedBoard, ...]:
    return tuple(
        JoinedBoard(board["id"], board["name"], board["table"], _tables(board.get("stood_at")))
        for board in stored
        if _is_board(board)
    )


def _tables(stored: object) -> tuple[int, ...]:
    return tuple(table for table in stored if isinstance(table, int)) if isinstance(stored, list) else ()


def _taken(stored: object) -> GameTakenFromBoard | None:
    match stored:
        case {
            "board": str(board),
            "game": {
                "place": {"event": str(event), "round": int(round_), "table": int(table), "game": int(game)},
                "ends": bool(ends),
            },
            **rest,
        }:
            with suppress(ValueError):
                game_ = TakenGame(PlayedFor(UUID(event), round_, table, game), ends)
                return GameTakenFromBoard(board, game_, anew=rest.get("anew") is True)
    return None


def _is_board(stored: object) -> bool:
    match stored:
        case {"id": str(), "name": str(), "table": int() | None}:
            return True
    return False
