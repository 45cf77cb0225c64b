"""The configuration of a board, in one TOML file.

An unknown key, a wrong type, a value out of range or values that contradict each other stop the start. One report names
them all: each sentence has the key, the value and what is allowed. Every key has a default. `docs/configuration.md`
describes every key; a test says that none is missing there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from cribboard.rules import RulesError, Way
from cribboard.validation import Message, all_of, not_allowed, placed
from cribd.boards import Board, BoardError, load
from cribd.causes import unreadable
from cribd.config import allowed
from cribd.config.house_rules import load_rules
from cribd.languages import languages
from cribd.table.rule_sets import RuleSet, misfits
from cribd.toml import (
    NAME,
    TomlError,
    many,
    number,
    one_of,
    or_default,
    or_off,
    read_toml,
    setting,
    spelled,
    text,
    whole,
)
from cribd.wires import ReaderKind, ReaderWire

K = TypeVar("K")


class ConfigError(Exception):
    """The configuration cannot be used.

    `problems` has a sentence for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = [*problems]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """The defaults of the table, and the names of the sides.

    `release_after_ms` None: a trusted peg is never released by time. `rest_after_min` None: the board never rests."""

    board: str = setting("continuous", allowed.BOARD)
    rules: str = setting("six-card", allowed.RULE_SET)
    house_rules: tuple[str, ...] = setting((), many(allowed.RULES_FILE))
    way: str = setting("verify", one_of(*Way))
    language: str = setting("en", one_of(*languages()))
    release_after_ms: int | None = setting(3000, or_off(whole(0, 60_000)))
    rest_after_min: int | None = setting(10, or_off(whole(1, 1440)))
    deck: str = setting("", allowed.DECK)
    blue: str = setting("", NAME)
    red: str = setting("", NAME)
    green: str = setting("", NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonsConfig:
    """Settings of the buttons and the keys.

    Names that end in `_ms` are in milliseconds, in `_s` in seconds."""

    scan_ms: float = setting(5.0, number(1, 20))
    debounce_ms: float = setting(10.0, number(1, 100))
    stuck_s: float = setting(10.0, number(2, 600))
    hold_s: float = setting(1.0, number(0.3, 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsConfig:
    """Settings of the LEDs.

    `brightness` is the brightness that the eye sees, in per cent. The menu can change it."""

    brightness: int = setting(100, whole(5, 100))
    gamma: float = setting(2.2, number(1, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenConfig:
    """Settings of the screen.

    `faces`: whether the picture is fixed or turns to the side that must act (7.19)."""

    faces: str = setting("fixed", one_of("fixed", "turn"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundConfig:
    """Settings of the buzzer. `volume` is from 0 (silent) to 1."""

    volume: float = setting(0.6, number(0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceConfig:
    """Settings of the voice.

    `volume` 0 is silence. `speed` is in words a minute. In the hours `quiet` the board is silent."""

    on: str = setting("off", one_of("on", "off"))
    volume: float = setting(0.5, number(0, 1))
    speed: int = setting(160, whole(80, 300))
    quiet: str = setting("", allowed.QUIET_HOURS)
    command: str = setting("espeak-ng", allowed.COMMAND)

    @property
    def speaks(self) -> bool:
        """Whether the voice is on, with a volume above 0."""
        return self.on == "on" and self.volume > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderConfig:
    """Settings of a card reader on a serial port.

    In the file, each reader has its own section. `side` is the side that owns the reader; "" means that all sides share
    it.

    `prefix` and `suffix` are a scanner's."""

    name: str = setting("reader", allowed.READER_NAME)
    kind: str = setting("scanner", one_of(*ReaderKind))
    port: str = setting("", allowed.PORT)
    baud: int = setting(0, or_default(whole(300, 921_600)))
    prefix: str = setting("", allowed.SENT)
    suffix: str = setting("", allowed.SENT)
    side: str = setting("", allowed.SIDE)

    @property
    def wire(self) -> ReaderWire:
        """The serial wire of this reader."""
        kind = ReaderKind(self.kind)
        return ReaderWire(self.name, kind, self.baud or kind.default_baud, self.prefix, self.suffix)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """Settings of the pages that the daemon serves.

    `port` None: no pages. With a `pin` a phone can tap cards, so a board needs no card reader (7.18). `organiser_pin`
    opens the desk of a competition, as `pin` does."""

    host: str = setting("127.0.0.1", allowed.HOST)
    port: int | None = setting(8121, or_off(whole(0, 65_535)))
    pin: str = setting("", allowed.PIN)
    organiser_pin: str = setting("", allowed.PIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupConfig:
    """Settings of the backups on a USB stick.

    `label` is the stick's label. If `hour` is None, only a person starts a copy."""

    label: str = setting("CRIBBOARD", allowed.LABEL)
    hour: int | None = setting(4, or_off(whole(0, 23)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubConfig:
    """Settings of the club.

    `name` is the name of the club whose hub this machine is; "" means the name of the machine. `hub` is the address of
    the hub for a board that joins; "" looks for hubs in the network."""

    name: str = setting("", allowed.CLUB_NAME)
    hub: str = setting("", allowed.HUB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole configuration.

    `journal` is the path of the journal; "" means the default path."""

    table: TableConfig = field(default_factory=TableConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    lights: LightsConfig = field(default_factory=LightsConfig)
    screen: ScreenConfig = field(default_factory=ScreenConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    voice: VoiceConfig = field(default_factory=VoiceConfig)
    readers: tuple[ReaderConfig, ...] = field(default=(), metadata={"tables": ReaderConfig})
    page: PageConfig = field(default_factory=PageConfig)
    backup: BackupConfig = field(default_factory=BackupConfig)
    club: ClubConfig = field(default_factory=ClubConfig)
    journal: str = setting("", text(Message("config.path", "a path, or nothing for the usual place")))

    @property
    def journal_path(self) -> Path:
        """The configured path of the journal, or the default path."""
        if self.journal:
            return Path(os.path.expanduser(self.journal))
        if state := os.environ.get("STATE_DIRECTORY"):
            return Path(state) / "journal.db"
        data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(os.path.expanduser(data)) / "cribboard" / "journal.db"


def configure(path: Path | None, options: Mapping[str, Any]) -> tuple[Config, Board]:
    """Load the configuration, and the board that the configuration names.

    The command line's `options` replace values of the file. Raises `ConfigError` with every problem: of keys, of the
    board, of the rules, and of misfits of the two."""
    problems: list[str] = []
    config: Config = _fill(_fill(Config(), _values(path), "", problems), options, "", problems)
    problems += _contradictions(config, problems)
    board = None
    try:
        board = board_of(config)
        problems += _sides_of_readers(config, board)
    except ConfigError as wrong:
        problems += wrong.problems
    try:
        rules_of(config, board)
    except ConfigError as wrong:
        problems += wrong.problems
    if problems or board is None:
        raise ConfigError(problems)
    return config, board


def load_config(path: Path | None) -> Config:
    """Read the configuration file; the defaults if `path` is None.

    Raises `ConfigError` with every problem."""
    return changed(Config(), _values(path))


def changed(config: Config, values: Mapping[str, Any]) -> Config:
    """Return the configuration with some values changed.

    `values` are spelled as in the file. Raises `ConfigError` with every problem."""
    problems: list[str] = []
    other: Config = _fill(config, values, "", problems)
    problems += _contradictions(other, problems)
    if problems:
        raise ConfigError(problems)
    return other


def board_of(config: Config) -> Board:
    """Load the board that the configuration names. Raises `ConfigError`."""
    table = config.table
    named = f"table.board = {spelled(table.board)}"
    try:
        return load(table.board)
    except FileNotFoundError as missing:
        names = allowed.BOARDS
        problem = Message(
            "config.no_board", "{named}: there is no such board; allowed is {allowed}.", named=named, allowed=names
        )
        raise ConfigError([problem]) from missing
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError([unreadable(named, wrong)]) from wrong
    except BoardError as wrong:
        raise ConfigError(wrong.lines) from wrong


def rules_of(config: Config, board: Board | None) -> tuple[RuleSet, tuple[RuleSet, ...]]:
    """Load the default rules and the house rules.

    Raises `ConfigError` with every problem: a file that cannot be read, or rules that do not fit the board, if given.
    """
    problems: list[str] = []
    table = config.table
    asked = dict.fromkeys(table.house_rules, "table.house_rules") | {table.rules: "table.rules"}
    found: dict[str, RuleSet] = {}
    for path, key in asked.items():
        try:
            found[path] = RuleSet(*load_rules(path))
        except RulesError as wrong:
            problems += [placed(key, problem) for problem in wrong.problems]
        else:
            misfit = () if board is None else misfits(found[path], board)
            problems += [
                placed(f"{key} = {spelled(path)}", Message("sentence", "{clause}.", clause=clause)) for clause in misfit
            ]
    if problems:
        raise ConfigError(problems)
    house = tuple(rule_set for rule_set in found.values() if not rule_set.is_preset)
    return found[table.rules], house


def _values(path: Path | None) -> Mapping[str, Any]:
    if path is None:
        return {}
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError([unreadable(path, wrong)]) from wrong
    try:
        return read_toml(text)
    except TomlError as wrong:
        problem = Message("config.toml", "{file} is not valid TOML: {why}.", file=path, why=wrong.reason)
        raise ConfigError([problem]) from wrong


def _contradictions(config: Config, problems: Sequence[str]) -> list[str]:
    """List the contradictions between values of the configuration.

    Keys that `problems` already names are left out."""
    reported = {problem.partition(" = ")[0] for problem in problems}
    found = (*_names_twice(config), *_reader_conflicts(config.readers))
    return [problem for problem in found if problem.partition(" = ")[0] not in reported]


def _repeated(values: Mapping[K, str]) -> Iterator[tuple[K, K]]:
    """Yield each key that repeats a value, with the earlier key."""
    first: dict[str, K] = {}
    for key, value in values.items():
        if value and (other := first.setdefault(value, key)) != key:
            yield key, other


def _names_twice(config: Config) -> Iterator[str]:
    """Report sides that have the same name."""
    names: dict[str, str] = {side: getattr(config.table, side) for side in allowed.SIDES}
    for side, other in _repeated({side: name.casefold() for side, name in names.items()}):
        yield Message(
            "config.side_twice",
            "table.{side} = {value}: this is the name of table.{other} too; allowed is another name, or none.",
            side=side,
            value=spelled(names[side]),
            other=other,
        )


def _reader_conflicts(readers: Sequence[ReaderConfig]) -> Iterator[str]:
    """Report wrong or conflicting settings of the readers."""
    for key in ("name", "port", "side"):
        values: dict[int, str] = {place: getattr(reader, key) for place, reader in enumerate(readers, start=1)}
        for place, other in _repeated(values):
            yield Message(
                "config.reader_twice",
                "readers[{place}].{key} = {value}: this is the {key} of readers[{other}] too; allowed is another.",
                place=place,
                key=key,
                value=spelled(values[place]),
                other=other,
            )
    for place, reader in enumerate(readers, start=1):
        if not reader.port:
            yield not_allowed(f"readers[{place}].port", '""', allowed.DEVICE)
        for key in ("prefix", "suffix"):
            if (value := getattr(reader, key)) and ReaderKind(reader.kind).reads_tags:
                yield Message(
                    "config.scanner_only",
                    "readers[{place}].{key} = {value}: only a scanner has one; allowed is nothing.",
                    place=place,
                    key=key,
                    value=spelled(value),
                )


def _sides_of_readers(config: Config, board: Board) -> Iterator[str]:
    """Report each card reader whose side the board does not have."""
    sides = [track.name for track in board.tracks]
    for place, reader in enumerate(config.readers, start=1):
        if reader.side and reader.side not in sides:
            yield Message(
                "config.reader_side",
                "readers[{place}].side = {value}: the board {board} has {sides}.",
                place=place,
                value=spelled(reader.side),
                board=board.name,
                sides=all_of(sides),
            )


def _tables(kind: type[Any], key: str, value: Any, problems: list[str]) -> Any:
    """Convert TOML tables to parts of the configuration.

    Problems count the tables from 1, as in readers[1]."""
    if not isinstance(value, list) or not all(isinstance(table, Mapping) for table in value):
        problems.append(
            not_allowed(key, spelled(value), Message("config.tables", "a table for each, [[{key}]]", key=key))
        )
        return ()
    return tuple(_fill(kind(), table, f"{key}[{place}].", problems) for place, table in enumerate(value, start=1))


def _fill(part: Any, values: Mapping[str, Any], path: str, problems: list[str]) -> Any:
    """Return a copy of this part with these values.

    Adds a sentence to `problems` for each value that is not allowed."""
    known = {entry.name: entry for entry in fields(part)}
    taken = {}
    for name, value in values.items():
        where = f"{path}{name}"
        if name not in known:
            problems.append(
                Message(
                    "config.no_key",
                    "{key} = {value}: there is no such key; allowed are {known}.",
                    key=where,
                    value=spelled(value),
                    known=", ".join(known),
                )
            )
        elif kind := known[name].metadata.get("tables"):
            taken[name] = _tables(kind, where, value, problems)
        elif (kind := known[name].metadata.get("allowed")) is None:
            if isinstance(value, Mapping):
                taken[name] = _fill(getattr(part, name), value, f"{where}.", problems)
            else:
                problems.append(
                    not_allowed(where, spelled(value), Message("config.table", "a table, [{key}]", key=where))
                )
        elif kind.fits(value):
            taken[name] = kind.read(value)
        else:
            problems.append(kind.problem(where, value))
    return replace(part, **taken)
