"""Read and check a club's own format.

`read_format` reads values of a file, `read_label` the label in a log. Both raise `FormatError` with every problem at
once: each a sentence that names the field, its value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cribboard.competition.formats import FIELDS, FORMATS, VERSION, Format, spelled
from cribboard.competition.terms import MeetingFormat, Movement, RankingCriterion
from cribboard.rules import RULES, Option
from cribboard.rules import read_label as read_rules
from cribboard.validation import Message, ValidationError, misspelled, or_else, placed, problem, unknown


class FormatError(ValidationError):
    """The format has errors, so it cannot be played."""


def read_format(written: Mapping[str, object]) -> Format:
    """Read a format from a mapping, such as a TOML table.

    The value of `format` names a preset, and all other values are changes to this preset.

    >>> read_format({"format": "fadoq", "games": 6, "sealed": False}).label
    'fadoq/2 games=6 sealed=off'
    """
    name = written.get("format")
    if not isinstance(name, str) or name not in FORMATS:
        raise FormatError((_no_format(name),))
    return changed(FORMATS[name], {key: value for key, value in written.items() if key != "format"})


def changed(form: Format, changes: Mapping[str, object]) -> Format:
    """Return this format with some values changed."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name, value in changes.items():
        if name not in FIELDS:
            problems.append(unknown(name, FIELDS, Message("field", "field")))
            continue
        try:
            values[name] = _value(name, value)
        except ValueError:
            problems.append(problem(name, value, allowed(name)))
    made = replace(form, **values)
    problems.extend(contradictions(made))
    if problems:
        raise FormatError(tuple(problems))
    return made


def allowed(name: str) -> str:
    """Describe the allowed values of a field.

    >>> allowed("missing"), allowed("games")
    ('zero or average', 'a whole number from 1 to 99, or all')
    """
    if name == "rules":
        return or_else(", ".join(RULES), Message("format.house_rules", "a label of house rules"))
    if name == "ranking":
        return Message("format.ranking", "a list of {ranks}, each once", ranks=", ".join(_RANKS))
    return FIELDS[name].allowed


@lru_cache(64)
def read_label(label: str) -> Format:
    """Read a format from its label.

    >>> read_label("acc/1 ranking=wins+spread").ranking
    (<RankingCriterion.WINS: 'wins'>, <RankingCriterion.SPREAD: 'spread'>)
    """
    head, *_ = label.partition(" ")
    name, _, version = head.partition("/")
    if name not in FORMATS or version not in map(str, range(1, VERSION + 1)):
        known = ", ".join(form.label for form in FORMATS.values())
        raise FormatError((placed(head, Message("format.known", "known formats are {known}.", known=known)),))
    words = (word.partition("=") for word in label[len(head) :].split())
    changes = {name: _number(value.replace(";", " ")) for name, _, value in words}
    form = replace(changed(FORMATS[name], changes), version=int(version))
    if form.label != label:
        raise FormatError((misspelled(label, form.label),))
    return form


def read_whole(name: str, version: int, words: Mapping[str, str]) -> Format:
    """Make a format from the text of every field.

    `words` has the texts as `spelled` writes them; the text of `rules` is a label.

    >>> acc = FORMATS["acc"]
    >>> words = {name: spelled(getattr(acc, name)) for name in FIELDS}
    >>> read_whole("acc", acc.version, words | {"rules": acc.game_rules.label}) == acc
    True
    """
    if name not in FORMATS:
        raise FormatError((_no_format(name),))
    return replace(changed(FORMATS[name], {field: _number(words[field]) for field in FIELDS}), version=version)


def _no_format(name: object) -> Message:
    known = ", ".join(FORMATS)
    if name is None:
        return Message("format.missing", "format: missing; allowed is {known}.", known=known)
    return Message("format.none", "format: {value} is no format; allowed is {known}.", value=repr(name), known=known)


def contradictions(form: Format) -> Iterator[str]:
    """Yield a sentence for each contradiction in this format."""
    for names, why in _contradictions(form):
        values = ", ".join(f"{name} = {spelled(getattr(form, name))}" for name in names.split())
        yield placed(values, why)


def _contradictions(form: Format) -> Iterator[tuple[str, Message]]:
    """Yield the field names and the reason of each contradiction."""
    rules = form.game_rules
    deal = rules.deal_and_play
    if deal.teams != 2 or deal.players != 2 * form.team_size:
        yield (
            "rules team_size",
            Message(
                "format.sides",
                "these rules are for {players} players in {sides} sides, and two entrants meet.",
                players=deal.players,
                sides=deal.teams,
            ),
        )
    level = Message("format.level", "the best of an even number may end level; allowed is odd.")
    if form.meeting is MeetingFormat.BEST_OF and form.meeting_games % 2 == 0:
        yield "meeting_games", level
    if form.play_off_games % 2 == 0:
        yield "play_off_games", level
    if form.skunk_wins == 2 and (form.meeting is not MeetingFormat.FIRST_TO or rules.game.skunk_line is None):
        yield (
            "skunk_wins meeting rules",
            Message(
                "format.skunk_wins",
                "a skunk counts two only in a match that is first to a number, under rules that know a skunk.",
            ),
        )
    if form.captain_only is Option.ON and form.team_size == 1:
        yield "captain_only team_size", Message("format.captain", "only a team has a captain.")
    if form.is_elimination and (not form.is_match or form.games is not None):
        yield (
            "movement meeting games",
            Message(
                "format.elimination",
                "an elimination is played in matches (best_of or first_to) until one is left; games is all.",
            ),
        )
    if form.movement is Movement.WINNERS_STAY and form.games is None:
        yield (
            "movement games",
            Message("format.all_games", "winners meet whom they meet; allowed is a number of games."),
        )
    if form.movement is Movement.WINNERS_STAY and form.visit != 1:
        yield "movement meeting_games", Message("format.one_game", "each game has a winner; allowed is 1.")
    if (RankingCriterion.LASTED in form.ranking) != form.is_elimination:
        yield "ranking movement", Message("format.lasted", "an elimination, and no other, ranks by lasted.")
    if RankingCriterion.MATCHES in form.ranking and not form.is_match:
        yield "ranking meeting", Message("format.matches", "matches are counted where a meeting is a match.")


#: The criteria that a format may name. Play-off criteria are added automatically.
_RANKS = tuple(criterion for criterion in RankingCriterion if not criterion.startswith("play_off"))


def _value(name: str, value: object) -> Any:
    """Convert a value to the type of its field. Raises `ValueError`."""
    if name == "ranking":
        return _ranking(value)
    if name != "rules":
        return FIELDS[name].read(value)
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 (the caller reports both alike)
    if value in RULES:
        return value
    rules = read_rules(value)  # `RulesError` is a `ValueError` too
    return rules.name if rules == RULES[rules.name] else rules.label


def _ranking(value: object) -> tuple[RankingCriterion, ...]:
    words = value.split("+") if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not words or any(word not in _RANKS for word in words):
        raise ValueError(value)
    if len(set(words)) != len(words):
        raise ValueError(value)
    return tuple(map(RankingCriterion, words))


def _number(word: str) -> object:
    return int(word) if word.isdecimal() and len(word) < 10 else word
