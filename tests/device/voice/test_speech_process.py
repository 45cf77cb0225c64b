"""espeak-ng itself, as the board uses it: it speaks into a file here, since no ear listens.

Where it must hang, die or be away, a line of shell stands in its place, and real processes come and go.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import resource
import shlex
import signal
import subprocess
import wave
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from cribd.clock import ManualClock, SystemClock
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.text import languages, load
from cribd.voice.speech_process import Speaker, Speech

AWAY, BACK = Fault(FaultKind.VOICE_AWAY, "voice"), FaultCleared(FaultKind.VOICE_AWAY, "voice")
COUNT = "Fifteen two, fifteen four, and a pair is six."
COMPTE = "Quinze-deux, quinze-quatre, et une paire, six."

#: Writes its number and its words down, and hangs.
HANGS = """sh -c 'for words; do :; done; echo "$$ $words" >>{log}; exec sleep 60' sh"""
#: Writes its words down, and is done.
SPEAKS = """sh -c 'for words; do :; done; echo "$$ $words" >>{log}' sh"""


#: espeak-ng, into a file that is there when it is whole.
INTO_A_FILE = """sh -c 'espeak-ng -w {log}.part "$@" && mv {log}.part {log}.wav' sh"""


async def until(holds: Callable[[], bool], what: str = "it") -> None:
    """Processes take real time."""
    for _ in range(1000):
        if holds():
            return
        await SystemClock().sleep(0.005)
    pytest.fail(f"{what} never came")


class Room:
    """A speaker at work, and what it told."""

    def __init__(self, folder: Path, command: str, *, volume: float = 0.5, speed: int = 160) -> None:
        self.log = folder / "log"
        self.clock = ManualClock()
        self.inputs: list[Input] = []
        self.speaker = Speaker(
            command.format(log=shlex.quote(str(self.log))),
            volume=volume,
            speed=speed,
            clock=self.clock,
            report=self.inputs.extend,
        )
        self.working = asyncio.create_task(self.speaker.run())

    @property
    def causes(self) -> list[str]:
        """The cause of each fault that was reported."""
        return [fault.cause for fault in self.inputs if isinstance(fault, Fault)]

    def say(self, words: str, voice: str = "en-us") -> None:
        self.speaker.say(Speech(words, voice))

    def heard(self) -> list[tuple[int, str]]:
        """The processes that began to speak, with their words."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [(int(number), words) for number, _, words in (line.partition(" ") for line in lines)]

    async def hears(self, words: str) -> int:
        """Until these words are begun; the number of their process."""
        await until(lambda: any(said == words for _, said in self.heard()), words)
        return next(number for number, said in self.heard() if said == words)

    async def tells(self, *inputs: Input) -> None:
        await until(lambda: self.inputs == list(inputs), str(inputs))

    async def leave(self) -> None:
        self.working.cancel()
        await asyncio.gather(self.working, return_exceptions=True)


Open = Callable[..., Room]


@pytest.fixture
async def open_room(tmp_path: Path) -> AsyncIterator[Open]:
    rooms: list[Room] = []

    def opened(command: str, **manner: float) -> Room:
        rooms.append(Room(tmp_path, command, **manner))  # type: ignore[arg-type]
        return rooms[-1]

    yield opened
    for room in rooms:
        await room.leave()


def is_gone(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


async def spoken(room: Room, words: str, voice: str) -> wave.Wave_read:
    """What espeak-ng made of the words."""
    file = room.log.with_suffix(".wav")
    file.unlink(missing_ok=True)
    room.say(words, voice)
    await until(file.exists, words)
    return wave.Wave_read(io.BytesIO(file.read_bytes()))


def seconds(sound: wave.Wave_read) -> float:
    return sound.getnframes() / sound.getframerate()


def loudest(sound: wave.Wave_read) -> int:
    frames = sound.readframes(sound.getnframes())
    return max(abs(int.from_bytes(frames[at : at + 2], "little", signed=True)) for at in range(0, len(frames), 2))


class TestWithEspeakItself:
    """It must be here: `.ci/debian espeak-ng` sees to it."""

    async def test_a_count_is_spoken_in_each_language_by_a_voice_of_its_own(self, open_room: Open) -> None:
        room = open_room(INTO_A_FILE)
        for words, voice in ((COUNT, "en-us"), (COMPTE, "fr-ca")):
            sound = await spoken(room, words, voice)
            assert 2 < seconds(sound) < 6
            assert loudest(sound) > 3000
        english, french = [(await spoken(room, "34", voice)).readframes(100_000) for voice in ("en-us", "fr-ca")]
        assert english != french
        assert room.inputs == []

    async def test_volume_and_speed_are_heard(self, open_room: Open) -> None:
        plain = await spoken(open_room(INTO_A_FILE), COUNT, "en-us")
        soft = await spoken(open_room(INTO_A_FILE, volume=0.1), COUNT, "en-us")
        fast = await spoken(open_room(INTO_A_FILE, speed=300), COUNT, "en-us")
        assert seconds(fast) < seconds(plain) * 0.75
        assert loudest(soft) < loudest(plain) / 2

    async def test_words_that_begin_as_an_option_does_are_words(self, open_room: Open) -> None:
        assert seconds(await spoken(open_room(INTO_A_FILE), "-q --help", "en-us")) > 0.3

    async def test_without_a_sound_card_the_voice_is_away_though_espeak_ends_well(self, open_room: Open) -> None:
        room = open_room("espeak-ng -d plughw:99")
        room.say(COUNT)
        await room.tells(AWAY)
        assert room.causes[0].startswith("espeak-ng: ")

    async def test_a_language_that_it_does_not_speak_is_a_fault_and_no_more(self, open_room: Open) -> None:
        room = open_room(INTO_A_FILE)
        room.say(COUNT, "tlh-x")
        await room.tells(AWAY)
        assert not room.working.done()

    @pytest.mark.parametrize("language", languages())
    def test_every_language_has_a_voice(self, language: str) -> None:
        assert sounds("34", load(language).say("voice.espeak"))

    @pytest.mark.parametrize(
        ("voice", "digits", "words"),
        [
            ("en-us", "31", "thirty-one"),
            ("en-us", "90", "ninety"),
            ("fr-ca", "31", "trente et un"),
            ("fr-ca", "71", "soixante et onze"),
            ("fr-ca", "121", "cent vingt et un"),
        ],
    )
    def test_a_score_in_digits_is_spoken(self, voice: str, digits: str, words: str) -> None:
        assert sounds(digits, voice) == sounds(words, voice)


def sounds(words: str, voice: str) -> str:
    """The phonemes of the words, without pauses and stress."""
    ran = subprocess.run(
        ["espeak-ng", "-v", voice, "-x", "-q", "--", words], capture_output=True, text=True, check=True
    )
    return re.sub(r"[^A-Za-z@]", "", ran.stdout)


class TestOneAfterTheOther:
    async def test_newer_speech_replaces_the_current_one(self, open_room: Open) -> None:
        room = open_room(HANGS)
        room.say("old")
        old = await room.hears("old")
        room.say("new")
        await room.hears("new")
        assert is_gone(old)

    async def test_a_process_that_was_stopped_is_replaced_like_any_other(self, open_room: Open) -> None:
        room = open_room(HANGS)
        room.say("old")
        old = await room.hears("old")
        os.kill(old, signal.SIGSTOP)
        room.say("new")
        await room.hears("new")
        assert is_gone(old)

    async def test_only_the_newest_of_many_announcements_is_spoken(self, open_room: Open) -> None:
        room = open_room(SPEAKS)
        for words in ("one", "two", "three"):
            room.say(words)
        await room.hears("three")
        assert [words for _, words in room.heard()] == ["three"]

    async def test_speech_that_waited_too_long_is_dropped(self, open_room: Open) -> None:
        room = open_room(SPEAKS)
        room.say("stale")
        room.clock.wait(4)
        await room.clock.run_ready_tasks()
        room.say("fresh")
        await room.hears("fresh")
        assert [words for _, words in room.heard()] == ["fresh"]

    async def test_hush_ends_the_current_speech(self, open_room: Open) -> None:
        room = open_room(HANGS)
        room.say("old")
        old = await room.hears("old")
        room.speaker.hush()
        await until(lambda: is_gone(old))
        assert room.inputs == []

    @pytest.mark.slow
    async def test_processes_that_espeak_started_end_with_it(self, open_room: Open, tmp_path: Path) -> None:
        room = open_room("""sh -c 'sleep 60 & echo "$! child" >>{log}; wait' sh""")
        room.say("old")
        child = await room.hears("child")
        room.speaker.hush()
        await until(lambda: is_gone(child))

    async def test_switching_the_board_off_stops_the_voice(self, open_room: Open) -> None:
        room = open_room(HANGS)
        room.say("old")
        old = await room.hears("old")
        await room.leave()
        assert is_gone(old)


#: What espeak-ng 1.51 writes on a machine that has no sound card, and ends well.
NO_CARD = """\
ALSA lib confmisc.c:855:(parse_card) cannot find card '0'
ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default
error: No such file or directory
"""


class TestWhatGoesWrong:
    @pytest.mark.parametrize(
        ("stderr", "why"),
        [
            (NO_CARD, "there is no sound card here"),
            ("error: No such device\n", "there is no sound card here"),
            ("error: Device or resource busy\n", "Device or resource busy"),
            ("Error: No such file or directory.\n", "No such file or directory"),
            ("Error: The specified espeak-ng voice does not exist.\n", "The specified espeak-ng voice does not exist"),
        ],
    )
    async def test_a_sound_card_that_is_missing_is_called_by_its_name(
        self, open_room: Open, tmp_path: Path, stderr: str, why: str
    ) -> None:
        """What was not found is no program, as somebody would read it who is told of a file."""
        program, words = tmp_path / "espeak-ng", tmp_path / "stderr"
        words.write_text(stderr, encoding="utf-8")
        program.write_text(f'#!/bin/sh\ncat "{words}" >&2\n', encoding="utf-8")
        program.chmod(0o755)
        room = open_room(str(program))
        room.say(COUNT)
        await room.tells(AWAY)
        assert room.causes == [f"{program}: {why}"]

    async def test_without_espeak_the_missing_voice_is_reported_once(self, open_room: Open, tmp_path: Path) -> None:
        room = open_room(str(tmp_path / "espeak-ng"))
        await room.tells(AWAY)
        for _ in range(3):
            await room.clock.advance(11)
            room.say("nobody hears it")
            await room.clock.run_ready_tasks()
        assert room.inputs == [AWAY]
        assert room.causes == [f"there is no {tmp_path / 'espeak-ng'} here"]

    async def test_when_it_is_installed_the_board_speaks_without_a_restart(
        self, open_room: Open, tmp_path: Path
    ) -> None:
        program = tmp_path / "espeak-ng"
        room = open_room(f"{program} {{log}}")
        await room.tells(AWAY)
        program.write_text('#!/bin/sh\necho "$$ installed" >>"$1"\n', encoding="utf-8")
        program.chmod(0o755)
        await room.clock.advance(11)
        room.say("now")
        await room.hears("installed")
        await room.tells(AWAY, BACK)

    async def test_out_of_file_handles_the_voice_is_away_and_speaks_again_later(self, open_room: Open) -> None:
        room = open_room(SPEAKS)
        await room.clock.run_ready_tasks()
        few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, most))
        try:
            room.say("nobody hears it")
            await room.clock.run_ready_tasks()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
        await room.tells(AWAY)
        await room.clock.advance(11)
        room.say("now")
        await room.hears("now")
        await room.tells(AWAY, BACK)

    async def test_after_a_failure_the_speaker_pauses(self, open_room: Open) -> None:
        room = open_room("""sh -c 'echo "$$ tried" >>{log}; exit 3' sh""")
        room.say("one")
        await room.tells(AWAY)
        await room.clock.advance(5)
        room.say("two")
        await room.clock.run_ready_tasks()
        assert len(room.heard()) == 1
        assert "ended with status 3" in room.causes[0]

    async def test_one_that_is_killed_is_a_fault_and_the_next_one_speaks(self, open_room: Open) -> None:
        room = open_room(HANGS)
        room.say("old")
        os.kill(await room.hears("old"), signal.SIGKILL)
        await room.tells(AWAY)
        await room.clock.advance(11)
        room.say("new")
        await room.hears("new")

    async def test_a_speaker_that_hangs_is_killed_after_its_time_limit(self, open_room: Open) -> None:
        room = open_room(HANGS)
        room.say("old")
        old = await room.hears("old")
        await room.clock.advance(4)
        assert not is_gone(old)
        await room.clock.advance(10)
        await room.tells(AWAY)
        assert is_gone(old)
        assert room.causes == ["sh does not end"]
