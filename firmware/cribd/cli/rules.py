"""`cribboard rules`: lists, shows and checks rule sets.

Each answer is first plain data, which `--json` prints, and then a table as wide as the terminal. Values are spelled as
in a house rules file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from cribboard.rules import OPTIONS, PARAMETERS, RULES, Rules, RulesError, source_of, spelled
from cribd.cli.errors import CommandRefused, Exit
from cribd.cli.options import add_json, add_language
from cribd.config.house_rules import load_rules
from cribd.terminal import complain, say, table
from cribd.text import Phrases, load


def add_options(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list")
    show = what.add_parser("show")
    show.add_argument("rules", metavar="NAME")
    check = what.add_parser("check")
    check.add_argument("files", nargs="+", metavar="FILE")
    add_json(parser)
    add_language(parser)
    for part in (lists, show, check):
        add_language(part)
        add_json(part, default=argparse.SUPPRESS)


def run(options: argparse.Namespace, words: Phrases) -> int:
    """List, show or check rules. Returns the exit code."""
    words = load("en") if options.json else words
    match options.what:
        case "show":
            return _show(options.rules, words, as_json=options.json)
        case "check":
            return _check(options.files, words, as_json=options.json)
    return _list(words, as_json=options.json)


def _list(words: Phrases, *, as_json: bool) -> int:
    """Print each preset in one line, with its special features."""
    special = {name: words.say(f"special.{name}") for name in RULES}
    if as_json:
        return _print_json(
            [
                {"name": rules.name, "label": rules.label}
                | {name: _value(rules.values[name]) for name in _IN_THE_LIST}
                | {"special": special[rules.name], "options": list(OPTIONS.get(rules.name, {}))}
                for rules in RULES.values()
            ]
        )
    heads = _heads("rules", "players", "cards", "target", "skunk", "match", "special", words=words)
    rows = [[name, *_summary(rules, words), special[name]] for name, rules in RULES.items()]
    print(*table([heads, *rows]), "", words.say("command.rules.more"), sep="\n")
    return Exit.DONE


_IN_THE_LIST = (
    *("players", "teams", "cards_dealt", "discards", "target", "skunk_line", "double_skunk_line"),
    *("match", "standings"),
)


def _show(name: str, words: Phrases, *, as_json: bool) -> int:
    """Print the values of a rule set, with their sources."""
    try:
        title, rules = load_rules(name)
    except RulesError as wrong:
        raise CommandRefused(*map(words.problem, wrong.problems)) from wrong
    parameters = [_parameter(rules, parameter, words) for parameter in PARAMETERS]
    derived = list(_derived(rules, words))
    options = OPTIONS.get(rules.name, {})
    if as_json:
        return _print_json(
            {
                "title": title,
                "label": rules.label,
                "parameters": parameters,
                "derived": derived,
                "options": {option: dict(changes) for option, changes in options.items()},
            }
        )
    print(rules.label if title == rules.name else f"{title}: {rules.label}")
    rows: list[list[object]] = [_heads("parameter", "value", "says", "source", words=words)]
    for part, of_part in groupby(parameters, key=lambda parameter: parameter["part"]):
        rows += [[], [words.say(f"command.rules.part.{part}")]]
        for found in (*of_part, *(value for value in derived if value["part"] == part)):
            value, source = found["value"], found["source"]
            if "instead_of" in found:
                source = words.say("command.rules.instead_of", source=source, value=found["instead_of"])
                value = f"{value} *"
            rows.append([found["name"], value, found["says"], source])
    print(*table(rows), sep="\n")
    if rules.changes:
        print("", words.say("command.rules.changed", rules=rules.name), sep="\n")
    if options:
        changes = [[name, ", ".join(f"{n} = {spelled(v)}" for n, v in of.items())] for name, of in options.items()]
        print("", words.say("command.rules.options"), *table(changes), sep="\n")
    return Exit.DONE


def _check(files: Sequence[str], words: Phrases, *, as_json: bool) -> int:
    """Check house rules files, and print the problems. Returns the exit code."""
    answers: list[Mapping[str, Any]] = []
    for file in files:
        try:
            title, rules = load_rules(file)
            answers.append({"file": file, "title": title, "label": rules.label, "problems": []})
        except RulesError as wrong:
            answers.append({"file": file, "problems": list(wrong.problems)})
    wrong_ones = any(answer["problems"] for answer in answers)
    if as_json:
        _print_json(answers)
        return Exit.CANNOT if wrong_ones else Exit.DONE
    for answer in answers:
        if answer["problems"]:
            complain(*map(words.problem, answer["problems"]))
        else:
            say(words.say("command.rules.sound", file=answer["file"], label=answer["label"]))
    return Exit.CANNOT if wrong_ones else Exit.DONE


def _parameter(rules: Rules, name: str, words: Phrases) -> dict[str, Any]:
    parameter, base = PARAMETERS[name], rules.preset or rules
    payload = {
        "name": name,
        "part": parameter.part,
        "value": _value(rules.values[name]),
        "says": words.say(f"command.rules.says.{name}"),
        "allowed": parameter.allowed,
        "source": source_of(rules, name),
    }
    return payload | ({"instead_of": _value(base.values[name])} if name in rules.changes else {})


def _derived(rules: Rules, words: Phrases) -> Iterator[dict[str, Any]]:
    """Yield the values that follow from other values."""
    deal = rules.deal_and_play
    for name, value, one, other in (
        ("hand_size", deal.hand_size, "cards_dealt", "discards"),
        ("crib_from_pack", deal.crib_from_pack, "players", "discards"),
    ):
        says = words.say(f"command.rules.says.{name}")
        source = words.say("command.rules.follows", one=one, other=other)
        yield {"name": name, "part": "deal_and_play", "value": value, "says": says, "source": source}


def _value(value: object) -> int | str:
    return value if isinstance(value, int) else spelled(value)


def _summary(rules: Rules, words: Phrases) -> list[object]:
    """Return the main values of a preset."""
    deal, game = rules.deal_and_play, rules.game
    seats = deal.players // deal.teams
    skunks = ", ".join(str(line) for line in (game.skunk_line, game.double_skunk_line) if line is not None)
    match = "one" if game.match == 1 else game.standings.value
    return [
        f"{deal.teams} x {seats}" if seats > 1 else deal.players,
        f"{deal.cards_dealt} - {deal.discards}",
        game.target,
        skunks or words.say("command.rules.no_skunk"),
        words.say(f"command.rules.match.{match}", games=game.match),
    ]


def _heads(*columns: str, words: Phrases) -> list[object]:
    return [words.say(f"command.rules.head.{column}") for column in columns]


def _print_json(answer: object) -> int:
    print(json.dumps(answer, ensure_ascii=False))
    return Exit.DONE
