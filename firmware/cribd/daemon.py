"""The daemon: puts the parts together, and is the only file that knows every one.

It holds no rule, no driver's secret and no picture. What happens here is wiring: facts from the drivers go to the
table, pictures from the table go to lights, screen and buzzer. Threads do what blocks (design law 4): one works SPI0,
the rest is done aside. The same parts run on a Pi's wires and on the twin's, in real time and in virtual time.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cribboard.rules import Way
from cribd.boards import Board
from cribd.clock import Clock, SystemClock
from cribd.config.config import Config, rules_of
from cribd.display.leds import is_won, lights
from cribd.display.sounds import sound_of
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.buzzer import Buzzer
from cribd.drivers.keys import KeyDecoder, Keys
from cribd.drivers.led_strip import StripEncoder
from cribd.drivers.oled import OledDriver
from cribd.drivers.spi_bus import SpiBus
from cribd.inputs import Fault, Input, Kind, Mended, UnknownTag
from cribd.languages import languages
from cribd.readers.decks import Decks, folder_of, load_decks
from cribd.readers.factory import attach
from cribd.readers.scan_filter import ScanFilter
from cribd.sd_notify import ALIVE, READY, STOPPING, notify, watchdog_s
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal, JournalDamaged
from cribd.storage.lock import open_journal
from cribd.table.menu import Settings
from cribd.table.rule_sets import PRESETS, playable
from cribd.table.settings import read_settings
from cribd.table.snapshot import Lobby, Snapshot
from cribd.table.table import Policy, Table
from cribd.terminal import complain
from cribd.text import Phrases, count_judge
from cribd.text import load as load_phrases
from cribd.wires import Wires

if TYPE_CHECKING:
    from cribd.twin.machine import Twin
    from cribd.voice.aloud import Voice

#: With the default of 5 ms a button's scan would otherwise wait for the loop's turn at the interpreter.
_SWITCH_S = 0.0005
#: Who sits at the far edge of the screen reads it upside down.
_ACROSS_DEG = 180
#: How often what could not be opened is tried again.
_AGAIN_S = 1.0


class Device:
    """All parts of one board, on the wires it is given.

    `threaded` says whether SPI0 has a thread of its own; in virtual time it is a task. Nothing runs before `start`.
    """

    def __init__(
        self, config: Config, board: Board, wires: Wires, *, clock: Clock, journal: Journal, threaded: bool
    ) -> None:
        self.board = board
        self._config = config
        self._clock = clock
        self._threaded = threaded
        self._snapshot = Snapshot()
        self._shown_at = self._won_at = clock.now()
        self._watchers: list[Callable[[Snapshot], None]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._stopped = False
        self._blinking: asyncio.Task[None] | None = None
        self._learning: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None
        self._drawn = asyncio.Event()

        table, buttons = config.table, config.buttons
        usual, house = rules_of(config, board)
        chosen = Settings(
            rules=usual.rules, way=Way(table.way), language=table.language, brightness=config.lights.brightness
        )
        self.table = Table(
            board=board,
            journal=journal,
            clock=clock,
            settings=read_settings(journal, chosen, languages=languages(), offered=playable(board, house)),
            policy=Policy(
                languages=languages(),
                pages=count_judge.pages,
                release_after_ms=table.release_after_ms,
                cards=bool(config.readers or _has_pad(config)),
                house_rules=house,
                names=(table.blue, table.red, table.green),
            ),
            publish=self._publish,
        )
        self._phrases: dict[str, Phrases] = {}
        self._encoder = self._encoder_for(self.table.settings)
        self._bright = self.table.settings.brightness
        self._bus = SpiBus(
            board,
            wires,
            clock=clock,
            tell=self._tell_from_thread if threaded else self._tell,
            holes=ButtonChain(board, debounce_ms=buttons.debounce_ms, stuck_s=buttons.stuck_s),
            scan_ms=buttons.scan_ms,
        )
        decoder = KeyDecoder(debounce_ms=buttons.debounce_ms, hold_s=buttons.hold_s)
        self._keys = Keys(board, wires, clock=clock, tell=self._tell, decoder=decoder)
        self._screen = OledDriver(board.oled, wires, clock=clock, tell=self._tell)
        self._buzzer = Buzzer(board.buzzer_gpio, wires, clock=clock, tell=self._tell, volume=config.sound.volume)
        self._voice = self._open_voice() if config.voice.speaks else None
        sides = {track.name: track.side for track in board.tracks}
        self._evidence = ScanFilter(
            Decks().find,
            deck=table.deck,
            sides={reader.name: sides[reader.side] for reader in config.readers if reader.side},
        )
        self._readers = {
            reader.name: attach(
                reader.wire, wires, prefix=reader.prefix, suffix=reader.suffix, clock=clock, tell=self._read
            )
            for reader in config.readers
        }

    async def start(self) -> None:
        """Begin: the board shows what the journal holds, and hears every press from here on."""
        self._loop = asyncio.get_running_loop()
        _import_before_threads()
        try:
            for damaged in self.table.wake():
                complain(f"A game counts nothing in the match: {damaged}.")
        except JournalDamaged as damaged:
            complain(f"The last game cannot be taken up: {damaged}.")
        self._go(self.table.run(), "table")
        if self._threaded:
            self._thread = threading.Thread(target=self._bus.run, name="spi0", daemon=True)
            self._thread.start()
        else:
            self._go(self._bus.drive(), "spi0")
        self._go(self._listen_to_keys(), "keys")
        self._go(self._draw(), "draw")
        self._go(self._screen.run(), "screen")
        if self._voice is not None:
            self._go(self._voice.run(), "voice")
        await self._learn_decks()
        for name, reader in self._readers.items():
            self._go(reader.run(), f"reader {name}")

    def watch(self, watcher: Callable[[Snapshot], None]) -> None:
        """Hand every new picture to `watcher` too; it must not block."""
        self._watchers.append(watcher)

    @property
    def snapshot(self) -> Snapshot:
        """The newest picture."""
        return self._snapshot

    @property
    def alive(self) -> bool:
        """Every part that must run, runs."""
        return (self._thread is None or self._thread.is_alive()) and self.failure() is None

    def failure(self) -> BaseException | None:
        """What ended a part that must never end."""
        for task in self._tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                return task.exception()
        return None

    async def stop(self) -> None:
        """Leave the LEDs dark, the screen off and the buzzer silent; each whatever becomes of the others."""
        self._stopped = True
        async with contextlib.AsyncExitStack() as steps:  # the last that is named is done first
            steps.push_async_callback(self._end_tasks)
            steps.callback(self._keys.close)
            steps.callback(self._buzzer.close)
            steps.push_async_callback(self._darken_screen)
            steps.push_async_callback(self._darken_lights)

    async def _darken_lights(self) -> None:
        """The last frame is dark."""
        self._bus.show(self._encoder.dark)
        self._bus.stop()
        if self._thread is not None:
            await self._clock.run_in_thread(partial(self._thread.join, 2))
            if not self._thread.is_alive():
                await self._clock.run_in_thread(self._bus.close)  # a thread that had died has not sent it

    async def _darken_screen(self) -> None:
        working = [task for task in self._tasks if task.get_name() in ("draw", "screen")]
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        with contextlib.suppress(OSError):
            await self._screen.darken()

    async def _end_tasks(self) -> None:
        tasks = [*self._tasks, *(task for task in (self._blinking, self._learning) if task is not None)]
        for task in tasks:
            if task.get_name() != "spi0":  # it ends by itself, when it has sent the last frame
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen_to_keys(self) -> None:
        """Pins that another program holds are asked for again, until they can be had (law 6)."""
        away = False
        while True:
            try:
                self._keys.open()
            except OSError:
                if not away:
                    away = True
                    self._tell([Fault(Kind.KEYS_AWAY, "keys")])
                await self._clock.sleep(_AGAIN_S)
            else:
                if away:
                    self._tell([Mended(Kind.KEYS_AWAY, "keys")])
                return

    def _go(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=name))

    def _read(self, facts: Sequence[Input]) -> None:
        """What readers say is weighed before the table hears of it. A strange tag may have been taught just now."""
        heard = self._evidence.weigh(facts, self._clock.now())
        if any(isinstance(fact, UnknownTag) for fact in heard):
            self._learning = asyncio.create_task(self._learn_decks(), name="decks")
        if heard:
            self.table.hear(heard)

    async def _learn_decks(self) -> None:
        if self._readers:
            decks = await self._clock.run_in_thread(partial(load_decks, folder_of(self._config.journal_path)))
            self._evidence.learn(decks.find)
            complain(*decks.problems)

    def _tell(self, facts: Sequence[Input]) -> None:
        self.table.hear(facts)

    def _tell_from_thread(self, facts: Sequence[Input]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody is left to be told
            self._loop.call_soon_threadsafe(self.table.hear, facts)

    def _publish(self, snapshot: Snapshot) -> None:
        if self._stopped:  # nothing is lit again
            return
        before, self._snapshot, self._shown_at = self._snapshot, snapshot, self._clock.now()
        if is_won(snapshot) and not is_won(before):
            self._won_at = self._shown_at
        if snapshot.view is None or snapshot.view.starter is None or snapshot.judging is not None:
            self._evidence.new_deal()  # and a hand of any deck may be brought to the count judge
        self._light()
        self._drawn.set()
        sound = sound_of(snapshot, before)
        if sound is not None and self.table.settings.sound == "on":
            self._buzzer.play(sound)
        if self._voice is not None:
            self._voice.hear(snapshot)
        for watcher in self._watchers:
            watcher(snapshot)

    def _light(self) -> None:
        """Send the lights as they are now, and come back when they change by themselves."""
        if self._stopped:
            return
        settings = self.table.settings
        if settings.brightness != self._bright:
            self._bright, self._encoder = settings.brightness, self._encoder_for(settings)
        now = self._clock.now()
        seconds = now - self._shown_at
        glow = lights(self._snapshot, self.board, seconds, since_win=now - self._won_at)
        self._bus.show(self._encoder.encode(glow.lights))
        if self._blinking is not None:
            self._blinking.cancel()
            self._blinking = None
        if isfinite(glow.until):
            self._blinking = asyncio.create_task(self._light_again(glow.until - seconds), name="blink")

    async def _light_again(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._blinking = None
        self._light()

    def _encoder_for(self, settings: Settings) -> StripEncoder:
        return StripEncoder(self.board.strip, brightness=settings.brightness / 100, gamma=self._config.lights.gamma)

    def _open_voice(self) -> Voice:
        from cribd.voice.aloud import open_voice

        config, clock, tell = self._config.voice, self._clock, self._tell
        return open_voice(config, clock=clock, tell=tell, sound=lambda: self.table.settings.sound)

    async def _draw(self) -> None:
        """Draw the newest picture aside and hand it to the screen; those in between are never drawn."""
        while True:
            await self._drawn.wait()
            self._drawn.clear()
            snapshot = self._snapshot
            if snapshot.pending is None:
                self._screen.show(await self._clock.run_in_thread(partial(self._picture, snapshot)))

    def _picture(self, snapshot: Snapshot) -> Any:
        from cribd.display.screen import picture

        if snapshot.language not in self._phrases:
            self._phrases[snapshot.language] = load_phrases(snapshot.language)
        drawn = picture(snapshot, self._phrases[snapshot.language], (self.board.oled.width, self.board.oled.height))
        asked = None if snapshot.view is None or snapshot.lobby is not None else snapshot.view.ask.side
        across = asked is not None and self.board.turn_of(asked) == _ACROSS_DEG
        return drawn.rotate(180) if self._config.screen.faces == "turn" and across else drawn


def _has_pad(config: Config) -> bool:
    """Whether the owner's phone can read cards (7.18)."""
    return config.page.port is not None and bool(config.page.pin)


def _import_before_threads() -> None:
    """Two threads that import parts of a package for the first time may each be given what the other has half done."""
    import gpiozero  # noqa: F401


def open_device(config: Config, board: Board, wires: Wires, *, clock: Clock, threaded: bool) -> tuple[Device, Journal]:
    """A device on its journal. A journal that cannot be read is kept under another name, and said so on stderr."""
    journal, aside = open_journal(config.journal_path, clock)
    if aside is not None:
        complain(f"The journal could not be read; it is kept as {aside}, and a new one begins.")
    return Device(config, board, wires, clock=clock, journal=journal, threaded=threaded), journal


async def serve(
    config: Config,
    board: Board,
    wires: Wires,
    *,
    twin: Twin | None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Run one board until `stop` is set. `announce` is given the address of its page once that is served.

    Raises whatever ended a part that must never end, after the LEDs are dark and the journal is closed.
    """
    sys.setswitchinterval(_SWITCH_S)
    clock = SystemClock()
    device, journal = open_device(config, board, wires, clock=clock, threaded=True)
    pages: asyncio.Task[None] | None = None
    hanging = asyncio.create_task(_hang(twin), name="twin's readers")
    try:
        await device.start()
        notify(READY)
        pages = asyncio.create_task(serve_pages(config, board, device, twin, clock, announce), name="pages")
        alive_s = watchdog_s() or 1.0
        while not stop.is_set() and device.alive and not _has_failed(pages) and not _has_failed(hanging):
            notify(ALIVE)
            await _rest(alive_s, stop, clock)
    finally:
        try:
            await device.stop()  # before the pages, so that whoever looks sees the board go dark
        finally:
            notify(STOPPING)
            beside = [hanging] if pages is None else [hanging, pages]
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            journal.close()
    if (failure := device.failure()) is not None:
        raise failure
    for task in (hanging, pages):
        if _has_failed(task):
            await task


async def _hang(twin: Twin | None) -> None:
    """What hangs on the twin's serial wires works too."""
    if twin is not None:
        await twin.run()


def _has_failed(task: asyncio.Task[None]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is not None


async def _rest(seconds: float, stop: asyncio.Event, clock: Clock) -> None:
    """Until `stop` is set, and so many seconds at the most."""
    waits = {asyncio.create_task(clock.sleep(seconds)), asyncio.create_task(stop.wait())}
    _, still = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for task in still:
        task.cancel()


async def serve_pages(
    config: Config, board: Board, device: Device, twin: Twin | None, clock: Clock, announce: Callable[[str], None]
) -> None:
    """Serve the pages, unless they are off, and beside them the twin's. Their library is heavy: it is fetched aside,
    after the board is ready."""
    if config.page.port is None:
        return
    web, site_of, twin_page_of, serve_app = await clock.run_in_thread(partial(_import_web, with_twin=twin is not None))
    app = web.Application()
    _, house = rules_of(config, board)
    site = site_of(
        device.table,
        board=board,
        archive=Archive(config.journal_path),
        offered=(*PRESETS, *house),
        clock=clock,
        pin=config.page.pin,
        host=config.page.host,
    )
    site.mount(app)
    site.show(device.snapshot)
    device.watch(site.show)
    if twin is not None:
        twin_page = twin_page_of(twin, board, clock=clock)
        twin_page.mount(app)
        twin_page.show(_at_the_table(device.snapshot))
        device.watch(lambda snapshot: twin_page.show(_at_the_table(snapshot)))
    page = "" if twin is None else "twin"
    await serve_app(
        app,
        config.page.host,
        config.page.port,
        clock=clock,
        announce=lambda address: announce(f"{address}/{page}".removesuffix("/")),
    )


def _at_the_table(snapshot: Snapshot) -> dict[str, object]:
    """What people at the board see beside it, for the twin's page."""
    menu_opens = snapshot.lobby is not Lobby.RESUME and snapshot.naming is None
    aside = snapshot.judging or snapshot.looking or snapshot.official
    closed = "" if menu_opens and aside is None else None
    return {
        "seen": [str(card) for card in snapshot.seen],
        "language": snapshot.language,
        "menu": closed if snapshot.menu is None else snapshot.menu.current.line,
        "step": None if snapshot.menu is None else snapshot.menu.at,
    }


def _import_web(*, with_twin: bool) -> tuple[Any, Any, Any, Any]:
    from aiohttp import web

    from cribd.web.http.server import serve_app
    from cribd.web.kiosk.site import Site

    if not with_twin:
        return web, Site, None, serve_app
    from cribd.twin.web import TwinPage

    return web, Site, TwinPage, serve_app


def twin_folder(journal: Path) -> Path:
    """Where the twin's serial wires appear: beside the journal."""
    return journal.parent / "twin"
