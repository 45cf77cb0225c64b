"""The organiser's desk over HTTP: everything behind the PIN, refused in words, and a sealed event stays sealed."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.journals import tamper
from tests.support.kiosk_rooms import ORGANISER_PIN, PIN, House, Looker, house
from tests.support.waiting import PATIENCE_S

from cribboard.competition import FORMATS
from cribd.text import languages
from cribd.web.http.sse import ALIVE_S
from cribd.web.kiosk.shared.pin import FIRST_WAIT_S, FREE_TRIES, SESSION_S, SESSIONS

GETS = ("/desk/state", "/desk/events", "/desk/log", "/desk/formats", "/desk/record", "/desk/backup", "/desk/draw")
FILES = ("/desk/print/slips", "/desk/export/event.json", "/desk/season/season.csv")
POSTS = ("/desk/do", "/desk/draw", "/desk/begin", "/desk/switch", "/desk/csv", "/desk/csv/confirm")
FADOQ_CSV = "équipe;joueur 1;joueur 2\n" + "".join(f"Équipe {n};Anne {n};Benoît {n}\n" for n in range(1, 5))


async def unlock(home: House, pin: str = ORGANISER_PIN) -> None:
    assert (await home.post("/desk/pin", {"pin": pin})).status == 200


async def ask(home: House, path: str, told: object, status: int = 200) -> Any:
    answer = await home.post(path, told)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def do(home: House, action: str, /, status: int = 200, **fields: object) -> Any:
    return await ask(home, "/desk/do", {"do": action, **fields}, status)


async def state(home: House) -> Any:
    return await (await home.client.get("/desk/state")).json()


async def send_csv(home: House, path: str, file: bytes, status: int = 200) -> Any:
    answer = await home.post(path, file, headers={"Content-Type": "text/csv"})
    assert answer.status == status, await answer.text()
    return await answer.json()


async def slip(home: House, table: int, *scores: int, status: int = 200, **beside: object) -> Any:
    at = {"round": 1, "table": table}
    return await do(home, "enter_result", status, at=at, scores=scores, **beside)


async def open_hall(home: House, form: object = "acc", entrants: int = 4) -> None:
    """A competition whose first round is played."""
    await unlock(home)
    await ask(home, "/desk/begin", {"format": form, "name": "Mardi", "tables": 8})
    team = (await state(home))["values"]["team_size"] == 2
    for number in range(1, entrants + 1):
        players = [f"Anne {number}", f"Benoît {number}"] if team else []
        await do(home, "register", name=f"Entrant {number}", players=players)
        await do(home, "check_in", entrant=number)
    await do(home, "begin")
    await ask(home, "/desk/draw", {})
    await do(home, "start_round")


# The PIN


@pytest.mark.parametrize("cookie", [{}, {"cribboard-desk": "guessed"}])
async def test_without_the_pin_the_desk_answers_nothing_and_does_nothing(home: House, cookie: dict[str, str]) -> None:
    await home.unlock()
    for path in GETS + FILES:
        assert (await home.client.get(path, cookies=cookie)).status == 403
    for path in POSTS:
        assert (await home.post(path, {"do": "undo"}, cookies=cookie)).status == 403
    assert home.table.journal.competitions.newest() == 0


@pytest.mark.parametrize("pin", [ORGANISER_PIN, PIN])
async def test_the_organisers_pin_opens_the_desk_and_the_owners_too(home: House, pin: str) -> None:
    await unlock(home, pin)
    assert await state(home) == {"competition": None, "damaged": None, "most_tables": 256}
    assert (await home.post("/table/owner", {"do": "new_game"})).status == 403, "and never the other way"
    await ask(home, "/desk/leave", {})
    assert (await home.client.get("/desk/state")).status == 403


async def test_without_a_configured_pin_the_desk_is_closed(tmp_path: Path) -> None:
    async with house(tmp_path, pin="") as home:
        assert await (await home.client.get("/desk/pad")).json() == {"pin": "unset"}
        assert (await home.post("/desk/begin", {"format": "acc"})).status == 403


async def test_the_organisers_pin_buys_no_guesses_of_the_owners(home: House) -> None:
    statuses = []
    for guess in range(FREE_TRIES + 3):
        await unlock(home)
        statuses.append((await home.post("/desk/pin", {"pin": f"{guess:04}"})).status)
    assert statuses == [403] * (FREE_TRIES - 1) + [429] * 4
    for path in ("/table/pin", "/desk/pin"):
        assert (await home.post(path, {"pin": PIN})).status == 429, "the owner's PIN is not even looked at"
    await home.table.clock.advance(FIRST_WAIT_S)
    assert (await home.post("/table/pin", {"pin": "0000"})).status == 429, "the next wait is twice as long"
    await home.table.clock.advance(2 * FIRST_WAIT_S)
    await unlock(home, PIN)


async def test_guesses_at_once_are_no_more_than_one_after_the_other(home: House) -> None:
    await unlock(home)
    paths = ["/desk/pin", "/table/pin"] * 10
    answers = await asyncio.gather(*(home.post(path, {"pin": "0000"}) for path in paths))
    assert sorted(answer.status for answer in answers) == [403] * (FREE_TRIES - 1) + [429] * (21 - FREE_TRIES)
    assert (await home.post("/table/pin", {"pin": PIN})).status == 429


# A competition


async def test_a_board_without_a_competition_imports_no_engine(home: House) -> None:
    async with home.client.get("/event/events") as answer:
        assert await Looker(answer).picture() == {"competition": None}


async def test_an_event_runs_from_registration_to_its_log(home: House) -> None:
    await open_hall(home)
    first = (await state(home))["outstanding"]
    assert [(each["table"], each["game"]) for each in first] == [(1, 1), (2, 1)]
    assert first[0]["since"] == f"{home.table.clock.wall():%Y-%m-%dT%H:%M:%SZ}"
    told = await slip(home, 1, 121, 98)
    now = await state(home)
    assert told == {"competition": 1, "events": now["events"]}
    assert now["tables"][0]["results"][0]["scores"] == [121, 98]
    assert now["standings"][0]["amounts"]["game_points"] == 2
    assert now["undo"]["text"]["en"] == phrase(
        "competition.event.result_entered",
        at=phrase("competition.at", round=phrase("competition.round.number", round=1), table=1, game=1),
        scores=phrase("competition.scores", first=121, second=98),
        ending=phrase("competition.ending.finished"),
        source=phrase("competition.source.slip"),
    )
    assert (await ask(home, "/desk/do", {"do": "undo"}))["events"] == now["events"] + 1
    log = await (await home.client.get("/desk/log", params={"after": str(now["events"] - 1)})).json()
    assert [(each["undone"], each["line"].split()[0]) for each in log] == [(True, "result"), (False, "undone")]
    record = await (await home.client.get("/desk/record")).text()
    assert record.startswith("Cribboard competition 1\nName: Mardi\n")


async def test_the_desk_is_shown_each_change_after_its_commit(home: House) -> None:
    await open_hall(home)
    async with home.client.get("/desk/events") as answer:
        looker = Looker(answer)
        before = await looker.picture()
        await slip(home, 2, 121, 98)
        await home.table.clock.advance(1)
        after = await looker.picture()
        assert (before["events"] + 1, len(after["outstanding"])) == (after["events"], 1)


@pytest.mark.parametrize("how", ["left", "over", "one too many"])
async def test_the_stream_of_the_desk_ends_with_its_session(home: House, how: str) -> None:
    """The browser that keeps it open is told no result of a sealed event any more."""
    await open_hall(home)
    async with home.client.get("/desk/events") as answer:
        looker = Looker(answer)
        await looker.picture()
        key = home.client.session.cookie_jar.filter_cookies(home.client.make_url("/"))["cribboard-desk"].value
        if how == "left":
            assert (await home.post("/desk/leave", {})).status == 200
        elif how == "over":
            await home.table.clock.advance(SESSION_S)
            await home.table.clock.advance(ALIVE_S)
        else:
            for _ in range(SESSIONS):
                await unlock(home)
            await slip(home, 1, 121, 98)
            await home.table.clock.advance(1)
        async with asyncio.timeout(PATIENCE_S):
            rest = await answer.content.read()
        assert b"data: {" not in rest
        assert key.encode() not in rest
        assert (await home.client.get("/desk/events", cookies={"cribboard-desk": key})).status == 403


async def test_a_club_begins_its_own_format(home: House) -> None:
    await unlock(home)
    await ask(home, "/desk/begin", {"format": 'format = "acc"\ngames = 7', "tables": 3})
    assert (await state(home))["format"] == "acc/2 games=7"
    for wrong in ("bingo", 'format = "acc"\ngames = 0', {"format": "acc", "gamse": 7}, None, 5, "= ="):
        told = await ask(home, "/desk/begin", {"format": wrong, "instead": True}, status=400)
        assert told["refused"]["values"]["field"] == "format"


async def test_the_desk_begins_a_second_event_and_switches_back_to_the_first(home: House) -> None:
    await open_hall(home)
    before = await state(home)
    assert (await ask(home, "/desk/begin", {"format": "fadoq", "name": "Soirée"}))["competition"] == 2
    assert (await ask(home, "/desk/switch", {"competition": 1})) == {"competition": 1, "events": before["events"]}
    assert await state(home) == before
    first, second = await (await home.client.get("/desk/competitions")).json()
    assert (first["phase"], first["current"], first["name"]) == ("play", True, "Mardi")
    assert (second["phase"], second["current"], second["format"]) == ("registration", False, "fadoq/2")
    assert datetime.fromisoformat(first["begun"]) <= datetime.fromisoformat(second["begun"])
    refused = await ask(home, "/desk/switch", {"competition": 3}, status=409)
    assert refused["refused"]["text"]["fr_CA"] == phrase(
        "competition.refused.no_such_competition", "fr_CA", number=3, newest=2
    )
    wrong: tuple[object, ...] = (
        None,
        2,
        [],
        {},
        {"competition": "2"},
        {"competition": True},
        {"competition": 2, "x": 1},
    )
    for told in wrong:
        assert (await ask(home, "/desk/switch", told, status=400))["refused"]["code"] == "not_an_action"
    assert await state(home) == before


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ([], "request"),
        ({"format": "acc", "tables": "four"}, "tables"),
        ({"format": "acc", "tables": True}, "tables"),
        ({"format": "acc", "tables": 999}, "tables"),
        ({"format": "acc", "name": " Mardi"}, "name"),
        ({"format": "acc", "name": 101 * "é"}, "name"),
        ({"format": "acc", "date": "demain"}, "date"),
        ({"format": "acc", "colour": "red"}, "colour"),
    ],
)
async def test_a_wrong_heading_is_refused_with_field_and_value(home: House, told: object, field: str) -> None:
    await unlock(home)
    assert (await ask(home, "/desk/begin", told, status=400))["refused"]["values"]["field"] == field


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
    told = await do(home, "check_in", 400, entrant="three")
    assert told["refused"]["text"]["en"] == phrase(
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
        ("begin", {"format": "acc", "tables": 999}, in_french("tables", 999, "whole_number_from_to", low=0, high=256)),
        ("begin", {"format": "acc", "date": "demain"}, in_french("date", "demain", "date")),
        ("begin", {"format": "acc", "name": " Mardi"}, in_french("name", " Mardi", "printable", most=100)),
        ("begin", {"format": 5}, in_french("format", 5, "format", names=", ".join(FORMATS))),
        ("begin", {"format": "= =\n" * 999}, "format = = = = = "),
        ("board", {"table": 0}, in_french("table", '{"table": 0}', "board_table", most=256)),
    ]
    for path, told, sentence in wrong:
        refused = (await ask(home, f"/desk/{path}", told, status=400))["refused"]
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
    told = await home.client.get("/desk/members")
    assert (told.headers["Cache-Control"], len((await told.json())["members"])) == ("no-store", 402)


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


# CSV


async def test_sheets_open_in_the_browser_and_other_files_are_downloaded(home: House) -> None:
    await open_hall(home)
    await slip(home, 1, 121, 98)
    sheet = await home.client.get("/desk/print/standings?language=fr_CA")
    assert sheet.content_type == "text/html"
    assert "default-src 'none'" in sheet.headers["Content-Security-Policy"]
    assert "Entrant 1" in await sheet.text()
    kept = await home.client.get("/desk/export/results.csv")
    assert kept.headers["Content-Disposition"] == 'attachment; filename="cribboard-event-1-results.csv"'
    assert "98" in await kept.text()
    early = await home.client.get("/desk/print/certificates?language=fr_CA")
    assert early.status == 404
    assert await early.text()
    assert (await home.client.get("/desk/season/season.html")).status == 200


async def test_public_sheets_of_a_sealed_event_hold_no_score(home: House) -> None:
    await open_hall(home, form="fadoq")
    before = await (await home.client.get("/desk/export/results.csv?public=1")).text()
    await slip(home, 1, 121, 98)
    assert await (await home.client.get("/desk/export/results.csv?public=1")).text() == before
    assert "98" in await (await home.client.get("/desk/export/results.csv")).text()


async def test_a_file_is_shown_before_it_is_taken_whole(home: House) -> None:
    await unlock(home)
    await ask(home, "/desk/begin", {"format": "fadoq"})
    file = FADOQ_CSV.encode("cp1252")
    preview = await send_csv(home, "/desk/csv", file)
    assert [row["name"] for row in preview["rows"]] == [f"Équipe {n}" for n in range(1, 5)]
    assert (preview["problems"], preview["left_out"]) == ([], [])
    more = await send_csv(home, "/desk/csv", b"team,e-mail,captain,partner\nAces,x@y,Ann,Bo\n")
    assert (more["problems"], more["left_out"], len(more["rows"])) == ([], ["e-mail"], 1)
    assert (await state(home))["entrants"] == []
    assert (await send_csv(home, "/desk/csv/confirm?competition=1", file))["events"] == 4
    again = await send_csv(home, "/desk/csv", file)
    assert again["problems"][0]["text"]["fr_CA"] == phrase(
        "competition.csv.at_line",
        "fr_CA",
        line=2,
        problem=phrase("competition.csv.already_registered", "fr_CA", value="Équipe 1", entrant=1),
    )
    refused = await send_csv(home, "/desk/csv/confirm", file + b"\xc9quipe 9;A;B\n", 409)
    assert refused["refused"]["code"] == "csv_has_problems"
    assert (await state(home))["events"] == 4, "nothing is half taken"


async def test_a_file_of_another_type_or_too_long_is_not_read(home: House) -> None:
    await unlock(home)
    await ask(home, "/desk/begin", {"format": "acc"})
    assert (await home.post("/desk/csv", b"nom", headers={"Content-Type": "text/plain"})).status == 415
    assert (await home.post("/desk/csv", b"n" * 300_000, headers={"Content-Type": "text/csv"})).status == 413


@pytest.mark.parametrize(
    ("file", "codes"),
    [
        (b"nom" + b",x" * 120_000, {"too_many_columns"}),
        (b"nom\nOdile" + b",x" * 120_000, {"too_many_cells"}),
        (b"nom,seed,guest\n" + b",x,?\n" * 1000, {"name_missing", "not_a_seed", "not_a_guest", "more_problems"}),
        (b"nom\n" + b"\n".join([b"N" * 80_000] * 3), {"name_too_long"}),
        (b"nom\n" + b"\n".join([b"N" * 100] * 1000), {"two_with_one_name", "more_problems"}),
    ],
)
async def test_a_file_full_of_problems_gets_a_short_answer(home: House, file: bytes, codes: set[str]) -> None:
    await unlock(home)
    await ask(home, "/desk/begin", {"format": "acc"})
    answer = await home.post("/desk/csv", file, headers={"Content-Type": "text/csv"})
    assert answer.status == 200
    assert len(await answer.read()) < 131_072
    problems = (await answer.json())["problems"]
    assert {each["code"] for each in problems} == codes
    assert all(set(each["text"]) == set(languages()) for each in problems)


async def test_a_draw_is_proposed_and_the_organiser_seats_otherwise(home: House) -> None:
    await open_hall(home, {"format": "acc", "games": 8}, entrants=5)
    await ask(home, "/desk/do", {"do": "undo"})
    assert (await home.client.get("/desk/draw")).status == 409, "a round is drawn already"
    await do(home, "cancel_round", reason="autrement")
    before = await state(home)
    proposed = await (await home.client.get("/desk/draw")).json()
    assert await state(home) == before, "nothing was done"
    (one, other), [bye] = proposed["seating"]["pairings"], proposed["seating"]["byes"]
    assert sorted([*one["entrants"], *other["entrants"], bye]) == [1, 2, 3, 4, 5]
    assert proposed["seating"]["waiting"] == []
    bye, one["entrants"][0] = one["entrants"][0], bye
    twice = await ask(home, "/desk/do", proposed, 409)
    assert twice["refused"]["code"] == "seated_twice"
    proposed["seating"]["byes"] = [bye]
    await ask(home, "/desk/do", proposed)
    now = await state(home)
    assert [each["entrants"] for each in now["tables"]] == [one["entrants"], other["entrants"]]
    assert now["byes"] == [bye]


async def test_the_desk_receives_the_seeding_order_and_the_value_of_missing_games(home: House) -> None:
    await unlock(home)
    await ask(home, "/desk/begin", {"format": "single-elimination"})
    for number in range(1, 4):
        await do(home, "register", name=f"Entrant {number}")
    assert ((await state(home))["seeds"], (await state(home))["missing"]) == ([], "zero")
    await do(home, "seed_entrants", entrants=[3, 1, 2])
    await do(home, "count_missing", missing="average")
    assert ((await state(home))["seeds"], (await state(home))["missing"]) == ([3, 1, 2], "average")


# The seal


async def test_the_hall_gets_no_score_and_no_event_count_of_a_sealed_event(home: House) -> None:
    await open_hall(home, "fadoq")
    async with home.client.get("/event/events") as answer:
        looker = Looker(answer)
        await looker.picture()
        await slip(home, 1, 121, 98)
        await home.table.clock.advance(1)
        told = await looker.picture()
        assert told["is_sealed"] is True
        assert told["standings"] == []
        assert "events" not in told
        assert "98" not in json.dumps(told | {"edition": ""})
        assert "rounds" not in told
        await do(home, "correct_result", at={"round": 1, "table": 1}, scores=[121, 97], reason="mal lu")
        await slip(home, 2, 121, 60)
        await home.table.clock.advance(1)
        assert all(table["is_over"] for table in (await looker.picture())["tables"]), "the correction sent no message"


async def test_the_hall_receives_only_the_listed_fields(home: House) -> None:
    await open_hall(home)
    await slip(home, 1, 121, 98)
    await do(home, "correct_result", at={"round": 1, "table": 1}, scores=[121, 97], reason="mal lu")
    async with home.client.get("/event/events") as answer:
        told = await Looker(answer).picture()
    event = (
        "edition language competition name date rules values format phase paused starts games missing entrants "
        "table_count round stage play_off tables byes waiting outstanding calls opened is_sealed round_since standings"
    )
    entrant = "number name players captain status part shown_as hands registered"
    table = "table entrants is_over results winner wins games"
    row = "place entrant part status played missing byes penalty amounts separated_by level_with"
    result = "scores ending source state by other reason record cards board corrections"
    (corrected,) = told["tables"][0]["results"]
    for each, names in (
        (told, event),
        *((each, entrant) for each in told["entrants"]),
        *((each, table) for each in told["tables"]),
        *((each, row) for each in told["standings"]),
        *((each, "round table play_off") for each in told["outstanding"]),
        (corrected, result),
        (corrected["corrections"][0], "scores ending reason"),
    ):
        assert [*each] == names.split()


# This board at a table of the hall


async def test_the_organiser_says_at_which_table_the_board_stands(home: House) -> None:
    assert (await home.client.get("/desk/board")).status == 403
    await unlock(home)
    assert await (await home.client.get("/desk/board")).json() == {"table": None}
    assert await ask(home, "/desk/board", {"table": 4}) == {"table": 4}
    assert home.table.competitions.board_table == 4
    assert await (await home.client.get("/desk/board")).json() == {"table": 4}
    assert await ask(home, "/desk/board", {"table": None}) == {"table": None}


@pytest.mark.parametrize(
    "told", [{"table": 0}, {"table": 257}, {"table": "4"}, {"table": True}, {}, [], {"table": 1, "x": 2}]
)
async def test_a_table_that_no_hall_has_is_refused(home: House, told: object) -> None:
    await unlock(home)
    refused = (await ask(home, "/desk/board", told, 400))["refused"]
    assert (refused["code"], refused["values"]["field"]) == ("not_an_action", "table")


async def test_a_journal_damaged_at_run_time_is_reported_as_damaged(home: House) -> None:
    await open_hall(home)
    tamper(home.table.path, "ALTER TABLE competition RENAME TO rotten")
    for path in ("/desk/competitions", "/desk/season/season.csv"):
        answer = await home.client.get(path)
        assert answer.status == 503, path
        assert "journal.db" in await answer.text()
    assert (await home.client.get("/desk/state")).status == 200, "what is in memory goes on"
