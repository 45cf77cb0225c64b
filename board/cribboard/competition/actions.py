"""Actions that a competition is asked to take.

`referee` turns an action into an event, or refuses it (`RefusedAction`). An action names its sender only where the log
does. Draws are made outside and passed in (design law 1).
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.competition.seating import Seating
from cribboard.competition.terms import (
    Advantage,
    Choice,
    Ending,
    EntrantKind,
    EntrantStatus,
    GameAt,
    Missing,
    ResultSource,
)

# Entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """Register an entrant; a single player needs only a name."""

    name: str
    players: tuple[str, ...] = ()
    captain: int = 0  # index of a player
    part: EntrantKind = EntrantKind.RANKED


@dataclass(frozen=True, slots=True)
class Rename:
    """Correct the name of an entrant."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """Correct the name of a player."""

    entrant: int
    player: int  # index
    name: str


@dataclass(frozen=True, slots=True)
class ShowAs:
    """Set the name under which the public sees an entrant.

    If `name` is empty, the public sees the entrant's own name again."""

    entrant: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Mark an entrant as present, and confirm its captain.

    Source: FADOQ, 1."""

    entrant: int
    captain: int = 0


@dataclass(frozen=True, slots=True)
class Depart:
    """Mark an entrant as absent, left or disqualified.

    An entrant that left or was disqualified needs a reason."""

    entrant: int
    status: EntrantStatus
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Penalise:
    """Take points from an entrant, as an official."""

    entrant: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """Replace a player of an entrant by somebody else."""

    entrant: int
    player: int  # index
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeedEntrants:
    """Set the seeding of an elimination, the strongest entrant first."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoteHand:
    """Note a hand of 28 or 29 points."""

    entrant: int
    points: int


# The competition


@dataclass(frozen=True, slots=True)
class SetTables:
    """Set the number of tables."""

    tables: int


@dataclass(frozen=True, slots=True)
class SetGames:
    """Set the number of games for each entrant.

    FADOQ, 11: « le responsable pourra modifier le nombre de parties »."""

    games: int


@dataclass(frozen=True, slots=True)
class CountMissing:
    """Set the rule for games that can no longer be played.

    Rules reference, 3.30."""

    missing: Missing


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin play.

    `choice` decides how to play if the numbers of entrants and games do not fit."""

    choice: Choice = Choice.AS_SET


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the competition.

    Until `Resume`, no round is drawn or started, but results are still accepted."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resume:
    """End the pause."""


@dataclass(frozen=True, slots=True)
class AnnounceStart:
    """Announce the time of the competition's next part to the hall.

    An empty time withdraws the announcement."""

    time: str  # ISO 8601, with the offset from UTC


@dataclass(frozen=True, slots=True)
class EndPlay:
    """End play. After that only rounds of play-offs can be drawn."""


# Rounds


@dataclass(frozen=True, slots=True)
class DrawRound:
    """Draw the next round with this seating."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class DrawPlayOff:
    """Draw a play-off between entrants that are tied for a medal.

    Entrants without a pairing wait."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class StartRound:
    """Start the games of the drawn round."""


@dataclass(frozen=True, slots=True)
class CancelRound:
    """Cancel the drawn round."""

    reason: str


# Results


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterResult:
    """Enter the result of a game."""

    at: GameAt
    scores: tuple[int, int]  # in the order of the pairing
    ending: Ending = Ending.FINISHED
    source: ResultSource = ResultSource.SLIP
    record: str = ""  # last link of the game's own record


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportResult:
    """Report a result from the phone of one side.

    An equal report by the other side confirms it; a different report disputes it."""

    at: GameAt
    entrant: int
    scores: tuple[int, int]
    ending: Ending = Ending.FINISHED


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """Confirm the result that the other side reported.

    `scores`, if given, are the scores that the phone showed."""

    at: GameAt
    entrant: int
    scores: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class DisputeResult:
    """Dispute a result as one side.

    The result does not count until an official corrects it. `scores`, if given, are those that the phone showed."""

    at: GameAt
    entrant: int
    reason: str
    scores: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class DisputeByBoard:
    """Dispute a result, because the board sent another one."""

    at: GameAt
    scores: tuple[int, int]  # of a game that was finished, in the order of the pairing
    record: str  # last link of the game's own record


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult:
    """Correct a result, as an official."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending = Ending.FINISHED
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareCards:
    """Decide the result of a game from its two score cards.

    `spreads` has the spread that each side wrote for itself, None if it wrote none. Rules reference, 3.29."""

    at: GameAt
    spreads: tuple[int | None, int | None]
    qualifiers: Advantage = Advantage.NEITHER


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Mark a result as equal to its paper slip.

    `scores`, if given, are the scores on the slip."""

    at: GameAt
    scores: tuple[int, int] | None = None


# Officials and medals


@dataclass(frozen=True, slots=True)
class CallOfficial:
    """Call an official to the table of a player."""

    entrant: int
    player: int = 0  # index


@dataclass(frozen=True, slots=True)
class AnswerCall:
    """Mark a call for an official as answered."""

    entrant: int


@dataclass(frozen=True, slots=True)
class ShareMedal:
    """Decide that these tied entrants share their place in the ranking.

    Rules reference, 3.30."""

    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """Open a place of the ranking, and so give its medal.

    The lowest place is given first; opening first place opens all results. With a reason, missing, disputed or
    unchecked results do not block this."""

    place: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UndoCompetitionAct:
    """Undo the last act of the competition."""


CompetitionAction = (
    Register | Rename | RenamePlayer
    | ShowAs | CheckIn | Depart | Penalise | Substitute | SeedEntrants | NoteHand | SetTables
    | SetGames | CountMissing | Begin | Pause | Resume | AnnounceStart | EndPlay | DrawRound | DrawPlayOff
    | StartRound | CancelRound | EnterResult | ReportResult | ConfirmResult | DisputeResult | DisputeByBoard
    | CorrectResult | CompareCards | CheckResult | CallOfficial | AnswerCall | ShareMedal | OpenPlace
    | UndoCompetitionAct
)  # fmt: skip
