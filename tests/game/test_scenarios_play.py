"""A17 to A31 of the rules reference: the play, told as it tells it, and where the pegs stand after it.

Each story is played in all three ways, and once more by players who claim far too much for every card: the truth is
pegged all the same.
"""

from __future__ import annotations

import pytest
from tests.support.seats import SIX_CARD, Table, card, where_cards_are_read

from cribboard import RULES, Rules
from cribboard.actions import AllPass, LayCard, SayGo, TurnStarter
from cribboard.event_terms import Verdict
from cribboard.position import Phase
from cribboard.view import PromptKind, see

THREE, FOUR, SIX = RULES["three-player"], RULES["fadoq"], RULES["six-player"]
FAR_TOO_MUCH, A_LITTLE_TOO_MUCH = 18, 3

#: What the reference writes as « others go » is said by each seat that still holds cards, the last to lay included.
A29 = """S1 T, S2 J, S3 5, S1 go, S2 6+2 (31); S3 A, S1 K, S2 Q, S3 2, S1 8+2 (31); S2 7, S3 3, S1 9+1"""
A30 = """S1 T, S2 J, S3 6, S4 3, S1 A (30), S2 go, S3 go, S4 go, S1 go+1; S2 Q, S3 9, S4 3, S1 5, S2 4+5 (31);
         S3 8, S4 5, S1 K, S2 7 (30), S3 go, S4 go+1; S3 2, S4 8+1"""
A31 = """S1 T, S2 5+2, S3 A, S4 8, S5 7+2 (31); S6 9, S1 5, S2 Q, S3 6, S4 go, S5 A+2 (31);
         S6 2, S1 K, S2 7, S3 9, S4 go, S5 go, S6 go, S1 2 (30), S2 go, S3 go+1;
         S2 3, S3 8, S4 J, S5 K+2 (31); S6 Q, S4 T, S5 6, S6 go, S4 4+1 (30); S6 J+1"""

in_every_way_and_called_too_high = pytest.mark.parametrize("way", ["trust", "verify", "auto", "called too high"])


def played(way: str, story: str, rules: Rules = SIX_CARD) -> Table:
    """The story at a table of these rules; the starter is a king."""
    if way == "called too high":
        return called_too_high(story, rules)
    table = Table(way, rules=rules)
    table.starter()
    table.tell(story)
    return table


def called_too_high(story: str, rules: Rules) -> Table:
    """The same cards, and whoever has laid one, or has the go, claims eighteen for it; but three for the last card of
    all, for eighteen could be for the hand."""
    table = Table("verify", rules=rules)
    table.starter()
    for clause in story.replace(";", ",").split(","):
        name, word, *_ = clause.split()
        seat, what = table.seat(name), word.partition("+")[0]
        table.do(SayGo(seat) if what == "go" else LayCard(seat, table.find(what)))
        table.last_to_lay = seat if what != "go" else table.last_to_lay
        if what != "go" or table.now.count_over:
            side = rules.side_of(table.last_to_lay)
            before, called = table.scores[side], FAR_TOO_MUCH if table.now.phase is Phase.PLAY else A_LITTLE_TOO_MUCH
            assert table.claim(side, called).verdict is Verdict.TOO_MANY
            table.pegged[table.last_to_lay] += table.scores[side] - before
    return table


def two_players(way: str, story: str, *, pone: int, dealer: int) -> Table:
    table = played(way, story)
    assert table.scores == (pone, dealer)
    return table


@in_every_way_and_called_too_high
def test_a17_the_example_of_the_seeds(way: str) -> None:
    two_players(way, "P 7, D 8+2, P 6+3, D 5+4", pone=3, dealer=6)


@in_every_way_and_called_too_high
def test_a18_a_go_scores_one(way: str) -> None:
    table = two_players(way, "P T, D Q, P J+3, D go, P go+1", pone=4, dealer=0)
    assert way == "trust" or (table.now.turn, table.now.count_over) == (table.seat("D"), True)


@in_every_way_and_called_too_high
def test_a19_thirty_one_takes_the_place_of_go(way: str) -> None:
    table = two_players(way, "P T, D K, P J, D A+2 (31)", pone=0, dealer=2)
    assert way == "trust" or (table.now.turn, table.now.count_over) == (table.seat("P"), True)


@in_every_way_and_called_too_high
def test_a20_a_pair_royal_and_fifteen(way: str) -> None:
    two_players(way, "P 5, D 5+2, P 5+8", pone=8, dealer=2)


@in_every_way_and_called_too_high
def test_a21_a_double_pair_royal(way: str) -> None:
    two_players(way, "P 3, D 3+2, P 3+6, D 3+12", pone=6, dealer=14)


@in_every_way_and_called_too_high
def test_a22_ten_cards_pair_by_rank_only(way: str) -> None:
    two_players(way, "P T, D Q", pone=0, dealer=0)


@in_every_way_and_called_too_high
def test_a23_a_run_out_of_order(way: str) -> None:
    two_players(way, "P 4, D 2, P 3+3, D 5+4, P 6+5 (20)", pone=8, dealer=4)


@in_every_way_and_called_too_high
def test_a24_a_run_renewed_and_then_blocked(way: str) -> None:
    two_players(way, "P 4, D 2, P 3+3, D 4+3, P 3", pone=3, dealer=3)


@in_every_way_and_called_too_high
def test_a25_a_run_complete_only_at_the_end(way: str) -> None:
    two_players(way, "P 4, D 2, P 6, D 5, P 3+5", pone=5, dealer=0)


@in_every_way_and_called_too_high
def test_a26_the_opponent_out_of_cards(way: str) -> None:
    table = two_players(way, "P 3, D 3+2, P 3+6, D 3+12, P T (22), D go, P 9+2 (31); D K, D Q+1", pone=8, dealer=15)
    assert way == "trust" or table.now.phase is Phase.SHOW


@in_every_way_and_called_too_high
def test_a27_the_last_card_of_all(way: str) -> None:
    table = two_players(way, "P T, D 6, P 2, D 8, P 4, D go, P A+2 (31); D K, D 9+1", pone=2, dealer=1)
    assert way == "trust" or [str(laid)[0] for laid in table.now.cards] == ["K", "9"]  # at nineteen


@where_cards_are_read
def test_a28_three_players_are_dealt_five_give_one_and_the_pack_gives_one(way: str) -> None:
    table = Table(way, rules=THREE)
    prompt = see(table.now).prompt
    assert (prompt.kind, prompt.values["cards"], prompt.values["discards"], prompt.values["from_pack"]) == (
        PromptKind.STARTER,
        5,
        1,
        1,
    )
    assert prompt.values["seat"] == table.seat("S3")
    table.starter()
    table.play_out()
    assert [len(hand) for hand in table.now.hands] == [4, 4, 4]


@in_every_way_and_called_too_high
def test_a29_three_players_play_a_whole_hand(way: str) -> None:
    table = played(way, A29, THREE)
    assert table.pegged == [3, 2, 0]
    assert table.scores == (3, 2, 0)
    assert way == "trust" or table.now.phase is Phase.SHOW


@in_every_way_and_called_too_high
def test_a30_four_players_play_a_whole_hand(way: str) -> None:
    table = played(way, A30, FOUR)
    assert table.pegged == [1, 6, 0, 1]
    assert table.scores == (1, 7)
    assert way == "trust" or table.now.phase is Phase.SHOW


@in_every_way_and_called_too_high
def test_a31_six_players_play_a_whole_hand(way: str) -> None:
    table = played(way, A31, SIX)
    assert table.pegged == [1, 2, 0, 1, 6, 1]
    assert table.scores == (2, 8, 1)
    assert way == "trust" or table.now.phase is Phase.SHOW


@where_cards_are_read
@pytest.mark.parametrize("rules", [THREE, FOUR, SIX], ids=lambda rules: str(rules.name))
def test_the_seat_to_the_dealers_left_leads_after_any_deal(rules: Rules, way: str) -> None:
    for dealer in rules.seats:
        table = Table(way, rules=rules, dealer=dealer)
        table.do(TurnStarter(card("KS")))
        assert table.now.turn == table.seat("S1") == rules.left_of(dealer)


@where_cards_are_read
def test_all_pass_records_a_go_for_every_seat_left(way: str) -> None:
    table = Table(way, rules=FOUR)
    table.starter()
    table.tell("S1 T, S2 J, S3 6, S4 3, S1 A (30)")
    table.do(AllPass(table.seat("S1")))
    if way == "verify":
        table.claim(0, 1)
    table.tell("S2 Q, S3 9, S4 3, S1 5, S2 4+5 (31); S3 8, S4 5, S1 K, S2 7 (30)")
    table.do(AllPass(table.seat("S2")))
    if way == "verify":
        table.claim(1, 1)
    table.tell("S3 2, S4 8+1")
    assert table.scores == (1, 7)
