"""Writes the frozen outputs again: `python -m tests.frozen`. With `--given` also the given files (see `given`)."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from . import given, journal_outputs
from .outputs import TOLD, names, tell, written
from .text import isolated


def main() -> None:
    if "--given" in sys.argv[1:]:
        given.make()
        with tempfile.TemporaryDirectory() as folder, isolated(Path(folder)):
            given.make_journals(asyncio.run(journal_outputs.make(Path(folder))))
    wanted = {TOLD / f"{name}.txt": written(tell(name)) for name in names()}
    for file in set(TOLD.rglob("*.txt")) - wanted.keys():
        file.unlink()
    for file, text in wanted.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print(f"{len(wanted)} files: `git diff {TOLD}` says what has changed")


if __name__ == "__main__":
    main()
