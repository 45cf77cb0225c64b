"""What all tests share: no panel is kept until the last has ended, commands speak English, no example is timed, and
the garbage collector looks only at what tests make."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator
from itertools import chain, compress
from operator import not_
from types import SimpleNamespace

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from luma.core import device


def pytest_configure() -> None:
    """How long an example takes says how busy the machine is. Tests run beside one another, so numpy works in one
    thread: its others wait for each other at full speed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first worker begins with the whole games, which mostly wait, the second with files that need a browser, the
    third with other journeys and slow tests, and those after them with quick tests. So few pages are open at a time,
    and both processors work all the time. Files that share what they reckon follow each other. xdist gives the first
    worker the first part of the list.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    games, others = _split(items, lambda item: item.get_closest_marker("whole_game") is not None)
    pages, others = _split(others, lambda item: item.get_closest_marker("browser") is not None)
    longer, rest = _split(others, _takes_long)
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for at, tests in enumerate((games, pages, longer)):
        files: dict[object, list[pytest.Item]] = {}
        for item in sorted(tests, key=lambda item: item.get_closest_marker("shares") is None):  # others are given away
            shares = item.get_closest_marker("shares")
            files.setdefault(item.path if shares is None else shares.args, []).append(item)
        parts[min(at, workers - 1)] += chain.from_iterable(files.values())
    for at, part in enumerate(parts):
        room = max(0, len(items) * (at + 1) // workers - len(items) * at // workers - len(part))
        part += rest[:room]
        del rest[:room]
    items[:] = [*chain.from_iterable(parts), *rest]


def _takes_long(item: pytest.Item) -> bool:
    return item.path.parent.name in ("journey", "wires") or any(map(item.get_closest_marker, ("slow", "shares")))


def _split(
    items: list[pytest.Item], first: Callable[[pytest.Item], bool]
) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests of which this is true, and the others."""
    true = [first(item) for item in items]
    return list(compress(items, true)), list(compress(items, map(not_, true)))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """The examples in docstrings are those of the game: to look for some in the tests takes a sixth of the time until
    the first test."""
    return [collector for collector in (yield) if not isinstance(collector, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand collected tests live until the end: to look for garbage while they come, and to look through them
    again and again, takes a sixth of the processor time."""
    gc.disable()
    collected = yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
    return collected


@pytest.fixture(scope="session", autouse=True)
def no_panel_is_kept() -> None:
    """luma.core keeps every panel, and all that hangs on it, until the program ends; here thousands are switched on."""
    device.atexit = SimpleNamespace(register=lambda hook: None)


@pytest.fixture(scope="session", autouse=True)
def whoever_runs_the_tests_speaks_english() -> None:
    """Commands speak the language of the environment; what they start has it too."""
    os.environ["LC_ALL"] = "C.UTF-8"
