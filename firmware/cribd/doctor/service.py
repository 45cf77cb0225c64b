"""Checks of the network, the services and the releases."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Collection, Iterator
from errno import EADDRNOTAVAIL
from pathlib import Path

from cribd.causes import Message, cause
from cribd.doctor.findings import Finding, Installation, fault, not_looked_at, ok, warning

#: The service of the board.
UNIT = "cribd"
#: The service of the broker, on a hub.
BROKER = "cribboard-broker"
_LOOPBACK = re.compile(r"127\.|::1$|localhost$")
#: A watchdog of more seconds is ignored silently by the Pi's chip.
_WATCHDOG_S = 15
#: How often the service may have started again before that is said.
_RESTARTS = 3
_SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600}


def port(at: Installation) -> Iterator[Finding]:
    """Check that the port of the pages opens."""
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
    """Report who can reach the pages."""
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
    """Check the state of the board's systemd service."""
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
                        "`sudo journalctl -u {unit} -n 20` says why: mend that. Then `sudo systemctl restart {unit}`.",
                        unit=UNIT),
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
                        "`sudo journalctl -u {unit} -n 20` says why: mend that. Then `sudo systemctl restart {unit}`.",
                        unit=UNIT),
            )  # fmt: skip
        case {"ActiveState": active}:
            yield ok(Message("doctor.unit.right", "{unit}.service is installed, and {state} now",
                             unit=UNIT, state=active))  # fmt: skip
        case _:
            yield not_looked_at(Message("doctor.unit.unknown", "systemd does not answer"))


def unit_state(at: Installation) -> dict[str, str]:
    """Return the properties of the board's service; empty without systemd."""
    said = at.run("systemctl", "show", UNIT, "-p", "LoadState,ActiveState,UnitFileState,NRestarts")
    return {key: value for key, found, value in (line.partition("=") for line in said.splitlines()) if found}


def is_hub(at: Installation) -> bool:
    """Whether the service on this machine runs a hub."""
    return "/bin/cribboard hub " in _unit_text(at)


def _unit_text(at: Installation) -> str:
    return at.read("usr/local/lib/systemd/system/cribd.service") or ""


def broker(at: Installation) -> Iterator[Finding]:
    """Check that the broker service runs, if this machine is a hub."""
    if "--broker" not in _unit_text(at):
        return
    if at.run("systemctl", "is-active", BROKER) == "active":
        yield ok(Message("doctor.broker.right", "{unit}.service is active", unit=BROKER))
        return
    yield fault(
        Message("doctor.broker.away", "{unit}.service does not run: no board reaches the club", unit=BROKER),
        Message("doctor.broker.away.remedy",
                "`sudo journalctl -u {unit} -n 20` says why: mend that. Then `sudo systemctl restart {service}`.",
                unit=BROKER, service=UNIT),
    )  # fmt: skip


def groups(at: Installation) -> Iterator[Finding]:
    """Check that the service may open pins, buses and ports."""
    said = at.run("systemctl", "show", UNIT, "-p", "User,Group,SupplementaryGroups")
    state = {key: value for key, _, value in (line.partition("=") for line in said.splitlines())}
    user = state.get("User")
    if not user:
        yield not_looked_at(Message("doctor.groups.unknown", "systemd does not name the user of {unit}.service",
                                    unit=UNIT))  # fmt: skip
        return
    has = {state.get("Group", ""), *state.get("SupplementaryGroups", "").split(), *at.run("id", "-nG", user).split()}
    closed = {node: group for node, group in _nodes(at) if not _may_open(at.root / node.lstrip("/"), user, has)}
    if not closed:
        yield ok(Message("doctor.groups.right", "the service (user {user}) may open pins, buses and ports", user=user))
        return
    nodes, lacks = ", ".join(closed), sorted({*closed.values()} - has)
    says = (
        Message("doctor.groups.closed", "the service (user {user}) may not open {nodes}: it is not in the group "
                "{groups}", user=user, nodes=nodes, groups=", ".join(lacks))
        if lacks else
        Message("doctor.groups.mode", "the service (user {user}) may not open {nodes}: its groups may not write there",
                user=user, nodes=nodes)
    )  # fmt: skip
    yield fault(
        says,
        Message("doctor.groups.remedy", "Type `sudo make install` once more: it makes the groups, gives them to the "
                "service, and gives them the pins, buses and ports. Then start the Pi again."),
    )  # fmt: skip


def _nodes(at: Installation) -> list[tuple[str, str]]:
    """Return the existing device nodes, each with its group."""
    board = at.board
    nodes = [(f"/dev/{chip.name}", "gpio") for chip in sorted((at.root / "dev").glob("gpiochip*"))]
    nodes += [(f"/dev/spidev0.{wired.spi_select}", "spi") for wired in board.on_spi]
    nodes += [(f"/dev/i2c-{board.oled.i2c_port}", "i2c")]
    nodes += [(reader.port, "dialout") for reader in at.config.readers]
    return [(node, group) for node, group in nodes if (at.root / node.lstrip("/")).exists()]


def _may_open(node: Path, user: str, groups: Collection[str]) -> bool:
    mode = node.stat().st_mode
    owns, shares = _owner_of(node) == user, _group_of(node) in groups
    return mode & 0o006 == 0o006 or (shares and mode & 0o060 == 0o060) or (owns and mode & 0o600 == 0o600)


def _owner_of(node: Path) -> str:
    try:
        return node.owner()
    except KeyError:
        return str(node.stat().st_uid)


def _group_of(node: Path) -> str:
    try:
        return node.group()
    except KeyError:
        return str(node.stat().st_gid)


def watchdog(at: Installation) -> Iterator[Finding]:
    """Check the timeout of the machine's watchdog.

    The watchdog restarts a machine that hangs."""
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
    """Check that the current release is installed."""
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
