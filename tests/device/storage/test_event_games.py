"""Games of this board for the event of another machine: what is not known to be open stays sealed."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.journals import ACTS, TRUST, begin, do, opened, played, tamper
from tests.support.rotten_bits import used_bits
from tests.support.sweeps import one_in

from cribboard.actions import BreakOff
from cribd.clock import ManualClock
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader, GameDamaged
from cribd.storage.journal import Journal, JournalDamaged, StoredGame
from cribd.storage.journal_backup import back_up_journal
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.outbox import PlayedFor
from cribd.storage.schema import LEAST_READER, LEAST_READER_OF_EVENT_GAMES

EVENT = UUID("c263b8c0-aed5-5334-b82d-e7fe74815c57")
PLACE = PlayedFor(EVENT, 2, 4, 1)


def play_for_event(journal: Journal, *, is_sealed: bool = True, is_over: bool = True) -> None:
    number = journal.begin(TRUST, journal.next_match(), played_for=PLACE, is_sealed=is_sealed)
    game = StoredGame(number, 1, TRUST, TRUST.begin(), PLACE)
    do(journal, game, *ACTS, *[BreakOff()] * is_over)


def shown(path: Path) -> list[int]:
    """The games that anybody may see."""
    return [game.id for game in Archive(path).page(9)]


def least_reader(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def test_a_sealed_game_is_hidden_until_the_organiser_says_that_the_event_is_open(path: Path) -> None:
    with opened(path) as journal:
        play_for_event(journal)
        play_for_event(journal, is_over=False)
        assert shown(path) == []
        assert Archive(path).is_sealed(2), "from its first card on"
        assert Archive(path).sealing() == {str(EVENT)}
        journal.event_games.set_open(UUID(int=1), is_open=True)
        assert shown(path) == [], "another event is open"
        journal.event_games.set_open(EVENT, is_open=True)
        assert (shown(path), Archive(path).sealing()) == ([1], frozenset())
        journal.event_games.set_open(EVENT, is_open=False)
        assert shown(path) == [], "the organiser has taken it back"
    back_up_journal(path, path.with_name("copy.db"))
    for file in (path, path.with_name("copy.db")):
        assert shown(file) == []
        assert [game.id for game in Archive(file).page(9, reader=ArchiveReader.PIN)] == [1]


def test_a_game_of_an_event_without_a_seal_is_shown(path: Path) -> None:
    with opened(path) as journal:
        play_for_event(journal, is_sealed=False)
    assert shown(path) == [1]


def test_a_game_of_an_event_without_a_known_seal_is_sealed(path: Path) -> None:
    with opened(path) as journal:
        number = journal.begin(TRUST, 1, played_for=PLACE)
        do(journal, StoredGame(number, 1, TRUST, TRUST.begin(), PLACE), BreakOff())
    assert shown(path) == []


def test_a_game_knows_its_event_after_a_restart_and_its_outcome_waits(path: Path) -> None:
    with opened(path) as journal:
        played_before = begin(journal)
        do(journal, played_before, *ACTS, BreakOff())
        play_for_event(journal)
    with opened(path) as journal:
        assert (journal.game(1).played_for, journal.game(2).played_for) == (None, PLACE)
        assert journal.outbox.waiting() == (2,)
        assert journal.outcome(2).place == PLACE
        assert journal.games_of_no_event() == 1


def test_no_older_version_reads_a_file_with_such_a_game(path: Path) -> None:
    played(path, *ACTS)
    assert least_reader(path) == LEAST_READER
    with opened(path) as journal:
        play_for_event(journal)
        assert least_reader(path) == LEAST_READER_OF_EVENT_GAMES
    tamper(path, f"PRAGMA user_version = {LEAST_READER}; UPDATE setting SET value = '5' WHERE name = 'writer'")
    with opened(path) as journal:
        journal.upgrade()
    assert least_reader(path) == LEAST_READER_OF_EVENT_GAMES


@pytest.mark.parametrize("table", ["event_game", "event_game_check"])
@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {} SET event = 'x'", "UPDATE {} SET is_sealed = 0"])
def test_a_game_whose_seal_has_rotted_in_one_place_stays_sealed(path: Path, table: str, change: str) -> None:
    with opened(path) as journal:
        play_for_event(journal)
    triggers = "".join(f"DROP TRIGGER IF EXISTS {table}_{event};" for event in ("update", "delete"))
    tamper(path, triggers + change.format(table))
    assert shown(path) == []
    with opened(path) as journal, pytest.raises(JournalDamaged, match="the event that it is played for, has changed"):
        journal.game(1)


def test_a_rebuilt_journal_has_the_games_with_their_seals(path: Path) -> None:
    with opened(path) as journal:
        play_for_event(journal)
    tamper(path, "DROP TRIGGER event_game_delete; DELETE FROM event_game")
    journal, _ = open_or_repair_journal(path, ManualClock())
    assert journal.rebuilt is not None
    assert journal.game(1).played_for == PLACE
    assert journal.outbox.waiting() == (1,)
    journal.close()
    assert (shown(path), least_reader(path)) == ([], LEAST_READER_OF_EVENT_GAMES)


@pytest.mark.slow
@pytest.mark.sweep
def test_whichever_bit_has_rotted_a_sealed_game_is_not_shown(path: Path) -> None:
    """The sample is every 499th used bit, and the sweep every 61st."""
    with opened(path) as journal:
        play_for_event(journal)
    sound = path.read_bytes()
    for bit in used_bits(sound, every=one_in(499, whole=61)):
        rotten = bytearray(sound)
        rotten[bit // 8] ^= 1 << bit % 8
        path.write_bytes(rotten)
        with suppress(ArchiveAway):
            assert all(not hasattr(game, "heading") for game in Archive(path).page(9)), f"bit {bit}"
            with suppress(KeyError, GameDamaged):
                Archive(path).record(1)
                pytest.fail(f"bit {bit}: the record is shown")
