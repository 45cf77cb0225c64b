"""The faults that stand: what is missing or broken, the newest last, until it is mended (design law 6)."""

from __future__ import annotations

from cribd.inputs import Fault, FaultKind, Mended


class StandingFaults:
    """The faults of one board. `all` are those that stand now."""

    def __init__(self) -> None:
        self.all: tuple[Fault, ...] = ()

    def note(self, news: Fault | Mended) -> None:
        """A fault of this kind and place stands from now on, or no more."""
        others = tuple(fault for fault in self.all if (fault.kind, fault.where) != (news.kind, news.where))
        self.all = (*others, news) if isinstance(news, Fault) else others

    def has(self, kind: FaultKind) -> bool:
        """Whether a fault of this kind stands."""
        return any(fault.kind is kind for fault in self.all)
