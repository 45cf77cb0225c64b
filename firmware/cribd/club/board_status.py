"""The club's boards as the desk and the hall see them.

The hub makes the snapshot of what boards report, and carries out what the desk asks; pages show the one and send the
other. Of a game it has only what the hall may see (design laws 9 and 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import astuple, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from cribboard.cards import PACK
from cribd.inputs import Fault
from cribd.storage.outbox import PlayedFor

#: Every card as it is written.
_CARDS = frozenset(map(str, PACK))


@dataclass(frozen=True, slots=True)
class GameWords:
    """The texts of a game in one language."""

    language: str
    ask: str
    """Who must do what now."""
    said: tuple[str, ...] = ()
    """The latest act, and what it caused."""
    skunk: str = ""
    """The skunk with which the game was won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchShown:
    """The state of the match to which the shown game belongs.

    A game counts as soon as its result is final."""

    games: tuple[int, ...]
    """By side: the games won."""
    points: tuple[int, ...]
    """By side: the points by `standings`."""
    of: int
    """How many games win it, or are played in it."""
    standings: str
    """How it is scored (`cribboard.rules.Standings`)."""


@dataclass(frozen=True, slots=True)
class StepShown:
    """One step in the count of a hand or crib."""

    cards: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountWords:
    """The texts for a counted hand or crib in one language."""

    language: str
    who: str
    what: str
    steps: tuple[str, ...] = ()
    ruling: str = ""
    """Why the call was wrong; "" if it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountShown:
    """A counted hand or crib, with its combinations."""

    number: int
    """That of its event in the game."""
    deal: int
    cards: tuple[str, ...]
    points: int
    """Those pegged."""
    due: int | None = None
    """Those of the cards; None if nothing was judged."""
    starter: str = ""
    steps: tuple[StepShown, ...] = ()
    words: tuple[CountWords, ...] = ()
    """In each language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameShown:
    """A game under way, as the hall may see it."""

    event: UUID
    round: int
    table: int
    game: int
    """Of the games of one meeting, from 1."""
    names: tuple[str, ...]
    """By side."""
    scores: tuple[int, ...]
    """By side: the front pegs."""
    backs: tuple[int, ...]
    """By side: the back pegs."""
    target: int
    deal: int = 0
    """From 1; 0 before the first."""
    dealer: int | None = None
    """The dealer's side."""
    starter: str = ""
    """Written `5H`; "" until it is turned."""
    laid: tuple[str, ...] = ()
    """The cards of the running count, oldest first; "" for one that no reader could read."""
    count: int | None = None
    """The running count; None outside the play."""
    winner: int | None = None
    """The side that has won."""
    number: int = 0
    """How many events it has."""
    rules: str = ""
    """Their label; "" from a board that does not say it."""
    way: str = "verify"
    phase: str = ""
    acts: int | None = None
    """The side that must act."""
    in_hand: tuple[int | None, ...] = ()
    """By side: where a peg in hand would stand."""
    laid_by: tuple[int, ...] = ()
    """The seats that laid the cards of the running count."""
    counted: tuple[str, ...] = ()
    """The hand or crib that is being counted."""
    last_count: CountShown | None = None
    """The newest hand or crib that was counted; None from the next starter on."""
    match: MatchShown | None = None
    """None from a board that does not say it."""
    board: str = ""
    """The name of the board on which it is played."""
    words: tuple[GameWords, ...] = ()
    """In each language."""

    @property
    def is_sound(self) -> bool:
        """Whether the values of this game agree.

        There are two or three sides, all values by side are complete, and all cards exist."""
        sides = len(self.names)
        cards = [*self.laid, *self.counted, self.starter]
        if (count := self.last_count) is not None:
            cards += [*count.cards, count.starter, *(card for step in count.steps for card in step.cards)]
        by_side = (self.dealer, self.acts, self.winner)
        return (
            2 <= sides <= 3
            and len(self.scores) == len(self.backs) == sides
            and len(self.in_hand) in (0, sides)
            and len(self.laid_by) in (0, len(self.laid))
            and (self.match is None or len(self.match.games) == len(self.match.points) == sides)
            and (count is None or all(len(words.steps) == len(count.steps) for words in count.words))
            and all(side is None or side < sides for side in by_side)
            and all(card in _CARDS or not card for card in cards)
            and self.target > 0
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStatus:
    """The state of a board of the club."""

    id: str
    """Its public key, as 64 hex digits."""
    name: str
    table: int | None = None
    """The table of the hall at which the desk has seated it; None if it has none."""
    shows: int | None = None
    """The table that its screen shows; it may be another one until the board hears of its new table."""
    is_online: bool = False
    since: datetime | None = None
    """Since when it is online or away; None if it was not heard since the hub's start."""
    release: str = ""
    protocol: int = 0
    """The version of what it sends; 0 if it was not heard yet."""
    faults: tuple[Fault, ...] = ()
    reader: str = ""
    """The kind of its card reader; "" if it has none."""
    backlog: int = 0
    """How many of its results are not committed here yet."""
    is_paused: bool = False
    word: str = ""
    """The last word that the desk has sent to its screen, maybe read already; "" if there is none."""
    calls: tuple[int, ...] = ()
    """The sides that wait for an official."""
    game: GameShown | None = None
    """Its game of the event; None if it plays none, or a sealed one."""
    plays: PlayedFor | None = None
    """The game of an event that was under way when it was heard last."""
    not_begun: tuple[PlayedFor, ...] = ()
    """Of the games that the desk has taken from it, those that were never begun there."""
    has_copy: bool = False
    """Whether two machines use its key, and so cut each other off."""
    has_answered: bool = False
    """Whether somebody pressed OK in the present rehearsal."""
    is_hub: bool = False
    """Whether it is the hub too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """A board that wants to join the club."""

    id: str
    words: tuple[str, str]
    name: str = ""
    table: int | None = None
    """The table whose card was held before its reader; None if it was found in another way."""
    is_confirmed: bool = False
    """Whether somebody has pressed OK at the board."""


class SwapGame(StrEnum):
    """What happens to the game of a replaced board."""

    ENDS = "ends"
    """It ends as it stands."""
    SLIP = "slip"
    """It goes on without a board, and its result comes by slip."""
    ANEW = "anew"
    """The new board begins it: it was not begun at the old one, which is away and cannot say so."""


class TakenGameFinish(StrEnum):
    """How a game that was taken from a board is finished."""

    ENDS = "ends"
    """The board ends it as it stands."""
    BY_HAND = "by_hand"
    """The board is too old to do so: the players end it there in the menu."""
    AWAY = "away"
    """The board is away: the result comes by slip, and what the board hands in later joins it or is disputed."""
    SLIP = "slip"
    """It goes on by slip."""


@dataclass(frozen=True, slots=True)
class TakenGameStatus:
    """A game taken from a board, without a result yet."""

    name: str
    """The name of the board."""
    place: PlayedFor
    fate: TakenGameFinish


@dataclass(frozen=True, slots=True)
class RecordShown:
    """A handed-in game, with the verdict on its record."""

    place: PlayedFor
    found: str = ""
    """Why it does not bear the result out (`cribd.club.record_check.RecordVerdict`); "" while it is not checked.

    "not_taken" if the result was not entered, since another pair plays at this place or the game goes on by slip."""


@dataclass(frozen=True, slots=True)
class LateResult:
    """A board's result that the hub cannot enter.

    The event's results are open already, an official has settled the game, or the hub lacks the draw of the round."""

    board: str
    """The key of the board."""
    record: str
    """The last link of the game's record."""
    place: PlayedFor
    scores: tuple[int, ...]
    counts: tuple[int, int] | None
    """The scores that count instead; None if none do."""
    unseated: tuple[int, ...] = ()
    """The two entrants who played, by their numbers, if they are not seated there; else ()."""

    @property
    def id(self) -> str:
        """The id by which the desk dismisses the result."""
        return "/".join(map(str, (*astuple(self.place), self.board, self.record)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubSnapshot:
    """All boards of the club at one moment."""

    boards: tuple[BoardStatus, ...] = ()
    joining: tuple[Joining, ...] = ()
    by_slips: tuple[int, ...] = ()
    """The tables at which no board is used until it is seated there again."""
    taken: tuple[TakenGameStatus, ...] = ()
    """The games that were taken from boards, and have no result yet: no other board begins them."""
    records: tuple[RecordShown, ...] = ()
    """The records of the current event that were not checked yet, or are wrong."""
    late: tuple[LateResult, ...] = ()
    """The results of boards for the current event that were neither entered nor disputed, nor dismissed by the desk."""
    rehearsal: datetime | None = None
    """When the present rehearsal was begun; None while there is none."""
    protocol: int = 1
    """The version of what the hub sends."""

    @property
    def disputed(self) -> tuple[int, ...]:
        """The numbers of the tables that more than one board uses."""
        boards = Counter(table for board in self.boards for table in {board.table, board.shows} - {None})
        return tuple(sorted(table for table, number in boards.items() if table is not None and number > 1))


class BoardControl(Protocol):
    """The desk's view of the boards, and the desk's actions.

    The hub implements it. Each method raises `RefusedRequest` if it changed nothing, and returns once it is stored."""

    @property
    def snapshot(self) -> ClubSnapshot:
        """The newest snapshot of the club's boards. Read this property on the loop."""

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop whenever there is a new snapshot."""

    async def seat(self, board: str, table: int | None) -> None:
        """Seat a board at a table, or at none.

        A table that was moved to slips is played on its board again."""

    async def pause(self, table: int, *, paused: bool) -> None:
        """Pause a table, or end the pause."""

    async def send_word(self, board: str, text: str) -> None:
        """Show a text on a board's screen; "" removes the text."""

    async def rehearse(self, *, running: bool) -> None:
        """Begin or end a rehearsal.

        In a rehearsal each board asks its players for OK."""

    async def swap(self, old: str, new: str, game: SwapGame) -> None:
        """Replace a board by another board at its table.

        Its place is its table, or the table of its game if the desk has seated it at none meanwhile. `game` is for
        the game that is due there, and for one that is under way at the old board. Unless it begins anew, the new
        board has the next one."""

    async def to_slips(self, table: int) -> None:
        """Use paper slips at a table from now on.

        The results of the table come on paper slips, also the result of a game under way."""

    async def remove(self, board: str) -> None:
        """Remove a board from the club."""

    async def dismiss(self, late: str) -> None:
        """Stop showing the late result with this id."""

    async def accept(self, board: str) -> None:
        """Accept a joining board that shows the desk's two words."""

    async def refuse(self, board: str) -> None:
        """Refuse a board that wants to join."""
