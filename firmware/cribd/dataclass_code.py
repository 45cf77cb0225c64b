"""Keeps the code that `dataclasses` generates.

For each dataclass Python writes the source of its methods and compiles it, at every start: a quarter of the time until
the board runs. Here the compiled code is kept beside the bytecode, by a digest of its source, so a changed class is
compiled anew. Where `dataclasses` works in another way, Python does all itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import marshal
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

from cribd import pycache

_NAME = "dataclasses"


def reuse_dataclass_code(folder: Path = pycache.FOLDER) -> Callable[[], None]:
    """Let every dataclass made from now on take its code from `folder`. Returns a function that keeps what was new."""
    known = _read(folder)
    used: dict[bytes, CodeType] = {}  # classes with the same fields share it
    new: dict[bytes, bytes] = {}

    def code_of(source: str) -> CodeType:
        digest = pycache.digest(source.encode())
        if (code := used.get(digest)) is None:
            if (kept := known.pop(digest, None)) is None:
                code = compile(source, "<dataclass>", "exec")
                new[digest] = marshal.dumps(code)
            else:
                code = marshal.loads(kept)
            used[digest] = code
        return code

    def run(source: str, names: dict[str, Any], local: dict[str, Any]) -> None:
        exec(code_of(source), names, local)

    def keep() -> None:
        if new:
            pycache.write(_NAME, marshal.dumps({**_read(folder), **new}), folder=folder)

    dataclasses.exec = run  # type: ignore[attr-defined]  # its global name comes before the built-in function
    return keep


def _read(folder: Path) -> dict[bytes, bytes]:
    with contextlib.suppress(ValueError, EOFError, TypeError):
        known = marshal.loads(pycache.read(_NAME, folder=folder) or b"")
        if isinstance(known, dict):
            return known
    return {}
