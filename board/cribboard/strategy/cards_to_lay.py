"""Choose a card to lay in the play.

The hands that the others may have are listed by ranks and weighted. Of two players: by the ways to draw the hand, by
how often a sensible player keeps it (`cribboard.strategy.tables`), by the cards that no longer fit after a go, and by
points that were left lying. With more seats the unseen cards are dealt several times by the `rng` that is passed in.
Each card that fits is then laid against each of these hands, and the play goes on to its end with sensible cards of all
seats; the card with the best mean wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb
from typing import Protocol

from cribboard.cards import Card, Rank
from cribboard.play import LIMIT
from cribboard.rules import Rules
from cribboard.scoring import show_points
from cribboard.strategy.near_end import chance_at_show, is_near
from cribboard.strategy.pegging import REMEMBERED, VALUE, Play, made
from cribboard.strategy.ranks import OF_A_RANK, Ranks, grouped, left_in_pack, multisets, ranks_of, with_starters
from cribboard.strategy.tables import tables_of


class Rng(Protocol):
    """A source of random numbers, `random.Random` for example."""

    def random(self) -> float:
        """Return a random number from 0 to below 1."""
        ...


@dataclass(frozen=True, slots=True)
class Act:
    """A laid card, or a go if `card` is None."""

    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The part of a game that a player sees."""

    rules: Rules
    seat: int
    dealer: int
    scores: tuple[int, ...]  # by side, before the play
    hand: tuple[Card, ...]  # his cards that are not laid
    discarded: tuple[Card, ...]  # what he gave to the crib
    starter: Card
    acts: tuple[Act, ...] = ()  # what was laid and said in this deal, by all seats, oldest first

    @property
    def fitting(self) -> tuple[Card, ...]:
        """The cards that the player may lay now, lowest first."""
        room = LIMIT - self.play().count
        return tuple(sorted(card for card in self.hand if card.value <= room))

    def laid_by(self, seat: int) -> tuple[Card, ...]:
        """List the cards that this seat has laid."""
        return tuple(act.card for act in self.acts if act.seat == seat and act.card is not None)

    def play(self) -> Play:
        """Replay the acts, and return the state of the play."""
        play = Play(self.rules, self.dealer, self.scores)
        for act in self.acts:
            if act.card is None:
                play.say_go()
            else:
                play.lay(act.card.rank)
        return play


@dataclass(frozen=True, slots=True)
class LayChoice:
    """One possible card to lay, with its points and worth.

    `worth` is the mean of what one's own side pegs to the end of the play minus what the others peg, in points, or near
    the end of a game the chance to win it, 0 to 1.
    """

    card: Card
    points: int  # what it scores at once
    worth: float


def ranked_cards(view: PlayerView, rng: Rng) -> tuple[LayChoice, ...]:
    """List the cards that fit, best first, one of each rank.

    With three or more seats, `rng` deals unseen cards."""
    play = view.play()
    cards = {int(card.rank): card for card in view.hand if play.count + card.value <= LIMIT}
    worths = dict.fromkeys(cards, 0.0)
    if len(cards) > 1:
        hands = list(_inferred(view, play, rng))
        worth = _Worth(view)
        worths = {rank: _mean(view, play, rank, hands, worth) for rank in cards}
    found = [LayChoice(card, play.points(rank), worths[rank]) for rank, card in cards.items()]
    return tuple(sorted(found, key=lambda choice: -choice.worth))


# What the others may hold

#: One possibility: the ranks of each seat, and its weight.
_Hands = tuple[tuple[Ranks, ...], float]

#: How many hands of another player are tried.
HANDS_TRIED = 60
#: How many deals of the unseen cards are tried where more than two play.
DEALS_TRIED = 30

#: The probability that a player does not make points that he could make.
_LEAVES_POINTS = 0.15
#: Added to the share of each hand in the table of kept cards, because nobody discards by the table alone.
_KEEPS_ANYTHING = 0.03


def _inferred(view: PlayerView, play: Play, rng: Rng) -> Iterator[_Hands]:
    """Yield weighted guesses of the hands of all seats."""
    own = ranks_of(view.hand)
    laid = [act.card for act in view.acts if act.card is not None]
    left = left_in_pack(ranks_of((*view.hand, *view.discarded, view.starter, *laid)))
    factors = _factors(view)
    if len(play.left) > 2:
        yield from _dealt(view.seat, own, play.left, left, factors, rng)
        return
    other = 1 - view.seat
    kept = tables_of(view.rules, is_own_crib=other == view.dealer).kept
    weighed = _weighed(ranks_of(view.laid_by(other)), play.left[other], left, factors[other], kept)
    for ranks, weight in _picked(list(weighed)):
        yield ((own, ranks) if view.seat == 0 else (ranks, own)), weight


def _dealt(
    seat: int, own: Ranks, sizes: Sequence[int], left: Sequence[int], factors: Sequence[Sequence[float]], rng: Rng
) -> Iterator[_Hands]:
    """Yield random deals of the unseen cards to the other seats.

    A card that contradicts what a seat did goes to another seat if possible."""
    for _ in range(DEALS_TRIED):
        unseen = [rank for rank, times in enumerate(left) for _ in range(times)]
        hands = []
        for number, size in enumerate(sizes):
            hand: list[int] = []
            passed: list[int] = []
            while number != seat and len(hand) < size:
                if not unseen:
                    unseen, passed = passed, []
                rank = unseen.pop(int(rng.random() * len(unseen)))
                agrees = rng.random() < factors[number][rank]
                (hand if agrees or not unseen else passed).append(rank)
            unseen += passed
            hands.append(own if number == seat else tuple(sorted(hand)))
        yield tuple(hands), 1.0


def _factors(view: PlayerView) -> list[list[float]]:
    """Calculate how likely each seat's acts are if it held a rank.

    0 means that the seat would have had to lay such a card."""
    play = Play(view.rules, view.dealer, view.scores)
    factors = [[1.0] * (len(Rank) + 1) for _ in play.left]
    for act in view.acts:
        of_seat = factors[act.seat]
        fitting = [rank for rank in Rank if play.count + VALUE[rank] <= LIMIT]
        if act.card is None:
            for rank in fitting:
                of_seat[rank] = 0.0
            play.say_go()
            continue
        points = play.points(act.card.rank)
        for rank in fitting:
            if play.points(rank) > points:
                of_seat[rank] *= _LEAVES_POINTS
        play.lay(act.card.rank)
    return factors


@cache
def _groups(size: int) -> tuple[tuple[Ranks, tuple[int, ...]], ...]:
    """List all multisets of `size` ranks.

    Each has the columns of its ranks in a row of `_weighed`, which has 5 columns for each rank."""
    return tuple(
        (ranks, tuple(rank * (OF_A_RANK + 1) + times for rank, times in grouped(ranks))) for ranks in multisets(size)
    )


def _weighed(
    laid: Ranks, size: int, left: Sequence[int], factors: Sequence[float], kept: Mapping[Ranks, float]
) -> Iterator[tuple[Ranks, float]]:
    """Yield the other player's possible hands, each with its weight."""
    row = [
        comb(left[rank], times) * (factors[rank] if times else 1.0)
        for rank in range(len(Rank) + 1)
        for times in range(OF_A_RANK + 1)
    ]
    for ranks, places in _groups(size):
        weight = 1.0
        for place in places:
            weight *= row[place]
        if weight:
            whole = tuple(sorted(laid + ranks)) if laid else ranks
            yield ranks, weight * (kept.get(whole, 0.0) + _KEEPS_ANYTHING)


def _picked(hands: list[tuple[Ranks, float]]) -> list[tuple[Ranks, float]]:
    """Choose at most `HANDS_TRIED` of these hands by their weights."""
    if len(hands) <= HANDS_TRIED:
        return hands
    step = sum(weight for _, weight in hands) / HANDS_TRIED
    picked = []
    passed, due = 0.0, step / 2
    for ranks, weight in hands:
        passed += weight
        times = 0
        while passed > due:
            due += step
            times += 1
        if times:
            picked.append((ranks, float(times)))
    return picked


# How play goes on


def _mean(view: PlayerView, play: Play, rank: int, hands: Sequence[_Hands], worth: _Worth) -> float:
    total = weights = 0.0
    for ranks, weight in hands:
        trial = play.copy()
        trial.lay(rank)
        left = list(ranks)
        left[view.seat] = _without(left[view.seat], rank)
        go_on(trial, left)
        total += weight * worth(trial.scores, ranks)
        weights += weight
    return total / weights


class _Worth:
    """The worth of the play's outcome to one player."""

    def __init__(self, view: PlayerView) -> None:
        self._view = view
        self._side = view.rules.side_of(view.seat)
        self._near = is_near(view.rules, view.scores)
        self._before = _difference(view.scores, self._side)
        if self._near:
            own = (*view.hand, *view.laid_by(view.seat))
            self._own = show_points(own, view.starter, rules=view.rules)
            self._of_other = ranks_of(view.laid_by(1 - view.seat))

    def __call__(self, scores: Sequence[int], hands: Sequence[Ranks]) -> float:
        """Return the worth of these scores at the end of the play.

        `hands` are the cards that all seats hold now."""
        if not self._near:
            return _difference(scores, self._side) - self._before
        seat = self._view.seat
        needs, others = (self._view.rules.game.target - scores[side] for side in (seat, 1 - seat))
        if needs <= 0 or others <= 0:
            return float(needs <= 0)
        other = with_starters(tuple(sorted(self._of_other + hands[1 - seat])))[self._view.starter.rank]
        if seat == self._view.dealer:
            return chance_at_show(needs, others, hand=self._own, pone_hand=other)
        return 1.0 - chance_at_show(others, needs, hand=other, pone_hand=self._own)


def _difference(scores: Sequence[int], side: int) -> float:
    """Return the side's lead over the mean of the other sides."""
    own = scores[side]
    return own - (sum(scores) - own) / (len(scores) - 1)


def go_on(play: Play, hands: list[Ranks]) -> None:
    """Play the rest of the cards as `sensible` chooses."""
    while not play.over:
        seat = play.turn
        rank = sensible(play.stack, hands[seat])
        if rank:
            hands[seat] = _without(hands[seat], rank)
            play.lay(rank)
        else:
            play.say_go()


def _without(hand: Ranks, rank: int) -> Ranks:
    place = hand.index(rank)
    return hand[:place] + hand[place + 1 :]


@lru_cache(REMEMBERED)
def sensible(stack: tuple[int, ...], hand: Ranks) -> int:
    """Choose a sensible rank to lay; 0 if no card fits.

    The rank has the best balance of points scored and points left to the next player. Of equals, the highest."""
    count = sum([VALUE[rank] for rank in stack])
    best, most = 0, float("-inf")
    for rank in dict.fromkeys(hand):
        if count + VALUE[rank] <= LIMIT:
            worth = _points_now(stack, count, rank) - _RISK * _answers((*stack, rank)) + _HIGH * VALUE[rank]
            if worth >= most:
                best, most = rank, worth
    return best


#: The weight of the points of an answer: how likely the other player holds a given rank.
_RISK = 0.25
#: The weight of laying high cards first, by what they add to the count.
_HIGH = 0.05


@lru_cache(REMEMBERED)
def _answers(stack: tuple[int, ...]) -> int:
    """Add up the points that each possible next rank would score."""
    count = sum([VALUE[rank] for rank in stack])
    return sum([_points_now(stack, count, rank) for rank in range(1, len(Rank) + 1) if count + VALUE[rank] <= LIMIT])


def _points_now(stack: tuple[int, ...], count: int, rank: int) -> int:
    """Return a card's points, with the usual 2 for 31."""
    return made((*stack, rank)) + (2 if count + VALUE[rank] == LIMIT else 0)
