"""Finds the game that is due at a board.

Pure functions of the hub's order and of the games whose results the hub has not answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cribboard.competition.match_wins import add_game, match_winner
from cribboard.rules import RulesError, read_label
from cribd.club.messages import DueGame, Order
from cribd.storage.outbox import Outcome, PlayedFor
from cribd.table.organiser_desk import Due, EventGame, WaitsForRound


def due_in(order: Order, club: str, ended: Mapping[PlayedFor, Outcome | None]) -> tuple[Due, str]:
    """Find what is due at the board's table.

    The second value is the label of the game's rules if this board does not know them, else "". `ended` are the games
    that the hub lacks: of their meeting the next one is due."""
    if order.due is not None:
        due: DueGame | None = order.due
        try:
            while due is not None and _has_ended(due, ended):
                due = next_game(due, ended[due.place])
            game = None if due is None else _event_game(due, club)
        except RulesError:
            return None, order.due.rules
        return game or WaitsForRound(order.table, order.due.place.round), ""
    if order.waits is None or not order.table:
        return None, ""
    moves = ((move.name, move.table) for move in order.waits.moves)
    resting = ((name, None) for name in order.waits.resting)
    return WaitsForRound(order.table, order.waits.round, (*moves, *resting)), ""


def _event_game(due: DueGame, club: str) -> EventGame:
    """Convert the due game to an `EventGame`. Raises `RulesError`."""
    return EventGame(
        place=due.place,
        names=due.names,
        rules=read_label(due.rules),
        entrants=due.entrants,
        club=club,
        captains=due.captains,
        is_play_off=due.is_play_off,
        meeting=due.meeting,
        is_sealed=due.is_sealed,
    )


def _has_ended(due: DueGame, ended: Mapping[PlayedFor, Outcome | None]) -> bool:
    """Whether this game is one of the `ended` games.

    A game of another pair at the same place does not count: it is from before a new draw."""
    outcome = ended.get(due.place)
    if outcome is not None and outcome.entrants:
        return outcome.entrants == due.entrants
    return due.place in ended


def is_same_meeting(place: PlayedFor, other: PlayedFor) -> bool:
    """Whether two games belong to one meeting."""
    return replace(place, game=other.game) == other


def next_game(due: DueGame, outcome: Outcome | None) -> DueGame | None:
    """Return the next game of the meeting after this outcome.

    None if there is none, or the desk must decide. Raises `RulesError` if the rules are not known here."""
    meeting, place = due.meeting, due.place
    if outcome is None or outcome.broken_off or place.game >= meeting.games:
        return None
    if meeting.needed:
        wins = add_game(meeting.wins, outcome.scores, read_label(due.rules).game, meeting.skunk_wins)
        if match_winner(wins, meeting.needed) is not None:
            return None
        meeting = replace(meeting, wins=wins)
    return replace(due, place=replace(place, game=place.game + 1), meeting=meeting)
