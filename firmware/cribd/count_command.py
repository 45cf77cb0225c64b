"""`cribboard count`: a hand counted, a called number judged, or what would fit.

Prints for a person, in cadence where a number was called or a language asked for, or with `--json` for a program. It
counts nothing itself: `cribboard.count_judge` does.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from cribboard import Card, NotationError, Score
from cribboard.count_judge import Counted, CountJudge, Fits, NotJudged
from cribboard.rules import RulesError
from cribd.house_rules import load_rules
from cribd.languages import spellings
from cribd.phrases import Phrases, cadence, judged, load


def run(options: argparse.Namespace) -> int:
    """Count, judge or list; 0 if there was an answer, 2 if the question could not be understood."""
    try:
        title, rules = load_rules(options.rules)
    except RulesError as wrong:
        return _complain(*(f"--rules {problem}" for problem in wrong.problems))
    judge = CountJudge(rules=rules).as_crib(options.crib)
    called: int | None = options.called
    if called is not None and called < 0:
        return _complain(f"--called {called}: 0 or more is allowed.")
    try:
        cards = Card.parse_many(" ".join(options.cards))
        if len(cards) > judge.size + 1 or (called is None and len(cards) != judge.size + 1):
            what = "crib" if judge.counted is Counted.CRIB else "hand"
            wanted = f"count {judge.size + 1}, a {what} of {judge.size} and the starter"
            return _complain(f"{len(cards)} cards: under {title} {wanted}.")
        judge = judge.with_cards(cards)
        fits = judge.fits(called) if called is not None and judge.missing else None
    except (NotationError, NotJudged) as wrong:
        return _complain(f"{wrong}.")
    phrases = load(spellings()[options.lang or "en"])
    if fits is not None:
        _print(_fits_as_data(fits, phrases), _fits_in_lines(fits, phrases), as_json=options.json)
        return 0
    score = judge.score
    assert score is not None, "all cards are there"
    data = _score_as_data(score)
    lines = _table(score)
    if called is not None or options.lang:
        data["spoken"] = cadence.spoken(score, phrases)
        lines = [data["spoken"], *(f"    {line}" for line in cadence.lines(score, phrases))]
    if called is not None:
        answer = judge.judge(called)
        data |= {"called": called, "verdict": str(answer.verdict)}
        lines = [judged.verdict(answer, phrases), *lines]
    _print(data, lines, as_json=options.json)
    return 0


def _table(score: Score) -> list[str]:
    lines = []
    running = 0
    for each in score.combinations:
        running += each.points
        lines.append(f"{each.kind:<8} {' '.join(map(str, each.cards)):<15} {each.points:>2} {running:>4}")
    return [*lines, f"{'total':<24} {score.total:>7}"]


def _score_as_data(score: Score) -> dict[str, Any]:
    found = [
        {"kind": each.kind, "cards": [str(card) for card in each.cards], "points": each.points}
        for each in score.combinations
    ]
    return {"total": score.total, "combinations": found}


def _fits_in_lines(fits: Fits, phrases: Phrases) -> list[str]:
    if fits.missing == 1 and fits.ways:
        return [judged.fitting(fits, phrases), f"    {judged.starters(fits, phrases)}"]
    return [judged.fitting(fits, phrases), *(f"    {line}" for line in judged.fit_lines(fits, phrases))]


def _fits_as_data(fits: Fits, phrases: Phrases) -> dict[str, Any]:
    listed = [
        {
            "hand": [rank.letter for rank in fit.hand],
            "starters": [rank.letter for rank in fit.starters],
            "some": [rank.letter for rank in fit.some],
            "ways": fit.ways,
        }
        for fit in fits.listed
    ]
    return {
        "called": fits.called,
        "missing": fits.missing,
        "ways": fits.ways,
        "possible": fits.possible,
        "listed": listed,
        "left_out": fits.left_out,
        "starters": [str(card) for card in fits.starters],
        "said": _fits_in_lines(fits, phrases)[0],
    }


def _print(data: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    print(json.dumps(data, ensure_ascii=False) if as_json else "\n".join(lines))


def _complain(*problems: str) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2
