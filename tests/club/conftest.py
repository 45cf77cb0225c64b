"""What the tests of the club share: a club whose broker is not started yet, and one whose broker runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.club import Club


def pytest_itemcollected(item: pytest.Item) -> None:
    """They mostly wait, so others run beside them from the beginning."""
    item.add_marker(pytest.mark.long)
    item.add_marker(pytest.mark.whole_game)


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """A club with the boards `a` and `b`, whose broker is not started yet."""
    made = Club(tmp_path)
    made.pair("a")
    made.pair("b")
    return made


@pytest.fixture
async def running_club(club: Club) -> AsyncIterator[Club]:
    async with club.running():
        yield club
