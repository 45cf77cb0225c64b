"""Compiles the code and the catalogues before the first start.

An installation runs `python -m cribd.compile_all`, because the board's user may not write beside the bytecode.
"""

from __future__ import annotations

import contextlib
import sys
from importlib import import_module
from pkgutil import walk_packages

from cribd.dataclass_code import reuse_dataclass_code


def main() -> None:
    """Compile by importing every module and opening every catalogue."""
    sys.dont_write_bytecode = False
    keep = reuse_dataclass_code()
    for name in ("cribboard", "cribd"):
        for module in walk_packages(import_module(name).__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError):  # it needs what only a desktop has
                    import_module(module.name)
    keep()
    from cribd.languages import languages
    from cribd.text import load, texts

    for language in languages():
        load(language)
        texts(language)


if __name__ == "__main__":
    main()
