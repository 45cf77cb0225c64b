"""Writes to a failed journal until writing succeeds again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from cribd.clock import Clock
from cribd.inputs import FaultCleared, FaultKind, Input
from cribd.storage.journal import Journal, JournalAway, JournalDamaged

#: How long after a failure the next write is tried.
_RETRY_S = 1.0


class JournalTrial:
    """Tries each second to write to a failed journal, until it works."""

    def __init__(self, journal: Journal, clock: Clock, report: Callable[[Sequence[Input]], None]) -> None:
        self._journal = journal
        self._clock = clock
        self._report = report
        self._running: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin the trial, if it is not running already."""
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._try(), name="journal trial")

    def stop(self) -> None:
        """Stop writing, without a report."""
        if self._running is not None:
            self._running.cancel()

    async def _try(self) -> None:
        while True:
            await self._clock.sleep(_RETRY_S)
            try:
                await self._clock.run_in_thread(self._journal.try_to_write)
            except (JournalAway, JournalDamaged):
                continue
            self._report([FaultCleared(FaultKind.JOURNAL_AWAY, "journal")])
            return
