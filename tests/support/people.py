"""People at the page of a board: they press, scan and hold as a person does, and keep their own score.

They have what a person has: the page, its holes, keys and cards, and the picture that comes back. They must never ask
the program for its state. The cards come from the robots' croupier; which side may call, and whose OK a count waits
for, they know from the rules of the table.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import dropwhile
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, ViewportSize
from tests.support.browser import new_page_now
from tests.support.croupier import AllPass, Counted, Croupier, Go, GoWon, Happening, Laid, Turned
from tests.support.daemon_starts import forked

from cribboard.cards import Card
from cribboard.rules import OPTIONS, RULES, Option, Way
from cribd.boards import Board
from cribd.languages import languages
from cribd.robots.points_to_call import Moves, called_points
from cribd.table.rule_sets import playable, toggled

#: Does one act after the other: presses a button or scans a card, and waits for the answer. The screen has changed, and
#: so has what `/table` shows, of which the page gets a message. Returns what had no answer, if anything. The screen
#: takes 25 ms to be drawn, and a busy browser may see half of it: the other half is no answer to the next act. On a
#: hole, and on a key that answers while it is down, the finger stays down until the answer; else it goes up at once.
#: The same card is taken away before it is scanned again.
_ACT = """async (acts) => {
  const [WHOLE, PATIENCE, TAKEN_AWAY] = [60, 8000, 1200];
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const until = (isSo, ms = PATIENCE) => new Promise((done) => {
    const end = (said) => {
      clearTimeout(late);
      removeEventListener('news', look);
      done(said);
    };
    const look = () => isSo() && end(true);
    const late = setTimeout(() => end(false), ms);
    addEventListener('news', look);
    look();
  });
  const glass = document.querySelector('#oled');
  const picture = () => new Uint32Array(
    glass.getContext('2d').getImageData(0, 0, glass.width, glass.height).data.buffer);
  const same = (one, other) => one.every((dot, at) => dot === other[at]);
  const act = async (selector, short) => {
    await until(() => !document.body.matches('.waiting, .away'));  // the page says so, and nobody presses then
    const target = document.querySelector(selector);
    const { card } = target.dataset;
    if (card in window.scanned) await rest(window.scanned[card] + TAKEN_AWAY - performance.now());
    const [before, told] = [picture(), window.answers];
    const answered = () => until(() => window.answers > told && !same(picture(), before));
    // A hole is smaller than a fingertip on the screen: what is pressed is the element, not a dot near it.
    const finger = (what) => target.dispatchEvent(
      new PointerEvent(what, { pointerId: 7, button: 0, bubbles: true, cancelable: true }));
    if (card) target.click();
    else {
      finger('pointerdown');
      if (!short) await answered();
      finger('pointerup');
    }
    const said = await answered();
    for (let shown = picture(); await until(() => !same(picture(), shown), WHOLE);) shown = picture();
    if (card) window.scanned[card] = performance.now();
    return said;
  };
  for (const [selector, short] of acts) if (!await act(selector, short)) return selector;
  return null;
}"""
#: A small window: it is drawn by the processor, picture by picture.
WINDOW = ViewportSize(width=800, height=600)
#: Keeps what the page was told last of what lies beside the board, the line of the menu among it, and counts what
#: `/table` tells. Of both there is news once the page has shown it.
_TOLD = """
  window.answers = 0;
  window.scanned = {};
  const tell = () => setTimeout(() => window.dispatchEvent(new Event('news')));
  new EventSource('/table/events').addEventListener('message', () => {
    window.answers += 1;
    tell();
  });
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        const { table } = JSON.parse(data);
        if (table) window.told = table;
        tell();
      });
    }
  };
"""
#: The page does not lay out what nobody looks at: a peg that breathes would have it do so thirty times a second, and a
#: tone twice. For all else it is there, as what is pressed is the element, a light says its strength, and the screen
#: has its dots.
_UNSEEN = """
  const unseen = new CSSStyleSheet();
  unseen.replaceSync('body > :not(header), #sound { display: none }');
  document.adoptedStyleSheets = [unseen];
"""


@contextmanager
def switched_on(browser: Browser, board: Board, journal: Path, *more: str) -> Iterator[Page]:
    """The page of a daemon in a process of its own, started with `more` arguments. Other tabs may be opened."""
    options = ("--twin", "--no-browser", "--port", "0", "--board", board.name, "--journal", str(journal), *more)
    with forked("run", *options) as daemon:
        try:
            assert daemon.stdout is not None
            address = re.search(r"http://\S+", daemon.stdout.readline())
            assert address is not None
            visit = browser.new_context(viewport=WINDOW, locale="en-CA", reduced_motion="reduce")
            page = new_page_now(visit)
            problems: list[str] = []
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
            page.add_init_script(_TOLD)
            page.add_init_script(_UNSEEN)
            page.goto(address[0])
            page.wait_for_selector("body:not(.waiting)")
            page.wait_for_function("answers > 0")
            yield page
            visit.close()
        finally:
            daemon.send_signal(signal.SIGTERM)
            assert daemon.wait(10) == 0
    assert problems == []


class People:
    """Everybody at `page`, in front of this `board`. They play the `preset` with these `options`; `seed` shuffles."""

    def __init__(
        self, page: Page, board: Board, *, preset: str, options: tuple[str, ...] = (), way: Way, seed: int
    ) -> None:
        self.page = page
        self.board = board
        self.way = way
        self.options = options
        self.rules = RULES[preset]
        for option in options:
            self.rules = toggled(self.rules, option)
        self.croupier = Croupier(Random(seed), self.rules)
        self.score = [0 for _ in self.rules.sides]
        self.owed: Moves = ()
        self.in_hand: int | None = None
        self.forgot = 0
        self.passed = 0
        self.dealer = 0
        self.acts: list[tuple[str, bool]] = []

    @property
    def won(self) -> bool:
        return max(self.score) == self.rules.game.target

    # One act, and what comes of it

    def do(self, selector: str, *, short: bool = False) -> None:
        """Do it next, and wait until the screen has changed. The finger stays down until then, unless the touch is
        `short`."""
        self.acts.append((selector, short))

    def act(self) -> None:
        """Do all that is to be done by now, each as soon as the one before it was answered."""
        acts, self.acts = self.acts, []
        unanswered = self.page.evaluate(_ACT, acts)
        assert unanswered is None, f"nothing is said to {unanswered}"

    def key(self, name: str, side: int | None = None, *, held: bool = False) -> None:
        button = name if side is None else f"{self.board.tracks[side].name} {name}"
        has_long_press = name in ("go", "menu")  # these two answer when they are let go, or after a second
        self.do(f'#console [data-button="{button}"]', short=has_long_press and not held)

    def scan(self, card: Card) -> None:
        self.do(f'[data-card="{card}"]')

    def press(self, side: int, *, beyond: int = 0) -> None:
        """Press the hole of this side's score, or one further on."""
        target = self.rules.game.target
        hole = self.board.hole_of(min(self.score[side] + beyond, target), target)
        self.do(f'[data-hole="{hole}"][data-track="{side}"]')

    # A game, from the menu to the win

    def play(self, *, language: str = "en") -> None:
        self.choose(language)
        self.key("ok", 0)
        self.dealer = self.cut()
        if three := self.rules.deal_and_play.three_for_last:
            self.score[self.rules.side_of(self.rules.left_of(self.dealer))] = three
        while not self.won:
            self.deal()
            self.act()
            self.dealer = self.rules.left_of(self.dealer)

    def choose(self, language: str) -> None:
        """Choose in the menu: the rules, their options, the way to score, the count judge, the language."""
        self.key("menu")
        presets, ways = [each.title for each in playable(self.board)], tuple(Way)
        self.take(presets.index(self.rules.name))
        for option in OPTIONS.get(self.rules.name, {}):
            self.key("menu")
            self.take(1 if option in self.options else 0)
        self.key("menu")
        self.take((ways.index(self.way) - ways.index(Way.VERIFY)) % len(ways))
        self.key("menu")
        self.key("menu")
        self.take(languages().index(language))
        self.key("menu", held=True)

    def take(self, times: int) -> None:
        for _ in range(times):
            self.key("ok", 0)

    def cut(self) -> int:
        """Cut for deal; the lowest card deals. Without a reader the dealer says it with OK, and partners step to the
        name."""
        rules = self.rules
        if self.way is Way.TRUST:
            dealer = self.croupier.first_dealer()
            side = rules.side_of(dealer)
            self.key("ok", side)
            if len(rules.seats) > len(rules.sides):
                for _ in range(side, dealer):
                    self.key("menu")
                self.key("ok", side)
            return dealer
        while True:
            ranks = []
            for card in self.croupier.shuffled()[: len(rules.seats)]:
                self.scan(card)
                ranks.append(card.rank)
            if ranks.count(min(ranks)) == 1:
                return ranks.index(min(ranks))

    def deal(self) -> None:
        for happening in self.croupier.deal(self.dealer):
            if self.won:
                return
            match self.way:
                case Way.TRUST:
                    self.trust(happening)
                case Way.VERIFY:
                    self.verify(happening)
                case Way.AUTO:
                    self.auto(happening)
        if self.way is Way.TRUST and not self.won:
            self.key("ok", self.rules.side_of(self.dealer))

    # The three ways to score

    def trust(self, happening: Happening) -> None:
        """No card is scanned, and a go is only said."""
        match happening:
            case Turned(seat, _, moves) | Laid(seat, _, moves) | GoWon(seat, moves) | Counted(seat, _, moves):
                if self.see(seat, moves):
                    self.press(self.rules.side_of(seat))
                    self.press(self.rules.side_of(seat))

    def verify(self, happening: Happening) -> None:
        """Cards are scanned, and scores are called."""
        match happening:
            case Turned(dealer, card, heels):
                self.scan(card)
                self.claim(dealer, heels)
            case Laid(seat, card, moves, more):
                self.scan(card)
                self.in_hand = None
                owed, self.owed = self.owed, ()
                self.claim(seat, owed + moves, sure=more)
            case Go(seat):
                self.key("go", self.rules.side_of(seat))
            case AllPass(seat):
                self.say_for_all(seat)
            case GoWon(_, moves, alone=True):
                self.owed = moves
            case GoWon(seat, moves):
                self.claim(seat, moves)
            case Counted(seat, _, moves, crib, shown):
                if self.in_hand is not None:
                    self.let_go(self.in_hand)
                for card in shown:
                    self.scan(card)
                side = self.rules.side_of(seat)
                if self.see(seat, moves):
                    self.press(side)
                else:
                    self.key("ok", side)
                self.key("ok", self.accepts(seat, crib=crib))

    def claim(self, seat: int, moves: Moves, *, sure: bool = False) -> None:
        """Claim these points. The next card lets go of the peg, unless the side scores again before it or has won.

        For points that the rules do not allow there is a press in vain, unless they are `sure`: that press would claim
        other points, which are due.
        """
        side = self.rules.side_of(seat)
        if moves:
            self.let_go(side)
        if self.see(seat, moves):
            self.press(side)
            self.in_hand = side
        elif moves and not sure:
            self.forget(side, sum(map(sum, moves)))
        if self.won:
            self.let_go(side)

    def forget(self, side: int, made: int) -> None:
        """Press for points that these rules do not allow. No peg moves."""
        self.forgot += 1
        self.press(side, beyond=made)
        if self.rules.game.exact_out is Option.ON:
            self.key("ok", side)

    def say_for_all(self, seat: int) -> None:
        """The side that laid last holds GO: nobody can lay a card."""
        self.passed += 1
        self.key("go", self.rules.side_of(seat), held=True)

    def let_go(self, side: int) -> None:
        """Let go of the peg in hand, if it is of this side, by its own OK."""
        if self.in_hand == side:
            self.in_hand = None
            self.key("ok", side)

    def accepts(self, seat: int, *, crib: bool) -> int:
        """The side whose OK accepts a count: the next of the sides that count after it, else the one to the left."""
        rules = self.rules
        claimant, order = rules.side_of(seat), rules.round_from(rules.left_of(self.dealer))
        to_come = () if crib else dropwhile(lambda each: each != seat, order)
        left = (claimant + 1) % len(rules.sides)
        return next((side for side in map(rules.side_of, to_come) if side != claimant), left)

    def auto(self, happening: Happening) -> None:
        """Cards are scanned, and the board pegs; players say OK to a count that they have seen."""
        match happening:
            case Turned(seat, card, moves):
                self.scan(card)
                self.see(seat, moves)
            case Laid(seat, card, moves):
                self.scan(card)
                owed, self.owed = self.owed, ()
                self.see(seat, owed + moves)
            case Go(seat):
                self.key("go", self.rules.side_of(seat))
            case AllPass(seat):
                self.say_for_all(seat)
            case GoWon(_, moves, alone=True):
                self.owed = moves
            case GoWon(seat, moves):
                self.see(seat, moves)
            case Counted(seat, _, moves, crib, shown):
                if crib or not shown or seat != self.rules.left_of(self.dealer):
                    self.key("ok", self.rules.side_of(seat))  # the count before was seen
                for card in shown:
                    self.scan(card)
                self.see(seat, moves)
                if crib and not self.won:
                    self.key("ok", self.accepts(seat, crib=crib))

    def see(self, seat: int, moves: Moves) -> int:
        """These points go to the side of this seat. The board shows the score now, or once it is pegged."""
        side = self.rules.side_of(seat)
        before = self.score[side]
        self.score[side] = min(before + called_points(self.rules, before, moves), self.rules.game.target)
        return self.score[side] - before
