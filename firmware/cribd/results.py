"""What a game counts in its match, once its result is final."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.events import Event, ResultFinal
from cribboard.series import Result, result_of
from cribd.journal import Kept


def result_of_game(kept: Kept, events: Sequence[Event]) -> Result | None:
    """What the game counts, if these events make its result final."""
    if not isinstance(events[-1], ResultFinal):
        return None
    return result_of(kept.game.after(events), first_dealer=_first_dealer(kept))


def _first_dealer(kept: Kept) -> int:
    """Who dealt first, as it stands: a cut that was undone counts no more."""
    positions = (kept.game.position_after(number) for number in range(len(kept.game.log) + 1))
    *_, dealer = (p.dealer for p in positions if p.deal == 1 and p.dealer is not None)
    return dealer
