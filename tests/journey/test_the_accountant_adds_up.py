"""Truth from outside for the statistics: robots play twenty games, and who added up their diary by the rules alone has
the same figures as the records."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from tests.bookkeeper.figures_by_the_rules import Figures, figures_of
from tests.support.robot_games import play_games

from cribboard.figures import DealPart, Player
from cribboard.statistics import statistics_of
from cribd.storage.archive import Archive


def told(player: Player) -> Figures:
    """The figures of a player as the accountant writes them."""
    figures: Figures = Counter()
    for _, role, averages in player.averages:
        for part in DealPart:
            mean = getattr(averages, part)
            figures[role, part, "times"] += mean.times
            figures[role, part, "points"] += mean.points
    figures["games",], figures["won",] = player.games, player.won
    figures["skunked",], figures["taken",] = player.skunked, player.skunks_taken
    figures["hands",], figures["big",], figures["left",] = player.hands, player.big, player.left.points
    return +figures


@pytest.mark.slow
@pytest.mark.parametrize(("way", "wrong", "games"), [("verify", 0.2, 20), ("auto", 0, 4), ("trust", 0.2, 4)])
async def test_the_figures_are_those_of_the_accountant(way: str, wrong: float, games: int, tmp_path: Path) -> None:
    journal = tmp_path / "evening.db"
    diary, _ = await play_games("continuous", tmp_path, games=games, way=way, wrong=wrong, seed=26, journal=journal)
    archive = Archive(journal)
    ended = [archive.ended(number) for number in range(1, games + 1)]
    statistics = reduce(add, (statistics_of(archive.record(game.id)) for game in ended))
    assert len(archive.page(games + 1)) == games
    assert [told(statistics.players[name.casefold(), -1]) for name in ended[0].heading.names] == [*figures_of(diary)]
