"""Keeps the code that `dataclasses` generates, as Python keeps the code of modules in `__pycache__`.

For each dataclass Python writes the source of its methods and compiles it, at every start: a quarter of the time until
the board runs. Here the compiled code is kept beside the bytecode, by a digest of its source, so a changed class is
compiled anew. Where the file cannot be read or written, or `dataclasses` works in another way, Python does all itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import marshal
import os
import sys
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import Any

_FILE = Path(__file__).parent / "__pycache__" / f"dataclasses.{sys.implementation.cache_tag}.code"


def reuse_dataclass_code(file: Path = _FILE) -> Callable[[], None]:
    """Let every dataclass made from now on take its code from `file`. Returns a function that keeps what was new."""
    known = _read(file)
    new: dict[bytes, CodeType] = {}

    def run(source: str, names: dict[str, Any], local: dict[str, Any]) -> None:
        digest = blake2b(source.encode(), digest_size=16).digest()
        code = known.get(digest) or new.get(digest)
        if code is None:
            code = new[digest] = compile(source, "<dataclass>", "exec")
        exec(code, names, local)

    def keep() -> None:
        if new and not sys.dont_write_bytecode:
            with contextlib.suppress(OSError):
                beside = file.with_suffix(f".{os.getpid()}")
                beside.write_bytes(marshal.dumps({**_read(file), **new}))
                beside.replace(file)

    dataclasses.exec = run  # type: ignore[attr-defined]  # its global name comes before the built-in function
    return keep


def _read(file: Path) -> dict[bytes, CodeType]:
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        known = marshal.loads(file.read_bytes())
        if isinstance(known, dict):
            return known
    return {}


def main() -> None:
    """Keep the code of every dataclass of the product, for whoever may not write the file later."""
    from importlib import import_module
    from pkgutil import walk_packages

    import cribboard
    import cribd

    sys.dont_write_bytecode = False
    keep = reuse_dataclass_code()
    for package in (cribboard, cribd):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError):
                    import_module(module.name)
    keep()


if __name__ == "__main__":
    main()
