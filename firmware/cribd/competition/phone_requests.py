"""Reads the requests of phones from JSON.

A phone asks for an action of its entrant, in a game of this entrant:
`{"do": "report_result", "competition": 1, "at": {...}, "scores": [121, 98], "saw": null}`. `saw` has the scores of the
result that the phone showed meanwhile, so that nobody confirms or mends what was not seen. What is done already is not
done again: a phone may send a request twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cribboard.competition import RefusedAction
from cribboard.competition.actions import CallOfficial, CompetitionAction, ConfirmResult, DisputeResult, ReportResult
from cribboard.competition.position import Result
from cribboard.competition.terms import ResultState
from cribboard.rules import Option
from cribd.competition.action_json import AllowedClause, NotAnAction, read_action
from cribd.competition.phones import Phone
from cribd.competition.refusals import RefusedRequest
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.competition.visits import visit_of

#: The names of the actions that a phone may ask for.
_ALLOWED = ("report_result", "confirm_result", "dispute_result", "call_official")


def read_request(payload: object, snapshot: CompetitionSnapshot, phone: Phone) -> CompetitionAction | None:
    """Read the action that a phone asks for.

    None if the action is already done. Raises `NotAnAction`, `RefusedRequest`, `RefusedAction`."""
    if not isinstance(payload, Mapping):
        raise NotAnAction("request", payload, AllowedClause("object_with_do"))
    if payload.get("do") not in _ALLOWED:
        raise NotAnAction("do", payload.get("do"), AllowedClause("one_of", {"names": _ALLOWED}))
    if payload.get("competition") != snapshot.number:
        raise RefusedRequest("another_competition", meant=payload.get("competition"), number=snapshot.number)
    if payload.get("entrant", phone.entrant) != phone.entrant:
        raise RefusedRequest("not_your_entrant", entrant=phone.entrant)
    fields = {key: value for key, value in payload.items() if key not in ("competition", "saw")}
    action = read_action(fields | {"entrant": phone.entrant})
    if isinstance(action, CallOfficial):
        return _call(snapshot, phone)
    assert isinstance(action, ReportResult | ConfirmResult | DisputeResult)
    visit = visit_of(snapshot, phone.entrant)
    try:
        before = None if visit is None else visit.result(action.at)
    except KeyError:
        visit = None
    if visit is None:
        raise RefusedRequest("not_your_game", round=action.at.round, table=action.at.table, game=action.at.game)
    saw = payload.get("saw")
    if before is None:
        return action
    if _is_done(action, before, saw):
        return None
    return action if isinstance(action, ReportResult) else replace(action, scores=before.scores)


def may_call(snapshot: CompetitionSnapshot, phone: Phone) -> bool:
    """Whether this phone may call an official."""
    captain = snapshot.organiser.entrants[phone.entrant - 1].captain
    return snapshot.heading.format.captain_only is Option.OFF or phone.captain == captain


def _call(snapshot: CompetitionSnapshot, phone: Phone) -> CallOfficial | None:
    entrant = snapshot.hall.entrants[phone.entrant - 1]
    if not may_call(snapshot, phone):
        raise RefusedAction("captain_only", entrant=entrant.number, captain=entrant.captain_name)
    if entrant.number in snapshot.organiser.calls:
        return None
    return CallOfficial(entrant.number, entrant.captain if phone.captain is None else phone.captain)


def _is_done(action: ReportResult | ConfirmResult | DisputeResult, before: Result, saw: object) -> bool:
    """Whether the action is already done. Raises a refusal if it does not fit `before`, the result so far."""
    seen = saw == list(before.scores)
    waits = before.state is ResultState.REPORTED
    same = isinstance(action, ReportResult) and (action.scores, action.ending) == (before.scores, before.ending)
    if isinstance(action, DisputeResult):
        if before.counts:
            raise RefusedAction("nothing_to_confirm", state=before.state)
        if before.by == action.entrant and waits:
            raise RefusedAction("own_report", entrant=action.entrant)
    if waits and not same and not seen:
        raise RefusedRequest("changed_meanwhile")
    match action:
        case ReportResult():
            return same and (before.counts or before.by == action.entrant)
        case ConfirmResult():
            return before.counts and seen
        case DisputeResult():
            return before.state is ResultState.DISPUTED
