"""`python -m tools.simulated_release FOLDER [VERSION]`: makes a release file for this machine, on simulated wires.

It is for tries of the installation in a system that is no Pi: the board is the one that `make dist` packs, but for the
few lines below. The release files of a Pi have none of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools import dist

#: File, what stands there once, and what takes its place.
WIRES = (
    "firmware/cribd/cli/run.py",
    "    config, board = configure(options.config, settings(options))\n",
    "    options.twin = options.no_browser = True\n    config, board = configure(options.config, settings(options))\n",
)
#: The machine is real, so switching off the board switches off the machine.
POWER = (
    "firmware/cribd/daemon/power_off.py",
    "    return stay_off if simulated else partial(power_off, clock)\n",
    "    return partial(power_off, clock)\n",
)
#: A release that is whole, and does not start.
BROKEN = (
    "firmware/cribd/cli/run.py",
    "    upgrade = not options.keep_journal_version\n",
    '    raise CommandRefused("This release does not start.", "It was made so.")\n',
)


def make(
    folder: Path, version: str = "", *, starts: bool = True, processor: str = "", pythons: Sequence[str] = ("3.13",)
) -> Path:
    """Make the release file, and return its path. If not `starts`, the board of this release fails at its start."""
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=dist.ROOT, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            if name.startswith(("board/", "firmware/", "systemd/", "docs/")) or "/" not in name:
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(dist.ROOT / name, tree / name)
        for edit in (WIRES, POWER, *(() if starts else (BROKEN,))):
            replace_line(tree, *edit)
        if version:
            project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            replace_line(tree, "pyproject.toml", f'\nversion = "{project["version"]}"\n', f'\nversion = "{version}"\n')
            replace_line(tree, "systemd/cribd.service", "the electronic cribbage board", f"board of {version}")
        return dist.main(folder, tree=tree, lock="twin", processor=processor or os.uname().machine, pythons=pythons)


def replace_line(tree: Path, name: str, old: str, new: str) -> None:
    """Replace the text `old`, which must occur exactly once in a file of the tree."""
    text = (tree / name).read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"{name}: {old.strip()!r} stands there {text.count(old)} times, and must once")
    (tree / name).write_text(text.replace(old, new), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("version", nargs="?", default="")
    given = parser.parse_args()
    make(given.folder, given.version)
