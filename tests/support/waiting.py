"""How tests wait: for what they see, and never for time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE_S = 10  # of real time; only a test that fails takes it


async def until(true: Callable[[], bool]) -> None:
    """Let network and loop work until this is true; a clock of the test's own stands still."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await asyncio.sleep(0)
