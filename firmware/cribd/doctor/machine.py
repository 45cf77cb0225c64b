"""Checks of the machine and its power."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator

from cribd.causes import Message
from cribd.doctor.findings import (
    Finding,
    Installation,
    backup_command,
    fault,
    not_looked_at,
    ok,
    restore_command,
    warning,
)
from cribd.wires.voltage import is_low

#: The oldest Debian that is supported.
_DEBIAN = 12
#: The bits of `vcgencmd get_throttled`: now, and since the start.
_UNDERVOLTAGE, _HOT = (1 << 0, 1 << 16), (1 << 3, 1 << 19)


def model(at: Installation) -> Iterator[Finding]:
    """Check that the machine is a Raspberry Pi."""
    name = at.read("proc/device-tree/model")
    if name is not None and name.startswith("Raspberry Pi"):
        yield ok(Message("doctor.model.pi", "the model is {model}", model=name))
        return
    yield warning(
        Message("doctor.model.other", "this is no Raspberry Pi ({model})", model=name or platform.machine()),
        Message("doctor.remedy.pi", "Run the board on a Raspberry Pi, or simulate it: `cribboard run --twin`."),
    )


def system(at: Installation) -> Iterator[Finding]:
    """Check the name and the version of the operating system."""
    lines = (at.read("etc/os-release") or "").splitlines()
    known = {key: value.strip('"') for key, _, value in (line.partition("=") for line in lines)}
    name = known.get("PRETTY_NAME", "?")
    version = known.get("VERSION_ID", "")
    if known.get("ID") in ("debian", "raspbian") and version.isdecimal() and int(version) >= _DEBIAN:
        yield ok(Message("doctor.system.right", "the system is {system}", system=name))
        return
    yield warning(
        Message("doctor.system.other", "{system}: the board was made for Debian {version} or newer",
                system=name, version=_DEBIAN),
        _new_system(at),
    )  # fmt: skip


def architecture(at: Installation) -> Iterator[Finding]:
    """Check that the operating system is 64-bit.

    Some packages do not exist for 32-bit systems."""
    bits, version = at.run("getconf", "LONG_BIT"), platform.python_version()
    if bits == "64":
        yield ok(
            Message(
                "doctor.architecture.right",
                "the system has {bits} bits, and its Python is {version}",
                bits=bits,
                version=version,
            )
        )
        return
    yield warning(
        Message("doctor.architecture.short", "the system has {bits} bits: some packages exist for 64 only", bits=bits),
        _new_system(at),
    )  # fmt: skip


def _new_system(at: Installation) -> Message:
    return Message(
        "doctor.system.remedy",
        "First copy the journal: {copy}. Then write Raspberry Pi OS (64-bit) on a new card, install the board, and "
        "bring the copy back: {back}.",
        copy=backup_command(at), back=restore_command(at),
    )  # fmt: skip


def voltage(at: Installation) -> Iterator[Finding]:
    """Check the voltage, now and since the machine started."""
    bits = _throttled(at)
    alarms = [is_low(root) for root in {at.root, at.wires.root}]
    remedy = Message(
        "doctor.power.remedy",
        "Use the power supply of this model with its own cable. Feed the LED strip from a supply of its own: join its "
        "ground to the Pi's ground, and do not join the two 5 V.",
    )
    if True in alarms or (bits or 0) & _UNDERVOLTAGE[0]:
        yield fault(Message("doctor.power.low", "the voltage is too low now"), remedy)
    elif (bits or 0) & _UNDERVOLTAGE[1]:
        yield warning(Message("doctor.power.was_low", "the voltage was too low since the start"), remedy)
    elif bits is None and alarms.count(None) == len(alarms):
        yield not_looked_at(Message("doctor.power.unknown", "this machine does not measure its voltage"))
    else:
        yield ok(Message("doctor.power.right", "the voltage is right"))


def heat(at: Installation) -> Iterator[Finding]:
    """Check whether the Pi has slowed down because of heat."""
    bits = _throttled(at)
    if bits is None:
        yield not_looked_at(Message("doctor.heat.unknown", "vcgencmd does not say whether the Pi was hot"))
    elif bits & sum(_HOT):
        yield warning(
            Message("doctor.heat.hot", "the Pi was so hot that it slowed down"),
            Message("doctor.heat.remedy", "Give it air: openings in the box, a heat sink or a fan."),
        )
    else:
        yield ok(Message("doctor.heat.right", "the Pi was never too hot since the start"))


def _throttled(at: Installation) -> int | None:
    """Return the bits of `vcgencmd get_throttled`, or None."""
    try:
        answer = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", at.run("vcgencmd", "get_throttled"))
    except OSError:
        return None
    return int(answer[1], 16) if answer else None
