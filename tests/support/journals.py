"""A small journal of games in trust, and SQL on its file that no board would run."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cribboard import RULES, Way
from cribboard.actions import Action, By, NameDealer, ReleasePeg, TakePegInHand
from cribboard.competition import FORMATS
from cribboard.competition.actions import CompetitionAction
from cribboard.competition.record import CompetitionHeading
from cribboard.record import Heading
from cribboard.series import FinishedGame
from cribd.clock import ManualClock
from cribd.storage.competitions import CompetitionAct, StoredCompetition
from cribd.storage.journal import Journal, StoredGame

TRUST = Heading(rules=RULES["six-card"], way=Way.TRUST, names=("Ann", "Bob"), date="2026-01-01", board="continuous")
TUESDAY = CompetitionHeading(format=FORMATS["acc"], name="Mardi des aînés", date="2026-03-03", tables=6)
ACTS: tuple[Action, ...] = (
    NameDealer(0),
    TakePegInHand(1, 3),
    ReleasePeg(1, By.OWNER),
    TakePegInHand(0, 12),
    ReleasePeg(0, By.TIME),
    TakePegInHand(1, 4),
)


@contextmanager
def opened(path: Path) -> Iterator[Journal]:
    journal = Journal(path, ManualClock())
    try:
        yield journal
    finally:
        journal.close()


def begin(journal: Journal, *, heading: Heading = TRUST, match: int = 1) -> StoredGame:
    return StoredGame(journal.begin(heading, match), match, heading, heading.begin())


def do(journal: Journal, stored: StoredGame, *acts: Action, result: FinishedGame | None = None) -> None:
    for act in acts:
        events = stored.game.decide(act)
        journal.append(stored, events, result)
        stored.game.append(events)


def decided(stored: StoredCompetition, action: CompetitionAction) -> CompetitionAct:
    return CompetitionAct(stored, stored.competition.decide(action))


def organise(journal: Journal, stored: StoredCompetition, *actions: CompetitionAction) -> None:
    for action in actions:
        act = decided(stored, action)
        journal.competitions.append(act)
        stored.competition.append(act.events)


def played(path: Path, *acts: Action, games: int = 1) -> None:
    """Play these actions in each of so many games. The journal is closed again."""
    with opened(path) as journal:
        for _ in range(games):
            do(journal, begin(journal), *acts)


def tamper(path: Path, script: str) -> None:
    """Run SQL on the file that Cribboard itself never runs. A trigger that it drops stands again afterwards."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        triggers = file.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%append-only%'"
        )
        before = triggers.fetchall()
        file.executescript(script)
        left = {name for (name,) in file.execute("SELECT name FROM sqlite_schema")}
        tables = {name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        for name, sql in before:
            if name not in left and sql.partition(" ON ")[2].split()[0] in tables:
                file.execute(sql)


def of_version(path: Path, version: int) -> None:
    """Make the file one that version 1 or 2 wrote, which have no members and no checks, and 1 no competitions."""
    later = ["member", "game_check", "competition_check", "setting_check"]
    later += ["competition_game", "competition_line", "competition"] if version == 1 else []
    checks = (
        *("game_checked", "line_checked", "competition_game_checked", "competition_checked"),
        *("competition_line_checked", "setting_inserted", "setting_updated", "setting_deleted"),
    )
    gone = [f"DROP TRIGGER {check}" for check in checks] + [f"DROP TABLE {each}" for each in later]
    tamper(path, f"{'; '.join(gone)}; DELETE FROM setting; PRAGMA user_version = {version}")
