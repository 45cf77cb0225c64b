"""The habits of robots that play without people.

Each choice is made once for what lies on the table, and stays until the next deal: `Robots` may ask again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from cribboard.deal import rule_of_116
from cribboard.deal.claim_comparison import due
from cribboard.deal.claim_windows import play_windows
from cribboard.deal.go import may_all_pass, may_say_go
from cribboard.deal.impossible_points import doubt_about
from cribboard.event_terms import OF_SHOW, Doubt, Timing
from cribboard.events import ClaimRuled
from cribboard.position import ClaimWindow, PegState, Phase, Position
from cribboard.possible_counts import NINETEEN
from cribboard.rules import Option, Renege, Way

T = TypeVar("T")

#: How often a peg in the play is left to the next card, and how often the last player declares go for everyone.
_LEAVES_PEG = 0.6
_PASSES_FOR_ALL = 0.3
#: How often nobody accepts a count with OK where the next count accepts it too.
_COUNTS_AT_ONCE = 0.2
#: The distance from the game hole within which a wrong call may claim the game, and how often it does.
_NEAR = 12
_SAYS_OUT = 0.3
#: How often a right call is doubted; how often a challenge names too many points, or too few, or is withdrawn.
_DOUBTS = 0.06
_TOO_HIGH = 0.25
_TOO_LOW = 0.2
_WITHDRAWS = 0.1
#: How often missed points are claimed late, and how often a seat that could lay says go, as a share of wrong calls.
_REMEMBERS = 0.4
_FALSE_GO = 0.5
#: How often a count of nothing is called with 19, a count is called that no hand makes, or another side counts.
_SAYS_19 = 0.25
_IMPOSSIBLE = 0.02
_OUT_OF_TURN = 0.03
#: The distance from the game hole within which no call is made that cannot be right: it could claim the game.
_ROOM = 30


class Habits:
    """The habits of all robots at a table.

    Without `rng`, the robots have no habits. `wrong` is the share of calls that are wrong, `hasty` how often the last
    player declares go for everyone too soon, 0 to 1.
    """

    def __init__(self, rng: Random | None = None, *, wrong: float = 0.0, hasty: float = 0.0) -> None:
        self._rng = rng or Random(0)
        self._has_habits = rng is not None
        self._wrong = wrong
        self._hasty = hasty
        self._chosen: dict[object, object] = {}

    def begin_deal(self) -> None:
        """Forget the choices of the last deal."""
        self._chosen.clear()

    def _may(self, share: float) -> bool:
        return self._has_habits and self._rng.random() < share

    def _once(self, occasion: object, choose: Callable[[], T]) -> T:
        """Call `choose` once for each `occasion`, and return its choice."""
        if occasion not in self._chosen:
            self._chosen[occasion] = choose()
        return self._chosen[occasion]  # type: ignore[return-value]

    def _first(self, occasion: object, share: float) -> bool:
        """Decide once by chance whether to act on `occasion`.

        `share` is the probability; each later call returns False. Robots that make no wrong calls never act."""
        if not self._wrong or occasion in self._chosen:
            return False
        self._chosen[occasion] = True
        return self._may(share)

    # What the rules leave open

    def leaves_peg(self, p: Position, side: int) -> bool:
        """Whether the peg stays in hand until the next card.

        Not in a silent game, where a call is for all points that are open."""
        claim = p.claim
        if p.silent or claim is None or p.phase is not Phase.PLAY or p.count_over or claim.points == p.left_to_go(side):
            return False
        return self._once(("leaves", claim.since), lambda: self._may(_LEAVES_PEG))

    def calls_before_acceptance(self, p: Position) -> bool:
        """Whether a side calls before another side's call is accepted.

        The call of the hand then accepts the waiting call."""
        return self._once(("counts", p.number), lambda: self._may(_COUNTS_AT_ONCE))

    def passes_for_all(self, p: Position) -> bool:
        """Whether a seat says "go for all" when nobody can play."""
        return may_all_pass(p) and self._once(("passes", p.number), lambda: self._may(_PASSES_FOR_ALL))

    def passes_too_soon(self, p: Position) -> bool:
        """Whether a seat says "go for all" too soon."""
        if not self._hasty or not may_all_pass(p) or p.rules.deal_and_play.single_series is Option.ON:
            return False
        last = p.stack[-1][0]
        if p.turn == last or p.next_seat_with_cards(last) != p.turn:
            return False
        return self._once(("too soon", p.stack), lambda: self._may(self._hasty))

    # Wrong calls

    def call(self, p: Position, side: int, own: Sequence[ClaimWindow], right: int | None) -> int | None:
        """Return the points that a side calls, or None.

        It calls `right`, the right number, or by habit a wrong one."""
        if self._chosen.get(("too soon", p.stack)):
            return None  # the count goes on, and nobody has won a go
        shows = {window.occasion in OF_SHOW for window in own}
        is_ruled = any(isinstance(event, ClaimRuled) and event.side == side for event in p.last)
        of_last_card = p.phase is Phase.SHOW and False in shows
        if not self._wrong or not own or is_ruled or (of_last_card and (True in shows or not p.silent)):
            return right  # a wrong call of the last card could be for a hand
        cards = sum(map(len, p.hands)) + len(p.crib)
        what = tuple((window.occasion, window.seat) for window in own)
        return self._once((side, cards, what), lambda: self.wrong_call(p, side, right, counts=shows == {True}))

    def wrong_call(self, p: Position, side: int, right: int | None, *, counts: bool) -> int | None:
        """Return `right`, or sometimes a wrong number of points.

        Zero is called only for a hand or crib."""
        made, left = right or 0, p.left_to_go(side)
        if not self._may(self._wrong):
            return right
        called = made + self._rng.choice((-2, -1, 1, 2, 3))
        if made < left <= _NEAR and self._may(_SAYS_OUT):
            return left
        if not 0 <= called < left:
            return right
        if not called:
            return called if counts else None
        is_asked_about = doubt_about(p, side, called) is not Doubt.NONE or rule_of_116.bars_single_point(
            p, side, called
        )
        return right if is_asked_about and p.way is Way.VERIFY else called

    def late_call(self, p: Position, side: int) -> int:
        """Return the points that a side calls too late, or 0."""
        if p.phase is not Phase.PLAY or not p.missed_windows[side] or p.claim is not None or p.open_windows[side]:
            return 0
        points = due(p, side, p.missed_windows[side])
        return (
            points if points and self._first(("late", side, len(p.scores), p.missed_windows[side]), _REMEMBERS) else 0
        )

    def strange_call(self, p: Position, side: int) -> int:
        """Return the points of an impossible call, or 0.

        No hand has such a score, or the call is out of turn."""
        if p.counting is None or p.claim is not None or min(map(p.left_to_go, p.rules.sides)) <= _ROOM:
            return 0
        if any(due(p, other, play_windows(p, other)) for other in p.rules.sides):
            return 0  # the press could be for the play
        own = p.rules.side_of(p.counting[0]) == side
        if not self._first(("strange", side, p.counting), _IMPOSSIBLE if own else _OUT_OF_TURN):
            return 0
        return self._rng.choice((25, 26, 27)) if own else 4

    def says_19(self, p: Position, side: int) -> bool:
        """Whether a side says 19 for a count without points."""
        return p.left_to_go(side) > NINETEEN and self._first(("19", side, p.counting), _SAYS_19)

    def says_false_go(self, p: Position, seat: int) -> bool:
        """Whether a seat says go although it can lay a card.

        It does so only where that costs points, at a table of two, and once in a deal."""
        if not self._wrong or p.rules.claims.renege is not Renege.TWO_PER_CARD or p.way is not Way.VERIFY:
            return False
        fair = may_say_go(p) and not p.said_go and len(p.rules.seats) == 2 and all(map(p.cards_left, p.rules.seats))
        if not fair or p.stack[-1][0] == seat or "false go" in self._chosen or not self._may(_FALSE_GO * self._wrong):
            return False
        self._chosen["false go"] = True
        return True

    # The other side

    def doubts(self, p: Position, side: int) -> bool:
        """Whether a side challenges a call without cause."""
        claim = p.claim
        answered_at = PegState.RELEASED if p.silent else PegState.IN_HAND
        if claim is None or claim.side == side or claim.timing is Timing.LATE or claim.state is not answered_at:
            return False
        return self._first(("doubts", side, claim.since), _DOUBTS)

    def lets_lie_dead(self, p: Position) -> bool:
        """Whether the card that revealed a false go becomes dead."""
        return self._once(("dead", p.number), lambda: self._may(0.5))

    def withdraws(self, p: Position) -> bool:
        """Whether a side takes its challenge back."""
        return bool(self._wrong) and self._once(("withdraws", p.number), lambda: self._may(_WITHDRAWS))

    def named(self, p: Position, missed: int) -> int:
        """Return the points that a robot names in its challenge."""

        def choose() -> int:
            if not missed:
                return self._rng.randint(0, 2)
            if self._may(_TOO_HIGH):
                return missed + self._rng.randint(1, 3)
            return missed - 1 if missed > 1 and self._may(_TOO_LOW) else missed

        return self._once(("named", p.number), choose) if self._wrong else missed
