"""Chooses the buzzer's sound for each change of the table.

It depends on the snapshots alone, so that right and wrong claims sound alike until they are judged (design law 9; rules
reference, 7.22).
"""

from __future__ import annotations

from cribboard.events import ClaimChallenged, ClaimJudged, ClaimRuled, GameWon, MugginsRuled, Pegged, SaidGo
from cribd.drivers.buzzer import Sound
from cribd.table.snapshot import Snapshot


def sound_of(snapshot: Snapshot, before: Snapshot) -> Sound | None:
    """Return the sound of the change from `before`, or None."""
    if snapshot.pending is not None:
        return None
    if snapshot.refusal is not None and snapshot.refusal is not before.refusal:
        return Sound.ERROR
    if _modes_outside_game(snapshot) != _modes_outside_game(before):
        return Sound.TICK
    if snapshot.view is None or (before.view is not None and before.view.number == snapshot.view.number):
        return None
    kinds = {type(event) for event in snapshot.view.said}
    if GameWon in kinds:
        return Sound.WIN
    if ClaimRuled in kinds:
        return Sound.ERROR
    # The ruling on a challenge or a call of muggins sounds like a moved peg, even if none moved.
    if kinds & {Pegged, MugginsRuled} or kinds >= {ClaimChallenged, ClaimJudged}:
        return Sound.SCORE
    return Sound.GO if SaidGo in kinds else Sound.TICK


def _modes_outside_game(snapshot: Snapshot) -> tuple[object, ...]:
    """Return the table's modes outside the game.

    The buzzer ticks when one of them changes."""
    return snapshot.menu, snapshot.judging, snapshot.looking, snapshot.official, snapshot.off, snapshot.lobby
