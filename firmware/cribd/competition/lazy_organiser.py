"""The one organiser of a journal, where the desk, the board at its table and the pages ask for it.

The engine of competitions is imported when the organiser is first asked for: a board without one starts without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.storage.journal import Journal, JournalDamaged

if TYPE_CHECKING:
    from cribd.competition.organiser import Organiser


class LazyOrganiser:
    """Opens the organiser of the competitions in the `journal`, once (design law 4)."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self.journal = journal
        self._clock = clock
        self._turn = asyncio.Lock()
        self._organiser: Organiser | None = None

    async def organiser(self) -> Organiser:
        """The owner of the competition, with the one that was begun last."""
        async with self._turn:
            if self._organiser is None:
                make = await self._clock.run_in_thread(_import_organiser)
                organiser = make(self.journal, self._clock)
                await organiser.load()
                self._organiser = organiser
        return self._organiser

    async def wake(self) -> Organiser | None:
        """The owner of the competition, if any was ever begun."""
        return await self.organiser() if await self._clock.run_in_thread(self._is_needed) else None

    def _is_needed(self) -> bool:
        try:
            return self.journal.competitions.newest() > 0
        except JournalDamaged:
            return False


def _import_organiser() -> Callable[[Journal, Clock], Organiser]:
    from cribd.competition.organiser import Organiser

    return Organiser
