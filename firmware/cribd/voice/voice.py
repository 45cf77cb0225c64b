"""The voice of one board: snapshots in, speech out.

It gets each snapshot after the lights and the screen. It is silent in quiet hours, and while the menu's sound is off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from cribd.clock import Clock
from cribd.config.config import VoiceConfig
from cribd.config.quiet_hours import QuietHours
from cribd.inputs import Input
from cribd.table.snapshot import Snapshot
from cribd.text import Phrases, load_all
from cribd.voice.announcement_text import announcement
from cribd.voice.speech_process import Speaker, Speech


def open_voice(
    config: VoiceConfig, *, clock: Clock, report: Callable[[list[Input]], None], sound: Callable[[], str]
) -> Voice:
    """Build the voice from this configuration."""
    speaker = Speaker(
        config.command,
        volume=config.volume,
        speed=config.speed,
        clock=clock,
        report=report,
    )
    return Voice(speaker, clock=clock, quiet=QuietHours.parse(config.quiet) if config.quiet else None, sound=sound)


class SpeechOutput(Protocol):
    """The methods of a `Speaker` that a voice uses."""

    def say(self, speech: Speech) -> None: ...

    def hush(self) -> None: ...

    async def run(self) -> None: ...


class Voice:
    """Speaks the announcement of each snapshot through `output`.

    It is silent unless the menu's `sound` is on, and in the `quiet` hours."""

    def __init__(
        self, output: SpeechOutput, *, clock: Clock, quiet: QuietHours | None, sound: Callable[[], str]
    ) -> None:
        self._output = output
        self._clock = clock
        self._quiet = quiet
        self._sound = sound
        self._before = Snapshot()
        self._phrases: Mapping[str, Phrases] = {}

    async def run(self) -> None:
        """Read the catalogues in a thread, then speak until cancelled."""
        self._phrases = await self._clock.run_in_thread(load_all)
        await self._output.run()

    def publish(self, snapshot: Snapshot) -> None:
        """Accept a new snapshot, and announce what has changed.

        Call `publish` on the loop. A new announcement replaces the one that is being spoken."""
        if snapshot.pending is not None:
            return
        before, self._before = self._before, snapshot
        if not self._may_speak():
            self._output.hush()
        elif (phrases := self._phrases.get(snapshot.language)) is not None and (
            words := announcement(snapshot, before, phrases)
        ):
            self._output.say(Speech(words, phrases.say("voice.espeak")))

    def _may_speak(self) -> bool:
        time_of_day = self._clock.wall().astimezone().time()
        return self._sound() == "on" and (self._quiet is None or not self._quiet.includes(time_of_day))
