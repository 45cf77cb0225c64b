"""What a key of the configuration may be: its kind, what fits, and the words for that in a report.

Each function gives the metadata of one dataclass field; `config` reads it. Knows no key.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from cribd.config.quiet_hours import QuietHours


def one_of(*allowed: str) -> Any:
    """One of these words."""
    return {"allowed": " or ".join(allowed), "fits": lambda value: value in allowed, "type": str}


def number(low: float, high: float) -> Any:
    """A number, whole or not, between these two."""
    return {"allowed": f"a number from {low} to {high}", "fits": lambda v: low <= v <= high, "type": (int, float)}


def whole(low: int, high: int) -> Any:
    """A whole number between these two."""
    return {"allowed": f"a whole number from {low} to {high}", "fits": lambda v: low <= v <= high, "type": int}


def or_off(entry: dict[str, Any]) -> Any:
    """What `entry` allows, and "off", which is None."""
    return {
        "allowed": f'{entry["allowed"]}, or "off"',
        "fits": lambda value: value == "off" if isinstance(value, str) else entry["fits"](value),
        "type": (entry["type"], str),
        "means": {"off": None},
    }


def usual_or(entry: dict[str, Any]) -> Any:
    """What `entry` allows, and 0 for what is usual."""
    allowed = f"{entry['allowed']}, or 0 for the usual one of its kind"
    return {**entry, "allowed": allowed, "fits": lambda value: value == 0 or entry["fits"](value)}


def text(allowed: str, fits: Callable[[str], bool] = str.isprintable) -> Any:
    """A text that `fits`; `allowed` says in words which do."""
    return {"allowed": allowed, "fits": fits, "type": str}


def hours() -> Any:
    """From one time of day to another."""
    return text(
        "two times of day, as in 22:00-08:00, or nothing", lambda told: not told or _reads(QuietHours.parse, told)
    )


def command_line() -> Any:
    """A program with its options, as a shell would have it."""
    return text("a command line", lambda line: _reads(shlex.split, line) and bool(shlex.split(line)))


def _reads(read: Callable[[str], object], told: str) -> bool:
    try:
        read(told)
    except ValueError:
        return False
    return True


def many(entry: dict[str, Any]) -> Any:
    """A list of what `entry` allows."""
    return {
        "allowed": f"a list; in it, {entry['allowed']}",
        "fits": lambda value: all(isinstance(each, entry["type"]) and entry["fits"](each) for each in value),
        "type": list,
    }
