"""The desk's texts of a competition.

Events, codes and values are worded, never a position. Entrants are given by their names, in the order of their numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from typing import Any

from cribboard.competition.consequences import Consequence
from cribboard.competition.events import (
    CompetitionActUndone,
    CompetitionEvent,
    CompetitionPlayEnded,
    Departed,
    PlaceOpened,
    ShownAs,
    StartAnnounced,
)
from cribboard.competition.seating import Seating
from cribboard.competition.terms import (
    CompetitionPhase,
    Ending,
    EntrantKind,
    EntrantStatus,
    GameAt,
    Missing,
    Movement,
    RankingCriterion,
    ResultSource,
    ResultState,
    Stage,
)
from cribboard.competition.view import CompetitionView
from cribd.competition.action_json import AllowedClause
from cribd.competition.registration import Problem
from cribd.text.words import Words

#: The beginning of the codes for each of these types of terms.
_TERMS: Mapping[type[StrEnum], str] = {
    RankingCriterion: "criterion",
    Ending: "ending",
    Missing: "missing",
    Movement: "movement",
    EntrantKind: "part",
    CompetitionPhase: "phase",
    ResultState: "state",
    ResultSource: "source",
    Stage: "stage",
    EntrantStatus: "status",
}
#: Codes of events that are not the name of the class.
_EVENT_CODES: Mapping[type, str] = {CompetitionActUndone: "undone", CompetitionPlayEnded: "play_ended"}
#: The longest value of a request in a sentence: one may be a whole file.
_LONGEST_VALUE = 60
#: Refusals that name a first and a second entrant.
_OF_TWO = frozenset({"not_in_the_bracket", "not_level"})


def term(value: StrEnum, words: Words) -> str:
    """Return the word for a term of competitions."""
    return words.say(f"competition.{_TERMS[value.__class__]}.{value}")


def play_offs_of(view: CompetitionView) -> tuple[int, ...]:
    """Return the numbers of the rounds that are play-offs."""
    return tuple(round_.number for round_ in view.rounds if round_.play_off)


def round_name(number: int, play_offs: Sequence[int], words: Words) -> str:
    """Return the name of a round or play-off.

    If there are several play-offs, each has its own number."""
    if number not in play_offs:
        return words.say("competition.round.number", round=number)
    if len(play_offs) == 1:
        return words.say("competition.round.play_off")
    return words.say("competition.round.play_offs", number=play_offs.index(number) + 1)


def refused(
    code: str, values: Mapping[str, object], names: Sequence[str], words: Words, *, play_offs: Sequence[int] = ()
) -> str:
    """Say why an action or request is refused.

    `play_offs` are the numbers of the rounds that are play-offs."""
    filled = {name: _value(name, value, names, words, play_offs) for name, value in values.items()}
    if code in _OF_TWO:
        filled |= {
            name: _entrants((number,), names, words) for name, number in values.items() if isinstance(number, int)
        }
    return words.say(f"competition.refused.{code}", **filled)


def not_understood(field: str, value: object, allowed: AllowedClause, words: Words) -> str:
    """Say why a request is not a valid action."""
    filled = {"field": field, "value": _spelled(value), "allowed": _allowed_in_words(allowed, words)}
    return words.say("competition.refused.not_an_action", **filled)


def _spelled(value: object) -> str:
    """Write a request's value in one short line.

    A text has no quotes; any other value is JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text.split("\n"))
    return line if len(line) <= _LONGEST_VALUE else f"{line[: _LONGEST_VALUE - 1]}…"


def _allowed_in_words(allowed: AllowedClause, words: Words) -> str:
    """Describe the allowed values, as part of a sentence."""
    filled = {name: _allowed_part(name, value, words) for name, value in allowed.values.items()}
    return words.say(f"competition.allowed.{allowed.code}", **filled)


def _allowed_part(name: str, value: object, words: Words) -> object:
    """Put one value of an `AllowedClause` into words.

    Names are joined with commas. Problems are put into words and joined with spaces, without the last full stop. An
    inner `AllowedClause` is put into words."""
    match value:
        case tuple():
            parts = map(words.problem, value)
            return " ".join(parts).removesuffix(".") if name == "problems" else ", ".join(parts)
        case AllowedClause():
            return _allowed_in_words(value, words)
    return value


def problem(found: Problem, words: Words) -> str:
    """Say what is wrong in a line of a CSV file."""
    sentence = words.say(f"competition.csv.{found.code}", value=found.value, **found.values)
    return words.say("competition.csv.at_line", line=found.line, problem=sentence)


def event(happened: CompetitionEvent, names: Sequence[str], words: Words, *, play_offs: Sequence[int] = ()) -> str:
    """Describe an event as a line of the log.

    `play_offs` are the numbers of the rounds that are play-offs."""
    kind = happened.__class__
    code = _EVENT_CODES.get(kind) or re.sub("(?<!^)([A-Z])", r"_\1", kind.__name__).lower()
    if isinstance(happened, Departed | PlaceOpened) and happened.reason:
        code += ".why"
    if isinstance(happened, ShownAs) and not happened.name:
        code += ".own"
    if isinstance(happened, StartAnnounced) and not happened.time:
        code += ".no_more"
    filled = {
        field.name: _value(field.name, getattr(happened, field.name), names, words, play_offs)
        for field in fields(happened)
    }
    return words.say(f"competition.event.{code}", **filled)


def _value(name: str, value: Any, names: Sequence[str], words: Words, play_offs: Sequence[int]) -> object:
    """Put the value of the placeholder `name` into words."""
    match name, value:
        case "entrant", int():
            return _entrant(value, names, words)
        case "entrants", tuple():
            return _entrants(value, names, words)
        case "scores" | "saw" | "spreads", (int(first), int(second)):
            return words.say("competition.scores", first=first, second=second)
        case "round", int():
            return round_name(value, play_offs, words)
        case "player", int():
            return value + 1
        case "players", tuple():
            return ", ".join(value)
        case "consequences", tuple():
            return " ".join(_consequence(found, names, words, play_offs) for found in value)
        case "format", str():
            return words.say(f"competition.format.{value}")
        case "what", str():
            return words.say(f"competition.what.{value}")
        case _, GameAt(round_, table, game):
            return words.say("competition.at", round=round_name(round_, play_offs, words), table=table, game=game)
        case _, Seating():
            return _seating(value, names, words)
        case _, StrEnum():
            return term(value, words)
    return value


def _consequence(found: Consequence, names: Sequence[str], words: Words, play_offs: Sequence[int]) -> str:
    """Describe, in a sentence, a consequence of an action."""
    filled = {name: _value(name, value, names, words, play_offs) for name, value in found.values.items()}
    return words.say(f"competition.asked.{found.code}", **filled)


def _seating(seating: Seating, names: Sequence[str], words: Words) -> str:
    def pair(table: int, first: int, second: int) -> str:
        one, other = _entrant(first, names, words), _entrant(second, names, words)
        return words.say("competition.pairing", table=table, first=one, second=other)

    parts = [pair(pairing.table, *pairing.entrants) for pairing in seating.pairings]
    if seating.byes:
        parts.append(words.say("competition.byes", entrants=_entrants(seating.byes, names, words)))
    if seating.waiting:
        parts.append(words.say("competition.waiting", entrants=_entrants(seating.waiting, names, words)))
    return "; ".join(parts)


def _entrants(numbers: Iterable[int], names: Sequence[str], words: Words) -> str:
    return ", ".join(_entrant(number, names, words) for number in numbers)


def _entrant(number: int, names: Sequence[str], words: Words) -> str:
    """Return the entrant's name, or the number if unknown."""
    return names[number - 1] if 1 <= number <= len(names) else words.say("competition.number", number=number)
