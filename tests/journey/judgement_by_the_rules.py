"""How a called score is judged, read from the rules alone: what is pegged and when, and who is right.

It imports nothing of the product, and must never do so: it was written from sections 4 and 7 of the rules reference.
It knows no cards. The bookkeeper tells it what these bring and what fingers do; a score is named by where it leads.

A table that is **told** hears the truth when a peg is let go: too many is set to it at once. A table that is **silent**
(`RuleSet.silent`) hears nothing before a claim is closed, and what was called stands until somebody doubts it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from .claims_by_the_rules import Claim, Count, Memory, Verdict
from .lights_by_the_rules import Pegs
from .presets_by_the_rules import Opening, RuleSet

JEST = 19


@dataclass
class Judge:
    """Follows claims from the first press to the verdict. In trust it believes what is called.

    `due` is what each side may claim in the play. `claim` is the peg in hand, or the count that was let go; `let_go`
    what was let go in the play and is not closed. `asks` is the side that pressed CHALLENGE and is asked what is wrong,
    `call` its peg in hand for what the other missed. `closed` is told when a count is.
    """

    rules: RuleSet
    trusting: bool = False
    closed: Callable[[], None] = lambda: None
    pegs: list[Pegs] = field(init=False)
    due: list[list[Opening]] = field(init=False)
    forgotten: list[list[Opening]] = field(init=False)
    claim: Claim | None = None
    let_go: list[Claim] = field(default_factory=list)
    asks: int | None = None
    call: Claim | None = None
    count: Count | None = None
    last: int | None = None  # the side whose card, go or starter it is
    unclaimed: int | None = None  # the same, as long as nothing was let go for a card or a go
    laid: set[int] = field(default_factory=set)  # sides whose turn has gone by, so that a press of theirs is late
    verdicts: list[Verdict] = field(default_factory=list)
    winner: int | None = None

    def __post_init__(self) -> None:
        self.pegs = [Pegs() for _ in range(self.rules.teams)]
        self.begin_deal()

    @property
    def silent(self) -> bool:
        return self.rules.silent and not self.trusting

    @property
    def muggins(self) -> bool:
        return self.rules.muggins and not self.trusting

    @property
    def game_claim(self) -> Claim | None:
        """A silent claim that stands at the game hole, and is not won before it is accepted."""
        candidates = [*self.let_go, *([self.claim] if self.claim is not None and self.claim.released else [])]
        at_the_hole = (claim for claim in candidates if self.pegs[claim.side].front == self.rules.target)
        return next(at_the_hole, None) if self.silent else None

    # What cards bring

    def begin_deal(self) -> None:
        """Whatever was due and not claimed is lost."""
        self._close_play()
        self.due = [[] for _ in range(self.rules.teams)]
        self.forgotten = [[] for _ in range(self.rules.teams)]
        self.claim = self.call = self.asks = self.count = self.last = self.unclaimed = None
        self.laid = set()

    def brings(self, side: int, openings: Sequence[Opening]) -> None:
        """A side may claim these."""
        self.due[side].extend(openings)
        self.last = side
        self.unclaimed = None if any(each.heels for each in openings) else side

    def next_card(self, *, leads: bool, dealers_own: bool) -> None:
        """A card is laid: it lets go, accepts, and closes what was not claimed (7.1, 7.2, section 4).

        `leads`: it begins a count. `dealers_own`: with it the time for heels is over (6.3 of the ACC, A36).
        """
        self.card_shown()
        if self.winner is not None:
            return
        for side, openings in enumerate(self.due):
            over = [each for each in openings if dealers_own or not each.heels]
            self.due[side] = [each for each in openings if each not in over]
            if self.muggins:
                self._never_claimed(side, over)
            elif leads:
                self.forgotten[side] = []
            else:
                lost = self.rules.heels_timing == "before_dealer_plays"
                self.forgotten[side] += [each for each in over if not (each.heels and lost)]
        if self.last is not None:
            self.laid.add(self.last)
        self.last = self.unclaimed = None

    def card_shown(self) -> None:
        """A card for the stack lets go and accepts, whatever becomes of it."""
        self._let_go_call()
        self._let_go(by_card=True)
        if self.winner is None:
            self.asks = None
            for claim in self.let_go:
                claim.covered = True
            if not self.muggins:
                self._close_play()

    def remember(self) -> Memory:
        """How claims stand, so that play may come back to here."""
        claims = self.due, self.forgotten, self.let_go, self.laid
        return Memory(deepcopy(self.pegs), deepcopy(claims), self.last, self.unclaimed)

    def recall(self, then: Memory) -> None:
        """What was pegged and claimed since comes back. What was said of it stays said."""
        self.pegs, self.last, self.unclaimed = deepcopy(then.pegs), then.last, then.unclaimed
        self.due, self.forgotten, self.let_go, self.laid = deepcopy(then.claims)
        self.claim = self.call = self.asks = self.count = None

    def _never_claimed(self, side: int, openings: Sequence[Opening]) -> None:
        """With the next card the window of the others opens, whether or not anything was missed."""
        wanted = [each for each in openings if self.rules.muggins_on_heels or not each.heels]
        due = self._worth(wanted, self.pegs[side].front)
        if due or side == self.unclaimed:
            self.let_go.append(Claim(side, 0, never=True, covered=True, due=due))

    def open_count(self, count: Count) -> None:
        """A hand or the crib is counted now, or another of its cards is known."""
        self.count = count

    def _end_count(self) -> None:
        self.count = self.claim = None
        self.due = [[] for _ in self.due]
        if self.winner is None:
            self.closed()

    def award(self, side: int, points: int) -> None:
        """These points are settled. The game hole wins."""
        self.pegs[side].move(points, target=self.rules.target)
        if self.pegs[side].front == self.rules.target:
            self._win(side)

    def _win(self, side: int) -> None:
        """The game is over, and whatever lies open is closed with it."""
        self.winner = side
        self._close_play()

    def held(self, side: int) -> int | None:
        """The score at which this side holds a peg in hand."""
        claim = self.claim if self.call is None or self.call.side != side else self.call
        return claim.to if claim is not None and claim.side == side and not claim.released else None

    # Fingers (7.1 to 7.5)

    def press(self, side: int, to: int) -> None:
        """A hole of a side's own track, as the score to which it leads."""
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
        if claim is not None and claim.side != side:
            if not self._gives_way(claim, side):
                if self.claim is claim and self.winner is None:
                    self.verdicts.append(Verdict("out-of-turn", side, points))
                return
            claim = self.claim
        if claim is not None and claim.released:
            return
        if claim is not None and claim.to == to and not claim.in_jest:
            if not claim.late:
                self._let_go()
        elif claim is not None:
            self._move(claim, to)
        else:
            self._take(side, to)

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
        if self.count is None or self._waits(side):
            if self.trusting or self.last == side or self.due[side]:
                if not self.muggins:  # the pegs that showed the last claim are lifted
                    self._close_play(side)
                self.claim = Claim(side, to)
            elif self.rules.may_be_late and self.forgotten[side]:
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

    def _waits(self, side: int) -> bool:
        """Something of the play may still be claimed at the show. A void point is not kept (3.1)."""
        return self._worth(self.due[side], self.pegs[side].front) > 0

    def _move(self, claim: Claim, to: int) -> None:
        """A count that no cards can have is refused; 19 asks whether it is a zero (7.4)."""
        points = to - self.pegs[claim.side].front
        if claim.count and to < self.rules.target:
            crib = self.count is not None and self.count.crib
            if self.rules.impossible(points, crib=crib):
                self.verdicts.append(Verdict("impossible", claim.side, points))
                return
            claim.in_jest = points == JEST
        self.claim, claim.to = claim, to

    def time_is_up(self) -> None:
        """Where the table trusts, a peg is let go by itself (7.1)."""
        self._let_go()

    def ok(self, side: int) -> None:
        """OK lets go, agrees or accepts; one's own with no peg in hand says zero, or "too many" after CHALLENGE."""
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

    def waits_for_answer(self, side: int) -> bool:
        """No card follows the last one, and nobody accepts his own claim by counting his hand (7.2)."""
        return self.silent and any(claim.side == side and not claim.covered for claim in self.let_go)

    def _accept_last_card(self, by: int) -> None:
        """At the show the other side's OK closes what no card accepts."""
        for claim in [claim for claim in self.let_go if claim.side != by and not claim.covered]:
            self._done_with(claim)
            self._close(claim)

    def _ok_to_hand(self, claim: Claim, side: int) -> None:
        own = claim.side == side
        if (own and not claim.late) or (not own and not claim.count):
            self._let_go()
            if not own and self.game_claim is not None:
                self._accept()
        elif claim.count and self.count is not None and side == self.count.accepting:
            self._accept()

    def challenge(self, side: int) -> None:
        """CHALLENGE says that it is too much; with muggins on it asks first what is wrong (7.3)."""
        claim = self.claim
        if self.winner is not None:
            return
        if self.asks == side:
            self.asks = self.call = None
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

    # Letting go (7.1, section 4)

    def _let_go(self, *, by_card: bool = False) -> None:
        """The peg stands from here. Told: too many is set to the truth, too few stands. Silent: it stands as called."""
        claim = self.claim
        if claim is None or claim.released:
            return
        if claim.late and by_card:
            self.claim = None
            return
        pegs = self.pegs[claim.side]
        claim.released, claim.before = True, replace(pegs)
        claim.called = 0 if claim.in_jest else claim.to - pegs.front
        if self.trusting:
            claim.due = claim.called
        elif claim.count:
            assert self.count is not None
            assert self.count.due is not None
            claim.due = self._worth([self.count.due], pegs.front)
        else:
            claim.due = self._due_in_play(claim, pegs.front)
        if not claim.count:
            self.claim = None
            self.unclaimed = None if self.unclaimed == claim.side else self.unclaimed
        if not self.silent:
            self.award(claim.side, min(claim.called, claim.due))
            self._say(claim)
            return
        if self.muggins:
            self._close_play(None if claim.count else claim.side)
        pegs.move(claim.called, target=self.rules.target)
        if not claim.count:
            self.let_go.append(claim)

    def _due_in_play(self, claim: Claim, at: int) -> int:
        """Silent, one claim is for all that is open. Told, a claim of no more than one opening leaves the next."""
        waiting = self.forgotten[claim.side] if claim.late else self.due[claim.side]
        taken: list[Opening] = []
        while waiting and (self.silent or self._worth(taken, at) < claim.called):
            taken.append(waiting.pop(0))
        return self._worth(taken, at)

    def _worth(self, openings: Sequence[Opening], at: int) -> int:
        """What is due, and no more than the holes that are left: who has enough to win has called right."""
        return min(self.rules.due(openings, at), self.rules.target - at)

    # Closing (7.2, 7.3)

    def _accept(self) -> None:
        """What lies open stands, whatever was due."""
        self._let_go()
        if self.game_claim is not None:
            self._close_play(self.game_claim.side)
        self._accept_play()
        claim = self.claim
        if claim is not None and claim.count and self.winner is None:
            self._close(claim)
            self._end_count()

    def _accept_play(self) -> None:
        """With muggins on it waits for the first hand to be pegged, or for the end of the game."""
        if not self.muggins or self.winner is not None:
            self._close_play()

    def _close_play(self, side: int | None = None) -> None:
        """What was let go in the play is closed: of a side, or of all."""
        closing = [claim for claim in self.let_go if side is None or claim.side == side]
        self.let_go = [claim for claim in self.let_go if claim not in closing]
        for claim in closing:
            self._close(claim)

    def _close(self, claim: Claim) -> None:
        if self.silent and not claim.never:
            self._say(claim)
            if self.pegs[claim.side].front == self.rules.target:
                self._win(claim.side)

    def _say(self, claim: Claim) -> None:
        if not self.trusting:
            what = self.count.what if claim.count and self.count is not None else "play"
            self.verdicts.append(Verdict(_compared(claim.called, claim.due), claim.side, claim.called, claim.due, what))

    # Doubting (7.3, section 4)

    def _doubted(self, side: int) -> list[Claim]:
        """What this side may doubt: the count that was let go, else what is open of the play. Oldest first."""
        if self.claim is not None and self.claim.count and self.claim.released:
            return [self.claim] if self.claim.side != side else []
        return [claim for claim in self.let_go if claim.side != side]

    def _too_many(self, side: int) -> None:
        """Judged at once: back to the truth, the excess as the rules have it, and fifteen back for a false game."""
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
        """The lesser of called and missed, within the holes left; of nothing missed the rules say who has what."""
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

    def _done_with(self, claim: Claim) -> None:
        if claim is self.claim:
            self.claim = None
        else:
            self.let_go = [other for other in self.let_go if other is not claim]


def _compared(called: int, due: int) -> str:
    return "exact" if called == due else "too-many" if called > due else "too-few"


def _of_muggins(called: int, missed: int) -> str:
    return _compared(called, missed) if missed else "nothing-missed"
