"""Finds the games that a sealed competition hides (design law 10).

A game belongs to a competition if its row in `competition_game` or its check names one. The competition's format alone
decides the seal. The seal ends when the winner's place, the last one, is opened, and returns if that is undone. A
competition that cannot be read seals its games. Games for events of other machines have their own seal
(`cribd.storage.event_games`). The engine is imported when a competition is read, so that a board
without one does not load it.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from cribd.storage.event_games import sealed_events
from cribd.storage.schema import (
    COMPETITION_CHECK,
    COMPETITION_LINES,
    GAME_CHECK,
    PLAYED_FOR,
    UNREADABLE,
    holds_checks,
    holds_competitions,
)


class Seals:
    """Finds out which games and competitions of one journal are sealed.

    The readers pass their own connections."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, bool]] = {}  # by competition: how many lines it had, and whether it seals

    def is_sealed(self, db: sqlite3.Connection, game: int) -> bool:
        """Whether this game must stay hidden. Raises `UNREADABLE`."""
        if any(sealed_events(db, game)):
            return True
        if not holds_competitions(db):
            return False
        competitions = {row[0] for row in db.execute(PLAYED_FOR, (game,))}
        if holds_checks(db):
            competitions |= {row[5] for row in db.execute(GAME_CHECK, (game,)) if row[5] is not None}
        return any(self._is_sealed_now(db, number) for number in competitions)

    def sealing(self, db: sqlite3.Connection) -> frozenset[int | str]:
        """Find the competitions whose games must stay hidden.

        A competition of this machine has its number, one of another machine its id. Unreadable tables are left out."""
        found: set[int] = set()
        elsewhere: set[str] = set()
        with suppress(*UNREADABLE):
            elsewhere.update(sealed_events(db))
        with suppress(*UNREADABLE):
            if holds_competitions(db):
                found.update(number for (number,) in db.execute("SELECT DISTINCT competition FROM competition_game"))
            if holds_checks(db):
                found.update(number for (number,) in db.execute("SELECT DISTINCT competition FROM game_check"))
        here = {number for number in found if isinstance(number, int) and self._is_sealed_now(db, number)}
        return frozenset(here | elsewhere)

    def _is_sealed_now(self, db: sqlite3.Connection, competition: int) -> bool:
        """Whether the results of this competition are sealed now."""
        newest = "SELECT coalesce(max(number), 0) FROM competition_line WHERE competition = ?"
        try:
            (lines,) = db.execute(newest, (competition,)).fetchone()
            known = self._known.get(competition)
            if known is None or known[0] != lines:
                known = self._known[competition] = lines, _read_is_sealed(db, competition)
        except UNREADABLE:
            return True
        return known[1]


def _read_is_sealed(db: sqlite3.Connection, competition: int) -> bool:
    """Read from the log whether this competition is sealed. Raises `UNREADABLE`."""
    from cribboard.cards import NotationError
    from cribboard.competition.record import CompetitionRecord, played, read_heading
    from cribboard.competition.terms import CompetitionPhase
    from cribboard.record import read_chained
    from cribboard.rules import Option

    with suppress(NotationError):
        (text,) = db.execute("SELECT heading FROM competition WHERE id = ?", (competition,)).fetchone() or ("",)
        heading = read_heading(str(text))
        if heading.format.sealed is Option.OFF:
            return False
        rows = db.execute(COMPETITION_LINES, (competition,)).fetchall()
        check = db.execute(COMPETITION_CHECK, (competition,)).fetchone() if holds_checks(db) else None
        if check is not None and check[1] != len(rows):
            return True
        events, _ = read_chained(heading, [row[:3] for row in rows])
        return played(CompetitionRecord(heading, events)).position.phase is not CompetitionPhase.OPEN
    return True
