"""Handles the requests of the desk by name (docs/competition.md).

`/desk/NAME` and `cribboard event` send them alike. A payload is JSON, or the bytes of a CSV file. Each request is done
in its turn by the organiser, and refused in the same way whoever asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any

from cribboard.competition import FormatError, read_format
from cribboard.competition.formats import FORMATS, Format
from cribboard.competition.names import MOST_IN_NAME
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.rounds import MOST_TABLES
from cribd.competition.action_json import AllowedClause, NotAnAction, known_fields, read_action, read_word, split_ask
from cribd.competition.change_request import BaseVersion
from cribd.competition.members import change_members, read_members, registrations
from cribd.competition.organiser import Organiser
from cribd.competition.refusals import RefusedRequest
from cribd.competition.registration import Preview, preview
from cribd.competition.snapshot import CompetitionSnapshot, current_of
from cribd.toml import TomlError, read_toml

DeskResult = CompetitionSnapshot | Preview | Mapping[str, Any]
"""The result of a request: the competition after it, the preview of a file, or JSON values."""
Query = Mapping[str, str]


def query_number(query: Query, name: str, *, default: int) -> int:
    """Read a number from the query, or return `default`. Raises `NotAnAction`."""
    word = query.get(name)
    if word is None:
        return default
    if not (word.isascii() and word.isdecimal() and len(word) < 10):
        raise NotAnAction(name, word, AllowedClause("whole_number"))
    return int(word)


async def _begin(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    today = organiser.clock.wall().astimezone().date().isoformat()
    return await organiser.begin(_read_heading(payload, today=today))


async def _switch(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    match payload:
        case {"competition": int(number), **rest} if not rest and not isinstance(number, bool):
            return await organiser.switch(number)
    raise NotAnAction("competition", payload, AllowedClause("object_with", {"names": ("competition",)}))


async def _do(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    if not isinstance(payload, Mapping):
        read_action(payload)  # says what it must be
    seen, ask, action = _split(payload)
    return await organiser.do(read_action(action), seen=seen, ask=ask)


async def _draw(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    seen, ask, rest = _split(payload)
    if rest:
        raise NotAnAction(*next(iter(rest.items())), known_fields(["seen", "ask"]))
    return await organiser.draw(seen=seen, ask=ask)


async def _preview(organiser: Organiser, file: bytes, _: Query) -> Preview:
    """Find the entrants and the problems in a file."""
    snapshot = current_of(organiser.state)
    size, entrants = snapshot.heading.format.team_size, snapshot.organiser.entrants
    return await organiser.clock.run_in_thread(partial(preview, file, team_size=size, registered=entrants))


async def _register(organiser: Organiser, file: bytes, query: Query) -> DeskResult:
    """Register the entrants of a file, all or none."""
    snapshot = current_of(organiser.state)
    seen = BaseVersion(query_number(query, "competition", default=snapshot.number), len(snapshot.log))
    found = await _preview(organiser, file, query)
    if found.problems or not found.rows:
        raise RefusedRequest("csv_has_problems")
    return await organiser.do(*found.actions, seen=seen)


async def _stand_at(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    await organiser.stand_at(payload)
    return {"table": organiser.board_table}


async def _say_at_board(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    match payload:
        case {"text": str(text), **rest} if not rest:
            organiser.say_at_board(read_word(text))
            return {}
    raise NotAnAction("text", payload, AllowedClause("object_with", {"names": ("text",)}))


async def _change_members(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    """Add, correct or remove members."""
    journal = organiser.journal

    def change() -> DeskResult:
        new = change_members(journal, payload, organiser.state)
        return {"new": new, "members": read_members(journal)}

    return await organiser.in_turn(change)


async def _members_arrive(organiser: Organiser, payload: object, _: Query) -> DeskResult:
    """Register and check in members of the club.

    These are the members in the request's `names`; without this field, all. If one is refused, none is registered."""
    ask, names = split_ask(payload)
    return await organiser.do_from(partial(registrations, organiser.journal, names), ask=ask)


#: The handler of each request, by its name. Each raises `NotAnAction`, `RefusedAction`, `RefusedRequest`.
REQUESTS: Mapping[str, Callable[[Organiser, Any, Query], Awaitable[DeskResult]]] = MappingProxyType(
    {
        "begin": _begin,
        "switch": _switch,
        "do": _do,
        "draw": _draw,
        "csv": _preview,
        "csv/confirm": _register,
        "board": _stand_at,
        "board/say": _say_at_board,
        "members": _change_members,
        "members/here": _members_arrive,
    }
)


# Payloads


def _split(payload: object) -> tuple[BaseVersion | None, bool, dict[str, Any]]:
    """Split a request into `seen`, `ask` and the other fields.

    Raises `NotAnAction`."""
    ask, action = split_ask(payload)
    match action.pop("seen", None):
        case None:
            seen = None
        case {"competition": int(number), "events": int(events), **rest} if not rest and events >= 0:
            seen = BaseVersion(number, events)
        case other:
            raise NotAnAction("seen", other, AllowedClause("object_with", {"names": ("competition", "events")}))
    return seen, ask, action


def _read_heading(payload: object, *, today: str) -> CompetitionHeading:
    """Read the heading of a new competition.

    Raises `NotAnAction`, also for a value that a heading cannot contain. `instead`, which earlier versions needed,
    changes nothing: no competition ends another."""
    if not isinstance(payload, Mapping):
        raise NotAnAction("request", payload, AllowedClause("object_with", {"names": tuple(_HEADING)}))
    for key, value in payload.items():
        if key not in _HEADING:
            raise NotAnAction(str(key), value, known_fields(_HEADING))
        kind, fits, allowed = _HEADING[key]
        if not isinstance(value, kind):
            raise NotAnAction(str(key), value, AllowedClause("text") if kind is str else allowed)
        if not fits(value):
            raise NotAnAction(str(key), value, allowed)
    form = _read_format(payload.get("format"))
    name, tables = payload.get("name", ""), payload.get("tables", 0)
    return CompetitionHeading(format=form, name=name, date=payload.get("date", today), tables=tables)


def is_date(text: str) -> bool:
    """Whether this is a date like 2026-03-01."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


#: The fields of a heading: the type of each, whether a heading can contain such a value, and what is allowed.
_HEADING: Mapping[str, tuple[type, Callable[[Any], bool], AllowedClause]] = {
    "format": (object, lambda _: True, AllowedClause("text")),
    "name": (
        str,
        lambda name: name.isprintable() and name == name.strip() and len(name) <= MOST_IN_NAME,
        AllowedClause("printable", {"most": MOST_IN_NAME}),
    ),
    "date": (str, is_date, AllowedClause("date")),
    "tables": (
        int,
        lambda tables: not isinstance(tables, bool) and 0 <= tables <= MOST_TABLES,
        AllowedClause("whole_number_from_to", {"low": 0, "high": MOST_TABLES}),
    ),
    "instead": (bool, lambda _: True, AllowedClause("true_or_false")),
}


def _read_format(payload: object) -> Format:
    """Read a preset or a club's own format. Raises `NotAnAction`.

    A preset is given by its name, a club's own format by an object or TOML text."""
    if isinstance(payload, str) and payload in FORMATS:
        return FORMATS[payload]
    names = tuple(FORMATS)
    try:
        values = read_toml(payload) if isinstance(payload, str) else payload
        if not isinstance(values, Mapping):
            raise NotAnAction("format", payload, AllowedClause("format", {"names": names}))
        return read_format(values)
    except TomlError as wrong:
        allowed = AllowedClause("toml" if wrong.line is None else "toml_line", {"names": names, "line": wrong.line})
        raise NotAnAction("format", payload, allowed) from wrong
    except FormatError as wrong:
        allowed = AllowedClause("format_that_fits", {"problems": wrong.problems})
        raise NotAnAction("format", payload, allowed) from wrong
