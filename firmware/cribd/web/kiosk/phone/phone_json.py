"""What an entrant's phone shows, as JSON.

It has what the hall may see, and the unsealed parts of the phone's own table.

Pure, and made for each phone: it has nothing of other tables but who sits there (design laws 9 and 10).
"""

from __future__ import annotations

from typing import Any

from cribboard.competition.scorecard import winner_by
from cribboard.competition.terms import CompetitionPhase, EntrantStatus, ResultState, Stage
from cribboard.competition.view import CompetitionView
from cribboard.rules import GameRules
from cribboard.skunk import losing_scores
from cribd.competition.action_json import as_json
from cribd.competition.phone_requests import may_call
from cribd.competition.phones import Phone
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.competition.visits import Visit, seated_at, visit_of
from cribd.web.kiosk.shared import competition_json


def phone_state(state: State, phone: Phone | None) -> dict[str, Any]:
    """Return what a phone shows of the competition.

    `phone` is None for a phone that speaks for no entrant."""
    if not isinstance(state, CompetitionSnapshot):
        return {"competition": None}
    view = state.hall
    visit = None if phone is None else visit_of(state, phone.entrant)
    return {
        "competition": state.number,
        "name": state.heading.name,
        "phase": view.phase,
        "paused": view.paused,
        "is_sealed": view.is_sealed,
        "you": None if phone is None else _you(state, phone),
        "visit": None if phone is None or visit is None else _visit(state, visit, phone.entrant),
        "step": {"name": "sit", "game": None} if phone is None else _step(state, visit, phone.entrant),
        "tables": [] if phone else [_seats(view, table.table, table.entrants) for table in view.tables],
    }


def at_table(view: CompetitionView, table: int) -> dict[str, Any]:
    """Return the entrants who sit at a table, as JSON."""
    return _seats(view, table, seated_at(view, table))


def _you(state: CompetitionSnapshot, phone: Phone) -> dict[str, Any]:
    view = state.hall
    entrant = view.entrants[phone.entrant - 1]
    places = {row.entrant: row.place for row in view.standings} if view.phase is CompetitionPhase.OPEN else {}
    return {
        **_named(view, entrant.number),
        "status": entrant.status,
        "captain": entrant.captain_name,
        "may_call": may_call(state, phone),
        "can_call": entrant.status is EntrantStatus.PRESENT
        and view.phase in (CompetitionPhase.PLAY, CompetitionPhase.PLAYED),
        "called": entrant.number in view.calls,
        "has_bye": entrant.number in view.byes,
        "waits": entrant.number in view.waiting,
        "place": places.get(entrant.number),
    }


def _visit(state: CompetitionSnapshot, visit: Visit, entrant: int) -> dict[str, Any]:
    game = state.heading.format.game_rules.game
    sealed = state.hall.is_sealed
    return {
        **_seats(state.hall, visit.table.table, visit.table.entrants),
        "mine": visit.table.entrants.index(entrant),
        "round": visit.round.number,
        "play_off": visit.round.play_off,
        "started": visit.round.stage is Stage.STARTED,
        "games": visit.table.games,
        "game": visit.open_game,
        "results": _results(visit, game),
        "is_over": visit.table.is_over,
        "winner": None if sealed else visit.table.winner,
        "wins": None if sealed or visit.table.games is not None else as_json(visit.table.wins),
        "target": game.target,
        "skunk_line": game.skunk_line,
        "double_skunk_line": game.double_skunk_line,
        "losing_scores": as_json(losing_scores(game)),
    }


def _step(state: CompetitionSnapshot, visit: Visit | None, entrant: int) -> dict[str, Any]:
    """Return the entrant's next step, with its game."""
    if visit is None or (visit.table.is_over and entrant in (*state.hall.byes, *state.hall.waiting)):
        return {"name": "rest", "game": None}
    if visit.round.stage is not Stage.STARTED:
        return {"name": "drawn", "game": None}
    shown = [(game, result) for game, result in enumerate(visit.shown, start=1) if result is not None]
    reported = [(game, result.by == entrant) for game, result in shown if result.state is ResultState.REPORTED]
    steps: dict[str, list[int]] = {
        "confirm": [game for game, is_own in reported if not is_own],
        "enter": [] if visit.open_game is None else [visit.open_game],
        "disputed": [game for game, result in shown if result.state is ResultState.DISPUTED],
        "wait": [game for game, is_own in reported if is_own],
    }
    due = ({"name": name, "game": games[0]} for name, games in steps.items() if games)
    return next(due, {"name": "done", "game": None})


def _results(visit: Visit, game: GameRules) -> list[dict[str, Any] | None]:
    """Return the results at an entrant's table, game by game.

    A result that the seal hides is None. The winners by the other side's and the board's reports are added."""
    made: list[dict[str, Any] | None] = []
    for shown, result in zip(visit.shown, competition_json.results(visit.table, game), strict=True):
        if shown is None:
            made.append(None)
            continue
        result["other_winner"] = None if shown.other is None else winner_by(shown.other, game)
        if shown.board is not None:
            result["board"]["winner"] = winner_by(shown.board.scores, game)
        made.append(result)
    return made


def _seats(view: CompetitionView, table: int, entrants: tuple[int, ...]) -> dict[str, Any]:
    return {"table": table, "entrants": [_named(view, number) for number in entrants]}


def _named(view: CompetitionView, number: int) -> dict[str, Any]:
    entrant = view.entrants[number - 1]
    players = [] if entrant.players == (entrant.name,) else list(entrant.players)  # hidden by a public name, if any
    return {"number": number, "name": entrant.name, "players": players}
