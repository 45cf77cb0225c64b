"""Robots at one board: they turn what happens in a deal into presses and scans, in each of the three ways.

A robot sits at each seat, and partners press for their side. A share of their presses may slip, and a share of their
calls may be wrong; the diary says what they did and what they called.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cribboard.position import Phase
from cribboard.rules import Option, Renege, Rules, Way
from cribboard.strategy import Strength
from cribboard.view import PromptKind, View
from cribd.boards import Board
from cribd.inputs import Key
from cribd.robots.at_table import AtTable
from cribd.robots.calls import Moves, called_points
from cribd.robots.croupier import AllPass, Counted, Croupier, Go, GoWon, Happening, Laid, PassedTooSoon, Turned
from cribd.robots.fingers import Fingers
from cribd.robots.silent import Silent, with_next
from cribd.table.snapshot import Lobby

#: How often nobody accepts a count with OK where the next count accepts it too.
_NO_OK = 0.2

#: How often a robot remembers forgotten points at the next card.
_REMEMBERS = 0.5

#: How often a seat that could lay says go, where the rules have a penalty for it, as a share of wrong calls.
_FALSE_GO = 0.5

#: A little longer than the board waits before it releases a trusted peg.
_RELEASE_S = 3.05
#: A little longer than the winner's wave.
_WAVE_S = 4.1


class Players(AtTable):
    """All robots at a table that plays by `rules`. `slips` and `wrong` are shares, 0 to 1. `level`: how well they
    choose their cards; None for by rote."""

    def __init__(
        self,
        board: Board,
        fingers: Fingers,
        chance: Random,
        *,
        rules: Rules,
        slips: float,
        wrong: float,
        level: Strength | None = None,
    ) -> None:
        super().__init__(board, fingers, chance, rules=rules, wrong=wrong)
        self._croupier = Croupier(chance, rules, level=level)
        self._silent = Silent(board, fingers, chance, rules=rules, wrong=wrong)
        self._slips = slips
        self._forgotten: tuple[int, int] | None = None  # who called nothing, and for what
        self._go_to_come: Moves = ()
        self._all_passed = self._too_soon = False
        self._standing: list[int] = []
        self.deals = 0

    async def play_game(self) -> View:
        """Play one game, from the OK that starts it to all OKs to its result. Returns the last view of the play."""
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
        await self._watch_wave()
        last = self._view
        scores = [side.score for side in last.sides]
        fingers.diary({"result": scores, "winner": last.winner, "skunked": last.skunked})
        for side in self._rules.sides:
            await fingers.key(Key.OK, side)
        return last

    async def _watch_wave(self) -> None:
        """Wait until the winner's wave is over and no new snapshot came meanwhile."""
        seen = None
        while seen is not self._fingers.snapshot:
            seen = self._fingers.snapshot
            await self._fingers.pass_time(_WAVE_S)
        await self._fingers.wait(0)

    async def _cut(self) -> None:
        """Cut for the deal, if nobody deals yet. Seats that tie cut from the whole pack again."""
        if self._view.phase is Phase.CUT and self._view.way is Way.TRUST:
            await self._name(self._croupier.first_dealer())
        while self._view.phase is Phase.CUT:
            for card in self._croupier.shuffled():
                await self._fingers.scan(card)
                if self._view.phase is not Phase.CUT or self._view.prompt.kind is PromptKind.CUT_AGAIN:
                    break

    async def _name(self, dealer: int) -> None:
        """Name the dealer with its own OK. Where its side has more seats, that shows their names, and MENU steps on."""
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
        """What happens in a deal; on a silent board with the next happening."""
        happenings = self._croupier.deal(dealer, [side.score for side in self._view.sides])
        if self._view.way is Way.VERIFY and self._view.silent:
            return with_next(happenings)
        return ((happening, None) for happening in happenings)

    # Trust: nobody scans; points are pegged, and a go is only said.

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
        """Whether a peg is in hand at the game hole: it goes back if another side presses before its release (3.24)."""
        return any(pegs.in_hand == self._view.target for pegs in self._view.sides)

    async def _wait_for_release(self) -> None:
        """Wait until a trusted peg is released by time: before a second score of its side, and at the end of the
        deal."""
        if self._view.claim is not None:
            await self._fingers.wait(_RELEASE_S)

    # Verify: cards are read, and the call is compared.

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
        """The seat to play says go; or the last player holds the key, and all pass."""
        held = not isinstance(happening, Go)
        self._all_passed = self._all_passed or held
        await self._fingers.key(Key.GO, self._side_of(happening), held=held)

    async def _claim(self, happening: Happening, moves: Moves, *, sure: bool = False) -> None:
        """Call, and press. Robots that are `sure` call right: a wrong press could be for another count that follows at
        once."""
        side = self._side_of(happening)
        due = self._due(side, moves)
        called = due if sure else self._call(due, happening)
        self._note_call(called, happening)
        if called:
            await self._let_go(side)
            if not self._won:
                await self._press_ahead(side, called)
                await self._give_way(side)
        if (
            self._view.prompt.kind is PromptKind.LATE
        ):  # more than the card makes: the rest is for forgotten points (3.25)
            await self._fingers.key(Key.OK, self._others(side)[0])
        elif called > due or 0 < called < due or self._waits_at_game_hole():
            await self._let_go(side)  # at once, so that it is no call for later points
        if not called and due:
            self._forgotten = side, due

    async def _remember_late(self) -> None:
        """Claim forgotten points after the next card: the other side grants them, or the rules refuse them (7.5).
        No points of a count that has ended are claimed."""
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
        """Whether the next count accepts this one (7.2), so that nobody says OK: one of another side, with a hand that
        the reader has read."""
        if self._rules.claims.verify_ack is Option.ON or self._rules.deal_and_play.single_series is Option.ON:
            return False
        last = counted.crib or counted.seat == self._view.dealer
        return not last and self._chance.random() < _NO_OK

    async def _accept_first(self, side: int) -> None:
        """Release the peg of another side with the OK of this one, which also accepts a count."""
        if not self._won and any(self._view.sides[other].in_hand is not None for other in self._others(side)):
            await self._fingers.key(Key.OK, side)

    async def _answer(self, claimant: int, *, too_much: bool) -> None:
        """Another side doubts a count or accepts it, unless the game is won already."""
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
        """Accept as the side that the screen asks. Now and then another side slips and answers first."""
        if self._won:
            return
        asked = self._view.prompt.side
        assert asked is not None
        if self._slips and self._chance.random() < self._slips:
            self._fingers.slipping = True
            await self._fingers.key(Key.OK, next(side for side in others if side != asked))
            self._fingers.slipping = False
        await self._fingers.key(Key.OK, asked)

    # Auto: the board calls, and the players only confirm.

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
        """Confirm with OK and scan the cards that the reader has not read: the board counts once it has all."""
        side = self._side_of(counted)
        hand_is_known = not counted.shown
        if counted.crib or hand_is_known:
            self._say(counted, counted.moves)
        if self._view.prompt.kind is PromptKind.NEXT_COUNT:
            await self._fingers.key(Key.OK, side)
        for card in counted.shown:
            await self._fingers.scan(card)
        if not counted.crib and not hand_is_known:
            self._say(counted, counted.moves)
        if counted.crib and not self._won:
            await self._fingers.key(Key.OK, self._others(side)[0])

    def _look_at_pegs(self, happening: Happening) -> None:
        """Note the scores before the board pegs: a call starts from them. A go belongs to the card before it, and one
        that was pegged too soon is taken back."""
        too_soon, self._too_soon = self._too_soon, isinstance(happening, PassedTooSoon)
        if not isinstance(happening, GoWon) and not too_soon:
            self._standing = [side.score for side in self._view.sides]

    def _say(self, happening: Happening, moves: Moves) -> None:
        """Write the call of a side into the diary; the board was faster."""
        side = self._side_of(happening)
        called = called_points(self._rules, self._standing[side], moves)
        self._standing[side] = min(self._standing[side] + called, self._rules.game.target)
        self._note_call(called, happening)

    # Slips

    async def _slip(self, happening: Happening) -> None:
        """A slip that the board must refuse or rule on, without a change of the game."""
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
