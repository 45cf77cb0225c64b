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
from tests.support.catalogues import has_phrase, phrase, phrases_of
from tests.support.journals import ACTS, opened, played, tamper
from tests.support.kiosk_club import served
from tests.support.kiosk_rooms import ORGANISER_PIN, house

from cribboard.competition.formats import FORMATS
from cribboard.competition.refusals import REFUSALS as ENGINE
from cribboard.competition.terms import CompetitionPhase
from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import ManualClock
from cribd.competition.refusals import REFUSALS as DESK
from cribd.storage.open_journal import open_journal
from cribd.text import load

CSV = "nom;invité\nOdile;\nRéjean;\nZoé;\nLuc;oui\n"


def command(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase of `cribboard event`."""
    return phrase(f"command.event.{code}", language, **values)


def refused(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase for a refused act."""
    return phrase(f"competition.refused.{code}", language, **values)


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
    assert command("not_taken", "fr_CA") in tell("import", str(file), "--lang", "fr", code=Exit.CANNOT)[1]
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
    open_journal(tmp_path / "journal.db", ManualClock())[0].close()
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
    first = phrase("competition.round.number", round=1)
    assert command("round_drawn", round=first) in drawn
    tell("start")
    tell("depart", "4", "parti", "malade")
    shown = tell("show", "--lang", "fr")[0]
    state = tell.json("show")
    [resting] = state["byes"] or state["waiting"]
    name = state["entrants"][resting - 1]["name"]
    rests = [command(code, "fr_CA", of=f"{resting} {name}") for code in ("byes", "waiting")]
    lines = shown.splitlines()
    assert any(line in lines for line in rests)
    assert command("outstanding", "fr_CA", of="1/1/1, 1/2/1") in lines
    assert command("entrants", "fr_CA", all=5, here=4) in lines
    assert re.search(rf"^4 +Luc +{phrase('competition.status.left', 'fr_CA')}", shown, re.MULTILINE)
    first, second = state["tables"][0]["entrants"]
    assert f"{first} {state['entrants'][first - 1]['name']} – {second} " in shown
    tell("result", "1/1", "121–98")
    assert command("outstanding", "fr_CA", of="1/2/1") in tell("show", "--lang", "fr")[0].splitlines()


def test_a_team_is_shown_with_its_players_and_captain_and_a_medal_with_its_team(tell: Teller, tmp_path: Path) -> None:
    tell("begin", "fadoq", "--tables", "2")
    for team in ("As", "Rois", "Dix"):
        tell("register", team, f"{team} un", f"{team} deux")
    tell("check-in", "--all")
    present, captain = phrase("competition.status.present"), phrase("page.desk.captain.of", name="As un")
    assert re.search(rf"As +{present} +{re.escape(captain)}, As deux", tell("show", "--lang", "en")[0])
    tell("play")
    tell("end")
    shown = tell("show", "--lang", "en")[0]
    assert command("level", place=1, of="1 As, 2 Rois, 3 Dix") in shown
    assert command("next_place", place=1) in shown.splitlines()
    assert "(As un, As deux)" not in shown
    assert "cribboard event share" in tell("open", "1", "--lang", "en", code=Exit.PROBLEM)[1]
    tell("share", "1", "2", "3")
    said = tell("open", "1", "personne n’a joué", "--lang", "fr")[0]
    medals = [
        command("medal", "fr_CA", place=1, who=who) for who in ("1 As (As un, As deux)", "2 Rois (Rois un, Rois deux)")
    ]
    assert "".join(f"{medal}\n" for medal in medals) in said
    assert command("medal", place=1, who="1 As (As un, As deux)") in tell("show", "--lang", "en")[0]


def test_several_entrants_are_checked_in_at_once_and_a_refused_one_blocks_no_other(tell: Teller) -> None:
    tell("begin", "acc")
    for number in range(1, 10):
        tell("register", f"Joueur {number}")
    tell("depart", "9", "absent")
    assert len(tell("check-in", "1", "5–7", "1")[0].splitlines()) == 4
    out, said = tell("check-in", "2", "1", "99", "3", "--lang", "en", code=Exit.PROBLEM)
    assert (len(out.splitlines()), len(said.splitlines())) == (2, 3)
    assert command("next.no_such_entrant") in said
    tell("check-in", "--all")
    statuses = [entrant["status"] for entrant in tell.json("show")["entrants"]]
    assert statuses == ["present"] * 8 + ["absent"]
    assert command("nobody_to_check_in") in tell("check-in", "--all", "--lang", "en", code=Exit.CANNOT)[1]
    assert command("check_in_whom") in tell("check-in", "--lang", "en", code=Exit.CANNOT)[1]


def test_a_captain_is_named_and_stays_and_a_number_that_may_be_either_is_asked_about(tell: Teller) -> None:
    tell("begin", "fadoq")
    for team in ("As", "Rois", "Dix"):
        tell("register", team, f"{team} un", f"{team} deux")
    tell("check-in", "2", "--captain", "2")
    tell("depart", "2", "left", "souper")
    tell("check-in", "2")
    asked = tell("check-in", "3", "1", "--lang", "en", code=Exit.CANNOT)[1]
    assert asked == f"{command('captain_or_entrant', first=3, second=1)}\n"
    assert "event check-in 1 3" in asked
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

    def first(kind: str, *values: str, language: str = "en") -> str:
        """Of each value, the first of the words that may be typed for it."""
        words = (phrase(f"command.typed.{kind}.{value}", language) for value in values)
        return ", ".join(word.partition(", ")[0] for word in words)

    departures = first("status", "absent", "left", "disqualified", language="fr_CA")
    unknown = command("not_typed", "fr_CA", text="fâché", allowed=departures)
    assert tell("depart", "1", "fâché", "--lang", "fr", code=Exit.CANNOT)[1] == f"{unknown}\n"
    assert first("choice", "one_short", "round_robin") in tell("play", "both", "--lang", "en", code=Exit.CANNOT)[1]
    sheets = first("sheet", "event", "tables", "slips", language="fr_CA")
    assert sheets in tell("print", "rien", "--lang", "fr", code=Exit.CANNOT)[1]
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

    def unreadable(file: str, why: str) -> str:
        reason = phrase(f"problem.file.why.{why}", "fr_CA")
        return phrase("problem.file.unreadable", "fr_CA", file=here + file, why=reason)

    def unwritable(file: str) -> str:
        reason = phrase("problem.file.why.ENOENT", "fr_CA")
        return phrase("command.unwritable", "fr_CA", file=here + file, why=reason)

    def not_allowed(field: str, value: str, code: str, /, **values: object) -> str:
        allowed = phrase(f"competition.allowed.{code}", "fr_CA", **values)
        return refused("not_an_action", "fr_CA", field=field, value=value, allowed=allowed)

    def no_address(address: str) -> str:
        return command("no_address", "fr_CA", address=address)

    formats = ", ".join(FORMATS)
    nobody = phrase("problem.file.why.ECONNREFUSED", "fr_CA")
    usages = {
        f"begin {here}none.toml --instead": unreadable("none.toml", "ENOENT"),
        f"begin {here}bytes.toml --instead": unreadable("bytes.toml", "no_text"),
        f"begin {here}FOLDER.toml --instead": unreadable("FOLDER.toml", "EISDIR"),
        f"begin {here}half.toml --instead": not_allowed("format", '{"format":', "toml_line", names=formats, line=1),
        f"begin {here}wrong.toml --instead": "games = 0",
        "begin acc --instead --date demain": not_allowed("date", "demain", "date"),
        "begin acc --instead --tables -4": not_allowed("tables", "-4", "whole_number_from_to", low=0, high=256),
        f"import {here}none.csv": unreadable("none.csv", "ENOENT"),
        f"import {here}FOLDER.toml": unreadable("FOLDER.toml", "EISDIR"),
        "show --address board": no_address("board"),
        "show --address http://board:x": no_address("http://board:x"),
        "show --address https://board": no_address("https://board"),
        "show --address http://127.0.0.1:1": command("unreachable", "fr_CA", why=nobody),
        "export record.txt --public": command("no_public", "fr_CA", file="record.txt"),
        "season season.csv --rule nonsense": command("no_rule", "fr_CA", rule="nonsense"),
        "result one 121:98": not_allowed("at", "one", "game_at"),
        "result 1/1 abc": not_allowed("scores", "abc", "scores"),
        "do [[[": command("no_json", "fr_CA", text="[[["),
        "do 5": not_allowed("request", "5", "object_with_do"),
        f"export entrants.csv --to {here}none/file": unwritable("none/file"),
        f"backup {here}none/file.db": unwritable("none/file.db"),
        f"backup {here}none/file": command("no_folder", "fr_CA", folder=f"{here}none/file"),
    }
    for usage, part in usages.items():
        out, said = tell(*usage.split(), "--lang", "fr", code=Exit.CANNOT)
        assert (out, part in said, said.count("\n")) == ("", True, 1), (usage, said)
    (tmp_path / "board.toml").write_text('[page]\norganiser_pin = "1379"\n')
    for pin, why in (("none", "ENOENT"), ("bytes.toml", "no_text")):
        said = tell("show", "--pin-file", here + pin, "--lang", "fr", code=Exit.CANNOT)[1]
        assert unreadable(pin, why) in said


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
        said = tell(*words.split(), "--lang", "en", code=Exit.PROBLEM)[1]
        assert has_phrase(said, "competition.refused.competition_damaged", number=1), words
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
        scores = phrase("competition.scores", first=121, second=98)
        assert err.splitlines()[0] == refused("result_exists", scores=scores)
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
            assert said[1] == f"{phrase('competition.csv.file_too_long', most=256)}\n"


def test_the_organiser_says_at_which_table_the_board_stands(tell: Teller) -> None:
    tell("begin", "acc")
    assert tell("board", "--lang", "en")[0] == f"{command('no_table')}\n"
    assert tell("board", "4", "--lang", "en")[0] == f"{command('at_table', table=4)}\n"
    assert tell.json("board") == {"table": 4}
    allowed = phrase("competition.allowed.board_table", most=256)
    no_table = refused("not_an_action", field="table", value='{"table": 0}', allowed=allowed)
    assert no_table in tell("board", "0", "--lang", "en", code=Exit.CANNOT)[1]
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
    unknown = {"9": "9", "0": "0", "": "", "9" * 40: "9" * 40, "é" * 10_000: "é" * 60, "a\tb": r"a\tb"}
    for word, shown in unknown.items():
        no_such_event = command("no_such_event", "fr_CA", event=shown, numbers="1, 2, 3")
        assert tell("switch", word, "--lang", "fr", code=Exit.CANNOT)[1] == f"{no_such_event}\n"
    several = command("several_events", "fr_CA", event="soirée", numbers="2, 3")
    assert tell("switch", "soirée", "--lang", "fr", code=Exit.CANNOT)[1] == f"{several}\n"
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
    assert phrase("paper.refused.event_not_open", "fr_CA", event=4) in tell(*season, "avril", code=Exit.PROBLEM)[1]
    assert (
        command("no_such_event", "fr_CA", event="mai", numbers="1, 2, 3, 4")
        in tell(*season, "mai", code=Exit.CANNOT)[1]
    )
    damage = "DROP TRIGGER competition_update; UPDATE competition SET heading = '' WHERE id = 2"
    tamper(tmp_path / "journal.db", damage)
    assert phrase("paper.refused.event_damaged", "fr_CA", event=2) in tell(*season, "2", code=Exit.PROBLEM)[1]
    assert leader() in ("Odile", "Réjean"), "a damaged one costs itself alone"


def test_the_club_members_are_stored_and_registered_by_one_command(tell: Teller) -> None:
    tell("begin", "acc")
    assert tell("members", "--lang", "fr")[0] == f"{command('no_members', 'fr_CA')}\n"
    two = command("members", "fr_CA", members=2)
    assert tell("members", "add", "Zoé Bœuf", "Luc", "--lang", "fr")[0] == f"Zoé Bœuf\nLuc\n{two}\n"
    taken = refused("member_taken", "fr_CA", name="ZOE BOEUF")
    assert taken in tell("members", "add", "ZOE BOEUF", "--lang", "fr", code=Exit.PROBLEM)[1]
    tell("members", "correct", "luc", "Lucie")
    assert tell("members")[0] == "Lucie\nZoé Bœuf\n"
    tell("members", "here", "lucie")
    tell("members", "here")
    assert [entrant["status"] for entrant in tell.json("show")["entrants"]] == ["present", "present"]
    tell("register", "Odile")
    assert tell.json("members", "add-players") == {"new": ["Odile"], "members": ["Lucie", "Odile", "Zoé Bœuf"]}
    tell("members", "remove", "odile")
    a_text = phrase("competition.allowed.text")
    for words, field in ((("correct", "Lucie"), "name"), (("remove",), "member")):
        no_name = refused("not_an_action", field=field, value="null", allowed=a_text)
        assert no_name in tell("members", *words, "--lang", "en", code=Exit.CANNOT)[1]
    said = tell("members", "remove", "é" * 10_000, "--lang", "en", code=Exit.PROBLEM)[1]
    assert has_phrase(said, "competition.refused.no_such_member")
    assert tell.json("members")["members"] == ["Lucie", "Zoé Bœuf"]
