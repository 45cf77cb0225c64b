"""Runs a self-test on the drivers of one board."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from cribd.boards import Board
from cribd.causes import cause
from cribd.clock import Clock, wait_for_first
from cribd.config.config import Config
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.buzzer import Buzzer, Sound
from cribd.drivers.keys import KeyDecoder, Keys
from cribd.drivers.oled import OledDriver
from cribd.drivers.pin_leds import PinLeds
from cribd.drivers.spi_bus import SpiBus
from cribd.drivers.strip_encoder import StripEncoder
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.readers.ports import Ports
from cribd.readers.serial_reader import attach
from cribd.selftest.light_timer import LightTimer
from cribd.selftest.results import StepOutcome
from cribd.selftest.scene import colours, scene_image
from cribd.selftest.steps import HoleStep, SelfTestStep, SoundStep
from cribd.selftest.walk import PersonAnswer, Scene, Walk
from cribd.text import Phrases
from cribd.wires import Wires

#: How often pins that cannot be opened are tried again.
_RETRY_S = 1.0
#: How long the thread of SPI0 may take to send the dark frame.
_DARK_S = 2.0
#: The volume of the tones where the board plays none.
_AUDIBLE = 0.5


class Runner:
    """A self-test on one board.

    `watch` gets every new scene. `threaded` says whether SPI0 has a thread of its own; in virtual time it is a task."""

    def __init__(
        self,
        config: Config,
        board: Board,
        wires: Wires,
        walk: Walk,
        *,
        words: Phrases,
        clock: Clock,
        threaded: bool = True,
        watch: Callable[[Scene], None] = lambda _: None,
    ) -> None:
        self.walk = walk
        self._board = board
        self._watch = watch
        self._clock = clock
        self._threaded = threaded
        self._words = words
        self._shown: Scene | None = None
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._thread: threading.Thread | None = None
        buttons = config.buttons
        self._encoder = StripEncoder(board.strip, gamma=config.lights.gamma)
        self._timer = LightTimer(wires, board, clock, self._note_light)
        self._bus = SpiBus(
            board,
            self._timer,
            clock=clock,
            report=self._report_from_thread,
            holes=ButtonChain(board, debounce_ms=buttons.debounce_ms, stuck_s=buttons.stuck_s),
            scan_ms=buttons.scan_ms,
        )
        decoder = KeyDecoder(debounce_ms=buttons.debounce_ms, hold_s=buttons.hold_s)
        self._keys = Keys(board, wires, clock=clock, report=self._report, decoder=decoder)
        self._pin_leds = PinLeds(board.leds, wires, report=self._report)
        self._screen = OledDriver(board.oled, wires, clock=clock, report=self._report)
        volume = config.sound.volume or _AUDIBLE
        self._buzzer = Buzzer(board.buzzer_gpio, wires, clock=clock, report=self._report, volume=volume)
        ports = Ports(wires)
        self._readers = [attach(reader.wire, ports, clock=clock, report=self._report) for reader in config.readers]

    def answer(self, answer: PersonAnswer) -> None:
        """Take an answer that was not given at the board.

        Call it on the loop."""
        self.walk.answer(answer, self._clock.now())
        self._show()

    async def run(self, stop: asyncio.Event) -> None:
        """Run the self-test to its end, or until `stop` is set.

        Everything is off afterwards. Raises the exception of a part that must never end."""
        import gpiozero  # noqa: F401 (two threads that import it at once might get half of it)

        self._loop = asyncio.get_running_loop()
        self._start_parts()
        try:
            self.walk.begin(self._clock.now())
            self._show()
            while self.walk.step is not None and not stop.is_set():
                self._raise_failure()
                self._changed.clear()
                wait_s = min(_RETRY_S, max(0.0, self.walk.next_due - self._clock.now()))
                await wait_for_first(self._changed.wait(), self._clock.sleep(wait_s), stop.wait())
                self.walk.due(self._clock.now())
                self._show()
        finally:
            await self._stop_parts()

    def _start_parts(self) -> None:
        if self._threaded and self._board.on_spi:
            self._thread = threading.Thread(target=self._bus.run, name="spi0", daemon=True)
            self._thread.start()
        elif self._board.on_spi:
            self._start(self._bus.drive(), "spi0")
        self._start(self._screen.run(), "screen")
        self._start(self._listen_to_keys(), "keys")
        for reader in self._readers:
            self._start(reader.run(), f"reader {reader.name}")

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=name))

    def _raise_failure(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled() and (failure := task.exception()) is not None:
                raise failure
        if self._thread is not None and not self._thread.is_alive():
            raise RuntimeError("the thread of SPI0 has ended")

    async def _stop_parts(self) -> None:
        """Turn all parts off, even if one of them fails."""
        async with contextlib.AsyncExitStack() as steps:  # runs them from the last to the first
            steps.callback(self._keys.close)
            steps.callback(self._buzzer.close)
            steps.callback(self._pin_leds.close)
            steps.push_async_callback(self._screen.darken)
            steps.push_async_callback(self._end_tasks)
            steps.push_async_callback(self._darken_leds)

    async def _darken_leds(self) -> None:
        self._bus.show(self._encoder.dark_frame)
        self._bus.stop()
        if self._thread is not None:
            await self._clock.run_in_thread(partial(self._thread.join, _DARK_S))

    async def _end_tasks(self) -> None:
        for task in self._tasks:
            if task.get_name() != "spi0":  # it ends by itself once the dark frame is sent
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen_to_keys(self) -> None:
        """Open the keys, and retry while another program uses a pin."""
        away = False
        while True:
            try:
                self._keys.open()
            except OSError as error:
                if not away:
                    self._report([Fault(FaultKind.KEYS_AWAY, "keys", cause(error))])
                away = True
                await self._clock.sleep(_RETRY_S)
            else:
                if away:
                    self._report([FaultCleared(FaultKind.KEYS_AWAY, "keys")])
                return

    # What comes in

    def _report_from_thread(self, inputs: Sequence[Input]) -> None:
        if not self._threaded:
            self._report(inputs)
            return
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._report, inputs)

    def _report(self, inputs: Sequence[Input]) -> None:
        asked = self.walk.step
        self.walk.take(inputs, self._clock.now())
        result = None if asked is None else self.walk.results.get(asked)
        pressed = asked if isinstance(asked, HoleStep) and result and result.outcome is StepOutcome.OK else None
        self._show(pressed)
        self._changed.set()

    def _note_light(self, step: SelfTestStep, ms: float) -> None:
        """Note the milliseconds between a press and its light.

        The bus thread calls this."""
        if not self._threaded:
            self.walk.lit(step, ms)
            return
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.walk.lit, step, ms)

    # What is shown

    def _show(self, pressed: SelfTestStep | None = None) -> None:
        """Show the scene if it has changed."""
        scene, before = self.walk.scene, self._shown
        if scene == before:
            return
        self._shown = scene
        lit, count = colours(scene, self.walk.results), self._board.strip.count
        frame = self._encoder.encode({led: colour for led, colour in lit.items() if led < count})
        if pressed is not None:
            self._timer.expect(pressed, frame)
        if isinstance(scene.step, HoleStep):
            self._timer.watch(self._board.tracks[scene.step.side].holes[scene.step.hole - 1].input)
        self._bus.show(frame)
        self._pin_leds.show({pin.gpio for led, pin in enumerate(self._board.leds, start=count) if led in lit})
        self._screen.show(scene_image(scene, self._words))
        if before is None or (scene.step, scene.plays, scene.note) != (before.step, before.plays, before.note):
            if isinstance(scene.step, SoundStep):
                self._buzzer.play(scene.step.sound)
            elif scene.note is not None:
                self._buzzer.play(Sound.ERROR)
        self._watch(scene)
