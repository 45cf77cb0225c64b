"""Commands that read the journal on a disk that takes no write, with and without the files beside the journal."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.disks import ext4, read_only
from tests.support.journals import ACTS, begin, do

from cribboard.competition import FORMATS
from cribboard.competition.actions import Register
from cribboard.competition.record import CompetitionHeading
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.competitions import CompetitionAct
from cribd.storage.open_journal import open_or_repair_journal

#: The commands, without the journal. All of it is in the log.
READING = (
    ["record", "list"],
    ["record", "list", "--json"],
    ["record", "export", "1"],
    ["record", "verify", "1"],
    ["statistics"],
    ["event", "list"],
    ["event", "show"],
    ["event", "log"],
    ["event", "export", "entrants.csv"],
)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """The disk of a board that lost its power in a game and in an event."""
    at = tmp_path / "disk"
    at.mkdir()
    left_by_a_power_cut(at)
    (at / "journal.db-shm").unlink()
    with read_only(at):
        yield at


def left_by_a_power_cut(at: Path) -> None:
    journal, _ = open_or_repair_journal(at / "journal.db", ManualClock())
    do(journal, begin(journal), *ACTS)
    event = journal.competitions.begin(CompetitionHeading(format=FORMATS["acc"], date="2026-03-03", tables=2))
    act = CompetitionAct(event, event.competition.decide(Register(name="Odile")))
    journal.competitions.append(act)
    files = {file: file.read_bytes() for file in at.iterdir() if file.is_file()}
    journal.close()
    for file, content in files.items():
        file.write_bytes(content)


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_log_without_its_index_is_read_and_nothing_is_made(
    command: list[str], disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(file.name for file in disk.iterdir())
    assert main([*command, "--journal", str(disk / "journal.db")]) == 0
    out, err = capsys.readouterr()
    assert out
    assert err == ""
    assert sorted(file.name for file in disk.iterdir()) == before


def test_an_event_is_read_whole_and_a_change_is_refused_with_the_cause(
    disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--journal", str(disk / "journal.db")]
    assert main(["event", "export", "entrants.csv", *at]) == 0
    assert "Odile" in capsys.readouterr().out
    assert main(["event", "register", "Guy", *at]) != 0
    assert phrase("problem.journal.read_only") in "".join(capsys.readouterr())


def test_a_disk_that_linux_made_read_only_is_read_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ext4(tmp_path) as at:
        left_by_a_power_cut(at)
        (at / "journal.db-shm").unlink()
        subprocess.run(["mount", "-o", "remount,abort", str(at)], check=True)
        for command in READING:
            assert main([*command, "--journal", str(at / "journal.db")]) == 0, command
            assert capsys.readouterr().err == "", command


@pytest.mark.parametrize("command", [["record", "list"], ["event", "list"]], ids=" ".join)
def test_a_command_says_what_a_journal_has_lost(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    open_or_repair_journal(path, ManualClock())[0].close()
    left_by_a_power_cut(tmp_path)
    (tmp_path / "journal.db-wal").unlink()
    main([*command, "--journal", str(path)])
    said = capsys.readouterr().err
    assert has_phrase(said, "problem.journal.short", file=path)
    assert f"{phrase('problem.journal.game', number=1)}: {phrase('problem.journal.missing')}" in said
    assert f"{phrase('problem.journal.competition', number=1)}: {phrase('problem.journal.missing')}" in said
