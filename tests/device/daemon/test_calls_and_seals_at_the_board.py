"""At a table of an event: what its games tell of one another, and who calls an official."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.board_at_event import call_at_the_board, due, place
from tests.support.evenings import BLUE, BLUE_WINS, MENU, MENU_HELD, OK, RED, step_to
from tests.support.event_evenings import A_WIN, OPEN, SEALED, at_event, open_results
from tests.support.organised import draw_and_start, held

from cribboard.competition import FORMATS
from cribboard.competition.actions import (
    AnswerCall,
    CallOfficial,
    CheckIn,
    EnterResult,
)
from cribboard.competition.terms import GameAt
from cribboard.rules import Option
from cribd.competition import desk_requests
from cribd.competition.action_json import NotAnAction
from cribd.storage.journal import JournalAway
from cribd.table.snapshot import PLAYING, DeskMessageMode, Line, OfficialMode
from cribd.text import load

# What the games tell of one another


async def test_in_a_sealed_event_no_standing_of_a_match_tells_of_the_game_before(tmp_path: Path) -> None:
    async with at_event(tmp_path, SEALED) as (table, _):
        await table.post(*A_WIN, OK[RED])
        assert (table.now.games, table.now.points) == ((0, 0), (0, 0))
        assert table.now.view is not None
        assert table.now.view.dealer == RED, "the loser deals, as in any match: the exception of law 10"


async def test_the_number_of_ended_games_leaves_sealed_games_out(tmp_path: Path) -> None:
    async with at_event(tmp_path, replace(SEALED, meeting_games=1, games=1)) as (table, _):
        await table.post(*A_WIN)
        assert table.now.ended == 0
        await table.post(*A_WIN)
        assert table.now.ended == 1, "a friendly game"
        await table.post(OK[BLUE])
    async with at_event(tmp_path) as (table, _):
        assert table.now.ended == 1, "the game under way has not ended"
        await table.post(OK[BLUE], *BLUE_WINS, *OK)
        assert table.now.ended == 2


async def test_a_game_of_an_open_event_that_ends_is_news_for_the_lists(tmp_path: Path) -> None:
    async with at_event(tmp_path, OPEN) as (table, _):
        await table.post(*A_WIN, OK[RED])
        assert table.now.ended == 1


async def test_in_an_open_event_the_games_of_one_visit_are_a_match(tmp_path: Path) -> None:
    async with at_event(tmp_path, OPEN) as (table, _):
        await table.post(*A_WIN, OK[RED])
        assert table.now.games == (2, 0), "a skunk counts two"


async def test_a_friendly_game_after_the_event_is_of_another_match(tmp_path: Path) -> None:
    async with at_event(tmp_path, replace(OPEN, meeting_games=1, games=1)) as (table, _):
        await table.post(*A_WIN)
        assert table.now.event is None
        assert (table.now.games, table.now.ends) == ((0, 0), ())


# An official


async def test_the_board_names_the_captain_who_may_call_an_official(tmp_path: Path) -> None:
    async with at_event(tmp_path, FORMATS["fadoq"], entrants=4) as (table, organiser):
        await table.post(OK[BLUE])
        view = held(organiser).organiser
        captains = [
            view.entrants[number - 1].players[view.entrants[number - 1].captain]
            for number in next(each for each in view.tables if each.table == 1).entrants
        ]
        await step_to(table, Line.OFFICIAL)
        await table.post(OK[RED])
        assert isinstance(table.now.mode, OfficialMode)
        assert (table.now.mode.captain, table.now.mode.name) == (True, captains[RED])


async def test_a_call_at_the_board_is_one_at_the_desk_until_an_ok_says_that_the_official_is_here(
    tmp_path: Path,
) -> None:
    async with at_event(tmp_path, FORMATS["fadoq"], entrants=4) as (table, organiser):
        callers = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
        await table.post(OK[BLUE])
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == (callers[BLUE],)
        await table.post(OK[RED])
        assert held(organiser).hall.calls == ()
        await organiser.do(CheckIn(callers[RED], captain=1))
        await call_at_the_board(table, RED)
        assert held(organiser).hall.calls == (callers[RED],), "in the name of its captain"
        await table.post(OK[BLUE])
        assert held(organiser).hall.calls == ()
        assert table.now.official is None


async def test_the_desk_may_answer_a_call_first_and_a_phone_may_have_called(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE])
        first, _ = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
        await organiser.do(CallOfficial(first))
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == (first,)
        await organiser.do(AnswerCall(first))
        assert table.now.mode == PLAYING, "as at a board across the hall"
        await call_at_the_board(table, RED)
        assert isinstance(table.now.mode, OfficialMode), "the answer was to the other call"


@pytest.mark.parametrize(("language", "asked"), [("en", "From the desk: OK"), ("fr_CA", "Message : OK si lu")])
async def test_a_ruling_in_words_is_on_the_screen_until_an_ok(tmp_path: Path, language: str, asked: str) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE])
        first, _ = next(each for each in held(organiser).organiser.tables if each.table == 1).entrants
        await call_at_the_board(table, BLUE)
        await desk_requests.REQUESTS["board/say"](organiser, {"text": "Le compte tient"}, {})
        await organiser.do(AnswerCall(first))
        phrases = load(language)
        assert phrases.prompt(table.now).replace("\u00a0", " ") == asked
        assert phrases.hints(table.now) == ("Le compte tient",)
        await table.clock.advance(2.0)
        await table.post(OK[RED])
        assert table.now.mode == PLAYING


@pytest.mark.parametrize("payload", [{"text": "a" * 61}, {"text": " x"}, {"text": "two\nlines"}, {"text": 1}, {}, None])
async def test_a_word_that_no_screen_can_show_is_refused(tmp_path: Path, payload: object) -> None:
    async with at_event(tmp_path) as (table, organiser):
        with pytest.raises(NotAnAction):
            await desk_requests.REQUESTS["board/say"](organiser, payload, {})
        assert not isinstance(table.now.mode, DeskMessageMode)


async def test_an_official_called_in_a_friendly_game_is_no_call_of_the_event(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(MENU, OK[BLUE], MENU_HELD, OK[BLUE])
        assert table.journal.game(1).played_for is None
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == ()


async def test_a_call_that_the_desk_cannot_take_is_one_at_the_table_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE])

        def full(*_: object) -> None:
            raise JournalAway("the disk is full")

        monkeypatch.setattr(table.journal.competitions, "append", full)
        await call_at_the_board(table, BLUE)
        assert held(organiser).hall.calls == ()
        await table.post(OK[BLUE])
        monkeypatch.undo()
        await open_results(organiser)
        await call_at_the_board(table, BLUE)
        await table.post(OK[BLUE])
        assert table.now.official is None


async def test_the_next_round_comes_to_the_table_by_itself(tmp_path: Path) -> None:
    one = replace(OPEN, meeting_games=1, games=2)
    async with at_event(tmp_path, one, entrants=4) as (table, organiser):
        await table.post(*A_WIN)
        assert due(table) is None
        await organiser.do(EnterResult(at=GameAt(1, 2), scores=(121, 90)))
        await draw_and_start(organiser)
        assert due(table) == place(organiser, 2, 1, 1)


def test_a_sealed_format_does_not_seal_the_rules_of_its_games() -> None:
    assert SEALED.sealed is Option.ON
    assert SEALED.game_rules.game.sealed is Option.OFF
