"""The texts of the count judge.

On the screen the reasons are rows, a few at a time. Every language has as many rows, so that OK steps alike in all. The
page `/verify` has a headline and a line below it (`on_page`), and draws the rest.
Pure: it tells only what the judge was given; the table says when the judge must be closed. Who is right is worded in
`verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.cards import Card, Rank
from cribboard.count_judge import Counted, CountJudge, Fit, Fits, JudgeAnswer, Judgment
from cribboard.scoring import Score
from cribd.table.snapshot import CountJudgeMode, JudgeCall
from cribd.text import count_in_words, verdicts
from cribd.text.words import Words

#: Rows on a page; where there are more pages, the last row says how to turn.
PAGE = 5

#: Ranks of starters in a row, beside the hand that they complete.
_RANKS = 4
#: Cards or ranks in a row of their own.
_ALONE = 5

_TEN_CARDS = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)


def prompt_line(judging: CountJudgeMode, words: Words) -> str:
    """Write the main line of the count judge."""
    judge, called = judging.judge, judging.called
    if called is not None:
        return _answer(called, words)
    if not judge.missing:
        return words.say("judge.call")
    if judge.missing == 1:
        return words.say("ask.starter")
    return words.say(f"judge.scan.{judge.counted.value}", number=len(judge.cards) + 1)


def _answer(called: JudgeCall, words: Words) -> str:
    match called.answer:
        case Judgment() as judged:
            return verdicts.answer(judged, words)
        case Score(total=total):
            return words.say("judge.counts", due=total)
        case Fits() as fits:
            return fitting(fits, words)
        case None:
            return words.say("judge.weighing", called=called.number)


def fitting(fits: Fits, words: Words) -> str:
    """Say in how many ways the called number is possible."""
    values = {"called": fits.called, "possible": fits.possible}
    if fits.ways and fits.missing == 1:
        return words.count("judge.fits", fits.ways, **values)
    code = "judge.fits.more" if fits.ways else "judge.fits_never" if fits.impossible else "judge.fits_not"
    return words.say(code, ways=fits.ways, **values)


def hints(judging: CountJudgeMode, words: Words) -> tuple[str, ...]:
    """Write the lines below the main line.

    After an answer they are a page of reasons; before it the cards, the kind of count, and the keys."""
    if judging.called is not None and judging.called.answer is not None:
        return _page(judging.called, judging.page, words)
    judge = judging.judge
    lines = [cards(judge, words)] if judge.cards else []
    lines.append(words.say(f"judge.as.{judge.counted.value}", rules=words.rules(judging.rules)))
    lines.append(words.say("judge.go_hand" if judge.counted is Counted.CRIB else "judge.go_crib"))
    lines.append(words.say("judge.rules_key" if judge.missing else "judge.count"))
    if not judge.cards:
        lines.append(words.say("judge.leave"))
    return tuple(lines)


def cards(judge: CountJudge, words: Words) -> str:
    """Write the scanned cards, with the starter separate."""
    hand = " ".join(map(words.card, judge.hand))
    return hand if judge.starter is None else f"{hand} + {words.card(judge.starter)}"


def pages(called: JudgeCall | None) -> int:
    """Return how many pages the reasons need, at least 1."""
    number = 0 if called is None else _number_of_rows(called)
    return 1 if number <= PAGE else -(-number // (PAGE - 1))


def _page(called: JudgeCall, page: int, words: Words) -> tuple[str, ...]:
    rows, many = _rows(called, words), pages(called)
    if many == 1:
        return rows
    here = rows[page * (PAGE - 1) : (page + 1) * (PAGE - 1)]
    return (*here, words.say("judge.more", page=page + 1, pages=many))


def _number_of_rows(called: JudgeCall) -> int:
    match called.answer:
        case Judgment(score=score) | (Score() as score):
            return len(count_in_words.steps(score)) or 1
        case Fits() as fits:
            return len(list(_fit_rows(fits))) + _notes(fits)
        case None:
            return 0


def _rows(called: JudgeCall, words: Words) -> tuple[str, ...]:
    match called.answer:
        case Judgment(score=score) | (Score() as score):
            return count_in_words.count_lines(score, words)
        case Fits() as fits:
            return fit_lines(fits, words)
        case None:
            return ()


# On the page


def on_page(judge: CountJudge, called: int | None, answer: JudgeAnswer | None, words: Words) -> tuple[str, str]:
    """Write a headline and a line for the page `/verify`.

    The line may be "". `answer` is None if there are too few cards."""
    match answer:
        case Judgment() as judged:
            return verdicts.answer_on_page(judged, judge.counted, words)
        case Score(total=total) as score:
            return words.count("page.verify.counts", total), count_in_words.count_sentence(score, words)
        case _ if called is not None and judge.is_impossible(called):
            return verdicts.no_such_count(called, judge.counted, words), ""
        case Fits(ways=0):
            return words.say("page.verify.nothing_fits", called=called), ""
        case Fits(ways=ways, possible=possible):
            figures = {"ways": words.figure(ways), "possible": words.figure(possible)}
            return words.say("page.verify.fits", called=called), words.count("page.verify.ways", ways, **figures)
        case None:
            return words.say("page.verify.too_early"), words.say("page.verify.too_early.why")


def closed_on_page(words: Words) -> tuple[str, str]:
    """Write what `/verify` says while the judge is closed.

    The judge is closed to cards whose count could reveal points that a silent game still hides."""
    return words.say("page.verify.closed"), words.say("page.verify.closed.why")


# What would fit


def fit_lines(fits: Fits, words: Words) -> tuple[str, ...]:
    """List the ranks that would give the called number.

    The likeliest come first. In a line, the ranks of the hand come before those of the starter."""
    lines = [" ".join(_row(hand, those, some, words)) for hand, those, some in _fit_rows(fits)]
    if _any_in_some_suits(fits):
        lines.append(words.say("judge.some"))
    if fits.left_out:
        lines.append(words.count("judge.left_out", fits.left_out))
    return tuple(lines)


def starters(fits: Fits, words: Words) -> str:
    """Name the starters that fit, such as "5 or any ten-card".

    They fit a count in which only the starter is missing."""
    those: list[str] = []
    for fit in fits.listed:
        for starter in (*_ranks(fit.starters), *(card for card in fits.starters if card.rank in fit.some)):
            match starter:
                case None:
                    those.append(words.say("fits.ten_card"))
                case Card():
                    those.append(words.card(starter))
                case Rank():
                    those.append(rank_of(starter, words))
    *others, last = those
    return words.say("fits.or", those=", ".join(others), last=last) if others else last


_FitRow = tuple[tuple[Rank, ...], Sequence[Rank | Card | None], frozenset[Rank]]
"""The ranks of a hand, the starters that fit it (None is all ten-cards), and the ranks that fit in some suits only."""


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
    """Return these ranks, with one None instead of all ten-card ranks."""
    if not set(_TEN_CARDS) <= set(ranks):
        return tuple(ranks)
    return (*(rank for rank in ranks if rank not in _TEN_CARDS), None)


def _row(
    hand: tuple[Rank, ...], those: Sequence[Rank | Card | None], some: frozenset[Rank], words: Words
) -> Iterator[str]:
    if hand:
        yield from (rank_of(rank, words) for rank in hand)
        yield "+"
    for choice in those:
        match choice:
            case None:
                mark = "*" if set(_TEN_CARDS) & some else ""
                yield f"{rank_of(Rank.TEN, words)}-{rank_of(Rank.KING, words)}{mark}"
            case Rank():
                yield rank_of(choice, words) + ("*" if choice in some else "")
            case Card():
                yield words.card(choice)


def rank_of(rank: Rank, words: Words) -> str:
    """Return what a card's corner shows for this rank."""
    return words.say(f"rank.{rank.value}")


def _any_in_some_suits(fits: Fits) -> bool:
    return fits.missing > 1 and any(fit.some for fit in fits.listed)


def _notes(fits: Fits) -> int:
    return int(_any_in_some_suits(fits)) + int(fits.left_out > 0)
