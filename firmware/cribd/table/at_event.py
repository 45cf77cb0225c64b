"""What a table knows of the event at which it stands: the game that is due there, or the round that it waits for; and
who calls an official.

The table asks it which game OK starts, and whose captain an official is called for. Of a call it tells the organiser's
desk; everything else of the desk is in `cribd.table.match`, which enters results.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribd.table.event import Desk, Due, EventGame, WaitsForRound
from cribd.table.match import CurrentMatch
from cribd.table.menu import NextPlay
from cribd.table.modes import Mode, official_called
from cribd.table.snapshot import Base, Official


class AtEvent:
    """The event of a table whose games are in `match`. Without a `desk` nothing is ever due."""

    def __init__(self, match: CurrentMatch, desk: Desk | None) -> None:
        self._match = match
        self._desk = desk
        self._due: Due = None
        self._friendly = False

    @property
    def next_game(self) -> EventGame | None:
        """The game of the event that OK starts; None if it starts another, or takes up that game."""
        if self._friendly or not isinstance(self._due, EventGame):
            return None
        under_way = not self._match.game_over and self._match.played_for == self._due.place
        return None if under_way else self._due

    @property
    def waits(self) -> WaitsForRound | None:
        """The round for which the table waits, so that OK starts nothing; None if the players chose a friendly game."""
        return self._due if isinstance(self._due, WaitsForRound) and not self._friendly else None

    @property
    def plays(self) -> NextPlay | None:
        """What the players have chosen while the event has a game for them, or will; None outside an event."""
        if self._due is None:
            return None
        return NextPlay.FRIENDLY if self._friendly else NextPlay.EVENT

    def offer(self, due: Due) -> bool:
        """This game is due, or this round is waited for, or there is no event. Returns whether that is new."""
        if due == self._due:
            return False
        self._due, self._friendly = due, False
        return True

    def choose(self, *, friendly: bool) -> None:
        """The next game is a friendly one, or that of the event."""
        self._friendly = friendly

    def official(self, side: int, names: Sequence[str], covers: Base) -> Official:
        """The mode in which the players wait for an official whom `side` calls. In an event the board names the
        captain; elsewhere the side has one of these `names`."""
        latest, due = self._match.latest, self._due
        if latest is None or latest.played_for is None:
            return official_called(side, self._match.position, names, covers)
        captains = due.captains if isinstance(due, EventGame) and due.place == latest.played_for else ()
        named = captains or latest.heading.names
        return official_called(side, self._match.position, named, covers, captain=bool(captains))

    async def call_official(self, side: int) -> None:
        """Tell the desk of a call, if the game is one of an event."""
        if self._desk is not None and self._match.played_for is not None:
            await self._desk.call_official(self._match.played_for, side)

    async def official_came(self, mode: Mode) -> None:
        """The desk need not send the official for whom the players waited in this mode, if they did."""
        if isinstance(mode, Official) and self._desk is not None and self._match.played_for is not None:
            await self._desk.official_came(self._match.played_for, mode.side)
