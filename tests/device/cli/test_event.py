"""`cribboard event`: the same acts on the running board and on the store, with the PIN, worded and as JSON."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from tests.support.catalogues import phrases_of
from tests.support.journals import ACTS, opened, played, tamper
from tests.support.kiosk_club import served
from tests.support.kiosk_rooms import ORGANISER_PIN, house

from cribboard.competition.refusals import REFUSALS as ENGINE
from cribboard.competition.terms import CompetitionPhase
from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import ManualClock
from cribd.competition.refusals import REFUSALS as DESK
from cribd.storage.open_journal import open_journal
from cribd.text import load

CSV = "nom;invité\nOdile;\nRéjean;\nZoé;\nLuc;oui\n"


class Teller:
    """Runs `cribboard event` with these options."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *options: object) -> None:
        self._capsys = capsys
        self._options = [str(option) for option in options]

    def __call__(self, *words: str, code: Exit = Exit.DONE) -> tuple[str, str]:
        assert main(["event", *words, *self._options]) == code
        said = self._capsys.readouterr()
        return said.out, said.err

    def json(self, *words: str, code: Exit = Exit.DONE) -> Any:
        return json.loads(self(*words, "--json", code=code)[0])


@pytest.fixture
def tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Teller:
    config = tmp_path / "board.toml"
    config.write_text("")
    return Teller(capsys, "--journal", tmp_path / "journal.db", "--config", config)


def evening(tell: Teller, folder: Path) -> None:
    """Four entrants whose first round has begun."""
    tell("begin", "acc", "--name", "Mardi", "--tables", "4")
    file = folder / "entrants.csv"
    file.write_text(CSV, encoding="cp1252")
    assert "Rien n’a été pris" in tell("import", str(file), "--lang", "fr", code=Exit.CANNOT)[1]
    tell("import", str(file), "--yes")
    for number in "1234":
        tell("check-in", number)
    tell("play")
    tell("draw")
    tell("start")


def test_sheets_and_files_are_printed_or_written(tell: Teller, tmp_path: Path) -> None:
    evening(tell, tmp_path)
    tell("result", "1/1", "121:98")
    slips = tell("print", "slips", "--round", "1", "--lang", "fr")[0]
    assert slips.startswith("<!doctype html>")
    assert "Odile" in slips
    assert "pas de ronde 7" in tell("print", "slips", "--round", "7", "--lang", "fr", code=Exit.PROBLEM)[1]
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
    assert "without the results that are outstanding: 2" in said
    assert "With --yes" in said
    assert tell.json("do", '{"do": "depart", "entrant": 1, "status": "absent"}', code=Exit.PROBLEM)["refused"] == {
        "code": "asked",
        "values": {"consequences": [{"code": "uneven_games", "values": {"present": 3, "games": 9}}]},
        "text": ANY,
    }
    assert "une partie de moins que 9" in tell("depart", "1", "absent", "--lang", "fr", code=Exit.PROBLEM)[1]
    assert tell.json("show")["round"] == 1
    tell("draw", "--yes")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    answers = iter(("n", "o"))
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    said, refused = tell("depart", "1", "absent", "--lang", "fr", code=Exit.PROBLEM)
    assert "Ronde 2\u00a0: le tirage, pas encore commencé, est annulé." in said
    assert "Rien n’a été fait" in refused
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
    assert "pas dévoilés" in tell("seeds", "Mardi", "--lang", "fr", code=Exit.PROBLEM)[1]
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
        assert (out, said.startswith(f"{journal}: there is no journal here.")) == ("", True), words
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
        assert (out, said.startswith(f"{journal} is damaged, or not a journal, and was left as it is: ")) == ("", True)
        assert "--journal" in said
        assert len(said.splitlines()) == 1
        assert everything_in(tmp_path) == before, words


def test_a_journal_in_use_is_read_through_its_running_board(tell: Teller, tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text("[page]\nport = 1\n")
    journal, _ = open_journal(tmp_path / "journal.db", ManualClock())
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
    board, _ = open_journal(tmp_path / "journal.db", ManualClock())
    tell("backup", str(tmp_path / "one.db"), "--pin-file", str(tmp_path / "pin"))
    board.close()
    tell("backup", str(tmp_path / "two.db"), "--pin-file", str(tmp_path / "pin"))
    for copy in ("one.db", "two.db"):
        with opened(tmp_path / copy) as journal:
            assert journal.competitions.newest() == 1


def test_a_backup_is_of_this_machine_and_takes_no_address(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    said = tell("backup", str(tmp_path / "copy.db"), "--address", "http://board:8121", "--lang", "en", code=Exit.CANNOT)
    assert said[1] == "A backup copies the journal of this machine: it takes no --address.\n"


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
    assert said.startswith(f"{tmp_path / 'stick'}: there is no such folder.")
    assert everything_in(tmp_path) == before


@pytest.mark.slow
def test_an_evening_is_organised_in_the_store_where_no_board_runs(tell: Teller, tmp_path: Path) -> None:
    evening(tell, tmp_path)
    assert tell("result", "1/1", "121:98")[0] == "Round 1, table 1, game 1: 121 to 98, finished, from slip.\n"
    assert tell("undo", "--lang", "fr")[0].startswith("Annulé")
    tell("result", "1/1", "121:98")
    tell("correct", "1/1", "121:99", "mal lu")
    state = tell.json("show")
    assert state["tables"][0]["results"][0]["scores"] == [121, 99]
    out, _ = tell("show", "--lang", "fr")
    assert out.startswith("Mardi\u00a0: jeu en cours\nRonde 1\n")
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
    open_journal(tmp_path / "journal.db", ManualClock())[0].close()
    assert "There is no competition." in tell("show", "--lang", "en")[0]
    assert "No competition has been begun." in tell("undo", "--lang", "en", code=Exit.PROBLEM)[1]
    evening(tell, tmp_path)
    refused = tell("result", "1/1", "121:121", "--lang", "en", code=Exit.PROBLEM)[1]
    assert refused == "Both sides at 121: one of them came first.\n"
    payload = tell.json("do", '{"do": "undo", "seen": 5}', code=Exit.CANNOT)
    assert payload["refused"]["code"] == "not_an_action"
    assert "allowed is" in tell("result", "one", "121:98", "--lang", "en", code=Exit.CANNOT)[1]
    tell("do", "nonsense", code=Exit.CANNOT)
    tell("begin", "bingo", code=Exit.CANNOT)
    tell("begin", "missing.toml", code=Exit.CANNOT)


def test_a_file_with_problems_names_its_lines_and_takes_nothing(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    file = tmp_path / "entrants.csv"
    file.write_text("nom\nOdile\nODILE\n")
    assert "Line 3" in tell("import", str(file), "--yes", "--lang", "en", code=Exit.PROBLEM)[1]
    assert tell.json("show")["entrants"] == []
    tell("import", str(tmp_path / "none.csv"), code=Exit.CANNOT)


def test_columns_that_are_left_out_are_listed_and_the_rest_is_taken(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "fadoq")
    file = tmp_path / "teams.csv"
    file.write_text("Téléphone;Équipe;Capitaine;Partenaire\n514;Les As;Odile;Zoé\n", encoding="utf-16")
    said = tell("import", str(file), "--yes", "--lang", "fr")[1]
    assert said == "Colonnes laissées de côté\u00a0: Téléphone.\n"
    assert tell.json("show")["entrants"][0]["players"] == ["Odile", "Zoé"]
    file.write_text("Équipe;Capitaine;Partenaire\n")
    said = tell("import", str(file), "--yes", "--lang", "fr", code=Exit.PROBLEM)[1]
    assert said == "Ligne 1\u00a0: Le fichier a une ligne de titres, et aucun participant dessous.\n"


# What the other commands need


def test_the_state_has_all_that_other_commands_need(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "soirée ACC", "--name", "Mardi", "--tables", "2")
    for name in ("Odile", "Réjean", "Zoé", "Luc", "Maud"):
        tell("register", name)
    tell("check-in", "1", "2-5")
    tell("depart", "5", "forfait")
    tell("check-in", "5")
    tell("play", "une-de-moins")
    tell("draw")
    drawn = tell("show", "--lang", "en")[0]
    assert "Round 1, drawn; “cribboard event start” begins it" in drawn
    tell("start")
    tell("depart", "4", "parti", "malade")
    shown = tell("show", "--lang", "fr")[0]
    state = tell.json("show")
    [resting] = state["byes"] or state["waiting"]
    name = state["entrants"][resting - 1]["name"]
    assert f"Repos\u00a0: {resting} {name}\n" in shown or f"En attente\u00a0: {resting} {name}\n" in shown
    assert "Résultats attendus\u00a0: 1/1/1, 1/2/1\n" in shown
    assert "Participants\u00a0: 5; sur place\u00a0: 4\n" in shown
    assert re.search(r"^4 +Luc +retrait", shown, re.MULTILINE)
    first, second = state["tables"][0]["entrants"]
    assert f"{first} {state['entrants'][first - 1]['name']} – {second} " in shown
    tell("result", "1/1", "121–98")
    assert "Résultats attendus\u00a0: 1/2/1\n" in tell("show", "--lang", "fr")[0]


def test_a_team_is_shown_with_its_players_and_captain_and_a_medal_with_its_team(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "fadoq", "--tables", "2")
    for team in ("As", "Rois", "Dix"):
        tell("register", team, f"{team} un", f"{team} deux")
    tell("check-in", "--all")
    assert re.search(r"As +present +As un \(captain\), As deux", tell("show", "--lang", "en")[0])
    tell("play")
    tell("end")
    shown = tell("show", "--lang", "en")[0]
    assert "Level at place 1: 1 As, 2 Rois, 3 Dix;" in shown
    assert "Next place to open: 1\n" in shown
    assert "(As un, As deux)" not in shown
    assert "cribboard event share" in tell("open", "1", "--lang", "en", code=Exit.PROBLEM)[1]
    tell("share", "1", "2", "3")
    said = tell("open", "1", "personne n’a joué", "--lang", "fr")[0]
    assert "Rang 1\u00a0: 1 As (As un, As deux)\nRang 1\u00a0: 2 Rois (Rois un, Rois deux)\n" in said
    assert "Place 1: 1 As (As un, As deux)" in tell("show", "--lang", "en")[0]


def test_several_entrants_are_checked_in_at_once_and_a_refused_one_blocks_no_other(tell: Teller) -> None:
    tell("begin", "acc")
    for number in range(1, 10):
        tell("register", f"Joueur {number}")
    tell("depart", "9", "absent")
    assert len(tell("check-in", "1", "5–7", "1")[0].splitlines()) == 4
    out, said = tell("check-in", "2", "1", "99", "3", "--lang", "en", code=Exit.PROBLEM)
    assert (len(out.splitlines()), len(said.splitlines())) == (2, 3)
    assert "“cribboard event show” has the numbers." in said
    tell("check-in", "--all")
    statuses = [entrant["status"] for entrant in tell.json("show")["entrants"]]
    assert statuses == ["present"] * 8 + ["absent"]
    assert "already, or has departed" in tell("check-in", "--all", "--lang", "en", code=Exit.CANNOT)[1]
    assert "Who is here?" in tell("check-in", "--lang", "en", code=Exit.CANNOT)[1]


def test_a_captain_is_named_and_stays_and_a_number_that_may_be_either_is_asked_about(tell: Teller) -> None:
    tell("begin", "fadoq")
    for team in ("As", "Rois", "Dix"):
        tell("register", team, f"{team} un", f"{team} deux")
    tell("check-in", "2", "--captain", "2")
    tell("depart", "2", "left", "souper")
    tell("check-in", "2")
    asked = tell("check-in", "3", "1", "--lang", "en", code=Exit.CANNOT)[1]
    assert "“event check-in 1 3”" in asked
    tell("check-in", "1", "3")
    tell("check-in", "2", "0")
    assert [entrant["captain"] for entrant in tell.json("show")["entrants"]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("depart 1 Forfait", "absent"),
        ("depart 1 absente", "absent"),
        ("depart 1 ABSENT", "absent"),
        ("depart 1 retrait souper", "left"),
        ("depart 1 left supper", "left"),
        ("depart 1 disqualifie triche", "disqualified"),
    ],
)
def test_a_value_is_typed_in_any_language_of_the_board(tell: Teller, typed: str, meant: str) -> None:
    tell("begin", "Toutes rondes")
    tell("register", "Odile")
    tell(*typed.split())
    state = tell.json("show")
    assert (state["entrants"][0]["status"], state["format"].partition("/")[0]) == (meant, "round-robin")


def test_a_value_that_is_not_known_is_refused_with_those_there_are(tell: Teller) -> None:
    tell("begin", "acc")
    tell("register", "Odile")
    assert tell("depart", "1", "fâché", "--lang", "fr", code=Exit.CANNOT)[1] == (
        "fâché est inconnu; sont permis forfait, retrait, disqualification.\n"
    )
    assert "one-short, round-robin" in tell("play", "both", "--lang", "en", code=Exit.CANNOT)[1]
    assert "tournoi, cartes de table, feuillets" in tell("print", "rien", "--lang", "fr", code=Exit.CANNOT)[1]
    assert tell("print", "cartes-vierges", "--lang", "fr")[0] == tell("print", "blank-cards", "--lang", "fr")[0]
    tell("board", "4")
    assert tell.json("board", "aucune") == {"table": None}
    tell("missing", "moyenne")
    tell("missing", "Zero")


@pytest.mark.parametrize(
    ("typed", "step"),
    [
        ("start", "not_now.registration"),
        ("play", "uneven_games"),
        ("check-in 9", "no_such_entrant"),
        ("tables 0", None),
    ],
)
def test_a_refusal_names_the_command_that_comes_next(tell: Teller, typed: str, step: str | None) -> None:
    tell("begin", "acc", "--tables", "4")
    for name in ("Odile", "Réjean", "Zoé"):
        tell("register", name)
    tell("check-in", "--all")
    for language in ("en", "fr_CA"):
        _, *next_ = tell(*typed.split(), "--lang", language, code=Exit.PROBLEM)[1].splitlines()
        assert next_ == ([load(language).say(f"command.event.next.{step}")] if step else [])
        assert all("cribboard event" in line for line in next_)


def test_no_phrase_of_a_next_step_is_of_a_refusal_that_there_is_not() -> None:
    refusals = {**ENGINE, **DESK}
    beginning = "command.event.next."
    steps = {code.removeprefix(beginning) for code in phrases_of("en") if code.startswith(beginning)}
    assert len(steps) > 20
    for step in steps:
        code, _, phase = step.partition(".")
        assert code in refusals
        assert not phase or phase in {*CompetitionPhase}
        sentence = load("en").catalogue.gettext(beginning + step)
        assert set(re.findall(r"{(\w+)}", sentence)) <= set(re.findall(r"{(\w+)}", refusals[code])), step
        for command in re.findall(r"“cribboard (event [\w-]+)", sentence):
            assert f"command.does.{command.replace(' ', '.').replace('-', '_')}" in phrases_of("en")


# What a stranger types


def test_an_unreadable_argument_gives_one_sentence_and_no_traceback(tell: Teller, tmp_path: Path) -> None:
    for name, content in {
        "bytes.toml": b"\xff",
        "half.toml": b'{"format":',
        "wrong.toml": b'format="acc"\ngames=0',
    }.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "FOLDER.toml").mkdir()
    here = f"{tmp_path}/"
    tell("begin", here + "none.toml", code=Exit.CANNOT)
    assert not (tmp_path / "journal.db").exists()
    tell("begin", "acc")
    usages = {
        f"begin {here}none.toml --instead": "Lecture impossible de ",
        f"begin {here}bytes.toml --instead": "pas du texte en UTF-8",
        f"begin {here}FOLDER.toml --instead": "c’est un dossier",
        f"begin {here}half.toml --instead": "la ligne 1",
        f"begin {here}wrong.toml --instead": "games = 0",
        "begin acc --instead --date demain": "une date comme 2026-03-01",
        "begin acc --instead --tables -4": "un nombre entier de 0 à 256",
        f"import {here}none.csv": "Lecture impossible de ",
        f"import {here}FOLDER.toml": "c’est un dossier",
        "show --address board": "--address board\u00a0: il faut l’adresse",
        "show --address http://board:x": "il faut l’adresse",
        "show --address https://board": "il faut l’adresse",
        "show --address http://127.0.0.1:1": "rien n’y répond",
        "export record.txt --public": "--public",
        "season season.csv --rule nonsense": "--rule nonsense",
        "result one 121:98": "la ronde, la table et la partie, comme 2/4/1",
        "result 1/1 abc": "le pointage des deux côtés, comme 121-98",
        "do [[[": "ce n’est pas du JSON",
        "do 5": "un objet avec la clé do",
        f"export entrants.csv --to {here}none/file": "Écriture impossible",
        f"backup {here}none/file.db": "Écriture impossible",
        f"backup {here}none/file": "ce dossier n’existe pas",
    }
    for usage, part in usages.items():
        out, said = tell(*usage.split(), "--lang", "fr", code=Exit.CANNOT)
        assert (out, part in said, said.count("\n")) == ("", True, 1), (usage, said)
    (tmp_path / "board.toml").write_text('[page]\norganiser_pin = "1379"\n')
    for pin, part in (("none", "n’existe pas"), ("bytes.toml", "pas du texte en UTF-8")):
        assert part in tell("show", "--pin-file", here + pin, "--lang", "fr", code=Exit.CANNOT)[1]


@pytest.mark.parametrize("round_", ["0", "-1", "x", "9999999999"])
def test_a_round_that_is_no_number_is_refused(tell: Teller, round_: str) -> None:
    with pytest.raises(SystemExit) as ended:
        tell("print", "slips", f"--round={round_}")
    assert ended.value.code == Exit.CANNOT


def test_entrants_without_any_result_are_shown(tell: Teller) -> None:
    tell("begin", "acc")
    for name in ("Odile", "Zoé"):
        tell("register", name)
    assert [line.split()[0] for line in tell("show")[0].splitlines()[-2:]] == ["Odile", "Zoé"]


def test_a_file_that_is_printed_is_the_file(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    tell("register", "Zoé")
    tell("export", "entrants.csv", "--to", str(tmp_path / "entrants.csv"))
    whole = (tmp_path / "entrants.csv").read_bytes()
    assert whole.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in whole
    assert tell("export", "entrants.csv")[0].encode() == whole


def test_every_command_reports_a_damaged_competition(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "acc")
    tamper(tmp_path / "journal.db", "DROP TRIGGER competition_update; UPDATE competition SET heading = ''")
    for words in ("show", "log", "export standings.csv", "export record.txt", "print event", "undo"):
        assert "damaged" in tell(*words.split(), "--lang", "en", code=Exit.PROBLEM)[1], words
    assert tell.json("show", code=Exit.PROBLEM)["damaged"]["number"] == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("HTTP/1.0 200 OK\r\n\r\n<html>", "HTTP 200"),
        ("HTTP/1.0 404 Not Found\r\n\r\n", "HTTP 404"),
        ("HTTP/1.0 503 Busy\r\n\r\n", "HTTP 503"),
        ("HTTP/1.0 400 Bad Request\r\n\r\n", "page.organiser_pin"),
        ("HTTP/1.0 429 Wait\r\n\r\n", "wait"),
        ("SSH-2.0-OpenSSH\r\n", "does not answer"),
        ("", "does not answer"),
    ],
)
async def test_an_address_without_a_board_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, said: str
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"}")
        writer.write(answer.encode())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    tell = Teller(capsys, "--address", f"http://127.0.0.1:{port}", "--lang", "en")
    async with server:
        assert said in (await asyncio.to_thread(lambda: tell("show", code=Exit.CANNOT)))[1]


def test_where_a_pin_is_set_the_store_wants_it_too(tell: Teller, tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text('[page]\norganiser_pin = "1379"\n')
    assert "PIN" in tell("show", code=Exit.CANNOT)[1]
    pin = tmp_path / "pin"
    pin.write_text("1379\n")
    tell("begin", "fadoq", "--pin-file", str(pin))
    assert tell.json("show", "--pin-file", str(pin))["format"] == "fadoq/2"
    pin.write_text("1111")
    tell("show", "--pin-file", str(pin), code=Exit.CANNOT)


@pytest.mark.slow
async def test_a_running_board_is_sent_each_change_with_the_pin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin = tmp_path / "pin"
    pin.write_text(ORGANISER_PIN)
    async with house(tmp_path) as home:
        tell = Teller(capsys, "--address", home.origin, "--pin-file", pin)
        await asyncio.to_thread(evening, tell, tmp_path)
        await asyncio.to_thread(tell, "result", "1/1", "121:98")
        state = await asyncio.to_thread(tell.json, "show")
        assert state["name"] == "Mardi"
        assert home.table.journal.competitions.competition(1).competition.log[-1].__class__.__name__ == "ResultEntered"
        _, err = await asyncio.to_thread(lambda: tell("result", "1/1", "121:97", "--lang", "en", code=Exit.PROBLEM))
        assert err.startswith("This game has a result already")
        pin.write_text("0000")
        await asyncio.to_thread(lambda: tell("show", code=Exit.CANNOT))
    await asyncio.to_thread(lambda: tell("show", code=Exit.CANNOT))


@pytest.mark.slow
async def test_a_running_board_takes_a_file_of_three_hundred_teams(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin, file = tmp_path / "pin", tmp_path / "teams.csv"
    pin.write_text(ORGANISER_PIN)
    async with house(tmp_path) as home, served(home.site) as board:
        tell = Teller(capsys, "--address", board.origin, "--pin-file", pin, "--lang", "en")
        await asyncio.to_thread(tell, "begin", "fadoq")
        teams = "".join(f"Équipe {number},Alpha {number},Bravo {number}\n" for number in range(300))
        file.write_text(f"nom,joueur 1,joueur 2\n{teams}" + 200_000 * "\n")
        await asyncio.to_thread(tell, "import", str(file), "--yes")
        assert len((await asyncio.to_thread(tell.json, "show"))["entrants"]) == 300
        for size in (262_145, 3_000_000):
            file.write_text(size * "n")
            said = await asyncio.to_thread(lambda: tell("import", str(file), "--yes", code=Exit.PROBLEM))
            assert said[1] == "The file is longer than 256 kB.\n"


def test_the_organiser_says_at_which_table_the_board_stands(tell: Teller) -> None:
    tell("begin", "acc")
    assert tell("board", "--lang", "en")[0] == "This board stands at no table of the event.\n"
    assert tell("board", "4", "--lang", "en")[0] == "This board stands at table 4.\n"
    assert tell.json("board") == {"table": 4}
    assert "from 1 to 256" in tell("board", "0", code=Exit.CANNOT)[1]
    tell("board", "here", code=Exit.CANNOT)
    assert tell.json("board", "none") == {"table": None}


def open_event(tell: Teller, name: str, first: str) -> None:
    """An event of two players that `first` won, and whose results are open."""
    tell("begin", "round-robin", "--name", name, "--tables", "1")
    for number, player in enumerate(("Odile", "Réjean"), start=1):
        tell("register", player)
        tell("check-in", str(number))
    tell("play")
    tell("draw")
    tell("start")
    tell("result", "1/1", "121:98")
    pair = tell.json("show")["tables"][0]["entrants"]
    if pair[0] != ("Odile", "Réjean").index(first) + 1:
        tell("correct", "1/1", "98:121", "mal lu")
    tell("end")
    for place in ("2", "1"):
        tell("open", place)


def test_several_events_are_listed_and_another_is_switched_to(tell: Teller) -> None:
    tell("begin", "acc", "--name", "Ligue d’été")
    tell("register", "Odile")
    tell("begin", "fadoq", "--name", "Soirée", "--instead")
    out, _ = tell("list", "--lang", "fr")
    first, second = out.splitlines()
    assert (first.split()[0], first.split()[-1]) == ("1", "inscription")
    assert (second.split()[:2], "fadoq" in second) == (["*", "2"], True)
    for word in ("1", "LIGUE  D'ETE", "Ligue d’été"):
        tell("switch", "2")
        assert tell("switch", word, "--lang", "fr")[0].startswith("Ligue d’été")
    tell("register", "Zoé")
    assert [entrant["name"] for entrant in tell.json("show")["entrants"]] == ["Odile", "Zoé"]
    tell("begin", "acc", "--name", "soiree")
    refused = {
        "9": "Aucun tournoi ne s’appelle 9; leurs numéros sont 1, 2, 3.",
        "0": "Aucun tournoi",
        "": "Aucun tournoi",
        "9" * 40: "Aucun tournoi",
        "soirée": "Plusieurs tournois s’appellent soirée",
        "é" * 10_000: "Aucun tournoi",
        "a\tb": "Aucun tournoi",
    }
    for word, said in refused.items():
        assert tell("switch", word, "--lang", "fr", code=Exit.CANNOT)[1].startswith(said), word
    assert tell.json("show")["competition"] == 3


def test_a_season_ranks_the_events_that_are_chosen(tell: Teller, tmp_path: Path) -> None:
    for name, first in (("Janvier", "Odile"), ("Février", "Réjean"), ("Mars", "Réjean")):
        open_event(tell, name, first)
    tell("begin", "acc", "--name", "Avril")

    def leader(*events: str) -> str:
        chosen = [word for number in events for word in ("--event", number)]
        return tell("season", "season.csv", *chosen, "--lang", "en")[0].splitlines()[1].split(",")[1]

    assert (leader(), leader("1"), leader("janvier"), leader("Janvier", "2", "3")) == (
        "Réjean", "Odile", "Odile", "Réjean",
    )  # fmt: skip
    head = tell("season", "season.csv", "--event", "3", "--event", "1", "--event", "1", "--lang", "en")[0]
    assert head.splitlines()[0].split(",")[2:4] == ["Janvier", "Mars"], "in the order of their numbers, each once"
    season = ("season", "season.csv", "--lang", "fr", "--event")
    assert "ne sont pas dévoilés" in tell(*season, "avril", code=Exit.PROBLEM)[1]
    assert "Aucun tournoi ne s’appelle mai" in tell(*season, "mai", code=Exit.CANNOT)[1]
    damage = "DROP TRIGGER competition_update; UPDATE competition SET heading = '' WHERE id = 2"
    tamper(tmp_path / "journal.db", damage)
    assert "Le tournoi 2 est abîmé" in tell(*season, "2", code=Exit.PROBLEM)[1]
    assert leader() in ("Odile", "Réjean"), "a damaged one costs itself alone"


def test_the_club_members_are_stored_and_registered_by_one_command(tell: Teller) -> None:
    tell("begin", "acc")
    assert tell("members", "--lang", "fr")[0].startswith("La liste des membres est vide")
    assert tell("members", "add", "Zoé Bœuf", "Luc", "--lang", "fr")[0] == "Zoé Bœuf\nLuc\nMembres\u00a0: 2\n"
    assert "déjà dans la liste" in tell("members", "add", "ZOE BOEUF", "--lang", "fr", code=Exit.PROBLEM)[1]
    tell("members", "correct", "luc", "Lucie")
    assert tell("members")[0] == "Lucie\nZoé Bœuf\n"
    tell("members", "here", "lucie")
    tell("members", "here")
    assert [entrant["status"] for entrant in tell.json("show")["entrants"]] == ["present", "present"]
    tell("register", "Odile")
    assert tell.json("members", "add-players") == {"new": ["Odile"], "members": ["Lucie", "Odile", "Zoé Bœuf"]}
    tell("members", "remove", "odile")
    for words in (("correct", "Lucie"), ("remove",)):
        assert "allowed is" in tell("members", *words, "--lang", "en", code=Exit.CANNOT)[1]
    assert "not in the list" in tell("members", "remove", "é" * 10_000, "--lang", "en", code=Exit.PROBLEM)[1]
    assert tell.json("members")["members"] == ["Lucie", "Zoé Bœuf"]
