"""The voice of one board: pictures in, speech out, when there may be any.

Never decides by what is due, and makes nobody wait: it is told of a picture after the lights and the screen, and hands
the words on. Nothing is said in quiet hours, or while the menu's sound is off.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from cribd.clock import Clock
from cribd.config.quiet_hours import QuietHours
from cribd.config.voice import VoiceConfig
from cribd.inputs import Input
from cribd.table.snapshot import Snapshot
from cribd.text import Phrases, languages, load
from cribd.voice.announcing import announcement
from cribd.voice.speaker import Speaker, Speech


def open_voice(
    config: VoiceConfig, *, clock: Clock, tell: Callable[[list[Input]], None], sound: Callable[[], str]
) -> Voice:
    """The voice that the owner has settled on. What is wrong with it is said on stderr."""
    speaker = Speaker(
        config.command,
        volume=config.volume,
        speed=config.speed,
        clock=clock,
        tell=tell,
        complain=partial(print, file=sys.stderr),
    )
    return Voice(speaker, clock=clock, quiet=QuietHours.parse(config.quiet) if config.quiet else None, sound=sound)


class Mouth(Protocol):
    """What says the words: a `Speaker`. Both calls return at once."""

    def say(self, speech: Speech) -> None: ...

    def hush(self) -> None: ...

    async def run(self) -> None: ...


class Voice:
    """Hears of every picture, and has what it announces said by `mouth`. `sound` is the menu's: on or off."""

    def __init__(
        self,
        mouth: Mouth,
        *,
        clock: Clock,
        quiet: QuietHours | None,
        sound: Callable[[], str],
    ) -> None:
        self._mouth = mouth
        self._clock = clock
        self._quiet = quiet
        self._sound = sound
        self._before = Snapshot()
        self._phrases: Mapping[str, Phrases] = {}

    async def run(self) -> None:
        """Speak for ever. The catalogues are read aside, before the first word."""
        self._phrases = await self._clock.run_in_thread(lambda: {language: load(language) for language in languages()})
        await self._mouth.run()

    def hear(self, snapshot: Snapshot) -> None:
        """A new picture; what it announces takes the place of what is being said. Call it on the loop."""
        if snapshot.pending is not None:
            return
        before, self._before = self._before, snapshot
        if not self._may_speak():
            self._mouth.hush()
        elif (phrases := self._phrases.get(snapshot.language)) is not None and (
            words := announcement(snapshot, before, phrases)
        ):
            self._mouth.say(Speech(words, phrases.say("voice.espeak")))

    def _may_speak(self) -> bool:
        time_of_day = self._clock.wall().astimezone().time()
        return self._sound() == "on" and (self._quiet is None or not self._quiet.hold(time_of_day))
