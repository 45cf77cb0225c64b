"""The due game and the desk's messages at one table.

Calls for an official go from here to the organiser's desk. Results go there from `cribd.table.match`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribd.storage.outbox import PlayedFor
from cribd.table.commands import Mode
from cribd.table.match import CurrentMatch
from cribd.table.menu import NextPlay
from cribd.table.organiser_desk import NOTHING_SAID, Desk, DeskSays, Due, EventGame, TakenGame, WaitsForRound
from cribd.table.snapshot import Base, DeskMessage, DeskMessageMode, OfficialMode


class TableAtEvent:
    """One table in a competition.

    Without a `desk`, no game is ever due. `match` has the games of the table. `friendly` is the choice of the players:
    whether the next game is friendly, or the event's.
    """

    def __init__(self, match: CurrentMatch, desk: Desk | None) -> None:
        self._match = match
        self._desk = desk
        self._due: Due = None
        self._says = NOTHING_SAID
        self._read = "", 0  # the last word, with its number
        self._ended: PlayedFor | None = None  # the game that the desk has ended, until that was read
        self._by_slip: PlayedFor | None = None  # the game of which was read that its result comes by slip
        self.rehearsed = 0
        self.friendly = False

    @property
    def next_game(self) -> EventGame | None:
        """The competition's game that starts at a press of OK, or None.

        None if OK starts another game, or resumes the event's game."""
        if self.friendly or not isinstance(self._due, EventGame):
            return None
        under_way = not self._match.game_over and self._match.played_for == self._due.place
        return None if under_way else self._due

    @property
    def waits(self) -> WaitsForRound | None:
        """The round that the table waits for, or None.

        None also if a friendly game is chosen."""
        return self._due if isinstance(self._due, WaitsForRound) and not self.friendly else None

    @property
    def plays(self) -> NextPlay | None:
        """The players' choice of the next game; None outside a competition."""
        if self._due is None:
            return None
        return NextPlay.FRIENDLY if self.friendly else NextPlay.EVENT

    def offer(self, due: Due) -> bool:
        """Set the due game or round; return whether it changed.

        A change resets `friendly`."""
        if due == self._due:
            return False
        self._due, self.friendly = due, False
        return True

    def set_desk_messages(self, says: DeskSays) -> bool:
        """Set the desk's messages; return whether they are new."""
        is_new = says != self._says
        self._says = says
        if not says.word:
            self._read = "", 0
        return is_new

    @property
    def has_ruled(self) -> bool:
        """Whether the desk has answered the call for an official."""
        return self._says.has_ruled

    @property
    def taken(self) -> TakenGame | None:
        """The current game if the desk takes it away, else None."""
        place = None if self._match.game_over else self._match.played_for
        return next((taken for taken in self._says.takes if taken.place == place), None)

    def note_end(self) -> None:
        """Record that the desk has ended the game."""
        self._ended = self._match.played_for

    def cover(self, mode: Mode) -> Mode:
        """Return `mode`, covered by the desk's message if there is one.

        A menu, count judge or review is not covered."""
        if not isinstance(mode, Base | OfficialMode):
            return mode
        if self._says.rehearsal not in (0, self.rehearsed):
            return DeskMessageMode(DeskMessage.REHEARSAL, covers=mode)
        if self._ended is not None:
            return DeskMessageMode(DeskMessage.ENDED, covers=mode)
        if self.taken is not None and not self.taken.ends and self.taken.place != self._by_slip:
            return DeskMessageMode(DeskMessage.BY_SLIP, covers=mode)
        if self._says.word and (self._says.word, self._says.word_number) != self._read:
            return DeskMessageMode(DeskMessage.WORD, self._says.word, mode)
        return DeskMessageMode(DeskMessage.PAUSED, covers=mode) if self._says.is_paused else mode

    def confirm(self, what: DeskMessage) -> None:
        """Record that a player has confirmed this kind of message."""
        match what:
            case DeskMessage.WORD:
                self._read = self._says.word, self._says.word_number
            case DeskMessage.ENDED:
                self._ended = None
            case DeskMessage.BY_SLIP:
                self._by_slip = self._match.played_for
            case DeskMessage.REHEARSAL:
                self.rehearsed = self._says.rehearsal

    def official(self, side: int, names: Sequence[str], covers: Base) -> OfficialMode:
        """Return the mode of waiting for an official (7.17).

        It names the captain if the event has named captains, else the side's name in the game, or one of these `names`.
        If only a captain may call, the screen asks for the captain, because the board cannot know who pressed.
        """
        latest, due, position = self._match.latest, self._due, self._match.position
        captains: Sequence[str] = ()
        if latest is not None and latest.played_for is not None:
            captains = due.captains if isinstance(due, EventGame) and due.place == latest.played_for else ()
            names = captains or latest.heading.names
        captain = bool(captains) or (position is not None and position.rules.customs.captain_calls)
        return OfficialMode(side, captain=captain, name=names[side] if side < len(names) else "", covers=covers)

    async def call_official(self, side: int) -> None:
        """In a competition, report this side's call for an official."""
        if self._desk is not None and self._match.played_for is not None:
            await self._desk.call_official(self._match.played_for, side)

    async def official_came(self, mode: Mode) -> None:
        """Report that the official has come, if `mode` awaits one."""
        if isinstance(mode, OfficialMode) and self._desk is not None and self._match.played_for is not None:
            await self._desk.official_came(self._match.played_for, mode.side)
