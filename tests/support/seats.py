"""A table for tests: sequences of actions through `Game.do`, with the pegs as the result.

The seat on the right of seat 0 deals, unless a test says otherwise: with two players blue is side and seat 0 and pone,
and red is 1 and deals. `play` takes a deal as players tell it: ranks in the order laid, `go`, and after a plus what the
seat that laid last pegs for it. `tell` takes it as the rules reference does, with the seats by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from cribboard import PACK, RULES, Card, Game, IllegalAction, Rules, Way, score_show
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    EndDeal,
    LayCard,
    OpenCount,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakePegInHand,
    TakeZero,
    TurnStarter,
)
from cribboard.deal.press_kind import acceptor
from cribboard.events import ClaimJudged, ClaimRuled, Event
from cribboard.evolution import start
from cribboard.position import Pegs, Phase, Position
from cribboard.series import FinishedGame, result_of

BLUE, RED, GREEN = 0, 1, 2
LAST_SEAT = -1
SIX_CARD = RULES["six-card"]

#: The three ways to score. What exists in all of them is tested in all of them.
in_every_way = pytest.mark.parametrize("way", ["trust", "verify", "auto"])
where_cards_are_read = pytest.mark.parametrize("way", ["verify", "auto"])


def card(name: str) -> Card:
    return Card.parse(name)


def named(hand: str, starter: str, *, crib: bool = False, rules: Rules = SIX_CARD) -> dict[str, int]:
    """The points of each kind of combination: `{"fifteen": 4, "pair": 2}`."""
    sums: Counter[str] = Counter()
    for combination in score_show(Card.parse_many(hand), card(starter), crib=crib, rules=rules).combinations:
        sums[str(combination.kind)] += combination.points
    return dict(sums)


def scores_of(position: Position) -> tuple[int, ...]:
    """The score of each side: where its front peg is."""
    return tuple(pegs.front for pegs in position.pegs)


def without_history(position: Position) -> Position:
    """The position without its number, its last events and what was taken back."""
    return replace(position, number=0, last=(), taken_back=None)


class Table:
    """A game that a test plays. `pegged` is what each seat has made for its side by `play` and `tell`."""

    def __init__(
        self,
        way: str = "verify",
        *,
        dealer: int | None = LAST_SEAT,
        scores: Sequence[int] | None = None,
        rules: Rules = SIX_CARD,
    ) -> None:
        beginning = start(rules, Way(way), dealer=None if dealer is None else rules.seats[dealer])
        if scores is not None:
            pegs = tuple(Pegs(front=score, back=max(score - 1, 0)) for score in scores)
            beginning = replace(beginning, pegs=pegs, pegs_at_deal=pegs if dealer is not None else ())
        self.game = Game(beginning)
        self.pegged = [0] * len(rules.seats)
        self.last_to_lay = 0

    @property
    def now(self) -> Position:
        return self.game.position

    @property
    def rules(self) -> Rules:
        return self.now.rules

    @property
    def scores(self) -> tuple[int, ...]:
        return scores_of(self.now)

    @property
    def back_pegs(self) -> tuple[int, ...]:
        return tuple(pegs.back for pegs in self.now.pegs)

    def seat(self, name: str) -> int:
        """The seat by its name in the rules reference: P and D with two players, S1 from the dealer's left with
        more."""
        assert self.now.dealer is not None
        from_left = self.rules.round_from(self.rules.left_of(self.now.dealer))
        return from_left[{"P": 0, "D": -1}.get(name, int(name[1:] or 1) - 1)]

    def do(self, *acts: Action) -> tuple[Event, ...]:
        """All events that these actions caused, in order."""
        return tuple(event for action in acts for event in self.game.do(action))

    def refused(self, action: Action) -> str:
        """The code with which the game refuses; the game stays as it was."""
        before = self.now, self.game.log
        with pytest.raises(IllegalAction) as refusal:
            self.game.do(action)
        assert (self.now, self.game.log) == before
        assert action not in self.game.expected()
        return refusal.value.code

    # Claims

    def press(self, side: int, points: int) -> tuple[Event, ...]:
        """The side takes its peg in hand and lets it go."""
        return self.do(TakePegInHand(side, points) if points else TakeZero(side), ReleasePeg(side))

    def claim(self, side: int, points: int) -> ClaimJudged:
        """The side takes its peg in hand and lets it go. Returns the judgement, in a silent game after another side's
        OK."""
        events = self.press(side, points)
        if self.now.silent and self.now.claim is not None:
            whose = acceptor(self.now)
            events += self.do(Accept(self.left_side(side) if whose is None else whose))
        return [event for event in events if isinstance(event, ClaimJudged) and event.side == side][-1]

    def count(self, side: int, points: int) -> ClaimJudged:
        """The side counts at the show, and the side that counts next, on its left, says OK."""
        judged = self.claim(side, points)
        if self.now.phase is Phase.SHOW and self.now.claim is not None:
            self.do(Accept(self.left_side(side)))
        return judged

    def left_side(self, side: int) -> int:
        return (side + 1) % len(self.now.pegs)

    def next_count(self) -> tuple[Event, ...]:
        """Auto: any OK, and the board counts the next hand."""
        return self.do(OpenCount(BLUE))

    def counts(self, side: int, points: int, *, shows: str = "") -> None:
        """The side's next hand comes to this many points, in the way of this table. In five-card the seat first `shows`
        the cards that it did not lay; on auto the board then counts at once."""
        before, way = self.scores[side], self.now.way
        if way is Way.AUTO and (self.now.counting or not shows):
            self.next_count()
        if way is not Way.TRUST:
            self.show(side, shows)
        if way is Way.VERIFY:
            self.count(side, points)
        elif way is Way.TRUST and points:
            self.press(side, points)
        assert self.scores[side] == before + points

    def show(self, seat: int, names: str) -> None:
        """The reader sees the cards that this seat did not lay."""
        self.do(*(ShowCard(seat, each) for each in Card.parse_many(names)))

    def counts_crib(self, side: int, names: str, points: int) -> None:
        """The crib is read, the dealer's side counts it, and it comes to this many points."""
        before = self.scores[side]
        if self.now.way is Way.AUTO:
            self.next_count()
            self.read_crib(names)
            assert self.scores[side] == before + points
        else:
            self.read_crib(names)
            self.counts(side, points)

    # The play

    def starter(self, name: str = "KS") -> None:
        """Turn the starter, where cards are read."""
        if self.now.way is not Way.TRUST:
            self.do(TurnStarter(card(name)))

    def play(self, story: str) -> None:
        """Lay these cards and say these gos, each by the seat whose turn it is."""
        for word in story.split():
            what, _, points = word.partition("+")
            turn = self.now.turn
            assert turn is not None
            self._act(turn, what, points)

    def tell(self, story: str) -> None:
        """Play as the rules reference writes it: `S1 T, S2 J, S3 5, S1 go, S2 6+2 (31); S3 A`. It must be that seat's
        turn, and the count must be the number in brackets; in trust neither is known, and the seats only peg."""
        for clause in story.replace(";", ",").split(","):
            name, word, *count = clause.split()
            seat, (what, _, points) = self.seat(name), word.partition("+")
            if self.now.way is not Way.TRUST:
                assert self.now.turn == seat, clause
            self._act(seat, what, points)
            if count and self.now.way is not Way.TRUST:
                assert f"({self.now.count})" == count[0], clause

    def _act(self, seat: int, what: str, points: str) -> None:
        """This seat lays or says go, and the seat that laid last pegs its points."""
        before = self.scores
        if self.now.way is not Way.TRUST:
            self.do(SayGo(seat) if what == "go" else LayCard(seat, self.find(what)))
        self.last_to_lay = seat if what != "go" else self.last_to_lay
        side = self.rules.side_of(self.last_to_lay)
        if points and self.now.way is not Way.AUTO:
            self.press(side, int(points))
        self.pegged[self.last_to_lay] += int(points or 0)
        if self.now.way is not Way.VERIFY or points:
            expected = (score + int(points or 0) * (each == side) for each, score in enumerate(before))
            assert self.scores == tuple(min(score, self.rules.game.target) for score in expected), (seat, what, points)

    def find(self, name: str) -> Card:
        """The card of this name; for a rank alone, the first card that this deal has not shown."""
        if len(name) == 2:
            return card(name)
        return next(each for each in PACK if each.rank.letter == name and not self.now.seen(each))

    def play_out(self, held: Mapping[int, str] = {}, *, crib: str = "") -> None:
        """Every seat lays the first of its cards that fits, until the play is over, and whatever is due is claimed.
        `held` are the cards of some seats; other seats hold any cards that are neither these nor in the `crib`."""
        known = {*Card.parse_many(" ".join([crib, *held.values()])), self.now.starter}
        rest = sorted((each for each in PACK if each not in known), key=lambda each: each.place * 11 % len(PACK))
        size = self.rules.deal_and_play.hand_size
        hands = [list(Card.parse_many(held.get(seat, ""))) or [rest.pop() for _ in range(size)] for seat in range(6)]
        self.claim_all()
        while self.now.phase is Phase.PLAY:
            turn = self.now.turn
            assert turn is not None
            count = 0 if self.now.count_over else self.now.count
            fits = [each for each in hands[turn] if count + each.value <= 31]
            self.do(LayCard(turn, fits[0]) if fits else SayGo(turn))
            for each in fits[:1]:
                hands[turn].remove(each)
            self.claim_all()

    def claim_all(self) -> None:
        """Every side claims what the play has made due."""
        if self.now.way is Way.VERIFY:
            for side, row in enumerate(self.now.open_windows):
                due = sum(opening.due for opening in row if opening.occasion not in ("hand", "crib"))
                if due and self.now.phase is not Phase.WON:
                    self.press(side, due)

    # The show and the end

    def read_crib(self, names: str) -> None:
        if self.now.way is not Way.TRUST:
            self.do(*(ReadCrib(each) for each in Card.parse_many(names)))

    def end_deal(self) -> None:
        """The crib is counted: the deal is over, and the next seat deals."""
        assert self.now.dealer is not None
        if self.now.way is Way.TRUST:
            self.do(EndDeal(self.rules.side_of(self.now.dealer)))
        elif self.now.way is Way.AUTO:
            self.next_count()

    def result(self) -> FinishedGame:
        """Every side agrees to the result."""
        self.do(*(AcceptResult(side) for side in self.rules.sides))
        result = result_of(self.now, first_dealer=self.rules.seats[LAST_SEAT])
        assert result is not None
        return result


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
