"""What the owner of a board may settle about its voice: the table [voice] of the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field

from cribd.config.values import command_line, hours, number, one_of, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceConfig:
    """The voice. `volume` 0 is silence, `speed` is in words a minute, and in the `quiet` hours nothing is said."""

    on: str = field(default="off", metadata=one_of("on", "off"))
    volume: float = field(default=0.5, metadata=number(0, 1))
    speed: int = field(default=160, metadata=whole(80, 300))
    quiet: str = field(default="", metadata=hours())
    command: str = field(default="espeak-ng", metadata=command_line())

    @property
    def speaks(self) -> bool:
        """Whether anything shall ever be heard."""
        return self.on == "on" and self.volume > 0
