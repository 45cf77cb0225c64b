"""A board that speaks, as it runs on a desk: a real daemon and the real espeak-ng, which writes what nobody can hear.

Whatever the voice does, the game goes on.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import wave
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.daemon_process import PATIENCE_S, begin_a_game, daemon

pytestmark = pytest.mark.slow

#: Speaks into files: the sound, and beside it the words, each whole as soon as it has its name.
INTO_FILES = (
    """sh -c 'for words; do :; done; espeak-ng -w {log}.$$.part "$@" && echo "$words" >{log}.$$.words """
    """&& mv {log}.$$.part {log}.$$.wav' sh"""
)
#: Writes down its number and its words, and never ends.
HANGS = """sh -c 'for words; do :; done; echo "$$ $words" >>{log}; exec sleep 600' sh"""


def speaking(folder: Path, command: str, language: str = "en") -> tuple[str, str]:
    """The options of a daemon that speaks so."""
    line = command.format(log=shlex.quote(str(folder / "heard")))
    file = folder / "board.toml"
    file.write_text(
        f'[table]\nlanguage = {json.dumps(language)}\n[voice]\non = "on"\ncommand = {json.dumps(line)}\n',
        encoding="utf-8",
    )
    return "--config", str(file)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


def sounds(folder: Path) -> dict[str, float]:
    """What was spoken, and how many seconds each took."""
    spoken = {}
    for file in folder.glob("heard.*.wav"):
        with wave.open(str(file)) as sound:
            seconds = sound.getnframes() / sound.getframerate()
        spoken[file.with_suffix(".words").read_text(encoding="utf-8").strip()] = seconds
    return spoken


def hanging(folder: Path) -> dict[str, int]:
    """What is being spoken for ever, and by which processes."""
    log = folder / "heard"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return {words: int(number) for number, _, words in (line.partition(" ") for line in lines)}


def runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("The starter is the seven of diamonds.", "Fifteen.", "Fifteen for two. Blue, two.")),
        ("fr_CA", ("La retourne : sept de carreau.", "Quinze.", "Quinze pour deux. Bleu, deux.")),
    ],
)
async def test_a_game_is_called_aloud_in_the_language_of_the_table(
    language: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    async with daemon(tmp_path, *speaking(tmp_path, INTO_FILES, language)) as board:
        *before, last = words
        await board.do("blue ok", "4H", "9S", "7D")
        await until(lambda: before[0] in sounds(tmp_path))
        await board.do("TH", "5C")
        await until(lambda: before[1] in sounds(tmp_path))
        await board.do("blue 2", "blue ok")
        await until(lambda: last in sounds(tmp_path))
        assert 1 < sounds(tmp_path)[last] < 5


async def test_a_voice_that_hangs_or_dies_changes_nothing_in_the_game(tmp_path: Path) -> None:
    async with daemon(tmp_path, *speaking(tmp_path, HANGS)) as board:
        await begin_a_game(board)
        await until(lambda: "Fifteen." in hanging(tmp_path))
        os.kill(hanging(tmp_path)["Fifteen."], signal.SIGSTOP)
        await board.do("blue ok")
        await board.until(lambda: board.pegs(0) == (2, 0))
        await until(lambda: "Fifteen for two. Blue, two." in hanging(tmp_path))
        assert not runs(hanging(tmp_path)["Fifteen."])
        os.kill(hanging(tmp_path)["Fifteen for two. Blue, two."], signal.SIGKILL)
        await board.do("KD", "6S", "blue 4", "blue ok")
        await board.until(lambda: board.pegs(0) == (4, 2))
        assert await board.ends(signal.SIGTERM) == 0
    assert not any(runs(number) for number in hanging(tmp_path).values())


async def test_a_board_that_shall_speak_and_has_no_espeak_plays_in_silence(tmp_path: Path) -> None:
    async with daemon(tmp_path, *speaking(tmp_path, str(tmp_path / "espeak-ng"))) as board:
        await board.rests()  # the screen says what is missing before anybody presses
        await begin_a_game(board)
        await board.do("blue ok")
        await board.until(lambda: board.pegs(0) == (2, 0))
