"""Who may call an official from a phone at a table, and codes that nobody guesses."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from pathlib import Path

import pytest
from tests.support.kiosk_rooms import ORGANISER_PIN
from tests.support.table_phones import Hall, Phone, both_sit, hall, phone

from cribboard.competition.actions import CheckIn, ShowAs
from cribboard.competition.view import EntrantView
from cribd.competition.phones import Phones

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def guess(one: Phone, code: str) -> int:
    """The status of the answer to a code of a captain."""
    origin = one.hall.origin
    post = one.session.post(f"{origin}/event/table/captain", json={"code": code}, headers={"Origin": origin})
    async with post as answer:
        return answer.status


async def test_only_the_phone_that_gave_the_captains_code_calls_where_the_captain_calls(
    room: Hall, one: Phone, other: Phone
) -> None:
    await room.begin("fadoq")
    entrant = room.pair(1)[0]
    await one.sit(1, entrant)
    code = room.code(entrant)
    assert (await one.picture())["you"]["may_call"] is False
    assert await one.refused("call_official") == "captain_only"
    await other.post("/event/table/captain", {"code": code.replace("-", " ")})
    assert (await other.picture())["you"]["may_call"] is True
    await other.ask("call_official")
    assert room.now.hall.calls == (entrant,)
    assert (await one.picture())["you"] is not None, "the phone at the table stays"
    await room.do(CheckIn(entrant, captain=1))
    assert (await other.picture())["you"]["may_call"] is False, "the captain is another"
    assert (await other.post("/event/table/captain", {"code": code}, 403))["refused"]["code"] == "wrong_code"


async def test_without_captains_every_phone_of_a_side_can_call_an_official(
    room: Hall, one: Phone, other: Phone
) -> None:
    pair = await both_sit(room, one, other)
    await other.ask("call_official")
    assert (await other.picture())["you"]["called"]
    assert room.now.hall.calls == (pair[1],)


async def test_codes_are_not_to_be_guessed(room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribd.web.kiosk.phone.routes.client_key", lambda _: "192.168.0.9")
    await room.begin("fadoq")
    for wrong in ("", "1-000000", "1", "999-123456", "x" * 500):
        await one.post("/event/table/captain", {"code": wrong}, 403)
    right = {"code": room.code(1)}
    assert (await one.post("/event/table/captain", right, 429))["wait"] >= 1


async def test_guesses_at_once_are_no_more_than_guesses_one_after_the_other(
    room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribd.web.kiosk.phone.routes.client_key", lambda _: "192.168.0.10")
    await room.begin("fadoq")
    guesses = [guess(one, f"1-{number:06}") for number in range(30)]
    assert 5 <= (await asyncio.gather(*guesses)).count(403) < 10


async def test_many_clients_guess_no_more_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = map("192.168.1.{}".format, count())
    monkeypatch.setattr("cribd.web.kiosk.phone.routes.client_key", lambda _: next(addresses))
    monkeypatch.setattr("cribd.web.kiosk.phone.routes._WRONG_CODES_TOGETHER", 7)
    async with hall(tmp_path) as on, phone(on) as own:
        await on.begin("fadoq")
        assert [await guess(own, "1-000000") for _ in range(9)] == 7 * [403] + 2 * [429]


async def test_a_code_is_compared_with_that_of_its_own_entrant_alone(
    room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin("fadoq")
    monkeypatch.setattr(Phones, "captain_code", lambda _, each: f"{each.number}-000000")
    for code, found in (("1-000000", 1), ("2 000 000", 2), ("4000000", 4)):
        assert await one.post("/event/table/captain", {"code": code}) == {"entrant": found}
    wanted: list[int] = []

    def noted(_: Phones, each: EntrantView) -> str:
        wanted.append(each.number)
        return f"{each.number}-000000"

    monkeypatch.setattr(Phones, "captain_code", noted)
    for code in ("3-000001", "000000", "03-000000", "9-000000", "0", ""):
        await one.post("/event/table/captain", {"code": code}, 403)
    assert wanted == [3]


async def test_a_refusal_uses_the_public_name_of_an_entrant(room: Hall, one: Phone) -> None:
    await room.begin("fadoq")
    entrant = room.pair(1)[0]
    await room.do(ShowAs(entrant, "Un secret"))
    await one.sit(1, entrant)
    refused = (await one.ask("call_official", status=409))["refused"]
    assert (refused["code"], refused["values"]["captain"]) == ("captain_only", "Un secret")
    assert "Anne" not in json.dumps(refused)


async def test_only_the_desk_receives_codes_and_cards(room: Hall, one: Phone) -> None:
    await room.begin("fadoq")
    async with one.session.get(f"{room.origin}/desk/phones") as answer:
        assert answer.status == 403
    await one.post("/desk/pin", {"pin": ORGANISER_PIN})
    async with one.session.get(f"{room.origin}/desk/phones") as answer:
        payload = await answer.json()
    assert payload["entrants"][2] == {"entrant": 3, "code": room.code(3)}
    assert payload["tables"][6] == {"table": 7, "path": f"/event/table/7?key={room.phones.table_key(7)}"}
    assert len(payload["tables"]) == 8
    async with one.session.get(f"{room.origin}{payload['tables'][6]['path']}") as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")
