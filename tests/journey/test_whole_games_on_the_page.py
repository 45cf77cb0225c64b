"""Two people at one page: a whole game in each way, by clicks in a real browser on the real program.

`cribboard run --twin` is a process of its own. All this test has is what a person has: the page, its holes, keys and
cards, and the picture that comes back. The players keep their own score, and at the end the board must agree.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from cribboard import RULES
from cribboard.cards import Card
from cribd.boards import load
from cribd.robots.calls import Moves, worth
from cribd.robots.croupier import Counted, Croupier, Go, GoWon, Happening, Laid, Turned

pytestmark = [pytest.mark.slow, pytest.mark.browser]

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
RULES_PLAYED = RULES["six-card"]
TARGET = RULES_PLAYED.game.target
BLUE, RED = "blue", "red"
SIDES = (BLUE, RED)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of a board that was just switched on for the first time."""
    command = [sys.executable, "-m", "cribd", "run", "--twin", "--no-browser", "--port", "0"]
    daemon = subprocess.Popen([*command, "--journal", str(tmp_path / "journal.db")], stdout=subprocess.PIPE, text=True)
    assert daemon.stdout is not None
    address = re.search(r"http://\S+", daemon.stdout.readline())
    assert address is not None
    opened = browser.new_page(viewport={"width": 1440, "height": 900}, locale="en-CA")
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    opened.goto(address[0])
    opened.wait_for_selector("body:not(.waiting)")
    yield opened
    opened.close()
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(10) == 0
    assert problems == []


class People:
    """Blue and red at the page. They look at the screen after everything they do, and go on when it has changed."""

    def __init__(self, page: Page, way: str, seed: int) -> None:
        self.page = page
        self.way = way
        self.score = [0, 0]
        self.owed: Moves = ()
        self.croupier = Croupier(Random(seed), RULES_PLAYED)

    @property
    def won(self) -> bool:
        return max(self.score) >= TARGET

    def screen(self) -> str:
        return str(self.page.evaluate("document.querySelector('#oled').toDataURL()"))

    def do(self, selector: str, *, held: bool = False) -> None:
        before = self.screen()
        target = self.page.locator(selector).first
        if "data-card" in selector:
            target.dispatch_event("click")
        else:
            # A hole is smaller than a fingertip on the screen: what is pressed is the element, not a dot near it.
            target.dispatch_event("pointerdown", {"pointerId": 7, "button": 0, "bubbles": True})
            self.page.wait_for_timeout(1200 if held else 40)
            target.dispatch_event("pointerup", {"pointerId": 7, "button": 0, "bubbles": True})
        changed = "(before) => document.querySelector('#oled').toDataURL() !== before"
        self.page.wait_for_function(changed, arg=before, timeout=10_000)
        self.wait_until_written()

    def wait_until_written(self) -> None:
        """A picture needs 25 ms on its wire, and a browser may see it half written."""
        shown = self.screen()
        while True:
            self.page.wait_for_timeout(60)
            before, shown = shown, self.screen()
            if before == shown:
                return

    def key(self, name: str, side: int | None = None, *, held: bool = False) -> None:
        button = name if side is None else f"{SIDES[side]} {name}"
        self.do(f'#console [data-button="{button}"]', held=held)

    def scan(self, card: Card) -> None:
        self.do(f'[data-card="{card}"]')

    def peg(self, side: int, moves: Moves) -> None:
        """Take the peg in hand at the hole so far ahead."""
        self.see(side, moves)
        self.do(self.hole(side))

    def hole(self, side: int) -> str:
        return f'[data-hole="{self.score[side]}"][data-track="{side}"]'

    def play(self) -> None:
        self.choose_way()
        self.key("ok", 0)
        dealer = self.cut()
        while not self.won:
            if self.way != "trust":
                self.page.locator(".shuffle").dispatch_event("click")
            for happening in self.croupier.deal(dealer):
                if not self.won:
                    getattr(self, self.way)(happening)
            if self.way == "trust" and not self.won:
                self.key("ok", dealer)
            dealer = 1 - dealer

    def choose_way(self) -> None:
        """The menu's second line, after the rules, changes the way: verify, auto, trust."""
        steps = ("verify", "auto", "trust").index(self.way)
        if steps:
            for _ in range(2):
                self.key("menu")
            for _ in range(steps):
                self.key("ok", 0)
            self.key("menu", held=True)

    def cut(self) -> int:
        if self.way == "trust":
            dealer = self.croupier.first_dealer()
            self.key("ok", dealer)
            return dealer
        while True:
            cuts = self.croupier.shuffled()[:2]
            for card in cuts:
                self.scan(card)
            if cuts[0].rank is not cuts[1].rank:
                return 0 if cuts[0].rank < cuts[1].rank else 1

    def trust(self, happening: Happening) -> None:
        match happening:
            case Turned(side, _, moves) | Laid(side, _, moves) | GoWon(side, moves) | Counted(side, _, moves):
                if moves:
                    self.peg(side, moves)
                    self.do(self.hole(side))

    def verify(self, happening: Happening) -> None:
        match happening:
            case Turned(dealer, card, heels):
                self.scan(card)
                self.claim(dealer, heels)
            case Laid(seat, card, moves):
                self.scan(card)
                owed, self.owed = self.owed, ()
                self.claim(seat, owed + moves)
            case Go(seat):
                self.key("go", seat)
            case GoWon(_, moves, alone=True):
                self.owed = moves
            case GoWon(seat, moves):
                self.claim(seat, moves)
            case Counted(seat, _, moves, _, shown):
                for card in shown:
                    self.scan(card)
                if moves:
                    self.peg(seat, moves)
                else:
                    self.key("ok", seat)
                self.key("ok", 1 - seat)

    def claim(self, side: int, moves: Moves) -> None:
        if moves:
            self.peg(side, moves)
            self.key("ok", side)

    def auto(self, happening: Happening) -> None:
        match happening:
            case Turned(dealer, card, heels):
                self.scan(card)
                self.see(dealer, heels)
            case Laid(seat, card, moves):
                self.scan(card)
                owed, self.owed = self.owed, ()
                self.see(seat, owed + moves)
            case Go(seat):
                self.key("go", seat)
            case GoWon(_, moves, alone=True):
                self.owed = moves
            case GoWon(seat, moves):
                self.see(seat, moves)
            case Counted(seat, _, moves, crib, shown):
                self.key("ok", seat)
                for card in shown:
                    self.scan(card)
                self.see(seat, moves)
                if crib and not self.won:
                    self.key("ok", 1 - seat)

    def see(self, side: int, moves: Moves) -> None:
        """So the score is now; on auto the board has pegged by itself."""
        points = worth(RULES_PLAYED, self.score[side], moves)
        self.score[side] = min(self.score[side] + points, TARGET)


def pegs(page: Page, side: int) -> dict[int, float]:
    """What glows on a track of the page, by hole: how strongly."""
    track = load("continuous").tracks[side]
    strengths = (
        "[...document.querySelectorAll('.peg[data-lit]')].map((peg) => [peg.dataset.lit, +peg.dataset.strength])"
    )
    glowing = dict(page.evaluate(strengths))
    return {
        number: glowing[str(spot.led)] for number, spot in enumerate(track.holes, start=1) if str(spot.led) in glowing
    }


@pytest.mark.parametrize(("way", "seed"), [("trust", 3), ("verify", 4), ("auto", 5)])
def test_two_people_play_a_whole_game_on_the_page(page: Page, way: str, seed: int, tmp_path: Path) -> None:
    people = People(page, way, seed)
    people.play()
    winner = people.score.index(TARGET)
    page.screenshot(path=tmp_path / "won.png")
    page.wait_for_timeout(6000)  # the board celebrates
    lights = [pegs(page, side) for side in (0, 1)]
    assert max(lights[winner], key=lights[winner].__getitem__) == TARGET
    assert max(lights[1 - winner], key=lights[1 - winner].__getitem__) == people.score[1 - winner]
    for side in (0, 1):
        people.key("ok", side)
    people.key("ok", 0)
    assert not pegs(page, winner) or TARGET not in [h for h, light in pegs(page, winner).items() if light > 0.5]
