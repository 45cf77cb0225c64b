"""What the organiser does next: the board says it, at every moment of an evening."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.organised import held, organiser, slip

from cribboard.competition import FORMATS
from cribboard.competition.actions import (
    Begin,
    CheckIn,
    CheckResult,
    EndPlay,
    OpenPlace,
    Pause,
    Register,
    Resume,
    StartRound,
)
from cribboard.competition.formats import Format
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.rounds import choices_after, fitting_games
from cribboard.competition.terms import Choice, GameAt
from cribboard.rules import Option
from cribd.competition.next_step import NextStep, OrganiserStep, PodiumPlace, next_step, podium
from cribd.competition.organiser import Organiser

ONE_GAME = replace(FORMATS["acc"], games=1, check_pass=Option.ON)


def due(owner: Organiser) -> NextStep:
    return next_step(held(owner))


async def test_each_step_of_an_evening_follows_the_one_before(tmp_path: Path) -> None:
    async with organiser(tmp_path / "journal.db") as owner:
        await owner.begin(CompetitionHeading(format=ONE_GAME, name="Mardi", tables=9))
        assert due(owner) == NextStep(OrganiserStep.REGISTER)
        await owner.do(Register(name="Anne"), Register(name="Benoît"), CheckIn(1))
        assert due(owner) == NextStep(OrganiserStep.CHECK_IN, {"n": 2})
        await owner.do(Register(name="Zoé"), CheckIn(2))
        assert due(owner) == NextStep(OrganiserStep.BEGIN, {"n": 3, "here": 2})
        await owner.do(Begin())
        assert due(owner) == NextStep(OrganiserStep.DRAW, {"round": 1})
        await owner.draw()
        assert due(owner) == NextStep(OrganiserStep.START, {"round": 1, "is_play_off": False, "n": 1})
        await owner.do(StartRound())
        entering = due(owner)
        assert (entering.step, entering.values["n"], entering.values["table"]) == (OrganiserStep.ENTER, 1, 1)
        await owner.do(Pause("dîner"))
        assert due(owner) == NextStep(OrganiserStep.RESUME, {"reason": "dîner"})
        await owner.do(Resume(), slip(1, 121, 98))
        assert due(owner) == NextStep(OrganiserStep.END_PLAY)
        await owner.do(EndPlay())
        assert due(owner) == NextStep(OrganiserStep.CHECK, {"n": 1})
        await owner.do(CheckResult(GameAt(1, 1, 1), (121, 98)))
        assert due(owner) == NextStep(OrganiserStep.OPEN, {"is_sealed": False})
        assert podium(held(owner))[1] == PodiumPlace(2, is_open=False, is_next=True, entrants=())
        await owner.do(OpenPlace(2, ""), OpenPlace(1, ""))
        assert due(owner) == NextStep(OrganiserStep.OVER)
        assert [each.is_open for each in podium(held(owner))] == [True, True, True]


@pytest.mark.parametrize(
    ("games", "form", "fitting"),
    [
        (9, FORMATS["acc"], (8, 10)),
        (1, FORMATS["acc"], (2,)),
        (99, FORMATS["acc"], (98,)),
        (6, FORMATS["jeux50"], (4, 8)),
    ],
)
def test_the_nearest_numbers_of_games_that_fit_odd_entrants(games: int, form: Format, fitting: tuple[int, ...]) -> None:
    assert fitting_games(form, games) == fitting


def test_where_entrants_do_not_fit_the_choices_follow_the_format() -> None:
    assert choices_after("uneven_games", FORMATS["acc"]) == (Choice.ONE_SHORT,)
    assert choices_after("too_few_entrants", FORMATS["jeux50"]) == (Choice.ROUND_ROBIN,)
    assert choices_after("too_few_entrants", FORMATS["fadoq"]) == ()
    assert choices_after("no_tables", FORMATS["acc"]) == ()
