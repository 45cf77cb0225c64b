"""The present faults of a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cribboard.validation import listed
from cribd.causes import cause
from cribd.inputs import Fault, FaultCleared, FaultKind
from cribd.storage.journal import Journal

#: The latest game in the journal is damaged, or the whole file was; the fault stands until another game is begun.
_DAMAGED = Fault(FaultKind.GAME_DAMAGED, "journal")
_REBUILT = Fault(FaultKind.JOURNAL_REBUILT, "journal")
_SET_ASIDE = Fault(FaultKind.JOURNAL_SET_ASIDE, "journal")
_SHORT = Fault(FaultKind.JOURNAL_SHORT, "journal")

#: The faults of a journal that cannot be written, and of a damaged one.
_OF_THE_JOURNAL = (FaultKind.JOURNAL_AWAY, FaultKind.JOURNAL_HURT)


class Faults:
    """The present faults of a board, newest last (design law 6)."""

    def __init__(self, journal: Journal) -> None:
        self.now: tuple[Fault, ...] = ()
        if journal.aside is not None:
            self.now = (_SET_ASIDE if journal.rebuilt is None else _REBUILT,)
        if journal.truncated_logs:
            self.now = (*self.now, replace(_SHORT, cause=listed(journal.truncated_logs)))

    def note(self, news: Fault | FaultCleared) -> None:
        """Add a fault, or remove a repaired one."""
        others = tuple(fault for fault in self.now if (fault.kind, fault.where) != (news.kind, news.where))
        self.now = (*others, news) if isinstance(news, Fault) else others

    def note_damaged_game(self, error: Exception) -> None:
        """Add a fault, because the latest game cannot be read."""
        self.note(replace(_DAMAGED, cause=cause(error)))

    def forget_damage(self) -> None:
        """Remove the faults about damage of earlier games."""
        self.now = tuple(fault for fault in self.now if fault not in (_DAMAGED, _REBUILT, _SET_ASIDE, _SHORT))

    def cleared_journal_faults(self) -> Iterator[FaultCleared]:
        """Yield a `FaultCleared` for each fault of the journal."""
        for kind in _OF_THE_JOURNAL:
            if any(fault.kind is kind for fault in self.now):
                yield FaultCleared(kind, "journal")
