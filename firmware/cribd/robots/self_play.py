"""Robots that play whole games at one board.

A robot sits at each seat, and partners press for their side. A share of their presses may slip, and a share of their
calls may be wrong; the diary says what they did and what they called.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from cribboard import actions
from cribboard.actions import Action
from cribboard.cards import PACK, Card
from cribboard.deal.press_kind import counts_next
from cribboard.event_terms import Doubt, Occasion
from cribboard.game import Game
from cribboard.position import Phase, Position, put
from cribboard.rules import Rules, Way
from cribboard.strategy import RobotLevel
from cribboard.view import PromptKind, View
from cribd.inputs import Key
from cribd.robots.deal import GO, Deal, first_dealer
from cribd.robots.fingers import Fingers
from cribd.robots.mistakes_and_habits import Habits
from cribd.robots.next_action import BesideBoard, Robots, next_count
from cribd.robots.spoken_calls import COUNTED, CRIB, LAID, TURNED, RobotCall, calls_for, calls_on_auto
from cribd.robots.trusted_play import TrustedPlay
from cribd.table.snapshot import Lobby
from cribd.table.table import Table

#: How often a peg on trust is left to time, and how often another peg is released by its own hole.
_LEAVES_TO_TIME = 0.5
_SAME_HOLE = 0.3
#: A little longer than the board waits before it releases a trusted peg.
_RELEASE_S = 3.05
#: A little longer than the winner's wave.
_WAVE_S = 4.1
#: Seconds that a person takes for a card or a count.
_THINKS_S = 1.5

#: Actions for which a player takes a moment, and during which a finger may slip.
_MOVES = (actions.TurnStarter, actions.LayCard, actions.SayGo, actions.AllPass, actions.OpenCount, BesideBoard)


class SelfPlay:
    """The robots of a table without people.

    `slips` and `wrong` are shares, 0 to 1. `level`: how well they choose their cards; None for by rote. `seed` makes
    cards and choices."""

    def __init__(
        self,
        table: Table,
        fingers: Fingers,
        seed: int,
        *,
        rules: Rules,
        slips: float = 0.0,
        wrong: float = 0.0,
        level: RobotLevel | None = None,
    ) -> None:
        self._table = table
        self._fingers = fingers
        self._rules = rules
        self._slips = slips
        self._packs = Random(seed)
        self._rng = Random(f"fingers {seed}")
        self._habits = Habits(self._rng, wrong=wrong, hasty=slips)
        self._robots = Robots(rules, dict.fromkeys(rules.seats, level), str(seed), self._habits)
        self._deals: dict[int, Deal] = {}  # of this game, by number
        self.deals = 0

    @property
    def _game(self) -> Game:
        latest = self._table.latest
        assert latest is not None
        return latest.game

    @property
    def _view(self) -> View:
        view = self._fingers.snapshot.view
        assert view is not None
        return view

    async def play_game(self) -> View:
        """Play one game, and return the last view of the play."""
        fingers = self._fingers
        if fingers.snapshot.lobby is Lobby.RESUME:
            await fingers.key(Key.MENU)
        await fingers.key(Key.OK, 0)
        await self._cut()
        self._deals.clear()
        while self._game.position.phase is not Phase.WON:
            await self._act(self._game.position)
        seen = None
        while seen is not fingers.snapshot:  # until the winner's wave is over, and no new snapshot came meanwhile
            seen = fingers.snapshot
            await fingers.pass_time(_WAVE_S)
        await fingers.wait(0)
        last = self._view
        scores = [side.score for side in last.sides]
        fingers.diary({"result": scores, "winner": last.winner, "skunked": last.skunked})
        for side in self._rules.sides:
            await fingers.key(Key.OK, side)
        return last

    # Cards

    def _shuffled(self) -> list[Card]:
        return self._packs.sample(PACK, len(PACK))

    async def _cut(self) -> None:
        """Cut for the first deal, if that is not done yet."""
        if self._view.phase is Phase.CUT and self._view.way is Way.TRUST:
            dealer = first_dealer(self._rules, iter(self._shuffled, []))
            await self._fingers.name_dealer(dealer, self._rules, lambda: self._fingers.snapshot.naming)
        while self._view.phase is Phase.CUT:
            for card in self._shuffled():
                await self._fingers.scan(card)
                if self._view.phase is not Phase.CUT or self._view.prompt.kind is PromptKind.CUT_AGAIN:
                    break

    def _deal(self, p: Position) -> Deal:
        """Deal the cards if necessary, and return the deal."""
        if p.deal not in self._deals:
            self.deals += 1
            self._fingers.diary({"deal": p.dealer})
            self._habits.begin_deal()
            self._deals[p.deal] = self._robots.deal_with_discards(Deal.at(p, self._shuffled()), p, self.deals)
            if p.way is Way.TRUST:
                play = TrustedPlay(self._rules, self._deals[p.deal])
                self._call_on_trust(p, calls_on_auto(play.position, play.log))
        return self._deals[p.deal]

    # One act after the other

    async def _act(self, p: Position) -> None:
        wanted = self._robots.next_action(p, self._game.log, self._deal(p))
        assert wanted is not None, f"no robot has anything to do: {p}"
        counts = p.phase is Phase.SHOW and isinstance(wanted, actions.TakePegInHand | actions.TakeZero)
        if counts or isinstance(wanted, _MOVES):
            await self._fingers.think(_THINKS_S)
            if self._slips and self._rng.random() < self._slips:
                await self._slip(p, wanted)
        match wanted:
            case BesideBoard(act):
                self._act_beside_board(p, act)
            case actions.ReleasePeg(side):
                await self._release(p, side)
            case _:
                await self._do(p, wanted)

    async def _do(self, p: Position, wanted: Action) -> None:
        match wanted:
            case actions.TakePegInHand(side, points) if (
                p.way is Way.VERIFY and p.open_challenge is None and p.unclaimed(side)
            ):
                self._note(calls_for(p, side, points))
            case actions.TakePegInHand(side, points) if counts_next(p, side):
                seat = next_count(p)
                self._note([RobotCall(seat, COUNTED, self._deal(p).kept(seat), points)])
            case actions.TakeZero(side):
                self._note(calls_for(p, side, 0))
        before = len(self._game.log)
        await self._fingers.do(wanted, p)
        after = self._game.position
        if p.way is Way.AUTO:
            self._note(calls_on_auto(after, self._game.log[before:]))
        elif after.phase is not Phase.WON:
            self._note_nothing(after, wanted)

    def _note_nothing(self, p: Position, done: Action) -> None:
        """Note in the robots' diary that the side calls no points.

        Only after a laid card or a turned starter; `done` is that act."""
        match done:
            case actions.LayCard(seat, card) if card in p.hands[seat]:
                call = RobotCall(seat, LAID, (card,))
            case actions.TurnStarter(card) if p.dealer is not None:
                call = RobotCall(p.dealer, TURNED, (card,))
            case _:
                return
        if self._robots.call_of(p, self._rules.side_of(call.seat)) is None:
            self._note([call])

    async def _release(self, p: Position, side: int) -> None:
        """Release a peg in one of the possible ways."""
        claim, fingers = p.claim, self._fingers
        if p.way is Way.TRUST and self._rng.random() < _LEAVES_TO_TIME:
            await fingers.wait(_RELEASE_S)
        elif not fingers.has_buttons:
            await fingers.do(actions.ReleasePeg(side), p)
        elif claim and claim.points and claim.doubt is Doubt.NONE and self._rng.random() < _SAME_HOLE:
            await fingers.do(actions.TakePegInHand(side, claim.points), p)
        else:
            await fingers.do(actions.ReleasePeg(side), p)

    # What is said

    def _note(self, calls: Iterable[RobotCall]) -> None:
        for call in calls:
            self._fingers.diary(call.entry(self._rules))

    def _act_beside_board(self, p: Position, act: str) -> None:
        deal = self._deals[p.deal]
        self._deals[p.deal] = deal.with_act(act)
        before, after = TrustedPlay(self._rules, deal), TrustedPlay(self._rules, deal.with_act(act))
        if act == GO and (seat := before.position.turn) is not None:
            self._fingers.diary({"say": "go", "side": self._rules.side_of(seat), "seat": seat})
        calls = calls_on_auto(after.position, after.log[len(before.log) :])
        if after.counting not in (None, before.counting):
            count = after.counts()[-1]
            what = CRIB if count.occasion is Occasion.CRIB else COUNTED
            calls.append(RobotCall(count.seat, what, count.cards, count.points))
        self._call_on_trust(p, calls)

    def _call_on_trust(self, p: Position, calls: Iterable[RobotCall]) -> None:
        """Call the points that were made, or sometimes a wrong number.

        The pegs then go on from the called points."""
        for right in calls:
            side, deal = self._rules.side_of(right.seat), self._deals[p.deal]
            points = self._habits.wrong_call(p, side, right.points, counts=True)
            assert points is not None
            self._note([replace(right, points=points)])
            fronts = put(deal.fronts, side, deal.fronts[side] + points - right.points)
            self._deals[p.deal] = replace(deal, fronts=fronts)

    # Slips

    async def _slip(self, p: Position, wanted: Action | BesideBoard) -> None:
        """Press or scan something wrong that does not change the game."""
        fingers, board = self._fingers, self._fingers.twin.board
        seat = p.turn if p.turn is not None else p.dealer
        assert seat is not None
        side = self._rules.side_of(seat)
        front, sides = p.pegs[side].front, len(self._rules.sides)
        # After all have passed, the GO of a side may say that it goes on after all: no slip, but a move.
        go_is_slip = not p.declared_for and not isinstance(wanted, actions.AllPass)
        fingers.slipping = True
        match self._rng.randrange(5):
            case 0:
                await fingers.scan("XX")
            case 1 if go_is_slip:
                await fingers.key(Key.GO, (side + 1) % sides)
            case 2 if front > 1 and p.claim is None and fingers.has_buttons:
                await fingers.press(side, board.hole_of(front - 1, p.rules.game.target))
            case 3 if front < 50 and fingers.has_buttons:
                await fingers.press(side, 55, 57)
            case 4 if p.claim is None and not p.silent:
                await fingers.key(Key.CHALLENGE, side)
            case _:
                await fingers.scan("10")
        fingers.slipping = False
