"""An independent scorekeeper: reads a diary of a game and says where each peg must stand, from the rules alone.

Like its parts, whose names end in `by_the_rules`, it must never import anything of the product; it was written from the
rules reference. It reads the diary that `cribboard demo --diary` writes: presses, scanned cards, calls, and the lights
after each. `table_by_the_rules` follows the game by presses and cards, and knows in which hole each peg must stand;
here every difference is noted. A diary must do without UNDO, and of the menu it may have only the dealer's name.

It judges every claim. With the journal of the same games it also compares each verdict. A journal holds games only:
diary and journal begin together.

    python -m tests.bookkeeper.bookkeeper DIARY...
    python -m tests.bookkeeper.bookkeeper DIARY --journal JOURNAL
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from tests.bookkeeper.by_the_rules import read_card
from tests.bookkeeper.calls_by_the_rules import Entry, check, look_over_shoulders, seat_of
from tests.bookkeeper.claims_by_the_rules import Verdict
from tests.bookkeeper.deal_by_the_rules import Deal
from tests.bookkeeper.lights_by_the_rules import BOARDS, NAMES, WITHOUT_HOLES, Difference, Road, see
from tests.bookkeeper.presets_by_the_rules import read_rules
from tests.bookkeeper.table_by_the_rules import FollowedTable
from tests.bookkeeper.verdicts_by_the_rules import compare, games_of

RELEASED_AFTER = 3


@dataclass
class Bookkeeper(FollowedTable):
    """Reads a diary entry by entry. `differences` are sentences, and none means that all is right. `compared` is how
    often the lights were compared with the pegs: a test can see that it was not 0."""

    differences: list[str] = field(default_factory=list)
    compared: int = 0
    honest: bool = True
    said: int = 0  # what was called since the last card, go or hand
    feast: int | None = None
    board: str = "continuous"
    at: int = 0

    def read(self, entry: Entry) -> None:
        """Read one entry of the diary."""
        self.at += 1
        match entry:
            case {"way": way, "board": board, "wrong": wrong}:
                self.way, self.honest, self.rules = way, not wrong, read_rules(entry.get("rules"))
                self.road, self.board = Road(*BOARDS[board], target=self.rules.target), board
                self._sit_down()
            case {"scan": text}:
                card = read_card(text)
                if card is not None and self.way != "trust":
                    self._card(card)
            case {"press": side, "holes": [hole]}:
                self._hole(side, hole)
            case {"key": key, "side": side}:
                self._key(key, side, held=bool(entry.get("held")))
            case {"waited": seconds}:
                self.feast = None
                if self.way == "trust" and seconds >= RELEASED_AFTER:  # nothing else closes by time (7.1, 7.2)
                    self.judge.time_is_up()
            case {"say": "go"} if self.deal is not None:
                self.deal.play.go(seat_of(entry))
            case {"call": _} if self.deal is not None:
                self._called(self.deal, entry)
            case {"deal": dealer}:
                self._expect("dealer", None if self.deal is None else self.deal.dealer, dealer)
            case {"lights": lights}:
                self._lights(lights)
            case {"pegs": pegs}:
                self.compared += len(pegs)
                self._expect("pegs", [[peg.front, peg.back] for peg in self.pegs], pegs)
            case {"result": scores, "winner": winner, "skunked": skunked}:
                self._result(scores, winner, skunked=skunked)
        if self.judge.winner is not None and self.phase not in ("lobby", "won"):
            self.phase, self.feast = "won", self.judge.winner

    def _remember(self) -> None:
        super()._remember()
        self.said = 0

    # What was said, told and shown

    def _called(self, deal: Deal, entry: Entry) -> None:
        """Robots that make no mistakes call what the cards are worth at their side's score."""
        side, seat = entry["call"], seat_of(entry)
        self._expect("side of who called", self.rules.side_of(seat), side)
        if seat >= self.rules.players:
            self._expect("seats", self.rules.players, f"one with the number {seat}")
            return
        if self.way == "trust":
            self._expect_all(look_over_shoulders(deal, entry))
        if not self.honest or (self.phase == "won" and self.way != "trust"):
            return
        at = self.pegs[side].front
        if self.claim is not None and self.claim.side == side:
            at = self.claim.to
        elif self.way == "auto" and deal.has_counted(entry["for"], seat):
            at = self.before[side].front + self.said  # the board was faster than the call
            self.said += entry["points"]
        self._expect_all(check(deal, entry, at=at))

    def _result(self, scores: Sequence[int], winner: int, *, skunked: bool) -> None:
        ends = [pegs.front for pegs in self.pegs]
        self._expect("scores", ends, list(scores))
        self._expect("winner", ends.index(self.rules.target) if self.rules.target in ends else None, winner)
        self._expect("skunk", self.rules.skunked(ends), skunked)

    def _lights(self, lights: Sequence[Mapping[str, int]]) -> None:
        """A track without a side is dark; each other track shows its pegs. The track of a winner is not compared while
        its lights run."""
        for track, glow in enumerate(lights):
            if track >= self.rules.teams:
                self._expect(f"lights of a track without a side ({NAMES[track]})", {}, dict(glow))
            elif self.board in WITHOUT_HOLES:
                has = WITHOUT_HOLES[self.board]
                self._expect(f"lamps of {NAMES[track]}", self._lamps(track) & has, set(glow))
            elif self.feast != track:
                self.compared += 1
                pegs, held = self.pegs[track], self.judge.held(track)
                where = f" of {NAMES[track]} at {pegs.front} and {pegs.back}"
                self._expect_all(see(glow, self.road, pegs, held=held, lamps=self._lamps(track)), where=where)

    def _lamps(self, side: int) -> set[str]:
        """The lamps for games won, for the dealer's side and for the second lap."""
        lamps = self.match.lamps(side)
        if self.deal is not None and self.deal.side == side:
            lamps.add("dealer")
        if self.road.on_second_lap(self.pegs[side].front):
            lamps.add("lap")
        return lamps

    def compare_verdicts(self, games: Sequence[Sequence[Verdict]]) -> None:
        """Compare the verdicts with those that the board has recorded, game by game."""
        self._expect_all(compare(self.verdicts, games))

    def _expect_all(self, differences: Iterable[Difference], *, where: str = "") -> None:
        for what, mine, theirs in differences:
            self._expect(what + where, mine, theirs)

    def _expect(self, what: str, mine: object, theirs: object) -> None:
        if mine != theirs:
            self.differences.append(f"entry {self.at}: {what}: {mine} by the rules, {theirs} in the diary")


def audit(diary: Iterable[Entry], journal: Path | None = None) -> Bookkeeper:
    """Read a whole diary, and compare its verdicts with those of the journal."""
    keeper = Bookkeeper()
    for entry in diary:
        keeper.read(entry)
    if journal is not None:
        keeper.compare_verdicts(games_of(journal))
    return keeper


def main(arguments: Sequence[str]) -> int:
    """Audit diaries, and print the differences. Returns 1 if there is any."""
    parser = argparse.ArgumentParser(description="Keep the score of diaries from the rules alone.")
    parser.add_argument("diaries", nargs="+", type=Path, metavar="DIARY")
    parser.add_argument("--journal", type=Path, help="compare every verdict with those of this journal")
    options = parser.parse_args(arguments)
    found = 0
    for path in options.diaries:
        with path.open(encoding="utf-8") as pages:
            keeper = audit(map(json.loads, pages), options.journal)
        found += len(keeper.differences)
        judged = Counter(verdict.kind for verdict in chain.from_iterable(keeper.verdicts))
        print(f"{path}: {keeper.games} games, {keeper.deals} deals, tracks compared {keeper.compared} times")
        print(", ".join(f"{word} {count}" for word, count in judged.most_common()) or "no verdicts")
        print(*keeper.differences[:20], f"{len(keeper.differences)} differences", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
