"""A80 of the rules reference: several cards that were kept back at one false go.

Each counts when it appears, whether play went back to the go or the card lies dead (3.26).
"""

from __future__ import annotations

from tests.support.seats import BLUE, RED, Table, card

from cribboard import RULES, Rules
from cribboard.actions import Agree, Ask, LayCard, LetLieDead, Question, Undo
from cribboard.event_terms import Ground
from cribboard.events import Awarded, FalseGoFound

ACC = RULES["acc"]


def with_three_cards_kept_back(rules: Rules = ACC, way: str = "auto", scores: tuple[int, int] = (10, 20)) -> Table:
    """Red says go at 25 with an ace, a five and a six in hand, and leads the five to the next count."""
    table = Table(way, rules=rules, scores=scores)
    table.starter("TC")
    table.play("KS 8D 7D go 3H+1 go" if way == "auto" else "KS 8D 7D go 3H go")
    table.do(LayCard(RED, card("5C")))
    assert table.now.awaits_false_go_answer
    return table


def test_each_card_that_could_have_been_laid_counts_when_it_lies_dead() -> None:
    table = with_three_cards_kept_back(way="verify")
    table.do(LetLieDead(BLUE))
    for name in ("AH", "6S"):
        while table.now.turn != RED:
            table.play("9")
        assert FalseGoFound(RED, card(name), 25) in table.do(LayCard(RED, card(name)))
        table.do(LetLieDead(BLUE))
    assert table.scores == (16, 20)


def test_a80_each_card_counts_too_when_play_was_taken_back_to_the_go() -> None:
    table = with_three_cards_kept_back(way="verify")
    table.do(Agree(BLUE))
    assert table.scores == (12, 20)
    table.play("5C")
    assert table.scores == (12, 20), "the five has counted"
    table.play("go")
    events = table.do(LayCard(RED, card("AH")))
    assert [event for event in events if isinstance(event, FalseGoFound | Awarded)] == [
        FalseGoFound(RED, card("AH"), 25),
        Awarded(BLUE, 2, Ground.RENEGE),
    ]
    assert not table.now.awaits_false_go_answer, "play has gone back already: nobody is asked again"
    table.play("3H")
    table.do(LayCard(RED, card("6S")))
    assert table.scores == (16, 20)


def test_the_points_for_a_remembered_card_may_win_the_game() -> None:
    table = with_three_cards_kept_back(way="verify", scores=(117, 20))
    table.do(Agree(BLUE))
    table.play("5C go")
    table.do(LayCard(RED, card("AH")))
    assert (table.now.winner, table.scores) == (BLUE, (121, 20))


def test_points_for_a_dead_card_stay_when_play_goes_back_later() -> None:
    table = with_three_cards_kept_back(way="verify")
    table.do(LetLieDead(BLUE))
    while table.now.turn != RED:
        table.play("9")
    table.do(LayCard(RED, card("6S")), Agree(BLUE))
    assert table.scores == (12, 20), "what was pegged since the go comes back"
    table.play("6S 3H")
    assert table.scores == (12, 20), "the six has counted"
    table.do(LayCard(RED, card("5C")))
    assert table.scores == (14, 20), "the five counts again, for its points came back"


def with_the_ace_kept_back_again(scores: tuple[int, int] = (10, 20)) -> Table:
    """Play went back to 25, red lays the five, and at 30 it says go again with the ace in hand."""
    table = with_three_cards_kept_back(way="verify", scores=scores)
    table.do(Agree(BLUE))
    table.play("5C go go 3H")
    return table


def test_a82_a_card_withheld_at_two_false_gos_counts_for_each_after_a_question() -> None:
    for answer, at_once in ((LetLieDead(BLUE), 16), (Agree(BLUE), 14)):
        table = with_the_ace_kept_back_again()
        events = table.do(LayCard(RED, card("AH")))
        assert [event for event in events if isinstance(event, FalseGoFound | Awarded)] == [
            FalseGoFound(RED, card("AH"), 30),
            FalseGoFound(RED, card("AH"), 25),
            Awarded(BLUE, 2, Ground.RENEGE),
        ]
        assert (table.now.awaits_false_go_answer, table.scores) == (True, (14, 20)), (
            "the choice stands beside the points"
        )
        table.do(answer)
        assert table.scores == (at_once, 20)
        if answer == Agree(BLUE):
            assert (table.now.count, table.now.turn) == (30, RED)
            table.do(LayCard(RED, card("AH")))
            assert not table.now.awaits_false_go_answer
        assert table.scores == (16, 20), "two at each go, whether play went back or the card lies dead"


def test_a_remembered_go_can_win_before_any_question() -> None:
    table = with_the_ace_kept_back_again(scores=(117, 20))
    table.do(LayCard(RED, card("AH")))
    assert (table.now.winner, table.scores, table.now.awaits_false_go_answer) == (BLUE, (121, 20), False)


def test_a_repeated_go_at_the_same_count_is_another_false_go() -> None:
    table = with_three_cards_kept_back(way="verify")
    table.do(Agree(BLUE))
    table.play("go 3H go")
    assert table.now.turn == RED
    table.do(LayCard(RED, card("AH")))
    assert (table.now.awaits_false_go_answer, table.scores) == (True, (14, 20))
    table.do(LetLieDead(BLUE))
    assert table.scores == (16, 20)
    table.do(LayCard(RED, card("5C")), LetLieDead(BLUE))
    assert table.scores == (18, 20), "of the first go the five has counted"


def test_a_card_that_fitted_at_two_gos_to_which_play_went_back_counts_twice_when_it_is_laid() -> None:
    table = with_the_ace_kept_back_again()
    table.do(LayCard(RED, card("6S")))
    assert table.scores == (14, 20), "the six fitted at 25 alone"
    assert not table.now.awaits_false_go_answer
    table = with_three_cards_kept_back(way="verify")
    table.do(Agree(BLUE))
    table.play("go 3H go")
    table.do(LayCard(RED, card("5C")), Agree(BLUE))
    assert (table.now.count, table.scores) == (25, (14, 20)), "back at 25 for the second time"
    table.do(LayCard(RED, card("6S")))
    assert table.scores == (18, 20), "the six for both gos"


def test_an_undo_of_the_remembered_card_takes_its_points_back() -> None:
    table = with_three_cards_kept_back(way="verify")
    table.do(Agree(BLUE))
    table.play("5C go")
    table.do(LayCard(RED, card("AH")))
    table.do(Undo(), Agree(BLUE), Agree(RED))
    assert table.scores == (12, 20)
    table.do(LayCard(RED, card("AH")))
    assert table.scores == (14, 20)


def test_the_next_deal_remembers_nothing() -> None:
    table = with_three_cards_kept_back(way="verify")
    table.do(Agree(BLUE))
    assert table.now.remembered_gos
    table.do(Ask(RED, Question.MISDEAL), Agree(BLUE))
    assert not table.now.remembered_gos
