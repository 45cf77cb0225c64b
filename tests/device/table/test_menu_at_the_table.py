"""The menu at a table: what it changes, asks and keeps (rules reference, 7.15)."""

from __future__ import annotations

from pathlib import Path

from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    CHALLENGE,
    GO,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    evening,
    step_to,
)

from cribboard import Way
from cribboard.events import BrokenOff
from cribboard.position import Phase
from cribboard.view import PromptKind
from cribd.clock import ManualClock
from cribd.inputs import CardRead, HolePressed
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.settings import Settings, keep_settings, read_settings
from cribd.table.snapshot import Line, Lobby


async def test_the_menu_steps_from_the_last_line_to_the_first(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(MENU)
        assert table.now.menu is not None
        lines = len(table.now.menu.lines)
        seen = [table.now.menu.current.line]
        for _ in range(lines):
            menu = (await table.post(MENU)).menu
            assert menu is not None
            seen.append(menu.current.line)
        assert len(set(seen)) == lines
        assert seen[0] == seen[-1]


async def test_presses_in_an_open_menu_do_not_reach_the_game_and_are_refused_on_the_screen(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, MENU)
        for given_input in (HolePressed(BLUE, 8), CardRead("4H"), UNDO, *GO, *CHALLENGE):
            shown = await table.post(given_input)
            assert shown.refusal is not None
            assert (shown.refusal.code, shown.menu is not None) == ("menu_open", True)
        left = await table.post(MENU_HELD)
        assert (left.menu, left.refusal) == (None, None)
        assert table.position.claim is None


async def test_a_chosen_setting_stays_at_its_line_and_survives_a_restart(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        for line in (Line.LANGUAGE, Line.SOUND, Line.BRIGHTNESS, Line.WAY):
            await step_to(table, line)
            menu = (await table.post(OK[RED])).menu
            assert menu is not None
            assert menu.current.line is line
        assert table.now.language == languages()[1] != "en"
        chosen = table.table.settings
    assert chosen == Settings(way=Way.AUTO, language=languages()[1], brightness=60, sound="off")
    async with evening(tmp_path, "trust") as table:
        assert table.table.settings == chosen
        assert (table.now.way, table.now.language) == ("auto", languages()[1])


async def test_another_way_holds_from_the_next_game_on(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        await step_to(table, Line.WAY)
        await table.post(OK[RED], MENU_HELD)
        ways = [table.position.way]
        await table.post(*BLUE_WINS, *OK, OK[BLUE])
        assert [*ways, table.position.way] == [Way.TRUST, Way.VERIFY]


async def test_a_misdeal_is_taken_in_the_menu_and_done_by_the_other_sides_ok(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, MENU, OK[RED])
        assert table.now.menu is None
        assert table.now.view is not None
        assert (table.now.view.prompt.kind, table.now.view.prompt.side) == (PromptKind.MISDEAL, BLUE)
        await table.post(OK[BLUE])
        assert (table.position.phase, table.position.dealer, table.position.deal) == (Phase.DEAL, RED, 1)


async def test_the_other_sides_ok_stops_a_game_which_is_stored_as_broken_off(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE], OK[RED])
        assert table.now.lobby is Lobby.AGAIN
        stored = table.journal.latest_game()
        assert stored is not None
        assert isinstance(stored.game.log[-1], BrokenOff)
        assert table.now.games == (0, 0)


async def test_a_setting_that_cannot_be_read_keeps_its_value(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", ManualClock())
    given = Settings(way=Way.AUTO, language="en", brightness=60, sound="on")
    keep_settings(journal, given)
    assert read_settings(journal, Settings(), languages=languages()) == given
    journal.write_settings({"way": "guess", "language": "tlh", "brightness": "1000", "sound": "loud"})
    assert read_settings(journal, given, languages=languages()) == given
    journal.close()
