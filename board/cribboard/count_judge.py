"""The count judge: cards on the table, a number called, and no game.

Two players bring a hand and ask who is right. The judge knows cards, whether they are a hand or a crib, and by which
rules they are counted; it says whether a called number is what is due, names every combination, and knows which
numbers no hand makes (rules reference, section 4 and 3.23). While cards are missing it says what would fit. It must
never know of a game, a side, a peg or what was called in one: it keeps nothing but the cards it was given.

>>> from cribboard import Card
>>> judge = CountJudge().with_cards(Card.parse_many("6C 7S 8D 8H 9S"))
>>> judged = judge.judge(12)
>>> judged.verdict.name, judged.due
('TOO_FEW', 16)
>>> judge.drop().fits(16).starters
(<AC>, <AD>, <AH>, <AS>, <9C>, <9D>, <9H>, <9S>)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations
from math import comb
from types import MappingProxyType

from cribboard import hand_counts
from cribboard.cards import PACK, Card, Rank
from cribboard.events import Verdict
from cribboard.hand_counts import NINETEEN
from cribboard.rules import CRIB_SIZE, RULES, Rules
from cribboard.scoring import Score, score_show, show_points

#: With more cards missing than these nothing is tried: three have 55,000 ways to lie, four a million.
MOST_MISSING = 3

#: So many ranks of hands are listed, the likeliest first; a person reads no more.
MOST_LISTED = 12

#: Why a card was not taken, or a number not judged, in English.
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "judge_twice": "the {card} is among the cards already",
        "judge_full": "there are {wanted} cards already: hand and starter",
        "judge_empty": "there is no card to take away",
        "judge_waits": "{missing} cards are missing: what would fit is told from {wanted} cards on",
    }
)


class NotJudged(ValueError):  # noqa: N818 (what a person did is no error)
    """Read, but not taken; the cards are as they were.

    `code` is a key of `REFUSALS`, `values` what its sentence names. The message is the English sentence.

    >>> from cribboard import Card
    >>> str(NotJudged("judge_twice", card=Card.parse("5H")))
    'the 5H is among the cards already'
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))


class Counted(StrEnum):
    """As what the cards are counted: a crib has its own flush, and in five-card cribbage one card more."""

    HAND = "hand"
    CRIB = "crib"


@dataclass(frozen=True, slots=True)
class Judgment:
    """What is to be said of a called number.

    `verdict` is exact, too many, too few, or impossible where no such hand makes this number; `due` is what the cards
    count, `score` why.
    """

    called: int
    verdict: Verdict
    score: Score

    @property
    def due(self) -> int:
        return self.score.total

    @property
    def in_jest(self) -> bool:
        """Nineteen was called for a hand of nothing, as players do: no hand counts it, so it means zero."""
        return self.called == NINETEEN and self.verdict is Verdict.EXACT and self.due == 0


@dataclass(frozen=True, slots=True)
class Fit:
    """One way to complete the cards so that they count what was called, suits left aside.

    `hand`: the ranks that the hand lacks, lowest first; none where only the starter is missing. `starters`: with
    those, the ranks of which every card may be the starter; `some`: the ranks of which only some may, by their suit
    or by that of the hand's cards. `ways`: how many sets of real cards that makes.
    """

    hand: tuple[Rank, ...]
    starters: tuple[Rank, ...]
    some: tuple[Rank, ...]
    ways: int


@dataclass(frozen=True, slots=True)
class Fits:
    """What would make a called number of the cards that are there.

    `ways` of `possible` completions do. `listed` are the likeliest, by their ranks, and `left_out` says how many ranks
    of hands more there are. `starters` names each card by itself where only the starter is missing. `impossible`: no
    cards at all make this number.
    """

    called: int
    missing: int
    ways: int
    possible: int
    listed: tuple[Fit, ...]
    left_out: int
    starters: tuple[Card, ...]
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class CountJudge:
    """The cards in the order in which they were read: those of the hand, then the starter.

    Each step gives another judge and leaves this one as it is.
    """

    cards: tuple[Card, ...] = ()
    counted: Counted = Counted.HAND
    rules: Rules = field(default_factory=lambda: RULES["six-card"])

    @property
    def size(self) -> int:
        """Cards of the hand, or of the crib, without the starter."""
        return CRIB_SIZE if self.counted is Counted.CRIB else self.rules.deal_and_play.hand_size

    @property
    def missing(self) -> int:
        """How many cards are still to be read, the starter among them."""
        return self.size + 1 - len(self.cards)

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.cards[: self.size]

    @property
    def starter(self) -> Card | None:
        return None if self.missing else self.cards[-1]

    @property
    def score(self) -> Score | None:
        """What the cards count, once all are there."""
        starter = self.starter
        if starter is None:
            return None
        return score_show(self.hand, starter, crib=self.counted is Counted.CRIB, rules=self.rules)

    def add(self, card: Card) -> CountJudge:
        """One card more, the starter last. Raises `NotJudged` for a card that is there already, or one too many."""
        if card in self.cards:
            raise NotJudged("judge_twice", card=card)
        if not self.missing:
            raise NotJudged("judge_full", wanted=self.size + 1)
        return replace(self, cards=(*self.cards, card))

    def with_cards(self, cards: Iterable[Card]) -> CountJudge:
        """These cards one after the other, as `add` takes them."""
        judge = self
        for card in cards:
            judge = judge.add(card)
        return judge

    def drop(self) -> CountJudge:
        """Without the card that was read last. Raises `NotJudged` if there is none."""
        if not self.cards:
            raise NotJudged("judge_empty")
        return replace(self, cards=self.cards[:-1])

    def without(self, card: Card) -> CountJudge:
        """Without this card, wherever it lies."""
        return replace(self, cards=tuple(each for each in self.cards if each is not card))

    def as_crib(self, crib: bool = True) -> CountJudge:
        """The same cards as a crib, or as a hand again; none of them if they are too many for that."""
        return replace(self, counted=Counted.CRIB if crib else Counted.HAND)._fitted()

    def with_rules(self, rules: Rules) -> CountJudge:
        """The same cards by other rules; none of them if they are too many for those."""
        return replace(self, rules=rules)._fitted()

    def _fitted(self) -> CountJudge:
        """Nothing, if there are too many cards now: nobody can say which of them is the starter."""
        return self if self.missing >= 0 else replace(self, cards=())

    # Numbers

    @property
    def most(self) -> int:
        """The most that can be due."""
        return hand_counts.most(self.size, self.rules.deal_and_play.his_nobs)

    @property
    def impossible(self) -> tuple[int, ...]:
        """The numbers up to `most` that no such cards count.

        >>> CountJudge().impossible, CountJudge(rules=RULES["five-card"]).impossible
        ((19, 25, 26, 27), (16, 17, 18, 19))
        """
        return tuple(sorted(hand_counts.impossible(self.size, self.rules.deal_and_play.his_nobs)))

    def is_impossible(self, called: int) -> bool:
        """Whether no cards at all count this number."""
        return called > self.most or called in self.impossible

    def judge(self, called: int) -> Judgment:
        """Whether `called` is what the cards count. Nineteen for nothing is right: it is what players say for zero.

        Raises `NotJudged` while cards are missing: `fits` says then what would make it.

        >>> from cribboard import Card
        >>> nothing = CountJudge().with_cards(Card.parse_many("2H 4C 6D 8S TC"))
        >>> [nothing.judge(called).verdict.name for called in (0, 2, 19, 25)]
        ['EXACT', 'TOO_MANY', 'EXACT', 'IMPOSSIBLE']
        """
        score = self.score
        if score is None:
            raise NotJudged("judge_waits", missing=self.missing, wanted=self.size + 1 - MOST_MISSING)
        return Judgment(called, self._verdict(called, score.total), score)

    def _verdict(self, called: int, due: int) -> Verdict:
        if called == due or (due == 0 and called == NINETEEN and self.is_impossible(called)):
            return Verdict.EXACT
        if self.is_impossible(called):
            return Verdict.IMPOSSIBLE
        return Verdict.TOO_MANY if called > due else Verdict.TOO_FEW

    def fits(self, called: int) -> Fits:
        """Which cards would make `called` of those that are there, suits left aside, the likeliest first.

        With one or two cards missing this is a matter of milliseconds, with three of tenths of a second. Raises
        `NotJudged` if more are missing than `MOST_MISSING`, or none.

        >>> from cribboard import Card
        >>> four = CountJudge().with_cards(Card.parse_many("TD JC QC QD"))
        >>> fits = four.fits(17)
        >>> fits.ways, fits.possible, fits.starters
        (2, 48, (<5C>, <TC>))
        """
        self.may_fit()
        unseen = [card for card in PACK if card not in self.cards]
        possible = comb(len(unseen), self.missing - 1) * (len(unseen) - self.missing + 1)
        if self.is_impossible(called):
            return Fits(called, self.missing, 0, possible, (), 0, (), impossible=True)
        fitting: dict[tuple[Rank, ...], Counter[Rank]] = {}
        starters: tuple[Card, ...] = ()
        for held, found in self._completions(called, unseen):
            fitting.setdefault(tuple(card.rank for card in held), Counter()).update(card.rank for card in found)
            starters = tuple(found)
        rest = Counter(card.rank for card in unseen)
        made = sorted((_fit(hand, found, rest) for hand, found in fitting.items()), key=_likeliest)
        return Fits(
            called=called,
            missing=self.missing,
            ways=sum(fit.ways for fit in made),
            possible=possible,
            listed=tuple(made[:MOST_LISTED]),
            left_out=max(0, len(made) - MOST_LISTED),
            starters=starters if self.missing == 1 else (),
        )

    def may_fit(self) -> None:
        """Raises `NotJudged` unless `fits` has something to look for, and not too much."""
        if not 1 <= self.missing <= MOST_MISSING:
            raise NotJudged("judge_waits", missing=self.missing, wanted=self.size + 1 - MOST_MISSING)

    def _completions(self, called: int, unseen: list[Card]) -> Iterator[tuple[tuple[Card, ...], list[Card]]]:
        """Each way to complete the hand, with the starters that then make the number, if any does."""
        crib, rules = self.counted is Counted.CRIB, self.rules
        for held in combinations(unseen, self.missing - 1):
            hand = (*self.cards, *held)
            found = [
                card
                for card in unseen
                if card not in held and show_points(hand, card, crib=crib, rules=rules) == called
            ]
            if found:
                yield held, found


def _fit(hand: tuple[Rank, ...], found: Counter[Rank], rest: Counter[Rank]) -> Fit:
    """Of which ranks every starter does, and of which only some do."""
    left = rest - Counter(hand)
    held = 1
    for rank, number in Counter(hand).items():
        held *= comb(rest[rank], number)
    every = tuple(sorted(rank for rank, ways in found.items() if ways == held * left[rank]))
    return Fit(hand, every, tuple(sorted(set(found) - set(every))), found.total())


def _likeliest(fit: Fit) -> tuple[int, tuple[Rank, ...]]:
    return -fit.ways, fit.hand
