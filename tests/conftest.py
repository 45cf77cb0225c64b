"""What all tests share: no panel is kept until the last has ended, commands speak English, and no example is timed."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest
from hypothesis import settings


def pytest_configure() -> None:
    """How long an example takes says how busy the machine is."""
    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")


@pytest.fixture(scope="session", autouse=True)
def no_panel_is_kept() -> None:
    """luma.core keeps every panel, and all that hangs on it, until the program ends; here thousands are switched on."""
    from luma.core import device

    device.atexit = SimpleNamespace(register=lambda hook: None)


@pytest.fixture(scope="session", autouse=True)
def whoever_runs_the_tests_speaks_english() -> None:
    """Commands speak the language of the environment; what they start has it too."""
    os.environ["LC_ALL"] = "C.UTF-8"
