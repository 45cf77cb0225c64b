"""Continue the game when no reader can read a card.

A card of the play leaves the running count unknown until the next lead; an unread starter is asked for again at the
show; a hand or crib with an unread card is counted as called.
"""

from __future__ import annotations

from cribboard import events
from cribboard.actions import By, IllegalAction
from cribboard.deal import claims, laying_cards, show
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.deal.show import waits_for_crib
from cribboard.deal.starter import waits_for_starter
from cribboard.position import Phase, Position
from cribboard.rules import Way


def may_go_on_unread(p: Position) -> bool:
    """Whether the board asks for a card that may stay unread."""
    if p.way is Way.TRUST or p.awaits_false_go_answer:
        return False
    return p.phase in (Phase.DEAL, Phase.PLAY) or waits_for_starter(p) or p.to_show is not None or waits_for_crib(p)


def go_on_unread(decision: Decision) -> None:
    """Continue the game without the card that the board asks for."""
    p = decision.position
    must_read_cards(p)
    match p.phase:
        case Phase.DEAL:
            decision.add(events.StarterUnread())
        case Phase.PLAY:
            assert p.turn is not None
            claims.conclude(decision, By.NEXT_CARD)
            if decision.stops():
                return
            decision.add(events.CardUnread(p.turn))
            laying_cards.after_card(decision, 0)
        case Phase.SHOW if waits_for_starter(p):
            for count in p.show_order():
                decision.add(events.CountUnverified(*count))
            claims.open_next_hand(decision)
        case Phase.SHOW if p.to_show is not None or waits_for_crib(p):
            decision.add(events.CountUnverified(*p.show_order()[p.counts_done]))
            show.open_next_count(decision)
        case _:
            raise IllegalAction("nothing_unread")
