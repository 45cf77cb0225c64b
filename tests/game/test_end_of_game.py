"""The end, wherever it comes, and games into a match (rules reference, 1.29 to 1.31, 3.24, 7.14)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.seats import BLUE, RED, SIX_CARD, Table, card

from cribboard import RULES
from cribboard.actions import (
    Accept,
    AcceptResult,
    By,
    LayCard,
    ReleasePeg,
    SayGo,
    TakePegInHand,
)
from cribboard.event_terms import Verdict
from cribboard.events import CardLaid, ClaimJudged, CountOpened, GameWon, ResultFinal
from cribboard.position import Phase
from cribboard.rules import NextGameDeal
from cribboard.series import FinishedGame, Match, result_of
from cribboard.view import PromptKind, see


def test_a_laid_card_can_win_the_game() -> None:
    table = Table("auto", scores=(0, 119))
    table.starter()
    table.play("5")
    assert table.do(LayCard(RED, card("5D")))[-1] == GameWon(RED)


def test_a_go_can_win_the_game() -> None:
    table = Table("auto", scores=(120, 0))
    table.starter()
    table.play("T Q K go")
    assert table.do(SayGo(BLUE))[-1] == GameWon(BLUE)


def test_the_go_that_an_opponents_card_makes_known_wins_before_that_card_is_laid() -> None:
    table = Table("auto", scores=(120, 0))
    table.starter("2C")
    table.play("T 8 K 3+2 9 4 J")
    events = table.do(LayCard(RED, card("KD")))
    assert events[-1] == GameWon(BLUE)
    assert not any(isinstance(event, CardLaid) for event in events)


def to_the_show(way: str, scores: tuple[int, int]) -> Table:
    """Blue is to count 2, red 8 and a crib of 6; nothing is open of the play. The play gave red 1 and blue 2."""
    table = Table(way, scores=(scores[0] - 2, scores[1] - 1))
    table.starter("7S")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    assert table.scores == scores
    return table


def test_a_hand_may_win_where_calls_are_compared() -> None:
    table = to_the_show("verify", (119, 113))
    assert table.do(TakePegInHand(BLUE, 2), ReleasePeg(BLUE))[-1] == GameWon(BLUE)
    assert table.refused(TakePegInHand(RED, 8)) == "game_is_won"


def test_a_crib_can_win_the_game() -> None:
    table = to_the_show("auto", (50, 107))
    for _ in range(3):
        table.next_count()
    table.read_crib("QH 3C JC 5D")
    assert (table.now.winner, table.scores) == (RED, (52, 121))


def test_a_call_too_high_for_the_game_hole_is_set_to_the_truth_and_play_goes_on() -> None:
    table = Table(scores=(0, 116))
    table.starter()
    table.play("5 5")
    judged = table.claim(RED, 5)
    assert (judged.verdict, table.scores, table.now.phase) == (Verdict.TOO_MANY, (0, 118), Phase.PLAY)


def test_a_call_to_the_game_hole_wins_if_more_than_that_was_due() -> None:
    table = to_the_show("verify", (50, 115))
    table.do(TakePegInHand(BLUE, 2), Accept(RED))
    assert table.claim(RED, 6).verdict is Verdict.EXACT
    assert table.now.winner == RED


def test_a_peg_in_hand_wins_in_the_middle_of_the_other_sides_card() -> None:
    table = Table(scores=(0, 119))
    table.starter()
    table.play("5 5")
    table.do(TakePegInHand(RED, 2))
    events = table.do(LayCard(BLUE, card("5H")))
    assert events[-1] == GameWon(RED)
    assert not any(isinstance(event, CardLaid) for event in events)
    assert len(table.now.hands[BLUE]) == 1


def test_a_peg_in_hand_wins_in_the_middle_of_the_other_sides_count() -> None:
    table = to_the_show("verify", (119, 113))
    table.do(TakePegInHand(BLUE, 2))
    events = table.do(TakePegInHand(RED, 8))
    assert events[-1] == GameWon(BLUE)
    assert not any(isinstance(event, CountOpened) for event in events)


def test_in_trust_a_peg_in_hand_wins_by_its_own_ok_or_by_the_timer_and_not_when_the_other_side_pegs() -> None:
    for by in (By.OWNER, By.TIME):
        table = Table("trust", scores=(119, 119))
        table.do(TakePegInHand(BLUE, 2), ReleasePeg(BLUE, by))
        assert (table.now.winner, table.scores, table.now.claim) == (BLUE, (121, 119), None)
    table = Table("trust", scores=(119, 119))
    table.do(TakePegInHand(BLUE, 2), TakePegInHand(RED, 2))
    assert (table.now.winner, table.scores) == (None, (119, 119))


def test_the_first_side_to_reach_the_game_hole_wins_though_the_other_would_count_more() -> None:
    table = to_the_show("auto", (119, 120))
    table.next_count()
    assert table.now.winner == BLUE


# The result


def won() -> Table:
    table = Table("trust", scores=(120, 88))
    table.do(TakePegInHand(BLUE, 1), ReleasePeg(BLUE))
    return table


def test_a_result_is_final_after_the_ok_of_both_sides() -> None:
    table = won()
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.RESULT, None)
    table.do(AcceptResult(RED))
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.RESULT, BLUE)
    assert table.refused(AcceptResult(RED)) == "waits_for_other_side"
    assert result_of(table.now, first_dealer=RED) is None
    assert table.do(AcceptResult(BLUE))[-1] == ResultFinal()
    assert see(table.now).prompt.kind is PromptKind.OVER
    assert result_of(table.now, first_dealer=RED) == FinishedGame(BLUE, (121, 88), 2, RED)


def test_a_result_is_not_accepted_before_there_is_one() -> None:
    table = Table()
    assert table.refused(AcceptResult(BLUE)) == "nothing_to_accept"


def test_without_a_skunk_line_or_a_winner_there_is_no_skunk() -> None:
    rules = replace(SIX_CARD, game=replace(SIX_CARD.game, skunk_line=None))
    table = Table("trust", scores=(120, 3), rules=rules)
    assert not see(table.now).skunked
    table.do(TakePegInHand(BLUE, 1), ReleasePeg(BLUE))
    assert not see(table.now).skunked


# The match


def match_of(*results: tuple[int, int], deal: NextGameDeal = NextGameDeal.LOSER) -> Match:
    """A match of games, each told as its winner and what it counts; blue dealt the first, and they alternate."""
    match = Match(replace(SIX_CARD, game=replace(SIX_CARD.game, next_game_deal=deal)))
    for number, (winner, counts) in enumerate(results):
        scores = (121, 70) if winner == BLUE else (70, 121)
        match = match.add(FinishedGame(winner, scores, counts, first_dealer=number % 2))
    return match


def test_a_match_goes_to_seven_games_and_a_skunk_counts_two() -> None:
    assert match_of((BLUE, 1), (RED, 2), (BLUE, 2)).games == (3, 2)
    assert match_of(*[(BLUE, 1)] * 6).winner is None
    assert match_of(*[(BLUE, 1)] * 7).winner == BLUE
    assert match_of(*[(RED, 2)] * 3, (RED, 1)).winner == RED
    assert match_of(*[(RED, 2)] * 4).winner == RED  # eight are as good as seven


@pytest.mark.parametrize(
    ("deal", "dealer"), [(NextGameDeal.LOSER, RED), (NextGameDeal.ALTERNATE, BLUE), (NextGameDeal.CUT, None)]
)
def test_the_rules_say_who_deals_the_next_game(deal: NextGameDeal, dealer: int | None) -> None:
    assert match_of((RED, 1), (BLUE, 1), deal=deal).next_dealer() == dealer


def test_the_first_game_is_dealt_by_the_cut() -> None:
    assert Match(RULES["six-card"]).next_dealer() is None


def test_the_loser_deals_the_next_game() -> None:
    assert match_of((RED, 1)).next_dealer() == BLUE
    assert Table(dealer=match_of((RED, 1)).next_dealer()).now.dealer == BLUE


def test_auto_pegs_a_hand_up_to_the_game_hole_only() -> None:
    """At 118 blue's eleven points are three, and the record says so."""
    table = Table("auto", scores=(118, 0))
    table.starter("5S")
    table.play("4D TC KD 6H go AC+2 QS 7C 5H+1")
    (judged,) = [event for event in table.next_count() if isinstance(event, ClaimJudged)]
    assert (judged.called, judged.due, table.scores) == (2, 2, (121, 2))
