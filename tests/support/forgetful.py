"""A person who forgets, alone among robots: whole games with cards alone and no board.

He does only what the page asks him for, and calls his points when he happens to think of them: those of the play, of
his hand, of the crib, of the last card. Now and then he calls a wrong number, or says go too soon.
"""

from __future__ import annotations

from random import Random
from typing import Any

from cribboard import Game, actions
from cribboard.actions import Action, IllegalAction
from cribboard.cards import PACK
from cribboard.deal.claim_comparison import due
from cribboard.deal.go import may_say_go
from cribboard.deal.laying_cards import may_lay
from cribboard.position import Phase, Position
from cribboard.rules import Rules, Way
from cribboard.strategy import RobotLevel
from cribd.robots.deal import COUNTED, Deal
from cribd.robots.next_action import BesideBoard, Robots, unseen
from cribd.robots.trusted_play import TrustedPlay
from cribd.solo.ask import ask_of
from cribd.solo.session import PERSON

#: How often he thinks of his points, calls a wrong number, and says go although he could lay.
_THINKS, _WRONG, _FALSE_GO = 0.3, 0.15, 0.03
#: Acts that no game of robots and a person needs.
_MOST = 4000

_SIMPLE: dict[str, Any] = {
    "release": actions.ReleasePeg,
    "zero": actions.ReleasePeg,
    "nineteen": actions.ReleasePeg,
    "accept": actions.Accept,
    "late": actions.Accept,
    "points_first": actions.Accept,
    "game_claimed": actions.Accept,
    "next_count": actions.OpenCount,
    "result": actions.AcceptResult,
    "end_deal": actions.EndDeal,
    "undo": actions.Agree,
    "renege": actions.Agree,
}


class Forgetful:
    """A game of a person who forgets, by these rules. `seed` makes cards, robots and what he forgets."""

    def __init__(self, rules: Rules, way: Way, seed: int) -> None:
        self.rules = rules
        self.game = Game.start(rules, way=way, dealer=seed % len(rules.seats))
        self.side = rules.side_of(PERSON)
        self._rng = Random(f"forgets {seed}")
        others = {seat: RobotLevel.EASY for seat in rules.seats if seat != PERSON}
        self.robots = Robots(rules, others, str(seed))
        self._own = Robots(rules, {PERSON: RobotLevel.EASY}, str(seed))
        self.deals: dict[int, Deal] = {}

    def play(self) -> Game:
        """Play to the end. AssertionError if nobody has anything to do."""
        for _ in range(_MOST):
            p = self.game.position
            if p.phase is Phase.OVER:
                return self.game
            self._act(p, self._deal(p))
        raise AssertionError(f"the game does not end: {self.game.position}")

    def _deal(self, p: Position) -> Deal:
        if p.deal not in self.deals:
            deal = Deal.at(p, self._rng.sample(PACK, len(PACK)))
            self.deals[p.deal] = self._own.deal_with_discards(
                self.robots.deal_with_discards(deal, p, p.deal), p, p.deal
            )
        return self.deals[p.deal]

    def _act(self, p: Position, deal: Deal) -> None:
        asked = ask_of(p, deal, self._trusted(deal), self.robots)
        robot = self.robots.next_action(p, self.game.log, deal)
        assert asked or robot, f"nobody has anything to do: {p}"
        if asked and (robot is None or self._rng.random() < 0.5) and self._person(p, deal, str(asked["kind"])):
            return
        assert robot, f"the person is asked for {asked}, and cannot do it: {p}"
        self._do(robot)

    def _trusted(self, deal: Deal) -> TrustedPlay | None:
        return TrustedPlay(self.rules, deal) if self.game.position.way is Way.TRUST else None

    def _person(self, p: Position, deal: Deal, kind: str) -> bool:
        """He does what he is asked for, or first calls his points. Returns whether the game took it."""
        wanted = [self._what(p, deal, kind)]
        if self._rng.random() < _THINKS and (called := self._calls(p, deal)):
            wanted.insert(0, called)
        if kind == "lay" and p.phase is Phase.PLAY and may_say_go(p) and self._rng.random() < _FALSE_GO:
            wanted.insert(0, actions.SayGo(PERSON))
        return any(map(self._do, wanted))

    def _what(self, p: Position, deal: Deal, kind: str) -> Action | BesideBoard:
        match kind:
            case "starter":
                return actions.TurnStarter(deal.starter)
            case "go":
                return actions.SayGo(PERSON)
            case "lay":
                play = self._trusted(deal)
                at = p if play is None else play.position
                card = self._rng.choice([c for c in unseen(at, deal.kept(PERSON)) if may_lay(at, PERSON, c)])
                return actions.LayCard(PERSON, card) if play is None else BesideBoard(str(card))
            case "show":
                return actions.ShowCard(PERSON, unseen(p, deal.kept(PERSON))[0])
            case "crib":
                return actions.ReadCrib(unseen(p, deal.crib)[0])
            case "counted":
                return BesideBoard(COUNTED)
            case "same_hole":
                assert p.claim is not None
                return actions.TakePegInHand(self.side, p.claim.points)
            case "count_hand" | "count_crib":
                return actions.TakeZero(self.side)
        return _SIMPLE[kind](self.side)  # type: ignore[no-any-return]

    def _calls(self, p: Position, deal: Deal) -> Action | None:
        """What he calls of his own cards, right or wrong."""
        own = [window for window in (p.unclaimed(self.side) if p.open_windows else ()) if window.seat == PERSON]
        points = due(p, self.side, own)
        if p.way is Way.TRUST:
            points = TrustedPlay(self.rules, deal).pegs()[self.side] - p.pegs[self.side].front
        if self._rng.random() < _WRONG:
            points += self._rng.choice((-2, -1, 1, 2, 19))
        return actions.TakePegInHand(self.side, min(points, p.left_to_go(self.side))) if points > 0 else None

    def _do(self, action: Action | BesideBoard) -> bool:
        try:
            if isinstance(action, BesideBoard):
                deal = self.deals[self.game.position.deal].with_act(action.act)
                TrustedPlay(self.rules, deal)
                self.deals[self.game.position.deal] = deal
            else:
                self.game.do(action)
        except IllegalAction:
            return False
        return True
