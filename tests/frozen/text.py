"""Outputs as lines of text, for a diff: JSON value by value, changes between two values, a command with its output."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

#: Settings of a machine that would change outputs.
_ENVIRONMENT = {"LC_ALL": "C", "COLUMNS": "500", "LINES": "24", "TZ": "UTC", "NO_COLOR": "1"}
_UNSET = ("LANG", "LANGUAGE", "STATE_DIRECTORY", "FORCE_COLOR", "PYTHON_COLORS")


def flat(value: Any, path: str = "", *, whole: int = 0) -> Iterator[tuple[str, str]]:
    """Each plain value in a JSON value, with its path. A list of plain values counts as one, and so does an object of
    at most `whole` plain values."""
    if isinstance(value, Mapping) and (len(value) > whole or any(map(_has_parts, value.values()))):
        for key, each in value.items():
            yield from flat(each, f"{path}.{key}" if path else str(key), whole=whole)
    elif isinstance(value, Sequence) and not isinstance(value, str) and any(map(_has_parts, value)):
        for number, each in enumerate(value):
            yield from flat(each, f"{path}[{number}]", whole=whole)
    else:
        yield path, json.dumps(value, ensure_ascii=False)


def _has_parts(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple) and bool(value)


def lines_of(value: Any, *, whole: int = 0) -> list[str]:
    """A line for each value."""
    return [f"{where} = {what}" for where, what in flat(value, whole=whole)]


def changes(value: Any, before: Any, *, whole: int = 0) -> list[str]:
    """A line for each value that has changed."""
    now, then = (dict(flat(each, whole=whole)) for each in (value, before))
    gone = [f"{where} is gone" for where in then if where and where not in now]
    return [*gone, *(f"{where} = {what}" for where, what in now.items() if then.get(where) != what)]


def fingerprint(text: str | bytes) -> str:
    """The first half of the SHA-256, in the place of something long."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:16]


def as_json(text: str, *, whole: int = 0) -> list[str]:
    """A JSON text value by value, after a line with the fingerprint of the text. Its problems have no sentences."""
    value = json.loads(text)
    without = _with_short_problems(value)
    if without != value:
        text = json.dumps(without, ensure_ascii=False)
    return [f"(JSON, {len(text)} characters, {fingerprint(text)})", *lines_of(without, whole=whole)]


def _with_short_problems(value: Any) -> Any:
    """A JSON value whose "problems" name places and values alone."""
    if isinstance(value, Mapping):
        return {
            key: [*map(_without_sentence, part)] if key == "problems" else _with_short_problems(part)
            for key, part in value.items()
        }
    return [*map(_with_short_problems, value)] if isinstance(value, list) else value


def shortened(lines: list[str], *, most: int = 12) -> list[str]:
    """At most `most` lines: beginning and end, and between them a fingerprint of the rest."""
    if len(lines) <= most:
        return lines
    between = lines[most // 2 : -most // 2]
    return [*lines[: most // 2], f"({len(between)} lines, {fingerprint('/'.join(between))})", *lines[-most // 2 :]]


@contextlib.contextmanager
def isolated(folder: Path) -> Iterator[None]:
    """Within it the program runs in this folder, which is its home too, in English and in UTC."""
    here = Path.cwd()
    own = _ENVIRONMENT | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    try:
        with mock.patch.dict(os.environ, own):
            for name in _UNSET:
                os.environ.pop(name, None)
            time.tzset()
            os.chdir(folder)
            yield
    finally:
        os.chdir(here)
        time.tzset()


class Terminal:
    """Runs commands in this process, one after the other."""

    def __init__(self, main: Callable[[Sequence[str]], int]) -> None:
        self._main = main

    def run(self, command: str, *, stdin: str = "", shown: bool = True) -> list[str]:
        """Lines with the command, its stdout (or its fingerprint, if not `shown`), its stderr, and its exit code."""
        arguments = shlex.split(command)
        heard, complained = io.StringIO(), io.StringIO()
        with (
            contextlib.redirect_stdout(heard),
            contextlib.redirect_stderr(complained),
            mock.patch.object(sys, "stdin", io.StringIO(stdin)),
            mock.patch.object(sys, "argv", ["cribboard", *arguments]),
        ):
            try:
                code = self._main(arguments)
            except SystemExit as ended:
                code = int(ended.code or 0)
        lines = [f"$ cribboard {command}"]
        answer, complaints = (stream.getvalue().replace(str(Path.cwd()), "~") for stream in (heard, complained))
        assert "Traceback" not in complaints, complaints
        if not shown:
            lines.append(f"({len(answer)} characters, {fingerprint(answer)})")
        elif answer.startswith(("{", "[")) and answer.count("\n") == 1:
            lines += as_json(answer)
        else:
            lines += map(_one_spelling, answer.splitlines())
        lines += [f"! {_without_sentence(_one_spelling(line))}".rstrip() for line in complaints.splitlines()]
        return [*lines, f"= {code}", ""]


def _one_spelling(line: str) -> str:
    """A line of argparse, alike in every version of Python: choices without quotes, the metavar of an option once."""
    line = re.sub(r"\(choose from .*\)", lambda choices: choices[0].replace("'", ""), line)
    return re.sub(r"(--\w+) (\S+), (--\w+) \2", r"\1, \3 \2", line)


#: The place that a complaint names and the value there: "club.toml: target = 1", "rouge.toml, line 4".
_COMPLAINT_PLACE = re.compile(
    r"""\s*([^\s:]+:\ )?[a-z~-][^\s:,]*(,\ line\ \d+)?(\ =\ ("[^"]*"|\[[^\]]*\]|\S+?))?
    (?=:|\ is\ (missing|not\ known|there))""",
    re.VERBOSE,
)


def _without_sentence(complaint: str) -> str:
    """A complaint in codes, or a line of a record in it, as it is; of another, the place and the value that it names,
    and "…" for its sentence."""
    if "⟨" in complaint or complaint.startswith("    ") or not complaint.strip():
        return complaint
    place = _COMPLAINT_PLACE.match(complaint)
    return f"{place[0]} …" if place else "…"
