"""Cut for the deal, name the dealer, end a deal, and void a misdeal (rules reference, 1 and 7.10)."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard import events
from cribboard.actions import IllegalAction
from cribboard.cards import Card
from cribboard.deal import score_log
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.position import Pegs, Phase, Position, put, updated, without_question
from cribboard.rules import CutTie, Way


def cut(decision: Decision, seat: int, card: Card) -> None:
    """Cut a card for the deal.

    The seat with the lowest card deals, or by some rules the seat with the highest."""
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
    """Name the first dealer."""
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
    """End the deal, and begin the next, with the seat to the dealer's left as dealer."""
    assert decision.position.dealer is not None
    decision.add(events.DealEnded())
    begin_deal(decision, decision.position.rules.left_of(decision.position.dealer))


def end_trusted_deal(decision: Decision, side: int) -> None:
    """End a deal at a table on trust, because the dealer's side asks for it."""
    p = decision.position
    if p.phase is not Phase.PEGGING or p.claim or p.dealer is None:
        raise IllegalAction("nothing_to_accept")
    if p.rules.side_of(p.dealer) != side:
        raise IllegalAction("not_the_dealer", seat=p.dealer)
    next_deal(decision)


def may_misdeal(p: Position) -> bool:
    """Whether a misdeal can still be declared in this deal (rules reference, 3.28)."""
    return p.phase in (Phase.DEAL, Phase.PLAY, Phase.SHOW, Phase.PEGGING)


def may_have_seen_the_cut(p: Position) -> bool:
    """Whether players can still object because a card was seen at the cut (7.10).

    They can until the first card is laid, or on trust until a side pegs more than his heels."""
    match p.phase:
        case Phase.DEAL:
            return True
        case Phase.PLAY:
            return not any(p.hands)
        case Phase.PEGGING:
            assert p.dealer is not None
            heels = [p.rules.deal_and_play.his_heels if s == p.rules.side_of(p.dealer) else 0 for s in p.rules.sides]
            pegs = zip(p.pegs, p.pegs_at_deal, heels, strict=True)
            return all(now.front - was.front in (0, his_heels) for now, was, his_heels in pegs)
    return False


# How the events change the position


def evolve(p: Position, event: events.DealEvent) -> Position:
    """Apply an event of the cut for the deal, or of a deal."""
    match event:
        case events.CardCut():
            return updated(p, cuts=(*p.cuts, (event.seat, event.card)))
        case events.CutTied():
            only_these = p.rules.deal_and_play.cut_tie is CutTie.TIED_RECUT
            return updated(p, cuts=(), cutters=p.best_cuts if only_these else ())
        case events.DealBegan():
            return _new_deal(p, event.dealer)
        case events.ThreeForLast(side, points):  # a misdeal does not take them back
            front = p.pegs[side].front
            pegs_at_deal = put(p.pegs_at_deal, side, Pegs(front=front + points, back=front))
            return score_log.given(updated(p, pegs_at_deal=pegs_at_deal), event)
        case events.DealVoided():
            entries = (e for e in p.scores if e.deal < p.deal or isinstance(e.what, events.ThreeForLast))
            voided = updated(p, pegs=p.pegs_at_deal, deal=p.deal - 1, scores=tuple(entries))
            return _new_deal(without_question(voided), event.dealer)
        case events.DealEnded() | events.CutStands():
            return p


def _new_deal(p: Position, dealer: int) -> Position:
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
