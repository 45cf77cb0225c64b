"""Decide which event an action causes (design law 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from cribboard.competition import actions, entrants, events, medals, results, rounds
from cribboard.competition.actions import CompetitionAction
from cribboard.competition.events import CompetitionEvent
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.refusals import RefusedAction


def decide(position: CompetitionPosition, action: CompetitionAction) -> tuple[CompetitionEvent, ...]:
    """Return the event that this action causes, in a tuple. Raises `RefusedAction`."""
    return (RULINGS[action.__class__](position, action),)


def _undo(p: CompetitionPosition, _: actions.UndoCompetitionAct) -> events.CompetitionActUndone:
    if p.undo_to is None:
        raise RefusedAction("nothing_to_undo")
    return events.CompetitionActUndone(p.undo_to)


#: The ruling on each type of action.
RULINGS: Mapping[type, Callable[[CompetitionPosition, Any], CompetitionEvent]] = MappingProxyType(
    {
        actions.Register: entrants.register,
        actions.Rename: entrants.rename,
        actions.RenamePlayer: entrants.rename_player,
        actions.ShowAs: entrants.show_as,
        actions.CheckIn: entrants.check_in,
        actions.Depart: entrants.depart,
        actions.Penalise: entrants.penalise,
        actions.Substitute: entrants.substitute,
        actions.SeedEntrants: entrants.seed,
        actions.NoteHand: entrants.note_hand,
        actions.SetTables: rounds.set_tables,
        actions.SetGames: rounds.set_games,
        actions.CountMissing: rounds.count_missing,
        actions.Begin: rounds.begin,
        actions.Pause: rounds.pause,
        actions.Resume: rounds.resume,
        actions.AnnounceStart: rounds.announce,
        actions.EndPlay: rounds.end_play,
        actions.DrawRound: rounds.draw,
        actions.DrawPlayOff: medals.play_off,
        actions.StartRound: rounds.start_round,
        actions.CancelRound: rounds.cancel,
        actions.EnterResult: results.enter,
        actions.ReportResult: results.report,
        actions.ConfirmResult: results.confirm,
        actions.DisputeResult: results.dispute,
        actions.DisputeByBoard: results.dispute_by_board,
        actions.CorrectResult: results.correct,
        actions.CompareCards: results.compare_cards,
        actions.CheckResult: results.check,
        actions.CallOfficial: medals.call_official,
        actions.AnswerCall: medals.answer_call,
        actions.ShareMedal: medals.share_medal,
        actions.OpenPlace: medals.open_place,
        actions.UndoCompetitionAct: _undo,
    }
)
