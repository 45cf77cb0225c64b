"""`cribboard event` as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import phrase

from cribd.__main__ import main
from cribd.cli.errors import Exit

CSV = "nom;invité\nOdile;\nRéjean;\nZoé;\nLuc;oui\n"


def command(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase of `cribboard event`."""
    return phrase(f"command.event.{code}", language, **values)


def refused(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase for a refused act."""
    return phrase(f"competition.refused.{code}", language, **values)


class Teller:
    """Runs `cribboard event` with these options."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *options: object) -> None:
        self._capsys = capsys
        self._options = [str(option) for option in options]

    def __call__(self, *words: str, code: Exit = Exit.DONE) -> tuple[str, str]:
        assert main(["event", *words, *self._options]) == code
        said = self._capsys.readouterr()
        return said.out, said.err

    def json(self, *words: str, code: Exit = Exit.DONE) -> Any:
        return json.loads(self(*words, "--json", code=code)[0])


def evening(tell: Teller, folder: Path) -> None:
    """Four entrants whose first round has begun."""
    tell("begin", "acc", "--name", "Mardi", "--tables", "4")
    file = folder / "entrants.csv"
    file.write_text(CSV, encoding="cp1252")
    assert command("not_taken", "fr_CA") in tell("import", str(file), "--lang", "fr", code=Exit.CANNOT)[1]
    tell("import", str(file), "--yes")
    for number in "1234":
        tell("check-in", number)
    tell("play")
    tell("draw")
    tell("start")
