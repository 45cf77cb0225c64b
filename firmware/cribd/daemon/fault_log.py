"""Prints a line when a fault comes or goes.

These lines are kept by systemd."""

from __future__ import annotations

from cribd.inputs import Fault, FaultKind
from cribd.table.snapshot import Snapshot
from cribd.terminal import complain

#: Faults that are not printed here: a rebuilt or set-aside journal is printed where the damage is found.
_PRINTED_BEFORE = (FaultKind.JOURNAL_REBUILT, FaultKind.JOURNAL_SET_ASIDE)


class FaultLog:
    """The log of the board's faults on stderr."""

    def __init__(self) -> None:
        self._seen: tuple[Fault, ...] = ()
        self._present: tuple[Fault, ...] = ()

    def publish(self, snapshot: Snapshot) -> None:
        """Print the faults that came or went.

        A journal that was rebuilt or set aside is left out: it is printed where the damage is found."""
        if snapshot.faults is self._seen:
            return
        self._seen = snapshot.faults
        before, self._present = self._present, tuple(f for f in self._seen if f.kind not in _PRINTED_BEFORE)
        for fault in self._present:
            if fault not in before:
                complain(f"Fault {_named(fault)}: {fault.cause}." if fault.cause else f"Fault {_named(fault)}.")
        for fault in before:
            if fault not in self._present:
                complain(f"Mended {_named(fault)}.")


def _named(fault: Fault) -> str:
    return f"{fault.kind.value} ({fault.where})"
