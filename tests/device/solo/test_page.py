"""The routes of somebody who plays alone: files, choices, one window with hands, clear refusals."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.alone import Alone, alone
from tests.support.catalogues import phrase
from tests.support.places import ROOT

from cribboard import RULES
from cribboard.rules import OPTIONS, Option
from cribd.languages import languages
from cribd.solo.robot_turns import Pace
from cribd.solo.web import PAGE
from cribd.twin.messages import PresentCard, PressButton, ReleaseButton


class Pages:
    """The routes, and windows that look at them."""

    def __init__(self, table: Alone, client: TestClient[web.Request, web.Application]) -> None:
        self.table = table
        self._client = client
        self._streams: dict[str, ClientResponse] = {}

    @property
    def routes(self) -> list[web.AbstractRoute]:
        """The routes, but those that only ask for a head."""
        assert self._client.app is not None
        return [route for route in self._client.app.router.routes() if route.method != "HEAD"]

    async def look(self, window: str) -> dict[str, Any]:
        """The first state of a window that opens."""
        stream = await self._client.get(f"/solo/events?window={window}")
        assert stream.status == 200
        self._streams[window] = stream
        while True:
            line = (await stream.content.readline()).decode()
            if line.startswith("data: {"):
                payload: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return payload

    async def close(self, window: str) -> None:
        """The window closes."""
        self._streams.pop(window).close()
        await self.table.pass_time(0.5)

    async def act(self, window: str, **asked: Any) -> ClientResponse:
        """What a window asks for."""
        return await self._client.post("/solo/act", json={"window": window, **asked})

    async def get(self, path: str) -> ClientResponse:
        return await self._client.get(path)

    async def start(self, **more: Any) -> ClientResponse:
        asked = {"rules": RULES["six-card"].label, "way": "verify", "strength": "easy", **more}
        return await self.act("mine", do="start", **asked)


@asynccontextmanager
async def pages(folder: Path) -> AsyncIterator[Pages]:
    """A board and its routes."""
    async with alone(folder) as table:
        app = web.Application()
        table.page.mount(app)
        async with TestClient(TestServer(app)) as client:
            yield Pages(table, client)


async def test_the_files_of_the_page_are_served_and_name_no_other_machine(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        for path in PAGE.iterdir():
            assert (await open_pages.get(f"/solo/{path.name}")).status == 200
            assert not re.search(r"https?://|style=", path.read_text(encoding="utf-8")), path.name
        assert (await open_pages.get("/solo/nothing.js")).status == 404


async def test_the_document_has_every_address_and_no_other(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        served = {(route.method, route.resource.canonical) for route in open_pages.routes if route.resource is not None}
    found = re.findall(r"`(GET|POST) (/[\w/]*)`", (ROOT / "docs" / "alone.md").read_text(encoding="utf-8"))
    assert {(method, path.replace("NAME", "{name}")) for method, path in found} == served


async def test_the_page_offers_the_rule_sets_of_the_board(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        payload = await (await open_pages.get("/solo/choices")).json()
        labels = [each["label"] for each in payload["rules"]]
        assert RULES["six-card"].label in labels
        assert RULES["three-player"].label not in labels, "it needs three tracks"
        assert payload["ways"] == ["trust", "verify", "auto"]
        assert payload["strengths"] == ["easy", "medium", "strong"]
        assert payload["free"]


async def test_each_rule_set_says_what_it_is_and_has_the_options_of_the_menu(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        payload = await (await open_pages.get("/solo/choices")).json()
    rules = {each["label"].partition("/")[0]: each for each in payload["rules"]}
    for name, each in rules.items():
        assert [option["key"] for option in each["options"]] == list(OPTIONS.get(name, {}))
        for said in (each["says"], *(option["name"] for option in each["options"])):
            assert set(said) == set(languages())
            assert not [text for text in said.values() if text.startswith(("option.", "page."))], "a code is no phrase"
    assert rules["britannica"]["options"][0] == {
        "key": "short",
        "name": {language: phrase("option.britannica.short", language) for language in ("en", "fr_CA")},
        "excludes": [],
    }
    assert [option["excludes"] for option in rules["fadoq"]["options"]] == [["out-only"], ["component"]]


def no_option(option: str, rules: str, allowed: str) -> str:
    return phrase("problem.rules.no_option", option=option, rules=rules, allowed=allowed)


async def test_a_game_begins_with_the_options_that_were_chosen(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        await open_pages.look("mine")
        label = RULES["britannica"].label
        assert (await open_pages.start(rules=label, options=["muggins", "short"])).status == 204
        await open_pages.table.until(lambda: open_pages.table.session.game is not None)
        played = open_pages.table.position.rules
        assert (played.name, played.game.target, played.claims.muggins) == ("britannica", 61, Option.ON)
        for rules, options, why in (
            ("britannica", ["lurch"], no_option("'lurch'", "britannica", "short, exact-out, muggins")),
            ("britannica", ["short", "short"], phrase("problem.rules.option_twice", option="short")),
            (
                "fadoq",
                ["component", "out-only"],
                phrase("problem.rules.options_exclude", option="component", other="out-only"),
            ),
            ("six-card", ["muggins"], no_option("'muggins'", "six-card", phrase("problem.none"))),
            ("acc", "muggins", "Options are a list of words; allowed is muggins."),
            ("acc", [["muggins"]], "Options are a list of words; allowed is muggins."),
            ("acc", None, "Options are a list of words; allowed is muggins."),
        ):
            refused = await open_pages.start(rules=RULES[rules].label, options=options, breaks_off=True)
            assert (refused.status, (await refused.text()).strip()) == (400, why)
        unknown = await open_pages.start(rules="whist/2", options=["muggins"], breaks_off=True)
        assert (unknown.status, (await unknown.json())["code"]) == (409, "no_such_rules")
        assert open_pages.table.position.rules == played, "a refusal changes nothing"


async def test_one_window_has_hands_and_another_watches_and_may_take_over(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        assert (await open_pages.look("mine"))["hands"]
        assert (await open_pages.start()).status == 204
        await open_pages.table.play(lambda: open_pages.table.asked == "discard")
        other = await open_pages.look("other")
        assert not other["hands"]
        assert other["hand"] == []
        refused = await open_pages.act("other", do="discard", cards=["5H", "6H"])
        assert (refused.status, (await refused.json())["code"]) == (403, "no_hands")
        assert not open_pages.table.page.allows("other", PressButton("blue ok"))
        assert open_pages.table.page.allows("mine", PressButton("blue ok"))
        assert (await open_pages.act("other", do="take_over")).status == 204
        assert len((await open_pages.look("other"))["hand"]) == 6
        assert not open_pages.table.page.allows("mine", PressButton("blue ok"))
        await open_pages.close("other")


async def test_with_no_game_under_way_a_second_window_begins_one_and_gets_the_hands(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        table = open_pages.table
        assert (await open_pages.look("mine"))["hands"]
        assert not (await open_pages.look("other"))["hands"]
        asked = {"do": "start", "rules": RULES["six-card"].label, "way": "verify", "strength": "easy"}
        assert (await open_pages.act("other", **asked)).status == 204
        await table.until(lambda: table.session.game is not None)
        assert table.page.allows("other", PressButton("blue ok"))
        assert not table.page.allows("mine", PressButton("blue ok"))
        assert (await open_pages.start(breaks_off=True)).status == 403, "a game is under way in the other"
        assert (await open_pages.act("other", do="leave")).status == 204
        assert (await open_pages.act("mine", do="step")).status == 403
        assert (await open_pages.act("mine", do="take_up")).status == 204
        assert table.page.allows("mine", PressButton("blue ok"))


async def test_presses_for_a_robots_side_are_refused(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        await open_pages.look("mine")
        assert open_pages.table.page.allows("mine", PressButton("red ok"))
        await open_pages.start()
        await open_pages.table.until(lambda: open_pages.table.session.game is not None)
        for button, may in {"blue ok": True, "blue 14": True, "menu": True, "red ok": False, "red 14": False}.items():
            assert open_pages.table.page.allows("mine", PressButton(button)) is may, button
        assert open_pages.table.page.allows("mine", ReleaseButton("red ok")), "a finger that is down goes up"


async def test_hands_go_to_a_window_that_is_open_when_the_one_with_hands_closes(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        await open_pages.look("mine")
        await open_pages.start()
        assert not (await open_pages.look("other"))["hands"]
        await open_pages.close("mine")
        assert open_pages.table.page.allows("other", PressButton("blue ok"))


async def test_the_card_pad_is_closed_during_a_game_alone(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        await open_pages.look("mine")
        assert open_pages.table.page.allows("mine", PresentCard("5H", "reader"))
        await open_pages.start()
        await open_pages.table.until(lambda: open_pages.table.session.game is not None)
        assert not open_pages.table.page.allows("mine", PresentCard("5H", "reader"))


async def test_an_act_that_is_not_possible_now_is_refused_with_its_reason(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        await open_pages.look("mine")
        await open_pages.start()
        await open_pages.table.play(lambda: open_pages.table.asked == "discard")
        hand = open_pages.table.state()["hand"]
        refused = await open_pages.act("mine", do="discard", cards=hand[:3])
        assert refused.status == 409
        assert await refused.json() == {"code": "how_many", "values": {"count": "3", "wanted": "2"}}
        assert (await open_pages.start()).status == 409, "a game is unfinished"
        assert (await open_pages.act("mine", do="discard", cards=hand[:2])).status == 204
        assert (await open_pages.act("mine", do="discard", cards=hand[:2])).status == 409, "a double click"


async def test_a_new_game_is_played_at_peoples_pace_and_a_refused_one_changes_none(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        table = open_pages.table
        await open_pages.look("mine")
        await open_pages.start()
        await table.play(lambda: table.session.lesson is not None)
        assert (await open_pages.act("mine", do="pace", speed=2, waits=True)).status == 204
        assert (await open_pages.start()).status == 409, "a game is unfinished"
        assert (await open_pages.start(rules="nonsense", breaks_off=True)).status == 409
        assert table.turns.pace == Pace(2, waits=True)
        assert table.session.lesson is not None
        assert (await open_pages.start(breaks_off=True)).status == 204
        assert table.turns.pace == Pace()
        assert table.session.lesson is None


async def test_a_malformed_request_is_refused(tmp_path: Path) -> None:
    async with pages(tmp_path) as open_pages:
        await open_pages.look("mine")
        wrong: list[dict[str, Any]] = [
            {},
            {"do": "nothing"},
            {"do": "lay", "card": "XX"},
            {"do": "lay"},
            {"do": "pace", "speed": 3, "waits": True},
            {"do": "peg"},
            *({"do": "peg", "points": points} for points in (-1, 2.5, True, None, "8", [8])),
        ]
        for asked in wrong:
            assert (await open_pages.act("mine", **asked)).status == 400, asked
        assert (await open_pages.act("", do="step")).status == 400
        assert (await open_pages.get("/solo/events")).status == 400
        assert (await open_pages.get("/solo/events?window=a%20b")).status == 400
