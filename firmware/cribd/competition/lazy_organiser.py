"""The one organiser of a journal, opened at its first use.

A desk, a phone, a page and the board at its table use it. The engine of competitions is imported when the organiser is
first asked for: a board without one starts without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.storage.journal import Journal, JournalDamaged

if TYPE_CHECKING:
    from cribd.competition.organiser import Organiser
    from cribd.competition.phones import Phones
    from cribd.competition.snapshot import State


class LazyOrganiser:
    """The organiser of the journal's competitions, opened once (design law 4)."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self.journal = journal
        self._clock = clock
        self._opening = asyncio.Lock()
        self._organiser: Organiser | None = None
        self._publishers: list[Callable[[State], None]] = []

    @property
    def state(self) -> State:
        """The newest snapshot of the current competition.

        A `DamagedCompetition` if it cannot be read. None if there is no current competition, or the organiser is not
        open yet."""
        return None if self._organiser is None else self._organiser.state

    @property
    def board_table(self) -> int | None:
        """The table of the hall at which this board stands.

        None if the board stands at no table, or the organiser is not open yet."""
        return None if self._organiser is None else self._organiser.board_table

    @property
    def board_word(self) -> tuple[str, int]:
        """The desk's text for this board, and the text's number."""
        return ("", 0) if self._organiser is None else self._organiser.board_word

    def phones_of(self, number: int) -> Phones | None:
        """Return the phones of this competition; None before their first use."""
        return None if self._organiser is None else self._organiser.phones_of(number)

    def watch(self, publish: Callable[[State], None]) -> None:
        """Call `publish` with each state of the open organiser."""
        self._publishers.append(publish)
        if self._organiser is not None:
            publish(self._organiser.state)

    async def organiser(self) -> Organiser:
        """Return the organiser, opened at its first use."""
        async with self._opening:
            if self._organiser is None:
                make = await self._clock.run_in_thread(_import_organiser)
                organiser = make(self.journal, self._clock)
                await organiser.load()
                self._organiser = organiser
                organiser.watch(self._publish)
                self._publish(organiser.state)
        return self._organiser

    async def open_if_begun(self) -> None:
        """Open the organiser, if a competition was ever begun."""
        if await self._clock.run_in_thread(self._is_needed):
            await self.organiser()

    def _publish(self, state: State) -> None:
        for publish in self._publishers:
            publish(state)

    def _is_needed(self) -> bool:
        try:
            return self.journal.competitions.newest() > 0
        except JournalDamaged:
            return False


def _import_organiser() -> Callable[[Journal, Clock], Organiser]:
    from cribd.competition.organiser import Organiser

    return Organiser
