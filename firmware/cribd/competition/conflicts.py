"""Finds conflicts between two desks that work at the same time.

They may not work on the same table. Whoever asks for an act may say how many events of the log were seen. The act is
refused if an event that came since concerns the same thing; results of different tables do not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from cribboard.competition import actions, events
from cribboard.competition.actions import CompetitionAction
from cribboard.competition.events import CompetitionEvent
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
    kind: subject
    for subject, kinds in {
        "tables": (actions.SetTables, events.TablesSet),
        "games": (actions.SetGames, events.GamesSet),
        "missing": (actions.CountMissing, events.MissingCounted),
        "start": (actions.AnnounceStart, events.StartAnnounced),
        "seeds": (actions.SeedEntrants, events.Seeded),
    }.items()
    for kind in kinds
}


def conflicts(action: CompetitionAction, since: Iterable[CompetitionEvent]) -> bool:
    """Whether the action conflicts with an event in `since`."""
    subject, others = _subject(action), map(_subject, since)
    return any(subject == other or _ALL in (subject, other) for other in others)


def _subject(change: CompetitionAction | CompetitionEvent) -> Hashable:
    """Return what an action or event is about.

    Equal subjects conflict. `_ALL` conflicts with every subject, a registration only with itself."""
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
