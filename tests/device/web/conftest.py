"""What the tests of the pages share: a board whose pages are served, and a hall with phones at its tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.kiosk_rooms import House, house
from tests.support.table_phones import Hall, Phone, hall, phone


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    """The hall that the tests of a module share. Each begins a competition of its own."""
    async with hall(tmp_path_factory.mktemp("hall")) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="module")
async def one(room: Hall) -> AsyncIterator[Phone]:
    async with phone(room) as own:
        yield own


@pytest_asyncio.fixture(loop_scope="module")
async def other(room: Hall) -> AsyncIterator[Phone]:
    async with phone(room) as own:
        yield own
