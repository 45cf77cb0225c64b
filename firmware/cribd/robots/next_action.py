"""Chooses what a robot does next.

Pure. Robots call what is due to them, answer the calls of people, and lay and discard by their level. They hold the
cards of the deal: what they read of the position they could count themselves. On trust the board follows no card;
`cribd.robots.trusted_play` does. Without a level they choose their cards by rote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from cribboard import actions
from cribboard.actions import Action, IllegalAction
from cribboard.cards import Card
from cribboard.deal import muggins, rule_of_116
from cribboard.deal.claim_comparison import due
from cribboard.deal.claim_verdicts import compare_waiting_call, unjudged_of
from cribboard.deal.claim_windows import is_for_play, is_go_of_count, play_windows
from cribboard.deal.go import may_go_on
from cribboard.deal.laying_cards import may_lay
from cribboard.deal.order_of_points import sides_to_answer_first
from cribboard.deal.press_kind import acceptor, counts_next, is_count, waits_for_answer
from cribboard.deal.show import waits_for_crib
from cribboard.event_terms import OF_SHOW, Doubt, Occasion, Timing
from cribboard.events import Event
from cribboard.play import LIMIT
from cribboard.position import OpenChallenge, PegState, Phase, Position
from cribboard.possible_counts import MOST, NINETEEN
from cribboard.referee import rule
from cribboard.rules import Rules, Way
from cribboard.scoring import score_show
from cribboard.strategy import PlayerView, RobotLevel, choose_card, choose_discard
from cribd.robots import cards_without_level
from cribd.robots.deal import COUNTED, GO, Deal, acts_of
from cribd.robots.mistakes_and_habits import Habits
from cribd.robots.points_to_call import called_points
from cribd.robots.trusted_play import TrustedPlay

#: How often a robot sees that a call of the other side is wrong.
_SEES = {None: 0.65, RobotLevel.EASY: 0.4, RobotLevel.MEDIUM: 0.8, RobotLevel.STRONG: 1.0}


@dataclass(frozen=True, slots=True)
class BesideBoard:
    """What a player does in a trust game without the board's help."""

    act: str


class Robots:
    """The robots of a table.

    `levels` has the seats where one sits; `seed` starts their random numbers. `habits` are for a table of robots
    alone."""

    def __init__(
        self, rules: Rules, levels: Mapping[int, RobotLevel | None], seed: str, habits: Habits | None = None
    ) -> None:
        self.rules = rules
        self.levels = levels
        self._seed = seed
        self._habits = habits or Habits()
        with_people = {rules.side_of(seat) for seat in rules.seats if seat not in levels}
        self.sides = tuple(side for side in rules.sides if side not in with_people)

    def deal_with_discards(self, deal: Deal, p: Position, number: int) -> Deal:
        """Return the deal after all robots have discarded."""
        two = len(self.rules.sides) == 2
        for seat, level in self.levels.items():
            if deal.discarded[seat] is not None:
                continue
            side, hand = self.rules.side_of(seat), deal.hands[seat]
            fronts, own = [pegs.front for pegs in p.pegs], side == self.rules.side_of(deal.dealer)
            if level is None:
                given = cards_without_level.choose_discard(hand, own_crib=own, rules=self.rules)
            else:
                scores = (fronts[side], fronts[1 - side]) if two else None
                rng = self._rng(number, seat, "discard")
                given = choose_discard(level, hand, self.rules, is_own_crib=own, scores=scores, rng=rng)
            deal = deal.with_discard(seat, given)
        return deal

    def next_action(self, p: Position, log: tuple[Event, ...], deal: Deal | None) -> Action | BesideBoard | None:
        """Return the first wanted act that the game allows, or None.

        `deal` is None before the cards are dealt."""
        for action in self._wanted(p, log, deal):
            if isinstance(action, BesideBoard):
                return action
            try:
                rule(p, action)
            except IllegalAction:
                continue
            return action
        return None

    def _wanted(self, p: Position, log: tuple[Event, ...], deal: Deal | None) -> Iterator[Action | BesideBoard]:
        """Yield the acts that the robots want, the first choice first."""
        if p.question is not None:
            yield from (actions.Agree(side) for side in self.sides if side not in p.answered)
            return
        if p.awaits_false_go_answer and p.false_go is not None:
            others = [side for side in self.sides if side != self.rules.side_of(p.false_go.seat)]
            if p.cards_left(p.false_go.seat) > 1 and self._habits.lets_lie_dead(p):
                yield from map(actions.LetLieDead, others)
            yield from map(actions.Agree, others)
            return
        if p.phase is Phase.WON:
            if all(side in p.agreed for side in self.rules.sides if side not in self.sides):
                yield from (actions.AcceptResult(side) for side in self.sides if side not in p.agreed)
            return
        if p.open_challenge is not None:
            if p.open_challenge.by in self.sides:
                yield from self._go_on_with_challenge(p, p.open_challenge)
            return
        if p.way is Way.TRUST:
            yield from self._on_trust(p, deal)
            return
        yield from self._answers(p, deal)
        yield from self._claims(p)
        yield from self._acts(p, log, deal)
        yield from map(actions.ReleasePeg, self.sides)

    # What others call

    def _answers(self, p: Position, deal: Deal | None) -> Iterator[Action]:
        """Yield the robots' answers to calls, and their challenges."""
        claim = p.claim
        for side in sides_to_answer_first(p):
            if side in self.sides and (not due(p, side, play_windows(p, side)) or self.call_of(p, side) is None):
                yield actions.Accept(side)
        if claim is not None:
            whose = acceptor(p)
            answering = [side for side in self.sides if side != claim.side and whose in (None, side)]
            if claim.state is PegState.IN_HAND:
                if claim.timing is Timing.LATE:
                    yield from map(actions.Accept, answering)
            else:
                yield from self._challenges(p, answering)
                needs_ok = p.game_claimed == claim.side or (p.way is Way.VERIFY and is_count(p))
                if needs_ok or waits_for_answer(p, claim.side):
                    yield from self._calls_before_acceptance(p, deal)
                    yield from map(actions.Accept, answering)
                return
        if p.phase is Phase.PLAY or p.phase is Phase.SHOW:
            yield from self._challenges(p, [side for side in self.sides if claim is None or claim.side != side])

    def _calls_before_acceptance(self, p: Position, deal: Deal | None) -> Iterator[Action]:
        """Yield a call of the next hand before the last one is accepted.

        The habits decide this. The new call also accepts the call that waits (rules reference, 7.2)."""
        for side in self.sides:
            if (
                deal is not None
                and p.game_claimed is None
                and counts_next(p, side)
                and self._habits.calls_before_acceptance(p)
            ):
                hand = score_show(deal.kept(next_count(p)), deal.starter, rules=self.rules)
                moves = [tuple(made.points for made in hand.combinations)]
                if points := called_points(self.rules, p.pegs[side].front, moves):
                    yield actions.TakePegInHand(side, min(points, p.left_to_go(side)))

    def _challenges(self, p: Position, sides: list[int]) -> Iterator[Action]:
        for side in sides:
            if (self._sees(p, side) and self._has_cause(p, side)) or self._habits.doubts(p, side):
                yield actions.Challenge(side)

    def _has_cause(self, p: Position, side: int) -> bool:
        """Whether this side sees a wrong call in a silent game.

        The call may be too high or, with muggins, too low. A call that nobody can answer any more is let be. Where the
        board is not silent it has judged a call when its peg was released."""
        if not p.silent:
            return False
        too_much = p.claim is not None and p.claim.side != side and _is_too_much(p, p.claim.side)
        if muggins.is_played(p):
            return muggins.may_challenge(p, side) and (too_much or _missed(p, side) > 0)
        return too_much

    def _go_on_with_challenge(self, p: Position, challenge: OpenChallenge) -> Iterator[Action]:
        """Yield the next acts of the robot that challenged."""
        if challenge.points is not None:
            yield actions.ReleasePeg(challenge.by)
            return
        if self._habits.withdraws(p):
            yield actions.Challenge(challenge.by)
        missed = _missed(p, challenge.by)
        if missed or not _is_too_much(p, challenge.against):
            missed = self._habits.named(p, missed)
        if missed:
            yield actions.TakePegInHand(challenge.by, min(missed, p.left_to_go(challenge.by)))
        else:
            yield actions.Accept(challenge.by)
            yield actions.Challenge(challenge.by)

    def _sees(self, p: Position, side: int) -> bool:
        """Whether a robot of this side would notice a wrong call.

        A robot notices more at a higher level. The result stays the same for the same call."""
        since = p.claim.since if p.claim is not None else len(p.scores)
        best = max(_SEES[self.levels[seat]] for seat in self.levels if self.rules.side_of(seat) == side)
        return self._rng(p.deal, side, "sees", since).random() < best

    # What robots call

    def _claims(self, p: Position) -> Iterator[Action]:
        if p.way is not Way.VERIFY or p.phase not in (Phase.DEAL, Phase.PLAY, Phase.SHOW):
            return
        for side in sorted(self.rules.sides, key=lambda side: _place_in_calls(p, side)):
            yield from self._calls_of(p, side)
        for side in self.sides:
            if points := self._habits.late_call(p, side):
                yield actions.TakePegInHand(side, points)

    def _calls_of(self, p: Position, side: int) -> Iterator[Action]:
        """Yield the acts by which this side's robots call points.

        A robot releases no peg that a person beside it has lifted for another number."""
        claim, points = p.claim, self.call_of(p, side)
        if claim is not None and claim.side == side and claim.state is PegState.IN_HAND:
            own = side in self.sides or claim.points == points
            if side in self.sides and claim.doubt is not Doubt.NONE:
                yield actions.TakePegInHand(side, points) if points else actions.ReleasePeg(side)
            in_time = claim.doubt is Doubt.NONE and claim.timing is Timing.IN_TIME
            if own and in_time and not self._habits.leaves_peg(p, side):
                yield actions.ReleasePeg(side)
            return
        if strange := self._habits.strange_call(p, side):
            yield actions.TakePegInHand(side, strange)
        if points is not None and not waits_for_answer(p, side):
            if not points and self._habits.says_19(p, side):
                yield actions.TakePegInHand(side, NINETEEN)
            yield actions.TakePegInHand(side, points) if points else actions.TakeZero(side)

    def call_of(self, p: Position, side: int) -> int | None:
        """Return the points that this side's robots call now.

        0 is the call for a hand or crib without points; None is no call."""
        right = self.right_call(p, side)
        return self._habits.call(p, side, p.unclaimed(side), right) if p.open_windows else right

    def right_call(self, p: Position, side: int) -> int | None:
        """Return the points that this side's robots should call now.

        0 is for a hand or crib without points; None is no call.

        They call what their own cards make. What a person beside them has not called of the play is called with it, or
        before it, only where the board would take the press for that (rules reference, 3.25).
        """
        windows = p.unclaimed(side) if p.open_windows else ()
        own = [window for window in windows if window.seat in self.levels]
        of_play = due(p, side, [window for window in windows if window.occasion not in OF_SHOW])
        if due(p, side, [window for window in own if window.occasion not in OF_SHOW]):
            return of_play
        count = [window for window in own if window.occasion in OF_SHOW]
        if not count:
            return None
        points = due(p, side, count)
        return of_play if is_for_play(p, side, points) else points

    # On trust

    def _on_trust(self, p: Position, deal: Deal | None) -> Iterator[Action | BesideBoard]:
        """Yield the acts of robots in a trust game."""
        claim = p.claim
        if claim is not None:
            if claim.side in self.sides and claim.state is PegState.IN_HAND:
                yield actions.ReleasePeg(claim.side)
            return
        if p.phase is not Phase.PEGGING or deal is None or not deal.is_ready:
            return
        play = TrustedPlay(self.rules, deal)
        for side, front in (*enumerate(play.pegs(counts=False)), *enumerate(play.pegs())):
            points = min(front - p.pegs[side].front, MOST)
            if points == NINETEEN:  # the board would ask about that, and about more than `MOST` (7.4, 7.20)
                points -= 1
            if side in self.sides and points > 0 and not rule_of_116.bars_single_point(p, side, points):
                yield actions.TakePegInHand(side, points)
                return
        if play.is_over:
            if self.rules.side_of(deal.dealer) in self.sides:
                yield actions.EndDeal(self.rules.side_of(deal.dealer))
        elif play.counting is not None:
            if play.counting[0] in self.levels:
                yield BesideBoard(COUNTED)
        elif (turn := play.position.turn) is not None:
            if turn in self.levels:
                card = self.card(play.position, play.log, deal, turn)
                yield BesideBoard(GO if card is None else str(card))
            elif not any(may_lay(play.position, turn, card) for card in unseen(play.position, deal.kept(turn))):
                yield BesideBoard(GO)  # a person's go is said for him: nobody may keep a card that fits

    # Cards, and what the board asks besides

    def _acts(self, p: Position, log: tuple[Event, ...], deal: Deal | None) -> Iterator[Action]:
        match p.phase:
            case Phase.DEAL | Phase.SHOW if deal is not None and deal.cutter(p) in self.levels:
                yield actions.TurnStarter(deal.starter)
            case Phase.PLAY if deal is not None and p.turn in self.levels:
                assert p.turn is not None
                yield from self._habitual_gos(p, deal, p.turn)
                card = self.card(p, log, deal, p.turn)
                yield actions.SayGo(p.turn) if card is None else actions.LayCard(p.turn, card)
            case Phase.SHOW if p.to_show is not None:
                if p.to_show in self.levels and deal is not None:
                    yield from (actions.ShowCard(p.to_show, card) for card in unseen(p, deal.kept(p.to_show)))
            case Phase.SHOW if waits_for_crib(p):
                if p.dealer in self.levels and deal is not None:
                    yield from (actions.ReadCrib(card) for card in unseen(p, deal.crib))
            case Phase.SHOW if p.way is Way.AUTO and len(self.sides) == len(self.rules.sides):
                yield actions.OpenCount(self.sides[0])

    def _habitual_gos(self, p: Position, deal: Deal, turn: int) -> Iterator[Action]:
        habits = self._habits
        asked = [seat for seat in self.rules.seats if p.cards_left(seat) and seat not in p.said_go]
        able = [seat for seat in asked if any(may_lay(p, seat, card) for card in unseen(p, deal.kept(seat)))]
        if (not able and habits.passes_for_all(p)) or (able == [turn] and habits.passes_too_soon(p)):
            yield actions.AllPass(p.stack[-1][0])
        if able and habits.says_false_go(p, turn):
            yield actions.SayGo(turn)

    def card(self, p: Position, log: tuple[Event, ...], deal: Deal, seat: int) -> Card | None:
        """Return the card that this seat's robot lays, or None."""
        hand = unseen(p, deal.kept(seat))
        fitting = [card for card in hand if may_lay(p, seat, card)]
        left = 0 if p.count_over else LIMIT - p.count
        goes_on = [card for card in fitting if may_go_on(p, seat, card) or card.value <= left]
        fitting = goes_on or fitting  # a card that fits the running count may not be kept for the next
        level, rng = self.levels[seat], self._rng(p.deal, seat, len(hand), p.count)
        if fitting and level is None:
            return cards_without_level.choose_card(p, fitting, rng)
        if len(fitting) < 2:
            return next(iter(fitting), None)
        choice = None
        if level is not None and p.starter is not None and not any(p.unread):
            seen = PlayerView(
                rules=self.rules,
                seat=seat,
                dealer=deal.dealer,
                scores=deal.fronts,
                hand=hand,
                discarded=deal.discarded[seat] or (),
                starter=p.starter,
                acts=acts_of(log),
            )
            choice = choose_card(level, seen, rng)
        # After an unread card or a false go, the log and the table are two things: then any card does.
        return choice if choice in fitting else max(fitting, key=lambda card: card.value)

    def _rng(self, *of: object) -> Random:
        """Return the random generator for one choice.

        The same choice always gets the same numbers."""
        return Random(" ".join(map(str, (self._seed, *of))))


def next_count(p: Position) -> int:
    """Return the seat that counts after the present count."""
    return p.show_order()[p.counts_done + 1][0]


def unseen(p: Position, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the `cards` that the board has not seen yet."""
    return tuple(card for card in cards if not p.seen(card))


def _place_in_calls(p: Position, side: int) -> int:
    """Return the sort key for the order in which sides call.

    0: points for a go of an earlier running count are due. 1: other points of the play are due. 2: neither."""
    of_play = play_windows(p, side) if p.open_windows else ()
    if not due(p, side, of_play):
        return 2
    return 0 if any(window.occasion is Occasion.GO and not is_go_of_count(p, window) for window in of_play) else 1


def _is_too_much(p: Position, side: int) -> bool:
    """Whether the open cards show that a call is too high."""
    return any(
        call.called > compare_waiting_call(p, call).due
        for call in unjudged_of(p, side)
        if all(window.verified for window in call.windows)
    )


def _missed(p: Position, side: int) -> int:
    """Return the missed points that this side can claim by muggins."""
    challenged = muggins.challenged_side(p, side)
    others = sorted((other for other in p.rules.sides if other != side), key=lambda other: other != challenged)
    return next((points for other in others if (points := muggins.missed_by(p, other)[0])), 0)
