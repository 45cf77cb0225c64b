"""Prevents the import of OpenSSL until the board needs it.

asyncio, hashlib and aiohttp work without OpenSSL. A board without a club needs none of it, and would spend 4 MB on it,
and 40 ms on the certificates that aiohttp reads when it is imported.
"""

from __future__ import annotations

import sys

_MODULES = ("ssl", "_hashlib")


def hide() -> None:
    """Make each OpenSSL module fail to import, unless already loaded."""
    for name in _MODULES:
        if name not in sys.modules:
            sys.modules[name] = None  # type: ignore[assignment]  # it counts as missing


def allow() -> None:
    """End the effect of `hide`: this process may import OpenSSL.

    Modules imported meanwhile go on without it."""
    for name in _MODULES:
        if sys.modules.get(name, sys) is None:
            del sys.modules[name]
