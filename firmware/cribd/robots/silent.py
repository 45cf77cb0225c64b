"""What robots press where the board says nothing of a call before it is closed.

A caller releases its peg at once, because one claim is for all open points of its side. A watcher counts along, and
accepts, doubts or calls muggins (rules reference, 4 and 7.1 to 7.4). Robots know the cards on the table, not the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from cribboard.cards import Card
from cribboard.position import Phase
from cribboard.rules import Option, Rules
from cribd.boards import Board
from cribd.inputs import Key
from cribd.robots.at_table import AtTable
from cribd.robots.calls import Moves
from cribd.robots.croupier import (
    AllPass,
    Counted,
    FalseGoSeen,
    Go,
    GoWon,
    Happening,
    Laid,
    PassedTooSoon,
    Turned,
)
from cribd.robots.fingers import Fingers
from cribd.robots.watchers import Answer, Response, Watcher

#: How often a robot counts out of turn, calls an impossible count, says 19 for zero, or calls muggins too late; and how
#: often it remembers forgotten points at the next card.
_OUT_OF_TURN = 0.03
_IMPOSSIBLE = 0.02
_SAYS_19 = 0.25
_TOO_LATE = 0.03
_REMEMBERS = 0.25
#: How often a robot that has not called the last card does so when another side lifts a peg for its hand.
_REMEMBERS_FIRST = 0.5
#: How often nobody accepts a count with OK where the next count accepts it too.
_NO_OK = 0.2


def with_next(happenings: Iterable[Happening]) -> Iterator[tuple[Happening, Happening | None]]:
    """Each happening with the next one; None after a false go that is seen, whose outcome is open."""
    coming = iter(happenings)
    happening = next(coming, None)
    while happening is not None:
        if isinstance(happening, FalseGoSeen):
            yield happening, None
            happening = next(coming, None)
        else:
            following = next(coming, None)
            yield happening, following
            happening = following


class Silent(AtTable):
    """All robots at a silent table, deal by deal."""

    def __init__(self, board: Board, fingers: Fingers, chance: Random, *, rules: Rules, wrong: float) -> None:
        super().__init__(board, fingers, chance, rules=rules, wrong=wrong)
        self._muggins = rules.claims.muggins is Option.ON
        self._watcher = Watcher(chance, self._muggins)
        self._open: dict[int, Moves] = {}  # what a side may still call
        self._heels: tuple[int, Moves] | None = None  # not called, until the dealer's own card
        self._later: tuple[int, Answer] | None = None  # muggins that waits for the next card
        self._go_to_come: Moves = ()
        self._with_card = False  # the go was called with its card
        self._next_count_answers = False
        self.lies_dead = False  # what was said of the last false go
        self._needs_ok = rules.claims.verify_ack is Option.ON

    def begin_deal(self) -> None:
        """Forgets what could still be called in the deal before."""
        self._open, self._heels, self._later = {}, None, None
        self._go_to_come, self._with_card, self._next_count_answers = (), False, False

    async def see(self, happening: Happening, following: Happening | None) -> None:
        """Press and scan for this happening. `following` is the next one."""
        match happening:
            case Turned(_, card, moves):
                await self._fingers.scan(card)
                if moves:
                    await self._claim(happening, moves)
                    if self._open.pop(self._side_of(happening), ()):
                        self._heels = self._side_of(happening), moves
            case Laid():
                await self._lay(happening, following)
            case Go() | AllPass() | PassedTooSoon():
                await self._fingers.key(Key.GO, self._side_of(happening), held=not isinstance(happening, Go))
            case FalseGoSeen(_, card, may_die):
                await self._see_false_go(self._side_of(happening), card, may_die=may_die)
            case GoWon(moves=moves, alone=True):
                self._go_to_come = moves
            case GoWon(moves=moves):
                if not self._with_card:
                    await self._claim(happening, moves, last=isinstance(following, Counted))
                self._with_card = False
            case Counted():
                await self._count(happening, following)

    # The play

    async def _lay(self, laid: Laid, following: Happening | None) -> None:
        await self._fingers.scan(laid.card)
        await self._after_the_next_card(self._side_of(laid))
        moves, self._go_to_come = self._go_to_come + laid.moves, ()
        if isinstance(following, GoWon) and not following.alone:
            moves, self._with_card = moves + following.moves, True
        over = isinstance(following, Counted) or (self._with_card and isinstance(following, GoWon) and following.more)
        if not self._won:
            await self._claim(laid, moves, last=over)

    async def _after_the_next_card(self, layer: int) -> None:
        """After the next card uncalled points are forgotten, and another side may challenge them."""
        forgotten, self._open = self._open, {}
        if self._heels is not None and self._heels[0] == layer:
            side, moves = self._heels
            self._heels = None
            forgotten[side] = moves
        await self._remember({side: moves for side, moves in forgotten.items() if side != layer})
        later, self._later = self._later, None
        if later is not None and not self._won:
            await self._challenge(*later)
        for side, moves in forgotten.items():
            answer = self._watcher.forgotten(self._due(side, moves))
            if answer.response is Response.MISSED and not self._won:
                await self._challenge(self._chance.choice(self._others(side)), answer)

    async def _see_false_go(self, side: int, card: Card, *, may_die: bool) -> None:
        """Another side says whether play goes back, or the card lies dead."""
        await self._fingers.scan(card)
        self.lies_dead = may_die and self._chance.random() < 0.5
        if not self._won:
            await self._fingers.key(Key.CHALLENGE if self.lies_dead else Key.OK, self._others(side)[0])
        if not self.lies_dead:
            self._open, self._later, self._go_to_come, self._with_card = {}, None, (), False

    async def _remember(self, forgotten: Mapping[int, Moves]) -> None:
        """Now and then claim forgotten points too late."""
        for side, moves in forgotten.items():
            due = self._due(side, moves)
            if due and self._view.phase is Phase.PLAY and self._chance.random() < _REMEMBERS:
                self._fingers.slipping = True
                await self._press_ahead(side, due)
                self._fingers.slipping = False

    async def _claim(self, happening: Happening, moves: Moves, *, last: bool = False) -> None:
        """Call the open points, and press. `last`: the next press of this side would be for its hand, so that it says
        "no points" with OK."""
        side = self._side_of(happening)
        moves = self._open.pop(side, ()) + moves
        due = self._due(side, moves)
        called = self._call(due, happening)
        if last and side == self._counts_first:
            called = min(called, due)  # more than the play is worth would be for the hand (3.25)
        self._note_call(called, happening)
        if called:
            await self._press_ahead(side, called)
            await self._give_way(side)
        elif due and last and self._view.prompt.side == side:  # its next press would be for the hand
            await self._fingers.key(Key.OK, side)
        ruled_too_late = called and not self._won  # a call above the card is for what was forgotten before (3.25)
        if self._view.sides[side].in_hand is None and (ruled_too_late or not called):
            self._open[side] = moves
            return
        await self._answered(side, called, due, wait=not last, accept=last and side == self._counts_first)

    # The show

    async def _count(self, counted: Counted, following: Happening | None) -> None:
        side = self._side_of(counted)
        forgotten, self._open, self._later = self._open, {}, None
        for card in counted.shown:
            await self._fingers.scan(card)
        if await self._count_amiss(side):
            forgotten = {}
        if self._won:  # a wrong call of muggins may give the game away
            return
        due = self._due(side, counted.moves)
        called = self._call(due, counted)
        self._note_call(called, counted)
        answers, self._next_count_answers = self._next_count_answers, False
        if not called and answers and self._view.claim is not None:
            await self._fingers.key(Key.OK, side)  # a press of a hole would do both
        if called:
            await self._press_ahead(side, called)
            if await self._last_card_comes_first(forgotten, side) and not self._won:
                await self._press_ahead(side, called)
            await self._give_way(side)
        elif self._chance.random() < _SAYS_19 and self._view.target - self._view.sides[side].score > 19:
            await self._press_ahead(side, 19)
        else:
            await self._fingers.key(Key.OK, side)
        hand_follows = isinstance(following, Counted) and not following.shown and not following.crib
        self._next_count_answers = hand_follows and not self._needs_ok and self._chance.random() < _NO_OK
        await self._answered(side, called, due, accept=not self._next_count_answers)

    async def _last_card_comes_first(self, forgotten: Mapping[int, Moves], side: int) -> bool:
        """Now and then another side calls the last card now: the peg that was lifted for a hand goes back (3.24).
        Returns whether that happened."""
        for other, moves in forgotten.items():
            due = self._due(other, moves)
            if other != side and due and self._chance.random() < _REMEMBERS_FIRST:
                await self._press_ahead(other, due)
                await self._answered(other, due, due, accept=True)
                return True
        return False

    async def _count_amiss(self, side: int) -> bool:
        """Now and then count out of turn, call an impossible count, or call muggins too late. Returns whether it was
        the other side."""
        other, view, did = self._others(side)[0], self._view, False
        if self._next_count_answers:
            return False
        if self._muggins and self._chance.random() < _TOO_LATE:
            await self._challenge(other, Answer(Response.MISSED, 2))
            if self._won:
                return True
            did = True
        room = max(each.score for each in view.sides) + 30 < view.target
        self._fingers.slipping = True
        if room and self._chance.random() < _OUT_OF_TURN:
            await self._press_ahead(other, 4)
            did = True
        if room and self._chance.random() < _IMPOSSIBLE:
            await self._press_ahead(side, self._chance.choice((25, 26, 27)))
        self._fingers.slipping = False
        return did

    # The other side

    async def _answered(self, side: int, called: int, due: int, *, wait: bool = False, accept: bool = False) -> None:
        """Release the peg, and let another side answer. `wait`: muggins may also be called after the next card.
        `accept`: a call that stands is accepted with OK, as a claim of the game always is.
        """
        if self._won:
            return
        left = self._view.target - self._view.sides[side].score
        called, worth = min(called, left), min(due, left)
        await self._release(side)
        await self._fingers.think(1.0)
        other = self._chance.choice(self._others(side))
        answer = self._watcher.answer(called, worth, in_play=wait and called < left)
        if answer.later:
            self._later = other, answer
        elif answer.response is Response.STANDS:
            if accept or called == left:
                await self._accept(side)
        elif await self._challenge(other, answer) and (accept or called == left):
            await self._accept(side)

    async def _challenge(self, side: int, answer: Answer) -> bool:
        """Challenge, and say what was missed where muggins is played. Returns whether the challenge was withdrawn."""
        await self._fingers.key(Key.CHALLENGE, side)
        if answer.withdrawn:
            await self._fingers.key(Key.CHALLENGE, side)
        elif answer.response is Response.MISSED:
            await self._press_ahead(side, answer.points)
            await self._release(side, anybody=True)
        elif self._muggins:
            await self._fingers.key(Key.OK, side)
        return answer.withdrawn

    @property
    def _counts_first(self) -> int:
        """The side whose hand is counted first: that count does not accept its own last card."""
        dealer = self._view.dealer
        assert dealer is not None
        return self._rules.side_of(self._rules.left_of(dealer))

    async def _release(self, side: int, *, anybody: bool = False) -> None:
        """Release the peg with the same hole again, with OK, or with the OK of another side."""
        hand, at = self._view.sides[side].in_hand, self._view.sides[side].score
        if hand is not None and hand - at not in (0, 19) and self._chance.random() < 0.5:
            await self._fingers.press(side, self._board.hole_of(hand, self._view.target))
        else:
            by = self._chance.choice([side, *self._others(side)]) if anybody else side
            await self._fingers.key(Key.OK, by)

    async def _accept(self, claimant: int) -> None:
        others = self._others(claimant)
        asked = self._view.prompt.side
        await self._fingers.key(Key.OK, asked if asked in others else others[0])
