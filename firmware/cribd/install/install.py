"""Installs, updates and removes Cribboard.

Everything is examined first. Then the release is built in its own folder, which changes nothing else; then the system
is set, and the board moves to the new release (`releases.activate`). What fails is undone.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cribboard.validation import Message
from cribd.clock import Clock
from cribd.install import changes, migrate, move_state, releases
from cribd.install.boot_config import boot_changes
from cribd.install.changes import Change
from cribd.install.machine import InstallRefused, Machine, last_line
from cribd.install.plan import (
    CURRENT,
    STATE,
    UNIT,
    board_needs_spi,
    page_address,
    readers_need_uart,
    role_of,
    state_folder,
    system_changes,
    unit_changes,
)
from cribd.install.preflight import NO_ROOT, ProcessFacts, examine, package_index
from cribd.install.releases import RELEASES, ReleaseSource

#: Debian's packages. The last two have no wheel for every Python, so a Pi takes them from Raspberry Pi's archive.
PACKAGES = ("python3-venv", "python3-lgpio", "python3-spidev")
#: Packages that a plain Debian may lack. Without them the board runs only with simulated hardware.
_OF_A_PI = PACKAGES[1:]
#: The package with the broker that a hub starts for its boards.
BROKER = "mosquitto"
_APT = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300")

_REBOOT = Message("install.reboot", "The boot configuration has changed: restart the machine (sudo reboot).")

Say = Callable[[Message], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallRequest:
    """The requested installation.

    `state` is the state folder, "" for the present one. `role` is what the machine becomes, "" for what it is."""

    source: ReleaseSource
    state: str = ""
    role: str = ""
    dry_run: bool = False


def install(machine: Machine, wanted: InstallRequest, facts: ProcessFacts, clock: Clock, say: Say) -> None:
    """Install or update; a dry run only reports the changes. Raises `InstallRefused`."""
    wanted = replace(wanted, state=wanted.state or state_folder(machine), role=wanted.role or role_of(machine))
    plan = _examined(machine, wanted, facts)
    if wanted.dry_run:
        _tell(machine, wanted, plan, say)
        return
    with machine.locked():
        reboots = bool(changes.pending(machine, _boot_changes(machine)))
        _install_packages(machine, wanted, say)
        _move_to_new_release(machine, wanted, plan, clock, say)
        changes.undo_left_over(machine, [*plan, *unit_changes("")])
        releases.remove_old(machine)
    say(Message("install.done", "Release {release} runs.", release=releases.current(machine)))
    if reboots:
        say(_REBOOT)


def _move_to_new_release(
    machine: Machine, wanted: InstallRequest, plan: Sequence[Change], clock: Clock, say: Say
) -> None:
    """Build the release and switch to it, or undo both. Raises `InstallRefused`, OSError."""
    source, state = wanted.source, wanted.state
    before = {release.name for release in releases.releases(machine)}
    say(Message("install.building", "Building release {version} …", version=source.version))
    release = releases.build(machine, source)
    moved = migrate.take_over_state(machine) if migrate.has_earlier_installation(machine) else None
    run, copies = None, list[Path]()
    try:
        copies = move_state.copy_journal(machine, state_folder(machine), state)
        run = changes.apply_changes(machine, plan)
        machine.path(state).mkdir(parents=True, exist_ok=True)
        machine.run("chown", "-R", "cribboard:cribboard", str(machine.path(state)))
        if release.name != releases.current(machine) or wanted.role != role_of(machine):
            say(Message("install.trying", "Trying release {release} …", release=release.name))
            releases.activate(machine, release, clock, role=wanted.role)
        else:
            changes.apply_changes(machine, unit_changes(releases.unit_text(machine, release, wanted.role)))
            machine.must("systemctl", "restart" if copies else "start", UNIT)
    except BaseException:
        if release.name not in before:
            releases.forget(machine, release)  # first: on a full disk this makes room for what follows
        if run is not None:
            changes.undo_run(machine, run)
        if copies:
            move_state.remove(copies)
            machine.run("systemctl", "restart", UNIT)
        migrate.move_back(machine, moved)
        raise
    migrate.delete_old_unit(machine)


def _examined(machine: Machine, wanted: InstallRequest, facts: ProcessFacts) -> list[Change]:
    """Examine the machine, and return the changes to make. Raises `InstallRefused` with every problem."""
    state = wanted.state
    offline = wanted.source.wheels is not None
    index = None if offline else package_index(machine)
    if wanted.dry_run:
        facts = replace(facts, is_root=True)  # it only reads
    problems = examine(machine, facts, folders=("/opt", state), index=index, port=page_address(machine).port)
    if not state.startswith("/") or any(character.isspace() for character in state):
        problems.append(
            Message("install.state", "--state {folder}: allowed is an absolute path without spaces.", folder=state)
        )
    problems += move_state.two_journals(machine, state_folder(machine), state)
    plan: list[Change] = []
    try:
        changes.read_manifest(machine)
        plan = system_changes(machine, state=state)
    except InstallRefused as wrong:
        problems += [problem for problem in wrong.problems if isinstance(problem, Message)]
    if problems:
        raise InstallRefused(*problems)
    return plan


def _boot_changes(machine: Machine) -> list[Change]:
    return boot_changes(machine, uart=readers_need_uart(machine), spi=board_needs_spi(machine))


def _tell(machine: Machine, wanted: InstallRequest, plan: Sequence[Change], say: Say) -> None:
    """Report what an installation would do, without doing it."""
    say(Message("install.dry_run", "An installation would do this:"))
    if missing := _missing_packages(machine, wanted):
        say(Message("install.does.packages", "install the packages {names}", names=" ".join(missing)))
    say(
        Message(
            "install.does.build",
            "build release {version} in {folder}, unless it is there",
            version=wanted.source.version,
            folder=RELEASES,
        )
    )
    if migrate.has_earlier_installation(machine):
        say(
            Message(
                "install.does.move",
                "move the journal from {old} to {new}; the earlier installation comes back if this one does not run",
                old=migrate.OLD_STATE,
                new=STATE,
            )
        )
    for change in changes.pending(machine, [*plan, *unit_changes("")]):
        say(change.describe())
    say(Message("install.does.switch", "try the release, link {link} to it, and start the board", link=CURRENT))


def _missing_packages(machine: Machine, wanted: InstallRequest) -> list[str]:
    packages = PACKAGES if wanted.role == "board" else (*PACKAGES, BROKER)
    return [package for package in packages if not machine.has_package(package)]


def _install_packages(machine: Machine, wanted: InstallRequest, say: Say) -> None:
    """Install the missing Debian packages. An uninstallation keeps them. Raises `InstallRefused`."""
    missing = _missing_packages(machine, wanted)
    if not missing:
        return
    machine.run(*_APT, "update")
    for package in missing:
        if package in _OF_A_PI and "Candidate: (none)" in (_policy(machine, package) or "Candidate: (none)"):
            say(
                Message(
                    "install.no_package",
                    "This system has no package {package}; it is looked for at the package index.",
                    package=package,
                )
            )
        elif (ran := machine.run(*_APT, "install", "--no-install-recommends", "-y", package)).returncode:
            raise InstallRefused(
                Message(
                    "install.package",
                    "The package {package} of Debian is missing, and cannot be installed here: {said}. In a network: "
                    "sudo apt install {package}, then install again.",
                    package=package,
                    said=last_line(ran),
                )
            )
    if BROKER in missing:  # a hub starts one of its own, and Debian's would take 10 MB for nobody
        machine.run("systemctl", "disable", "--now", f"{BROKER}.service")


def _policy(machine: Machine, package: str) -> str:
    return machine.run("env", "LC_ALL=C", "apt-cache", "policy", package).stdout


def uninstall(machine: Machine, facts: ProcessFacts, say: Say, *, purge: bool, dry_run: bool) -> None:
    """Undo all installations; a dry run only lists the changes.

    The journal and the configuration stay unless `purge`. Raises `InstallRefused`."""
    manifest = changes.read_manifest(machine)
    state = state_folder(machine)
    if dry_run:
        say(Message("install.dry_undo", "An uninstallation would undo this:"))
        for applied in reversed(manifest):
            if purge or not applied.change.owners:
                say(applied.change.describe())
        for folder in (RELEASES, *([state] if purge else [])):
            say(Message("install.does.remove", "remove {folder}", folder=folder))
        return
    if not facts.is_root:
        raise InstallRefused(NO_ROOT)
    with machine.locked():
        machine.run("systemctl", "stop", UNIT)
        stays = changes.uninstall(machine, purge=purge)
        machine.path(CURRENT).unlink(missing_ok=True)
        shutil.rmtree(machine.path(RELEASES), ignore_errors=True)
        _remove_if_empty(machine, "/opt/cribboard")
        if purge:
            shutil.rmtree(machine.path(state), ignore_errors=True)
            _remove_if_empty(machine, "/etc/cribboard")
    if purge:
        say(Message("install.purged", "Cribboard is removed, with its journal and its configuration."))
    else:
        kept = [state, *(applied.change.path for applied in stays if isinstance(applied.change, changes.File))]
        say(Message("install.removed", "Cribboard is removed. {kept} stay.", kept=" and ".join(kept)))
    if any(applied.change.key.endswith(("/config.txt", "/cmdline.txt")) for applied in manifest):
        say(_REBOOT)


def _remove_if_empty(machine: Machine, folder: str) -> None:
    path = machine.path(folder)
    if path.is_dir() and not any(path.iterdir()):
        path.rmdir()
