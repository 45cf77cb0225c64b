"""What the organiser's desk says to a table: a word, a rehearsal, a pause, the end of a call or of the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.board_at_event import call_at_the_board, chain_of, place, results
from tests.support.evenings import BLUE, BLUE_WINS, MENU, MENU_HELD, OK, RED, RED_DEALS, UNDO, Evening, evening, holes
from tests.support.event_evenings import at_event
from tests.support.organised import held

from cribboard.competition.terms import Ending
from cribd.inputs import CardRead, Key, KeyHeldLonger
from cribd.storage.outbox import OutcomeStatus, PlayedFor
from cribd.table.organiser_desk import DeskSays, TakenGame, WaitsForRound
from cribd.table.snapshot import ConfirmOff, DeskMessage, DeskMessageMode, Lobby, Playing, Refusal, ShownMode

READ_S = 1.1
HELD_LONGER = KeyHeldLonger(Key.MENU)
LUNCH = DeskSays(word="Lunch at noon")


def hear(table: Evening, says: DeskSays) -> None:
    table.table.offer(None, says)


def mode(table: Evening) -> ShownMode:
    return table.now.mode


async def test_a_word_covers_the_game_until_ok_closes_it_and_the_game_stands_as_before(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        before = await table.post(*RED_DEALS, CardRead("TC"))
        hear(table, LUNCH)
        assert mode(table) == DeskMessageMode(DeskMessage.WORD, "Lunch at noon", Playing())
        assert (await table.post(UNDO)).refusal == Refusal("desk_speaks")
        await table.clock.advance(READ_S)
        after = await table.post(OK[BLUE])
        assert (after.mode, after.view, after.refusal) == (before.mode, before.view, None)
        hear(table, LUNCH)
        assert mode(table) == Playing()


async def test_a_word_that_was_read_is_shown_again_when_it_is_sent_anew(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        hear(table, LUNCH)
        await table.clock.advance(READ_S)
        await table.post(OK[RED])
        hear(table, DeskSays())
        hear(table, LUNCH)
        assert mode(table) == DeskMessageMode(DeskMessage.WORD, "Lunch at noon", Lobby.START)
        hear(table, DeskSays())
        assert mode(table) == Lobby.START


@pytest.mark.parametrize("next_word", [DeskSays(word="Dinner", word_number=2), replace(LUNCH, word_number=2)])
async def test_the_next_word_is_shown_after_one_that_was_read_also_if_both_are_alike(
    tmp_path: Path, next_word: DeskSays
) -> None:
    async with evening(tmp_path) as table:
        hear(table, replace(LUNCH, word_number=1))
        await table.clock.advance(READ_S)
        await table.post(OK[RED])
        assert mode(table) == Lobby.START
        hear(table, next_word)
        assert mode(table) == DeskMessageMode(DeskMessage.WORD, next_word.word, Lobby.START)


async def test_an_ok_that_was_meant_for_the_game_closes_no_word(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
        hear(table, LUNCH)
        shown = table.now
        await table.clock.advance(READ_S - 0.2)
        assert await table.post(OK[RED]) == shown


async def test_a_pause_takes_no_press_until_the_desk_ends_it(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        before = await table.post(*RED_DEALS)
        hear(table, DeskSays(is_paused=True))
        for press in (OK[BLUE], CardRead("5H"), MENU, MENU_HELD, *holes(BLUE, 2)):
            assert (await table.post(press)).refusal == Refusal("desk_paused")
        hear(table, DeskSays())
        assert (mode(table), table.now.view, table.now.refusal) == (before.mode, before.view, None)


async def test_a_paused_board_can_be_switched_off_and_is_paused_again_if_it_is_not(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        hear(table, DeskSays(is_paused=True))
        assert (await table.post(HELD_LONGER)).mode == ConfirmOff(Lobby.START)
        assert (await table.post(UNDO)).mode == DeskMessageMode(DeskMessage.PAUSED, covers=Lobby.START)


async def test_a_rehearsal_goes_before_all_and_is_confirmed_by_ok_once(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        hear(table, DeskSays(is_paused=True, word="Welcome", rehearsal=3))
        shown = []
        for _ in range(3):
            shown.append(mode(table))
            await table.clock.advance(READ_S)
            await table.post(OK[RED])
        covers = Lobby.START
        assert shown == [
            DeskMessageMode(DeskMessage.REHEARSAL, "", covers),
            DeskMessageMode(DeskMessage.WORD, "Welcome", covers),
            mode(table),
        ]
        assert mode(table) == DeskMessageMode(DeskMessage.PAUSED, covers=covers)
        assert table.now.rehearsed == 3
        hear(table, DeskSays(rehearsal=4))
        assert mode(table) == DeskMessageMode(DeskMessage.REHEARSAL, covers=covers)
        assert table.now.rehearsed == 3


async def test_an_open_menu_is_not_disturbed_and_the_word_is_shown_when_it_closes(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        opened = await table.post(MENU)
        hear(table, LUNCH)
        assert mode(table) == opened.mode
        assert (await table.post(MENU_HELD)).mode == DeskMessageMode(DeskMessage.WORD, "Lunch at noon", Lobby.START)


async def test_a_call_ends_when_the_desk_has_answered_it(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
        await call_at_the_board(table, RED)
        hear(table, DeskSays(has_ruled=True, word="The count stands"))
        assert mode(table) == DeskMessageMode(DeskMessage.WORD, "The count stands", Playing())


async def test_a_peg_in_hand_is_not_released_by_time_while_the_table_is_paused(tmp_path: Path) -> None:
    async with evening(tmp_path, "trust") as table:
        await table.post(OK[RED], OK[RED], *holes(RED, 2))
        hear(table, DeskSays(is_paused=True))
        await table.clock.advance(60)
        assert (await table.post(OK[RED])).refusal == Refusal("desk_paused")
        assert mode(table) == DeskMessageMode(DeskMessage.PAUSED, covers=Playing())
        assert sum(table.scores) == 0
        hear(table, DeskSays())
        await table.clock.advance(60)
        assert table.scores[RED] == 2


async def test_what_the_desk_says_stays_when_another_round_falls_due(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        hear(table, LUNCH)
        table.table.offer(WaitsForRound(4, 2), LUNCH)
        assert mode(table) == DeskMessageMode(DeskMessage.WORD, "Lunch at noon", Lobby.START)
        assert table.now.waits == WaitsForRound(4, 2)


def takes(place: PlayedFor, *, ends: bool) -> DeskSays:
    return DeskSays(takes=(TakenGame(place, ends=ends),))


async def say(table: Evening, says: DeskSays) -> None:
    table.table.offer(None, says)
    await table.clock.run_ready_tasks(lambda: table.table.has_no_input)


@pytest.mark.parametrize("where", ["playing", "menu", "paused", "resume"])
async def test_a_game_that_the_desk_ends_is_broken_off_as_it_stands_and_its_result_is_entered_once(
    tmp_path: Path, where: str
) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE], OK[BLUE], *holes(RED, 2), OK[RED])
        scores = table.scores
        assert sum(scores) > 0
    async with at_event(tmp_path) as (table, organiser):
        if where != "resume":
            await table.post(OK[BLUE])
        if where == "menu":
            await table.post(MENU)
        game = place(organiser, 1, 1, 1)
        for says in (replace(takes(game, ends=True), is_paused=where == "paused"), takes(game, ends=True)):
            await say(table, says)
            assert mode(table) == DeskMessageMode(DeskMessage.ENDED, covers=Lobby.AGAIN)
        [result] = results(organiser)
        assert (result.scores, result.ending, result.record) == (scores, Ending.BROKEN_OFF, chain_of(table, 1))
        await table.clock.advance(READ_S)
        assert (await table.post(OK[RED])).mode == Lobby.AGAIN
        assert table.now.entered is OutcomeStatus.ACCEPTED


async def test_a_game_that_is_won_when_the_desk_ends_it_is_finished(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE], OK[BLUE], *BLUE_WINS, OK[BLUE])
        await say(table, takes(place(organiser, 1, 1, 1), ends=True))
        [result] = results(organiser)
        assert (result.scores, result.ending) == ((121, 0), Ending.FINISHED)


async def test_the_desk_ends_no_other_game_than_the_one_that_it_names(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE], OK[BLUE], *BLUE_WINS, *OK)
        await table.post(OK[BLUE], OK[BLUE], *holes(RED, 2), OK[RED])
        await say(table, takes(place(organiser, 1, 1, 1), ends=True))
        assert mode(table) == Playing()
        assert len(results(organiser)) == 1


async def test_the_call_for_an_official_ends_with_the_game_that_the_desk_ends(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        await table.post(OK[BLUE], OK[BLUE], *holes(RED, 2), OK[RED])
        await call_at_the_board(table, RED)
        assert held(organiser).organiser.calls != ()
        await say(table, takes(place(organiser, 1, 1, 1), ends=True))
        assert (mode(table), held(organiser).organiser.calls) == (
            DeskMessageMode(DeskMessage.ENDED, covers=Lobby.AGAIN),
            (),
        )


async def test_a_game_that_goes_on_by_slip_stands_as_before_and_the_board_says_so_until_ok(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, organiser):
        before = await table.post(OK[BLUE], OK[BLUE], *holes(RED, 2), OK[RED])
        says = takes(place(organiser, 1, 1, 1), ends=False)
        await say(table, says)
        assert mode(table) == DeskMessageMode(DeskMessage.BY_SLIP, covers=Playing())
        await table.clock.advance(READ_S)
        after = await table.post(OK[RED])
        await say(table, replace(says, word="Lunch"))
        await table.clock.advance(READ_S)
        again = await table.post(OK[RED])
        assert (after.mode, after.view) == (again.mode, again.view) == (before.mode, before.view)
        assert results(organiser) == ()
