"""What the other side makes of a call: it counts for itself, and lets the call stand or doubts it.

Knows no board and never sees what the board knows. A watcher has the cards before it like everybody; it overlooks some
wrong calls, and now and then doubts a right one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

#: How often a wrong call is noticed, and a right one doubted.
_NOTICES = 0.65
_DOUBTS_RIGHT = 0.06
#: How often who calls muggins names too many points, or too few; and how many too many.
_TOO_HIGH = 0.25
_TOO_LOW = 0.2
_MOST_TOO_HIGH = 3
#: How often muggins waits for the next card, and how often it is only thought of.
_LATER = 0.35
_THINKS_BETTER = 0.1


class Response(StrEnum):
    """What a watcher answers."""

    STANDS = "stands"
    TOO_MUCH = "too much"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Answer:
    """`points` are those that were missed, as the watcher has them. `later`: it says so after the next card.
    `withdrawn`: it thinks better of it, and takes its challenge back."""

    response: Response
    points: int = 0
    later: bool = False
    withdrawn: bool = False


STANDS = Answer(Response.STANDS)


@dataclass(slots=True)
class Watcher:
    """Somebody who counts along. `muggins`: what was missed may be taken."""

    chance: Random
    muggins: bool

    def answer(self, called: int, worth: int, *, in_play: bool) -> Answer:
        """What to say to a call of so many points for what is worth so many."""
        if called == worth:
            return self._doubts_right() if self._may(_DOUBTS_RIGHT) else STANDS
        if not self._may(_NOTICES):
            return STANDS
        if called > worth:
            return Answer(Response.TOO_MUCH, withdrawn=self.muggins and self._may(_THINKS_BETTER))
        if not self.muggins:
            return Answer(Response.TOO_MUCH) if self._may(_DOUBTS_RIGHT) else STANDS
        return self._missed(worth - called, later=in_play and self._may(_LATER))

    def forgotten(self, worth: int) -> Answer:
        """What to say to points that were never called, now that the next card is laid."""
        return self._missed(worth, later=False) if self.muggins and worth and self._may(_NOTICES) else STANDS

    def _doubts_right(self) -> Answer:
        if self.muggins and self._may(0.5):
            return Answer(Response.MISSED, self.chance.randint(1, _MOST_TOO_HIGH))
        return Answer(Response.TOO_MUCH)

    def _missed(self, points: int, *, later: bool) -> Answer:
        if self._may(_TOO_HIGH):
            points += self.chance.randint(1, _MOST_TOO_HIGH)
        elif points > 1 and self._may(_TOO_LOW):
            points -= 1
        return Answer(Response.MISSED, points, later=later, withdrawn=self._may(_THINKS_BETTER))

    def _may(self, share: float) -> bool:
        return self.chance.random() < share
