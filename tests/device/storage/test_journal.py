"""What the journal promises: all that was kept is there, in order, as it was written, or it says that it is not."""

from __future__ import annotations

import asyncio
import hashlib
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.evenings import policy

from cribboard import RULES, Way
from cribboard.actions import AcceptResult, Action, By, NameDealer, ReleasePeg, TakePegInHand
from cribboard.record import Heading, Record, first_link, judge
from cribboard.series import Match, Result
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import Key, KeyPressed
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal, JournalBusy, JournalDamaged, Kept, NotKept
from cribd.storage.lock import open_journal
from cribd.table.menu import Settings
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table

TRUST = Heading(rules=RULES["six-card"], way=Way.TRUST, names=("Ann", "Bob"), date="2026-01-01", board="continuous")
ACTS: tuple[Action, ...] = (
    NameDealer(0),
    TakePegInHand(1, 3),
    ReleasePeg(1, By.OWNER),
    TakePegInHand(0, 12),
    ReleasePeg(0, By.TIME),
    TakePegInHand(1, 4),
)
BLUE_WON = Result(winner=0, scores=(121, 99), counts=1, first_dealer=0)
RED_SKUNKED = Result(winner=1, scores=(60, 121), counts=2, first_dealer=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@contextmanager
def opened(path: Path) -> Iterator[Journal]:
    journal = Journal(path, ManualClock())
    try:
        yield journal
    finally:
        journal.close()


def begin(journal: Journal, *, heading: Heading = TRUST, match: int = 1) -> Kept:
    return Kept(journal.begin(heading, match), match, heading, heading.begin())


def do(journal: Journal, kept: Kept, *acts: Action, result: Result | None = None) -> None:
    for act in acts:
        events = kept.game.decide(act)
        journal.append(kept, events, result)
        kept.game.hear(events)


def played(path: Path, *acts: Action, games: int = 1) -> None:
    """Games whose acts these were, in a journal that is closed again."""
    with opened(path) as journal:
        for _ in range(games):
            do(journal, begin(journal), *acts)


def meddle(path: Path, script: str) -> None:
    """What another program does to the file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript(script)


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    file = sqlite3.connect(path)
    try:
        return file.execute(query).fetchall()
    finally:
        file.close()


# What was written is there


def test_a_game_is_found_again_as_it_stood(path: Path) -> None:
    with opened(path) as journal:
        kept = begin(journal)
        do(journal, kept, *ACTS)
    with opened(path) as journal:
        found = journal.latest()
        assert found is not None
        assert (found.id, found.match, found.heading) == (kept.id, 1, TRUST)
        assert found.game.log == kept.game.log
        assert found.game.position == kept.game.position


def test_play_goes_on_where_another_run_left_it(path: Path) -> None:
    played(path, *ACTS[:3])
    with opened(path) as journal:
        found = journal.latest()
        assert found is not None
        do(journal, found, *ACTS[3:])
    with opened(path) as journal:
        found = journal.latest()
        assert found is not None
        assert [event.action for event in found.game.log if hasattr(event, "action")] == list(ACTS)
        assert judge(Record(found.heading, found.game.log)).position == found.game.position


def test_a_game_goes_on_after_another_was_looked_at(path: Path) -> None:
    played(path, *ACTS[:2])
    with opened(path) as journal:
        kept = begin(journal)
        do(journal, kept, *ACTS[:2])
        journal.game(1)
        do(journal, kept, *ACTS[2:])
        assert journal.game(2).game.log == kept.game.log


def test_an_empty_journal_has_no_game_and_one_that_was_only_begun_has_no_events(path: Path) -> None:
    with opened(path) as journal:
        assert journal.latest() is None
        assert journal.games() == ()
        begin(journal)
    with opened(path) as journal:
        found = journal.latest()
        assert found is not None
        assert found.game.log == ()


def test_a_game_whose_heading_is_lost_is_listed_all_the_same(path: Path) -> None:
    played(path, *ACTS, games=2)
    meddle(path, "DROP TRIGGER game_update; UPDATE game SET heading = 'nonsense' WHERE id = 1")
    with opened(path) as journal:
        assert [(number, rules) for number, _, rules in journal.games()] == [(1, ""), (2, "Rules: six-card/2")]


def test_the_next_match_is_one_that_has_no_game(path: Path) -> None:
    with opened(path) as journal:
        assert journal.next_match() == 1
        for match in (1, 1, 2):
            begin(journal, match=match)
        assert journal.next_match() == 3


def test_every_game_is_listed_and_can_be_had(path: Path) -> None:
    played(path, *ACTS, games=3)
    with opened(path) as journal:
        assert [number for number, _, _ in journal.games()] == [1, 2, 3]
        assert {rules for _, _, rules in journal.games()} == {"Rules: six-card/2"}
        assert journal.game(2).id == 2
        with pytest.raises(KeyError):
            journal.game(4)


def test_a_line_has_its_number_its_time_its_boot_and_the_chain_through_all_before(path: Path) -> None:
    played(path, *ACTS)
    kept = rows(path, "SELECT number, line, chain, at, boot, seconds FROM line ORDER BY number")
    chain = first_link(TRUST)
    for number, (at_number, line, link, at, boot, seconds) in enumerate(kept, start=1):
        chain = hashlib.sha256((chain + str(line)).encode()).hexdigest()
        assert (at_number, link) == (number, chain)
        assert datetime.fromisoformat(str(at)).tzinfo is not None
        assert boot == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        assert seconds == ManualClock().now()
    assert len(kept) > len(ACTS)


def test_an_act_is_there_for_others_as_soon_as_append_returns(path: Path) -> None:
    with opened(path) as journal:
        kept = begin(journal)
        for act in ACTS:
            do(journal, kept, act)
            assert rows(path, "SELECT count(*) FROM line") == [(len(kept.game.log),)]


def test_a_commit_is_on_the_disk_before_append_returns(path: Path) -> None:
    """Synced at every commit, with the log ahead of the file: the two things that make it so in SQLite."""
    with opened(path) as journal:
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_closed_journal_is_one_file(path: Path) -> None:
    played(path, *ACTS)
    assert [file.name for file in path.parent.iterdir()] == ["journal.db"]


def test_settings_are_kept_and_may_change(path: Path) -> None:
    with opened(path) as journal:
        assert journal.setting("language") is None
        journal.settle({"language": "fr_CA", "sound": "on"})
        journal.settle({"sound": "off"})
    with opened(path) as journal:
        assert (journal.setting("language"), journal.setting("sound")) == ("fr_CA", "off")


def acts_to(result: Result) -> tuple[Action, ...]:
    """The acts of a whole game that comes to this."""
    pegs = [(side, score) for side, score in enumerate(result.scores) if side != result.winner]
    pegs.append((result.winner, result.scores[result.winner]))
    steps = [(side, step) for side, score in pegs for step in (*[12] * (score // 12), score % 12)]
    moves = [act for side, step in steps if step for act in (TakePegInHand(side, step), ReleasePeg(side, By.OWNER))]
    return (NameDealer(result.first_dealer), *moves, AcceptResult(0), AcceptResult(1))


def test_the_first_game_may_be_of_the_second_match_when_other_rules_were_chosen_before_it(path: Path) -> None:
    with opened(path) as journal:
        begin(journal, match=2)
    with opened(path) as journal:
        latest = journal.latest()
        assert latest is not None
        assert (latest.id, latest.match, journal.next_match()) == (1, 2, 3)


def test_results_make_the_match_they_belong_to(path: Path) -> None:
    with opened(path) as journal:
        for match, result in ((1, BLUE_WON), (1, RED_SKUNKED), (2, BLUE_WON)):
            do(journal, begin(journal, match=match), *acts_to(result))
        begin(journal, match=2)  # is not finished
    with opened(path) as journal:
        assert journal.match(1, TRUST) == Match(TRUST.rules, (BLUE_WON, RED_SKUNKED))
        assert journal.match(1, TRUST).games == (1, 2)
        assert journal.match(2, TRUST).results == (BLUE_WON,)
        assert journal.match(3, TRUST).results == ()


def test_a_result_is_what_the_lines_of_its_game_give_whatever_its_own_row_says(path: Path) -> None:
    with opened(path) as journal:
        do(journal, begin(journal), *acts_to(BLUE_WON))
        do(journal, begin(journal), NameDealer(0), result=RED_SKUNKED)  # no line of it says that anybody has won
    meddle(path, "INSERT INTO result VALUES (1, 1, 'nonsense', 7, 5)")
    with opened(path) as journal:
        assert journal.match(1, TRUST).results == (BLUE_WON,)


def test_a_damaged_game_is_left_out_of_its_match_and_named(path: Path) -> None:
    with opened(path) as journal:
        for result in (BLUE_WON, RED_SKUNKED, BLUE_WON):
            do(journal, begin(journal), *acts_to(result))
    meddle(path, "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE game = 2 AND number = 5")
    left_out: list[JournalDamaged] = []
    with opened(path) as journal:
        assert journal.match(1, TRUST, left_out=left_out.append).results == (BLUE_WON, BLUE_WON)
    assert [damaged.where for damaged in left_out] == ["game 2"]


# Nothing of it can be changed


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE line SET line = 'pegged blue 29 29' WHERE number = 3",
        "UPDATE game SET heading = ''",
        "UPDATE result SET winner = 1",
        "DELETE FROM line WHERE number = 3",
        "DELETE FROM game",
        "DELETE FROM result",
        "INSERT OR REPLACE INTO line SELECT game, number, 'nonsense', chain, at, boot, seconds FROM line",
        "INSERT OR REPLACE INTO game SELECT id, 2, heading, at FROM game",
        "INSERT OR REPLACE INTO result SELECT game, 1, scores, counts, first_dealer FROM result",
        "INSERT INTO line SELECT game, number + 100, line, chain, at, boot, seconds FROM line",
    ],
)
def test_what_was_written_stays_as_it_is(path: Path, change: str) -> None:
    with opened(path) as journal:
        do(journal, begin(journal), *ACTS[:-1])
        do(journal, begin(journal), NameDealer(0), result=BLUE_WON)
    before = [rows(path, f"SELECT * FROM {table}") for table in ("game", "line", "result")]
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        meddle(path, change)
    assert [rows(path, f"SELECT * FROM {table}") for table in ("game", "line", "result")] == before


@given(line=st.integers(1, 13), at=st.integers(0, 10), letter=st.sampled_from("abcxyz019 "))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_letter_that_was_changed_all_the_same_is_noticed(path: Path, line: int, at: int, letter: str) -> None:
    path.unlink(missing_ok=True)
    played(path, *ACTS)
    text = str(rows(path, f"SELECT line FROM line WHERE number = {line}")[0][0])
    changed = text[: at % len(text)] + letter + text[at % len(text) + 1 :]
    meddle(path, f"DROP TRIGGER line_update; UPDATE line SET line = '{changed}' WHERE number = {line};")
    with opened(path) as journal:
        if changed == text:
            assert journal.latest() is not None
        else:
            with pytest.raises(JournalDamaged, match="game 1: line"):
                journal.latest()


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER line_delete; DELETE FROM line WHERE number = 3",
        "DROP TRIGGER line_update; UPDATE line SET number = number + 1 WHERE number = (SELECT max(number) FROM line)",
        "DROP TRIGGER line_update; UPDATE line SET chain = '' WHERE number = 2",
        "DROP TRIGGER game_update; UPDATE game SET heading = replace(heading, 'Ann', 'Eve')",
        "DROP TRIGGER game_update; UPDATE game SET heading = 'nonsense'",
    ],
)
def test_a_game_that_is_not_what_was_written_is_named(path: Path, change: str) -> None:
    played(path, *ACTS, games=2)
    with opened(path) as journal:
        assert journal.game(1).game.log
    meddle(path, change)
    with opened(path) as journal, pytest.raises(JournalDamaged, match="game 2"):
        journal.latest()


async def test_after_a_damaged_game_a_table_begins_a_match_of_its_own(path: Path) -> None:
    with opened(path) as journal:
        for match in (1, 2):
            do(journal, begin(journal, match=match), NameDealer(0), result=BLUE_WON)
    meddle(path, "DROP TRIGGER line_update; UPDATE line SET chain = '' WHERE game = 2")
    clock = ManualClock()
    with opened(path) as journal:
        shown: list[Snapshot] = []
        table = Table(
            board=load("classic"),
            journal=journal,
            clock=clock,
            settings=Settings(way=Way.TRUST),
            policy=policy(),
            publish=shown.append,
        )
        with pytest.raises(JournalDamaged):
            table.wake()
        playing = asyncio.create_task(table.run())
        table.hear([KeyPressed(Key.OK, 0)])
        await clock.settle()
        playing.cancel()
        found = journal.latest()
        assert found is not None
        assert (found.id, found.match) == (3, 3)
        assert (shown[-1].lobby, shown[-1].games) == (None, (0, 0))


# Files that are no journal


@pytest.mark.parametrize("content", [b"This was a shopping list.\n" * 400, b"SQLite format 3\0" + bytes(5000)])
def test_a_file_that_is_no_journal_is_kept_and_another_begun(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalDamaged):
        Journal(path, ManualClock())
    journal, aside = open_journal(path, ManualClock())
    do(journal, begin(journal), *ACTS)
    journal.close()
    assert aside == path.with_name("journal.db.damaged-1")
    assert aside.read_bytes() == content


def test_the_second_damaged_file_gets_another_name(path: Path) -> None:
    for number in (1, 2):
        path.write_bytes(f"shopping list {number}".encode() * 100)
        journal, aside = open_journal(path, ManualClock())
        journal.close()
        assert aside is not None
        assert aside.name == f"journal.db.damaged-{number}"
    assert path.with_name("journal.db.damaged-1").read_bytes().startswith(b"shopping list 1")


def test_a_journal_of_a_later_version_is_not_touched(path: Path) -> None:
    played(path, *ACTS)
    meddle(path, "PRAGMA user_version = 2")
    before = path.read_bytes()
    with pytest.raises(NotKept, match="version 2"):
        open_journal(path, ManualClock())
    assert path.read_bytes() == before
    assert list(path.parent.glob("*.damaged*")) == []


def test_wherever_a_page_of_the_file_has_rotted_the_board_plays_on(path: Path) -> None:
    """An old SD card: a page reads as something else. Then games are missing, or the file is kept aside; no more."""
    played(path, *ACTS, games=40)
    sound = path.read_bytes()
    asides = 0
    pages = range(0, len(sound), 4096)
    for page in pages:
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(sound[:page] + b"\xa5" * 4096 + sound[page + 4096 :])
        journal, aside = open_journal(path, ManualClock())
        with suppress(JournalDamaged):
            journal.latest()
        kept = begin(journal)
        do(journal, kept, *ACTS)
        found = journal.latest()
        assert found is not None
        assert (found.id, found.game.log) == (kept.id, kept.game.log)
        journal.close()
        if aside is not None:
            asides += 1
            assert aside.read_bytes()[page : page + 4096] == b"\xa5" * 4096
    assert 0 < asides < len(pages)


def test_what_cannot_be_written_to_a_file_that_rots_under_the_board_is_not_kept(path: Path) -> None:
    played(path, *ACTS)
    with opened(path) as journal:
        kept = journal.latest()
        assert kept is not None
        path.write_bytes(path.read_bytes()[:4096] + b"\xa5" * (path.stat().st_size - 4096))
        journal._db.execute("PRAGMA shrink_memory")
        with pytest.raises(NotKept):
            do(journal, kept, ReleasePeg(1, By.OWNER))


def test_a_journal_that_cannot_be_opened_just_now_stays_where_it_is(path: Path) -> None:
    played(path, *ACTS)
    aside = path.with_name("moved")
    path.rename(aside)
    path.mkdir()
    with pytest.raises(NotKept):
        open_journal(path, ManualClock())
    assert not list(path.parent.glob("*damaged*"))
    path.rmdir()
    aside.rename(path)
    journal, _ = open_journal(path, ManualClock())
    assert journal.latest() is not None
    journal.close()


def test_a_journal_in_a_folder_that_cannot_be_is_refused(path: Path) -> None:
    path.write_text("no folder")
    for begin_at in (Journal, open_journal):
        with pytest.raises(NotKept):
            begin_at(path / "journal.db", ManualClock())


# One writer


def test_a_second_board_is_told_that_the_journal_is_taken(path: Path) -> None:
    journal, _ = open_journal(path, ManualClock())
    with pytest.raises(JournalBusy, match="another board"):
        open_journal(path, ManualClock())
    journal.close()
    journal, _ = open_journal(path, ManualClock())
    journal.close()


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_a_second_board_is_told_so_by_whatever_other_name_it_knows_the_journal(path: Path, link: str) -> None:
    journal, _ = open_journal(path, ManualClock())
    other = path.with_name("elsewhere") / "club.db"
    other.parent.mkdir()
    getattr(other, link)(path)
    with pytest.raises(JournalBusy, match="another board"):
        open_journal(other, ManualClock())
    do(journal, begin(journal), *ACTS)
    journal.close()
    journal, _ = open_journal(other, ManualClock())
    journal.close()


def locks(path: Path) -> set[str]:
    """The kinds of locks that are held on this file."""
    held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return {kind for _, kind, *_, where, _, _ in held if where.endswith(f":{path.stat().st_ino}")}


def test_the_boards_own_lock_and_those_of_sqlite_leave_each_other_alone(path: Path) -> None:
    """A process loses SQLite's locks on a file with the first descriptor of it that it closes."""
    journal, _ = open_journal(path, ManualClock())
    do(journal, begin(journal), *ACTS)
    assert locks(path) == {"FLOCK", "POSIX"}
    Archive(path).page(9)
    assert locks(path) == {"FLOCK", "POSIX"}
    journal.close()
    assert locks(path) == set()


def test_a_damaged_file_is_held_until_it_has_its_other_name(path: Path) -> None:
    path.write_text("shopping list " * 500)
    journal, aside = open_journal(path, ManualClock())
    with pytest.raises(JournalBusy):
        open_journal(path, ManualClock())
    journal.close()
    assert aside is not None
    assert "shopping" in aside.read_text()


def test_what_another_program_wrote_to_the_game_meanwhile_is_no_end_of_the_board(path: Path) -> None:
    with opened(path) as journal:
        kept = begin(journal)
        do(journal, kept, *ACTS[:2])
        row = "1, (SELECT 1 + max(number) FROM line), 'nonsense', '', '', '', 0"
        meddle(path, f"INSERT INTO line VALUES ({row});")
        with pytest.raises(NotKept):
            do(journal, kept, *ACTS[2:])
        kept = begin(journal)
        do(journal, kept, *ACTS)
        assert journal.game(2).game.log == kept.game.log


# A disk that takes no more


@contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """No file of this process may grow beyond what the log has now."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.with_name("journal.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_a_full_disk_does_not_take_is_not_kept_and_can_be_done_again(path: Path) -> None:
    with opened(path) as journal:
        kept = begin(journal)
        do(journal, kept, *ACTS[:3])
        with full_disk(path):
            for _ in range(3):
                with pytest.raises(NotKept):
                    do(journal, kept, ACTS[3])
            with pytest.raises(NotKept):
                journal.begin(TRUST, 1)
            with pytest.raises(NotKept):
                journal.settle({"sound": "off"})
        do(journal, kept, *ACTS[3:])
    with opened(path) as journal:
        found = journal.latest()
        assert found is not None
        assert found.game.log == kept.game.log
        assert journal.setting("sound") is None
        assert len(journal.games()) == 1
