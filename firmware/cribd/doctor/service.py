"""Checks of the network, of the services of the system, and of the releases that are installed."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from errno import EADDRNOTAVAIL
from pathlib import Path

from cribd.causes import Message, cause
from cribd.doctor.findings import Finding, Installation, fault, not_looked_at, ok, warning

#: The service of the board.
UNIT = "cribd"
_LOOPBACK = re.compile(r"127\.|::1$|localhost$")
#: A watchdog of more seconds is ignored silently by the Pi's chip.
_WATCHDOG_S = 15
#: How often the service may have started again before that is said.
_RESTARTS = 3
_SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600}


def port(at: Installation) -> Iterator[Finding]:
    """Open the port of the pages."""
    page = at.config.page
    if page.port is None:
        yield ok(Message("doctor.port.off", "the pages are off"))
        return
    family = socket.AF_INET6 if ":" in page.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind((page.host, page.port))
            opened.listen(1)
    except OSError as error:
        yield fault(
            Message("doctor.port.closed", "port {port} at {host} does not open: {why}",
                    port=page.port, host=page.host, why=cause(error)),
            Message("doctor.port.host.remedy",
                    "This machine has no address {host}: write one that `hostname -I` lists, or 0.0.0.0 for all, as "
                    "page.host into the configuration.", host=page.host)
            if error.errno == EADDRNOTAVAIL else
            Message("doctor.port.remedy",
                    "`sudo ss -ltnp` names the program that holds the port and its PID: end it (`sudo kill PID`), or "
                    "change page.port in the configuration."),
        )  # fmt: skip
    else:
        yield ok(Message("doctor.port.open", "port {port} is free for the pages", port=page.port))


def reach(at: Installation) -> Iterator[Finding]:
    """Say who reaches the pages."""
    page = at.config.page
    if page.port is None:
        yield ok(Message("doctor.port.off", "the pages are off"))
        return
    if _LOOPBACK.match(page.host):
        yield ok(Message("doctor.reach.here", "only this machine reaches the pages (page.host = {host})",
                         host=page.host))  # fmt: skip
        return
    addresses = at.run("hostname", "-I").split()
    if not addresses:
        yield warning(
            Message("doctor.reach.alone", "the pages are for the network, but this machine is in none"),
            Message("doctor.reach.remedy",
                    "Join a Wi-Fi (`sudo raspi-config`, System Options, Wireless LAN), or plug a cable in."),
        )  # fmt: skip
        return
    owner = Message("doctor.reach.pin", "the owner's pages need the PIN") if page.pin else Message(
        "doctor.reach.no_pin", "no PIN is set, so nobody has the owner's pages"
    )  # fmt: skip
    yield ok(Message("doctor.reach.all", "everybody in the network reaches http://{address}:{port}/; {owner}",
                     address=addresses[0], port=page.port, owner=owner))  # fmt: skip


def unit(at: Installation) -> Iterator[Finding]:
    """Ask systemd for the state of the board's service."""
    state = unit_state(at)
    match state:
        case {"LoadState": "not-found"}:
            yield warning(
                Message("doctor.unit.missing", "{unit}.service is not installed", unit=UNIT),
                Message("doctor.unit.missing.remedy",
                        "Install it as docs/install.md says; without it the board does not start with the Pi."),
            )  # fmt: skip
        case {"ActiveState": "failed"}:
            yield fault(
                Message("doctor.unit.failed", "{unit}.service has failed", unit=UNIT),
                Message("doctor.unit.failed.remedy",
                        "`journalctl -u {unit} -n 20` says why. Then `sudo systemctl restart {unit}`.", unit=UNIT),
            )  # fmt: skip
        case {"UnitFileState": "disabled" | "masked" as how}:
            yield warning(
                Message("doctor.unit.disabled", "{unit}.service is {how}: the board does not start with the Pi",
                        unit=UNIT, how=how),
                Message("doctor.unit.disabled.remedy",
                        "Type `sudo systemctl unmask {unit}` and `sudo systemctl enable --now {unit}`.", unit=UNIT),
            )  # fmt: skip
        case {"NRestarts": restarts} if restarts.isdecimal() and int(restarts) > _RESTARTS:
            yield warning(
                Message("doctor.unit.restarts", "{unit}.service has started again {count} times", unit=UNIT,
                        count=restarts),
                Message("doctor.unit.failed.remedy",
                        "`journalctl -u {unit} -n 20` says why. Then `sudo systemctl restart {unit}`.", unit=UNIT),
            )  # fmt: skip
        case {"ActiveState": active}:
            yield ok(Message("doctor.unit.right", "{unit}.service is installed, and {state} now",
                             unit=UNIT, state=active))  # fmt: skip
        case _:
            yield not_looked_at(Message("doctor.unit.unknown", "systemd does not answer"))


def unit_state(at: Installation) -> dict[str, str]:
    """The properties of the board's service; empty if systemd does not run."""
    said = at.run("systemctl", "show", UNIT, "-p", "LoadState,ActiveState,UnitFileState,NRestarts")
    return {key: value for key, found, value in (line.partition("=") for line in said.splitlines()) if found}


def watchdog(at: Installation) -> Iterator[Finding]:
    """Ask for the watchdog that restarts a machine that hangs."""
    said = at.run("systemctl", "show", "-p", "RuntimeWatchdogUSec", "--value")
    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|min|s|h)?", said)
    seconds = sum(float(number) * _SECONDS.get(unit, 0) for number, unit in parts)
    if not said:
        yield not_looked_at(Message("doctor.unit.unknown", "systemd does not answer"))
    elif 0 < seconds <= _WATCHDOG_S:
        yield ok(Message("doctor.watchdog.right", "a Pi that hangs starts again after {seconds} s",
                         seconds=round(seconds)))  # fmt: skip
    else:
        yield warning(
            Message("doctor.watchdog.long", "RuntimeWatchdogSec is {value}: the chip ignores more than {most} s "
                    "silently, so a Pi that hangs stays so", value=said, most=_WATCHDOG_S)
            if seconds else
            Message("doctor.watchdog.off", "RuntimeWatchdogSec is {value}: a Pi that hangs stays so", value=said),
            Message("doctor.watchdog.remedy",
                    "Type `sudo make install` once more, which sets {most} s, and start the Pi again.",
                    most=_WATCHDOG_S),
        )  # fmt: skip


def releases(at: Installation) -> Iterator[Finding]:
    """Look whether the link to the current release leads to one."""
    home = at.root / "opt/cribboard"
    if not (home / "releases").is_dir():
        yield ok(Message("doctor.releases.none", "no releases lie side by side in /opt/cribboard/releases"))
        return
    names = sorted(release.name for release in (home / "releases").iterdir())
    target = Path(os.readlink(home / "current")).name if (home / "current").is_symlink() else ""
    if target in names:
        yield ok(Message("doctor.releases.right", "release {current} runs; installed are {names}",
                         current=target, names=", ".join(names)))  # fmt: skip
        return
    yield fault(
        Message("doctor.releases.lost", "/opt/cribboard/current leads to no release"),
        Message("doctor.releases.remedy",
                "Choose one of {names}: `sudo ln -sfn /opt/cribboard/releases/NAME /opt/cribboard/current`, and "
                "`sudo systemctl restart {unit}`.", names=", ".join(names) or "–", unit=UNIT),
    )  # fmt: skip
