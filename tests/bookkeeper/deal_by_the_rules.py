"""A match, a cut and a deal as the bookkeeper tracks them: who deals, which cards were seen, whose count is open.

It must never import anything of the product; it was written from sections 1, 3 and 7 of the rules
reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.bookkeeper.by_the_rules import Brought, Play, count_hand, rank
from tests.bookkeeper.presets_by_the_rules import Opening, RuleSet

CRIB = 4
LAMPS = 7


@dataclass
class Match:
    """Games that count together, and their dealers (1.11, 1.30, 1.31). `first_dealer` is that of the running game."""

    rules: RuleSet
    won: list[int] = field(init=False)
    played: int = 0
    first_dealer: int | None = None
    next_dealer: int | None = None

    def __post_init__(self) -> None:
        self.won = [0] * self.rules.teams

    @property
    def is_over(self) -> bool:
        return self.rules.match_is_over(self.won, self.played)

    def end_game(self, scores: Sequence[int]) -> None:
        """The game counts, and its end says who deals the next."""
        self.played += 1
        self.won[scores.index(self.rules.target)] += self.rules.lamps(scores)
        if self.first_dealer is not None:
            self.next_dealer = self.rules.next_dealer(self.first_dealer, scores)

    def lamps(self, side: int) -> set[str]:
        """The lamps of the games that a side has won."""
        return {f"match {game}" for game in range(1, min(self.won[side], LAMPS) + 1)}


@dataclass
class Cut:
    """The cut for deal, in the order of the seats. The ace is lowest; a tie is cut again (1.9, 1.10, 7.8)."""

    rules: RuleSet
    seats: list[int] = field(init=False)
    cards: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seats = list(range(self.rules.players))

    def cut(self, card: str) -> int | None:
        """The next seat cuts. Returns the dealer, once it is known."""
        self.cards.append(card)
        if len(self.cards) < len(self.seats):
            return None
        ranks = [rank(cut) for cut in self.cards]
        best = max(ranks) if self.rules.first_deal == "high_cut" else min(ranks)
        tied = [seat for seat, cut in zip(self.seats, ranks, strict=True) if cut == best]
        if len(tied) == 1:
            return tied[0]
        self.seats = tied if self.rules.cut_tie == "tied_recut" else list(range(self.rules.players))
        self.cards = []
        return None


@dataclass
class Deal:
    """What is known of one deal. `counting` is the place in the order of the show; before the show it is -1."""

    rules: RuleSet
    dealer: int
    starter: str = ""
    crib: list[str] = field(default_factory=list)
    unplayed: list[list[str]] = field(init=False)
    counting: int = 0
    brought: Brought = field(default_factory=Brought)
    to_call: list[Opening] = field(default_factory=list)
    play: Play = field(init=False)

    def __post_init__(self) -> None:
        self.play = Play(self.rules, self.rules.left_of(self.dealer))
        self.unplayed = [[] for _ in range(self.rules.players)]

    @property
    def side(self) -> int:
        """The dealer's side."""
        return self.rules.side_of(self.dealer)

    @property
    def order(self) -> list[int]:
        """The order of the counts: clockwise from the dealer's left, the dealer last, and again for the crib (1.28)."""
        return [(self.dealer + step) % self.rules.players for step in range(1, self.rules.players + 1)] + [self.dealer]

    @property
    def at_crib(self) -> bool:
        return self.counting == self.rules.players

    @property
    def counter(self) -> int:
        """The seat whose count is open, or is the first to be."""
        return self.order[max(0, self.counting)]

    @property
    def counting_side(self) -> int:
        return self.rules.side_of(self.counter)

    @property
    def accepting_side(self) -> int:
        """The side of the next count that is not the claimant's own; for the last count, the side to its left (7.2)."""
        later = map(self.rules.side_of, self.order[self.counting + 1 :])
        left = self.rules.side_of(self.rules.left_of(self.counter))
        return next((side for side in later if side != self.counting_side), left)

    @property
    def cards(self) -> list[str]:
        """The known cards of the count."""
        return self.crib if self.at_crib else self.hand(self.counter)

    @property
    def full(self) -> bool:
        """Whether all cards of the count are known."""
        return len(self.cards) == (CRIB if self.at_crib else self.rules.hand)

    @property
    def due(self) -> Opening:
        return count_hand(self.cards, self.starter, rules=self.rules, crib=self.at_crib)

    def hand(self, seat: int) -> list[str]:
        return self.play.laid[seat] + self.play.dead[seat] + self.unplayed[seat]

    def turn_up(self, starter: str) -> list[Opening]:
        """Turn the starter. A jack is worth his heels to the dealer's side."""
        self.starter = starter
        heels = self.rules.his_heels if starter[0] == "J" else 0
        self.to_call = [Opening((heels,), "heels")] if heels else []
        return self.to_call

    def lay(self, card: str) -> Brought | None:
        """The seat whose turn it is lays a card. None if it cannot."""
        brought = self.play.lay(card)
        if brought is not None:
            self.brought = brought
            self.to_call = brought.openings(self.rules)
            if brought.after and brought.goes_apart(self.rules):
                self.to_call.pop()  # a go is called by itself
        return brought

    def add(self, card: str) -> None:
        """Add a card to the hand or crib that is counted next; a card too many is ignored."""
        if not self.full:
            (self.crib if self.at_crib else self.unplayed[self.counter]).append(card)

    def seen(self, card: str) -> bool:
        return card in (self.starter, *self.crib, *self.play.cards, *(card for hand in self.unplayed for card in hand))

    def has_counted(self, reason: str, seat: int) -> bool:
        """On auto: whether the board has pegged the points before they were called."""
        if reason not in ("counted", "crib"):
            return True
        return self.counting >= 0 and self.full and self.counter == seat and self.at_crib == (reason == "crib")

    def false_gos(self) -> list[str]:
        return self.play.false_gos([self.hand(seat) for seat in range(self.rules.players)])

    def called(self, points: int, at: int) -> int:
        """What the calls for a card are worth. Openings may be called one by one or together; a go before the card is
        called alone."""
        first = 1 if self.brought.before and len(self.to_call) > 1 else 0
        for begin in range(first + 1):
            for end in range(len(self.to_call), begin, -1):
                if self.rules.due(self.to_call[begin:end], at) == points:
                    del self.to_call[begin:end]
                    return points
        return self.rules.due(self.to_call, at)

    def called_go(self, at: int) -> int:
        """What a go is worth. A go that ended with a card need not be called again with that card."""
        if self.brought.before:
            self.to_call = self.brought.own(self.rules)
        return self.rules.worth(Opening((self.rules.go,)), at)
