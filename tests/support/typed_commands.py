"""A command as a test types it, and a record to give to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.places import A_GAME

from cribboard import record
from cribd.__main__ import main

TEXT = A_GAME.read_text(encoding="utf-8")
READ = record.read(TEXT)
HEADING = READ.heading


class Terminal:
    """Types `cribboard COMMAND` with more words. Returns its exit code and what it printed to stdout and stderr."""

    def __init__(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        self._command = command
        self._capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        code = main([self._command, *map(str, arguments)])
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *arguments: object) -> Any:
        code, out, err = self(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)
