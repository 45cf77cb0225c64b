"""`cribboard rules`: lists the presets, shows every value of one with its source, checks house rules files.

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
from cribd.cli.errors import Exit, refuse_problems
from cribd.cli.options import add_language
from cribd.config.house_rules import load_rules
from cribd.terminal import say, table
from cribd.text import Phrases, load


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(command=run)
    what = parser.add_subparsers(dest="what", metavar="WHAT")
    lists = what.add_parser("list")
    show = what.add_parser("show")
    show.add_argument("rules", metavar="NAME")
    check = what.add_parser("check")
    check.add_argument("files", nargs="+", metavar="FILE")
    add_language(parser)
    for command in (lists, show, check):
        add_language(command)
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """List, show or check rules. Returns the exit code."""
    words = load("en" if options.json else options.language)
    match options.what:
        case "show":
            return _show(options.rules, words, as_json=options.json)
        case "check":
            return _check(options.files, words, as_json=options.json)
    return _list(words, as_json=options.json)


def _list(words: Phrases, *, as_json: bool) -> int:
    """Print each preset in one line, with its main difference."""
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
    rows = [
        [name, _players(r), _cards(r), r.game.target, _skunk(r, words), _match(r, words), special[name]]
        for name, r in RULES.items()
    ]
    print(*table([heads, *rows]), "", words.say("command.rules.more"), sep="\n")
    return Exit.DONE


_IN_THE_LIST = (
    *("players", "teams", "cards_dealt", "discards", "target", "skunk_line", "double_skunk_line"),
    *("match", "standings"),
)


def _show(name: str, words: Phrases, *, as_json: bool) -> int:
    """Print every value of a preset or of a house rules file, its meaning and its source."""
    try:
        title, rules = load_rules(name)
    except RulesError as wrong:
        return refuse_problems(wrong.problems, words)
    parameters = [_told(rules, parameter, words) for parameter in PARAMETERS]
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
    for part, of_part in groupby(parameters, key=lambda parameter: str(parameter["part"])):
        rows += [[], [words.say(f"command.rules.part.{part}")]]
        rows += [
            [parameter["name"], _marked(parameter), parameter["says"], _sourced(parameter, words)]
            for parameter in of_part
        ]
        rows += [
            [parameter["name"], parameter["value"], parameter["says"], parameter["source"]]
            for parameter in derived
            if parameter["part"] == part
        ]
    print(*table(rows), sep="\n")
    if rules.changes:
        print("", words.say("command.rules.changed", rules=rules.name), sep="\n")
    if options:
        changes = [[name, ", ".join(f"{n} = {spelled(v)}" for n, v in of.items())] for name, of in options.items()]
        print("", words.say("command.rules.options"), *table(changes), sep="\n")
    return Exit.DONE


def _check(files: Sequence[str], words: Phrases, *, as_json: bool) -> int:
    """Print whether house rules files can be played, with every problem."""
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
            refuse_problems(answer["problems"], words)
        else:
            say(words.say("command.rules.sound", file=answer["file"], label=answer["label"]))
    return Exit.CANNOT if wrong_ones else Exit.DONE


# What is told of a value


def _told(rules: Rules, name: str, words: Phrases) -> dict[str, Any]:
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
    """The values that follow from others, so that they cannot be set."""
    deal = rules.deal_and_play
    for name, value, one, other in (
        ("hand_size", deal.hand_size, "cards_dealt", "discards"),
        ("crib_from_pack", deal.crib_from_pack, "players", "discards"),
    ):
        says = words.say(f"command.rules.says.{name}")
        source = words.say("command.rules.follows", one=one, other=other)
        yield {"name": name, "part": "deal_and_play", "value": value, "says": says, "source": source}


def _marked(parameter: Mapping[str, Any]) -> str:
    return f"{parameter['value']} *" if "instead_of" in parameter else str(parameter["value"])


def _sourced(parameter: Mapping[str, Any], words: Phrases) -> str:
    if "instead_of" not in parameter:
        return str(parameter["source"])
    return words.say("command.rules.instead_of", source=parameter["source"], value=parameter["instead_of"])


def _value(value: object) -> int | str:
    return value if isinstance(value, int) else spelled(value)


def _players(rules: Rules) -> str:
    deal = rules.deal_and_play
    seats = deal.players // deal.teams
    return f"{deal.teams} x {seats}" if seats > 1 else str(deal.players)


def _cards(rules: Rules) -> str:
    deal = rules.deal_and_play
    return f"{deal.cards_dealt} - {deal.discards}"


def _skunk(rules: Rules, words: Phrases) -> str:
    lines = [line for line in (rules.game.skunk_line, rules.game.double_skunk_line) if line is not None]
    return ", ".join(map(str, lines)) or words.say("command.rules.no_skunk")


def _match(rules: Rules, words: Phrases) -> str:
    if rules.game.match == 1:
        return words.say("command.rules.match.one")
    return words.say(f"command.rules.match.{rules.game.standings.value}", games=rules.game.match)


# On the terminal


def _heads(*columns: str, words: Phrases) -> list[object]:
    return [words.say(f"command.rules.head.{column}") for column in columns]


def _print_json(answer: object) -> int:
    print(json.dumps(answer, ensure_ascii=False))
    return Exit.DONE
