"""Two robots at one board: what happens in a deal becomes presses and scans, in each of the three ways.

They look at the picture that the board shows, as people do, and never into the game. A share of their presses may
slip, and a share of their calls may be wrong; the diary says what they did and what they called.
"""

from __future__ import annotations

from random import Random

from cribboard.position import Phase
from cribboard.rules import Way
from cribboard.view import Asks, View
from cribd.boards import Board
from cribd.facts import Key
from cribd.robots.croupier import Counted, Croupier, Go, GoWon, Happening, Laid, Turned
from cribd.robots.fingers import Fingers
from cribd.showing import Lobby

#: What no hand counts; a robot that calls wrong does not call these, for the board asks back or refuses.
_NO_COUNT = frozenset({19, 25, 26, 27})


#: A little longer than the board waits before a trusted peg is let go.
_RELEASE_S = 3.05
#: A little longer than the lights celebrate a game.
_FEAST_S = 4.1


class Players:
    """Blue and red, sides 0 and 1. `slips` and `wrong` are shares, 0 to 1."""

    def __init__(self, board: Board, fingers: Fingers, chance: Random, *, slips: float, wrong: float) -> None:
        self._board = board
        self._fingers = fingers
        self._chance = chance
        self._croupier = Croupier(chance)
        self._slips = slips
        self._wrong = wrong
        self._go_to_come = 0
        self.deals = 0

    @property
    def _view(self) -> View:
        view = self._fingers.showing.view
        assert view is not None
        return view

    @property
    def _won(self) -> bool:
        return self._view.phase is Phase.WON

    async def play_game(self) -> View:
        """One game, from the OK that starts it to both OKs to its result. Returns the last view of the play."""
        fingers = self._fingers
        if fingers.showing.lobby is Lobby.RESUME:
            await fingers.key(Key.MENU)
        await fingers.key(Key.OK, 0)
        while self._view.phase is Phase.CUT:
            await self._cut()
        dealer = self._view.dealer
        assert dealer is not None
        while not self._won:
            self.deals += 1
            await self._deal(dealer)
            dealer = 1 - dealer
        await fingers.wait(_FEAST_S)
        last = self._view
        scores = [side.score for side in last.sides]
        fingers.diary({"result": scores, "winner": last.winner, "skunked": last.skunked})
        for side in (0, 1):
            await fingers.key(Key.OK, side)
        return last

    async def _cut(self) -> None:
        cuts = self._croupier.cut()
        if self._view.way is Way.TRUST:
            if cuts[0].rank is not cuts[1].rank:
                await self._fingers.key(Key.OK, 0 if cuts[0].rank < cuts[1].rank else 1)
            return
        for cut in cuts:
            await self._fingers.scan(cut)

    async def _deal(self, dealer: int) -> None:
        self._fingers.diary({"deal": dealer})
        self._go_to_come = 0
        for happening in self._croupier.deal(dealer):
            if self._won:
                return
            await self._fingers.think(1.5)
            if self._slips and self._chance.random() < self._slips:
                await self._slip(happening)
            match self._view.way:
                case Way.TRUST:
                    await self._trusting(happening)
                case Way.VERIFY:
                    await self._verifying(happening)
                case Way.AUTO:
                    await self._watching(happening)
        if self._view.way is Way.TRUST and not self._won:
            await self._wait_for_release()
            if not self._won:
                await self._fingers.key(Key.OK, dealer)

    # In trust nobody scans: whatever scores is pegged.

    async def _trusting(self, happening: Happening) -> None:
        match happening:
            case Turned(dealer, _, heels):
                await self._peg(dealer, heels, happening)
            case Laid(seat, points=points) | GoWon(seat, points) | Counted(seat, points=points):
                await self._peg(seat, points, happening)
            case Go(seat):
                self._fingers.diary({"say": "go", "side": seat})

    async def _peg(self, side: int, points: int, happening: Happening) -> None:
        called = self._call(points, side)
        self._note_call(side, called, happening)
        if not called:
            return
        claim = self._view.claim
        if claim is not None and claim.side == side:
            await self._wait_for_release()
        if not self._won:
            await self._press_ahead(side, called)

    async def _wait_for_release(self) -> None:
        """A trusted peg is let go by itself; a side that scores twice, or ends the deal, gives it the time."""
        if self._view.claim is not None:
            await self._fingers.wait(_RELEASE_S)

    # With cards read, the call is compared.

    async def _verifying(self, happening: Happening) -> None:
        match happening:
            case Turned(dealer, card, heels):
                await self._fingers.scan(card)
                await self._claim(dealer, heels, happening)
            case Laid(seat, card, points):
                await self._fingers.scan(card)
                owed, self._go_to_come = self._go_to_come, 0
                if not self._won:
                    await self._claim(seat, points + owed, happening)
            case Go(seat):
                await self._fingers.key(Key.GO, seat)
            case GoWon(_, points, alone=True):
                self._go_to_come = points
            case GoWon(seat, points):
                await self._say_last_go(seat)
                await self._claim(seat, points, happening)
            case Counted(seat, _, points) as counted:
                await self._count(seat, points, counted)

    async def _say_last_go(self, seat: int) -> None:
        """The last to lay says go too, where the board still waits for him."""
        ask = self._view.ask
        if ask.what is Asks.LAY_AFTER_GO and ask.side == seat:
            await self._fingers.key(Key.GO, seat)

    async def _claim(self, side: int, points: int, happening: Happening) -> None:
        # Where a wrong press could be meant for this card or for what else is counted at once, robots call right.
        sure = isinstance(happening, Laid) and happening.more
        called = points if sure else self._call(points, side)
        self._note_call(side, called, happening)
        if called:
            await self._let_go(side)
            if not self._won:
                await self._press_ahead(side, called)
        if called > points or 0 < called < points:
            await self._let_go(side)  # at once, so that it is no call for what falls due meanwhile

    async def _let_go(self, side: int, *, by: int | None = None) -> None:
        """The peg of a side is let go before the next score: by the side's own OK, or by that of side `by`."""
        if self._view.sides[side].in_hand is not None:
            await self._fingers.key(Key.OK, side if by is None else by)

    async def _count(self, seat: int, points: int, counted: Counted) -> None:
        if counted.crib:
            for card in counted.cards:
                await self._fingers.scan(card)
        called = self._call(points, seat)
        self._note_call(seat, called, counted)
        await self._let_go(seat)
        if not called:
            await self._let_go(1 - seat, by=seat)  # a press would do both
        if self._won:
            return
        if called:
            await self._press_ahead(seat, called)
        else:
            await self._fingers.key(Key.OK, seat)
        await self._answer(1 - seat, Key.CHALLENGE if called > points else Key.OK)

    async def _answer(self, side: int, key: Key) -> None:
        """The other side accepts a count or doubts it, unless the press for it let go of a last card that won."""
        if not self._won:
            await self._fingers.think(1.0)
            await self._fingers.key(key, side)

    # On auto the board calls; the players only say that they have seen it.

    async def _watching(self, happening: Happening) -> None:
        match happening:
            case Turned(seat, card, points) | Laid(seat, card, points):
                await self._fingers.scan(card)
                self._note_call(seat, points, happening)
            case Go(seat):
                await self._fingers.key(Key.GO, seat)
            case GoWon(seat, points, alone):
                if not alone:
                    await self._say_last_go(seat)
                self._note_call(seat, points, happening)
            case Counted(seat, cards, points, crib):
                self._note_call(seat, points, happening)
                await self._fingers.key(Key.OK, seat)
                if crib:
                    for card in cards:
                        await self._fingers.scan(card)
                    if not self._won:
                        await self._fingers.key(Key.OK, 1 - seat)

    # Fingers, right and wrong

    async def _press_ahead(self, side: int, points: int) -> None:
        view = self._view
        to = min(view.sides[side].score + points, view.target)
        await self._fingers.press(side, self._board.hole_of(to, view.target))

    def _call(self, points: int, side: int) -> int:
        """What a robot calls for this many points: now and then a few too many or too few."""
        if not self._wrong or self._view.way is Way.AUTO or self._chance.random() >= self._wrong:
            return points
        left = self._view.target - self._view.sides[side].score
        called = points + self._chance.choice((-2, -1, 1, 2, 3))
        return called if 0 <= called < left and called not in _NO_COUNT and called <= 29 else points

    async def _slip(self, happening: Happening) -> None:
        """A slip that the board must refuse, or rule upon, without anything changing."""
        before = self._view.sides
        side = happening.dealer if isinstance(happening, Turned) else happening.seat
        self._fingers.slipping = True
        match self._chance.randrange(5):
            case 0:
                await self._fingers.scan("XX")
            case 1:
                await self._fingers.key(Key.GO, 1 - side)
            case 2 if before[side].score > 1 and self._view.claim is None:
                await self._fingers.press(side, self._board.hole_of(before[side].score - 1, self._view.target))
            case 3 if before[side].score < 50:
                await self._fingers.press(side, 55, 57)
            case 4 if self._view.claim is None:
                await self._fingers.key(Key.CHALLENGE, side)
            case _:
                await self._fingers.scan("10")
        self._fingers.slipping = False

    def _note_call(self, side: int, called: int, happening: Happening) -> None:
        """What was called, and for which cards; what was due is for whoever reads the diary to say."""
        crib = isinstance(happening, Counted) and happening.crib
        entry = {"call": side, "points": called, "for": "crib" if crib else type(happening).__name__.lower()}
        match happening:
            case Laid(card=card) | Turned(card=card):
                entry["card"] = str(card)
            case Counted(cards=cards):
                entry["cards"] = " ".join(map(str, cards))
        self._fingers.diary(entry)
