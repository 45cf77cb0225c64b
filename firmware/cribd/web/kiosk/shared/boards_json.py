"""The boards of the club as JSON: all of them for the desk, the games under way for the hall.

Pure. Made field by field from what the hub shows, which has of a game only what the hall may see (design laws 9, 10).
"""

from __future__ import annotations

from datetime import UTC, datetime
from operator import methodcaller
from typing import Any

from cribd.club.board_status import LONGEST_WORD, BoardStatus, ClubSnapshot, GameShown
from cribd.club.messages import ENDS_GAMES
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.text import in_every_language


def desk(club: ClubSnapshot) -> dict[str, Any]:
    """All boards, and those that want to join, for the organiser."""
    return {
        "boards": [_board(board, ours=club.protocol) for board in club.boards],
        "joining": [
            {
                "id": joins.id,
                "words": list(joins.words),
                "name": joins.name,
                "table": joins.table,
                "is_confirmed": joins.is_confirmed,
            }
            for joins in club.joining
        ],
        "by_slips": list(club.by_slips),
        "taken": [
            {
                "name": taken.name,
                "round": taken.place.round,
                "table": taken.place.table,
                "game": taken.place.game,
                "fate": taken.fate,
            }
            for taken in club.taken
        ],
        "records": [
            {
                "round": record.place.round,
                "table": record.place.table,
                "game": record.place.game,
                "found": record.found or None,
            }
            for record in club.records
        ],
        "disputed": list(club.disputed),
        "rehearsal": None if club.rehearsal is None else _time(club.rehearsal),
        "longest_word": LONGEST_WORD,
    }


def hall(club: ClubSnapshot, state: State) -> dict[str, Any]:
    """The games of the event that are under way at boards, by table; none of a sealed event."""
    if not isinstance(state, CompetitionSnapshot) or state.hall.is_sealed:
        return {"games": []}
    games = [board.game for board in club.boards if board.game is not None and board.game.event == state.uuid]
    return {"games": [_game(game) for game in sorted(games, key=lambda game: (game.table, game.round, game.game))]}


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _board(board: BoardStatus, *, ours: int) -> dict[str, Any]:
    return {
        "id": board.id,
        "name": board.name,
        "table": board.table,
        "shows": board.shows,
        "is_online": board.is_online,
        "since": None if board.since is None else _time(board.since),
        "release": board.release,
        "ahead": board.protocol - ours if board.protocol else None,
        "ends_games": board.protocol >= ENDS_GAMES,
        "faults": [in_every_language(methodcaller("fault", fault)) for fault in board.faults],
        "reader": board.reader,
        "backlog": board.backlog,
        "is_paused": board.is_paused,
        "word": board.word,
        "calls": list(board.calls),
        "game": None if board.game is None else _game(board.game),
        "has_answered": board.has_answered,
    }


def _game(game: GameShown) -> dict[str, Any]:
    return {
        "round": game.round,
        "table": game.table,
        "game": game.game,
        "names": list(game.names),
        "sides": [{"score": score, "back": back} for score, back in zip(game.scores, game.backs, strict=True)],
        "target": game.target,
        "deal": game.deal,
        "dealer": game.dealer,
        "starter": game.starter or None,
        "laid": [card or None for card in game.laid],
        "count": game.count,
        "winner": game.winner,
    }
