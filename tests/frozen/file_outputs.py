"""Outputs for files that owners write: configurations, house rules and boards, right and wrong ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from .given import BOARDS, parts
from .product import settled
from .text import Terminal, changes, shortened

Output = Callable[[Terminal], list[str]]


def of_configurations(terminal: Terminal) -> list[str]:
    """The values of each right configuration, key by key, and the whole report of each wrong one."""
    house = parts("house-rules")
    Path("court.toml").write_text(house["right: court"], encoding="utf-8")
    Path("trio.toml").write_text(house["right: all of the deal and the play"], encoding="utf-8")
    Path("broken-rules.toml").write_text(house["many at once"], encoding="utf-8")
    Path("broken.toml").write_text(_board('chip = "apa102" => chip = "ws2812"'), encoding="utf-8")
    shutil.copy(BOARDS / "classic.toml", "classic-copy.toml")
    lines = []
    for name, text in parts("configurations").items():
        Path("board.toml").write_text(text, encoding="utf-8")
        lines.append(f"--- {name}")
        if name.startswith("right"):
            said = settled(Path("board.toml"))
            lines += [f"{key} = {_spelled(value)}" for key, value in said] + [""]
        else:
            lines += terminal.run("run --config board.toml")
    Path("board.toml").write_bytes("# é".encode("latin-1"))
    lines += terminal.run("run --config board.toml")
    lines += terminal.run("run --config . --lang fr")
    Path("board.toml").write_text('[table]\nway = "guess"\n[page]\npin = "1"\n', encoding="utf-8")
    for command in ("record list", "record verify 1", "statistics", "decks", "decks show rouge", "enroll --deck rouge"):
        lines += terminal.run(f"{command} --config board.toml")
    return lines + terminal.run("run --config board.toml --board square --port 99999 --journal ''")


def _spelled(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace(str(Path.cwd()), "~")


def of_house_rules(terminal: Terminal) -> list[str]:
    """The rules that each right file makes, and the whole report of each wrong one."""
    lines, before = [], dict[str, str]()
    for name, text in parts("house-rules").items():
        Path("club.toml").write_text(text, encoding="utf-8")
        lines.append(f"--- {name}")
        lines += terminal.run("rules check club.toml")
        if name.startswith("right"):
            values = values_of(terminal, "club.toml")
            lines += [*changes(values, before), ""]
            before = values
    lines += terminal.run("rules check club.toml --lang fr")
    lines += terminal.run("rules check club.toml nowhere.toml acc --json")
    lines += terminal.run("rules show club.toml")
    return lines + terminal.run("count 5H 5C 5S JD 5D --rules club.toml --lang fr")


def values_of(terminal: Terminal, rules: str) -> dict[str, str]:
    """Each parameter of these rules with its value."""
    payload = dict(line.split(" = ", 1) for line in terminal.run(f"rules show {rules} --json") if " = " in line)
    heads = {key: value for key, value in payload.items() if "[" not in key}
    names = {key.removesuffix(".name"): value.strip('"') for key, value in payload.items() if key.endswith(".name")}
    return heads | {name: payload[f"{place}.value"] for place, name in names.items()}


def of_boards(terminal: Terminal) -> list[str]:
    """The whole report of each wrong board file."""
    lines = []
    for name, change in parts("broken-boards").items():
        Path("wood.toml").write_text(_board(change), encoding="utf-8")
        lines.append(f"--- {name}")
        lines += shortened(terminal.run("run --board wood.toml"))
    lines += shortened(terminal.run("demo --board wood.toml"))
    Path("wood.toml").write_text("", encoding="utf-8")
    lines += terminal.run("run --board wood.toml")
    Path("wood.toml").write_bytes("# é".encode("latin-1"))
    for command in ("run --board wood.toml", "demo --board nowhere.toml", "run --board ."):
        lines += terminal.run(command)
    return lines


def _board(change: str) -> str:
    """The text of the classic board, with this change."""
    text = (BOARDS / "classic.toml").read_text(encoding="utf-8")
    old, _, new = (side.replace("\\n", "\n") for side in change.strip("\n").partition(" => "))
    assert old in text, f"the board file says nothing of {old!r}"
    return text.replace(old, new, 1)


def outputs() -> Mapping[str, Output]:
    """What makes each output, by its name."""
    return {"configurations": of_configurations, "house-rules": of_house_rules, "boards": of_boards}
