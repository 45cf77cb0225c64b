"""The manners of the look back: what a press means while the players, or a judge, look at the game as it was.

GO of any side is the next act and CHALLENGE the one before; a hole is the act that put that side's front peg there,
and pressed again the one before that; MENU, pressed or held, goes back to the game. OK does not: whoever presses it
once too often would accept what he never saw. Pure, as `interpret` is: it reads the game, and nothing here reaches
it. What is seen is the view of the table as it was, so of an open claim it tells no more than was told then (design
law 9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.game import Game
from cribboard.replay import Acts
from cribboard.view import View
from cribd.boards import Board
from cribd.inputs import CardRead, HolePressed, Key, KeyHeld, KeyPressed
from cribd.table.snapshot import Looking, Refusal

Press = HolePressed | CardRead | KeyPressed | KeyHeld


class Leave:
    """Back to the game, as it is."""


@dataclass(frozen=True, slots=True)
class Review:
    """The game while somebody looks back at it, after the act that ends with event `at`."""

    acts: Acts
    at: int

    @property
    def looking(self) -> Looking:
        """What the table shows of it."""
        return Looking(only_seen(self.acts.view(self.at)), self.acts.last)


def only_seen(view: View) -> View:
    """The view of then, for those who look back at it: MENU leaves, and is no way back to a false go from there."""
    return replace(view, may_roll_back=False)


def opened(game: Game) -> Review:
    """The look back as it begins: where the game stands."""
    acts = Acts(game)
    return Review(acts, acts.last)


def hear(now: Review, board: Board, fact: Press) -> Review | Leave | Refusal:
    """Where a press leads."""
    acts = now.acts
    match fact:
        case KeyPressed(Key.MENU) | KeyHeld(Key.MENU):
            return Leave()
        case KeyPressed(Key.GO) | KeyHeld(Key.GO):
            return Refusal("look_last") if now.at == acts.last else replace(now, at=acts.after(now.at))
        case KeyPressed(Key.CHALLENGE):
            return Refusal("look_first") if now.at == 0 else replace(now, at=acts.before(now.at))
        case HolePressed(track, hole) if track < acts.sides:
            return _to_hole(now, board, track, hole)
        case HolePressed(track, _):
            return Refusal("not_playing", {"side": track})
        case _:
            return Refusal("looking_back")


def _to_hole(now: Review, board: Board, side: int, hole: int) -> Review | Refusal:
    """To the act that put the peg into the hole of that number, on whichever lap: the latest before this one, and from
    the earliest to the latest again."""
    target = now.acts.target
    found = now.acts.put_into(side, lambda front: front > 0 and board.hole_of(front, target) == hole)
    if not found:
        return Refusal("look_never", {"side": side, "hole": hole})
    if found == (now.at,):
        return Refusal("look_here")
    return replace(now, at=max((at for at in found if at < now.at), default=found[-1]))
