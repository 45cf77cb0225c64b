"""An installation and an uninstallation in the tree of a Pi, and what of the tree they must leave as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.support.pi_in_a_tree import everything, fill

from cribd.clock import SystemClock
from cribd.install import install as installation
from cribd.install.install import InstallRequest
from cribd.install.machine import Machine
from cribd.install.preflight import ProcessFacts
from cribd.install.releases import ReleaseSource

T = TypeVar("T")
PI = ProcessFacts("aarch64", 64, (3, 11), is_root=True)


class Installer:
    """Installs and uninstalls in a tree. The place of pip is taken by `fill`, which makes a command of this source."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine = machine
        self.said: list[str] = []
        self.run = ""
        self.real = False
        self.fails = False
        self._wheel = folder / "cribboard.whl"

    def wanted(self, version: str, *, state: str = "", role: str = "", dry_run: bool = False) -> InstallRequest:
        self._wheel.write_text(version, encoding="utf-8")
        source = ReleaseSource(version, self._wheel, self._wheel, wheels=self._wheel.parent, python="python3")
        return InstallRequest(source=source, state=state, role=role, dry_run=dry_run)

    def install(self, version: str, **wanted: object) -> None:
        self.said.clear()
        asked = self.wanted(version, **wanted)  # type: ignore[arg-type]
        installation.install(self.machine, asked, PI, SystemClock(), self.said.append)

    def uninstall(self, *, purge: bool = False, dry_run: bool = False) -> None:
        self.said.clear()
        installation.uninstall(self.machine, PI, self.said.append, purge=purge, dry_run=dry_run)

    def fill(self, machine: Machine, source: ReleaseSource, folder: Path) -> None:
        if self.fails:
            machine.must("false")
        fill(machine, folder, folder.name, run=self.run, real=self.real)


def settings(machine: Machine) -> dict[str, str]:
    """What an uninstallation must leave as it was: /etc, /boot, /usr and /opt."""
    folders = ("etc/", "boot/", "usr/", "opt/")
    return {name: text for name, text in everything(machine).items() if name.startswith(folders)}


def failing(must: Callable[..., T], word: str) -> Callable[..., T]:
    """The way to run a program, which fails for commands with this word."""

    def fails(machine: Machine, *command: str, timeout_s: float | None = None) -> T:
        return must(machine, *(("false",) if word in command else command), timeout_s=timeout_s)

    return fails
