"""Reads the kernel's alarm for low voltage (driver `raspberrypi-hwmon`)."""

from __future__ import annotations

from pathlib import Path


def is_low(root: Path) -> bool | None:
    """Whether the machine's voltage is too low, or None.

    None for a machine without this alarm. `root` is the folder that contains the machine's own files."""
    alarms = [file.read_text().strip() for file in (root / "sys/class/hwmon").glob("hwmon*/in0_lcrit_alarm")]
    return "1" in alarms if alarms else None
