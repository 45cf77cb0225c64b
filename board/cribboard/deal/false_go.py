"""False gos (rules reference, 3.26 and ACC 7.3).

A seat said go although it held a card that fitted, and lays or shows this card later. The parameter `renege` says
what follows: either the board only announces it, and play goes back if both sides agree; or the other side gets two
points for each such card, and decides whether play goes back to the go or the card lies dead.
"""

from __future__ import annotations

from dataclasses import replace

from cribboard import events
from cribboard.actions import Agree, IllegalAction
from cribboard.cards import Card
from cribboard.deal import claim_verdicts, go
from cribboard.deal.decision import Decision
from cribboard.event_terms import Ground
from cribboard.play import LIMIT
from cribboard.position import FalseGo, PegState, Phase, Position, RememberedGo, put, updated
from cribboard.rules import Renege

#: Points for each card that could have been laid at a false go.
PER_CARD = 2


def record_and_ask(decision: Decision, before: Position, seat: int, card: Card) -> bool:
    """Record a false go, and ask another side what follows from it.

    Does nothing if `renege` says that the board only announces a false go. Returns whether the card must wait for the
    answer (ACC 7.3)."""
    if before.rules.claims.renege is Renege.ANNOUNCE:
        return False
    record_false_go(decision, before, seat, card)
    if not decision.position.awaits_false_go_answer:
        return False
    award_remembered(decision, seat, card)
    return True


def award_remembered(decision: Decision, seat: int, card: Card) -> bool:
    """Award points for each remembered false go (3.26).

    Play was taken back to these false gos, and this card fitted there. Returns whether the game is won."""
    p = decision.position
    for false in p.remembered_gos if p.rules.version > 1 else ():
        if false.costs_points(seat, card) and not decision.won():
            decision.add(events.FalseGoFound(seat, card, false.count))
            _award(decision, false.by)
    return decision.won()


def award_at_show(decision: Decision, before: Position, seat: int, card: Card) -> bool:
    """Record a false go found after the play, and award points.

    Returns whether the game is won."""
    if record_false_go(decision, before, seat, card) and before.rules.claims.renege is Renege.TWO_PER_CARD:
        _award(decision, (before.rules.side_of(seat) + 1) % len(before.pegs))
    return decision.won() or award_remembered(decision, seat, card)


def go_back(decision: Decision, side: int) -> None:
    """Take play back to the false go.

    The side that asks for this gets the points for the card."""
    decision.add(events.RolledBack(_false_go_to_answer(decision.position, side).seat))
    _award(decision, side)


def let_lie_dead(decision: Decision, side: int) -> None:
    """Mark the card that revealed the false go as dead.

    The side that asks for this gets the points for the card."""
    false_go = _false_go_to_answer(decision.position, side)
    decision.add(events.CardDead(false_go.seat, false_go.card))
    _award(decision, side)
    p = decision.position
    if decision.won() or p.turn is not None:
        return
    if not p.count_over:
        go.end_running_count(decision)
    if not decision.won() and not any(map(p.cards_left, p.rules.seats)):
        go.end_play(decision)


def record_false_go(decision: Decision, before: Position, seat: int, card: Card) -> bool:
    """Record a false go if the card fitted when its seat said go.

    Returns whether a false go was recorded. `before` is the position before the card came to light."""
    gos = (*before.binding_gos, *before.implied_gos) if before.rules.version > 1 else before.binding_gos
    false_gos = [at for who, at in gos if who == seat and at + card.value <= LIMIT]
    if false_gos:
        decision.add(events.FalseGoFound(seat, card, false_gos[0]))
    return bool(false_gos)


def _award(decision: Decision, side: int) -> None:
    claim_verdicts.award(decision, side, PER_CARD, Ground.RENEGE)


def _false_go_to_answer(p: Position, side: int) -> FalseGo:
    """Return the false go that this side must answer. Raises `IllegalAction` if there is none."""
    if not p.awaits_false_go_answer or p.false_go is None:
        raise IllegalAction("no_renege")
    if p.rules.side_of(p.false_go.seat) == side:
        raise IllegalAction("own_renege", side=(side + 1) % len(p.pegs))
    return p.false_go


# How the events change the position


def evolve(p: Position, event: events.FalseGoEvent) -> Position:
    """Apply an event that concerns a false go.

    A false go was found, play was taken back to it, or its card became dead."""
    match event:
        case events.FalseGoFound():
            return _enter_false_go(p, event)
        case events.RolledBack():
            return _rolled_back(p)
        case events.CardDead(seat, card):
            dead = updated(p, hands=put(p.hands, seat, (*p.hands[seat], card)), awaits_false_go_answer=False)
            if dead.cards_left(seat):
                return dead
            return updated(dead, turn=dead.next_seat_with_cards(seat) if p.count_over else dead.may_lay(seat))


def _enter_false_go(p: Position, event: events.FalseGoFound) -> Position:
    seat, card, count = event.seat, event.card, event.count
    is_known = p.false_go is not None and (p.false_go.seat, p.false_go.card) == (seat, card)
    if is_known or (seat, count) not in (*p.binding_gos, *p.implied_gos):  # it is remembered from before play went back
        counted = (
            replace(go, counted=(*go.counted, card)) if go.count == count and go.costs_points(seat, card) else go
            for go in p.remembered_gos
        )
        return updated(p, remembered_gos=tuple(counted))
    before = next(then for who, at, then in reversed(p.go_snapshots) if (who, at) == (seat, count))
    must_answer = p.rules.claims.renege is Renege.TWO_PER_CARD and p.phase is Phase.PLAY
    return updated(p, false_go=FalseGo(seat, card, before), awaits_false_go_answer=must_answer)


def _rolled_back(p: Position) -> Position:
    """Restore the position of the play before the false go.

    Later acts can still be undone."""
    assert p.false_go is not None
    then = p.false_go.before
    go_snapshots = tuple(snapshot for snapshot in p.go_snapshots if snapshot[2].number < then.number)
    return updated(
        then,
        number=p.number,
        acts=p.acts,
        last=p.last,
        go_snapshots=go_snapshots,
        claim=then.claim if then.claim and then.claim.state is PegState.RELEASED else None,
        open_challenge=None,
        question=None,
        answered=frozenset(),
        taken_back=None,
        remembered_gos=_remembered(p, p.false_go),
    )


def _remembered(p: Position, false_go: FalseGo) -> tuple[RememberedGo, ...]:
    """Return the false gos to remember once play is taken back.

    They include `false_go` if one side alone chose to take play back."""
    match p.last[:1]:
        case (events.Acted(Agree(side)),) if p.awaits_false_go_answer:
            count = next(at for _, at, then in reversed(p.go_snapshots) if then is false_go.before)
            return (*false_go.before.remembered_gos, RememberedGo(false_go.seat, count, side, (false_go.card,)))
    return false_go.before.remembered_gos
