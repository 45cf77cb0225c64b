"""A bookkeeper who has never seen the board's program: keeps the score of a diary from the rules alone.

Like its arithmetic (`by_the_rules`), its rule sets, its deal, its eyes and its ears (`presets_`, `deal_`, `lights_` and
`calls_by_the_rules`), it imports nothing of the product and must never do so; it was written from the rules reference.
It reads the diary that `cribboard demo --diary` writes: what fingers pressed, which cards the reader saw, what was
said aloud, which lights glowed then. It follows the game by fingers and cards, in trust by the fingers alone, says in
which hole each peg must stand, and notes every difference.

It knows neither UNDO nor the menu, but for the name of the dealer: a diary must do without.

    python -m tests.journey.bookkeeper DIARY
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .by_the_rules import read_card
from .calls_by_the_rules import Entry, check, look_over_shoulders, seat_of
from .deal_by_the_rules import Claim, Cut, Deal, Match
from .lights_by_the_rules import BOARDS, NAMES, Difference, Pegs, Road, see
from .presets_by_the_rules import PRESETS, Opening, RuleSet, read_rules

RELEASED_AFTER = 3


@dataclass
class Bookkeeper:
    """Reads a diary entry by entry. `differences` are sentences; no sentence, no difference.

    `compared` is how often the lights were compared with the pegs, so that nobody is content with none.
    """

    differences: list[str] = field(default_factory=list)
    compared: int = 0
    games: int = 0
    deals: int = 0

    way: str = "verify"
    rules: RuleSet = PRESETS["six-card"]
    road: Road = field(default_factory=lambda: Road(120, 1, 121))
    honest: bool = True
    phase: str = "lobby"  # then cut, starter, play, show, won; in trust: cut, pegging, won
    match: Match = field(default_factory=lambda: Match(PRESETS["six-card"]))
    cut: Cut | None = None
    named: int | None = None
    deal: Deal | None = None
    pegs: list[Pegs] = field(default_factory=list)
    before: list[Pegs] = field(default_factory=list)  # the last card, go or hand
    said: int = 0  # what was called since then
    claim: Claim | None = None
    due: list[list[Opening]] = field(default_factory=list)
    agreed: set[int] = field(default_factory=set)
    feast: int | None = None
    at: int = 0

    def __post_init__(self) -> None:
        self._sit_down()

    def read(self, entry: Entry) -> None:
        """Take one entry of the diary."""
        self.at += 1
        match entry:
            case {"way": way, "board": board, "wrong": wrong}:
                self.way, self.honest, self.rules = way, not wrong, read_rules(entry.get("rules"))
                self.road = Road(*BOARDS[board], target=self.rules.target)
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
                    self._let_go()
            case {"say": "go"} if self.deal is not None:
                self.deal.play.go(seat_of(entry))
            case {"call": _} if self.deal is not None:
                self._called(self.deal, entry)
            case {"deal": dealer}:
                self._expect("dealer", None if self.deal is None else self.deal.dealer, dealer)
            case {"lights": lights}:
                self._lights(lights)
            case {"result": scores, "winner": winner, "skunked": skunked}:
                self._result(scores, winner, skunked=skunked)

    def _sit_down(self) -> None:
        """A match begins."""
        self.match, self.pegs = Match(self.rules), [Pegs() for _ in range(self.rules.teams)]
        self._forget()

    # Fingers (7.1 to 7.5, 7.7, 7.8, 7.11 to 7.14, 7.20)

    def _key(self, key: str, side: int, *, held: bool) -> None:
        match key, self.phase:
            case "ok", "lobby":
                self._begin_game()
            case (("ok" | "menu"), "cut") if self.way == "trust":
                self._name_dealer(key, side)
            case "ok", "won":
                self.agreed.add(side)
                if len(self.agreed) == self.rules.teams:
                    self._final()
            case (("ok" | "challenge"), _) if self.deal is not None:
                self._answer(self.deal, key, side)
            case "go", "play" if self.deal is not None:
                self._go(self.deal, side, held=held)

    def _name_dealer(self, key: str, side: int) -> None:
        """The dealer's own OK. A side of more seats is asked which: MENU steps on, and any OK takes him."""
        if key == "menu":
            self.named = None if self.named is None else self.rules.left_of(self.named)
        elif self.rules.players == self.rules.teams:
            self._begin_deal(side)
        elif self.named is None:
            self.named = side
        else:
            self._begin_deal(self.named)

    def _go(self, deal: Deal, side: int, *, held: bool) -> None:
        """The seat to play says go; held by the side that laid last, three seats or more pass at once."""
        play = deal.play
        if held and self.rules.players > 2 and side == self.rules.side_of(play.last):
            winner = play.all_pass()
        elif side == self.rules.side_of(play.turn):
            winner = play.go(play.turn)
        else:
            return
        if winner is not None:
            self._remember()
            self._brings(self.rules.side_of(winner), [Opening((self.rules.go,))])
            self._perhaps_show(deal)

    def _answer(self, deal: Deal, key: str, side: int) -> None:
        """OK and CHALLENGE let go of a peg and accept a count; OK also says zero, or goes on."""
        claim = self.claim
        if claim is not None:
            self._answer_claim(deal, claim, key, side)
        elif key == "challenge":
            return
        elif self.way == "trust":
            if side == deal.side:
                self._begin_deal(self.rules.left_of(deal.dealer))
        elif self.phase == "show" and self.way == "auto":
            self._next_count(deal)
        elif self.phase == "show" and side == deal.counting_side and deal.full:
            self.claim = Claim(side, self.pegs[side].front, count=True)

    def _answer_claim(self, deal: Deal, claim: Claim, key: str, side: int) -> None:
        if claim.side == side:
            if key == "ok" and claim.in_jest:
                claim.to, claim.in_jest = self.pegs[side].front, False
            elif key == "ok":
                self._let_go()
        elif not claim.count:
            self._let_go()
        elif key == "challenge" or side == deal.accepting_side:
            self._accept(deal)

    def _accept(self, deal: Deal) -> None:
        self._let_go()
        if self.phase == "show":
            self._next_count(deal)

    def _hole(self, side: int, hole: int) -> None:
        """A press takes the peg in hand, moves it or lets go of it; and of another side's."""
        if self.deal is None or self.way == "auto" or self.phase not in ("play", "show", "pegging"):
            return
        to = self.road.place(self.pegs[side].front, hole) if side < self.rules.teams else None
        if to is None or self.rules.bars(self.pegs[side].front, to):
            return
        if self.claim is not None and self.claim.side != side:
            if not self.claim.count:
                self._let_go()
            elif self.rules.verify_ack or side != self.deal.accepting_side:
                return
            else:
                self._accept(self.deal)
        if self.phase in ("starter", "won") or (self.claim is not None and self.claim.released):
            return
        if self.claim is not None and self.claim.to == to and not self.claim.in_jest:
            self._let_go()
        elif self.claim is not None:
            self._move_claim(self.deal, self.claim, to)
        elif self.phase != "show" or self._waits(side):
            self.claim = Claim(side, to)
        elif side == self.deal.counting_side and self.deal.full:
            self._move_claim(self.deal, Claim(side, self.pegs[side].front, count=True), to)

    def _waits(self, side: int) -> bool:
        """Something of the play may still be claimed. A void point is not kept (3.1)."""
        return self.rules.due(self.due[side], self.pegs[side].front) > 0

    def _move_claim(self, deal: Deal, claim: Claim, to: int) -> None:
        """A count that no cards can have is refused; 19 asks whether it is a zero (7.4)."""
        points = to - self.pegs[claim.side].front
        if claim.count and to < self.rules.target:
            if self.rules.impossible(points, crib=deal.at_crib):
                return
            claim.in_jest = points == 19
        self.claim, claim.to = claim, to

    def _let_go(self) -> None:
        """From here the peg stands: too many is set to the truth, too few stands (section 4, 7.1, 7.21)."""
        claim = self.claim
        if claim is None:
            return
        if not claim.released:
            claimed = 0 if claim.in_jest else claim.to - self.pegs[claim.side].front
            claim.released = True
            self._peg(claim.side, claimed if self.way == "trust" else min(claimed, self._due(claim, claimed)))
        if not claim.count or self.phase == "won":
            self.claim = None

    def _due(self, claim: Claim, claimed: int) -> int:
        """What is due when a peg is let go. Each opening is a score of its own: a claim of no more leaves the next."""
        at = self.pegs[claim.side].front
        if claim.count and self.deal is not None:
            return self.rules.worth(self.deal.due, at)
        due, waiting = 0, self.due[claim.side]
        while waiting and due < claimed:
            due += self.rules.due([waiting.pop(0)], at + due)
        return due

    def _peg(self, side: int, points: int) -> None:
        self.pegs[side].move(points, target=self.rules.target)
        if self.pegs[side].front == self.rules.target:
            self.phase, self.feast = "won", side

    # The game (1.9 to 1.12, 1.28, 1.29, 1.31, 7.8 to 7.12)

    def _begin_game(self) -> None:
        self.games += 1
        if self.match.is_over:
            self._sit_down()
        self.phase, self.deal, self.named, self.match.first_dealer = "cut", None, None, None
        self.cut, self.pegs = Cut(self.rules), [Pegs() for _ in self.pegs]
        if self.match.next_dealer is not None:
            self._begin_deal(self.match.next_dealer)

    def _begin_deal(self, dealer: int) -> None:
        self.deals += 1
        self.deal = Deal(self.rules, dealer)
        self.phase = "pegging" if self.way == "trust" else "starter"
        self._forget()
        if self.match.first_dealer is None:
            self.match.first_dealer = dealer
            self.pegs[self.rules.side_of(self.deal.play.turn)].move(self.rules.three_for_last, target=self.rules.target)

    def _forget(self) -> None:
        """Whatever was due and not claimed is lost."""
        self.due = [[] for _ in self.pegs]

    def _card(self, card: str) -> None:
        """The reader saw a card: a cut, the starter, one laid, one left in a hand, or one of the crib."""
        if self.phase == "cut" and self.cut is not None:
            dealer = self.cut.cut(card)
            if dealer is not None:
                self._begin_deal(dealer)
        elif self.deal is None or self.deal.seen(card):
            return
        elif self.phase == "starter":
            self.phase = "play"
            self._remember()
            self._brings(self.deal.side, self.deal.turn_up(card))
        elif self.phase == "play":
            self._lay(self.deal, card)
        elif self.phase == "show" and not self.deal.full:
            self.deal.counting = max(0, self.deal.counting)
            self.deal.add(card)
            self._open_count(self.deal)

    def _lay(self, deal: Deal, card: str) -> None:
        self._let_go()
        if self.phase == "won":
            return
        seat = deal.play.turn
        brought = deal.lay(card)
        if brought is None:
            return
        if brought.resumed and self.way == "auto":
            self.pegs = self.before
        self._remember()
        heels = [] if deal.play.laid[deal.dealer] else [due for due in self.due[deal.side] if due.heels]
        self._forget()
        self.due[deal.side].extend(heels)
        self._brings(self.rules.side_of(seat), brought.openings(self.rules))
        self._perhaps_show(deal)

    def _remember(self) -> None:
        """Where the pegs stand before a card, a go or a hand counts."""
        self.before, self.said = [Pegs(pegs.front, pegs.back) for pegs in self.pegs], 0

    def _perhaps_show(self, deal: Deal) -> None:
        if deal.play.over() and self.phase == "play":
            self.phase = "show"
            deal.counting = -1 if self.way == "auto" else 0  # on auto an OK opens the first count, too

    def _brings(self, side: int, openings: Sequence[Opening]) -> None:
        """On auto the board pegs each score by itself; else they wait to be claimed."""
        if self.way == "verify":
            self.due[side].extend(openings)
            return
        for opening in openings:
            if self.phase != "won":
                self._peg(side, self.rules.worth(opening, self.pegs[side].front))

    def _open_count(self, deal: Deal) -> None:
        if self.way == "auto" and deal.full:
            self._remember()
            self._peg(deal.counting_side, self.rules.worth(deal.due, self.pegs[deal.counting_side].front))

    def _next_count(self, deal: Deal) -> None:
        if deal.counting >= 0 and not deal.full:
            return
        self.claim = None
        self._forget()
        if deal.at_crib:
            self._begin_deal(self.rules.left_of(deal.dealer))
            return
        deal.counting += 1
        self._open_count(deal)

    # What was said, told and shown

    def _called(self, deal: Deal, entry: Entry) -> None:
        """What robots call when they are told to call right is what the cards are worth where their side stands."""
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

    def _final(self) -> None:
        """All sides agree: the game counts."""
        self.match.end_game([pegs.front for pegs in self.pegs])
        self.phase, self.agreed = "lobby", set()

    def _lights(self, lights: Sequence[Mapping[str, int]]) -> None:
        """A track that no side plays on is dark; on the others stand pegs. A track that feasts its winner is let be."""
        for track, glow in enumerate(lights):
            if track >= self.rules.teams:
                self._expect(f"lights of a track without a side ({NAMES[track]})", {}, dict(glow))
            elif self.feast != track:
                self.compared += 1
                pegs, claim = self.pegs[track], self.claim
                held = claim.to if claim is not None and claim.side == track and not claim.released else None
                where = f" of {NAMES[track]} at {pegs.front} and {pegs.back}"
                self._expect_all(see(glow, self.road, pegs, held=held, lamps=self._lamps(track)), where=where)

    def _lamps(self, side: int) -> set[str]:
        """The lamps of the games won, of the dealer's side and of the second lap."""
        lamps = self.match.lamps(side)
        if self.deal is not None and self.deal.side == side:
            lamps.add("dealer")
        if self.road.on_second_lap(self.pegs[side].front):
            lamps.add("lap")
        return lamps

    def _expect_all(self, differences: Iterable[Difference], *, where: str = "") -> None:
        for what, mine, theirs in differences:
            self._expect(what + where, mine, theirs)

    def _expect(self, what: str, mine: object, theirs: object) -> None:
        if mine != theirs:
            self.differences.append(f"entry {self.at}: {what}: {mine} by the rules, {theirs} in the diary")


def audit(diary: Iterable[Entry]) -> Bookkeeper:
    """Read a whole diary."""
    keeper = Bookkeeper()
    for entry in diary:
        keeper.read(entry)
    return keeper


def main(paths: Sequence[str]) -> int:
    """Audit diaries, and print what was found; 1 if there was any difference."""
    found = 0
    for path in paths:
        with open(path, encoding="utf-8") as pages:
            keeper = audit(map(json.loads, pages))
        found += len(keeper.differences)
        print(f"{path}: {keeper.games} games, {keeper.deals} deals, tracks compared {keeper.compared} times")
        print(*keeper.differences[:20], f"{len(keeper.differences)} differences", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
