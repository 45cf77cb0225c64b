"""Copies the journal and the configuration to a USB stick.

The stick has the label `backup.label`. Once a day, at `backup.hour` or at the first moment after it when the board is
on and the stick is there, a copy is made. Law 6: a stick that is missing is no fault, and one that fails harms nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from cribd.causes import reason
from cribd.clock import Clock
from cribd.config.config import BackupConfig
from cribd.storage import stick
from cribd.storage.archive import ArchiveAway
from cribd.storage.stick import StickState
from cribd.terminal import complain

#: How often the board looks for a stick, and how long it waits after a copy that failed.
_LOOKS_S = 60.0
_AGAIN = timedelta(hours=1)


def is_backup_due(folder: Path, hour: int, now: datetime) -> bool:
    """Whether a backup is missing since it was last `hour` o'clock.

    `now` is local time. A copy of a later time is left out: the clock was wrong then, or is now. Raises OSError."""
    latest = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    latest = latest if latest <= now else latest - timedelta(days=1)
    return not any(latest <= made <= now for made, _ in stick.copies(folder))


class StickBackups:
    """The backups of a board on a USB stick."""

    def __init__(self, config: BackupConfig, journal: Path, configuration: Path | None, clock: Clock) -> None:
        self._config = config
        self._journal = journal
        self._configuration = configuration
        self._clock = clock
        self._last: datetime | None = None
        self._problem = ""
        self._failed: datetime | None = None

    async def run(self) -> None:
        """Until cancelled, make a backup on the stick each day."""
        while True:
            await self._clock.run_in_thread(self._copy_if_due)
            await self._clock.sleep(_LOOKS_S)

    async def state(self) -> StickState:
        """Return the state of the stick and of its backups."""
        return await self._clock.run_in_thread(self._state)

    async def make(self) -> StickState:
        """Make a backup now if possible, and return the stick's state."""
        return await self._clock.run_in_thread(self._make)

    # In a thread

    def _now(self) -> datetime:
        return self._clock.wall().astimezone()

    def _state(self) -> StickState:
        folder = stick.find_stick(self._config.label)
        last = self._last
        if folder is not None:
            try:
                last = max((made for made, _ in stick.copies(folder)), default=None)
            except OSError as error:
                return StickState(self._config.label, True, last, reason(error))
        return StickState(self._config.label, folder is not None, last, self._problem)

    def _make(self) -> StickState:
        folder = stick.find_stick(self._config.label)
        if folder is not None:
            self._copy(folder)
        return self._state()

    def _copy_if_due(self) -> None:
        if self._config.hour is None or (folder := stick.find_stick(self._config.label)) is None:
            return
        now = self._now()
        if self._failed is not None and abs(now - self._failed) < _AGAIN:
            return
        try:
            due = is_backup_due(folder, self._config.hour, now)
        except OSError as error:
            self._fail(reason(error), now)
        else:
            if due:
                self._copy(folder)

    def _copy(self, folder: Path) -> None:
        now = self._now()
        try:
            stick.copy_to(folder, self._journal, self._configuration, now)
        except OSError as error:
            self._fail(reason(error), now)
        except ArchiveAway as error:
            self._fail(error.args[0], now)
        else:
            self._last, self._problem, self._failed = now, "", None

    def _fail(self, why: str, now: datetime) -> None:
        if why != self._problem:
            complain(f"No copy is made on the stick {self._config.label}: {why}.")
        self._problem, self._failed = why, now
