"""A table in a browser at which people call their own scores, and some calls are wrong.

People scan, press and challenge as the script of a game says. The bookkeeper sees the same cards and presses, imports
nothing of the product, and says after every call where the pegs must stand. A second tab at `/table` shows in words
what the board's screen shows in dots. Pictures are taken if `CRIBBOARD_PICTURES` names a folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.bookkeeper.bookkeeper import Bookkeeper
from tests.bookkeeper.verdicts_by_the_rules import games_of
from tests.support.browser import new_page_now
from tests.support.people import People

from cribboard.cards import Card
from cribboard.rules import Way
from cribd.boards import Board
from cribd.table.snapshot import Line

_PATIENCE_MS = 10_000
#: No menu has so many lines.
_LINES = 40
#: A picture comes piece by piece.
_DRAWN_MS = 200
_SCREEN = "() => document.querySelector('#oled').toDataURL()"
_PICTURES = os.environ.get("CRIBBOARD_PICTURES")

BLUE, RED = 0, 1


class Refereed(People):
    """Players whose calls are challenged. `rules` is the label of the rules, as the bookkeeper reads it."""

    def __init__(
        self, page: Page, board: Board, *, rules: str, preset: str = "six-card", options: tuple[str, ...] = ()
    ) -> None:
        super().__init__(page, board, preset=preset, options=options, way=Way.VERIFY, seed=0)
        self.keeper = Bookkeeper()
        self.keeper.read({"way": "verify", "board": board.name, "wrong": True, "rules": rules})
        self.taken = 0
        self.heard = new_page_now(page.context)
        self.heard.goto(page.url.replace("/twin", "/table"))
        page.bring_to_front()

    def do(self, selector: str, *, short: bool = False) -> None:
        """Do it at once: the next act may depend on what the board says."""
        super().do(selector, short=short)
        self.act()

    # What they do, and the bookkeeper sees

    def ok(self, side: int) -> None:
        self.key("ok", side)
        self.keeper.read({"key": "ok", "side": side})

    def challenge(self, side: int) -> None:
        self.key("challenge", side)
        self.keeper.read({"key": "challenge", "side": side})

    def go(self, side: int) -> None:
        self.key("go", side)
        self.keeper.read({"key": "go", "side": side})

    def scans(self, cards: str) -> None:
        for card in cards.split():
            self.scan(Card.parse(card))
            self.keeper.read({"scan": card})

    def scan_aside(self, card: str) -> None:
        """Scan a card that does not belong to the game; the bookkeeper does not see it."""
        self.scan(Card.parse(card))

    def hole(self, side: int, points: int) -> None:
        """The hole this many points ahead of the side's front peg, or the game hole."""
        to = min(self.keeper.pegs[side].front + points, self.keeper.rules.target)
        number = self.board.hole_of(to, self.keeper.rules.target)
        self.do(f'[data-hole="{number}"][data-track="{side}"]')
        self.keeper.read({"press": side, "holes": [number]})

    def calls(self, side: int, points: int) -> None:
        """Press the hole and the side's own OK, which lets go of the peg."""
        self.hole(side, points)
        self.ok(side)

    def calls_muggins(self, side: int, points: int) -> None:
        self.challenge(side)
        self.hole(side, points)
        self.ok(side)

    def pull(self, part: str) -> None:
        """Unplug a part, or plug it in again, and wait until the screen says so."""
        before = self.page.evaluate(_SCREEN)
        for what in ("#plugs", f'[data-plug="{part}"]', "#plugs"):
            self.page.locator(what).click()
        self.page.wait_for_function(f"(before) => ({_SCREEN})() !== before", arg=before, timeout=_PATIENCE_MS)
        self.page.wait_for_timeout(_DRAWN_MS)

    def menu_to(self, line: Line) -> None:
        """Press MENU until this line is shown."""
        for _ in range(_LINES):
            self.key("menu")
            if self.page.evaluate("told.menu") == line:
                return
        raise AssertionError(f"the menu has no line {line}")

    # What they see

    def stand(self, blue: int, red: int) -> None:
        """The script, the bookkeeper and the lights must agree on these scores, once the winner's lights have run."""
        assert [pegs.front for pegs in self.keeper.pegs] == [blue, red]
        lit = """() => [0, 1].map((side) => {
          const lights = Object.fromEntries(
            [...document.querySelectorAll('.peg')].map((peg) => [peg.dataset.lit, +peg.dataset.strength]));
          const holes = [...document.querySelectorAll(`[data-track="${side}"][data-hole]`)];
          const glow = (hole) => lights[hole.dataset.led] ?? 0;
          const front = holes.reduce((best, hole) => (glow(hole) > glow(best) ? hole : best));
          return glow(front) > 0.5 ? +front.dataset.hole : 0;
        })"""
        for _ in range(200):
            if (seen := self.page.evaluate(lit)) == [blue, red]:
                return
            self.page.wait_for_timeout(50)
        assert seen == [blue, red]

    def read(self, *texts: str) -> None:
        """The board must show these words."""
        for text in texts:
            expect(self.heard.locator("#now")).to_contain_text(text, timeout=_PATIENCE_MS)

    def picture(self, name: str) -> None:
        self.taken += 1
        if _PICTURES:
            number = f"{self.taken:02}-{name}"
            Path(_PICTURES).mkdir(parents=True, exist_ok=True)
            self.page.evaluate("document.adoptedStyleSheets = []")  # the board is there to be seen
            self.page.locator("#oled").screenshot(path=Path(_PICTURES) / f"{number}.png")
            self.page.screenshot(path=Path(_PICTURES) / f"page-{number}.png")

    def verdicts(self, journal: Path) -> list[str]:
        """The verdicts of the game, which must be the same in the board's record and for the bookkeeper."""
        self.keeper.compare_verdicts(games_of(journal))
        assert self.keeper.differences == []
        return [f"{verdict.what} {verdict.word}" for verdict in self.keeper.verdicts[-1]]
