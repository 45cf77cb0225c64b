"""Write and read competition events as lines (design law 5).

Each type of event has one template (`written_as`), by which its line is written and read. Words of people are in
quotation marks, as in JSON; a game is round/table/game; a seating is `1:3-7+2:4-8`, table by table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from cribboard.actions import TEMPLATES
from cribboard.cards import NotationError
from cribboard.competition.events import CompetitionEvent
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import GameAt

#: The type of event for the first word of each line.
_KINDS: Mapping[str, Any] = {TEMPLATES[kind].partition(" ")[0]: kind for kind in get_args(CompetitionEvent)}


def write(event: CompetitionEvent) -> str:
    """Write an event as a line.

    >>> from cribboard.competition import events
    >>> write(events.ResultEntered(GameAt(2, 4), (121, 98), events.Ending.FINISHED, events.ResultSource.SLIP, ""))
    'result 2/4/1 121:98 finished slip record ""'
    """
    kind: type = event.__class__
    form = _form(kind)
    return form.template.format(**{name: spell.write(getattr(event, name)) for name, spell in form.spellings.items()})


def read(line: str) -> CompetitionEvent:
    """Read an event from a line that `write` made. Raises `NotationError`.

    >>> read("checked-in 3 captain 0")
    CheckedIn(entrant=3, captain=0)
    """
    kind = _KINDS.get(line.partition(" ")[0])
    if kind is None:
        raise NotationError(line, "it is the line of no event that this version knows")
    form = _form(kind)
    found = form.pattern.fullmatch(line)
    if found is None:
        raise NotationError(line, f"wanted: {form.template}")
    try:
        event: CompetitionEvent = kind(**{name: spell.read(found[name]) for name, spell in form.spellings.items()})
    except ValueError as wrong:
        raise NotationError(line, f"wanted: {form.template} ({wrong})") from wrong
    if write(event) != line:
        raise NotationError(line, f"it is spelled otherwise: {write(event)!r}")
    return event


@dataclass(frozen=True, slots=True)
class _Spelling:
    """The way to write and read values of one type."""

    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _numbers(values: tuple[int, ...]) -> str:
    return "+".join(map(str, values)) or "nobody"


def _read_numbers(word: str) -> tuple[int, ...]:
    return () if word == "nobody" else tuple(map(int, word.split("+")))


def _seating(seating: Seating) -> str:
    pairs = "+".join(f"{pairing.table}:{pairing.entrants[0]}-{pairing.entrants[1]}" for pairing in seating.pairings)
    return f"{pairs or 'nobody'} byes {_numbers(seating.byes)} waiting {_numbers(seating.waiting)}"


def _read_seating(words: str) -> Seating:
    pairs, _, byes, _, waiting = words.split(" ")
    found = [] if pairs == "nobody" else [map(int, re.split("[:-]", pair)) for pair in pairs.split("+")]
    pairings = tuple(Pairing(table, (first, second)) for table, first, second in found)
    return Seating(pairings, _read_numbers(byes), _read_numbers(waiting))


_NUMBERS = "[0-9+:-]+|nobody"
_STRING = r'"(?:[^"\\]|\\.)*"'

_SPELLINGS: Mapping[Any, _Spelling] = MappingProxyType(
    {
        int: _Spelling("-?[0-9]{1,9}", str, int),
        str: _Spelling(_STRING, _quoted, json.loads),
        tuple[str, ...]: _Spelling(rf"\[(?:{_STRING}(?:, )?)*\]", _quoted, lambda word: (*json.loads(word),)),
        tuple[int, ...]: _Spelling(_NUMBERS, _numbers, _read_numbers),
        tuple[int, int]: _Spelling(
            "-?[0-9]{1,9}:-?[0-9]{1,9}",
            lambda pair: f"{pair[0]}:{pair[1]}",
            lambda word: (*map(int, word.split(":")),),
        ),
        GameAt: _Spelling(
            "[0-9]{1,9}/[0-9]{1,9}/[0-9]{1,9}",
            lambda at: f"{at.round}/{at.table}/{at.game}",
            lambda word: GameAt(*map(int, word.split("/"))),
        ),
        Seating: _Spelling(f"(?:{_NUMBERS}) byes (?:{_NUMBERS}) waiting (?:{_NUMBERS})", _seating, _read_seating),
    }
)


@dataclass(frozen=True, slots=True)
class _Form:
    """The compiled template of one type of event."""

    template: str
    pattern: re.Pattern[str]
    spellings: Mapping[str, _Spelling]


@cache
def _form(kind: Any) -> _Form:
    hints = get_type_hints(kind)
    spellings = {field.name: _spelling(hints[field.name]) for field in fields(kind)}
    template = TEMPLATES[kind]
    pattern = re.escape(template)
    for name, spelling in spellings.items():
        pattern = pattern.replace(re.escape("{" + name + "}"), f"(?P<{name}>{spelling.pattern})")
    return _Form(template, re.compile(pattern), spellings)


def _spelling(hint: Any) -> _Spelling:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _Spelling("[a-z-]+", str, hint)
    return _SPELLINGS[hint]
