"""House rules: a preset with changed values, in a TOML file.

    preset = "britannica"
    name = "Tuesday club, short"
    target = 61
    skunk_line = 31

Every other key is a parameter of the rules (docs/rules.md). `cribboard.rules` judges whether the rules can be played.
One report names every problem of a file.
"""

from __future__ import annotations

import os
from pathlib import Path

from cribboard.rules import RULES, Rules, RulesError, changed, read_values
from cribboard.validation import Message, placed
from cribd.causes import unreadable
from cribd.toml import NAME, TomlError, read_toml, spelled

_PRESETS = ", ".join(RULES)


def load_rules(name_or_path: str) -> tuple[str, Rules]:
    """Load the name and the rules of a preset or file.

    Raises `RulesError` with every problem."""
    if name_or_path in RULES:
        return name_or_path, RULES[name_or_path]
    path = Path(os.path.expanduser(name_or_path))  # which leaves an unknown home directory unexpanded
    if path.suffix != ".toml":
        raise RulesError(
            (
                Message(
                    "rules.name",
                    "{name}: allowed is {presets}, or a house rules file, which ends in .toml.",
                    name=name_or_path,
                    presets=_PRESETS,
                ),
            )
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise RulesError((unreadable(path, wrong),)) from wrong
    try:
        return read_rules(text, path.stem)
    except RulesError as wrong:
        raise RulesError(tuple(placed(path, problem) for problem in wrong.problems)) from wrong


def read_rules(text: str, name: str) -> tuple[str, Rules]:
    """Read the name and the rules from a TOML text.

    If the text has no key `name`, the rules are named after the file. Raises `RulesError` with every problem."""
    try:
        values = read_toml(text)
    except TomlError as wrong:
        raise RulesError((Message("rules.toml", "it is not valid TOML: {why}.", why=wrong.reason),)) from wrong
    preset, title = values.pop("preset", None), values.pop("name", name)
    base = RULES.get(preset) if isinstance(preset, str) else None
    problems: list[str] = []
    if preset is None:
        problems.append(Message("rules.no_preset", "preset: it is missing; allowed is {presets}.", presets=_PRESETS))
    elif base is None:
        problems.append(
            placed(
                f"preset = {spelled(preset)}",
                Message("rules.preset", "there is no such preset; allowed is {presets}.", presets=_PRESETS),
            )
        )
    if not title or not NAME.fits(title):
        problems.append(NAME.problem("name", title))
    if base is None:  # whether values contradict each other cannot be said
        raise RulesError((*problems, *read_values(values)[1]))
    try:
        rules = changed(base, values)
    except RulesError as wrong:
        problems += wrong.problems
    if problems:
        raise RulesError(tuple(problems))
    return title, rules
