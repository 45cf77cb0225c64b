"""Games written as sentences: `JH is turned. Red pegs 2. They lay 4C 6D TH. Blue says OK.`

A sentence is one action or several. A refused action is noted and the story goes on, so that one story can be played
under any rules. `They lay` names the cards in the order laid, each by the seat whose turn it is, with `go` for a seat
that can lay none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.support.seats import LAST_SEAT, Table

from cribboard import Card, IllegalAction, Rules, Way
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    Challenge,
    CutForDeal,
    EndDeal,
    LayCard,
    OpenCount,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TurnStarter,
    Undo,
)
from cribboard.position import Phase
from cribboard.series import Match

SIDES = ("Blue", "Red", "Green")


class Tale:
    """A table for a story: its `game`, the codes of all that was `refused`, and the `match` of its games."""

    def __init__(
        self, rules: Rules, way: str, *, dealer: int | None = LAST_SEAT, scores: Sequence[int] | None = None
    ) -> None:
        self.table = Table(way, rules=rules, dealer=dealer, scores=scores)
        self.refused: list[str] = []
        self.match = Match(rules)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.table.scores

    def tell(self, story: str) -> Tale:
        for sentence in filter(None, story.replace("\n", " ").split(".")):
            self._sentence(sentence.split())
        return self

    def _sentence(self, words: list[str]) -> None:
        match words:
            case [winner, "wins", most, "to", least]:
                self._win(SIDES.index(winner), int(most), int(least))
            case ["They", "lay", *cards]:
                for card in cards:
                    self._do(self._lay(card))
            case _:
                for action in self._actions(words):
                    self._do(action)

    def _actions(self, words: list[str]) -> Iterator[Action]:
        match words:
            case [who, "cuts", card]:
                yield CutForDeal(SIDES.index(who), Card.parse(card))
            case [card, "is", "turned"]:
                yield TurnStarter(Card.parse(card))
            case [who, "lifts", points]:
                yield TakePegInHand(SIDES.index(who), int(points))
            case [who, "pegs", points]:
                yield TakePegInHand(SIDES.index(who), int(points))
                yield ReleasePeg(SIDES.index(who))
            case [who, "challenges"]:
                yield Challenge(SIDES.index(who))
            case [who, "says", "OK"]:
                yield self._ok(SIDES.index(who))
            case [who, "has", "seen", "a", "card"]:
                yield Ask(SIDES.index(who), Question.EXPOSED_CUT)
            case ["The", "crib", "is", *cards]:
                yield from (ReadCrib(Card.parse(card)) for card in cards)
            case ["They", "undo"]:
                yield Undo()
            case _:
                raise ValueError(f"no such sentence: {' '.join(words)}")

    def _do(self, action: Action) -> None:
        try:
            self.table.game.do(action)
        except IllegalAction as refusal:
            self.refused.append(refusal.code)

    def _lay(self, card: str) -> Action:
        turn = self.table.now.turn or 0
        return SayGo(turn) if card == "go" else LayCard(turn, Card.parse(card))

    def _ok(self, side: int) -> Action:
        """What an OK of this side means now."""
        p = self.table.now
        if p.question is not None or p.awaits_false_go_answer:
            return Agree(side)
        match p.phase:
            case Phase.WON:
                return AcceptResult(side)
            case Phase.PEGGING:
                return EndDeal(side)
        return OpenCount(side) if p.way is Way.AUTO else Accept(side)

    def _win(self, winner: int, most: int, least: int) -> None:
        """A game of the match, from two holes before its end: this side wins it."""
        scores = [most - 2 if side == winner else least for side in self.match.rules.sides]
        self.table = Table("trust", rules=self.match.rules, scores=scores)
        self.table.press(winner, 2)
        self.match = self.match.add(self.table.result())
