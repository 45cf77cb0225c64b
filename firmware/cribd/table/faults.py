"""The present faults: what is missing or broken, newest last. A fault stays until it is repaired (design law 6)."""

from __future__ import annotations

from cribd.inputs import Fault, FaultKind, Mended


class StandingFaults:
    """The present faults of one board, in `all`."""

    def __init__(self) -> None:
        self.all: tuple[Fault, ...] = ()

    def note(self, news: Fault | Mended) -> None:
        """Add a fault, or remove the one that was repaired. There is one fault for each kind and place."""
        others = tuple(fault for fault in self.all if (fault.kind, fault.where) != (news.kind, news.where))
        self.all = (*others, news) if isinstance(news, Fault) else others

    def has(self, kind: FaultKind) -> bool:
        """Whether there is a fault of this kind now."""
        return any(fault.kind is kind for fault in self.all)
