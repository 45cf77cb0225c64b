"""One board writes a journal, and a file that is no journal is put aside."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.journals import ACTS, begin, do, opened, played, tamper

from cribboard.actions import By, ReleasePeg
from cribd.clock import ManualClock
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal, JournalAway, JournalBusy, JournalDamaged, JournalHurt
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.schema import VERSION

# Files that are no journal


@pytest.mark.parametrize("content", [b"This was a shopping list.\n" * 400, b"SQLite format 3\0" + bytes(5000)])
def test_a_file_that_is_no_journal_is_set_aside_and_a_new_one_begun(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalDamaged):
        Journal(path, ManualClock())
    journal, aside = open_or_repair_journal(path, ManualClock())
    do(journal, begin(journal), *ACTS)
    journal.close()
    assert aside == path.with_name("journal.db.damaged-1")
    assert aside.read_bytes() == content


def test_the_second_damaged_file_gets_another_name(path: Path) -> None:
    for number in (1, 2):
        path.write_bytes(f"shopping list {number}".encode() * 100)
        journal, aside = open_or_repair_journal(path, ManualClock())
        journal.close()
        assert aside is not None
        assert aside.name == f"journal.db.damaged-{number}"
    assert path.with_name("journal.db.damaged-1").read_bytes().startswith(b"shopping list 1")


def test_a_journal_of_a_later_version_is_not_touched(path: Path) -> None:
    played(path, *ACTS)
    later = VERSION + 1
    tamper(path, f"UPDATE setting SET value = '{later}' WHERE name = 'writer'; PRAGMA user_version = {later}")
    before = path.read_bytes()
    with pytest.raises(JournalAway, match=f"only version {later} or later may read it"):
        open_or_repair_journal(path, ManualClock())
    assert path.read_bytes() == before
    assert list(path.parent.glob("*.damaged*")) == []


def is_sound(journal: Journal, number: int) -> bool:
    with suppress(JournalDamaged):
        return bool(journal.game(number))
    return False


@pytest.mark.slow
def test_wherever_a_page_of_the_file_has_rotted_the_board_plays_on(path: Path) -> None:
    """An old SD card: a page reads as something else. The file is kept aside, and built again from its other pages."""
    played(path, *ACTS, games=40)
    sound = path.read_bytes()
    pages = range(0, len(sound), 4096)
    left = []
    for page in pages:
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(sound[:page] + b"\xa5" * 4096 + sound[page + 4096 :])
        journal, aside = open_or_repair_journal(path, ManualClock())
        assert aside is not None
        assert aside.read_bytes()[page : page + 4096] == b"\xa5" * 4096
        assert journal.rebuilt is not None
        damaged = {f"game {number}" for number, _, _ in journal.games() if not is_sound(journal, number)}
        assert damaged == {each for each in journal.rebuilt.lost if each.startswith("game ")}, journal.rebuilt
        left.append(len(journal.games()) - len(damaged))
        stored = begin(journal)
        do(journal, stored, *ACTS)
        found = journal.latest_game()
        assert found is not None
        assert (found.id, found.game.log) == (stored.id, stored.game.log)
        journal.close()
    assert sum(games >= 35 for games in left) >= len(pages) - 3, "all but the pages that lead to others"


def test_an_act_that_a_damaged_file_refuses_is_not_kept(path: Path) -> None:
    played(path, *ACTS)
    with opened(path) as journal:
        stored = journal.latest_game()
        assert stored is not None
        path.write_bytes(path.read_bytes()[:4096] + b"\xa5" * (path.stat().st_size - 4096))
        journal._file.db.execute("PRAGMA shrink_memory")
        with pytest.raises(JournalHurt, match="start the board again"):
            do(journal, stored, ReleasePeg(1, By.OWNER))
    board, aside = open_or_repair_journal(path, ManualClock())
    assert aside is not None
    do(board, begin(board), *ACTS)
    board.close()


def test_a_journal_that_cannot_be_opened_just_now_stays_where_it_is(path: Path) -> None:
    played(path, *ACTS)
    aside = path.with_name("moved")
    path.rename(aside)
    path.mkdir()
    with pytest.raises(JournalAway):
        open_or_repair_journal(path, ManualClock())
    assert not list(path.parent.glob("*damaged*"))
    path.rmdir()
    aside.rename(path)
    journal, _ = open_or_repair_journal(path, ManualClock())
    assert journal.latest_game() is not None
    journal.close()


def test_a_journal_below_a_file_is_refused(path: Path) -> None:
    path.write_text("no folder")
    for begin_at in (Journal, open_or_repair_journal):
        with pytest.raises(JournalAway):
            begin_at(path / "journal.db", ManualClock())


# One writer


def test_a_second_board_is_refused_while_the_journal_is_locked(path: Path) -> None:
    journal, _ = open_or_repair_journal(path, ManualClock())
    with pytest.raises(JournalBusy, match="another board"):
        open_or_repair_journal(path, ManualClock())
    journal.close()
    journal, _ = open_or_repair_journal(path, ManualClock())
    journal.close()


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_the_lock_of_a_journal_holds_under_any_name_of_the_file(path: Path, link: str) -> None:
    journal, _ = open_or_repair_journal(path, ManualClock())
    other = path.with_name("elsewhere") / "club.db"
    other.parent.mkdir()
    getattr(other, link)(path)
    with pytest.raises(JournalBusy, match="another board"):
        open_or_repair_journal(other, ManualClock())
    do(journal, begin(journal), *ACTS)
    journal.close()
    journal, _ = open_or_repair_journal(other, ManualClock())
    journal.close()


def locks(path: Path) -> set[str]:
    """The kinds of locks that are held on this file."""
    held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return {kind for _, kind, *_, where, _, _ in held if where.endswith(f":{path.stat().st_ino}")}


def test_the_boards_own_lock_and_those_of_sqlite_leave_each_other_alone(path: Path) -> None:
    """A process loses SQLite's locks on a file with the first descriptor of it that it closes."""
    journal, _ = open_or_repair_journal(path, ManualClock())
    do(journal, begin(journal), *ACTS)
    assert locks(path) == {"FLOCK", "POSIX"}
    Archive(path).page(9)
    assert locks(path) == {"FLOCK", "POSIX"}
    journal.close()
    assert locks(path) == set()


def test_a_damaged_file_stays_locked_until_it_is_renamed(path: Path) -> None:
    path.write_text("shopping list " * 500)
    journal, aside = open_or_repair_journal(path, ManualClock())
    with pytest.raises(JournalBusy):
        open_or_repair_journal(path, ManualClock())
    journal.close()
    assert aside is not None
    assert "shopping" in aside.read_text()
