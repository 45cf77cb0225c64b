"""Reads the kernel's alarm for a voltage that is too low, from the driver `raspberrypi-hwmon`."""

from __future__ import annotations

from pathlib import Path


def is_low(root: Path) -> bool | None:
    """Whether the voltage of a machine is too low now; None if the machine has no alarm.

    `root` is the folder that contains the machine's own files."""
    alarms = [file.read_text().strip() for file in (root / "sys/class/hwmon").glob("hwmon*/in0_lcrit_alarm")]
    return "1" in alarms if alarms else None
