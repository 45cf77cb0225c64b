"""Store the table of the hall at which this board stands: a setting of the journal, chosen by the organiser."""

from __future__ import annotations

from cribboard.competition.rounds import MOST_TABLES
from cribd.competition.action_json import AllowedClause, NotAnAction
from cribd.competition.refusals import RefusedRequest
from cribd.storage.journal import Journal, JournalDamaged, NotKept

#: The setting's name; its value is "" where the board stands at none.
_SETTING = "event_table"


def read_board_table(journal: Journal) -> int | None:
    """Read the table, from 1; None if the board stands at none, or the setting cannot be read."""
    try:
        setting = journal.setting(_SETTING) or ""
    except JournalDamaged:
        return None
    return next((table for table in range(1, MOST_TABLES + 1) if setting == str(table)), None)


def keep_board_table(journal: Journal, payload: object) -> int | None:
    """Store and return the table of a request: `{"table": 4}`, or null for none. Raises `NotAnAction`, and
    `RefusedRequest` if the journal cannot be written."""
    match payload:
        case {"table": None, **rest} if not rest:
            table = None
        case {"table": int(table), **rest} if not rest and not isinstance(table, bool) and 1 <= table <= MOST_TABLES:
            pass
        case _:
            raise NotAnAction("table", payload, AllowedClause("board_table", {"most": MOST_TABLES}))
    try:
        journal.write_settings({_SETTING: "" if table is None else str(table)})
    except NotKept as away:
        raise RefusedRequest("not_kept", reason=away.args[0]) from away
    return table
