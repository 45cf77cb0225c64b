"""Tests of problems in words: what a person wrote into a file is refused in his language."""

import ast
from pathlib import Path
from string import Formatter

import pytest
from tests.support.catalogues import phrases_of
from tests.support.sources import calls

from cribboard.competition.season import SeasonError, read_rule
from cribboard.rules import RULES, RulesError
from cribboard.rules import changed as rules_with
from cribboard.validation import Message, any_of, or_else, whole_number
from cribd.boards.loader import BoardError, read
from cribd.causes import IN_WORDS, OF_SQLITE
from cribd.clock import ManualClock
from cribd.competition.action_json import NotAnAction
from cribd.competition.desk_requests import _read_format
from cribd.config.config import Config, ConfigError, changed
from cribd.readers.decks import DeckError, read_deck
from cribd.storage.journal import JournalAway, JournalBusy, JournalDamaged
from cribd.storage.open_journal import open_journal_as_it_is
from cribd.text import load, texts
from cribd.text.competitions import not_understood, refused
from cribd.toml import TomlError, read_toml

ROOT = Path(__file__).parents[3]
FRENCH = load("fr_CA")


def _messages() -> dict[str, str]:
    """The English of every message, by its code, as the sources have it."""
    found: dict[str, str] = {}
    for folder in ("board", "firmware"):
        for call in calls(ROOT / folder, "Message(", ".add("):
            match call:
                case ast.Call(
                    func=ast.Name("Message") | ast.Attribute(attr="add"),
                    args=[ast.Constant(value=str(code)), ast.Constant(value=str(english))],
                ):
                    assert found.setdefault(code, english) == english
    return found


MESSAGES = _messages()


def _places(text: str) -> set[str | None]:
    return {place for _, place, _, _ in Formatter().parse(text)} - {None}


@pytest.mark.parametrize("code", MESSAGES)
def test_a_message_is_in_both_catalogues(code: str) -> None:
    english, french = (phrases_of(language)[f"problem.{code}"] for language in ("en", "fr_CA"))
    assert english == MESSAGES[code]
    if not code.startswith(("toml.", "journal.line")):  # of what a reader says in English French has the place alone
        assert _places(french) == _places(english)


def test_every_problem_message_of_the_catalogues_is_sent() -> None:
    of_the_disk = {f"file.why.{reason}" for reason in {*IN_WORDS, *OF_SQLITE.values(), "no_text"}}
    assert {f"problem.{code}" for code in MESSAGES.keys() | of_the_disk} == {
        code for code in texts("en") if code.startswith("problem.")
    }


def test_a_message_is_worded_with_those_in_it() -> None:
    allowed = or_else(whole_number(1, 6), any_of(("off", Message("nothing", "nothing"))))
    assert allowed == "a whole number from 1 to 6, or off or nothing"
    assert FRENCH.problem(allowed) == "un nombre entier de 1 à 6, ou off ou rien"
    assert load("en").problem(allowed) == allowed
    assert FRENCH.problem("what no room wrote") == "what no room wrote"


def test_a_value_may_hold_braces() -> None:
    with pytest.raises(ConfigError) as wrong:
        changed(Config(), {"page": {"host": "{0}{x}"}})
    assert [*map(FRENCH.problem, wrong.value.problems)] == [
        'page.host = "{0}{x}"\xa0: il faut une adresse IP de cette machine, ou localhost.'
    ]


@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("a = = 2", "la syntaxe est fausse à la ligne 1, colonne 5"),
        ('a = "', "le texte se termine trop tôt"),
        ("a = " + "9" * 30, "un nombre a trop de chiffres"),
        ("a = " + "[" * 20 + "]" * 20, "l’imbrication est trop profonde"),
    ],
)
def test_invalid_toml_is_reported_in_french(text: str, french: str) -> None:
    with pytest.raises(TomlError) as wrong:
        read_toml(text)
    assert FRENCH.problem(wrong.value.reason) == french


@pytest.mark.parametrize(
    ("changes", "french"),
    [
        (
            {"target": 61, "skunk_line": 91},
            "skunk_line = 91\xa0: avec un but de 61, tout perdant serait skunké; il faut moins",
        ),
        ({"players": 5}, "players = 5, teams = 2\xa0: il faut 2 joueurs en 2 camps, 3 joueurs en 3 camps, "),
        ({"six_player_deal": "six-card-crib"}, "aucune source ne joue un crib de six cartes; il faut "),
        ({"pone": 1}, "pone\xa0: ce paramètre n’existe pas."),
    ],
)
def test_rules_that_contradict_each_other_are_refused_in_french(changes: dict[str, object], french: str) -> None:
    with pytest.raises(RulesError) as wrong:
        rules_with(RULES["six-card"], changes)
    assert any(french in FRENCH.problem(problem) for problem in wrong.value.problems)


def test_a_format_is_refused_in_french_at_the_desk() -> None:
    with pytest.raises(NotAnAction) as wrong:
        _read_format({"format": "acc", "play_off_games": 2, "gmaes": 3})
    assert not_understood("format", "x", wrong.value.allowed, FRENCH) == (
        "format = x\xa0: permis, un format qui se joue; gmaes\xa0: ce champ n’existe pas; s’agit-il de games? "
        "play_off_games = 2\xa0: un nombre pair de parties peut finir à égalité; il faut un nombre impair."
    )


def test_a_season_is_refused_in_french() -> None:
    with pytest.raises(SeasonError) as wrong:
        read_rule({"counting": 0, "points": "medals"})
    assert [*map(FRENCH.problem, wrong.value.problems)] == [
        "counting = 0\xa0: il faut un nombre entier de 1 à 99, ou all.",
        "points = 'medals'\xa0: il faut place ou amount.",
    ]


def test_a_deck_file_is_refused_in_french() -> None:
    with pytest.raises(DeckError) as wrong:
        read_deck('name = "rouge"\n[cards]\nXX = "04A3B2C1"\n', "rouge")
    assert [*map(FRENCH.problem, wrong.value.problems)] == [
        "ligne 3\xa0: 'XX' n’est pas une carte; une carte s’écrit comme TH."
    ]


def test_the_reason_for_a_missing_journal_is_reported_in_french(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    (tmp_path / "no.db").write_bytes(b"none of SQLite's" * 99)
    journal = open_journal_as_it_is(path, ManualClock(), make=True)
    with pytest.raises(JournalBusy) as busy:
        open_journal_as_it_is(path, ManualClock(), make=True)
    journal.close()
    with pytest.raises(JournalAway) as folder:
        open_journal_as_it_is(tmp_path, ManualClock(), make=True)
    with pytest.raises(JournalDamaged) as damaged:
        open_journal_as_it_is(tmp_path / "no.db", ManualClock(), make=False)
    assert FRENCH.problem(busy.value) == f"{path}\xa0: une autre planche joue sur ce journal"
    assert FRENCH.problem(folder.value) == f"{tmp_path}\xa0: c’est un dossier"
    assert FRENCH.problem(damaged.value) == f"{tmp_path}/no.db\xa0: ce n’est pas une base de données"
    said = refused("not_kept", {"reason": folder.value.args[0]}, (), FRENCH)
    assert said.endswith(f"{tmp_path}\xa0: c’est un dossier.")


def test_a_board_file_is_refused_in_french() -> None:
    with pytest.raises(BoardError) as wrong:
        read("laps = 3\n", called="mine.toml")
    said = [*map(FRENCH.problem, wrong.value.lines)]
    assert said[0] == "Le fichier de planche mine.toml ne peut pas servir\xa0:"
    assert "  laps = 3\xa0: il faut un nombre entier de 1 à 2." in said
    assert "  key = undo y est 0 fois\xa0: chaque planche l’a une seule fois." in said
