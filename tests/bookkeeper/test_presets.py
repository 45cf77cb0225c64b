"""The bookkeeper alone, against the scenarios of the rules reference by their ids.

Nothing of the product runs here.
"""

from __future__ import annotations

import ast
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest
from tests.bookkeeper.by_the_rules import RANKS, Play, count_hand, total
from tests.bookkeeper.presets_by_the_rules import PRESETS, Opening, RuleSet, read_rules

SIX = PRESETS["six-card"]
FIVE = PRESETS["five-card"]


def test_the_bookkeeper_imports_nothing_of_the_product() -> None:
    modules = ["bookkeeper.py", *(path.name for path in Path(__file__).parent.glob("*by_the_rules.py"))]
    assert len(modules) == 12
    allowed = sys.stdlib_module_names | {Path(name).stem for name in modules}
    for name in modules:
        tree = ast.parse(Path(__file__).with_name(name).read_text())
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported, name
        assert {module.removeprefix("tests.bookkeeper.").split(".")[0] for module in imported} <= allowed, name


# Hands


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        pytest.param("6C 7S 8D 8H", "9S", 16, id="A01"),
        pytest.param("5H 5C 5S JD", "5D", 29, id="A02"),
        pytest.param("2H 4C 6D 8S", "TC", 0, id="A03"),
        pytest.param("2H 6H 9H KH", "4S", 8, id="A04"),
        pytest.param("2H 6H 9H KH", "4H", 9, id="A05"),
        pytest.param("3S 3D 4C 5H", "5S", 20, id="A08"),
        pytest.param("JH QS QD QC", "KS", 15, id="A09"),
        pytest.param("9S TD JC QC", "QD", 10, id="A10"),
        pytest.param("2C 2D 3S 4H", "KH", 12, id="A11"),
        pytest.param("AC 2H 3D QS", "KH", 7, id="A12"),
        pytest.param("JC 2D 7H 9S", "4C", 3, id="A13"),
        pytest.param("KS KD KC KH", "5S", 20, id="A14"),
        pytest.param("7H 7C 8D 9S", "8C", 24, id="A15"),
    ],
)
def test_hands_count_as_in_the_rules_reference(hand: str, starter: str, points: int) -> None:
    assert count_hand(hand.split(), starter, rules=SIX).points == points


@pytest.mark.parametrize("rules", [SIX, FIVE], ids=["A06 and A07", "A06 and A07 in five-card"])
def test_a_flush_in_the_crib_counts_only_with_the_starter(rules: RuleSet) -> None:
    assert count_hand(["2H", "6H", "9H", "KH"], "4S", rules=rules, crib=True).points == 4
    assert count_hand(["2H", "6H", "9H", "KH"], "4H", rules=rules, crib=True).points == 9


def test_a_house_may_count_four_of_a_suit_in_the_crib() -> None:
    rules = read_rules("six-card/2 crib_flush=four_ok")
    assert count_hand(["2H", "6H", "9H", "KH"], "4S", rules=rules, crib=True).points == 8


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        pytest.param("3H 8H KH", "QS", 3, id="A34"),
        pytest.param("3H 8H KH", "QH", 4, id="A34 with the starter"),
        pytest.param("JC 5D 5H", "5C", 15, id="A35"),
    ],
)
def test_hands_of_three_count_as_in_the_rules_reference(hand: str, starter: str, points: int) -> None:
    assert count_hand(hand.split(), starter, rules=FIVE).points == points


def test_a68_the_crib_of_five_card_holds_four_cards_and_may_count_29() -> None:
    assert count_hand(["5C", "5H", "5S", "JD"], "5D", rules=FIVE, crib=True).points == 29


def test_a_house_may_count_nobs_for_nothing() -> None:
    assert count_hand(["JC", "2D", "7H", "9S"], "4C", rules=read_rules("jeux50/2 his_nobs=off")).points == 2


# The play


def follow(rules: RuleSet, acts: str) -> tuple[list[int], Play]:
    """The points of each seat when these ranks are laid, seat 0 first. Suits do not matter, and no card is used
    twice."""
    play, points = Play(rules, turn=0), [0] * rules.players
    for act in acts.split():
        seat = play.turn
        if act in ("go", "pass"):
            winner = play.go(seat) if act == "go" else play.all_pass()
            if winner is not None:
                points[winner] += rules.go
            continue
        card = next(act + suit for suit in "CDHS" if act + suit not in play.cards)
        brought = play.lay(card)
        assert brought is not None, card
        points[seat] += sum(opening.points for opening in brought.openings(rules))
    return points, play


@pytest.mark.parametrize(
    ("acts", "points"),
    [
        pytest.param("7 8 6 5", [3, 6], id="A17"),
        pytest.param("T Q J go go", [4, 0], id="A18"),
        pytest.param("T K J A", [0, 2], id="A19"),
        pytest.param("5 5 5", [8, 2], id="A20"),
        pytest.param("3 3 3 3", [6, 14], id="A21"),
        pytest.param("T Q", [0, 0], id="A22"),
        pytest.param("4 2 3 5 6", [8, 4], id="A23"),
        pytest.param("4 2 3 4 3", [3, 3], id="A24"),
        pytest.param("4 2 6 5 3", [5, 0], id="A25"),
        pytest.param("3 3 3 3 T go 9 K Q", [8, 15], id="A26"),
    ],
)
def test_plays_of_two_count_as_in_the_rules_reference(acts: str, points: list[int]) -> None:
    assert follow(SIX, acts)[0] == points


def test_a18_and_a19_who_leads_the_next_count() -> None:
    assert follow(SIX, "T Q J go go")[1].turn == 1
    assert follow(SIX, "T K J A")[1].turn == 0


def test_a27_the_last_card_of_all_counts_one() -> None:
    points, play = follow(SIX, "T K J A 6 8 2 3")
    assert total(play.stack) == 19
    assert points == [0, 2 + 1]
    assert play.over()


def test_a29_three_players_play_a_whole_deal() -> None:
    points, play = follow(PRESETS["three-player"], "T J 5 go 6  A K Q 2 8  7 3 9")
    assert points == [3, 2, 0]
    assert play.over()


def test_a30_four_players_play_a_whole_deal() -> None:
    points, play = follow(PRESETS["fadoq"], "T J 6 3 A go go go go  Q 9 3 5 4  8 5 K 7 go go  2 8")
    assert points == [1, 6, 0, 1]
    assert play.over()


def test_a31_six_players_play_a_whole_deal() -> None:
    acts = "T 5 A 8 7  9 5 Q 6 go A  2 K 7 9 go go go 2 go go  3 8 J K  Q T 6 go 4  J"
    points, play = follow(PRESETS["six-player"], acts)
    assert points == [1, 2, 0, 1, 6, 1]
    assert play.over()


def test_a33_five_card_play_ends_when_no_player_can_lay() -> None:
    points, play = follow(FIVE, "9 6 T go go")
    assert points == [1, 2]
    assert play.over()
    assert play.lay("AH") is None


def test_the_play_of_five_card_is_over_at_31_and_with_the_last_card() -> None:
    points, play = follow(FIVE, "T K J A")
    assert (points, play.over()) == ([0, 2], True)
    points, play = follow(FIVE, "2 4 2 4 3 6")
    assert (points, play.over()) == ([5, 1], True)


def test_after_all_pass_the_seat_left_of_the_last_to_lay_leads() -> None:
    points, play = follow(PRESETS["partners"], "T K 9 pass")
    assert points == [0, 0, 1, 0]
    assert play.turn == 3
    assert play.stack == []


def test_a77_a_card_that_fits_takes_back_that_its_seat_has_passed() -> None:
    _, play = follow(PRESETS["partners"], "T K 9 pass")
    brought = play.lay("AH")
    assert brought is not None
    assert brought.resumed
    assert play.stack == ["TC", "KC", "9C", "AH"]
    assert play.turn == 3  # the others have passed


def test_a_card_that_does_not_fit_leads_after_all_have_passed() -> None:
    _, play = follow(PRESETS["partners"], "T K 9 pass")
    brought = play.lay("3H")
    assert brought is not None
    assert not brought.resumed
    assert play.stack == ["3H"]


def test_go_is_refused_where_no_other_player_holds_cards() -> None:
    _, play = follow(SIX, "3 3 3 3 T go 9 K")
    assert play.go(1) is None
    assert play.turn == 1


# Where a side stands


@pytest.mark.parametrize(
    ("at", "points", "worth"),
    [
        pytest.param(115, 1, 1, id="A65 and A48: 115 + go"),
        pytest.param(116, 1, 0, id="A65: 116 + go"),
        pytest.param(118, 3, 3, id="A65: last card with a pair"),
        pytest.param(117, 1, 0, id="A46"),
        pytest.param(119, 2, 2, id="A47"),
        pytest.param(120, 1, 0, id="120 + go"),
        pytest.param(114, 1, 1, id="A48"),
    ],
)
def test_no_single_point_is_pegged_from_116(at: int, points: int, worth: int) -> None:
    assert PRESETS["fadoq"].worth(Opening((points,)), at) == worth


def test_a49_other_presets_know_no_116() -> None:
    assert SIX.worth(Opening((1,)), 117) == 1


@pytest.mark.parametrize(("rule", "worth"), [("move", 3), ("component", 2), ("out_only", 3)])
def test_a66_a_hand_of_three_with_nobs_in_it(rule: str, worth: int) -> None:
    rules = read_rules(f"fadoq/2 single_point_rule={rule}")
    hand = count_hand(["JC", "2D", "7H", "9S"], "4C", rules=rules)
    assert hand.points == 3
    assert rules.worth(hand, 117) == worth


def test_with_out_only_a_single_point_is_barred_at_the_last_hole_alone() -> None:
    rules = read_rules("fadoq/2 single_point_rule=out_only")
    assert [rules.worth(Opening((1,)), at) for at in (116, 119, 120)] == [1, 1, 0]
    assert rules.worth(Opening((2,)), 120) == 2


def test_several_openings_are_judged_one_after_the_other() -> None:
    card_and_go = [Opening((2,)), Opening((1,))]
    assert [PRESETS["fadoq"].due(card_and_go, at) for at in (113, 114)] == [3, 2]


def test_a40_with_exact_out_a_pair_at_120_counts_nothing_and_a_go_wins() -> None:
    rules = read_rules("britannica/2 exact_out=on")
    assert rules.worth(Opening((2,)), 120) == 0
    assert rules.worth(Opening((1,)), 120) == 1
    assert PRESETS["britannica"].worth(Opening((2,)), 120) == 2


def test_a67_with_exact_out_a_pair_counts_before_31() -> None:
    rules = read_rules("britannica/2 exact_out=on")
    play = Play(rules, turn=0, stack=["TC", "KC", "AC", "5C"])
    brought = play.lay("5D")
    assert brought is not None
    claims = brought.openings(rules)
    assert [claim.points for claim in claims] == [2, 2]
    assert rules.due(claims, 119) == 2  # wins on the pair
    assert rules.due(claims, 118) == 2  # and the 31 would be one too many
    assert [claim.points for claim in brought.openings(PRESETS["britannica"])] == [4]


@pytest.mark.parametrize(
    ("label", "loser", "skunked", "lamps"),
    [
        pytest.param("six-card/2", 75, True, 2, id="A42: 75"),
        pytest.param("six-card/2", 95, False, 1, id="A42: 95"),
        pytest.param("six-card/2", 89, True, 2, id="A63: 89"),
        pytest.param("six-card/2", 90, False, 1, id="A63: 90"),
        pytest.param("acc/2", 85, True, 1, id="A43: a skunk of game points lights one lamp"),
        pytest.param("acc/2", 90, True, 1, id="A43: 90"),
        pytest.param("acc/2", 91, False, 1, id="A43: 91"),
        pytest.param("britannica/2", 45, True, 2, id="A41"),
        pytest.param("britannica/2", 60, True, 2, id="A64: 60"),
        pytest.param("britannica/2", 61, False, 1, id="A64: 61"),
        pytest.param("britannica/2 target=61 skunk_line=31", 30, True, 2, id="A64: 30"),
        pytest.param("britannica/2 target=61 skunk_line=31", 31, False, 1, id="A64: 31"),
        pytest.param("six-card/2 double_skunk_line=61", 60, True, 3, id="a double skunk"),
        pytest.param("six-card/2 double_skunk_line=61", 61, True, 2, id="no double skunk"),
        pytest.param("five-card/2", 3, False, 1, id="five-card has no line"),
        pytest.param("six-card/2 skunk_line=off", 3, False, 1, id="no line"),
    ],
)
def test_a_skunk_is_recognised_and_counts_what_the_preset_says(
    label: str, loser: int, *, skunked: bool, lamps: int
) -> None:
    rules = read_rules(label)
    assert rules.skunked([rules.target, loser]) is skunked
    assert rules.lamps([loser, rules.target]) == lamps


def test_three_sides_are_skunked_only_together() -> None:
    rules = read_rules("three-player/2 skunk_line=90")
    assert rules.skunked([121, 80, 89])
    assert not rules.skunked([121, 80, 90])


def test_a_match_ends_after_so_many_games_won_or_played() -> None:
    assert [SIX.match_is_over(won, 6) for won in ([6, 0], [0, 7], [8, 0])] == [False, True, True]
    assert [PRESETS["fadoq"].match_is_over([7, 0], played) for played in (7, 8)] == [False, True]
    assert [PRESETS["acc"].match_is_over([9, 0], played) for played in (8, 9)] == [False, True]
    assert PRESETS["britannica"].match_is_over([1, 0], 1)
    assert not read_rules("britannica/2 match=3").match_is_over([1, 1], 2)
    assert read_rules("jeux50/2 match=1").match_is_over([0, 1], 1)


def test_the_loser_deals_the_next_game_and_of_more_seats_the_one_nearest_to_the_left() -> None:
    assert [SIX.next_dealer(first, (121, 90)) for first in (0, 1)] == [1, 1]
    partners = PRESETS["partners"]
    assert [partners.next_dealer(first, (121, 90)) for first in range(4)] == [1, 3, 3, 1]
    six = PRESETS["six-player"]
    assert [six.next_dealer(first, (121, 90, 80)) for first in range(6)] == [2, 2, 5, 5, 5, 2]
    assert read_rules("partners/2 next_game_deal=alternate").next_dealer(3, (121, 90)) == 0
    assert PRESETS["fadoq"].next_dealer(3, (121, 90)) is None


# Labels


def test_a_label_without_changes_is_the_preset_and_no_label_is_six_card() -> None:
    assert all(read_rules(f"{name}/2") == rules for name, rules in PRESETS.items())
    assert read_rules(None) == SIX


@pytest.mark.parametrize(
    "label",
    [
        "poker/2",
        "six-card/1",
        "six-card/2 under_claim=dead",
        "six-card/2 target=far",
        "six-card/2 colour=blue",
        "acc/2 go",
    ],
)
def test_events_unknown_to_the_bookkeeper_are_refused(label: str) -> None:
    with pytest.raises(ValueError, match="this bookkeeper"):
        read_rules(label)


def test_the_impossible_counts_of_four_cards_and_of_three() -> None:
    four = {points for points in range(34) if SIX.impossible(points, crib=False)}
    three = {points for points in range(34) if FIVE.impossible(points, crib=False)}
    assert four == {25, 26, 27, 30, 31, 32, 33} == {p for p in range(34) if FIVE.impossible(p, crib=True)}
    assert three == {16, 17, 18, *range(21, 34)}


@pytest.mark.parametrize("rules", [SIX, FIVE], ids=["four cards", "three cards"])
def test_a16_no_random_hand_counts_an_impossible_number(rules: RuleSet) -> None:
    rng, pack = Random(16), [rank + suit for rank, suit in product(RANKS, "CDHS")]
    deals = [rng.sample(pack, rules.hand + 1) for _ in range(5000)]
    counts = {count_hand(hand, starter, rules=rules).points for *hand, starter in deals}
    assert len(counts) > 10
    assert not any(points == 19 or rules.impossible(points, crib=False) for points in counts)


def test_every_preset_deals_hands_that_its_show_can_count() -> None:
    assert {(rules.hand, rules.players % rules.teams) for rules in PRESETS.values()} == set(product((3, 4), (0,)))
