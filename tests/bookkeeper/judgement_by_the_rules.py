"""Judges a called score from the rules alone: who may press, who may challenge, and who is right.

It must never import anything of the product; it was written from sections 4 and 7 of the rules reference. It
knows no cards: the bookkeeper tells it what they bring and what is pressed. A score is named by the hole it leads to.
`pegging_by_the_rules` has what is pegged and closed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.bookkeeper.claims_by_the_rules import Claim, Memory, Verdict
from tests.bookkeeper.pegging_by_the_rules import Pegging, compared

JEST = 19
SLIP = 2


@dataclass
class Judge(Pegging):
    """Follows claims from the first press to the verdict. `asks` is the side that pressed CHALLENGE and must say what
    is wrong; `call` is its peg in hand for what the other side missed."""

    asks: int | None = None
    call: Claim | None = None

    def held(self, side: int) -> int | None:
        """The score at which this side holds a peg in hand."""
        claim = self.claim if self.call is None or self.call.side != side else self.call
        return claim.to if claim is not None and claim.side == side and not claim.released else None

    # What cards bring

    def begin_deal(self) -> None:
        """No side is asked any more."""
        super().begin_deal()
        self.call = self.asks = None

    def next_card(self, *, leads: bool, dealers_own: bool) -> None:
        """A card is laid: it lets go, accepts, and closes what was not claimed (7.1, 7.2, section 4). `leads`: it
        begins a count. `dealers_own`: it ends the time for heels (ACC 6.3, A36)."""
        self.card_shown()
        if self.winner is not None:
            return
        for side, openings in enumerate(self.due):
            over = [opening for opening in openings if dealers_own or not opening.heels]
            self.due[side] = [opening for opening in openings if opening not in over]
            if self.muggins:
                self._never_claimed(side, over)
            else:
                lost = self.rules.heels_timing == "before_dealer_plays"
                late = [each for each in over if not (each.heels and lost)]
                self.forgotten[side] = late if leads else [*self.forgotten[side], *late]
        if self.last is not None:
            self.laid.add(self.last)
        self.last = self.unclaimed = None

    def card_shown(self) -> None:
        """A card for the stack lets go and accepts, even if it is then refused."""
        self._let_go_call()
        self._let_go(by_card=True)
        if self.winner is None:
            self.asks = None
            for claim in self.let_go:
                claim.covered = True
            if not self.muggins:
                self._close_play()

    def recall(self, then: Memory) -> None:
        """No side is asked any more, either."""
        super().recall(then)
        self.call = self.asks = None

    # Fingers (7.1 to 7.5)

    def press(self, side: int, to: int) -> None:
        """A press on a side's own track, as the score to which it leads."""
        points = to - self.pegs[side].front
        if self.winner is not None:
            return
        if self.asks == side:
            self._name_what_was_missed(side, to)
            return
        self._let_go_call()
        if self.rules.bars(self.pegs[side].front, to):
            self.verdicts.append(Verdict("single-point", side, points))
            return
        if self.game_claim is not None:
            return
        claim = self.claim
        if claim is not None and claim.side != side and self._comes_first(claim, side, points):
            self.claim = claim = None
        if self.held_up_by() and claim is not None and claim.side != side:
            return
        if claim is not None and claim.side != side:
            if not self._gives_way(claim, side):
                if self.claim is claim and self.winner is None:
                    self.verdicts.append(Verdict("out-of-turn", side, points))
                return
            claim = self.claim
        if claim is not None and claim.released:
            return
        if claim is not None and claim.to == to and not claim.in_jest:
            if not claim.late and not self.held_up_by():
                self._let_go()
        elif self._is_for_forgotten(side, points):
            self._remember_too_late(side, to)
        elif claim is not None:
            self._move(claim, to)
        else:
            self._take(side, to)

    def _comes_first(self, claim: Claim, side: int, points: int) -> bool:
        """A press for points that come before those of a peg in hand, and would be lost with it: that peg goes back
        (3.24). In trust any press at the game hole does so."""
        at_the_hole = not claim.released and claim.to == self.rules.target
        if self.trusting:
            return at_the_hole
        if side not in self.before_claim() or not (at_the_hole or (self.silent and claim.count)):
            return False
        return not claim.count or points <= self._play_is_worth(side) + self._slip

    @property
    def _slip(self) -> int:
        """In a told game, a little too much for the play still counts as a claim of the play: nobody loses by that."""
        return 0 if self.silent else SLIP

    def _play_is_worth(self, side: int) -> int:
        return self._worth(self.due[side], self.pegs[side].front)

    def _is_for_forgotten(self, side: int, points: int) -> bool:
        """More than the side may claim in time, and no more than it has forgotten in the play (3.25)."""
        if self.trusting or self.count is not None or not self._in_time(side):
            return False
        return self._play_is_worth(side) < points <= self._forgotten_is_worth(side)

    def _in_time(self, side: int) -> bool:
        return bool(self.due[side]) or self.unclaimed == side

    def _forgotten_is_worth(self, side: int) -> int:
        if self.muggins:
            return sum(claim.due for claim in self.let_go if claim.never and claim.side == side)
        return self._worth(self.forgotten[side], self.pegs[side].front)

    def _remember_too_late(self, side: int, to: int) -> None:
        if self.rules.may_be_late:
            self.claim = Claim(side, to, late=True)
        else:
            self.verdicts.append(Verdict("too-late", side, to - self.pegs[side].front))

    def _gives_way(self, claim: Claim, side: int) -> bool:
        """A press of another side lets go, and accepts a count if it is the next (7.1, 7.2)."""
        if not claim.count:
            if not claim.late:
                self._let_go()
            return self.winner is None and self.game_claim is None
        if self.rules.verify_ack or self.count is None or side != self.count.accepting:
            return False
        self._accept()
        return self.winner is None and self.count is not None

    def _take(self, side: int, to: int) -> None:
        """A peg is taken in hand: for the play, as long as something of it may be claimed, else for a count."""
        points = to - self.pegs[side].front
        if self.count is None or (self._waits(side) and not self._is_for_hand(side, points)):
            late = self.rules.may_be_late and bool(self.forgotten[side])
            if self.trusting or self._in_time(side) or (self.last == side and not late):
                if not self.muggins:  # the pegs that showed the last claim are lifted
                    self._close_play(side)
                self.claim = Claim(side, to)
            elif late:
                self.claim = Claim(side, to, late=True)
            else:
                self.verdicts.append(Verdict("too-late" if side in self.laid else "out-of-turn", side, points))
        elif side == self.count.side and self.count.due is not None:
            if self.waits_for_answer(side):
                return
            self._accept_play()
            self._move(Claim(side, self.pegs[side].front, count=True), to)
        else:
            self.verdicts.append(Verdict("out-of-turn", side, points))

    def _is_for_hand(self, side: int, points: int) -> bool:
        """In a silent game a call above all that the play left is for the hand that is counted now (3.25)."""
        own_count = self.count is not None and self.count.side == side and self.count.due is not None
        return self.silent and own_count and points > self._play_is_worth(side)

    def _move(self, claim: Claim, to: int) -> None:
        """A count that no cards can have is refused; 19 asks whether it is a zero (7.4)."""
        points = to - self.pegs[claim.side].front
        claim.late = claim.late and not self._in_time(claim.side)
        if self.silent and self._waits(claim.side) and not claim.in_jest:
            claim.count = self._is_for_hand(claim.side, points)
        if claim.count and to < self.rules.target:
            crib = self.count is not None and self.count.crib
            if self.rules.impossible(points, crib=crib):
                self.verdicts.append(Verdict("impossible", claim.side, points))
                return
            claim.in_jest = points == JEST
        self.claim, claim.to = claim, to

    def time_is_up(self) -> None:
        """In trust, a peg is let go after its time (7.1)."""
        self._let_go()

    def ok(self, side: int) -> None:
        """OK lets go, agrees or accepts. A side's own OK with no peg in hand says zero, or "too many" after
        CHALLENGE."""
        claim = self.claim
        if self.winner is not None:
            return
        if self.call is not None:
            self._let_go_call()
        elif self.asks == side:
            self._too_many(side)
        elif claim is not None and not claim.released:
            self._ok_to_hand(claim, side)
        elif self.game_claim is not None and self.game_claim.side != side:
            self._accept()
        elif claim is not None:
            if self.count is not None and side == self.count.accepting:
                self._accept()
        elif self.count is not None and side == self.count.side and self.count.due is not None:
            for_play = self.silent and self._waits(side)
            if self.waits_for_answer(side):
                return
            if not for_play:
                self._accept_play()
            self.claim = Claim(side, self.pegs[side].front, count=not for_play)
        elif self.count is not None:
            self._accept_last_card(side)

    def _ok_to_hand(self, claim: Claim, side: int) -> None:
        own, waiting = claim.side == side, self.held_up_by()
        if [other for other in waiting if other != side]:
            return
        gives_way = side in waiting and self.count is not None and side != self.count.accepting
        if (own and not claim.late) or (not own and not claim.count) or gives_way:
            self._let_go()
            if not own and self.game_claim is not None:
                self._accept()
        elif claim.count and self.count is not None and side == self.count.accepting:
            self._accept()

    def challenge(self, side: int) -> None:
        """CHALLENGE says that it is too much. With muggins it first asks what is wrong (7.3)."""
        claim = self.claim
        if self.winner is not None:
            return
        if self.asks == side:
            self.asks = self.call = None
            return
        if [other for other in self.held_up_by() if other != side]:
            return
        if claim is not None and not claim.released and claim.side != side and not claim.late:
            self._let_go()
        if not self.silent:
            if self.claim is not None and self.claim.count and self.claim.side != side:
                self._accept()
        elif self.muggins:
            self.asks = side
        else:
            self._too_many(side)

    # Doubting (7.3, section 4)

    def _doubted(self, side: int) -> list[Claim]:
        """What this side may challenge: the count that was let go, else the open claims of the play, the oldest
        first."""
        if self.claim is not None and self.claim.count and self.claim.released:
            return [self.claim] if self.claim.side != side else []
        return [claim for claim in self.let_go if claim.side != side]

    def _too_many(self, side: int) -> None:
        """Judged at once: back to the truth, the excess as the rules say, and fifteen holes back for a false game."""
        claim = next((claim for claim in reversed(self._doubted(side)) if not claim.covered), None)
        self.asks = None
        if claim is None:
            return
        self._done_with(claim)
        if claim.called <= claim.due:
            self._close(claim)
        else:
            self._say(claim)
            self._correct(claim, by=side)
        if claim.count:
            self._end_count()

    def _correct(self, claim: Claim, *, by: int) -> None:
        false_game = self.pegs[claim.side].front == self.rules.target
        self.pegs[claim.side] = claim.before
        claim.before.move(claim.due, target=self.rules.target)
        if self.rules.over_claim == "award_excess":
            self.award(by, claim.called - claim.due)
        if false_game and self.winner is None:
            claim.before.front = max(0, claim.before.front - self.rules.false_game_penalty)
            claim.before.back = min(claim.before.back, claim.before.front)  # of which the rules say nothing

    def _name_what_was_missed(self, side: int, to: int) -> None:
        """The same hole again lets go."""
        if self.call is not None and self.call.to == to:
            self._let_go_call()
        else:
            self.call = Claim(side, to)

    def _let_go_call(self) -> None:
        """The smaller of called and missed, within the holes left. If nothing was missed, the rules say which side gets
        what."""
        call, self.call = self.call, None
        if call is None:
            return
        self.asks = None
        doubted = self._doubted(call.side)
        called, missed = call.to - self.pegs[call.side].front, sum(claim.missed for claim in doubted)
        if not doubted:
            self.verdicts.append(Verdict("too-late", call.side, called, what="muggins"))
            return
        for claim in doubted:
            self._done_with(claim)
            self._close(claim)
        self.verdicts.append(Verdict(_of_muggins(called, missed), call.side, called, missed, "muggins"))
        if self.winner is None and missed:
            self.award(call.side, min(called, missed))
        elif self.winner is None and self.rules.muggins_wrong_call == "reverse":
            self.award(doubted[-1].side, called)
        if doubted[-1].count:
            self._end_count()


def _of_muggins(called: int, missed: int) -> str:
    return compared(called, missed) if missed else "nothing-missed"
