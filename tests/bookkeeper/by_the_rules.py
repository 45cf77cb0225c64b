"""The bookkeeper's arithmetic: what cards are worth, and whose turn it is to lay.

It must never import anything of the product; it was written from the rules reference (sections 1, 3 and 7)
before its author had seen the product's code, so that no mistake is made twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tests.bookkeeper.presets_by_the_rules import Opening, RuleSet

RANKS = "A23456789TJQK"
PIPS = {rank: min(10, place) for place, rank in enumerate(RANKS, start=1)}
LIMIT = 31
Parts = tuple[int, ...]


def read_card(text: str) -> str | None:
    """A card as rank and suit, "TH"; None if it is not a card."""
    text = text.upper().replace("10", "T")
    return text if len(text) == 2 and text[0] in RANKS and text[1] in "CDHS" else None


def rank(card: str) -> int:
    """The place of a card in a run; the ace is lowest."""
    return RANKS.index(card[0])


def pips(card: str) -> int:
    """The value of a card in the count: the ace 1, a court card 10."""
    return PIPS[card[0]]


def total(cards: Sequence[str]) -> int:
    return sum(map(pips, cards))


def count_hand(hand: Sequence[str], starter: str, *, rules: RuleSet, crib: bool = False) -> Opening:
    """The points of a hand, or of the crib, with the starter (rules 1.23 to 1.27, 3.3)."""
    cards = [*hand, starter]
    values = [pips(card) for card in cards]
    fifteens = sum(sum(some) == 15 for size in range(2, 6) for some in combinations(values, size))
    pairs = sum(one[0] == other[0] for one, other in combinations(cards, 2))
    nobs = rules.his_nobs if f"J{starter[1]}" in hand else 0
    flush = _flush(hand, starter, rules=rules, crib=crib)
    parts = (*[2] * (fifteens + pairs), *_runs(cards), flush, nobs)
    return Opening(tuple(part for part in parts if part))


def _flush(hand: Sequence[str], starter: str, *, rules: RuleSet, crib: bool) -> int:
    """All cards of the hand in one suit, and the starter if it has that suit too."""
    if len({card[1] for card in hand}) != 1:
        return 0
    least = rules.hand_flush_min
    if crib:
        least = 4 if rules.crib_flush == "four_ok" else 5
    alike = len(hand) + (starter[1] == hand[0][1])
    return alike if least is not None and alike >= least else 0


def _runs(cards: Sequence[str]) -> list[int]:
    """The longest run, once for each way to choose its cards. Five cards have no room for two different runs."""
    held = Counter(map(rank, cards))
    for lowest in range(len(RANKS)):
        length, ways = 0, 1
        while held[lowest + length]:
            ways *= held[lowest + length]
            length += 1
        if length >= 3:
            return [length] * ways
    return []


def count_laid(stack: Sequence[str]) -> Parts:
    """The points of the last card of a stack with those before it: 15, pairs and runs (1.21, 1.22)."""
    alike = 1
    while alike < len(stack) and stack[-alike - 1][0] == stack[-1][0]:
        alike += 1
    parts = [2] * ((total(stack) == 15) + alike * (alike - 1) // 2)
    for length in range(len(stack), 2, -1):
        ranks = set(map(rank, stack[-length:]))
        if len(ranks) == length and max(ranks) - min(ranks) == length - 1:
            return (*parts, length)
    return tuple(parts)


@dataclass(frozen=True)
class Brought:
    """The points of a card: the go that it ends, its own points, the go that is won with it. Of its own points, `end`
    is for 31 or for the last card. `resumed`: it takes back that all have passed (A77). `winner` is the seat that won
    the go before it."""

    before: int = 0
    made: Parts = ()
    end: int = 0
    after: int = 0
    resumed: bool = False
    winner: int = -1

    def own(self, rules: RuleSet) -> list[Opening]:
        """The card's own points in one move; with exact-out its combinations and its 31 or last card are two moves
        (3.18)."""
        if rules.exact_out:
            return _openings([self.made, (self.end,)])
        return _openings([(*self.made, self.end, 0 if self.goes_apart(rules) else self.after)])

    def goes_apart(self, rules: RuleSet) -> bool:
        """Whether a go that is won with the card is a move of its own: it is not where no side may advance by one
        (3.1)."""
        return rules.no_single_point_from is None

    def openings(self, rules: RuleSet) -> list[Opening]:
        return [*self.go_before(), *self.with_card(rules)]

    def go_before(self) -> list[Opening]:
        return _openings([(self.before,)], "go")

    def with_card(self, rules: RuleSet) -> list[Opening]:
        after = self.after if self.goes_apart(rules) else 0
        return [*self.own(rules), *_openings([(after,)], "go")]


def _openings(moves: Sequence[Parts], about: str = "card") -> list[Opening]:
    made = [tuple(part for part in move if part) for move in moves]
    return [Opening(parts, about) for parts in made if parts]


@dataclass(frozen=True)
class SaidGo:
    """A seat that said go: at this count, with this many cards laid."""

    seat: int
    count: int
    laid: int


@dataclass
class Remembered:
    """A false go to which the play was taken back: each card that fitted counts for `by` when it appears (3.26).
    `counted` are the cards that have."""

    go: SaidGo
    by: int
    counted: list[str]

    def counts(self, seat: int, card: str) -> bool:
        return self.go.seat == seat and self.go.count + pips(card) <= LIMIT and card not in self.counted


@dataclass
class Play:
    """The play of one deal (1.13 to 1.20, 3.9, 3.10, 7.7). It knows the cards that are laid, and how many cards a hand
    has. `passed` is the count that ended when all passed at once: its stack, and who had said go before. `remembered`
    are the false gos to which the play was taken back."""

    rules: RuleSet
    turn: int
    stack: list[str] = field(default_factory=list)
    laid: list[list[str]] = field(init=False)
    dead: list[list[str]] = field(init=False)
    gone: set[int] = field(default_factory=set)
    last: int = -1
    finished: bool = False
    gos: list[SaidGo] = field(default_factory=list)
    passed: tuple[list[str], set[int]] | None = None
    remembered: list[Remembered] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.laid = [[] for _ in range(self.rules.players)]
        self.dead = [[] for _ in range(self.rules.players)]

    @property
    def cards(self) -> list[str]:
        """All cards that are laid, or lie dead."""
        return [card for hand in (*self.laid, *self.dead) for card in hand]

    def over(self) -> bool:
        return self.finished or self._next(self.turn, range(self.rules.players)) is None

    def holds(self, seat: int) -> bool:
        return len(self.laid[seat]) + len(self.dead[seat]) < self.rules.hand

    def alone(self, seat: int) -> bool:
        """Whether no other seat holds a card."""
        return not any(self.holds(other) for other in range(self.rules.players) if other != seat)

    def lay(self, card: str) -> Brought | None:
        """The seat whose turn it is lays a card. None if the card cannot be laid."""
        seat = self.turn
        if self.over() or card in self.cards:
            return None
        resumed = self._take_back(seat, card)
        before, winner, end, after = 0, seat, 0, 0
        if total([*self.stack, card]) > LIMIT:
            if not self.goes_without_a_word(card):
                return None
            before = self.rules.go  # nobody else holds a card: the count ends by itself, and the go is the last one's
            winner = self.last
            self.says_go(seat)
            self.end_count()
        self.laid[seat].append(card)
        self.stack.append(card)
        self.last, self.passed = seat, None
        made = count_laid(self.stack)
        to_play = self._asked(seat)
        if total(self.stack) == LIMIT:
            end = self.rules.thirty_one
            self.end_count()
        elif self.over():
            end = self.rules.last_card
        elif to_play is None:
            after = self.rules.go  # the others have said go, and he has no card left
            self.end_count()
        else:
            self.turn = to_play
        return Brought(before, made, end, after, resumed, winner)

    def goes_without_a_word(self, card: str) -> bool:
        """Whether the seat whose turn it is lays this card over 31 and alone holds cards: it goes without saying so
        (3.26)."""
        alone = self.alone(self.turn) and not self.rules.single_series
        return alone and bool(self.stack) and total([*self.stack, card]) > LIMIT

    def go(self, seat: int) -> int | None:
        """A seat says go. Returns the seat that wins the go, if no seat can lay a card now."""
        if seat != self.turn or not self.stack or self.over() or (seat == self.last and self.alone(seat)):
            return None
        self.says_go(seat)
        to_play = self._asked(seat)
        if to_play is not None:
            self.turn = to_play
            return None
        return self.end_count()

    def all_pass(self) -> int | None:
        """All seats that hold cards pass at once. Returns the seat that wins the go; None if no seat can pass."""
        if not self.stack or self.over() or self.alone(self.last):
            return None
        self.passed = list(self.stack), set(self.gone)
        for seat in range(self.rules.players):
            if self.holds(seat) and seat not in self.gone:
                self.says_go(seat)
        return self.end_count()

    def shows_false_go(self, card: str) -> bool:
        """Whether the seat whose turn it is could have laid this card when it said go."""
        return self.fitted(self.turn, card)

    def fitted(self, seat: int, card: str) -> bool:
        return any(go.seat == seat and go.count + pips(card) <= LIMIT for go in self.gos)

    def remember(self, seat: int, count: int, card: str, *, by: int) -> None:
        """The play was taken back to this false go, which the card has shown."""
        self.remembered.append(Remembered(SaidGo(seat, count, len(self.laid[seat])), by, [card]))

    def counts_too(self, seat: int, card: str) -> list[int]:
        """The sides that get points because this card fitted at false gos to which the play was taken back; once for
        each of them."""
        shown = [each for each in self.remembered if each.counts(seat, card)]
        for each in shown:
            each.counted.append(card)
        return [each.by for each in shown]

    def lies_dead(self, card: str) -> None:
        """The card of a false go is not laid any more. It is still that seat's turn, if it has another card."""
        self.dead[self.turn].append(card)
        if self.holds(self.turn):
            return
        following = self._asked(self.turn) if self.stack else self._next(self.turn, range(self.rules.players))
        self.turn = self.turn if following is None else following

    def end_count(self) -> int:
        """The next count begins. The first seat with a card to the left of the last to lay leads. Returns who laid
        last."""
        self.stack = []
        self.gone = set()
        self.finished = self.rules.single_series
        leader = self._next(self.last, [seat for seat in range(self.rules.players) if self.holds(seat)])
        if leader is not None:
            self.turn = leader
        return self.last

    def false_gos(self, hands: Sequence[Sequence[str]]) -> list[str]:
        """The cards that could have been laid when their owner said go, now that all cards are known."""
        return [card for go in self.gos for card in hands[go.seat][go.laid :] if go.count + pips(card) <= LIMIT]

    def says_go(self, seat: int) -> None:
        self.gone.add(seat)
        if seat != self.last or self.rules.must_play_after_go:
            self.gos.append(SaidGo(seat, total(self.stack), len(self.laid[seat])))

    def _take_back(self, seat: int, card: str) -> bool:
        """Take it back that all passed, if this card of the seat fits their count: it did not have to pass (A77).
        Returns whether it fits."""
        if self.passed is None or seat in self.passed[1] or total([*self.passed[0], card]) > LIMIT:
            return False
        self.stack = self.passed[0]
        self.gone = {other for other in range(self.rules.players) if self.holds(other)} - {seat}
        self.gos = [go for go in self.gos if go.seat != seat or go.count != total(self.stack)]
        return True

    def _asked(self, seat: int) -> int | None:
        """Who plays after a seat: clockwise the next seat that holds a card and has not said go; the seat itself comes
        last."""
        return self._next(seat, [other for other in range(self.rules.players) if other not in self.gone])

    def _next(self, seat: int, among: Sequence[int]) -> int | None:
        """The first of these seats that holds a card, from the left of this seat on."""
        around = [(seat + step) % self.rules.players for step in range(1, self.rules.players + 1)]
        return next((other for other in around if other in among and self.holds(other)), None)
