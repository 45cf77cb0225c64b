"""Runs the checks of the doctor in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from cribd.causes import cause
from cribd.doctor import buses, buttons, journal, machine, parts, readers, service
from cribd.doctor.findings import Check, CheckGroup, Finding, Installation, as_root, not_looked_at
from cribd.doctor.running_board import BoardAnswer, findings_of

CHECKS = (
    Check(CheckGroup.MACHINE, "model", machine.model),
    Check(CheckGroup.MACHINE, "system", machine.system),
    Check(CheckGroup.MACHINE, "architecture", machine.architecture),
    Check(CheckGroup.POWER, "voltage", machine.voltage),
    Check(CheckGroup.POWER, "heat", machine.heat),
    Check(CheckGroup.BUSES, "spi", buses.spi, takes=True),
    Check(CheckGroup.BUSES, "i2c", buses.i2c, takes=True),
    Check(CheckGroup.BUSES, "speed", buses.speed),
    Check(CheckGroup.BUSES, "programs", buses.programs, takes=True),
    Check(CheckGroup.OLED, "address", parts.oled, takes=True),
    Check(CheckGroup.STRIP, "frame", parts.led_strip, takes=True),
    Check(CheckGroup.STRIP, "pins", parts.pin_leds, takes=True),
    Check(CheckGroup.BUTTONS, "chain", buttons.chain, takes=True),
    Check(CheckGroup.KEYS, "pins", parts.keys, takes=True),
    Check(CheckGroup.READERS, "ports", readers.ports, takes=True),
    Check(CheckGroup.READERS, "keyboard", readers.keyboard),
    Check(CheckGroup.READERS, "console", readers.console),
    Check(CheckGroup.SOUND, "buzzer", parts.buzzer, takes=True),
    Check(CheckGroup.SOUND, "voice", parts.voice),
    Check(CheckGroup.JOURNAL, "mounts", journal.mounts),
    Check(CheckGroup.JOURNAL, "file", journal.file),
    Check(CheckGroup.JOURNAL, "space", journal.space),
    Check(CheckGroup.JOURNAL, "write", journal.write),
    Check(CheckGroup.CLOCK, "time", journal.clock),
    Check(CheckGroup.NETWORK, "port", service.port, takes=True),
    Check(CheckGroup.NETWORK, "reach", service.reach),
    Check(CheckGroup.SERVICE, "unit", service.unit),
    Check(CheckGroup.SERVICE, "broker", service.broker),
    Check(CheckGroup.SERVICE, "groups", service.groups),
    Check(CheckGroup.SERVICE, "watchdog", service.watchdog),
    Check(CheckGroup.UPDATE, "releases", service.releases),
)
#: Left out on a hub: the groups of a board's parts, and the checks of a machine with such parts.
_GROUPS_OF_PARTS = (
    CheckGroup.BUSES,
    CheckGroup.OLED,
    CheckGroup.STRIP,
    CheckGroup.BUTTONS,
    CheckGroup.KEYS,
    CheckGroup.READERS,
    CheckGroup.SOUND,
)
_OF_A_BOARD = (machine.model, service.groups)


def examine(
    at: Installation, checks: Sequence[Check] = CHECKS, *, answer: BoardAnswer | None = None
) -> Iterator[Finding]:
    """Run the checks, and yield their findings.

    `answer` is what the running board says of its faults; None where no board runs. A running board holds its parts, so
    its answer takes the place of the checks that take them. On a hub the checks of a board are left out."""
    if service.is_hub(at):
        checks = [check for check in checks if check.group not in _GROUPS_OF_PARTS and check.look not in _OF_A_BOARD]
        answer = None if answer is None else ()
    for group, in_group in groupby(checks, attrgetter("group")):
        together = list(in_group)
        if answer is not None:
            skips_checks = any(check.takes for check in together)
            for finding in findings_of(answer, group, skips_checks=skips_checks):
                yield replace(finding, check=f"{group}.board")
        for check in together:
            if answer is None or not check.takes:
                yield from _findings_of(check, at)


def _findings_of(check: Check, at: Installation) -> Iterator[Finding]:
    """Yield the findings of a check, with one for an OSError."""
    name = f"{check.group}.{check.name}"
    try:
        for finding in check.look(at):
            yield replace(finding, check=name)
    except OSError as error:
        remedy = as_root() if isinstance(error, PermissionError) else ""
        yield replace(not_looked_at(cause(error), remedy), check=name)
