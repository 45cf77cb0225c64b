"""What `cribboard event` shows of a competition, and the values that it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.catalogues import phrase, phrases_of
from tests.support.event_command import Teller, command

from cribboard.competition.refusals import REFUSALS as ENGINE
from cribboard.competition.terms import CompetitionPhase
from cribd.cli.errors import Exit
from cribd.competition.refusals import REFUSALS as DESK
from cribd.text import load

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
        for named in re.findall(r"“cribboard (event [\w-]+)", sentence):
            assert f"command.does.{named.replace(' ', '.').replace('-', '_')}" in phrases_of("en")
