"""The saved game for one person: written before the press that needs it, and loaded after a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.support.alone import BusyClock, alone

from cribboard.position import Phase
from cribboard.rules import Way
from cribd.inputs import Key
from cribd.solo import saved_game
from cribd.solo.session import NotNow


async def test_the_hands_are_in_the_journal_before_the_first_press_and_the_game_goes_on_after_a_restart(
    tmp_path: Path,
) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("lay")
        before = table.state()
        deal = table.session.deal
    async with alone(tmp_path) as table:
        assert table.session.deal == deal
        await table.together(table.fingers.key(Key.OK, 0))  # resume? OK
        await table.until(lambda: table.asked == "lay")
        assert table.state() == before
        await table.play(lambda: table.position.phase is Phase.SHOW)


async def test_leaving_while_a_deal_is_being_stored_ends_the_game(tmp_path: Path) -> None:
    async with alone(tmp_path, clock=(clock := BusyClock())) as table:
        await table.start()
        await table.until_asked("discard")
        clock.busy_s = 0.1
        deal = table.session.deal
        assert deal is not None
        leaving = asyncio.gather(table.session.leave(), table.session.keep_deal(deal, deal), return_exceptions=True)
        await table.together(leaving)
        assert table.session.solo_game is None
        left = saved_game.read(table.journal)
        assert left is not None
        assert left.left


async def test_a_game_that_was_left_is_taken_up_again_also_after_a_restart(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.play(lambda: table.asked == "lay")
        hand = table.state()["hand"]
        await table.together(table.session.leave())
        await table.together(table.session.leave())
        await table.pass_time(1)
        assert table.state()["left"]
        assert not table.state()["playing"]
    async with alone(tmp_path) as table:
        assert table.state()["left"]
        await table.together(table.session.take_up())
        await table.play(lambda: table.asked is not None)
        if table.asked == "resume":
            await table.done(table.fingers.key(Key.OK, 0))
            await table.until(lambda: table.asked == "lay")
        assert table.state()["hand"] == hand
        await table.play(lambda: table.position.deal == 2)
        await table.together(table.session.leave())
        await table.start(way=Way.AUTO, breaks_off=True)
        with pytest.raises(NotNow, match="not_left"):
            await table.session.take_up()
        await table.start(person=False, breaks_off=True)
        await table.together(table.session.leave())
        assert not table.state()["left"], "a game of robots is nobody's own"


#: Values of what is kept, or of its last deal, that cannot be.
WRONG: Sequence[Mapping[str, object]] = [
    {"cuts": ""},
    {"cuts": 5},
    {"game": 1e999},
    {"deals": [[1, 0, {"starter": 5}]]},
    {"hands": 5},
    {"hands": ["5H 5H", ""]},
    {"discarded": [None]},
    {"discarded": ["5H 6H 7H 8H 9H TH JH", None]},
    {"dealer": 7},
    {"buried": [9]},
    {"fronts": [1e999, 0]},
    {"acts": ["5X"]},
]


def with_wrong(text: str, wrong: Mapping[str, object]) -> str:
    """What is kept, with these values instead of its own."""
    plays = json.loads(text)
    *_, deal = plays["deals"][-1]
    for name, value in wrong.items():
        (plays if name in plays else deal)[name] = value
    return json.dumps(plays)


async def test_an_unreadable_saved_game_is_ignored(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("discard")
        good = table.journal.setting("solo") or ""
        assert saved_game.read(table.journal) == table.session.solo_game
        texts = ["{", "[]", "[" * 100_000, '{"rules": 1}', '{"rules": "x", "way": "y"}']
        for text in (*texts, *(with_wrong(good, wrong) for wrong in WRONG)):
            await asyncio.to_thread(table.journal.write_settings, {"solo": text})
            assert saved_game.read(table.journal) is None, text
        of_another_game = with_wrong(good, {"fronts": [0, 0, 0]})
        await asyncio.to_thread(table.journal.write_settings, {"solo": of_another_game})
    async with alone(tmp_path) as table:
        await table.together(table.fingers.key(Key.OK, 0))
        await table.pass_time(1.0)
        assert not table.state()["playing"]
