"""What all tests share: nothing that one made is kept until the last has ended, and commands speak English."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_panel_is_kept() -> None:
    """luma.core keeps every panel, and all that hangs on it, until the program ends; here thousands are switched on."""
    from luma.core import device

    device.atexit = SimpleNamespace(register=lambda hook: None)


@pytest.fixture(scope="session", autouse=True)
def whoever_runs_the_tests_speaks_english() -> None:
    """Commands speak the language of the environment; what they start has it too."""
    os.environ["LC_ALL"] = "C.UTF-8"
