"""Keeps the garbage collector from what was loaded, and gives memory back that only the loading needed.

A collection that looks at all modules holds Python's lock for half a second on a Pi Zero, and presses wait. So whoever
loads many modules leaves collecting off meanwhile.
"""

from __future__ import annotations

import contextlib
import gc

from cribd.dataclass_code import forget_dataclass_code


def resume_collecting() -> None:
    """Collect garbage again, but never look at what is there now. Does nothing where collecting is on."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def trim_memory() -> None:
    """Return what the loading needed to the system, with what the C library has free (malloc_trim(3)).

    Call it in a thread."""
    import ctypes

    forget_dataclass_code()

    with contextlib.suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
