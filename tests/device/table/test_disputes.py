"""The menu lines for a dispute: an official, a false go, an unreadable card (rules reference, 7.3, 7.17)."""

from __future__ import annotations

from pathlib import Path

from tests.support.evenings import (
    BLUE,
    CHALLENGE,
    GO,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    cards,
    evening,
    policy,
    step_to,
)

from cribboard import RULES
from cribboard.events import CardUnread, RolledBack, StarterUnread
from cribboard.rules import Telling
from cribboard.view import PromptKind
from cribd.display.choose_sound import sound_of
from cribd.drivers.buzzer import Sound
from cribd.inputs import CardRead, HolePressed
from cribd.table.snapshot import Line, OfficialMode


async def test_an_official_is_called_by_the_menu_and_the_game_waits_until_he_is_here(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
        await step_to(table, Line.OFFICIAL)
        before = table.now
        called = await table.post(OK[RED])
        assert (called.official, called.menu) == (OfficialMode(RED), None)
        assert sound_of(called, before) is Sound.TICK
        view = called.view
        for given_input in (HolePressed(BLUE, 8), CardRead("4H"), UNDO, MENU, *GO, *CHALLENGE):
            shown = await table.post(given_input)
            assert shown.refusal is not None
            assert (shown.refusal.code, shown.view, shown.official) == ("official_called", view, OfficialMode(RED))
        came = await table.post(OK[BLUE])
        assert (came.official, came.refusal, came.view) == (None, None, view)


async def test_by_the_rules_of_fadoq_the_captain_speaks_to_the_official_and_is_named(tmp_path: Path) -> None:
    captains = policy(names=("Les As", "Les Rois"))
    async with evening(tmp_path, "trust", rules=RULES["fadoq"], policy=captains) as table:
        await table.post(OK[BLUE], OK[RED], OK[RED])
        await step_to(table, Line.OFFICIAL)
        assert (await table.post(OK[RED])).official == OfficialMode(RED, captain=True, name="Les Rois")


async def test_the_game_goes_on_without_an_unreadable_card_by_the_menu(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS[:-1])
        await step_to(table, Line.UNREAD)
        shown = await table.post(OK[BLUE])
        assert shown.menu is None
        assert shown.view is not None
        assert StarterUnread() in shown.view.said
        shown = await table.post(*cards("TC"), MENU, OK[BLUE])
        assert shown.view is not None
        assert CardUnread(RED) in shown.view.said, "the likeliest line, and the card of whose turn it is"


async def test_the_menu_and_the_other_sides_ok_roll_back_to_a_false_go(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC TD 2D"), GO[RED], *cards("4D"), GO[BLUE], *cards("3C"))
        shown = await table.post(MENU, OK[BLUE])
        assert shown.view is not None
        assert (shown.view.prompt.kind, shown.view.prompt.side) == (PromptKind.ROLL_BACK, RED)
        shown = await table.post(OK[RED])
        assert shown.view is not None
        assert RolledBack(RED) in shown.view.said


async def test_the_level_of_telling_is_stored_and_ends_no_match(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await step_to(table, Line.TELLING)
        await table.post(OK[RED], OK[RED], MENU_HELD)
        assert table.table.settings.rules.claims.telling is Telling.COACH
        await table.post(*RED_DEALS)
        assert table.now.view is not None
        assert table.now.view.telling is Telling.COACH
    async with evening(tmp_path, "verify") as table:
        assert table.table.settings.rules.claims.telling is Telling.COACH
