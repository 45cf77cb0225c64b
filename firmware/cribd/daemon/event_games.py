"""The games of an event at a table: which game is due, how the desk enters its outcome, who calls an official.

Pure, and the same for a board beside the organiser and for one across the hall.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.competition.actions import Action, AnswerCall, CallOfficial, DisputeByBoard, EnterResult
from cribboard.competition.position import CompetitionPosition, Entrant, Result
from cribboard.competition.terms import CompetitionPhase, Ending, GameAt, ResultState, Source, Stage
from cribboard.competition.view import CompetitionView, TableView
from cribboard.rules import Option
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.competitions import PlayedFor
from cribd.table.event import Due, Entered, EventGame, Outcome, WaitsForRound


def due_at(state: State, table: int | None) -> Due:
    """The game to play at this table of the hall, or the round to wait for; None if there is neither.

    A game in progress is due while it has no result. Otherwise the table waits for the round that starts next."""
    if table is None or not isinstance(state, CompetitionSnapshot):
        return None
    view, form = state.organiser, state.heading.format
    for at, _ in state.since:
        pair = _pair(view, at)
        if at.table != table or pair is None or len(pair.results) >= at.game:
            continue
        sides = [state.hall.entrants[number - 1] for number in pair.entrants]  # the board is public
        return EventGame(
            place=PlayedFor(state.uuid, at.round, at.table, at.game),
            names=tuple(side.name for side in sides),
            rules=form.game_rules,
            captains=tuple(side.captain_name for side in sides) if form.captain_only is Option.ON else (),
            is_play_off=view.rounds[at.round - 1].play_off > 0,
            is_sealed=form.sealed is Option.ON and view.phase is not CompetitionPhase.OPEN,
        )
    is_drawn = bool(view.rounds) and view.rounds[-1].stage is Stage.DRAWN and not view.rounds[-1].play_off
    follows = view.rounds_left or (form.is_elimination and view.outstanding)
    if view.phase is CompetitionPhase.REGISTRATION or is_drawn or (view.phase is CompetitionPhase.PLAY and follows):
        return WaitsForRound(table, len(view.rounds) + (not is_drawn))
    return None


def action_for(p: CompetitionPosition, outcome: Outcome) -> Sequence[Action]:
    """The actions that report an outcome to the desk. The sequence is empty if no action is needed.

    A game without a result, or with a report of one side only, gets it. A different result is disputed, unless this
    game was broken off."""
    at, (first, second), record = _at(outcome.place), outcome.scores, outcome.record
    encounter = p.find(at)
    known = None if encounter is None else encounter.result(at.game)
    if known is None or known.state is ResultState.REPORTED:
        ending = _ending(outcome)
        return [EnterResult(at=at, scores=(first, second), ending=ending, source=Source.BOARD, record=record)]
    if outcome.broken_off or _has_result(known, outcome):
        return []
    return [DisputeByBoard(at, (first, second), record)]


def desk_answer(after: CompetitionSnapshot, outcome: Outcome) -> Entered:
    """The desk's answer to an outcome: accepted, disputed or not taken.

    `after` is the competition after the request."""
    at = _at(outcome.place)
    pair = _pair(after.organiser, at)
    if pair is None or at.game > len(pair.results):
        return Entered.NOT_TAKEN
    return Entered.ACCEPTED if _has_result(pair.results[at.game - 1], outcome) else Entered.DISPUTED


def call_official(p: CompetitionPosition, place: PlayedFor, side: int) -> Sequence[Action]:
    """Call an official for a side of this game, in the name of its captain: a board cannot know who pressed."""
    return [CallOfficial(entrant.number, entrant.captain) for entrant in _entrant(p, place, side)]


def official_came(p: CompetitionPosition, place: PlayedFor, side: int) -> Sequence[Action]:
    """Answer the call of a side of this game."""
    return [AnswerCall(entrant.number) for entrant in _entrant(p, place, side)]


def _pair(view: CompetitionView, at: GameAt) -> TableView | None:
    """The pair at a table in one round, with its results."""
    rounds = view.rounds[at.round - 1 : at.round]
    return next((pair for round_ in rounds for pair in round_.tables if pair.table == at.table), None)


def _at(place: PlayedFor) -> GameAt:
    return GameAt(place.round, place.table, place.game)


def _ending(outcome: Outcome) -> Ending:
    return Ending.BROKEN_OFF if outcome.broken_off else Ending.FINISHED


def _has_result(known: Result, outcome: Outcome) -> bool:
    """Whether the desk has this result. If the game was broken off, any result that counts is enough."""
    is_same = (known.scores, known.ending) == (outcome.scores, _ending(outcome))
    return known.counts and (is_same or outcome.broken_off)


def _entrant(p: CompetitionPosition, place: PlayedFor, side: int) -> Sequence[Entrant]:
    """The entrant on this side of a game, in a sequence. It is empty if the game no longer exists."""
    encounter = p.find(_at(place))
    return [] if encounter is None else [p.entrants[encounter.entrants[side] - 1]]
