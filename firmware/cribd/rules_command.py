"""`cribboard rules`: the presets, every value of one of them with its source, and whether a house rules file is whole.

Only tells what the rules say; it makes none and changes none. Each answer is first plain data, which `--json` prints
as it is, and then a table as wide as the terminal. Values are spelled as in a house rules file.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import Any

from cribboard.rules import OPTIONS, PARAMETERS, RULES, Rules, RulesError, Standings, allowed, source_of, spelled
from cribd.house_rules import load_rules
from cribd.phrases import load

#: Columns of a terminal below which a table would be all wrapping.
NARROWEST = 72

_MATCHES = {
    Standings.WINS: "first to {}",
    Standings.POINTS: "points in {}",
    Standings.GAME_POINTS: "game points in {}",
}

_PARTS = {"deal_and_play": "Deal and play", "claims": "Claims", "game": "Game and match"}


def list_presets(*, as_json: bool) -> int:
    """Every preset in one line, with what is special about it."""
    special = {name: load("en").say(f"special.{name}") for name in RULES}
    if as_json:
        return _print_json(
            [
                {"name": rules.name, "label": rules.label}
                | {name: _value(rules.values[name]) for name in _IN_THE_LIST}
                | {"special": special[rules.name], "options": list(OPTIONS.get(rules.name, {}))}
                for rules in RULES.values()
            ]
        )
    heads = ["RULES", "PLAYERS", "CARDS", "TARGET", "SKUNK", "MATCH", "WHAT IS SPECIAL"]
    rows = [
        [name, _players(rules), _cards(rules), rules.game.target, _skunk(rules), _match(rules), special[name]]
        for name, rules in RULES.items()
    ]
    _print_table([heads, *rows])
    print("\nA loser below SKUNK is skunked. All of one: cribboard rules show NAME.")
    return 0


_IN_THE_LIST = (
    *("players", "teams", "cards_dealt", "discards", "target", "skunk_line", "double_skunk_line"),
    *("match", "standings"),
)


def show(name: str, *, as_json: bool) -> int:
    """Every value of a preset or of a house rules file, its meaning and its source."""
    try:
        title, rules = load_rules(name)
    except RulesError as wrong:
        return _complain(wrong.problems)
    parameters = [_told(rules, parameter) for parameter in PARAMETERS]
    derived = list(_derived(rules))
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
    heads = ["PARAMETER", "VALUE", "WHAT IT IS", "WHERE IT IS SAID"]
    table = [heads]
    for part, told in groupby(parameters, key=lambda each: str(each["part"])):
        table += [[], [_PARTS[part]]]
        table += [[each["name"], _marked(each), each["says"], _sourced(each)] for each in told]
        table += [
            [each["name"], each["value"], each["says"], each["source"]] for each in derived if each["part"] == part
        ]
    _print_table(table)
    if rules.changes:
        print(f"\n* changed by these house rules; the rest is {rules.name}.")
    if options:
        print("\nOptions")
        _print_table([[name, ", ".join(f"{n} = {spelled(v)}" for n, v in of.items())] for name, of in options.items()])
    return 0


def check(files: Sequence[str], *, as_json: bool) -> int:
    """Whether house rules files can be played; all that is wrong with them in one report."""
    answers: list[Mapping[str, Any]] = []
    for file in files:
        try:
            title, rules = load_rules(file)
            answers.append({"file": file, "title": title, "label": rules.label, "problems": []})
        except RulesError as wrong:
            answers.append({"file": file, "problems": list(wrong.problems)})
    wrong_ones = any(each["problems"] for each in answers)
    if as_json:
        _print_json(answers)
        return 2 if wrong_ones else 0
    for each in answers:
        if each["problems"]:
            _complain(each["problems"])
        else:
            print(f"{each['file']}: OK, {each['label']}")
    return 2 if wrong_ones else 0


# What is told of a value


def _told(rules: Rules, name: str) -> dict[str, Any]:
    parameter, base = PARAMETERS[name], rules.preset or rules
    told = {
        "name": name,
        "part": parameter.part,
        "value": _value(rules.values[name]),
        "says": parameter.says,
        "allowed": allowed(name),
        "source": source_of(rules, name),
    }
    return told | ({"instead_of": _value(base.values[name])} if name in rules.changes else {})


def _derived(rules: Rules) -> Iterator[dict[str, Any]]:
    """What follows from the values, and is nobody's to set."""
    deal = rules.deal_and_play
    for name, value, says, of in (
        ("hand_size", deal.hand_size, "cards that a seat keeps", "cards_dealt and discards"),
        ("crib_from_pack", deal.crib_from_pack, "cards of the pack in the crib", "players and discards"),
    ):
        yield {"name": name, "part": "deal_and_play", "value": value, "says": says, "source": f"follows from {of}"}


def _marked(told: Mapping[str, Any]) -> str:
    return f"{told['value']} *" if "instead_of" in told else str(told["value"])


def _sourced(told: Mapping[str, Any]) -> str:
    return f"{told['source']}, instead of {told['instead_of']}" if "instead_of" in told else str(told["source"])


def _value(value: object) -> int | str:
    return value if isinstance(value, int) else spelled(value)


def _players(rules: Rules) -> str:
    deal = rules.deal_and_play
    seats = deal.players // deal.teams
    return f"{deal.teams} x {seats}" if seats > 1 else str(deal.players)


def _cards(rules: Rules) -> str:
    deal = rules.deal_and_play
    return f"{deal.cards_dealt} - {deal.discards}"


def _skunk(rules: Rules) -> str:
    lines = [line for line in (rules.game.skunk_line, rules.game.double_skunk_line) if line is not None]
    return ", ".join(map(str, lines)) or "none"


def _match(rules: Rules) -> str:
    return "one game" if rules.game.match == 1 else _MATCHES[rules.game.standings].format(rules.game.match)


# On the terminal


def _print_json(answer: object) -> int:
    print(json.dumps(answer, ensure_ascii=False))
    return 0


def _complain(problems: Sequence[str]) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2


def _print_table(rows: Sequence[Sequence[object]]) -> None:
    """Rows in columns: each as wide as its widest cell, the last two as wide as the terminal lets them be.

    A row of one cell is a heading, and an empty one a space.
    """
    texts = [[str(cell) for cell in row] for row in rows]
    whole = [row for row in texts if len(row) > 1]
    widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
    room = max(NARROWEST, shutil.get_terminal_size((100, 24)).columns) - sum(widths[:-2]) - 2 * (len(widths) - 1)
    if sum(widths[-2:]) > room:
        widths[-2] = max(min(widths[-2], room // 2), room - widths[-1])
        widths[-1] = room - widths[-2]
    for row in texts:
        if len(row) < 2:
            print(*row)
            continue
        cells = [wrap(text, width) for text, width in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            print("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip())
