"""Events: what happened in a competition, in the past tense. Its log holds nothing else.

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
    """The entrant has the next number."""

    part: EntrantKind
    captain: int  # index of a player (FADOQ, 4)
    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Renamed:
    """The entrant has another name."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player has another name."""

    entrant: int
    player: int  # index
    name: str


@dataclass(frozen=True, slots=True)
class ShownAs:
    """The entrant is shown in public by this name; by its own if it is empty."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """The entrant is present, with this captain (FADOQ, 1)."""

    entrant: int
    captain: int


@dataclass(frozen=True, slots=True)
class Departed:
    """The entrant is absent, left or was disqualified (3.31). Its game under way is still to be entered."""

    entrant: int
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class Penalised:
    """The entrant loses points."""

    entrant: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Substituted:
    """Somebody plays instead of a player."""

    entrant: int
    player: int  # index
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Seeded:
    """The order of strength is settled."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandNoted:
    """The entrant held a hand of so many points."""

    entrant: int
    points: int


# The competition


@dataclass(frozen=True, slots=True)
class TablesSet:
    """There are so many tables."""

    tables: int


@dataclass(frozen=True, slots=True)
class GamesSet:
    """Each entrant plays so many games; what was drawn beyond that is not played (3.21; FADOQ, 11)."""

    games: int


@dataclass(frozen=True, slots=True)
class MissingCounted:
    """Games that can no longer be played count so (3.30)."""

    missing: Missing


@dataclass(frozen=True, slots=True)
class Begun:
    """Play began, with so many games for each entrant; 0 in an elimination (3.22)."""

    games: int


@dataclass(frozen=True, slots=True)
class Paused:
    """No round is drawn or started."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The pause is over."""


@dataclass(frozen=True, slots=True)
class StartAnnounced:
    """What comes next begins at this time."""

    time: str  # ISO 8601, with the offset from UTC; "" if none is announced any more


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """No more rounds are drawn, but for play-offs."""


# Rounds


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The seating of the next round; what a seating reveals is public with it (design law 10)."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class PlayOffDrawn:
    """The seating of a round of the play-off of this number (3.30)."""

    play_off: int
    seating: Seating


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The games of the round that was drawn have begun."""


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    """The round that was drawn is not played."""

    reason: str


# Results


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The result is accepted, from a slip, the desk or a board."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending
    source: Source
    record: str


@dataclass(frozen=True, slots=True)
class ResultReported:
    """One side reported the result. The second report confirms it if it is equal, and disputes it if not."""

    at: GameAt
    entrant: int
    scores: tuple[int, int]
    ending: Ending


@dataclass(frozen=True, slots=True)
class ResultConfirmed:
    """The other side said OK."""

    at: GameAt
    entrant: int


@dataclass(frozen=True, slots=True)
class ResultDisputed:
    """A side disagrees."""

    at: GameAt
    entrant: int
    reason: str


@dataclass(frozen=True, slots=True)
class DisputedByBoard:
    """The board at the table sent this result, which the desk had otherwise."""

    at: GameAt
    scores: tuple[int, int]
    record: str


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """An official settled the result, which must be checked again."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending
    reason: str


@dataclass(frozen=True, slots=True)
class CardsRuled:
    """The result is taken from two score cards; these spreads count, in the order of the pairing (3.29, ACC 12.2)."""

    at: GameAt
    scores: tuple[int, int]  # the loser's as on its own card
    spreads: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ResultChecked:
    """The result is as its slip says (FADOQ, 1)."""

    at: GameAt


# Officials and medals


@dataclass(frozen=True, slots=True)
class OfficialCalled:
    """An official is wanted at the table of this entrant."""

    entrant: int
    player: int  # index


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """The official was there."""

    entrant: int


@dataclass(frozen=True, slots=True)
class MedalShared:
    """These level entrants share their place (3.30, 3.31)."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlaceOpened:
    """The medal of this place was given (3.15). A reason says why results were opened unchecked."""

    place: int
    reason: str


@dataclass(frozen=True, slots=True)
class Undone:
    """The competition goes back to where it stood after event number `to`."""

    to: int


Event = (
    Registered | Renamed | PlayerRenamed
    | ShownAs | CheckedIn | Departed | Penalised | Substituted | Seeded | HandNoted | TablesSet
    | GamesSet | MissingCounted | Begun | Paused | Resumed | StartAnnounced | PlayEnded | RoundDrawn | PlayOffDrawn
    | RoundStarted
    | RoundCancelled | ResultEntered | ResultReported | ResultConfirmed | ResultDisputed | DisputedByBoard
    | ResultCorrected | CardsRuled | ResultChecked | OfficialCalled | CallAnswered | MedalShared | PlaceOpened | Undone
)  # fmt: skip
