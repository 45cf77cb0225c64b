"""What tomorrow's program writes and today's reads: a journal keeps the version that wrote it, and the least that may
read it. The files here are made by hand, as a later version may make them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.journals import ACTS, TRUST, begin, do, opened, played, tamper

from cribboard.competition import FORMATS
from cribboard.competition.actions import Register, SetTables
from cribboard.competition.record import CompetitionHeading
from cribboard.record import RecordError, first_link, next_link, read, write_chained
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.archive import Archive, ArchiveAway
from cribd.storage.competitions import CompetitionAct
from cribd.storage.journal import Journal, JournalAway, JournalDamaged
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.schema import LEAST_READER, VERSION

#: What a later version may add: a table, an index of it, a view, and a trigger that keeps it up to date.
ADDITIONS = """
CREATE TABLE visit (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, who TEXT NOT NULL) STRICT;
CREATE INDEX visit_who ON visit (who);
CREATE VIEW visits AS SELECT who, count(*) AS times FROM visit GROUP BY who;
CREATE TRIGGER visit_begun AFTER INSERT ON game BEGIN INSERT INTO visit (game, who) VALUES (NEW.id, 'somebody'); END;
INSERT INTO visit (game, who) VALUES (1, 'Zoë');
"""
EVENT = CompetitionHeading(format=FORMATS["acc"], name="Mardi", date="2026-03-03", tables=6)


def written_by(path: Path, writer: int, *, least: int = LEAST_READER, script: str = "") -> None:
    """Make the file one that this later version wrote."""
    tamper(
        path, f"UPDATE setting SET value = '{writer}' WHERE name = 'writer'; PRAGMA user_version = {least}; {script}"
    )


def numbers(path: Path) -> tuple[int, int]:
    """The version that wrote the file, and the least that may read it."""
    with closing(sqlite3.connect(path)) as db:
        (writer,) = db.execute("SELECT value FROM setting WHERE name = 'writer'").fetchone()
        return int(writer), db.execute("PRAGMA user_version").fetchone()[0]


def add_line(path: Path, game: int, line: str) -> None:
    """Write one line more of a game, with a chain that fits."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        number, chain = db.execute(
            "SELECT number, chain FROM line WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
        ).fetchone()
        row = (game, number + 1, line, next_link(chain, line))
        db.execute("INSERT INTO line VALUES (?, ?, ?, ?, '', '', 0)", row)


def organised(path: Path, name: str) -> None:
    with opened(path) as journal:
        stored = journal.competitions.begin(EVENT)
        for action in (Register(name=name), SetTables(3)):
            act = CompetitionAct(stored, stored.competition.decide(action))
            journal.competitions.append(act)
            stored.competition.append(act.events)


def test_a_new_journal_says_who_wrote_it_and_who_may_read_it(path: Path) -> None:
    played(path, *ACTS)
    assert numbers(path) == (VERSION, LEAST_READER)


def test_a_board_plays_on_in_a_journal_of_a_later_version_and_loses_nothing_of_what_it_does_not_know(
    path: Path,
) -> None:
    played(path, *ACTS)
    written_by(path, 9, script=ADDITIONS)
    journal, aside = open_or_repair_journal(path, ManualClock())
    assert aside is None
    assert journal.game(1).game.log
    do(journal, begin(journal), *ACTS)
    journal.write_settings({"sound": "off"})
    journal.close()
    assert numbers(path) == (9, LEAST_READER), "the later version finds its file as its own"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT game, who FROM visit").fetchall() == [(1, "Zoë"), (2, "somebody")]
        assert db.execute("SELECT who, times FROM visits").fetchall() == [("Zoë", 1), ("somebody", 1)]


@pytest.mark.parametrize("writer", [VERSION + 1, 99])
def test_a_journal_that_only_a_later_version_may_read_is_refused_with_all_numbers(path: Path, writer: int) -> None:
    played(path, *ACTS)
    written_by(path, writer, least=VERSION + 1)
    before = path.read_bytes()
    said = f"version {writer} wrote this journal, and only version {VERSION + 1} or later may read it; "
    with pytest.raises(JournalAway, match=said + f"this program is version {VERSION}"):
        open_or_repair_journal(path, ManualClock())
    with pytest.raises(JournalAway, match=said):
        Journal(path, ManualClock())
    with pytest.raises(ArchiveAway, match=said):
        Archive(path).page(5)
    assert path.read_bytes() == before
    assert list(path.parent.glob("*.damaged*")) == []


def test_a_least_version_above_the_writers_own_is_treated_as_damage(path: Path) -> None:
    played(path, *ACTS)
    for bit in range(3, 6):
        tamper(path, f"PRAGMA user_version = {LEAST_READER | 1 << bit}")
        assert len(Archive(path).page(5)) == 0
        journal, aside = open_or_repair_journal(path, ManualClock())
        assert aside is None
        assert journal.game(1).game.log
        journal.close()
        assert numbers(path) == (VERSION, LEAST_READER)


def test_a_journal_of_the_version_before_is_read_and_says_from_then_on_who_wrote_it(path: Path) -> None:
    played(path, *ACTS)
    tamper(path, "DELETE FROM setting")
    journal, aside = open_or_repair_journal(path, ManualClock())
    assert aside is None
    assert journal.game(1).game.log
    journal.close()
    assert numbers(path) == (VERSION, 2)


# Events of a kind that is not known

GHOST = "ghost moved blue +4"


def test_an_event_of_an_unknown_kind_costs_its_game_alone_and_is_named(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(path, *ACTS, games=2)
    add_line(path, 2, GHOST)
    written_by(path, VERSION + 1)
    journal, aside = open_or_repair_journal(path, ManualClock())
    assert aside is None
    with pytest.raises(JournalDamaged, match=f"no event that this version knows: '{re.escape(GHOST)}'"):
        journal.latest_game()
    assert journal.game(1).game.log
    do(journal, begin(journal), *ACTS)
    assert journal.game(3).game.log
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT line FROM line WHERE game = 2 ORDER BY number DESC").fetchone() == (GHOST,)
    assert main(["record", "export", "1", f"--journal={path}"]) == 0
    assert main(["record", "export", "2", f"--journal={path}"]) == 1
    assert GHOST in capsys.readouterr().err


def test_an_event_of_an_unknown_kind_costs_its_competition_alone_and_is_named(path: Path) -> None:
    played(path, *ACTS)
    for name in ("Odile", "Réjean"):
        organised(path, name)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (chain,) = db.execute("SELECT chain FROM competition_line WHERE competition = 2 AND number = 2").fetchone()
        line = 'sponsored 1 "Chez Paul"'
        db.execute("INSERT INTO competition_line VALUES (2, 3, ?, ?, '', '', 0)", (line, next_link(chain, line)))
    written_by(path, VERSION + 1)
    journal, aside = open_or_repair_journal(path, ManualClock())
    assert aside is None
    with pytest.raises(JournalDamaged, match="no event that this version knows: 'sponsored 1"):
        journal.competitions.competition(2)
    assert journal.competitions.competition(1).competition.position.entrants[0].name == "Odile"
    assert journal.game(1).game.log
    assert journal.competitions.begin(EVENT).id == 3
    journal.close()


def test_an_event_of_an_unknown_kind_in_a_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = write_chained(TRUST, ())
    chain = next_link(first_link(TRUST), GHOST)
    file = tmp_path / "game.txt"
    file.write_text(text.partition("Chain:")[0] + f"   1   {GHOST}\n\nChain: {chain}\n")
    with pytest.raises(RecordError, match=f"no event that this version knows: .*{re.escape(GHOST)}"):
        read(file.read_text())
    for language in ("en", "fr_CA"):
        assert main(["record", "verify", str(file), "--lang", language]) == 1
        said = capsys.readouterr().out
        assert phrase("record.form.no_event", language) in said
        assert GHOST in said
