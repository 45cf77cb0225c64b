"""Two players against each other, quickly: the bench measures levels by it, and a test compares their points.

The whole game is `cribboard.game`; here nobody claims, and every point is pegged as it falls due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cribboard.cards import Card, Rank
from cribboard.rules import Rules
from cribboard.scoring import show_points
from cribboard.strategy.cards_to_lay import Act, PlayerView, Rng
from cribboard.strategy.pegging import Play
from cribboard.strategy.robot_levels import RobotLevel, choose_card, choose_discard

Levels = tuple[RobotLevel, RobotLevel]


def winner(levels: Levels, rules: Rules, *, dealer: int, shuffled: Callable[[], Sequence[Card]], rng: Rng) -> int:
    """The seat, 0 or 1, that wins a game between these two, who deal in turn. `shuffled` gives a pack for each deal;
    it is dealt from the top: six cards to seat 0, six to seat 1, the starter."""
    scores = [0, 0]
    while True:
        for seat, points in deal(levels, rules, dealer=dealer, scores=scores, pack=shuffled(), rng=rng):
            scores[seat] += points
            if scores[seat] >= rules.game.target:
                return seat
        dealer = 1 - dealer


def deal(
    levels: Levels,
    rules: Rules,
    *,
    dealer: int,
    scores: Sequence[int],
    pack: Sequence[Card],
    rng: Rng,
) -> Iterator[tuple[int, int]]:
    """One deal: each seat that pegs, and its points, in order. The caller stops when the game is won."""
    size = rules.deal_and_play.cards_dealt
    starter = pack[2 * size]
    hands: list[list[Card]] = []
    crib: list[tuple[Card, ...]] = []
    for seat, level in enumerate(levels):
        dealt = pack[seat * size : (seat + 1) * size]
        stands = scores[seat], scores[1 - seat]
        given = choose_discard(level, dealt, rules, is_own_crib=seat == dealer, scores=stands, rng=rng)
        hands.append([card for card in dealt if card not in given])
        crib.append(given)
    if starter.rank is Rank.JACK:
        yield dealer, rules.deal_and_play.his_heels
    yield from _play(levels, rules, dealer, scores, hands, crib, starter, rng)
    for seat in (1 - dealer, dealer):
        yield seat, show_points(hands[seat], starter, rules=rules)
    yield dealer, show_points(crib[0] + crib[1], starter, crib=True, rules=rules)


def _play(
    levels: Levels,
    rules: Rules,
    dealer: int,
    scores: Sequence[int],
    hands: Sequence[Sequence[Card]],
    crib: Sequence[tuple[Card, ...]],
    starter: Card,
    rng: Rng,
) -> Iterator[tuple[int, int]]:
    before = tuple(scores)
    play = Play(rules, dealer, before)
    held = [list(cards) for cards in hands]
    acts: list[Act] = []
    while not play.over:
        seat, pegged = play.turn, list(play.scores)
        seen = PlayerView(rules, seat, dealer, before, tuple(held[seat]), crib[seat], starter, tuple(acts))
        card = choose_card(levels[seat], seen, rng)
        acts.append(Act(seat, card))
        if card is None:
            play.say_go()
        else:
            held[seat].remove(card)
            play.lay(card.rank)
        for side, points in enumerate(play.scores):
            if points > pegged[side]:
                yield side, points - pegged[side]
