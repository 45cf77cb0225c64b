"""Random deals under any rule set, played without the board, and written as a diary.

Players lay a card that fits, say go when none does, and claim what the bookkeeper says is due. Nothing of the product
is imported. One bookkeeper keeps the score for verify, one for auto and one for trust; the pegs must stand alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from tests.bookkeeper.bookkeeper import Bookkeeper
from tests.bookkeeper.by_the_rules import RANKS, pips, total
from tests.bookkeeper.deal_by_the_rules import Deal
from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import Opening

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
    """A bookkeeper at these scores, whose dealer is known, and who then sees these cards."""
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
    """Three bookkeepers at one table, one for each way to score. `diaries` has what each has read, lights too."""

    def __init__(self, rules: str, *, seed: int, board: str = "continuous"):
        self.rng = Random(seed)
        self.verify, self.auto, self.trust = self.keepers = [Bookkeeper() for _ in range(3)]
        self.diaries: list[list[Mapping[str, Any]]] = [[] for _ in self.keepers]
        for keeper, way in zip(self.keepers, ("verify", "auto", "trust"), strict=True):
            self._tell({"way": way, "board": board, "rules": rules, "slips": 0, "wrong": 0, "seed": seed}, keeper)
        self.rules, self.road = self.verify.rules, self.verify.road
        self.hands: list[list[str]] = []
        self.crib: list[str] = []
        self.tracks = 3 if board == "triple" else 2

    @property
    def deal(self) -> Deal:
        assert self.verify.deal is not None
        return self.verify.deal

    @property
    def settled(self) -> bool:
        """Every peg stands where it must. On auto the open points are pegged at once; in verify they must be
        claimed."""
        return self.verify.phase != "show" or self.verify.claim is not None

    def until(self, *phases: str) -> None:
        while self.verify.phase not in phases:
            self.step()

    def step(self) -> None:
        """The next step of the table, whatever it is."""
        match self.verify.phase:
            case "lobby":
                self._tell({"key": "ok", "side": 0})
            case "won":
                for side in range(self.rules.teams):
                    self._tell({"key": "ok", "side": side})
            case "cut":
                self._cut()
            case "starter":
                self._deal()
            case "play":
                self._play()
            case "show" if self.verify.claim is None:
                self.scan_missing()
                if self.verify.judge.waits_for_answer(self.deal.counting_side):
                    self._answer(self.deal.counting_side)
                self._count()
            case "show":
                self._accept()
        for keeper in self.keepers:
            self._tell({"lights": [self._glow(keeper, track) for track in range(self.tracks)]}, keeper)

    def _tell(self, entry: Mapping[str, Any], *keepers: Bookkeeper) -> None:
        """Tell one act to all bookkeepers, or to some."""
        for keeper in keepers or self.keepers:
            keeper.read(entry)
            next(diary for who, diary in zip(self.keepers, self.diaries, strict=True) if who is keeper).append(entry)

    def _cut(self) -> None:
        self._tell({"scan": self.rng.choice(PACK)}, self.verify, self.auto)
        if self.verify.deal is not None:
            self._name(self.deal.dealer)

    def _deal(self) -> None:
        cards, dealer = self.rng.sample(PACK, len(PACK)), self.deal.dealer
        starter = cards.pop()
        self.crib = [cards.pop() for _ in range(4)]
        self.hands = [[cards.pop() for _ in range(self.rules.hand)] for _ in range(self.rules.players)]
        self._tell({"deal": dealer})
        self._tell({"scan": starter}, self.verify, self.auto)
        self._claim(dealer, self.verify.due[self.deal.side], "turned", card=starter)

    def _name(self, dealer: int) -> None:
        """In trust the dealer's own OK says who deals. Where a side has several seats, MENU steps to the seat."""
        side = self.rng.randrange(self.rules.teams)
        if self.rules.players == self.rules.teams:
            side = dealer
        self._tell({"key": "ok", "side": side}, self.trust)
        if self.rules.players > self.rules.teams:
            for _ in range((dealer - side) % self.rules.players):
                self._tell({"key": "menu", "side": None}, self.trust)
            self._tell({"key": "ok", "side": 0}, self.trust)

    def _play(self) -> None:
        """The seat whose turn it is lays a card that fits, or says go."""
        play = self.deal.play
        seat, went = play.turn, Opening((self.rules.go,))
        held = [card for card in self.hands[seat] if card not in play.laid[seat]]
        fits = [card for card in held if total(play.stack) + pips(card) <= 31]
        if not fits and not (seat == play.last and play.alone(seat)):
            self._tell({"key": "go", "side": self.rules.side_of(seat)}, self.verify, self.auto)
            self._tell({"say": "go", "seat": seat, "side": self.rules.side_of(seat)}, self.trust)
            if not play.stack and self.rules.go:
                self._claim(play.last, [went], "gowon")
            return
        card = self.rng.choice(fits or held)
        self._tell({"scan": card}, self.verify, self.auto)
        brought, silent = self.deal.brought, self.rules.silent
        openings = brought.own(self.rules)
        if brought.before and not silent and self.rng.random() < 0.5:
            self._claim(seat, [went], "gowon")
        elif brought.before:
            openings = [went, *openings]
        goes_apart = bool(brought.after) and brought.goes_apart(self.rules)
        self._claim(seat, openings, "laid", hold=goes_apart and silent, card=card)
        if goes_apart:
            self._claim(seat, [went], "gowon")

    def _claim(self, seat: int, openings: Sequence[Opening], reason: str, *, hold: bool = False, **cards: str) -> None:
        """Call and peg what is due, if anything is. In a silent game one claim is for all open points: `hold` keeps the
        peg in hand for the next call."""
        if self.verify.phase == "won":
            return
        side = self.rules.side_of(seat)
        front, held = self.verify.pegs[side].front, self.verify.judge.held(side)
        at = front if held is None else held
        points = self.rules.due(openings, at)
        self._tell({"call": side, "seat": seat, "points": points, "for": reason, **cards})
        pegged = {"press": side, "holes": [self.road.hole(at + points)]}
        if points:
            self._tell(pegged, self.verify, self.trust)
        if at + points > front and not hold:
            self._tell(pegged, self.verify, self.trust)
        if self.verify.judge.game_claim is not None:
            self._answer(side)

    def _answer(self, side: int) -> None:
        """In a silent game the next side says OK to a claim that no card accepts."""
        self._tell({"key": "ok", "side": (side + 1) % self.rules.teams}, self.verify)

    def scan_missing(self) -> None:
        """Scan the crib, or the cards of a hand that were not played. On auto an OK opens a count with no missing
        card."""
        whole = self.crib if self.deal.at_crib else self.hands[self.deal.counter]
        missing = [card for card in whole if card not in self.deal.cards]
        if self.deal.counting == 0 and not missing:
            self._tell({"key": "ok", "side": 0}, self.auto)
        for card in missing:
            self._tell({"scan": card}, self.verify, self.auto)
        assert self.deal.full

    def _count(self) -> None:
        side, reason = self.deal.counting_side, "crib" if self.deal.at_crib else "counted"
        self._claim(self.deal.counter, [self.deal.due], reason, cards=" ".join(self.deal.cards))
        if self.verify.phase == "show" and self.verify.claim is None:
            for _ in range(2):  # a zero in hand, and let go
                self._tell({"key": "ok", "side": side}, self.verify)

    def _accept(self) -> None:
        deal = self.deal
        self._tell({"key": "ok", "side": deal.accepting_side}, self.verify, self.auto)
        if self.deal is not deal:
            self._tell({"key": "ok", "side": deal.side}, self.trust)

    def _glow(self, keeper: Bookkeeper, track: int) -> dict[str, int]:
        if track >= self.rules.teams:
            return {}
        pegs = keeper.pegs[track]
        glow = {
            self.road.spot(pegs.back, start=1 if pegs.front else 2): DIM,
            self.road.spot(pegs.front, start=1): BRIGHT,
        }
        if keeper.deal is not None and keeper.deal.side == track:
            glow["dealer"] = LAMP
        if self.road.on_second_lap(pegs.front):
            glow["lap"] = LAMP
        return glow | dict.fromkeys(keeper.match.lamps(track), LAMP)
