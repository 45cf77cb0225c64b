"""Which sound goes with a picture of the table.

Made from what is shown and nothing else, so that right and wrong claims sound alike until they are judged (design
law 9; rules reference, 7.22).
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.events import ClaimChallenged, ClaimJudged, ClaimRuled, Event, GameWon, MugginsRuled, Pegged, SaidGo
from cribd.drivers.buzzer import Sound
from cribd.table.snapshot import Snapshot


def sound_of(snapshot: Snapshot, before: Snapshot) -> Sound | None:
    """What is heard as the picture changes from `before`; None if nothing happened that anybody did."""
    if snapshot.pending is not None:
        return None
    if snapshot.refusal is not None and snapshot.refusal is not before.refusal:
        return Sound.ERROR
    if _aside(snapshot) != _aside(before):
        return Sound.TICK
    if snapshot.view is None or (before.view is not None and before.view.number == snapshot.view.number):
        return None
    said = snapshot.view.said
    if any(isinstance(event, GameWon) for event in said):
        return Sound.WIN
    if any(isinstance(event, ClaimRuled) for event in said):
        return Sound.ERROR
    if any(isinstance(event, Pegged) for event in said) or _answers_a_challenge(said):
        return Sound.SCORE
    if any(isinstance(event, SaidGo) for event in said):
        return Sound.GO
    return Sound.TICK


def _answers_a_challenge(said: Sequence[Event]) -> bool:
    """A verdict that was asked for sounds as if a peg had moved, whether one did or not."""
    kinds = {type(event) for event in said}
    return MugginsRuled in kinds or kinds >= {ClaimChallenged, ClaimJudged}


def _aside(snapshot: Snapshot) -> tuple[object, ...]:
    """What stands between the game and the players."""
    return snapshot.menu, snapshot.judging, snapshot.looking, snapshot.official, snapshot.lobby
