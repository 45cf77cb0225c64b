"""What an installation changes outside the release's folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cribd.install.boot_config import boot_changes, is_uart
from cribd.install.changes import Change, Command, File, Link
from cribd.install.machine import Machine

CONFIG = "/etc/cribboard/config.toml"
STATE = "/var/lib/cribboard"
UNIT = "cribd.service"
#: The roles of a machine: a board, a hub, or both. Each has the file whose text is added to that of the unit.
ROLES = {"board": "", "hub": "hub.conf", "both": "both.conf"}
#: The folder of our units. Units in /etc and /run come first: the owner's own, and that of a release on trial.
UNITS = "/usr/local/lib/systemd/system"
COMMAND = "/usr/local/bin/cribboard"
CURRENT = "/opt/cribboard/current"
GROUPS = ("gpio", "spi", "i2c")

_RELOAD = ("systemctl", "daemon-reload")
_TMPFILES = ("systemd-tmpfiles", "--create", "cribboard.conf")
#: The files of `systemd/`: where each belongs, and what makes it effective before the next start of the machine.
_FILES = {
    "sysusers.d/cribboard.conf": ("/etc/sysusers.d/cribboard.conf", ()),
    "tmpfiles.d/cribboard.conf": ("/etc/tmpfiles.d/cribboard.conf", _TMPFILES),
    "modules-load.d/cribd.conf": (
        "/etc/modules-load.d/cribd.conf",
        ("systemctl", "restart", "systemd-modules-load.service"),
    ),
    "udev/60-cribboard.rules": ("/etc/udev/rules.d/60-cribboard.rules", ("udevadm", "trigger")),
    **{
        name: (f"{UNITS}/{name}", _RELOAD)
        for name in ("media-cribboard.mount", "cribboard-broker.path", "cribboard-broker.service")
    },
    "udev/70-cribboard-stick.rules": ("/etc/udev/rules.d/70-cribboard-stick.rules", ("udevadm", "trigger")),
    "polkit/50-cribboard.rules": ("/etc/polkit-1/rules.d/50-cribboard.rules", ()),
    "system.conf.d/cribboard.conf": ("/etc/systemd/system.conf.d/cribboard.conf", ("systemctl", "daemon-reexec")),
    "journald.conf.d/cribboard.conf": (
        "/etc/systemd/journald.conf.d/cribboard.conf",
        ("systemctl", "restart", "systemd-journald.service"),
    ),
}


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The board's page address; `port` is 0 if none is known."""

    host: str = "127.0.0.1"
    port: int = 8121


def shipped() -> Path:
    """Return the folder with the shipped system files."""
    here = Path(__file__).parent / "systemd"
    return here if here.is_dir() else Path(__file__).parents[3] / "systemd"


def read_config(machine: Machine) -> dict[str, Any]:
    """Read the configuration; empty if it is missing or invalid.

    The check of the release reports the errors of the configuration."""
    try:
        return tomllib.loads(machine.read(CONFIG) or "")
    except tomllib.TOMLDecodeError:
        return {}


def page_address(machine: Machine) -> PageAddress:
    """Return the board's page address, as seen from this machine."""
    page = read_config(machine).get("page")
    page = page if isinstance(page, dict) else {}
    host, port = page.get("host", PageAddress().host), page.get("port", PageAddress().port)
    local = not isinstance(host, str) or host in ("0.0.0.0", "::", "localhost")
    return PageAddress(PageAddress().host if local else host, port if isinstance(port, int) else 0)


def role_of(machine: Machine) -> str:
    """Return the role of this machine, one of `ROLES`."""
    unit = machine.read(f"{UNITS}/{UNIT}") or ""
    if "/bin/cribboard hub " in unit:
        return "hub"
    return "both" if "--broker" in unit else "board"


def readers_need_uart(machine: Machine) -> bool:
    """Whether a configured card reader uses the serial port on the pins."""
    readers = read_config(machine).get("readers")
    tables = [table for table in readers if isinstance(table, dict)] if isinstance(readers, list) else []
    return any(is_uart(str(table.get("port", ""))) for table in tables)


def board_needs_spi(machine: Machine) -> bool:
    """Whether the board may have an LED strip or button chain."""
    table = read_config(machine).get("table")
    board = table.get("board") if isinstance(table, dict) else None
    if not isinstance(board, str):
        return True  # the usual board
    shipped_file = Path(__file__).parents[1] / "boards" / f"{board}.toml"
    try:
        text = shipped_file.read_text(encoding="utf-8") if shipped_file.is_file() else machine.read(board)
        parts = tomllib.loads(text or "strip = 1")
    except (OSError, tomllib.TOMLDecodeError):
        return True
    return "strip" in parts or "chain" in parts


def state_folder(machine: Machine) -> str:
    """Return the folder of the journal."""
    for line in (machine.read(f"/etc/systemd/system/{UNIT}.d/state.conf") or "").splitlines():
        if line.startswith("RequiresMountsFor="):
            return line.partition("=")[2]
    return STATE


def system_changes(machine: Machine, *, state: str) -> list[Change]:
    """Return the changes to make before the release is tried. Raises `InstallRefused`."""
    files = shipped()
    changes: list[Change] = [
        Command(("groupadd", "--system", group), ("getent", "group", group), ("groupdel", group)) for group in GROUPS
    ]
    changes += [
        File(path, (files / name).read_text(encoding="utf-8"), then=then) for name, (path, then) in _FILES.items()
    ]
    changes += [
        Command(
            ("systemd-sysusers", "cribboard.conf"), ("getent", "passwd", "cribboard"), ("userdel", "cribboard"), True
        ),
        File(CONFIG, (files / "config.toml").read_text(encoding="utf-8"), 0o640, _TMPFILES, owners=True),
        *boot_changes(machine, uart=readers_need_uart(machine), spi=board_needs_spi(machine)),
    ]
    if state != STATE:
        changes.append(File(f"/etc/systemd/system/{UNIT}.d/state.conf", _state_lines(state), then=_RELOAD))
    return changes


def unit_changes(unit: str) -> list[Change]:
    """Return the changes to make after a release's trial.

    They write the systemd unit, whose text is `unit`, enable it, and link the command `cribboard`."""
    return [
        File(f"{UNITS}/{UNIT}", unit, then=_RELOAD),
        Command(
            ("systemctl", "enable", UNIT), ("systemctl", "is-enabled", "--quiet", UNIT), ("systemctl", "disable", UNIT)
        ),
        Link(COMMAND, f"{CURRENT}/bin/cribboard"),
    ]


def _state_lines(state: str) -> str:
    """Return a systemd drop-in that moves the state folder."""
    return (
        "# The state folder is elsewhere: make install ARGS='--state FOLDER'\n"
        f"[Unit]\nRequiresMountsFor={state}\n\n"
        f"[Service]\nStateDirectory=\nEnvironment=STATE_DIRECTORY={state}\nReadWritePaths={state}\n"
        f"WorkingDirectory={state}\n"
    )
