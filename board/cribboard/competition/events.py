"""Events: what happened in a competition, in the past tense. The log contains only events.

One action causes one event, and `evolution` draws the consequences: a round that an entrant leaves before it started is
void, a visit that it leaves is cut short. Events hold numbers, codes and the words that people gave, no wording.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.competition.seating import Seating
from cribboard.competition.terms import Ending, EntrantKind, GameAt, Missing, Source, Status

# Entrants


@dataclass(frozen=True, slots=True)
class Registered:
    """An entrant registered and received the next number."""

    part: EntrantKind
    captain: int  # index of a player (FADOQ, 4)
    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Renamed:
    """An entrant was renamed."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player was renamed."""

    entrant: int
    player: int  # index
    name: str


@dataclass(frozen=True, slots=True)
class ShownAs:
    """An entrant is shown in public by this name, or by its own if this is empty."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """An entrant is present, with this captain (FADOQ, 1)."""

    entrant: int
    captain: int


@dataclass(frozen=True, slots=True)
class Departed:
    """An entrant is absent, left or was disqualified (3.31). Its game under way still needs a result."""

    entrant: int
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class Penalised:
    """An entrant lost points."""

    entrant: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Substituted:
    """A substitute replaced a player."""

    entrant: int
    player: int  # index
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Seeded:
    """The seeding order was set."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandNoted:
    """An entrant had a hand of 28 or 29 points."""

    entrant: int
    points: int


# The competition


@dataclass(frozen=True, slots=True)
class TablesSet:
    """The number of tables was set."""

    tables: int


@dataclass(frozen=True, slots=True)
class GamesSet:
    """The games of each entrant were set; games drawn beyond that number are not played (3.21; FADOQ, 11)."""

    games: int


@dataclass(frozen=True, slots=True)
class MissingCounted:
    """It was set how games count that can no longer be played (3.30)."""

    missing: Missing


@dataclass(frozen=True, slots=True)
class Begun:
    """Play began, with this number of games for each entrant; 0 in an elimination (3.22)."""

    games: int


@dataclass(frozen=True, slots=True)
class Paused:
    """Play was paused: no round is drawn or started."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The pause ended."""


@dataclass(frozen=True, slots=True)
class StartAnnounced:
    """The time was announced at which the next part begins."""

    time: str  # ISO 8601, with the offset from UTC; "" if none is announced any more


@dataclass(frozen=True, slots=True)
class CompetitionPlayEnded:
    """Play ended: no more rounds are drawn, except for play-offs."""


# Rounds


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The next round was drawn. Whatever a seating reveals becomes public with it (design law 10)."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class PlayOffDrawn:
    """A round of the play-off of this number was drawn (3.30)."""

    play_off: int
    seating: Seating


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The games of the drawn round began."""


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    """The drawn round was cancelled."""

    reason: str


# Results


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A result was accepted from a slip, the desk or a board."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending
    source: Source
    record: str


@dataclass(frozen=True, slots=True)
class ResultReported:
    """One side reported a result. A second report confirms an equal result and disputes another."""

    at: GameAt
    entrant: int
    scores: tuple[int, int]
    ending: Ending


@dataclass(frozen=True, slots=True)
class ResultConfirmed:
    """The other side confirmed the result."""

    at: GameAt
    entrant: int


@dataclass(frozen=True, slots=True)
class ResultDisputed:
    """A side disputed the result."""

    at: GameAt
    entrant: int
    reason: str


@dataclass(frozen=True, slots=True)
class DisputedByBoard:
    """The board at the table sent a result that differs from the desk's, or any result in a dispute."""

    at: GameAt
    scores: tuple[int, int]
    record: str


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """An official corrected the result, which must be checked again."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending
    reason: str


@dataclass(frozen=True, slots=True)
class CardsRuled:
    """The result was ruled from two score cards. These spreads count, in the order of the pairing (3.29, ACC 12.2)."""

    at: GameAt
    scores: tuple[int, int]  # the loser's as on its own card
    spreads: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ResultChecked:
    """The result was found equal to its slip (FADOQ, 1)."""

    at: GameAt


# Officials and medals


@dataclass(frozen=True, slots=True)
class OfficialCalled:
    """An official was called to the table of this entrant."""

    entrant: int
    player: int  # index


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """The official answered the call."""

    entrant: int


@dataclass(frozen=True, slots=True)
class MedalShared:
    """It was ruled that these level entrants share their place (3.30, 3.31)."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlaceOpened:
    """The medal of this place was given (3.15). A reason says why unchecked results were opened."""

    place: int
    reason: str


@dataclass(frozen=True, slots=True)
class CompetitionActUndone:
    """The competition was set back to the position after event number `to`."""

    to: int


EntrantEvent = (
    Registered | Renamed | PlayerRenamed | ShownAs | CheckedIn | Departed | Penalised | Substituted | Seeded | HandNoted
)
RoundEvent = (
    TablesSet | GamesSet | MissingCounted | Begun | Paused | Resumed | StartAnnounced | CompetitionPlayEnded
    | RoundDrawn | PlayOffDrawn | RoundStarted | RoundCancelled
)  # fmt: skip
ResultEvent = (
    ResultEntered | ResultReported | ResultConfirmed | ResultDisputed | DisputedByBoard
    | ResultCorrected | CardsRuled | ResultChecked
)  # fmt: skip
MedalEvent = OfficialCalled | CallAnswered | MedalShared | PlaceOpened
Event = EntrantEvent | RoundEvent | ResultEvent | MedalEvent | CompetitionActUndone
