"""A36 to A39, A41 to A43, A63 and A64 of the rules reference: heels, the end of a game, and what it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from tests.support.seats import BLUE, GREEN, RED, SIX_CARD, Table, card, in_every_way, ruling_in

from cribboard import RULES, Rules
from cribboard.actions import Accept, LayCard, TakePegInHand, TurnStarter
from cribboard.event_terms import Occasion, Verdict
from cribboard.events import ClaimJudged
from cribboard.position import Phase
from cribboard.rules import OPTIONS, changed
from cribboard.series import Match
from cribboard.skunk import Skunk
from cribboard.view import see

BRITANNICA, ACC, THREE = RULES["britannica"], RULES["acc"], RULES["three-player"]
SHORT = changed(BRITANNICA, OPTIONS["britannica"]["short"])


# Heels


@pytest.mark.parametrize("name", sorted(RULES))
@in_every_way
def test_a36_heels_at_the_cut(way: str, name: str) -> None:
    rules = RULES[name]
    table = Table(way, rules=rules, scores=[0] * len(rules.sides))
    dealer = rules.side_of(rules.seats[-1])
    events = () if way == "trust" else table.do(TurnStarter(card("JH")))
    if way == "auto":
        assert any(isinstance(event, ClaimJudged) and event.occasions == (Occasion.HEELS,) for event in events)
    else:
        assert table.scores[dealer] == 0
        table.press(dealer, 2)
    assert table.scores == tuple(2 if side == dealer else 0 for side in rules.sides)


@pytest.mark.parametrize("rules", [SIX_CARD, ACC], ids=lambda rules: str(rules.name))
def test_a36_heels_are_claimed_until_the_dealers_own_first_card(rules: Rules) -> None:
    table = Table(rules=rules)
    table.starter("JH")
    table.play("5")
    assert table.claim(RED, 2).occasions == (Occasion.HEELS,)
    assert table.scores == (0, 2)


def test_a36_with_three_players_heels_stay_open_until_the_dealers_own_card() -> None:
    table = Table(rules=THREE)
    table.starter("JH")
    table.tell("S1 5, S2 7")
    assert table.claim(GREEN, 2).occasions == (Occasion.HEELS,)
    assert table.scores == (0, 0, 2)


def test_heels_are_lost_with_the_dealers_first_card_under_rules_that_say_so() -> None:
    table = Table(rules=ACC)
    table.starter("JH")
    table.play("5 9 K")
    assert ruling_in(table.do(TakePegInHand(RED, 2))).verdict is Verdict.TOO_LATE
    assert table.scores == (0, 0)


@pytest.mark.parametrize(("timing", "scores"), [("at_cut", (0, 2)), ("before_dealer_plays", (0, 0))])
def test_heels_forgotten_until_then_are_late_points_or_lost(timing: str, scores: tuple[int, int]) -> None:
    table = Table(rules=changed(SIX_CARD, {"heels_timing": timing}))
    table.starter("JH")
    table.play("5 9 K")
    table.do(TakePegInHand(RED, 2), Accept(BLUE))
    assert table.scores == scores


@in_every_way
@pytest.mark.parametrize("dealer_has", [119, 120])
def test_a37_heels_may_win_and_the_deal_stops(way: str, dealer_has: int) -> None:
    table = Table(way, scores=(0, dealer_has))
    table.starter("JH")
    if way != "auto":
        table.press(RED, 121 - dealer_has)
    assert (table.now.phase, table.now.winner, table.scores) == (Phase.WON, RED, (0, 121))
    assert table.refused(LayCard(BLUE, card("5C"))) == "game_is_won"


# The end comes at once


@in_every_way
def test_a38_a_count_of_three_wins_at_118_and_the_dealer_does_not_count(way: str) -> None:
    table = Table(way, scores=(118, 110))
    table.starter("4C")
    table.tell("P 2D, D KH, P 7H, D QH (29), P go, D go+1; P JC, D 6D, P 9S, D 6H+2 (31)")
    assert table.scores == (118, 113)
    table.counts(BLUE, 3)
    assert (table.now.winner, table.scores) == (BLUE, (121, 113))
    assert table.refused(TakePegInHand(RED, 8)) == "game_is_won"


@in_every_way
def test_a39_an_overshoot_wins_and_121_is_recorded(way: str) -> None:
    table = Table(way, scores=(0, 120))
    table.starter()
    table.tell("P 5, D 5+1")
    assert (table.now.winner, table.scores) == (RED, (0, 121))
    assert table.result().scores == (0, 121)


# Who is first, with three sides (3.24)


def after_the_play(way: str, hands: Mapping[int, str], scores: tuple[int, int, int]) -> Table:
    """Three players with these hands, who stand in these holes when the last card is laid; the queen of clubs is up."""

    def played(before: Sequence[int]) -> Table:
        table = Table(way, rules=THREE, scores=before)
        table.starter("QC")
        table.play_out(hands)
        return table

    gained = played((0, 0, 0)).scores
    table = played([score - points for score, points in zip(scores, gained, strict=True)])
    assert table.scores == scores
    return table


@in_every_way
def test_with_three_sides_heels_win_before_any_card_is_laid(way: str) -> None:
    table = Table(way, rules=THREE, scores=(120, 120, 119))
    table.starter("JH")
    if way != "auto":
        table.press(GREEN, 2)
    assert (table.now.winner, table.scores) == (GREEN, (120, 120, 121))


@in_every_way
def test_with_three_sides_a_card_wins_before_any_hand(way: str) -> None:
    table = Table(way, rules=THREE, scores=(119, 119, 119))
    table.starter("QC")
    table.tell("S1 7, S2 5, S3 3+2")
    assert (table.now.winner, table.scores) == (GREEN, (119, 119, 121))


@in_every_way
@pytest.mark.parametrize(("scores", "winner"), [((113, 120, 120), BLUE), ((50, 104, 120), RED), ((50, 50, 107), GREEN)])
def test_with_three_sides_hands_win_in_seat_order_though_others_would_count_more(
    way: str, scores: tuple[int, int, int], winner: int
) -> None:
    table = after_the_play(way, {BLUE: "5C KD KH 9S", RED: "5D 5H JC JD", GREEN: "5S TC TD TH"}, scores)
    for side, points in ((BLUE, 8), (RED, 17), (GREEN, 14)):
        table.counts(side, points)
        if side == winner:
            break
    assert table.now.winner == winner


@in_every_way
def test_with_three_sides_the_crib_comes_last(way: str) -> None:
    nothing = {BLUE: "2C 4D 6H 8S", RED: "2D 4H 6S 8C", GREEN: "2H 4S 6C 8D"}
    table = after_the_play(way, nothing, (100, 100, 120))
    for side in (BLUE, RED, GREEN):
        table.counts(side, 0)
    table.counts_crib(GREEN, "5C TC TD TH", 1)
    assert (table.now.winner, table.scores) == (GREEN, (100, 100, 121))


# What a game counts


def won(way: str, rules: Rules, loser: int) -> Table:
    """The second seat pairs for red's game; every other side has `loser` holes."""
    target = rules.game.target
    table = Table(way, rules=rules, scores=[target - 2 if side == RED else loser for side in rules.sides])
    table.starter()
    table.tell("S1 5, S2 5+2")
    if table.now.game_claimed is not None:
        table.do(Accept(BLUE))
    assert (table.now.winner, table.scores[RED]) == (RED, target)
    return table


def games(way: str, rules: Rules, loser: int) -> int:
    """The games that red has won by this one."""
    return Match(rules).add(won(way, rules, loser).result()).games[RED]


def game_points(way: str, rules: Rules, loser: int) -> int:
    return Match(rules).add(won(way, rules, loser).result()).points[RED]


@in_every_way
def test_a41_with_britannica_a_side_with_less_than_half_is_lurched(way: str) -> None:
    assert games(way, BRITANNICA, 45) == 2
    assert games(way, BRITANNICA, 75) == 1
    assert see(won(way, BRITANNICA, 45).now).skunk is Skunk.SKUNK


@in_every_way
def test_a42_a_skunk_counts_two_games_with_wikipedia(way: str) -> None:
    assert games(way, SIX_CARD, 75) == 2
    assert games(way, SIX_CARD, 95) == 1
    assert see(won(way, SIX_CARD, 75).now).skunked
    assert not see(won(way, SIX_CARD, 95).now).skunked


@in_every_way
def test_a43_a_skunk_counts_three_game_points_and_a_game_two_with_acc(way: str) -> None:
    assert game_points(way, ACC, 85) == 3
    assert game_points(way, ACC, 95) == 2


@in_every_way
@pytest.mark.parametrize("rules", [SIX_CARD, RULES["partners"]], ids=lambda rules: str(rules.name))
def test_a63_eighty_nine_is_a_skunk_and_ninety_is_not_with_wikipedia(way: str, rules: Rules) -> None:
    assert games(way, rules, 89) == 2
    assert games(way, rules, 90) == 1


@in_every_way
def test_a64_sixty_is_a_lurch_and_sixty_one_is_not_with_britannica_and_half_of_it_in_the_short_game(way: str) -> None:
    assert games(way, BRITANNICA, 60) == 2
    assert games(way, BRITANNICA, 61) == 1
    assert games(way, SHORT, 30) == 2
    assert games(way, SHORT, 31) == 1


@pytest.mark.parametrize(
    ("loser", "points", "skunk"),
    [(91, 2, Skunk.NONE), (90, 3, Skunk.SKUNK), (61, 3, Skunk.SKUNK), (60, 3, Skunk.DOUBLE)],
)
def test_under_acc_rules_a_double_skunk_is_named_and_counts_as_a_skunk(loser: int, points: int, skunk: Skunk) -> None:
    """3.5 and 3.7."""
    assert game_points("trust", ACC, loser) == points
    assert see(won("trust", ACC, loser).now).skunk is skunk


@in_every_way
@pytest.mark.parametrize("name", ["three-player", "six-player", "fadoq", "five-card", "jeux50"])
def test_without_a_skunk_line_there_is_no_skunk(way: str, name: str) -> None:
    view = see(won(way, RULES[name], 3).now)
    assert (view.skunk, view.skunked) == (Skunk.NONE, False)
