"""What the journal promises: all that was kept is there, in order, as it was written, or it says that it is not."""

from __future__ import annotations

import asyncio
import hashlib
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.evenings import policy
from tests.support.journals import ACTS, TRUST, begin, do, opened, played, tamper

from cribboard import Way
from cribboard.actions import AcceptResult, Action, By, NameDealer, ReleasePeg, TakePegInHand
from cribboard.record import Record, first_link, judge
from cribboard.series import FinishedGame, Match
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import Key, KeyPressed
from cribd.storage.journal import JournalAway, JournalDamaged
from cribd.table.settings import Settings
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table

BLUE_WON = FinishedGame(winner=0, scores=(121, 99), counts=1, first_dealer=0)
RED_SKUNKED = FinishedGame(winner=1, scores=(60, 121), counts=2, first_dealer=1)


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    file = sqlite3.connect(path)
    try:
        return file.execute(query).fetchall()
    finally:
        file.close()


# What was written is there


def test_a_game_is_found_again_as_it_stood(path: Path) -> None:
    with opened(path) as journal:
        stored = begin(journal)
        do(journal, stored, *ACTS)
    with opened(path) as journal:
        found = journal.latest_game()
        assert found is not None
        assert (found.id, found.match, found.heading) == (stored.id, 1, TRUST)
        assert found.game.log == stored.game.log
        assert found.game.position == stored.game.position


def test_play_goes_on_where_another_run_left_it(path: Path) -> None:
    played(path, *ACTS[:3])
    with opened(path) as journal:
        found = journal.latest_game()
        assert found is not None
        do(journal, found, *ACTS[3:])
    with opened(path) as journal:
        found = journal.latest_game()
        assert found is not None
        assert [event.action for event in found.game.log if hasattr(event, "action")] == list(ACTS)
        assert judge(Record(found.heading, found.game.log)).position == found.game.position


def test_a_game_goes_on_after_another_was_looked_at(path: Path) -> None:
    played(path, *ACTS[:2])
    with opened(path) as journal:
        stored = begin(journal)
        do(journal, stored, *ACTS[:2])
        journal.game(1)
        do(journal, stored, *ACTS[2:])
        assert journal.game(2).game.log == stored.game.log


def test_an_empty_journal_has_no_game_and_one_that_was_only_begun_has_no_events(path: Path) -> None:
    with opened(path) as journal:
        assert journal.latest_game() is None
        assert journal.games() == ()
        begin(journal)
    with opened(path) as journal:
        found = journal.latest_game()
        assert found is not None
        assert found.game.log == ()


def test_a_game_whose_heading_is_lost_is_listed_all_the_same(path: Path) -> None:
    played(path, *ACTS, games=2)
    tamper(path, "DROP TRIGGER game_update; UPDATE game SET heading = 'nonsense' WHERE id = 1")
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
    before = rows(path, "SELECT number, line, chain, at, boot, seconds FROM line ORDER BY number")
    chain = first_link(TRUST)
    for number, (at_number, line, link, at, boot, seconds) in enumerate(before, start=1):
        chain = hashlib.sha256((chain + str(line)).encode()).hexdigest()
        assert (at_number, link) == (number, chain)
        assert datetime.fromisoformat(str(at)) == ManualClock().wall()
        this_boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        assert boot == (this_boot if number == 1 else ""), "the boot stands once, for it is longer than a line"
        assert seconds == ManualClock().now()
    assert len(before) > len(ACTS)


def test_the_boot_stands_once_for_each_start_of_the_board(path: Path) -> None:
    played(path, *ACTS[:2])
    with opened(path) as journal:
        stored = journal.latest_game()
        assert stored is not None
        do(journal, stored, *ACTS[2:])
        lines = len(stored.game.log)
    boots = [boot for (boot,) in rows(path, "SELECT boot FROM line ORDER BY number")]
    assert len(boots) == lines
    assert [at for at, boot in enumerate(boots) if boot] == [0, 1 + boots[1:].index(boots[0])]


def test_an_act_is_there_for_others_as_soon_as_append_returns(path: Path) -> None:
    with opened(path) as journal:
        stored = begin(journal)
        for act in ACTS:
            do(journal, stored, act)
            assert rows(path, "SELECT count(*) FROM line") == [(len(stored.game.log),)]


def test_a_commit_is_on_the_disk_before_append_returns(path: Path) -> None:
    """Synced at every commit, with the log ahead of the file: the two things that make it so in SQLite."""
    with opened(path) as journal:
        assert journal._file.db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert journal._file.db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_closed_journal_is_one_file(path: Path) -> None:
    played(path, *ACTS)
    assert [file.name for file in path.parent.iterdir()] == ["journal.db"]


def test_settings_are_stored_and_can_be_replaced(path: Path) -> None:
    with opened(path) as journal:
        assert journal.setting("language") is None
        journal.write_settings({"language": "fr_CA", "sound": "on"})
        journal.write_settings({"sound": "off"})
    with opened(path) as journal:
        assert (journal.setting("language"), journal.setting("sound")) == ("fr_CA", "off")


def acts_to(result: FinishedGame) -> tuple[Action, ...]:
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
        latest = journal.latest_game()
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


def test_a_result_comes_from_the_lines_of_its_game_not_from_its_row(path: Path) -> None:
    with opened(path) as journal:
        do(journal, begin(journal), *acts_to(BLUE_WON))
        do(journal, begin(journal), NameDealer(0), result=RED_SKUNKED)  # no line of it says that anybody has won
    tamper(path, "INSERT INTO result VALUES (1, 1, 'nonsense', 7, 5)")
    with opened(path) as journal:
        assert journal.match(1, TRUST).results == (BLUE_WON,)


def test_a_damaged_game_is_left_out_of_its_match_and_named(path: Path) -> None:
    with opened(path) as journal:
        for result in (BLUE_WON, RED_SKUNKED, BLUE_WON):
            do(journal, begin(journal), *acts_to(result))
    tamper(path, "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE game = 2 AND number = 5")
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
def test_written_rows_cannot_be_changed(path: Path, change: str) -> None:
    with opened(path) as journal:
        do(journal, begin(journal), *ACTS[:-1])
        do(journal, begin(journal), NameDealer(0), result=BLUE_WON)
    before = [rows(path, f"SELECT * FROM {table}") for table in ("game", "line", "result")]
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        tamper(path, change)
    assert [rows(path, f"SELECT * FROM {table}") for table in ("game", "line", "result")] == before


@given(line=st.integers(1, 13), at=st.integers(0, 10), letter=st.sampled_from("abcxyz019 "))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_letter_that_was_changed_all_the_same_is_noticed(path: Path, line: int, at: int, letter: str) -> None:
    path.unlink(missing_ok=True)
    played(path, *ACTS)
    text = str(rows(path, f"SELECT line FROM line WHERE number = {line}")[0][0])
    changed = text[: at % len(text)] + letter + text[at % len(text) + 1 :]
    tamper(path, f"DROP TRIGGER line_update; UPDATE line SET line = '{changed}' WHERE number = {line};")
    with opened(path) as journal:
        if changed == text:
            assert journal.latest_game() is not None
        else:
            with pytest.raises(JournalDamaged, match="game 1: line"):
                journal.latest_game()


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
    tamper(path, change)
    with opened(path) as journal, pytest.raises(JournalDamaged, match="game 2"):
        journal.latest_game()


async def test_after_a_damaged_game_a_table_begins_a_match_of_its_own(path: Path) -> None:
    with opened(path) as journal:
        for match in (1, 2):
            do(journal, begin(journal, match=match), NameDealer(0), result=BLUE_WON)
    tamper(path, "DROP TRIGGER line_update; UPDATE line SET chain = '' WHERE game = 2")
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
            table.load()
        playing = asyncio.create_task(table.run())
        table.post([KeyPressed(Key.OK, 0)])
        await clock.run_ready_tasks()
        playing.cancel()
        found = journal.latest_game()
        assert found is not None
        assert (found.id, found.match) == (3, 3)
        assert (shown[-1].lobby, shown[-1].games) == (None, (0, 0))


def test_the_board_survives_lines_that_another_program_wrote(path: Path) -> None:
    with opened(path) as journal:
        stored = begin(journal)
        do(journal, stored, *ACTS[:2])
        row = "1, (SELECT 1 + max(number) FROM line), 'nonsense', '', '', '', 0"
        tamper(path, f"INSERT INTO line VALUES ({row});")
        with pytest.raises(JournalAway):
            do(journal, stored, *ACTS[2:])
        stored = begin(journal)
        do(journal, stored, *ACTS)
        assert journal.game(2).game.log == stored.game.log


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


def test_an_act_refused_by_a_full_disk_is_not_stored_and_can_be_repeated(path: Path) -> None:
    with opened(path) as journal:
        stored = begin(journal)
        do(journal, stored, *ACTS[:3])
        with full_disk(path):
            for _ in range(3):
                with pytest.raises(JournalAway):
                    do(journal, stored, ACTS[3])
            with pytest.raises(JournalAway):
                journal.begin(TRUST, 1)
            with pytest.raises(JournalAway):
                journal.write_settings({"sound": "off"})
        do(journal, stored, *ACTS[3:])
    with opened(path) as journal:
        found = journal.latest_game()
        assert found is not None
        assert found.game.log == stored.game.log
        assert journal.setting("sound") is None
        assert len(journal.games()) == 1
