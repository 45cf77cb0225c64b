"""Serves the pages of one board.

aiohttp and the pages cost a Pi Zero two seconds and 18 MB, so a board on a Pi loads them for the first browser, in a
thread that pauses often (`throttle`): a press is answered meanwhile. The browser waits. The page of a twin is what its
owner looks at, so a twin loads them at once.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from cribd.boards import Board
from cribd.clock import Clock
from cribd.config.config import Config
from cribd.daemon.device import Device
from cribd.daemon.memory import freeze_and_enable_gc
from cribd.daemon.stick_backups import StickBackups
from cribd.daemon.throttle import throttled
from cribd.web.http.listen import address_of, first_connection, listen

if TYPE_CHECKING:
    from cribd.daemon.hub_club import HubClub
    from cribd.twin.machine import Twin


async def serve_pages(
    config: Config,
    board: Board,
    device: Device,
    twin: Twin | None,
    clock: Clock,
    announce: Callable[[str], None],
    *,
    backups: StickBackups | None = None,
    club: HubClub | None = None,
    demo: bool = False,
) -> None:
    """Serve the pages until cancelled.

    Does nothing if pages are switched off, or the configured host cannot be used. `announce` gets the address of the
    first page, the twin's if there is one. The `club` whose hub this machine is runs beside them. With `demo`, robots
    play."""
    if config.page.port is None or not (listeners := await listen(config.page.host, config.page.port)):
        return
    try:
        async with asyncio.TaskGroup() as together:
            if club is not None:
                running = club.run(config.page.host, listeners[0].getsockname()[1])
                together.create_task(running, name="club")
            address = address_of(config.page.host, listeners)
            if twin is None:
                announce(address)
                await first_connection(listeners)
            slowly = partial(throttled, _load_slowly, clock=clock, is_answering=lambda: device.is_answering)
            pages = await clock.run_in_thread(slowly if twin is None else _load_with_twin)
            await pages.serve(
                config,
                board,
                device,
                twin,
                clock,
                listeners,
                ready=lambda path: None if twin is None else announce(address + path),
                backups=backups,
                club=club,
                demo=demo,
            )
    finally:
        for listener in listeners:
            listener.close()


def _load_with_twin() -> ModuleType:
    import_module("cribd.daemon.solo")  # a board without a twin needs none of it
    import_module("cribd.twin.web")
    return import_module("cribd.daemon.pages")


def _load_slowly() -> ModuleType:
    gc.disable()
    try:
        return import_module("cribd.daemon.pages")
    finally:
        freeze_and_enable_gc()
