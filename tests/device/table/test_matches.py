"""From game to game and evening to evening: results, matches, start-up, and a full disk."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.disks import ext4
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    Evening,
    SlowDisk,
    cards,
    evening,
    policy,
    step_to,
)
from tests.support.journals import tamper

from cribboard import RULES, Way
from cribboard.events import BrokenOff
from cribboard.position import Phase
from cribboard.series import FinishedGame
from cribd.inputs import CardRead, Fault, FaultKind, HolePressed, NamesGiven
from cribd.storage.journal import JournalDamaged
from cribd.table.settings import Settings
from cribd.table.snapshot import Line, Lobby, Looking, MenuLine, Refusal
from cribd.text import languages, load

# The end of a game, the match, the next


def last_result(table: Evening) -> FinishedGame:
    """The journal's result of the game that ended last."""
    kept = table.journal.latest()
    assert kept is not None
    return table.journal.match(kept.match, kept.heading).results[-1]


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
    "told",
    [
        *("", "nonsense", "[]", "{}", "12", "null", "[" * 5000, '{"players": null}', '{"game": 1}'),
        *('{"game": 1, "players": [1, 2]}', '{"game": 1, "players": 7}', '{"game": 1, "players": {}}'),
        *('{"game": 2, "players": null}', '{"game": "1", "players": null}', '{"game": null, "players": null}'),
    ],
)
async def test_an_unreadable_match_setting_ends_no_match(tmp_path: Path, told: str) -> None:
    async with evening(tmp_path, policy=NAMED) as table:
        await won_by_blue(table)
    with sqlite3.connect(tmp_path / "journal.db") as file:
        file.execute("INSERT OR REPLACE INTO setting VALUES ('match', ?)", (told,))
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


# Switching on


async def test_an_unfinished_game_is_asked_about_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
        before = table.position
    async with evening(tmp_path, "trust") as table:
        assert table.now.lobby is Lobby.RESUME
        assert table.position == before
        refused = await table.post(CardRead("KD"))
        assert refused.refusal is not None
        assert refused.refusal.code == "unfinished"
        resumed = await table.post(OK[BLUE])
        assert (resumed.lobby, resumed.refusal) == (None, None)
        await table.post(OK[RED])
        assert table.scores == (0, 2)


async def test_the_timer_of_a_trusted_peg_begins_again_when_the_game_is_resumed(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
    async with evening(tmp_path) as table:
        await table.clock.advance(60)
        assert table.scores == (0, 0)
        await table.post(OK[RED])
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


async def test_an_unfinished_game_is_broken_off_when_a_new_one_begins(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.post(MENU)
        pictures = len(table.shown)
        await table.post(OK[BLUE])
        assert [snapshot.lobby for snapshot in table.shown[pictures:]] == [None]
        assert table.position.phase is Phase.CUT
        old, new = (table.journal.game(number) for number, _, _ in table.journal.games())
        assert isinstance(old.game.log[-1], BrokenOff)
        assert new.game.log == ()


async def test_after_a_restart_of_the_service_a_game_goes_on_without_a_question(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"))
    async with evening(tmp_path, "verify", resumes=True) as table:
        assert table.now.lobby is None
        await table.post(HolePressed(RED, 2), OK[BLUE])
        assert table.scores == (0, 2)


async def test_after_a_restart_a_finished_game_is_still_a_question(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    async with evening(tmp_path, resumes=True) as table:
        assert table.now.lobby is Lobby.AGAIN


async def test_asking_for_a_new_game_loses_nothing_until_an_ok(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"))
    for last in ([], [UNDO], [MENU], [MENU, MENU_HELD], [HolePressed(RED, 2)]):
        async with evening(tmp_path, "verify") as table:
            before, lines = table.position, table.lines_on_disk()
            assert (await table.post(MENU)).lobby is Lobby.START
            await table.post(*last)
            assert (table.position, table.lines_on_disk()) == (before, lines)
    async with evening(tmp_path, "verify") as table:
        assert table.now.lobby is Lobby.RESUME
        assert (await table.post(MENU, UNDO)).lobby is Lobby.RESUME
        assert (await table.post(OK[RED])).lobby is None
        assert table.position == before


async def test_a_language_can_be_chosen_before_a_new_game_instead_of_the_unfinished_one(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.post(MENU)
        await step_to(table, Line.LANGUAGE)
        left = await table.post(OK[RED], MENU_HELD)
        assert (left.menu, left.lobby, left.language) == (None, Lobby.START, languages()[1])
        assert (await table.post(UNDO)).lobby is Lobby.RESUME
        assert len(table.journal.games()) == 1


async def test_after_a_finished_game_another_is_offered(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games) == (Lobby.AGAIN, (2, 0))
        assert (await table.post(OK[RED])).lobby is None
        assert table.position.dealer == RED


async def test_a_damaged_last_game_is_reported_and_a_new_one_can_begin(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
    tamper(tmp_path / "journal.db", "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE number = 2;")
    table = Evening(tmp_path, clock=SlowDisk(), policy=policy(), chosen=Settings(way=Way.TRUST))
    with pytest.raises(JournalDamaged, match="nonsense"):
        table.table.load()
    assert table.now.lobby is Lobby.START
    table._running = asyncio.create_task(table.table.run())
    await table.post(*BLUE_DEALS, HolePressed(BLUE, 8), OK[BLUE])
    assert table.scores == (8, 0)
    await table.end()


# A disk that takes no more


@contextmanager
def full_disk(file: Path) -> Iterator[None]:
    """No file of this process may grow beyond what `file` has now: the kernel refuses, as a full disk does."""
    wal = file.with_name(file.name + "-wal")
    _, hard = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(1, wal.stat().st_size if wal.exists() else 1), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def test_a_press_that_the_disk_cannot_keep_is_refused_and_the_game_goes_on_when_it_can(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        before, lines = table.position, table.lines_on_disk()
        with full_disk(table.path):
            refused = await table.post(HolePressed(BLUE, 8))
            assert refused.refusal is not None
            assert refused.refusal.code == "not_kept"
            assert refused.pending is None
            assert refused.faults == (Fault(FaultKind.JOURNAL_AWAY, "journal"),)
            assert (table.position, table.lines_on_disk()) == (before, lines)
        kept = await table.post(HolePressed(BLUE, 8))
        assert kept.refusal is None
        assert kept.faults == ()
        assert table.lines_on_disk() > lines
        assert kept.view is not None
        assert kept.view.sides[BLUE].in_hand == 8


async def test_a_press_on_a_disk_that_linux_made_read_only_says_that_the_pi_must_start_again(tmp_path: Path) -> None:
    with ext4(tmp_path) as disk:
        async with evening(disk) as table:
            await table.post(*BLUE_DEALS)
            before = table.position
            subprocess.run(["mount", "-o", "remount,abort", str(disk)], check=True)
            refused = await table.post(HolePressed(BLUE, 8))
            assert refused.refusal == Refusal("disk_read_only")
            [fault] = refused.faults
            assert fault == Fault(FaultKind.JOURNAL_AWAY, "journal")
            assert phrase("problem.journal.read_only") in str(fault.cause)
            assert table.position == before
            await step_to(table, Line.LOOK_BACK)
            looks = await table.post(OK[BLUE])
            assert isinstance(looks.mode, Looking), "what needs no journal goes on"


async def test_a_press_that_a_damaged_file_cannot_keep_is_not_called_a_full_disk(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        tamper(table.path, "CREATE TRIGGER rot BEFORE INSERT ON line BEGIN SELECT NEW.compftition; END")
        refused = await table.post(HolePressed(BLUE, 8))
        assert refused.refusal is not None
        assert refused.refusal.code == "file_hurt"
        assert Fault(FaultKind.JOURNAL_HURT, "journal") in refused.faults
