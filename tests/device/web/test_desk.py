"""The organiser's desk over HTTP: everything behind the PIN, from registration to the log."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.desk_over_http import FILES, GETS, POSTS, ask, open_hall, slip, state, unlock
from tests.support.kiosk_rooms import ORGANISER_PIN, PIN, House, Looker, house
from tests.support.waiting import PATIENCE_S

from cribd.web.http.sse import ALIVE_S
from cribd.web.kiosk.shared.pin import FIRST_WAIT_S, FREE_TRIES, SESSION_S, SESSIONS

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
    assert await state(home) == {"competition": None, "damaged": None, "most_tables": 300}
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
        assert (await Looker(answer).picture())["competition"] is None


async def test_an_event_runs_from_registration_to_its_log(home: House) -> None:
    await open_hall(home)
    first = (await state(home))["outstanding"]
    assert [(each["table"], each["game"]) for each in first] == [(1, 1), (2, 1)]
    assert first[0]["since"] == f"{home.table.clock.wall():%Y-%m-%dT%H:%M:%SZ}"
    payload = await slip(home, 1, 121, 98)
    now = await state(home)
    assert payload == {"competition": 1, "events": now["events"]}
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
        answer = await ask(home, "/desk/begin", {"format": wrong, "instead": True}, status=400)
        assert answer["refused"]["values"]["field"] == "format"


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
    for body in wrong:
        assert (await ask(home, "/desk/switch", body, status=400))["refused"]["code"] == "not_an_action"
    assert await state(home) == before


@pytest.mark.parametrize(
    ("payload", "field"),
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
async def test_a_wrong_heading_is_refused_with_field_and_value(home: House, payload: object, field: str) -> None:
    await unlock(home)
    assert (await ask(home, "/desk/begin", payload, status=400))["refused"]["values"]["field"] == field
