"""The club's boards and their games as JSON.

Pure. Made field by field from what the hub shows, which has of a game only what the hall may see (design laws 9, 10).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from operator import methodcaller
from typing import Any

from cribboard.competition.terms import ResultState
from cribboard.competition.view import CompetitionView
from cribboard.rules import RulesError, read_label
from cribd.club.board_status import BoardStatus, ClubSnapshot, CountShown, GameShown, TakenGameFinish
from cribd.club.messages import ENDS_GAMES
from cribd.competition.action_json import LONGEST_WORD
from cribd.competition.snapshot import CompetitionSnapshot, State
from cribd.storage.outbox import PlayedFor
from cribd.text import in_every_language, languages
from cribd.web.kiosk.shared.drawing import with_tracks
from cribd.web.kiosk.shared.snapshot_json import skunk_lines


def desk(club: ClubSnapshot) -> dict[str, Any]:
    """Return what the desk shows of the club."""
    names = {board.id: board.name for board in club.boards}
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
        "late": [
            {
                "id": late.id,
                "name": names.get(late.board, ""),
                "round": late.place.round,
                "table": late.place.table,
                "game": late.place.game,
                "scores": list(late.scores),
                "counts": None if late.counts is None else list(late.counts),
                "unseated": list(late.unseated),
            }
            for late in club.late
        ],
        "disputed": list(club.disputed),
        "rehearsal": None if club.rehearsal is None else _time(club.rehearsal),
        "longest_word": LONGEST_WORD,
    }


def hall(club: ClubSnapshot, state: State) -> dict[str, Any]:
    """Return the games under way at boards, sorted by table.

    A sealed event has none here."""
    return {"games": [_game(game) for game in _open_games(club, state)]}


def scoreboard(
    club: ClubSnapshot, state: State, table: int, *, language: str, drawings: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the scoreboard for a table of the hall.

    Without a `view` if no game is open. A board that has none of these `drawings`, or too few tracks for the game, is
    drawn as a built-in one."""
    game = next((game for game in reversed(_open_games(club, state)) if game.table == table), None)
    return {
        "table": table,
        "round": None if game is None else game.round,
        "game": None if game is None else game.game,
        "is_sealed": isinstance(state, CompetitionSnapshot) and state.hall.is_sealed,
        "language": language,
        "lobby": None,
        "menu": False,
        "way": "" if game is None else game.way,
        "names": [] if game is None else list(game.names),
        "match": _match(game),
        "board": None if game is None else _drawn(game, drawings),
        "view": None if game is None else _view(game),
        "shown": None if game is None or game.last_count is None else _count(game.last_count),
        "text": {spoken: _text(game, spoken) for spoken in languages()},
    }


def _open_games(club: ClubSnapshot, state: State) -> list[GameShown]:
    """List the open games of the current competition.

    Empty for a sealed event. Games that ended for the desk, or whose results come on slips, are left out."""
    if not isinstance(state, CompetitionSnapshot) or state.hall.is_sealed:
        return []
    by_slip = {taken.place for taken in club.taken if taken.fate is TakenGameFinish.SLIP}
    games = [
        game
        for board in club.boards
        if (game := board.game) is not None
        and game.event == state.uuid
        and game.table not in club.by_slips
        and PlayedFor(game.event, game.round, game.table, game.game) not in by_slip
        and not _has_ended(game, state.hall)
    ]
    return sorted(games, key=lambda game: (game.table, game.round, game.game))


def _has_ended(game: GameShown, hall: CompetitionView) -> bool:
    """Whether the game has ended for the desk.

    One side's report alone does not end a game. A board that is away, or slow, still shows an ended game."""
    for round_ in hall.rounds[game.round - 1 : game.round]:
        for pair in round_.tables:
            if pair.table == game.table:
                result = pair.results[game.game - 1] if game.game <= len(pair.results) else None
                return result is not None and result.state is not ResultState.REPORTED
    return False


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
        "game": None if board.game is None else _game(board.game) | {"text": _lines(board.game)},
        "plays": None if board.plays is None else board.plays.table,
        "has_copy": board.has_copy,
        "has_answered": board.has_answered,
        "is_hub": board.is_hub,
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


def _view(game: GameShown) -> dict[str, Any]:
    """Convert the game to the form of `snapshot_json`, for the scoreboard."""
    try:
        rules = read_label(game.rules)
    except RulesError:  # house rules that are not known here, or a board that does not say them
        rules = None
    sides = len(game.names)
    seats = game.laid_by or [0] * len(game.laid)
    in_hand = game.in_hand or [None] * sides
    return {
        "number": game.number,
        "phase": game.phase,
        "target": game.target,
        **({} if rules is None else skunk_lines(rules.game)),
        "players": sides if rules is None else rules.deal_and_play.players,
        "deal": game.deal,
        "dealer": game.dealer,
        "turn_side": game.acts,
        "asks": {"side": game.acts},
        "sides": [
            {"score": score, "back": back, "in_hand": lifted}
            for score, back, lifted in zip(game.scores, game.backs, in_hand, strict=True)
        ],
        "count": game.count,
        "laid": [
            {"card": card or None, "side": seat % sides, "seat": seat}
            for card, seat in zip(game.laid, seats, strict=True)
        ],
        "starter": game.starter or None,
        "counted": list(game.counted),
        "winner": game.winner,
    }


def _match(game: GameShown | None) -> dict[str, Any]:
    """Return the match's score before this game.

    It is a match of one game if the match is not known."""
    match = None if game is None else game.match
    over = {"over": False, "winner": None}
    if match is None:
        return {"games": [], "points": [], "of": 1, "standings": "wins"} | over
    played = {"games": list(match.games), "points": list(match.points), "of": match.of, "standings": match.standings}
    return played | over


def _drawn(game: GameShown, drawings: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the name of the drawing for this game."""
    sides = len(game.names)
    fits = game.board in drawings and len(drawings[game.board]["tracks"]) >= sides
    return game.board if fits else with_tracks(sides)


def _count(count: CountShown) -> dict[str, Any] | None:
    """Convert a counted hand or crib to the form of `score_json`.

    None if the count lacks a language of this machine."""
    text = {
        words.language: {"who": words.who, "what": words.what, "steps": list(words.steps), "ruling": words.ruling}
        for words in count.words
    }
    if not set(languages()) <= text.keys():
        return None
    return {
        "number": count.number,
        "deal": count.deal,
        "cards": list(count.cards),
        "starter": count.starter or None,
        "due": count.due,
        "points": count.points,
        "steps": [{"cards": list(step.cards), "total": step.total} for step in count.steps],
        "text": text,
    }


def _text(game: GameShown | None, language: str) -> dict[str, Any]:
    said = None if game is None else next((words for words in game.words if words.language == language), None)
    return {
        "ask": "" if said is None else said.ask,
        "said": [] if said is None else list(said.said),
        "hints": [],
        "refusal": [],
        "faults": [],
        "skunk": "" if said is None else said.skunk,
        "rules": "",
    }


def _lines(game: GameShown) -> dict[str, list[str]]:
    """Return a game's prompt and latest act in each language."""
    return {words.language: [words.ask, *words.said] for words in game.words}
