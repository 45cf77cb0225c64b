"""A bookkeeper who has never seen the board's program: keeps the score of a diary from the rules alone.

Like its arithmetic, it imports nothing of the product and must never do so; it was written from the rules reference,
sections 4 and 7. It reads the diary that `cribboard demo --diary` writes: what fingers pressed, which cards the reader
saw, what was said aloud, which lights glowed then. It follows the game by fingers and cards, in trust by the fingers
alone, says in which hole each peg must stand, and notes every difference.

    python -m tests.journey.bookkeeper DIARY
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .by_the_rules import SIDES, Brought, Play, count_hand, rank, read_card

TARGET = 121
SKUNK_LINE = 90
MATCH = 7
FAR = 29
LAPS = {"continuous": 1, "classic": 2}
NAMES = ("blue", "red")

Entry = Mapping[str, Any]


@dataclass
class Pegs:
    """The two pegs of a side. The back peg is lifted over the front peg (7.1)."""

    front: int = 0
    back: int = 0

    def move(self, points: int) -> None:
        if points:
            self.front, self.back = min(self.front + points, TARGET), self.front


@dataclass
class Claim:
    """A peg in hand, or a count that was let go and is not yet accepted."""

    side: int
    to: int
    count: bool = False
    released: bool = False


@dataclass
class Deal:
    """What has come to light of one deal. `counting` is 0 for the pone's hand, 1 the dealer's, 2 the crib."""

    dealer: int
    starter: str = ""
    crib: list[str] = field(default_factory=list)
    counting: int = 0
    brought: Brought = field(default_factory=Brought)
    play: Play = field(init=False)

    def __post_init__(self) -> None:
        self.play = Play(1 - self.dealer)

    @property
    def counter(self) -> int:
        return self.dealer if self.counting else 1 - self.dealer

    @property
    def cards(self) -> list[str]:
        """Those that are to be counted."""
        return self.crib if self.counting == 2 else self.play.laid[self.counter]

    @property
    def count(self) -> int:
        return count_hand(self.cards, self.starter, crib=self.counting == 2)

    def seen(self, card: str) -> bool:
        return card in (self.starter, *self.crib, *self.play.laid[0], *self.play.laid[1])


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
    laps: int = 1
    honest: bool = True
    phase: str = "lobby"  # then cut, starter, play, show, won; in trust: cut, pegging, won
    next_dealer: int | None = None
    deal: Deal | None = None
    pegs: tuple[Pegs, Pegs] = field(default_factory=lambda: (Pegs(), Pegs()))
    claim: Claim | None = None
    due: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    won: list[int] = field(default_factory=lambda: [0, 0])
    cuts: list[str] = field(default_factory=list)
    agreed: set[int] = field(default_factory=set)
    feast: int | None = None
    at: int = 0

    def read(self, entry: Entry) -> None:
        """Take one entry of the diary."""
        self.at += 1
        match entry:
            case {"way": way, "board": board, "wrong": wrong}:
                self.way, self.laps, self.honest = way, LAPS[board], not wrong
            case {"scan": text}:
                card = read_card(text)
                if card is not None and self.way != "trust":
                    self._card(card)
            case {"press": side, "holes": [hole]}:
                self._hole(side, hole)
            case {"key": key, "side": side}:
                self._key(key, side)
            case {"waited": _}:
                self.feast = None
                self._let_go()
            case {"say": "go", "side": side} if self.deal is not None:
                self.deal.play.go(side)
            case {"call": side, "points": points, "for": reason, **more} if self.deal is not None:
                self._called(self.deal, side, points, reason, more)
            case {"deal": dealer}:
                self._expect("dealer", None if self.deal is None else self.deal.dealer, dealer)
            case {"lights": lights}:
                for side in SIDES:
                    self._lights(side, lights[side])
            case {"result": scores, "winner": winner, "skunked": skunked}:
                self._result(scores, winner, skunked=skunked)

    # Fingers (7.1 to 7.5, 7.11 to 7.14, 7.20)

    def _key(self, key: str, side: int) -> None:
        match key, self.phase:
            case "ok", "lobby":
                self._begin_game()
            case "ok", "cut" if self.way == "trust":
                self._begin_deal(side)
            case "ok", "won":
                self.agreed.add(side)
                if len(self.agreed) == 2:
                    self._final()
            case (("ok" | "challenge"), _) if self.deal is not None:
                self._answer(self.deal, key, side)
            case "go", "play" if self.deal is not None:
                winner = self.deal.play.go(side)
                if winner is not None:
                    self._brings(winner, [1])

    def _answer(self, deal: Deal, key: str, side: int) -> None:
        """OK and CHALLENGE let go of a peg and accept a count; OK also says zero, or goes on."""
        claim = self.claim
        if claim is not None and (key == "ok" or claim.side != side):
            self._let_go()
            if claim.count and claim.side != side and self.phase == "show":
                self._next_count(deal)
        elif claim is not None or key == "challenge":
            return
        elif self.way == "trust":
            if side == deal.dealer:
                self._begin_deal(1 - side)
        elif self.phase == "show" and self.way == "auto":
            self._next_count(deal)
        elif self.phase == "show" and side == deal.counter and len(deal.cards) == 4:
            self.claim = Claim(side, self.pegs[side].front, count=True)

    def _hole(self, side: int, hole: int) -> None:
        """A press takes the peg in hand, moves it or lets go of it; and of the other side's."""
        to = self._place(side, hole)
        if self.deal is None or to is None or self.way == "auto" or self.phase not in ("play", "show", "pegging"):
            return
        if self.claim is not None and self.claim.side != side:
            count = self.claim.count
            self._let_go()
            if count and self.phase == "show":
                self._next_count(self.deal)
        if self.phase == "won" or (self.claim is not None and self.claim.released):
            return
        if self.claim is not None and self.claim.to == to:
            self._let_go()
        elif self.claim is not None:
            self.claim.to = to
        elif self.phase != "show" or self.due[side]:
            self.claim = Claim(side, to)
        elif side == self.deal.counter and len(self.deal.cards) == 4:
            self.claim = Claim(side, to, count=True)

    def _place(self, side: int, hole: int) -> int | None:
        """The score that a hole means: the next hole of that number, 1 to 29 ahead; None if there is none."""
        last = (TARGET - 1) // self.laps
        scores = [TARGET] if hole == last + 1 else [hole + lap * last for lap in range(self.laps)]
        return next((score for score in scores if 1 <= score - self.pegs[side].front <= FAR), None)

    def _let_go(self) -> None:
        """From here the peg stands: too many is set to the truth, too few stands (section 4, 7.1, 7.21)."""
        claim = self.claim
        if claim is None:
            return
        if not claim.released:
            claimed = claim.to - self.pegs[claim.side].front
            claim.released = True
            self._peg(claim.side, claimed if self.way == "trust" else min(claimed, self._due(claim, claimed)))
        if not claim.count or self.phase == "won":
            self.claim = None

    def _due(self, claim: Claim, claimed: int) -> int:
        """What is due when a peg is let go. A go is a score of its own: a claim of no more than the card leaves it."""
        if claim.count and self.deal is not None:
            return self.deal.count
        due, waiting = 0, self.due[claim.side]
        while waiting and (not due or due < claimed):
            due += waiting.pop(0)
        return due

    def _peg(self, side: int, points: int) -> None:
        self.pegs[side].move(points)
        if self.pegs[side].front == TARGET:
            self.phase, self.feast = "won", side

    # The game (1.9 to 1.12, 1.28, 1.29, 7.8 to 7.12)

    def _begin_game(self) -> None:
        self.games += 1
        self.phase, self.deal = "cut", None
        self.pegs = Pegs(), Pegs()
        if max(self.won) >= MATCH:
            self.won, self.next_dealer = [0, 0], None
        if self.next_dealer is not None:
            self._begin_deal(self.next_dealer)

    def _begin_deal(self, dealer: int) -> None:
        self.deals += 1
        self.deal = Deal(dealer)
        self.phase = "pegging" if self.way == "trust" else "starter"
        self._forget()

    def _forget(self) -> None:
        """Whatever was due and not claimed is lost."""
        self.due = [], []

    def _card(self, card: str) -> None:
        """The reader saw a card: a cut, the starter, one laid, or one of the crib."""
        if self.phase == "cut":
            self._cut(card)
        elif self.deal is None or self.deal.seen(card):
            return
        elif self.phase == "starter":
            self.deal.starter, self.phase = card, "play"
            self.deal.brought = Brought(card=2 if card[0] == "J" else 0)
            self._brings(self.deal.dealer, self.deal.brought.scores)
        elif self.phase == "play":
            self._lay(self.deal, card)
        elif self.phase == "show" and self.deal.counting == 2 and len(self.deal.crib) < 4:
            self.deal.crib.append(card)
            self._open_count(self.deal)

    def _cut(self, card: str) -> None:
        self.cuts.append(card)
        if len(self.cuts) == 2:
            first, second = map(rank, self.cuts)
            self.cuts = []
            if first != second:
                self._begin_deal(0 if first < second else 1)

    def _lay(self, deal: Deal, card: str) -> None:
        self._let_go()
        if self.phase == "won":
            return
        side = deal.play.turn
        brought = deal.play.lay(card)
        if brought is None:
            return
        deal.brought = brought
        heels = self.due[deal.dealer] if not deal.play.laid[deal.dealer] else []  # until the dealer's own first card
        self._forget()
        self.due[deal.dealer].extend(heels)
        self._brings(side, brought.scores)
        if deal.play.over() and self.phase == "play":
            self.phase = "show"
            deal.counting = -1 if self.way == "auto" else 0  # on auto an OK opens the first count, too

    def _brings(self, side: int, scores: Sequence[int]) -> None:
        """On auto the board pegs each score by itself; else they wait to be claimed."""
        if self.way == "verify":
            self.due[side].extend(scores)
            return
        for score in scores:
            if self.phase != "won":
                self._peg(side, score)

    def _open_count(self, deal: Deal) -> None:
        if self.way == "auto" and len(deal.cards) == 4:
            self._peg(deal.counter, deal.count)

    def _next_count(self, deal: Deal) -> None:
        self.claim = None
        self._forget()
        if deal.counting == 2:
            if len(deal.crib) == 4:
                self._begin_deal(1 - deal.dealer)
            return
        deal.counting += 1
        self._open_count(deal)

    # What was said, told and shown

    def _called(self, deal: Deal, side: int, points: int, reason: str, more: Mapping[str, str]) -> None:
        """What robots call when they are told to call right is what the cards are worth."""
        cards = more.get("cards", "").split()
        if self.way == "trust":
            self._look_over_shoulders(deal, side, reason, more.get("card", ""))
        if not self.honest or (self.phase == "won" and self.way != "trust"):
            return
        if not deal.starter:
            self._expect(f"starter before {NAMES[side]} called ({reason})", "one", "none")
            return
        match reason:
            case "gowon":
                worth = 1
            case "turned" | "laid":  # where a count ends by itself, its go is claimed with the next card
                worth = deal.brought.card + (deal.brought.before if self.way == "verify" else 0)
            case "counted":
                worth = count_hand(cards, deal.starter)
                self._expect(f"hand of {NAMES[side]}", set(deal.play.laid[side]), set(cards))
                self._expect("cards that fitted when their owner said go", [], deal.play.false_gos())
            case _:
                worth = count_hand(cards, deal.starter, crib=True)
        self._expect(f"worth of what {NAMES[side]} called for ({reason})", worth, points)

    def _look_over_shoulders(self, deal: Deal, side: int, reason: str, card: str) -> None:
        """In trust no card is scanned, but the robots say aloud what they lay."""
        if reason == "turned":
            deal.starter, deal.brought = card, Brought(card=2 if card[0] == "J" else 0)
        elif reason == "laid":
            self._expect("side to play", deal.play.turn, side)
            brought = deal.play.lay(card)
            self._expect(f"the {card} can be laid", True, brought is not None)
            deal.brought = brought or Brought()
        elif reason == "gowon":
            self._expect("side that wins the go", deal.play.last, side)
            if deal.play.stack and not deal.play.gone:
                deal.play.end_count()

    def _result(self, scores: Sequence[int], winner: int, *, skunked: bool) -> None:
        ends = [pegs.front for pegs in self.pegs]
        self._expect("scores", ends, list(scores))
        self._expect("winner", ends.index(TARGET) if TARGET in ends else None, winner)
        self._expect("skunk", min(ends) < SKUNK_LINE, skunked)

    def _final(self) -> None:
        """Both sides agree: the game counts one, a skunk two, and the loser deals the next."""
        ends = [pegs.front for pegs in self.pegs]
        winner = ends.index(TARGET)
        self.won[winner] += 2 if min(ends) < SKUNK_LINE else 1
        self.next_dealer = 1 - winner
        self.phase, self.agreed = "lobby", set()

    def _lights(self, side: int, glow: Mapping[str, int]) -> None:
        """The front peg is the brightest of its track and the back peg glows less; a peg in hand may blink.

        The game hole may glow as the goal, less than any peg. Beside the holes: the lamps of the dealer, of the
        second lap and of the games won.
        """
        if self.feast == side:
            return
        self.compared += 1
        pegs, last = self.pegs[side], (TARGET - 1) // self.laps
        front, back = _spot(pegs.front, last, start=1), _spot(pegs.back, last, start=1 if pegs.front else 2)
        where = f"{NAMES[side]} at {pegs.front} and {pegs.back}"

        lamps = {f"match {game}" for game in range(1, min(self.won[side], MATCH) + 1)}
        if self.deal is not None and self.deal.dealer == side:
            lamps.add("dealer")
        if self.laps == 2 and pegs.front > last:
            lamps.add("lap")
        holes = {name: light for name, light in glow.items() if name.isdigit() or name.startswith("start")}
        self._expect(f"lamps of {where}", lamps, set(glow) - set(holes))

        claim = self.claim
        if claim is not None and claim.side == side and not claim.released:
            held = _spot(claim.to, last, start=1)
            if held != front:
                holes.pop(held, 0)
            holes.setdefault(back, 0)  # this is the peg in hand; and a front peg that says zero may grow dim
            holes[front] = max(holes.get(front, 0), holes[back] + (held == front))
        if front != str(last + 1):
            goal = holes.pop(str(last + 1), 0)
            dimmest = min(filter(None, holes.values()), default=1)
            self._expect(f"goal dimmer than the pegs, {where}", True, goal < dimmest)
        self._expect(f"lit holes of {where}", {front, back}, set(holes))
        if {front, back} == set(holes):
            self._expect(f"front peg brighter than back peg, {where}", True, holes[front] > holes[back])

    def _expect(self, what: str, mine: object, theirs: object) -> None:
        if mine != theirs:
            self.differences.append(f"entry {self.at}: {what}: {mine} by the rules, {theirs} in the diary")


def _spot(score: int, last: int, *, start: int) -> str:
    """What is printed at the hole of a score."""
    if score == TARGET:
        return str(last + 1)
    return str((score - 1) % last + 1) if score else f"start {start}"


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
