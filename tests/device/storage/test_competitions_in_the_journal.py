"""Competitions beside the games of the journal: kept whole, in one transaction with a game, and damaged alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.journals import ACTS, TUESDAY, decided, do, of_version, opened, organise, played, tamper

from cribboard.competition import FORMATS, record
from cribboard.competition.actions import CheckIn, Register, SetTables
from cribboard.competition.record import CompetitionHeading
from cribd.clock import ManualClock
from cribd.storage.archive import Archive
from cribd.storage.competitions import CompetitionAct
from cribd.storage.journal import JournalAway, JournalDamaged
from cribd.storage.journal_backup import back_up_journal
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.outbox import HandedIn, Outcome, OutcomeStatus, PlayedFor

GIVEN = Path(__file__).parents[2] / "frozen" / "given" / "competitions"


def registered(path: Path, *names: str, heading: CompetitionHeading = TUESDAY) -> None:
    """A competition with these entrants."""
    with opened(path) as journal:
        organise(journal, journal.competitions.begin(heading), *(Register(name=name) for name in names))


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def test_the_uuid_of_a_competition_is_that_of_its_copy_and_of_no_other_in_any_version(path: Path) -> None:
    registered(path, "Odile")
    registered(path, heading=replace(TUESDAY, name="Jeudi"))
    with opened(path) as journal:
        one, other = (journal.competitions.competition(number).uuid for number in (1, 2))
    assert str(one) == "c263b8c0-aed5-5334-b82d-e7fe74815c57", "other machines know it by this"
    assert other != one
    back_up_journal(path, path.with_name("copy.db"))
    of_version(path, 2)
    for file in (path, path.with_name("copy.db")):
        with opened(file) as journal:
            journal.upgrade()
            assert [journal.competitions.competition(number).uuid for number in (1, 2)] == [one, other]
            assert [journal.competitions.number_of(event) for event in (one, other)] == [1, 2]
            with pytest.raises(KeyError):
                journal.competitions.number_of(UUID(int=1))


def test_a_competition_is_found_again_as_it_stood_and_goes_on(path: Path) -> None:
    registered(path, "Odile", "Réjean")
    with opened(path) as journal:
        found = journal.competitions.competition(1)
        assert found.heading == TUESDAY
        assert [entrant.name for entrant in found.competition.position.entrants] == ["Odile", "Réjean"]
        assert len(found.times) == len(found.competition.log) == 2
        organise(journal, found, CheckIn(1))
    with opened(path) as journal:
        assert journal.competitions.competition(1).competition.log == found.competition.log
        with pytest.raises(KeyError):
            journal.competitions.competition(2)


def test_every_competition_is_listed_with_its_heading(path: Path) -> None:
    registered(path)
    registered(path, heading=CompetitionHeading(format=FORMATS["fadoq"]))
    with opened(path) as journal:
        assert journal.competitions.newest() == 2
        headings = [each.heading for each in journal.competitions.begun()]
        assert headings[0] == "\n".join(TUESDAY.lines())
        assert "Format: fadoq/2" in headings[1]


def test_a_competition_that_began_under_the_first_rulings_goes_on_under_them(path: Path) -> None:
    """Its play-offs are ruled as when it began; `tests/frozen` has their medals."""
    text = (GIVEN / "points-four.txt").read_text(encoding="utf-8")
    given = record.read(text)
    with opened(path) as journal:
        stored = journal.competitions.begin(given.heading)
        half = len(given.events) // 2
        for some in (given.events[:half], given.events[half:]):
            journal.competitions.append(CompetitionAct(stored, some))
            stored.competition.append(some)
    with opened(path) as journal:
        again = journal.competitions.competition(1)
        assert again.heading.format.label == "fadoq/1 games=1"
        assert record.write(record.CompetitionRecord(again.heading, again.competition.log)) == text
        registered(path, heading=CompetitionHeading(format=FORMATS["fadoq"]))
        assert journal.competitions.competition(2).heading.format.version == 2


def test_a_result_and_the_outcome_that_it_came_from_commit_together_or_not_at_all(path: Path) -> None:
    with opened(path) as journal:
        event = journal.competitions.begin(TUESDAY)
        outcome = Outcome(place=PlayedFor(event.uuid, 1, 1, 1), scores=(121, 90), broken_off=False, record="a link")
        act, received = decided(event, SetTables(5)), [(HandedIn(outcome), OutcomeStatus.ACCEPTED)]
        tamper(path, "CREATE TRIGGER full BEFORE INSERT ON received BEGIN SELECT RAISE(ABORT, 'full'); END")
        with pytest.raises(JournalAway):
            journal.competitions.append(act, received)
        tamper(path, "DROP TRIGGER full")
        assert journal.competitions.competition(1).competition.log == ()
        assert journal.competitions.received.answer(1, HandedIn(outcome)) is None
        journal.competitions.append(act, received)
        assert journal.competitions.competition(1).competition.log == act.events
        assert journal.competitions.received.answer(1, HandedIn(outcome)) is OutcomeStatus.ACCEPTED


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE competition SET heading = ''",
        "DELETE FROM competition_line",
        "INSERT INTO competition VALUES (7, '', '')",
        "INSERT INTO competition_line VALUES (1, 9, '', '', '', '', 0)",
    ],
)
def test_nothing_that_was_written_of_a_competition_can_be_changed(path: Path, statement: str) -> None:
    registered(path, "Odile")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        tamper(path, statement)


def test_damage_to_one_competition_costs_no_other_and_no_game(path: Path) -> None:
    played(path, *ACTS)
    for name in ("Odile", "Réjean", "Zoé"):
        registered(path, name)
    drop = "DROP TRIGGER competition_line_update; DROP TRIGGER competition_update;"
    tamper(path, f"{drop} UPDATE competition_line SET line = 'tables 9' WHERE competition = 1")
    tamper(path, f"{drop} UPDATE competition SET heading = 'nonsense' WHERE id = 2")
    with opened(path) as journal:
        for damaged in (1, 2):
            with pytest.raises(JournalDamaged, match=f"competition {damaged}"):
                journal.competitions.competition(damaged)
        assert journal.competitions.competition(3).competition.position.entrants[0].name == "Zoé"
        assert [bool(each.heading) for each in journal.competitions.begun()] == [True, True, True]
        assert journal.game(1).game.log


def test_a_file_of_version_1_is_read_as_it_is_and_its_writer_adds_the_tables(path: Path) -> None:
    played(path, *ACTS)
    of_version(path, 1)
    with opened(path) as reader:
        assert reader.competitions.begun() == ()
        assert reader.game(1).game.log
    Archive(path).page(5)
    assert version(path) == 1, "who only reads changes nothing"
    journal, aside = open_or_repair_journal(path, ManualClock())
    assert aside is None
    organise(journal, journal.competitions.begin(TUESDAY), SetTables(3))
    assert journal.game(1).game.log
    journal.close()
    assert version(path) == 2
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        tamper(path, "DELETE FROM competition")


def test_a_game_goes_on_after_its_file_was_upgraded(path: Path) -> None:
    played(path, *ACTS[:3])
    of_version(path, 1)
    journal, _ = open_or_repair_journal(path, ManualClock())
    found = journal.latest_game()
    assert found is not None
    do(journal, found, *ACTS[3:])
    assert journal.game(1).game.log == found.game.log
    journal.close()
