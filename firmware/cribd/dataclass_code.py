"""Caches the code that `dataclasses` generates.

For each dataclass Python writes the source of its methods and compiles it, at every start: a quarter of the time until
the board runs. Here the compiled code is kept beside the bytecode, by a digest of its source, so a changed class is
compiled anew. Where `dataclasses` works in another way, Python does all itself.

What is read from the file is in two large pieces, and only a few compiled sources stay in memory: large pieces go back
to the system when they are forgotten, and small ones among others never would.
"""

from __future__ import annotations

import contextlib
import dataclasses
import marshal
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from types import CodeType
from typing import Any

from cribd import pycache

_NAME = "dataclasses"
#: The number of latest sources whose code a later class with the same fields can use.
_SHARED = 64
_DIGEST, _ENTRY = 16, 20  # an entry is a digest, and where its code ends


class _CodeFile:
    """A file of compiled code with a sorted index."""

    def __init__(self, folder: Path) -> None:
        self._entries = self._codes = b""
        with contextlib.suppress(ValueError, EOFError, TypeError):
            entries, codes = marshal.loads(pycache.read(_NAME, folder=folder) or b"")
            self._entries, self._codes = bytes(entries), bytes(codes)

    def find(self, digest: bytes) -> bytes | None:
        """Return the cached code for this digest, or None."""
        at = bisect_left(range(len(self._entries) // _ENTRY), digest, key=self._digest)
        return self._code(at) if self._digest(at) == digest else None

    def all(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield every digest with its code."""
        for at in range(len(self._entries) // _ENTRY):
            yield self._digest(at), self._code(at)

    def _digest(self, at: int) -> bytes:
        return self._entries[at * _ENTRY : at * _ENTRY + _DIGEST]

    def _code(self, at: int) -> bytes:
        return self._codes[self._end(at - 1) : self._end(at)]

    def _end(self, at: int) -> int:
        return int.from_bytes(self._entries[at * _ENTRY + _DIGEST : (at + 1) * _ENTRY]) if at >= 0 else 0


_code_file = cache(_CodeFile)


def reuse_dataclass_code(folder: Path = pycache.FOLDER) -> Callable[[], None]:
    """Make all later dataclasses use the code cached in `folder`.

    Returns a function that saves new code there."""
    forget_dataclass_code()
    new: dict[bytes, bytes] = {}

    @lru_cache(_SHARED)
    def code_of(source: str) -> CodeType:
        digest = pycache.digest(source.encode())
        if (stored := _code_file(folder).find(digest)) is not None:
            return marshal.loads(stored)  # type: ignore[no-any-return]
        code = compile(source, "<dataclass>", "exec")
        new[digest] = marshal.dumps(code)
        return code

    def run(source: str, names: dict[str, Any], local: dict[str, Any]) -> None:
        exec(code_of(source), names, local)

    def keep() -> None:
        if new:
            every = dict(sorted([*_CodeFile(folder).all(), *new.items()]))
            ends = accumulate(map(len, every.values()))
            entries = b"".join(digest + end.to_bytes(_ENTRY - _DIGEST) for digest, end in zip(every, ends, strict=True))
            pycache.write(_NAME, marshal.dumps((entries, b"".join(every.values()))), folder=folder)

    dataclasses.exec = run  # type: ignore[attr-defined]  # its global name comes before the built-in function
    return keep


def forget_dataclass_code() -> None:
    """Free the memory of the compiled code."""
    _code_file.cache_clear()
