"""The bookkeeper keeps whole evenings under every rule set: games, who deals the next, matches, and every light.

Nothing of the product plays here: the evenings are dealt by chance and played by hand.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import pairwise

import pytest
from tests.bookkeeper.bookkeeper import Bookkeeper, audit
from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import PRESETS
from tests.support.evening_by_hand import BRIGHT, EveningByHand, at_table, dealer_of, fronts, press, scan
from tests.support.sweeps import one_in

HOUSES = [
    *(f"{name}/2" for name in PRESETS),
    "fadoq/2 single_point_rule=component",
    "fadoq/2 single_point_rule=out_only",
    "britannica/2 target=61 skunk_line=31 exact_out=on",
    "six-player/2 exact_out=on target=61",
    "five-card/2 three_for_last=off single_series=off",
    "britannica/2 muggins=on",
    "three-player/2 telling=tournament",
]


# Whole games


@pytest.mark.sweep
@pytest.mark.parametrize("rules", HOUSES[:: one_in(3)])
def test_a_player_who_claims_every_due_point_has_equal_pegs_in_all_three_ways(rules: str) -> None:
    for seed in range(4):
        evening = EveningByHand(rules, seed=seed)
        verify, auto, trust = evening.keepers
        while verify.phase != "won":
            evening.step()
            assert fronts(verify) == fronts(trust)
            assert fronts(verify) == fronts(auto) or not evening.settled
        assert sum(score == verify.rules.target for score in fronts(verify)) == 1
        assert max(fronts(verify)) == verify.rules.target
        assert verify.deals == auto.deals == trust.deals > 1
        assert [keeper.differences for keeper in evening.keepers] == [[], [], []]


@pytest.mark.parametrize("board", ["continuous", "classic", "triple"])
@pytest.mark.parametrize("target", [61, 91, 121])
def test_the_bookkeeper_finds_every_light_of_an_evening_right(board: str, target: int) -> None:
    evening = EveningByHand(f"partners/2 target={target}", seed=1, board=board)
    for _ in range(2):
        evening.until("won")
        evening.until("lobby")
        evening.until("play")
    for keeper in evening.keepers:
        assert keeper.differences == []
        assert keeper.compared > 200


@pytest.mark.parametrize(
    ("played", "heading"),
    [
        ("three-player/2", "six-player/2"),
        ("partners/2", "six-card/2"),
        ("five-card/2", "five-card/2 three_for_last=off"),
        ("five-card/2", "five-card/2 single_series=off"),
        ("six-card/2", "six-card/2 target=61"),
        ("six-card/2", "six-card/2 his_heels=off"),
        ("six-card/2", "six-card/2 go=off"),
        ("six-card/2", "six-card/2 thirty_one=off"),
        ("six-card/2", "six-card/2 last_card=off"),
        ("six-card/2", "six-card/2 his_nobs=off"),
        ("six-card/2", "six-card/2 hand_flush_min=off"),
        ("six-card/2", "six-card/2 no_single_point_from=5"),
        ("six-card/2", "six-card/2 exact_out=on"),
        ("six-card/2", "six-card/2 match=1"),
        ("partners/2", "partners/2 next_game_deal=alternate"),
    ],
)
def test_a_game_played_by_other_rules_than_its_heading_is_found(played: str, heading: str) -> None:
    def differences(seed: int) -> list[str]:
        evening = EveningByHand(played, seed=seed, board="triple")
        evening.until("won")
        evening.until("lobby")
        evening.until("play", "cut")
        assert evening.verify.differences == []
        first, *rest = evening.diaries[0]
        return audit([{**first, "rules": heading}, *rest]).differences

    assert any(differences(seed) for seed in range(8))


def test_a_light_on_an_unused_track_is_found() -> None:
    evening = EveningByHand("six-card/2", seed=3, board="triple")
    evening.until("won")
    doctored = deepcopy(evening.diaries[0])
    next(entry for entry in doctored[50:] if "lights" in entry)["lights"][2]["7"] = BRIGHT
    assert evening.verify.differences == []
    assert len(audit(doctored).differences) == 1


def test_the_audit_finds_a_deal_by_another_seat_of_the_dealers_side() -> None:
    evening = EveningByHand("six-player/2", seed=3, board="triple")
    evening.until("won")
    doctored = [
        {**entry, "deal": (entry["deal"] + 3) % 6} if "deal" in entry else entry for entry in evening.diaries[0]
    ]
    assert len(audit(doctored).differences) == sum("deal" in entry for entry in evening.diaries[0])


# Who deals (7.8, 1.9 to 1.11, 3.19)


def test_a44_the_lowest_cut_deals() -> None:
    for change, dealer in ("", 1), (" first_deal=high_cut", 0):
        keeper = at_table(f"three-player/2{change}", "auto")
        scan(keeper, "9S", "4S", "5S")
        assert dealer_of(keeper) == dealer


@pytest.mark.parametrize(
    ("change", "second_cut", "dealer"),
    [("", "KC QC", None), ("", "KC QC 3C 2C", 3), (" cut_tie=tied_recut", "KC QC", 2)],
)
def test_all_cut_again_or_only_those_who_tie(change: str, second_cut: str, dealer: int | None) -> None:
    keeper = at_table(f"partners/2{change}", "auto")
    scan(keeper, "9S", "4S", "4H", "5S")
    scan(keeper, *second_cut.split())
    assert dealer_of(keeper) == dealer


def test_in_trust_the_dealer_of_more_seats_than_sides_is_named_by_menu() -> None:
    keeper = at_table("partners/2", "trust")
    press(keeper, "menu", None)
    press(keeper, "ok", 1)
    assert dealer_of(keeper) is None
    for _ in range(3):
        press(keeper, "menu", None)
    press(keeper, "ok", 1)
    assert dealer_of(keeper) == 0


def test_in_trust_the_dealers_own_ok_names_him_and_his_next_ends_the_deal() -> None:
    keeper = at_table("three-player/2", "trust")
    for side, dealer in ((2, 2), (1, 2), (0, 2), (2, 0), (0, 1)):
        press(keeper, "ok", side)
        assert dealer_of(keeper) == dealer


def test_a45_the_deal_passes_to_the_left() -> None:
    evening = EveningByHand("six-player/2", seed=5)
    evening.until("won")
    dealers = [entry["deal"] for entry in evening.diaries[0] if "deal" in entry]
    assert len(dealers) > 3
    assert all(later == (dealer + 1) % 6 for dealer, later in pairwise(dealers))


def test_a32_three_for_last_goes_to_the_first_pone_of_a_game_and_once() -> None:
    keeper = at_table("five-card/2", "trust")
    press(keeper, "ok", 1)
    assert keeper.pegs == [Pegs(3, 0), Pegs(0, 0)]
    press(keeper, "ok", 1)
    assert fronts(keeper) == [3, 0]


# The end of a game and of a match (1.30, 1.31)


def end_game(keeper: Bookkeeper, *scores: int) -> None:
    """The game ends so, and all agree."""
    keeper.pegs = [Pegs(score, 0) for score in scores]
    keeper.phase = "won"
    for side in range(len(scores)):
        press(keeper, "ok", side)


def test_a_skunk_lights_two_lamps_and_seven_games_end_the_match() -> None:
    keeper = at_table("three-player/2 skunk_line=90", "trust")
    for game in range(3):
        press(keeper, "ok", 0)
        end_game(keeper, 50, 121, 89)
        assert keeper.match.won == [0, 2 * game + 2, 0]
        press(keeper, "ok", 0)
        assert dealer_of(keeper) == 0  # the loser with the lowest score
    end_game(keeper, 50, 121, 90)
    assert keeper.match.won == [0, 7, 0]
    press(keeper, "ok", 0)
    assert (keeper.match.won, dealer_of(keeper), keeper.phase) == ([0, 0, 0], None, "cut")


def test_eight_games_of_fadoq_end_a_match_whoever_won_and_every_game_is_cut_for() -> None:
    keeper = at_table("fadoq/2", "trust")
    for game in range(8):
        assert (sum(keeper.match.won), keeper.phase) == (game, "cut")
        press(keeper, "ok", 0)
        press(keeper, "ok", 0)
        end_game(keeper, 50, 121)
        press(keeper, "ok", 0)
    assert keeper.match.won == [0, 0]


def test_a_result_that_differs_from_the_pegs_is_found() -> None:
    keeper = at_table("acc/2", "trust")
    press(keeper, "ok", 0)
    keeper.pegs = [Pegs(121, 110), Pegs(90, 80)]
    keeper.read({"result": [121, 90], "winner": 0, "skunked": True})
    assert keeper.differences == []
    keeper.read({"result": [121, 90], "winner": 0, "skunked": False})
    assert len(keeper.differences) == 1
