"""Follows a deal in a trust game.

The board sees no card. This module says who plays, who counts, and what each side has made so far.

The play is a game on auto beside the board's, by the same rules and with the cards of the deal: it refuses a card that
does not fit, and says what each side makes. Its game hole is out of reach, for on trust the players say who is out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from cribboard import actions
from cribboard.cards import Card
from cribboard.event_terms import Occasion
from cribboard.events import Event
from cribboard.evolution import start
from cribboard.game import Game
from cribboard.position import Phase, Position, updated
from cribboard.rules import Rules, Way
from cribboard.scoring import score_show
from cribd.robots.deal import COUNTED, GO, Deal
from cribd.robots.points_to_call import called_points

#: A game hole that no deal reaches.
_OUT_OF_REACH = 10_000


@dataclass(frozen=True, slots=True)
class Count:
    """A hand or crib of the show, with its called points."""

    seat: int
    occasion: Occasion
    cards: tuple[Card, ...]
    points: int


class TrustedPlay:
    """The play and show of a deal in a trust game. Raises `IllegalAction` for acts against the rules.

    It has the `position` of the play, and its events in the `log`."""

    def __init__(self, rules: Rules, deal: Deal) -> None:
        self._rules = rules
        self.deal = deal
        self._counted = deal.acts.count(COUNTED)
        laid = tuple(act for act in deal.acts if act != COUNTED)
        self.position, self.log = _played(rules, replace(deal, acts=()), laid)

    @property
    def counting(self) -> tuple[int, Occasion] | None:
        """The counting seat and its occasion; None outside the show."""
        shows = self.position.phase is Phase.SHOW and not self.is_over
        return self.position.show_order()[self._counted] if shows else None

    @property
    def _shown(self) -> tuple[tuple[int, Occasion], ...]:
        """The hands and crib counted so far, including the current one."""
        return self.position.show_order()[: self._counted + 1 if self.counting else self._counted]

    def shows(self, seat: int) -> bool:
        """Whether the whole hand of this seat lies face up."""
        return (seat, Occasion.HAND) in self._shown

    @property
    def is_over(self) -> bool:
        """Whether every hand and the crib have been counted."""
        return self._counted == len(self.position.show_order())

    def pegs(self, *, counts: bool = True) -> tuple[int, ...]:
        """Return the hole of each side's front peg.

        `counts` adds the points of the show so far, the open count included."""
        fronts = [pegs.front for pegs in self.position.pegs]
        for count in self.counts() if counts else ():
            fronts[self._rules.side_of(count.seat)] += count.points
        return tuple(min(front, self._rules.game.target) for front in fronts)

    def counts(self) -> list[Count]:
        """Return the counts so far, including the current one."""
        fronts = [pegs.front for pegs in self.position.pegs]
        done = []
        for seat, occasion in self._shown:
            is_crib, side = occasion is Occasion.CRIB, self._rules.side_of(seat)
            cards = self.deal.crib if is_crib else self.deal.kept(seat)
            score = score_show(cards, self.deal.starter, crib=is_crib, rules=self._rules)
            points = called_points(self._rules, fronts[side], [tuple(found.points for found in score.combinations)])
            fronts[side] += points
            done.append(Count(seat, occasion, cards, points))
        return done


@lru_cache(maxsize=8)
def _played(rules: Rules, deal: Deal, acts: tuple[str, ...]) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after these acts, and all events.

    A robot asks again before each of its acts. What came before is known then, and one act is played."""
    if not acts:
        game = _begun(rules, deal)
        return game.position, game.log
    position, log = _played(rules, deal, acts[:-1])
    if (turn := position.turn) is None:
        raise actions.IllegalAction("no_card_now")
    game = Game(position)
    game.do(actions.SayGo(turn) if acts[-1] == GO else actions.LayCard(turn, Card.parse(acts[-1])))
    return game.position, (*log, *game.log)


def _begun(rules: Rules, deal: Deal) -> Game:
    """Start a separate auto game with this deal and its starter."""
    endless = replace(rules, game=replace(rules.game, target=_OUT_OF_REACH))
    begun = start(rules, Way.AUTO, dealer=deal.dealer)
    pegs = tuple(replace(peg, front=front) for peg, front in zip(begun.pegs, deal.fronts, strict=True))
    game = Game(updated(begun, rules=endless, pegs=pegs, pegs_at_deal=pegs))
    game.do(actions.TurnStarter(deal.starter))
    return game
