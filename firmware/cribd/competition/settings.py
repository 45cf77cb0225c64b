"""Stores the organiser's choices as settings of the journal."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cribboard.competition.rounds import MOST_TABLES
from cribd.competition.action_json import AllowedClause, NotAnAction
from cribd.competition.refusals import refused_unless_saved
from cribd.storage.journal import Journal, JournalDamaged

#: The setting with the current competition. `2 of 5`: competition 2 was chosen when 5 was the newest. The newest one is
#: current if it began later, if nothing was chosen, or if the setting cannot be read.
_CURRENT = "current competition"
#: The table of the hall at which this board stands; "" if it stands at none.
_TABLE = "event_table"


def read_current(journal: Journal) -> int:
    """Read the number of the current competition, or 0. Raises `JournalDamaged`."""
    newest = journal.competitions.newest()
    chosen = re.fullmatch(rf"([1-9][0-9]{{0,8}}) of {newest}", _read(journal, _CURRENT))
    return min(int(chosen[1]), newest) if chosen else newest


def store_current(journal: Journal, number: int) -> None:
    """Store which competition is the current one. Raises `JournalAway`, `JournalDamaged`."""
    journal.write_settings({_CURRENT: f"{number} of {journal.competitions.newest()}"})


def read_board_table(journal: Journal) -> int | None:
    """Read the number of this board's table in the hall.

    It is 1 or higher. None if the board stands at no table, or the setting cannot be read."""
    setting = _read(journal, _TABLE)
    return next((table for table in range(1, MOST_TABLES + 1) if setting == str(table)), None)


def store_board_table(journal: Journal, payload: object, also: Mapping[str, str]) -> int | None:
    """Store the number of this board's table, and return the number.

    A request is `{"table": 4}`, or `{"table": null}` for no table. The settings `also` are stored in the same
    transaction. Raises `NotAnAction`, and `RefusedRequest` if the journal cannot be written."""
    match payload:
        case {"table": None, **rest} if not rest:
            table = None
        case {"table": int(table), **rest} if not rest and not isinstance(table, bool) and 1 <= table <= MOST_TABLES:
            pass
        case _:
            raise NotAnAction("table", payload, AllowedClause("board_table", {"most": MOST_TABLES}))
    with refused_unless_saved():
        journal.write_settings({_TABLE: "" if table is None else str(table), **also})
    return table


def _read(journal: Journal, name: str) -> str:
    try:
        return journal.setting(name) or ""
    except JournalDamaged:
        return ""
