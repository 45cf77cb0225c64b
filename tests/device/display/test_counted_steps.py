"""The steps of a count fit the screen, and add up to it."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest
from tests.support.catalogues import phrase
from tests.support.sweeps import one_in

from cribboard import Card, score_show
from cribboard.scoring import Score
from cribd.display.canvas import Canvas
from cribd.display.counted_steps import draw_count
from cribd.text import LINE, CountLines, count_in_words, languages, load

RANKS = "A23456789TJQK"
#: More steps than most counts have.
MANY = 6


def hand(ranks: tuple[str, ...], first: int) -> list[Card]:
    """Cards of these ranks, as many of one suit as can be."""
    suits = "CDHS"[first:] + "CDHS"[:first]
    return [Card.parse(rank + suits[ranks[:at].count(rank)]) for at, rank in enumerate(ranks)]


@cache
def counts() -> list[Score]:
    """Of every hand of five ranks that there is one, and some more."""
    rng, found = Random(24), []
    for ranks in combinations_with_replacement(RANKS, 5):
        if all(ranks.count(rank) <= 4 for rank in ranks):
            cards = hand(ranks, rng.randrange(4))
            starter = cards.pop(rng.randrange(5))
            found.append(score_show(cards, starter))
    for held, turned in (("5H 5C 5S JD", "5D"), ("4C 5C 6C TC", "5D"), ("2C 6C 7C 8C", "7D"), ("5C TC JC QC", "5D")):
        found.append(score_show(Card.parse_many(held), Card.parse(turned)))
    return found


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("language", languages())
def test_every_count_has_room_whatever_was_ruled(language: str) -> None:
    """With its verdict where it was too many, and with what was lost where it was too few. The sample are the
    counts with many steps, and one in four of the others, in each language others."""
    words = load(language)
    exact = (words.say("said.scored", side="Rouge", points=24, why="main"),)
    too_few = (*exact, words.count("said.lost", 14))
    too_many = (words.say("said.too_many", points=24), *exact)
    first = languages().index(language)
    for at, count in enumerate(counts()):
        steps, short = count_in_words.count_lines(count, words), count_in_words.short_count_lines(count, words)
        if (at - first) % one_in(4) and len(steps) < MANY:
            continue
        by_kind = ("fifteens 4, pairs 4", "runs 6, flush 4")
        for said in exact, too_few, too_many:
            canvas = Canvas(128, 64)
            draw_count(canvas, CountLines(said, steps, short, by_kind, exact=said is exact))
            assert any(canvas.bitmap().rows), (count, said)


@pytest.mark.parametrize("language", languages())
def test_the_short_lines_end_with_the_sum_and_fit_the_screen(language: str) -> None:
    words = load(language)
    for count in counts():
        lines = count_in_words.short_count_lines(count, words)
        assert all(len(line) <= LINE for line in lines), lines
        assert len(lines) <= len(count_in_words.count_lines(count, words))
        if count.total:
            assert str(count.total) in lines[-1].replace("…", " ").replace("-", " ").split()


def test_combinations_of_the_same_ranks_share_one_step() -> None:
    def in_short(cards: str, starter: str) -> tuple[str, ...]:
        return count_in_words.short_count_lines(score_show(Card.parse_many(cards), Card.parse(starter)), load("fr_CA"))

    def line(kind: str, total: str, cards: str) -> str:
        return f"{phrase(f'short.{kind}', 'fr_CA', total=total)} {cards}"

    assert in_short("5H 5C 5S JD", "5D") == (
        line("fifteen", "2…8", "5♣♦♥♠V♦"),
        line("fifteen", "10…16", "5♣♦♥♠"),
        line("double_pair_royal", "28", "5♣♦♥♠"),
        line("nobs", "29", "V♦"),
    )
    assert in_short("7H 7C 8D 9S", "8C") == (
        line("fifteen", "2…8", "7♣♥8♣♦"),
        line("pair", "10", "7♣♥"),
        line("pair", "12", "8♣♦"),
        line("run", "15…24", "7♣♥8♣♦9♠"),
    )
    assert in_short("5C TC JC QC", "2D")[:2] == (line("fifteen", "2…6", "5♣10♣V♣D♣"), line("run", "9", "10♣V♣D♣"))
    assert in_short("2C 4C 6C 8C", "TD")[-1] == line("flush", "4", "♣")
    assert in_short("7C 8C 9C TC", "8D")[2] == line("run", "…14", "7♣8♣♦9♣10♣")
    assert in_short("2H 4C 6D 8S", "TC") == (phrase("short.nothing", "fr_CA"),)
