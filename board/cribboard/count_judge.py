"""The count judge, which judges called numbers without a game.

Takes the cards of a hand or crib one by one, and the rules to count by. Says whether a called number is right, names
every combination, and knows which numbers no hand counts (rules reference, section 4 and 3.23). While cards are missing
it says which would fit. Knows no game, side or peg.

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
from functools import reduce
from itertools import combinations
from math import comb, prod
from typing import TypeAlias

from cribboard import possible_counts
from cribboard.cards import PACK, Card, Rank
from cribboard.event_terms import Verdict
from cribboard.possible_counts import NINETEEN
from cribboard.rules import CRIB_SIZE, RULES, Rules
from cribboard.scoring import Score, score_show, show_points

#: The most missing cards for which fits are searched: three have 55,000 combinations, four have a million.
MOST_MISSING = 3

#: The most fits that are listed, the likeliest first; a person reads no more.
MOST_LISTED = 12

#: Why a card was not taken, or a number not judged, in English.
REFUSALS: Mapping[str, str] = {
    "judge_twice": "the {card} is among the cards already",
    "judge_full": "there are {wanted} cards already: hand and starter",
    "judge_empty": "there is no card to take away",
    "judge_waits": "{missing} cards are missing: what would fit is told from {wanted} cards on",
}


class NotJudged(ValueError):  # noqa: N818 (what a person did is no error)
    """The judge refuses a card or a called number.

    `code` is a key of `REFUSALS`, `values` fill its sentence. The message is the English sentence.

    >>> from cribboard import Card
    >>> str(NotJudged("judge_twice", card=Card.parse("5H")))
    'the 5H is among the cards already'
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))


class Counted(StrEnum):
    """The kind of cards to count: hand or crib.

    A crib has its own flush, and one card more in five-card."""

    HAND = "hand"
    CRIB = "crib"


@dataclass(frozen=True, slots=True)
class Judgment:
    """The judgement of a called number."""

    called: int
    verdict: Verdict  # exact, too many, too few, or impossible if no such hand counts this number
    score: Score  # what the cards count, and why

    @property
    def due(self) -> int:
        """The points that the cards are worth."""
        return self.score.total

    @property
    def in_jest(self) -> bool:
        """Whether nineteen was called as a joke for zero points."""
        return self.called == NINETEEN and self.verdict is Verdict.EXACT and self.due == 0


@dataclass(frozen=True, slots=True)
class Fit:
    """Ranks that complete a hand so that it makes a called number."""

    hand: tuple[Rank, ...]  # ranks that the hand lacks, lowest first; () if only the starter is missing
    starters: tuple[Rank, ...]  # ranks of which every card fits as the starter
    some: tuple[Rank, ...]  # ranks of which only some cards fit, by suit
    ways: int  # how many sets of cards that makes


@dataclass(frozen=True, slots=True)
class Fits:
    """All ways to complete a hand, so that it makes a called number."""

    called: int
    missing: int  # cards
    ways: int  # completions that count the number
    possible: int  # completions in all
    listed: tuple[Fit, ...]  # the likeliest
    left_out: int  # fits that are not listed
    starters: tuple[Card, ...]  # each card that fits, if only the starter is missing
    impossible: bool  # no cards at all count this number


#: What the judge may answer: whether a called number is right, what the cards count, or what would fit.
JudgeAnswer: TypeAlias = Judgment | Score | Fits


@dataclass(frozen=True, slots=True)
class CountJudge:
    """A count judge with the cards added so far.

    Each step returns a new judge."""

    cards: tuple[Card, ...] = ()  # as they were read: the hand, then the starter
    counted: Counted = Counted.HAND
    rules: Rules = field(default_factory=lambda: RULES["six-card"])

    @property
    def size(self) -> int:
        """The size of the hand or crib, without the starter."""
        return CRIB_SIZE if self.counted is Counted.CRIB else self.rules.deal_and_play.hand_size

    @property
    def missing(self) -> int:
        """The number of missing cards, the starter included."""
        return self.size + 1 - len(self.cards)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the hand or crib, without the starter."""
        return self.cards[: self.size]

    @property
    def starter(self) -> Card | None:
        """The starter; None if a card is still missing."""
        return None if self.missing else self.cards[-1]

    @property
    def score(self) -> Score | None:
        """The score of the cards; None while cards are missing."""
        starter = self.starter
        if starter is None:
            return None
        return score_show(self.hand, starter, crib=self.counted is Counted.CRIB, rules=self.rules)

    def add(self, card: Card) -> CountJudge:
        """Return a judge with one more card.

        The last card is the starter. Raises `NotJudged` if the card is there already, or if no card is missing."""
        if card in self.cards:
            raise NotJudged("judge_twice", card=card)
        if not self.missing:
            raise NotJudged("judge_full", wanted=self.size + 1)
        return replace(self, cards=(*self.cards, card))

    def with_cards(self, cards: Iterable[Card]) -> CountJudge:
        """Return a judge with these cards added in order. Raises `NotJudged` as `add` does."""
        return reduce(CountJudge.add, cards, self)

    def drop(self) -> CountJudge:
        """Return a judge without the last card. Raises `NotJudged` if there is no card."""
        if not self.cards:
            raise NotJudged("judge_empty")
        return replace(self, cards=self.cards[:-1])

    def without(self, card: Card) -> CountJudge:
        """Return a judge of the same cards except this one."""
        return replace(self, cards=tuple(other for other in self.cards if other is not card))

    def as_crib(self, crib: bool = True) -> CountJudge:
        """Return a judge that counts the cards as a crib.

        The judge has no cards if they would be too many."""
        return replace(self, counted=Counted.CRIB if crib else Counted.HAND)._fitted()

    def with_rules(self, rules: Rules) -> CountJudge:
        """Return a judge that counts the same cards by other rules.

        The judge has no cards if they would be too many."""
        return replace(self, rules=rules)._fitted()

    def _fitted(self) -> CountJudge:
        """Return this judge; remove all cards if they are too many.

        It would be unknown which card is the starter."""
        return self if self.missing >= 0 else replace(self, cards=())

    # Numbers

    @property
    def most(self) -> int:
        """The most points that a hand of this size can make."""
        return possible_counts.most(self.size, self.rules.deal_and_play.his_nobs)

    @property
    def impossible(self) -> tuple[int, ...]:
        """The numbers below `most` that no hand is worth.

        >>> CountJudge().impossible, CountJudge(rules=RULES["five-card"]).impossible
        ((19, 25, 26, 27), (16, 17, 18, 19))
        """
        return tuple(sorted(possible_counts.impossible(self.size, self.rules.deal_and_play.his_nobs)))

    def is_impossible(self, called: int) -> bool:
        """Whether no hand of this size is worth this number."""
        return called > self.most or called in self.impossible

    def answer(self, called: int | None) -> JudgeAnswer | None:
        """Answer a called number; without a number, return the score.

        While cards are missing, returns the `Fits`, or None without a number. Raises `NotJudged` as `fits` does."""
        if called is None:
            return self.score
        return self.fits(called) if self.missing else self.judge(called)

    def judge(self, called: int) -> Judgment:
        """Compare `called` with the points of the cards.

        Nineteen is right for a hand that is worth nothing. Raises `NotJudged` while cards are missing; `fits` answers
        then.

        >>> from cribboard import Card
        >>> nothing = CountJudge().with_cards(Card.parse_many("2H 4C 6D 8S TC"))
        >>> [nothing.judge(called).verdict.name for called in (0, 2, 19, 25)]
        ['EXACT', 'TOO_MANY', 'EXACT', 'IMPOSSIBLE']
        """
        score = self.score
        if score is None:
            raise NotJudged("judge_waits", missing=self.missing, wanted=self.size + 1 - MOST_MISSING)
        impossible = self.is_impossible(called)
        if called == score.total or (score.total == 0 and called == NINETEEN and impossible):
            verdict = Verdict.EXACT
        elif impossible:
            verdict = Verdict.IMPOSSIBLE
        else:
            verdict = Verdict.TOO_MANY if called > score.total else Verdict.TOO_FEW
        return Judgment(called, verdict, score)

    def fits(self, called: int) -> Fits:
        """Find the missing cards that would make `called` points.

        They are listed as ranks, the likeliest first.

        Takes milliseconds with one or two cards missing, tenths of a second with three. Raises `NotJudged` if none is
        missing, or more than `MOST_MISSING`.

        >>> from cribboard import Card
        >>> four = CountJudge().with_cards(Card.parse_many("TD JC QC QD"))
        >>> fits = four.fits(17)
        >>> fits.ways, fits.possible, fits.starters
        (2, 48, (<5C>, <TC>))
        """
        self.may_fit()
        unseen = [card for card in PACK if card not in self.cards]
        possible = comb(len(unseen), self.missing - 1) * (len(unseen) - self.missing + 1)
        impossible = self.is_impossible(called)
        fitting: dict[tuple[Rank, ...], Counter[Rank]] = {}
        starters: tuple[Card, ...] = ()
        for drawn, found in () if impossible else self._completions(called, unseen):
            fitting.setdefault(tuple(card.rank for card in drawn), Counter()).update(card.rank for card in found)
            starters = tuple(found)
        rest = Counter(card.rank for card in unseen)
        made = [_fit(hand, found, rest) for hand, found in fitting.items()]
        made.sort(key=lambda fit: (-fit.ways, fit.hand))
        return Fits(
            called=called,
            missing=self.missing,
            ways=sum(fit.ways for fit in made),
            possible=possible,
            listed=tuple(made[:MOST_LISTED]),
            left_out=max(0, len(made) - MOST_LISTED),
            starters=starters if self.missing == 1 else (),
            impossible=impossible,
        )

    def may_fit(self) -> None:
        """Raise `NotJudged` if no card is missing, or if more than `MOST_MISSING` are."""
        if not 1 <= self.missing <= MOST_MISSING:
            raise NotJudged("judge_waits", missing=self.missing, wanted=self.size + 1 - MOST_MISSING)

    def _completions(self, called: int, unseen: list[Card]) -> Iterator[tuple[tuple[Card, ...], list[Card]]]:
        """Yield each set of missing cards that can make the called number.

        Skip hands for which no starter makes the called number."""
        crib, rules = self.counted is Counted.CRIB, self.rules
        for drawn in combinations(unseen, self.missing - 1):
            hand = (*self.cards, *drawn)
            found = [
                card
                for card in unseen
                if card not in drawn and show_points(hand, card, crib=crib, rules=rules) == called
            ]
            if found:
                yield drawn, found


def _fit(hand: tuple[Rank, ...], found: Counter[Rank], rest: Counter[Rank]) -> Fit:
    """Make the `Fit` for one set of missing ranks.

    `hand` are the ranks that the hand lacks. `found` counts the fitting starters, `rest` the unseen cards, by rank."""
    left = rest - Counter(hand)
    drawn = prod(comb(rest[rank], number) for rank, number in Counter(hand).items())
    every = tuple(sorted(rank for rank, ways in found.items() if ways == drawn * left[rank]))
    return Fit(hand, every, tuple(sorted(set(found) - set(every))), found.total())
