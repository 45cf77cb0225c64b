"""Games that are set up beforehand, for somebody who plays alone: rules, way and names until that ends."""

from __future__ import annotations

from pathlib import Path

from tests.support.evenings import BLUE, BLUE_DEALS, BLUE_WINS, MENU, OK, RED, evening, policy, step_to

from cribboard import RULES
from cribboard.rules import Way
from cribd.clock import ManualClock
from cribd.inputs import GameSetUp, NewGameAsked, SetUpEnded
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.settings import Settings, read_settings
from cribd.table.snapshot import Line

ALONE = GameSetUp(RULES["acc"].label, "auto", ("", "Robot"))


async def test_a_game_that_is_set_up_is_the_next_one_until_that_ends(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        usual = await table.post(MENU)
        shown = await table.post(ALONE)
        assert (shown.rules.rules, shown.way, shown.names) == (RULES["acc"], "auto", ("", "Robot"))
        await table.post(NewGameAsked())
        begun = table.journal.latest_game()
        assert begun is not None
        assert (begun.heading.rules, begun.heading.way, begun.heading.names) == (RULES["acc"], Way.AUTO, ("", "Robot"))
        await table.post(SetUpEnded())
        shown = await table.post(NewGameAsked())
        assert (shown.rules, shown.way) == (usual.rules, usual.way)


async def test_rules_set_up_for_a_game_do_not_replace_the_players_choice(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        before = table.now
        await table.post(ALONE)
        await step_to(table, Line.LANGUAGE)
        await table.post(OK[BLUE])
    journal = Journal(tmp_path / "journal.db", ManualClock())
    settings = read_settings(journal, Settings(), languages=languages())
    assert (settings.rules, settings.way, settings.names) == (before.rules.rules, before.way, ())
    assert settings.language != before.language
    journal.close()


async def test_the_menu_changes_what_is_set_up(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        before = table.now.way
        await table.post(GameSetUp(RULES["acc"].label, "verify", ("", "Robot")))
        await step_to(table, Line.WAY)
        shown = await table.post(OK[BLUE])
        assert shown.way == "auto"
        assert (await table.post(SetUpEnded())).way == before


async def test_a_match_against_a_robot_does_not_continue_with_other_players(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=policy(cards=False)) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, OK[BLUE], OK[RED])
        assert (await table.post(MENU)).games[0] > 0
        alone = await table.post(GameSetUp(RULES["six-card"].label, "trust", ("", "Robot")))
        assert alone.games == (0, 0)
        after = await table.post(SetUpEnded())
        assert after.games == (0, 0)
        assert after.players == ()


async def test_rules_that_the_board_cannot_play_are_not_set_up(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        for wrong in (GameSetUp("nonsense", "auto", ()), GameSetUp(RULES["acc"].label, "never", ())):
            shown = await table.post(wrong)
            assert shown.refusal is not None
            assert shown.refusal.code == "no_such_rules"
            assert shown.rules.rules != RULES["acc"]
