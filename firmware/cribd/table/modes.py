"""The internal modes of the table. Only one is active.

`snapshot` declares the modes. One differs: the table holds a `Review`, which steps through the acts of a game, and a
snapshot has the view of one of them (`Looking`).
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.position import Position
from cribd.table.review import Review
from cribd.table.snapshot import Base, Judging, Menu, Official, ShownMode

#: Who has the presses: one at a time.
Mode = Base | Menu | Judging | Review | Official


def as_shown(mode: Mode) -> ShownMode:
    """This mode as a snapshot shows it: without a position."""
    return mode.looking if isinstance(mode, Review) else mode


def official_called(
    side: int, position: Position | None, names: Sequence[str], covers: Base, *, captain: bool = False
) -> Official:
    """The mode after `side` calls an official (7.17). If only a captain may do so, the screen asks for the captain,
    because the board cannot know who pressed."""
    captain = captain or (position is not None and position.rules.customs.captain_calls)
    return Official(side, captain=captain, name=names[side] if side < len(names) else "", covers=covers)
