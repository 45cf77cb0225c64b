"""Runs espeak-ng, which speaks words: one process for each `Speech`.

The speaker blocks nobody, and says one thing at a time: newer words replace what is being said, and words that have
waited too long are dropped. A process that hangs or is stopped is killed. One that cannot be started, or finds no sound
card, is a fault, and is tried again later (design law 6).

espeak-ng 1.51 ends with status 0 even where there is no sound card. It then writes a line to stderr that begins with
"error:" and has the words of errno: "no such file" for a missing sound card. Other errors are in a line that begins
with "Error:". What the ALSA library writes beside them may mean nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from errno import ENODEV, ENOENT, ENXIO
from functools import partial

from cribboard.validation import Message
from cribd.causes import reason
from cribd.clock import Clock, wait_for_first
from cribd.inputs import Fault, FaultCleared, FaultKind, Input

VOICE = "voice"  # where the fault is

#: Words that have waited this long are dropped.
_STALE_S = 3.0
#: Pause after a failure.
_RETRY_S = 10.0
#: A process hangs once it takes three times as long as its words should, and this much more.
_SLOW_S = 5.0
#: How long a killed process may take to end; the sound driver may hold it.
_KILL_S = 1.0
#: The highest volume of espeak-ng.
_LOUDEST = 200
#: How espeak-ng says that there is no sound card.
_NO_SOUND_CARD = frozenset(f"error: {os.strerror(number)}" for number in (ENODEV, ENOENT, ENXIO))
#: Bytes that are read of a process's stderr, from its end.
_STDERR_BYTES = 4096


class _End(Enum):
    """How the wait for a process ended."""

    OVER = auto()
    REPLACED = auto()
    HANGS = auto()


@dataclass(frozen=True, slots=True)
class Speech:
    """The words to speak, and the espeak-ng voice that speaks them."""

    words: str
    voice: str


class Speaker:
    """Speaks one text at a time, always the newest.

    `command` is espeak-ng, or a program with its options -v, -s and -a before the words. `volume` is 0 to 1, `speed` in
    words a minute. A failure goes to the table by `report`.
    """

    def __init__(
        self,
        command: str,
        *,
        volume: float,
        speed: int,
        clock: Clock,
        report: Callable[[list[Input]], None],
    ) -> None:
        self._command = shlex.split(command)
        self._options = ("-s", str(speed), "-a", str(round(volume * _LOUDEST)))
        self._speed = speed
        self._clock = clock
        self._report = report
        self._next: tuple[Speech, float] | None = None
        self._has_new_speech = asyncio.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._rests_until = clock.now()
        self._away = False

    def say(self, speech: Speech) -> None:
        """Speak this text next, in place of the current text.

        Returns at once. Call `say` on the event loop."""
        self._next = (speech, self._clock.now())
        self._has_new_speech.set()

    def hush(self) -> None:
        """Stop speaking."""
        self._next = None
        self._has_new_speech.set()

    async def run(self) -> None:
        """Speak the newest text passed to `say`, until cancelled."""
        try:
            if await self._clock.run_in_thread(lambda: shutil.which(self._command[0])) is None:
                self._fail(Message("voice.missing", "there is no {program} here", program=self._command[0]))
            while True:
                await self._has_new_speech.wait()
                self._has_new_speech.clear()
                if self._next is not None:
                    (speech, since), self._next = self._next, None
                    if self._clock.now() - since <= _STALE_S and self._may_speak():
                        await self._speak(speech)
        finally:
            await self._end_process()

    def _may_speak(self) -> bool:
        return self._clock.now() >= self._rests_until and (self._process is None or self._process.poll() is not None)

    async def _speak(self, speech: Speech) -> None:
        try:
            with open(os.memfd_create(VOICE), "rb") as errors:
                try:
                    await self._clock.run_in_thread(partial(self._begin, speech, errors.fileno()))
                    end = await self._wait_for_end(speech)
                finally:
                    await self._end_process()
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - _STDERR_BYTES))
                said = errors.read().decode(errors="replace")
        except OSError as wrong:
            self._fail(Message("voice.why", "{program}: {why}", program=self._command[0], why=reason(wrong)))
            return
        match end:
            case _End.OVER:
                self._check(said)
            case _End.HANGS:
                self._fail(Message("voice.hangs", "{program} does not end", program=self._command[0]))
            case _End.REPLACED:
                pass  # it is unknown whether it could be heard

    def _begin(self, speech: Speech, errors: int) -> None:
        """Start the process that speaks, in its own session."""
        self._process = subprocess.Popen(
            [*self._command, "-v", speech.voice, *self._options, "--", speech.words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )

    async def _wait_for_end(self, speech: Speech) -> _End:
        """Wait until the process ends, is replaced or hangs."""
        assert self._process is not None
        limit_s = _SLOW_S + 3 * len(speech.words.split()) * 60 / self._speed
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        process = os.pidfd_open(self._process.pid)  # the loop watches it: no thread waits
        loop.add_reader(process, ended.set)
        try:
            await wait_for_first(ended.wait(), self._has_new_speech.wait(), self._clock.sleep(limit_s))
        finally:
            loop.remove_reader(process)
            os.close(process)
        if ended.is_set():
            return _End.OVER
        return _End.REPLACED if self._has_new_speech.is_set() else _End.HANGS

    async def _end_process(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                await self._clock.run_in_thread(partial(process.wait, _KILL_S))

    def _check(self, errors: str) -> None:
        """Report a failed process, or the end of earlier failures."""
        assert self._process is not None
        lines, status = re.findall(r"(?im)^error:.+$", errors), self._process.returncode
        if lines:
            said = lines[-1][len("error:") :].strip().rstrip(".")
            no_card = Message("voice.no_card", "there is no sound card here")
            why = no_card if lines[-1].strip() in _NO_SOUND_CARD else said
            self._fail(Message("voice.why", "{program}: {why}", program=self._command[0], why=why))
        elif status:
            self._fail(
                Message("voice.status", "{program} ended with status {status}", program=self._command[0], status=status)
            )
        elif self._away:
            self._away = False
            self._report([FaultCleared(FaultKind.VOICE_AWAY, VOICE)])

    def _fail(self, why: str) -> None:
        """Pause, and report the failure, unless the last try failed too."""
        self._rests_until = self._clock.now() + _RETRY_S
        if not self._away:
            self._away = True
            self._report([Fault(FaultKind.VOICE_AWAY, VOICE, why)])
