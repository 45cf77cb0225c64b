"""The buzzer: plays a named sound as tones on a PWM pin.

`cribd.display.choose_sound` decides when a sound is due. A sound plays in a task of its own, and a later one
replaces it. It uses gpiozero's PWMOutputDevice and not TonalBuzzer, which knows neither volume nor low notes.

On a Pi the pulses come from lgpio's thread, by software. The thread wakes up to 20 ms late, so no tone is shorter than
40 ms. The duty is cut to whole per cents, so none is below one. The end of the pulses leaves the pin at the level it
had, so the pin is put low after that.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from cribd.causes import cause
from cribd.clock import Clock
from cribd.drivers import pin_errors
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.wires import Wires

BUZZER = "buzzer"  # where the fault is


class Sound(StrEnum):
    """The names of the board's sounds."""

    TICK = "tick"  # a press or a card was taken
    SCORE = "score"  # a peg has moved
    GO = "go"
    ERROR = "error"  # not possible now: the screen says why
    WIN = "win"


Tone = tuple[int, int]  # hertz, milliseconds; 0 hertz is a rest

MELODIES: Mapping[Sound, tuple[Tone, ...]] = {
    Sound.TICK: ((2400, 40),),
    Sound.SCORE: ((1568, 60), (2093, 90)),
    Sound.GO: ((1047, 90), (784, 140)),
    Sound.ERROR: ((220, 110), (0, 60), (220, 160)),
    Sound.WIN: ((1047, 110), (1319, 110), (1568, 110), (0, 30), (1568, 90), (2093, 400)),
}

_SOFTEST = 0.01  # of the time on: the least that lgpio makes


class Buzzer:
    """Plays named sounds as tones.

    Wiring: a passive buzzer from the PWM pin (GPIO 12 or 13) to ground, through a transistor if it draws over 8 mA.

    `volume` is 0 (off: the pin is not even opened) to 1. It works by the width of the pulses, and is rough: up to 0.2
    there is one softest tone. `gpio` is None on a board without a buzzer.
    """

    def __init__(
        self,
        gpio: int | None,
        wires: Wires,
        *,
        clock: Clock,
        report: Callable[[list[Input]], None],
        volume: float = 1.0,
    ) -> None:
        self._gpio = gpio
        self._wires = wires
        self._clock = clock
        self._report = report
        is_heard = volume > 0 and gpio is not None
        self._duty = max(_SOFTEST, volume**2 / 2) if is_heard else 0.0  # half the time on is the loudest there is
        self._device: Any = None
        self._away = False
        self._playing: asyncio.Task[None] | None = None

    def play(self, sound: Sound) -> None:
        """Start a sound in place of the current one.

        Call it on the loop."""
        if not self._duty:
            return
        self._stop()
        self._playing = asyncio.create_task(self._play(MELODIES[sound]), name=f"sound {sound}")

    def close(self) -> None:
        """Stop the sound and close the pin."""
        self._stop()
        self._close_pin()

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None
        if self._device is not None:
            self._set_tone(0)

    async def _play(self, tones: tuple[Tone, ...]) -> None:
        if not self._open():
            return
        for hertz, ms in tones:
            if not self._set_tone(hertz):
                return
            await self._clock.sleep(ms / 1000)
        self._set_tone(0)

    def _open(self) -> bool:
        """Open the pin if it is closed.

        Returns whether it is open. If another program uses the pin, the next sound tries again."""
        from gpiozero import PWMOutputDevice

        if self._device is None:
            try:
                self._device = PWMOutputDevice(self._gpio, frequency=None, pin_factory=self._wires.pin_factory)
            except pin_errors() as error:
                self._report_failure(error)
        return self._device is not None

    def _set_tone(self, hertz: int) -> bool:
        """Set the frequency, or silence for 0. Returns whether this succeeded."""
        try:
            if hertz:
                self._device.frequency = hertz
                self._device.value = self._duty
            else:
                self._device.frequency = None
                self._device.value = 0
        except pin_errors() as error:
            self._report_failure(error)
            return False
        if hertz and self._away:
            self._away = False
            self._report([FaultCleared(FaultKind.BUZZER_AWAY, BUZZER)])
        return True

    def _report_failure(self, error: Exception) -> None:
        self._close_pin()
        if not self._away:
            self._away = True
            self._report([Fault(FaultKind.BUZZER_AWAY, BUZZER, cause(error))])

    def _close_pin(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(*pin_errors()):
                device.close()
