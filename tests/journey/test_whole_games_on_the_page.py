"""People at one page: whole games of most rule sets, in each way, by clicks in a real browser on the real program.

`cribboard run --twin` is a process of its own. All this test has is what a person has: the page, its holes, keys and
cards, and the picture that comes back. The players keep their own score, and at the end the board must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.support.browser import TURN_TO
from tests.support.people import People, switched_on
from tests.support.sweeps import IS_WHOLE

from cribboard.rules import Way
from cribd.boards import Board, Spot, load

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.whole_game]

CONTINUOUS, TRIPLE = load("continuous"), load("triple")
Opens = Callable[[Board], Page]


@pytest.fixture
def switch_on(people_browser: Browser, tmp_path: Path) -> Iterator[Opens]:
    """Switches a board on for the first time, and opens its page."""
    with ExitStack() as evening:
        yield lambda board: evening.enter_context(switched_on(people_browser, board, tmp_path / "journal.db"))


def glowing(page: Page, spots: Iterable[Spot]) -> list[float]:
    """How strongly each of these lights glows on the page."""
    lit = "Object.fromEntries([...document.querySelectorAll('.peg')].map((p) => [p.dataset.lit, +p.dataset.strength]))"
    strengths = page.evaluate(lit)
    return [strengths.get(str(spot.led), 0) for spot in spots]


def fronts(page: Page, board: Board, sides: Sequence[int]) -> list[int]:
    """The hole of each track that glows most, as a front peg does; 0 where none does."""
    tracks = [[0.5, *glowing(page, board.tracks[side].holes)] for side in sides]
    return [max(range(len(lights)), key=lights.__getitem__) for lights in tracks]


def shows(page: Page, wanted: object, look: Callable[[], object]) -> None:
    """Screen and lights have a wire each: the lights may come a moment later."""
    for _ in range(200):
        if look() == wanted:
            return
        page.wait_for_timeout(50)
    assert look() == wanted


def play_to_the_next_game(people: People, *, language: str = "en") -> None:
    """A whole game; then every side says OK, the lights say who stands where and who won, and the next game begins."""
    people.play(language=language)
    page, board, sides, target = people.page, people.board, people.rules.sides, people.rules.game.target
    for side in sides:
        people.key("ok", side)
    people.act()
    stands = [board.hole_of(score, target) for score in people.score]
    lamps = [board.tracks[side].matches[0] for side in sides]
    shows(page, stands, lambda: fronts(page, board, sides))
    shows(page, [score == target for score in people.score], lambda: [light > 0 for light in glowing(page, lamps)])
    people.key("ok", 0)
    people.act()
    shows(page, False, lambda: max(stands) in fronts(page, board, sides))


#: Five-card; and where sweeps are whole the same cards by six-card in each way, three people, and partners. Other
#: journeys play six-card, and robots play all of these on the same boards (`test_robots_play_every_rule_set.py`).
SEEDS = [
    ("five-card", Way.AUTO, 117),
    *(("six-card", way, 268) for way in Way),
    ("three-player", Way.VERIFY, 287),
    ("partners", Way.TRUST, 77),
]


@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.parametrize(("preset", "way", "seed"), SEEDS if IS_WHOLE else SEEDS[:1])
def test_people_play_a_whole_game(switch_on: Opens, preset: str, way: Way, seed: int) -> None:
    board = TRIPLE if preset == "three-player" else CONTINUOUS
    play_to_the_next_game(People(switch_on(board), board, preset=preset, way=way, seed=seed))


@pytest.mark.long
def test_six_people_scan_and_say_together_that_they_pass(switch_on: Opens) -> None:
    people = People(switch_on(TRIPLE), TRIPLE, preset="six-player", way=Way.AUTO, seed=1095)
    play_to_the_next_game(people)
    assert people.passed, "nobody passed with the others"


def test_partners_play_in_french_and_cannot_take_a_single_point_at_the_end(switch_on: Opens) -> None:
    page = switch_on(CONTINUOUS)
    page.evaluate(TURN_TO, "fr")
    people = People(page, CONTINUOUS, preset="fadoq", way=Way.VERIFY, seed=1046)
    play_to_the_next_game(people, language="fr_CA")
    assert people.forgot, "nobody stood at 116 and made one"


@pytest.mark.long
def test_two_people_choose_a_short_game_with_an_exact_way_out(switch_on: Opens) -> None:
    page, options = switch_on(CONTINUOUS), ("short", "exact-out")
    people = People(page, CONTINUOUS, preset="britannica", options=options, way=Way.VERIFY, seed=94)
    play_to_the_next_game(people)
    assert people.forgot, "nobody made more than was left"
