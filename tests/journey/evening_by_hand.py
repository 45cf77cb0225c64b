"""Deals that are dealt by chance and played without the board: what a table would do under any rule set, as a diary.

Players lay what fits, say go when nothing does, and claim what the bookkeeper says is due. Nothing of the product is
here. One bookkeeper keeps the same cards on auto, another in verify; where they stand must be the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from .bookkeeper import Bookkeeper
from .by_the_rules import RANKS, pips, total
from .lights_by_the_rules import Pegs

PACK = [rank + suit for rank, suit in product(RANKS, "CDHS")]
BRIGHT, DIM, LAMP = 7905, 795, 2449


def fronts(keeper: Bookkeeper) -> list[int]:
    return [pegs.front for pegs in keeper.pegs]


def at_table(rules: str, way: str) -> Bookkeeper:
    """A bookkeeper whose table cuts for deal."""
    keeper = Bookkeeper()
    keeper.read({"way": way, "board": "continuous", "rules": rules, "slips": 0, "wrong": 0, "seed": 0})
    press(keeper, "ok", 0)
    return keeper


def in_deal(rules: str, way: str, *cards: str, standing: Sequence[int], dealer: int = 1) -> Bookkeeper:
    """One whose table has cut a dealer and stands at these scores, and then sees these cards."""
    keeper = at_table(rules, way)
    scan(keeper, *("AS" if seat == dealer else "KS" for seat in range(keeper.rules.players)))
    keeper.pegs = [Pegs(score, 0) for score in standing]
    scan(keeper, *cards)
    return keeper


def scan(keeper: Bookkeeper, *cards: str) -> None:
    for card in cards:
        keeper.read({"scan": card})


def press(keeper: Bookkeeper, key: str, side: int | None, *, held: bool = False) -> None:
    keeper.read({"key": key, "side": side} | ({"held": True} if held else {}))


def peg(keeper: Bookkeeper, side: int, *holes: int) -> None:
    for hole in holes:
        keeper.read({"press": side, "holes": [hole]})


def dealer_of(keeper: Bookkeeper) -> int | None:
    return None if keeper.deal is None else keeper.deal.dealer


class EveningByHand:
    """Two bookkeepers at one table. `diary` is what the one in verify has read, with the lights that should glow."""

    def __init__(self, rules: str, *, seed: int, board: str = "continuous", ways: tuple[str, ...] = ("verify", "auto")):
        self.chance = Random(seed)
        self.diary: list[Mapping[str, Any]] = []
        self.keepers = [Bookkeeper() for _ in ways]
        for keeper, way in zip(self.keepers, ways, strict=True):
            self.tell({"way": way, "board": board, "rules": rules, "slips": 0, "wrong": 0, "seed": seed}, keeper)
        self.hands: list[list[str]] = []
        self.crib: list[str] = []
        self.tracks = 3 if board == "triple" else 2

    @property
    def verify(self) -> Bookkeeper:
        return self.keepers[0]

    def tell(self, entry: Mapping[str, Any], *keepers: Bookkeeper) -> None:
        """One act, for all bookkeepers or for some."""
        for keeper in keepers or self.keepers:
            keeper.read(entry)
            if keeper is self.keepers[0]:
                self.diary.append(entry)

    def note_lights(self) -> None:
        """What should glow now."""
        self.tell({"lights": [self._glow(track) for track in range(self.tracks)]}, self.verify)

    @property
    def settled(self) -> bool:
        """Both stand where they must; auto counts at once what is open, and in verify somebody must claim it."""
        return self.verify.phase != "show" or self.verify.claim is not None

    def until(self, *phases: str) -> None:
        while self.verify.phase not in phases:
            self.step()

    def step(self) -> None:
        """What a table does next, whatever it is."""
        deal = self.verify.deal
        match self.verify.phase:
            case "lobby" | "won":
                for side in range(self.verify.rules.teams if self.verify.phase == "won" else 1):
                    self.tell({"key": "ok", "side": side})
            case "cut":
                self.tell({"scan": self.chance.choice(PACK)})
            case "starter" if deal is not None:
                self._deal()
                self.tell({"deal": deal.dealer})
                self.tell({"scan": self.starter})
                self._claim_play()
            case "play":
                self._play()
                self._claim_play()
            case "show" if self.verify.claim is None:
                self.scan_missing()
                self._claim_count()
            case "show" if deal is not None:
                self.tell({"key": "ok", "side": deal.accepting_side})
        self.note_lights()

    def _deal(self) -> None:
        rules, cards = self.verify.rules, self.chance.sample(PACK, len(PACK))
        self.starter = cards.pop()
        self.crib = [cards.pop() for _ in range(4)]
        self.hands = [[cards.pop() for _ in range(rules.hand)] for _ in range(rules.players)]

    def _play(self) -> None:
        assert self.verify.deal is not None
        play = self.verify.deal.play
        seat = play.turn
        held = [card for card in self.hands[seat] if card not in play.laid[seat]]
        fits = [card for card in held if total(play.stack) + pips(card) <= 31]
        if fits or (seat == play.last and play.alone(seat)):
            self.tell({"scan": self.chance.choice(fits or held)})
        else:
            self.tell({"key": "go", "side": self.verify.rules.side_of(seat)})

    def _claim_play(self) -> None:
        for side, openings in enumerate(self.verify.due):
            points = self.verify.rules.due(openings, self.verify.pegs[side].front)
            if points and self.verify.phase in ("play", "show"):
                self._peg(side, points)

    def scan_missing(self) -> None:
        """The crib, or what was not played of a hand. On auto an OK opens a count for which nothing is missing."""
        deal = self.verify.deal
        assert deal is not None
        whole = self.crib if deal.at_crib else self.hands[deal.counter]
        missing = [card for card in whole if card not in deal.cards]
        if deal.counting == 0 and not missing:
            self.tell({"key": "ok", "side": 0}, *self.keepers[1:])
        for card in missing:
            self.tell({"scan": card})
        assert deal.full

    def _claim_count(self) -> None:
        deal = self.verify.deal
        assert deal is not None
        side = deal.counting_side
        points = self.verify.rules.worth(deal.due, self.verify.pegs[side].front)
        if points:
            self._peg(side, points)
        else:
            self.tell({"key": "ok", "side": side}, self.verify)
            self.tell({"key": "ok", "side": side}, self.verify)

    def _peg(self, side: int, points: int) -> None:
        """Take a peg in hand and let it go."""
        front, road = self.verify.pegs[side].front, self.verify.road
        hole = road.hole(min(front + points, road.target))
        for _ in range(2):
            self.tell({"press": side, "holes": [hole]}, self.verify)

    def _glow(self, track: int) -> dict[str, int]:
        keeper = self.verify
        if track >= keeper.rules.teams:
            return {}
        pegs: Pegs = keeper.pegs[track]
        glow = {
            keeper.road.spot(pegs.back, start=1 if pegs.front else 2): DIM,
            keeper.road.spot(pegs.front, start=1): BRIGHT,
        }
        if keeper.deal is not None and keeper.deal.side == track:
            glow["dealer"] = LAMP
        if keeper.road.laps == 2 and keeper.road.on_second_lap(pegs.front):
            glow["lap"] = LAMP
        return glow | {f"match {game}": LAMP for game in range(1, min(7, keeper.won[track]) + 1)}
