"""`cribboard discard`: ranks all ways to discard from the dealt cards.

Prints a line for each choice, best first: the mean of the hand over all starters, the mean of the crib, their total for
whoever owns the crib, and what the choice gives up against the best. JSON with `--json`. `cribboard.strategy` ranks.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from cribboard import Card
from cribboard.strategy import Discard, best_discards
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_cards, add_json, add_language, add_rules
from cribd.config.house_rules import load_rules
from cribd.terminal import table
from cribd.text import Phrases


def add_options(parser: argparse.ArgumentParser) -> None:
    add_cards(parser)
    parser.add_argument("--crib", choices=("mine", "theirs"), required=True)
    add_rules(parser)
    parser.add_argument("--scores", nargs=2, type=int, metavar=("MINE", "THEIRS"))
    add_language(parser)
    add_json(parser)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """Rank the discards. Returns the exit code."""
    title, rules = load_rules(options.rules)
    cards = Card.parse_many(" ".join(options.cards))
    wanted = rules.deal_and_play.cards_dealt
    if len(cards) != wanted:
        raise CommandRefused(words.count("command.discard.cards", len(cards), rules=title, wanted=wanted))
    if twice := [card for place, card in enumerate(cards) if card in cards[:place]]:
        raise CommandRefused(words.say("command.discard.twice", card=twice[0]))
    scores: tuple[int, int] | None = None
    if options.scores is not None:
        scores = (options.scores[0], options.scores[1])
        for score in scores:
            if not 0 <= score < rules.game.target:
                raise CommandRefused(words.say("command.discard.scores", score=score, most=rules.game.target - 1))
        if len(rules.sides) > 2:
            raise CommandRefused(words.say("command.discard.sides", rules=title, sides=len(rules.sides)))
    ranked = best_discards(cards, rules, is_own_crib=options.crib == "mine", scores=scores)
    if options.json:
        data = {"crib": options.crib, "rules": rules.label, "scores": scores, "choices": _as_data(ranked)}
        print(json.dumps(data))
    else:
        print("\n".join(table(_rows(ranked, words))))
    return Exit.DONE


def _as_data(ranked: Sequence[Discard]) -> list[dict[str, object]]:
    return [
        {
            "discard": [str(card) for card in choice.discarded],
            "keep": [str(card) for card in choice.kept],
            "hand": round(choice.hand, 3),
            "crib": round(choice.crib, 3),
            "total": round(choice.total, 3),
            "gives_up": round(ranked[0].total - choice.total, 3),
            "chance": None if choice.chance is None else round(choice.chance, 4),
        }
        for choice in ranked
    ]


def _rows(ranked: Sequence[Discard], words: Phrases) -> list[list[str]]:
    near = ranked[0].chance is not None
    heads = ["discard", "keep", "hand", "crib", "total", "gives_up", *(["chance"] if near else [])]
    rows = [[words.say(f"command.discard.head.{head}") for head in heads]]
    for choice in ranked:
        numbers = (choice.hand, choice.crib, choice.total, ranked[0].total - choice.total)
        row = [" ".join(map(str, choice.discarded)), " ".join(map(str, choice.kept))]
        row += [_decimal(f"{number:.2f}", words) for number in numbers]
        if near:
            row.append("" if choice.chance is None else _decimal(f"{100 * choice.chance:.1f} %", words))
        rows.append(row)
    return rows


def _decimal(number: str, words: Phrases) -> str:
    return number.replace(".", words.say("audit.statistics.decimal")).replace("-", "−")
