"""What the tests on a Pi's wires share: the compiled library, the nodes, and a board on them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.wires.board import ENVIRONMENT, Starts, running_board
from tests.wires.nodes import Nodes, nodes_of

from cribd.boards import load


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that puts the nodes below a process, compiled. What is missing fails, and is never skipped."""
    assert (ENVIRONMENT / "cribboard").exists(), "`make test-wires` installs what these tests need"
    library = tmp_path_factory.mktemp("preload") / "nodes.so"
    source = Path(__file__).with_name("nodes.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", library, source], check=True)
    return library


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    """The nodes of a Pi with the board of two laps."""
    with nodes_of(load("continuous")) as nodes:
        yield nodes


@pytest.fixture
def start(preload: Path, nodes: Nodes, tmp_path: Path) -> Starts:
    """Starts a board on `nodes`."""
    return lambda settings="": running_board(preload, nodes, tmp_path, settings)
