"""`cribboard statistics`: the figures of the journal or of files, at a terminal and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.journals import tamper
from tests.support.kept_games import game_of, game_of_the_docs, keep
from tests.support.places import A_GAME, ROOT
from tests.support.typed_commands import Terminal

from cribboard import record
from cribboard.figures import PAR, PAR_SOURCE, DealPart, Role
from cribboard.record import Heading, Record
from cribboard.rules import Way

DOCUMENT = ROOT / "docs" / "statistics.md"


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal("statistics", capsys)


def figures(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase of the statistics."""
    return phrase(f"page.statistics.{code}", language, **values)


def test_the_statistics_of_a_record_are_a_table_against_par(typed: Terminal) -> None:
    code, out, err = typed(A_GAME)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (code, err, lines[0]) == (0, "", "Maude")
    assert phrase("audit.statistics.line", what=figures("won"), value=figures("of", n=1, all=1)) in lines
    heads = [figures(f"head.{head}") for head in ("average", "par", "difference", "times")]
    assert " ".join([figures("role.pone"), *heads]) in lines
    assert f"{figures('part.hand')} 12.5 8.1 +4.4 4" in lines
    assert f"{figures('part.hand')} 7.3 8.0 −0.7 4" in lines
    assert f"20 5♣ 5♦ 5♠ 7♥ + 5♥ {figures('of.hand')}, 2026-01-17" in lines
    assert out.endswith("http://www.cribbage.org/NewSite/tips/chambers6.asp\n")


def test_in_french_numbers_have_a_comma_and_cards_their_names(typed: Terminal) -> None:
    _, out, _ = typed(A_GAME, "--lang", "fr")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert f"{figures('part.hand', 'fr_CA')} 12,5 8,1 +4,4 4" in lines
    assert f"10 5♣ V♦ D♣ R♠ + A♦ {figures('of.hand', 'fr_CA')}, 2026-01-17" in lines
    won, of = figures("won", "fr_CA"), figures("of", "fr_CA", n=1, all=1)
    assert phrase("audit.statistics.line", "fr_CA", what=won, value=of) in out
    english = ("won", "tally.left", "head.average", "head.times", "part.hand", "role.pone", "role.dealer", "best")
    assert not [code for code in english if figures(code) in out]


def test_the_commands_in_statistics_md_exit_with_0(typed: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCUMENT.parents[1])
    lines = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith(".venv/bin/")]
    assert [typed(*line.split()[2:])[0] for line in lines] == [0]


def test_the_document_has_the_par_that_is_shown_and_its_source() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    par = {row[0].partition(" (")[0].lower(): row[1:] for row in rows if len(row) == 3}
    for part, row in (
        (DealPart.PLAY, "pegging"),
        (DealPart.HAND, "hand"),
        (DealPart.CRIB, "crib"),
        (DealPart.DEAL, "in all"),
    ):
        assert par[row] == [str(PAR[role].get(part, "")) for role in (Role.PONE, Role.DEALER)]
    assert PAR_SOURCE in text


def test_without_record_files_statistics_count_the_journals_games(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs(), game_of_the_docs()])
    code, out, _ = typed("--journal", tmp_path / "journal.db", "--json")
    payload = json.loads(out)
    assert code == 0
    assert [(player["name"], player["games"]) for player in payload["players"]] == [("Maude", 2), ("Réjean", 2)]


def test_trusted_games_give_only_the_figures_that_they_know(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of("Ann", "Bo", way=Way.TRUST)])
    _, out, _ = typed("--journal", tmp_path / "journal.db")
    assert figures("trusted") in out
    assert not [part for part in ("hand", "crib", "play") if f"{figures(f'part.{part}')} " in out]
    assert not [code for code in ("tally.left", "tally.big", "best") if figures(code) in out]


def test_sides_without_a_name_are_those_of_the_board(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of()])
    out = typed("--journal", tmp_path / "journal.db")[1]
    assert figures("nameless", side=phrase("side.0")) in out
    assert figures("nameless", side=phrase("side.1")) in out


def test_an_empty_journal_says_when_there_will_be_figures(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [])
    code, out, _ = typed("--journal", tmp_path / "journal.db")
    assert (code, out) == (0, f"{figures('nobody')}\n")


def test_a_file_that_was_changed_is_named_and_not_counted(typed: Terminal, tmp_path: Path) -> None:
    text = A_GAME.read_text(encoding="utf-8")
    (tmp_path / "changed.txt").write_text(text.replace("pegged red +8 = 15", "pegged red +9 = 16"), encoding="utf-8")
    code, out, err = typed(A_GAME, tmp_path / "changed.txt", "--json")
    assert (code, json.loads(out)["players"][0]["games"]) == (1, 1)
    assert "changed.txt" in err


def test_a_missing_record_file_is_reported(typed: Terminal) -> None:
    code, _, err = typed("nothing.txt")
    assert (code, err.strip()) == (1, phrase("record.no_file", file="nothing.txt"))


def test_a_damaged_game_of_the_journal_is_named_and_the_others_count(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()] * 2)
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER line_update; UPDATE line SET line = 'laid blue 2C count 2' WHERE game = 1 AND number = 14",
    )
    code, out, err = typed("--journal", tmp_path / "journal.db", "--json")
    assert (code, json.loads(out)["players"][0]["games"]) == (1, 1)
    assert err == f"{phrase('command.record.game_damaged', game=1, line=14)}\n"


def test_a_missing_journal_is_reported(typed: Terminal, tmp_path: Path) -> None:
    code, out, err = typed("--journal", tmp_path / "nothing.db")
    assert (code, out, err) == (2, "", f"{phrase('command.no_journal', file=tmp_path / 'nothing.db')}\n")


def test_a_name_is_one_player_however_it_was_written(typed: Terminal, tmp_path: Path) -> None:
    played = game_of_the_docs()
    heading = Heading(rules=played.heading.rules, way=played.heading.way, names=("MAUDE", "Paul"), date="2026-02-01")
    again = tmp_path / "again.txt"
    again.write_text(record.write(Record(heading, played.events)), encoding="utf-8")
    payload = json.loads(typed(A_GAME, again, "--json")[1])
    assert [(player["name"], player["games"]) for player in payload["players"]] == [
        ("MAUDE", 2), ("Paul", 1), ("Réjean", 1)
    ]  # fmt: skip
