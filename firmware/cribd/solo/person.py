"""Plays the person's cards and calls the person's points.

The person makes all other presses on the board, as in any game."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from cribboard import actions
from cribboard.actions import IllegalAction, LayCard
from cribboard.cards import Card
from cribboard.deal import rule_of_116
from cribboard.deal.impossible_points import doubt_about
from cribboard.deal.laying_cards import may_lay
from cribboard.deal.press_kind import PressKind, has_peg_in_hand, is_counting, press_at
from cribboard.deal.show import waits_for_crib
from cribboard.event_terms import Doubt, Timing
from cribboard.position import Phase, Position
from cribboard.rules import Way
from cribd.clock import Clock
from cribd.inputs import Key
from cribd.robots.deal import COUNTED
from cribd.robots.next_action import unseen
from cribd.robots.press_and_scan import Presser
from cribd.solo.session import PERSON, NotNow, Session
from cribd.table.snapshot import Playing

#: How long the board may take to answer a card, and how often the person looks, in seconds.
_ANSWERS_S = 1.5
_LOOKS_S = 0.05
#: How long his card waits for points of a robot, in seconds.
_ROBOTS_CALL_S = 2.0


class Person:
    """The person at the table of `session`.

    Each method raises `NotNow` if it is not allowed now. It may also raise `JournalAway`."""

    def __init__(self, session: Session, presser: Presser, clock: Clock) -> None:
        self._session = session
        self._presser = presser
        self._clock = clock

    async def _scan(self, card: Card) -> None:
        """Scan a card, and wait until the board accepts it."""
        if not isinstance(self._session.snapshot.mode, Playing):
            raise NotNow("not_playing_now")
        await self._wait_for_board(self._presser.scan(card), "not_taken")

    async def _wait_for_board(self, doing: Awaitable[None], otherwise: str) -> None:
        """Await `doing`, then the board's acceptance. Raises `NotNow(otherwise)`."""
        number, waited = self._session.position.number, 0.0
        await doing
        while self._session.position.number == number:
            if waited > _ANSWERS_S:
                raise NotNow(otherwise)
            await self._clock.sleep(_LOOKS_S)
            waited += _LOOKS_S

    async def cut(self) -> None:
        """Cut for the deal, or cut the starter."""
        session, p, deal = self._session, self._session.position, self._session.deal
        if p.phase is Phase.CUT and p.way is not Way.TRUST and p.to_cut == PERSON:
            await self._scan(session.next_cut())
        elif deal is not None and deal.cutter(p) == PERSON:
            await self._scan(deal.starter)
        else:
            raise NotNow("nothing_to_cut")

    async def discard(self, cards: Sequence[Card]) -> None:
        """Discard these cards to the crib."""
        deal = self._session.dealt()
        if deal.discarded[PERSON] is not None:
            raise NotNow("discarded")
        hand = deal.hands[PERSON]
        wanted = len(hand) - self._session.position.rules.deal_and_play.hand_size
        if strange := [card for card in cards if card not in hand]:
            raise NotNow("not_in_hand", card=strange[0])
        if len(set(cards)) != wanted or len(cards) != wanted:
            raise NotNow("how_many", count=len(cards), wanted=wanted)
        await self._session.keep_deal(deal, deal.with_discard(PERSON, cards))

    async def lay(self, card: Card) -> None:
        """Lay a card, or show it at the count.

        A card against the rules stays in the hand: no reader sees it, and no screen names it."""
        session, play = self._session, self._session.trusted_play
        deal = session.dealt()
        at = session.position if play is None else play.position
        if card not in unseen(at, deal.kept(PERSON)):
            raise NotNow("not_in_hand", card=card)
        if at.phase is Phase.SHOW and at.to_show == PERSON and play is None:
            await self._scan(card)
            return
        if at.phase is not Phase.PLAY or at.turn != PERSON:
            raise NotNow("not_your_turn")
        if play is not None:
            await session.act_beside_board(deal, str(card))
            return
        try:
            session.playing().game.decide(LayCard(PERSON, card))
        except IllegalAction as refused:
            raise NotNow(refused.code, **refused.values) from refused
        await self._let_robots_call()
        await self._scan(card)

    async def _let_robots_call(self) -> None:
        """Wait up to `_ROBOTS_CALL_S` seconds for the robots' calls.

        Otherwise a quick next card would cost the robots these points."""
        waited = 0.0
        while waited < _ROBOTS_CALL_S and (robots := self._session.robots) is not None:
            p = self._session.position
            if p.way is not Way.VERIFY or p.claim is not None or not any(robots.call_of(p, at) for at in p.rules.sides):
                break
            await self._clock.sleep(_LOOKS_S)
            waited += _LOOKS_S

    async def go(self) -> None:
        """Say go if no card fits."""
        p, side = self._session.position, self._side
        if p.way is Way.TRUST or p.phase is not Phase.PLAY or p.turn != PERSON:
            raise NotNow("not_your_turn")
        if any(may_lay(p, PERSON, card) for card in unseen(p, self._session.dealt().kept(PERSON))):
            raise NotNow("still_fits")
        await self._wait_for_board(self._presser.key(Key.GO, side), "not_said")

    async def peg(self, points: int) -> None:
        """Call these points by presses on the board."""
        p, side = self._session.position, self._side
        if not isinstance(self._session.snapshot.mode, Playing):
            raise NotNow("not_playing_now")
        if refused := cannot_peg(p, side, points):
            raise refused
        if not (has_peg_in_hand(p, side) and p.claim is not None and p.claim.points == points):
            press = actions.TakePegInHand(side, points) if points else actions.TakeZero(side)
            await self._wait_for_board(self._presser.do(press, p), "not_pegged")
        p = self._session.position
        if has_peg_in_hand(p, side) and p.claim is not None and p.claim.timing is Timing.IN_TIME:
            await self._wait_for_board(self._presser.key(Key.OK, side), "not_pegged")

    @property
    def _side(self) -> int:
        return self._session.position.rules.side_of(PERSON)

    async def turn_crib(self) -> None:
        """Show the next card of the crib to the card reader."""
        deal, p = self._session.dealt(), self._session.position
        if not waits_for_crib(p) or p.dealer != PERSON:
            raise NotNow("no_crib_now")
        await self._scan(unseen(p, deal.crib)[0])

    async def counted(self) -> None:
        """Record the end of the person's count in a trust game."""
        play = self._session.trusted_play
        if play is None or play.counting is None:
            raise NotNow("nothing_to_count")
        await self._session.act_beside_board(self._session.dealt(), COUNTED)


def cannot_peg(p: Position, side: int, points: int) -> NotNow | None:
    """Return why this side cannot call `points` now, or None.

    The reason reveals no hidden card."""
    if p.way is Way.AUTO:
        return NotNow("board_pegs")
    if p.phase not in (Phase.PLAY, Phase.SHOW, Phase.PEGGING):
        return NotNow("no_points_now")
    if not points:
        at_count = p.way is Way.VERIFY and is_counting(p, side) and bool(p.unclaimed(side))
        return None if at_count and not has_peg_in_hand(p, side) else NotNow("no_zero_now")
    if points > p.left_to_go(side):
        return NotNow("past_the_end", points=points, left=p.left_to_go(side))
    if doubt_about(p, side, points) is not Doubt.NONE:
        return NotNow("no_hand_is", points=points)
    if rule_of_116.bars_single_point(p, side, points):
        return NotNow("no_single_point")
    return NotNow(_NO_PRESS[meant]) if (meant := press_at(p, side, points)) in _NO_PRESS else None


_NO_PRESS = {
    PressKind.TOO_LATE: "too_late",
    PressKind.OUT_OF_TURN: "no_points_of_yours",
    PressKind.IS_DOWN: "peg_is_down",
    PressKind.WAITS: "waits_for_answer",
}
