"""Write events as readable lines, and read such lines back.

Each type of event or action has one template (`written_as`), by which its line is written and read. Nothing else spells
events (design law 5), so journal, record and chain agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from cribboard.actions import TEMPLATES, Action
from cribboard.cards import Card, NotationError
from cribboard.events import Acted, Event
from cribboard.scoring import Combination, Kind

#: The words for the sides, in order.
SIDES = ("blue", "red", "green")

_AN_ACT = "> "


class Spelling:
    """Writes and reads events as lines, for `sides` sides.

    A seat is spelled by its side, as `blue` or `blue2`.

    >>> from cribboard.events import Pegged
    >>> spelling = Spelling(sides=2)
    >>> spelling.write(Pegged(side=1, points=2, score=14))
    'pegged red +2 = 14'
    >>> spelling.read("> lay blue 10h")
    Acted(action=LayCard(seat=0, card=<TH>))
    """

    def __init__(self, *, sides: int) -> None:
        self._sides = sides

    def write(self, event: Event) -> str:
        """Write `event` as a line."""
        thing: Any = event.action if isinstance(event, Acted) else event
        kinds = _kinds(thing.__class__)
        words = {name: self._write_value(kind, getattr(thing, name)) for name, kind in kinds.items()}
        return (_AN_ACT if isinstance(event, Acted) else "") + TEMPLATES[thing.__class__].format(**words)

    def read(self, line: str) -> Event:
        """Read an event from a line. Raises `NotationError`, which names the line, if the line is not an event."""
        is_act = line.startswith(_AN_ACT)
        for form in _templates(Action if is_act else Event).get(_first_word(line), ()):
            if found := form.pattern.fullmatch(line.removeprefix(_AN_ACT)):
                words = found.groupdict()
                try:
                    thing = form.make(**{n: self._read_value(kind, words[n]) for n, kind in _kinds(form.make).items()})
                except (ValueError, IndexError) as wrong:
                    allowed = f"wanted: {form.template} ({wrong})"
                    raise NotationError(line, allowed, "template", wanted=form.template) from wrong
                return Acted(thing) if is_act else thing
        raise NotationError(line, "it is the line of no event that this version knows", "no_event")

    def seat(self, seat: int) -> str:
        """Return the word for a seat."""
        again = seat // self._sides
        return SIDES[seat % self._sides] + (str(again + 1) if again else "")

    def read_seat(self, word: str) -> int:
        """Return the seat that a word such as `blue2` stands for. Raises `ValueError` for a wrong word."""
        again = int(word[-1]) - 1 if word[-1].isdigit() else 0
        return self.read_side(word.rstrip("123")) + again * self._sides

    def read_side(self, word: str) -> int:
        """Return the side that a word such as `blue` stands for. Raises `ValueError` for a wrong word."""
        return SIDES[: self._sides].index(word)

    def _write_value(self, kind: Any, value: Any) -> str:
        match kind:
            case "seat":
                return self.seat(value)
            case "side":
                return SIDES[value]
            case ("many", element, joint):
                return joint.join(self._write_value(element, item) for item in value) or "nothing"
        if kind is Combination:
            return f"{value.kind}({' '.join(map(str, value.cards))})={value.points}"
        return str(value)

    def _read_value(self, kind: Any, word: str) -> Any:
        match kind:
            case "seat":
                return self.read_seat(word)
            case "side":
                return self.read_side(word)
            case ("many", element, joint):
                return () if word == "nothing" else tuple(self._read_value(element, w) for w in word.split(joint))
        if kind is Combination:
            found = re.fullmatch(r"(\w+)\(([^)]*)\)=(\d+)", word)
            if found is None:
                raise NotationError(word, "wanted: kind(cards)=points")
            return Combination(Kind(found[1]), Card.parse_many(found[2]), int(found[3]))
        if kind is Card:
            return Card.parse(word)
        return kind(word)


@dataclass(frozen=True, slots=True)
class _LineTemplate:
    """The compiled template of one type of event or action."""

    make: Callable[..., Any]
    template: str
    pattern: re.Pattern[str]


@cache
def _templates(union: Any) -> Mapping[str, Sequence[_LineTemplate]]:
    """Compile line templates, by the first word of the line.

    The first word is never a placeholder."""
    templates: dict[str, list[_LineTemplate]] = {}
    for thing in get_args(union):
        if thing is not Acted:
            template = TEMPLATES[thing]
            pattern = re.escape(template)
            for name, kind in _kinds(thing).items():
                words = ".+" if kind == _kind(tuple[Combination, ...]) else r"\S+"
                pattern = pattern.replace(re.escape("{" + name + "}"), f"(?P<{name}>{words})")
            templates.setdefault(_first_word(template), []).append(_LineTemplate(thing, template, re.compile(pattern)))
    return templates


def _first_word(line: str) -> str:
    return line.removeprefix(_AN_ACT).partition(" ")[0]


@cache
def _kinds(thing: Any) -> Mapping[str, Any]:
    """Map each field to the kind of its value.

    A kind is `seat`, `side`, a type, or a tuple for many."""
    return {name: _kind(hint) for name, hint in get_type_hints(thing, include_extras=True).items()}


def _kind(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        return get_args(hint)[1]
    if get_origin(hint) is tuple:
        element = get_args(hint)[0]
        return "many", _kind(element), "; " if element is Combination else "+"
    return hint
