"""Two players, Maude and Réjean, who play on auto at a daemon with its scoreboard open, and keep their own score.

They scan and press, and wait until the scoreboard's text changes after each action. They know what every page must show
from their own cards and from the robots' croupier, who knows the rules and has no board.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Page
from tests.support.croupier import AllPass, Counted, Croupier, Go, GoWon, Laid, Turned
from tests.support.daemon_process import Daemon

from cribboard.cards import Card
from cribboard.play import LIMIT, count
from cribboard.rules import RULES
from cribd.robots.points_to_call import Moves, called_points

SIX_CARD = RULES["six-card"]
TARGET = SIX_CARD.game.target
NAMES = "Maude", "Réjean"
SIDES = "blue", "red"
TAKEN_AWAY_S = 1.2  # a card that lies before the reader longer is not read again
SAID = "() => document.querySelector('#all main').textContent"
FRENCH_RANKS = ["as", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "valet", "dame", "roi"]
FRENCH_SUITS = {"C": "trèfle", "D": "carreau", "H": "cœur", "S": "pique"}


def named(card: Card) -> str:
    """The card as a French page says it."""
    written = str(card)
    return f"{FRENCH_RANKS['A23456789TJQK'.index(written[0])].capitalize()} de {FRENCH_SUITS[written[1]]}"


@dataclass
class Players:
    """Maude and Réjean, and the score that they keep themselves. `game` yields before each action."""

    croupier: Croupier
    board: Daemon
    scoreboard: Page
    scores: list[int] = field(default_factory=lambda: [0, 0])
    backs: list[int] = field(default_factory=lambda: [0, 0])
    stack: list[Card] = field(default_factory=list)
    over: bool = False  # the count; its cards lie there until the next begins
    to_lay: int = 0
    owed: Moves = ()
    read: dict[Card, float] = field(default_factory=dict)

    @property
    def won(self) -> bool:
        return max(self.scores) == TARGET

    def expected(self) -> dict[str, Any]:
        """The texts that every page must show now."""
        return {
            "scores": list(self.scores),
            "front": list(self.scores),
            "back": list(self.backs),
            "count": str(count(self.stack)) if self.to_lay else "",
            "laid": [named(card) for card in self.stack] if self.to_lay else [],
        }

    async def game(self) -> AsyncIterator[None]:
        """Play a whole game. It yields before each action, once the pages show all of the one before."""
        await self.press("blue ok")
        dealer = None
        while dealer is None:
            blue, red, *_ = self.croupier.shuffled()
            for card in (blue, red):
                yield
                await self.scan(card)
            dealer = None if blue.rank is red.rank else int(red.rank < blue.rank)
        while not self.won:
            async for _ in self.deal(dealer):
                yield
            dealer = 1 - dealer
        yield

    async def deal(self, dealer: int) -> AsyncIterator[None]:
        for happening in self.croupier.deal(dealer):
            match happening:
                case Turned(seat, card, moves):
                    yield
                    await self.scan(card)
                    self.stack.clear()
                    self.to_lay = len(SIX_CARD.seats) * SIX_CARD.deal_and_play.hand_size
                    self.see(seat, moves)
                case Laid(seat, card, moves):
                    yield
                    await self.scan(card)
                    owed, self.owed = self.owed, ()
                    self.lay(card)
                    self.see(seat, owed + moves)
                case Go(seat):
                    yield
                    await self.press(f"{SIDES[seat]} go")
                case GoWon(_, moves, alone=True):
                    self.owed, self.over = moves, True
                case GoWon(seat, moves):
                    self.over = True
                    self.see(seat, moves)
                case Counted(seat, _, moves, crib, shown):
                    yield
                    await self.press(f"{SIDES[seat]} ok")  # what was counted before is seen
                    for card in shown:
                        yield
                        await self.scan(card)
                    self.see(seat, moves)
                    if crib and not self.won:
                        yield
                        await self.press(f"{SIDES[1 - seat]} ok")
                case AllPass():
                    raise AssertionError("two people say it one after the other")
            if self.won:
                return

    def lay(self, card: Card) -> None:
        if self.over:
            self.stack.clear()
        self.stack.append(card)
        self.over = count(self.stack) == LIMIT
        self.to_lay -= 1

    def see(self, seat: int, moves: Moves) -> None:
        """Peg these points, as far as they count: the front peg becomes the back peg."""
        before = self.scores[seat]
        if made := called_points(SIX_CARD, before, moves):
            self.scores[seat] = min(before + made, TARGET)
            self.backs[seat] = before

    async def press(self, button: str) -> None:
        await self.act(self.board.press(button))

    async def scan(self, card: Card) -> None:
        """Scan a card. The same card is taken away for a moment before it is scanned again."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.read.get(card, 0) + TAKEN_AWAY_S - loop.time())
        await self.act(self.board.scan(str(card)))
        self.read[card] = loop.time()

    async def act(self, act: Coroutine[Any, Any, None]) -> None:
        """Do it, and wait until the scoreboard shows another text."""
        before = await self.scoreboard.evaluate(SAID)
        await act
        await self.scoreboard.wait_for_function(f"(before) => ({SAID})() !== before", arg=before)
