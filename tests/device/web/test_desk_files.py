"""The files of the organiser's desk, its draws, its seal, and the board at a table."""

from __future__ import annotations

import json

import pytest
from tests.support.catalogues import phrase
from tests.support.desk_over_http import FADOQ_CSV, ask, do, open_hall, send_csv, slip, state, unlock
from tests.support.journals import tamper
from tests.support.kiosk_rooms import House, Looker

from cribd.text import languages

# CSV


async def test_sheets_open_in_the_browser_and_other_files_are_downloaded(home: House) -> None:
    await open_hall(home)
    await slip(home, 1, 121, 98)
    sheet = await home.client.get("/desk/print/standings?language=fr_CA")
    assert sheet.content_type == "text/html"
    assert "default-src 'none'" in sheet.headers["Content-Security-Policy"]
    assert "Entrant 1" in await sheet.text()
    export = await home.client.get("/desk/export/results.csv")
    assert export.headers["Content-Disposition"] == 'attachment; filename="cribboard-event-1-results.csv"'
    assert "98" in await export.text()
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
    assert {problem["code"] for problem in problems} == codes
    assert all(set(problem["text"]) == set(languages()) for problem in problems)


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
        payload = await looker.picture()
        assert payload["is_sealed"] is True
        assert payload["standings"] == []
        assert "events" not in payload
        assert "98" not in json.dumps(payload | {"edition": ""})
        assert "rounds" not in payload
        await do(home, "correct_result", at={"round": 1, "table": 1}, scores=[121, 97], reason="mal lu")
        await slip(home, 2, 121, 60)
        await home.table.clock.advance(1)
        assert all(table["is_over"] for table in (await looker.picture())["tables"]), "the correction sent no message"


async def test_the_hall_receives_only_the_listed_fields(home: House) -> None:
    await open_hall(home)
    await slip(home, 1, 121, 98)
    await do(home, "correct_result", at={"round": 1, "table": 1}, scores=[121, 97], reason="mal lu")
    async with home.client.get("/event/events") as answer:
        payload = await Looker(answer).picture()
    event = (
        "edition language competition name date rules values format phase paused starts games missing entrants "
        "table_count round stage play_off tables byes waiting outstanding calls opened is_sealed round_since standings"
    )
    entrant = "number name players captain status part shown_as hands registered"
    table = "table entrants is_over results winner wins games"
    row = "place entrant part status played missing byes penalty amounts separated_by level level_with"
    result = "scores ending source state by other reason record cards board corrections"
    (corrected,) = payload["tables"][0]["results"]
    for each, names in (
        (payload, event),
        *((each, entrant) for each in payload["entrants"]),
        *((each, table) for each in payload["tables"]),
        *((each, row) for each in payload["standings"]),
        *((each, "round table play_off") for each in payload["outstanding"]),
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
    "payload", [{"table": 0}, {"table": 301}, {"table": "4"}, {"table": True}, {}, [], {"table": 1, "x": 2}]
)
async def test_a_table_that_no_hall_has_is_refused(home: House, payload: object) -> None:
    await unlock(home)
    refused = (await ask(home, "/desk/board", payload, 400))["refused"]
    assert (refused["code"], refused["values"]["field"]) == ("not_an_action", "table")


async def test_a_journal_damaged_at_run_time_is_reported_as_damaged(home: House) -> None:
    await open_hall(home)
    tamper(home.table.path, "ALTER TABLE competition RENAME TO rotten")
    for path in ("/desk/competitions", "/desk/season/season.csv"):
        answer = await home.client.get(path)
        assert answer.status == 503, path
        assert "journal.db" in await answer.text()
    assert (await home.client.get("/desk/state")).status == 200, "what is in memory goes on"
