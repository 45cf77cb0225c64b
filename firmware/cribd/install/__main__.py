"""`python3 -m cribd.install`: installs, updates and removes Cribboard.

It runs with the system's Python before any environment exists, so it reads the catalogue of the language itself.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cribboard.validation import Message
from cribd.causes import reason
from cribd.clock import SystemClock
from cribd.install.bundle import unpack
from cribd.install.install import InstallRequest, install, uninstall
from cribd.install.machine import InstallRefused, Machine
from cribd.install.plan import ROLES
from cribd.install.preflight import ProcessFacts
from cribd.install.releases import ReleaseSource

ROOT = Path(__file__).parents[3]


def main(arguments: Sequence[str] | None = None) -> int:
    """Install or uninstall the board. Returns the exit code."""
    options = _parser().parse_args(arguments)
    word = wording(os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "")
    machine, facts = Machine(), ProcessFacts.here()

    def say(message: Message) -> None:
        print(word(message), flush=True)

    try:
        if options.work == "uninstall":
            uninstall(machine, facts, say, purge=options.purge, dry_run=options.dry_run)
        else:
            with TemporaryDirectory(prefix="cribboard-", dir="/var/tmp") as folder:
                source = unpack(options.file, Path(folder), facts) if options.file else source_in(ROOT)
                wanted = InstallRequest(source=source, state=options.state, role=options.role, dry_run=options.dry_run)
                install(machine, wanted, facts, SystemClock(), say)
    except InstallRefused as refused:
        print(*map(word, refused.problems), sep="\n", file=sys.stderr)
        return 2
    except OSError as wrong:
        print(word(could_not(wrong)), file=sys.stderr)
        return 2
    return 0


def could_not(wrong: OSError) -> Message:
    """Return the message for a file that cannot be used."""
    return Message(
        "install.os_error", "{file}: {why}. What was changed is undone.", file=wrong.filename or "-", why=reason(wrong)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m cribd.install", description=__doc__)
    work = parser.add_subparsers(dest="work", required=True)
    for name in ("install", "uninstall"):
        part = work.add_parser(name)
        part.add_argument("--dry-run", action="store_true", help="print every change, and make none")
        if name == "install":
            part.add_argument("--from", dest="file", type=Path, metavar="FILE", help="a release file of `make dist`")
            part.add_argument("--state", default="", metavar="FOLDER", help="where the journal is kept")
            role = "what the machine runs; it stays so after an update"
            part.add_argument("--as", dest="role", default="", choices=ROLES, help=role)
        else:
            part.add_argument("--purge", action="store_true", help="remove the journal and the configuration too")
    return parser


def source_in(tree: Path) -> ReleaseSource:
    """Return the `ReleaseSource` of the source tree in the folder `tree`."""
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))
    return ReleaseSource(project["project"]["version"], tree, tree / "requirements" / "pi.txt")


def wording(locale: str) -> Callable[[str], str]:
    """Return the function that translates messages into the language of `locale`.

    A language without a catalogue gets English."""
    catalogue = Path(__file__).parents[1] / "text" / "fr_CA.po"
    if not locale.startswith("fr") or not catalogue.is_file():
        return str
    phrases = _phrases(catalogue.read_text(encoding="utf-8"))

    def word(message: str) -> str:
        phrase = phrases.get(f"problem.{message.code}") if isinstance(message, Message) else None
        if phrase is None or not isinstance(message, Message):
            return message
        return phrase.format(**{name: word(v) if isinstance(v, str) else v for name, v in message.values.items()})

    return word


def _phrases(text: str) -> dict[str, str]:
    """Read the translations of the group `problem` from a catalogue."""
    entries = re.findall(r'^msgid "(problem\.[^"]+)"\nmsgstr ((?:"(?:[^"\\]|\\.)*"\n)+)', text + "\n", re.MULTILINE)
    return {code: ast.literal_eval(f"({lines})") for code, lines in entries}


if __name__ == "__main__":
    sys.exit(main())
