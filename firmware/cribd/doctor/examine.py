"""Runs the checks of the doctor, in the order of their groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from cribd.causes import cause
from cribd.doctor import buses, buttons, journal, machine, parts, readers, service
from cribd.doctor.findings import Check, Finding, Group, Installation, as_root, not_looked_at
from cribd.doctor.running_board import Answer, findings_of

CHECKS = (
    Check(Group.MACHINE, "model", machine.model),
    Check(Group.MACHINE, "system", machine.system),
    Check(Group.MACHINE, "architecture", machine.architecture),
    Check(Group.POWER, "voltage", machine.voltage),
    Check(Group.POWER, "heat", machine.heat),
    Check(Group.BUSES, "spi", buses.spi, takes=True),
    Check(Group.BUSES, "i2c", buses.i2c, takes=True),
    Check(Group.BUSES, "speed", buses.speed),
    Check(Group.BUSES, "programs", buses.programs, takes=True),
    Check(Group.OLED, "address", parts.address, takes=True),
    Check(Group.STRIP, "frame", parts.frame, takes=True),
    Check(Group.STRIP, "pins", parts.leds, takes=True),
    Check(Group.BUTTONS, "chain", buttons.chain, takes=True),
    Check(Group.KEYS, "pins", parts.keys, takes=True),
    Check(Group.READERS, "ports", readers.ports, takes=True),
    Check(Group.READERS, "keyboard", readers.keyboard),
    Check(Group.READERS, "console", readers.console),
    Check(Group.SOUND, "buzzer", parts.buzzer, takes=True),
    Check(Group.SOUND, "voice", parts.voice),
    Check(Group.JOURNAL, "mounts", journal.mounts),
    Check(Group.JOURNAL, "file", journal.file),
    Check(Group.JOURNAL, "space", journal.space),
    Check(Group.JOURNAL, "write", journal.write),
    Check(Group.CLOCK, "time", journal.clock),
    Check(Group.NETWORK, "port", service.port, takes=True),
    Check(Group.NETWORK, "reach", service.reach),
    Check(Group.SERVICE, "unit", service.unit),
    Check(Group.SERVICE, "broker", service.broker),
    Check(Group.SERVICE, "groups", service.groups),
    Check(Group.SERVICE, "watchdog", service.watchdog),
    Check(Group.UPDATE, "releases", service.releases),
)
#: What a hub has none of: the groups of a board's parts, and the checks of a machine that has them.
_PARTS = (Group.BUSES, Group.OLED, Group.STRIP, Group.BUTTONS, Group.KEYS, Group.READERS, Group.SOUND)
_OF_A_BOARD = (machine.model, service.groups)


def examine(at: Installation, checks: Sequence[Check] = CHECKS, *, answer: Answer | None = None) -> Iterator[Finding]:
    """Run the checks, and yield what each finds.

    `answer` is what the running board says of its faults; None where no board runs. A running board holds its parts, so
    its answer takes the place of the checks that take them. On a hub the checks of a board are left out.
    """
    if service.is_hub(at):
        checks = [check for check in checks if check.group not in _PARTS and check.look not in _OF_A_BOARD]
        answer = None if answer is None else ()
    for group, in_group in groupby(checks, attrgetter("group")):
        together = list(in_group)
        if answer is not None:
            held = any(check.takes for check in together)
            for finding in findings_of(answer, group, held=held):
                yield replace(finding, check=f"{group}.board")
        for check in together:
            if answer is None or not check.takes:
                yield from _made(check, at)


def _made(check: Check, at: Installation) -> Iterator[Finding]:
    """What a check finds. A check that the system refuses is not looked at."""
    name = f"{check.group}.{check.name}"
    try:
        for finding in check.look(at):
            yield replace(finding, check=name)
    except OSError as error:
        remedy = as_root() if isinstance(error, PermissionError) else ""
        yield replace(not_looked_at(cause(error), remedy), check=name)
