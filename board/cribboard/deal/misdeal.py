"""Misdeals, and objections to a card seen at the cut.

Rules reference, 3.28 and 7.10.
"""

from __future__ import annotations

from cribboard import events
from cribboard.deal.cut_and_deal import new_deal
from cribboard.deal.decision import Decision
from cribboard.position import Phase, Position, updated, without_question


def may_misdeal(p: Position) -> bool:
    """Whether a misdeal can still be declared (rules reference, 3.28)."""
    return p.phase in (Phase.DEAL, Phase.PLAY, Phase.SHOW, Phase.PEGGING)


def may_have_seen_the_cut(p: Position) -> bool:
    """Whether a card seen at the cut may still be reported (7.10).

    They may until the first card is laid, or on trust until a side pegs anything but his heels."""
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


def void_deal(decision: Decision) -> None:
    """Void the deal; the same dealer deals again."""
    assert decision.position.dealer is not None
    decision.add(events.DealVoided(decision.position.dealer))


# How the events change the position


def evolve(p: Position, event: events.MisdealEvent) -> Position:
    """Apply an event that concerns a misdeal."""
    match event:
        case events.DealVoided():
            entries = (e for e in p.scores if e.deal < p.deal or isinstance(e.what, events.ThreeForLast))
            voided = updated(p, pegs=p.pegs_at_deal, deal=p.deal - 1, scores=tuple(entries))
            return new_deal(without_question(voided), event.dealer)
        case events.CutStands():
            return p
