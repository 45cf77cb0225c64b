"""Puts together the site of one board.

Importing it takes aiohttp with it, so `serve_pages` does that in a thread, when somebody wants a page.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from socket import socket
from typing import TYPE_CHECKING

from aiohttp import web

from cribd.boards import Board
from cribd.clock import Clock
from cribd.config.config import Config, rules_of
from cribd.daemon.device import Device
from cribd.daemon.examination import Examination
from cribd.daemon.stick_backups import StickBackups
from cribd.daemon.throttle import throttled
from cribd.storage.archive import Archive
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import Lobby, Menu, Playing, Snapshot, SwitchedOff
from cribd.web.http.server import serve_on
from cribd.web.kiosk.pages import links
from cribd.web.kiosk.site import Site

if TYPE_CHECKING:
    from cribd.daemon.hub_club import HubClub
    from cribd.daemon.solo import PlayingAlone
    from cribd.twin.machine import Twin


async def serve(
    config: Config,
    board: Board,
    device: Device,
    twin: Twin | None,
    clock: Clock,
    listeners: Sequence[socket],
    *,
    ready: Callable[[str], None],
    backups: StickBackups | None = None,
    club: HubClub | None = None,
    demo: bool = False,
) -> None:
    """Serve the pages on these listeners until cancelled.

    `ready` gets the path of the first page, the twin's if there is one. `club` is the one whose hub this machine is.
    With `demo`, robots play: at a table of an event what is due there."""
    app = web.Application()
    alone: PlayingAlone | None = None
    offered = (*PRESETS, *rules_of(config, board)[1])
    examination = Examination(config, board, device, clock, wires=None if twin is None else twin.wires)

    def mounted() -> Site:
        site = Site(
            device.table,
            board=board,
            archive=Archive(config.journal_path),
            offered=offered,
            clock=clock,
            pin=config.page.pin,
            competitions=device.competitions,
            organiser_pin=config.page.organiser_pin,
            boards=None if club is None else club.desk,
            admission=None if club is None else club.admission,
            host=config.page.host,
            is_dealt=lambda: alone is not None and alone.page.is_playing,
            examine=examination.in_words,
            backups=backups,
        )
        site.mount(app)
        if twin is None:
            site.get_ready(app)
        return site

    slowly = partial(throttled, mounted, clock=clock, is_answering=lambda: device.is_answering)
    site = await clock.run_in_thread(slowly if twin is None else mounted)
    site.show(device.snapshot)
    device.watch(site.show)
    path = ""
    if twin is not None:
        from cribd.daemon.solo import play_alone
        from cribd.solo.web import SCRIPT
        from cribd.twin.web import TwinPage

        seeds = partial(secrets.token_hex, 16)
        alone = await play_alone(config, board, device, twin, clock, offered=offered, seeds=seeds)
        alone.page.mount(app)
        twin_page = TwinPage(
            twin,
            board,
            clock=clock,
            allows=alone.page.allows,
            beside=SCRIPT,
            pages=links(),
            edition=lambda: site.edition,
        )
        twin_page.mount(app)
        twin_page.show(_beside_the_board(device.snapshot))
        device.watch(lambda snapshot: twin_page.show(_beside_the_board(snapshot)))
        path = "/twin"
    if alone is not None and demo:
        await device.competitions.open_if_begun()
        is_in_club = device.club is not None and device.club.membership is not None
        if is_in_club or device.competitions.board_table is not None:
            await alone.session.watch_event()
        else:
            await alone.session.watch_robots(device.table.settings.rules.label)
    ready(path)
    async with asyncio.TaskGroup() as together:
        if alone is not None:
            together.create_task(alone.turns.run(), name="solo")
        await serve_on(listeners, app, clock=clock)


def _beside_the_board(snapshot: Snapshot) -> dict[str, object]:
    """Return what the twin's page shows beside the simulated board."""
    line: str | None = None
    step: int | None = None
    match snapshot.mode:
        case Menu() as menu:
            line, step = menu.current.line, menu.at
        case Playing() | Lobby.START | Lobby.AGAIN:
            line = ""  # MENU opens it
    off: dict[str, object] = {"off": True} if isinstance(snapshot.mode, SwitchedOff) else {}
    return off | {
        "seen": [str(card) for card in snapshot.seen],
        "language": snapshot.language,
        "menu": line,
        "step": step,
    }
