"""What the commands print: every line in every language, chosen by `--lang` or else by the environment."""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase, phrases_of
from tests.support.places import A_GAME

from cribboard.rules import PARAMETERS
from cribd.__main__ import main
from cribd.cli.language import output_language
from cribd.cli.main import parse, parser
from cribd.cli.parser import Parser, takes
from cribd.cli.run import settings
from cribd.clock import ManualClock
from cribd.config.config import configure
from cribd.languages import CATALOGUES, environment_language, languages, spellings
from cribd.storage.open_journal import open_or_repair_journal
from cribd.text import load

FIRMWARE = CATALOGUES.parent
SOURCES = [*(FIRMWARE / "cli").glob("*.py"), *FIRMWARE.glob("*.py"), *(FIRMWARE / "config").glob("*.py")]

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Types a command, and reads what came of it."""

    def typed(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return typed


# The catalogue


def texts(source: str) -> Iterator[str]:
    """The texts in a source, those that are put together up to where that begins."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
                yield f"{text}{{"
            case ast.Constant(value=str(text)):
                yield text


ASKED = {
    text for file in SOURCES for text in texts(file.read_text(encoding="utf-8"))
    if re.fullmatch(r"command\.[\w.]+\{?", text)
}  # fmt: skip
#: Codes that are put together of a beginning and what is at hand, by their beginning.
MADE = tuple(text.removesuffix("{") for text in ASKED if text.endswith(("{", ".")))


@pytest.mark.parametrize("language", languages())
def test_no_phrase_of_a_command_is_missing_or_unused(language: str) -> None:
    messages = phrases_of(language)
    there = {name.partition("\0")[0] for name in messages if name.startswith("command.")}
    plain = {text for text in ASKED if not text.endswith(("{", "."))}
    assert len(plain) > 50
    assert plain <= there
    assert {code for code in there - plain if not code.startswith(MADE)} == set()
    assert all(any(code.startswith(made) for code in there - plain) for made in MADE)


def test_every_parameter_of_the_rules_has_its_meaning_in_every_language() -> None:
    for name, parameter in PARAMETERS.items():
        assert load("en").say(f"command.rules.says.{name}") == parameter.says
        assert load("fr_CA").say(f"command.rules.says.{name}") not in (parameter.says, f"command.rules.says.{name}")


# The command line itself


def test_the_version_is_that_of_the_package(said: Said) -> None:
    assert said("--version") == (0, f"cribboard {version('cribboard')}\n", "")


def test_without_a_command_it_lists_the_commands(said: Said) -> None:
    code, out, err = said()
    assert (code, out) == (2, "")
    assert err == parser().format_help()
    assert {"run", "count", "rules", "record", "enroll", "decks", "statistics", "replay", "demo"} <= set(err.split())
    assert phrase("command.does.cribboard", "fr_CA") in said("--lang", "fr")[2]


#: Every command, and what it needs to come to its first line.
COMMANDS = [
    ("run", "--config", "nowhere.toml"), ("count", "5H"), ("rules",), ("rules", "list"), ("rules", "show", "acc"),
    ("rules", "check", "nowhere.toml"), ("record",), ("record", "list"), ("record", "export", "1"),
    ("record", "verify", A_GAME), ("record", "claims", A_GAME), ("record", "show", A_GAME), ("enroll", "--deck", "R"),
    ("decks",), ("decks", "list"), ("decks", "show", "r"), ("decks", "labels", "R"), ("decks", "forget", "r"),
    ("statistics", A_GAME), ("replay", A_GAME), ("demo", "--games", "0"),
    ("doctor", "--config", "nowhere.toml"), ("selftest", "--config", "nowhere.toml"), ("first-boot", "nowhere"),
]  # fmt: skip
#: Those that say nothing here but what is wrong with a file of the configuration or of the rules, which is English.
ENGLISH = {("run", "--config", "nowhere.toml"), ("rules", "check", "nowhere.toml")}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(str, command[:2])))
def test_every_command_speaks_both_languages(
    said: Said, command: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def answer(*typed: object) -> tuple[int, str, str]:
        """The answer, without what the doctor measures: its figures differ each time."""
        code, *texts = said(*typed)
        out, err = (" ".join(re.sub(r"[\d.,]+", "#", text).split()) if "doctor" in command else text for text in texts)
        return code, out, err

    english, french = answer(*command, "--lang", "en"), answer(*command, "--lang", "fr")
    assert english[0] == french[0]
    if command not in ENGLISH:
        assert english[1:] != french[1:]
    assert answer(*command, "--lang", "fr_CA") == french
    assert answer("--lang", "fr", *command) == french
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    assert answer(*command) == french
    assert answer(*command, "--lang", "en") == english
    code, _, err = said(*command, "--lang", "tlh")
    assert code == 2
    known = ", ".join(sorted(spellings()))
    assert phrase("command.mistake.choice", "fr_CA", text="'tlh'", names=known) in err
    assert {"en", "fr", "fr_CA"} <= spellings().keys()


def every_parser() -> Iterator[Parser]:
    """The parser of each command and of each of its parts."""
    waiting = [parser()]
    while waiting:
        one = waiting.pop()
        yield one
        for action in one._actions:
            if isinstance(action, argparse._SubParsersAction):
                waiting += action.choices.values()


PARSERS = [*every_parser()]
PATHS = [one.prog.split()[1:] for one in PARSERS]


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_is_whole_and_in_the_language_that_is_asked_for(
    said: Said, path: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what a command does and takes, with an example that can be typed; no line of it is English in French."""
    monkeypatch.setenv("COLUMNS", "400")
    code, english, _ = said(*path, "--help", "--lang", "en")
    french = said("--lang", "fr", *path, "--help")[1]
    assert code == 0
    assert french == said(*path, "--help", "--lang=fr")[1]
    assert "command." not in english + french
    alike = {line.strip() for line in english.splitlines()} & {line.strip() for line in french.splitlines()}
    names = {line for line in alike if line.startswith(("cribboard ", "--")) and "   " not in line}
    assert alike - names <= {"", "arguments:", "options:"}
    [one] = [found for found in PARSERS if found.prog.split()[1:] == path]
    for words in (load("en"), load("fr_CA")):
        for action in one._get_positional_actions() + one._get_optional_actions():
            assert takes(one.prog, action, words), action
    for text, title in ((english, "example:"), (french, "exemple\u00a0:")):
        _, found, typed = text.partition(f"\n{title}\n")
        assert found, path
        for line in typed.strip().splitlines():
            assert parse(shlex.split(line)[1:]).command


def value(name: str) -> str:
    """The name of a value in the French help."""
    return phrase(f"command.value.{name}", "fr_CA")


#: What is mistyped: where, by an option or a name in the help, the code of what is said of it, and its values.
MISTYPED: dict[str, tuple[str, str, dict[str, object]]] = {
    "nonsense": ("", "choice", {"text": "'nonsense'"}),
    "--nonsense": ("", "unknown", {"text": "--nonsense"}),
    "count": ("", "missing", {"names": value("card")}),
    "count 5H --called x": ("--called", "no_int", {"text": "'x'"}),
    "count 5H --called": ("--called", "one", {}),
    "count 5H --c": ("", "ambiguous", {"text": "--c", "names": "--crib, --called, --config"}),
    "count 5H --crib=yes": ("--crib", "no_value", {"text": "'yes'"}),
    "count 5H --lang tlh": ("--lang", "choice", {"text": "'tlh'"}),
    "rules check": ("", "missing", {"names": value("file")}),
    "discard 5H": ("", "missing", {"names": "--crib"}),
    "discard 5H --crib ours": ("--crib", "choice", {"text": "'ours'", "names": "mine, theirs"}),
    "discard 5H --crib mine --scores 1": ("--scores", "some", {"text": 2}),
    "demo --speed x": ("--speed", "no_float", {"text": "'x'"}),
    "record show 1 --at 1 --deal 1": ("--deal", "not_with", {"names": "--at"}),
    "record export": ("", "missing", {"names": "N"}),
    "event": ("", "missing", {"names": value("what")}),
    "event nonsense": (value("what"), "choice", {"text": "'nonsense'"}),
    "event result": ("", "missing", {"names": f"{value('at')}, {value('scores')}"}),
    "event check-in x": (value("entrant"), "no_entrants", {"text": "'x'"}),
    "event check-in 9-5": (value("entrant"), "no_entrants", {"text": "'9-5'"}),
    "event check-in 1 --captain 3": ("--captain", "no_captain", {"text": "'3'"}),
    "event print slips --round 0": ("--round", "no_round", {"text": "'0'"}),
    "event export nothing": (value("name"), "choice", {"text": "'nothing'"}),
    "event begin": ("", "missing", {"names": value("format")}),
}


@pytest.mark.parametrize("typed", MISTYPED)
def test_a_typing_error_is_reported_in_the_language_of_the_option(
    said: Said, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    code, out, err = said(*typed.split())
    assert (code, out) == (2, "")
    where, mistake, values = MISTYPED[typed]
    assert has_phrase(err, f"command.mistake.{mistake}", "fr_CA", **values)
    assert not where or has_phrase(err, "command.mistake.at", "fr_CA", argument=where)
    english = re.compile(r"usage|error|argument |required|invalid|choose|expected|unrecognized|COMMAND\b|FILE\b|WHAT\b")
    assert not english.search(err), err
    assert said("--lang", "en", *typed.split())[2] != err


READ_BY_PROGRAMS = [
    command
    for command in COMMANDS
    if command[0] not in ("run", "enroll", "replay", "demo", "first-boot") and command[:2] != ("record", "show")
]


@pytest.mark.parametrize("command", READ_BY_PROGRAMS, ids=lambda command: " ".join(map(str, command[:2])))
def test_json_is_the_same_in_every_language(
    said: Said, command: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, out, _ = said(*command, "--json")
    assert said(*command, "--json", "--lang", "fr")[:2] == (code, out)
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    assert said(*command, "--json")[:2] == (code, out)


@pytest.mark.parametrize("command", ["replay {}", "record show {}", "count 5H 5C 5S JD 5D", "count 5H 5C --called 9"])
def test_json_does_not_depend_on_the_environment(said: Said, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = (*command.format(A_GAME).split(), "--json")
    answer = said(*typed)
    assert json.loads(answer[1])
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    assert said(*typed) == answer


def test_the_old_name_of_the_option_is_still_taken(said: Said) -> None:
    for name in ("en", "fr_CA"):
        assert said("replay", A_GAME, "--language", name) == said("replay", A_GAME, "--lang", name)


# The environment


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"), ({"LANG": "fr_CA.UTF-8"}, "fr_CA"), ({"LANG": "fr_FR@euro"}, "fr_CA"), ({"LANG": "fr"}, "fr_CA"),
        ({"LANG": "de_DE.UTF-8"}, "en"), ({"LANG": "C.UTF-8"}, "en"), ({"LANG": "POSIX"}, "en"), ({"LANG": "?"}, "en"),
        ({"LANG": "fr_CA.UTF-8", "LC_ALL": "C"}, "en"), ({"LANG": "fr_CA.UTF-8", "LC_ALL": ""}, "fr_CA"),
        ({"LANG": "en_CA.UTF-8", "LC_MESSAGES": "fr_CA.UTF-8"}, "fr_CA"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:fr:en"}, "fr_CA"), ({"LANG": "C", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "en_CA.UTF-8", "LANGUAGE": ""}, "en"), ({"LANG": "../../etc/passwd"}, "en"),
        ({"LANG": "fr_CA.UTF-8" * 500}, "fr_CA"), ({"LANGUAGE": "fr"}, "en"),
    ],
)  # fmt: skip
def test_the_language_follows_lc_all_lang_and_language_as_gettext_does(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert environment_language() == language


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell")
@pytest.mark.parametrize("locale", ["C", "POSIX", "fr_CA.ISO-8859-1", "nonsense"])
def test_a_locale_without_the_letters_still_prints_the_count(locale: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "cribd", "count", "5H", "5C", "5S", "JD", "5D"],
        env=os.environ | {"LC_ALL": locale, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "J♦" in ran.stdout.decode() or "V♦" in ran.stdout.decode()


# Where it goes wrong


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rules", "rules show acc", f"record show {A_GAME}", f"replay {A_GAME}"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_reported_in_one_sentence(command: str, unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "cribd", *command.split(), "--lang", "fr"],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    no_room = phrase("command.no_room", "fr_CA", why=phrase("problem.file.why.ENOSPC", "fr_CA"))
    assert (ran.returncode, ran.stderr.decode()) == (1, f"{no_room}\n")


@pytest.mark.parametrize("command", ["rules", "rules show acc", f"replay {A_GAME}"])
def test_a_pipe_that_is_closed_early_causes_no_error(command: str) -> None:
    ran = subprocess.run(
        f"{sys.executable} -m cribd {command} | head -c 1",
        shell=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        check=False,
    )
    assert ran.stderr == b""


#: A record that was torn off below line 40, which has event 31.
TORN = phrase("record.at", file="torn.txt", line=40, reason=phrase("record.short", number=31))


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (
            ("rules", "show", "~nobody-here/club.toml"),
            phrase("problem.file.unreadable", file="~nobody-here/club.toml", why=phrase("problem.file.why.ENOENT")),
        ),
        (("record", "show", "9" * 30), phrase("record.no_games", game="9" * 30)),
        (("record", "export", "9" * 30), phrase("record.no_games", game="9" * 30)),
        (("replay", "torn.txt"), TORN),
    ],
)
def test_an_unexpected_problem_is_reported_in_one_line(
    said: Said, command: tuple[str, ...], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "cribboard").mkdir()
    open_or_repair_journal(tmp_path / "cribboard" / "journal.db", ManualClock())[0].close()
    lines = A_GAME.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "torn.txt").write_text("".join(lines[:40]), encoding="utf-8")
    code, out, err = said(*command)
    assert (code, out) == (2, "")
    assert err.startswith(problem)


def test_a_file_that_is_no_journal_is_named(said: Said, tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Maude " * 100)
    code, _, err = said("statistics", "--journal", tmp_path / "letter.db")
    damaged = phrase("command.journal_damaged", where=tmp_path / "letter.db", why=phrase("problem.file.why.NOTADB"))
    assert (code, err) == (2, f"{damaged}\n")


# Forms for one and for many


@pytest.mark.parametrize(
    ("command", "english", "french"),
    [
        (("count", "5H"), "5 cards needed under six-card: ", "Aux règles six-card, il faut 5 cartes"),
        (("count", "5H"), "You gave 1 card.", "Vous avez donné 1 carte."),
        (("count", "5H", "5C"), "You gave 2 cards.", "Vous avez donné 2 cartes."),
        (("count", "5H", "--crib"), "a crib of 4, then the starter.", "un crib de 4, puis la retourne."),
        (
            ("count", "5H", "5H", "5C", "6C", "7C"),
            phrase("command.count.judge_twice", card="5H"),
            phrase("command.count.judge_twice", "fr_CA", card="5H"),
        ),
        (("count", "5H", "--called", "3"), "4 cards are missing", "Il manque 4 cartes"),
        (
            ("discard", "5H", "--crib", "mine"),
            "6 cards needed under six-card, as a seat is dealt. You gave 1 card.",
            "il faut 6 cartes, comme chacun en reçoit. Vous avez donné 1 carte.",
        ),
        (
            ("discard", "5H", "5H", "5C", "6C", "7C", "8C", "--crib=mine"),
            phrase("command.discard.twice", card="5H"),
            phrase("command.discard.twice", "fr_CA", card="5H"),
        ),
        (("count", "1♥"), phrase("command.no_card", text="'1♥'"), phrase("command.no_card", "fr_CA", text="'1♥'")),
    ],
)
def test_plurals_of_each_command_are_right_in_both_languages(
    said: Said, command: tuple[str, ...], english: str, french: str
) -> None:
    assert english in said(*command, "--lang", "en")[2]
    assert french in said(*command, "--lang", "fr")[2]


@pytest.mark.slow
def test_robots_count_games_skunks_and_deals_as_each_language_does(said: Said) -> None:
    short = ("demo", "--rules", "five-card", "--way", "auto", "--games", "1", "--seed", "3")
    code, out, _ = said(*short, "--lang", "en")
    assert code == 0
    assert re.match(r"1 game of five-card on continuous, auto: blue \d, red \d, 0 skunks, \d+ deals?\.\n", out)
    out = said(*short, "--lang", "fr")[1]
    assert re.match(
        r"1 partie de five-card sur continuous, auto\u00a0: bleu \d, rouge \d, 0 skunk, \d+ donnes?\.\n", out
    )
    assert re.search(r"\d,\d touches", out)


@pytest.mark.parametrize(("language", "shown"), [("en", "en"), ("fr", "fr_CA"), ("fr_CA", "fr_CA")])
def test_run_passes_the_chosen_language_to_the_board(language: str, shown: str) -> None:
    options = parse(["run", "--lang", language])
    options.language = output_language(options)
    config, _ = configure(None, settings(options))
    assert config.table.language == shown
    assert configure(None, settings(parse(["run"])))[0].table.language == "en"


def test_a_locked_or_missing_journal_is_reported_in_both_languages(said: Said, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    open_or_repair_journal(path, ManualClock())[0].close()
    for command in ("record", "statistics"):
        assert said(command, "--journal", path, "--lang", "fr")[0] == 0
        _, _, err = said(command, "--journal", tmp_path / "none.db", "--lang", "fr")
        assert err == f"{phrase('command.no_journal', 'fr_CA', file=tmp_path / 'none.db')}\n"
