"""Caches compiled data beside the Python bytecode.

Where the folder cannot be read or written, or `sys.dont_write_bytecode` is set, nothing is kept.
"""

from __future__ import annotations

import contextlib
import os
import sys
from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parent / "__pycache__"
_DIGEST = 16


def read(name: str, sources: bytes = b"", *, folder: Path = FOLDER) -> bytes | None:
    """Return the content stored for these sources, or None."""
    with contextlib.suppress(OSError):
        cached = _file(name, folder).read_bytes()
        if cached[:_DIGEST] == digest(sources):
            return cached[_DIGEST:]
    return None


def write(name: str, content: bytes, sources: bytes = b"", *, folder: Path = FOLDER) -> None:
    """Store content with the digest of its sources."""
    if sys.dont_write_bytecode:
        return
    with contextlib.suppress(OSError):
        beside = folder / f"{name}.{os.getpid()}"
        beside.write_bytes(digest(sources) + content)
        beside.replace(_file(name, folder))


def digest(source: bytes) -> bytes:
    """Return a short digest of a source."""
    return blake2b(source, digest_size=_DIGEST).digest()


def _file(name: str, folder: Path) -> Path:
    return folder / f"{name}.{sys.implementation.cache_tag}"
