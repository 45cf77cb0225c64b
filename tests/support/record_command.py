"""`cribboard record` as a test types it, and the record that it is given."""

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
    """Types a command, and reads what came of it."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        code = main(["record", *map(str, arguments)])
        out, err = self._capsys.readouterr()
        return code, out, err

    def told(self, *arguments: object) -> Any:
        code, out, err = self(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)
