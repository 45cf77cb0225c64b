"""Writes the frozen outputs again: `python -m tests.frozen`. With `--given` also the given files (see `given`)."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tools.progress import Progress

from . import given, journal_outputs
from .codes import spoken_in_codes
from .outputs import TOLD, names, tell, written
from .text import isolated

#: Seconds between two lines that say how far it is.
_EVERY_S = 2.0


def main() -> None:
    progress, wanted = Progress(every_s=_EVERY_S), dict[Path, str]()
    if "--given" in sys.argv[1:]:
        progress("the given files")
        given.make()
        with tempfile.TemporaryDirectory() as folder, isolated(Path(folder)):
            given.make_journals(asyncio.run(journal_outputs.make(Path(folder))))
    with spoken_in_codes():
        for number, name in enumerate(names(), 1):
            progress(f"file {number} of {len(names())}: {name}")
            wanted[TOLD / f"{name}.txt"] = written(tell(name))
    for file in set(TOLD.rglob("*.txt")) - wanted.keys():
        file.unlink()
    for file, text in wanted.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print(f"{len(wanted)} files: `git diff {TOLD}` says what has changed")


if __name__ == "__main__":
    main()
