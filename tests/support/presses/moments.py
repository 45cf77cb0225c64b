"""Reads moments of a game, and the presses that are tried at each, from `chapters/*.txt`.

A chapter file looks like this:

    ; a comment
    # The show
    What the chapter is about, in any number of lines.

    SHOW = PLAYED red:3 ok.red

    ## Blue counts its hand
    What is so at this moment, in any number of lines, or in none.
    when verify acc: SHOW
    - blue:9 (what is due)
    - ok.red, challenge.red

`when` names the ways to score, the preset and the board, in any order. Unnamed are all three ways, `six-card` and
`continuous`. The steps after the colon lead to the moment from the first switching on. A word in capitals stands for
steps that were named above, in this file or an earlier one. Each `-` lists the presses that are tried at the moment,
each from there; a note in brackets follows a press that has a line of its own. An indented line continues the last.
Steps and presses are written as `tests.support.presses.steps` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.presses.steps import read

from cribboard.rules import RULES, Way
from cribd.boards import NAMES as BOARDS

#: The files, in the order of the goldens.
FILES = ("a_deal", "a_game", "menu", "more_players", "rule_sets", "referee")

_FOLDER = Path(__file__).with_name("chapters")
_NAMED = re.compile(r"([A-Z0-9_]+) = (.*)")
_WHEN = re.compile(r"when((?: [\w-]+)*):(.*)")
_NOTED = re.compile(r"(\S+) \((.*)\)")


@dataclass(frozen=True, slots=True)
class Press:
    """One press at a moment, as `steps.read` reads it, and a note for the reader."""

    step: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game, the steps that lead to it in each of `ways`, and what is pressed there."""

    title: str
    about: str
    ways: tuple[Way, ...]
    steps: str
    presses: tuple[Press, ...]
    rules: str
    board: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """Moments that belong together."""

    title: str
    about: str
    moments: tuple[Moment, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Every chapter, in the order of `FILES`."""
    named: dict[str, str] = {}
    return tuple(
        chapter
        for file in FILES
        for chapter in read_chapters((_FOLDER / f"{file}.txt").read_text(encoding="utf-8"), named)
    )


def read_chapters(text: str, named: dict[str, str]) -> Iterator[Chapter]:
    """The chapters of one file. `named` are the steps that have a name so far; the file adds its own.

    Raises `ValueError` with the title and the line, if a line means nothing.
    """
    lines = [line for line in re.sub(r"\n +", " ", text).splitlines() if line and not line.startswith(";")]
    for title, body in _sections("# ", lines):
        about, *sections = _split("## ", body)
        words = [line for line in about if not _name(line, named)]
        moments = tuple(_moment(section[0].removeprefix("## "), section[1:], named) for section in sections)
        yield Chapter(title, " ".join(words), moments)


def _sections(mark: str, lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    before, *sections = _split(mark, lines)
    if before:
        raise ValueError(f"{before[0]!r} stands before the first chapter")
    for title, *body in sections:
        yield title.removeprefix(mark), body


def _split(mark: str, lines: list[str]) -> list[list[str]]:
    """The lines before the first heading, and then those from each heading on."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.startswith(mark):
            parts.append([])
        parts[-1].append(line)
    return parts


def _name(line: str, named: dict[str, str]) -> bool:
    """Whether the line gives steps a name; `named` has it then."""
    found = _NAMED.fullmatch(line)
    if found is None:
        return False
    named[found[1]] = _steps(found[2], named)
    return True


def _steps(text: str, named: dict[str, str]) -> str:
    """The steps with every name replaced by what it stands for. Raises `NotationError` where a word means nothing."""
    for word in text.split():
        if word not in named:
            read(word)
    return " ".join(named.get(word, word) for word in text.split())


def _moment(title: str, lines: list[str], named: dict[str, str]) -> Moment:
    about: list[str] = []
    presses: list[Press] = []
    where: tuple[list[str], str] | None = None
    for line in lines:
        if when := _WHEN.fullmatch(line):
            where = when[1].split(), _steps(when[2], named)
        elif line.startswith("- "):
            presses += _presses(line.removeprefix("- "))
        elif where is None:
            about.append(line)
        else:
            raise ValueError(f"{title}: {line!r} is neither `when …:` nor `- …`")
    if where is None or not presses:
        raise ValueError(f"{title} lacks its `when …:` or its presses")
    words, steps = where
    ways = tuple(way for way in Way if way in words)
    rules = [word for word in words if word in RULES]
    boards = [word for word in words if word in BOARDS]
    if len(ways) + len(rules) + len(boards) != len(words) or len(rules) > 1 or len(boards) > 1:
        raise ValueError(f"{title}: {' '.join(words)!r} is more than ways to score, a preset and a board")
    return Moment(
        title,
        " ".join(about),
        ways or tuple(Way),
        steps,
        tuple(presses),
        rules=rules[0] if rules else "six-card",
        board=boards[0] if boards else "continuous",
    )


def _presses(line: str) -> Iterator[Press]:
    if noted := _NOTED.fullmatch(line):
        yield Press(noted[1], noted[2])
    else:
        yield from (Press(step) for step in line.split(", "))
