"""Cut for the deal, begin and end deals (rules reference, 1)."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard import events
from cribboard.actions import IllegalAction
from cribboard.cards import Card
from cribboard.deal import score_log
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.position import Pegs, Phase, Position, put, updated
from cribboard.rules import CutTie, Way


def cut(decision: Decision, seat: int, card: Card) -> None:
    """Cut a card for the deal.

    A cut that decides begins the first deal: the seat with the lowest card deals, or by some rules the highest."""
    p = decision.position
    must_read_cards(p)
    if p.to_cut is None:
        raise IllegalAction("no_dealer_now")
    if seat != p.to_cut:
        raise IllegalAction("not_your_turn", seat=p.to_cut)
    if any(card == other for _, other in p.cuts):
        raise IllegalAction("card_twice", card=card)
    decision.add(events.CardCut(seat, card))
    p = decision.position
    if len(p.cuts) < len(p.cutters or p.rules.seats):
        return
    if len(p.best_cuts) == 1:
        begin_deal(decision, p.best_cuts[0])
    else:
        decision.add(events.CutTied())


def name_dealer(decision: Decision, seat: int) -> None:
    """Name the first dealer, and begin the first deal."""
    if decision.position.phase is not Phase.CUT:
        raise IllegalAction("no_dealer_now")
    begin_deal(decision, seat)


def begin_deal(decision: Decision, dealer: int) -> None:
    """Begin a deal in which this seat is the dealer."""
    for event in beginning_of_deal(decision.position, dealer):
        decision.add(event)


def beginning_of_deal(p: Position, dealer: int) -> Sequence[events.Event]:
    """Return the events with which a deal begins.

    In five-card, the non-dealer of the first deal may get points for dealing second."""
    three = p.rules.deal_and_play.three_for_last
    if p.deal or not three:
        return (events.DealBegan(dealer),)
    side = p.rules.side_of(p.rules.left_of(dealer))
    pegged = events.Pegged(side, three, p.pegs[side].front + three)
    return events.DealBegan(dealer), events.ThreeForLast(side, three), pegged


def next_deal(decision: Decision) -> None:
    """End the deal, and begin the next."""
    assert decision.position.dealer is not None
    decision.add(events.DealEnded())
    begin_deal(decision, decision.position.rules.left_of(decision.position.dealer))


def end_trusted_deal(decision: Decision, side: int) -> None:
    """End a deal on trust, and begin the next."""
    p = decision.position
    if p.phase is not Phase.PEGGING or p.claim or p.dealer is None:
        raise IllegalAction("nothing_to_accept")
    if p.rules.side_of(p.dealer) != side:
        raise IllegalAction("not_the_dealer", seat=p.dealer)
    next_deal(decision)


# How the events change the position


def evolve(p: Position, event: events.DealEvent) -> Position:
    """Apply an event of the cut or of a deal."""
    match event:
        case events.CardCut():
            return updated(p, cuts=(*p.cuts, (event.seat, event.card)))
        case events.CutTied():
            only_these = p.rules.deal_and_play.cut_tie is CutTie.TIED_RECUT
            return updated(p, cuts=(), cutters=p.best_cuts if only_these else ())
        case events.DealBegan():
            return new_deal(p, event.dealer)
        case events.ThreeForLast(side, points):  # a misdeal does not take them back
            front = p.pegs[side].front
            pegs_at_deal = put(p.pegs_at_deal, side, Pegs(front=front + points, back=front))
            return score_log.given(updated(p, pegs_at_deal=pegs_at_deal), event)
        case events.DealEnded():
            return p


def new_deal(p: Position, dealer: int) -> Position:
    """Make the position at the start of a deal.

    Only the fields named here keep their values from the last deal."""
    nothing = ((),) * len(p.pegs)
    return Position(
        rules=p.rules,
        way=p.way,
        pegs=p.pegs,
        number=p.number,
        phase=Phase.PEGGING if p.way is Way.TRUST else Phase.DEAL,
        deal=p.deal + 1,
        dealer=dealer,
        pegs_at_deal=p.pegs,
        hands=((),) * p.rules.deal_and_play.players,
        open_windows=nothing,
        missed_windows=nothing,
        question=p.question,
        answered=p.answered,
        scores=p.scores,
        acts=p.acts,
        last=p.last,
        taken_back=p.taken_back,
    )
