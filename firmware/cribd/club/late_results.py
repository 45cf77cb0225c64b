"""Finds the results of boards that came too late for the desk to enter or dispute them. Pure.

The hub keeps them signed in its journal, so they are found again after each start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cribboard.competition.position import Result
from cribboard.competition.terms import CompetitionPhase
from cribd.club.board_status import LateResult
from cribd.club.known_boards import pair_at
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.outbox import HandedIn, Outcome


def late_results(
    state: State, disputed: Iterable[HandedIn], untaken: Iterable[HandedIn], names: Mapping[str, str]
) -> Iterator[LateResult]:
    """Yield the results of the current event that boards reported and the desk does not have.

    `disputed` and `untaken` were answered so; `names` are those of the boards."""
    is_open = isinstance(state, CompetitionSnapshot) and state.organiser.phase is CompetitionPhase.OPEN
    for submission in (*disputed, *(untaken if is_open else ())):
        outcome, place = submission.outcome, submission.outcome.place
        pair = pair_at(state, place)
        if pair is None or (outcome.entrants and outcome.entrants != pair.entrants):
            continue
        result = pair.results[place.game - 1] if place.game <= len(pair.results) else None
        if result is None or not _is_at_desk(result, outcome):
            counts = result.scores if result is not None and result.counts else None
            yield LateResult(names.get(submission.board, ""), place, outcome.scores, counts)


def _is_at_desk(result: Result, outcome: Outcome) -> bool:
    """Whether the desk's result agrees with this outcome.

    The outcome of a game that was broken off always agrees."""
    records = {result.record, result.record if result.board is None else result.board.record}
    is_same = result.counts and result.winner is not None and result.scores == outcome.scores
    return outcome.broken_off or is_same or outcome.record in records
