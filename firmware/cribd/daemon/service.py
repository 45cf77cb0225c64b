"""Runs one board as a service: starts, watches and stops it.

It tells systemd when the board is ready and that it is alive, and ends when a signal comes or a part fails.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cribd import openssl
from cribd.boards import Board
from cribd.boards.loader import file_of
from cribd.clock import SWITCH_S, Clock, SystemClock, wait_for
from cribd.config.config import Config
from cribd.daemon.device import Device, failure_of, open_device
from cribd.daemon.memory import freeze_and_enable_gc, trim_memory
from cribd.daemon.serve_pages import serve_pages
from cribd.daemon.stick_backups import StickBackups
from cribd.display.screen import screen_image
from cribd.drivers.oled import OledDriver
from cribd.first_light import FirstLight
from cribd.inputs import Fault, FaultKind
from cribd.sd_notify import ALIVE, READY, STOPPING, is_restart, notify, watchdog_s
from cribd.storage.journal_file import DiskReadOnly, JournalAway, NewerJournal
from cribd.table.snapshot import Refusal, Snapshot
from cribd.text import load
from cribd.wires import Wires

if TYPE_CHECKING:
    from cribd.daemon.hub_club import HubClub
    from cribd.twin.machine import Twin

#: How long the OLED takes at most to start and show a picture.
_SHOWN_S = 0.5
#: How long after READY everything that a board without pages needs is loaded.
LOADED_AFTER_S = 10.0
#: How long after the start the doctor examines the board: the network is there then.
_EXAMINED_AFTER_S = 60.0


async def serve(
    config: Config,
    board: Board,
    wires: Wires,
    *,
    twin: Twin | None,
    announce: Callable[[str], None],
    stop: asyncio.Event | None = None,
    demo: bool = False,
    config_file: Path | None = None,
    upgrade_journal: bool = True,
    first_light: FirstLight | None = None,
    broker_port: int | None = None,
) -> None:
    """Run one board until `stop` is set.

    Without `stop`, SIGTERM or SIGINT ends the board. With `demo`, robots play. `announce` gets the address of the page
    once that is served. `config_file` was read for `config`, and is copied with the journal. With a `broker_port` the
    board is the hub of a club too, and its broker listens there. Raises what `HubClub` raises, and the exception of a
    part that must never end, after LEDs are dark and the journal is closed. If the disk does not let the journal be
    opened, the OLED says so until the next start, and `JournalAway` is raised."""
    sys.setswitchinterval(SWITCH_S)
    stop = stop or stop_at_signal()
    clock = SystemClock() if twin is None else twin.clock
    resumes_at_once = is_restart()
    if twin is not None:
        first_light = None  # its wires are made with it
    if first_light is not None:
        files = [file for file in (config_file, file_of(config.table.board)) if file is not None]
        chip = f"/dev/gpiochip{wires.pin_factory.chip}"
        first_light.describe(board, files=files, journal=config.journal_path, chip=chip)
    try:
        device, journal = open_device(
            config,
            board,
            wires,
            clock=clock,
            threaded=True,
            simulated=twin is not None,
            upgrade_journal=upgrade_journal,
            first_light=first_light,
            is_hub=broker_port is not None,
        )
    except JournalAway as wrong:
        if first_light is not None:
            first_light.end()
        if not isinstance(wrong, NewerJournal):
            await _show_journal_away(wrong, config, board, wires, clock)
        raise

    backups = StickBackups(config.backup, config.journal_path, config_file, clock)
    beside = [] if twin is None else [asyncio.create_task(twin.run(), name="twin's readers")]
    try:
        club = None if broker_port is None else _open_club(config, device, clock, broker_port)
        await device.start(resumes_at_once=resumes_at_once)
        freeze_and_enable_gc()
        notify(READY)
        beside.append(asyncio.create_task(trim_memory_later(clock), name="memory"))
        pages = serve_pages(config, board, device, twin, clock, announce, backups=backups, club=club, demo=demo)
        beside.append(asyncio.create_task(pages, name="pages"))
        if twin is None:
            beside.append(asyncio.create_task(_examine(config, board, device, clock), name="doctor"))
            beside.append(asyncio.create_task(backups.run(), name="backups"))
        await stay_alive(stop, lambda: device.alive and failure_of(beside) is None, clock)
    finally:
        try:
            await device.stop()  # before the pages, so that they show the board go dark
        finally:
            notify(STOPPING)
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            journal.close()
    if failure := device.failure() or failure_of(beside):
        raise failure


def _open_club(config: Config, device: Device, clock: Clock, broker_port: int) -> HubClub:
    openssl.allow()
    from cribd.daemon.hub_club import HubClub
    from cribd.daemon.own_board import OwnBoard

    reader = config.readers[0].kind if config.readers else ""
    own = partial(OwnBoard, device=device, clock=clock, reader=reader)
    return HubClub(device.competitions, clock, name=config.club.name, broker_port=broker_port, own=own)


async def _show_journal_away(wrong: JournalAway, config: Config, board: Board, wires: Wires, clock: Clock) -> None:
    """Show on the OLED that nothing can be saved."""
    fault = Fault(FaultKind.JOURNAL_AWAY, "journal")
    refusal = Refusal("disk_read_only" if isinstance(wrong, DiskReadOnly) else "not_kept")
    snapshot = Snapshot(faults=(fault,), refusal=refusal, language=config.table.language)
    shown = asyncio.Event()
    screen = OledDriver(board.oled, wires, clock=clock, report=lambda _: shown.set())  # or it is away
    screen.show(screen_image(snapshot, load(config.table.language)))
    showing = asyncio.create_task(screen.run(), name="screen")
    await wait_for(shown, _SHOWN_S, clock)
    showing.cancel()
    await asyncio.gather(showing, return_exceptions=True)


def stop_at_signal() -> asyncio.Event:
    """Return an `asyncio.Event` that SIGTERM or SIGINT sets."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def stay_alive(stop: asyncio.Event, is_alive: Callable[[], bool], clock: Clock) -> None:
    """Notify systemd until `stop` is set or `is_alive` returns False."""
    alive_s = watchdog_s() or 1.0
    while not stop.is_set() and is_alive():
        notify(ALIVE)
        await wait_for(stop, alive_s, clock)


async def trim_memory_later(clock: Clock) -> None:
    """Return memory to the system once everything is loaded."""
    for seconds in (LOADED_AFTER_S, _EXAMINED_AFTER_S):
        await clock.sleep(seconds)
        await clock.run_in_thread(trim_memory)


async def _examine(config: Config, board: Board, device: Device, clock: Clock) -> None:
    """Run the doctor after the start until there is no fault.

    It is imported only then, in a thread."""
    await clock.sleep(_EXAMINED_AFTER_S)
    examination = await clock.run_in_thread(partial(import_module, "cribd.daemon.examination"))
    await examination.Examination(config, board, device, clock).until_no_fault()
