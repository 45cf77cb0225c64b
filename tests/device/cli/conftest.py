"""What the tests of `cribboard record` and `cribboard event` share."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.event_command import Teller
from tests.support.typed_commands import HEADING, READ, TEXT, Terminal

from cribd.clock import ManualClock
from cribd.storage.open_journal import open_or_repair_journal


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A whole game of two people who slip, as a record."""
    file = tmp_path / "game.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with that game and one that has only begun."""
    path = tmp_path / "journal.db"
    journal, _ = open_or_repair_journal(path, ManualClock())
    for events in (READ.events, READ.events[:2]):
        journal.begin(HEADING, journal.next_match())
        latest = journal.latest_game()
        assert latest is not None
        journal.append(latest, events)
    journal.close()
    return path


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal("record", capsys)


@pytest.fixture
def tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Teller:
    config = tmp_path / "board.toml"
    config.write_text("")
    return Teller(capsys, "--journal", tmp_path / "journal.db", "--config", config)
