"""One TOML file with defaults for everything: what the owner of a board may settle.

An unknown key, a wrong type, a value out of range or two that contradict each other stop the start, all in one
report, each in one sentence that names the key, the value and what is allowed. `docs/configuration.md` describes every
key; a test says that none is missing there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cribboard.rules import RULES, RulesError, Way
from cribd.boards import NAMES, Board, BoardError, load
from cribd.config.file_errors import unreadable
from cribd.config.house_rules import load_rules
from cribd.config.values import many, number, one_of, or_off, text, usual_or, whole
from cribd.config.voice import VoiceConfig
from cribd.languages import languages
from cribd.readers.labels import LONGEST_NAME, is_deck_name
from cribd.table.rule_sets import RuleSet, misfits
from cribd.toml import TomlError, read_toml
from cribd.wires import USUAL_BAUD, ReaderKind, ReaderWire


class ConfigError(Exception):
    """The configuration cannot be used. `problems` are sentences, all of them at once."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def _is_board(name: str) -> bool:
    return name in NAMES or (name.endswith(".toml") and name.isprintable())


def _is_rules(name: str) -> bool:
    return name in RULES or _is_rules_file(name)


def _is_rules_file(name: str) -> bool:
    return name.endswith(".toml") and name.isprintable()


def _is_name(name: str) -> bool:
    return name.isprintable() and name == name.strip()


def _is_port(name: str) -> bool:
    return not name or (name.startswith("/dev/") and name.isprintable())


def _is_reader_name(name: str) -> bool:
    return re.fullmatch("[a-z0-9-]{1,20}", name) is not None


def _is_deck(name: str) -> bool:
    return not name or is_deck_name(name)


def _is_sent(text: str) -> bool:
    return text.isascii() and not set(text) & {"\r", "\n"}


def _is_pin(text: str) -> bool:
    return re.fullmatch("([0-9]{4,12})?", text) is not None


def _is_address(host: str) -> bool:
    try:
        return host == "localhost" or bool(ip_address(host))
    except ValueError:
        return False


_BOARDS = f"{' or '.join(NAMES)}, or the path of a board file, which ends in .toml"
_RULES_FILE = "the path of a house rules file, which ends in .toml"
_RULES = f"{' or '.join(RULES)}, or {_RULES_FILE}"
_NAME = "a name on one line, without a space at its ends"
_READER_NAME = "a name of up to 20 small letters, digits and hyphens"
_DECK = f"the name of a deck, up to {LONGEST_NAME} small letters and digits, or nothing"
_SIDES = ("blue", "red", "green")
_SENT = "ASCII characters of one line"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """What is played when nobody has chosen yet, and how the table behaves.

    `release_after_ms` None: a trusted peg is never let go by itself.
    """

    board: str = field(default="continuous", metadata=text(_BOARDS, _is_board))
    rules: str = field(default="six-card", metadata=text(_RULES, _is_rules))
    house_rules: tuple[str, ...] = field(default=(), metadata=many(text(_RULES_FILE, _is_rules_file)))
    way: str = field(default="verify", metadata=one_of(*Way))
    language: str = field(default="en", metadata=one_of(*languages()))
    release_after_ms: int | None = field(default=3000, metadata=or_off(whole(0, 60_000)))
    deck: str = field(default="", metadata=text(_DECK, _is_deck))
    blue: str = field(default="", metadata=text(_NAME, _is_name))
    red: str = field(default="", metadata=text(_NAME, _is_name))
    green: str = field(default="", metadata=text(_NAME, _is_name))


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonsConfig:
    """The peg-hole buttons and the keys. Times in milliseconds, but `stuck_s` and `hold_s` in seconds."""

    scan_ms: float = field(default=5.0, metadata=number(1, 20))
    debounce_ms: float = field(default=10.0, metadata=number(1, 100))
    stuck_s: float = field(default=10.0, metadata=number(2, 600))
    hold_s: float = field(default=1.0, metadata=number(0.3, 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsConfig:
    """The LEDs. `brightness` in per cent as the eye sees it; the menu changes it."""

    brightness: int = field(default=100, metadata=whole(5, 100))
    gamma: float = field(default=2.2, metadata=number(1, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenConfig:
    """The screen. `faces` says whether its picture stays as it is, or turns to the side that must act (7.19)."""

    faces: str = field(default="fixed", metadata=one_of("fixed", "turn"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundConfig:
    """The buzzer. `volume` 0 is silence."""

    volume: float = field(default=0.6, metadata=number(0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderConfig:
    """A card reader on a serial port; there may be several, each a table of its own. `side` is whose reader it is, if
    it is not everybody's. `prefix` and `suffix` are a scanner's."""

    name: str = field(default="reader", metadata=text(_READER_NAME, _is_reader_name))
    kind: str = field(default="scanner", metadata=one_of(*ReaderKind))
    port: str = field(default="", metadata=text("the path of a device under /dev", _is_port))
    baud: int = field(default=0, metadata=usual_or(whole(300, 921_600)))
    prefix: str = field(default="", metadata=text(_SENT, _is_sent))
    suffix: str = field(default="", metadata=text(_SENT, _is_sent))
    side: str = field(
        default="", metadata=text(f"{' or '.join(_SIDES)}, or nothing", lambda side: side in ("", *_SIDES))
    )

    @property
    def wire(self) -> ReaderWire:
        """How its serial wire is to be worked."""
        kind = ReaderKind(self.kind)
        return ReaderWire(self.name, kind, self.baud or USUAL_BAUD[kind])


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """The pages that the daemon serves. The loopback address alone unless this says otherwise.

    `port` None: there are none. With a `pin` a phone can tap cards, and so cards can be read without any reader (7.18).
    """

    host: str = field(default="127.0.0.1", metadata=text("an IP address of this machine, or localhost", _is_address))
    port: int | None = field(default=8121, metadata=or_off(whole(0, 65_535)))
    pin: str = field(default="", metadata=text("4 to 12 digits, or nothing", _is_pin))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole configuration. `journal` is the path of the journal; empty means the usual place."""

    table: TableConfig = field(default_factory=TableConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    lights: LightsConfig = field(default_factory=LightsConfig)
    screen: ScreenConfig = field(default_factory=ScreenConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    voice: VoiceConfig = field(default_factory=VoiceConfig)
    readers: tuple[ReaderConfig, ...] = field(default=(), metadata={"tables": ReaderConfig})
    page: PageConfig = field(default_factory=PageConfig)
    journal: str = field(default="", metadata=text("a path, or nothing for the usual place"))

    @property
    def journal_path(self) -> Path:
        """Where the journal is: systemd's state folder if there is one, the user's data folder otherwise."""
        if self.journal:
            return Path(os.path.expanduser(self.journal))
        if state := os.environ.get("STATE_DIRECTORY"):
            return Path(state) / "journal.db"
        data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(os.path.expanduser(data)) / "cribboard" / "journal.db"


def settle(path: Path | None, said: Mapping[str, Any]) -> tuple[Config, Board]:
    """The configuration in the file at `path`, if there is one, with what the command line says otherwise, and the
    board that it names.

    Raises `ConfigError` with all that is wrong: with any key, with the board, with the rules, and with their fitting
    together.
    """
    problems: list[str] = []
    config: Config = _fill(_fill(Config(), _values(path), "", problems), said, "", problems)
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
    """The configuration in the file at `path`; the defaults if it is None. Raises `ConfigError` with all problems."""
    return changed(Config(), _values(path))


def read_config(text: str, where: str = "configuration") -> Config:
    """The configuration that a TOML text holds. Raises `ConfigError` with all problems."""
    return changed(Config(), _parsed(text, where))


def changed(config: Config, values: Mapping[str, Any]) -> Config:
    """The configuration with what `values` say otherwise, spelled as in the file. Raises `ConfigError`."""
    problems: list[str] = []
    other: Config = _fill(config, values, "", problems)
    problems += _contradictions(other, problems)
    if problems:
        raise ConfigError(problems)
    return other


def board_of(config: Config) -> Board:
    """The board that the configuration names. Raises `ConfigError` if that cannot be had."""
    table = config.table
    named = f"table.board = {_spelled(table.board)}"
    try:
        return load(table.board)
    except FileNotFoundError as missing:
        raise ConfigError([f"{named}: there is no such board; allowed is {_BOARDS}."]) from missing
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError([unreadable(named, wrong)]) from wrong
    except BoardError as wrong:
        raise ConfigError(wrong.lines) from wrong


def rules_of(config: Config, board: Board | None) -> tuple[RuleSet, tuple[RuleSet, ...]]:
    """The rules that are played until others are chosen, and the house rules that can be.

    Raises `ConfigError` with all that is wrong with any of them, or does not fit the board, if that is known.
    """
    problems: list[str] = []
    table = config.table
    asked = dict.fromkeys(table.house_rules, "table.house_rules") | {table.rules: "table.rules"}
    found: dict[str, RuleSet] = {}
    for path, key in asked.items():
        try:
            found[path] = RuleSet(*load_rules(path))
        except RulesError as wrong:
            problems += [f"{key}: {problem}" for problem in wrong.problems]
        else:
            misfit = () if board is None else misfits(found[path], board)
            problems += [f"{key} = {_spelled(path)}: {problem}." for problem in misfit]
    if problems:
        raise ConfigError(problems)
    house = tuple(each for each in found.values() if not each.is_preset)
    return found[table.rules], house


def _values(path: Path | None) -> Mapping[str, Any]:
    """What the file at `path` says; nothing if it is None."""
    if path is None:
        return {}
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError([unreadable(path, wrong)]) from wrong
    return _parsed(text, str(path))


def _parsed(text: str, where: str) -> Mapping[str, Any]:
    try:
        return read_toml(text)
    except TomlError as wrong:
        raise ConfigError([f"{where} is not valid TOML: {wrong}."]) from wrong


def _contradictions(config: Config, problems: Sequence[str]) -> list[str]:
    """What is allowed by itself, and not together; of what is a problem already nothing more is said."""
    told = {problem.partition(" = ")[0] for problem in problems}
    found = (*_names_twice(config), *_quarrels(config.readers))
    return [problem for problem in found if problem.partition(" = ")[0] not in told]


def _names_twice(config: Config) -> Iterator[str]:
    """Two sides of one name."""
    names = {side: getattr(config.table, side) for side in _SIDES}
    taken: dict[str, str] = {}
    for side, name in names.items():
        if name and (other := taken.setdefault(name.casefold(), side)) != side:
            yield (
                f"table.{side} = {_spelled(name)}: this is the name of table.{other} too; "
                "allowed is another name, or none."
            )


def _quarrels(readers: Sequence[ReaderConfig]) -> Iterator[str]:
    """Where readers get in each other's way, or in their own."""
    for key, what in (("name", "name"), ("port", "port"), ("side", "side")):
        taken: dict[str, int] = {}
        for place, reader in enumerate(readers, start=1):
            value = getattr(reader, key)
            if value and (other := taken.setdefault(value, place)) != place:
                yield (
                    f"readers[{place}].{key} = {_spelled(value)}: this is the {what} of readers[{other}] too; "
                    "allowed is another."
                )
    for place, reader in enumerate(readers, start=1):
        if not reader.port:
            yield f'readers[{place}].port = "": allowed is the path of a device under /dev.'
        for key in ("prefix", "suffix"):
            if (value := getattr(reader, key)) and reader.kind != ReaderKind.SCANNER:
                yield f"readers[{place}].{key} = {_spelled(value)}: only a scanner has one; allowed is nothing."


def _sides_of_readers(config: Config, board: Board) -> Iterator[str]:
    """A reader that is a side's own, on a board that does not have that side."""
    sides = [track.name for track in board.tracks]
    for place, reader in enumerate(config.readers, start=1):
        if reader.side and reader.side not in sides:
            yield (
                f"readers[{place}].side = {_spelled(reader.side)}: the board {board.name} has {' and '.join(sides)}."
            )


def _tables(kind: type[Any], key: str, value: Any, problems: list[str]) -> Any:
    """A list of tables, each filled by itself; the first is called readers[1]."""
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        problems.append(f"{key} = {_spelled(value)}: allowed is a table for each, [[{key}]].")
        return ()
    return tuple(_fill(kind(), each, f"{key}[{place}].", problems) for place, each in enumerate(value, start=1))


def _fill(part: Any, values: Mapping[str, Any], path: str, problems: list[str]) -> Any:
    """`part` with what `values` changes; whatever cannot be taken is added to `problems`."""
    known = {entry.name: entry for entry in fields(part)}
    taken = {}
    for key, value in values.items():
        if key not in known:
            problems.append(f"{path}{key} = {_spelled(value)}: there is no such key; allowed are {', '.join(known)}.")
        elif kind := known[key].metadata.get("tables"):
            taken[key] = _tables(kind, f"{path}{key}", value, problems)
        elif not known[key].metadata:
            if isinstance(value, Mapping):
                taken[key] = _fill(getattr(part, key), value, f"{path}{key}.", problems)
            else:
                problems.append(f"{path}{key} = {_spelled(value)}: allowed is a table, [{path}{key}].")
        elif _fits(known[key], value):
            taken[key] = _meant(known[key], value)
        else:
            problems.append(f"{path}{key} = {_spelled(value)}: allowed is {known[key].metadata['allowed']}.")
    return replace(part, **taken)


def _fits(entry: Field[Any], value: Any) -> bool:
    kind = entry.metadata["type"]
    return isinstance(value, kind) and not isinstance(value, bool) and bool(entry.metadata["fits"](value))


def _meant(entry: Field[Any], value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return entry.metadata.get("means", {}).get(value, value)


def _spelled(value: object) -> str:
    """A value much as TOML has it."""
    return json.dumps(value, ensure_ascii=False, default=str)
