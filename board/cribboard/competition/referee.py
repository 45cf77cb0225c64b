"""The referee: decide what an action causes, or refuse it (design law 2). Each topic has its own module."""

from __future__ import annotations

from typing import assert_never

from cribboard.competition import actions, entrants, events, medals, results, rounds
from cribboard.competition.actions import Action
from cribboard.competition.events import Event
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.refusals import RefusedAction


def decide(position: CompetitionPosition, action: Action) -> tuple[Event, ...]:
    """Return the event that this action causes, as a tuple. Raises `RefusedAction`, and then changes nothing."""
    return (_event(position, action),)


def _event(p: CompetitionPosition, action: Action) -> Event:
    match action:
        case actions.Register():
            return entrants.register(p, action)
        case actions.Rename():
            return entrants.rename(p, action)
        case actions.RenamePlayer():
            return entrants.rename_player(p, action)
        case actions.ShowAs():
            return entrants.show_as(p, action)
        case actions.CheckIn():
            return entrants.check_in(p, action)
        case actions.Depart():
            return entrants.depart(p, action)
        case actions.Penalise():
            return entrants.penalise(p, action)
        case actions.Substitute():
            return entrants.substitute(p, action)
        case actions.SeedEntrants():
            return entrants.seed(p, action)
        case actions.NoteHand():
            return entrants.note_hand(p, action)
        case actions.SetTables():
            return rounds.set_tables(p, action)
        case actions.SetGames():
            return rounds.set_games(p, action)
        case actions.CountMissing():
            return rounds.count_missing(p, action)
        case actions.Begin():
            return rounds.begin(p, action)
        case actions.Pause():
            return rounds.pause(p, action)
        case actions.Resume():
            return rounds.resume(p)
        case actions.AnnounceStart():
            return rounds.announce(p, action)
        case actions.EndPlay():
            return rounds.end_play(p)
        case actions.DrawRound():
            return rounds.draw(p, action)
        case actions.DrawPlayOff():
            return medals.play_off(p, action)
        case actions.StartRound():
            return rounds.start_round(p)
        case actions.CancelRound():
            return rounds.cancel(p, action)
        case actions.EnterResult():
            return results.enter(p, action)
        case actions.ReportResult():
            return results.report(p, action)
        case actions.ConfirmResult():
            return results.confirm(p, action)
        case actions.DisputeResult():
            return results.dispute(p, action)
        case actions.DisputeByBoard():
            return results.dispute_by_board(p, action)
        case actions.CorrectResult():
            return results.correct(p, action)
        case actions.CompareCards():
            return results.compare_cards(p, action)
        case actions.CheckResult():
            return results.check(p, action)
        case actions.CallOfficial():
            return medals.call(p, action)
        case actions.AnswerCall():
            return medals.answer(p, action)
        case actions.ShareMedal():
            return medals.share(p, action)
        case actions.OpenPlace():
            return medals.open_place(p, action)
        case actions.UndoCompetitionAct():
            return _undo(p)
    assert_never(action)


def _undo(p: CompetitionPosition) -> events.CompetitionActUndone:
    if p.undo_to is None:
        raise RefusedAction("nothing_to_undo")
    return events.CompetitionActUndone(p.undo_to)
