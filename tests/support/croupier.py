"""One deal of all seats, card by card: what happens on the table, independent of the board and of the game.

The croupier shuffles, deals and plays the cards of all seats by the rules, and says what points are made;
`cribd.robots.points_to_call` says which of them a side may call. It knows no board and no score. Randomness comes from
the given `Random`, so that a seed always plays the same cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from cribboard.cards import PACK, Card, Rank
from cribboard.deal.go import MAY_PASS_TOGETHER
from cribboard.play import ANY_CARD_FITS, LIMIT, count, score_play
from cribboard.rules import Option, Rules
from cribboard.scoring import Combination, Kind, score_show
from cribd.robots import cards_without_level
from cribd.robots.deal import deal_cards, first_dealer
from cribd.robots.points_to_call import Move, Moves

#: How often the last player declares go for everyone, where that is allowed.
_PASS_TOGETHER = 0.3
#: How often a seat that need not play on after a go stops.
_STOP = 0.3


@dataclass(frozen=True, slots=True)
class Turned:
    """The starter is turned up. A jack makes heels for the dealer."""

    dealer: int
    card: Card
    moves: Moves


@dataclass(frozen=True, slots=True)
class Laid:
    """A seat lays a card, the last card's point included in what it makes. `more`: something else may be counted at
    once, the go that it also wins or a hand after the last card of all."""

    seat: int
    card: Card
    moves: Moves
    more: bool


@dataclass(frozen=True, slots=True)
class Go:
    """A seat with cards lays none."""

    seat: int


@dataclass(frozen=True, slots=True)
class AllPass:
    """The last player declares go for everyone: for these seats, in turn."""

    seat: int
    passing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PassedTooSoon:
    """The last player declares go for everyone too soon: the next to lead can lay a card, does so now, and the count
    goes on (A77). Nobody has called the go yet."""

    seat: int


@dataclass(frozen=True, slots=True)
class GoWon:
    """Nobody can lay a card: the last player wins the go. `alone`: nobody else held a card, so nobody said go. `more`:
    the play is over, and a hand may be counted at once.

    Where single points are barred, a go that is won with the card itself belongs to `Laid`: all points of one card are
    one move (3.1)."""

    seat: int
    moves: Moves
    alone: bool
    more: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """A seat counts its hand, or as dealer the crib. `shown` are the cards that the reader has not read yet."""

    seat: int
    cards: tuple[Card, ...]
    moves: Moves
    crib: bool
    shown: tuple[Card, ...]


Happening = Turned | Laid | Go | AllPass | PassedTooSoon | GoWon | Counted


@dataclass(slots=True)
class Croupier:
    """Deals and plays by `rules`. `rng` shuffles. `hasty` is how often a go for everyone comes too soon, 0 to 1."""

    rng: Random
    rules: Rules
    hasty: float = 0

    def shuffled(self) -> list[Card]:
        """A pack to cut from."""
        return self.rng.sample(PACK, len(PACK))

    def first_dealer(self) -> int:
        """The seats cut among themselves: who deals first."""
        return first_dealer(self.rules, iter(self.shuffled, []))

    def deal(self, dealer: int) -> Iterator[Happening]:
        """What happens in one whole deal. The caller stops when the game is won."""
        rules, dealt = self.rules, deal_cards(self.rules, self.shuffled(), dealer, fronts=())
        starter, owner = dealt.starter, rules.side_of(dealer)
        discarded = tuple(
            cards_without_level.choose_discard(cards, own_crib=rules.side_of(seat) == owner, rules=rules)
            for seat, cards in enumerate(dealt.hands)
        )
        dealt = replace(dealt, discarded=discarded)
        hands, crib = [dealt.kept(seat) for seat in rules.seats], dealt.crib
        heels = rules.deal_and_play.his_heels if starter.rank is Rank.JACK else 0
        yield Turned(dealer, starter, _moves((heels,)))
        play = _Play(rules, self.rng, self.hasty, hands, rules.left_of(dealer))
        yield from play.cards()
        for seat in rules.round_from(rules.left_of(dealer)):
            yield self._counted(seat, hands[seat], starter, shown=tuple(play.left[seat]), crib=False)
        yield self._counted(dealer, crib, starter, shown=crib, crib=True)

    def _counted(
        self, seat: int, cards: tuple[Card, ...], starter: Card, *, shown: tuple[Card, ...], crib: bool
    ) -> Counted:
        score = score_show(cards, starter, crib=crib, rules=self.rules)
        return Counted(seat, cards, _moves([found.points for found in score.combinations]), crib, shown)


@dataclass(slots=True)
class _Play:
    """The play of one deal (rules reference, 1.13 to 1.20, 3.8 to 3.10). `left` are the cards not yet laid."""

    rules: Rules
    rng: Random
    hasty: float
    hands: Sequence[Sequence[Card]]
    turn: int
    left: list[list[Card]] = field(init=False)
    stack: list[Card] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    last: int = 0
    over: bool = False

    def __post_init__(self) -> None:
        self.left = [list(hand) for hand in self.hands]

    def cards(self) -> Iterator[Happening]:
        while not self.over:
            if self._passes_too_soon():
                yield PassedTooSoon(self.last)
                self.gone |= {seat for seat in self._asking() if seat != self.turn}
            card = self._choose(self.turn)
            if card is not None:
                yield from self._lay(card)
            elif self._ends_by_itself():
                yield from self._go_won(alone=True)
            elif passing := self._all_pass():
                yield AllPass(self.last, passing)
                yield from self._go_won(alone=False)
            else:
                yield from self._go()

    def _choose(self, seat: int) -> Card | None:
        """The card that scores most, or else the highest that fits; None if none is laid."""
        card = max(self._fitting(seat), key=lambda card: (sum(self._made(card)), card.value), default=None)
        may_stop = self.gone and self.rules.deal_and_play.must_play_after_go is Option.OFF
        if card is not None and may_stop and not self._made(card) and self.rng.random() < _STOP:
            return None
        return card

    def _fitting(self, seat: int) -> list[Card]:
        return [card for card in self.left[seat] if count(self.stack) + card.value <= LIMIT]

    def _made(self, card: Card) -> list[int]:
        return [found.points for found in score_play(self.stack, card, rules=self.rules)]

    def _lay(self, card: Card) -> Iterator[Happening]:
        seat, one_count = self.turn, self.rules.deal_and_play.single_series is Option.ON
        found = score_play(self.stack, card, rules=self.rules)
        self.left[seat].remove(card)
        self.stack.append(card)
        self.last = seat
        following = self._asked(seat)
        all_laid, thirty_one = not any(self.left), count(self.stack) == LIMIT
        wins_go = following is None and not all_laid and not thirty_one
        with_go = wins_go and self.rules.game.no_single_point_from is not None
        self.over = all_laid or (one_count and (thirty_one or wins_go))
        moves = self._moves_of(found, last_of_all=all_laid, with_go=with_go)
        yield Laid(seat, card, moves, more=self.over or wins_go)
        if wins_go and not with_go:
            yield from self._go_won(alone=False)
        elif following is None or thirty_one:
            self._next_count()
        else:
            self.turn = following

    def _moves_of(self, found: Sequence[Combination], *, last_of_all: bool, with_go: bool) -> Moves:
        """The moves of a card: one, or with an exact out its combinations first and then 31, last card and go
        (3.18)."""
        deal = self.rules.deal_and_play
        made = [each.points for each in found if each.kind is not Kind.THIRTY_ONE]
        ends = [each.points for each in found if each.kind is Kind.THIRTY_ONE]
        if last_of_all and not ends:
            ends.append(deal.last_card)
        if with_go:
            ends.append(deal.go)
        return _moves(made, ends) if self.rules.game.exact_out is Option.ON else _moves([*made, *ends])

    def _go(self) -> Iterator[Happening]:
        yield Go(self.turn)
        self.gone.add(self.turn)
        following = self._asked(self.turn)
        if following is None:
            yield from self._go_won(alone=False)
        else:
            self.turn = following

    def _ends_by_itself(self) -> bool:
        """Whether only the last player holds cards: the next card starts a new count without a go. Where there is only
        one count, his go ends the play."""
        others = any(self.left[seat] for seat in self.rules.seats if seat != self.last)
        return self.turn == self.last and not others and self.rules.deal_and_play.single_series is Option.OFF

    def _asking(self) -> tuple[int, ...]:
        """The seats that may still play in this count, the seat to play first."""
        return tuple(seat for seat in self.rules.round_from(self.turn) if self.left[seat] and seat not in self.gone)

    def _passes_too_soon(self) -> bool:
        """Whether a go for everyone comes too soon: only the seat to play can lay, and it would lead the next count."""
        if not self.hasty or len(self.rules.seats) < MAY_PASS_TOGETHER or count(self.stack) <= ANY_CARD_FITS:
            return False
        able = [seat for seat in self._asking() if self._fitting(seat)]
        leads = self._first(self.last, among=lambda seat: True)
        many_counts = self.rules.deal_and_play.single_series is Option.OFF
        alone = able == [self.turn] == [leads] and self.turn != self.last
        return many_counts and alone and self.rng.random() < self.hasty

    def _all_pass(self) -> tuple[int, ...]:
        """The seats that pass if nobody can lay and the last player declares go for everyone; otherwise none."""
        passing = self._asking()
        if len(self.rules.seats) < MAY_PASS_TOGETHER or passing == (self.last,) or any(map(self._fitting, passing)):
            return ()
        return passing if self.rng.random() < _PASS_TOGETHER else ()

    def _go_won(self, *, alone: bool) -> Iterator[Happening]:
        deal = self.rules.deal_and_play
        self.over = deal.single_series is Option.ON
        yield GoWon(self.last, _moves((deal.go,)), alone, more=self.over)
        self._next_count()

    def _next_count(self) -> None:
        self.stack.clear()
        self.gone.clear()
        leader = self._first(self.last, among=lambda seat: True)
        if leader is not None:
            self.turn = leader

    def _asked(self, after: int) -> int | None:
        """The seat to play after this one: the next that holds cards and has not said go."""
        return self._first(after, among=lambda seat: seat not in self.gone)

    def _first(self, after: int, *, among: Callable[[int], bool]) -> int | None:
        """The first such seat to the left that holds cards; the seat itself comes last."""
        around = self.rules.round_from(self.rules.left_of(after))
        return next((seat for seat in around if self.left[seat] and among(seat)), None)


def _moves(*moves: Sequence[int]) -> Moves:
    """The moves without empty ones and without zeros."""
    made: list[Move] = [tuple(points for points in move if points) for move in moves]
    return tuple(move for move in made if move)
