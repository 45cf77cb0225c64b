"""Truth from outside: robots play whole games, and a bookkeeper who knows only the rules finds every light right.

The bookkeeper follows the fingers and the cards in the robots' diary; the lights in it are read from the chips. An
accountant adds up the same diary by the rules alone, and has the same figures as the statistics of the records. The
full measure, 200 games in each way, is taken by hand:

    cribboard demo --games 200 --way verify --diary diary.jsonl && python -m tests.bookkeeper.bookkeeper diary.jsonl
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import reduce
from itertools import product
from operator import add
from pathlib import Path
from typing import Any

import pytest
from tests.bookkeeper.bookkeeper import audit, main
from tests.bookkeeper.figures_by_the_rules import Figures, figures_of
from tests.support.robot_games import MANNERS, Diary, in_manners, play_games
from tests.support.sweeps import one_in

from cribboard.figures import DealPart, Player
from cribboard.statistics import statistics_of
from cribd.storage.archive import Archive

#: A sample of them where sweeps are not whole.
GAMES = 6 // one_in(3)


async def diary_of(folder: Path, *, way: str, board: str, games: int, **how: Any) -> Diary:
    """What robots did in so many games, and what glowed. `how` they play goes to `play_games`."""
    diary, _ = await play_games(board, folder, games=games, way=way, seed=121, **how)
    return diary


def figures_in(journal: Path) -> list[Figures]:
    """What the statistics say of the players of all games, as the accountant writes it."""
    archive = Archive(journal)
    ended = [archive.ended(number) for number in range(1, GAMES + 1)]
    assert len(archive.page(GAMES + 1)) == GAMES
    statistics = reduce(add, (statistics_of(archive.record(game.id)) for game in ended))
    return [player_figures(statistics.players[name.casefold(), -1]) for name in ended[0].heading.names]


def player_figures(player: Player) -> Figures:
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
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("way", "board", "manner"),
    in_manners([*product(["trust", "verify", "auto"], ["continuous", "classic"])])[:: one_in(3)],
)
async def test_every_light_and_every_figure_is_that_of_the_rules(
    way: str, board: str, manner: str, tmp_path: Path
) -> None:
    how = MANNERS[manner] | {"journal": tmp_path / "evening.db"}
    diary = await diary_of(tmp_path, way=way, board=board, games=GAMES, **how)
    assert figures_in(tmp_path / "evening.db") == figures_of(diary)
    keeper = audit(diary)
    assert keeper.differences == []
    assert keeper.games == GAMES
    assert keeper.deals > 5 * GAMES
    assert keeper.compared > 15 * keeper.deals


@pytest.fixture(scope="module")
def game_diary(tmp_path_factory: pytest.TempPathFactory) -> Diary:
    """The diary of one game, in which the bookkeeper finds nothing."""
    folder = tmp_path_factory.mktemp("game")
    diary = asyncio.run(diary_of(folder, way="verify", board="continuous", games=1))
    assert audit(diary).differences == []
    return diary


@pytest.fixture
def one_game(game_diary: Diary) -> Diary:
    """A copy to write in."""
    return deepcopy(game_diary)


def a_peg_one_hole_further(diary: Diary) -> None:
    lights = next(entry["lights"][0] for entry in diary[400:] if "lights" in entry)
    front = max((hole for hole in lights if hole.isdigit() and hole != "121"), key=int)
    lights[str(int(front) + 1)] = lights.pop(front)


def a_back_peg_as_bright_as_the_front_peg(diary: Diary) -> None:
    for track in (track for entry in diary[400:] if "lights" in entry for track in entry["lights"]):
        pegs = {hole: light for hole, light in track.items() if hole.isdigit() and hole != "121"}
        if len(set(pegs.values())) == 2:
            track |= dict.fromkeys(pegs, max(pegs.values()))
            return


def a_third_peg(diary: Diary) -> None:
    next(entry for entry in diary[200:] if "lights" in entry)["lights"][0]["99"] = 7905


def no_light_at_all(diary: Diary) -> None:
    next(entry for entry in diary[200:] if "lights" in entry)["lights"] = [{}, {}]


def the_lamp_of_the_wrong_dealer(diary: Diary) -> None:
    for lights in next(entry for entry in diary[200:] if "lights" in entry)["lights"]:
        if not lights.pop("dealer", 0):
            lights["dealer"] = 2449


def a_card_that_was_another(diary: Diary) -> None:
    called = next(at for at in range(200, len(diary)) if diary[at].get("for") == "laid" and diary[at]["points"])
    scanned = next(entry for entry in reversed(diary[:called]) if entry.get("scan") == diary[called]["card"])
    rank, suit = scanned["scan"]
    scanned["scan"] = ("K" if rank != "K" else "9") + suit


def a_press_that_was_not_made(diary: Diary) -> None:
    diary.remove(next(entry for entry in diary[300:] if "press" in entry))


def another_score_at_the_end(diary: Diary) -> None:
    result = next(entry for entry in diary if "result" in entry)
    result["result"][1 - result["winner"]] -= 1


def another_winner(diary: Diary) -> None:
    result = next(entry for entry in diary if "result" in entry)
    result["winner"] = 1 - result["winner"]


def a_skunk_that_was_none(diary: Diary) -> None:
    result = next(entry for entry in diary if "result" in entry)
    result["skunked"] = not result["skunked"]


@pytest.mark.parametrize(
    "doctor",
    [
        a_peg_one_hole_further,
        a_back_peg_as_bright_as_the_front_peg,
        a_third_peg,
        no_light_at_all,
        the_lamp_of_the_wrong_dealer,
        a_card_that_was_another,
        a_press_that_was_not_made,
        another_score_at_the_end,
        another_winner,
        a_skunk_that_was_none,
    ],
)
def test_the_bookkeeper_finds_what_was_doctored(one_game: Diary, doctor: Callable[[Diary], None]) -> None:
    doctor(one_game)
    assert audit(one_game).differences


@pytest.mark.parametrize("points", [-1, 1])
async def test_a_call_that_the_cards_are_not_worth_is_found_when_robots_call_right(points: int, tmp_path: Path) -> None:
    diary = await diary_of(tmp_path, way="trust", board="classic", games=1)
    assert audit(diary).differences == []
    for number, entry in enumerate(diary):
        if "call" in entry:
            doctored = [*diary[:number], entry | {"points": entry["points"] + points}, *diary[number + 1 :]]
            assert any("worth" in found for found in audit(doctored).differences), entry


def test_the_bookkeeper_reads_a_diary_from_a_file(
    one_game: Diary, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "diary.jsonl"
    pages.write_text("".join(f"{json.dumps(entry)}\n" for entry in one_game))
    assert main([str(pages)]) == 0
    a_third_peg(one_game)
    pages.write_text("".join(f"{json.dumps(entry)}\n" for entry in one_game))
    assert main([str(pages)]) == 1
    assert "0 differences" in capsys.readouterr().out
