"""What a game counts in its match, once its result is final."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.events import Event, ResultFinal
from cribboard.series import Result, first_dealer, result_of
from cribd.storage.journal import Kept


def result_of_game(kept: Kept, events: Sequence[Event]) -> Result | None:
    """What the game counts, if these events make its result final."""
    if not isinstance(events[-1], ResultFinal):
        return None
    return result_of(kept.game.after(events), first_dealer=first_dealer(kept.game))
