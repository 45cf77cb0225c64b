"""Finds the new address of a club's hub.

The hub is known by its key, so an address of somebody else's does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.storage.journal import Journal
from cribd.storage.journal_file import JournalAway

if TYPE_CHECKING:
    from cribd.club.hub_place import HubPlace
    from cribd.club.membership import Membership

#: How long the board looks for the hub, and how long it then waits until the next search.
LOOK_S, EVERY_S = 10.0, 60.0


class HubSearch:
    """A search for the addresses of the club's hub."""

    def __init__(self, membership: Membership, hub: str, journal: Journal, clock: Clock) -> None:
        self._membership = membership
        self._hub = hub
        self._journal = journal
        self._clock = clock
        self._attempts = 0
        self._task: asyncio.Task[None] | None = None

    def addresses(self) -> Sequence[tuple[str, int]]:
        """Return the addresses at which to try the hub's broker.

        From the second call on, also search for new ones."""
        self._attempts += 1
        if self._attempts > 1 and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._look(), name="hub search")
        return [(address, self._membership.port) for address in self._membership.addresses]

    async def stop(self) -> None:
        """End the search for the hub."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _look(self) -> None:
        discovery = await self._clock.run_in_thread(partial(import_module, "cribd.club.discovery"))
        found: list[HubPlace] = []
        looking = asyncio.create_task(discovery.browse(found.extend, self._clock))
        try:
            await self._clock.sleep(LOOK_S)
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        hosts = [place.host for place in found if place.key == self._hub]
        if hosts and hosts[-1] not in self._membership.addresses:
            await self._keep(hosts[-1])
        await self._clock.sleep(EVERY_S)

    async def _keep(self, host: str) -> None:
        """Put this host first among the addresses of the hub."""
        from cribd.club.membership import SETTING, keep_membership

        addresses = (host, *self._membership.addresses[:2])
        self._membership = member = replace(self._membership, addresses=addresses)
        if self._journal.setting(SETTING):  # the board may have left meanwhile
            try:
                await self._clock.run_in_thread(partial(keep_membership, self._journal, member))
            except JournalAway:
                return
