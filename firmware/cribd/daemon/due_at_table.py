"""Finds the game that is due at a table.

Pure, and the same for a board beside the organiser and for one across the hall.
"""

from __future__ import annotations

from cribboard.competition.position import won_games
from cribboard.competition.terms import CompetitionPhase, GameAt, Stage
from cribboard.competition.view import CompetitionView, TableView
from cribboard.rules import Option
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.outbox import PlayedFor
from cribd.table.organiser_desk import Due, EventGame, Meeting, WaitsForRound


def due_at(state: State, table: int | None) -> Due:
    """Return the game to play, or the round to wait for.

    A game in progress is due while it has no result. Otherwise the table waits for the round that starts next."""
    if table is None or not isinstance(state, CompetitionSnapshot):
        return None
    view, form = state.organiser, state.heading.format
    for at, _ in state.since:
        pair = _pair(view, at) if at.table == table else None
        if pair is None or len(pair.results) >= at.game:
            continue
        play_off = view.rounds[at.round - 1].play_off
        most, needed = form.most_games(play_off=play_off), form.wins_needed(play_off=play_off)
        skunk_wins = form.wins_of_skunk(play_off=play_off)
        won = won_games(form, pair.results, play_off=play_off, reported=True)  # as it is decided which game follows
        sides = [state.hall.entrants[number - 1] for number in pair.entrants]  # the board is public
        return EventGame(
            place=PlayedFor(state.uuid, at.round, at.table, at.game),
            names=tuple(side.name for side in sides),
            rules=form.game_rules,
            entrants=tuple(pair.entrants),
            captains=tuple(side.captain_name for side in sides) if form.captain_only is Option.ON else (),
            is_play_off=play_off > 0,
            meeting=Meeting(most if pair.games is None else pair.games, needed or 0, won, skunk_wins),
            is_sealed=form.sealed is Option.ON and view.phase is not CompetitionPhase.OPEN,
        )
    is_drawn = bool(view.rounds) and view.rounds[-1].stage is Stage.DRAWN and not view.rounds[-1].play_off
    follows = view.rounds_left or (form.is_elimination and view.outstanding)
    if view.phase is CompetitionPhase.REGISTRATION or is_drawn or (view.phase is CompetitionPhase.PLAY and follows):
        moves = _moves(state.hall, table) if is_drawn else ()
        return WaitsForRound(table, len(view.rounds) + (not is_drawn), moves)
    return None


def is_waiting(state: State, place: PlayedFor, side: int) -> bool:
    """Whether a side of this game waits for an official."""
    if not isinstance(state, CompetitionSnapshot) or state.uuid != place.event:
        return False
    pair = _pair(state.organiser, GameAt(place.round, place.table, place.game))
    return pair is not None and pair.entrants[side] in state.organiser.calls


def _moves(view: CompetitionView, table: int) -> tuple[tuple[str, int | None], ...]:
    """List who sat here last round, each with the new table."""
    sat = [
        number
        for round_ in view.rounds[-2:-1]
        for pair in round_.tables
        if pair.table == table
        for number in pair.entrants
    ]
    sits: dict[int, int | None] = dict.fromkeys((*view.byes, *view.waiting))
    sits |= {number: pair.table for pair in view.rounds[-1].tables for number in pair.entrants}
    return tuple((view.entrants[number - 1].name, sits[number]) for number in sat if number in sits)


def _pair(view: CompetitionView, at: GameAt) -> TableView | None:
    """Return the pair that plays the game `at`, or None."""
    rounds = view.rounds[at.round - 1 : at.round]
    return next((pair for round_ in rounds for pair in round_.tables if pair.table == at.table), None)
