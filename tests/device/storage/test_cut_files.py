"""A journal whose files end too early: a power cut leaves the last commit, and a cut file costs what is beyond."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.journals import ACTS, TRUST, begin, do
from tests.support.rotten import only, quick_folder
from tests.support.sweeps import one_in

from cribboard.events import Event
from cribd.clock import ManualClock
from cribd.storage.journal import JournalDamaged
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.rebuild import describe_damage

PAGE = 4096
#: A page in the log has a header of 24 bytes (sqlite.org/fileformat2.html, section 4).
FRAME = PAGE + 24
GAMES = 56


@pytest.fixture
def journal() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "journal.db"


# The log


@dataclass(frozen=True, slots=True)
class Written:
    """A journal in the middle of a game: its two files, and how long log and game were after each commit."""

    file: bytes
    log: bytes
    commits: tuple[tuple[int, tuple[Event, ...]], ...]

    def committed_at(self, length: int) -> tuple[Event, ...]:
        """What was committed when the log was so long."""
        return [events for end, events in self.commits if end <= length][-1]


@pytest.fixture
def written(journal: Path) -> Written:
    log = journal.with_name("journal.db-wal")
    board, _ = open_or_repair_journal(journal, ManualClock())
    stored = begin(board)
    commits = [(log.stat().st_size, stored.game.log)]
    for act in ACTS:
        do(board, stored, act)
        commits.append((log.stat().st_size, stored.game.log))
    found = Written(journal.read_bytes(), log.read_bytes(), tuple(commits))
    board.close()
    assert commits[-1][0] == len(found.log), "no checkpoint has begun the log again"
    return found


def cut_log(journal: Path, written: Written, length: int) -> None:
    only(journal, written.file)
    journal.with_name("journal.db-wal").write_bytes(written.log[:length])


def test_a_log_cut_at_or_beside_each_border_of_its_frames_gives_the_last_commit(
    journal: Path, written: Written
) -> None:
    begins = written.commits[-3][0]
    borders = range(begins, len(written.log) + 1, FRAME)
    cuts = {at + beside for at in borders for beside in (-1, 0, 1, 23, 24, 25)} | set(
        range(begins, len(written.log), 499)
    )
    for cut in sorted(cuts):
        cut_log(journal, written, cut)
        board, aside = open_or_repair_journal(journal, ManualClock())
        latest = board.latest_game()
        board.close()
        assert aside is None, cut
        assert latest is not None
        assert latest.game.log == written.committed_at(cut), cut


@pytest.mark.slow
@pytest.mark.sweep
def test_a_log_cut_at_every_byte_of_its_last_two_commits_gives_the_last_commit(journal: Path, written: Written) -> None:
    """The sample is every 13th byte, which is another of each frame, and the last one."""
    lines = [TRUST.spelling.write(event) for event in written.commits[-1][1]]
    for cut in (*range(written.commits[-3][0], len(written.log), one_in(13)), len(written.log)):
        cut_log(journal, written, cut)
        with closing(sqlite3.connect(journal)) as db:
            rows = db.execute("SELECT line FROM line WHERE game = 1 ORDER BY number").fetchall()
        assert [line for (line,) in rows] == lines[: len(written.committed_at(cut))], cut


# The file


@pytest.fixture
def games(journal: Path) -> dict[int, tuple[Event, ...]]:
    """The events of each game of a file with many games, by the game's number."""
    board, _ = open_or_repair_journal(journal, ManualClock())
    board.write_settings({"sound": "off"})
    logs = {}
    for _ in range(GAMES):
        stored = begin(board)
        do(board, stored, *ACTS)
        logs[stored.id] = stored.game.log
    board.close()
    return logs


@pytest.mark.sweep
@pytest.mark.parametrize("beyond", [0, 1, PAGE // 2, PAGE - 1])
def test_a_file_cut_at_a_page_or_within_one_is_named_kept_and_built_again(
    journal: Path, games: dict[int, tuple[Event, ...]], beyond: int
) -> None:
    """The sample has every fourth page, another one for each of these lengths, and the last."""
    whole = journal.read_bytes()
    pages = len(whole) // PAGE
    found = []
    for there in sorted({*range(1 + beyond % one_in(4), pages, one_in(4)), pages - 1}):
        cut = whole[: there * PAGE + beyond]
        only(journal, cut)
        board, aside = open_or_repair_journal(journal, ManualClock())
        if aside is None:
            assert there == pages - 1, "what is cut off is the end of the last page, where zeros stand"
            assert beyond == PAGE - 1
            board.close()
            continue
        assert aside.read_bytes() == cut
        line = describe_damage(board.rebuilt, aside)
        assert ("a new one begins" in line) or f"{pages - there} of its {pages} pages are missing" in line
        assert "Nothing is lost" not in line or board.newest() == GAMES
        sound = 0
        for number in range(1, board.newest() + 1):
            try:
                assert board.game(number).game.log == games[number]
                sound += 1
            except JournalDamaged:
                assert board.rebuilt is not None
                assert f"game {number}" in board.rebuilt.lost
        found.append(sound)
        if there > pages // 2:
            assert board.setting("sound") == "off"
        do(board, begin(board), *ACTS)
        board.close()
    assert found[-1] >= GAMES - 5
    assert sum(sound > 0 for sound in found) >= len(found) // 4
