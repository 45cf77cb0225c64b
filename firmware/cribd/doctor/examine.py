"""Runs the checks of the doctor, in the order of their groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cribd.causes import cause
from cribd.doctor import buses, buttons, parts
from cribd.doctor.findings import Check, Finding, Group, Installation, as_root, not_looked_at

CHECKS = (
    Check(Group.BUSES, "spi", buses.spi, takes=True),
    Check(Group.BUSES, "i2c", buses.i2c, takes=True),
    Check(Group.BUSES, "speed", buses.speed),
    Check(Group.BUSES, "programs", buses.programs, takes=True),
    Check(Group.OLED, "address", parts.address, takes=True),
    Check(Group.STRIP, "frame", parts.frame, takes=True),
    Check(Group.BUTTONS, "chain", buttons.chain, takes=True),
    Check(Group.KEYS, "pins", parts.keys, takes=True),
    Check(Group.SOUND, "buzzer", parts.buzzer, takes=True),
)


def examine(at: Installation, checks: Sequence[Check] = CHECKS) -> Iterator[Finding]:
    """Run the checks, and yield what each finds. A check that the system refuses is not looked at."""
    for check in checks:
        name = f"{check.group}.{check.name}"
        try:
            for finding in check.look(at):
                yield replace(finding, check=name)
        except OSError as error:
            remedy = as_root() if isinstance(error, PermissionError) else ""
            yield replace(not_looked_at(cause(error), remedy), check=name)
