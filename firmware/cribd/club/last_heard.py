"""Stores when each board was last heard.

The times are of one evening, so old ones are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from cribd.storage.journal import Journal, JournalAway

SETTING = "club boards heard"
#: How often the times are stored, in seconds.
STORE_S = 300.0
#: How long a stored time is valid.
LONGEST = timedelta(hours=12)


def store_last_heard(journal: Journal, heard: Mapping[str, datetime]) -> bool:
    """Store these times, and return whether that succeeded."""
    with suppress(JournalAway):
        journal.write_settings({SETTING: json.dumps({board: at.isoformat() for board, at in heard.items()})})
        return True
    return False


def read_last_heard(journal: Journal, now: datetime) -> Mapping[str, datetime]:
    """Read the time at which each board was last heard.

    Times that are too old, in the future or unreadable are left out."""
    heard = {}
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        for board, at in json.loads(journal.setting(SETTING) or "{}").items():
            if timedelta(0) <= now - (heard_at := datetime.fromisoformat(at)) <= LONGEST:
                heard[board] = heard_at
    return heard
