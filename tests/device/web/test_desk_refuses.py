"""What the organiser's desk refuses, in words, and what two desks see of each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.catalogues import has_phrase, phrase
from tests.support.desk_over_http import ask, do, open_hall, slip, state, unlock
from tests.support.journals import tamper
from tests.support.kiosk_rooms import House, Looker, house

from cribboard.competition import FORMATS
from cribd.text import languages

# Refusals


async def test_a_refusal_is_worded_in_every_language_with_names(home: House) -> None:
    await open_hall(home)
    refused = (await slip(home, 1, 121, 121, status=409))["refused"]
    said = refused.pop("text")
    assert refused == {"code": "both_at_target", "values": {"target": 121}}
    assert said.keys() == set(languages())
    for language in ("en", "fr_CA"):
        assert said[language] == phrase("competition.refused.both_at_target", language, target=121)
    twice = await do(home, "register", 409, name="ENTRANT 3")
    assert twice["refused"]["text"]["en"] == phrase(
        "competition.refused.name_taken", name="ENTRANT 3", entrant="Entrant 3"
    )


async def test_a_request_that_is_no_action_names_its_field(home: House) -> None:
    await open_hall(home)
    payload = await do(home, "check_in", 400, entrant="three")
    assert payload["refused"]["text"]["en"] == phrase(
        "competition.refused.not_an_action",
        field="entrant",
        value="three",
        allowed=phrase("competition.allowed.whole_number"),
    )
    wrong: list[object] = [{"do": "undo", "seen": 5}, {"do": "undo", "seen": {"events": 3}}, [], {"do": "win"}]
    for each in wrong:
        await ask(home, "/desk/do", each, status=400)
    await ask(home, "/desk/draw", {"order": [1, 2]}, status=400)


def in_french(field: str, value: object, allowed: str, **values: object) -> str:
    """The sentence for a field, its value and the code of what is allowed."""
    clause = phrase(f"competition.allowed.{allowed}", "fr_CA", **values)
    return phrase("competition.refused.not_an_action", "fr_CA", field=field, value=value, allowed=clause)


async def test_a_malformed_request_is_answered_in_french_too(home: House) -> None:
    await open_hall(home)
    result = {"do": "enter_result", "at": {"round": 1, "table": 1}}
    wrong: list[tuple[str, object, str]] = [
        ("do", [], in_french("request", "[]", "object_with_do")),
        ("do", {"do": "check_in", "entrant": "trois"}, in_french("entrant", "trois", "whole_number")),
        ("do", {"do": "check_in"}, in_french("entrant", "null", "whole_number")),
        ("do", {"do": "undo", "now": True}, in_french("now", "true", "no_field")),
        ("do", {"do": "undo", "seen": 5}, in_french("seen", 5, "object_with", names="competition, events")),
        ("do", {**result, "scores": ["x", 1]}, in_french("scores[1]", "x", "whole_number")),
        ("do", {**result, "scores": 7}, in_french("scores", 7, "scores")),
        ("do", {"do": "win"}, in_french("do", "win", "one_of", names="register, rename, ").removesuffix(".")),
        ("draw", {"order": 1}, in_french("order", 1, "fields", names="seen, ask")),
        ("begin", {"format": "acc", "name": 5}, in_french("name", 5, "text")),
        ("begin", {"format": "acc", "instead": 5}, in_french("instead", 5, "true_or_false")),
        ("begin", {"format": "acc", "tables": 999}, in_french("tables", 999, "whole_number_from_to", low=0, high=300)),
        ("begin", {"format": "acc", "date": "demain"}, in_french("date", "demain", "date")),
        ("begin", {"format": "acc", "name": " Mardi"}, in_french("name", " Mardi", "printable", most=100)),
        ("begin", {"format": 5}, in_french("format", 5, "format", names=", ".join(FORMATS))),
        ("begin", {"format": "= =\n" * 999}, "format = = = = = "),
        ("board", {"table": 0}, in_french("table", '{"table": 0}', "board_table", most=300)),
    ]
    for path, body, sentence in wrong:
        refused = (await ask(home, f"/desk/{path}", body, status=400))["refused"]
        assert refused["text"]["fr_CA"].startswith(sentence)
        assert len(refused["text"]["fr_CA"]) < 600
        for english in ("allowed", "whole", "object", "nothing", " or "):
            assert english not in refused["text"]["fr_CA"]


async def test_a_file_is_worded_in_the_language_of_its_address(home: House) -> None:
    await open_hall(home)
    french = await (await home.client.get("/desk/print/certificates?language=fr_CA")).text()
    english = await (await home.client.get("/desk/print/certificates?language=en")).text()
    assert french != english
    for asked in ("fr", "fr-CA", "fr_FR"):
        assert await (await home.client.get("/desk/print/certificates", params={"language": asked})).text() == french
    for asked in ("", "en-CA", "xx"):
        assert await (await home.client.get("/desk/print/certificates", params={"language": asked})).text() == english


async def test_members_are_stored_and_the_ticked_ones_registered_in_one_act(home: House) -> None:
    await unlock(home)
    added = await ask(home, "/desk/members", {"do": "add", "names": ["Zoé Bœuf", "André Côté", "Luc"]})
    assert added == {"new": ["Zoé Bœuf", "André Côté", "Luc"], "members": ["André Côté", "Luc", "Zoé Bœuf"]}
    assert (await ask(home, "/desk/members/here", {}, status=409))["refused"]["code"] == "no_competition"
    await ask(home, "/desk/begin", {"format": "acc"})
    refused = await ask(home, "/desk/members", {"do": "add", "names": ["ANDRE COTE"]}, status=409)
    assert refused["refused"]["text"]["fr_CA"] == phrase("competition.refused.member_taken", "fr_CA", name="ANDRE COTE")
    assert (await ask(home, "/desk/members/here", {"names": ["zoe boeuf"]}))["events"] == 2
    assert (await ask(home, "/desk/members/here", {}))["events"] == 6
    assert [each["status"] for each in (await state(home))["entrants"]] == ["present"] * 3
    await ask(home, "/desk/members", {"do": "remove", "member": "luc"})
    long = await ask(home, "/desk/members", {"do": "add", "names": [f"Membre {n} {'é' * 60}" for n in range(400)]})
    assert len(long["new"]) == 400
    payload = await home.client.get("/desk/members")
    assert (payload.headers["Cache-Control"], len((await payload.json())["members"])) == ("no-store", 402)


async def test_the_members_are_hidden_without_the_pin(home: House) -> None:
    assert (await home.client.get("/desk/members")).status == 403
    for path in ("/desk/members", "/desk/members/here"):
        assert (await home.post(path, {"do": "add", "names": ["Odile"]})).status == 403
    await unlock(home)
    await ask(home, "/desk/members", {"do": "add", "names": ["Odile Secrète"]})
    await ask(home, "/desk/begin", {"format": "acc"})
    home.client.session.cookie_jar.clear()
    for path in ("/event/events", "/event/table/events", "/table/events"):
        async with home.client.get(path) as answer:
            assert "Secrète" not in json.dumps(await Looker(answer).picture(), ensure_ascii=False)


async def test_two_desks_see_the_acts_of_each_other(home: House) -> None:
    await open_hall(home)
    await slip(home, 1, 121, 98)
    now = await state(home)
    seen = {"competition": 1, "events": now["events"]}
    mend: dict[str, Any] = {"at": {"round": 1, "table": 1}, "reason": "mal lu", "seen": seen}
    await do(home, "correct_result", scores=[121, 99], **mend)
    refused = await do(home, "correct_result", 409, scores=[121, 89], **mend)
    assert refused["refused"]["code"] == "changed_meanwhile"
    await slip(home, 2, 121, 98, seen=seen)


async def test_seeds_come_from_unsealed_events_only(home: House) -> None:
    await open_hall(home, {"format": "round-robin", "games": 1}, entrants=2)
    await slip(home, 1, 121, 98)
    await ask(home, "/desk/begin", {"format": "single-elimination", "name": "Finale"})
    for name in ("Entrant 3", "entrant 1"):
        await do(home, "register", name=name)

    async def seeds(number: object) -> tuple[int, Any]:
        answer = await home.client.get(f"/desk/seeds?from={number}")
        return answer.status, await answer.json() if answer.content_type == "application/json" else None

    assert [(await seeds(number))[0] for number in (1, 2, 3, 0, "x", -1, 10**9)] == [409, 409, 409, 409, 400, 400, 400]
    assert (await seeds(1))[1]["refused"]["code"] == "event_not_open"
    await ask(home, "/desk/switch", {"competition": 1})
    await do(home, "end_play")
    for place in (2, 1):
        await do(home, "open_place", place=place)
    await ask(home, "/desk/switch", {"competition": 2})
    before = await state(home)
    assert await seeds(1) == (200, {"entrants": [2, 1], "placed": 1})
    assert await state(home) == before


async def test_a_request_can_ask_for_the_consequences_or_be_done_at_once(home: House) -> None:
    await open_hall(home)
    absent = {"do": "depart", "entrant": 1, "status": "absent"}
    asked = await ask(home, "/desk/do", {**absent, "ask": True}, 409)
    assert asked["refused"]["code"] == "asked"
    assert [each["code"] for each in asked["refused"]["values"]["consequences"]] == ["uneven_games"]
    assert has_phrase(asked["refused"]["text"]["fr_CA"], "competition.asked.uneven_games", "fr_CA")
    before = (await state(home))["events"]
    await ask(home, "/desk/do", {**absent, "ask": False})
    assert (await state(home))["events"] == before + 1
    wrong = await ask(home, "/desk/do", {**absent, "ask": "oui"}, 400)
    assert wrong["refused"]["values"] == {
        "field": "ask",
        "value": "oui",
        "allowed": "true_or_false",
    }


async def test_an_act_that_cannot_be_stored_is_reported_and_not_done(home: House) -> None:
    await open_hall(home)
    tamper(home.table.path, "CREATE TRIGGER full BEFORE INSERT ON competition_line BEGIN SELECT RAISE(ABORT, ''); END")
    assert (await slip(home, 1, 121, 98, status=503))["refused"]["code"] == "not_kept"
    tamper(home.table.path, "DROP TRIGGER full")
    await slip(home, 1, 121, 98)


async def test_a_damaged_competition_is_reported_and_the_game_goes_on(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await open_hall(home)
    tamper(tmp_path / "journal.db", "DROP TRIGGER competition_update; UPDATE competition SET heading = ''")
    async with house(tmp_path) as home:
        await unlock(home)
        damaged = (await state(home))["damaged"]
        assert damaged["number"] == 1
        assert damaged["reason"] == damaged["text"]["en"]
        assert damaged["text"]["fr_CA"].startswith(phrase("problem.journal.competition", "fr_CA", number=1))
        assert (await slip(home, 1, 121, 98, status=409))["refused"]["code"] == "competition_damaged"
        assert (await home.client.get("/table")).status == 200
