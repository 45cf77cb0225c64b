"""The route of the idle scoreboard.

The last results and the day's best hands are read in the thread that reads past games (`Games.read`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from aiohttp import web

from cribd.clock import Clock
from cribd.storage.archive import Archive, EndedGame, GameDamaged
from cribd.web.kiosk.games.replay_json import best_hands
from cribd.web.kiosk.games.routes import PAGE, Games, local_time

#: How many results and best hands of the day the scoreboard shows while nobody plays.
RESULTS = 5
BEST = 5


class IdleScoreboard:
    """The route that sends what the scoreboard shows while nobody plays."""

    def __init__(self, archive: Archive, games: Games, clock: Clock) -> None:
        self._archive = archive
        self._games = games
        self._clock = clock
        self._best: dict[int, list[dict[str, Any]]] = {}

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/games/today", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        return web.json_response(await self._games.read(self._results_and_best_hands, request))

    def _results_and_best_hands(self) -> dict[str, Any]:
        """Return the last results of any day, and today's best hands."""
        today = self._clock.wall().astimezone().date()
        results: list[EndedGame] = []
        of_today: list[EndedGame] = []
        for game in self._newest():
            is_of_today = game.ended.astimezone().date() == today
            if is_of_today:
                of_today.append(game)
            if game.result is not None and len(results) < RESULTS:
                results.append(game)
            if not is_of_today and len(results) == RESULTS:
                break
        listed = [self._games.entry(game) | {"at": local_time(game.ended)} for game in results]
        return {"results": listed, "best": self._best_hands_of_day(of_today)}

    def _best_hands_of_day(self, games: Sequence[EndedGame]) -> list[dict[str, Any]]:
        """Return the day's best hands, the best first."""
        self._best = {game.id: self._best_hands_of_game(game) for game in games}
        hands = (hand for best in self._best.values() for hand in best)
        return sorted(hands, key=lambda hand: -int(hand["points"]))[:BEST]

    def _newest(self) -> Iterator[EndedGame]:
        """Yield the undamaged games, newest first."""
        before: int | None = None
        while games := self._archive.page(PAGE, before=before):
            yield from (game for game in games if isinstance(game, EndedGame))
            before = games[-1].id

    def _best_hands_of_game(self, game: EndedGame) -> list[dict[str, Any]]:
        """Return the best hands; none for a damaged record."""
        if game.id in self._best:
            return self._best[game.id]
        try:
            hands = best_hands(self._archive.record(game.id), BEST)
        except GameDamaged:
            return []
        names = game.heading.names or ("",) * len(game.heading.rules.sides)
        return [{**hand, "id": game.id, "name": names[hand["side"]], "points": hand["due"]} for hand in hands]
