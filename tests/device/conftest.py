"""What the tests of the device share: golden pictures and the flag that makes them again; the twin page on a desk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from cribd.boards import NAMES

if TYPE_CHECKING:
    from .served import Desk

GOLDEN = Path(__file__).parent / "golden"

Golden = Callable[[str, Image.Image], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--remake", action="store_true", help="make the golden pictures again; the run then fails")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a picture, dot by dot, with the golden one of that name.

    With --remake it is written instead, and the test fails: somebody must look at it before it is committed.
    """

    def compare(name: str, made: Image.Image) -> None:
        file = GOLDEN / f"{name}.png"
        if request.config.getoption("--remake"):
            file.parent.mkdir(parents=True, exist_ok=True)
            made.save(file)
            pytest.fail(f"{file.name} was made again: look at it before you commit it")
        assert file.exists(), f"golden/{name}.png is missing: --remake makes it"
        with Image.open(file) as approved:
            same = (approved.mode, approved.size, approved.tobytes()) == (made.mode, made.size, made.tobytes())
        assert same, f"this is not golden/{name}.png any more; if it is better, --remake makes it again"

    return compare


@pytest.fixture(params=NAMES)
async def desk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """A twin on a desk, its page served on this machine: one of each board."""
    from .served import serve

    async with serve(request.param, tmp_path, monkeypatch) as served:
        yield served
