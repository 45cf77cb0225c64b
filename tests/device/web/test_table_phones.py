"""Phones at the tables over HTTP: for whom each speaks, and for how long."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

import pytest
from tests.support.catalogues import phrase
from tests.support.competitions import seated
from tests.support.journals import tamper
from tests.support.kiosk_rooms import Looker
from tests.support.table_phones import FIRST, Hall, Phone, both_sit, hall, phone

from cribboard.competition.actions import (
    CheckIn,
    DrawRound,
    EnterResult,
    Pause,
    Register,
    StartRound,
    UndoCompetitionAct,
)
from cribboard.competition.terms import GameAt, ResultState

pytestmark = pytest.mark.asyncio(loop_scope="module")
BAD_CARDS: tuple[object, ...] = ({"table": 1}, {"table": "1", "key": ""}, {"table": True, "key": ""}, [], {"key": "x"})


async def test_without_a_competition_a_phone_shows_that_there_is_none(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, phone(on) as own:
        assert (await own.picture())["competition"] is None
        refused = await own.post("/event/table/card", {"table": 1, "key": "x"}, 409)
        assert refused["refused"]["code"] == "no_competition"


async def test_without_the_key_of_the_card_a_phone_sees_what_the_hall_sees(room: Hall, one: Phone) -> None:
    await room.begin("fadoq")
    payload = await one.picture()
    assert (payload["you"], payload["visit"]) == (None, None)
    assert [each["table"] for each in payload["tables"]] == [1, 2]
    assert await one.refused("report_result", FIRST, status=403, scores=[121, 98], saw=None) == "phone_unknown"


async def test_a_wrong_key_and_that_of_another_table_open_nothing(room: Hall, one: Phone) -> None:
    await room.begin()
    entrant = room.pair(1)[0]
    for key in ("", "guessed", room.phones.table_key(2), "é"):
        for path, beside in (("card", {}), ("sit", {"entrant": entrant})):
            refused = await one.post(f"/event/table/{path}", {"table": 1, "key": key, **beside}, 403)
            assert refused["refused"]["text"]["en"] == phrase("competition.refused.wrong_key", table=1)
    for body in BAD_CARDS:
        await one.post("/event/table/sit", body, 400)
    assert (await one.picture())["you"] is None


async def test_a_key_is_of_one_competition_alone(room: Hall, one: Phone) -> None:
    await room.begin()
    old, entrant = room.card(1), room.pair(1)[0]
    await one.sit(1, entrant)
    await room.begin()
    await one.post("/event/table/card", old, 403)
    assert (await one.picture())["you"] is None
    assert await one.refused("call_official", status=403) == "phone_unknown"


async def test_a_phone_speaks_again_for_its_entrant_after_another_event_was_played_between(
    room: Hall, one: Phone
) -> None:
    await room.begin()
    league, entrant = room.now.number, room.pair(1)[1]
    await one.sit(1, entrant)
    await room.begin("fadoq")
    assert (await one.picture())["you"] is None
    await one.sit(1, room.pair(1)[0])
    evening = room.now.number
    await room.owner.switch(league)
    assert (await one.picture(lambda now: now["competition"] == league))["you"]["number"] == entrant
    await room.go_away()
    await room.serve()
    for number in (evening, league):
        await room.owner.switch(number)
        payload = await one.picture(lambda now, wanted=number: now["competition"] == wanted)  # type: ignore[misc]
        assert payload["you"] is not None


async def test_a_watching_phone_sees_that_its_event_is_resumed(room: Hall, one: Phone) -> None:
    await room.begin()
    league = room.now.number
    await one.sit(1, room.pair(1)[0])
    await room.begin()
    await room.go_away()
    await room.serve()
    async with one.session.get(f"{room.origin}/event/table/events") as answer:
        looker = Looker(answer)
        assert (await looker.picture())["you"] is None
        await room.owner.switch(league)
        while (payload := await looker.picture())["you"] is None:
            assert payload["tables"] is not None
        assert payload["competition"] == league


async def test_only_who_sits_at_the_table_is_chosen_there(room: Hall, one: Phone) -> None:
    await room.begin()
    there = await one.post("/event/table/card", room.card(1))
    assert [each["number"] for each in there["entrants"]] == list(room.pair(1))
    payload = {**room.card(1), "entrant": room.pair(2)[0]}
    assert (await one.post("/event/table/sit", payload, 409))["refused"]["code"] == "not_seated_here"


async def test_a_phone_keeps_its_entrant_and_finds_its_next_table(room: Hall, one: Phone) -> None:
    await room.begin()
    entrant = room.pair(1)[0]
    await one.sit(1, entrant)
    for table in (1, 2):
        await room.do(EnterResult(at=GameAt(1, table), scores=(121, 98)))
    assert (await one.picture())["visit"]["is_over"]
    await room.owner.draw()
    payload = await one.picture(lambda now: now["visit"]["round"] == 2)
    mine = next(each.table for each in room.now.hall.tables if entrant in each.entrants)
    assert (payload["visit"]["table"], payload["visit"]["started"], payload["you"]["number"]) == (mine, False, entrant)
    at = GameAt(2, mine)
    assert await one.refused("report_result", at, scores=[121, 98], saw=None) == "no_such_game"
    await room.do(StartRound())
    await one.ask("report_result", at, scores=[121, 98], saw=None)


async def test_a_second_phone_of_a_side_takes_over_and_the_first_speaks_no_more(
    room: Hall, one: Phone, other: Phone
) -> None:
    await room.begin()
    entrant = room.pair(1)[0]
    await one.sit(1, entrant)
    async with one.session.get(f"{room.origin}/event/table/events") as answer:
        looker = Looker(answer)
        assert (await looker.picture())["you"]["number"] == entrant
        await other.sit(1, entrant)
        assert (await looker.picture())["you"] is None
    assert await one.refused("report_result", FIRST, status=403, scores=[121, 98], saw=None) == "phone_unknown"
    await other.ask("report_result", FIRST, scores=[121, 98], saw=None)
    await other.post("/event/table/leave", {})
    assert (await other.picture())["you"] is None


async def test_the_secret_is_in_no_answer_and_a_phone_keeps_its_entrant_through_a_restart(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with hall(tmp_path) as on, phone(on) as own, phone(on) as theirs:
        pair = await both_sit(on, own, theirs)
        key = on.phones.table_key(1)
        await own.ask("report_result", FIRST, scores=[121, 98], saw=None)
        await on.go_away()
        await on.serve()
        assert on.phones.table_key(1) == key
        payload = await theirs.picture()
        assert (payload["you"]["number"], payload["visit"]["results"][0]["by"]) == (pair[1], pair[0])
        await theirs.ask("confirm_result", FIRST, saw=[121, 98])
        assert on.state() is ResultState.ACCEPTED
        assert key not in "".join(capfd.readouterr())


async def test_damaged_notes_of_phones_cost_the_phones_and_nothing_else(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, phone(on) as own:
        await on.begin()
        await own.sit(1, on.pair(1)[0])
        await on.go_away()
        tamper(tmp_path / "journal.db", "UPDATE setting SET value = '{\"secret\": 5}' WHERE name LIKE 'phones%'")
        await on.serve()
        assert (await own.picture())["you"] is None
        await own.sit(1, on.pair(1)[0])


async def test_notes_of_another_version_cost_the_phones_and_no_card(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, phone(on) as own:
        await on.begin()
        await own.sit(1, on.pair(1)[0])
        card = on.card(1)
        await on.go_away()
        tamper(
            tmp_path / "journal.db",
            "UPDATE setting SET value = json_remove(value, '$.phones[0][3]') WHERE name LIKE 'phones%'",
        )
        await on.serve()
        assert (await own.picture())["you"] is None
        assert on.card(1) == card


async def test_removing_an_entrant_ends_the_session_of_its_phone(room: Hall, one: Phone, other: Phone) -> None:
    await room.begin("fadoq")
    late, earlier = (Register(name=name, players=(f"{name} A", f"{name} B")) for name in ("Tard", "Plus tard"))
    await room.do(late, CheckIn(5))
    code = room.code(5)
    await one.post("/event/table/captain", {"code": code})
    async with other.session.get(f"{room.origin}/event/table/events") as answer:
        looker = Looker(answer)
        await looker.picture()
        assert (await one.picture())["you"]["number"] == 5
        for _ in range(2):  # the check-in, and the registration
            await room.do(UndoCompetitionAct())
        assert (await one.picture())["you"] is None
        assert await one.refused("call_official", status=403) == "phone_unknown"
        await room.do(EnterResult(at=FIRST, scores=(121, 98)), earlier, CheckIn(5))
        assert (await one.picture())["you"] is None, "another entrant has the number"
        refused = await one.post("/event/table/captain", {"code": code}, 403)
        assert refused["refused"]["code"] == "wrong_code"
        await room.do(Pause("pause"))
        while (await looker.picture())["paused"] != "pause":
            pass


async def test_a_phone_speaks_for_who_sits_at_the_table_of_its_card_and_nowhere_since(room: Hall, one: Phone) -> None:
    await room.begin()
    (stays, rests), (moves, left) = room.pair(1), room.pair(2)
    await room.do(*(EnterResult(at=GameAt(1, table), scores=(121, 98)) for table in (1, 2)))
    await room.do(DrawRound(seated((stays, moves), byes=(rests, left))), StartRound())
    there = await one.post("/event/table/card", room.card(2))
    assert [each["number"] for each in there["entrants"]] == [left]
    payload = {**room.card(2), "entrant": moves}
    assert (await one.post("/event/table/sit", payload, 409))["refused"]["code"] == "not_seated_here"
    await one.sit(2, left)
    await one.sit(1, moves)


async def test_a_phone_is_bound_in_the_competition_of_its_card_or_not_at_all(
    room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Door(asyncio.Lock):
        """Another competition begins before somebody enters."""

        entered = 0

        async def acquire(self) -> Literal[True]:
            self.entered += 1
            if self.entered == 1:
                await room.begin()
            return await super().acquire()

    await room.begin()
    await one.picture()  # the phones of this competition are known
    monkeypatch.setattr(room.owner, "_turn", Door())
    payload = {**room.card(1), "entrant": room.pair(1)[0]}
    refused = await one.post("/event/table/sit", payload, 409)
    assert refused["refused"]["code"] == "another_competition"
    assert (await one.picture())["you"] is None
