"""Robots at one board: what happens in a deal becomes presses and scans, in each of the three ways.

A robot sits at each seat, and partners press for their side. They look at the picture that the board shows, as people
do, and never into the game. A share of their presses may slip, and a share of their calls may be wrong; the diary says
what they did and what they called.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cribboard.position import Phase
from cribboard.rules import Option, Renege, Rules, Way
from cribboard.view import Asks, View
from cribd.boards import Board
from cribd.inputs import Key
from cribd.robots.at_table import AtTable
from cribd.robots.calls import Moves, worth
from cribd.robots.croupier import AllPass, Counted, Croupier, Go, GoWon, Happening, Laid, PassedTooSoon, Turned
from cribd.robots.fingers import Fingers
from cribd.robots.silent import Silent, with_next
from cribd.table.snapshot import Lobby

#: How often nobody says OK to a count where the next count says it too.
_NO_OK = 0.2

#: How often points that were not called come to mind with the next card.
_REMEMBERS = 0.5

#: How often a seat that could lay says go, where the rules have a penalty for it, as a share of wrong calls.
_FALSE_GO = 0.5

#: A little longer than the board waits before a trusted peg is let go.
_RELEASE_S = 3.05
#: A little longer than the lights celebrate a game.
_FEAST_S = 4.1


class Players(AtTable):
    """Everybody at a table that plays by `rules`. `slips` and `wrong` are shares, 0 to 1."""

    def __init__(
        self, board: Board, fingers: Fingers, chance: Random, *, rules: Rules, slips: float, wrong: float
    ) -> None:
        super().__init__(board, fingers, chance, rules=rules, wrong=wrong)
        self._croupier = Croupier(chance, rules)
        self._silent = Silent(board, fingers, chance, rules=rules, wrong=wrong)
        self._slips = slips
        self._forgotten: tuple[int, int] | None = None  # who called nothing, and for what
        self._go_to_come: Moves = ()
        self._all_passed = self._too_soon = False
        self._standing: list[int] = []
        self.deals = 0

    async def play_game(self) -> View:
        """One game, from the OK that starts it to all OKs to its result. Returns the last view of the play."""
        fingers = self._fingers
        if fingers.snapshot.lobby is Lobby.RESUME:
            await fingers.key(Key.MENU)
        await fingers.key(Key.OK, 0)
        await self._cut()
        self._croupier.hasty = 0 if self._view.way is Way.TRUST else self._slips  # without cards nobody can go on
        false_go = self._rules.claims.renege is Renege.TWO_PER_CARD and self._view.way is Way.VERIFY
        self._croupier.false_gos = _FALSE_GO * self._wrong if false_go else 0
        dealer = self._view.dealer
        assert dealer is not None
        while not self._won:
            self.deals += 1
            await self._deal(dealer)
            dealer = self._rules.left_of(dealer)
        await self._feast()
        last = self._view
        scores = [side.score for side in last.sides]
        fingers.diary({"result": scores, "winner": last.winner, "skunked": last.skunked})
        for side in self._rules.sides:
            await fingers.key(Key.OK, side)
        return last

    async def _feast(self) -> None:
        """Until the lights have celebrated; whatever the board has to say meanwhile makes them begin again."""
        seen = None
        while seen is not self._fingers.snapshot:
            seen = self._fingers.snapshot
            await self._fingers.pass_time(_FEAST_S)
        await self._fingers.wait(0)

    async def _cut(self) -> None:
        """Cut for the deal, if nobody deals yet. Whoever ties cuts from the whole pack again."""
        if self._view.phase is Phase.CUT and self._view.way is Way.TRUST:
            await self._name(self._croupier.first_dealer())
        while self._view.phase is Phase.CUT:
            for card in self._croupier.shuffled():
                await self._fingers.scan(card)
                if self._view.phase is not Phase.CUT or self._view.ask.what is Asks.CUT_AGAIN:
                    break

    async def _name(self, dealer: int) -> None:
        """The dealer's own OK. Where his side has more seats it brings up their names, and MENU steps through them."""
        side = self._rules.side_of(dealer)
        await self._fingers.key(Key.OK, side)
        while (named := self._fingers.snapshot.naming) is not None:
            if named == dealer:
                await self._fingers.key(Key.OK, side)
            else:
                await self._fingers.key(Key.MENU)

    async def _deal(self, dealer: int) -> None:
        self._fingers.diary({"deal": dealer})
        self._go_to_come = ()
        self._all_passed = self._too_soon = False
        self._silent.begin_deal()
        for happening, following in self._happenings(dealer):
            if self._won:
                return
            await self._fingers.think(1.5)
            if self._slips and self._chance.random() < self._slips:
                await self._slip(happening)
            match self._view.way:
                case Way.TRUST:
                    await self._trusting(happening)
                case Way.VERIFY if self._view.silent:
                    await self._silent.see(happening, following)
                    self._croupier.lies_dead = self._silent.lies_dead
                case Way.VERIFY:
                    await self._verifying(happening)
                case Way.AUTO:
                    await self._watching(happening)
        if self._view.way is Way.TRUST and not self._won:
            await self._wait_for_release()
            if not self._won:
                await self._fingers.key(Key.OK, self._rules.side_of(dealer))

    def _happenings(self, dealer: int) -> Iterator[tuple[Happening, Happening | None]]:
        """What happens in a deal, and where the board is silent, what will next."""
        happenings = self._croupier.deal(dealer)
        if self._view.way is Way.VERIFY and self._view.silent:
            return with_next(happenings)
        return ((happening, None) for happening in happenings)

    # In trust nobody scans: whatever scores is pegged, and a go is only said.

    async def _trusting(self, happening: Happening) -> None:
        match happening:
            case Turned(moves=moves) | Laid(moves=moves) | GoWon(moves=moves) | Counted(moves=moves):
                await self._peg(happening, moves)
            case Go(seat):
                self._say_go(seat)
            case AllPass(passing=passing):
                for seat in passing:
                    self._say_go(seat)

    def _say_go(self, seat: int) -> None:
        self._fingers.diary({"say": "go", "side": self._rules.side_of(seat), "seat": seat})

    async def _peg(self, happening: Happening, moves: Moves) -> None:
        side = self._side_of(happening)
        called = self._call(self._due(side, moves), happening)
        self._note_call(called, happening)
        if not called:
            return
        claim = self._view.claim
        if claim is not None and (claim.side == side or self._waits_at_game_hole()):
            await self._wait_for_release()
        if not self._won:
            await self._press_ahead(side, called)

    def _waits_at_game_hole(self) -> bool:
        """A peg in hand at the game hole goes back if anybody else presses before it is let go (3.24)."""
        return any(pegs.in_hand == self._view.target for pegs in self._view.sides)

    async def _wait_for_release(self) -> None:
        """A trusted peg is let go by itself; a side that scores twice, or ends the deal, gives it the time."""
        if self._view.claim is not None:
            await self._fingers.wait(_RELEASE_S)

    # With cards read, the call is compared.

    async def _verifying(self, happening: Happening) -> None:
        match happening:
            case Turned(_, card, moves):
                await self._fingers.scan(card)
                await self._claim(happening, moves)
            case Laid(_, card, moves):
                await self._fingers.scan(card)
                await self._remember_late()
                owed, self._go_to_come = self._go_to_come, ()
                if not self._won:
                    await self._claim(happening, owed + moves, sure=happening.more)
            case Go() | AllPass() | PassedTooSoon():
                await self._go(happening)
            case GoWon(moves=moves, alone=True):
                self._go_to_come = moves
            case GoWon(moves=moves):
                await self._claim(happening, moves, sure=happening.more or not moves)
            case Counted():
                await self._count(happening)

    async def _go(self, happening: Go | AllPass | PassedTooSoon) -> None:
        """The seat to play says go; or who laid last holds the key, and all pass."""
        held = not isinstance(happening, Go)
        self._all_passed = self._all_passed or held
        await self._fingers.key(Key.GO, self._side_of(happening), held=held)

    async def _claim(self, happening: Happening, moves: Moves, *, sure: bool = False) -> None:
        """Call, and press. Where a wrong press could be meant for something else that is counted at once, or there is
        nothing to be wrong about, robots are `sure` and call right."""
        side = self._side_of(happening)
        due = self._due(side, moves)
        called = due if sure else self._call(due, happening)
        self._note_call(called, happening)
        if called:
            await self._let_go(side)
            if not self._won:
                await self._press_ahead(side, called)
                await self._give_way(side)
        if self._view.ask.what is Asks.LATE:  # more than the card makes: it is for what was forgotten before (3.25)
            await self._fingers.key(Key.OK, self._others(side)[0])
        elif called > due or 0 < called < due or self._waits_at_game_hole():
            await self._let_go(side)  # at once, so that it is no call for what falls due meanwhile
        if not called and due:
            self._forgotten = side, due

    async def _remember_late(self) -> None:
        """Points that were not called come to mind when the next card lies: the other side gives them, or the rules
        refuse them (7.5). Nobody asks for points of a count that has ended."""
        forgotten, self._forgotten = self._forgotten, None
        if forgotten is None or self._won or len(self._view.laid) < 2:
            return
        if self._chance.random() < _REMEMBERS:
            side, due = forgotten
            await self._press_ahead(side, due)
            if self._view.sides[side].in_hand is not None:
                await self._fingers.key(Key.OK, self._others(side)[0])

    async def _count(self, counted: Counted) -> None:
        side = self._side_of(counted)
        for card in counted.shown:
            await self._fingers.scan(card)
        due = self._due(side, counted.moves)
        called = self._call(due, counted)
        self._note_call(called, counted)
        await self._let_go(side)
        if not called:
            await self._accept_first(side)  # a press would do both
        if self._won:
            return
        if called:
            await self._press_ahead(side, called)
            await self._give_way(side)
        else:
            await self._fingers.key(Key.OK, side)
        wins = self._waits_at_game_hole()  # that needs an answer of its own
        if called > due or wins or not self._next_count_answers(counted):
            await self._answer(side, too_much=called > due)

    def _next_count_answers(self, counted: Counted) -> bool:
        """Now and then nobody says OK, for the next count says it too (7.2): that of another side, with a hand that the
        reader has seen."""
        if self._rules.claims.verify_ack is Option.ON or self._rules.deal_and_play.single_series is Option.ON:
            return False
        last = counted.crib or counted.seat == self._view.dealer
        return not last and self._chance.random() < _NO_OK

    async def _accept_first(self, side: int) -> None:
        """The OK of this side lets go of what another has in hand, and accepts it if it is a count."""
        if not self._won and any(self._view.sides[other].in_hand is not None for other in self._others(side)):
            await self._fingers.key(Key.OK, side)

    async def _answer(self, claimant: int, *, too_much: bool) -> None:
        """Another side doubts a count, or accepts it, unless the press for it let go of a last card that won."""
        if self._won:
            return
        await self._fingers.think(1.0)
        others = self._others(claimant)
        if too_much:
            await self._fingers.key(Key.CHALLENGE, self._chance.choice(others))
        elif len(others) == 1:
            await self._fingers.key(Key.OK, others[0])
        else:
            await self._let_go(claimant)
            await self._accept_as_asked(others)

    async def _accept_as_asked(self, others: list[int]) -> None:
        """Of several sides the screen asks one. Now and then another thinks that it was meant."""
        if self._won:
            return
        asked = self._view.ask.side
        assert asked is not None
        if self._slips and self._chance.random() < self._slips:
            self._fingers.slipping = True
            await self._fingers.key(Key.OK, next(side for side in others if side != asked))
            self._fingers.slipping = False
        await self._fingers.key(Key.OK, asked)

    # On auto the board calls; the players only say that they have seen it.

    async def _watching(self, happening: Happening) -> None:
        self._look_at_pegs(happening)
        match happening:
            case Turned(_, card):
                await self._fingers.scan(card)
                self._say(happening, happening.moves)
            case Laid(_, card, moves):
                await self._fingers.scan(card)
                owed, self._go_to_come = self._go_to_come, ()
                self._say(happening, owed + moves)
            case Go() | AllPass() | PassedTooSoon():
                await self._go(happening)
            case GoWon(moves=moves, alone=True):
                self._go_to_come = moves
            case GoWon(moves=moves):
                self._say(happening, moves)
            case Counted():
                await self._see_count(happening)

    async def _see_count(self, counted: Counted) -> None:
        """Any OK goes on; what the reader has not seen it is shown. The board counts as soon as it has seen all."""
        side = self._side_of(counted)
        hand_is_known = not counted.shown
        if counted.crib or hand_is_known:
            self._say(counted, counted.moves)
        if self._view.ask.what is Asks.NEXT_COUNT:
            await self._fingers.key(Key.OK, side)
        for card in counted.shown:
            await self._fingers.scan(card)
        if not counted.crib and not hand_is_known:
            self._say(counted, counted.moves)
        if counted.crib and not self._won:
            await self._fingers.key(Key.OK, self._others(side)[0])

    def _look_at_pegs(self, happening: Happening) -> None:
        """Before the board pegs: where a call starts from. A go is won with what came before it, and one that was
        pegged too soon comes back."""
        too_soon, self._too_soon = self._too_soon, isinstance(happening, PassedTooSoon)
        if not isinstance(happening, GoWon) and not too_soon:
            self._standing = [side.score for side in self._view.sides]

    def _say(self, happening: Happening, moves: Moves) -> None:
        """The call of a side that the board was faster than."""
        side = self._side_of(happening)
        called = worth(self._rules, self._standing[side], moves)
        self._standing[side] = min(self._standing[side] + called, self._rules.game.target)
        self._note_call(called, happening)

    # Slips

    async def _slip(self, happening: Happening) -> None:
        """A slip that the board must refuse, or rule upon, without anything changing."""
        side = self._side_of(happening)
        score = self._view.sides[side].score
        # After all have passed, the GO of a side may say that it goes on after all: no slip, but a move.
        nobody_passed = not self._all_passed and not isinstance(happening, AllPass | PassedTooSoon)
        self._fingers.slipping = True
        match self._chance.randrange(5):
            case 0:
                await self._fingers.scan("XX")
            case 1 if nobody_passed:
                await self._fingers.key(Key.GO, self._others(side)[0])
            case 2 if score > 1 and self._view.claim is None:
                await self._fingers.press(side, self._board.hole_of(score - 1, self._view.target))
            case 3 if score < 50:
                await self._fingers.press(side, 55, 57)
            case 4 if self._view.claim is None and not self._view.silent:
                await self._fingers.key(Key.CHALLENGE, side)
            case _:
                await self._fingers.scan("10")
        self._fingers.slipping = False
