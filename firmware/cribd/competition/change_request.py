"""Requests to change a competition.

Pure. `after` tries a request; the organiser commits what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cribboard.competition import Competition, RefusedAction
from cribboard.competition.actions import CompetitionAction, UndoCompetitionAct
from cribboard.competition.consequences import Consequence, consequences
from cribboard.competition.position import CompetitionPosition
from cribd.competition.conflicts import conflicts
from cribd.competition.refusals import RefusedRequest

AnyRefusal = RefusedAction | RefusedRequest


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """The version that the sender of a request saw.

    It has the competition's number, and the number of events in its log."""

    competition: int
    events: int


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """Actions that are done together, all or none.

    A function may make the actions from the position when the request's turn comes.

    They are refused if another change of the same thing came since what was `seen`, or with `ask` if one has
    consequences."""

    actions: Sequence[CompetitionAction] | Callable[[CompetitionPosition], Sequence[CompetitionAction]]
    seen: BaseVersion | None = None
    ask: bool = False


def after(now: Competition, request: ChangeRequest, number: int) -> Competition:
    """Return a copy of the competition `now` with this request done. Raises `RefusedAction`, `RefusedRequest`."""
    seen = request.seen
    if seen is not None and seen.competition != number:
        raise RefusedRequest("another_competition", meant=seen.competition, number=number)
    actions = request.actions(now.position) if callable(request.actions) else request.actions
    trial = now.copy()
    for action in actions:
        trial.do(action)
    if seen is not None:
        came = now.log[seen.events :]
        if any(conflicts(action, came) for action in actions):
            raise RefusedRequest("changed_meanwhile")
    if request.ask and (found := _consequences(now.copy(), actions)):
        raise RefusedRequest("asked", consequences=found)
    return trial


def apply_requests(
    now: Competition, requests: Sequence[ChangeRequest], number: int
) -> tuple[Competition, tuple[AnyRefusal | None, ...]]:
    """Do these requests on a copy of the competition `now`.

    Returns the competition after them, and for each request its refusal, or None if it was done."""
    refused = list[AnyRefusal | None]()
    for request in requests:
        try:
            now = after(now, request, number)
            refused.append(None)
        except (RefusedAction, RefusedRequest) as why:
            refused.append(why)
    return now, tuple(refused)


def _consequences(trial: Competition, actions: Sequence[CompetitionAction]) -> tuple[Consequence, ...]:
    """Find the side effects of these actions, without repeats.

    An undo has none, and ends the search. Raises `RefusedAction`."""
    found: list[Consequence] = []
    for action in actions:
        if isinstance(action, UndoCompetitionAct):
            break
        found += [consequence for consequence in consequences(trial.position, action) if consequence not in found]
        trial.do(action)
    present = len(trial.position.present)  # what holds only with fewer is past
    return tuple(consequence for consequence in found if consequence.values.get("present", present) == present)
