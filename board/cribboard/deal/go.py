"""Gos, and the end of a running count.

A seat says go. With three or more seats the last player may declare go for everyone; each of them may take this pass
back (rules reference, 3.8 and 7.7). A false go shows only when a card comes to light: `cribboard.deal.false_go`.
"""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.actions import By, IllegalAction, LayCard
from cribboard.cards import Card
from cribboard.deal import auto_calls, claim_verdicts, claim_windows, claims, score_log
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.event_terms import Occasion
from cribboard.play import ANY_CARD_FITS, LIMIT, score_play
from cribboard.position import ClaimWindow, Pegs, PegState, Phase, Position, put, updated
from cribboard.rules import Option, Way
from cribboard.scoring import Combination, Kind

#: From this many seats on, the last player may declare go for everyone (7.7).
MAY_PASS_TOGETHER = 3


def may_say_go(p: Position) -> bool:
    """Whether a seat may say go now."""
    return p.phase is Phase.PLAY and not p.count_over and (p.blind or p.count > ANY_CARD_FITS)


def may_all_pass(p: Position) -> bool:
    """Whether the player who laid last may declare go for all seats."""
    return may_say_go(p) and p.rules.deal_and_play.players >= MAY_PASS_TOGETHER


def may_go_on(p: Position, seat: int, card: Card) -> bool:
    """Whether the seat may reopen the ended count with this card.

    If the seat leads next, its card is a lead, unless the rules make a seat lay a card that fits (7.7)."""
    leads = seat == p.turn and p.rules.deal_and_play.must_play_after_go is Option.OFF
    return p.count_over and not p.blind and seat in p.declared_for and not leads and p.count + card.value <= LIMIT


def say_go(decision: Decision, seat: int) -> None:
    """Say go for the seat whose turn it is."""
    p = decision.position
    _must_be_in_the_play(p)
    if seat != p.turn:
        raise IllegalAction("not_your_turn", seat=p.turn)
    _must_be_able_to_go(p)
    decision.add(events.SaidGo(seat))
    if decision.position.turn is None:
        end_running_count(decision)


def all_pass(decision: Decision, seat: int) -> None:
    """Declare go for all remaining seats.

    They hold cards and have not said go. Only the seat that laid last may do this, with three or more seats."""
    p = decision.position
    _must_be_in_the_play(p)
    if p.rules.deal_and_play.players < MAY_PASS_TOGETHER:
        raise IllegalAction("nobody_to_pass")
    _must_be_able_to_go(p)
    assert p.turn is not None
    if seat != p.stack[-1][0]:
        raise IllegalAction("not_your_turn", seat=p.turn)
    seats = tuple(other for other in p.rules.round_from(p.turn) if p.cards_left(other) and other not in p.said_go)
    decision.add(events.AllPassed(seats))
    end_running_count(decision)


def take_back_pass(decision: Decision, seat: int) -> None:
    """Take back the go that was declared for this seat."""
    p = decision.position
    if seat not in p.declared_for or not p.count_over:
        raise IllegalAction("no_pass_to_take_back", seat=seat)
    go_on(decision, seat)


def go_on(decision: Decision, seat: int) -> None:
    """Reopen the count that has ended, because this seat lays a card.

    Take back the points pegged for the go. First release a peg in hand, because it was lifted for the go; put it back
    if releasing it would win on a false go.
    """
    p = decision.position
    if p.claim and p.claim.state is PegState.IN_HAND and p.claim.points == p.left_to_go(p.claim.side):
        decision.add(events.PegPutBack(p.claim.side))
    claims.conclude(decision, By.NEXT_CARD)
    p = decision.position
    of_the_go = {call.side for call in p.unjudged if any(claim_windows.is_go_of_count(p, o) for o in call.windows)}
    claim_verdicts.judge_waiting_calls(decision, of_the_go)
    decision.add(events.PassTakenBack(seat))


def end_running_count(decision: Decision) -> None:
    """End a count on which no seat can lay a card.

    If the play has only one count, end the play too."""
    p = decision.position
    decision.add(events.CountEnded(p.stack[-1][0], p.count))
    auto_calls.call_what_is_due(decision)
    if p.rules.deal_and_play.single_series is Option.ON and not decision.won():
        end_play(decision)


def end_play(decision: Decision) -> None:
    """End the play; on verify, open the first count if possible."""
    decision.add(events.PlayEnded())
    if decision.position.way is Way.VERIFY:
        claims.open_next_hand(decision)


def _must_be_in_the_play(p: Position) -> None:
    must_read_cards(p)
    if p.phase is not Phase.PLAY:
        raise IllegalAction("no_go_now")


def _must_be_able_to_go(p: Position) -> None:
    if p.count_over:
        raise IllegalAction("no_go_now")
    if not may_say_go(p):
        raise IllegalAction("can_play", count=p.count)


# How the events change the position


def evolve(p: Position, event: events.GoEvent) -> Position:
    """Apply a go event to the position."""
    match event:
        case events.SaidGo(seat):
            said = _with_gos(p, (seat,))
            return updated(said, turn=said.may_lay(seat))
        case events.AllPassed(seats):
            return updated(_with_gos(p, seats), declared_for=(*p.declared_for, *seats), turn=None)
        case events.PassTakenBack():
            return _apply_pass_taken_back(p, event)
        case events.CountEnded():
            return _apply_count_ended(p, event)
        case events.PlayEnded():
            return updated(
                p,
                phase=Phase.SHOW,
                count_over=True,
                said_go=frozenset(),
                turn=None,
                declared_for=(),
                said_go_at_end=frozenset(),
            )


def _apply_pass_taken_back(p: Position, event: events.PassTakenBack) -> Position:
    """Take back a declared go and the points for it."""
    side, seat = p.rules.side_of(p.stack[-1][0]), event.seat
    now = p.pegs[side]
    points, without = p.pegged_for_go or (0, now)
    if now.front != without.front + points:  # it has pegged something else since
        without = Pegs(now.front - points, min(now.back, now.front - points))
    back = updated(
        p,
        pegs=put(p.pegs, side, without),
        open_windows=put(p.open_windows, side, tuple(o for o in p.open_windows[side] if o.occasion is not Occasion.GO)),
        count_over=False,
        turn=seat,
        said_go=p.said_go_at_end - {seat},
        binding_gos=(
            *p.binding_gos[: p.binding_gos_before],
            *(go for go in p.binding_gos[p.binding_gos_before :] if go[0] != seat),
        ),
        declared_for=tuple(other for other in p.declared_for if other != seat),
        said_go_at_end=frozenset(),
        pegged_for_go=None,
    )
    came_back = now.front - without.front
    return score_log.entered(back, side, event, -came_back) if came_back else back


def _apply_count_ended(p: Position, event: events.CountEnded) -> Position:
    may_go_on_later = p.declared_for if event.count < LIMIT else ()
    ended = updated(
        _with_implied_go(p, event.count),
        count_over=True,
        said_go=frozenset(),
        turn=p.next_seat_with_cards(event.last),
        declared_for=may_go_on_later,
        said_go_at_end=p.said_go if may_go_on_later else frozenset(),
        pegged_for_go=None,
    )
    return claim_windows.open_windows(ended, *go_claim_windows(p, event.last, event.count))


def _with_gos(p: Position, seats: tuple[int, ...]) -> Position:
    """Record the gos of these seats in the position."""
    return updated(
        p,
        said_go=p.said_go | set(seats),
        binding_gos=(*p.binding_gos, *_binding(p, seats)),
        go_snapshots=_snapshots(p, seats),
    )


def _binding(p: Position, seats: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return the gos that a card shown later can prove false.

    Each is the seat with the running count. After another seat's go a seat may be free to stop
    (rules reference, 3.8)."""
    if p.blind:
        return ()
    if p.rules.deal_and_play.must_play_after_go is Option.OFF:
        seats = () if p.said_go else seats[:1]
    return tuple((seat, p.count) for seat in seats)


def _snapshots(p: Position, seats: tuple[int, ...]) -> tuple[tuple[int, int, Position], ...]:
    """Return the positions to which play can return after a false go.

    New ones are for the gos of `seats`. Each position has its seat and its running count. The position contains no
    earlier go: no seat goes back twice."""
    before = updated(p, go_snapshots=(), false_go=None, last=())
    return (*p.go_snapshots, *((seat, p.count, before) for seat in seats))


def _with_implied_go(p: Position, count: int) -> Position:
    """Record an implied go, if the latest card began a new count (3.26).

    The card did not fit on the count before: its seat has said go by laying it."""
    match p.last[:1]:
        case (events.Acted(LayCard(seat)),) if count < LIMIT and not any(
            isinstance(event, events.CardLaid) for event in p.last
        ):
            implied_gos = (*p.implied_gos, *_binding(p, (seat,)))
            return updated(p, implied_gos=implied_gos, go_snapshots=_snapshots(p, (seat,)))
    return p


def go_claim_windows(p: Position, last: int, count: int) -> Iterable[ClaimWindow]:
    """Yield the claim window for a go, if there is one.

    It is due with the card, or later when others say go."""
    go = p.rules.deal_and_play.go
    if p.blind:
        yield ClaimWindow(Occasion.GO, last, (), verified=False)
        return
    if count == LIMIT or not go:
        return
    *before, card = p.cards
    with_card = any(isinstance(event, events.CardLaid) for event in p.last)
    beside = sum(award.points for award in score_play(before, card, rules=p.rules)) if with_card else 0
    yield ClaimWindow(Occasion.GO, last, (Combination(Kind.GO, (card,), go),), card_points=beside)
