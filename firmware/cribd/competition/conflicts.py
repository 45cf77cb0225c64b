"""Find conflicts between two desks: they may work at once, but not on the same table.

Whoever asks for an act may say how many events of the log were seen. The act is refused if an event that came since
concerns the same thing; results of different tables do not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from cribboard.competition import actions, events
from cribboard.competition.actions import Action
from cribboard.competition.events import Event
from cribboard.competition.terms import GameAt

#: Actions and events that conflict with all others.
_ALL = (
    actions.UndoCompetitionAct,
    actions.OpenPlace,
    actions.ShareMedal,
    events.CompetitionActUndone,
    events.PlaceOpened,
    events.MedalShared,
)
#: The course of the competition: these conflict with each other.
_COURSE = (
    actions.Begin,
    actions.Pause,
    actions.Resume,
    actions.EndPlay,
    actions.DrawRound,
    actions.DrawPlayOff,
    actions.StartRound,
    actions.CancelRound,
    events.Begun,
    events.Paused,
    events.Resumed,
    events.CompetitionPlayEnded,
    events.RoundDrawn,
    events.PlayOffDrawn,
    events.RoundStarted,
    events.RoundCancelled,
)
_CALLS = (actions.CallOfficial, actions.AnswerCall, events.OfficialCalled, events.CallAnswered)
_SETTINGS: dict[type, str] = {
    actions.SetTables: "tables",
    events.TablesSet: "tables",
    actions.SetGames: "games",
    events.GamesSet: "games",
    actions.CountMissing: "missing",
    events.MissingCounted: "missing",
    actions.AnnounceStart: "start",
    events.StartAnnounced: "start",
    actions.SeedEntrants: "seeds",
    events.Seeded: "seeds",
}


def conflicts(action: Action, since: Iterable[Event]) -> bool:
    """Whether one of the events `since` concerns the same thing as the action."""
    subject = _subject(action)
    return any(_meet(subject, _subject(event)) for event in since)


def _meet(one: Hashable, other: Hashable) -> bool:
    return one == other or _ALL in (one, other)


def _subject(change: Action | Event) -> Hashable:
    """Return what an action or event concerns. `_ALL` conflicts with everything, a registration only with itself."""
    if isinstance(change, _ALL):
        return _ALL
    if isinstance(change, _COURSE):
        return _COURSE
    if change.__class__ in _SETTINGS:
        return _SETTINGS[change.__class__]
    at = getattr(change, "at", None)
    if isinstance(at, GameAt):
        return "table", at.round, at.table
    entrant = getattr(change, "entrant", None)
    if entrant is not None:
        return "call" if isinstance(change, _CALLS) else "entrant", entrant
    return id(change)
