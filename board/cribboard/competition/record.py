"""Records of competitions as text with a hash chain.

The heading has the format whole, field by field, so that a later program with other presets reads it. It is in no
language: names, numbers and codes. Makes and takes strings; does no I/O. `cribboard.record` has the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cribboard import record
from cribboard.cards import NotationError
from cribboard.competition import event_notation
from cribboard.competition.club_format import FormatError, read_whole
from cribboard.competition.competition import Competition
from cribboard.competition.events import CompetitionEvent
from cribboard.competition.formats import FIELDS, VERSION, Format, spelled
from cribboard.competition.rounds import MOST_TABLES
from cribboard.record import EventCodec, NumberedLine, RecordError, must_be_spelled, unreadable, values_of

FORM = "Cribboard competition 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionHeading:
    """A competition's settings before its first event. Raises `NotationError`."""

    format: Format
    name: str = ""  # as people call the competition
    date: str = ""  # of its first day
    tables: int = 0  # 0 until they are known

    def __post_init__(self) -> None:
        for word in (self.name, self.date):
            if not word.isprintable() or word != word.strip():
                raise NotationError(word, "a heading holds printable words on one line, without space at the ends")
        if not 0 <= self.tables <= MOST_TABLES:
            raise NotationError(str(self.tables), f"a competition has 0 to {MOST_TABLES} tables")

    @property
    def spelling(self) -> EventCodec[CompetitionEvent]:
        """The object that writes events and reads them back."""
        return event_notation

    def lines(self) -> tuple[str, ...]:
        """Write the heading as text lines, which begin the chain."""
        form = self.format
        values = {"Name": self.name, "Date": self.date, "Tables": str(self.tables)}
        values |= {"Format": f"{form.name}/{form.version}"}
        values |= {name: spelled(getattr(form, name)) for name in FIELDS} | {"rules": form.game_rules.label}
        return (FORM, *(f"{key}: {value}" for key, value in values.items() if value))

    def begin(self) -> Competition:
        """Begin a new competition of this format."""
        return Competition.start(self.format, tables=self.tables)


@dataclass(frozen=True, slots=True)
class CompetitionRecord:
    """A heading and every event of a competition, including undone events."""

    heading: CompetitionHeading
    events: tuple[CompetitionEvent, ...]


def write(written: CompetitionRecord) -> str:
    """Write a record as text, followed by the chain's last link."""
    return record.write_chained(written.heading, written.events)


def read(text: str) -> CompetitionRecord:
    """Read a record from text that `write` made. Raises `RecordError`.

    The text may have empty lines and any line ends."""
    above, below = record.parts(text)
    heading = _read_heading(above)
    return CompetitionRecord(heading, record.read_below(heading, below))


def read_heading(text: str) -> CompetitionHeading:
    """Read a heading from text that `CompetitionHeading.lines` made. Raises `RecordError`."""
    return _read_heading(record.numbered_lines(text))


def played(read: CompetitionRecord) -> Competition:
    """Replay a record, and return its competition. Raises `RecordError`."""
    competition = read.heading.begin()
    try:
        competition.append(read.events)
    except record.INAPPLICABLE as wrong:
        at = len(competition.log)
        line = event_notation.write(read.events[at])
        raise RecordError(at + 1, line, "cannot_be_applied", kind="competition") from wrong
    return competition


def _read_heading(lines: Sequence[NumberedLine]) -> CompetitionHeading:
    values = values_of(lines, form=FORM, keys=_KEYS, needed=("Tables", "Format", *FIELDS))
    at, label = values["Format"]
    name, _, version = label.partition("/")
    if version not in map(str, range(1, VERSION + 1)):
        raise RecordError(at, label, "formats", newest=VERSION)
    try:
        form = read_whole(name, int(version), {field: values[field][1] for field in FIELDS})
    except FormatError as wrong:
        raise RecordError(at, label, "problems", problems=" ".join(wrong.problems)) from wrong
    at, tables = values["Tables"]
    if not tables.isascii() or not tables.isdecimal() or len(tables) > len(str(MOST_TABLES)):
        raise RecordError(at, tables, "tables", most=MOST_TABLES)
    words = {key: word for key, (_, word) in values.items()}
    try:
        heading = CompetitionHeading(
            format=form, name=words.get("Name", ""), date=words.get("Date", ""), tables=int(tables)
        )
    except NotationError as wrong:
        at = next(at for at, word in values.values() if word == wrong.text)
        raise unreadable(at, wrong) from wrong
    must_be_spelled(heading, lines)
    return heading


_KEYS = ("Name", "Date", "Tables", "Format", *FIELDS)
