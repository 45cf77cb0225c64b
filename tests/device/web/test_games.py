"""The past games at their addresses: the list, each step by step, its record, and what is shown where nobody plays."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    OK,
    RED,
    RED_DEALS,
    SIX_CARD,
    UNDO,
    cards,
    holes,
    policy,
    step_to,
)
from tests.support.event_evenings import A_WIN, at_event, open_results
from tests.support.journals import tamper
from tests.support.kept_games import played_by_robots
from tests.support.kiosk_rooms import House, house

from cribboard import Card, record, show_points
from cribboard.competition.actions import UndoCompetitionAct
from cribboard.record import Record
from cribboard.rules import changed
from cribboard.view import see
from cribd.cli.record_verify import verify_record
from cribd.inputs import Input
from cribd.storage.archive import ArchiveReader
from cribd.table.snapshot import Line
from cribd.text import languages
from cribd.text.audit import Audit
from cribd.web.http.worker import WAITING
from cribd.web.kiosk.games.routes import CACHED, PAGE
from cribd.web.kiosk.scoreboard.idle_routes import BEST, RESULTS

NAMED = policy(names=("Aline", "Paul", ""))
AGAIN: list[Input] = [OK[BLUE], *BLUE_WINS, *OK]
#: Blue lays, red lays: fifteen for two, which red claims and blue lets it have; and then blue gives up the game.
A_FIFTEEN: list[Input] = [*cards("7H 8H"), *holes(RED, 2), *cards("9D")]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, "trust", policy=NAMED) as served:
        yield served


async def asked(home: House, path: str) -> Any:
    answer = await home.client.get(path)
    assert answer.status == 200, await answer.text()
    return await answer.json()


async def listed(home: House, before: int | None = None) -> Any:
    return await asked(home, "/games/list" if before is None else f"/games/list?before={before}")


async def steps_of(home: House, number: int) -> list[dict[str, Any]]:
    """The steps of a game, each whole."""
    whole: list[dict[str, Any]] = []
    state: dict[str, Any] = {}
    for step in (await asked(home, f"/games/{number}/steps"))["steps"]:
        state = state | step
        whole.append(state)
    return whole


# The list


async def test_before_the_first_game_has_ended_the_list_is_empty(home: House) -> None:
    await home.table.post(*BLUE_DEALS)
    assert await listed(home) == {"games": [], "older": None, "sealed": 0}
    assert await asked(home, "/games/today") == {"results": [], "best": []}


async def test_a_game_is_listed_with_all_that_one_wants_to_know_of_it(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    (game,) = (await listed(home))["games"]
    assert (game["id"], game["names"], game["scores"], game["winner"]) == (1, ["Aline", "Paul"], [121, 0], BLUE)
    assert (game["skunk"], game["rules"], game["way"]) == ("skunk", "six-card/2", "trust")
    assert game["text"]["en"] == {
        "rules": phrase("rules.six-card"),
        "way": phrase("way.trust"),
        "skunk": phrase("skunk"),
    }
    assert game["text"]["fr_CA"]["way"] == phrase("way.trust", "fr_CA")
    assert game["begun"][:10] == home.table.clock.wall().astimezone().date().isoformat(), "the board's own day"


async def test_a_broken_off_game_is_marked_as_broken_off(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *holes(RED, 12, 12))
    await step_to(home.table, Line.BREAK_OFF)
    await home.table.post(OK[BLUE], OK[RED])
    (game,) = (await listed(home))["games"]
    assert (game["winner"], game["scores"], game["skunk"]) == (None, [0, 12], "none")


async def test_a_long_list_comes_in_pieces_that_leave_none_out(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    while len((await listed(home))["games"]) < PAGE:
        await home.table.post(*AGAIN) if not home.table.now.match_over else await home.table.post(
            *BLUE_DEALS, *AGAIN[1:]
        )
    assert (await listed(home))["older"] is None
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    first = await listed(home)
    second = await listed(home, first["older"])
    assert [game["id"] for game in (*first["games"], *second["games"])] == list(range(PAGE + 1, 0, -1))
    assert second["older"] is None


@pytest.mark.parametrize("before", ["", "x", "-1", "1.5", "9" * 30, "٣", "1;DROP"])
async def test_the_place_in_the_list_must_be_a_number(home: House, before: str) -> None:
    assert (await home.client.get("/games/list", params={"before": before})).status == 400


# One game


async def test_the_steps_begin_before_the_first_act_and_end_with_the_result(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    steps = await steps_of(home, 1)
    assert [side["score"] for side in steps[0]["sides"]] == [0, 0]
    assert [(side["in_hand"], side["inHand"]) for side in steps[0]["sides"]] == [(None, None)] * 2
    assert [side["score"] for side in steps[-1]["sides"]] == [121, 0]
    said = steps[-1]["said"]
    assert said.keys() == set(languages())
    assert (said["en"], said["fr_CA"]) == ([phrase("said.final")], [phrase("said.final", "fr_CA")])
    assert len(steps) == 1 + sum(
        line.split(maxsplit=2)[1] == ">" for line in (await text_of(home, 1)).split("\n\n")[1].split("\n")
    )


async def text_of(home: House, number: int) -> str:
    return await (await home.client.get(f"/games/{number}/record")).text()


async def test_an_undone_act_is_sent_and_marked_as_undone(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *holes(RED, 12, 12, 12), UNDO, *BLUE_WINS, *OK)
    steps = await steps_of(home, 1)
    taken = [step for step in steps if step["undone"]]
    assert [side["score"] for side in taken[-1]["sides"]] == [0, 12]
    assert not steps[-1]["undone"]
    assert [side["score"] for side in steps[-1]["sides"]] == [121, 0]


async def test_a_step_shows_what_the_table_showed_then(tmp_path: Path) -> None:
    """Whoever steps through a game sees each view of the table in its turn, and nothing of what comes after."""
    async with house(tmp_path, "verify") as home:
        await home.table.post(*RED_DEALS, *A_FIFTEEN)
        await step_to(home.table, Line.BREAK_OFF)
        await home.table.post(OK[BLUE], OK[RED])
        archived = home.site._games._archive.record(1)
        game = archived.heading.begin()
        game.append(archived.events)
        for step in await steps_of(home, 1):
            view = see(game.position_after(step["number"]))
            assert [side["score"] for side in step["sides"]] == [side.score for side in view.sides]
            assert [laid["card"] for laid in step["laid"]] == [str(laid.card) for laid in view.laid]
            assert (step["count"], step["deal"], step["phase"]) == (view.count, view.deal, view.phase)


async def test_the_record_is_a_file_that_cribboard_finds_sound(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    answer = await home.client.get("/games/1/record")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="cribboard-1.txt"'
    assert (answer.content_type, answer.charset) == ("text/plain", "utf-8")
    text = await answer.text()
    stored = home.table.journal.game(1)
    assert text == record.write(Record(stored.heading, stored.game.log))
    assert isinstance(verify_record(text), Audit)


@pytest.mark.parametrize("path", ["/games/1/steps", "/games/1/record", "/games/2/steps", "/games/0/record"])
async def test_a_game_under_way_is_not_served(home: House, path: str) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, OK[BLUE])
    assert (await home.client.get(path)).status == 404


async def test_a_browser_that_unpacks_nothing_gets_the_same_steps(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    plain = await home.client.get("/games/1/steps", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    packed = await home.client.get("/games/1/steps", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert await plain.json() == await packed.json()


async def test_the_steps_of_a_few_games_are_cached_compressed(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK, *AGAIN, *AGAIN, *AGAIN)
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK, *AGAIN)
    for number in (1, 2, 3, 4, 5, 1):
        await asked(home, f"/games/{number}/steps")
    cache = home.site._games._cache
    assert list(cache) == [(number, ArchiveReader.ANYBODY) for number in (3, 4, 5, 1)]
    assert len(cache) == CACHED
    assert json.loads(gzip.decompress(cache[1, ArchiveReader.ANYBODY]))["id"] == 1


# Sealed events


@pytest.fixture
async def sealed(tmp_path: Path) -> AsyncIterator[House]:
    """A house where one game of a sealed event has ended, and the next begins."""
    async with at_event(tmp_path) as (table, _):
        await table.post(*A_WIN)
    async with house(tmp_path, "trust") as home:
        yield home


async def test_a_sealed_game_shows_only_that_it_exists(sealed: House) -> None:
    assert await listed(sealed) == {"games": [], "older": None, "sealed": 1}
    assert await asked(sealed, "/games/today") == {"results": [], "best": []}
    for path in ("/games/1/steps", "/games/1/record"):
        assert (await sealed.client.get(path)).status == 404


async def test_a_browser_that_gave_the_pin_sees_them_and_no_other_does(sealed: House) -> None:
    await sealed.unlock()
    payload = await listed(sealed)
    assert ([game["scores"] for game in payload["games"]], payload["sealed"]) == ([[121, 0]], 0)
    assert await steps_of(sealed, 1)
    assert (await sealed.client.get("/games/1/record")).status == 200
    assert [player["games"] for player in (await asked(sealed, "/games/statistics"))["players"]] == [1, 1]
    assert await asked(sealed, "/games/today") == {"results": [], "best": []}, "the scoreboard is everybody's"
    sealed.client.session.cookie_jar.clear()
    assert (await listed(sealed))["sealed"] == 1
    assert (await sealed.client.get("/games/1/steps")).status == 404, "not from what was kept for the PIN either"
    assert (await asked(sealed, "/games/statistics"))["players"] == []


async def test_once_the_results_are_open_everybody_sees_the_games(sealed: House) -> None:
    await open_results(await sealed.table.competitions.organiser())
    assert [game["id"] for game in (await listed(sealed))["games"]] == [1]
    assert (await asked(sealed, "/games/today"))["results"][0]["scores"] == [121, 0]
    assert await steps_of(sealed, 1)


async def test_an_opening_that_is_undone_takes_back_what_was_shown_while_it_stood(sealed: House) -> None:
    organiser = await sealed.table.competitions.organiser()
    await open_results(organiser)
    addresses = ("/games/1/steps", "/games/1/record", "/games/list", "/games/today", "/games/statistics")
    shown = [await asked(sealed, path) for path in ("/games/1/steps", *addresses[2:])]
    assert all("Entrant 1" in json.dumps(each) for each in shown), "and each is kept for the next who asks"
    await organiser.do(UndoCompetitionAct())
    payload = [await sealed.client.get(path) for path in addresses]
    assert [answer.status for answer in payload] == [404, 404, 200, 200, 200]
    assert "Entrant 1" not in "".join([await answer.text() for answer in payload])


async def test_a_private_game_under_rules_that_seal_an_event_is_not_sealed(tmp_path: Path) -> None:
    async with house(tmp_path, "trust", rules=changed(SIX_CARD, {"sealed": "on"})) as home:
        await home.table.post(*A_WIN)
        assert ([game["id"] for game in (await listed(home))["games"]], (await listed(home))["sealed"]) == ([1], 0)


# What goes wrong


async def test_a_damaged_game_is_named_wherever_it_is_met_and_the_others_are_served(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    lines = home.table.lines_on_disk()
    await home.table.post(*AGAIN)
    change = "DROP TRIGGER IF EXISTS line_update; UPDATE line SET line = 'nonsense' WHERE game = 1 AND number = {};"
    tamper(home.table.path, change.format(2))
    assert await asked(home, "/games/1/steps") == {"id": 1, "damaged": 2}
    answer = await home.client.get("/games/1/record")
    assert (answer.status, await answer.text()) == (500, "game 1 is damaged from line 2 on.\n")
    assert (await listed(home))["games"][1] == {"id": 1, "damaged": 2}
    assert [game["id"] for game in (await asked(home, "/games/today"))["results"]] == [2], (
        "its result is proved no more"
    )
    tamper(home.table.path, "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE game = 1;")
    assert (await listed(home))["games"][1] == {"id": 1, "damaged": lines + 1}, "not even its end can be read"
    assert await steps_of(home, 2)


async def test_a_journal_that_cannot_be_read_is_no_end_of_the_pages(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    away = home.table.path.with_name("elsewhere")
    home.table.path.rename(away)
    for path in ("/games/list", "/games/today", "/games/1/steps", "/games/1/record"):
        assert (await home.client.get(path)).status == 503
    away.rename(home.table.path)
    assert len((await listed(home))["games"]) == 1


async def test_a_client_with_too_many_requests_is_asked_to_retry_later(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)
    free = home.table.clock.free
    free.clear()
    answers = [asyncio.create_task(home.client.get("/games/list")) for _ in range(WAITING + 3)]
    await home.until(lambda: sum(answer.done() for answer in answers) == 3)
    free.set()
    assert sorted([(await answer).status for answer in answers]) == [200] * WAITING + [503] * 3


# Where nobody plays


async def test_the_last_results_are_of_games_that_were_played_out(home: House) -> None:
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK, *AGAIN, *AGAIN, *AGAIN)
    await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK, *AGAIN, OK[BLUE])
    await step_to(home.table, Line.BREAK_OFF)
    await home.table.post(OK[BLUE], OK[RED])
    results = (await asked(home, "/games/today"))["results"]
    assert [game["id"] for game in results] == [6, 5, 4, 3, 2]
    assert len(results) == RESULTS
    assert (results[0]["names"], results[0]["scores"], results[0]["winner"]) == (["Aline", "Paul"], [121, 0], BLUE)
    assert results[0]["at"][:10] == home.table.clock.wall().astimezone().date().isoformat()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two whole games that robots played, all cards read."""
    return played_by_robots(tmp_path_factory.mktemp("played"), wrong=0.1)


async def test_the_best_hands_of_the_day_are_those_that_counted_most(played: Path) -> None:
    async with house(played) as home:
        best = (await asked(home, "/games/today"))["best"]
        assert len(best) == BEST
        worth = [hand["points"] for hand in best]
        assert worth == sorted(worth, reverse=True)
        texts = {number: await text_of(home, number) for number in (1, 2)}
        lines = "".join(texts.values())
        dues = [int(due) for due in re.findall(r"judged \w+ \S+ (?:hand|crib) called \d+ due (\d+)", lines)]
        assert worth == sorted(dues, reverse=True)[:BEST]
        for hand in best:
            cards = [Card.parse(card) for card in hand["cards"]]
            assert show_points(cards, Card.parse(hand["starter"]), crib=hand["of"] == "crib") == hand["points"]
            assert hand["name"] == ("Robot 1", "Robot 2")[hand["side"]]
            assert re.search(rf"judged \w+ \S+ {hand['of']} called \d+ due {hand['points']}\b", texts[hand["id"]])


async def test_yesterdays_hands_are_not_among_the_best_of_today_but_its_results_stand(played: Path) -> None:
    async with house(played) as home:
        await home.table.clock.advance(24 * 3600)
        today = await asked(home, "/games/today")
        assert today["best"] == []
        assert [game["id"] for game in today["results"]] == [2, 1]


async def test_every_count_is_sent_with_the_step_that_closed_it(played: Path) -> None:
    async with house(played) as home:
        steps = await steps_of(home, 1)
        shown = {step["shown"]["number"]: step for step in reversed(steps) if step["shown"]}
        closed = re.findall(r"^ *(\d+)   judged \w+ \S+ (?:hand|crib)", await text_of(home, 1), re.MULTILINE)
        assert [str(number) for number in sorted(shown)] == closed
        for number, step in shown.items():
            shown_step = step["shown"]
            assert step["number"] >= number, "and not before"
            assert sum(each["points"] for each in shown_step["steps"]) >= shown_step["points"]
            assert len(shown_step["text"]["fr_CA"]["steps"]) == len(shown_step["steps"])


async def test_every_step_names_the_players(played: Path) -> None:
    async with house(played) as home:
        lines = {line for step in await steps_of(home, 2) for line in step["said"]["en"]}
        assert any(has_phrase(line, "said.laid", side="Robot 2") for line in lines)
        assert not any(re.search(r"\b(Blue|Red)\b", line) for line in lines)


async def test_two_languages_tell_every_step(played: Path) -> None:
    async with house(played) as home:
        for step in await steps_of(home, 2):
            assert bool(step["said"]["en"]) == bool(step["said"]["fr_CA"])
            assert step["ask"]["en"]
            assert step["ask"]["fr_CA"]
