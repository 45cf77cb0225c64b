"""A speaker that makes no sound: it passes on what the board would say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cribd.voice.speech_process import Speech


class FakeSpeaker:
    """Calls `hear` with each speech, and with None where the board breaks off."""

    def __init__(self, hear: Callable[[Speech | None], None]) -> None:
        self._hear = hear

    def say(self, speech: Speech) -> None:
        self._hear(speech)

    def hush(self) -> None:
        self._hear(None)

    async def run(self) -> None:
        await asyncio.Event().wait()
