"""Stores the hub's last order in the board's journal.

Words and rehearsals are of the moment, and are left out. An order is of one evening, so an old one is none.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from cribd.club.membership import ORDER
from cribd.club.messages import HubToBoard, NotUnderstood, Order, read_down, write
from cribd.storage.journal import Journal, JournalAway, JournalDamaged

#: How long a stored order is valid. A clock that is behind, as on a Pi without a battery, makes no order too old.
LONGEST = timedelta(hours=12)


def stored_part(order: Order) -> Order:
    """Return the part of the hub's order that is stored."""
    return replace(order, word="", word_number=0, rehearsal=0)


def store_order(journal: Journal, club: str, order: Order, now: datetime) -> bool:
    """Store an order, and return whether that succeeded."""
    text = write(HubToBoard(order=order)).decode()
    with suppress(JournalAway):
        journal.write_settings({ORDER: json.dumps([club, now.isoformat(), text], ensure_ascii=False)})
        return True
    return False


def read_order(journal: Journal, club: str, now: datetime) -> Order | None:
    """Read the last stored order of this club's hub.

    None if there is none, it is too old, or it cannot be read."""
    with suppress(ValueError, TypeError, RecursionError, NotUnderstood, JournalDamaged):
        of_club, at, text = json.loads(journal.setting(ORDER) or "")
        if of_club == club and now - datetime.fromisoformat(at) <= LONGEST:
            return read_down(text.encode()).order
    return None
