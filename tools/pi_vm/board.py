"""The board installed in a system: runs the commands of the manual there, and checks the board and its games."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tools.pi_vm import page
from tools.pi_vm.system import System


class NotSo(Exception):  # noqa: N818 (what the system did, not an error of the caller)
    """A condition of a step does not hold."""


def must_hold(holds: object, what: str) -> None:
    """Raise `NotSo` with the text `what` unless the condition holds."""
    if not holds:
        raise NotSo(what)


@dataclass
class InstalledBoard:
    """The board that is installed in this system."""

    system: System
    work: Path

    def types(self, command: str, given: Mapping[str, str] = MappingProxyType({}), *, fails: bool = False) -> str:
        """Run a command of docs/install.md as written there, with the words in `given` replaced.

        Returns what it printed."""
        for word, value in given.items():
            command = command.replace(word, value)
        code, said = self.system.run(command, timeout_s=900)
        must_hold((code != 0) == fails, f"{command!r} ended with {code}: {said[-1500:]}")
        return said

    def installs(self, version: str, *, fails: bool = False) -> str:
        """Install a release from the stick, as the manual says. Returns the installer's output."""
        self.types(f"cd /mnt/release && {SUM}", _name(version))
        return self.types(f"cd /mnt/release && {INSTALL}", _name(version), fails=fails).strip()

    def runs(self, version: str = "", timeout_s: float = 600.0) -> None:
        """Wait until the board runs: its unit is active, its page answers, and its release is `version`."""
        until = time.monotonic() + timeout_s
        while self.system.run("systemctl is-active cribd")[1] != "active" or not page.answers(self.system):
            must_hold(time.monotonic() < until, f"the board does not run after {timeout_s:.0f} s")
            time.sleep(0.5)
        must_hold(version in ("", self.release), f"{self.release} runs, and not {version}")

    @property
    def release(self) -> str:
        """The name of the release to which the link leads."""
        return self.system.must("readlink /opt/cribboard/current").strip().removeprefix("releases/")

    def kept(self) -> page.Kept:
        """Copy the journal out of the system by `cribboard backup`, check the copy, and return its content."""
        name = self.types("sudo cribboard backup FOLDER", {"FOLDER": "/srv"}).splitlines()[0]
        copy = self.work / "journal.db"
        copy.write_bytes(self.system.fetch(name))
        self.system.must(f"rm {name.removesuffix('.db')}.*")
        kept = page.Kept(copy)
        must_hold(kept.is_sound, "SQLite finds errors in the journal")
        return kept


SUM = "sha256sum --check cribboard-0.1.0-aarch64.run.sha256"
INSTALL = "sudo sh cribboard-0.1.0-aarch64.run"


def _name(version: str) -> dict[str, str]:
    return {"cribboard-0.1.0-aarch64": f"cribboard-{version}-x86_64"}
