"""The boards of a club without a network: what a test says of them is shown, and what the desk asks is written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from tests.support.moments import moments

from cribd.club.board_status import (
    BoardStatus,
    ClubSnapshot,
    GameShown,
    Joining,
    RecordShown,
    SwapGame,
    TakenGameFinish,
    TakenGameStatus,
)
from cribd.daemon.club_link import game_shown
from cribd.inputs import Fault, FaultKind
from cribd.storage.outbox import PlayedFor

EVENING = datetime(2026, 3, 1, 18, 30, tzinfo=UTC)


def key(number: int) -> str:
    """The public key of a board."""
    return f"{number:064x}"


class ClubBoards:
    """Implements `BoardControl`: a change of the desk is in the snapshot at once."""

    def __init__(self, snapshot: ClubSnapshot) -> None:
        self.snapshot = snapshot
        self.asked: list[tuple[Any, ...]] = []
        self._watchers: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        self._watchers.append(changed)

    def show(self, **changes: Any) -> None:
        """Show the boards with these changes."""
        self.snapshot = replace(self.snapshot, **changes)
        for changed in self._watchers:
            changed()

    def change(self, board: str, **changes: Any) -> None:
        """Show one board with these changes."""
        boards = self.snapshot.boards
        self.show(boards=tuple(replace(each, **changes) if each.id == board else each for each in boards))

    async def seat(self, board: str, table: int | None) -> None:
        self.asked.append(("seat", board, table))
        self.change(board, table=table, shows=table)

    async def pause(self, table: int, *, paused: bool) -> None:
        self.asked.append(("pause", table, paused))
        for board in self.snapshot.boards:
            if board.table == table:
                self.change(board.id, is_paused=paused)

    async def send_word(self, board: str, text: str) -> None:
        self.asked.append(("say", board, text))
        self.change(board, word=text)

    async def rehearse(self, *, running: bool) -> None:
        self.asked.append(("rehearse", running))
        boards = tuple(replace(board, has_answered=False) for board in self.snapshot.boards)
        self.show(rehearsal=EVENING if running else None, boards=boards)

    async def swap(self, old: str, new: str, game: SwapGame) -> None:
        self.asked.append(("swap", old, new, game))
        table = next(board.table for board in self.snapshot.boards if board.id == old)
        self.change(old, table=None, shows=None)
        self.change(new, table=table)

    async def to_slips(self, table: int) -> None:
        self.asked.append(("slips", table))
        self.show(by_slips=(*self.snapshot.by_slips, table))

    async def remove(self, board: str) -> None:
        self.asked.append(("remove", board))
        self.show(boards=tuple(each for each in self.snapshot.boards if each.id != board))

    async def dismiss(self, late: str) -> None:
        self.asked.append(("dismiss", late))
        self.show(late=tuple(each for each in self.snapshot.late if each.id != late))

    async def accept(self, board: str) -> None:
        self.asked.append(("accept", board))
        (joins,) = (each for each in self.snapshot.joining if each.id == board)
        self.show(joining=(), boards=(*self.snapshot.boards, BoardStatus(id=board, name=joins.name)))

    async def refuse(self, board: str) -> None:
        self.asked.append(("refuse", board))
        self.show(joining=())


def game(event: UUID, table: int, names: tuple[str, ...], scores: tuple[int, ...], **changes: Any) -> GameShown:
    """A game that is under way in the first round."""
    backs = tuple(max(0, score - 4) for score in scores)
    shown = GameShown(
        event=event, round=1, table=table, game=1, names=names, scores=scores, backs=backs, target=121, deal=5, dealer=0
    )
    return replace(shown, **changes)


def moment(name: str, event: UUID, names: tuple[str, str], table: int = 1, board: str = "continuous") -> GameShown:
    """A moment of a real game, as a board at this table of the first round sends it."""
    snapshot = replace(moments()[name], names=names)
    shown = game_shown(snapshot, PlayedFor(event, 1, table, 1), names, board=board)
    assert shown is not None
    return shown


def evening(event: UUID | None = None) -> ClubSnapshot:
    """A club in which most of what can be said of a board is to be said of one."""
    as_usual: dict[str, Any] = {
        "is_online": True,
        "since": EVENING,
        "release": "0.1.0",
        "protocol": 3,
        "reader": "barcode",
    }
    plays = None if event is None else game(event, 1, ("Rita et Marcel", "Les Joyeux As"), (87, 102))
    boards = (
        BoardStatus(id=key(1), name="Érable", table=1, shows=1, game=plays, **as_usual),
        BoardStatus(id=key(2), name="Bouleau", table=2, shows=2, backlog=2, **as_usual | {"is_online": False}),
        BoardStatus(id=key(3), name="Cèdre", table=3, shows=5, is_paused=True, word="Souper à 18 h", **as_usual),
        BoardStatus(id=key(4), name="Tilleul", **as_usual | {"protocol": 2, "reader": "", "release": "0.0.9"}),
        BoardStatus(
            id=key(5), name="Orme", table=5, shows=5, faults=(Fault(FaultKind.READER_SILENT, "reader"),), **as_usual
        ),
        BoardStatus(id=key(6), name="Frêne", has_copy=True, **as_usual | {"protocol": 5, "release": "0.3.0"}),
        BoardStatus(id=key(7), name="Pin", **as_usual | {"protocol": 1, "release": "0.0.2"}),
        BoardStatus(id=key(8), name=""),
    )
    joins = Joining(id=key(9), words=("PIANO", "ORANGE"), name="Noyer", table=7)
    taken = tuple(
        TakenGameStatus("Bouleau", PlayedFor(UUID(int=0), 2, table, 1), fate)
        for table, fate in enumerate(TakenGameFinish, start=1)
    )
    records = RecordShown(taken[0].place), RecordShown(taken[1].place, "other_scores")
    return ClubSnapshot(boards=boards, joining=(joins,), by_slips=(8,), taken=taken, records=records, protocol=3)
