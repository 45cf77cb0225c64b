"""What is pegged and when a claim is closed, from the rules alone.

It must never import anything of the product; it was written from sections 4 and 7 of the rules reference.
`judgement_by_the_rules` has who may press and who may challenge.

A table that is **told** hears the truth when a peg is let go: too many is set to it at once. A table that is **silent**
(`RuleSet.silent`) hears nothing before a claim is closed, and a call stands until somebody challenges it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from tests.bookkeeper.claims_by_the_rules import Claim, Count, Memory, Verdict
from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import Opening, RuleSet


@dataclass
class Pegging:
    """Where the pegs are, and what is open. In trust a call is the truth. `due` is what each side may claim in the
    play. `claim` is the peg in hand, or the count that was let go; `let_go` are claims of the play that were let go and
    are not closed. `closed` is called when a count is closed."""

    rules: RuleSet
    trusting: bool = False
    closed: Callable[[], None] = lambda: None
    pegs: list[Pegs] = field(init=False)
    due: list[list[Opening]] = field(init=False)
    forgotten: list[list[Opening]] = field(init=False)
    claim: Claim | None = None
    let_go: list[Claim] = field(default_factory=list)
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
        """A silent claim at the game hole, which wins only when it is accepted."""
        candidates = [*self.let_go, *([self.claim] if self.claim is not None and self.claim.released else [])]
        at_the_hole = (claim for claim in candidates if self.pegs[claim.side].front == self.rules.target)
        return next(at_the_hole, None) if self.silent else None

    # What may be claimed

    def begin_deal(self) -> None:
        """Whatever was due and not claimed is lost."""
        self._close_play()
        self.due = [[] for _ in range(self.rules.teams)]
        self.forgotten = [[] for _ in range(self.rules.teams)]
        self.claim = self.count = self.last = self.unclaimed = None
        self.laid = set()

    def brings(self, side: int, openings: Sequence[Opening]) -> None:
        """A side may claim these."""
        self.due[side].extend(openings)
        self.last = side
        self.unclaimed = None if any(opening.heels for opening in openings) else side

    def _never_claimed(self, side: int, openings: Sequence[Opening]) -> None:
        """With the next card the others' time for muggins begins, whether or not anything was missed."""
        wanted = [opening for opening in openings if self.rules.muggins_on_heels or not opening.heels]
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

    def _waits(self, side: int) -> bool:
        """Whether points of the play may still be claimed at the show. A void point is not kept (3.1)."""
        return self._worth(self.due[side], self.pegs[side].front) > 0

    def held_up_by(self) -> list[int]:
        """The sides whose points come before those of a peg in hand at the game hole: it waits for their OK (3.24)."""
        claim = self.claim
        wins = claim is not None and claim.to == self.rules.target
        return self.before_claim() if wins else []

    def before_claim(self) -> list[int]:
        """The sides that may still claim points that come before those of the peg in hand: heels, the play in its
        order, then the hands (3.24). In trust the board does not know."""
        claim = self.claim
        if claim is None or claim.released or claim.late or claim.in_jest or self.trusting:
            return []
        others = [side for side in range(self.rules.teams) if side != claim.side]
        return [side for side in others if self._worth(self._before(claim, side), self.pegs[side].front) > 0]

    def _before(self, claim: Claim, side: int) -> list[Opening]:
        if claim.count or claim.side == self.last:
            return self.due[side]
        mine_are_heels = all(each.heels for each in self.due[claim.side])
        return [each for each in self.due[side] if each.heels and not mine_are_heels]

    def waits_for_answer(self, side: int) -> bool:
        """Whether another side must say OK to a claim of the play: no card follows the last one, and no side accepts
        its own claim when it counts its hand (7.2)."""
        return self.silent and any(claim.side == side and not claim.covered for claim in self.let_go)

    def _worth(self, openings: Sequence[Opening], at: int) -> int:
        """What is due, and no more than the holes that are left: a side with enough to win has called right."""
        return min(self.rules.due(openings, at), self.rules.target - at)

    def remember(self) -> Memory:
        """The claims now, so that the play may come back to here."""
        claims = self.due, self.forgotten, self.let_go, self.laid
        return Memory(deepcopy(self.pegs), deepcopy(claims), self.last, self.unclaimed)

    def recall(self, then: Memory) -> None:
        """What was pegged and claimed since comes back. The verdicts stay."""
        self.pegs, self.last, self.unclaimed = deepcopy(then.pegs), then.last, then.unclaimed
        self.due, self.forgotten, self.let_go, self.laid = deepcopy(then.claims)
        self.claim = self.count = None

    # Points that are settled

    def award(self, side: int, points: int) -> None:
        """These points are settled. The game hole wins."""
        self.pegs[side].move(points, target=self.rules.target)
        if self.pegs[side].front == self.rules.target:
            self._win(side)

    def _win(self, side: int) -> None:
        """The game is over, and every open claim is closed with it."""
        self.winner = side
        self._close_play()

    # Letting go (7.1, section 4)

    def _let_go(self, *, by_card: bool = False) -> None:
        """The peg stands. In a told game too many is set to the truth, and too few stands. In a silent game it stands
        as called."""
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
        if claim.count:  # a hand that is let go ends the play for all
            self.due = [[] for _ in self.due]
        else:
            self.forgotten[claim.side] = []
            self.let_go.append(claim)

    def _due_in_play(self, claim: Claim, at: int) -> int:
        """In a silent game one claim is for all that is open. In a told game a claim of no more than one opening leaves
        the next."""
        waiting = self.forgotten[claim.side] if claim.late else self.due[claim.side]
        taken: list[Opening] = []
        while waiting and (self.silent or self._worth(taken, at) < claim.called):
            taken.append(waiting.pop(0))
        if not self.rules.muggins_on_heels:
            claim.spared = self._worth([each for each in taken if each.heels], at)
        return self._worth(taken, at)

    # Closing (7.2, 7.3)

    def _accept(self) -> None:
        """The open claim stands, whatever was due."""
        self._let_go()
        if self.game_claim is not None:
            self._close_play(self.game_claim.side)
        self._accept_play()
        claim = self.claim
        if claim is not None and claim.count and self.winner is None:
            self._close(claim)
            self._end_count()

    def _accept_play(self) -> None:
        """With muggins a claim of the play waits until the first hand is pegged, or the game ends."""
        if not self.muggins or self.winner is not None:
            self._close_play()

    def _accept_last_card(self, by: int) -> None:
        """At the show the other side's OK closes what no card accepts."""
        for claim in [claim for claim in self.let_go if claim.side != by and not claim.covered]:
            self._done_with(claim)
            self._close(claim)

    def _close_play(self, side: int | None = None) -> None:
        """Claims of the play that were let go are closed: of one side, or of all."""
        closing = [claim for claim in self.let_go if side is None or claim.side == side]
        self.let_go = [claim for claim in self.let_go if claim not in closing]
        for claim in closing:
            self._close(claim)

    def _close(self, claim: Claim) -> None:
        if self.silent and not claim.never:
            self._say(claim)
            if self.pegs[claim.side].front == self.rules.target:
                self._win(claim.side)

    def _done_with(self, claim: Claim) -> None:
        if claim is self.claim:
            self.claim = None
        else:
            self.let_go = [other for other in self.let_go if other is not claim]

    def _say(self, claim: Claim) -> None:
        if not self.trusting:
            what = self.count.what if claim.count and self.count is not None else "play"
            self.verdicts.append(Verdict(compared(claim.called, claim.due), claim.side, claim.called, claim.due, what))


def compared(called: int, due: int) -> str:
    """The verdict on a number."""
    return "exact" if called == due else "too-many" if called > due else "too-few"
