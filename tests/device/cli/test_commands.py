"""What a person gets from the command line, and what a program gets with `--json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.kept_games import played_by_robots
from tests.support.places import A_GAME, ROOT

from cribboard import RULES, Card, Score, record
from cribboard.scoring import Combination, Kind
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.open_journal import open_or_repair_journal
from cribd.text import count_in_words, load

HAND = ["5H", "5C", "5S", "JD", "5D"]

NO_SUCH_FILE = phrase("problem.file.why.ENOENT")
NO_CONFIGURATION = phrase("problem.file.unreadable", file="nowhere.toml", why=NO_SUCH_FILE)
NO_RULES_OF_WHIST = phrase("problem.rules.name", name="--rules whist", presets=", ".join(RULES))
NO_SUCH_PORT = phrase(
    "problem.not_allowed",
    key="page.port",
    value=70000,
    allowed=phrase("problem.or_else", one=phrase("problem.whole_number", low=0, high=65535), other='"off"'),
)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose journal has two games that robots played."""
    return played_by_robots(tmp_path_factory.mktemp("robots"), wrong=0)


@pytest.fixture
def played(robots: Path, tmp_path: Path) -> Path:
    """A copy of the robots' journal."""
    return Path(copyfile(robots / "journal.db", tmp_path / "journal.db"))


def fifteens(*totals: int, language: str = "en") -> str:
    """The first steps of a count in words: fifteens up to these totals."""
    return ", ".join(phrase("cadence.fifteen", language, total=phrase(f"number.{total}", language)) for total in totals)


def test_a_hand_is_counted_combination_by_combination(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "count", *HAND)
    said_so, *steps, total = out.splitlines()
    assert code == 0
    assert said_so.startswith(f"{fifteens(2, 4, 6)}, ")
    assert (steps[0], len(steps)) == (f"    {phrase('short.fifteen', total=2)} 5♣ J♦", 10)
    assert total == phrase("command.count.total", points=phrase("points", n=29))


def test_count_and_record_show_print_a_count_alike(capsys: pytest.CaptureFixture[str]) -> None:
    """What `count` tells in lines, `record show` tells of a claim."""
    record_of_a_game = str(A_GAME)
    claim = next(found for found in json.loads(said(capsys, "record", "claims", record_of_a_game, "--json")[1])
                 if found["for"] == ["hand"] and found["due"] > 6)  # fmt: skip
    shown = said(capsys, "record", "show", record_of_a_game, "--at", str(claim["event"]))[1]
    score = Score(tuple(
        Combination(Kind(found["kind"]), Card.parse_many(" ".join(found["cards"])), found["points"])
        for found in claim["combinations"]
    ))  # fmt: skip
    assert f"({', '.join(count_in_words.count_lines(score, load('en')))})" in shown


@pytest.mark.parametrize(("hand", "total"), [("5H 6C 2S KD QD", 4), ("2H 4C 6D 8S TC", 0), ("JH 2C 4D 6S 8H", 1)])
def test_one_point_is_a_point_and_two_are_points(capsys: pytest.CaptureFixture[str], hand: str, total: int) -> None:
    english = said(capsys, "count", *hand.split())[1].splitlines()[-1]
    french = said(capsys, "count", *hand.split(), "--lang", "fr")[1].splitlines()[-1]
    points = f"{total} point{'' if total == 1 else 's'}"
    french_points = f"{total} point{'s' if total > 1 else ''}"
    assert english == phrase("command.count.total", points=points)
    assert french == phrase("command.count.total", "fr_CA", points=french_points)


def test_a_crib_needs_five_cards_of_a_suit_for_a_flush(capsys: pytest.CaptureFixture[str]) -> None:
    cards = ["2H", "6H", "9H", "KH", "4S"]
    assert json.loads(said(capsys, "count", *cards, "--json")[1])["total"] == 8
    assert json.loads(said(capsys, "count", *cards, "--crib", "--json")[1])["total"] == 4


@pytest.mark.parametrize("hand", ["5♥ 5♣ 5♠ J♦ 5♦", "5♥\ufe0f 5♣\ufe0f 5♠\ufe0f J♦\ufe0e 5♦", "5h 5c 5s V♦ 5d"])
def test_cards_are_read_as_they_are_printed(capsys: pytest.CaptureFixture[str], hand: str) -> None:
    assert json.loads(said(capsys, "count", *hand.split(), "--json")[1])["total"] == 29
    assert json.loads(said(capsys, "count", hand, "--json")[1])["total"] == 29


def test_a_called_number_is_judged_in_cadence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "count", "TC", "5H", "5D", "8S", "3D", "--called", "8")
    assert code == 0
    assert out.splitlines() == [
        phrase("judge.too_many", called=8, due=6),
        "fifteen two, fifteen four, and a pair is six",
        f"    {phrase('short.fifteen', total=2)} 5♦ 10♣",
        f"    {phrase('short.fifteen', total=4)} 5♥ 10♣",
        f"    {phrase('short.pair', total=6)} 5♦♥",
    ]
    out = said(capsys, "count", "TC", "5H", "5D", "8S", "3D", "--lang", "fr")[1]
    assert out.startswith("quinze-deux, quinze-quatre, et une paire, six\n")


def test_a_called_number_is_judged_in_french_and_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("count", *HAND, "--called", "27", "--lang", "fr")
    impossible = phrase("judge.impossible", "fr_CA", called=27, due=29)
    assert said(capsys, *arguments)[1].startswith(f"{impossible}\n{fifteens(2, 4, language='fr_CA')},")
    payload = json.loads(said(capsys, *arguments, "--json")[1])
    assert (payload["total"], payload["called"], payload["verdict"]) == (29, 27, "impossible")
    nobs = phrase("cadence.nobs", "fr_CA", total=phrase("number.29", "fr_CA"))
    assert payload["spoken"].endswith(phrase("cadence.and", "fr_CA", step=nobs))


def test_the_commands_on_the_page_of_the_judge_answer(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "count-judge.md").read_text(encoding="utf-8")
    answers = [said(capsys, *line.split()[1:]) for line in page.splitlines() if line.startswith(".venv/bin/cribboard")]
    assert [code for code, _, _ in answers] == [0] * 3


def test_with_cards_missing_count_lists_the_cards_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    def fits(called: int, n: int, language: str = "en") -> str:
        return phrase("judge.fits", language, called=called, n=n, possible=48)

    three_fives = ("count", "5H", "5C", "5S", "JD")
    assert said(capsys, *three_fives, "--called", "29")[1] == f"{fits(29, 1)}\n    5\n"
    four = ("count", "2C", "3D", "2H", "6S", "--called", "6")
    listed, listed_in_french = (
        phrase("fits.or", language, those="6, 7", last=phrase("fits.ten_card", language))
        for language in ("en", "fr_CA")
    )
    assert said(capsys, *four)[1] == f"{fits(6, 23)}\n    {listed}\n"
    assert said(capsys, *four, "--lang", "fr")[1] == f"{fits(6, 23, 'fr_CA')}\n    {listed_in_french}\n"
    assert said(capsys, *three_fives, "--called", "27")[1] == f"{phrase('judge.fits_never', called=27)}\n"
    payload = json.loads(said(capsys, "count", "5H", "5C", "--called", "12", "--json")[1])
    assert (payload["missing"], payload["ways"], len(payload["listed"]), payload["left_out"]) == (3, 5264, 12, 44)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["5H", "--called", "8"], phrase("command.count.judge_waits", n=4, wanted=2)),
        ([*HAND, "--called", "-3"], phrase("command.count.called", called=-3)),
        (["5H", "5C", "5S", "JD", "1X"], phrase("command.no_card", text="'1X'")),
        (["5H", "5H", "5S", "JD", "5D"], "5H"),
        (["5H"], ""),
        ([*HAND, "--rules", "whist"], NO_RULES_OF_WHIST),
    ],
)
def test_cards_that_cannot_be_counted_are_named(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], problem: str
) -> None:
    code, out, err = said(capsys, "count", *arguments)
    assert code == 2
    assert out == ""
    assert problem in err


def test_the_games_of_the_journal_are_listed(capsys: pytest.CaptureFixture[str], played: Path) -> None:
    games = json.loads(said(capsys, "record", "--journal", str(played), "--json")[1])
    assert [(game["game"], game["rules"]) for game in games] == [(1, "Rules: six-card/2"), (2, "Rules: six-card/2")]


def test_a_game_of_the_journal_becomes_a_record_that_is_judged_again(
    capsys: pytest.CaptureFixture[str], played: Path, tmp_path: Path
) -> None:
    page = tmp_path / "game.txt"
    assert said(capsys, "record", "export", "2", str(page), "--journal", str(played))[0] == 0
    game = record.judge(record.read(page.read_text()))
    assert game.position.winner is not None
    code, out, _ = said(capsys, "replay", str(page), "--language", "fr_CA")
    assert code == 0
    assert len(out.splitlines()) > 100
    acts = json.loads(said(capsys, "replay", str(page), "--json")[1])["acts"]
    assert acts[-1]["scores"] == [pegs.front for pegs in game.position.pegs]


def test_a_record_that_was_changed_is_refused_with_line_and_reason(
    capsys: pytest.CaptureFixture[str], played: Path, tmp_path: Path
) -> None:
    page = tmp_path / "game.txt"
    said(capsys, "record", "export", "1", str(page), "--journal", str(played))
    page.write_text(page.read_text().replace("> accept-result blue", "> accept-result red"))
    code, _, err = said(capsys, "replay", str(page))
    assert code == 2
    assert "line " in err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["record", "export", "9"], phrase("record.no_game", game=9, games="1, 2")),
        (["record", "--journal", "nowhere.db"], phrase("command.no_journal", file="nowhere.db")),
        (["replay", "nowhere.txt"], phrase("record.no_file", file="nowhere.txt")),
        (["replay", "nowhere.txt", "--language", "fr_CA"], phrase("record.no_file", "fr_CA", file="nowhere.txt")),
        (["replay", "/proc"], phrase("record.a_folder", file="/proc")),
        (["run", "--config", "nowhere.toml"], NO_CONFIGURATION),
        (
            ["run", "--config", "/proc"],
            phrase("problem.file.unreadable", file="/proc", why=phrase("problem.file.why.EISDIR")),
        ),
        (["decks", "list", "--config", "nowhere.toml"], NO_CONFIGURATION),
        (["enroll", "--deck", "rouge", "--config", "nowhere.toml"], NO_CONFIGURATION),
        (["rules", "show", "nowhere.toml"], NO_CONFIGURATION),
        (
            ["demo", "--diary", "/proc/nowhere/diary"],
            phrase("command.unwritable", file="/proc/nowhere/diary", why=NO_SUCH_FILE),
        ),
        (["demo", "--wrong", "2"], phrase("command.demo.share", name="wrong", value=2.0)),
        (["demo", "--games", "0"], phrase("command.demo.amounts")),
        (["demo", "--board", "chess"], "chess"),
        (["run", "--board", "chess"], "chess"),
        (["run", "--twin", "--port", "70000"], NO_SUCH_PORT),
        (
            ["run", "--twin", "--journal", "/proc/nowhere/journal.db"],
            phrase("command.unmakeable", file="/proc/nowhere/twin", why=NO_SUCH_FILE),
        ),
        (
            ["record", "export", "1", "/proc/nowhere/game.txt"],
            phrase("command.unwritable", file="/proc/nowhere/game.txt", why=NO_SUCH_FILE),
        ),
    ],
)
def test_a_wish_that_cannot_be_met_is_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], played: Path, arguments: Sequence[str], problem: str
) -> None:
    if arguments[0] == "record" and "--journal" not in arguments:
        arguments = [*arguments, "--journal", str(played)]
    code, _, err = said(capsys, *arguments)
    assert code == 2
    assert problem in err
    assert "Traceback" not in err
    assert "Errno" not in err


def test_a_board_file_that_is_no_text_is_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = tmp_path / "board.toml"
    board.write_bytes(b"name = '\xff'\n")
    no_text = phrase("problem.file.unreadable", file=f"--board {board}", why=phrase("problem.file.why.no_text"))
    assert said(capsys, "demo", "--board", str(board)) == (2, "", f"{no_text}\n")


def test_without_a_pi_run_names_the_twin(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "run")
    assert code == 2
    pins, *_, twin = err.splitlines()
    assert has_phrase(pins, "command.run.no_pins")
    assert twin == phrase("command.run.with_twin")
    assert "--twin" in twin


def test_a_configuration_with_several_faults_starts_nothing_and_names_them_all(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text('[table]\nway = "hope"\n[lights]\nbrightnes = 3\n')
    code, _, err = said(capsys, "run", "--twin", "--config", str(file))
    assert code == 2
    assert 'table.way = "hope"' in err
    assert "lights.brightnes = 3" in err


def test_two_boards_never_write_one_journal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal, _ = open_or_repair_journal(path, ManualClock())
    code, _, err = said(capsys, "run", "--twin", "--journal", str(path), "--port", "0", "--no-browser")
    assert code == 2
    assert phrase("problem.placed", where=path, problem=phrase("problem.journal.busy")) in err
    journal.close()
    open_or_repair_journal(path, ManualClock())[0].close()
    assert sorted(file.name for file in tmp_path.glob("*.damaged*")) == []


def test_robots_keep_to_a_journal_of_their_own(capsys: pytest.CaptureFixture[str], played: Path) -> None:
    code, _, err = said(capsys, "demo", "--journal", str(played))
    assert code == 2
    assert phrase("command.demo.journal_there", file=played) in err


def too_long(file: str) -> str:
    return phrase("command.unwritable", file=file, why=phrase("problem.file.why.ENAMETOOLONG"))


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("event backup PATH --journal JOURNAL", too_long("PATH")),
        ("event backup PATH.db --journal JOURNAL", too_long("PATH.db")),
        ("event backup FOLDER --journal PATH", "PATH"),
        ("event show --journal PATH", "PATH"),
        ("event export record.txt --journal JOURNAL --to PATH", phrase("command.event.none")),
        ("event begin PATH.toml --journal JOURNAL", "PATH.toml"),
        ("record list --journal PATH", "PATH"),
        ("record export 1 --journal PATH", "PATH"),
        ("record verify PATH", "PATH"),
        ("statistics --journal PATH", "PATH"),
        ("replay PATH", "PATH"),
        ("demo --journal PATH", "PATH"),
        ("run --config PATH", "PATH"),
    ],
)
def test_a_path_that_is_too_long_is_named_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], played: Path, command: str, names: str
) -> None:
    here = sorted(played.parent.iterdir())
    long = f"{played.parent}/{'x' * 300}"
    words = {"JOURNAL": str(played), "FOLDER": str(played.parent)}
    argued = [words.get(word, word.replace("PATH", long)) for word in command.split()]
    code, out, err = said(capsys, *argued, *(["--lang", "en"] if argued[0] in ("event", "record", "demo") else []))
    assert (code in (1, 2), out) == (True, "")
    assert names.replace("PATH", long) in err
    assert "Traceback" not in err
    assert sorted(played.parent.iterdir()) == here
