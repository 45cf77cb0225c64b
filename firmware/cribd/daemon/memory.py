"""Gives memory back to the system that only the loading of modules needed."""

from __future__ import annotations

import contextlib
import ctypes


def trim_memory() -> None:
    """Return the free memory of the C library to the system (malloc_trim(3)). Call it in a thread."""
    with contextlib.suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
