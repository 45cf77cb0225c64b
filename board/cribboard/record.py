"""Records of games as text, like PGN for chess.

`docs/record.md` has the format, with a real game. A record is a heading, one line for each event, and the last value of
a hash chain through the lines, so a changed word shows. It is read back to the same events, and can be judged again by
the rules that it names. Makes and takes strings; does no I/O.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Generic, Protocol, TypeVar

from cribboard.actions import IllegalAction
from cribboard.cards import NotationError
from cribboard.event_notation import SIDES, Spelling
from cribboard.events import Acted, Event, Undone
from cribboard.evolution import fold
from cribboard.game import Game
from cribboard.position import Position
from cribboard.referee import decide
from cribboard.rules import Rules, RulesError, Way, read_label

FORM = "Cribboard record 1"

E = TypeVar("E")


class EventCodec(Protocol[E]):
    """Writes and reads events as lines; `read` raises `NotationError`."""

    def write(self, event: E, /) -> str: ...

    def read(self, line: str, /) -> E: ...


class ChainHeading(Protocol[E]):
    """The heading of a hash chain of events.

    The chain begins with the lines of the heading."""

    def lines(self) -> tuple[str, ...]: ...

    @property
    def spelling(self) -> EventCodec[E]: ...


#: The errors of applying an event that is impossible after the events before it. `evolve` itself never judges.
INAPPLICABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)

#: What is wrong with a record, by its code.
_REASONS = {
    "begins": "a record begins with {wanted}",
    "begins_with_act": "the record begins with an act",
    "breaks_off": "the record breaks off: its last line is the chain",
    "cannot_be_applied": "no {kind} hears this",
    "chain": "the chain does not fit: a line above was changed, added or left out",
    "chain_last": "the chain is the last line of a record",
    "changed": "it is not what was written",
    "dealer": "a dealer is 'cut' or one of {seats}",
    "due": "the rules give: {wanted}",
    "formats": "this program reads formats up to version {newest}",
    "keys": "wanted one of {keys}, each once, with a colon",
    "lacks": "the heading lacks {key}",
    "lines": "the rules give {due} lines here, not {written}",
    "no_event": "{reason}",
    "not_allowed": "not allowed: {refused}",
    "notation": "{reason}",
    "number": "wanted line number {number} or the chain",
    "otherwise": "it is spelled otherwise: {wanted}",
    "problems": "{problems}",
    "template": "{reason}",
    "tables": "a competition has 0 to {most} tables",
    "way": "a way is one of {ways}",
}


class RecordError(NotationError):
    """The record is unreadable, or contradicts its chain or rules.

    `line` is the number of the first bad line, `reason` a clause that says what is wrong; `code` and `values` give the
    same to programs."""

    def __init__(self, line: int, text: str, code: str, /, **values: object) -> None:
        self.reason = _REASONS[code].format(**values)
        super().__init__(text, self.reason, code, **values)
        self.line = line
        self.args = (f"line {line}: {self.reason}: {text!r}",)


def unreadable(line: int, wrong: NotationError, text: str | None = None) -> RecordError:
    """Make the error for an unreadable line.

    `text` is the whole line, for the case that `wrong` has only a part of it."""
    shown = str(wrong.text) if text is None else text
    return RecordError(line, shown, wrong.code or "notation", **{**wrong.values, "reason": wrong.allowed})


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The settings of a game before its first event. Raises `NotationError` for a value that a record cannot hold."""

    rules: Rules
    way: Way
    dealer: int | None = None  # a seat; None if the cut decides
    names: tuple[str, ...] = ()  # by side, "" for no name; () if there are none
    date: str = ""
    board: str = ""

    def __post_init__(self) -> None:
        for word in (*self.names, self.date, self.board):
            if not word.isprintable() or word != word.strip():
                raise NotationError(word, "a heading holds printable words on one line, without space at the ends")
        try:
            is_named_by_label = read_label(self.rules.label) == self.rules
        except RulesError:
            is_named_by_label = False
        if not is_named_by_label:
            raise NotationError(self.rules.label, "a record names its rules, and these are not what it would name")
        if len(self.names) not in (0, self.rules.deal_and_play.teams):
            raise NotationError(self.names, "a name for every side, or none at all")
        if not any(self.names):
            object.__setattr__(self, "names", ())

    @property
    def spelling(self) -> Spelling:
        """The object that writes this game's events and reads them back."""
        return Spelling(sides=self.rules.deal_and_play.teams)

    def lines(self) -> tuple[str, ...]:
        """Write the heading as lines, with which the chain begins."""
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
        """Begin a new game with the settings of the heading."""
        return Game.start(self.rules, way=self.way, dealer=self.dealer)


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a game, with every event, even if undone."""

    heading: Heading
    events: tuple[Event, ...]


def first_link(heading: ChainHeading[E]) -> str:
    """Compute the first value of the hash chain, in hexadecimal."""
    return next_link("", "\n".join(heading.lines()))


def next_link(link: str, line: str) -> str:
    """Compute the next value of the chain: sha256(previous value + line)."""
    return hashlib.sha256((link + line).encode()).hexdigest()


class ChainReader(Generic[E]):
    """Reads the event lines below a heading.

    It also computes the hash chain. `events` are the events read so far, `link` the chain's value after them."""

    def __init__(self, heading: ChainHeading[E]) -> None:
        self._spelling = heading.spelling
        self.link = first_link(heading)
        self.events: list[E] = []

    def read(self, line: str, at: int, whole: str = "") -> E:
        """Read the event of the next line. Raises `RecordError` with line number `at` if the line is not an event."""
        try:
            event = self._spelling.read(line)
        except NotationError as wrong:
            raise unreadable(at, wrong, whole or line) from wrong
        self.link = next_link(self.link, line)
        self.events.append(event)
        return event


def write(record: Record) -> str:
    """Write a record as text, with its chain."""
    return write_chained(record.heading, record.events)


def read(text: str) -> Record:
    """Read a record from text that `write` made. Raises `RecordError`.

    The text may have empty lines and any line ends."""
    above, below = parts(text)
    heading = _read_heading(above)
    return Record(heading, read_below(heading, below))


def write_chained(heading: ChainHeading[E], events: Iterable[E]) -> str:
    """Write a heading, its events and the chain as text."""
    link = first_link(heading)
    lines = [*heading.lines(), ""]
    for number, event in enumerate(events, start=1):
        link = next_link(link, heading.spelling.write(event))
        lines.append(_numbered(number, event, heading.spelling))
    return "\n".join([*lines, "", f"Chain: {link}", ""])


NumberedLine = tuple[int, str]
"""A line of a text, with its number from 1."""


def parts(text: str) -> tuple[Sequence[NumberedLine], Sequence[NumberedLine]]:
    """Split a text into its heading and the lines below.

    The text may have any line ends."""
    lines = numbered_lines(text)
    body = next((at for at, (_, line) in enumerate(lines) if not line), len(lines))
    return lines[:body], lines[body:]


def read_below(heading: ChainHeading[E], lines: Sequence[NumberedLine]) -> tuple[E, ...]:
    """Read the events below a heading, as written by `write_chained`. Raises `RecordError`."""
    chain = ChainReader(heading)
    written = [line for line in lines if line[1]]
    for place, (at, line) in enumerate(written, start=1):
        word, _, rest = line.strip().partition(" ")
        if word == "Chain:":
            if line != f"Chain: {chain.link}":
                raise RecordError(at, line, "chain")
            if place < len(written):
                raise RecordError(*written[place], "chain_last")
            return tuple(chain.events)
        number = len(chain.events) + 1
        if word != str(number):
            raise RecordError(at, line, "number", number=number)
        event = chain.read(rest.strip(), at, line)
        _must_equal(_numbered(number, event, heading.spelling), at, line)
    last = lines[-1] if lines else (len(heading.lines()), heading.lines()[-1])
    raise RecordError(*last, "breaks_off")


def read_heading(text: str) -> Heading:
    """Read a heading from text that `Heading.lines` made. Raises `RecordError`."""
    return _read_heading(numbered_lines(text))


def read_chained(heading: ChainHeading[E], rows: Iterable[tuple[object, object, object]]) -> tuple[tuple[E, ...], str]:
    """Read the events of a journal from its rows.

    Returns the events, and the last link of the hash chain. A row is number, line and link, each of any type. Raises
    `RecordError` with the number of the first changed row."""
    chain = ChainReader(heading)
    for at, (number, line, link) in enumerate(rows, start=1):
        if not isinstance(line, str) or (number, link) != (at, next_link(chain.link, line)):
            raise RecordError(at, str(line), "changed")
        chain.read(line, at)
    return tuple(chain.events), chain.link


def played(record: Record) -> Game:
    """Replay a record without judging it again.

    Raises `RecordError` with the number of the first event that cannot be applied: the chain proves that nothing was
    changed, not that the writer was right."""
    game = record.heading.begin()
    try:
        game.append(record.events)
    except INAPPLICABLE as wrong:
        line = record.heading.spelling.write(record.events[len(game.log)])
        raise RecordError(len(game.log) + 1, line, "cannot_be_applied", kind="game") from wrong
    return game


def judge(record: Record) -> Game:
    """Replay a record, and check its events.

    Raises `RecordError` at the first event that the rules do not give, with its line in the text that `write` makes."""
    game = record.heading.begin()
    above = len(record.heading.lines()) + 1
    for act in _acts(record.events):
        line = above + len(game.log) + 1
        spelled = record.heading.spelling.write(act[0])
        if not isinstance(act[0], Acted):
            raise RecordError(line, spelled, "begins_with_act")
        try:
            caused = game.decide(act[0].action)
        except IllegalAction as refused:
            raise RecordError(line, spelled, "not_allowed", refused=refused) from refused
        for offset, (written, due) in enumerate(zip(act, caused, strict=False)):
            if written != due:
                wanted, spelled = map(record.heading.spelling.write, (due, written))
                raise RecordError(line + offset, spelled, "due", wanted=wanted)
        if len(act) != len(caused):
            spelled = record.heading.spelling.write(act[-1])
            raise RecordError(line + len(act) - 1, spelled, "lines", due=len(caused), written=len(act))
        game.append(caused)
    return game


def ruled_otherwise(record: Record) -> tuple[int, ...]:
    """Find the acts that today's program judges differently.

    Returns the number of each act's first changed event, from 1. Empty for a record of today's version."""
    if record.heading.rules == record.heading.rules.of_today:
        return ()
    game, found = record.heading.begin(), []
    for act in _acts(record.events):
        today = replace(game.position, rules=game.position.rules.of_today)
        if place := _differs_from(today, act, game.after(act)):
            found.append(len(game.log) + place)
        game.append(act)
    return tuple(found)


def _differs_from(today: Position, act: tuple[Event, ...], after: Position) -> int:
    """Find the act's first event that is different under today's rulings.

    Returns the number of this event in the act, from 1; 0 if they change no event."""
    assert isinstance(act[0], Acted)
    try:
        caused = decide(today, act[0].action)
    except IllegalAction:
        return 1
    if caused != act:
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(act, caused, strict=False))
        return min(1 + len(list(alike)), len(act))
    if isinstance(act[-1], Undone):
        return 0
    then = fold(today, act)
    same_calls = (then.open_windows, then.missed_windows, then.unjudged) == (
        after.open_windows,
        after.missed_windows,
        after.unjudged,
    )
    return 0 if same_calls else len(act)  # the same events, but for another occasion


def _acts(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Split the events into actions, each with its events.

    Each act begins with `Acted`, except perhaps the first act of a bad record."""
    begins = (at for at, event in enumerate(events) if isinstance(event, Acted))
    return (events[begin:end] for begin, end in pairwise(dict.fromkeys((0, *begins, len(events)))))


def numbered_lines(text: str) -> list[NumberedLine]:
    """Split a text into lines, numbered from 1.

    The text may have any line ends."""
    return list(enumerate(text.replace("\r\n", "\n").split("\n"), start=1))


def _numbered(number: int, event: E, spelling: EventCodec[E]) -> str:
    """Write the line of event `number` in a record.

    Events that an action caused are indented."""
    line = spelling.write(event)
    return f"{number:>4} {line if isinstance(event, Acted) else '  ' + line}"


def _must_equal(wanted: str, at: int, line: str) -> None:
    """Raise `RecordError` if the line is not spelled as `wanted`."""
    if line != wanted:
        raise RecordError(at, line, "otherwise", wanted=repr(wanted))


def values_of(
    lines: Sequence[NumberedLine], *, form: str, keys: Sequence[str], needed: Sequence[str]
) -> dict[str, NumberedLine]:
    """Read the values of a heading, with their line numbers.

    Raises `RecordError` for another form, an unknown key, or a missing key of `needed`."""
    if not lines or lines[0][1] != form:
        raise RecordError(1, lines[0][1] if lines else "", "begins", wanted=repr(form))
    values: dict[str, NumberedLine] = {}
    for at, line in lines[1:]:
        key, colon, after = line.partition(":")
        if not colon or key not in keys or key in values:
            raise RecordError(at, line, "keys", keys=", ".join(keys))
        values[key] = (at, after.strip())
    for key in needed:
        if key not in values:
            raise RecordError(len(lines), lines[-1][1], "lacks", key=repr(key))
    return values


def must_be_spelled(heading: ChainHeading[E], lines: Sequence[NumberedLine]) -> None:
    """Raise `RecordError` if a line differs from `heading.lines()`."""
    wanted = heading.lines()
    for at, line in lines:
        _must_equal(wanted[at - 1] if at <= len(wanted) else "", at, line)


def _read_heading(lines: Sequence[NumberedLine]) -> Heading:
    values = values_of(lines, form=FORM, keys=_KEYS, needed=("Rules", "Way", "Dealer"))

    at, label = values["Rules"]
    try:
        rules = read_label(label)
    except RulesError as wrong:
        raise RecordError(at, label, "problems", problems=" ".join(wrong.problems)) from wrong
    where, way = values["Way"]
    if way not in list(Way):
        raise RecordError(where, way, "way", ways=", ".join(Way))
    seats = {Spelling(sides=len(rules.sides)).seat(seat): seat for seat in rules.seats}
    at, dealer = values["Dealer"]
    if dealer != "cut" and dealer not in seats:
        raise RecordError(at, dealer, "dealer", seats=", ".join(seats))
    words = {key: word for key, (_, word) in values.items()}
    try:
        heading = Heading(
            rules=rules,
            way=Way(way),
            dealer=seats.get(dealer),
            names=tuple(words.get(side.capitalize(), "") for side in SIDES[: len(rules.sides)]),
            date=words.get("Date", ""),
            board=words.get("Board", ""),
        )
    except NotationError as wrong:
        at = next(at for at, word in values.values() if word == wrong.text)
        raise unreadable(at, wrong) from wrong
    must_be_spelled(heading, lines)
    return heading


_KEYS = ("Rules", "Way", "Dealer", *(side.capitalize() for side in SIDES), "Date", "Board")
