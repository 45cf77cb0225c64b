"""Puts the score of a hand or card into words.

    fifteen two, and a pair is four   cadence.   the voice and the pages, step by step (`spoken`)
    15-2 5♥ J♦                        short.     a line of the screen with its cards (`lines`, `lines_in_short`)
    fifteens 8, pairs 4               counted.   the screen, all of a kind as one (`by_kind`)
    fifteen, pair                     why.       beside points (`kinds`)
    fifteen for two                   voice.for. the voice, what a card made (`aloud`)

Combinations come in the order of players: fifteens, pairs, runs, flush, his nobs (rules reference, 1.23 to
1.27). The pairs of three or four cards of a rank are one, as players call them. Pure: it counts nothing. The caller
must know that the score may be told (design law 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from cribboard.cards import Card
from cribboard.scoring import Combination, Kind, Score
from cribd.text.lines import LINE, joined_in_lines
from cribd.text.words import Words

#: The kind of combination by its number of pairs: three cards of a rank make three pairs, four make six.
_ROYAL = {3: Kind.PAIR_ROYAL, 6: Kind.DOUBLE_PAIR_ROYAL}
_PAIRS = (Kind.PAIR, *_ROYAL.values())


@dataclass(frozen=True, slots=True)
class CountStep:
    """One step of a count, with the running `total`.

    `last`: whether the count ends with this step."""

    kind: Kind
    cards: tuple[Card, ...]
    points: int
    total: int
    last: bool = False


def steps(score: Score) -> tuple[CountStep, ...]:
    """Split the count into steps. Empty for a count of 0.

    >>> from cribboard import Card, score_show
    >>> score = score_show(Card.parse_many("KS KD KC KH"), Card.parse("5S"))
    >>> [(step.kind.value, step.total) for step in steps(score)][-2:]
    [('fifteen', 8), ('double_pair_royal', 20)]
    """
    found: list[CountStep] = []
    total = 0
    called = _as_called(score.combinations)
    for number, combination in enumerate(called, start=1):
        total += combination.points
        found.append(
            CountStep(combination.kind, combination.cards, combination.points, total, last=number == len(called))
        )
    return tuple(found)


def _as_called(combinations: Sequence[Combination]) -> list[Combination]:
    """Return the combinations as a player calls them.

    Three or four cards of a rank are one combination, not several pairs."""
    called: list[Combination] = []
    for (kind, _), alike in groupby(combinations, key=_called_together):
        group = list(alike)
        if kind is Kind.PAIR and len(group) in _ROYAL:
            cards = {card for pair in group for card in pair.cards}
            group = [Combination(_ROYAL[len(group)], tuple(sorted(cards)), sum(pair.points for pair in group))]
        called += group
    return called


def _called_together(combination: Combination) -> tuple[Kind, int]:
    return combination.kind, combination.cards[0].rank if combination.kind is Kind.PAIR else 0


def step_in_words(step: CountStep, phrases: Words) -> str:
    """Put one step into words: "a pair is six"."""
    total, size = phrases.number(step.total), phrases.number(len(step.cards))
    said = phrases.say(f"cadence.{step.kind.value}", total=total, size=size)
    joined = step.last and step.kind is not Kind.FIFTEEN and step.points != step.total
    return phrases.say("cadence.and", step=said) if joined else said


def count_spoken(score: Score, phrases: Words) -> str:
    """Put the whole count into words; "nothing" if it is 0."""
    return ", ".join(step_in_words(step, phrases) for step in steps(score)) or phrases.say("cadence.nothing")


def count_sentence(score: Score, phrases: Words) -> str:
    """Put the count into words, with a capital letter first."""
    said = count_spoken(score, phrases)
    return said[0].upper() + said[1:]


def step_line(step: CountStep, phrases: Words) -> str:
    """Write one step as a line of the screen.

    If the line is too long, spaces are left out."""
    said = phrases.say(f"short.{step.kind.value}", total=step.total)
    if step.kind in _PAIRS:
        return f"{said} {of_a_rank(step.cards, phrases)}"
    cards = [phrases.card(card) for card in step.cards]
    spaced = " ".join((said, *cards))
    return spaced if len(spaced) <= LINE else f"{said} {''.join(cards)}"


def count_lines(score: Score, phrases: Words) -> tuple[str, ...]:
    """Write the count, a line for each step, at least one."""
    return tuple(step_line(step, phrases) for step in steps(score)) or (phrases.say("short.nothing"),)


def short_count_lines(score: Score, phrases: Words) -> tuple[str, ...]:
    """Write the count; similar steps share a line.

    Combinations of the same ranks, or equal fifteens, share a line. The line has all their cards and the first and last
    of their totals: 15-2…8 5♣♦♥♠J♦. A flush shows its suit."""
    groups: dict[tuple[Kind, tuple[int, ...]], list[Combination]] = {}
    for combination in _as_called(score.combinations):
        alike = (card.value if combination.kind is Kind.FIFTEEN else card.rank for card in combination.cards)
        groups.setdefault((combination.kind, tuple(sorted(alike))), []).append(combination)
    texts: list[str] = []
    total = 0
    for (kind, _), group in groups.items():
        first, total = total + group[0].points, total + sum(combination.points for combination in group)
        short = _short({card for combination in group for card in combination.cards}, kind, phrases)
        totals = (f"{first}…{total}", f"…{total}") if len(group) > 1 else (total,)
        lines = [f"{phrases.say(f'short.{kind.value}', total=points)} {short}" for points in totals]
        texts.append(next((line for line in lines if len(line) <= LINE), lines[-1]))
    return tuple(texts) or (phrases.say("short.nothing"),)


def _short(cards: Iterable[Card], kind: Kind, phrases: Words) -> str:
    """Write the cards without spaces, or the suit of a flush."""
    if kind is Kind.FLUSH:
        return phrases.card(next(iter(cards)))[-1]
    ranks = groupby(sorted(cards), key=lambda card: card.rank)
    return "".join(of_a_rank(list(alike), phrases) for _, alike in ranks)


def of_a_rank(cards: Sequence[Card], phrases: Words) -> str:
    """Write cards of one rank: 5♥♦."""
    first, *others = map(phrases.card, cards)
    return first + "".join(card[-1] for card in others)


def points_by_kind(combinations: Iterable[Combination], phrases: Words) -> tuple[str, ...]:
    """Write the points for each kind of combination."""
    kinds: dict[Kind, list[int]] = {}
    for combination in combinations:
        kinds.setdefault(combination.kind, []).append(combination.points)
    texts = [phrases.count(f"counted.{kind.value}", len(points), points=sum(points)) for kind, points in kinds.items()]
    return tuple(joined_in_lines(texts))


def kind_names(combinations: Iterable[Combination], phrases: Words) -> list[str]:
    """Name each combination."""
    return [phrases.say(f"why.{combination.kind.value}") for combination in combinations]


def card_spoken(combinations: Iterable[Combination], phrases: Words) -> str:
    """Write what the voice says about a laid card's score."""
    return ", ".join(
        phrases.say(
            f"voice.for.{combination.kind.value}",
            size=phrases.number(len(combination.cards)),
            points=phrases.number(combination.points),
        )
        for combination in combinations
    )
