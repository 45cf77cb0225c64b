"""What a person gets from the command line, and what a program gets with `--json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile

import pytest
from tests.support.catalogues import phrase
from tests.support.kept_games import played_by_robots
from tests.support.places import A_GAME, ROOT

from cribboard import Card, Score, record
from cribboard.scoring import Combination, Kind
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.open_journal import open_journal
from cribd.text import count_in_words, load

HAND = ["5H", "5C", "5S", "JD", "5D"]


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


def test_a_hand_is_counted_combination_by_combination(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "count", *HAND)
    said_so, *steps, total = out.splitlines()
    assert code == 0
    assert said_so.startswith("fifteen two, fifteen four, fifteen six, ")
    assert (steps[0], len(steps)) == ("    15-2 5♣ J♦", 10)
    assert total == "Total: 29 points"


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
    assert english == f"Total: {total} point{'' if total == 1 else 's'}"
    assert french == f"Total : {total} point{'s' if total > 1 else ''}"


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
        "8: too many. It's 6",
        "fifteen two, fifteen four, and a pair is six",
        "    15-2 5♦ 10♣",
        "    15-4 5♥ 10♣",
        "    pair 6 5♦♥",
    ]
    out = said(capsys, "count", "TC", "5H", "5D", "8S", "3D", "--lang", "fr")[1]
    assert out.startswith("quinze-deux, quinze-quatre, et une paire, six\n")


def test_a_called_number_is_judged_in_french_and_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("count", *HAND, "--called", "27", "--lang", "fr")
    assert said(capsys, *arguments)[1].startswith("27 : impossible (29)\nquinze-deux, quinze-quatre,")
    payload = json.loads(said(capsys, *arguments, "--json")[1])
    assert (payload["total"], payload["called"], payload["verdict"]) == (29, 27, "impossible")
    assert payload["spoken"].endswith("et le valet de la couleur, vingt-neuf")


def test_the_commands_on_the_page_of_the_judge_answer(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "count-judge.md").read_text(encoding="utf-8")
    answers = [said(capsys, *line.split()[1:]) for line in page.splitlines() if line.startswith(".venv/bin/cribboard")]
    assert [code for code, _, _ in answers] == [0] * 3


def test_with_cards_missing_count_lists_the_cards_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "count", "5H", "5C", "5S", "JD", "--called", "29")[1] == "29: 1 of 48 cards\n    5\n"
    four = ("count", "2C", "3D", "2H", "6S", "--called", "6")
    assert said(capsys, *four)[1] == "6: 23 of 48 cards\n    6, 7, or any ten-card\n"
    assert said(capsys, *four, "--lang", "fr")[1] == "6 : 23 cartes sur 48\n    6, 7 ou toute carte de dix\n"
    assert said(capsys, "count", "5H", "5C", "5S", "JD", "--called", "27")[1] == "27: impossible\n"
    payload = json.loads(said(capsys, "count", "5H", "5C", "--called", "12", "--json")[1])
    assert (payload["missing"], payload["ways"], len(payload["listed"]), payload["left_out"]) == (3, 5264, 12, 44)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["5H", "--called", "8"], "4 cards are missing"),
        ([*HAND, "--called", "-3"], "--called -3: 0 or more is allowed"),
        (["5H", "5C", "5S", "JD", "1X"], "'1X' cannot be read"),
        (["5H", "5H", "5S", "JD", "5D"], "5H"),
        (["5H"], ""),
        ([*HAND, "--rules", "whist"], "--rules whist: allowed is six-card"),
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
        (["record", "export", "9"], "the journal has games 1, 2"),
        (["record", "--journal", "nowhere.db"], phrase("command.no_journal", file="nowhere.db")),
        (["replay", "nowhere.txt"], phrase("record.no_file", file="nowhere.txt")),
        (["replay", "nowhere.txt", "--language", "fr_CA"], phrase("record.no_file", "fr_CA", file="nowhere.txt")),
        (["replay", "/proc"], "/proc: that is a folder, not a record."),
        (["run", "--config", "nowhere.toml"], "nowhere.toml cannot be read: No such file or directory."),
        (["run", "--config", "/proc"], "/proc cannot be read: Is a directory."),
        (["decks", "list", "--config", "nowhere.toml"], "nowhere.toml cannot be read: No such file or directory."),
        (["enroll", "--deck", "rouge", "--config", "nowhere.toml"], "nowhere.toml cannot be read: No such file"),
        (["rules", "show", "nowhere.toml"], "nowhere.toml cannot be read: No such file or directory."),
        (["demo", "--diary", "/proc/nowhere/diary"], "/proc/nowhere/diary cannot be written: No such file"),
        (["demo", "--wrong", "2"], "--wrong 2.0: a share from 0 to 1 is allowed"),
        (["demo", "--games", "0"], "--games is 1 or more"),
        (["demo", "--board", "chess"], "chess"),
        (["run", "--board", "chess"], "chess"),
        (["run", "--twin", "--port", "70000"], "page.port = 70000: allowed is a whole number from 0 to 65535"),
        (["run", "--twin", "--journal", "/proc/nowhere/journal.db"], "cannot be made"),
        (["record", "export", "1", "/proc/nowhere/game.txt"], "/proc/nowhere/game.txt cannot be written"),
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
    assert said(capsys, "demo", "--board", str(board)) == (
        2,
        "",
        f"--board {board} cannot be read: it is not text in UTF-8.\n",
    )


def test_without_a_pi_run_names_the_twin(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "run")
    assert code == 2
    assert err.startswith("The GPIO pins cannot be used: ")
    assert "--twin" in err


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
    journal, _ = open_journal(path, ManualClock())
    code, _, err = said(capsys, "run", "--twin", "--journal", str(path), "--port", "0", "--no-browser")
    assert code == 2
    assert "another board is playing on this journal" in err
    journal.close()
    open_journal(path, ManualClock())[0].close()
    assert sorted(file.name for file in tmp_path.glob("*.damaged*")) == []


def test_robots_keep_to_a_journal_of_their_own(capsys: pytest.CaptureFixture[str], played: Path) -> None:
    code, _, err = said(capsys, "demo", "--journal", str(played))
    assert code == 2
    assert "robots keep to a journal of their own" in err


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("event backup PATH --journal JOURNAL", "PATH cannot be written: File name too long."),
        ("event backup PATH.db --journal JOURNAL", "PATH.db cannot be written: File name too long."),
        ("event backup FOLDER --journal PATH", "PATH"),
        ("event show --journal PATH", "PATH"),
        ("event export record.txt --journal JOURNAL --to PATH", "no competition"),
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
