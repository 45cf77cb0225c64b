"""Excludes loaded objects from garbage collection, and frees memory.

A collection that looks at all modules holds Python's lock for half a second on a Pi Zero, and presses wait. So whoever
loads many modules leaves collecting off meanwhile.
"""

from __future__ import annotations

import contextlib
import gc

from cribd.dataclass_code import forget_dataclass_code


def freeze_and_enable_gc() -> None:
    """If garbage collection is off, turn it on for later objects."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def trim_memory() -> None:
    """Free the memory that only the start needed (malloc_trim(3)).

    Call it in a thread."""
    import ctypes

    forget_dataclass_code()

    with contextlib.suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
