"""From game to game and evening to evening: results, and whose a match is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    MENU,
    MENU_HELD,
    OK,
    RED,
    UNDO,
    Evening,
    evening,
    policy,
    step_to,
)
from tests.support.journals import tamper

from cribboard import RULES
from cribboard.position import Phase
from cribboard.series import FinishedGame
from cribd.inputs import NamesGiven
from cribd.table.snapshot import Line, Lobby, MenuLine
from cribd.text import load

# The end of a game, the match, the next


def last_result(table: Evening) -> FinishedGame:
    """The journal's result of the game that ended last."""
    stored = table.journal.latest_game()
    assert stored is not None
    return table.journal.match(stored.match, stored.heading).results[-1]


async def test_the_result_is_final_after_both_oks_and_undo_works_until_then(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, OK[RED])
        assert table.scores == (121, 0)
        await table.post(UNDO)
        assert (table.scores, table.position.winner, table.now.lobby) == ((0, 0), None, None)
        await table.post(*BLUE_WINS, *OK)
        assert table.now.lobby is Lobby.AGAIN
        assert table.now.games == (2, 0), "a skunk"
        refused = await table.post(UNDO)
        assert refused.refusal is not None
        assert table.now.games == (2, 0)


async def test_a_later_game_may_be_won_in_its_first_deal(tmp_path: Path) -> None:
    """No event says who dealt first: the match knows."""
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK, OK[BLUE])
        assert table.position.dealer == RED, "the loser deals"
        await table.post(*BLUE_WINS, *OK)
        assert table.now.games == (4, 0)
        number = last_result(table).first_dealer
        assert number == RED


async def test_the_first_dealer_is_the_one_chosen_after_an_undo(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(OK[BLUE], OK[BLUE], UNDO, OK[RED], *BLUE_WINS, *OK)
        assert last_result(table).first_dealer == RED


async def test_the_first_dealer_is_not_the_latest_dealer(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, OK[BLUE], *BLUE_WINS, *OK)
        assert last_result(table).first_dealer == BLUE


async def test_a_match_goes_on_to_seven_and_then_another_begins(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
        for _ in range(3):
            assert table.now.match_winner is None
            await table.post(OK[BLUE], *BLUE_WINS, *OK)
        assert (table.now.games, table.now.match, table.now.match_winner) == ((8, 0), 7, BLUE)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games, table.now.match_winner) == (Lobby.AGAIN, (8, 0), BLUE)
        await table.post(OK[RED])
        assert (table.now.games, table.now.match_winner) == ((0, 0), None)
        assert table.position.phase is Phase.CUT, "a new match is cut for"


# Whose a match is


NAMED = policy(names=("Maude", "Réjean", ""))


async def won_by_blue(table: Evening) -> None:
    """A game that blue wins by a skunk, to the end."""
    await table.post(*([OK[BLUE]] if table.now.lobby is Lobby.AGAIN else BLUE_DEALS), *BLUE_WINS, *OK)


def matches(table: Evening) -> list[int]:
    """The number of the match of each game in the journal."""
    return [table.journal.game(number).match for number, _, _ in table.journal.games()]


async def test_other_players_begin_a_new_match_after_a_warning(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
        assert (table.now.games, table.now.ends) == ((2, 0), ())
        await table.post(NamesGiven(("Zoé", "Réjean")))
        assert (table.now.games, table.now.ends) == ((0, 0), (2, 0))
        assert load("en").prompt(table.now) == phrase("lobby.new_match")
        assert load("en").hints(table.now)[0] == phrase("match.ends", totals="2–0")
        await table.post(OK[BLUE])
        assert table.position.phase is Phase.CUT, "a new match is cut for"
        assert (table.now.games, table.now.ends, matches(table)) == ((0, 0), (), [1, 2])


@pytest.mark.parametrize(
    "names", [("Maude", "Réjean"), ("maude", "RÉJEAN"), ("Maude", ""), ("", "Réjean"), ("Maude", "Réjean", "Zoé")]
)
async def test_a_match_goes_on_where_no_name_is_replaced_by_another(tmp_path: Path, names: tuple[str, ...]) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
        await table.post(NamesGiven(names))
        assert (table.now.games, table.now.ends) == ((2, 0), ())
        await table.post(OK[BLUE])
        assert matches(table) == [1, 1]


@pytest.mark.parametrize("names", [("Réjean", "Maude"), ("Maud", "Réjean"), ("Zoé", ""), ("Zoé", "Paul")])
async def test_a_match_ends_where_another_name_stands_in_the_place_of_one(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
        assert (await table.post(NamesGiven(names))).ends == (2, 0)
        assert (await table.post(NamesGiven(("Maude", "Réjean")))).ends == (), "and nothing is lost before the OK"
        assert table.now.games == (2, 0)


async def test_players_who_get_their_first_names_go_on_with_their_match(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await won_by_blue(table)
        await table.post(NamesGiven(("Maude", "Réjean")), OK[BLUE])
        assert (table.now.games, matches(table)) == ((2, 0), [1, 1])
        await table.post(*BLUE_WINS, *OK)
        assert (await table.post(NamesGiven(("Zoé", "Paul")))).ends == (4, 0), "from then on it is theirs"


async def test_the_same_players_go_on_under_other_names_even_after_a_night(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
        corrected = await table.post(NamesGiven(("Maud", "Réjean"), same_players=True))
        assert (corrected.games, corrected.ends, corrected.players) == ((2, 0), (), ("Maud", "Réjean"))
    async with evening(tmp_path, policy=NAMED) as table:
        assert (table.now.games, table.now.ends) == ((2, 0), ())
        assert (await table.post(NamesGiven(("Maude", "Réjean")))).ends == (2, 0)
        await table.post(NamesGiven(("Maud", "Réjean")), OK[BLUE])
        assert matches(table) == [1, 1]


async def test_names_that_are_given_during_a_game_are_those_of_the_next_one(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
        during = await table.post(OK[BLUE], NamesGiven(("Zoé", "Paul")))
        assert (during.games, during.ends) == ((2, 0), (2, 0)), "the game that is played is of its own match"
        await table.post(*BLUE_WINS, *OK)
        assert (table.now.games, table.now.ends) == ((0, 0), (4, 0))


async def test_other_names_in_the_configuration_are_other_players_too(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
    async with evening(tmp_path, policy=policy(names=("Zoé", "Paul", ""))) as table:
        assert (table.now.games, table.now.ends) == ((0, 0), (2, 0))


async def test_a_match_of_a_journal_that_knows_no_players_goes_on(tmp_path: Path) -> None:
    """An older journal has games of one match under two sets of names."""
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
        await table.post(NamesGiven(("Zoé", "Paul"), same_players=True))
        await won_by_blue(table)
        assert table.lines_on_disk()
    tamper(tmp_path / "journal.db", "DELETE FROM setting WHERE name = 'match'")
    async with evening(tmp_path, policy=NAMED) as table:
        assert (table.now.names, table.now.games, table.now.ends) == (("Zoé", "Paul"), (4, 0), ())
        await table.post(OK[BLUE])
        assert matches(table) == [1, 1, 1]


@pytest.mark.parametrize(
    "value",
    [
        *("", "nonsense", "[]", "{}", "12", "null", "[" * 5000, '{"players": null}', '{"game": 1}'),
        *('{"game": 1, "players": [1, 2]}', '{"game": 1, "players": 7}', '{"game": 1, "players": {}}'),
        *('{"game": 2, "players": null}', '{"game": "1", "players": null}', '{"game": null, "players": null}'),
    ],
)
async def test_an_unreadable_match_setting_ends_no_match(tmp_path: Path, value: str) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
    with sqlite3.connect(tmp_path / "journal.db") as file:
        file.execute("INSERT OR REPLACE INTO setting VALUES ('match', ?)", (value,))
    file.close()
    async with evening(tmp_path, policy=NAMED) as table:
        assert (table.now.games, table.now.ends) == ((2, 0), ())


async def test_a_new_match_is_in_the_menu_where_one_is_under_way(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(MENU)
        assert table.now.menu is not None
        assert Line.NEW_MATCH not in [line.line for line in table.now.menu.lines], "there is none to end"
        await table.post(MENU_HELD)
        await won_by_blue(table)
        await step_to(table, Line.NEW_MATCH)
        current = table.now.menu.current if table.now.menu else MenuLine(Line.SOUND)
        assert load("en").menu_now(current) == phrase("match.ends", totals="2–0")
        closed = await table.post(OK[RED])
        assert (closed.menu, closed.lobby, closed.games, closed.ends) == (None, Lobby.AGAIN, (0, 0), (2, 0))
    async with evening(tmp_path) as table:
        assert table.now.ends == (2, 0), "a night changes nothing"
        await table.post(OK[BLUE])
        assert (table.position.phase, table.now.games, matches(table)) == (Phase.CUT, (0, 0), [1, 2])
    async with evening(tmp_path) as table:
        await table.post(OK[BLUE], *BLUE_DEALS[1:], *BLUE_WINS, *OK, OK[BLUE])
        assert (table.now.games, matches(table)) == ((2, 0), [1, 2, 2]), "what was said is of that one time"


async def test_during_a_game_the_menu_has_no_new_match(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await won_by_blue(table)
        await table.post(OK[BLUE], MENU)
        assert table.now.menu is not None
        assert Line.NEW_MATCH not in [line.line for line in table.now.menu.lines]


async def test_a_match_that_is_over_is_not_ended_again(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        for _ in range(4):
            await won_by_blue(table)
        assert table.now.match_over
        assert (await table.post(NamesGiven(("Zoé", "Paul")))).ends == ()
        await table.post(MENU)
        assert table.now.menu is not None
        assert not any("ends" in line.values for line in table.now.menu.lines)


async def test_only_rules_that_begin_a_new_match_are_shown_with_a_warning(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", policy=NAMED) as table:
        await table.post(MENU)
        assert table.now.menu is not None
        assert not any("ends" in line.values for line in table.now.menu.lines)
    async with evening(tmp_path, policy=NAMED, rules=RULES["acc"]) as table:
        await won_by_blue(table)
        await table.post(MENU)
        assert table.now.menu is not None
        warned = [line.line for line in table.now.menu.lines if line.values.get("ends") == (3, 0)]
        assert warned == [Line.RULES, Line.OPTION, Line.NEW_MATCH]
        assert load("fr_CA").menu_now(table.now.menu.current) == phrase("match.ends", "fr_CA", totals="3–0")
        chosen = await table.post(OK[RED], MENU_HELD)
        assert (chosen.games, chosen.ends) == ((0, 0), (3, 0))
        assert load("fr_CA").prompt(chosen) == phrase("lobby.new_match", "fr_CA")
        await table.post(MENU)
        assert table.now.menu is not None
        assert not any("ends" in line.values for line in table.now.menu.lines), "it was said"
