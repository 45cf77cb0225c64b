"""The one TOML file: defaults for everything, all problems in one report, and a page that describes every key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import Field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.places import ROOT

from cribboard import RULES
from cribboard.rules import changed
from cribd.__main__ import main
from cribd.boards import Board, load
from cribd.config.config import Config, ConfigError, board_of, configure, load_config, rules_of
from cribd.config.config import changed as with_values
from cribd.table.rule_sets import RuleSet
from cribd.wires import ReaderKind, ReaderWire

PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def read_config(text: str) -> Config:
    """The defaults with what stands in this TOML text."""
    return with_values(Config(), tomllib.loads(text))


def not_allowed(key: str, value: object, allowed: str) -> str:
    return phrase("problem.not_allowed", key=key, value=value, allowed=allowed)


def placed(where: str, problem: str) -> str:
    return phrase("problem.placed", where=where, problem=problem)


def fitted(text: str) -> Board:
    """The board that this configuration names, if its rules fit it."""
    config = read_config(text)
    board = board_of(config)
    rules_of(config, board)
    return board


def keys(part: Any, path: str = "") -> Iterator[tuple[str, Field[Any], Any]]:
    """Every key with its dotted path and its default."""
    for entry in fields(part):
        value = getattr(part, entry.name)
        if kind := entry.metadata.get("tables"):
            yield from keys(kind(), f"{path}{entry.name}.")
        elif entry.metadata:
            yield f"{path}{entry.name}", entry, value
        else:
            yield from keys(value, f"{path}{entry.name}.")


KEYS = {path: (entry, value) for path, entry, value in keys(Config())}


def written(path: str, value: str) -> str:
    """A TOML text that sets one key."""
    table, _, key = path.rpartition(".")
    if table == "readers":
        others = "" if key == "port" else 'port = "/dev/ttyACM0"\n'
        return f"[[readers]]\n{others}{key} = {value}\n"
    return f"[{table}]\n{key} = {value}\n" if table else f"{key} = {value}\n"


def heading(path: str) -> str:
    """How a report names a key: readers are counted from 1."""
    return path.replace("readers.", "readers[1].")


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as wrong:
        read_config(text)
    assert str(wrong.value).splitlines() == wrong.value.problems
    return wrong.value.problems


def test_without_a_file_everything_has_its_default() -> None:
    assert load_config(None) == read_config("") == Config()


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text('[table]\nway = "trust"\nblue = "Aimée"\n[page]\nport = 0\n', encoding="utf-8")
    config = load_config(file)
    assert (config.table.way, config.table.blue, config.page.port) == ("trust", "Aimée", 0)
    assert (config.table.red, config.page.host, config.lights) == ("", "127.0.0.1", Config().lights)


def test_off_disables_the_timer_that_releases_a_trusted_peg() -> None:
    assert read_config('[table]\nrelease_after_ms = "off"').table.release_after_ms is None
    assert read_config("[table]\nrelease_after_ms = 0").table.release_after_ms == 0


def test_off_serves_no_page_and_a_pin_keeps_its_leading_zero() -> None:
    assert read_config('[page]\nport = "off"').page.port is None
    assert read_config('[page]\npin = "0042"').page.pin == "0042"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("table.board", '"oval"'),
        ("table.rules", '"whist"'),
        ("table.house_rules", '"legion.toml"'),
        ("table.house_rules", '["six-card"]'),
        ("table.house_rules", "[3]"),
        ("table.way", '"guess"'),
        ("table.language", '"fr"'),
        ("table.release_after_ms", "-1"),
        ("table.release_after_ms", "true"),
        ("table.release_after_ms", '"never"'),
        ("table.deck", '"Rouge!"'),
        ("table.blue", '"two\\nlines"'),
        ("table.red", '" Jean "'),
        ("buttons.scan_ms", "0"),
        ("buttons.scan_ms", "nan"),
        ("buttons.debounce_ms", "100.5"),
        ("buttons.stuck_s", "1"),
        ("buttons.hold_s", '"long"'),
        ("lights.brightness", "50.0"),
        ("lights.gamma", "0.5"),
        ("sound.volume", "11"),
        ("readers.port", '"COM3"'),
        ("readers.name", '"the north one"'),
        ("readers.kind", '"keyboard"'),
        ("readers.side", '"yellow"'),
        ("readers.baud", "110"),
        ("readers.prefix", '"\\r"'),
        ("readers.suffix", '"é"'),
        ("page.host", '"my board"'),
        ("page.port", "65536"),
        ("club.name", f'"{"é" * 41}"'),
        ("club.name", '"Érable "'),
        ("page.port", '"no"'),
        ("page.pin", '"123"'),
        ("page.pin", '"1234567890123"'),
        ("page.pin", '"12a4"'),
        ("page.pin", '"２５８０"'),
        ("page.pin", "2580"),
        ("journal", "[]"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_in_a_sentence_with_key_value_and_what_is(path: str, value: str) -> None:
    allowed = KEYS[path][0].metadata["allowed"].words
    assert problems(written(path, value)) == [not_allowed(heading(path), value, allowed)]


def test_every_key_is_refused_if_its_value_is_of_another_kind() -> None:
    for path in KEYS:
        (sentence,) = problems(written(path, "[1979-05-27]"))
        assert has_phrase(sentence, "problem.not_allowed", key=heading(path), value="[1979-05-27]")


def test_an_unknown_key_or_table_is_refused_with_those_there_are() -> None:
    keys = "scan_ms, debounce_ms, stuck_s, hold_s"
    assert problems("[buttons]\ndebounce = 5") == [
        phrase("problem.config.no_key", key="buttons.debounce", value=5, known=keys)
    ]
    tables = "table, buttons, lights, screen, sound, voice, readers, page, backup, club, journal"
    assert problems("[leds]\n") == [phrase("problem.config.no_key", key="leds", value="{}", known=tables)]


def test_a_table_that_is_written_as_a_value_is_refused() -> None:
    assert problems("table = 3") == [not_allowed("table", 3, phrase("problem.config.table", key="table"))]


def test_all_problems_come_in_one_report() -> None:
    found = problems('colour = 1\n[table]\nway = "guess"\nblue = "Ann"\nred = "Ann"\n[page]\nport = -1\n')
    assert [sentence.partition(" =")[0] for sentence in found] == ["colour", "table.way", "page.port", "table.red"]


def test_two_sides_cannot_share_a_name() -> None:
    assert problems('[table]\nblue = "Ann"\nred = "ANN"') == [
        phrase("problem.config.side_twice", side="red", value='"ANN"', other="blue")
    ]
    assert problems('[table]\nred = "Ann"\ngreen = "ann"') == [
        phrase("problem.config.side_twice", side="green", value='"ann"', other="red")
    ]
    assert read_config('[table]\nblue = ""\nred = ""').table.red == ""


NORTH = '[[readers]]\nname = "north"\nport = "/dev/ttyACM0"\n'


def test_several_readers_have_a_table_each_and_the_speed_of_their_kind() -> None:
    one, other = read_config(f'{NORTH}[[readers]]\nkind = "pn532"\nport = "/dev/ttyAMA0"\nside = "red"').readers
    assert (one.wire, other.wire) == (
        ReaderWire("north", ReaderKind.SCANNER, 9600),
        ReaderWire("reader", ReaderKind.PN532, 115200),
    )
    assert read_config(f"{NORTH}baud = 38400").readers[0].wire.baud == 38400


def test_all_conflicts_between_readers_come_in_one_report() -> None:
    assert problems(f'{NORTH}side = "red"\n{NORTH}side = "red"\nkind = "rdm6300"\nprefix = "x"') == [
        *(
            phrase("problem.config.reader_twice", place=2, key=key, value=value, other=1)
            for key, value in (("name", '"north"'), ("port", '"/dev/ttyACM0"'), ("side", '"red"'))
        ),
        phrase("problem.config.scanner_only", place=2, key="prefix", value='"x"'),
    ]
    assert problems('[[readers]]\nname = "north"') == [
        not_allowed("readers[1].port", '""', phrase("problem.config.device"))
    ]
    assert problems("readers = [3]") == [not_allowed("readers", "[3]", phrase("problem.config.tables", key="readers"))]


def test_a_reader_of_a_side_that_the_board_does_not_have_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text(f'{NORTH}side = "green"')
    with pytest.raises(ConfigError) as wrong:
        configure(file, {})
    sides = phrase("problem.both", one="blue", other="red")
    assert wrong.value.problems == [
        phrase("problem.config.reader_side", place=1, value='"green"', board="continuous", sides=sides)
    ]
    configure(file, {"table": {"board": "triple"}})


def test_a_file_that_is_no_toml_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("way = verify", encoding="utf-8")
    with pytest.raises(ConfigError) as wrong:
        load_config(file)
    (problem,) = wrong.value.problems
    assert has_phrase(problem, "problem.config.toml", file=file)
    assert has_phrase(problem, "problem.toml.syntax", line=1)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_refused_with_its_path(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "board.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError) as wrong:
        load_config(file)
    (problem,) = wrong.value.problems
    assert has_phrase(problem, "problem.file.unreadable", file=file)


# The board that it names


def test_the_board_is_the_one_that_is_named() -> None:
    assert board_of(Config()) == load("continuous")
    assert board_of(read_config('[table]\nboard = "classic"')) == load("classic")


@pytest.mark.parametrize("name", ["/nowhere/mine.toml", "mine.toml"])
def test_a_board_file_that_is_not_there_is_refused(name: str) -> None:
    config = read_config(f'[table]\nboard = "{name}"')
    with pytest.raises(ConfigError) as wrong:
        board_of(config)
    (problem,) = wrong.value.problems
    assert has_phrase(problem, "problem.config.no_board", named=f'table.board = "{name}"')
    assert "continuous" in problem


def test_a_board_file_that_cannot_be_built_is_refused_with_all_its_problems(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("laps = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError) as wrong:
        board_of(read_config(f'[table]\nboard = "{file}"'))
    assert len(wrong.value.problems) > 2


def test_a_board_that_is_too_short_for_the_rules_is_refused(tmp_path: Path) -> None:
    text = files("cribd.boards").joinpath("classic.toml").read_text(encoding="utf-8")
    one_lap = re.sub(r"(?m)^laps = 2$", "laps = 1", text)
    one_lap = re.sub(r'(, )?"(blue|red) lap"', "", one_lap)
    file = tmp_path / "short.toml"
    file.write_text(one_lap, encoding="utf-8")
    with pytest.raises(ConfigError) as wrong:
        fitted(f'[table]\nboard = "{file}"')
    (problem,) = wrong.value.problems
    assert has_phrase(problem, "problem.rules.holes", rules="six-card", target=121, farthest=61)
    assert fitted(f'[table]\nboard = "{file}"\nrules = "five-card"').game_hole == 61


@pytest.mark.parametrize("command", [["run", "--twin"], ["demo"]])
def test_a_board_that_is_not_there_stops_a_command_with_one_sentence(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--board", "oval"]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert '"oval"' in sentence
    assert "continuous" in sentence


# The rules that it names


def legion(
    folder: Path, text: str = 'preset = "britannica"\nname = "Legion Hall"\ntarget = 61\nskunk_line = 31'
) -> Path:
    file = folder / "legion.toml"
    file.write_text(text, encoding="utf-8")
    return file


LEGION = RuleSet("Legion Hall", changed(RULES["britannica"], {"target": 61, "skunk_line": 31}))


def test_the_rules_are_a_preset_or_a_house_rules_file(tmp_path: Path) -> None:
    board, file = load("continuous"), legion(tmp_path)
    assert rules_of(Config(), board) == (RuleSet("six-card", RULES["six-card"]), ())
    assert rules_of(read_config('[table]\nrules = "fadoq"'), board)[0].title == "fadoq"
    assert rules_of(read_config(f'[table]\nrules = "{file}"'), board) == (LEGION, (LEGION,))
    offered = read_config(f'[table]\nrules = "acc"\nhouse_rules = ["{file}"]')
    assert rules_of(offered, board) == (RuleSet("acc", RULES["acc"]), (LEGION,))


def test_rules_for_more_sides_than_the_board_has_tracks_are_refused() -> None:
    config = read_config('[table]\nrules = "three-player"')
    with pytest.raises(ConfigError) as wrong:
        rules_of(config, board_of(config))
    tracks = phrase("problem.rules.tracks", rules="three-player", sides=3, board="continuous", tracks=2)
    named = placed('table.rules = "three-player"', tracks)
    assert wrong.value.problems == [phrase("problem.sentence", clause=named)]
    assert rules_of(config, load("triple"))[0].title == "three-player"


def test_all_problems_of_the_rules_come_in_one_report(tmp_path: Path) -> None:
    unknown = legion(tmp_path, 'preset = "britanica"\ntarget = 500')
    contrary = tmp_path / "contrary.toml"
    contrary.write_text('preset = "fadoq"\nexact_out = "on"', encoding="utf-8")
    files = f'["{unknown}", "{contrary}", "/nowhere/mine.toml"]'
    with pytest.raises(ConfigError) as wrong:
        fitted(f'[table]\nrules = "six-player"\nhouse_rules = {files}')
    presets = phrase("problem.rules.preset", presets=", ".join(RULES))
    target = not_allowed("target", 500, phrase("problem.whole_number", low=31, high=121))
    never_out = phrase("problem.rules.one_is_barred")
    missing = phrase("problem.file.why.ENOENT")
    tracks = phrase("problem.rules.tracks", rules="six-player", sides=3, board="continuous", tracks=2)
    assert sorted(wrong.value.problems) == sorted(
        [
            placed("table.house_rules", placed(str(unknown), placed('preset = "britanica"', presets))),
            placed("table.house_rules", placed(str(unknown), target)),
            placed(
                "table.house_rules",
                placed(str(contrary), placed("exact_out = on, no_single_point_from = 116", never_out)),
            ),
            phrase("problem.file.unreadable", file="table.house_rules: /nowhere/mine.toml", why=missing),
            phrase("problem.sentence", clause=placed('table.rules = "six-player"', tracks)),
        ]
    )


def test_problems_of_the_file_the_command_line_and_the_rules_come_in_one_report(tmp_path: Path) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text('[table]\nrules = "three-player"\nwya = "auto"\n[lights]\nbrightness = 101\n')
    with pytest.raises(ConfigError) as wrong:
        configure(file, {"page": {"port": -1}})
    assert [problem.partition(":")[0].partition(" = ")[0] for problem in wrong.value.problems] == [
        "table.wya", "lights.brightness", "page.port", "table.rules",
    ]  # fmt: skip
    config, board = configure(None, {"table": {"board": "triple", "rules": "three-player"}})
    assert (config.table.rules, len(board.tracks)) == ("three-player", 3)


# Where the journal is


def test_the_journal_is_where_the_file_says_or_in_the_usual_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Config().journal_path == tmp_path / "cribboard" / "journal.db"
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/cribd")
    assert Config().journal_path == Path("/var/lib/cribd/journal.db")
    assert read_config(f'journal = "{tmp_path}/mine.db"').journal_path == tmp_path / "mine.db"


# The page that describes it


SECTIONS = dict(re.findall(r"(?ms)^### (\S+)\n(.*?)(?=^##|\Z)", PAGE))


def test_every_key_has_its_heading_and_every_heading_its_key() -> None:
    assert SECTIONS.keys() == KEYS.keys()


@pytest.mark.parametrize("path", KEYS)
def test_the_page_gives_meaning_default_and_what_is_allowed(path: str) -> None:
    entry, default = KEYS[path]
    meaning, _, rest = SECTIONS[path].partition("\n- Default: ")
    assert len(meaning.split()) >= 3
    title, _, allowed = rest.partition("\n- Allowed: ")
    written = tomllib.loads(f"x = {title.strip('`')}")["x"]
    assert (tuple(written) if isinstance(written, list) else written) == default
    assert allowed.strip() == entry.metadata["allowed"].words


def test_the_example_says_the_defaults_and_nothing_else() -> None:
    example, two_readers = re.findall(r"(?ms)^```toml\n(.*?)^```", PAGE)
    assert len(read_config(two_readers).readers) == 2
    assert read_config(example) == Config()
    named = {
        path for path in KEYS if path.startswith("readers.") or re.search(rf"(?m)^{path.split('.')[-1]} = ", example)
    }
    assert named == KEYS.keys()


def test_the_report_that_the_page_shows_is_what_such_a_file_gives() -> None:
    (report,) = re.findall(r"(?ms)^```text\n(.*?)^```", PAGE)
    assert problems('[table]\nway = "guess"\n[buttons]\ndebounce = 5') == report.splitlines()
