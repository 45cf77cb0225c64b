"""The desk's actions for what the boards send. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.competition.actions import AnswerCall, CallOfficial, CompetitionAction, DisputeByBoard, EnterResult
from cribboard.competition.position import CompetitionPosition, Entrant, Result
from cribboard.competition.terms import Ending, GameAt, ResultSource, ResultState
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor


def actions_for(p: CompetitionPosition, outcome: Outcome, *, is_refuted: bool = False) -> Sequence[CompetitionAction]:
    """Make the actions that report an outcome to the desk.

    There are none if the outcome adds nothing, or is of another pair. The outcome becomes the result of a game that has
    none, or only a report of one side. If its record refutes the outcome (`is_refuted`), this result is disputed at
    once. A different result is disputed, unless this game was broken off."""
    if not _fits_pair(p, outcome):
        return []
    at, (first, second), record = game_at(outcome.place), outcome.scores, outcome.record
    known = _result(p, at)
    if known is None or known.state is ResultState.REPORTED:
        ending = _ending(outcome)
        enter = EnterResult(at=at, scores=(first, second), ending=ending, source=ResultSource.BOARD, record=record)
        return [enter, DisputeByBoard(at, (first, second), record)] if is_refuted else [enter]
    if outcome.broken_off or _has_result(known, outcome):
        return []
    return [DisputeByBoard(at, (first, second), record)]


def answer_to(p: CompetitionPosition, outcome: Outcome) -> OutcomeStatus:
    """Return the desk's answer to an outcome.

    `p` is the position after the actions of the outcome."""
    known = _result(p, game_at(outcome.place))
    if known is None or not _fits_pair(p, outcome):
        return OutcomeStatus.NOT_TAKEN
    return OutcomeStatus.ACCEPTED if _has_result(known, outcome) else OutcomeStatus.DISPUTED


def call_official(p: CompetitionPosition, place: PlayedFor, side: int) -> Sequence[CompetitionAction]:
    """Make the action that calls an official for a side.

    The action is the captain's: a board cannot know who pressed."""
    return [CallOfficial(entrant.number, entrant.captain) for entrant in _entrants_on_side(p, place, side)]


def official_came(p: CompetitionPosition, place: PlayedFor, side: int) -> Sequence[CompetitionAction]:
    """Make the action that ends a side's call for an official."""
    return [AnswerCall(entrant.number) for entrant in _entrants_on_side(p, place, side)]


def dispute_by_record(p: CompetitionPosition, outcome: Outcome) -> Sequence[CompetitionAction]:
    """Dispute a result because the record of the game refutes it.

    Returns no action if the result in the competition is not the board's `outcome`."""
    first, second = outcome.scores
    known = _result(p, game_at(outcome.place))
    is_its_own = known is not None and known.record == outcome.record and _fits_pair(p, outcome)
    return [DisputeByBoard(game_at(outcome.place), (first, second), outcome.record)] if is_its_own else []


def game_at(place: PlayedFor) -> GameAt:
    """Convert a game's round, table and number to a `GameAt`."""
    return GameAt(place.round, place.table, place.game)


def _result(p: CompetitionPosition, at: GameAt) -> Result | None:
    encounter = p.find(at)
    return None if encounter is None else encounter.result(at.game)


def _fits_pair(p: CompetitionPosition, outcome: Outcome) -> bool:
    """Whether the drawn pair can have this outcome.

    True also if no pair is drawn at the table, or if the outcome names no entrants."""
    encounter = p.find(game_at(outcome.place))
    return encounter is None or not outcome.entrants or tuple(encounter.entrants) == outcome.entrants


def _ending(outcome: Outcome) -> Ending:
    return Ending.BROKEN_OFF if outcome.broken_off else Ending.FINISHED


def _has_result(known: Result, outcome: Outcome) -> bool:
    """Whether the desk has a valid result that agrees with this outcome.

    If the game was broken off, any result that counts is enough."""
    is_same = (known.scores, known.ending) == (outcome.scores, _ending(outcome))
    return known.counts and (is_same or outcome.broken_off)


def _entrants_on_side(p: CompetitionPosition, place: PlayedFor, side: int) -> Sequence[Entrant]:
    encounter = p.find(game_at(place))
    return [] if encounter is None or side not in (0, 1) else [p.entrants[encounter.entrants[side] - 1]]
