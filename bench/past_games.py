"""Measures past games on a journal of 2,000 games: one page of the list, and one game step by step.

The journal is a real one; most of its games were won by one press. The first listing reads each game's lines for its
result and takes longer for longer games; results are cached after that. The game that is stepped through is that of
`docs/a-game.txt`, with all its cards.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cribboard import record
from cribboard.actions import AcceptResult, NameDealer, ReleasePeg, TakePegInHand
from cribboard.game import Game
from cribboard.record import Heading
from cribboard.rules import RULES, Way
from cribboard.series import result_of
from cribd.clock import ManualClock
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal, StoredGame
from cribd.web.kiosk.games.replay_json import replay
from cribd.web.kiosk.games.routes import PAGE

GAMES = 2000
ROUNDS = 25
_GAME = Path(__file__).parents[1] / "docs" / "a-game.txt"


def pages_and_steps() -> dict[str, float]:
    """Measure the milliseconds of a page of the list and of the steps of a game, in the median round."""
    with tempfile.TemporaryDirectory(prefix="cribboard-bench-") as folder:
        path = Path(folder) / "journal.db"
        _fill(path)
        archive = Archive(path)
        game = record.read(_GAME.read_text(encoding="utf-8"))
        return {
            "past_games_newest_page_ms": _middle(lambda: archive.page(PAGE + 1)),
            "past_games_oldest_page_ms": _middle(lambda: archive.page(PAGE + 1, before=PAGE)),
            "past_game_steps_ms": _middle(lambda: replay(game)),
        }


def _middle(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken)


def _fill(path: Path) -> None:
    """Fill a journal with past games."""
    heading = Heading(rules=RULES["six-card"], way=Way.TRUST, names=("Aline", "Paul"), date="2026-01-01")
    won = _won(heading)
    result = result_of(won.position, first_dealer=0)
    journal = Journal(path, ManualClock())
    for _ in range(GAMES):
        number = journal.begin(heading, 1)
        journal.append(StoredGame(number, 1, heading, heading.begin()), won.log, result)
    journal.close()


def _won(heading: Heading) -> Game:
    game = heading.begin()
    for action in (NameDealer(0), TakePegInHand(0, 121), TakePegInHand(0, 121), ReleasePeg(0)):
        game.do(action)
    for side in (0, 1):
        game.do(AcceptResult(side))
    return game


PARTS = (pages_and_steps,)
