"""The review mode: looking back through a game's acts.

GO of any side shows the next act and CHALLENGE the one before. A hole shows the act that put that side's front peg
there; pressed again, the one before that. MENU, pressed or held, goes back to the game. OK does not: an OK too many
would accept something unseen.

Pure, a part of `interpret`: it reads the game and changes nothing. It shows the view of that time, which tells no more
of an open claim than was shown then (design law 9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.game import Game
from cribboard.replay import Acts
from cribboard.view import View
from cribd.boards import Board
from cribd.inputs import HolePressed, Key, KeyHeld, KeyPressed, Press
from cribd.table.snapshot import PLAYING, Base, Refusal, ReviewMode


@dataclass(frozen=True, slots=True)
class Review:
    """A review that shows one act of the game."""

    acts: Acts
    """The acts of the game up to the moment when the review was opened."""
    at: int
    """The number of the event that ends the act which is shown; 0 before the first."""
    covers: Base = PLAYING
    """The mode to return to when it ends."""

    @property
    def looking(self) -> ReviewMode:
        """The part of the snapshot that shows this review."""
        return ReviewMode(only_seen(self.acts.view(self.at)), self.acts.last, self.covers)


def only_seen(view: View) -> View:
    """Return the view without its offer to roll back.

    In a review, MENU opens no menu."""
    return replace(view, may_roll_back=False)


def opened(game: Game, covers: Base = PLAYING) -> Review:
    """Begin a review of this game at its latest act."""
    acts = Acts(game)
    return Review(acts, acts.last, covers)


def interpret(now: Review, board: Board, press: Press) -> Review | Base | Refusal:
    """Interpret an input in a review.

    Return the review at another act, the mode to return to, or a refusal."""
    acts = now.acts
    match press:
        case KeyPressed(Key.MENU) | KeyHeld(Key.MENU):
            return now.covers
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
    """Go back to the front peg's last move into this hole.

    The lap does not matter. If there is none before the act that is shown, go to the last one of the game."""
    target = now.acts.target
    found = now.acts.put_into(side, lambda front: front > 0 and board.hole_of(front, target) == hole)
    if not found:
        return Refusal("look_never", {"side": side, "hole": hole})
    if found == (now.at,):
        return Refusal("look_here")
    return replace(now, at=max((at for at in found if at < now.at), default=found[-1]))
