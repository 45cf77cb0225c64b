"""A table for tests: whole sequences through `Game.do`, with the pegs as the outcome.

Blue is side and seat 0 and sits as pone; red is 1 and deals, unless a test says otherwise. `play` takes a deal as
players tell it: ranks in the order laid, `go`, and after a plus what the seat that laid last pegs for it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cribboard import PACK, RULES, Card, Game, IllegalAction, Rules, Way
from cribboard.actions import (
    Accept,
    Action,
    LayCard,
    OpenCount,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TurnStarter,
)
from cribboard.events import ClaimJudged, ClaimRuled, Event
from cribboard.evolution import start
from cribboard.position import Pegs, Position

BLUE, RED = 0, 1
SIX_CARD = RULES["six-card"]


def card(name: str) -> Card:
    return Card.parse(name)


class Table:
    """A game of which a test tells the story."""

    def __init__(
        self,
        way: str = "verify",
        *,
        dealer: int | None = RED,
        scores: tuple[int, int] = (0, 0),
        rules: Rules = SIX_CARD,
    ) -> None:
        pegs = tuple(Pegs(front=score, back=max(score - 1, 0)) for score in scores)
        beginning = start(rules, Way(way), dealer=dealer)
        self.game = Game(replace(beginning, pegs=pegs, pegs_at_deal=pegs if dealer is not None else ()))

    @property
    def now(self) -> Position:
        return self.game.position

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(pegs.front for pegs in self.now.pegs)

    @property
    def back_pegs(self) -> tuple[int, ...]:
        return tuple(pegs.back for pegs in self.now.pegs)

    def do(self, *acts: Action) -> tuple[Event, ...]:
        """All that these actions caused, in order."""
        return tuple(event for action in acts for event in self.game.do(action))

    def refused(self, action: Action) -> str:
        """The code with which the game says no; the game is as it was."""
        before = self.now, self.game.log
        with pytest.raises(IllegalAction) as refusal:
            self.game.do(action)
        assert (self.now, self.game.log) == before
        assert action not in self.game.expected()
        return refusal.value.code

    def claim(self, side: int, points: int) -> ClaimJudged:
        """The side takes its peg in hand and lets it go; how the call was judged."""
        self.do(TakePegInHand(side, points))
        return verdict_in(self.do(ReleasePeg(side)))

    def starter(self, name: str = "KS") -> None:
        self.do(TurnStarter(card(name)))

    def play(self, story: str) -> None:
        """Lay cards and say go as `story` tells, each by the seat whose turn it is."""
        for word in story.split():
            what, _, points = word.partition("+")
            turn, before = self.now.turn, self.scores
            assert turn is not None
            self.do(SayGo(turn) if what == "go" else LayCard(turn, self.find(what)))
            last = self.now.stack[-1][0]
            if points and self.now.way is Way.VERIFY:
                self.claim(last, int(points))
            elif self.now.way is Way.AUTO:
                gained = tuple(after - was for after, was in zip(self.scores, before, strict=True))
                assert gained == tuple(int(points or 0) if side == last else 0 for side in (BLUE, RED)), word

    def find(self, name: str) -> Card:
        """The card of this name; of a rank alone, the first that this deal has not shown."""
        if len(name) == 2:
            return card(name)
        return next(each for each in PACK if each.rank.letter == name and not self.now.seen(each))

    def read_crib(self, names: str) -> None:
        self.do(*(ReadCrib(each) for each in Card.parse_many(names)))

    def count(self, side: int, points: int) -> ClaimJudged:
        """The side counts at the show, and the other says OK."""
        judged = self.claim(side, points)
        self.do(Accept(1 - side))
        return judged

    def next_count(self) -> tuple[Event, ...]:
        """Auto: any OK, and the board counts what comes next."""
        return self.do(OpenCount(BLUE))


def verdict_in(events: tuple[Event, ...]) -> ClaimJudged:
    """The one judgement among these events."""
    (judged,) = [event for event in events if isinstance(event, ClaimJudged)]
    return judged


def ruling_in(events: tuple[Event, ...]) -> ClaimRuled:
    """The one ruling among these events."""
    (ruled,) = [event for event in events if isinstance(event, ClaimRuled)]
    return ruled


def at_the_show(way: str = "verify", scores: tuple[int, int] = (10, 20)) -> Table:
    """Blue is to count 2 and red 8; red laid last and has claimed it."""
    table = Table(way, scores=scores)
    table.starter("7S")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    return table
