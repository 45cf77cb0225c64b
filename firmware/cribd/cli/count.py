"""`cribboard count`: counts a hand, judges a called number, or lists the cards that would make it.

Prints the count aloud for a person, or JSON with `--json`. `cribboard.count_judge` counts. Beside a board whose game
keeps silent, the command counts no hand that may be of the running deal (design law 9), as far as it can read that
board's journal.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from cribboard import Card, NotationError, Score
from cribboard.count_judge import CountJudge, Fits, NotJudged
from cribboard.rules import RulesError
from cribd.cli.errors import Exit, refuse, refuse_card, refuse_rules
from cribd.cli.options import add_cards, add_language, add_rules, journal_path
from cribd.config.house_rules import load_rules
from cribd.text import Phrases, count_in_words, count_judge, load, verdicts


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_cards(parser)
    parser.add_argument("--crib", action="store_true")
    add_rules(parser)
    parser.add_argument("--called", type=int, metavar="N")
    add_language(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE")
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Count, judge or list. Returns the exit code."""
    words = load(options.language)
    try:
        title, rules = load_rules(options.rules)
    except RulesError as wrong:
        return refuse_rules(wrong, words)
    judge = CountJudge(rules=rules).as_crib(options.crib)
    called: int | None = options.called
    if called is not None and called < 0:
        return refuse(words.say("command.count.called", called=called))
    try:
        cards = Card.parse_many(" ".join(options.cards))
        if len(cards) > judge.size + 1 or (called is None and len(cards) != judge.size + 1):
            code = f"command.count.{judge.counted.value}"
            asked = {"rules": title, "wanted": judge.size + 1, "size": judge.size}
            return refuse(words.count(code, len(cards), **asked))
        judge = judge.with_cards(cards)
        if _is_closed(options, judge):
            return refuse(words.say("command.count.closed"))
        fits = judge.fits(called) if called is not None and judge.missing else None
    except NotationError as wrong:
        return refuse_card(wrong, words)
    except NotJudged as wrong:
        return refuse(_not_judged(wrong, words))
    if fits is not None:
        _print(_fits_as_data(fits, words), _fits_in_lines(fits, words), as_json=options.json)
        return Exit.DONE
    score = judge.score
    assert score is not None, "all cards are there"
    data = _score_as_data(score)
    spoken = count_in_words.spoken(score, words)
    lines = [spoken, *(f"    {line}" for line in count_in_words.lines(score, words))]
    if called is not None or options.lang:
        data["spoken"] = spoken
    if called is not None:
        answer = judge.judge(called)
        data |= {"called": called, "verdict": str(answer.verdict)}
        lines = [verdicts.answer(answer, words), *lines]
    else:
        lines.append(words.say("command.count.total", points=words.points(score.total)))
    _print(data, lines, as_json=options.json)
    return Exit.DONE


def _not_judged(wrong: NotJudged, words: Phrases) -> str:
    """Why these cards cannot be judged."""
    match wrong.values:
        case {"card": card}:
            return words.say(f"command.count.{wrong.code}", card=card)
        case {"missing": int(missing), "wanted": wanted}:
            return words.count(f"command.count.{wrong.code}", missing, wanted=wanted)
    return f"{wrong}."


def _is_closed(options: argparse.Namespace, judge: CountJudge) -> bool:
    """Whether a game on this machine's board forbids a count of cards like these."""
    from cribd.clock import SystemClock
    from cribd.config.config import ConfigError
    from cribd.storage.journal import Journal, JournalDamaged, NotKept
    from cribd.storage.lock import is_played_on
    from cribd.table.count_judge_mode import could_tell

    try:
        path = journal_path(options)
        if not is_played_on(path):
            return False
        journal = Journal(path, SystemClock())
    except (ConfigError, JournalDamaged, NotKept):
        return False
    try:
        latest = journal.latest()
    except JournalDamaged:
        return False
    finally:
        journal.close()
    return latest is not None and could_tell(latest.game.position, judge)


def _score_as_data(score: Score) -> dict[str, Any]:
    found = [
        {"kind": combination.kind, "cards": [str(card) for card in combination.cards], "points": combination.points}
        for combination in score.combinations
    ]
    return {"total": score.total, "combinations": found}


def _fits_in_lines(fits: Fits, phrases: Phrases) -> list[str]:
    if fits.missing == 1 and fits.ways:
        return [count_judge.fitting(fits, phrases), f"    {count_judge.starters(fits, phrases)}"]
    return [count_judge.fitting(fits, phrases), *(f"    {line}" for line in count_judge.fit_lines(fits, phrases))]


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
