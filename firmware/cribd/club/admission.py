"""Lets boards into the club.

A board is stored once somebody has pressed OK at it and the desk has accepted it, in either order. Its certificate is
made then, and sent again as often as it asks.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cribboard.competition.rounds import MOST_TABLES
from cribd.clock import Clock
from cribd.club.certificates import board_certificate, hub_certificate
from cribd.club.joined_boards import JoinedBoard, JoinedBoards, TooManyBoards
from cribd.club.joining import (
    BYTES,
    COMPARE_S,
    PROTOCOL,
    CommitmentOpening,
    JoiningBoard,
    JoiningBoards,
    JoiningEnded,
    JoinRole,
    JoinState,
)
from cribd.club.keys import ClubKey
from cribd.inputs import LONGEST_NAME
from cribd.storage.journal_file import JournalAway


class InvalidJoinRequest(ValueError):  # noqa: N818 (what a stranger sends)
    """A request to join the club is not valid.

    The message says why, in a sentence."""

    def __init__(self, why: str = "This is no step of a board that joins the club.") -> None:
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class HubAddress:
    """The club's name, and the port of the hub's broker."""

    name: str
    """The name of the club."""
    port: int
    """The port of its broker."""


class Admission:
    """Lets boards into the club of one hub.

    `address` returns the name of the club and the port of its broker. `own` is the name of the hub's own board, ""
    without one."""

    def __init__(
        self,
        boards: JoinedBoards,
        key: ClubKey,
        clock: Clock,
        address: Callable[[], HubAddress],
        *,
        own: str = "",
    ) -> None:
        self._boards = boards
        self._key = key
        self._clock = clock
        self._address = address
        self._own = own
        self._joining = JoiningBoards()
        self._storing = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop when the desk's two words change."""
        self._watchers.append(changed)

    @property
    def compared(self) -> JoiningBoard | None:
        """The board whose two words the desk shows, or None."""
        return self._joining.compared(self._clock.now())

    # What a board asks

    async def answer(self, step: str, request: object, *, client: str, is_local: bool) -> dict[str, Any]:
        """Answer one request of a joining board.

        `step` is ask, reveal, hear or leave. Raises `JoiningEnded`, `InvalidJoinRequest`."""
        before = self.compared
        try:
            return await self._answer(step, request, client=client, is_local=is_local)
        finally:
            if (now := self.compared) != before:
                self._show()
                if now is not None and (before is None or before.token != now.token):
                    self._clock.call_later(COMPARE_S, self._show_that_time_is_over)

    async def _answer(self, step: str, request: object, *, client: str, is_local: bool) -> dict[str, Any]:
        now = self._clock.now()
        match step, request:
            case "ask", {"protocol": int(protocol), "commitment": str(commitment), "name": str(name), "table": table}:
                if protocol != PROTOCOL:
                    raise JoiningEnded("other_release")
                return self._ask(read_bytes(commitment), _name(name), _table(table), client, is_local=is_local)
            case "reveal", {"joining": str(token), "key": str(key), "nonce": str(nonce)}:
                shown = CommitmentOpening(JoinRole.BOARD, read_bytes(key), read_bytes(nonce))
                known = self._joining.reveal(token, shown, now)
                if known.state is JoinState.WAITS:
                    return {"state": JoinState.WAITS}
                own = {"key": known.own.key.hex(), "nonce": known.own.nonce.hex()}
                return {"state": known.state, "name": self._address().name} | own
            case "hear", {"joining": str(token), "ok": bool(is_confirmed), **rest}:
                table = _table(rest.get("table"))  # older boards send none
                heard = self._joining.hear(token, now, is_confirmed=is_confirmed, table=table)
                known = await self._store_if_both_agreed(heard)
                return {"state": known.state} | dict(known.welcome or {})
            case "leave", {"joining": str(token)}:
                self._joining.leave(token, now)
                return {}
        raise InvalidJoinRequest

    def _ask(self, commitment: bytes, name: str, table: int | None, client: str, *, is_local: bool) -> dict[str, Any]:
        asks = JoiningBoard(
            token=secrets.token_hex(BYTES),
            client=client,
            commitment=commitment,
            own=CommitmentOpening(JoinRole.HUB, bytes.fromhex(self._key.id), secrets.token_bytes(BYTES)),
            name=name,
            table=table,
        )
        known = self._joining.ask_to_join(asks, self._clock.now(), is_local=is_local)
        return {"joining": known.token, "commitment": known.own.commitment.hex()}

    # What the desk decides

    async def accept(self, key: str, table: int | None = None) -> None:
        """Accept the board with this key.

        The two words must have been compared. The desk may give a table. Raises `JoiningEnded`, `JournalAway`."""
        accepted = self._joining.accept(key, self._clock.now(), table=table)
        try:
            await self._store_if_both_agreed(accepted)
        finally:
            self._show()

    def refuse(self, key: str) -> None:
        """Refuse the joining board with this key. Raises `JoiningEnded`."""
        self._joining.refuse(key, self._clock.now())
        self._show()

    async def _store_if_both_agreed(self, board: JoiningBoard) -> JoiningBoard:
        """Store the board if the board and the desk have confirmed.

        If the journal cannot be written, the board's next request tries again."""
        async with self._storing:
            if not (board.is_confirmed and board.is_accepted and board.state is JoinState.COMPARING):
                return board
            known = self._boards.board(board.key)
            table = board.table if board.table is not None or known is None else known.table
            try:
                await self._boards.add(JoinedBoard(board.key, self._distinct_name(board), table))
            except JournalAway:
                return board
            except TooManyBoards:
                raise JoiningEnded("too_many") from None
            address = self._address()
            welcome = {
                "hub": hub_certificate(self._key),
                "certificate": board_certificate(self._key, board.key),
                "name": address.name,
                "port": address.port,
            }
            return self._joining.join(board, welcome, self._clock.now())

    def _distinct_name(self, board: JoiningBoard) -> str:
        """Return the board's name, with a number if needed.

        Boards from one card image have one host name, by which the desk could not tell them apart."""
        others = {self._own, *(known.name for known in self._boards.boards if known.id != board.key)}
        numbered = (f"{board.name[: LONGEST_NAME - 4]} {number}" for number in itertools.count(2))
        return next(name for name in itertools.chain([board.name], numbered) if name not in others or not name)

    def _show_that_time_is_over(self) -> bool:
        self._show()
        return False

    def _show(self) -> None:
        for changed in self._watchers:
            changed()


def read_bytes(text: str) -> bytes:
    """Decode a key, nonce or hash from lower-case hex digits. Raises `InvalidJoinRequest`."""
    try:
        read = bytes.fromhex(text)
    except ValueError:
        raise InvalidJoinRequest from None
    if len(read) != BYTES or read.hex() != text:
        raise InvalidJoinRequest
    return read


def _name(text: str) -> str:
    if len(text) > LONGEST_NAME or not text.isprintable():
        raise InvalidJoinRequest
    return text


def _table(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidJoinRequest
    if not 1 <= value <= MOST_TABLES:
        raise InvalidJoinRequest(f"A table has a number from 1 to {MOST_TABLES}, not {value}.")
    return value
