"""One TOML file with defaults for everything: what the owner of a board may settle.

An unknown key, a wrong type, a value out of range or two that contradict each other stop the start, all in one
report, each in one sentence that names the key, the value and what is allowed. `docs/configuration.md` describes every
key; a test says that none is missing there.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from cribboard.rules import RULES, Way
from cribd.boards import NAMES
from cribd.menu import LANGUAGES


class ConfigError(Exception):
    """The configuration cannot be used. `problems` are sentences, all of them at once."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def _one_of(*allowed: str) -> Any:
    return {"allowed": " or ".join(allowed), "fits": lambda value: value in allowed, "type": str}


def _number(low: float, high: float) -> Any:
    return {"allowed": f"a number from {low} to {high}", "fits": lambda v: low <= v <= high, "type": (int, float)}


def _whole(low: int, high: int) -> Any:
    return {"allowed": f"a whole number from {low} to {high}", "fits": lambda v: low <= v <= high, "type": int}


def _text(allowed: str, fits: Callable[[str], bool] = lambda _: True) -> Any:
    return {"allowed": allowed, "fits": fits, "type": str}


def _is_port(name: str) -> bool:
    return name.startswith("/dev/") or "/" not in name


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """What is played when nobody has chosen yet, and how the table behaves."""

    board: str = field(default="continuous", metadata=_text(f"{' or '.join(NAMES)}, or the path of a board file"))
    rules: str = field(default="six-card", metadata=_one_of(*RULES))
    way: str = field(default="verify", metadata=_one_of(*Way))
    language: str = field(default="en", metadata=_one_of(*LANGUAGES))
    release_after_ms: int = field(default=3000, metadata=_whole(0, 60_000))
    blue: str = field(default="", metadata=_text("a name on one line", str.isprintable))
    red: str = field(default="", metadata=_text("a name on one line", str.isprintable))


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonsConfig:
    """The peg-hole buttons and the keys. Times in milliseconds, but `stuck_s` and `hold_s` in seconds."""

    scan_ms: float = field(default=5.0, metadata=_number(1, 20))
    debounce_ms: float = field(default=10.0, metadata=_number(1, 100))
    stuck_s: float = field(default=10.0, metadata=_number(2, 600))
    hold_s: float = field(default=1.0, metadata=_number(0.3, 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsConfig:
    """The LEDs. `brightness` in per cent as the eye sees it; the menu changes it."""

    brightness: int = field(default=100, metadata=_whole(5, 100))
    gamma: float = field(default=2.2, metadata=_number(1, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundConfig:
    """The buzzer. `volume` 0 is silence."""

    volume: float = field(default=0.6, metadata=_number(0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderConfig:
    """The card reader on a serial port; without a port there is none, and the table can only trust."""

    port: str = field(default="", metadata=_text("a device under /dev, or nothing", _is_port))
    baud: int = field(default=9600, metadata=_whole(300, 921_600))
    prefix: str = field(default="", metadata=_text("what the scanner sends before each card"))
    suffix: str = field(default="", metadata=_text("what the scanner sends after each card, before the line ends"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """The pages that the daemon serves. The loopback address alone unless this says otherwise."""

    host: str = field(default="127.0.0.1", metadata=_text("an address of this machine", lambda v: bool(v.strip())))
    port: int = field(default=8121, metadata=_whole(0, 65_535))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole configuration. `journal` is the path of the journal; empty means the usual place."""

    table: TableConfig = field(default_factory=TableConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    lights: LightsConfig = field(default_factory=LightsConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    reader: ReaderConfig = field(default_factory=ReaderConfig)
    page: PageConfig = field(default_factory=PageConfig)
    journal: str = field(default="", metadata=_text("a path, or nothing for the usual place"))

    @property
    def journal_path(self) -> Path:
        """Where the journal is: systemd's state folder if there is one, the user's data folder otherwise."""
        if self.journal:
            return Path(self.journal).expanduser()
        if state := os.environ.get("STATE_DIRECTORY"):
            return Path(state) / "journal.db"
        data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(data).expanduser() / "cribboard" / "journal.db"


def load_config(path: Path | None) -> Config:
    """The configuration in the file at `path`; the defaults if it is None. Raises `ConfigError` with all problems."""
    if path is None:
        return Config()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError([f"{path} cannot be read: {wrong}."]) from wrong
    return read_config(text, str(path))


def read_config(text: str, where: str = "configuration") -> Config:
    """The configuration that a TOML text holds. Raises `ConfigError` with all problems."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError([f"{where} is no TOML: {wrong}."]) from wrong
    problems: list[str] = []
    config: Config = _fill(Config(), values, "", problems)
    if problems:
        raise ConfigError(problems)
    return config


def _fill(part: Any, values: Mapping[str, Any], path: str, problems: list[str]) -> Any:
    """`part` with what `values` changes; whatever cannot be taken is added to `problems`."""
    known = {entry.name: entry for entry in fields(part)}
    taken = {}
    for key, value in values.items():
        if key not in known:
            problems.append(f"{path}{key} = {value!r}: there is no such key; allowed are {', '.join(known)}.")
        elif not known[key].metadata:
            if isinstance(value, Mapping):
                taken[key] = _fill(getattr(part, key), value, f"{path}{key}.", problems)
            else:
                problems.append(f"{path}{key} = {value!r}: this is a table, [{path}{key}].")
        elif _fits(known[key], value):
            taken[key] = value
        else:
            problems.append(f"{path}{key} = {value!r}: allowed is {known[key].metadata['allowed']}.")
    return replace(part, **taken)


def _fits(entry: Field[Any], value: Any) -> bool:
    kind = entry.metadata["type"]
    return isinstance(value, kind) and not isinstance(value, bool) and bool(entry.metadata["fits"](value))
