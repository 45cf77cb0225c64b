"""Tests of problems in words: what a person wrote into a file is refused in his language."""

import ast
from pathlib import Path
from string import Formatter

import pytest
from tests.support.catalogues import has_phrase, phrase

from cribboard.competition.season import SeasonError, read_rule
from cribboard.rules import RULES, RulesError
from cribboard.rules import changed as rules_with
from cribboard.validation import Message, any_of, or_else, whole_number
from cribd.boards.loader import BoardError, read
from cribd.clock import ManualClock
from cribd.competition.action_json import NotAnAction
from cribd.competition.desk_requests import _read_format
from cribd.config.config import Config, ConfigError, changed
from cribd.file_errors import IN_WORDS, OF_SQLITE
from cribd.readers.decks import DeckError, read_deck
from cribd.storage.journal import JournalBusy, JournalDamaged, NotKept
from cribd.storage.lock import open_journal_as_it_is
from cribd.text import load, texts
from cribd.text.competitions import not_understood, refused
from cribd.toml import TomlError, read_toml

ROOT = Path(__file__).parents[3]
FRENCH = load("fr_CA")


def french(code: str, **values: object) -> str:
    """The French phrase of a problem."""
    return phrase(f"problem.{code}", "fr_CA", **values)


def _messages() -> dict[str, str]:
    """The English of every message, by its code, as the sources have it."""
    found: dict[str, str] = {}
    for path in (*(ROOT / "board").rglob("*.py"), *(ROOT / "firmware").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
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
    english, french = texts("en")[f"problem.{code}"], texts("fr_CA")[f"problem.{code}"]
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
    off_or_nothing = french("either", one="off", other=french("nothing"))
    assert FRENCH.problem(allowed) == french("or_else", one=french("whole_number", low=1, high=6), other=off_or_nothing)
    assert load("en").problem(allowed) == allowed
    assert FRENCH.problem("what no room wrote") == "what no room wrote"


def test_a_value_may_hold_braces() -> None:
    with pytest.raises(ConfigError) as wrong:
        changed(Config(), {"page": {"host": "{0}{x}"}})
    assert [*map(FRENCH.problem, wrong.value.problems)] == [
        french("not_allowed", key="page.host", value='"{0}{x}"', allowed=french("config.host"))
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = = 2", french("toml.syntax", line=1, column=5)),
        ('a = "', french("toml.end")),
        ("a = " + "9" * 30, french("toml.digits")),
        ("a = " + "[" * 20 + "]" * 20, french("toml.deep")),
    ],
)
def test_invalid_toml_is_reported_in_french(text: str, reason: str) -> None:
    with pytest.raises(TomlError) as wrong:
        read_toml(text)
    assert FRENCH.problem(wrong.value.reason) == reason


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"target": 61, "skunk_line": 91},
            french("placed", where="skunk_line = 91", problem=french("rules.all_skunked", target=61)),
        ),
        ({"players": 5}, french("rules.seating", players=3, teams=3)),
        ({"six_player_deal": "six-card-crib"}, french("either", one="short-hands", other="bury")),
        ({"six_player_deal": "six-card-crib"}, french("rules.six_card_crib", allowed="\0").partition("\0")[0]),
        ({"pone": 1}, french("unknown", name="pone", what=french("parameter"))),
    ],
)
def test_rules_that_contradict_each_other_are_refused_in_french(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(RulesError) as wrong:
        rules_with(RULES["six-card"], changes)
    assert any(reason in FRENCH.problem(problem) for problem in wrong.value.problems)


def test_a_format_is_refused_in_french_at_the_desk() -> None:
    with pytest.raises(NotAnAction) as wrong:
        _read_format({"format": "acc", "play_off_games": 2, "gmaes": 3})
    problems = (
        french("unknown.meant", name="gmaes", what=french("field"), meant="games"),
        french("placed", where="play_off_games = 2", problem=french("format.level")),
    )
    said = not_understood("format", "x", wrong.value.allowed, FRENCH)
    assert all(problem in said for problem in problems)
    assert has_phrase(said, "competition.refused.not_an_action", "fr_CA", field="format", value="x")


def test_a_season_is_refused_in_french() -> None:
    with pytest.raises(SeasonError) as wrong:
        read_rule({"counting": 0, "points": "medals"})
    assert [*map(FRENCH.problem, wrong.value.problems)] == [
        french(
            "not_allowed",
            key="counting",
            value=0,
            allowed=french("or_else", one=french("whole_number", low=1, high=99), other="all"),
        ),
        french("not_allowed", key="points", value="'medals'", allowed=french("either", one="place", other="amount")),
    ]


def test_a_deck_file_is_refused_in_french() -> None:
    with pytest.raises(DeckError) as wrong:
        read_deck('name = "rouge"\n[cards]\nXX = "04A3B2C1"\n', "rouge")
    assert [*map(FRENCH.problem, wrong.value.problems)] == [
        french("placed", where=french("line", line=3), problem=french("deck.no_card", card="'XX'"))
    ]


def test_the_reason_for_a_missing_journal_is_reported_in_french(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    (tmp_path / "no.db").write_bytes(b"none of SQLite's" * 99)
    journal = open_journal_as_it_is(path, ManualClock(), make=True)
    with pytest.raises(JournalBusy) as busy:
        open_journal_as_it_is(path, ManualClock(), make=True)
    journal.close()
    with pytest.raises(NotKept) as folder:
        open_journal_as_it_is(tmp_path, ManualClock(), make=True)
    with pytest.raises(JournalDamaged) as damaged:
        open_journal_as_it_is(tmp_path / "no.db", ManualClock(), make=False)
    a_folder = french("placed", where=tmp_path, problem=french("file.why.EISDIR"))
    assert FRENCH.problem(busy.value) == french("placed", where=path, problem=french("journal.busy"))
    assert FRENCH.problem(folder.value) == a_folder
    assert FRENCH.problem(damaged.value) == french(
        "placed", where=tmp_path / "no.db", problem=french("file.why.NOTADB")
    )
    said = refused("not_kept", {"reason": folder.value.args[0]}, (), FRENCH)
    assert said == phrase("competition.refused.not_kept", "fr_CA", reason=a_folder)


def test_a_board_file_is_refused_in_french() -> None:
    with pytest.raises(BoardError) as wrong:
        read("laps = 3\n", called="mine.toml")
    said = [*map(FRENCH.problem, wrong.value.lines)]
    laps = french("board.wrong", key="laps", value=3, allowed=french("board.whole", least=1, most=2))
    assert said[0] == french("board.unusable", name="mine.toml")
    assert french("board.listed", problem=laps) in said
    assert french("board.listed", problem=french("board.key_count", key="undo", times=0)) in said
