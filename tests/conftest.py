"""What all tests share: no panel is kept until the last has ended, commands speak English, no example is timed, and
the garbage collector looks only at what tests make."""

from __future__ import annotations

import gc
import os
from types import SimpleNamespace

import pytest
from hypothesis import settings


def pytest_configure() -> None:
    """How long an example takes says how busy the machine is. Tests run two at a time, so numpy works in one thread:
    its others wait for each other at full speed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers come first: they wait for one another, and quick tests fill the end of a run."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


def pytest_collection_finish() -> None:
    """Ten thousand collected tests live until the end: to look through them again and again takes a sixth of the
    processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def no_panel_is_kept() -> None:
    """luma.core keeps every panel, and all that hangs on it, until the program ends; here thousands are switched on."""
    from luma.core import device

    device.atexit = SimpleNamespace(register=lambda hook: None)


@pytest.fixture(scope="session", autouse=True)
def whoever_runs_the_tests_speaks_english() -> None:
    """Commands speak the language of the environment; what they start has it too."""
    os.environ["LC_ALL"] = "C.UTF-8"
