"""What a person who plays alone does with his cards. All else he presses on the board, as anybody does."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.cards import Card
from cribboard.position import Phase
from cribboard.rules import Way
from cribboard.show import waits_for_crib
from cribd.clock import Clock
from cribd.solo.deal import COUNTED
from cribd.solo.presses import Presser
from cribd.solo.robots import unseen
from cribd.solo.session import PERSON, NotNow, Session
from cribd.table.snapshot import Playing

#: How long the board may take to answer a card, and how often the person looks, in seconds.
_ANSWERS_S = 1.5
_LOOKS_S = 0.05


class Person:
    """The person at the table of `session`. Everything raises `NotNow` if it cannot be done now, and `NotKept`."""

    def __init__(self, session: Session, presser: Presser, clock: Clock) -> None:
        self._session = session
        self._presser = presser
        self._clock = clock

    async def _scan(self, card: Card) -> None:
        """Hold a card before the reader, and wait for the board."""
        if not isinstance(self._session.snapshot.mode, Playing):
            raise NotNow("not_playing_now")
        number, waited = self._session.position.number, 0.0
        await self._presser.scan(card)
        while self._session.position.number == number:
            if waited > _ANSWERS_S:
                raise NotNow("not_taken")
            await self._clock.sleep(_LOOKS_S)
            waited += _LOOKS_S

    async def cut(self) -> None:
        """Cut for the deal, or the starter."""
        session, p, deal = self._session, self._session.position, self._session.deal
        if p.phase is Phase.CUT and p.way is not Way.TRUST and p.to_cut == PERSON:
            await self._scan(session.next_cut())
        elif deal is not None and deal.cutter(p) == PERSON:
            await self._scan(deal.dealt.starter)
        else:
            raise NotNow("nothing_to_cut")

    async def discard(self, cards: Sequence[Card]) -> None:
        """Give these cards to the crib."""
        deal = self._session.dealt()
        if deal.discarded[PERSON] is not None:
            raise NotNow("discarded")
        hand = deal.dealt.hands[PERSON]
        wanted = len(hand) - self._session.position.rules.deal_and_play.hand_size
        if strange := [card for card in cards if card not in hand]:
            raise NotNow("not_in_hand", card=strange[0])
        if len(set(cards)) != wanted or len(cards) != wanted:
            raise NotNow("how_many", count=len(cards), wanted=wanted)
        await self._session.keep_deal(deal, deal.with_discard(PERSON, cards))

    async def lay(self, card: Card) -> None:
        """Lay a card, or show one that was not laid. What the rules say of it, the board says."""
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
        if play is None:
            await self._scan(card)
        else:
            await session.act_beside_board(deal, str(card))

    async def turn_crib(self) -> None:
        """Show the next card of the crib."""
        deal, p = self._session.dealt(), self._session.position
        if not waits_for_crib(p) or p.dealer != PERSON:
            raise NotNow("no_crib_now")
        await self._scan(unseen(p, deal.crib)[0])

    async def counted(self) -> None:
        """On trust: the person is done with a count."""
        play = self._session.trusted_play
        if play is None or play.counting is None:
            raise NotNow("nothing_to_count")
        await self._session.act_beside_board(self._session.dealt(), COUNTED)
