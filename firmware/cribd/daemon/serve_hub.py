"""Runs a hub: an organiser without a board.

It has the journal, the competitions and the pages of `HubSite`. It has no table, no LEDs and no screen, and opens no
wires.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from cribd.boards import Board
from cribd.clock import Clock, SystemClock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.config.config import Config, rules_of
from cribd.daemon.device import failure_of, open_journal_or_another
from cribd.daemon.memory import freeze_and_enable_gc
from cribd.daemon.service import LOADED_AFTER_S, stay_alive, stop_at_signal, trim_memory_later
from cribd.daemon.stick_backups import StickBackups
from cribd.sd_notify import READY, STOPPING, notify
from cribd.table.rule_sets import PRESETS
from cribd.web.http.listen import address_of, listen
from cribd.web.http.server import serve_on
from cribd.web.kiosk.hub_site import HubSite


async def serve_hub(
    config: Config,
    board: Board,
    *,
    announce: Callable[[str], None],
    config_file: Path | None = None,
    upgrade_journal: bool = True,
    broker_port: int | None = None,
    stop: asyncio.Event | None = None,
) -> bool:
    """Run a hub until `stop` is set.

    Without `stop`, SIGTERM or SIGINT ends the hub. `board` is drawn for the hall, and its house rules are offered;
    `announce` gets the address of the desk. `config_file` was read for `config`, and is copied with the journal. With a
    `broker_port` it is the hub of a club, and its broker listens there. Returns False at once if no page can be served.
    Raises `JournalBusy`, `JournalAway`, what `HubClub` raises, and the exception of a part that must never end."""
    stop = stop or stop_at_signal()
    clock = SystemClock()
    journal = open_journal_or_another(config.journal_path, clock, upgrade=upgrade_journal)
    beside: list[asyncio.Task[None]] = []
    try:
        listeners = [] if config.page.port is None else await listen(config.page.host, config.page.port)
        if not listeners:
            return False
        competitions = LazyOrganiser(journal, clock)
        club = None
        if broker_port is not None:
            from cribd.daemon.hub_club import HubClub

            club = HubClub(competitions, clock, name=config.club.name, broker_port=broker_port)
        default, house = rules_of(config, board)
        site = HubSite(
            board=board,
            offered=(*PRESETS, *house),
            chosen=lambda: default,
            clock=clock,
            competitions=competitions,
            boards=None if club is None else club.desk,
            admission=None if club is None else club.admission,
            language=lambda: config.table.language,
            pin=config.page.pin,
            organiser_pin=config.page.organiser_pin,
            host=config.page.host,
        )
        app = web.Application()
        site.mount(app)
        if club is not None:
            running = club.run(config.page.host, listeners[0].getsockname()[1])
            beside.append(asyncio.create_task(running, name="club"))
        beside += [
            asyncio.create_task(serve_on(listeners, app, clock=clock), name="pages"),
            asyncio.create_task(
                StickBackups(config.backup, config.journal_path, config_file, clock).run(), name="backups"
            ),
            asyncio.create_task(trim_memory_later(clock), name="memory"),
            asyncio.create_task(_collect_later(clock), name="garbage"),
        ]
        announce(f"{address_of(config.page.host, listeners)}/desk")
        notify(READY)
        await stay_alive(stop, lambda: failure_of(beside) is None, clock)
    finally:
        notify(STOPPING)
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        journal.close()
    if failure := failure_of(beside):
        raise failure
    return True


async def _collect_later(clock: Clock) -> None:
    """Turn garbage collection on once everything is loaded.

    The 75,000 loaded objects are left out. The others take 20 ms in a large event: collect a tenth as often."""
    await clock.sleep(LOADED_AFTER_S)
    freeze_and_enable_gc()
    gc.set_threshold(*gc.get_threshold()[:2], 100)
