"""What the count judge says on the screen: which card it wants, who is right and why, and what would fit.

The reasons are rows, and a page shows a few of them. Every language has as many rows, so that OK steps alike in all.
Pure: it tells only what the judge was given; the table says when the judge must be closed. Who is right is worded in
`verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.cards import Card, Rank
from cribboard.count_judge import Counted, CountJudge, Fit, Fits, Judgment
from cribboard.scoring import Score
from cribd.table.snapshot import Called, Judging
from cribd.text import count_aloud, verdicts
from cribd.text.words import Words

#: So many rows stand on one page; where there are more, the last of them says how to go on.
PAGE = 5

#: So many ranks of starters stand in a row beside the hand that they complete.
_RANKS = 4
#: So many cards or ranks stand in a row by themselves.
_ALONE = 5

_TEN_CARDS = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)


def ask(judging: Judging, phrases: Words) -> str:
    """The main line: the card that is to be scanned, what to do then, or who is right."""
    judge, called = judging.judge, judging.called
    if called is not None:
        return _answer(called, phrases)
    if not judge.missing:
        return phrases.say("judge.call")
    if judge.missing == 1:
        return phrases.say("ask.starter")
    return phrases.say(f"judge.scan.{judge.counted.value}", number=len(judge.cards) + 1)


def _answer(called: Called, phrases: Words) -> str:
    match called.told:
        case Judgment() as judged:
            return verdicts.answer(judged, phrases)
        case Score(total=total):
            return phrases.say("judge.counts", due=total)
        case Fits() as fits:
            return fitting(fits, phrases)
        case None:
            return phrases.say("judge.weighing", called=called.number)


def fitting(fits: Fits, phrases: Words) -> str:
    """In how many ways the number can come about, in one line."""
    values = {"called": fits.called, "possible": fits.possible}
    if fits.ways and fits.missing == 1:
        return phrases.count("judge.fits", fits.ways, **values)
    code = "judge.fits.more" if fits.ways else "judge.fits_never" if fits.impossible else "judge.fits_not"
    return phrases.say(code, ways=fits.ways, **values)


def hints(judging: Judging, phrases: Words) -> tuple[str, ...]:
    """What stands below the main line: a page of reasons, or the cards, how they are counted, and what the keys do."""
    if judging.called is not None and judging.called.told is not None:
        return _page(judging.called, judging.page, phrases)
    judge = judging.judge
    told = [cards(judge, phrases)] if judge.cards else []
    told.append(phrases.say(f"judge.as.{judge.counted.value}", rules=phrases.rules(judging.rules)))
    told.append(phrases.say("judge.go_hand" if judge.counted is Counted.CRIB else "judge.go_crib"))
    told.append(phrases.say("judge.rules_key" if judge.missing else "judge.count"))
    if not judge.cards:
        told.append(phrases.say("judge.leave"))
    return tuple(told)


def cards(judge: CountJudge, phrases: Words) -> str:
    """The cards so far, the starter apart."""
    hand = " ".join(map(phrases.card, judge.hand))
    return hand if judge.starter is None else f"{hand} + {phrases.card(judge.starter)}"


def pages(called: Called | None) -> int:
    """How many pages the reasons take."""
    number = 0 if called is None else _number_of_rows(called)
    return 1 if number <= PAGE else -(-number // (PAGE - 1))


def _page(called: Called, page: int, phrases: Words) -> tuple[str, ...]:
    rows, many = _rows(called, phrases), pages(called)
    if many == 1:
        return rows
    here = rows[page * (PAGE - 1) : (page + 1) * (PAGE - 1)]
    return (*here, phrases.say("judge.more", page=page + 1, pages=many))


def _number_of_rows(called: Called) -> int:
    match called.told:
        case Judgment(score=score) | (Score() as score):
            return len(count_aloud.steps(score)) or 1
        case Fits() as fits:
            return len(list(_fit_rows(fits))) + _notes(fits)
        case None:
            return 0


def _rows(called: Called, phrases: Words) -> tuple[str, ...]:
    match called.told:
        case Judgment(score=score) | (Score() as score):
            return count_aloud.lines(score, phrases)
        case Fits() as fits:
            return fit_lines(fits, phrases)
        case None:
            return ()


# What would fit


def fit_lines(fits: Fits, phrases: Words) -> tuple[str, ...]:
    """The ranks that fit, the likeliest first: of the hand, then of the starter; cards where suits matter."""
    lines = [" ".join(_row(hand, those, some, phrases)) for hand, those, some in _fit_rows(fits)]
    if _any_in_some_suits(fits):
        lines.append(phrases.say("judge.some"))
    if fits.left_out:
        lines.append(phrases.count("judge.left_out", fits.left_out))
    return tuple(lines)


def starters(fits: Fits, phrases: Words) -> str:
    """The starters that fit where only the starter is missing, as one would say it: 5, or any ten-card."""
    those: list[str] = []
    for fit in fits.listed:
        for each in (*_ranks(fit.starters), *(card for card in fits.starters if card.rank in fit.some)):
            match each:
                case None:
                    those.append(phrases.say("fits.ten_card"))
                case Card():
                    those.append(phrases.card(each))
                case Rank():
                    those.append(rank_of(each, phrases))
    *others, last = those
    return phrases.say("fits.or", those=", ".join(others), last=last) if others else last


_FitRow = tuple[tuple[Rank, ...], Sequence[Rank | Card | None], frozenset[Rank]]
"""The hand's ranks, and beside them starters; None stands for all ten-cards. Then which of them need their suit."""


def _fit_rows(fits: Fits) -> Iterator[_FitRow]:
    for fit in fits.listed:
        if fits.missing == 1:
            named = [card for card in fits.starters if card.rank in fit.some]
            yield from _split(fit, (*_ranks(fit.starters), *named), _ALONE)
        else:
            yield from _split(fit, _ranks((*fit.starters, *fit.some)), _RANKS)


def _split(fit: Fit, those: Sequence[Rank | Card | None], width: int) -> Iterator[_FitRow]:
    some = frozenset(fit.some)
    for at in range(0, len(those), width):
        yield fit.hand, those[at : at + width], some


def _ranks(ranks: Sequence[Rank]) -> tuple[Rank | None, ...]:
    """The ranks, all four ten-cards as one."""
    if not set(_TEN_CARDS) <= set(ranks):
        return tuple(ranks)
    return (*(rank for rank in ranks if rank not in _TEN_CARDS), None)


def _row(
    hand: tuple[Rank, ...], those: Sequence[Rank | Card | None], some: frozenset[Rank], phrases: Words
) -> Iterator[str]:
    if hand:
        yield from (rank_of(rank, phrases) for rank in hand)
        yield "+"
    for each in those:
        match each:
            case None:
                mark = "*" if set(_TEN_CARDS) & some else ""
                yield f"{rank_of(Rank.TEN, phrases)}-{rank_of(Rank.KING, phrases)}{mark}"
            case Rank():
                yield rank_of(each, phrases) + ("*" if each in some else "")
            case Card():
                yield phrases.card(each)


def rank_of(rank: Rank, phrases: Words) -> str:
    """What stands in the corner of a card of this rank."""
    return phrases.say(f"rank.{rank.value}")


def _any_in_some_suits(fits: Fits) -> bool:
    return fits.missing > 1 and any(fit.some for fit in fits.listed)


def _notes(fits: Fits) -> int:
    return int(_any_in_some_suits(fits)) + int(fits.left_out > 0)
