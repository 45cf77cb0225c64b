"""Actions: what the organiser, an official, a table or a phone asks of a competition, and how it is refused.

An action is decided (`referee`) or refused (`RefusedAction`); it says nothing of where it comes from beyond what the
log keeps. Draws are made outside and passed in (design law 1).
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.competition.seating import Seating
from cribboard.competition.terms import Advantage, Choice, Ending, EntrantKind, GameAt, Missing, Source, Status

# Entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """An entrant registers. A player alone needs no `players`."""

    name: str
    players: tuple[str, ...] = ()
    captain: int = 0  # index of a player
    part: EntrantKind = EntrantKind.RANKED


@dataclass(frozen=True, slots=True)
class Rename:
    """A name was misspelled."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """The name of a player was misspelled."""

    entrant: int
    player: int  # index
    name: str


@dataclass(frozen=True, slots=True)
class ShowAs:
    """An entrant asks to be shown in public by a shorter name, or by its own again if `name` is empty."""

    entrant: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The entrant is in the room, early or late. Its captain is confirmed (FADOQ, 1)."""

    entrant: int
    captain: int = 0


@dataclass(frozen=True, slots=True)
class Depart:
    """The entrant does not appear, withdraws, or is disqualified; the last two with a reason."""

    entrant: int
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Penalise:
    """An official takes points from an entrant."""

    entrant: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """Somebody plays instead of a player of an entrant."""

    entrant: int
    player: int  # index
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeedEntrants:
    """The order of strength for an elimination, the strongest first."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoteHand:
    """A hand of 28 or 29 that a club honours."""

    entrant: int
    points: int


# The competition


@dataclass(frozen=True, slots=True)
class SetTables:
    """There are so many tables."""

    tables: int


@dataclass(frozen=True, slots=True)
class SetGames:
    """Each entrant plays so many games (FADOQ, 11: « le responsable pourra modifier le nombre de parties »)."""

    games: int


@dataclass(frozen=True, slots=True)
class CountMissing:
    """How games count that can no longer be played (3.30)."""

    missing: Missing


@dataclass(frozen=True, slots=True)
class Begin:
    """Play begins. `choice` answers what does not fit."""

    choice: Choice = Choice.AS_SET


@dataclass(frozen=True, slots=True)
class Pause:
    """No round is drawn or started until `Resume`. Results are still taken."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resume:
    """The pause is over."""


@dataclass(frozen=True, slots=True)
class AnnounceStart:
    """What comes next begins at this time, which the hall is shown; "" takes the announcement back."""

    time: str  # ISO 8601, with the offset from UTC


@dataclass(frozen=True, slots=True)
class EndPlay:
    """No more rounds are drawn, but for play-offs."""


# Rounds


@dataclass(frozen=True, slots=True)
class DrawRound:
    """The next round has this seating."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class DrawPlayOff:
    """Level entrants play for a medal, in this seating. Who is named in no pairing waits."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class StartRound:
    """The games of the round that was drawn begin."""


@dataclass(frozen=True, slots=True)
class CancelRound:
    """The round that was drawn is not played."""

    reason: str


# Results


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterResult:
    """The organiser enters a slip, or a board sends its accepted result."""

    at: GameAt
    scores: tuple[int, int]  # in the order of the pairing
    ending: Ending = Ending.FINISHED
    source: Source = Source.SLIP
    record: str = ""  # last link of the game's own record


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportResult:
    """One side says on its phone how the game ended. The same words of the other side confirm it, others dispute it."""

    at: GameAt
    entrant: int
    scores: tuple[int, int]
    ending: Ending = Ending.FINISHED


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """The other side says OK. `scores`, if given, are those that it saw."""

    at: GameAt
    entrant: int
    scores: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class DisputeResult:
    """A side disagrees with a result, which an official settles by a correction. `scores`, if given, are those that it
    saw."""

    at: GameAt
    entrant: int
    reason: str
    scores: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class DisputeByBoard:
    """The board at the table sends the end of its game, and the desk has another result already."""

    at: GameAt
    scores: tuple[int, int]  # of a game that was finished, in the order of the pairing
    record: str  # last link of the game's own record


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult:
    """An official settles or corrects a result. What it was is kept."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending = Ending.FINISHED
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareCards:
    """The two score cards of a game, where they differ (3.29): each side's own spread as it wrote it, or None."""

    at: GameAt
    spreads: tuple[int | None, int | None]
    qualifiers: Advantage = Advantage.NEITHER


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result is as its slip says. `scores`, if given, are those of the slip."""

    at: GameAt
    scores: tuple[int, int] | None = None


# Officials and medals


@dataclass(frozen=True, slots=True)
class CallOfficial:
    """A player calls an official to the table."""

    entrant: int
    player: int = 0  # index


@dataclass(frozen=True, slots=True)
class AnswerCall:
    """The official was there."""

    entrant: int


@dataclass(frozen=True, slots=True)
class ShareMedal:
    """The organiser rules that these level entrants share their place (3.30)."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A medal is given, the last place first; the first place opens all results. A reason overrides the check pass."""

    place: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last act. The log keeps both."""


Action = (
    Register | Rename | RenamePlayer
    | ShowAs | CheckIn | Depart | Penalise | Substitute | SeedEntrants | NoteHand | SetTables
    | SetGames | CountMissing | Begin | Pause | Resume | AnnounceStart | EndPlay | DrawRound | DrawPlayOff
    | StartRound | CancelRound | EnterResult | ReportResult | ConfirmResult | DisputeResult | DisputeByBoard
    | CorrectResult | CompareCards | CheckResult | CallOfficial | AnswerCall | ShareMedal | OpenPlace | Undo
)  # fmt: skip
