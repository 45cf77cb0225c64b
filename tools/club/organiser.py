"""The organiser of a club night: sends the desk of the hub the requests that a person would make by clicks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

#: How often the desk is looked at, in seconds.
_LOOKS_S = 1.0
_COUPLES = (
    "Rita et Marcel", "Huguette et Gilles", "Lise et Yvon", "Pierrette et Réal", "Ginette et Fernand", "Odile et Léo",
    "Denise et Jacques", "Monique et Roger", "Thérèse et Benoît", "Colette et Armand", "Jeannine et Luc",
    "Gisèle et Normand", "Louise et André", "Nicole et Guy", "Francine et Robert", "Diane et Claude",
    "Suzanne et Michel", "Micheline et Rolland", "Cécile et Ghislain", "Madeleine et Paul-Émile",
    "Claudette et Raymond", "Jocelyne et Serge", "Céline et Denis", "Marie-Ève et Jean-François",
)  # fmt: skip
_NAMES = (
    "Roy", "Côté", "Gagnon", "Bouchard", "Lavoie", "Fortin", "Gauthier", "Morin", "Ouellet", "Pelletier", "Tremblay",
)  # fmt: skip


def team(number: int) -> tuple[str, str, str]:
    """Return the name of a team, and the names of its two players. The first teams are called by first names."""
    couple, name = _COUPLES[(number - 1) % len(_COUPLES)], _NAMES[(number - 1) % len(_NAMES)]
    one, other = (f"{first} {name}" for first in couple.split(" et "))
    return couple if number <= len(_COUPLES) else f"{couple} {name}", one, other


class OrganiserClient:
    """A browser at the desk of the hub. `say` receives a line for each step."""

    def __init__(self, browser: aiohttp.ClientSession, origin: str, say: Callable[[str], None]) -> None:
        self._browser = browser
        self._origin = origin
        self._say = say

    async def ask(self, path: str, payload: object) -> Any:
        """Send a request to the desk. Raises `RuntimeError` with the desk's answer if it refuses."""
        async with self._browser.post(path, json=payload, headers={"Origin": self._origin}) as answer:
            if answer.status != 200:
                raise RuntimeError(f"{path} {payload}: {await answer.text()}")
            return await answer.json()

    async def do(self, action: str, **values: object) -> Any:
        """Send one action to the desk."""
        return await self.ask("/desk/do", {"do": action, **values})

    async def get(self, path: str) -> Any:
        """Return the desk's answer at this address."""
        async with self._browser.get(path) as answer:
            return await answer.json()

    def cookies(self) -> dict[str, str]:
        """Return the cookies of this browser: its session at the desk."""
        return {cookie.key: cookie.value for cookie in self._browser.cookie_jar}

    async def state(self) -> Any:
        """Return the state that the desk shows."""
        return await self.get("/desk/state")

    async def register(self, teams: int) -> None:
        """Begin a FADOQ tournament with this number of teams of two, all present."""
        await self.ask("/desk/begin", {"format": "fadoq", "name": "Soirée du club", "tables": teams // 2})
        for number in range(1, teams + 1):
            name, *players = team(number)
            await self.do("register", name=name, players=players)
            await self.do("check_in", entrant=number)
        await self.do("begin")
        self._say(f"{teams} teams are registered")

    async def play(self) -> None:
        """Draw and start each round, and wait for its results, until all rounds are played."""
        while await self._drawn():
            await self.do("start_round")
            state = await self.state()
            round_, tables = state["round"], len(state["tables"])
            self._say(f"round {round_} has started at {tables} tables")
            while missing := len((await self.state())["outstanding"]):
                await asyncio.sleep(_LOOKS_S)
                if (now := len((await self.state())["outstanding"])) != missing:
                    self._say(f"round {round_}: {now} results are missing")
        await self.do("end_play")

    async def _drawn(self) -> bool:
        try:
            await self.ask("/desk/draw", {})
        except RuntimeError as refused:
            if "nobody_to_seat" in str(refused):
                return False
            raise
        return True

    async def open_places(self, pause_s: float) -> None:
        """Play off level medals, compare the results with the slips, and open the places one by one."""
        while await self._drawn():
            await self.do("start_round")
            while (await self.state())["outstanding"]:
                await asyncio.sleep(_LOOKS_S)
        for at in (await self.state())["obstacles"]:
            await self.do("check_result", at={key: at[key] for key in ("round", "table", "game")})
        while (place := (await self.state())["next_place"]) is not None:
            await self.do("open_place", place=place)
            self._say(f"place {place} is open")
            await asyncio.sleep(pause_s)


@asynccontextmanager
async def at_desk(origin: str, pin: str, say: Callable[[str], None]) -> AsyncIterator[OrganiserClient]:
    """Yield an organiser who has entered the PIN at the desk of the hub at `origin`."""
    jar = aiohttp.CookieJar(unsafe=True)  # an address is no name
    async with aiohttp.ClientSession(origin, cookie_jar=jar) as browser:
        organiser = OrganiserClient(browser, origin, say)
        await organiser.ask("/desk/pin", {"pin": pin})
        yield organiser
