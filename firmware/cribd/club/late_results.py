"""Finds the boards' results that the desk lacks.

The functions are pure. The hub keeps the results, signed, in its journal, so they are found again after each start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cribboard.competition.position import Result
from cribboard.competition.terms import CompetitionPhase
from cribboard.competition.view import TableView
from cribd.club.board_status import LateResult
from cribd.club.known_boards import pair_at
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.outbox import HandedIn, Outcome


def late_results(state: State, disputed: Iterable[HandedIn], untaken: Iterable[HandedIn]) -> Iterator[LateResult]:
    """Yield the current competition's results that the desk lacks.

    `disputed` and `untaken` are the outcomes to which the hub gave these answers."""
    untaken = [*untaken]
    is_open = isinstance(state, CompetitionSnapshot) and state.organiser.phase is CompetitionPhase.OPEN
    for submission in (*disputed, *(untaken if is_open else ())):
        outcome, place = submission.outcome, submission.outcome.place
        pair = pair_at(state, place)
        if pair is None or (outcome.entrants and outcome.entrants != pair.entrants):
            continue
        result = _result(pair, place.game)
        if result is None or not _is_at_desk(result, outcome):
            counts = result.scores if result is not None and result.counts else None
            yield LateResult(submission.board, outcome.record, place, outcome.scores, counts)
    for submission in untaken:
        if isinstance(state, CompetitionSnapshot) and _is_of_lost_draw(state, outcome := submission.outcome):
            yield LateResult(submission.board, outcome.record, outcome.place, outcome.scores, None, outcome.entrants)


def _is_of_lost_draw(state: CompetitionSnapshot, outcome: Outcome) -> bool:
    """Whether the journal lacks the round of this finished game.

    Then the game's entrants are not the pair at the game's table, and no table of the round has the game's result."""
    place, pair = outcome.place, pair_at(state, outcome.place)
    if place.event != state.uuid or outcome.broken_off or len(outcome.entrants) != len(outcome.scores):
        return False
    if pair is not None and pair.entrants == outcome.entrants:
        return False
    results = [
        (_result(pair, place.game), pair.entrants)
        for round_ in state.organiser.rounds
        for pair in round_.tables
        if round_.number == place.round
    ]
    found = {*zip(outcome.entrants, outcome.scores, strict=True)}
    return all(
        result is None or not result.counts or {*zip(entrants, result.scores, strict=True)} != found
        for result, entrants in results
    )


def _result(pair: TableView, game: int) -> Result | None:
    return pair.results[game - 1] if game <= len(pair.results) else None


def _is_at_desk(result: Result, outcome: Outcome) -> bool:
    """Whether the desk's result agrees with this outcome.

    The outcome of a game that was broken off always agrees."""
    records = {result.record, result.record if result.board is None else result.board.record}
    is_same = result.counts and result.winner is not None and result.scores == outcome.scores
    return outcome.broken_off or is_same or outcome.record in records
