"""A go of who could have laid a card: seen when the card appears, told, rolled back, paid for where the rules say so.

The rules reference, section 4, row "False go"; `renege`, refuse and two_per_card.
"""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, GREEN, RED, Table, card

from cribboard import RULES, Rules
from cribboard.actions import Agree, Ask, LayCard, LetLieDead, Question, TakePegInHand, Undo
from cribboard.event_terms import Ground
from cribboard.events import Awarded, FalseGoFound, RolledBack
from cribboard.position import Phase
from cribboard.rules import changed
from cribboard.view import PromptKind, see

ACC = RULES["acc"]
#: Red says go at 25 with a five in hand, and leads it to the next count.
FALSE_GO = "T Q 5 go A go+1"
THE_FIVE = card("5D")


def with_a_false_go(rules: Rules = ACC, way: str = "auto", scores: tuple[int, int] = (10, 20)) -> Table:
    table = Table(way, rules=rules, scores=scores)
    table.starter("KS")
    table.play(FALSE_GO)
    return table


@pytest.mark.parametrize("name", ["six-card", "jeux50", "britannica"])
def test_by_default_a_false_go_is_reported_and_the_card_is_laid(name: str) -> None:
    table = with_a_false_go(RULES[name])
    events = table.do(LayCard(RED, THE_FIVE))
    assert FalseGoFound(RED, THE_FIVE, 25) in events
    assert table.now.hands[RED][-1] == THE_FIVE
    assert table.scores == (11, 20)


def test_by_default_both_sides_may_agree_to_take_play_back_to_it() -> None:
    table = with_a_false_go(RULES["six-card"], "verify")
    table.do(LayCard(RED, THE_FIVE))
    assert see(table.now).may_roll_back
    table.do(Ask(BLUE, Question.ROLL_BACK))
    assert see(table.now).prompt.kind is PromptKind.ROLL_BACK
    events = table.do(Agree(RED))
    assert RolledBack(RED) in events
    assert (table.now.count, table.now.turn, table.scores) == (25, RED, (10, 20))
    table.play("5D")


def test_there_is_nothing_to_roll_back_while_no_false_go_was_seen() -> None:
    table = Table("verify")
    table.starter("KS")
    assert table.refused(Ask(BLUE, Question.ROLL_BACK)) == "nothing_to_roll_back"
    assert not see(table.now).may_roll_back


def test_under_acc_the_other_side_is_asked_before_anything_else_is_done() -> None:
    table = with_a_false_go()
    before = table.scores
    table.do(LayCard(RED, THE_FIVE))
    prompt = see(table.now).prompt
    assert (prompt.kind, prompt.side, prompt.values) == (PromptKind.RENEGE, BLUE, {"seat": RED, "card": THE_FIVE})
    assert table.scores == before
    assert table.refused(LayCard(RED, card("2C"))) == "renege_first"
    assert table.refused(Agree(RED)) == "own_renege"


def test_under_acc_play_goes_back_to_the_go_and_the_card_is_worth_two_to_the_other_side() -> None:
    table = with_a_false_go()
    table.do(LayCard(RED, THE_FIVE))
    events = table.do(Agree(BLUE))
    assert Awarded(BLUE, 2, Ground.RENEGE) in events
    assert (table.now.count, table.now.turn, table.scores) == (25, RED, (12, 20)), "what was pegged since comes back"
    table.play("5D+2")


def test_under_acc_the_card_may_lie_dead_and_is_counted_at_the_show() -> None:
    table = with_a_false_go()
    scores, left = table.scores, table.now.cards_left(RED)
    table.do(LayCard(RED, THE_FIVE), LetLieDead(BLUE))
    assert table.scores == (scores[BLUE] + 2, scores[RED])
    assert (table.now.cards_left(RED), table.now.hands[RED][-1]) == (left - 1, THE_FIVE)
    assert THE_FIVE not in table.now.cards


def test_laying_the_last_card_dead_ends_the_play() -> None:
    table = Table("auto", rules=ACC, scores=(10, 20))
    table.starter("KS")
    table.play("T Q 5 go A go+1 8 K 9")
    assert (table.now.turn, table.now.cards_left(RED), table.now.cards_left(BLUE)) == (RED, 1, 0)
    table.do(LayCard(RED, THE_FIVE), LetLieDead(BLUE))
    assert table.now.phase is Phase.SHOW


def test_the_two_points_for_a_false_go_may_win_the_game() -> None:
    table = with_a_false_go(scores=(118, 20))
    table.do(LayCard(RED, THE_FIVE), LetLieDead(BLUE))
    assert (table.now.phase, table.now.winner, table.scores) == (Phase.WON, BLUE, (121, 20))


def test_an_undo_restores_the_question_about_a_false_go() -> None:
    table = with_a_false_go()
    table.do(LayCard(RED, THE_FIVE))
    before = see(table.now).prompt
    table.do(LetLieDead(BLUE))
    table.do(Undo(), Agree(BLUE), Agree(RED))
    assert see(table.now).prompt == before


def test_a_claim_is_refused_until_the_false_go_is_answered() -> None:
    table = with_a_false_go(way="verify")
    table.do(LayCard(RED, THE_FIVE))
    assert table.refused(TakePegInHand(BLUE, 2)) == "renege_first"


def test_with_three_sides_any_other_side_decides_about_a_false_go() -> None:
    rules = changed(RULES["three-player"], {"renege": "two_per_card"})
    table = Table("auto", rules=rules, scores=(10, 20, 30))
    table.starter("KS")
    table.play("T Q 5 go go A go+1 K")
    assert table.now.turn == 1
    table.do(LayCard(1, THE_FIVE))
    assert see(table.now).prompt.side is None
    before = table.scores
    table.do(LetLieDead(GREEN))
    assert table.scores == (before[0], before[1], before[2] + 2)


# A false go without a word (3.26)

OF_THREE = RULES["three-player"]


def red_and_green_are_out_of_cards(rules: Rules) -> Table:
    """Blue holds a nine and a five, at 26."""
    table = Table(rules=rules, scores=(10, 20, 30))
    table.starter("TC")
    table.play("KS 8D 9H go AC AH AD AS 6D JH QC")
    assert (table.now.turn, table.now.count) == (BLUE, 26)
    return table


def test_the_last_seat_with_cards_says_go_by_laying_one_that_passes_31() -> None:
    table = red_and_green_are_out_of_cards(changed(OF_THREE, {"renege": "two_per_card"}))
    table.play("9C")
    assert FalseGoFound(BLUE, card("5S"), 26) in table.do(LayCard(BLUE, card("5S")))
    prompt = see(table.now).prompt
    assert (prompt.kind, prompt.values) == (PromptKind.RENEGE, {"seat": BLUE, "card": card("5S")})
    table.do(Agree(RED))
    assert (table.scores, table.now.count, table.now.turn) == ((10, 22, 30), 26, BLUE)
    table.play("5S")


def test_a_false_go_without_a_penalty_is_reported_and_can_be_undone() -> None:
    table = red_and_green_are_out_of_cards(OF_THREE)
    table.play("9C")
    assert FalseGoFound(BLUE, card("5S"), 26) in table.do(LayCard(BLUE, card("5S")))
    table.do(Ask(RED, Question.ROLL_BACK), Agree(GREEN), Agree(BLUE))
    assert (table.now.count, table.now.turn) == (26, BLUE)


def test_a_seat_without_a_card_that_fits_makes_no_false_go() -> None:
    table = red_and_green_are_out_of_cards(changed(OF_THREE, {"renege": "two_per_card"}))
    table.play("9C")
    assert not any(isinstance(event, FalseGoFound) for event in table.do(LayCard(BLUE, card("7S"))))
