"""The desk's control of the club's boards.

Where boards stand, which tables are paused and which play by slips is stored with the boards
(`cribd.club.joined_boards`); a word and a rehearsal are of the moment.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

from cribboard.competition.rounds import MOST_TABLES
from cribd.clock import Clock
from cribd.club.admission import Admission
from cribd.club.board_status import (
    BoardStatus,
    ClubSnapshot,
    Joining,
    LateResult,
    RecordShown,
    SwapGame,
    TakenGameFinish,
    TakenGameStatus,
)
from cribd.club.joined_boards import MOST_BOARDS, GameTakenFromBoard, JoinedBoard, JoinedBoards, Write
from cribd.club.joining import JoiningEnded
from cribd.club.messages import ENDS_GAMES, PROTOCOL, Order
from cribd.competition.refusals import RefusedRequest, refused_unless_saved
from cribd.storage.outbox import HandedIn, OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import Due, EventGame, TakenGame

#: The greatest number of a rehearsal. Numbers are random, so that they differ from those before a restart.
_MOST = 2**31
#: The most taken games in the order for one board; the newest ones are sent.
_MOST_ORDERED = 4


class HubBoard(Protocol):
    """The board of the hub's own machine, which needs no network."""

    id: str
    name: str

    @property
    def table(self) -> int | None:
        """The table of the hall at which this board stands."""

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop when the board or table changes."""

    def status(self, order: Order) -> BoardStatus:
        """Return this board's status as the desk sees it.

        The pause, the desk's short text and the rehearsal come from `order`."""

    async def seat(self, table: int | None, also: Mapping[str, str]) -> None:
        """Seat this board, and store the settings in `also`. Raises `RefusedRequest`."""

    def hear(self, order: Order, games_elsewhere: Collection[PlayedFor]) -> None:
        """Receive the desk's order, and the games under way elsewhere.

        The board must not begin the `games_elsewhere`, because other boards may be playing them."""

    def watch_unentered(self, note: Callable[[HandedIn, OutcomeStatus], None]) -> None:
        """Call `note` on the loop for each unentered result."""

    async def run(self) -> None:
        """Until cancelled, update the hall's view, and report unentered results."""


class ClubDesk:
    """The club's boards, as the desk sees and controls them.

    `seats` tells the hub the orders of the boards. `due_at` says what is due at a table of the hall. `own` is the board
    of the hub's machine, if it has one. Implements `cribd.club.board_status.BoardControl`."""

    def __init__(
        self,
        boards: JoinedBoards,
        admission: Admission,
        clock: Clock,
        *,
        release: str = "",
        due_at: Callable[[int], Due] = lambda _: None,
        own: HubBoard | None = None,
    ) -> None:
        self._boards = boards
        self._admission = admission
        self._clock = clock
        self._release = release
        self._due_at = due_at
        self._own = own
        self._words: dict[str, tuple[str, int]] = {}
        self._sent = 0
        self._rehearsal = 0
        self._since: datetime | None = None
        self._known: Mapping[str, BoardStatus] = {}
        self._records: tuple[RecordShown, ...] = ()
        self._late: tuple[LateResult, ...] = ()
        self._watchers: list[Callable[[], None]] = []
        self.seats = DeskAssignments(self)
        boards.watch(self._change)
        admission.watch(self._publish)
        if own is not None:
            own.watch(self._change_own)

    # What the desk sees

    @property
    def snapshot(self) -> ClubSnapshot:
        """The newest snapshot of the club's boards."""
        compared = self._admission.compared
        return ClubSnapshot(
            boards=(*self._own_status(), *map(self._status, self._boards.boards)),
            joining=()
            if compared is None
            else (
                Joining(
                    id=compared.key,
                    words=compared.words,
                    name=compared.name,
                    table=compared.table,
                    is_confirmed=compared.is_confirmed,
                ),
            ),
            by_slips=self._boards.by_slips,
            taken=tuple(self._taken()),
            records=self._records,
            late=tuple(late for late in self._late if late.id not in self._boards.dismissed),
            rehearsal=self._since,
            protocol=PROTOCOL,
        )

    def watch(self, changed: Callable[[], None]) -> None:
        self._watchers.append(changed)

    def _known_status(self, board: str) -> BoardStatus:
        """Return the last known status of this board, maybe empty."""
        if self._own is not None and board == self._own.id:
            return self._own.status(self.order(board))
        return self._known.get(board) or BoardStatus(id=board, name="")

    def _own_status(self) -> tuple[BoardStatus, ...]:
        return () if self._own is None else (self._own.status(self.order(self._own.id)),)

    def _status(self, board: JoinedBoard) -> BoardStatus:
        """Return a board's status with the desk's newest settings.

        The settings are the board's name and table, whether the table is paused, and the desk's short text."""
        known = self._known.get(board.id) or BoardStatus(id=board.id, name=board.name)
        sent, _ = self._words.get(board.id, ("", 0))
        said = board.name, board.table, (board.table or 0) in self._boards.paused, sent
        if said == (known.name, known.table, known.is_paused, known.word):  # replacing 300 would hold the loop
            return known
        name, table, is_paused, word = said
        return replace(known, name=name, table=table, is_paused=is_paused, word=word)

    def _taken(self) -> Iterator[TakenGameStatus]:
        """Yield the taken games that may still be under way.

        Games that are not due any more are left out."""
        for taken in self._boards.taken:
            place = taken.game.place
            known, board = self._known_status(taken.board), self._boards.board(taken.board)
            if self._is_due(place) and taken.may_be_playing(known.not_begun):
                name = known.name if board is None else board.name
                is_here = board is not None or known.is_hub
                yield TakenGameStatus(
                    name, place, _fate(known) if is_here and taken.game.ends else TakenGameFinish.SLIP
                )

    def _due_game(self, table: int | None) -> PlayedFor | None:
        """Return the game that is due at this table, or None."""
        due = None if table is None else self._due_at(table)
        return due.place if isinstance(due, EventGame) else None

    def _is_due(self, place: PlayedFor) -> bool:
        return self._due_game(place.table) == place

    def _plays(self, board: str) -> PlayedFor | None:
        """Return the due game that a board plays, or None.

        The desk may have moved the board since the game began."""
        plays = self._known_status(board).plays
        return plays if plays is not None and self._is_due(plays) else None

    # What the desk does

    async def seat(self, board: str, table: int | None) -> None:
        with _refused(board):
            await self._boards.seat({board: table}, self._write({board: table}))

    async def pause(self, table: int, *, paused: bool) -> None:
        with refused_unless_saved():
            await self._boards.pause(table, paused=paused)

    async def send_word(self, board: str, text: str) -> None:
        self._sent += 1
        self._words[board] = text, self._sent
        self._change()

    async def rehearse(self, *, running: bool) -> None:
        """Begin or end a rehearsal."""
        self._rehearsal = 1 + secrets.randbelow(_MOST) if running else 0
        self._since = self._clock.wall() if running else None
        self._change()

    async def swap(self, old: str, new: str, game: SwapGame) -> None:
        """Put the board `new` at the table of the board `old`.

        The old board loses its game and, unless it is the hub's own, the due game of the table."""
        plays, table = self._plays(old), self.order(old).table
        if not table and plays is not None:
            table = plays.table
        if not table:
            raise RefusedRequest("board_without_table", board=self._known_status(old).name)
        is_own = self._own is not None and old == self._own.id
        due = None if is_own else self._due_game(table)  # a board across the hall may have begun it meanwhile
        taken = [
            GameTakenFromBoard(old, TakenGame(place, game is SwapGame.ENDS), anew=game is SwapGame.ANEW)
            for place in dict.fromkeys((due, plays))
            if place is not None
        ]
        with _refused(new):
            await self._boards.swap(old, new, table, taken, self._write({old: None, new: table}))

    async def to_slips(self, table: int) -> None:
        place = self._due_game(table)
        players = [board.id for board in self._boards.boards if board.table == table or self._plays(board.id) == place]
        own = self._own
        if own is not None and self._plays(own.id) == place:
            players.append(own.id)
        taken = [] if place is None else [GameTakenFromBoard(board, TakenGame(place, ends=False)) for board in players]
        with refused_unless_saved():
            leaves = {own.id: None} if own is not None and own.table == table else {}
            await self._boards.to_slips(table, taken, self._write(leaves))

    async def remove(self, board: str) -> None:
        """Remove a board from the club.

        A game that is under way at the board, or may be since it is away, goes on by slip."""
        if self._own is not None and self._own.id == board:
            raise RefusedRequest("own_board", board=self._own.name)
        place, table = self._plays(board), self.order(board).table
        is_alone = [other.table for other in self.snapshot.boards].count(table) == 1
        if place is None and is_alone and not self._known_status(board).is_online:
            place = self._due_game(table)
        taken = [] if place is None else [GameTakenFromBoard(board, TakenGame(place, ends=False))]
        with _refused(board):
            await self._boards.remove(board, taken)
        self._words.pop(board, None)

    async def dismiss(self, late: str) -> None:
        with refused_unless_saved():
            await self._boards.dismiss(late)

    async def accept(self, board: str) -> None:
        with _refused(board):
            await self._admission.accept(board)

    async def refuse(self, board: str) -> None:
        with _refused(board):
            self._admission.refuse(board)

    # What the hub asks

    def names(self) -> Mapping[str, str]:
        """Map the key of each board to the board's name."""
        return self._boards.names

    def order(self, board: str) -> Order:
        """Return the desk's order for this board.

        The due game is not in it."""
        known = self._own if self._own is not None and board == self._own.id else self._boards.board(board)
        table = 0 if known is None else known.table or 0
        word, number = self._words.get(board, ("", 0))
        return Order(
            release=self._release,
            table=table,
            is_paused=table in self._boards.paused,
            word=word,
            word_number=number,
            rehearsal=self._rehearsal,
            takes=tuple(taken.game for taken in self.taken() if taken.board == board)[-_MOST_ORDERED:],
        )

    def stood_at(self, board: str) -> Collection[int]:
        """Return the tables whose results the hub accepts from this board.

        These are its present and earlier tables; for the hub's own board, all tables."""
        if self._own is not None and board == self._own.id:
            return range(1, MOST_TABLES + 1)
        known = self._boards.board(board)
        return () if known is None else {*known.stood_at, known.table or 0}

    def taken(self) -> Sequence[GameTakenFromBoard]:
        """Return the games that the desk has taken from boards."""
        return self._boards.taken

    def show(self, snapshot: ClubSnapshot) -> None:
        """Receive the newest state of all boards from the hub."""
        self._known = {board.id: board for board in snapshot.boards}
        self._records, self._late = snapshot.records, snapshot.late
        self._change_own()

    def _write(self, seats: Mapping[str, int | None]) -> Write | None:
        """Return a function that assigns the hub's own board to a table.

        None if `seats` does not name this board."""
        own = self._own
        return partial(own.seat, seats[own.id]) if own is not None and own.id in seats else None

    def _change(self) -> None:
        self.seats.tell()
        self._change_own()

    def _change_own(self) -> None:
        if self._own is not None:
            games_elsewhere = {
                taken.game.place
                for taken in self.taken()
                if taken.may_be_playing(self._known_status(taken.board).not_begun)
            }
            self._own.hear(self.order(self._own.id), games_elsewhere)
        self._publish()

    def _publish(self) -> None:
        for changed in self._watchers:
            changed()


class DeskAssignments:
    """Tells the hub what the desk has decided for each board.

    Implements `cribd.club.known_boards.BoardAssignments`."""

    def __init__(self, desk: ClubDesk) -> None:
        self._watchers: list[Callable[[], None]] = []
        self.names = desk.names
        self.order = desk.order
        self.stood_at = desk.stood_at
        self.taken = desk.taken
        self.show = desk.show

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop when the desk changes an assignment."""
        self._watchers.append(changed)

    def tell(self) -> None:
        """Tell the hub of a change."""
        for changed in self._watchers:
            changed()


def _fate(board: BoardStatus) -> TakenGameFinish:
    """Find how to finish a game taken from this board."""
    if not board.is_online:
        return TakenGameFinish.AWAY
    return TakenGameFinish.BY_HAND if board.protocol < ENDS_GAMES else TakenGameFinish.ENDS


@contextmanager
def _refused(board: str) -> Iterator[None]:
    """Raise `RefusedRequest` for `JoiningEnded` and journal errors."""
    try:
        with refused_unless_saved():
            yield
    except JoiningEnded as ended:
        if ended.code == "left":
            raise RefusedRequest("board_left") from ended
        if ended.code == "too_many":
            raise RefusedRequest("too_many_boards", most=MOST_BOARDS) from ended
        raise RefusedRequest("no_such_board", board=board[:8]) from ended
