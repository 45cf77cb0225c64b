"""Store which competition of the journal is the current one: a setting, chosen by the organiser.

The setting is `2 of 5`: competition 2 was chosen when 5 was the newest. One that is begun later is the current one, and
so is the newest where nothing was chosen or the setting cannot be read.
"""

from __future__ import annotations

import re

from cribd.storage.journal import Journal, JournalDamaged

_SETTING = "current competition"


def read_current(journal: Journal) -> int:
    """Read the number of the current competition, 0 if there is none. Raises `JournalDamaged`."""
    newest = journal.competitions.newest()
    try:
        setting = journal.setting(_SETTING) or ""
    except JournalDamaged:
        return newest
    chosen = re.fullmatch(rf"([1-9][0-9]{{0,8}}) of {newest}", setting)
    return min(int(chosen[1]), newest) if chosen else newest


def keep_current(journal: Journal, number: int) -> None:
    """Store which competition is the current one. Raises `NotKept`, `JournalDamaged`."""
    journal.write_settings({_SETTING: f"{number} of {journal.competitions.newest()}"})
