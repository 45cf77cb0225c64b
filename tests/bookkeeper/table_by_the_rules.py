"""A table as the bookkeeper follows it by presses and cards, in trust by presses alone: its games, deals and pegs.

It must never import anything of the product; it was written from sections 1, 3, 4 and 7 of the rules
reference. It knows no UNDO, and of the menu only the dealer's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from tests.bookkeeper.by_the_rules import LIMIT, pips, total
from tests.bookkeeper.claims_by_the_rules import Claim, Count, Memory, Verdict
from tests.bookkeeper.deal_by_the_rules import Cut, Deal, Match
from tests.bookkeeper.judgement_by_the_rules import Judge
from tests.bookkeeper.lights_by_the_rules import Pegs, Road
from tests.bookkeeper.presets_by_the_rules import PRESETS, Opening, RuleSet

PER_CARD = 2


@dataclass
class FollowedTable:
    """The state of a table, and what each press and each card does there. `verdicts` are those of each game."""

    games: int = 0
    deals: int = 0
    way: str = "verify"
    rules: RuleSet = PRESETS["six-card"]
    road: Road = field(default_factory=lambda: Road(120, 1, 121))
    phase: str = "lobby"  # then cut, starter, play, show, won; in trust: cut, pegging, won
    match: Match = field(default_factory=lambda: Match(PRESETS["six-card"]))
    cut: Cut | None = None
    named: int | None = None
    deal: Deal | None = None
    judge: Judge = field(default_factory=lambda: Judge(PRESETS["six-card"]))
    verdicts: list[list[Verdict]] = field(default_factory=list)
    before: list[Pegs] = field(default_factory=list)  # the last card, go or hand
    went: list[tuple[int, int, Deal, Memory]] = field(default_factory=list)  # seat, count, and how all stood before
    false_go: str | None = None  # the card that shows one, until the other side has answered
    agreed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._sit_down()

    @property
    def pegs(self) -> list[Pegs]:
        return self.judge.pegs

    @pegs.setter
    def pegs(self, pegs: list[Pegs]) -> None:
        self.judge.pegs = pegs

    @property
    def due(self) -> list[list[Opening]]:
        """What each side may claim in the play."""
        return self.judge.due

    @due.setter
    def due(self, due: list[list[Opening]]) -> None:
        self.judge.due = due

    @property
    def claim(self) -> Claim | None:
        """The peg in hand, or the count that was let go and is not accepted."""
        return self.judge.claim

    def _sit_down(self) -> None:
        """A match begins."""
        self.match = Match(self.rules)
        self._new_judge()

    def _new_judge(self) -> None:
        self.judge = Judge(self.rules, trusting=self.way != "verify", closed=self._next_count)

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
            case "step", ("play" | "show" | "pegging") if self.deal is not None:
                self._step(self.deal, side)
            case "go", "play" if self.deal is not None:
                self._go(self.deal, side, held=held)

    def _name_dealer(self, key: str, side: int) -> None:
        """The dealer's own OK. A side with several seats is asked which: MENU steps on, and any OK chooses the seat."""
        if key == "menu":
            self.named = None if self.named is None else self.rules.left_of(self.named)
        elif self.rules.players == self.rules.teams:
            self._begin_deal(side)
        elif self.named is None:
            self.named = side
        else:
            self._begin_deal(self.named)

    def _go(self, deal: Deal, side: int, *, held: bool) -> None:
        """The seat whose turn it is says go. If the side that laid last holds GO, three seats or more pass at once."""
        play = deal.play
        if held and self.rules.players > 2 and side == self.rules.side_of(play.last):
            winner = play.all_pass()
        elif side == self.rules.side_of(play.turn):
            self._note_go(deal)
            winner = play.go(play.turn)
        else:
            return
        if winner is not None:
            self._remember()
            self._brings(self.rules.side_of(winner), [Opening((self.rules.go,))])
            self._perhaps_show(deal)

    def _answer(self, deal: Deal, key: str, side: int) -> None:
        """OK and CHALLENGE let go of a peg, accept and challenge; OK also says zero, or goes on."""
        if self.false_go is not None:
            self._settle_false_go(deal, self.false_go, key, side)
        elif self.way == "verify" or self.claim is not None:
            if key == "ok":
                self.judge.ok(side)
            else:
                self.judge.challenge(side)
        elif key == "ok" and self.way == "trust":
            if side == deal.side:
                self._begin_deal(self.rules.left_of(deal.dealer))
        elif key == "ok" and self.phase == "show":
            self._next_count()

    def _hole(self, side: int, hole: int) -> None:
        """A press on a side's own track."""
        if self.deal is None or self.way == "auto" or self.phase not in ("play", "show", "pegging"):
            return
        to = self.road.place(self.pegs[side].front, hole) if side < self.rules.teams else None
        if to is not None:
            self.judge.press(side, to)

    def _step(self, deal: Deal, side: int) -> None:
        """The step key calls one more, and leaves out what no hand counts and a single point that is barred (7.25)."""
        if self.way == "auto":
            return
        front, held = self.pegs[side].front, self.judge.held(side)
        of_four = self.way == "trust" or deal.counting < 0 or deal.at_crib
        to = (front if held is None else held) + 1
        while to < self.rules.target and (
            self.rules.bars(front, to) or self.rules.impossible(to - front, crib=of_four)
        ):
            to += 1
        self.judge.press(side, to)

    # The game (1.9 to 1.12, 1.28, 1.29, 1.31, 7.8 to 7.12)

    def _begin_game(self) -> None:
        self.games += 1
        if self.match.is_over:
            self._sit_down()
        self.phase, self.deal, self.named, self.match.first_dealer = "cut", None, None, None
        self.cut = Cut(self.rules)
        self._new_judge()
        self.verdicts.append(self.judge.verdicts)
        if self.match.next_dealer is not None:
            self._begin_deal(self.match.next_dealer)

    def _final(self) -> None:
        """All sides agree: the game counts."""
        self.match.end_game([pegs.front for pegs in self.pegs])
        self.phase, self.agreed = "lobby", set()

    def _begin_deal(self, dealer: int) -> None:
        self.deals += 1
        self.deal = Deal(self.rules, dealer)
        self.phase = "pegging" if self.way == "trust" else "starter"
        self.judge.begin_deal()
        self.went, self.false_go = [], None
        if self.match.first_dealer is None:
            self.match.first_dealer = dealer
            self.pegs[self.rules.side_of(self.deal.play.turn)].move(self.rules.three_for_last, target=self.rules.target)

    def _card(self, card: str) -> None:
        """The reader has seen a card: for the cut, the starter, laid, left in a hand, or of the crib."""
        if self.phase == "cut" and self.cut is not None:
            dealer = self.cut.cut(card)
            if dealer is not None:
                self._begin_deal(dealer)
        elif self.deal is None or self.deal.seen(card):
            return
        elif self.phase == "starter":
            self.phase = "play"
            self._remember()
            if heels := self.deal.turn_up(card):
                self._brings(self.deal.side, heels)
        elif self.phase == "play":
            self._lay(self.deal, card)
        elif self.phase == "show" and not self.deal.full:
            self.deal.counting = max(0, self.deal.counting)
            self.deal.add(card)
            self._pay_at_show(self.deal, card)
            if self.judge.winner is None:
                self._open_count(self.deal)

    def _lay(self, deal: Deal, card: str) -> None:
        if self.judge.game_claim is not None or self.judge.held_up_by() or self.false_go is not None:
            return
        if self.rules.renege == "two_per_card" and deal.play.shows_false_go(card) and self._fits(deal, card):
            self.judge.card_shown()
            if self.judge.winner is None:
                self._pay_for(*deal.play.counts_too(deal.play.turn, card))
            self.false_go = card if self.judge.winner is None else None
            return
        seat, stack = deal.play.turn, list(deal.play.stack)
        if deal.play.goes_without_a_word(card):
            self._note_go(deal)
        brought = deal.lay(card)
        if brought is None:
            return
        leads = not stack or total([*stack, card]) > LIMIT
        self.judge.next_card(leads=leads and not brought.resumed, dealers_own=bool(deal.play.laid[deal.dealer]))
        self._pay_for(*deal.play.counts_too(seat, card))
        if self.judge.winner is not None:
            return
        if brought.resumed and self.way == "auto":
            self.pegs = self.before
        self._remember()
        self._brings(self.rules.side_of(brought.winner), brought.go_before())
        self._brings(self.rules.side_of(seat), brought.with_card(self.rules))
        self._perhaps_show(deal)

    def _note_go(self, deal: Deal) -> None:
        """Remember the play before a go, in case it is false."""
        if self.rules.renege == "two_per_card":
            self.went.append((deal.play.turn, total(deal.play.stack), deepcopy(deal), self.judge.remember()))

    def _pay_for(self, *sides: int) -> None:
        for side in sides:
            if self.judge.winner is None:
                self.judge.award(side, PER_CARD)

    def _pay_at_show(self, deal: Deal, card: str) -> None:
        """A card that was never laid may show a false go only at the show."""
        if self.rules.renege != "two_per_card" or deal.at_crib:
            return
        if deal.play.fitted(deal.counter, card):
            self._pay_for((deal.counting_side + 1) % self.rules.teams)
        self._pay_for(*deal.play.counts_too(deal.counter, card))

    def _fits(self, deal: Deal, card: str) -> bool:
        return deepcopy(deal.play).lay(card) is not None

    def _settle_false_go(self, deal: Deal, card: str, key: str, side: int) -> None:
        """Two points for each card that could have been laid. The other side says whether the play goes back or the
        card lies dead (section 4, ACC 7.3)."""
        seat = deal.play.turn
        if side == self.rules.side_of(seat):
            return
        self.false_go = None
        if key == "challenge":
            deal.play.lies_dead(card)
        else:
            at = next(i for i, (who, count, *_) in enumerate(self.went) if who == seat and count + pips(card) <= LIMIT)
            _, count, self.deal, then = self.went[at]
            self.went = self.went[:at]
            self.judge.recall(then)
            self.deal.play.remember(seat, count, card, by=side)
        self.judge.award(side, PER_CARD)

    def _remember(self) -> None:
        """Remember where the pegs are before a card, a go or a hand counts."""
        self.before = [Pegs(pegs.front, pegs.back) for pegs in self.pegs]

    def _perhaps_show(self, deal: Deal) -> None:
        if deal.play.over() and self.phase == "play":
            self.phase = "show"
            deal.counting = -1 if self.way == "auto" else 0  # on auto an OK opens the first count, too
            self._open_count(deal)

    def _brings(self, side: int, openings: Sequence[Opening]) -> None:
        """On auto the board pegs each score by itself; else the scores wait for a claim."""
        if self.way == "verify":
            self.judge.brings(side, openings)
            return
        for opening in openings:
            if self.judge.winner is None:
                self.judge.award(side, self.rules.worth(opening, self.pegs[side].front))

    def _open_count(self, deal: Deal) -> None:
        """Open the next count, with the cards that are known."""
        if deal.counting < 0:
            return
        side, due = deal.counting_side, deal.due if deal.full else None
        if self.way == "verify":
            self.judge.open_count(Count(side, deal.accepting_side, due, crib=deal.at_crib))
        elif due is not None:
            self._remember()
            self.judge.award(side, self.rules.worth(due, self.pegs[side].front))

    def _next_count(self) -> None:
        deal = self.deal
        if deal is None or (deal.counting >= 0 and not deal.full):
            return
        if deal.at_crib:
            self._begin_deal(self.rules.left_of(deal.dealer))
            return
        deal.counting += 1
        self._open_count(deal)
