"""How far a command is that reads many games: a bar at a real terminal, if it lasts, and nothing of it afterwards."""

from __future__ import annotations

import os
import pty
import re
import select
import termios
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TextIO

import pytest
from tests.support.catalogues import phrase
from tests.support.kept_games import game_of, keep
from tests.support.places import A_GAME

from cribboard.rules import Way
from cribd.__main__ import main
from cribd.cli import progress
from cribd.cli.progress import draw
from cribd.clock import SystemClock

#: The longest wait for what was printed, or for the end of the terminal.
_PATIENCE_MS = 10_000
#: Takes the bar away.
ERASED = "\r\x1b[K"


class Slow(SystemClock):
    """A clock by which each look is half a second after the last one."""

    def __init__(self) -> None:
        self._looks = 0

    def now(self) -> float:
        self._looks += 1
        return self._looks / 2


class Terminal:
    """A real terminal. What is printed waits in it until it is `read`: so little that it has room for all."""

    def __init__(self, columns: int = 80) -> None:
        self._reading, number = pty.openpty()
        termios.tcsetwinsize(number, (24, columns))
        self.stream: TextIO = os.fdopen(number, "w", encoding="utf-8")

    def read(self) -> str:
        self.stream.close()
        seen = b""
        while some := self._some():
            seen += some
        os.close(self._reading)
        return seen.decode().replace("\r\n", "\n")

    def _some(self) -> bytes:
        ready = select.poll()
        ready.register(self._reading, select.POLLIN)
        assert ready.poll(_PATIENCE_MS), "somebody still has the terminal open"
        try:
            return os.read(self._reading, 65536)
        except OSError:  # nobody can print there any more
            return b""


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SystemClock", Slow)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight games."""
    path = tmp_path_factory.mktemp("eight") / "journal.db"
    keep(path, [game_of("Ann", "Bo", way=Way.TRUST)] * 8)
    return path


def at_terminal(*words: object) -> str:
    """All that a command prints to a terminal."""
    terminal = Terminal()
    with redirect_stdout(terminal.stream), redirect_stderr(terminal.stream):
        assert main([str(word) for word in words]) == 0
    return terminal.read()


def drawn(seen: str) -> Sequence[str]:
    """What stood behind the bar, each time."""
    return re.findall(r"\r█* +([^█\r\n]+)(?=\r)", seen)


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    ("words", "language"),
    [
        (["statistics", *[A_GAME] * 8], "en"),
        (["statistics", *[A_GAME] * 8, "--lang", "fr"], "fr_CA"),
        (["statistics", "--journal", "JOURNAL"], "en"),
        (["record", "list", "--journal", "JOURNAL"], "en"),
        (["record", "--journal", "JOURNAL", "--lang", "fr"], "fr_CA"),
    ],
    ids=lambda value: " ".join(map(str, value[:2])) if isinstance(value, list) else "",
)
def test_after_two_seconds_a_terminal_shows_how_many_games_were_read_and_then_only_the_answer(
    words: list[object], language: str, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = [journal if word == "JOURNAL" else word for word in words]
    bars, erased, answer = at_terminal(*typed).partition(ERASED)
    assert drawn(bars + erased) == [
        phrase("command.reading", language, done=done, games=8)
        for done in range(*((5, 9) if "record" in words else (4, 8)))
    ]
    assert "\n" not in bars
    assert main([str(word) for word in typed]) == 0
    assert (answer, "") == capsys.readouterr()


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("what", ["statistics", "record list"])
def test_a_program_that_asks_for_json_is_shown_no_bar(what: str, journal: Path) -> None:
    assert "\r" not in at_terminal(*what.split(), "--journal", journal, "--json")


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("what", ["statistics", "record list"])
def test_output_that_is_no_terminal_gets_no_progress_bar(
    what: str, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    with redirect_stdout(terminal.stream):
        main([*what.split(), "--journal", str(journal)])
    assert "\r" not in terminal.read()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("what", ["statistics", "record list"])
def test_short_work_shows_no_progress(what: str, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "now", lambda _: 1.0)
    assert "\r" not in at_terminal(*what.split(), "--journal", journal)


@pytest.mark.usefixtures("slow")
def test_the_progress_bar_is_erased_before_an_error_is_printed(tmp_path: Path) -> None:
    terminal = Terminal()
    with redirect_stdout(terminal.stream), redirect_stderr(terminal.stream):
        assert main(["statistics", *[str(A_GAME)] * 8, "nothing.txt"]) == 1
    seen = terminal.read()
    assert seen.endswith(f"\n{phrase('record.no_file', file='nothing.txt')}\n")
    assert "█" not in seen.rpartition(ERASED)[2]


def test_a_bar_is_no_wider_than_the_terminal() -> None:
    terminal = Terminal(columns=36)
    with redirect_stderr(terminal.stream):
        draw(15, 30, "15 of 30 games read")
    assert terminal.read() == f"\r{'█' * 15}{' ' * 15} 15 o"


def test_a_program_without_stderr_gets_its_answer(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with redirect_stderr(None):
        assert main(["statistics", "--journal", str(journal)]) == 0
    won, of = phrase("page.statistics.won"), phrase("page.statistics.of", n=8, all=8)
    assert phrase("audit.statistics.line", what=won, value=of) in capsys.readouterr().out
