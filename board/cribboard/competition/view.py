"""The views of a competition (design law 10).

Of a sealed competition the hall learns who sits where and which tables are done, until medals are opened; no score, no
total, no penalty, and not how many games a match took. All that pages, phones and exports show comes from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import partial
from typing import Any

from cribboard.competition.medals import Obstacle, level_at_medals, next_place, obstacles
from cribboard.competition.position import (
    CompetitionPosition,
    Encounter,
    Entrant,
    Result,
    Round,
    is_over,
    winner_of,
    wins,
)
from cribboard.competition.rounds import bracket, byes, rounds_left
from cribboard.competition.scorecard import ScoreCard, ScorecardLine, game_points, skunk, spreads
from cribboard.competition.standings import StandingsGroup, StandingsRow, standings
from cribboard.competition.terms import CompetitionPhase, EntrantKind, EntrantStatus, GameAt, Missing, Stage
from cribboard.rules import GameRules, Option, Rules


class CompetitionEye(StrEnum):
    """The viewer for whom a view is made."""

    HALL = "hall"  # everybody: screens, phones, exports without the PIN
    ORGANISER = "organiser"  # behind the PIN


@dataclass(frozen=True, slots=True)
class TableView:
    """A table in a round, as a view shows it."""

    table: int
    entrants: tuple[int, int]
    is_over: bool
    results: tuple[Result, ...]  # by game; none of a sealed competition for the hall
    winner: int | None  # of a match, likewise
    wins: tuple[int, int] | None  # games won so far, likewise
    games: int | None  # how many are played; None for a match


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round of a competition, with its tables."""

    number: int
    stage: Stage
    play_off: int  # 0 for a round that counts
    tables: tuple[TableView, ...]
    byes: tuple[int, ...]
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EntrantView:
    """An entrant, as a view shows it."""

    number: int
    name: str
    players: tuple[str, ...]
    captain: int  # index of a player
    status: EntrantStatus
    part: EntrantKind
    shown_as: str  # its name in public, if it asked for another
    hands: tuple[int, ...]  # 28 and 29 hands; none of a sealed competition for the hall
    registered: int  # number of the event that registered it; 0 for the hall, which is not told how many there are

    @property
    def captain_name(self) -> str:
        """The name of the captain, or else of the team."""
        return self.players[self.captain] if self.players else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionView:
    """A competition as the hall or the organiser may see it."""

    format: str  # its label
    phase: CompetitionPhase
    paused: str
    starts: str  # when what comes next begins, in ISO 8601; "" if nothing is announced
    games: int | None
    missing: Missing  # what a game counts that can no longer be played
    entrants: tuple[EntrantView, ...]
    table_count: int  # tables there are
    round: int  # 0 before the first
    stage: Stage | None
    play_off: int
    tables: tuple[TableView, ...]
    byes: tuple[int, ...]
    waiting: tuple[int, ...]
    rounds: tuple[RoundView, ...]  # all of them, the last one included
    outstanding: tuple[tuple[int, int], ...]  # rounds and tables that have begun and lack a result
    calls: tuple[int, ...]  # entrants that wait for an official
    opened: tuple[int, ...]  # places that were opened, the last one last
    is_sealed: bool  # whether results are kept from this eye
    standings: tuple[StandingsRow, ...]  # of a sealed competition the opened places only
    seeds: tuple[int, ...]  # of an elimination, the strongest first, for the organiser
    due: tuple[tuple[int, int], ...]  # pairs of an elimination that may be seated, for the organiser
    rounds_left: int  # rounds that are still to be drawn, at least, for the organiser
    next_place: int | None  # the medal that is opened next, for the organiser
    obstacles: tuple[Obstacle, ...]  # what blocks that, for the organiser
    level: tuple[StandingsGroup, ...]  # who is level at a medal, for the organiser

    def scorecard(self, entrant: int, rules: Rules) -> ScoreCard:
        """Make an entrant's score card, without play-offs."""
        rounds = [round_ for round_ in self.rounds if not round_.play_off]
        lines = tuple(line for round_ in rounds for line in _scorecard_lines(round_, entrant, rules.game))
        return ScoreCard(entrant, lines, self.entrants[entrant - 1].hands)


def _scorecard_lines(round_: RoundView, entrant: int, game: GameRules) -> Iterator[ScorecardLine]:
    for table in round_.tables:
        if entrant not in table.entrants:
            continue
        own = table.entrants.index(entrant)
        for at, result in enumerate(table.results, start=1):
            if result.counts:
                mine, theirs = result.scores[own], result.scores[1 - own]
                yield ScorecardLine(
                    GameAt(round_.number, table.table, at),
                    table.entrants[1 - own],
                    (mine, theirs),
                    result.ending,
                    game_points(theirs, game) if result.winner == own else 0,
                    spreads(result)[own],
                    skunk(result, game),
                )


@dataclass(frozen=True, slots=True)
class PositionViews:
    """A position of a competition, with its two views."""

    position: CompetitionPosition
    hall: CompetitionView
    organiser: CompetitionView


def see(p: CompetitionPosition, eye: CompetitionEye) -> CompetitionView:
    """Make the view of a competition for this viewer."""
    return _see(p, eye, standings(p), _rounds(p, sealed=_is_sealed(p, eye)))


def see_both(p: CompetitionPosition, last: PositionViews | None = None) -> PositionViews:
    """Make the views for the hall and the organiser.

    Reuses the unchanged parts of the views `last`, so that large events stay fast."""
    if last is not None and all(getattr(p, name) is getattr(last.position, name) for name in _SHOWN_FIELDS):
        change = partial(replace, paused=p.paused, starts=p.starts, calls=p.calls)
        return PositionViews(p, change(last.hall), change(last.organiser))
    sealed = _is_sealed(p, CompetitionEye.HALL)
    known = None if last is None else (last.position, last.organiser.rounds)
    rows, rounds = standings(p), _rounds(p, sealed=False, last=known)
    hall = _see(p, CompetitionEye.HALL, rows, _rounds(p, sealed=True) if sealed else rounds)
    return PositionViews(p, hall, _see(p, CompetitionEye.ORGANISER, rows, rounds))


#: The fields of a position on which its views depend, without those that are only copied or not shown.
_SHOWN_FIELDS = {field.name for field in fields(CompetitionPosition)} - {
    "paused",
    "starts",
    "calls",
    "number",
    "undo_to",
}


def _is_sealed(p: CompetitionPosition, eye: CompetitionEye) -> bool:
    return eye is CompetitionEye.HALL and p.format.sealed is Option.ON and p.phase is not CompetitionPhase.OPEN


def _see(
    p: CompetitionPosition, eye: CompetitionEye, rows: tuple[StandingsRow, ...], rounds: tuple[RoundView, ...]
) -> CompetitionView:
    organiser, sealed = eye is CompetitionEye.ORGANISER, _is_sealed(p, eye)
    over = organiser and p.phase is CompetitionPhase.PLAYED
    round_ = p.current
    return CompetitionView(
        format=p.format.label,
        phase=p.phase,
        paused=p.paused,
        starts=p.starts,
        games=p.games,
        missing=p.missing,
        entrants=tuple(_entrant(entrant, organiser=organiser, sealed=sealed) for entrant in p.entrants),
        table_count=p.tables,
        round=round_.number if round_ else 0,
        stage=round_.stage if round_ else None,
        play_off=round_.play_off if round_ else 0,
        tables=rounds[-1].tables if rounds else (),
        byes=rounds[-1].byes if rounds else (),
        waiting=round_.waiting if round_ else (),
        rounds=rounds,
        outstanding=tuple(
            (round_.number, table.table)
            for round_ in rounds
            if round_.stage is Stage.STARTED
            for table in round_.tables
            if not table.is_over
        ),
        calls=p.calls,
        opened=p.opened,
        is_sealed=sealed,
        standings=tuple(row for row in rows if row.place in p.opened) if sealed else rows,
        seeds=p.seeds if organiser else (),
        due=bracket(p).due if organiser and p.seeds else (),
        rounds_left=rounds_left(p) if organiser else 0,
        next_place=next_place(p) if over else None,
        obstacles=obstacles(p) if organiser else (),
        level=level_at_medals(p) if over else (),
    )


def _entrant(e: Entrant, *, organiser: bool, sealed: bool) -> EntrantView:
    """Make the view of an entrant.

    If the entrant has a public name, the hall sees only this name."""
    name, players = e.name, e.players
    if e.shown_as and not organiser:
        name, players = e.shown_as, (e.shown_as,) if len(players) == 1 else ()
    hands = () if sealed else e.hands
    registered = e.registered if organiser else 0
    return EntrantView(e.number, name, players, e.captain, e.status, e.part, e.shown_as, hands, registered)


def _rounds(
    p: CompetitionPosition,
    *,
    sealed: bool,
    last: tuple[CompetitionPosition, tuple[RoundView, ...]] | None = None,
) -> tuple[RoundView, ...]:
    """Make the views of all rounds.

    Reuse tables and rounds that have not changed since the `last` position."""
    known: dict[int, TableView | RoundView] = {}  # by the id of an encounter or round, which the last position keeps
    if last is not None and last[0].format is p.format:
        for round_, view in zip(last[0].rounds, last[1], strict=True):
            known[id(round_)] = view
            known |= zip(map(id, round_.encounters), view.tables, strict=True)
    return tuple(
        _round(p, round_, resting, known, sealed=sealed)
        for round_, resting in zip(p.rounds, byes(p).values(), strict=True)
    )


def _round(
    p: CompetitionPosition, round_: Round, resting: tuple[int, ...], known: Mapping[int, Any], *, sealed: bool
) -> RoundView:
    same: RoundView | None = known.get(id(round_))
    if same is not None and same.byes == resting:
        return same
    tables = tuple(known.get(id(encounter)) or _table(p, encounter, sealed=sealed) for encounter in round_.encounters)
    return RoundView(round_.number, round_.stage, round_.play_off, tables, resting, round_.waiting)


def _table(p: CompetitionPosition, encounter: Encounter, *, sealed: bool) -> TableView:
    return TableView(
        encounter.table,
        encounter.entrants,
        is_over(p, encounter),
        () if sealed else encounter.results,
        None if sealed else winner_of(p, encounter),
        None if sealed else wins(p, encounter),
        encounter.games,
    )
