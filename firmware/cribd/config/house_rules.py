"""House rules: a TOML file that starts from a preset and says what is played otherwise.

    preset = "britannica"
    name = "Tuesday club, short"
    target = 61
    skunk_line = 31

Every other key is a parameter of the rules (docs/rules.md). Only reads; whether the rules can be played is judged by
`cribboard.rules`. A file that cannot be right gives all its problems in one report.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from cribboard.rules import RULES, Rules, RulesError, changed, read_values
from cribd.config.file_errors import unreadable
from cribd.toml import TomlError, read_toml

_PRESETS = ", ".join(RULES)


def load_rules(name_or_path: str) -> tuple[str, Rules]:
    """The rules of a preset's name, or of a house rules file, and what they are called.

    Raises `RulesError` with all problems.
    """
    if name_or_path in RULES:
        return name_or_path, RULES[name_or_path]
    path = Path(os.path.expanduser(name_or_path))  # which leaves a home that nobody knows as it is
    if path.suffix != ".toml":
        raise RulesError((f"{name_or_path}: allowed is {_PRESETS}, or a house rules file, which ends in .toml.",))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise RulesError((unreadable(path, wrong),)) from wrong
    try:
        return read_rules(text, path.stem)
    except RulesError as wrong:
        raise RulesError(tuple(f"{path}: {problem}" for problem in wrong.problems)) from wrong


def read_rules(text: str, name: str) -> tuple[str, Rules]:
    """The rules that a TOML text holds, and what they are called: by its own `name`, or else by this one.

    Raises `RulesError` with all problems.
    """
    try:
        values = read_toml(text)
    except TomlError as wrong:
        raise RulesError((f"it is not valid TOML: {wrong}.",)) from wrong
    preset, title = values.pop("preset", None), values.pop("name", name)
    base = RULES.get(preset) if isinstance(preset, str) else None
    problems = []
    if preset is None:
        problems.append(f"preset: it is missing; allowed is {_PRESETS}.")
    elif base is None:
        problems.append(f"preset = {_spelled(preset)}: there is no such preset; allowed is {_PRESETS}.")
    if not isinstance(title, str) or not title or not title.isprintable() or title != title.strip():
        problems.append(f"name = {_spelled(title)}: allowed is a name on one line, without a space at its ends.")
    if base is None:  # whether values contradict each other cannot be said
        raise RulesError((*problems, *read_values(values)[1]))
    try:
        rules = changed(base, values)
    except RulesError as wrong:
        problems += wrong.problems
    if problems:
        raise RulesError(tuple(problems))
    return title, rules


def _spelled(value: Any) -> str:
    """A value much as TOML has it."""
    return json.dumps(value, ensure_ascii=False, default=str)
