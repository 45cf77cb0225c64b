"""Plays the game of `docs/a-game.txt`: two people to 121, with a few mistakes, always the same.

`python -m tests.support.real_game` writes the file; a test says whether it is up to date.
"""

from __future__ import annotations

from itertools import chain, combinations
from random import Random

from tests.support.places import A_GAME
from tests.support.seats import SIX_CARD

from cribboard import PACK, Card, Game, record, score_play, show_points
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Challenge,
    CutForDeal,
    LayCard,
    PutPegBack,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.event_terms import Occasion
from cribboard.play import count
from cribboard.position import PegState, Phase, Position
from cribboard.rules import Way

PLACE = A_GAME

HEADING = record.Heading(
    rules=SIX_CARD, way=Way.VERIFY, names=("Maude", "Réjean"), date="2026-01-17", board="continuous"
)


SLIPS = (
    "thinks again", "forgets", "too many", "wrong card", "challenged", "nineteen", "out of turn", "too few"
)  # fmt: skip
FIRST_COMES = (Occasion.HEELS, Occasion.GO, Occasion.CARD)


class Evening:
    """One game of two players who know the game and slip. Each of `slips` happens once, in this order, at its first
    occasion."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.game = HEADING.begin()
        self.slips = list(SLIPS)

    @property
    def now(self) -> Position:
        return self.game.position

    def do(self, *acts: Action) -> None:
        for action in acts:
            if self.now.phase is not Phase.WON:
                self.game.do(action)

    def slip(self, what: str) -> bool:
        """Whether this slip happens now: only the first that is left can."""
        if self.slips[:1] != [what]:
            return False
        self.slips.pop(0)
        return True

    def play(self) -> Game:
        for cut, name in enumerate(("7C", "7S", "TC", "AH")):
            self.do(CutForDeal(cut % 2, Card.parse(name)))
        while self.now.phase is not Phase.WON:
            self.deal()
        self.game.do(AcceptResult(1))
        self.game.do(AcceptResult(0))
        return self.game

    def deal(self) -> None:
        assert self.now.dealer is not None
        pack = self.rng.sample(PACK, 13)
        starter = pack.pop()
        hands = [list(best_four(pack[:6])), list(best_four(pack[6:]))]
        crib = [card for card in pack if card not in hands[0] + hands[1]]
        self.do(TurnStarter(starter))
        self.peg()
        while self.now.phase is Phase.PLAY:
            self.lay(hands)
        while self.now.phase is Phase.SHOW:
            self.show(crib)

    def lay(self, hands: list[list[Card]]) -> None:
        turn, stack = self.now.turn, () if self.now.count_over else self.now.cards
        assert turn is not None
        forgotten = sum(opening.due for opening in self.now.missed_windows[turn])
        if forgotten and not self.now.open_windows[turn]:
            self.do(TakePegInHand(turn, forgotten), Accept(1 - turn))
        fits = [card for card in hands[turn] if count((*stack, card)) <= 31]
        if not fits and hands[1 - turn]:
            self.do(SayGo(turn))
        else:
            card = max(fits or hands[turn], key=lambda each: (worth(stack, each), each.value, each))
            if len(fits) > 1 and self.now.deal > 1 and self.slip("wrong card"):
                self.do(LayCard(turn, min(fits)), Undo(), Agree(1 - turn))
            self.do(LayCard(turn, card))
            hands[turn].remove(card)
        self.peg()

    def peg(self) -> None:
        """The side that has made points pegs them; in the play the last peg stays in hand until the next card."""
        self.let_go()
        rows = [[each for each in row if each.due and each.occasion in FIRST_COMES] for row in self.now.open_windows]
        rows.sort(key=lambda row: [FIRST_COMES.index(each.occasion) for each in row])
        for opening in chain(*rows):
            side, points = opening.seat, min(opening.due, self.now.left_to_go(opening.seat))
            if opening.occasion is Occasion.CARD and not self.now.count_over and self.slip("forgets"):
                continue
            self.let_go()
            if self.slip("thinks again"):
                self.do(TakePegInHand(side, points + 1), PutPegBack(side))
            self.do(TakePegInHand(side, points))
        if self.now.phase is Phase.SHOW:
            self.let_go()

    def let_go(self) -> None:
        claim = self.now.claim
        if claim is not None and claim.state is PegState.IN_HAND:
            self.do(ReleasePeg(claim.side))

    def show(self, crib: list[Card]) -> None:
        if self.now.counting is None:
            self.do(*(ReadCrib(card) for card in crib))
        assert self.now.counting is not None
        seat, _ = self.now.counting
        due = min(self.now.open_windows[seat][-1].due, self.now.left_to_go(seat))
        far = due < self.now.left_to_go(seat) - 4
        called: int = due
        answer: Action = Accept(1 - seat)
        if seat != self.now.dealer and self.slip("out of turn"):
            self.do(TakePegInHand(1 - seat, 2))
        if due == 0 and self.now.left_to_go(seat) > 19 and self.slip("nineteen"):
            called = 19
        elif far and due and self.slip("too many"):
            called, answer = due + 2, Challenge(1 - seat)
        elif far and due and self.slip("challenged"):
            answer = Challenge(1 - seat)
        elif far and due > 2 and self.slip("too few"):
            called = due - 2
        self.do(TakePegInHand(seat, called) if called else TakeZero(seat), ReleasePeg(seat), answer)


def worth(stack: tuple[Card, ...], card: Card) -> int:
    fits = count((*stack, card)) <= 31
    return sum(made.points for made in score_play(stack if fits else (), card))


def best_four(six: list[Card]) -> tuple[Card, ...]:
    """The four cards that are worth most without a starter."""
    return max(combinations(six, 4), key=lambda hand: show_points(hand, next(c for c in PACK if c not in six)))


def real_game() -> record.Record:
    return record.Record(HEADING, Evening(seed=45).play().log)


if __name__ == "__main__":
    PLACE.write_text(record.write(real_game()), encoding="utf-8")
