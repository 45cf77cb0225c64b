"""`cribboard event`: an evening on the running board and on the store, with the PIN, worded and as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.event_command import CSV, Teller, command, evening, refused
from tests.support.journals import ACTS, opened, played, tamper

from cribd.cli.errors import Exit
from cribd.clock import ManualClock
from cribd.storage.open_journal import open_or_repair_journal


def test_sheets_and_files_are_printed_or_written(tell: Teller, tmp_path: Path) -> None:
    evening(tell, tmp_path)
    tell("result", "1/1", "121:98")
    slips = tell("print", "slips", "--round", "1", "--lang", "fr")[0]
    assert slips.startswith("<!doctype html>")
    assert "Odile" in slips
    no_round = phrase("paper.refused.no_such_round", "fr_CA", round=7, rounds=1)
    assert no_round in tell("print", "slips", "--round", "7", "--lang", "fr", code=Exit.PROBLEM)[1]
    tell("export", "standings.csv", "--to", str(tmp_path / "standings.csv"))
    assert (tmp_path / "standings.csv").read_bytes().startswith("\ufeff".encode())
    assert json.loads(tell("export", "event.json")[0])["name"] == "Mardi"
    assert tell("export", "event.json", "--to", "-")[0] == tell("export", "event.json")[0]
    assert not Path("-").exists()
    assert "<html" in tell("season", "season.html", "--rule", "counting=8")[0]
    assert "counting = 'many'" in tell("season", "season.csv", "--rule", "counting=many", code=Exit.PROBLEM)[1]


def test_an_act_with_consequences_is_done_after_the_user_answers_yes(
    tell: Teller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(tell, tmp_path)
    said = tell("draw", "--lang", "en", code=Exit.PROBLEM)[1]
    outstanding = phrase("competition.asked.results_outstanding", results=2)
    asked = command("asked")
    assert said.splitlines() == [refused("asked", consequences=outstanding), asked]
    assert "--yes" in asked
    assert tell.json("do", '{"do": "depart", "entrant": 1, "status": "absent"}', code=Exit.PROBLEM)["refused"] == {
        "code": "asked",
        "values": {"consequences": [{"code": "uneven_games", "values": {"present": 3, "games": 9}}]},
        "text": ANY,
    }
    uneven = phrase("competition.asked.uneven_games", "fr_CA", present=3, games=9)
    assert uneven in tell("depart", "1", "absent", "--lang", "fr", code=Exit.PROBLEM)[1]
    assert tell.json("show")["round"] == 1
    tell("draw", "--yes")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    answers = iter(("n", "o"))
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    said, complaint = tell("depart", "1", "absent", "--lang", "fr", code=Exit.PROBLEM)
    second = phrase("competition.round.number", "fr_CA", round=2)
    assert phrase("competition.asked.cancels_round", "fr_CA", round=second) in said
    assert command("not_done", "fr_CA") in complaint
    assert tell.json("show")["round"] == 2
    tell("depart", "1", "absent", "--lang", "fr")
    assert tell.json("show")["round"] == 1


def test_the_places_of_an_event_become_the_seeds_of_an_elimination(tell: Teller, tmp_path: Path) -> None:
    evening(tell, tmp_path)
    tell("result", "1/1", "121:98")
    tell("result", "1/2", "60:121")
    tell("begin", "single-elimination", "--name", "Finale", "--tables", "2")
    for name in ("Anne", "Zoé", "Odile"):
        tell("register", name)
    not_open = refused("event_not_open", "fr_CA", number=1)
    assert not_open in tell("seeds", "Mardi", "--lang", "fr", code=Exit.PROBLEM)[1]
    tell("switch", "Mardi")
    tell("end")
    while (mardi := tell.json("show"))["phase"] != "open":
        tell("open", str(mardi["next_place"]), "vu")
    places = {name_of(mardi)[row["entrant"]]: row["place"] for row in mardi["standings"]}
    tell("switch", "Finale")
    tell("seeds", "Mardi")
    seeds = [name_of(tell.json("show"))[number] for number in tell.json("show")["seeds"]]
    assert seeds == [*sorted(("Zoé", "Odile"), key=lambda name: places[name]), "Anne"]


def name_of(state: dict[str, Any]) -> dict[int, str]:
    return {entrant["number"]: entrant["name"] for entrant in state["entrants"]}


# The store

#: Commands that need a journal, and change nothing in it or something.
COMMANDS = (
    *("show", "list", "log", "board", "export standings.csv", "export record.txt", "print event", "season season.csv"),
    *("backup FOLDER", "register Odile", "board 4", "import FILE"),
)


@pytest.mark.parametrize("name", ["none.db", "no folder/none.db", "FILE/none.db"])
def test_a_journal_that_is_not_there_is_refused_and_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "FILE").write_text(CSV)
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "board.toml").write_text("")
    journal = tmp_path / name
    tell = Teller(capsys, "--journal", journal, "--config", tmp_path / "board.toml")
    before = everything_in(tmp_path)
    for words in COMMANDS:
        out, said = tell(*typed(words, tmp_path), "--lang", "en", code=Exit.CANNOT)
        assert (out, said) == ("", f"{command('no_journal', file=journal)}\n"), words
        assert "cribboard event begin" in said
        assert everything_in(tmp_path) == before, words


@pytest.mark.parametrize("kind", ["empty", "no database", "another program's", "rotten"])
def test_a_journal_that_is_damaged_is_refused_and_left_as_it_is(tell: Teller, tmp_path: Path, kind: str) -> None:
    journal = tmp_path / "journal.db"
    if kind == "empty":
        journal.touch()
    elif kind == "no database":
        journal.write_text("This was a shopping list.\n" * 400)
    elif kind == "rotten":
        played(journal, *ACTS)
        sound = journal.read_bytes()
        journal.write_bytes(sound[:4096] + b"\xa5" * (len(sound) - 4096))
    else:
        tamper(journal, "CREATE TABLE cookie (name TEXT); INSERT INTO cookie VALUES ('mine')")
    (tmp_path / "FOLDER").mkdir()
    before = everything_in(tmp_path)
    for words in (*COMMANDS[:-1], *(["begin acc"] if kind != "empty" else [])):
        out, said = tell(*typed(words, tmp_path), "--lang", "en", code=Exit.CANNOT)
        assert (out, has_phrase(said, "command.event.damaged", file=journal)) == ("", True)
        assert said.startswith(str(journal))
        assert "--journal" in said
        assert len(said.splitlines()) == 1
        assert everything_in(tmp_path) == before, words


def test_a_journal_in_use_is_read_through_its_running_board(tell: Teller, tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text("[page]\nport = 1\n")
    journal, _ = open_or_repair_journal(tmp_path / "journal.db", ManualClock())
    assert "--address" in tell("show", code=Exit.CANNOT)[1]
    journal.close()
    tell("begin", "acc")


def typed(words: str, folder: Path) -> list[str]:
    """The words of a command; those in capitals are in this folder."""
    return [str(folder / word) if word.isupper() else word for word in words.split()]


def everything_in(folder: Path) -> dict[str, bytes]:
    """The files and folders in this one, without what SQLite's readers leave beside a file."""
    files = (file for file in folder.rglob("*") if file.suffix not in (".db-shm", ".db-wal"))
    return {str(file): file.read_bytes() if file.is_file() else b"" for file in files}


def test_a_backup_is_made_with_the_pin_whether_a_board_plays_or_not(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc", "--name", "Mardi")
    (tmp_path / "board.toml").write_text('[page]\nport = "off"\norganiser_pin = "1379"\n')
    (tmp_path / "pin").write_text("1379\n")
    before = everything_in(tmp_path)
    assert "PIN" in tell("backup", str(tmp_path / "none.db"), "--lang", "en", code=Exit.CANNOT)[1]
    assert everything_in(tmp_path) == before
    board, _ = open_or_repair_journal(tmp_path / "journal.db", ManualClock())
    tell("backup", str(tmp_path / "one.db"), "--pin-file", str(tmp_path / "pin"))
    board.close()
    tell("backup", str(tmp_path / "two.db"), "--pin-file", str(tmp_path / "pin"))
    for copy in ("one.db", "two.db"):
        with opened(tmp_path / copy) as journal:
            assert journal.competitions.newest() == 1


def test_a_backup_is_of_this_machine_and_takes_no_address(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    said = tell("backup", str(tmp_path / "copy.db"), "--address", "http://board:8121", "--lang", "en", code=Exit.CANNOT)
    assert said[1] == f"{command('backup_here')}\n"


def test_a_backup_is_a_file_in_the_folder_that_is_named(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc", "--name", "Mardi", "--tables", "4")
    (tmp_path / "stick").mkdir()
    said, _ = tell("backup", str(tmp_path / "stick"))
    [copy] = (tmp_path / "stick").iterdir()
    assert said == f"{copy}\n"
    assert str(copy) in tell("backup", str(copy), code=Exit.CANNOT)[1], "no file is written over"


def test_a_backup_to_a_folder_that_is_not_there_writes_nothing(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    before = everything_in(tmp_path)
    said = tell("backup", str(tmp_path / "stick"), "--lang", "en", code=Exit.CANNOT)[1]
    assert said == f"{command('no_folder', folder=tmp_path / 'stick')}\n"
    assert everything_in(tmp_path) == before


@pytest.mark.slow
def test_an_evening_is_organised_in_the_store_where_no_board_runs(tell: Teller, tmp_path: Path) -> None:
    evening(tell, tmp_path)
    entered = phrase(
        "competition.event.result_entered",
        at=phrase("competition.at", round=phrase("competition.round.number", round=1), table=1, game=1),
        scores=phrase("competition.scores", first=121, second=98),
        ending=phrase("competition.ending.finished"),
        source=phrase("competition.source.slip"),
    )
    assert tell("result", "1/1", "121:98")[0] == f"{entered}\n"
    assert tell("undo", "--lang", "fr")[0] == f"{phrase('competition.event.undone', 'fr_CA', to=11)}\n"
    tell("result", "1/1", "121:98")
    tell("correct", "1/1", "121:99", "mal lu")
    state = tell.json("show")
    assert state["tables"][0]["results"][0]["scores"] == [121, 99]
    out, _ = tell("show", "--lang", "fr")
    playing = phrase("competition.phase.play", "fr_CA")
    first = phrase("competition.round.number", "fr_CA", round=1)
    assert out.splitlines()[:2] == [command("title", "fr_CA", name="Mardi", phase=playing), first]
    tell("undo")
    assert tell("log")[0].splitlines()[-2].split()[1] == "×"
    (listed,) = tell.json("list")
    assert listed.pop("begun").startswith(f"{datetime.now(tz=UTC):%Y-}")
    assert listed == {
        "competition": 1,
        "name": "Mardi",
        "date": state["date"],
        "format": "acc/2",
        "phase": "play",
        "current": True,
    }
    assert tell("export", "record.txt")[0].startswith("Cribboard competition 1\nName: Mardi\n")


def test_a_refused_act_prints_its_reason_and_exits_with_1(tell: Teller, tmp_path: Path) -> None:
    open_or_repair_journal(tmp_path / "journal.db", ManualClock())[0].close()
    assert command("none") in tell("show", "--lang", "en")[0]
    assert refused("no_competition") in tell("undo", "--lang", "en", code=Exit.PROBLEM)[1]
    evening(tell, tmp_path)
    said = tell("result", "1/1", "121:121", "--lang", "en", code=Exit.PROBLEM)[1]
    assert said == f"{refused('both_at_target', target=121)}\n"
    payload = tell.json("do", '{"do": "undo", "seen": 5}', code=Exit.CANNOT)
    assert payload["refused"]["code"] == "not_an_action"
    no_game = refused("not_an_action", field="at", value="one", allowed=phrase("competition.allowed.game_at"))
    assert no_game in tell("result", "one", "121:98", "--lang", "en", code=Exit.CANNOT)[1]
    tell("do", "nonsense", code=Exit.CANNOT)
    tell("begin", "bingo", code=Exit.CANNOT)
    tell("begin", "missing.toml", code=Exit.CANNOT)


def test_a_file_with_problems_names_its_lines_and_takes_nothing(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    file = tmp_path / "entrants.csv"
    file.write_text("nom\nOdile\nODILE\n")
    twice = phrase("competition.csv.two_with_one_name", value="ODILE", other=2)
    at_line = phrase("competition.csv.at_line", line=3, problem=twice)
    assert at_line in tell("import", str(file), "--yes", "--lang", "en", code=Exit.PROBLEM)[1]
    assert tell.json("show")["entrants"] == []
    tell("import", str(tmp_path / "none.csv"), code=Exit.CANNOT)


def test_columns_that_are_left_out_are_listed_and_the_rest_is_taken(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "fadoq")
    file = tmp_path / "teams.csv"
    file.write_text("Téléphone;Équipe;Capitaine;Partenaire\n514;Les As;Odile;Zoé\n", encoding="utf-16")
    said = tell("import", str(file), "--yes", "--lang", "fr")[1]
    assert said == f"{phrase('page.desk.csv.left_out', 'fr_CA', columns='Téléphone')}\n"
    assert tell.json("show")["entrants"][0]["players"] == ["Odile", "Zoé"]
    file.write_text("Équipe;Capitaine;Partenaire\n")
    said = tell("import", str(file), "--yes", "--lang", "fr", code=Exit.PROBLEM)[1]
    header_alone = phrase("competition.csv.header_alone", "fr_CA")
    at_line = phrase("competition.csv.at_line", "fr_CA", line=1, problem=header_alone)
    assert said == f"{at_line}\n"
