"""Phones at the tables over HTTP: each acts for its own entrant and its own game alone, and is told no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
import pytest_asyncio
from tests.support.competitions import seated
from tests.support.journals import tamper
from tests.support.kiosk_rooms import ORGANISER_PIN, Looker
from tests.support.table_phones import Hall, Phone, hall, phone

from cribboard.competition import read_format
from cribboard.competition.actions import (
    CheckIn,
    CorrectResult,
    DrawRound,
    EndPlay,
    EnterResult,
    OpenPlace,
    Pause,
    Register,
    ShowAs,
    StartRound,
    Undo,
)
from cribboard.competition.terms import GameAt, ResultState
from cribboard.competition.view import EntrantView
from cribd.competition.phones import Phones
from cribd.web.kiosk.table_phones import TablePhones

pytestmark = pytest.mark.asyncio(loop_scope="module")
FIRST = GameAt(1, 1)
BAD_CARDS: tuple[object, ...] = ({"table": 1}, {"table": "1", "key": ""}, {"table": True, "key": ""}, [], {"key": "x"})


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    async with hall(tmp_path_factory.mktemp("hall")) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="module")
async def one(room: Hall) -> AsyncIterator[Phone]:
    async with phone(room) as own:
        yield own


@pytest_asyncio.fixture(loop_scope="module")
async def other(room: Hall) -> AsyncIterator[Phone]:
    async with phone(room) as own:
        yield own


async def both_sit(room: Hall, one: Phone, other: Phone, form: str = "acc") -> tuple[int, int]:
    """The pair of table 1, each with its phone."""
    await room.begin(form)
    pair = room.pair(1)
    await one.sit(1, pair[0])
    await other.sit(1, pair[1])
    return pair


async def guess(one: Phone, code: str) -> int:
    """The status of the answer to a code of a captain."""
    origin = one.hall.origin
    post = one.session.post(f"{origin}/event/table/captain", json={"code": code}, headers={"Origin": origin})
    async with post as answer:
        return answer.status


def state(room: Hall, at: GameAt = FIRST) -> ResultState | None:
    results = next(each.results for each in room.now.organiser.rounds[at.round - 1].tables if each.table == at.table)
    return results[at.game - 1].state if at.game <= len(results) else None


# Who a phone speaks for


async def test_without_a_competition_a_phone_is_told_so(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, phone(on) as own:
        assert (await own.picture())["competition"] is None
        refused = await own.post("/event/table/card", {"table": 1, "key": "x"}, 409)
        assert refused["refused"]["code"] == "no_competition"


async def test_without_the_key_of_the_card_a_phone_sees_what_the_hall_sees(room: Hall, one: Phone) -> None:
    await room.begin("fadoq")
    told = await one.picture()
    assert (told["you"], told["visit"]) == (None, None)
    assert [each["table"] for each in told["tables"]] == [1, 2]
    assert await one.refused("report_result", FIRST, status=403, scores=[121, 98], saw=None) == "phone_unknown"


async def test_a_wrong_key_and_that_of_another_table_open_nothing(room: Hall, one: Phone) -> None:
    await room.begin()
    entrant = room.pair(1)[0]
    for key in ("", "guessed", room.phones.table_key(2), "é"):
        for path, beside in (("card", {}), ("sit", {"entrant": entrant})):
            refused = await one.post(f"/event/table/{path}", {"table": 1, "key": key, **beside}, 403)
            assert refused["refused"]["text"]["en"].startswith("This is not the card of table 1")
    for told in BAD_CARDS:
        await one.post("/event/table/sit", told, 400)
    assert (await one.picture())["you"] is None


async def test_a_key_is_of_one_competition_alone(room: Hall, one: Phone) -> None:
    await room.begin()
    old, entrant = room.card(1), room.pair(1)[0]
    await one.sit(1, entrant)
    await room.begin()
    await one.post("/event/table/card", old, 403)
    assert (await one.picture())["you"] is None
    assert await one.refused("call_official", status=403) == "phone_unknown"


async def test_only_who_sits_at_the_table_is_chosen_there(room: Hall, one: Phone) -> None:
    await room.begin()
    there = await one.post("/event/table/card", room.card(1))
    assert [each["number"] for each in there["entrants"]] == list(room.pair(1))
    told = {**room.card(1), "entrant": room.pair(2)[0]}
    assert (await one.post("/event/table/sit", told, 409))["refused"]["code"] == "not_seated_here"


async def test_a_phone_keeps_its_entrant_and_finds_its_next_table(room: Hall, one: Phone) -> None:
    await room.begin()
    entrant = room.pair(1)[0]
    await one.sit(1, entrant)
    for table in (1, 2):
        await room.do(EnterResult(at=GameAt(1, table), scores=(121, 98)))
    assert (await one.picture())["visit"]["is_over"]
    await room.owner.draw()
    told = await one.picture(lambda now: now["visit"]["round"] == 2)
    mine = next(each.table for each in room.now.hall.tables if entrant in each.entrants)
    assert (told["visit"]["table"], told["visit"]["started"], told["you"]["number"]) == (mine, False, entrant)
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
        told = await theirs.picture()
        assert (told["you"]["number"], told["visit"]["results"][0]["by"]) == (pair[1], pair[0])
        await theirs.ask("confirm_result", FIRST, saw=[121, 98])
        assert state(on) is ResultState.ACCEPTED
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


async def test_a_phone_does_not_outlive_its_entrant_and_nobody_inherits_it(
    room: Hall, one: Phone, other: Phone
) -> None:
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
            await room.do(Undo())
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
    told = {**room.card(2), "entrant": moves}
    assert (await one.post("/event/table/sit", told, 409))["refused"]["code"] == "not_seated_here"
    await one.sit(2, left)
    await one.sit(1, moves)


async def test_a_phone_is_bound_in_the_competition_of_its_card_or_not_at_all(
    room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Door(asyncio.Lock):
        """Another competition begins before somebody enters again."""

        entered = 0

        async def acquire(self) -> Literal[True]:
            self.entered += 1
            if self.entered == 2:
                await room.begin()
            return await super().acquire()

    await room.begin()
    phones = next(part for part in room.site._parts if isinstance(part, TablePhones))
    monkeypatch.setattr(phones, "_turn", Door())
    told = {**room.card(1), "entrant": room.pair(1)[0]}
    refused = await one.post("/event/table/sit", told, 409)
    assert refused["refused"]["code"] == "another_competition"
    assert (await one.picture())["you"] is None


# Results


async def test_one_side_reports_and_the_other_says_ok(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    told = await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    assert told == {"competition": room.now.number}
    assert await one.refused("confirm_result", FIRST, saw=[121, 98]) == "own_report"
    assert await one.refused("dispute_result", FIRST, saw=[121, 98], reason="non") == "own_report"
    shown = (await other.picture())["visit"]["results"][0]
    assert (shown["scores"], shown["by"], shown["state"]) == ([121, 98], pair[0], "reported")
    await other.ask("confirm_result", FIRST, saw=[121, 98])
    assert state(room) is ResultState.ACCEPTED


async def test_a_request_that_comes_twice_is_done_once(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    report: dict[str, Any] = {"scores": [121, 98], "saw": None}
    for _ in range(2):
        await one.ask("report_result", FIRST, **report)
    events = len(room.now.log)
    await other.ask("confirm_result", FIRST, saw=[121, 98])
    for _ in range(2):
        await other.ask("confirm_result", FIRST, saw=[121, 98])
        await one.ask("report_result", FIRST, **report)
        await one.ask("call_official")
    assert len(room.now.log) == events + 2


async def test_the_sides_disagree_and_an_official_settles_it(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    await other.ask("report_result", FIRST, scores=[121, 89], saw=[121, 98])
    shown = (await one.picture())["visit"]["results"][0]
    assert (shown["state"], shown["scores"], shown["other"], shown["by"]) == ("disputed", [121, 98], [121, 89], pair[0])
    assert await one.refused("report_result", FIRST, scores=[121, 89], saw=[121, 98]) == "result_exists"
    await room.do(CorrectResult(at=FIRST, scores=(121, 89), reason="planche relue"))
    assert (await one.picture())["visit"]["is_over"]
    assert await other.refused("dispute_result", FIRST, saw=[121, 89], reason="non") == "nothing_to_confirm"


async def test_a_side_that_does_not_know_leaves_it_to_an_official(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    assert await other.refused("dispute_result", FIRST, saw=[121, 98], reason="") == "reason_missing"
    for _ in range(2):
        await other.ask("dispute_result", FIRST, saw=[121, 98], reason="pions tombés")
    assert state(room) is ResultState.DISPUTED


async def test_nobody_confirms_or_mends_what_was_not_seen(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    await one.ask("report_result", FIRST, scores=[121, 89], saw=[121, 98])
    assert await other.refused("confirm_result", FIRST, saw=[121, 98]) == "changed_meanwhile"
    assert await other.refused("dispute_result", FIRST, saw=[121, 98], reason="non") == "changed_meanwhile"
    assert await other.refused("report_result", FIRST, scores=[121, 60], saw=None) == "changed_meanwhile"
    assert state(room) is ResultState.REPORTED
    await other.ask("report_result", FIRST, scores=[121, 89], saw=None)
    assert state(room) is ResultState.ACCEPTED, "both sides said the same"


async def test_a_phone_and_the_desk_at_once_are_refused_with_a_sentence(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    await room.do(EnterResult(at=FIRST, scores=(121, 60)))
    refused = (await one.ask("report_result", FIRST, status=409, scores=[121, 98], saw=None))["refused"]
    assert refused["text"]["en"] == "This game has a result already, 121 to 60; an official may correct it."
    await one.ask("report_result", FIRST, scores=[121, 60], saw=None)


async def test_an_entrant_acts_for_no_other_and_at_no_other_table(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    report: dict[str, Any] = {"scores": [121, 98], "saw": None}
    assert await one.refused("report_result", FIRST, entrant=pair[1], **report) == "not_your_entrant"
    assert await one.refused("call_official", entrant=pair[1]) == "not_your_entrant"
    await room.do(EnterResult(at=GameAt(1, 2), scores=(121, 60)))
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("report_result", {"scores": [121, 60], "saw": None}),
        ("confirm_result", {"saw": [121, 60]}),
        ("dispute_result", {"saw": [121, 60], "reason": "non"}),
    )
    for do, beside in asked:
        for at in (GameAt(1, 2), GameAt(7, 1), GameAt(1, 1, 0), GameAt(-1, -1, -1)):
            assert await one.refused(do, at, **beside) == "not_your_game"
    for other_act in ("enter_result", "correct_result", "undo", "open_place", "", 7):
        assert await one.refused(other_act, FIRST, status=400, **report) == "not_an_action"
    assert state(room) is None


async def test_a_request_from_before_is_refused_after_its_round(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    late: dict[str, Any] = {"scores": [121, 98], "saw": None}
    await room.do(EnterResult(at=FIRST, scores=(121, 60)), EnterResult(at=GameAt(1, 2), scores=(121, 60)))
    assert await one.refused("report_result", FIRST, **late) == "round_is_over"
    await room.seat()
    assert await one.refused("report_result", FIRST, **late) == "not_your_game"
    number = room.now.number
    await room.begin()
    await one.sit(1, room.pair(1)[0])
    assert await one.refused("report_result", FIRST, competition=number, **late) == "another_competition"
    assert await one.refused("report_result", FIRST, competition=None, **late) == "another_competition"


@pytest.mark.parametrize(
    ("scores", "code"),
    [([122, 98], "score_out_of_range"), ([121, 121], "both_at_target"), ([90, 98], "nobody_at_target")],
)
async def test_scores_that_no_game_ends_with_are_refused(
    room: Hall, one: Phone, other: Phone, scores: list[int], code: str
) -> None:
    await both_sit(room, one, other)
    assert await one.refused("report_result", FIRST, scores=scores, saw=None) == code


async def test_what_cannot_be_kept_is_said_and_not_done(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, phone(on) as own, phone(on) as theirs:
        await both_sit(on, own, theirs)
        full = "CREATE TRIGGER full BEFORE INSERT ON {} BEGIN SELECT RAISE(ABORT, ''); END"
        tamper(tmp_path / "journal.db", full.format("competition_line"))
        assert await own.refused("report_result", FIRST, status=503, scores=[121, 98], saw=None) == "not_kept"
        tamper(tmp_path / "journal.db", "DROP TRIGGER full;" + full.format("setting"))
        refused = await theirs.post("/event/table/sit", {**on.card(1), "entrant": on.pair(1)[1]}, 503)
        assert refused["refused"]["code"] == "not_kept"
        assert (await theirs.picture())["you"]["number"] == on.pair(1)[1]


# The captain


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


async def test_where_anybody_calls_every_phone_of_a_side_does(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    await other.ask("call_official")
    assert (await other.picture())["you"]["called"]
    assert room.now.hall.calls == (pair[1],)


async def test_codes_are_not_to_be_guessed(room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribd.web.kiosk.table_phones.client_key", lambda _: "192.168.0.9")
    await room.begin("fadoq")
    for wrong in ("", "1-000000", "1", "999-123456", "x" * 500):
        await one.post("/event/table/captain", {"code": wrong}, 403)
    right = {"code": room.code(1)}
    assert (await one.post("/event/table/captain", right, 429))["wait"] >= 1


async def test_guesses_at_once_are_no_more_than_guesses_one_after_the_other(
    room: Hall, one: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribd.web.kiosk.table_phones.client_key", lambda _: "192.168.0.10")
    await room.begin("fadoq")
    guesses = [guess(one, f"1-{number:06}") for number in range(30)]
    assert 5 <= (await asyncio.gather(*guesses)).count(403) < 10


async def test_many_clients_guess_no_more_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = map("192.168.1.{}".format, count())
    monkeypatch.setattr("cribd.web.kiosk.table_phones.client_key", lambda _: next(addresses))
    monkeypatch.setattr("cribd.web.kiosk.table_phones._WRONG_CODES_TOGETHER", 7)
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


async def test_who_is_shown_by_another_name_is_refused_by_that_name(room: Hall, one: Phone) -> None:
    await room.begin("fadoq")
    entrant = room.pair(1)[0]
    await room.do(ShowAs(entrant, "Un secret"))
    await one.sit(1, entrant)
    refused = (await one.ask("call_official", status=409))["refused"]
    assert (refused["code"], refused["values"]["captain"]) == ("captain_only", "Un secret")
    assert "Anne" not in json.dumps(refused)


async def test_the_desk_is_told_codes_and_cards_and_nobody_else_is(room: Hall, one: Phone) -> None:
    await room.begin("fadoq")
    async with one.session.get(f"{room.origin}/desk/phones") as answer:
        assert answer.status == 403
    await one.post("/desk/pin", {"pin": ORGANISER_PIN})
    async with one.session.get(f"{room.origin}/desk/phones") as answer:
        told = await answer.json()
    assert told["entrants"][2] == {"entrant": 3, "code": room.code(3)}
    assert told["tables"][6] == {"table": 7, "path": f"/event/table/7?key={room.phones.table_key(7)}"}
    assert len(told["tables"]) == 8
    async with one.session.get(f"{room.origin}{told['tables'][6]['path']}") as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")


# The seal


async def test_of_a_sealed_event_a_phone_sees_its_last_result_until_its_next_game(
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
    told = json.dumps(await one.picture() | {"edition": ""})
    assert "97" not in told
    assert "121" not in told.replace('"target": 121', "")
    assert await one.refused("confirm_result", FIRST, saw=[121, 97]) == "not_your_game"
    assert (await one.picture())["you"]["number"] == pair[0]


async def test_of_a_sealed_match_no_game_before_the_last_is_told(room: Hall, one: Phone, other: Phone) -> None:
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


async def test_two_games_of_one_visit_come_one_after_the_other(room: Hall, one: Phone, other: Phone) -> None:
    form = read_format({"format": "jeux50", "min_entrants": 2, "games": 2})
    await room.begin(form)
    pair = room.pair(1)
    await one.sit(1, pair[0])
    await other.sit(1, pair[1])
    second = GameAt(1, 1, 2)
    assert await one.refused("report_result", second, scores=[121, 98], saw=None) == "earlier_game_first"
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    assert (await one.picture())["visit"]["game"] == 2
    await other.ask("report_result", second, scores=[60, 121], saw=None)
    await other.ask("confirm_result", FIRST, saw=[121, 98])
    await one.ask("confirm_result", second, saw=[60, 121])
    told = (await one.picture())["visit"]
    assert (told["is_over"], told["game"], len(told["results"])) == (True, None, 2)
    await room.do(Undo())
    assert (await one.picture())["visit"]["is_over"] is False
