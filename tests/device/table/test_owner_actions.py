"""Requests of the owner from a page: names, rules, a new game, an undo (rules reference, 7.13)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    Evening,
    evening,
    policy,
    step_to,
)

from cribboard import RULES
from cribboard.actions import LayCard, UndoOfficially
from cribboard.cards import Card
from cribboard.events import Acted, BrokenOff, ResultFinal, Undone
from cribboard.position import Phase
from cribboard.rules import OPTIONS
from cribboard.view import PromptKind
from cribd.clock import ManualClock
from cribd.inputs import CardRead, Input, NamesGiven, NewGameAsked, NewMatchAsked, RulesGiven, UndoAsked
from cribd.languages import languages
from cribd.storage.journal import Journal, StoredGame
from cribd.table.settings import Settings, read_settings
from cribd.table.snapshot import Line


def latest(table: Evening) -> StoredGame:
    stored = table.journal.latest_game()
    assert stored is not None
    return stored


async def test_names_are_shown_at_once_and_stand_in_the_next_games_record(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        shown = await table.post(NamesGiven(("  Aline ", "Paul\nTremblay")))
        assert shown.names == ("Aline", "Paul Tremblay")
        await table.post(OK[BLUE])
        assert latest(table).heading.names == ("Aline", "Paul Tremblay")


async def test_names_outlast_the_evening_and_no_names_give_back_those_of_the_configuration(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=policy(names=("Bleuet", "Rosier", ""))) as table:
        assert (await table.post(MENU)).names == ("Bleuet", "Rosier")
        await table.post(NamesGiven(("Aline", "Paul")))
    with_names = Journal(tmp_path / "journal.db", ManualClock())
    assert read_settings(with_names, Settings(), languages=languages()).names[:2] == ("Aline", "Paul")
    with_names.close()
    async with evening(tmp_path, policy=policy(names=("Bleuet", "Rosier", ""))) as table:
        assert (await table.post(NamesGiven(()))).names == ("Bleuet", "Rosier")


async def test_the_record_of_a_game_keeps_the_names_that_it_began_with(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, NamesGiven(("Aline", "Paul")))
        assert latest(table).heading.names == ()


async def test_a_resumed_game_keeps_the_names_that_it_began_with(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=policy(names=("Aline", "Paul", ""))) as table:
        await table.post(*BLUE_DEALS)
    async with evening(tmp_path, policy=policy(names=("Maude", "", ""))) as table:
        assert table.now.names == ("Aline", "Paul")
        assert (await table.post(NewGameAsked())).names == ("Maude", "")


async def test_the_next_game_takes_the_rules_that_the_owner_chose(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, RulesGiven(RULES["acc"].label))
        assert table.position.rules == RULES["six-card"]
        await table.post(NewGameAsked())
        assert table.position.rules == RULES["acc"]


@pytest.mark.parametrize("label", ["six-player/2", "chess", "six-card/2 target=7"])
async def test_rules_that_this_board_does_not_offer_change_nothing(tmp_path: Path, label: str) -> None:
    async with evening(tmp_path) as table:
        shown = await table.post(RulesGiven(label))
        assert shown.refusal is not None
        assert (shown.refusal.code, shown.rules.title) == ("no_such_rules", "six-card")


async def test_a_new_game_breaks_off_what_is_unfinished(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        unfinished = latest(table).id
        await table.post(NewGameAsked())
        assert isinstance(table.journal.game(unfinished).game.log[-1], BrokenOff)
        assert (table.position.phase, table.position.number) == (Phase.CUT, 0)


async def test_a_game_that_was_won_counts_when_the_owner_begins_the_next(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS)
        won = latest(table).id
        shown = await table.post(NewGameAsked())
        assert isinstance(table.journal.game(won).game.log[-1], ResultFinal)
        assert shown.games == (2, 0), "a skunk is worth two"


async def test_a_new_match_breaks_off_the_game_and_begins_the_first_of_another(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK, OK[BLUE])
        assert table.now.games == (2, 0)
        shown = await table.post(NewMatchAsked())
        assert (shown.games, shown.ends, shown.lobby) == ((0, 0), (), None)
        assert table.position.phase is Phase.CUT, "a new match is cut for"
        games = [table.journal.game(number) for number, _, _ in table.journal.games()]
        assert [game.match for game in games] == [1, 1, 2]
        assert isinstance(games[1].game.log[-1], BrokenOff)


async def test_a_game_that_is_won_still_counts_for_the_match_before_the_new_one(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, NewMatchAsked())
        games = [table.journal.game(number) for number, _, _ in table.journal.games()]
        assert [game.match for game in games] == [1, 2]
        assert table.journal.match(1, games[0].heading).games == (2, 0)
        assert table.now.games == (0, 0)


async def test_an_open_menu_shows_the_rules_that_the_owner_chose_and_stays_at_its_line(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await step_to(table, Line.LANGUAGE)
        menu = (await table.post(RulesGiven(RULES["britannica"].label))).menu
        assert menu is not None
        assert menu.current.line is Line.LANGUAGE
        assert menu.lines[0].values["now"].title == "britannica"
        options = [line.values["option"] for line in menu.lines if line.line is Line.OPTION]
        assert options == list(OPTIONS["britannica"])
        assert (await table.post(MENU_HELD, MENU)).menu == replace(menu, at=0), "as if it had been opened now"


async def test_an_open_menu_begins_anew_if_the_rules_of_the_owner_have_no_such_line(tmp_path: Path) -> None:
    async with evening(tmp_path, rules=RULES["britannica"]) as table:
        await step_to(table, Line.OPTION)
        menu = (await table.post(RulesGiven(RULES["six-card"].label))).menu
        assert menu is not None
        assert (menu.current.line, menu.current.values["now"].title) == (Line.RULES, "six-card")
        assert Line.OPTION not in [line.line for line in menu.lines]


async def test_an_open_menu_says_that_a_match_would_end_only_while_its_players_stay(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
        await step_to(table, Line.NEW_MATCH)
        menu = (await table.post(NamesGiven(("Aline", "Paul"), same_players=True))).menu
        assert menu is not None
        assert menu.current.line is Line.NEW_MATCH
        menu = (await table.post(NamesGiven(("Maude", "Luc")))).menu
        assert menu is not None
        assert Line.NEW_MATCH not in [line.line for line in menu.lines]


@pytest.mark.parametrize("open_first", [Line.JUDGE, Line.OFFICIAL, Line.SOUND])
async def test_an_undo_of_the_owner_closes_any_open_mode(tmp_path: Path, open_first: Line) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
        await step_to(table, open_first)
        await table.post(OK[BLUE])
        shown = await table.post(UndoAsked(table.position.number))
        assert (shown.menu, shown.judging, shown.official, shown.refusal) == (None, None, None, None)
        assert table.position.phase is Phase.DEAL


async def test_the_owner_takes_back_an_act_and_asks_no_side(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, CardRead("KS"))
        shown = await table.post(UndoAsked(table.position.number))
        assert shown.view is not None
        assert (shown.view.prompt.kind, table.position.stack) == (PromptKind.LEAD, ())
        acted, undone = latest(table).game.log[-2:]
        assert acted == Acted(UndoOfficially())
        assert isinstance(undone, Undone)


async def test_an_undo_of_what_the_owner_has_not_seen_is_refused(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
        seen = table.position.number
        await table.post(CardRead("KS"))
        shown = await table.post(UndoAsked(seen))
        assert shown.refusal is not None
        assert (shown.refusal.code, len(table.position.stack)) == ("gone_on", 1)


@pytest.mark.parametrize("before", [(), (*BLUE_DEALS, *BLUE_WINS, *OK)])
async def test_without_a_game_there_is_nothing_to_take_back(tmp_path: Path, before: tuple[Input, ...]) -> None:
    async with evening(tmp_path) as table:
        await table.post(*before)
        shown = await table.post(UndoAsked(0))
        assert shown.refusal is not None
        assert shown.refusal.code == "no_game"


async def test_the_board_says_what_an_undo_would_take_back(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        assert (await table.post(*RED_DEALS, CardRead("5H"))).undoes == LayCard(BLUE, Card.parse("5H"))
        assert (await table.post(CardRead("6D"))).undoes == LayCard(RED, Card.parse("6D"))
        undone = await table.post(UndoAsked(table.position.number))
        assert undone.undoes == LayCard(BLUE, Card.parse("5H"))


@pytest.mark.parametrize("value", ['["Al\\nine", ""]', '{"a": 1}', "[1]", "no"])
async def test_unreadable_names_in_the_journal_are_ignored(tmp_path: Path, value: str) -> None:
    journal = Journal(tmp_path / "journal.db", ManualClock())
    journal.write_settings({"names": value, "brightness": "\u00b2"})
    journal.close()
    async with evening(tmp_path) as table:
        await table.post(OK[BLUE])
        assert all(name.isprintable() for name in latest(table).heading.names)
