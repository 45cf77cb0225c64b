"""The voice: the table [voice] of the configuration."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from cribboard.validation import Message
from cribd.config.quiet_hours import QuietHours
from cribd.toml import number, one_of, setting, text, whole


def _can(read: Callable[[str], object], told: str) -> bool:
    try:
        read(told)
    except ValueError:
        return False
    return True


_HOURS = text(
    Message("config.hours", "two times of day, as in 22:00-08:00, or nothing"),
    lambda told: not told or _can(QuietHours.parse, told),
)
_COMMAND = text(
    Message("config.command", "a command line"), lambda line: _can(shlex.split, line) and bool(shlex.split(line))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceConfig:
    """The voice. `volume` 0 is silence, `speed` is in words a minute, `quiet` is the hours without speech."""

    on: str = setting("off", one_of("on", "off"))
    volume: float = setting(0.5, number(0, 1))
    speed: int = setting(160, whole(80, 300))
    quiet: str = setting("", _HOURS)
    command: str = setting("espeak-ng", _COMMAND)

    @property
    def speaks(self) -> bool:
        """Whether the board has a voice."""
        return self.on == "on" and self.volume > 0
