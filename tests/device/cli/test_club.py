"""`cribboard club` in a terminal: joins a real hub with the two words, says the club, and leaves it."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.joining_hub import CLOCK, Hub, hub
from tests.support.waiting import until

from cribd.__main__ import main
from cribd.club.keys import load_or_make
from cribd.storage.open_journal import open_or_repair_journal


async def typed(*arguments: str, journal: Path) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "cribd", "club", *arguments, "--journal", str(journal))
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe, env=paths)


async def compare(at: Hub, board: asyncio.subprocess.Process, answer: str) -> None:
    """Answer once both show the words."""
    assert board.stdout is not None
    assert board.stdin is not None
    line = (await board.stdout.readline()).decode().strip()
    assert at.words is not None
    assert line == phrase("command.club.words", club="Rimouski", words=" ".join(at.words))
    board.stdin.write(answer.encode())
    await board.stdin.drain()


@pytest.mark.slow
async def test_a_board_joins_says_its_club_and_leaves_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "journal.db"
    async with hub(tmp_path / "hub") as at:
        board = await typed("join", f"127.0.0.1:{at.place.port}", journal=journal)
        await compare(at, board, "y\n")
        await until(lambda: at.admission.compared is not None and at.admission.compared.is_confirmed)
        await at.admission.accept(load_or_make(journal).id)
        out, err = await board.communicate()
        assert (board.returncode, err) == (0, b"")
        assert out.decode().strip() == phrase("command.club.of", club="Rimouski")
        assert [known.id for known in at.boards.boards] == [load_or_make(journal).id]
    for arguments, said in (
        ((), phrase("command.club.of", club="Rimouski")),
        (("leave",), phrase("command.club.none")),
    ):
        assert main(["club", *arguments, "--journal", str(journal)]) == 0
        assert capsys.readouterr().out.strip() == said


@pytest.mark.slow
async def test_answering_no_to_the_words_joins_no_club(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    async with hub(tmp_path / "hub") as at:
        board = await typed("join", f"127.0.0.1:{at.place.port}", journal=journal)
        await compare(at, board, "n\n")
        _, err = await board.communicate()
        assert (board.returncode, err.decode().strip()) == (1, phrase("club.why.left"))
        assert at.admission.compared is not None
        assert at.admission.compared.has_left
        assert not at.boards.boards


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["club", *arguments]) != 0
    return capsys.readouterr().err.strip()


def test_what_is_no_address_and_a_hub_that_does_not_answer_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = f"--journal={tmp_path / 'journal.db'}"
    assert refused(capsys, "join", "a b", journal) == phrase("command.club.no_address", address="a b")
    assert refused(capsys, "join", "127.0.0.1:9", journal) == phrase("club.why.no_answer")
    assert refused(capsys, "join", "127.0.0.1:9/event/table/301", journal) == "Table 301: 1 to 300"


def test_leave_is_refused_while_the_board_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal.db"
    journal, _ = open_or_repair_journal(path, CLOCK)
    with closing(journal):
        assert refused(capsys, "leave", f"--journal={path}") == phrase("command.club.busy")
        assert main(["club", f"--journal={path}"]) == 0  # it says the club meanwhile
        assert capsys.readouterr().out.strip() == phrase("command.club.none")
