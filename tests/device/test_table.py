"""The owner of the game: what it shows and when, on a real journal and a clock that is moved by hand."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cribboard import PACK, Way
from cribboard.actions import REFUSALS as GAME_REFUSALS
from cribboard.events import BrokenOff, Undone
from cribboard.evolution import fold
from cribboard.position import Phase, Position
from cribboard.view import Asks
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.facts import CardRead, Fact, Fault, HolePressed, Key, KeyHeld, KeyPressed, KeysTogether, Kind, Mended
from cribd.interpret import REFUSALS
from cribd.journal import Journal, JournalDamaged
from cribd.menu import Settings
from cribd.showing import Line, Lobby, Pending, Showing
from cribd.table import Policy, Table, keep_settings, read_settings

T = TypeVar("T")

BLUE, RED = 0, 1
LONG = load("continuous")
MENU, MENU_HELD, UNDO = KeyPressed(Key.MENU), KeyHeld(Key.MENU), KeyPressed(Key.UNDO)
OK = KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, RED)
GO = KeyPressed(Key.GO, BLUE), KeyPressed(Key.GO, RED)
CHALLENGE = KeyPressed(Key.CHALLENGE, BLUE), KeyPressed(Key.CHALLENGE, RED)
NO_READER = Fault(Kind.READER_SILENT, "reader")


class SlowDisk(ManualClock):
    """A clock beside a disk that can take its time: while `busy`, no work that is done aside returns."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()

    async def aside(self, work: Callable[[], T]) -> T:
        await self.free.wait()
        done = await super().aside(work)
        await self.free.wait()
        return done


class Evening:
    """A table, its journal, and every picture it has shown; no picture may show what the disk does not hold."""

    def __init__(self, folder: Path, *, clock: SlowDisk, policy: Policy, chosen: Settings) -> None:
        self.path = folder / "journal.db"
        self.clock = clock
        self.journal = Journal(self.path, clock)
        self.shown: list[Showing] = []
        self._disk = sqlite3.connect(self.path)
        self.table = Table(
            board=LONG,
            journal=self.journal,
            clock=clock,
            settings=read_settings(self.journal, chosen),
            policy=policy,
            publish=self._see,
        )
        self._running: asyncio.Task[None] | None = None

    def _see(self, showing: Showing) -> None:
        if showing.view is not None:
            assert showing.view.number <= self.lines_on_disk()
        self.shown.append(showing)

    def lines_on_disk(self) -> int:
        """How many lines of the newest game another reader finds in the file."""
        newest = "SELECT count(*) FROM line WHERE game = (SELECT max(id) FROM game)"
        return int(self._disk.execute(newest).fetchone()[0])

    def start(self) -> None:
        self.table.wake()
        self._running = asyncio.create_task(self.table.run())

    async def end(self) -> None:
        assert self._running is not None
        assert not self._running.done(), "the table died"
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        self.journal.close()
        self._disk.close()

    async def hear(self, *facts: Fact) -> Showing:
        """Facts one after the other; the picture after them."""
        for fact in facts:
            await self.at_once(fact)
        return self.now

    async def at_once(self, *facts: Fact) -> Showing:
        """Facts of one moment."""
        self.table.hear(facts)
        await self.clock.settle(lambda: self.table.idle)
        return self.now

    @property
    def now(self) -> Showing:
        return self.shown[-1]

    @property
    def position(self) -> Position:
        assert self.table.position is not None
        return self.table.position

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(pegs.front for pegs in self.position.pegs)


USUAL = Policy()


@asynccontextmanager
async def evening(folder: Path, way: str = "trust", *, policy: Policy = USUAL) -> AsyncIterator[Evening]:
    """A table that is switched on, and off again at the end. The same folder is the same table the next evening."""
    open_table = Evening(folder, clock=SlowDisk(), policy=policy, chosen=Settings(way=Way(way)))
    open_table.start()
    yield open_table
    await open_table.end()


def cards(names: str) -> list[Fact]:
    return [CardRead(name) for name in names.split()]


def holes(track: int, *numbers: int) -> list[Fact]:
    return [HolePressed(track, number) for number in numbers]


#: Blue deals a trusted game; a first press of a hole far ahead is asked for again.
BLUE_DEALS: list[Fact] = [OK[BLUE], OK[BLUE]]
#: From there blue wins: the game hole is far, so it is pressed again, and a third time to let go.
BLUE_WINS: list[Fact] = holes(BLUE, 121, 121, 121)
#: A verified game: red cuts the lower card and deals, and the starter is turned.
RED_DEALS: list[Fact] = [OK[BLUE], *cards("9H 4C 6C")]


# Starting


async def test_one_ok_starts_a_game_in_the_way_that_was_chosen(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        assert table.now.lobby is Lobby.START
        assert (await table.hear(OK[RED])).lobby is None
        assert table.position.way is Way.VERIFY
        assert table.now.view is not None
        assert table.now.view.ask.what is Asks.CUT


async def test_without_a_reader_a_table_can_only_trust(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", policy=Policy(cards=False)) as table:
        assert table.now.way == "trust"
        await table.hear(OK[RED])
        assert table.position.way is Way.TRUST


async def test_names_and_date_and_board_stand_in_the_games_heading(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=Policy(names=("Marie", "Jean"))) as table:
        await table.hear(OK[RED])
        kept = table.journal.latest()
        assert kept is not None
        assert (kept.heading.names, kept.heading.board) == (("Marie", "Jean"), "continuous")
        assert kept.heading.date == "2026-01-01"


# What is shown, and when


async def test_a_press_blinks_as_pending_until_it_is_on_disk_and_nothing_is_shown_as_settled_before(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        before, pictures = table.now, len(table.shown)
        table.clock.free.clear()
        await table.hear(HolePressed(BLUE, 8))
        assert table.shown[pictures:] == [replace(before, pending=Pending(BLUE, 8))]
        table.clock.free.set()
        await table.clock.settle()
        assert table.now.pending is None
        assert table.now.view is not None
        assert table.now.view.sides[BLUE].in_hand == 8


async def test_a_fault_during_a_long_commit_is_shown_at_once_beside_the_pending_press(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        table.clock.free.clear()
        await table.hear(HolePressed(BLUE, 8), NO_READER)
        assert (table.now.faults, table.now.pending) == ((NO_READER,), Pending(BLUE, 8))
        table.clock.free.set()
        await table.clock.settle()
        assert (table.now.faults, table.now.pending) == ((NO_READER,), None)


async def test_presses_during_a_long_commit_are_taken_in_their_order_afterwards(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        table.clock.free.clear()
        await table.hear(HolePressed(BLUE, 8), HolePressed(BLUE, 9), OK[BLUE], HolePressed(RED, 2))
        table.clock.free.set()
        await table.clock.settle(lambda: table.table.idle)
        assert table.scores == (9, 0)
        assert table.position.claim is not None
        assert (table.position.claim.side, table.position.claim.points) == (RED, 2)


async def test_keys_mashed_while_the_disk_is_busy_are_let_fall_and_the_first_ones_hold(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        table.clock.free.clear()
        await table.hear(HolePressed(BLUE, 8), OK[BLUE], *[fact for _ in range(500) for fact in (*GO, *CHALLENGE)])
        table.clock.free.set()
        await table.clock.settle(lambda: table.table.idle)
        assert table.scores == (8, 0)
        assert (await table.hear(HolePressed(RED, 3), OK[RED])).refusal is None
        assert table.scores == (8, 3)


async def test_pictures_come_in_the_order_of_the_game(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 5D"), *holes(RED, 2), *cards("KD"))
        numbers = [showing.view.number for showing in table.shown if showing.view is not None]
        assert numbers == sorted(numbers)
        assert numbers[-1] == table.position.number == table.lines_on_disk()


# Bad input


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        (CardRead("XX"), "no_such_card"),
        (CardRead("6C"), "card_twice"),
        (CardRead("9D"), "past_thirty_one"),
        (GO[BLUE], "not_your_turn"),
        (CHALLENGE[BLUE], "nothing_to_challenge"),
        (OK[BLUE], "nothing_to_accept"),
        (KeyHeld(Key.MENU), "key_means_nothing"),
    ],
)
async def test_what_cannot_be_is_refused_once_and_the_game_is_unchanged(tmp_path: Path, fact: Fact, code: str) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 7D KD"))
        before, pictures = table.now, len(table.shown)
        await table.hear(fact)
        (shown,) = table.shown[pictures:]
        assert shown.refusal is not None
        assert shown.refusal.code == code
        assert replace(shown, refusal=None) == before
        assert table.lines_on_disk() == table.position.number


async def test_what_was_refused_is_said_until_a_press_is_taken(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, CardRead("4H"))
        assert table.now.refusal is not None
        assert (await table.hear(HolePressed(BLUE, 8))).refusal is None


async def test_two_holes_of_a_track_at_once_are_refused_once_and_neither_counts(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        pictures = len(table.shown)
        await table.at_once(*holes(BLUE, 8, 9))
        (shown,) = table.shown[pictures:]
        assert shown.refusal is not None
        assert shown.refusal.code == "two_holes"
        assert table.position.claim is None


async def test_holes_of_two_tracks_at_once_are_both_taken(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        await table.at_once(HolePressed(BLUE, 8), HolePressed(RED, 5))
        assert table.scores == (8, 0), "red's press let go of blue's peg"
        assert table.now.view is not None
        assert table.now.view.sides[RED].in_hand == 5


async def test_keys_at_once_are_refused_and_the_game_is_as_it_was(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
        before = table.now
        shown = await table.hear(KeysTogether())
        assert shown.refusal is not None
        assert shown.refusal.code == "two_keys"
        assert replace(shown, refusal=None) == before
        assert table.lines_on_disk() == table.position.number


async def test_a_question_stays_in_sight_when_a_press_is_refused(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, CardRead("TC"), UNDO, CardRead("XX"), OK[BLUE])
        assert table.now.refusal is not None
        assert table.now.refusal.code == "waits_for_other_side"
        assert table.now.view is not None
        assert (table.now.view.ask.what, table.now.view.ask.side) == (Asks.UNDO, RED)
        await table.hear(OK[RED])
        assert isinstance(table.position.last[-1], Undone)
        assert table.position.stack == ()


async def test_undo_pressed_again_drops_the_question(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, CardRead("TC"), UNDO, UNDO)
        assert table.position.question is None
        assert len(table.position.stack) == 1


# The timer of a trusted peg (7.1)


async def test_a_trusted_peg_is_let_go_by_itself_after_a_while(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(2.9)
        assert table.scores == (0, 0)
        await table.clock.advance(0.2)
        assert table.scores == (8, 0)


async def test_moving_the_peg_begins_the_while_again(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(2)
        await table.hear(HolePressed(BLUE, 9))
        await table.clock.advance(2)
        assert table.scores == (0, 0)
        await table.clock.advance(1.1)
        assert table.scores == (9, 0)


async def test_a_while_that_ended_as_the_peg_was_moved_lets_nothing_go(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(2.9)
        table.clock.free.clear()
        await table.hear(HolePressed(BLUE, 9))
        await table.clock.advance(0.2)
        table.clock.free.set()
        await table.clock.settle(lambda: table.table.idle)
        assert table.scores == (0, 0)
        assert table.position.claim is not None
        assert table.position.claim.points == 9


async def test_the_while_may_be_nothing_or_for_ever(tmp_path: Path) -> None:
    async with evening(tmp_path / "at once", policy=Policy(release_after_ms=0)) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(0.001)
        assert table.scores == (8, 0)
    async with evening(tmp_path / "never", policy=Policy(release_after_ms=None)) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
        await table.clock.advance(3600)
        assert table.scores == (0, 0)


async def test_no_peg_is_let_go_by_itself_where_calls_are_verified(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
        await table.clock.advance(3600)
        assert table.scores == (0, 0)


@pytest.mark.parametrize("hole", [19, 40])
async def test_a_peg_in_doubt_is_not_let_go_by_itself(tmp_path: Path, hole: int) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, hole))
        await table.clock.advance(3600)
        assert table.scores == (0, 0)


async def test_while_the_menu_is_open_no_peg_is_let_go_and_the_while_begins_again_after_it(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8), MENU)
        await table.clock.advance(60)
        assert table.scores == (0, 0)
        await table.hear(MENU_HELD)
        await table.clock.advance(2.9)
        assert table.scores == (0, 0)
        await table.clock.advance(0.2)
        assert table.scores == (8, 0)


async def test_while_a_question_is_open_no_timer_answers_it(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8), MENU, OK[BLUE])
        assert table.now.view is not None
        assert table.now.view.ask.what is Asks.MISDEAL
        await table.clock.advance(60)
        assert table.now.view.ask.what is Asks.MISDEAL
        await table.hear(UNDO)
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


# The menu


async def step_to(table: Evening, line: Line) -> None:
    """Open the menu, if need be, and step to this line."""
    if table.now.menu is None:
        await table.hear(MENU)
    while table.now.menu is not None and table.now.menu.current.line is not line:
        await table.hear(MENU)


async def test_the_menu_steps_from_the_last_line_to_the_first(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(MENU)
        assert table.now.menu is not None
        lines = len(table.now.menu.lines)
        seen = [table.now.menu.current.line]
        for _ in range(lines):
            menu = (await table.hear(MENU)).menu
            assert menu is not None
            seen.append(menu.current.line)
        assert len(set(seen)) == lines
        assert seen[0] == seen[-1]


async def test_presses_while_the_menu_is_open_do_not_reach_the_game_and_the_screen_says_so(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, MENU)
        for fact in (HolePressed(BLUE, 8), CardRead("4H"), UNDO, *GO, *CHALLENGE):
            shown = await table.hear(fact)
            assert shown.refusal is not None
            assert (shown.refusal.code, shown.menu is not None) == ("menu_open", True)
        left = await table.hear(MENU_HELD)
        assert (left.menu, left.refusal) == (None, None)
        assert table.position.claim is None


async def test_a_setting_that_is_taken_stays_at_its_line_and_is_kept_for_the_next_evening(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        for line in (Line.LANGUAGE, Line.SOUND, Line.BRIGHTNESS, Line.WAY):
            await step_to(table, line)
            menu = (await table.hear(OK[RED])).menu
            assert menu is not None
            assert menu.current.line is line
        assert table.now.language == "fr_CA"
        chosen = table.table.settings
    assert chosen == Settings(way=Way.AUTO, language="fr_CA", brightness=60, sound="off")
    async with evening(tmp_path, "trust") as table:
        assert table.table.settings == chosen
        assert (table.now.way, table.now.language) == ("auto", "fr_CA")


async def test_another_way_holds_from_the_next_game_on(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        await step_to(table, Line.WAY)
        await table.hear(OK[RED], MENU_HELD)
        ways = [table.position.way]
        await table.hear(*BLUE_WINS, *OK, OK[BLUE])
        assert [*ways, table.position.way] == [Way.TRUST, Way.VERIFY]


async def test_a_misdeal_is_taken_in_the_menu_and_done_by_the_other_sides_ok(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, MENU, OK[RED])
        assert table.now.menu is None
        assert table.now.view is not None
        assert (table.now.view.ask.what, table.now.view.ask.side) == (Asks.MISDEAL, BLUE)
        await table.hear(OK[BLUE])
        assert (table.position.phase, table.position.dealer, table.position.deal) == (Phase.DEAL, RED, 1)


async def test_a_game_is_stopped_by_the_other_sides_ok_and_kept_as_broken_off(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
        await step_to(table, Line.BREAK_OFF)
        await table.hear(OK[BLUE], OK[RED])
        assert table.now.lobby is Lobby.AGAIN
        kept = table.journal.latest()
        assert kept is not None
        assert isinstance(kept.game.log[-1], BrokenOff)
        assert table.now.games == (0, 0)


async def test_a_setting_that_is_not_understood_any_more_is_left_as_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", ManualClock())
    given = Settings(way=Way.AUTO, language="en", brightness=60, sound="on")
    keep_settings(journal, given)
    assert read_settings(journal, Settings()) == given
    journal.settle({"way": "guess", "language": "tlh", "brightness": "1000", "sound": "loud"})
    assert read_settings(journal, given) == given
    journal.close()


# The end of a game, the match, the next


async def test_the_result_is_final_after_both_oks_and_undo_works_until_then(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, OK[RED])
        assert table.scores == (121, 0)
        await table.hear(UNDO)
        assert (table.scores, table.position.winner, table.now.lobby) == ((0, 0), None, None)
        await table.hear(*BLUE_WINS, *OK)
        assert table.now.lobby is Lobby.AGAIN
        assert table.now.games == (2, 0), "a skunk"
        refused = await table.hear(UNDO)
        assert refused.refusal is not None
        assert table.now.games == (2, 0)


async def test_a_later_game_may_be_won_in_its_first_deal(tmp_path: Path) -> None:
    """No event says who dealt first there: the match knew."""
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, *OK, OK[BLUE])
        assert table.position.dealer == RED, "the loser deals"
        await table.hear(*BLUE_WINS, *OK)
        assert table.now.games == (4, 0)
        number = table.table._match.results[-1].first_dealer
        assert number == RED


async def test_who_dealt_first_is_who_dealt_after_an_undone_choice(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(OK[BLUE], OK[BLUE], UNDO, OK[RED], *BLUE_WINS, *OK)
        assert table.table._match.results[-1].first_dealer == RED


async def test_who_dealt_first_is_not_who_dealt_last(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, OK[BLUE], *BLUE_WINS, *OK)
        assert table.table._match.results[-1].first_dealer == BLUE


async def test_a_match_goes_on_to_seven_and_then_another_begins(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, *OK)
        for _ in range(3):
            assert table.now.match_winner is None
            await table.hear(OK[BLUE], *BLUE_WINS, *OK)
        assert (table.now.games, table.now.match, table.now.match_winner) == ((8, 0), 7, BLUE)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games, table.now.match_winner) == (Lobby.AGAIN, (8, 0), BLUE)
        await table.hear(OK[RED])
        assert (table.now.games, table.now.match_winner) == ((0, 0), None)
        assert table.position.phase is Phase.CUT, "a new match is cut for"


# Switching on


async def test_an_unfinished_game_is_asked_about_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
        before = table.position
    async with evening(tmp_path, "trust") as table:
        assert table.now.lobby is Lobby.RESUME
        assert table.position == before
        refused = await table.hear(CardRead("KD"))
        assert refused.refusal is not None
        assert refused.refusal.code == "unfinished"
        resumed = await table.hear(OK[BLUE])
        assert (resumed.lobby, resumed.refusal) == (None, None)
        await table.hear(OK[RED])
        assert table.scores == (0, 2)


async def test_a_trusted_peg_in_hand_is_let_go_a_while_after_the_game_was_taken_up(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8))
    async with evening(tmp_path) as table:
        await table.clock.advance(60)
        assert table.scores == (0, 0)
        await table.hear(OK[RED])
        await table.clock.advance(3.1)
        assert table.scores == (8, 0)


async def test_an_unfinished_game_that_is_not_wanted_is_kept_as_broken_off(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        await table.hear(MENU)
        pictures = len(table.shown)
        await table.hear(OK[BLUE])
        assert [showing.lobby for showing in table.shown[pictures:]] == [None]
        assert table.position.phase is Phase.CUT
        old, new = (table.journal.game(number) for number, _, _ in table.journal.games())
        assert isinstance(old.game.log[-1], BrokenOff)
        assert new.game.log == ()


async def test_asking_for_a_new_game_loses_nothing_until_an_ok(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS, *cards("TC 5D"))
    for last in ([], [UNDO], [MENU], [MENU, MENU_HELD], [HolePressed(RED, 2)]):
        async with evening(tmp_path, "verify") as table:
            before, lines = table.position, table.lines_on_disk()
            assert (await table.hear(MENU)).lobby is Lobby.START
            await table.hear(*last)
            assert (table.position, table.lines_on_disk()) == (before, lines)
    async with evening(tmp_path, "verify") as table:
        assert table.now.lobby is Lobby.RESUME
        assert (await table.hear(MENU, UNDO)).lobby is Lobby.RESUME
        assert (await table.hear(OK[RED])).lobby is None
        assert table.position == before


async def test_a_language_can_be_chosen_before_a_new_game_instead_of_the_unfinished_one(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.hear(*RED_DEALS)
    async with evening(tmp_path, "verify") as table:
        opened = await table.hear(MENU, MENU, MENU)
        assert opened.menu is not None
        assert opened.menu.current.line is Line.LANGUAGE
        left = await table.hear(OK[RED], MENU_HELD)
        assert (left.menu, left.lobby, left.language) == (None, Lobby.START, "fr_CA")
        assert (await table.hear(UNDO)).lobby is Lobby.RESUME
        assert len(table.journal.games()) == 1


async def test_after_a_finished_game_another_is_offered(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS, *BLUE_WINS, *OK)
    async with evening(tmp_path) as table:
        assert (table.now.lobby, table.now.games) == (Lobby.AGAIN, (2, 0))
        assert (await table.hear(OK[RED])).lobby is None
        assert table.position.dealer == RED


async def test_a_table_whose_last_game_is_damaged_says_so_and_starts_afresh(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.hear(*BLUE_DEALS)
    with sqlite3.connect(tmp_path / "journal.db") as file:
        file.executescript("DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE number = 2;")
    file.close()
    table = Evening(tmp_path, clock=SlowDisk(), policy=Policy(), chosen=Settings(way=Way.TRUST))
    with pytest.raises(JournalDamaged, match="nonsense"):
        table.table.wake()
    assert table.now.lobby is Lobby.START
    table._running = asyncio.create_task(table.table.run())
    await table.hear(*BLUE_DEALS, HolePressed(BLUE, 8), OK[BLUE])
    assert table.scores == (8, 0)
    await table.end()


# Parts that come and go


async def test_faults_are_shown_until_they_are_mended(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        stuck = Fault(Kind.BUTTON_STUCK, "track 0 hole 14")
        await table.at_once(NO_READER, stuck, NO_READER)
        assert set(table.now.faults) == {NO_READER, stuck}
        await table.hear(Mended(Kind.READER_SILENT, "reader"))
        assert table.now.faults == (stuck,)


# Laws


FACTS: st.SearchStrategy[Fact] = st.one_of(
    st.builds(HolePressed, st.integers(0, 1), st.integers(1, 40)),
    st.builds(HolePressed, st.integers(0, 1), st.integers(1, 121)),
    st.builds(CardRead, st.sampled_from([str(each) for each in PACK])),
    st.builds(CardRead, st.text(max_size=8)),
    st.sampled_from([*OK, *OK, *GO, *CHALLENGE, UNDO, MENU, MENU_HELD, KeyHeld(Key.GO, BLUE), NO_READER]),
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    way=st.sampled_from(["trust", "verify", "auto"]),
    batches=st.lists(st.lists(FACTS, min_size=1, max_size=3), min_size=20, max_size=60),
    pauses=st.sets(st.integers(0, 59)),
)
def test_whatever_is_pressed_the_table_lives_and_its_game_is_what_the_journal_holds(
    way: str, batches: Sequence[Sequence[Fact]], pauses: set[int]
) -> None:
    async def press_all(folder: Path) -> None:
        async with evening(folder, way) as table:
            await table.hear(OK[BLUE])
            for number, batch in enumerate(batches):
                shown = await table.at_once(*batch)
                if shown.refusal is not None:
                    words = {**REFUSALS, **GAME_REFUSALS}[shown.refusal.code]
                    assert words.format(**shown.refusal.values)
                if number in pauses:
                    await table.clock.advance(3.1)
            kept = table.journal.latest()
            assert kept is not None
            assert kept.game.position == table.position == fold(kept.game.beginning, kept.game.log)
            numbers = [showing.view.number for showing in table.shown if showing.view]
            assert all(later >= now or later == 0 for now, later in pairwise(numbers))

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(press_all(Path(folder)))


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
        await table.hear(*BLUE_DEALS)
        before, lines = table.position, table.lines_on_disk()
        with full_disk(table.path):
            refused = await table.hear(HolePressed(BLUE, 8))
            assert refused.refusal is not None
            assert refused.refusal.code == "not_kept"
            assert refused.pending is None
            assert refused.faults == (Fault(Kind.JOURNAL_AWAY, "journal"),)
            assert (table.position, table.lines_on_disk()) == (before, lines)
        kept = await table.hear(HolePressed(BLUE, 8))
        assert kept.refusal is None
        assert kept.faults == ()
        assert table.lines_on_disk() > lines
        assert kept.view is not None
        assert kept.view.sides[BLUE].in_hand == 8
