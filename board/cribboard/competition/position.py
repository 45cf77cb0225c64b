"""The position of a competition: its state after its events.

Frozen, and made by `evolution` alone. Two positions with equal fields are equal; nothing refers to a clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from cribboard.competition.formats import Format
from cribboard.competition.match_wins import add_game, match_winner
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import (
    CompetitionPhase,
    Ending,
    EntrantKind,
    EntrantStatus,
    GameAt,
    Missing,
    ResultSource,
    ResultState,
    Stage,
)

Scores = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that an official took from an entrant."""

    points: int  # off the first amount of the ranking
    reason: str


@dataclass(frozen=True, slots=True)
class ReplacedPlayer:
    """A player whom a substitute replaced."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player or a team of two in a competition."""

    number: int  # from 1, in the order of registration; free again once an undo takes that back
    registered: int  # number of the event that registered it
    name: str  # of the team, or of the player
    players: tuple[str, ...]
    shown_as: str = ""  # the name in public, if it is another
    captain: int = 0  # index of a player (FADOQ, 4)
    part: EntrantKind = EntrantKind.RANKED
    status: EntrantStatus = EntrantStatus.REGISTERED
    reason: str = ""  # why it left or was disqualified
    since: int = 0  # rounds that were drawn when it was checked in; its byes count from there
    penalties: tuple[Penalty, ...] = ()
    replaced: tuple[ReplacedPlayer, ...] = ()
    hands: tuple[int, ...] = ()  # 28 and 29 hands (ACC clubs)

    @property
    def is_present(self) -> bool:
        """Whether this entrant may be seated."""
        return self.status is EntrantStatus.PRESENT

    @property
    def is_ranked(self) -> bool:
        """Whether this entrant is present and no guest (3.31)."""
        return self.part is EntrantKind.RANKED and self.status is EntrantStatus.PRESENT


@dataclass(frozen=True, slots=True)
class Correction:
    """An earlier result of a game, which an official has corrected."""

    scores: Scores
    ending: Ending
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """The board's result, for a game that already had a result.

    It also stores the source of the desk's result."""

    scores: Scores
    record: str
    desk_source: ResultSource
    desk_record: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one game. Scores are in the order of the pairing."""

    scores: Scores
    ending: Ending
    source: ResultSource
    state: ResultState
    by: int = 0  # the entrant that reported it, 0 for the organiser or a board
    other: Scores | None = None  # what the other side reported, where it differs
    reason: str = ""  # why it is disputed
    record: str = ""  # last link of the game's own record, "" if there is none
    cards: Scores | None = None  # the spreads that count where two score cards differ (3.29), else None
    board: BoardResult | None = None  # what the board sent, where the desk has it otherwise
    corrections: tuple[Correction, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether this result counts in the standings."""
        return self.state is ResultState.CHECKED or self.state is ResultState.ACCEPTED

    @property
    def winner(self) -> int | None:
        """The winner's index; None if the game was broken off."""
        if self.ending is Ending.BROKEN_OFF:
            return None
        return 0 if self.scores[0] > self.scores[1] else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """A meeting of two entrants at a table in one round."""

    table: int
    entrants: tuple[int, int]
    games: int | None  # how many are played; None for a match, which games won decide
    play_off: int = 0  # as of the round
    results: tuple[Result, ...] = ()  # by game, in order
    forfeited_by: int = 0  # the entrant that left before the end, 0 for none

    @property
    def drawn(self) -> int:
        """The number of games in this encounter; a match counts as one."""
        return 1 if self.games is None else self.games

    @property
    def pairing(self) -> Pairing:
        """The table and its two entrants."""
        return Pairing(self.table, self.entrants)

    def result(self, game: int) -> Result | None:
        """Return the result of a game, counted from 1, or None."""
        return self.results[game - 1] if game <= len(self.results) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round of a competition or of its play-offs (3.30)."""

    number: int  # from 1
    encounters: tuple[Encounter, ...]
    byes: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    stage: Stage = Stage.DRAWN
    play_off: int = 0  # 1 for a first play-off, 2 for the next between those still level; 0 for a round that counts

    @property
    def seating(self) -> Seating:
        """The seating of this round as it was drawn."""
        return Seating(tuple(encounter.pairing for encounter in self.encounters), self.byes, self.waiting)

    @property
    def played(self) -> Seating:
        """The seating as played: a missing opponent means a bye."""
        met = tuple(encounter.pairing for encounter in self.encounters if encounter.games != 0)
        empty = [encounter for encounter in self.encounters if encounter.games == 0]
        alone = (n for encounter in empty for n in encounter.entrants if n != encounter.forfeited_by)
        return Seating(met, (*self.byes, *alone), self.waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionPosition:
    """The state of a competition after the events so far."""

    format: Format
    tables: int
    games: int | None  # of each entrant (matches where a meeting is a match); None until all are known
    phase: CompetitionPhase = CompetitionPhase.REGISTRATION
    paused: str = ""  # why, "" if it is not
    starts: str = ""  # when what comes next begins, "" if nothing is announced
    entrants: tuple[Entrant, ...] = ()  # entrant `n` at index `n - 1`
    seeds: tuple[int, ...] = ()  # of an elimination, the strongest first
    rounds: tuple[Round, ...] = ()
    missing: Missing = Missing.ZERO
    shared: tuple[tuple[int, ...], ...] = ()  # entrants that share a medal, by the organiser's ruling (3.30)
    opened: tuple[int, ...] = ()  # places that were opened, the last one last
    overridden: str = ""  # why the results were opened unchecked, "" if they were not
    calls: tuple[int, ...] = ()  # entrants that called an official
    number: int = 0  # events so far
    undo_to: int | None = None  # the position that an undo goes back to

    def entrant(self, number: int) -> Entrant:
        """Return the entrant with this number."""
        return self.entrants[number - 1]

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants that may be seated."""
        return tuple(entrant for entrant in self.entrants if entrant.is_present)

    @property
    def current(self) -> Round | None:
        """The round that was drawn last, or None."""
        return self.rounds[-1] if self.rounds else None

    def find(self, at: GameAt) -> Encounter | None:
        """Return the encounter of the game `at`, or None."""
        rounds = self.rounds[at.round - 1 : at.round] if at.round > 0 else ()
        return next(
            (encounter for round_ in rounds for encounter in round_.encounters if encounter.table == at.table), None
        )

    def encounters(self, *, play_off: int | None = 0) -> Iterator[tuple[Round, Encounter]]:
        """Yield the encounters of some or all rounds.

        Each comes with its round. `play_off` is 0 for the rounds outside play-offs, None for all rounds."""
        for round_ in self.rounds:
            if play_off in (None, round_.play_off):
                yield from ((round_, encounter) for encounter in round_.encounters)


# Values computed from an encounter


def wins(position: CompetitionPosition, encounter: Encounter, *, reported: bool = False) -> Scores:
    """Count the wins of each side in this encounter.

    `reported` includes games that only one side reported. A skunk may count as two wins in a match."""
    return won_games(position.format, encounter.results, play_off=encounter.play_off, reported=reported)


def won_games(form: Format, results: Iterable[Result], *, play_off: int, reported: bool = False) -> Scores:
    """Count the wins of each side in these results.

    A skunk may count two in a match (3.31)."""
    won: tuple[int, ...] = (0, 0)
    for result in results:
        known = result.counts or (reported and result.state is ResultState.REPORTED)
        if known and result.winner is not None:
            won = add_game(won, result.scores, form.game_rules.game, form.wins_of_skunk(play_off=play_off))
    return won[0], won[1]


def winner_of(position: CompetitionPosition, encounter: Encounter, *, reported: bool = False) -> int | None:
    """Return the entrant that won this match, or None.

    An encounter of single games has no winner. `reported` includes unconfirmed results."""
    needed = position.format.wins_needed(play_off=encounter.play_off)
    if needed is None:
        return None
    winner = match_winner(wins(position, encounter, reported=reported), needed)
    for side in (0, 1):
        if side == winner or encounter.forfeited_by == encounter.entrants[1 - side]:
            return encounter.entrants[side]
    return None


def is_over(position: CompetitionPosition, encounter: Encounter) -> bool:
    """Whether the match is won, or every game has a result."""
    if encounter.games is None:
        return winner_of(position, encounter) is not None
    return len(encounter.results) >= encounter.games and all(result.counts for result in encounter.results)


def staying(position: CompetitionPosition, round_: Round, drawn: Collection[int] = ()) -> frozenset[int]:
    """Find the entrants that keep their seats after this round.

    The winner or leader stays, or the level entrant in `drawn` (3.31). Without a counted result nobody stays."""
    found: set[int] = set()
    for encounter in round_.encounters:
        counted = [result for result in encounter.results if result.counts]
        ahead = sum(result.scores[0] - result.scores[1] for result in counted)
        if (winner := winner_of(position, encounter)) is not None:
            found.add(winner)
        elif ahead:
            found.add(encounter.entrants[ahead < 0])
        elif counted:
            found |= {*encounter.entrants} & {*drawn}
    return frozenset(found)


def open_game(position: CompetitionPosition, round_: Round, encounter: Encounter) -> int | None:
    """Return the number of the game under way, or None."""
    if round_.stage is Stage.DRAWN:
        return None
    played = len(encounter.results)
    if encounter.games is None:
        return played + 1 if winner_of(position, encounter, reported=True) is None else None
    return played + 1 if played < encounter.games else None


def begun(position: CompetitionPosition, round_: Round, encounter: Encounter) -> int:
    """Count the games that have a result or are under way.

    For a match, 1 once the round has started, else 0."""
    if encounter.games is None:
        return int(round_.stage is Stage.STARTED)
    return len(encounter.results) + (open_game(position, round_, encounter) is not None)


def without_last_round(position: CompetitionPosition) -> CompetitionPosition:
    """Return the position without the round that was drawn last.

    Entrants that arrived after this round may play in the new round."""
    before = len(position.rounds) - 1
    entrants = tuple(replace(entrant, since=min(entrant.since, before)) for entrant in position.entrants)
    return replace(position, rounds=position.rounds[:-1], entrants=entrants)


def with_entrant(position: CompetitionPosition, entrant: Entrant) -> CompetitionPosition:
    """Return the position with this new state of an entrant."""
    at = entrant.number - 1
    return replace(position, entrants=(*position.entrants[:at], entrant, *position.entrants[at + 1 :]))
