"""The rules at a table: chosen between games, kept for the next evening, and played by two, three, four and six."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    GO,
    GREEN,
    GREEN_OK,
    LONG,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    Evening,
    cards,
    evening,
    holes,
    policy,
    step_to,
)

from cribboard import RULES, Way
from cribboard.actions import Question
from cribboard.events import AllPassed, DealVoided, PassTakenBack
from cribboard.position import Phase
from cribboard.rules import Standings, changed
from cribboard.view import PromptKind
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import Input, Key, KeyHeld
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.rule_sets import RuleSet, playable, toggled
from cribd.table.settings import Settings, keep_settings, read_settings
from cribd.table.snapshot import Line, Lobby, NamingDealer

TRIPLE = load("triple")
LEGION = RuleSet("Legion Hall", changed(RULES["six-card"], {"target": 61, "skunk_line": 31}))
GREEN_WINS: list[Input] = holes(GREEN, 121, 121, 121)


async def choose(table: Evening, title: str) -> None:
    """Step the menu's rules to this title, and leave the menu."""
    await step_to(table, Line.RULES)
    while table.now.rules.title != title:
        await table.post(OK[BLUE])
    await table.post(MENU_HELD)


# Choosing


async def test_rules_chosen_in_the_menu_are_those_of_the_next_game(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await choose(table, "fadoq")
        assert (table.now.lobby, table.now.rules.title, table.now.match) == (Lobby.START, "fadoq", 8)
        await table.post(OK[RED])
        assert table.position.rules == RULES["fadoq"]
        assert table.now.standings is Standings.POINTS


async def test_rules_and_options_survive_a_restart(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await choose(table, "britannica")
        await step_to(table, Line.OPTION)
        await table.post(OK[RED], MENU_HELD)
    async with evening(tmp_path) as table:
        assert table.now.rules == RuleSet("britannica", toggled(RULES["britannica"], "short"))
        assert table.table.settings.rules.label == "britannica/2 target=61 skunk_line=31"
        await table.post(OK[RED])
        assert table.position.rules.game.target == 61


async def test_house_rules_are_offered_stored_and_written_in_the_heading(tmp_path: Path) -> None:
    offered = policy(house_rules=(LEGION,))
    async with evening(tmp_path, policy=offered) as table:
        await choose(table, "Legion Hall")
        await table.post(OK[RED])
        assert table.now.view is not None
        assert table.now.view.rules == "six-card/2 target=61 skunk_line=31"
    async with evening(tmp_path, policy=offered) as table:
        assert table.now.rules == LEGION
        assert (await table.post(OK[RED])).lobby is None
        assert table.position.rules == LEGION.rules
    async with evening(tmp_path) as table:
        assert table.now.rules.title == "six-card", "they are not offered any more"
        assert table.position.rules == LEGION.rules, "but the game that was begun by them is"


async def test_a_game_by_house_rules_that_leave_no_room_for_an_option_goes_on_without_their_file(
    tmp_path: Path,
) -> None:
    """Five-card to 31 has no place for the lurch at 31, an option of five-card."""
    short = RuleSet("Sprint", changed(RULES["five-card"], {"target": 31}))
    async with evening(tmp_path, policy=policy(house_rules=(short,))) as table:
        await choose(table, "Sprint")
        await table.post(OK[RED])
        assert table.position.rules == short.rules
    async with evening(tmp_path) as table:
        assert table.now.lobby is Lobby.RESUME
        assert (await table.post(OK[RED])).lobby is None
        assert table.position.rules == short.rules


async def test_other_rules_begin_a_new_match_and_the_old_one_is_over(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
        assert table.now.games == (2, 0)
        await choose(table, "acc")
        assert (table.now.games, table.now.match, table.now.match_over) == ((0, 0), 9, False)
        await table.post(OK[BLUE])
        assert table.position.phase is Phase.CUT, "a new match is cut for"
        numbers = [table.journal.game(number).match for number, _, _ in table.journal.games()]
        assert numbers == [1, 2]


async def test_a_match_goes_on_if_its_rules_are_chosen_again(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
        await choose(table, "acc")
        await choose(table, "six-card")
        assert table.now.games == (2, 0)
        await table.post(OK[BLUE])
        assert table.position.dealer == RED


async def test_an_unfinished_game_goes_on_by_its_own_rules_whatever_was_chosen_since(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *holes(BLUE, 8), OK[BLUE])
    journal = Journal(tmp_path / "journal.db", ManualClock())
    keep_settings(journal, Settings(rules=RULES["acc"], way=Way.TRUST))
    journal.close()
    async with evening(tmp_path) as table:
        await table.post(OK[BLUE])
        assert (table.position.rules, table.scores) == (RULES["six-card"], (8, 0))
        await table.post(*BLUE_WINS, *OK)
        assert (table.now.lobby, table.now.games) == (Lobby.AGAIN, (0, 0)), "the next game belongs to another match"
        await table.post(OK[BLUE])
        assert table.position.rules == RULES["acc"]


async def test_during_a_game_no_line_changes_its_rules(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, MENU)
        assert table.now.menu is not None
        assert not {Line.RULES, Line.OPTION} & {line.line for line in table.now.menu.lines}


def test_rules_that_this_board_cannot_play_are_not_read_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", ManualClock())
    keep_settings(journal, Settings(rules=RULES["three-player"]))
    assert (
        read_settings(journal, Settings(), languages=languages(), offered=playable(TRIPLE)).rules
        == RULES["three-player"]
    )
    assert read_settings(journal, Settings(), languages=languages(), offered=playable(LONG)).rules == RULES["six-card"]
    journal.close()


# Matches that are not first to so many


async def test_a_match_of_points_ends_after_its_games_and_says_who_has_more(tmp_path: Path) -> None:
    two_games = changed(RULES["fadoq"], {"match": 2})
    first: list[Input] = [OK[BLUE], OK[BLUE], OK[BLUE], *holes(RED, 28, 28), *BLUE_WINS, *OK]
    async with evening(tmp_path, rules=two_games) as table:
        await table.post(*first)
        assert (table.now.games, table.now.points, table.now.match_over) == ((1, 0), (121, 28), False)
        await table.post(*first)
        assert (table.now.points, table.now.match_over, table.now.match_winner) == ((242, 56), True, BLUE)
        await table.post(OK[BLUE])
        assert table.now.points == (0, 0)


async def test_a_match_of_points_may_end_level(tmp_path: Path) -> None:
    two_games = changed(RULES["jeux50"], {"match": 2})
    async with evening(tmp_path, rules=two_games) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
        await table.post(*BLUE_DEALS, *holes(RED, 121, 121, 121), *OK)
        assert (table.now.points, table.now.match_over, table.now.match_winner) == ((121, 121), True, None)


# Three sides


async def test_a_result_of_three_is_final_after_three_oks_and_the_missing_ones_are_named(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["three-player"], board=TRIPLE) as table:
        await table.post(OK[BLUE], GREEN_OK)
        assert table.position.dealer == GREEN
        await table.post(*GREEN_WINS)
        assert table.now.waiting == (BLUE, RED, GREEN)
        assert (await table.post(GREEN_OK)).waiting == (BLUE, RED)
        assert (await table.post(OK[BLUE])).waiting == (RED,)
        await table.post(OK[RED])
        assert (table.now.lobby, table.now.games) == (Lobby.AGAIN, (0, 0, 1))
        assert not table.now.waiting


async def test_a_question_of_three_names_who_must_still_answer(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["three-player"], board=TRIPLE) as table:
        await table.post(OK[BLUE], GREEN_OK)
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[RED])
        assert table.now.view is not None
        assert (table.now.view.prompt.kind, table.now.view.prompt.side) == (PromptKind.BREAK_OFF, None)
        assert table.now.waiting == (BLUE, GREEN)
        assert (await table.post(GREEN_OK)).waiting == (BLUE,)
        await table.post(OK[BLUE])
        assert table.now.lobby is Lobby.AGAIN


async def test_names_go_by_side_and_the_third_is_left_out_where_two_play(tmp_path: Path) -> None:
    names = policy(names=("Marie", "Jean", "Luc"))
    async with evening(tmp_path, policy=names, rules=RULES["three-player"], board=TRIPLE) as table:
        await table.post(OK[BLUE])
        stored = table.journal.latest_game()
        assert stored is not None
        assert stored.heading.names == ("Marie", "Jean", "Luc")
        await table.post(GREEN_OK)
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE], OK[RED], GREEN_OK)
        await choose(table, "partners")
        await table.post(OK[BLUE])
        stored = table.journal.latest_game()
        assert stored is not None
        assert stored.heading.names == ("Marie", "Jean")


# Partners


async def test_partners_step_through_the_seats_and_any_ok_names_one(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["partners"]) as table:
        await table.post(OK[BLUE])
        assert (await table.post(OK[RED])).naming == RED
        assert (await table.post(MENU, MENU)).naming == 3
        shown = await table.post(OK[BLUE])
        assert (shown.naming, table.position.dealer) == (None, 3)


async def test_undo_ends_the_naming_of_a_dealer(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["partners"]) as table:
        await table.post(OK[BLUE], OK[RED], UNDO)
        assert (table.now.naming, table.position.dealer) == (None, None)
        assert table.lines_on_disk() == 0


async def test_a_menu_over_the_naming_of_a_dealer_gives_it_back(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["partners"]) as table:
        await table.post(OK[BLUE], OK[RED], MENU, MENU_HELD)
        assert table.now.menu is not None
        assert (await table.post(MENU_HELD)).naming == 2
        assert (await table.post(OK[RED])).naming is None
        assert table.position.dealer == 2


async def test_the_count_judge_and_an_official_over_the_naming_of_a_dealer_give_it_back(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", rules=RULES["partners"]) as table:
        await table.post(OK[BLUE], OK[RED])
        for line, leave in ((Line.JUDGE, MENU), (Line.OFFICIAL, OK[BLUE])):
            await table.post(MENU_HELD)
            await step_to(table, line)
            opened = await table.post(OK[BLUE])
            assert opened.mode != opened.base == NamingDealer(RED)
            assert (await table.post(leave)).mode == NamingDealer(RED)


async def test_a_cut_ends_the_naming_of_a_dealer(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", rules=RULES["partners"]) as table:
        await table.post(OK[BLUE], OK[RED], *cards("9H"))
        assert (table.now.naming, table.position.cuts[0][0]) == (None, 0)


async def test_breaking_off_while_a_dealer_is_named_ends_the_naming(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["partners"]) as table:
        await table.post(OK[BLUE], OK[RED], MENU_HELD)
        await step_to(table, Line.BREAK_OFF)
        await table.post(OK[BLUE])
        assert table.now.naming is None
        await table.post(OK[RED])
        assert table.now.lobby is Lobby.AGAIN


async def test_a_held_go_passes_for_all_and_one_player_can_still_lay(tmp_path: Path) -> None:
    """A77, with the keys: the last to lay holds GO, and before the next lead a short GO takes it back."""
    async with evening(tmp_path, "verify", rules=RULES["partners"]) as table:
        await table.post(OK[BLUE], OK[RED], MENU, MENU, OK[BLUE], *cards("6C TC 8D TH"))
        await table.post(KeyHeld(Key.GO, BLUE))
        assert any(isinstance(event, AllPassed) for event in table.position.last)
        await table.post(*holes(BLUE, 1), OK[BLUE], GO[RED])
        assert any(isinstance(event, PassTakenBack) for event in table.position.last)
        assert table.scores == (0, 0), "what was pegged for the go came back"
        await table.post(*cards("3D"))
        assert table.position.count == 31


# A card seen at the cut


async def test_a_card_seen_at_the_cut_means_a_new_deal_by_the_same_dealer(tmp_path: Path) -> None:
    """A57."""
    async with evening(tmp_path, "verify", rules=RULES["jeux50"]) as table:
        await table.post(*RED_DEALS)
        await step_to(table, Line.EXPOSED_CUT)
        await table.post(OK[RED])
        assert table.position.question == (Question.EXPOSED_CUT, RED)
        await table.post(OK[BLUE])
        assert any(isinstance(event, DealVoided) for event in table.position.last)
        assert (table.position.phase, table.position.dealer) == (Phase.DEAL, RED)


async def test_under_acc_rules_the_top_card_stands_without_a_question(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", rules=RULES["acc"]) as table:
        await table.post(*RED_DEALS)
        await step_to(table, Line.EXPOSED_CUT)
        await table.post(OK[RED])
        assert (table.position.phase, table.position.question, table.now.menu) == (Phase.PLAY, None, None)


@pytest.mark.parametrize("way", ["trust", "verify", "auto"])
@pytest.mark.parametrize("name", RULES)
async def test_every_preset_begins_at_the_table_and_shows_its_first_deal(tmp_path: Path, name: str, way: str) -> None:
    async with evening(tmp_path, way, rules=RULES[name], board=TRIPLE) as table:
        await table.post(OK[BLUE], OK[RED])
        if table.now.naming is not None:
            await table.post(OK[RED])
        assert table.now.view is not None
        assert (table.now.view.dealer, table.now.view.players) == (RED, len(RULES[name].seats))
        assert table.now.view.prompt.kind is (PromptKind.PEG if way == "trust" else PromptKind.STARTER)
