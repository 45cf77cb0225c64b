"""The bookkeeper follows a table under every rule set: what a peg may do, who accepts a count, where a score stands.

Nothing of the product plays here: what fingers and cards do is written by hand.
"""

from __future__ import annotations

from copy import deepcopy

import pytest
from tests.bookkeeper.bookkeeper import Bookkeeper
from tests.bookkeeper.lights_by_the_rules import Pegs, Road
from tests.bookkeeper.presets_by_the_rules import Opening
from tests.support.evening_by_hand import EveningByHand, at_table, fronts, in_deal, peg, press, scan

# Claims in the play (7.1, 3.1, 3.18)


@pytest.mark.parametrize("at", [119, 120])
def test_a37_heels_may_win(at: int) -> None:
    assert in_deal("six-card/2", "auto", "JH", standing=(0, at)).phase == "won"
    assert fronts(in_deal("fadoq/2", "auto", "JH", standing=(0, at))) == [0, 121]


@pytest.mark.parametrize(("cards", "front"), [("5C 6C KC", 2), ("5C 6C KC 9C", 0)])
def test_a36_heels_wait_for_the_dealers_own_first_card_not_for_his_partners(cards: str, front: int) -> None:
    keeper = in_deal("partners/2", "verify", "JH", *cards.split(), standing=(0, 0), dealer=3)
    peg(keeper, 1, 2, 2)
    assert fronts(keeper) == [0, front]


def test_a39_an_overshoot_wins_and_stands_at_the_target() -> None:
    keeper = in_deal("six-card/2", "auto", "2C", "5C", "5D", standing=(0, 120))
    assert (keeper.phase, fronts(keeper)) == ("won", [0, 121])


def test_a40_with_exact_out_a_pair_at_120_is_worth_nothing() -> None:
    keeper = in_deal("britannica/2 exact_out=on", "auto", "2C", "5C", "5D", standing=(0, 120))
    assert (keeper.phase, fronts(keeper)) == ("play", [0, 120])


@pytest.mark.parametrize(
    ("holes", "front"),
    [([2, 2, 3, 3], 3), ([3, 3], 3), ([9, 9], 3), ([2, 2], 2), ([1, 1, 2, 2], 2), ([1, 1, 9, 9], 2)],
)
def test_openings_may_be_called_apart_or_together_and_too_much_is_set_right(holes: list[int], front: int) -> None:
    keeper = in_deal("six-card/2", "verify", "2C", standing=(0, 0))
    keeper.due[0] = [Opening((2,)), Opening((1,))]
    peg(keeper, 0, *holes)
    assert fronts(keeper) == [front, 0]


def test_a46_a_press_of_one_hole_from_116_moves_nothing() -> None:
    keeper = in_deal("fadoq/2", "verify", "2C", standing=(116, 115))
    keeper.due = [[Opening((1,))], [Opening((1,))]]
    peg(keeper, 0, 117)
    assert keeper.claim is None
    peg(keeper, 0, 118, 118)  # and a press of two is set to the truth, which is none
    assert fronts(keeper) == [116, 115]
    peg(keeper, 1, 116, 116)
    assert fronts(keeper) == [116, 116]


@pytest.mark.parametrize(("points", "front"), [(1, 120), (2, 121), (8, 121)])
@pytest.mark.parametrize("rule", ["move", "component", "out_only"])
def test_at_120_with_single_points_barred_only_two_or_more_win(rule: str, points: int, front: int) -> None:
    keeper = in_deal(f"fadoq/2 single_point_rule={rule}", "verify", "2C", standing=(120, 0))
    keeper.due[0] = [Opening((points,))]
    peg(keeper, 0, 121, 121)
    assert fronts(keeper) == [front, 0]


def test_in_trust_a_press_of_one_hole_is_barred_from_116_but_the_game_hole_is_believed() -> None:
    keeper = at_table("fadoq/2", "trust")
    for _ in range(2):
        press(keeper, "ok", 0)
    keeper.pegs = [Pegs(116, 110), Pegs(120, 110)]
    peg(keeper, 0, 117)
    assert keeper.claim is None
    peg(keeper, 1, 121)
    keeper.read({"waited": 3.05})
    assert fronts(keeper) == [116, 121]


def test_only_in_trust_a_peg_is_let_go_by_time() -> None:
    keeper = in_deal("six-card/2", "verify", "JC", standing=(0, 0))
    peg(keeper, 1, 2)
    keeper.read({"waited": 3.05})
    assert fronts(keeper) == [0, 0]


def test_go_held_by_the_side_that_laid_last_declares_go_for_everyone() -> None:
    keeper = in_deal("partners/2", "auto", "2C", "TC", "KC", "9C", standing=(0, 0), dealer=3)
    press(keeper, "go", 0)  # it is not for this side to say go
    press(keeper, "go", 1, held=True)  # nor has this one laid last: a go of its own seat alone
    assert fronts(keeper) == [0, 0]
    press(keeper, "go", 0, held=True)
    assert fronts(keeper) == [1, 0]
    scan(keeper, "AH")  # this seat had said go for himself: he leads
    assert fronts(keeper) == [1, 0]


def test_a77_on_auto_the_point_for_a_go_of_all_comes_back() -> None:
    keeper = in_deal("partners/2", "auto", "2C", "TC", "KC", "9C", standing=(0, 0), dealer=3)
    press(keeper, "go", 0, held=True)
    assert fronts(keeper) == [1, 0]
    scan(keeper, "2H")
    assert fronts(keeper) == [0, 2]


# The show (7.2, 7.4, 7.11)


def at_show(rules: str, *, counts: int = 0, seed: int = 2) -> EveningByHand:
    """An evening that has come so far in its first show, with the next count open and unclaimed."""
    evening = EveningByHand(rules, seed=seed)
    evening.until("show")
    for _ in range(2 * counts):  # claimed and accepted
        evening.step()
    evening.scan_missing()
    return evening


def state(keeper: Bookkeeper) -> tuple[int, list[int], bool]:
    assert keeper.deal is not None
    return keeper.deal.counting, fronts(keeper), keeper.claim is None or keeper.claim.released


@pytest.mark.parametrize("rules", ["six-card/2", "partners/2", "fadoq/2", "jeux50/2"])
def test_a_press_of_ones_own_next_count_accepts_unless_the_rules_ask_for_an_ok(rules: str) -> None:
    evening = at_show(rules)
    keeper = evening.verify
    assert keeper.deal is not None
    claimant, acceptor = keeper.deal.counting_side, keeper.deal.accepting_side
    peg(keeper, claimant, keeper.pegs[claimant].front + 3)
    before = state(keeper)
    peg(keeper, acceptor, keeper.pegs[acceptor].front + 4)
    if keeper.rules.verify_ack:
        assert state(keeper) == before
        press(keeper, "ok", acceptor)
    assert keeper.deal.counting == 1


def test_with_three_sides_the_next_to_count_accepts_and_the_third_may_only_challenge() -> None:
    for counts in range(4):
        keeper = at_show("three-player/2", counts=counts).verify
        assert keeper.deal is not None
        claimant, acceptor = keeper.deal.counting_side, keeper.deal.accepting_side
        third = ({0, 1, 2} - {claimant, acceptor}).pop()
        assert acceptor == (claimant + 1) % 3  # for the dealer's hand and the crib, too
        peg(keeper, claimant, keeper.pegs[claimant].front + 3)
        before = state(keeper)
        press(keeper, "ok", third)
        peg(keeper, third, keeper.pegs[third].front + 4)
        assert state(keeper) == before
        for key, side in (("ok", acceptor), ("challenge", third)):
            other = deepcopy(keeper)
            dealing = other.deal
            press(other, key, side)
            assert other.deal is not None
            assert (other.deal.counting, other.deal is dealing) == ((counts + 1, True) if counts < 3 else (0, False))


def test_a_void_point_of_the_play_does_not_stand_before_the_count_of_a_hand() -> None:
    keeper = at_show("fadoq/2").verify
    assert keeper.deal is not None
    side = keeper.deal.counting_side
    keeper.pegs[side] = Pegs(116, 110)
    keeper.due[side] = [Opening((1,))]
    peg(keeper, side, 118)
    assert keeper.claim is not None
    assert keeper.claim.count


def test_a55_nineteen_is_a_zero_and_a56_some_counts_are_refused() -> None:
    keeper = at_show("six-card/2").verify
    assert keeper.deal is not None
    side = keeper.deal.counting_side
    front = keeper.pegs[side].front
    for points in (25, 26, 27):
        peg(keeper, side, front + points)
        assert keeper.claim is None
    peg(keeper, side, front + 19)
    press(keeper, "ok", side)
    assert keeper.claim is not None
    assert (keeper.claim.called, keeper.claim.released, keeper.pegs[side].front) == (0, True, front)
    press(keeper, "ok", 1 - side)
    assert (keeper.deal.counting, keeper.pegs[side].front) == (1, front)


def test_unplayed_cards_open_the_first_count_of_five_card_on_auto_without_an_ok() -> None:
    for seed in range(20):
        evening = EveningByHand("five-card/2", seed=seed)
        evening.until("show")
        auto = evening.auto
        assert auto.deal is not None
        assert auto.deal.counting == -1
        if auto.deal.full:
            continue
        press(auto, "ok", 0)
        side, before = auto.deal.counting_side, fronts(auto)
        hand = evening.hands[auto.deal.counter]
        scan(auto, *(card for card in hand if not auto.deal.seen(card)))
        assert auto.deal.counting == 0
        assert auto.pegs[side].front == before[side] + auto.deal.due.points
        return
    pytest.fail("no hand had unplayed cards")


# The wood


@pytest.mark.parametrize(
    ("last", "laps", "target", "holes"),
    [
        pytest.param(120, 1, 121, {1: 1, 61: 61, 120: 120, 121: 121, 130: 121}, id="continuous"),
        pytest.param(120, 1, 61, {1: 1, 60: 60, 61: 61, 70: 61}, id="continuous to 61"),
        pytest.param(60, 2, 121, {60: 60, 61: 1, 120: 60, 121: 61}, id="classic"),
        pytest.param(60, 2, 61, {60: 60, 61: 61}, id="classic to 61: the game hole"),
        pytest.param(60, 2, 91, {60: 60, 61: 1, 91: 31, 99: 31}, id="classic to 91"),
    ],
)
def test_a_score_stands_in_the_hole_of_its_lap_up_to_the_target(
    last: int, laps: int, target: int, holes: dict[int, int]
) -> None:
    road = Road(last, laps, target)
    assert {score: road.hole(score) for score in holes} == holes


def test_the_second_lap_begins_behind_the_last_hole() -> None:
    assert [Road(60, 2, 121).on_second_lap(front) for front in (0, 60, 61, 121)] == [False, False, True, True]
    assert not Road(60, 2, 61).on_second_lap(61)


def test_a_press_means_the_next_hole_of_that_number() -> None:
    road = Road(60, 2, 121)
    assert road.place(50, 5) == 65
    assert road.place(50, 49) is None
    assert road.place(95, 61) == 121
    assert road.place(80, 61) is None
    assert Road(60, 2, 61).place(50, 61) == 61
