"""Whole events on a real daemon that is killed again and again, over the routes of the desk, beside a club's own sums.

The organiser enters what the slips say. The places at the end are those of `tests.support.club_tally`, which imports
nothing of the product. Scores are drawn; who plays whom comes from the desk alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from tests.support.club_tally import HOLE, Slip, Tally
from tests.support.daemon_process import daemon
from tests.support.sweeps import IS_WHOLE

pytestmark = pytest.mark.slow

PIN = "2468"
CONFIG = f'[page]\norganiser_pin = "{PIN}"\n'


@dataclass
class Club:
    """A desk in a browser, the slips beside it, and chance."""

    folder: Path
    rng: Random
    tally: Tally = field(default_factory=Tally)
    running: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def open(self) -> None:
        """Start the daemon on the club's journal, and give the PIN at its desk."""
        config = self.folder / "board.toml"
        config.write_text(CONFIG, encoding="utf-8")
        self.board = await self.running.enter_async_context(daemon(self.folder, "--config", str(config)))
        jar = aiohttp.CookieJar(unsafe=True)  # an address is no name
        self.browser = await self.running.enter_async_context(aiohttp.ClientSession(self.board.origin, cookie_jar=jar))
        await self.ask("/desk/pin", {"pin": PIN})

    async def pull_the_plug(self) -> None:
        """Kill the daemon, and start it again. The desk shows what it showed."""
        before = await self.state()
        await self.board.kill()
        await self.running.aclose()
        await self.open()
        assert await self.state() == before, "nothing that was entered is lost"
        async with self.browser.get("/desk") as page:
            assert 'href="/twin"' in await page.text(), "pages are as before"

    async def ask(self, path: str, payload: object, *, refused: bool = False) -> Any:
        async with self.browser.post(path, json=payload, headers={"Origin": self.board.origin}) as answer:
            assert answer.status == (409 if refused else 200), await answer.text()
            return await answer.json()

    async def state(self) -> Any:
        async with self.browser.get("/desk/state") as answer:
            return await answer.json()

    async def do(self, action: str, /, *, refused: bool = False, **fields: object) -> Any:
        return await self.ask("/desk/do", {"do": action, **fields}, refused=refused)

    async def register(self, names: Sequence[str], *, teams: bool = False) -> None:
        """Register and check in these entrants."""
        first = len((await self.state())["entrants"]) + 1
        for number, name in enumerate(names, start=first):
            players = [f"{name} A", f"{name} B"] if teams else []
            await self.do("register", name=name, players=players)
            await self.do("check_in", entrant=number)

    def scores(self) -> tuple[int, int]:
        lost = self.rng.randint(55, HOLE - 2)
        return (HOLE, lost) if self.rng.random() < 0.5 else (lost, HOLE)

    async def enter(self, due: dict[str, Any], tables: Sequence[dict[str, Any]]) -> None:
        """Enter the slip of this game, which was played at one of these tables."""
        at = {key: due[key] for key in ("round", "table", "game")}
        [seats] = [table["entrants"] for table in tables if table["table"] == at["table"]]
        scores = self.scores()
        await self.do("enter_result", at=at, scores=scores)
        self.tally.slips[at["round"], at["table"], at["game"]] = Slip(tuple(seats), scores)

    async def round(self, *, plug_pulled: bool = False) -> bool:
        """Draw and play a round, if there is one. The plug may be pulled in the middle of it."""
        async with self.browser.post("/desk/draw", json={}, headers={"Origin": self.board.origin}) as answer:
            if answer.status != 200:
                assert (await answer.json())["refused"]["code"] == "nobody_to_seat"
                return False
        await self.do("start_round")
        seated = [number for table in (await self.state())["tables"] for number in table["entrants"]]
        assert len(seated) == len(set(seated)), "nobody is seated twice"
        while due := (state := await self.state())["outstanding"]:
            await self.enter(due[0], state["tables"])
            if plug_pulled and len(due) == len(seated) // 4 + 1:
                await self.pull_the_plug()
        return True

    async def make_level(self, ranked: Sequence[int]) -> tuple[int, int]:
        """An official takes points, so that third and fourth are level. Returns both."""
        order = sorted(ranked, key=lambda number: -self.tally.points(number))
        second, third, fourth = order[1:4]
        assert self.tally.points(second) > self.tally.points(third)
        if much := self.tally.points(third) - self.tally.points(fourth):
            await self.do("penalise", entrant=third, points=much, reason="retards")
            self.tally.taken[third] = much
        fifth = order[4]
        assert self.tally.points(fourth) > self.tally.points(fifth)
        return third, fourth

    async def the_places_are_those_of_the_slips(self, by: Callable[[int], tuple[int, ...]]) -> None:
        rows = (await self.state())["standings"]
        places = {row["entrant"]: row["place"] for row in rows if row["place"]}
        assert places == self.tally.places(places, by)


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    club = Club(tmp_path, Random(1234))
    async with club.running:
        await club.open()
        yield club


@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.parametrize("players", [9, 24] if IS_WHOLE else [9])
async def test_a_day_of_the_jeux_50_plus(club: Club, players: int) -> None:
    await club.ask("/desk/begin", {"format": "jeux50", "name": "Jeux", "tables": 12})
    await club.register([f"Joueuse {number}" for number in range(1, players + 1)])
    await club.do("begin")
    assert await club.round(plug_pulled=True)
    while await club.round():
        pass
    assert all(len(club.tally.of(number)) == 16 for number in range(1, players + 1))
    await club.the_places_are_those_of_the_slips(club.tally.jeux50)


async def test_an_acc_night_of_thirteen_where_one_plays_a_game_less(club: Club) -> None:
    await club.ask("/desk/begin", {"format": "acc", "name": "Thursday", "tables": 6})
    await club.register([f"Player {number}" for number in range(1, 14)])
    assert "13" in (await club.do("begin", refused=True))["refused"]["text"]["en"]
    await club.do("begin", choice="one_short")
    assert await club.round(plug_pulled=True)
    while await club.round():
        pass
    assert sorted(len(club.tally.of(number)) for number in range(1, 14)) == [8] + 12 * [9]
    rows = (await club.state())["standings"]
    assert [row["missing"] for row in rows if row["missing"]] == [1], "the one that is short is marked"
    await club.the_places_are_those_of_the_slips(club.tally.acc)


async def test_a_fadoq_evening_with_one_team_late_one_leaving_and_a_tie_for_bronze(club: Club) -> None:
    await club.ask("/desk/begin", {"format": "fadoq", "name": "Tournoi de mars", "tables": 4})
    await club.register([f"Équipe {number}" for number in range(1, 8)], teams=True)
    await club.do("begin", choice="one_short")
    assert await club.round(plug_pulled=True)
    await club.register(["Équipe 8"], teams=True)
    for _ in range(5):
        assert await club.round(plug_pulled=True)
    await club.do("depart", entrant=2, status="left", reason="malade")
    while await club.round(plug_pulled=True):
        pass
    await club.do("end_play")
    ranked = [number for number in range(1, 9) if number != 2]
    third, fourth = await club.make_level(ranked)
    assert (await club.do("open_place", place=3, refused=True))["refused"]["code"]
    await club.ask("/desk/draw", {})
    await club.do("start_round")
    now = await club.state()
    [table] = now["tables"]
    assert sorted(table["entrants"]) == sorted((third, fourth))
    scores = [HOLE if number == third else 80 for number in table["entrants"]]
    for game in (1, 2):
        await club.do("enter_result", at={"round": now["round"], "table": table["table"], "game": game}, scores=scores)
    assert await club.do("open_place", place=3, refused=True), "no result was compared with its slip"
    for obstacle in (await club.state())["obstacles"]:
        await club.do("check_result", at={key: obstacle[key] for key in ("round", "table", "game")})
    for place in (3, 2, 1):
        await club.pull_the_plug()
        assert (await club.state())["next_place"] == place
        await club.do("open_place", place=place)
    now = await club.state()
    assert now["phase"] == "open"
    places = club.tally.places(ranked, club.tally.fadoq)
    assert places[third] == places[fourth] == 3
    assert {row["entrant"]: row["place"] for row in now["standings"] if row["place"]} == places | {fourth: 4}
