"""The protocol by which a board joins the club.

Each machine has a key and makes a nonce. It sends the hash of both (its commitment), and shows them only when it has
the other's commitment. From both keys and both nonces come two words, which the board and the desk show; a person
presses OK at each. Then each side knows the other's key, and the hub's certificate for the board is for that key.

Somebody in between, who gives each side a key of his own, makes two joinings, and their words must be equal by luck: in
each he had to choose his nonce before he saw the other's. So it depends on the number of tries. A board makes one
joining for each press of its owner. The hub compares one board at a time: a board that has left, or has failed, keeps
its turn until the desk answers or the time is over, so that each try is seen by a person or takes `COMPARE_S`. Nothing
of this is secret, so it goes over plain HTTP; a certificate that is changed on its way does not fit the keys.

Nothing here reads a clock, a file or the network.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from cribd.club.joining_words import words_of_hash

#: The version of this protocol. A board and a hub of different versions do not join.
PROTOCOL = 1
#: How long two people have to compare the words, in seconds.
COMPARE_S = 120.0
#: How long a waiting board may be silent before it counts as gone, and how long a decision is remembered.
HEARD_S = 20.0
#: The most boards that may wait, and the most from one address. The second limit does not apply to this machine.
MOST, MOST_OF_CLIENT = 32, 3
#: How many bytes a key, a nonce and a hash have.
BYTES = 32


#: How a hub can end a joining without success.
ENDED = ("changed", "gone", "left", "no_answer", "no_hub", "other_release", "refused", "too_many")


class JoiningEnded(Exception):  # noqa: N818 (it is how a joining ends, and often no error)
    """A board's request to join has ended without success.

    `code` is one of `ENDED`, or `no_such_table` with its `values`."""

    def __init__(self, code: str, **values: int) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class JoinRole(StrEnum):
    """The role of a machine in the joining protocol."""

    BOARD = "board"
    HUB = "hub"


@dataclass(frozen=True, slots=True)
class CommitmentOpening:
    """The public key and the nonce of one machine.

    The machine first sends the hash of both and its role, the commitment, and shows the key and the nonce later."""

    role: JoinRole
    key: bytes
    nonce: bytes

    @property
    def commitment(self) -> bytes:
        """The hash of role, key and nonce.

        It includes the role so that neither machine can send back the hash of the other one."""
        return hashlib.sha256(f"cribboard joining {PROTOCOL} {self.role}:".encode() + self.key + self.nonce).digest()


def two_words(board: CommitmentOpening, hub: CommitmentOpening) -> tuple[str, str]:
    """Return the two words to compare."""
    start = f"cribboard joining {PROTOCOL} words:".encode()
    return words_of_hash(hashlib.sha256(start + board.key + board.nonce + hub.key + hub.nonce).digest())


# The board's side


@dataclass(frozen=True, slots=True)
class CommitmentSent:
    """The board has sent the hash of its key, and waits."""

    own: CommitmentOpening

    def committed(self, commitment: bytes) -> Committed:
        """Return the state after the hub has sent its commitment.

        Only then may the board show its key and nonce."""
        return Committed(self.own, commitment)


@dataclass(frozen=True, slots=True)
class Committed:
    """Board and hub have sent the hashes of their keys."""

    own: CommitmentOpening
    commitment: bytes

    def revealed(self, hub: CommitmentOpening) -> Comparing:
        """Return the state after the hub has shown its key.

        Raises `JoiningEnded` if the hub had committed to another key or nonce."""
        if hub.commitment != self.commitment:
            raise JoiningEnded("changed")
        return Comparing(self.own, hub)


@dataclass(frozen=True, slots=True)
class Comparing:
    """The state in which the board shows the two words."""

    own: CommitmentOpening
    hub: CommitmentOpening

    @property
    def words(self) -> tuple[str, str]:
        """The two words that the board shows."""
        return two_words(self.own, self.hub)


# The hub's side


class JoinState(StrEnum):
    """The state of a board's request to join, at the hub."""

    WAITS = "waits"
    """The words of another board are compared first."""
    COMPARING = "comparing"
    JOINED = "joined"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class JoiningBoard:
    """The hub's data about a board that wants to join."""

    token: str
    """The secret name of this request to join, which the hub sends to its board alone."""
    client: str
    """From which address it came."""
    commitment: bytes
    own: CommitmentOpening
    """What the hub shows to this board, and to no other."""
    heard: float = 0.0
    """When it was heard last."""
    name: str = ""
    table: int | None = None
    """The table whose card was held before its reader; None if it was found in another way."""
    state: JoinState = JoinState.WAITS
    board: CommitmentOpening | None = None
    """What the board has shown."""
    since: float = 0.0
    """When its state began."""
    is_confirmed: bool = False
    """Whether somebody has pressed OK at the board."""
    is_accepted: bool = False
    """Whether the desk has accepted it."""
    has_left: bool = False
    """Whether somebody has left at the board."""
    welcome: Mapping[str, Any] | None = None
    """What the board is given once it has joined."""

    @property
    def key(self) -> str:
        """The board's public key, as 64 hex digits. Raises `JoiningEnded` if the board has not shown it."""
        if self.board is None:
            raise JoiningEnded("gone")
        return self.board.key.hex()

    @property
    def words(self) -> tuple[str, str]:
        """The two words that the desk shows. Raises `JoiningEnded` if the board has not shown its key."""
        if self.board is None:
            raise JoiningEnded("gone")
        return two_words(self.board, self.own)


class JoiningBoards:
    """The boards that want to join, in order of arrival.

    In each method, `now` is the time in seconds."""

    def __init__(self) -> None:
        self._boards: dict[str, JoiningBoard] = {}

    def compared(self, now: float) -> JoiningBoard | None:
        """Return the board whose words the desk shows, or None."""
        self._forget(now)
        return next((board for board in self._boards.values() if board.state is JoinState.COMPARING), None)

    def ask_to_join(self, asks: JoiningBoard, now: float, *, is_local: bool = False) -> JoiningBoard:
        """Add a board that asks to join. Raises `JoiningEnded` if too many wait."""
        self._forget(now)
        of_client = sum(board.client == asks.client for board in self._boards.values())
        if len(self._boards) >= MOST or (of_client >= MOST_OF_CLIENT and not is_local):
            raise JoiningEnded("too_many")
        return self._set(asks, heard=now)

    def reveal(self, token: str, board: CommitmentOpening, now: float) -> JoiningBoard:
        """Check the board's key and nonce, and show the two words.

        While the words of another board are compared, this board waits and must send its key and nonce again. Raises
        `JoiningEnded` if the board committed to other values, or is not known."""
        known = self._note_contact(token, now)
        if known.commitment != board.commitment:
            del self._boards[token]
            raise JoiningEnded("changed")
        if known.state is JoinState.WAITS and self.compared(now) is None:
            return self._set(known, state=JoinState.COMPARING, since=now, board=board)
        return known

    def hear(self, token: str, now: float, *, is_confirmed: bool, table: int | None = None) -> JoiningBoard:
        """Record that a board asks for its state.

        `is_confirmed` says whether a person has pressed OK at the board. `table` is the table whose card was held
        before its reader, maybe after it has shown its words. Raises `JoiningEnded` if the board is not known."""
        known = self._note_contact(token, now)
        if known.state is JoinState.COMPARING:
            table = known.table if table is None else table
            known = self._set(known, is_confirmed=known.is_confirmed or is_confirmed, table=table)
        return known

    def leave(self, token: str, now: float) -> None:
        """Record that the board has cancelled its request to join.

        A board whose words are compared keeps its turn until the desk answers."""
        known = self._note_contact(token, now)
        if known.state is JoinState.WAITS:
            del self._boards[token]
        elif known.state is JoinState.COMPARING:
            self._set(known, has_left=True, is_confirmed=False)

    def accept(self, key: str, now: float, *, table: int | None = None) -> JoiningBoard:
        """Record that the desk accepts the board whose words are compared. Raises `JoiningEnded`.

        The desk may give the board a `table`."""
        known = self._compared(key, now)
        if known.has_left:
            raise JoiningEnded("left")
        return self._set(known, is_accepted=True, table=known.table if table is None else table)

    def refuse(self, key: str, now: float) -> None:
        """Record that the desk refuses the board whose words are compared. Raises `JoiningEnded`."""
        self._set(self._compared(key, now), state=JoinState.REFUSED, since=now)

    def join(self, board: JoiningBoard, welcome: Mapping[str, Any], now: float) -> JoiningBoard:
        """Record that the board has joined."""
        return self._set(board, state=JoinState.JOINED, since=now, welcome=welcome)

    def _compared(self, key: str, now: float) -> JoiningBoard:
        known = self.compared(now)
        if known is None or known.key != key:
            raise JoiningEnded("gone")
        return known

    def _note_contact(self, token: str, now: float) -> JoiningBoard:
        self._forget(now)
        if token not in self._boards:
            raise JoiningEnded("gone")
        return self._set(self._boards[token], heard=now)

    def _set(self, board: JoiningBoard, /, **values: Any) -> JoiningBoard:
        self._boards[board.token] = changed = replace(board, **values)
        return changed

    def _forget(self, now: float) -> None:
        """Remove the boards whose time to join is over."""
        self._boards = {token: board for token, board in self._boards.items() if not _is_over(board, now)}


def _is_over(board: JoiningBoard, now: float) -> bool:
    match board.state:
        case JoinState.COMPARING:
            return now - board.since >= COMPARE_S
        case JoinState.WAITS:
            return now - board.heard >= HEARD_S
        case _:
            return now - max(board.since, board.heard) >= HEARD_S
