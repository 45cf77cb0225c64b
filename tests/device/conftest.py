"""What the tests of the device share: goldens and the flag that makes them again; the twin page on a desk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.support.goldens import Approved, compare_text
from tests.support.spots import HOLED

if TYPE_CHECKING:
    from tests.support.served import Desk


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--remake", action="store_true", help="make the goldens again; the run then fails")


@pytest.fixture
def approved(request: pytest.FixtureRequest) -> Approved:
    """Compares a text with its golden file beside the test; --remake writes the file and fails."""

    def check(name: str, text: str) -> None:
        file = request.path.parent / "golden" / f"{name}.txt"
        compare_text(file, text, remake=bool(request.config.getoption("--remake")))

    return check


@pytest.fixture(params=HOLED)
async def desk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """A twin on a desk, its page served on this machine: one of each board."""
    from tests.support.served import serve

    async with serve(request.param, tmp_path, monkeypatch) as served:
        yield served
