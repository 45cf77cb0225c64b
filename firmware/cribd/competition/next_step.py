"""Finds the organiser's next step in a competition. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from cribboard.competition.terms import CompetitionPhase, EntrantStatus, MedalTie, ResultState, Stage
from cribboard.rules import Option
from cribd.competition.snapshot import CompetitionSnapshot

#: The fewest entrants that can meet.
_FEWEST = 2


class OrganiserStep(StrEnum):
    """A step of the organiser.

    The comment after a step names the values of its `NextStep`."""

    RESUME = "resume"  # the reason of the pause
    REGISTER = "register"
    CHECK_IN = "check_in"  # n entrants
    BEGIN = "begin"  # n entrants, of whom so many are here
    START = "start"  # the round, whether it is a play-off, n tables
    ENTER = "enter"  # the round, n tables that lack results; of the oldest the table and since when
    SETTLE = "settle"  # n disputed results
    DRAW = "draw"  # the round that is drawn
    END_PLAY = "end_play"
    CHECK = "check"  # n results that were not compared with their slips
    PLAY_OFF = "play_off"  # a place and the entrants that are level at it
    RANK = "rank"  # nobody is ranked: no place can be opened
    OPEN = "open"  # whether the results are sealed
    OVER = "over"


@dataclass(frozen=True, slots=True)
class NextStep:
    """The organiser's next step, with the values for its sentence."""

    step: OrganiserStep
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A medal place, with its entrants once the place is open."""

    place: int
    is_open: bool
    is_next: bool  # whether it may be opened now
    entrants: tuple[int, ...]  # who stands there; nobody before it is open


def next_step(snapshot: CompetitionSnapshot) -> NextStep:
    """Find the organiser's next step."""
    view = snapshot.organiser
    if view.paused:
        return NextStep(OrganiserStep.RESUME, {"reason": view.paused})
    match view.phase:
        case CompetitionPhase.REGISTRATION:
            entrants = view.entrants
            here = sum(entrant.status is EntrantStatus.PRESENT for entrant in entrants)
            if not entrants:
                return NextStep(OrganiserStep.REGISTER)
            if here < _FEWEST:
                return NextStep(OrganiserStep.CHECK_IN, {"n": len(entrants)})
            return NextStep(OrganiserStep.BEGIN, {"n": len(entrants), "here": here})
        case CompetitionPhase.PLAY:
            end = (
                NextStep(OrganiserStep.DRAW, {"round": view.round + 1})
                if view.rounds_left
                else NextStep(OrganiserStep.END_PLAY)
            )
            return _round(snapshot) or end
        case CompetitionPhase.PLAYED:
            return _played(snapshot)
        case CompetitionPhase.OPEN:
            return NextStep(OrganiserStep.OVER)


def podium(snapshot: CompetitionSnapshot) -> tuple[PodiumPlace, ...]:
    """Return the medal places, from the first to the last.

    No place can be opened while a play-off must be played."""
    view, form = snapshot.organiser, snapshot.heading.format
    may_open = view.phase is CompetitionPhase.PLAYED and not _must_play_off(snapshot)

    def made(place: int) -> PodiumPlace:
        passed = may_open and (view.next_place is None or place > view.next_place)
        is_open = view.phase is CompetitionPhase.OPEN or passed
        entrants = tuple(row.entrant for row in view.standings if row.place == place) if is_open else ()
        return PodiumPlace(place, is_open, may_open and place == view.next_place, entrants)

    return tuple(made(place) for place in range(1, form.medals + 1))


def _played(snapshot: CompetitionSnapshot) -> NextStep:
    view = snapshot.organiser
    if (view.stage is Stage.DRAWN or snapshot.since) and (running := _round(snapshot)):
        return running
    blocking = [obstacle.code for obstacle in view.obstacles]
    if disputed := blocking.count("disputed"):
        return NextStep(OrganiserStep.SETTLE, {"n": disputed})
    if unchecked := blocking.count("not_checked"):
        return NextStep(OrganiserStep.CHECK, {"n": unchecked})
    if _must_play_off(snapshot):
        return NextStep(OrganiserStep.PLAY_OFF, {"place": view.level[0].place, "entrants": view.level[0].entrants})
    if view.next_place is None:
        return NextStep(OrganiserStep.RANK)
    return NextStep(OrganiserStep.OPEN, {"is_sealed": snapshot.heading.format.sealed is Option.ON})


def _round(snapshot: CompetitionSnapshot) -> NextStep | None:
    """Return the step that the last drawn round needs, or None."""
    view = snapshot.organiser
    if view.stage is Stage.DRAWN:
        return NextStep(
            OrganiserStep.START, {"round": view.round, "is_play_off": view.play_off > 0, "n": len(view.tables)}
        )
    if snapshot.since:
        oldest, since = snapshot.since[0]
        tables = {(at.round, at.table) for at, _ in snapshot.since}
        return NextStep(
            OrganiserStep.ENTER, {"round": view.round, "n": len(tables), "table": oldest.table, "since": since}
        )
    disputed = sum(any(result.state is ResultState.DISPUTED for result in table.results) for table in view.tables)
    return NextStep(OrganiserStep.SETTLE, {"n": disputed}) if disputed else None


def _must_play_off(snapshot: CompetitionSnapshot) -> bool:
    """Whether a tie for a medal must be played off."""
    view, is_played_off = snapshot.organiser, snapshot.heading.format.level_medals is MedalTie.PLAY_OFF
    return view.phase is CompetitionPhase.PLAYED and bool(view.level) and is_played_off
