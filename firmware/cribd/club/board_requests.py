"""Handles the desk's requests about boards.

Each request is a class whose fields are those of the JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from cribboard.competition.rounds import MOST_TABLES
from cribd.club.board_status import BoardControl, BoardStatus, SwapGame
from cribd.competition.action_json import AllowedClause, NotAnAction, read_fields, read_word, with_plain_spaces
from cribd.competition.refusals import RefusedRequest


class BoardRequest(Protocol):
    """A request of the desk about boards."""

    async def do(self, boards: BoardControl) -> None:
        """Carry out the request. Raises `NotAnAction`, `RefusedRequest`."""


@dataclass(frozen=True, slots=True)
class SeatBoard:
    """The request to seat a board at a table, or at none."""

    board: str
    table: int | None

    async def do(self, boards: BoardControl) -> None:
        board = _known(boards, self.board)
        await boards.seat(board.id, None if self.table is None else _table(self.table))


@dataclass(frozen=True, slots=True)
class PauseTable:
    """The request to pause a table, or to end the pause."""

    table: int
    paused: bool

    async def do(self, boards: BoardControl) -> None:
        await boards.pause(_table(self.table), paused=self.paused)


@dataclass(frozen=True, slots=True)
class SendWord:
    """The request to show a short text on a board's screen."""

    board: str
    text: str

    async def do(self, boards: BoardControl) -> None:
        await boards.send_word(_known(boards, self.board).id, read_word(self.text))


@dataclass(frozen=True, slots=True)
class SetRehearsal:
    """The request to begin or end a rehearsal."""

    running: bool

    async def do(self, boards: BoardControl) -> None:
        await boards.rehearse(running=self.running)


@dataclass(frozen=True, slots=True)
class SwapBoards:
    """The request to replace a board by another board."""

    old: str
    new: str
    game: SwapGame

    async def do(self, boards: BoardControl) -> None:
        old, new = _known(boards, self.old), _known(boards, self.new)
        if old.table is None and old.plays is None:
            raise RefusedRequest("board_without_table", board=old.name)
        if old.id == new.id:
            raise RefusedRequest("its_own_place", board=old.name)
        await boards.swap(old.id, new.id, self.game)


@dataclass(frozen=True, slots=True)
class UseSlips:
    """The request to use paper slips at a table."""

    table: int

    async def do(self, boards: BoardControl) -> None:
        await boards.to_slips(_table(self.table))


@dataclass(frozen=True, slots=True)
class RemoveBoard:
    """The request to remove a board from the club."""

    board: str

    async def do(self, boards: BoardControl) -> None:
        await boards.remove(_known(boards, self.board).id)


@dataclass(frozen=True, slots=True)
class DismissLateResult:
    """The request to stop showing a late result."""

    late: str

    async def do(self, boards: BoardControl) -> None:
        if self.late not in (late.id for late in boards.snapshot.late):
            raise RefusedRequest("no_late_result")
        await boards.dismiss(self.late)


@dataclass(frozen=True, slots=True)
class AnswerJoining:
    """The request to let a board join, or to refuse it."""

    board: str
    accept: bool

    async def do(self, boards: BoardControl) -> None:
        if self.board not in (joins.id for joins in boards.snapshot.joining):
            raise RefusedRequest("no_such_board", board=self.board[:8])
        await (boards.accept if self.accept else boards.refuse)(self.board)


#: The request of each name.
REQUESTS: Mapping[str, type[BoardRequest]] = MappingProxyType(
    {
        "seat": SeatBoard,
        "pause": PauseTable,
        "say": SendWord,
        "rehearse": SetRehearsal,
        "swap": SwapBoards,
        "slips": UseSlips,
        "remove": RemoveBoard,
        "join": AnswerJoining,
        "dismiss": DismissLateResult,
    }
)


async def do(boards: BoardControl, name: str, payload: object) -> None:
    """Carry out the request with this name. Raises `NotAnAction`, `RefusedRequest`."""
    await read_fields(REQUESTS[name], with_plain_spaces(payload)).do(boards)


def _known(boards: BoardControl, key: str) -> BoardStatus:
    """Find the board with this key. Raises `RefusedRequest`."""
    for board in boards.snapshot.boards:
        if board.id == key:
            return board
    raise RefusedRequest("no_such_board", board=key[:8])


def _table(number: int) -> int:
    if not 1 <= number <= MOST_TABLES:
        raise NotAnAction("table", number, AllowedClause("whole_number_from_to", {"low": 1, "high": MOST_TABLES}))
    return number
