"""Events of a competition, in the past tense.

One action causes one event, and `evolution` draws the consequences: a round that an entrant leaves before it started is
void, a visit that it leaves is cut short. Events hold numbers, codes and the words that people gave, no wording.
"""

from __future__ import annotations

from cribboard.actions import written_as
from cribboard.competition.seating import Seating
from cribboard.competition.terms import Ending, EntrantKind, EntrantStatus, GameAt, Missing, ResultSource

# Entrants


@written_as("registered {part} {name} players {players} captain {captain}")
class Registered:
    """An entrant registered and received the next number."""

    part: EntrantKind
    captain: int  # index of a player (FADOQ, 4)
    name: str
    players: tuple[str, ...]


@written_as("renamed {entrant} {name}")
class Renamed:
    entrant: int
    name: str


@written_as("player-renamed {entrant} player {player} {name}")
class PlayerRenamed:
    entrant: int
    player: int  # index
    name: str


@written_as("shown-as {entrant} {name}")
class ShownAs:
    """The public name of an entrant was set.

    If `name` is empty, the public sees the entrant's own name."""

    entrant: int
    name: str


@written_as("checked-in {entrant} captain {captain}")
class CheckedIn:
    """An entrant was marked as present, with this captain.

    Source: FADOQ, 1."""

    entrant: int
    captain: int


@written_as("departed {entrant} {status} {reason}")
class Departed:
    """An entrant was marked as absent, left or disqualified.

    If its game is under way, this game still needs a result. Rules reference, 3.31."""

    entrant: int
    status: EntrantStatus
    reason: str


@written_as("penalised {entrant} -{points} {reason}")
class Penalised:
    """An official took points from an entrant."""

    entrant: int
    points: int
    reason: str


@written_as("substituted {entrant} player {player} by {name} {reason}")
class Substituted:
    """A substitute replaced a player."""

    entrant: int
    player: int  # index
    name: str
    reason: str


@written_as("seeded {entrants}")
class Seeded:
    """The seeding order was set."""

    entrants: tuple[int, ...]


@written_as("hand {entrant} {points}")
class HandNoted:
    """An entrant had a hand of 28 or 29 points."""

    entrant: int
    points: int


# The competition


@written_as("tables {tables}")
class TablesSet:
    """The number of tables was set."""

    tables: int


@written_as("games {games}")
class GamesSet:
    """The number of games for each entrant was set.

    Games that were drawn beyond this number are not played. Rules reference, 3.21; FADOQ, 11."""

    games: int


@written_as("missing {missing}")
class MissingCounted:
    """The organiser set how games that cannot be played any more count.

    Rules reference, 3.30."""

    missing: Missing


@written_as("begun games {games}")
class Begun:
    """Play began, with this number of games for each entrant.

    The number is 0 in an elimination. Rules reference, 3.22."""

    games: int


@written_as("paused {reason}")
class Paused:
    """Play was paused: no round is drawn or started."""

    reason: str


@written_as("resumed")
class Resumed:
    """The pause ended."""


@written_as("start-announced {time}")
class StartAnnounced:
    """The start time of the next part was announced."""

    time: str  # ISO 8601, with the offset from UTC; "" if none is announced any more


@written_as("play-ended")
class CompetitionPlayEnded:
    """Play ended. After that only rounds of play-offs are drawn."""


# Rounds


@written_as("round-drawn {seating}")
class RoundDrawn:
    """The next round was drawn.

    Everything that its seating reveals is public from now on (design law 10)."""

    seating: Seating


@written_as("play-off-drawn {play_off} {seating}")
class PlayOffDrawn:
    """A round of play-off number `play_off` was drawn.

    Rules reference, 3.30."""

    play_off: int
    seating: Seating


@written_as("round-started")
class RoundStarted:
    """The games of the drawn round began."""


@written_as("round-cancelled {reason}")
class RoundCancelled:
    """The drawn round was cancelled."""

    reason: str


# Results


@written_as("result {at} {scores} {ending} {source} record {record}")
class ResultEntered:
    """A result was accepted from a slip, the desk or a board."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending
    source: ResultSource
    record: str


@written_as("reported {at} by {entrant} {scores} {ending}")
class ResultReported:
    """One side reported a result.

    An equal report by the other side confirms the result; a different report disputes it."""

    at: GameAt
    entrant: int
    scores: tuple[int, int]
    ending: Ending


@written_as("confirmed {at} by {entrant}")
class ResultConfirmed:
    """The other side confirmed the result."""

    at: GameAt
    entrant: int


@written_as("disputed {at} by {entrant} {reason}")
class ResultDisputed:
    """A side disputed the result."""

    at: GameAt
    entrant: int
    reason: str


@written_as("disputed-by-board {at} {scores} record {record}")
class DisputedByBoard:
    """A board disputed the result of its game.

    The board sent its own result. Usually the two results differ. In a dispute, an equal result is recorded too."""

    at: GameAt
    scores: tuple[int, int]
    record: str


@written_as("corrected {at} {scores} {ending} {reason}")
class ResultCorrected:
    """An official corrected a result, which becomes unchecked."""

    at: GameAt
    scores: tuple[int, int]
    ending: Ending
    reason: str


@written_as("cards-ruled {at} {scores} spreads {spreads}")
class CardsRuled:
    """An official set the result from two score cards.

    `spreads` has the spreads that count, in pairing order. Rule 3.29, ACC 12.2."""

    at: GameAt
    scores: tuple[int, int]  # the loser's as on its own card
    spreads: tuple[int, int]


@written_as("checked {at}")
class ResultChecked:
    """The result was checked: its slip shows the same result.

    Source: FADOQ, 1."""

    at: GameAt


# Officials and medals


@written_as("official-called {entrant} player {player}")
class OfficialCalled:
    """An official was called to the table of this entrant."""

    entrant: int
    player: int  # index


@written_as("call-answered {entrant}")
class CallAnswered:
    """The official came to the table of this entrant."""

    entrant: int


@written_as("medal-shared {entrants}")
class MedalShared:
    """An official decided that these tied entrants share their place.

    Rules reference, 3.30 and 3.31."""

    entrants: tuple[int, ...]


@written_as("place-opened {place} {reason}")
class PlaceOpened:
    """A place in the ranking was opened, and its medal was given.

    The results were sealed before (3.15). `reason` says why unchecked results were accepted."""

    place: int
    reason: str


@written_as("undone to {to}")
class CompetitionActUndone:
    """The competition went back to its position after event number `to`."""

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
CompetitionEvent = EntrantEvent | RoundEvent | ResultEvent | MedalEvent | CompetitionActUndone
