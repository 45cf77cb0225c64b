"""How the other side answers a call: it counts the cards itself, and accepts the call or challenges it.

It knows no board. A watcher overlooks some wrong calls, and now and then doubts a right one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

#: How often a wrong call is noticed, and a right one doubted.
_NOTICES = 0.65
_DOUBTS_RIGHT = 0.06
#: How often a call of muggins names too many points, or too few; and how many too many.
_TOO_HIGH = 0.25
_TOO_LOW = 0.2
_MOST_TOO_HIGH = 3
#: How often muggins waits for the next card, and how often it is withdrawn.
_LATER = 0.35
_WITHDRAWS = 0.1


class Response(StrEnum):
    """How a watcher answers a call."""

    STANDS = "stands"
    TOO_MUCH = "too much"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Answer:
    """`points` are those that the watcher thinks were missed. `later`: it says so after the next card. `withdrawn`: it
    takes its challenge back."""

    response: Response
    points: int = 0
    later: bool = False
    withdrawn: bool = False


STANDS = Answer(Response.STANDS)


@dataclass(slots=True)
class Watcher:
    """A robot that counts along. `muggins`: missed points may be taken."""

    chance: Random
    muggins: bool

    def answer(self, called: int, worth: int, *, in_play: bool) -> Answer:
        """The answer to a call of `called` points for cards that are worth `worth`."""
        if called == worth:
            return self._doubts_right() if self._may(_DOUBTS_RIGHT) else STANDS
        if not self._may(_NOTICES):
            return STANDS
        if called > worth:
            return Answer(Response.TOO_MUCH, withdrawn=self.muggins and self._may(_WITHDRAWS))
        if not self.muggins:
            return Answer(Response.TOO_MUCH) if self._may(_DOUBTS_RIGHT) else STANDS
        return self._missed(worth - called, later=in_play and self._may(_LATER))

    def forgotten(self, worth: int) -> Answer:
        """The answer to uncalled points, now that the next card is laid."""
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
        return Answer(Response.MISSED, points, later=later, withdrawn=self._may(_WITHDRAWS))

    def _may(self, share: float) -> bool:
        return self.chance.random() < share
