"""Writes the calls of the robots for a diary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from cribboard import events
from cribboard.cards import Card
from cribboard.event_terms import OF_SHOW, Occasion
from cribboard.events import Event
from cribboard.play import LIMIT
from cribboard.position import ClaimWindow, Position
from cribboard.rules import Rules
from cribboard.scoring import Kind
from cribd.robots.points_to_call import called_points

#: The occasions of calls.
TURNED, LAID, GO_WON, COUNTED, CRIB = "turned", "laid", "gowon", "counted", "crib"


@dataclass(frozen=True, slots=True)
class RobotCall:
    """What a seat says aloud, and the reason for it."""

    seat: int
    what: str
    cards: tuple[Card, ...]
    points: int = 0

    def entry(self, rules: Rules) -> dict[str, Any]:
        """Return this call's entry in the robots' diary."""
        entry = {"call": rules.side_of(self.seat), "seat": self.seat, "points": self.points, "for": self.what}
        if self.what in (TURNED, LAID):
            return {**entry, "card": str(self.cards[0])}
        return {**entry, "cards": " ".join(map(str, self.cards))} if self.cards else entry


def calls_on_auto(p: Position, caused: Iterable[Event]) -> list[RobotCall]:
    """Return what players say after an act in an auto game.

    The act caused these events; `p` is the position after them."""
    calls: list[RobotCall] = []
    for event in caused:
        match event:
            case events.StarterTurned(card):
                assert p.dealer is not None
                calls.append(RobotCall(p.dealer, TURNED, (card,)))
            case events.CardLaid(seat, card):
                calls.append(RobotCall(seat, LAID, (card,)))
            case events.CountEnded(last, count) if count < LIMIT:
                calls.append(RobotCall(last, GO_WON, ()))
            case events.ClaimJudged(occasions=occasions, due=points) if occasions[0] in OF_SHOW:
                if p.counting is not None:
                    calls.append(_call_at_show(p, p.counting[0], occasions[0], points))
            case events.ClaimJudged(occasions=occasions, due=points):
                with_card = [call.what for call in calls[-2:]] == [LAID, GO_WON] and not _calls_go_separately(p.rules)
                if Occasion.CARD in occasions and with_card:
                    calls.pop()
                calls[-1] = replace(calls[-1], points=calls[-1].points + points)
    return calls


def calls_for(p: Position, side: int, points: int) -> Iterator[RobotCall]:
    """Yield a side's spoken calls in a verify game.

    A card and the go that it wins are called separately, unless they are one move."""
    windows = p.unclaimed(side)
    of_play = [window for window in windows if window.occasion not in OF_SHOW]
    of_show = [window for window in windows if window.occasion in OF_SHOW]
    if of_show and not _points_to_call(p, side, of_play):
        shown = of_show[0]
        yield _call_at_show(p, shown.seat, shown.occasion, _uncapped(p, side, of_show, points))
        return
    separate_go = of_play[-1:] if len(of_play) > 1 and _is_separate_go(p, of_play[-1]) else []
    with_card = of_play[: len(of_play) - len(separate_go)]
    called = _uncapped(p, side, of_play, points)
    of_go = min(called, sum(window.due for window in separate_go))
    if not separate_go or any(window.due for window in with_card):
        yield _call_in_play(p, with_card, called - of_go)
    if separate_go:
        yield RobotCall(separate_go[0].seat, GO_WON, (), of_go)


def _points_to_call(p: Position, side: int, windows: Iterable[ClaimWindow]) -> int:
    """Return the points to call, even beyond the game hole."""
    moves = [tuple(award.points for award in window.awards) for window in windows]
    return called_points(p.rules, p.pegs[side].front, moves)


def _uncapped(p: Position, side: int, windows: Iterable[ClaimWindow], points: int) -> int:
    """Return the points said aloud, even beyond the game hole."""
    return points if points < p.left_to_go(side) else max(points, _points_to_call(p, side, windows))


def _is_separate_go(p: Position, window: ClaimWindow) -> bool:
    is_go = any(award.kind is Kind.GO for award in window.awards)
    return is_go and window.occasion is Occasion.GO and _calls_go_separately(p.rules)


def _calls_go_separately(rules: Rules) -> bool:
    """Whether a player calls a card and the go separately.

    The go is one move with the card where no side may advance by one (rules reference, 3.1)."""
    return rules.game.no_single_point_from is None


def _call_in_play(p: Position, windows: list[ClaimWindow], points: int) -> RobotCall:
    laid = next((window for window in windows if window.occasion is Occasion.CARD and window.due), None)
    if laid is not None:
        return RobotCall(laid.seat, LAID, (p.hands[laid.seat][-1],), points)
    first = windows[0]
    if first.occasion is Occasion.HEELS and p.starter is not None:
        return RobotCall(first.seat, TURNED, (p.starter,), points)
    return RobotCall(first.seat, GO_WON, (), points)


def _call_at_show(p: Position, seat: int, occasion: Occasion, points: int) -> RobotCall:
    is_crib = occasion is Occasion.CRIB
    return RobotCall(seat, CRIB if is_crib else COUNTED, p.crib if is_crib else p.hands[seat], points)
