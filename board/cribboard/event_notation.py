"""Write events as lines that a person can read, and read them back.

Each type of event or action has one template, which writes the line and reads it. Nothing else spells events (design
law 5), so journal, record and chain agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from cribboard import actions, events
from cribboard.actions import Action
from cribboard.cards import Card, NotationError
from cribboard.events import Acted, Event
from cribboard.scoring import Combination, Kind

#: The words for the sides, in order.
SIDES = ("blue", "red", "green")

_ACTIONS: Mapping[type, str] = MappingProxyType(
    {
        actions.CutForDeal: "cut {seat} {card}",
        actions.NameDealer: "deal {seat}",
        actions.TurnStarter: "turn {card}",
        actions.LayCard: "lay {seat} {card}",
        actions.GoOnUnread: "unread {side}",
        actions.SayGo: "go {seat}",
        actions.AllPass: "all-pass {seat}",
        actions.TakeBackPass: "take-back-pass {seat}",
        actions.ShowCard: "show {seat} {card}",
        actions.TakePegInHand: "take {side} +{points}",
        actions.PutPegBack: "put-back {side}",
        actions.TakeZero: "zero {side}",
        actions.ReleasePeg: "release {side} by {by}",
        actions.Accept: "accept {side}",
        actions.Challenge: "challenge {side}",
        actions.OpenCount: "next-count {side}",
        actions.ReadCrib: "crib {card}",
        actions.LetLieDead: "dead {side}",
        actions.EndDeal: "end-deal {side}",
        actions.AcceptResult: "accept-result {side}",
        actions.Undo: "undo",
        actions.UndoOfficially: "undo by official",
        actions.Ask: "ask {side} {question}",
        actions.Agree: "agree {side}",
        actions.DropQuestion: "drop",
        actions.BreakOff: "break-off",
    }
)

_EVENTS: Mapping[type, str] = MappingProxyType(
    {
        events.CardCut: "card cut {seat} {card}",
        events.CutTied: "cut tied",
        events.DealBegan: "deal began {dealer}",
        events.ThreeForLast: "three for last {side} +{points}",
        events.StarterTurned: "starter {card}",
        events.StarterUnread: "unread starter",
        events.CardLaid: "laid {seat} {card} count {count}",
        events.CardUnread: "laid {seat} unread",
        events.SaidGo: "said go {seat}",
        events.AllPassed: "all passed {seats}",
        events.PassTakenBack: "pass taken back {seat}",
        events.Reneged: "reneged {seat} {card} count {count}",
        events.RolledBack: "rolled back to go {seat}",
        events.CardDead: "dead {seat} {card}",
        events.CountEnded: "count ended {count} last {last}",
        events.PlayEnded: "play ended",
        events.CountOpened: "counting {seat} {occasion}",
        events.HandCardShown: "hand card {seat} {card}",
        events.CribCardRead: "crib card {card}",
        events.CountUnverified: "unverified {seat} {occasion}",
        events.PegTaken: "peg in hand {side} +{points} doubt {doubt} {timing}",
        events.PegPutBack: "peg put back {side}",
        events.PegReleased: "peg let go {side} +{points} by {by}",
        events.PointsBarred: "barred {side} {points} by {bar}",
        events.ClaimJudged: "judged {side} {verdict} {occasions} called {called} due {due} for {combinations} "
        "by {ground}",
        events.ClaimRuled: "ruled {side} +{points} {verdict} by {ground}",
        events.Pegged: "pegged {side} +{points} = {score}",
        events.SetBack: "set back {side} = {score} back {back} by {ground}",
        events.Awarded: "awarded {side} +{points} by {ground}",
        events.ChallengeRaised: "challenge raised {by} against {against}",
        events.ChallengeWithdrawn: "challenge withdrawn {by}",
        events.MugginsTaken: "muggins in hand {by} +{points}",
        events.MugginsRuled: "muggins {by} {verdict} against {against} called {called} missed {missed} "
        "for {combinations} by {ground}",
        events.ClaimChallenged: "challenged {side} by {by}",
        events.ClaimAccepted: "accepted {side} by {by}",
        events.DealEnded: "deal ended",
        events.DealVoided: "misdeal {dealer}",
        events.CutStands: "cut stands",
        events.GameWon: "won {side}",
        events.ResultAccepted: "result accepted {side}",
        events.ResultFinal: "result final",
        events.Asked: "asked {side} {question}",
        events.Agreed: "agreed {side}",
        events.QuestionDropped: "dropped {question}",
        events.Undone: "undone to {to}",
        events.BrokenOff: "broken off",
    }
)

_AN_ACT = "> "


class Spelling:
    """Write and read the lines of a game with `sides` sides. A seat is spelled by its side: `blue`, `red`, `blue2`.

    >>> spelling = Spelling(sides=2)
    >>> spelling.write(events.Pegged(side=1, points=2, score=14))
    'pegged red +2 = 14'
    >>> spelling.read("> lay blue 10h")
    Acted(action=LayCard(seat=0, card=<TH>))
    """

    def __init__(self, *, sides: int) -> None:
        self._sides = sides

    def write(self, event: Event) -> str:
        """Write `event` as a line."""
        if isinstance(event, Acted):
            return _AN_ACT + self._fill(_ACTIONS, event.action)
        return self._fill(_EVENTS, event)

    def read(self, line: str) -> Event:
        """Read the event of a line. Raises `NotationError`, naming the line, if it is none."""
        if line.startswith(_AN_ACT):
            action: Action = self._match(_action_templates(), line, after=_AN_ACT)
            return Acted(action)
        event: Event = self._match(_event_templates(), line)
        return event

    def seat(self, seat: int) -> str:
        """The word for a seat."""
        again = seat // self._sides
        return SIDES[seat % self._sides] + (str(again + 1) if again else "")

    def side(self, side: int) -> str:
        """The word for a side."""
        return SIDES[side]

    def read_seat(self, word: str) -> int:
        """Read a seat from a word. Raises `ValueError`."""
        again = int(word[-1]) - 1 if word[-1].isdigit() else 0
        return self.read_side(word.rstrip("123")) + again * self._sides

    def read_side(self, word: str) -> int:
        """Read a side from a word. Raises `ValueError`."""
        return SIDES[: self._sides].index(word)

    def _fill(self, table: Mapping[type, str], thing: Any) -> str:
        words = {
            field.name: self._write_value(kind, getattr(thing, field.name))
            for field, kind in zip(fields(thing), _kinds(thing.__class__), strict=True)
        }
        return table[type(thing)].format(**words)

    def _match(self, templates: _Templates, line: str, *, after: str = "") -> Any:
        for form in templates.get(_first_word(line[len(after) :]), ()):
            if found := form.pattern.fullmatch(line, len(after)):
                words = found.groupdict()
                try:
                    return form.make(**{n: self._read_value(kind, words[n]) for n, kind in form.kinds.items()})
                except (ValueError, IndexError) as wrong:
                    allowed = f"wanted: {form.template} ({wrong})"
                    raise NotationError(line, allowed, "template", wanted=form.template) from wrong
        raise NotationError(line, "it is the line of no event that this version knows", "no_event")

    def _write_value(self, kind: Any, value: Any) -> str:
        match kind:
            case "seat":
                return self.seat(value)
            case "side":
                return self.side(value)
            case ("many", element):
                joint = "; " if element is Combination else "+"
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
            case ("many", element):
                joint = "; " if element is Combination else "+"
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
    """A template, compiled to read lines."""

    make: Callable[..., Any]
    template: str
    pattern: re.Pattern[str]
    kinds: Mapping[str, Any]


#: Forms by the first word of their lines, which is never a placeholder.
_Templates: TypeAlias = Mapping[str, Sequence[_LineTemplate]]


@cache
def _action_templates() -> _Templates:
    return _templates(_ACTIONS)


@cache
def _event_templates() -> _Templates:
    return _templates(_EVENTS)


def _templates(table: Mapping[type, str]) -> _Templates:
    templates: dict[str, list[_LineTemplate]] = {}
    for thing, template in table.items():
        templates.setdefault(_first_word(template), []).append(_template(thing, template))
    return templates


def _first_word(line: str) -> str:
    return line.partition(" ")[0]


def _template(thing: type, template: str) -> _LineTemplate:
    kinds = dict(zip((field.name for field in fields(thing)), _kinds(thing), strict=True))
    pattern = re.escape(template)
    for name, kind in kinds.items():
        words = ".+" if kind == ("many", Combination) else r"\S+"
        pattern = pattern.replace(re.escape("{" + name + "}"), f"(?P<{name}>{words})")
    return _LineTemplate(thing, template, re.compile(pattern), kinds)


@cache
def _kinds(thing: Any) -> tuple[Any, ...]:
    """The kind of value in each field of an event or action: `seat`, `side`, a type, or ("many", kind)."""
    hints = get_type_hints(thing, include_extras=True)
    return tuple(_kind(hints[field.name]) for field in fields(thing))


def _kind(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        return get_args(hint)[1]
    if get_origin(hint) is tuple:
        return ("many", _kind(get_args(hint)[0]))
    assert hint in (Card, Combination, int) or issubclass(hint, StrEnum), hint
    return hint
