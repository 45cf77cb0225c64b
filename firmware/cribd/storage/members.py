"""The members of the club, in the journal's file.

Unlike games, members may be changed: a name may be corrected or removed.
"""

from __future__ import annotations

from collections.abc import Iterable

from cribboard.validation import Message
from cribd.storage import schema
from cribd.storage.journal_file import JournalDamaged, JournalFile


class Members:
    """The members in the journal's file, each with a number."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def all(self) -> dict[int, str]:
        """Return the names of all readable members by number.

        Raises `JournalDamaged` if none can be read."""
        if not self._file.read(schema.MEMBERS):
            return {}
        try:
            rows = self._file.read("SELECT id, name FROM member ORDER BY id")
        except JournalDamaged:
            rows = [*self._one_by_one()]
        return {number: name for number, name in rows if isinstance(number, int) and isinstance(name, str)}

    def _one_by_one(self) -> Iterable[tuple[object, object]]:
        """Yield the rows of all members that can be read.

        Every row is read by a separate query, so that a damaged page loses only the rows on that page.

        Raises `JournalDamaged`."""
        last, found = self._file.read("SELECT coalesce(max(id), 0) FROM member WHERE id <= 100000")[0][0], 0
        for number in range(1, last + 1):
            try:
                rows = self._file.read("SELECT id, name FROM member WHERE id = ?", number)
            except JournalDamaged:
                continue
            found += len(rows)
            yield from rows
        if last and not found:
            raise JournalDamaged(str(self._file.path), Message("journal.no_member", "no member can be read"))

    def add(self, names: Iterable[str]) -> None:
        """Add members. Raises `JournalAway`."""
        with self._file.transaction():
            self._file.db.executemany("INSERT INTO member (name) VALUES (?)", [(name,) for name in names])
        self._file.fold()

    def correct(self, number: int, name: str) -> None:
        """Rename a member. Raises `JournalAway`."""
        with self._file.transaction():
            self._file.db.execute("UPDATE member SET name = ? WHERE id = ?", (name, number))
        self._file.fold()

    def remove(self, number: int) -> None:
        """Remove a member. Raises `JournalAway`."""
        with self._file.transaction():
            self._file.db.execute("DELETE FROM member WHERE id = ?", (number,))
        self._file.fold()
