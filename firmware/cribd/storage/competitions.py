"""Stores competitions in the journal, beside the games.

They are kept as games are: append-only, with a heading and a chain of their own, committed before anything is shown
(design law 5). Damage to one competition costs no other, and no game. The engine is imported where a competition is
read, so that a board without one starts without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from cribboard.validation import Message
from cribd.storage import schema
from cribd.storage.journal_file import ChainedLines, End, JournalDamaged, JournalFile, line_damaged
from cribd.storage.log_lengths import lines_lost, log_name
from cribd.storage.outbox import HandedIn, OutcomeStatus
from cribd.storage.received import Received

if TYPE_CHECKING:
    from cribboard.competition import Competition
    from cribboard.competition.events import CompetitionEvent
    from cribboard.competition.record import CompetitionHeading

#: The namespace of the ids of competitions (version 5 of RFC 9562). Another one would change every id.
_COMPETITIONS = UUID("5b0d2b2e-6c1e-4f0e-9a53-0d6b3c7e41a9")


@dataclass(frozen=True, slots=True)
class StoredCompetition:
    """A competition that was read from the journal.

    It has its number, its id on every machine, its heading, the competition after its last line, and the time of each
    event in ISO 8601."""

    id: int
    uuid: UUID
    heading: CompetitionHeading
    competition: Competition
    times: list[str]


@dataclass(frozen=True, slots=True)
class CompetitionAct:
    """The unwritten events of one act in the competition `stored`."""

    stored: StoredCompetition
    events: Sequence[CompetitionEvent]


@dataclass(frozen=True, slots=True)
class BegunCompetition:
    """The first row of a competition.

    The start time `at` is in ISO 8601. A damaged time or heading is ""."""

    id: int
    at: str
    heading: str

    @property
    def uuid(self) -> UUID:
        """The id of this competition, the same on every machine.

        It is made from rows that never change, so journals of all versions and copies give the same id."""
        return uuid5(_COMPETITIONS, f"{self.at}\n{self.heading}")


class Competitions:
    """The competitions in the journal's file."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self._lines = ChainedLines(file, "competition", "competition_line")
        self.received = Received(file)

    def begin(self, heading: CompetitionHeading) -> StoredCompetition:
        """Begin a competition. Raises `JournalAway`."""
        at = self._file.now()
        text = "\n".join(heading.lines())
        with self._file.transaction():
            row = self._file.db.execute(
                "INSERT INTO competition SELECT 1 + coalesce(max(id), 0), ?, ? FROM competition",
                (text, at),
            )
        assert row.lastrowid is not None
        self._lines.begin(row.lastrowid, heading)
        begun = BegunCompetition(row.lastrowid, at, text)
        return StoredCompetition(begun.id, begun.uuid, heading, heading.begin(), [])

    def append(self, act: CompetitionAct, received: Sequence[tuple[HandedIn, OutcomeStatus]] = ()) -> None:
        """Write the events of an act in one transaction.

        The received outcomes that caused the act are written with the events, each with its answer. The competition
        itself is unchanged. Raises `JournalAway`."""
        stored, stamp = act.stored, self._file.stamp()
        with self._file.transaction():
            end = self._lines.write(stored.id, stored.heading, act.events, stamp)
            self.received.write(stored.id, received)
        self._lines.set_end(stored.id, end)
        at, _, _ = stamp
        stored.times.extend([at] * len(act.events))

    def newest(self) -> int:
        """Return the number of the newest competition, or 0. Raises `JournalDamaged`."""
        return self._file.ask(schema.newest_competition)

    def begun(self) -> tuple[BegunCompetition, ...]:
        """List the first row of every competition.

        Each is read by its own query, so a damaged page of the file costs only that competition. Raises
        `JournalDamaged` if the file cannot be read at all."""
        return tuple(self._begun(number) for number in range(1, self.newest() + 1))

    def _begun(self, number: int) -> BegunCompetition:
        try:
            found = self._file.read("SELECT at, heading FROM competition WHERE id = ?", number)
        except JournalDamaged:
            found = []
        at, heading = found[0] if found else ("", "")
        return BegunCompetition(number, at if isinstance(at, str) else "", heading if isinstance(heading, str) else "")

    def number_of(self, event: UUID) -> int:
        """Find the number of the competition with this id. Raises KeyError, `JournalDamaged`."""
        for number in range(self.newest(), 0, -1):
            if self._begun(number).uuid == event:
                return number
        raise KeyError(event)

    def uuid_of(self, number: int) -> UUID:
        """Return the id of competition `number`.

        If the heading or the start cannot be read, it is not the true id."""
        return self._begun(number).uuid

    def length(self, number: int) -> int:
        """Count the events of competition `number`. Raises `JournalDamaged`."""
        query = "SELECT coalesce(max(number), 0) FROM competition_line WHERE competition = ?"
        return int(self._file.read(query, number)[0][0])

    def competition(self, number: int) -> StoredCompetition:
        """Read competition `number`, to continue from its last line.

        Raises KeyError if there is none, `JournalDamaged` if it is damaged."""
        stored, end = self._read(number)
        self._lines.resume(number, end)
        return stored

    def past(self, number: int) -> StoredCompetition:
        """Read competition `number` only to show it. Raises the same errors as `competition`."""
        stored, _ = self._read(number)
        return stored

    def _read(self, number: int) -> tuple[StoredCompetition, End]:
        from cribboard.cards import NotationError
        from cribboard.competition.record import CompetitionRecord, played, read_heading
        from cribboard.record import read_chained

        where = log_name("competition", number)
        if not 0 < number <= self.newest():
            raise KeyError(number)
        begun = self._begun(number)
        rows = self._file.read(schema.COMPETITION_LINES, number)
        try:
            heading = read_heading(begun.heading)
            events, link = read_chained(heading, [row[:3] for row in rows])
            competition = played(CompetitionRecord(heading, events))
        except NotationError as wrong:
            raise JournalDamaged(where, line_damaged(wrong)) from wrong
        for at, lines in self._file.read(schema.COMPETITION_CHECK, number) if self._file.read(schema.CHECKS) else ():
            if at != begun.at:
                raise JournalDamaged(where, Message("journal.start", "the time when it was begun has changed"))
            if lines != len(rows):
                raise JournalDamaged(where, lines_lost(lines, len(rows)))
        stored = StoredCompetition(number, begun.uuid, heading, competition, [str(row[3]) for row in rows])
        return stored, (len(events), link)

    def rehearse(self, numbers: Sequence[tuple[int]], text: str) -> None:
        """Test whether the journal's file has room for competitions.

        Inserts rows with these numbers and this text. The caller rolls the rows back."""
        db = self._file.db
        first = db.execute("SELECT 1 + coalesce(max(id), 0) FROM competition").fetchone()[0]
        if first > schema.highest_possible_number(db):
            full = Message("journal.full_of_events", "it cannot hold {number} competitions", number=first - 1)
            raise JournalDamaged(str(self._file.path), full)
        db.executemany(f"INSERT INTO competition (id, heading, at) VALUES ({first} - 1 + ?, '{text}', 'at')", numbers)
        db.executemany(f"INSERT INTO competition_line VALUES ({first}, ?, '{text}', 'chain', 'at', '', 0)", numbers)
        db.execute("INSERT INTO competition_game SELECT (SELECT max(id) FROM game), max(id), 1, 1, 1 FROM competition")
