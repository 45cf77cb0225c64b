"""Goldens: texts that were read and approved, one file each."""

from __future__ import annotations

from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

#: Compares a text with its golden file in the folder of the test.
Approved = Callable[[str, str], None]


def compare_text(file: Path, text: str, *, remake: bool) -> None:
    """Compare a text with its golden file. `remake` writes the file instead where it differs, and fails."""
    approved = file.read_text(encoding="utf-8") if file.exists() else ""
    if text == approved:
        return
    if remake:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        pytest.fail(f"{file.name} was made again: look at it before you commit it")
    changes = list(unified_diff(approved.splitlines(), text.splitlines(), "approved", "now", n=1, lineterm=""))
    pytest.fail("\n".join([*changes[:40], "If it is better, --remake makes it again."]), pytrace=False)
