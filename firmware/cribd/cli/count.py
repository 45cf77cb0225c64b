"""`cribboard count`: counts a hand, or judges called points.

Prints the count aloud for a person, or JSON with `--json`. `cribboard.count_judge` counts. Beside a board whose game
keeps silent, the command counts no hand that may be of the running deal (design law 9), as far as it can read that
board's journal.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from contextlib import closing
from typing import Any, TypeAlias

from cribboard import Card
from cribboard.count_judge import CountJudge, Fits, NotJudged
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_cards, add_journal, add_json, add_language, add_rules, journal_path
from cribd.clock import SystemClock
from cribd.config.config import ConfigError
from cribd.config.house_rules import load_rules
from cribd.storage.journal import Journal, JournalAway, JournalDamaged
from cribd.storage.open_journal import is_played_on
from cribd.table.count_judge_mode import could_tell
from cribd.text import Phrases, count_in_words, count_judge, verdicts

#: An answer as JSON values, and in lines.
_Answer: TypeAlias = tuple[dict[str, Any], list[str]]


def add_options(parser: argparse.ArgumentParser) -> None:
    add_cards(parser)
    parser.add_argument("--crib", action="store_true")
    add_rules(parser)
    parser.add_argument("--called", type=int, metavar="N")
    add_language(parser)
    add_journal(parser)
    add_json(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Count a hand, or judge called points. Returns the exit code."""
    title, rules = load_rules(options.rules)
    judge = CountJudge(rules=rules).as_crib(options.crib)
    called: int | None = options.called
    if called is not None and called < 0:
        raise CommandRefused(words.say("command.count.called", called=called))
    cards = Card.parse_many(" ".join(options.cards))
    if len(cards) > judge.size + 1 or (called is None and len(cards) != judge.size + 1):
        code = f"command.count.{judge.counted.value}"
        raise CommandRefused(words.count(code, len(cards), rules=title, wanted=judge.size + 1, size=judge.size))
    try:
        judge = judge.with_cards(cards)
        if _is_closed(options, judge):
            raise CommandRefused(words.say("command.count.closed"))
        if called is not None and judge.missing:
            data, lines = _fits(judge.fits(called), words)
        else:
            data, lines = _count(judge, called, words, is_spoken=called is not None or bool(options.lang))
    except NotJudged as wrong:
        raise CommandRefused(_not_judged(wrong, words)) from wrong
    print(json.dumps(data, ensure_ascii=False) if options.json else "\n".join(lines))
    return Exit.DONE


def _not_judged(wrong: NotJudged, words: Phrases) -> str:
    """Return a sentence that says why these cards cannot be judged."""
    match wrong.values:
        case {"card": card}:
            return words.say(f"command.count.{wrong.code}", card=card)
        case {"missing": int(missing), "wanted": wanted}:
            return words.count(f"command.count.{wrong.code}", missing, wanted=wanted)
    return f"{wrong}."


def _is_closed(options: argparse.Namespace, judge: CountJudge) -> bool:
    """Whether the game on this machine's board forbids counting these cards."""
    try:
        path = journal_path(options)
        if not is_played_on(path):
            return False
        with closing(Journal(path, SystemClock())) as journal:
            latest = journal.latest_game()
    except (ConfigError, JournalDamaged, JournalAway):
        return False
    return latest is not None and could_tell(latest.game.position, judge)


def _count(judge: CountJudge, called: int | None, words: Phrases, *, is_spoken: bool) -> _Answer:
    score = judge.score
    assert score is not None, "all cards are there"
    spoken = count_in_words.count_spoken(score, words)
    data: dict[str, Any] = {
        "total": score.total,
        "combinations": [
            {"kind": found.kind, "cards": [str(card) for card in found.cards], "points": found.points}
            for found in score.combinations
        ],
    }
    data |= {"spoken": spoken} if is_spoken else {}
    lines = [spoken, *(f"    {line}" for line in count_in_words.count_lines(score, words))]
    if called is None:
        return data, [*lines, words.say("command.count.total", points=words.points(score.total))]
    answer = judge.judge(called)
    return data | {"called": called, "verdict": str(answer.verdict)}, [verdicts.answer(answer, words), *lines]


def _fits(fits: Fits, words: Phrases) -> _Answer:
    summary = count_judge.fitting(fits, words)
    if fits.missing == 1 and fits.ways:
        lines: Iterable[str] = [count_judge.starters(fits, words)]
    else:
        lines = count_judge.fit_lines(fits, words)
    data = {
        "called": fits.called,
        "missing": fits.missing,
        "ways": fits.ways,
        "possible": fits.possible,
        "listed": [
            {
                "hand": [rank.letter for rank in fit.hand],
                "starters": [rank.letter for rank in fit.starters],
                "some": [rank.letter for rank in fit.some],
                "ways": fit.ways,
            }
            for fit in fits.listed
        ],
        "left_out": fits.left_out,
        "starters": [str(card) for card in fits.starters],
        "said": summary,
    }
    return data, [summary, *(f"    {line}" for line in lines)]
