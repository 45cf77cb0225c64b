"""`make licences`: lists the licence of every package locked for development. Fails if a licence is unknown.

A package states its licence in its metadata: as an SPDX expression, as classifiers or in words. If it states none
there, the title of its licence file is listed.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, distribution

from tools.lock import FOLDER, LOCKS, here, read


def licence(package: Distribution) -> str | None:
    """Return the licence of an installed package from its metadata or its licence file; None if neither names one."""
    metadata = package.metadata
    says = metadata.get_all("License-Expression", [])
    of = "License :: "
    classifiers = metadata.get_all("Classifier", [])
    says += [", ".join(line.rpartition(" :: ")[2] for line in classifiers if line.startswith(of))]
    says += [line.strip() for line in metadata.get_all("License", []) if "\n" not in line.strip()]
    for file in package.files or []:
        if re.match("licen[cs]e|copying", file.name, re.IGNORECASE):
            title = file.read_text(encoding="utf-8").strip().partition("\n")[0].strip()
            says += [title] if re.search(r"\blicen[cs]e$", title, re.IGNORECASE) else []
    return next((said for said in map(str, says) if said and said.upper() != "UNKNOWN"), None)


def main() -> int:
    """Print a table of package, version, licence and locks. Returns 1 if a licence is unknown."""
    locks: dict[str, list[str]] = {}
    for lock in LOCKS:
        for pin in read((FOLDER / f"{lock}.txt").read_text(encoding="utf-8")):
            if pin.holds(here()):
                locks.setdefault(pin.name, []).append(lock)
    unknown = []
    for name, found in sorted(locks.items()):
        if next(iter(LOCKS)) not in found:
            continue  # only the tests on a Pi's wires install it: CONTRIBUTING.md has its licence
        package = distribution(name)
        said = licence(package)
        if said is None:
            unknown.append(name)
        print(f"{name:<24}{package.version:<16}{said or 'unknown':<52}{' '.join(found)}")
    if unknown:
        print(f"No licence is known of: {', '.join(unknown)}", file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
