"""Of a sealed event a phone at a table is told its own last result and no more."""

from __future__ import annotations

import json

import pytest
from tests.support.kiosk_rooms import Looker
from tests.support.table_phones import FIRST, Hall, Phone, both_sit, phone

from cribboard.competition import read_format
from cribboard.competition.actions import CorrectResult, EndPlay, EnterResult, OpenPlace
from cribboard.competition.terms import GameAt

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_in_a_sealed_event_a_phone_sees_its_last_result_until_its_next_game(
    room: Hall, one: Phone, other: Phone
) -> None:
    pair = await both_sit(room, one, other, "fadoq")
    async with phone(room) as third:
        await third.sit(2, room.pair(2)[0])
        async with third.session.get(f"{room.origin}/event/table/events") as answer:
            looker = Looker(answer)
            before = await looker.picture()
            await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
            await other.ask("confirm_result", FIRST, saw=[121, 98])
            assert (await one.picture())["visit"]["results"][0]["scores"] == [121, 98]
            await room.do(CorrectResult(at=FIRST, scores=(121, 97), reason="mal lu"))
            await room.do(EnterResult(at=GameAt(1, 2), scores=(121, 60)))
            after = await looker.picture()
            assert before["visit"]["results"] == []
            assert "97" not in json.dumps(after | {"edition": ""}), "another table's score"
    assert (await one.picture())["visit"]["results"][0]["scores"] == [121, 97]
    await room.seat()
    payload = json.dumps(await one.picture() | {"edition": ""})
    assert "97" not in payload
    assert "121" not in payload.replace('"target": 121', "")
    assert await one.refused("confirm_result", FIRST, saw=[121, 97]) == "not_your_game"
    assert (await one.picture())["you"]["number"] == pair[0]


async def test_a_phone_sees_only_the_last_game_of_a_sealed_match(room: Hall, one: Phone, other: Phone) -> None:
    form = read_format({"format": "single-elimination", "sealed": True})
    await room.begin(form, 2)
    pair = room.pair(1)
    await one.sit(1, pair[0])
    await other.sit(1, pair[1])
    for game, lost in ((1, 44), (2, 45)):
        await one.ask("report_result", GameAt(1, 1, game), scores=[121, lost], saw=None)
        await other.ask("confirm_result", GameAt(1, 1, game), saw=[121, lost])
        visit = (await one.picture())["visit"]
        assert visit["results"][:-1] == [None] * (game - 1)
        assert (visit["wins"], visit["winner"]) == (None, None)
    assert visit["results"][-1]["scores"] == [121, 45]
    await room.do(EndPlay(), OpenPlace(2), OpenPlace(1))
    opened = await one.picture()
    assert (opened["you"]["place"], opened["visit"]["wins"]) in ((1, [2, 0]), (2, [2, 0]))
