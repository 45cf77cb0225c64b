"""A whole game as text: what PGN is to chess.

A record is a heading, the game's lines in order, and the last value of the chain that runs through them. It is read
back to the same events, can be judged again by the rules that it names, and a changed word shows: `docs/record.md`
has the form, with a real game. This module does no I/O; it makes and takes strings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribboard.actions import IllegalAction
from cribboard.cards import NotationError
from cribboard.events import Acted, Event
from cribboard.game import Game
from cribboard.referee import decide
from cribboard.rules import RULES, Rules, Way
from cribboard.spelling import SIDES, Spelling

FORM = "Cribboard record 1"


class RecordError(NotationError):
    """This is no sound record: `line` is the number of the first bad line of the text, `reason` what is wrong."""

    def __init__(self, line: int, text: str, reason: str) -> None:
        super().__init__(text, reason)
        self.line = line
        self.reason = reason
        self.args = (f"line {line}: {reason}: {text!r}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What is settled before the first event. `names` go by side and may be empty; `dealer` is None where the cut
    decides; `date` and `board` are words that the game itself does not read."""

    rules: Rules
    way: Way
    dealer: int | None = None
    names: tuple[str, ...] = ()
    date: str = ""
    board: str = ""

    def __post_init__(self) -> None:
        for word in (*self.names, self.date, self.board):
            if not word.isprintable() or word != word.strip():
                raise NotationError(word, "a heading holds printable words on one line, without space at the ends")

    @property
    def spelling(self) -> Spelling:
        return Spelling(sides=self.rules.deal_and_play.teams)

    def lines(self) -> tuple[str, ...]:
        """The heading as text; the chain begins with it."""
        named = {SIDES[side].capitalize(): name for side, name in enumerate(self.names) if name}
        values = {
            "Rules": self.rules.label,
            "Way": str(self.way),
            "Dealer": "cut" if self.dealer is None else self.spelling.seat(self.dealer),
            **named,
            "Date": self.date,
            "Board": self.board,
        }
        return (FORM, *(f"{key}: {value}" for key, value in values.items() if value))

    def begin(self) -> Game:
        """The game before its first event."""
        return Game.start(self.rules, way=self.way, dealer=self.dealer)


@dataclass(frozen=True, slots=True)
class Record:
    """A heading and every event of a game, undone ones included."""

    heading: Heading
    events: tuple[Event, ...]


def first_link(heading: Heading) -> str:
    """Where the chain begins: 64 hexadecimal digits that only this heading gives."""
    return _digest("\n".join(heading.lines()))


def next_link(link: str, line: str) -> str:
    """The chain after `line`: sha256(previous chain + line)."""
    return _digest(link + line)


def write(record: Record) -> str:
    """The text of a record; it ends with its chain."""
    spelling = record.heading.spelling
    link = first_link(record.heading)
    lines = [*record.heading.lines(), ""]
    for number, event in enumerate(record.events, start=1):
        line = spelling.write(event)
        link = next_link(link, line)
        lines.append(f"{number:>4} {line if isinstance(event, Acted) else '  ' + line}")
    return "\n".join([*lines, "", f"Chain: {link}", ""])


def read(text: str) -> Record:
    """The record that a text holds. Raises `RecordError` with the line and the reason if it is not sound."""
    lines = list(enumerate(text.splitlines(), start=1))
    body = next((at for at, (_, line) in enumerate(lines) if not line.strip()), len(lines))
    heading = _read_heading(lines[:body])
    link = first_link(heading)
    events: list[Event] = []
    for at, line in (each for each in lines[body:] if each[1].strip()):
        word, _, rest = line.strip().partition(" ")
        if word == "Chain:":
            if rest.strip() != link:
                raise RecordError(at, line, "the chain does not fit: a line above was changed, added or left out")
            return Record(heading, tuple(events))
        if word != str(len(events) + 1):
            raise RecordError(at, line, f"wanted line number {len(events) + 1} or the chain")
        try:
            event = heading.spelling.read(rest.strip())
        except NotationError as wrong:
            raise RecordError(at, line, wrong.allowed) from wrong
        link = next_link(link, heading.spelling.write(event))
        events.append(event)
    raise RecordError(len(lines), lines[-1][1] if lines else "", "the record breaks off: its last line is the chain")


def read_heading(text: str) -> Heading:
    """The heading that a text holds, as `Heading.lines` spells it. Raises `RecordError`."""
    return _read_heading(list(enumerate(text.splitlines(), start=1)))


def judge(record: Record) -> Game:
    """Play the record's actions again by its rules, and compare. Raises `RecordError`, counting lines of the text that
    `write` makes, at the first event that the rules would not have given."""
    game = record.heading.begin()
    before = len(record.heading.lines()) + 1
    at = 0
    for act in _acts(record.events):
        line = before + at + 1
        spelled = record.heading.spelling.write(act[0])
        if not isinstance(act[0], Acted):
            raise RecordError(line, spelled, "the record begins with an act")
        try:
            caused = decide(game.position, act[0].action)
        except IllegalAction as refused:
            raise RecordError(line, spelled, f"not allowed: {refused}") from refused
        for offset, (written, due) in enumerate(zip(act, caused, strict=False)):
            if written != due:
                wanted = record.heading.spelling.write(due)
                raise RecordError(line + offset, record.heading.spelling.write(written), f"the rules give: {wanted}")
        if len(act) != len(caused):
            raise RecordError(line + len(act) - 1, spelled, f"the rules give {len(caused)} lines here, not {len(act)}")
        game.hear(caused)
        at += len(act)
    return game


def _acts(events: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    act: list[Event] = []
    for event in events:
        if isinstance(event, Acted) and act:
            yield tuple(act)
            act = []
        act.append(event)
    if act:
        yield tuple(act)


def _read_heading(lines: list[tuple[int, str]]) -> Heading:
    if not lines or lines[0][1].strip() != FORM:
        raise RecordError(1, lines[0][1] if lines else "", f"a record begins with {FORM!r}")
    values: dict[str, tuple[int, str]] = {}
    for at, line in lines[1:]:
        key, colon, after = line.partition(":")
        if not colon or key not in _KEYS or key in values:
            raise RecordError(at, line, f"wanted one of {', '.join(_KEYS)}, each once, with a colon")
        values[key] = (at, after.strip())

    def value(key: str, otherwise: str | None = None) -> tuple[int, str]:
        if key in values:
            return values[key]
        if otherwise is None:
            raise RecordError(len(lines), "", f"the heading lacks {key!r}")
        return (len(lines), otherwise)

    rules = {rules.label: rules for rules in RULES.values()}
    at, label = value("Rules")
    if label not in rules:
        raise RecordError(at, label, f"known rules are {', '.join(rules)}")
    where, way = value("Way")
    if way not in list(Way):
        raise RecordError(where, way, f"a way is one of {', '.join(Way)}")
    sides = rules[label].deal_and_play.teams
    at, dealer = value("Dealer", "cut")
    try:
        seat = None if dealer == "cut" else Spelling(sides=sides).read_seat(dealer)
    except (ValueError, IndexError):
        raise RecordError(at, dealer, f"a dealer is 'cut' or one of {', '.join(SIDES[:sides])}") from None
    names = tuple(value(SIDES[side].capitalize(), "")[1] for side in range(sides))
    return Heading(
        rules=rules[label],
        way=Way(way),
        dealer=seat,
        names=names if any(names) else (),
        date=value("Date", "")[1],
        board=value("Board", "")[1],
    )


_KEYS = ("Rules", "Way", "Dealer", *(side.capitalize() for side in SIDES), "Date", "Board")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
