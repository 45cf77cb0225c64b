"""Adds up the statistics of each side from a diary, from the rules alone.

It must never import anything of the product; it was written from `docs/statistics.md`. It knows two sides,
no undo and no misdeal, as in the diaries of robots, and only rules that tell the verdict at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.bookkeeper.bookkeeper import Bookkeeper
from tests.bookkeeper.calls_by_the_rules import Entry
from tests.bookkeeper.deal_by_the_rules import Deal
from tests.bookkeeper.presets_by_the_rules import Opening

#: A figure by what it is: ("pone", "hand", "points"), ("games",).
Figures = Counter[tuple[str, ...]]


@dataclass
class Accountant(Bookkeeper):
    """Reads a diary as the bookkeeper does, and adds up: `of` has the figures of each side."""

    of: list[Figures] = field(default_factory=lambda: [Counter(), Counter()])
    role: list[str] = field(default_factory=list)
    began: list[int] = field(default_factory=list)
    made: list[int] = field(default_factory=list)
    unclaimed: list[int] = field(default_factory=list)
    counting: list[tuple[int, str, int]] = field(default_factory=list)
    heard: int = 0

    def read(self, entry: Entry) -> None:
        super().read(entry)
        self._hear_verdicts()

    def _hear_verdicts(self) -> None:
        for verdict in self.judge.verdicts[self.heard :]:
            self.heard += 1
            if verdict.what in ("hand", "crib"):
                counted = next(each for each in self.counting if each[:2] == (verdict.side, verdict.what))
                self.counting.remove(counted)
                self._count(*counted)
                self.of[verdict.side]["left",] += max(0, verdict.due - verdict.called)
            else:
                self.unclaimed[verdict.side] -= min(verdict.called, verdict.due)

    def _begin_game(self) -> None:
        super()._begin_game()
        self.heard = 0

    def _begin_deal(self, dealer: int) -> None:
        self._hear_verdicts()
        if self.role:
            for side, pegs in enumerate(self.pegs):
                self._add(side, "deal", pegs.front - self.began[side])
            self._end_deal()
        super()._begin_deal(dealer)
        self.began = [pegs.front for pegs in self.pegs]
        self.role = ["dealer" if side == self.rules.side_of(dealer) else "pone" for side in (0, 1)]
        self.made, self.unclaimed = [0, 0], [0, 0]

    def _end_deal(self) -> None:
        if self.way != "trust" and self.deal is not None and self.deal.play.over():
            for side, points in enumerate(self.made):
                self._add(side, "play", points)
        if self.way == "verify":
            for side, points in enumerate(self.unclaimed):
                self.of[side]["left",] += points
        self.role, self.counting = [], []

    def _brings(self, side: int, openings: Sequence[Opening]) -> None:
        points = sum(opening.points for opening in openings)
        self.made[side] += points
        self.unclaimed[side] += min(points, self.rules.target - self.pegs[side].front)
        super()._brings(side, openings)

    def _open_count(self, deal: Deal) -> None:
        if deal.counting >= 0 and deal.full:
            counted = deal.counting_side, "crib" if deal.at_crib else "hand", deal.due.points
            if self.way == "verify":
                self.counting.append(counted)
            else:
                self._count(*counted)
        super()._open_count(deal)

    def _count(self, side: int, what: str, points: int) -> None:
        self._add(side, what, points)
        self.of[side]["hands",] += 1
        self.of[side]["big",] += points >= 20

    def _add(self, side: int, what: str, points: int) -> None:
        self.of[side][self.role[side], what, "times"] += 1
        self.of[side][self.role[side], what, "points"] += points

    def _result(self, scores: Sequence[int], winner: int, *, skunked: bool) -> None:
        super()._result(scores, winner, skunked=skunked)
        for side in (0, 1):
            self.of[side]["games",] += 1
            self.of[side]["won",] += side == winner
            self.of[side]["skunked" if side == winner else "taken",] += skunked
            self.unclaimed[side] -= sum(opening.points for opening in self.due[side])  # it could be claimed still
        self._end_deal()


def figures_of(diary: Sequence[Entry]) -> Sequence[Mapping[tuple[str, ...], int]]:
    """The figures of each side, from this diary."""
    accountant = Accountant()
    for entry in diary:
        accountant.read(entry)
    assert accountant.differences == []
    return [+figures for figures in accountant.of]
