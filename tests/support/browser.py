"""The browser of the tests, and how it is started: Debian's Chromium, from the archive and never downloaded."""

from __future__ import annotations

import os
import shutil

import pytest

#: The shell has no window of its own, and opens a page in a third of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed_chromium() -> str:
    """The path of the browser. Without one the test is skipped, and in CI it fails."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and in CI nothing may be: apt-get install chromium-headless-shell")
        pytest.skip("Chromium is missing: apt-get install chromium-headless-shell")
    return CHROMIUM
