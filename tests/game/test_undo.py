"""Taking back: undo, misdeal, breaking off (rules reference, sections 7.10, 7.13, 7.14)."""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, Table, card, in_every_way, without_history

from cribboard import RULES
from cribboard.actions import (
    Accept,
    AcceptResult,
    Agree,
    Ask,
    BreakOff,
    By,
    Challenge,
    DropQuestion,
    EndDeal,
    LayCard,
    NameDealer,
    Question,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TurnStarter,
    Undo,
)
from cribboard.events import Asked, BrokenOff, DealVoided, Event, QuestionDropped, Undone
from cribboard.position import Phase
from cribboard.series import result_of
from cribboard.view import PromptKind, see


def take_back(table: Table) -> tuple[Event, ...]:
    """UNDO, and the OK of the side that is asked, if one is."""
    caused = table.do(Undo())
    asked = see(table.now).prompt
    return table.do(Agree(asked.side)) if asked.kind is PromptKind.UNDO and asked.side is not None else caused


def test_on_auto_undo_takes_back_the_last_act_at_once_and_says_which() -> None:
    table = Table("auto")
    table.starter()
    table.play("5")
    before, number = without_history(table.now), table.now.number
    table.play("6")
    assert table.do(Undo())[-1] == Undone(to=number)
    table.play("5+2")
    take_back(table)
    assert without_history(table.now) == before
    assert see(table.now).undone == LayCard(RED, card("5D"))
    table.play("7")
    assert see(table.now).undone is None


def test_a_card_that_was_taken_back_may_be_laid_again() -> None:
    table = Table("auto")
    table.starter()
    table.play("5 5+2")
    take_back(table)
    table.do(LayCard(RED, card("5D")))
    assert table.scores == (0, 2)


def test_where_calls_are_compared_undo_asks_the_side_that_did_not_act() -> None:
    table = Table()
    table.starter()
    table.play("5")
    before = without_history(table.now)
    table.play("5")
    assert table.do(Undo())[-1] == Asked(RED, Question.UNDO)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.UNDO, BLUE)
    assert table.refused(Agree(RED)) == "waits_for_other_side"
    table.do(Agree(BLUE))
    assert without_history(table.now) == before
    assert see(table.now).undone == LayCard(RED, card("5D"))


def test_a_dropped_undo_question_changes_nothing() -> None:
    table = Table()
    table.starter()
    before = without_history(table.now)
    table.do(Undo())
    assert table.do(DropQuestion())[-1] == QuestionDropped(Question.UNDO)
    assert without_history(table.now) == before
    assert table.refused(DropQuestion()) == "nothing_asked"
    assert table.refused(Agree(BLUE)) == "nothing_asked"


def test_playing_on_drops_the_question() -> None:
    table = Table()
    table.starter()
    table.do(Undo(), LayCard(BLUE, card("5C")))
    assert table.now.question is None


def test_every_act_of_a_deal_can_be_taken_back_one_by_one() -> None:
    table = Table("auto", dealer=None)
    beginning = without_history(table.now)
    table.do(NameDealer(RED))
    table.starter("JS")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    table.next_count()
    acts = len(table.now.acts)
    assert acts == 12
    for _ in range(acts):
        take_back(table)
    assert without_history(table.now) == beginning
    assert table.refused(Undo()) == "nothing_to_undo"


def test_a_claim_that_was_only_ruled_upon_is_no_act_to_take_back() -> None:
    table = Table()
    table.starter()
    table.do(TakePegInHand(BLUE, 2), Undo(), Agree(BLUE))
    assert see(table.now).undone == TurnStarter(card("KS"))


def test_a_press_out_of_turn_that_made_a_peg_be_let_go_is_taken_back_and_the_peg_is_in_hand_again() -> None:
    table = Table()
    table.starter("JH")
    table.do(TakePegInHand(RED, 2))
    before = without_history(table.now)
    table.do(TakePegInHand(BLUE, 2))
    assert table.scores == (0, 2)
    table.do(Undo(), Agree(RED))
    assert without_history(table.now) == before


def test_a_peg_lifted_moved_and_let_go_is_one_act() -> None:
    table = Table()
    table.starter()
    table.play("5 5")
    before = without_history(table.now)
    table.do(TakePegInHand(RED, 5), TakePegInHand(RED, 2), ReleasePeg(RED), Undo(), Agree(BLUE))
    assert without_history(table.now) == before
    assert see(table.now).undone == TakePegInHand(RED, 5)


def test_two_claims_of_one_side_are_two_acts() -> None:
    table = Table()
    table.starter()
    table.play("T Q J+3 go go")
    before = without_history(table.now)
    table.claim(BLUE, 1)
    table.do(Undo(), Agree(RED))
    assert without_history(table.now) == before
    assert table.scores == (3, 0)


def test_the_last_card_and_the_hand_of_one_side_are_two_acts() -> None:
    table = Table()
    table.starter("5S")
    table.play("4D TC KD 6H go AC+2 QS 7C 5H")
    table.claim(BLUE, 1)
    before = without_history(table.now)
    table.claim(BLUE, 10)
    table.do(Undo(), Agree(RED))
    assert without_history(table.now) == before
    assert table.scores == (1, 2)


def test_a_peg_let_go_after_the_other_side_acted_is_taken_back_by_itself() -> None:
    table = Table()
    table.starter()
    table.play("T Q J")
    table.do(TakePegInHand(BLUE, 3), SayGo(RED))
    before = without_history(table.now)
    table.do(ReleasePeg(BLUE), Undo(), Agree(RED))
    assert without_history(table.now) == before
    assert table.now.said_go == {RED}


@pytest.mark.parametrize("let_go", [ReleasePeg(BLUE, By.TIME), ReleasePeg(BLUE), Accept(RED)])
def test_in_trust_a_peg_that_was_taken_back_is_down_where_no_timer_lets_it_go_again(
    let_go: ReleasePeg | Accept,
) -> None:
    table = Table("trust", scores=(10, 20))
    table.do(TakePegInHand(BLUE, 8), let_go, Undo())
    assert (table.scores, table.back_pegs) == ((10, 20), (9, 19))
    assert table.now.claim is None


def test_a_peg_that_the_other_side_made_be_let_go_is_in_hand_again_after_undo() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), TakePegInHand(RED, 2), Undo())
    assert table.now.claim is not None
    assert (table.now.claim.side, table.now.claim.points) == (BLUE, 8)
    table.do(ReleasePeg(BLUE, By.TIME), Undo())
    assert table.scores == (0, 0)
    assert see(table.now).claim is None


def test_a_challenge_is_an_act_of_its_own() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), Challenge(RED), Undo())
    assert table.now.claim is not None
    assert table.now.claim.points == 8


def test_undo_reaches_back_over_a_deal() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), ReleasePeg(BLUE), EndDeal(RED))
    assert (table.now.deal, table.now.dealer) == (2, BLUE)
    table.do(Undo())
    assert (table.now.deal, table.now.dealer, table.scores) == (1, RED, (8, 0))


def test_a_question_is_not_dropped_by_the_timer_that_lets_a_peg_go() -> None:
    """Else an OK that was meant for the question would end the deal."""
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), Ask(BLUE, Question.BREAK_OFF), ReleasePeg(BLUE, By.TIME))
    assert see(table.now).prompt.kind is PromptKind.BREAK_OFF
    table.do(DropQuestion(), EndDeal(RED))
    assert table.scores == (8, 0)


# The won game


@pytest.mark.parametrize("said_ok", [(), (BLUE,), (RED,)])
def test_undo_takes_back_the_winning_act_until_the_result_is_final(said_ok: tuple[int, ...]) -> None:
    table = Table("auto", scores=(0, 120))
    table.starter()
    table.play("5")
    table.do(LayCard(RED, card("5D")))
    assert table.now.phase is Phase.WON
    table.do(*(AcceptResult(side) for side in said_ok))
    take_back(table)
    assert (table.now.phase, table.now.agreed, table.scores) == (Phase.PLAY, frozenset(), (0, 120))


def test_where_calls_are_compared_the_loser_or_winner_agrees_to_take_back_a_win() -> None:
    table = Table(scores=(0, 120))
    table.starter()
    table.play("5 5")
    table.do(TakePegInHand(RED, 1), ReleasePeg(RED))
    assert table.now.phase is Phase.WON
    table.do(Undo(), Agree(BLUE))
    assert (table.now.phase, table.scores) == (Phase.PLAY, (0, 120))


def test_a_final_result_is_taken_back_no_more() -> None:
    table = Table("auto", scores=(0, 120))
    table.starter()
    table.play("5")
    table.do(LayCard(RED, card("5D")), AcceptResult(RED), AcceptResult(BLUE))
    assert table.refused(Undo()) == "game_is_over"
    assert table.refused(LayCard(BLUE, card("5H"))) == "game_is_over"


# Misdeal


def misdeal(table: Table) -> None:
    asked = table.do(Ask(RED, Question.MISDEAL))
    assert asked[-1] == Asked(RED, Question.MISDEAL)
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.MISDEAL, BLUE)
    assert table.refused(Agree(RED)) == "waits_for_other_side"
    assert table.do(Agree(BLUE))[-1] == DealVoided(RED)


@pytest.mark.parametrize("way", ["verify", "auto"])
def test_a_misdeal_gives_back_the_heels_and_the_same_seat_deals(way: str) -> None:
    table = Table(way, scores=(10, 20))
    table.starter("JH")
    if way == "verify":
        table.claim(RED, 2)
    assert table.scores == (10, 22)
    misdeal(table)
    assert (table.now.phase, table.now.dealer, table.now.deal) == (Phase.DEAL, RED, 1)
    assert (table.scores, table.back_pegs) == ((10, 20), (9, 19))
    table.starter("JH")  # the cards are shuffled: none has been seen


@in_every_way
def test_a_misdeal_that_is_found_late_voids_the_whole_deal(way: str) -> None:
    table = Table(way, scores=(10, 20))
    if way == "trust":
        table.press(BLUE, 12)
    else:
        table.starter("JH")
        table.play_out()
    misdeal(table)
    assert (table.scores, table.back_pegs) == ((10, 20), (9, 19))
    assert (table.now.dealer, table.now.deal) == (RED, 1)


def test_a_misdeal_is_found_until_the_next_deal_and_no_longer() -> None:
    table = Table(scores=(10, 20))
    table.starter()
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C"}, crib="KD JC TH 9H")
    table.counts(BLUE, table.now.open_windows[BLUE][-1].due)
    assert Ask(RED, Question.MISDEAL) in table.game.expected()
    table.do(Ask(RED, Question.MISDEAL), Agree(BLUE))
    assert (table.scores, table.now.deal) == ((10, 20), 1)
    begun = Table(dealer=None)
    assert begun.refused(Ask(RED, Question.MISDEAL)) == "no_deal_now"


def test_a_misdeal_takes_back_penalties_and_a_claim_that_waits() -> None:
    table = Table(rules=RULES["acc"], scores=(10, 20))
    table.starter()
    table.play("5")
    table.do(LayCard(RED, card("5D")), TakePegInHand(RED, 4), ReleasePeg(RED), Challenge(BLUE))
    assert table.scores == (12, 22)
    table.do(TakePegInHand(RED, 1)) if table.now.open_windows[RED] else None
    misdeal(table)
    assert table.scores == (10, 20)


def test_a_misdeal_is_an_act_that_can_be_taken_back_by_itself() -> None:
    table = Table("auto", scores=(10, 20))
    table.starter("JH")
    before = without_history(table.now)
    misdeal(table)
    table.do(Undo())
    assert without_history(table.now) == before
    assert table.scores == (10, 22)


def test_points_of_earlier_deals_outlive_a_misdeal() -> None:
    table = Table("trust")
    table.do(TakePegInHand(BLUE, 8), ReleasePeg(BLUE), EndDeal(RED))
    table.do(Ask(BLUE, Question.MISDEAL), Agree(RED))
    assert (table.scores, table.now.dealer, table.now.deal) == ((8, 0), BLUE, 2)


# Breaking off


def test_a_game_is_broken_off_with_the_other_sides_ok_and_has_no_result() -> None:
    table = Table()
    table.starter()
    table.do(Ask(BLUE, Question.BREAK_OFF))
    assert see(table.now).prompt.kind is PromptKind.BREAK_OFF
    assert table.refused(Agree(BLUE)) == "waits_for_other_side"
    assert table.do(Agree(RED))[-1] == BrokenOff()
    assert (table.now.phase, see(table.now).prompt.kind, table.game.expected()) == (Phase.OVER, PromptKind.OVER, ())
    assert result_of(table.now, first_dealer=RED) is None


def test_an_undo_is_not_asked_for_as_a_question_of_the_menu() -> None:
    table = Table()
    table.starter()
    assert table.refused(Ask(BLUE, Question.UNDO)) == "nothing_to_undo"


@pytest.mark.parametrize("scores", [(0, 0), (120, 0)])
def test_a_game_given_up_at_switching_on_has_no_result_even_if_it_was_won(scores: tuple[int, int]) -> None:
    table = Table("trust", scores=scores)
    table.do(TakePegInHand(BLUE, 1), ReleasePeg(BLUE), BreakOff())
    assert (table.now.phase, table.now.winner) == (Phase.OVER, None)
    assert result_of(table.now, first_dealer=RED) is None
    assert table.refused(SayGo(BLUE)) == "game_is_over"


# On auto (7.13)


def test_on_auto_an_undo_of_points_asks_the_side_that_loses_them() -> None:
    table = Table("auto", scores=(10, 20))
    table.starter()
    table.play("5 5+2")
    before = table.now.number
    table.do(Undo())
    assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.UNDO, RED)
    assert table.scores == (10, 22)
    assert any(isinstance(event, Undone) for event in table.do(Agree(RED)))
    assert table.scores == (10, 20)
    assert table.now.number > before


def test_on_auto_an_undo_of_what_moved_no_peg_is_done_at_once() -> None:
    table = Table("auto", scores=(10, 20))
    table.starter()
    table.play("5 6")
    assert any(isinstance(event, Undone) for event in table.do(Undo()))


def test_on_auto_undo_says_no_to_the_undo_of_points() -> None:
    table = Table("auto", scores=(10, 20))
    table.starter()
    table.play("5 5+2")
    table.do(Undo(), DropQuestion())
    assert table.scores == (10, 22)
