"""The files of a competition: CSV that spreadsheets and this program read, JSON, and the one HTML file to keep."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import phrase
from tests.support.competitions import Hall, entered
from tests.support.printouts import NAMES, played, printout, registered

from cribboard.competition import FORMATS, Competition, Format, read_format
from cribboard.competition.actions import CorrectResult, EndPlay, EnterResult
from cribboard.competition.season import SeasonRule, outcome, ranking
from cribboard.competition.terms import Choice, GameAt
from cribboard.competition.view import CompetitionEye
from cribd.competition.registration import preview
from cribd.paper import EXPORTS, NothingToPrint, SeasonPrintout, export, file_name, season_csv, season_sheet
from cribd.paper.csv_files import Cell, table
from cribd.text import languages, load

SHORT = read_format({"format": "fadoq", "games": 3})
#: What a name may be: printable words on one line.
TEXTS = st.text().map(lambda text: "".join(filter(str.isprintable, text)))


def rows(file: bytes, language: str) -> list[list[str]]:
    """The cells of a file as a spreadsheet of this language reads them."""
    text = file.decode("utf-8-sig")
    return [*csv.reader(io.StringIO(text, newline=""), delimiter=load(language).say("paper.csv.separator"))]


@pytest.fixture(scope="module")
def evening() -> Competition:
    return played(SHORT, 8)


@given(st.lists(st.lists(TEXTS | st.integers(), min_size=1, max_size=4), max_size=5), st.sampled_from(languages()))
def test_a_file_reads_back_and_holds_no_formula(cells: list[list[Cell]], language: str) -> None:
    file = table(load(language), ["head"], cells)
    assert file.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in file
    _, *read = rows(file, language)
    for line, row in zip(read, cells, strict=True):
        for text, cell in zip(line, row, strict=True):
            if isinstance(cell, int):
                assert text == str(cell)
            else:
                assert text.removeprefix("'") == cell
                assert not text.startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("form", [SHORT, FORMATS["acc"]], ids=lambda form: form.name)
def test_entrants_can_be_registered_again_from_their_file(form: Format, language: str) -> None:
    competition = registered(form, 8)
    entrants = competition.position.entrants
    read = preview(export("entrants.csv", printout(competition, language)), team_size=form.team_size, registered=())
    assert read.problems == ()
    assert [row.register.name.removeprefix("'") for row in read.rows] == [entrant.name for entrant in entrants]
    if form.team_size > 1:
        assert [row.register.players for row in read.rows] == [entrant.players for entrant in entrants]


def with_averages() -> Hall:
    """Three players; the second has played two of three games, the third one."""
    form = read_format({"format": "acc", "missing": "average", "ranking": ["points"]})
    hall = Hall(form, 3, choice=Choice.ONE_SHORT)
    hall.play((1, 2, 121, 100), byes=[3])
    hall.play((1, 3, 120, 121), byes=[2])
    hall.play((1, 2, 121, 99), byes=[3])
    return hall


def test_numbers_are_written_as_the_spreadsheet_of_the_language_reads_them() -> None:
    hall = with_averages()
    french, english = (
        rows(export("standings.csv", printout(hall.competition, language)), language) for language in ("fr_CA", "en")
    )
    assert [row[8] for row in french][:2] == [phrase("paper.criterion.points", "fr_CA"), "363"]
    assert {row[1]: row[8] for row in english}["Entrant 2"] == "298.5"
    assert {row[1]: row[8] for row in french}["Entrant 2"] == "298,5"


def test_the_results_have_a_row_for_each_game() -> None:
    hall = Hall(FORMATS["acc"], 2)
    number = hall.draw((1, 2))
    hall.do(entered(number, 1, 121, 90))
    hall.play((2, 1, 121, 60))
    head, *games = rows(export("results.csv", printout(hall.competition, "en")), "en")
    columns = ("round", "play_off", "table", "game", "first", "second", "first_score")
    assert head[:7] == [phrase(f"paper.csv.{column}") for column in columns]
    assert games[0] == [
        "1",
        "",
        "1",
        "1",
        "Entrant 1",
        "Entrant 2",
        "121",
        "90",
        "Entrant 1",
        phrase("competition.ending.finished"),
        phrase("competition.state.accepted"),
        phrase("competition.source.slip"),
        "",
    ]
    assert games[1][8] == "Entrant 2"


def test_json_has_what_the_eye_sees(evening: Competition) -> None:
    payload = json.loads(export("event.json", printout(evening)))
    assert payload["form"] == "cribboard-competition/1"
    assert (payload["format"], payload["phase"], payload["is_sealed"]) == ("fadoq/2 games=3", "played", False)
    assert (payload["values"]["games"], payload["values"]["ranking"]) == (3, "points")
    assert [entrant["name"] for entrant in payload["entrants"]] == list(NAMES)
    assert [row["separated_by"] for row in payload["standings"]][:2] == [None, "points"]
    assert sum(len(table["results"]) for round_ in payload["rounds"] for table in round_["tables"]) == 12
    hidden = json.loads(export("event.json", printout(evening, eye=CompetitionEye.HALL)))
    assert hidden["is_sealed"]
    assert hidden["standings"] == []
    assert not any(table["results"] for round_ in hidden["rounds"] for table in round_["tables"])


def test_an_average_is_a_number_in_json() -> None:
    hall = with_averages()
    payload = json.loads(export("event.json", printout(hall.competition)))
    amounts = {row["entrant"]: row["amounts"]["points"] for row in payload["standings"]}
    assert amounts == {1: 362, 2: 298.5, 3: 363}


@pytest.mark.parametrize("name", EXPORTS)
def test_two_sealed_evenings_that_differ_in_scores_alone_leave_equal_files_for_the_hall(name: str) -> None:
    files = []
    for lost in (7, 113):
        hall = Hall(SHORT, 4)
        number = hall.draw((1, 2), (3, 4))
        hall.do(entered(number, 1, 121, lost), entered(number, 2, lost, 121))
        hall.do(EndPlay())
        files.append(export(name, printout(hall.competition, eye=CompetitionEye.HALL)))
    assert files[0] == files[1]


def test_the_file_to_keep_has_standings_rounds_and_the_record_behind_a_game() -> None:
    hall = Hall(FORMATS["acc"], 4)
    number = hall.draw((1, 2), (3, 4))
    hall.do(
        EnterResult(at=GameAt(number, 1), scores=(121, 90), record="ab" * 32), entered(number, 2, 100, 90, broken=True)
    )
    hall.do(CorrectResult(at=GameAt(number, 1), scores=(121, 95), reason="mal lu"))
    record = "Cribboard game 1\nPlayers: <Odile>\n"
    out = replace(printout(hall.competition, "en"), records={"ab" * 32: record})
    text = export("event.html", out).decode()
    assert "Players: &lt;Odile&gt;" in text
    assert text.count("<details>") == 1
    assert f"121–95 ({phrase('paper.corrected')})" in text
    assert f"100–90 ({phrase('competition.ending.broken-off')})" in text
    assert "<script" not in text


def test_an_unknown_file_of_a_competition_is_refused(evening: Competition) -> None:
    with pytest.raises(NothingToPrint, match="no_such_file"):
        export("winners.csv", printout(evening))


def test_the_name_of_a_file_tells_nothing_but_the_number_of_the_competition() -> None:
    assert [file_name(name, 12) for name in EXPORTS] == [f"cribboard-event-12-{name}" for name in EXPORTS]


def season(language: str) -> SeasonPrintout:
    """Two evenings, of which the better one counts. On each the two who won were level, and shared their points."""
    outcomes = []
    for first, second in ((121, 90), (90, 121)):
        hall = Hall(FORMATS["round-robin"], 4)
        hall.play((1, 2, first, second), (3, 4, 121, 90))
        hall.do(EndPlay())
        hall.open(3, 1)
        out = printout(hall.competition)
        outcomes.append(outcome(out.heading, out.view))
    rule = SeasonRule(counting=1, places=(10, 9, 4, 3))
    made = ranking(rule, outcomes)
    return SeasonPrintout(
        name="2025-2026", rule=rule, outcomes=outcomes, rows=made, words=load(language), language=language
    )


def test_the_ranking_of_a_season_is_a_sheet_and_a_file() -> None:
    out = season("fr_CA")
    head, *body = rows(season_csv(out), "fr_CA")
    place, name, total = (phrase(f"paper.csv.{column}", "fr_CA") for column in ("place", "name", "total"))
    assert head == [place, name, "Tournoi <de> mars", "Tournoi <de> mars", total]
    assert body == [
        ["1", "Entrant 1", "9,5", "3,5", "9,5"],
        ["1", "Entrant 2", "3,5", "9,5", "9,5"],
        ["1", "Entrant 3", "9,5", "9,5", "9,5"],
        ["4", "Entrant 4", "3,5", "3,5", "3,5"],
    ]
    sheet = season_sheet(out)
    assert phrase("paper.season.best", "fr_CA", n=1) in sheet
    assert "Tournoi &lt;de&gt; mars" in sheet
    assert "(3,5)" in sheet
