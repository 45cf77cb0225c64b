"""Every parameter makes a difference: two games that differ in it alone, told in the same words, end differently.

Where a parameter moves points, the ends are the pegs, the winner or the match; where it moves none, they are what the
record holds, what is refused, or what the table asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest
from tests.support.seats import BLUE, LAST_SEAT, RED
from tests.support.stories import Tale

from cribboard import RULES, Rules
from cribboard.events import FalseGoFound
from cribboard.rules import PARAMETERS, Option, changed
from cribboard.view import see


def pegs(tale: Tale) -> object:
    return tale.scores


def winner(tale: Tale) -> object:
    return tale.table.now.winner


def match_points(tale: Tale) -> object:
    return tale.match.points


def match_winner(tale: Tale) -> object:
    return tale.match.winner


def told_elsewhere(tale: Tale) -> object:
    return tale.match.rules.game.sealed is Option.OFF


def next_dealer(tale: Tale) -> object:
    return tale.match.next_dealer()


def refusals(tale: Tale) -> object:
    return tale.refused


def reneges(tale: Tale) -> object:
    """How often the record says that a go was false."""
    return sum(isinstance(event, FalseGoFound) for event in tale.table.game.log)


def asked_to_cut(tale: Tale) -> object:
    return see(tale.table.now).prompt.values["cutter"]


def asked_to_deal(tale: Tale) -> object:
    """Which seats get four cards only, and whose discards are buried."""
    values = see(tale.table.now).prompt.values
    return values["four"], values["buried"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One story under rules that differ in one parameter: by its value, how the story ends. `shows` reads that end."""

    parameter: str
    base: Rules
    story: str
    ends: Mapping[object, object]
    shows: Callable[[Tale], object] = pegs
    way: str = "auto"
    dealer: int | None = LAST_SEAT
    scores: Sequence[int] | None = None

    def rules(self, value: object) -> Rules:
        return changed(self.base, {self.parameter: value})

    def end(self, value: object) -> object:
        """How the story ends under this value."""
        tale = Tale(self.rules(value), self.way, dealer=self.dealer, scores=self.scores)
        return self.shows(tale.tell(self.story))


def house(preset: str, **changes: object) -> Rules:
    return changed(RULES[preset], changes)


#: A whole play: with two players blue keeps 2H 6H 9H KH and red TC QS 8D AC. Red earns the go, blue lays the last card.
A_PLAY = "They lay 2H TC 6H QS go AC go 9H 8D KH."

PAIRS = (
    # Seats and cards
    Pair(
        parameter="players",
        base=RULES["partners"],
        story="8S is turned. They lay TC QD KH go go go go.",
        ends={4: (1, 0), 6: (0, 0)},
        dealer=3,
    ),
    Pair(
        parameter="teams",
        base=RULES["six-player"],
        story="8S is turned. They lay 2C KD AH 2S.",
        ends={3: (2, 0, 0), 2: (0, 2)},
    ),
    Pair(
        parameter="cards_dealt",
        base=RULES["six-card"],
        story="KS is turned. They lay 2C 4D 6H 8S AC 7D.",
        ends={6: (0, 0), 5: (0, 1)},
    ),
    Pair(
        parameter="discards",
        base=house("six-card", cards_dealt=5),
        story="KS is turned. They lay 2C 4D 6H 8S AC 7D.",
        ends={1: (0, 0), 2: (0, 1)},
    ),
    Pair(
        parameter="six_player_deal",
        base=RULES["six-player"],
        story="",
        ends={"short-hands": ((5, 4), ()), "bury": ((), (5, 2))},
        shows=asked_to_deal,
    ),
    # The cuts
    Pair(
        parameter="first_deal",
        base=RULES["six-card"],
        story="Blue cuts 4C. Red cuts 9D. JH is turned.",
        ends={"low_cut": (2, 0), "high_cut": (0, 2)},
        dealer=None,
    ),
    Pair(
        parameter="cut_tie",
        base=RULES["three-player"],
        story="Blue cuts 4C. Red cuts 4D. Green cuts 9H. Blue cuts KC. Red cuts QD. Green cuts 2H. JS is turned.",
        ends={"recut": (0, 0, 2), "tied_recut": (0, 2, 0)},
        dealer=None,
    ),
    Pair(
        parameter="cutter",
        base=RULES["three-player"],
        story="",
        ends={"right": 1, "left": 0},
        shows=asked_to_cut,
    ),
    Pair(
        parameter="exposed_cut",
        base=RULES["jeux50"],
        story="JH is turned. Blue has seen a card. Red says OK. 5S is turned.",
        ends={"redeal": (0, 0), "ignore": (0, 2)},
    ),
    Pair(
        parameter="exposed_cut",
        base=RULES["acc"],
        story="JH is turned. Blue has seen a card.",
        ends={"top_card_stands": [], "ignore": ["no_exposed_cut"]},
        shows=refusals,
    ),
    Pair(
        parameter="his_heels",
        base=RULES["six-card"],
        story="JH is turned.",
        ends={2: (0, 2), 0: (0, 0)},
    ),
    Pair(
        parameter="heels_timing",
        base=RULES["six-card"],
        story="JH is turned. They lay 4C 6D 8H. Red lifts 2. Blue says OK.",
        ends={"at_cut": (0, 2), "before_dealer_plays": (0, 0)},
        way="verify",
    ),
    # The play
    Pair(
        parameter="single_series",
        base=RULES["five-card"],
        story="KS is turned. They lay TC JD KH go go 9S 6C.",
        ends={"on": (3 + 1, 0), "off": (3 + 1 + 2, 0)},
    ),
    Pair(
        parameter="must_play_after_go",
        base=RULES["six-card"],
        story="KS is turned. They lay TC 6D QH go go 9S 2C.",
        ends={"on": 1, "off": 0},
        shows=reneges,
    ),
    Pair(
        parameter="go",
        base=RULES["six-card"],
        story="8S is turned. They lay TC QD KH go go.",
        ends={1: (1, 0), 0: (0, 0)},
    ),
    Pair(
        parameter="thirty_one",
        base=RULES["six-card"],
        story="KS is turned. They lay TC QD 9H 2S.",
        ends={2: (0, 2), 1: (0, 1)},
    ),
    Pair(
        parameter="last_card",
        base=RULES["six-card"],
        story=f"4S is turned. {A_PLAY}",
        ends={1: (1, 1), 0: (0, 1)},
    ),
    # The show
    Pair(
        parameter="hand_flush_min",
        base=RULES["six-card"],
        story=f"4S is turned. {A_PLAY} Red says OK.",
        ends={4: (1 + 8, 1), 5: (1 + 4, 1)},
    ),
    Pair(
        parameter="crib_flush",
        base=RULES["six-card"],
        story=f"4S is turned. {A_PLAY} Red says OK. Blue says OK. Red says OK. The crib is 3D 5D 7D JD.",
        ends={"five_only": (1 + 8, 1 + 4 + 7), "four_ok": (1 + 8, 1 + 4 + 7 + 4)},
    ),
    Pair(
        parameter="his_nobs",
        base=RULES["six-card"],
        story="4H is turned. They lay 2H TC 6H QS go AC go 9H 8D JH. Red says OK.",
        ends={1: (1 + 4 + 5 + 1, 1), 0: (1 + 4 + 5, 1)},
    ),
    Pair(
        parameter="three_for_last",
        base=RULES["five-card"],
        story="Blue cuts 9C. Red cuts 4D.",
        ends={3: (3, 0), 0: (0, 0)},
        dealer=None,
    ),
    # The claims
    Pair(
        parameter="late_claim",
        base=RULES["six-card"],
        story="KS is turned. They lay 8C 7D TC. Red lifts 2. Blue says OK.",
        ends={"agreed": (0, 2), "refused": (0, 0)},
        way="verify",
    ),
    Pair(
        parameter="telling",
        base=RULES["six-card"],
        story=f"4S is turned. {A_PLAY} Blue pegs 1. Red says OK. Blue pegs 12. Red says OK.",
        ends={"tournament": (1 + 12, 0), "club": (1 + 8, 0), "guest": (1 + 8, 0), "coach": (1 + 8, 0)},
        way="verify",
    ),
    Pair(
        parameter="over_claim",
        base=house("six-card", telling="tournament"),
        story="KS is turned. They lay 8C 7D. Red pegs 5. Blue challenges.",
        ends={"correct": (0, 2), "award_excess": (3, 2)},
        way="verify",
    ),
    Pair(
        parameter="false_game_penalty",
        base=RULES["acc"],
        story="KS is turned. They lay 8C 7D. Red pegs 4. Blue challenges.",
        ends={15: (42, 119 - 15), 0: (42, 119)},
        way="verify",
        scores=(40, 117),
    ),
    Pair(
        parameter="muggins",
        base=RULES["britannica"],
        story="KS is turned. They lay 8C 7D TC. Blue challenges. Blue pegs 2.",
        ends={"on": (2, 0), "off": (0, 0)},
        way="verify",
    ),
    Pair(
        parameter="muggins_wrong_call",
        base=house("britannica", muggins="on"),
        story="KS is turned. They lay 8C 7D. Red pegs 2. Blue challenges. Blue pegs 3.",
        ends={"nothing": (0, 2), "reverse": (0, 5)},
        way="verify",
    ),
    Pair(
        parameter="muggins_on_heels",
        base=house("britannica", muggins="on"),
        story="JS is turned. They lay 8C 9D TC. Blue challenges. Blue pegs 2.",
        ends={"on": (2, 0), "off": (0, 0)},
        way="verify",
    ),
    Pair(
        parameter="renege",
        base=RULES["six-card"],
        story="KS is turned. They lay TC QD 5H go AC go 2C. Blue says OK.",
        ends={"refuse": (1, 0), "two_per_card": (2, 0)},
    ),
    Pair(
        parameter="peg_release_final",
        base=RULES["six-card"],
        story="KS is turned. They lay 5C 5D 5H. Blue pegs 2. Blue pegs 6.",
        ends={"on": (2, 0), "off": (8, 0)},
        way="verify",
    ),
    Pair(
        parameter="verify_ack",
        base=RULES["six-card"],
        story=f"4S is turned. {A_PLAY} Blue pegs 1. Blue pegs 8. Red pegs 4.",
        ends={"on": (9, 0), "off": (9, 4)},
        way="verify",
    ),
    Pair(
        parameter="undo",
        base=RULES["six-card"],
        story="KS is turned. They lay 8C 7D. Red pegs 2. They undo.",
        ends={"free": (0, 0), "agreed": (0, 2)},
        way="verify",
    ),
    Pair(
        parameter="undo",
        base=RULES["six-card"],
        story="KS is turned. They lay 8C. They undo. They lay 7D.",
        ends={"agreed": (0, 0), "official": (0, 2)},
    ),
    # The end of the game
    Pair(
        parameter="target",
        base=RULES["jeux50"],
        story="KS is turned. They lay 8C 7D.",
        ends={121: None, 61: RED},
        shows=winner,
        scores=(40, 59),
    ),
    Pair(
        parameter="exact_out",
        base=RULES["britannica"],
        story="KS is turned. They lay 8C 7D.",
        ends={"off": RED, "on": None},
        shows=winner,
        scores=(100, 120),
    ),
    Pair(
        parameter="no_single_point_from",
        base=RULES["fadoq"],
        story="8S is turned. They lay TC QD KH go go go go.",
        ends={116: (117, 90), None: (118, 90)},
        scores=(117, 90),
    ),
    Pair(
        parameter="single_point_rule",
        base=house("jeux50", no_single_point_from=116),
        story="4S is turned. They lay 2H TC 6H QS go AC go 9H 8D 8H.",
        ends={"move": (117 + 2 + 1, 117), "component": (117 + 2, 117), "out_only": (117 + 2 + 1, 118)},
        scores=(117, 117),
    ),
    # The match
    Pair(
        parameter="skunk_line",
        base=RULES["six-card"],
        story="Blue wins 121 to 85.",
        ends={90: (2, 0), None: (1, 0)},
        shows=match_points,
    ),
    Pair(
        parameter="double_skunk_line",
        base=house("acc", double_skunk_value=4),
        story="Blue wins 121 to 50.",
        ends={61: (4, 0), None: (3, 0)},
        shows=match_points,
    ),
    Pair(
        parameter="win_value",
        base=RULES["acc"],
        story="Blue wins 121 to 110.",
        ends={2: (2, 0), 1: (1, 0)},
        shows=match_points,
    ),
    Pair(
        parameter="skunk_value",
        base=RULES["six-card"],
        story="Blue wins 121 to 85.",
        ends={2: (2, 0), 3: (3, 0)},
        shows=match_points,
    ),
    Pair(
        parameter="double_skunk_value",
        base=RULES["acc"],
        story="Blue wins 121 to 50.",
        ends={3: (3, 0), 4: (4, 0)},
        shows=match_points,
    ),
    Pair(
        parameter="match",
        base=RULES["six-card"],
        story="Blue wins 121 to 110.",
        ends={7: None, 1: BLUE},
        shows=match_winner,
    ),
    Pair(
        parameter="standings",
        base=RULES["jeux50"],
        story="Blue wins 121 to 119. Red wins 121 to 60.",
        ends={"points": RED, "wins": None, "game_points": None},
        shows=match_winner,
    ),
    Pair(
        parameter="next_game_deal",
        base=RULES["six-card"],
        story="Blue wins 121 to 110.",
        ends={"loser": RED, "alternate": BLUE, "cut": None},
        shows=next_dealer,
    ),
    Pair(
        parameter="sealed",
        base=RULES["six-card"],
        story="Blue wins 121 to 110.",
        ends={"off": True, "on": False},
        shows=told_elsewhere,
    ),
)

each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.parameter} {'/'.join(map(str, pair.ends))}")


@each_pair
def test_a_story_ends_as_expected_with_each_value_of_its_parameter(pair: Pair) -> None:
    assert {value: pair.end(value) for value in pair.ends} == pair.ends


@each_pair
def test_the_rules_of_a_pair_differ_in_this_parameter_alone(pair: Pair) -> None:
    one, *others = (pair.rules(value).values for value in pair.ends)
    for other in others:
        assert [name for name in one if one[name] != other[name]] == [pair.parameter]


@each_pair
def test_the_values_of_a_parameter_end_a_story_differently(pair: Pair) -> None:
    first, *others = pair.ends.values()
    assert any(other != first for other in others)


def test_every_parameter_has_a_pair() -> None:
    assert {pair.parameter for pair in PAIRS} == PARAMETERS.keys()


def test_an_unknown_step_of_a_story_is_an_error() -> None:
    with pytest.raises(ValueError, match="Blue sings"):
        Tale(RULES["six-card"], "auto").tell("Blue sings.")
