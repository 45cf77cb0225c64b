"""`make pi-vm`: installs, updates and removes the board in systems that boot, and cuts their power.

Most steps run in a container (`container`), those that need a kernel of their own in an emulated machine (`emulated`),
and the last in a container of arm64. It needs root, and Debian's packages debootstrap, systemd-container,
qemu-system-x86, qemu-user-static, dosfstools and e2fsprogs. It is not part of CI: it takes an hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

from tools.pi_vm import steps


def main() -> int:
    """Run the steps, print their results, and a table at the end. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"only these: {', '.join(steps.names())}")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/pi-vm"), help="where the images are kept")
    given = parser.parse_args()
    rows, is_right = [], True
    with steps.Tried(given.folder) as tried:
        for name in given.steps or steps.names():
            print(f"{time.strftime('%T')} {name}", flush=True)
            began, count = time.monotonic(), len(tried.seen)
            try:
                tried.switch_on(name)
                getattr(tried, name)()
                result = "ok"
            except Exception as wrong:
                traceback.print_exc()
                result, is_right = f"FAILED: {wrong}", False
            rows.append((name, f"{time.monotonic() - began:.0f} s", result, "; ".join(tried.seen[count:])))
            if not is_right:
                break
    print()
    for name, took, result, seen in rows:
        print(f"{name:<24} {took:>7}  {result}  {seen}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
