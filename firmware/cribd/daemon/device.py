"""Connects all parts of one board.

Only this file imports every driver and reader. Drivers and readers send inputs to the table. The table publishes a
snapshot after each change, and `Device` hands it to every publisher in its list: LEDs, OLED, buzzer, voice, pages and
watchers. What blocks runs in threads (design law 4): SPI0 has one of its own, the rest goes through
`Clock.run_in_thread`. The same parts run on a Pi's wires and on the twin's, in real and in virtual time.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cribboard.rules import Way
from cribd.boards import Board
from cribd.causes import cause
from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.config.config import Config, rules_of
from cribd.daemon.board_at_event import BoardAtEvent
from cribd.daemon.fault_log import FaultLog
from cribd.daemon.join_club import ClubAtBoard, can_join
from cribd.daemon.keep_frame import FrameKeeper
from cribd.daemon.power_off import power_of, stay_off
from cribd.daemon.voltage_watch import VoltageWatch
from cribd.display.presenters import BuzzerPresenter, LedPresenter, OledPresenter
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.buzzer import Buzzer
from cribd.drivers.keys import KeyDecoder, Keys
from cribd.drivers.oled import OledDriver
from cribd.drivers.pin_leds import PinLeds
from cribd.drivers.spi_bus import SpiBus
from cribd.first_light import EarlyInputs, EarlyKey, FirstLight
from cribd.inputs import Fault, FaultCleared, FaultKind, Input, UnknownTag
from cribd.languages import languages
from cribd.readers.decks import Decks, folder_of, load_decks
from cribd.readers.ports import Ports
from cribd.readers.scan_resolver import ScanResolver
from cribd.readers.serial_reader import attach
from cribd.storage.journal import Journal, JournalDamaged
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.rebuild import describe_damage
from cribd.table.off_switch import PowerOff
from cribd.table.rule_sets import playable
from cribd.table.settings import Policy, Settings, read_settings
from cribd.table.snapshot import Snapshot, SwitchedOff
from cribd.table.table import Table
from cribd.terminal import complain
from cribd.text import count_judge
from cribd.wires import Wires

if TYPE_CHECKING:
    from cribd.daemon.club_link import ClubLink
    from cribd.voice.voice import Voice

#: How often pins that cannot be opened are tried again.
_RETRY_S = 1.0
#: How often to look whether the screen shows something after the start, and for how long.
_LOOK_S, _LOADED_S = 0.05, 10.0

#: The longest times on a Pi Zero: to answer a press or a card, and to show the snapshot with the answer.
_ANSWER_S, _SEEN_S = 0.25, 0.05

#: Takes each new snapshot, on the loop, and returns at once.
PublishSnapshot = Callable[[Snapshot], None]


class Device:
    """All parts of one board, on the given wires.

    `threaded` says whether SPI0 has a thread of its own; in virtual time it is a task. Where nothing is on SPI0 it has
    neither. `power_off` switches the machine off; it returns only if that fails. A board that `is_hub` of a club joins
    no other. Nothing runs before `start`."""

    def __init__(
        self,
        config: Config,
        board: Board,
        wires: Wires,
        *,
        clock: Clock,
        journal: Journal,
        threaded: bool,
        power_off: PowerOff = stay_off,
        first_light: FirstLight | None = None,
        is_hub: bool = False,
    ) -> None:
        self.board = board
        self._first_light = first_light
        self._config = config
        self._clock = clock
        self._journal = journal
        self._threaded = threaded
        self._snapshot = Snapshot()
        self._tasks: list[asyncio.Task[None]] = []
        self._stopped = False
        self._answers_until = clock.now()
        self._learning: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None

        table, buttons = config.table, config.buttons
        default, house = rules_of(config, board)
        chosen = Settings(
            rules=default.rules, way=Way(table.way), language=table.language, brightness=config.lights.brightness
        )
        self.competitions = LazyOrganiser(journal, clock)
        self.at_event = BoardAtEvent(journal, self.competitions, clock)
        self.club = ClubAtBoard(config, journal, clock) if not is_hub and can_join(config, journal) else None
        self.table = Table(
            board=board,
            journal=journal,
            clock=clock,
            settings=read_settings(journal, chosen, languages=languages(), offered=playable(board, house)),
            policy=Policy(
                languages=languages(),
                pages=count_judge.pages,
                release_after_ms=table.release_after_ms,
                rest_after_s=None if table.rest_after_min is None else 60.0 * table.rest_after_min,
                cards=bool(config.readers or (config.page.port is not None and config.page.pin)),
                house_rules=house,
                names=(table.blue, table.red, table.green),
            ),
            publish=self._publish,
            desk=self.at_event,
            club=self.club,
            power_off=power_off,
        )
        self._bus = SpiBus(
            board,
            wires,
            clock=clock,
            report=self._report_from_thread if threaded else self._post,
            holes=ButtonChain(board, debounce_ms=buttons.debounce_ms, stuck_s=buttons.stuck_s),
            scan_ms=buttons.scan_ms,
        )
        self._screen = OledDriver(board.oled, wires, clock=clock, report=self.table.post)
        decoder = KeyDecoder(
            debounce_ms=buttons.debounce_ms, hold_s=buttons.hold_s, asked_at=lambda: self._screen.first_shown_at
        )
        self._keys = Keys(board, wires, clock=clock, report=self._post, decoder=decoder)
        self._power = VoltageWatch(wires.root, clock=clock, report=self.table.post)
        self._buzzer = Buzzer(board.buzzer_gpio, wires, clock=clock, report=self.table.post, volume=config.sound.volume)
        sides = {track.name: track.side for track in board.tracks}
        self._scan_resolver = ScanResolver(
            Decks().find,
            deck=table.deck,
            sides={reader.name: sides[reader.side] for reader in config.readers if reader.side},
        )
        ports = Ports(wires)
        self._readers = {
            reader.name: attach(reader.wire, ports, clock=clock, report=self._on_scans) for reader in config.readers
        }

        self._pin_leds = PinLeds(board.leds, wires, report=self.table.post)
        self._leds = LedPresenter(
            board,
            gamma=config.lights.gamma,
            settings=lambda: self.table.settings,
            clock=clock,
            send=self._bus.show,
            light=self._show_pin_leds,
        )
        self._drawing = OledPresenter(board, turns=config.screen.faces == "turn", clock=clock, show=self._screen.show)
        sounds = BuzzerPresenter(settings=lambda: self.table.settings, play=self._buzzer.play)
        self._publishers: list[PublishSnapshot] = [
            FaultLog().publish,
            self._reset_scan_resolver,
            self._leds.publish,
            self._drawing.publish,
            sounds.publish,
        ]
        self._link: ClubLink | None = None
        if self.club is not None:
            from cribd.daemon.club_link import ClubLink

            latest = partial(getattr, self.table, "latest")
            self._link = ClubLink(config, journal, clock, self.club, self.at_event, latest, self.table.post)
            self._publishers.append(self._link.publish)
        self._frames: FrameKeeper | None = None
        if first_light is not None:
            self._frames = FrameKeeper(first_light, board.oled, steady=lambda: self._leds.steady, clock=clock)
            self._publishers.append(self._frames.publish)
        self._voice: Voice | None = None
        if config.voice.speaks:
            from cribd.voice.voice import open_voice

            self._voice = open_voice(
                config.voice, clock=clock, report=self.table.post, sound=lambda: self.table.settings.sound
            )
            self._publishers.append(self._voice.publish)

    async def start(self, *, resumes_at_once: bool = False) -> None:
        """Start every part of the board.

        `resumes_at_once`: an unfinished game goes on without a question."""
        self._loop = asyncio.get_running_loop()
        import gpiozero  # noqa: F401 (two threads that import it at once might get half of it)

        early = EarlyInputs(None, {}) if self._first_light is None else self._first_light.end()
        with contextlib.suppress(JournalDamaged):  # the table shows it as a fault
            for damaged in self.table.load(resumes_at_once=resumes_at_once):
                complain(f"A game counts nothing in the match: {damaged}.")
        for name in sorted(self._journal.rotten_settings):
            complain(f"The setting {name!r} cannot be read; it is as before anybody chose.")
        self._start_task(self.table.run(), "table")
        if early.scans is not None:
            self._bus.follow(early.scans)
            self._start_task(self._take_over_scans(), "first scans")
        if self._frames is not None:
            self._start_task(self._frames.run(), "last frame")
        if self._threaded and self.board.on_spi:
            self._thread = threading.Thread(target=self._bus.run, name="spi0", daemon=True)
            self._thread.start()
        elif self.board.on_spi:
            self._start_task(self._bus.drive(), "spi0")
        self._start_task(self._listen_to_keys(early.keys), "keys")
        self._start_task(self._power.run(), "power")
        self._start_task(self._drawing.run(), "draw")
        self._start_task(self._screen.run(), "screen")
        if self._voice is not None:
            self._start_task(self._voice.run(), "voice")
        self._start_task(self.competitions.open_if_begun(), "event")
        self._start_task(self.at_event.run(), "outbox")
        if self._link is not None:
            self._start_task(self._link.run(), "club")
        await self._read_decks()
        for name, reader in self._readers.items():
            self._start_task(reader.run(), f"reader {name}")

    def watch(self, publisher: PublishSnapshot) -> None:
        """Send every new snapshot to this publisher too."""
        self._publishers.append(publisher)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def is_answering(self) -> bool:
        """Whether the board is answering a press or a card.

        Any thread may call this."""
        return self._bus.is_changing or self._clock.now() < self._answers_until

    @property
    def alive(self) -> bool:
        """Whether every part that must run is running."""
        return (self._thread is None or self._thread.is_alive()) and self.failure() is None

    def failure(self) -> BaseException | None:
        """Return the exception that ended a part, or None."""
        return failure_of(self._tasks if self.club is None else [*self._tasks, *self.club.tasks])

    async def stop(self) -> None:
        """Turn LEDs, screen and buzzer off, and end all tasks.

        If one step fails, the others are still done. The screen of a board that is switched off keeps its picture: it
        says when the plug may be pulled."""
        self._stopped = True
        async with contextlib.AsyncExitStack() as steps:  # runs them from the last to the first
            steps.push_async_callback(self._end_tasks)
            if self.club is not None:
                steps.push_async_callback(self.club.stop)
            steps.callback(self._keys.close)
            steps.callback(self._buzzer.close)
            steps.callback(self._pin_leds.close)
            steps.push_async_callback(self._darken_screen)
            steps.push_async_callback(self._darken_leds)

    async def _darken_leds(self) -> None:
        self._leds.darken()
        self._bus.stop()
        if self._thread is not None:
            await self._clock.run_in_thread(partial(self._thread.join, 2))
            if not self._thread.is_alive():
                await self._clock.run_in_thread(self._bus.close)  # a thread that failed has not sent the dark frame

    async def _darken_screen(self) -> None:
        working = [task for task in self._tasks if task.get_name() in ("draw", "screen")]
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        if isinstance(self._snapshot.mode, SwitchedOff):
            self._screen.show(await self._clock.run_in_thread(partial(self._drawing.draw, self._snapshot)))
            await self._screen.finish()
            return
        with contextlib.suppress(OSError):
            await self._screen.darken()

    async def _end_tasks(self) -> None:
        tasks = self._tasks if self._learning is None else [*self._tasks, self._learning]
        for task in tasks:
            if task.get_name() != "spi0":  # it ends by itself once the dark frame is sent
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take_over_scans(self) -> None:
        """Take over the reading of the buttons from `EarlyScans`.

        Wait until the screen is loaded, at most `_LOADED_S`: loading blocks Python's other threads."""
        latest = self._clock.now() + _LOADED_S
        while self._clock.now() < min(self._screen.first_shown_at, latest):
            await self._clock.sleep(_LOOK_S)
        self._bus.take_over()

    async def _listen_to_keys(self, early: Mapping[int, EarlyKey]) -> None:
        """Open the keys' pins, and retry after each failure (law 6)."""
        for attempt in count():
            try:
                self._keys.open(early if attempt == 0 else {})
            except OSError as error:
                if attempt == 0:
                    self.table.post([Fault(FaultKind.KEYS_AWAY, "keys", cause(error))])
                await self._clock.sleep(_RETRY_S)
            else:
                if attempt > 0:
                    self.table.post([FaultCleared(FaultKind.KEYS_AWAY, "keys")])
                return

    def _start_task(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=name))

    def _on_scans(self, inputs: Sequence[Input]) -> None:
        """Send the scanned cards to the table.

        For an unknown tag, read the decks again: the tag may be new."""
        passed = self._scan_resolver.resolve(inputs, self._clock.now())
        if any(isinstance(scan, UnknownTag) for scan in passed):
            self._learning = asyncio.create_task(self._read_decks(), name="decks")
        if passed:
            self._post(passed)

    async def _read_decks(self) -> None:
        if self._readers:
            decks = await self._clock.run_in_thread(partial(load_decks, folder_of(self._config.journal_path)))
            self._scan_resolver.find = decks.find
            complain(*decks.problems)

    def _show_pin_leds(self, lit: frozenset[int]) -> None:
        if self._first_light is not None:
            self._first_light.release_leds()
        self._pin_leds.show(lit)

    def _post(self, inputs: Sequence[Input]) -> None:
        self._answers_until = self._clock.now() + _ANSWER_S
        self.table.post(inputs)

    def _report_from_thread(self, inputs: Sequence[Input]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.table.post, inputs)
            self._answers_until = self._clock.now() + _ANSWER_S

    def _publish(self, snapshot: Snapshot) -> None:
        if self._stopped:
            return
        self._snapshot = snapshot
        self._answers_until = min(self._answers_until, self._clock.now() + _SEEN_S)
        for publish in self._publishers:
            publish(snapshot)

    def _reset_scan_resolver(self, snapshot: Snapshot) -> None:
        """Forget the deck in use when the players may change decks."""
        if snapshot.view is None or snapshot.view.starter is None or snapshot.judging is not None:
            self._scan_resolver.new_deal()


def failure_of(tasks: Iterable[asyncio.Task[None]]) -> BaseException | None:
    """Return the exception of the first failed task, or None."""
    ended = (task for task in tasks if task.done() and not task.cancelled())
    return next(filter(None, (task.exception() for task in ended)), None)


def open_journal_or_another(path: Path, clock: Clock, *, upgrade: bool = True) -> Journal:
    """Open the journal at `path`, or a repaired copy.

    A damaged journal is renamed, and this is reported on stderr. Raises what `open_journal` raises."""
    journal, aside = open_or_repair_journal(path, clock, upgrade=upgrade)
    if aside is not None:
        complain(describe_damage(journal.rebuilt, aside))
    return journal


def open_device(
    config: Config,
    board: Board,
    wires: Wires,
    *,
    clock: Clock,
    threaded: bool,
    simulated: bool = True,
    upgrade_journal: bool = True,
    first_light: FirstLight | None = None,
    is_hub: bool = False,
) -> tuple[Device, Journal]:
    """Open a device and its journal.

    A damaged journal is replaced. Only a board that is not `simulated` can switch its machine off."""
    journal = open_journal_or_another(config.journal_path, clock, upgrade=upgrade_journal)
    power_off = power_of(clock, simulated=simulated)
    device = Device(
        config,
        board,
        wires,
        clock=clock,
        journal=journal,
        threaded=threaded,
        power_off=power_off,
        first_light=first_light,
        is_hub=is_hub,
    )
    return device, journal
