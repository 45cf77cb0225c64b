"""The table: what it publishes and when, with a real journal and a fake clock."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    CHALLENGE,
    GO,
    GREEN_OK,
    MENU,
    MENU_HELD,
    NO_READER,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    cards,
    evening,
    holes,
    policy,
)
from tests.support.refusals import is_complete
from tests.support.sweeps import examples

from cribboard import PACK, RULES, Card, Way
from cribboard.events import Undone
from cribboard.evolution import fold
from cribboard.view import PromptKind
from cribd.boards import load
from cribd.inputs import (
    CardRead,
    Fault,
    FaultCleared,
    FaultKind,
    HolePlace,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeysTogether,
)
from cribd.table.snapshot import Lobby, Pending

# Starting


async def test_one_ok_starts_a_game_in_the_way_that_was_chosen(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        assert table.now.lobby is Lobby.START
        assert (await table.post(OK[RED])).lobby is None
        assert table.position.way is Way.VERIFY
        assert table.now.view is not None
        assert table.now.view.prompt.kind is PromptKind.CUT


async def test_without_a_reader_a_table_can_only_trust(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify", policy=policy(cards=False)) as table:
        assert table.now.way == "trust"
        await table.post(OK[RED])
        assert table.position.way is Way.TRUST


async def test_names_and_date_and_board_stand_in_the_games_heading(tmp_path: Path) -> None:
    async with evening(tmp_path, policy=policy(names=("Marie", "Jean"))) as table:
        await table.post(OK[RED])
        stored = table.journal.latest_game()
        assert stored is not None
        assert (stored.heading.names, stored.heading.board) == (("Marie", "Jean"), "continuous")
        assert stored.heading.date == "2026-01-01"


# What is shown, and when


async def test_the_cards_that_lie_open_are_those_that_the_table_took_and_did_not_give_back(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:

        async def lie(*inputs: Input) -> str:
            return " ".join(sorted(map(str, (await table.post(*inputs)).seen)))

        assert await lie(*cards("KS")) == "", "nobody asks for a card"
        assert await lie(OK[RED]) == ""
        assert await lie(*cards("9H")) == "9H"
        assert await lie(*cards("4C")) == "", "the cut is over, and its cards are back in the pack"
        assert await lie(*cards("6C")) == "6C"
        assert await lie(MENU, OK[BLUE], OK[RED]) == "", "a misdeal"
        assert await lie(*cards("6C")) == "6C"
        assert await lie(*cards("KH KD QS")) == "6C KD KH QS"
        assert await lie(*cards("JH")) == "6C KD KH QS", "past 31"
        assert await lie(*cards("6C")) == "6C KD KH QS", "seen before"
        assert await lie(UNDO, OK[BLUE], OK[RED]) == "6C KD KH"


async def test_before_the_count_judge_its_own_cards_lie_open_and_then_those_of_the_deal_again(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS)
        lay = table.now.seen
        while table.now.menu is None or table.now.menu.current.line != "judge":
            await table.post(MENU)
        assert (await table.post(OK[BLUE], *cards("5H 5C"))).seen == tuple(map(Card.parse, ("5H", "5C")))
        assert (await table.post(MENU_HELD)).seen == lay


async def test_a_press_blinks_as_pending_until_it_is_on_disk_and_nothing_is_shown_as_settled_before(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        before, pictures = table.now, len(table.shown)
        table.clock.free.clear()
        await table.post(HolePressed(BLUE, 8))
        assert table.shown[pictures:] == [replace(before, pending=Pending(BLUE, 8))]
        table.clock.free.set()
        await table.clock.run_ready_tasks()
        assert table.now.pending is None
        assert table.now.view is not None
        assert table.now.view.sides[BLUE].in_hand == 8


async def test_a_fault_during_a_long_commit_is_shown_at_once_beside_the_pending_press(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        table.clock.free.clear()
        await table.post(HolePressed(BLUE, 8), NO_READER)
        assert (table.now.faults, table.now.pending) == ((NO_READER,), Pending(BLUE, 8))
        table.clock.free.set()
        await table.clock.run_ready_tasks()
        assert (table.now.faults, table.now.pending) == ((NO_READER,), None)


async def test_presses_during_a_long_commit_are_taken_in_their_order_afterwards(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        table.clock.free.clear()
        await table.post(HolePressed(BLUE, 8), HolePressed(BLUE, 9), OK[BLUE], HolePressed(RED, 2))
        table.clock.free.set()
        await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
        assert table.scores == (9, 0)
        assert table.position.claim is not None
        assert (table.position.claim.side, table.position.claim.points) == (RED, 2)


@pytest.mark.slow
async def test_too_many_presses_during_a_long_commit_are_dropped_and_the_first_are_kept(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        table.clock.free.clear()
        await table.post(
            HolePressed(BLUE, 8), OK[BLUE], *[given_input for _ in range(500) for given_input in (*GO, *CHALLENGE)]
        )
        table.clock.free.set()
        await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
        assert table.scores == (8, 0)
        assert (await table.post(HolePressed(RED, 3), OK[RED])).refusal is None
        assert table.scores == (8, 3)


async def test_snapshots_are_published_in_the_order_of_the_events(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 5D"), *holes(RED, 2), *cards("KD"))
        numbers = [snapshot.view.number for snapshot in table.shown if snapshot.view is not None]
        assert numbers == sorted(numbers)
        assert numbers[-1] == table.position.number == table.lines_on_disk()


# Bad input


@pytest.mark.parametrize(
    ("given_input", "code"),
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
async def test_an_impossible_input_is_refused_once_and_changes_nothing(
    tmp_path: Path, given_input: Input, code: str
) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, *cards("TC 7D KD"))
        before, pictures = table.now, len(table.shown)
        await table.post(given_input)
        (shown,) = table.shown[pictures:]
        assert shown.refusal is not None
        assert shown.refusal.code == code
        assert replace(shown, refusal=None) == before
        assert table.lines_on_disk() == table.position.number


async def test_a_refusal_stays_until_a_press_is_taken(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, CardRead("4H"))
        assert table.now.refusal is not None
        assert (await table.post(HolePressed(BLUE, 8))).refusal is None


async def test_two_holes_of_a_track_at_once_are_refused_once_and_neither_counts(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        pictures = len(table.shown)
        await table.at_once(*holes(BLUE, 8, 9))
        (shown,) = table.shown[pictures:]
        assert shown.refusal is not None
        assert shown.refusal.code == "two_holes"
        assert table.position.claim is None


async def test_holes_of_two_tracks_at_once_are_both_taken(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS)
        await table.at_once(HolePressed(BLUE, 8), HolePressed(RED, 5))
        assert table.scores == (8, 0), "red's press let go of blue's peg"
        assert table.now.view is not None
        assert table.now.view.sides[RED].in_hand == 5


async def test_keys_at_once_are_refused_and_the_game_is_as_it_was(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
        before = table.now
        shown = await table.post(KeysTogether())
        assert shown.refusal is not None
        assert shown.refusal.code == "two_keys"
        assert replace(shown, refusal=None) == before
        assert table.lines_on_disk() == table.position.number


async def test_a_question_stays_in_sight_when_a_press_is_refused(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, CardRead("TC"), UNDO, CardRead("XX"), OK[BLUE])
        assert table.now.refusal is not None
        assert table.now.refusal.code == "waits_for_other_side"
        assert table.now.view is not None
        assert (table.now.view.prompt.kind, table.now.view.prompt.side) == (PromptKind.UNDO, RED)
        await table.post(OK[RED])
        assert isinstance(table.position.last[-1], Undone)
        assert table.position.stack == ()


async def test_undo_pressed_again_drops_the_question(tmp_path: Path) -> None:
    async with evening(tmp_path, "verify") as table:
        await table.post(*RED_DEALS, CardRead("TC"), UNDO, UNDO)
        assert table.position.question is None
        assert len(table.position.stack) == 1


# Laws


INPUTS: st.SearchStrategy[Input] = st.one_of(
    st.builds(HolePressed, st.integers(0, 2), st.integers(1, 40)),
    st.builds(HolePressed, st.integers(0, 2), st.integers(1, 121)),
    st.builds(CardRead, st.sampled_from([str(each) for each in PACK])),
    st.builds(CardRead, st.text(max_size=8)),
    st.sampled_from([*OK, *OK, GREEN_OK, *GO, *CHALLENGE, UNDO, MENU, MENU_HELD, KeyHeld(Key.GO, BLUE), NO_READER]),
)


@pytest.mark.sweep
@pytest.mark.slow
@settings(max_examples=examples(80), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(sorted(RULES)),
    way=st.sampled_from(["trust", "verify", "auto"]),
    batches=st.lists(st.lists(INPUTS, min_size=1, max_size=3), min_size=20, max_size=60),
    pauses=st.sets(st.integers(0, 59)),
)
def test_after_any_presses_the_table_runs_and_its_game_equals_the_journal(
    name: str, way: str, batches: Sequence[Sequence[Input]], pauses: set[int]
) -> None:
    async def press_all(folder: Path) -> None:
        async with evening(folder, way, rules=RULES[name], board=load("triple")) as table:
            await table.post(OK[BLUE])
            for number, batch in enumerate(batches):
                shown = await table.at_once(*batch)
                if shown.refusal is not None:
                    assert is_complete(shown.refusal)
                if number in pauses:
                    await table.clock.advance(3.1)
            stored = table.journal.latest_game()
            assert stored is not None
            assert stored.game.position == table.position == fold(stored.game.beginning, stored.game.log)
            numbers = [snapshot.view.number for snapshot in table.shown if snapshot.view]
            assert all(later >= now or later == 0 for now, later in pairwise(numbers))

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(press_all(Path(folder)))


# Parts that come and go


async def test_faults_are_shown_until_they_are_mended(tmp_path: Path) -> None:
    async with evening(tmp_path) as table:
        stuck = Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 14))
        await table.at_once(NO_READER, stuck, NO_READER)
        assert set(table.now.faults) == {NO_READER, stuck}
        await table.post(FaultCleared(FaultKind.READER_SILENT, "reader"))
        assert table.now.faults == (stuck,)
