"""The competition as JSON (docs/competition.md).

Pure. Made from a snapshot, which holds views and no position (design laws 9 and 10). Codes and numbers are the same for
every language; a sentence that a page shows as it is has a text in each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import Any

from cribboard.competition.event_notation import write
from cribboard.competition.events import CompetitionActUndone
from cribboard.competition.formats import DEFAULT_FORMAT, FIELDS, FORMATS, Format, spelled
from cribboard.competition.match_wins import wins_against
from cribboard.competition.rounds import MOST_TABLES, SET_GAMES_PHASES, choices_after, fitting_games
from cribboard.competition.scorecard import skunk
from cribboard.competition.standings import StandingsGroup
from cribboard.competition.view import CompetitionView, RoundView, TableView
from cribboard.rules import GameRules
from cribboard.skunk import losing_scores
from cribd.competition.action_json import NotAnAction, as_json
from cribd.competition.desk_requests import is_date
from cribd.competition.next_step import next_step, podium
from cribd.competition.registration import Preview
from cribd.competition.snapshot import CompetitionSnapshot, DamagedCompetition, ListedCompetition, State, standing
from cribd.text import competitions, in_every_language

Names = Mapping[str, "Names | None"]
"""Fields that are sent, each with those of its own that are; None where it is sent whole."""


def _fields(names: str, **nested: Names) -> Names:
    return dict.fromkeys(names.split()) | nested


_CORRECTION = _fields("scores ending reason")
_BOARD_RESULT = _fields("scores record desk_source desk_record")
#: The fields of a result that everybody is sent.
RESULT = _fields(
    "scores ending source state by other reason record cards", board=_BOARD_RESULT, corrections=_CORRECTION
)
_ENTRANT = _fields("number name players captain status part shown_as hands registered")
#: The fields of its view that the hall is sent (design law 10). All other fields are for the organiser alone.
_HALL = {
    **_fields("format phase paused starts games missing entrants", entrants=_ENTRANT),
    **_fields("table_count round stage play_off"),
    "tables": {**_fields("table entrants is_over"), "results": RESULT, **_fields("winner wins games")},
    **_fields("byes waiting outstanding calls opened is_sealed"),
}
#: The fields of its views that the organiser is sent, beside those that are made here.
_DESK = {
    **_fields("format phase paused starts games missing entrants", entrants=_ENTRANT),
    **_fields("table_count round stage play_off byes waiting calls opened is_sealed"),
    **_fields("seeds due rounds_left next_place"),
}
_ROUND = _fields("number stage play_off byes waiting")
_TABLE = _fields("table entrants is_over winner wins games")
_LEVEL = _fields("place entrants separated_by play_offs")
#: The most tied entrants that a row names. Before the first results, each row would otherwise name everybody.
_MOST_LEVEL = 64
_ROW = _fields("place entrant part status played missing byes penalty amounts separated_by")


def hall(state: State) -> dict[str, Any]:
    """Return the public fields of the competition.

    If the competition is sealed, no value here depends on a score."""
    if not isinstance(state, CompetitionSnapshot):
        return {"competition": None}
    view = named(state.hall, _HALL)
    view["outstanding"] = [
        {"round": number, "table": table, "play_off": state.hall.rounds[number - 1].play_off}
        for number, table in state.hall.outstanding
    ]
    return {**_heading(state), **view, **_shared(state, state.hall)}


def desk(state: State) -> dict[str, Any]:
    """Return the whole competition, for the organiser."""
    limits = {"most_tables": MOST_TABLES}
    if isinstance(state, DamagedCompetition):
        text = in_every_language(lambda words: words.problem(state.reason))
        damaged = {"number": state.number, "reason": state.reason, "text": text}
        return {"competition": None, "damaged": damaged, **limits}
    if state is None:
        return {"competition": None, "damaged": None, **limits}
    names, play_offs = names_of(state.organiser), competitions.play_offs_of(state.organiser)
    view = named(state.organiser, _DESK)
    view["rounds"] = [_round(round_, state.heading.format) for round_ in state.organiser.rounds]
    view["tables"] = view["rounds"][-1]["tables"] if view["rounds"] else []
    view["outstanding"] = [as_json(at) | {"since": since} for at, since in state.since]
    view["level"] = [
        named(group, _LEVEL) | {"plays_at": _play_off_tables(state, group)} for group in state.organiser.level
    ]
    view["obstacles"] = [
        {
            "code": obstacle.code,
            **as_json(obstacle.at),
            "text": _refused(obstacle.code, as_json(obstacle.at), names, play_offs),
        }
        for obstacle in state.organiser.obstacles
    ]
    view["is_elimination"] = is_elimination = state.heading.format.is_elimination
    view["may_set_games"] = state.organiser.phase in SET_GAMES_PHASES and not is_elimination
    due = next_step(state)
    view["next_step"] = {"step": due.step, **as_json(due.values)}
    view["podium"] = as_json(podium(state))
    last = next(standing(state.log), None)
    undo = None if last is None else _event(state, last, names, play_offs)
    beside = {"damaged": None, "uuid": str(state.uuid), "events": len(state.log), "undo": undo}
    return {**_heading(state), **view, **_shared(state, state.organiser), **beside, **limits}


def log(state: CompetitionSnapshot, *, after: int = 0) -> list[dict[str, Any]]:
    """Return the events with numbers above `after`.

    `undone` says whether an undo removed the event."""
    names, play_offs = names_of(state.organiser), competitions.play_offs_of(state.organiser)
    standing_events = {*standing(state.log)}
    return [
        _event(state, index, names, play_offs)
        | {"undone": index not in standing_events and not isinstance(happened, CompetitionActUndone)}
        for index, happened in enumerate(state.log)
        if index >= after
    ]


def formats() -> list[dict[str, Any]]:
    """Return the preset formats of competitions."""
    return [
        {
            "name": name,
            "values": _values(form),
            "is_elimination": form.is_elimination,
            "is_default": name == DEFAULT_FORMAT,
            "text": in_every_language(methodcaller("say", f"competition.format.{name}")),
        }
        for name, form in FORMATS.items()
    ]


def listed(found: Sequence[ListedCompetition], state: State) -> list[dict[str, Any]]:
    """List the competitions of the journal.

    An unreadable value is ""; a damaged competition has no `phase`."""
    return [
        {
            "competition": listed.number,
            "name": listed.heading.name if listed.heading else "",
            "date": listed.heading.date if listed.heading else listed.at[:10] if is_date(listed.at[:10]) else "",
            "format": listed.heading.format.label if listed.heading else "",
            "begun": listed.at,
            "phase": listed.phase,
            "current": state is not None and listed.number == state.number,
        }
        for listed in found
    ]


def preview_of(found: Preview) -> dict[str, Any]:
    """Convert a preview of an entrants' file to JSON."""
    rows = [{"line": row.line, "seed": row.seed, **as_json(row.register)} for row in found.rows]
    problems = [
        {
            "line": problem.line,
            "code": problem.code,
            "value": problem.value,
            "values": dict(problem.values),
            "text": in_every_language(partial(competitions.problem, problem)),
        }
        for problem in found.problems
    ]
    return {"rows": rows, "problems": problems, "left_out": list(found.left_out)}


def refusal(code: str, values: Mapping[str, object], state: State, *, public: bool = False) -> dict[str, Any]:
    """Convert a refusal to JSON, in every language.

    If the number of entrants does not fit the number of games, the choices for the organiser are added. `public`: with
    the names that the hall sees."""
    names: Sequence[str] = ()
    play_offs: Sequence[int] = ()
    more: dict[str, Any] = {}
    if isinstance(state, CompetitionSnapshot):
        names = names_of(state.hall if public else state.organiser)
        play_offs = competitions.play_offs_of(state.organiser)
        if choices := choices_after(code, state.heading.format):
            games = values.get("games")
            fitting = fitting_games(state.heading.format, games) if isinstance(games, int) else ()
            more = {"choices": list(choices), "fitting_games": list(fitting)}
    payload = {name: as_json(value) for name, value in values.items()}
    return {"refused": {"code": code, "values": payload, "text": _refused(code, values, names, play_offs), **more}}


def not_understood(wrong: NotAnAction) -> dict[str, Any]:
    """Return why a request was not understood, as JSON.

    It has the field, its value, and the allowed values."""
    values = {"field": wrong.field, "value": wrong.value, "allowed": wrong.allowed.code}
    text = in_every_language(partial(competitions.not_understood, wrong.field, wrong.value, wrong.allowed))
    return {"refused": {"code": "not_an_action", "values": values, "text": text}}


def results(table: TableView, game: GameRules) -> list[dict[str, Any]]:
    """Return a table's results with their winners and skunks."""
    return [
        {**named(result, RESULT), "winner": result.winner, "skunk": skunk(result, game)} for result in table.results
    ]


def names_of(view: CompetitionView) -> tuple[str, ...]:
    """Return the entrants' names, in the order of their numbers."""
    return tuple(entrant.name for entrant in view.entrants)


def _heading(state: CompetitionSnapshot) -> dict[str, Any]:
    form = state.heading.format
    return {
        "competition": state.number,
        "name": state.heading.name,
        "date": state.heading.date,
        "rules": {
            "label": form.game_rules.label,
            "target": form.game_rules.game.target,
            "skunk_line": form.game_rules.game.skunk_line,
            "losing_scores": as_json(losing_scores(form.game_rules.game)),
            "score_cards": form.game_rules.customs.score_cards,
        },
        "values": _values(form),
    }


def _round(round_: RoundView, form: Format) -> dict[str, Any]:
    wins = form.wins_needed(play_off=round_.play_off)
    skunk_wins = form.wins_of_skunk(play_off=round_.play_off)
    game = form.game_rules.game
    losing = [
        {"most": scores.most, "wins": wins_against(scores.most, game, skunk_wins)} for scores in losing_scores(game)
    ]
    return {
        **named(round_, _ROUND),
        "tables": [{**named(table, _TABLE), "results": results(table, game)} for table in round_.tables],
        "most_games": form.most_games(play_off=round_.play_off),
        "match": None if wins is None else {"wins_needed": wins, "skunk_wins": skunk_wins, "losing_scores": losing},
    }


def _shared(state: CompetitionSnapshot, view: CompetitionView) -> dict[str, Any]:
    standings = [
        named(row, _ROW)
        | {
            "amounts": dict(as_json(row.amounts)),
            "level": len(row.level_with),
            "level_with": row.level_with if len(row.level_with) <= _MOST_LEVEL else (),
        }
        for row in view.standings
    ]
    return {"round_since": state.round_since or None, "standings": standings}


def named(value: Any, names: Names) -> Any:
    """Convert an object, or a tuple of objects, to JSON.

    Only the fields in `names` are included."""
    if isinstance(value, tuple):
        return [named(part, names) for part in value]
    if value is None:
        return None
    return {
        name: as_json(getattr(value, name)) if inner is None else named(getattr(value, name), inner)
        for name, inner in names.items()
    }


def _values(form: Format) -> dict[str, Any]:
    values = {name: getattr(form, name) for name in FIELDS}
    return {name: value if isinstance(value, int) else spelled(value) for name, value in values.items()}


def _event(state: CompetitionSnapshot, index: int, names: Sequence[str], play_offs: Sequence[int]) -> dict[str, Any]:
    happened = state.log[index]
    text = in_every_language(partial(competitions.event, happened, names, play_offs=play_offs))
    return {"number": index + 1, "at": state.times[index], "line": write(happened), "text": text}


def _play_off_tables(state: CompetitionSnapshot, group: StandingsGroup) -> list[int]:
    """Return the tables where this group still plays off its tie."""
    view = state.organiser
    tables = view.tables if view.play_off else ()
    return [table.table for table in tables if not table.is_over and {*table.entrants} <= {*group.entrants}]


def _refused(code: str, values: Mapping[str, object], names: Sequence[str], play_offs: Sequence[int]) -> dict[str, str]:
    return in_every_language(partial(competitions.refused, code, values, names, play_offs=play_offs))
