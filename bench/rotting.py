"""Flips random bits of a journal file, one at a time, and checks that a board plays on or refuses the file.

Each flip is read in this process by every reader of journals, as in the tests of single rows. For some flips the daemon
itself is started, with its pages, and told to stop. A flip passes if the board plays, or refuses the file in a
sentence.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.rotten import flipped, only, quick_folder, read_by_everybody, small_journal

FLIPS = 400
STARTS = 15
#: How long a start may take on a machine that has much else to do.
PATIENCE_S = 30.0


def flips_and_starts() -> dict[str, float]:
    """Return the numbers of flips and starts, and the percentage of them that were handled."""
    with quick_folder() as folder:
        path = folder / "journal.db"
        small_journal(path)
        sound = path.read_bytes()
        chosen = random.Random(11).sample(range(8 * len(sound)), FLIPS)
        flips = [_is_read(path, flipped(sound, bit)) for bit in chosen]
        starts = [_starts(path, flipped(sound, bit)) for bit in chosen[:STARTS]]
    return {
        "rotten_flips": len(flips),
        "rotten_flips_answered_percent": 100 * sum(flips) / len(flips),
        "rotten_starts": len(starts),
        "rotten_starts_answered_percent": 100 * sum(starts) / len(starts),
    }


def _is_read(path: Path, rotten: bytes) -> bool:
    only(path, rotten)
    try:
        read_by_everybody(path)
    except Exception as wrong:
        print(f"not answered: {wrong!r}", file=sys.stderr)
        return False
    return True


def _starts(path: Path, rotten: bytes) -> bool:
    only(path, rotten)
    options = ("--twin", "--no-browser", "--port", "0", "--journal", str(path))
    daemon = subprocess.Popen(
        [sys.executable, "-m", "cribd", "run", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    said = daemon.stdout.readline()
    daemon.send_signal(signal.SIGTERM)
    _, complained = daemon.communicate(timeout=PATIENCE_S)
    shutil.rmtree(path.with_name("twin"), ignore_errors=True)  # a refused start has made none
    refused = daemon.returncode == 2 and complained.count("\n") == 1
    return "Traceback" not in complained and (refused or (said.startswith("The board is at") and not daemon.returncode))


PARTS = (flips_and_starts,)
