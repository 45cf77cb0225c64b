"""A75 to A77 of the rules reference: undo over a new count, a slip on the game hole, a pass that is taken back."""

from __future__ import annotations

import pytest
from tests.support.seats import (
    BLUE,
    RED,
    SIX_CARD,
    Table,
    card,
    in_every_way,
    verdict_in,
    where_cards_are_read,
    without_history,
)

from cribboard import RULES, Rules, Way, record
from cribboard.actions import Agree, AllPass, Ask, LayCard, Question, SayGo, TakeBackPass, TakePegInHand, Undo
from cribboard.event_terms import Verdict
from cribboard.events import AllPassed, Asked, CountEnded, DealVoided, FalseGoFound, PassTakenBack, Undone
from cribboard.evolution import fold
from cribboard.position import Phase
from cribboard.record import Heading, Record
from cribboard.rules import changed
from cribboard.series import result_of
from cribboard.view import PromptKind, see

THREE, PARTNERS, SIX = RULES["three-player"], RULES["partners"], RULES["six-player"]
of_many = pytest.mark.parametrize("rules", [THREE, PARTNERS, SIX], ids=lambda rules: str(rules.name))


def undo(table: Table) -> None:
    """The last act is taken back; where that asks, every side that must says OK."""
    table.do(Undo())
    for side in table.rules.sides:
        if table.now.question is not None and Agree(side) in table.game.expected():
            table.do(Agree(side))
    assert isinstance(table.now.last[-1], Undone)


# A75


@where_cards_are_read
@pytest.mark.parametrize("name", ["six-card", "three-player", "partners", "six-player", "jeux50"])
def test_a75_three_acts_are_undone_over_a_new_count_and_the_record_says_the_same(way: str, name: str) -> None:
    rules = RULES[name]
    table = Table(way, rules=rules)
    table.starter()
    table.tell("S1 T, S2 K, S1 J" if len(rules.seats) == 2 else "S1 T, S2 K, S3 J")
    before = without_history(table.now)
    table.play("A+2 2 3" if way == "auto" else "A 2 3")
    assert table.now.count == 5
    for _ in range(3):
        undo(table)
    assert without_history(table.now) == before
    assert (table.now.count, table.now.count_over) == (30, False)

    assert fold(table.game.beginning, table.game.log) == table.now
    heading = Heading(rules=rules, way=Way(way), dealer=rules.seats[-1], names=("",) * len(rules.sides))
    text = record.write(Record(heading, table.game.log))
    assert record.judge(record.read(text)).position == table.now


# A76


@pytest.mark.parametrize("rules", list(RULES.values()), ids=lambda rules: str(rules.name))
def test_a76_in_trust_a_slip_on_the_game_hole_is_taken_back_and_there_is_no_result(rules: Rules) -> None:
    target = rules.game.target
    start = [target - 21, *[target - 31] * (len(rules.sides) - 1)]
    table = Table("trust", rules=rules, scores=start)
    table.press(BLUE, 21)
    assert (table.now.phase, table.now.winner) == (Phase.WON, BLUE)
    undo(table)
    assert (table.now.phase, table.now.winner, list(table.scores)) == (Phase.PEGGING, None, start)
    assert result_of(table.now, first_dealer=rules.seats[-1]) is None
    table.press(BLUE, 12)
    assert table.scores[BLUE] == target - 9


# A77


def all_passed(way: str, rules: Rules) -> Table:
    """The last of three cards stands at 28, and its seat has said that nobody can go on; it has pegged its go."""
    table = Table(way, rules=rules)
    table.starter("5S")
    table.tell("S1 T, S2 8, S3 T (28)")
    assert AllPass(table.seat("S3")) in table.game.expected()
    events = table.do(AllPass(table.seat("S3")))
    assert any(isinstance(event, AllPassed) for event in events)
    assert any(isinstance(event, CountEnded) for event in events)
    side = rules.side_of(table.seat("S3"))
    if way == "verify":
        table.claim(side, 1)
    assert table.scores[side] == 1
    return table


def another(table: Table) -> int:
    """A seat that passed with the others and does not lead next."""
    return table.rules.left_of(table.rules.left_of(table.seat("S3")))


@where_cards_are_read
@of_many
def test_a77_a_card_before_the_next_lead_takes_the_pass_back_and_the_count_goes_on(way: str, rules: Rules) -> None:
    table = all_passed(way, rules)
    other = another(table)
    assert table.now.turn != other
    events = table.do(LayCard(other, card("2H")))
    assert PassTakenBack(other) in events
    assert (table.now.count, table.now.count_over) == (30, False)
    assert table.scores == (0,) * len(rules.sides)  # and the go is not pegged yet


@where_cards_are_read
@of_many
def test_a77_only_the_seat_that_laid_goes_on_and_the_others_have_passed(way: str, rules: Rules) -> None:
    table = all_passed(way, rules)
    other = another(table)
    table.do(LayCard(other, card("2H")))
    assert table.now.turn == other
    table.do(SayGo(other))
    if way == "verify":
        table.claim(rules.side_of(other), 1)
    assert table.scores[rules.side_of(other)] == 1
    assert sum(table.scores) == 1
    assert (table.now.count_over, table.now.turn) == (True, rules.left_of(other))


@where_cards_are_read
@of_many
def test_the_seat_that_leads_next_takes_its_pass_back_with_a_card_that_fits_and_leads_any_other(
    way: str, rules: Rules
) -> None:
    """It must lay what fits: so a card that does was meant for the count that all were said to pass."""
    table = all_passed(way, rules)
    leads = table.now.turn
    assert leads == rules.left_of(table.seat("S3"))
    led = Table(way, rules=rules)
    led.game.append(table.game.log)
    led.do(LayCard(leads, card("4H")))
    assert led.now.count == 4

    assert PassTakenBack(leads) in table.do(LayCard(leads, card("2H")))
    assert table.now.count == 30


@where_cards_are_read
@of_many
def test_a_pass_is_taken_back_until_the_next_lead_and_no_later(way: str, rules: Rules) -> None:
    table = all_passed(way, rules)
    leads = table.now.turn
    assert leads is not None
    table.do(LayCard(leads, card("9H")))
    for seat in rules.seats:
        assert table.refused(TakeBackPass(seat)) == "no_pass_to_take_back"
    assert table.refused(LayCard(table.seat("S3"), card("2H"))) == "not_your_turn"


@where_cards_are_read
def test_a_card_that_does_not_fit_takes_no_pass_back(way: str) -> None:
    table = all_passed(way, PARTNERS)
    assert table.refused(LayCard(table.seat("S1"), card("4H"))) == "not_your_turn"


@where_cards_are_read
def test_a_go_that_a_seat_said_itself_is_not_taken_back(way: str) -> None:
    table = Table(way, rules=PARTNERS)
    table.starter("5S")
    table.tell("S1 T, S2 8, S3 T (28), S4 go, S1 go")
    table.do(AllPass(table.seat("S3")))
    assert table.refused(TakeBackPass(table.seat("S4"))) == "no_pass_to_take_back"
    assert table.refused(LayCard(table.seat("S1"), card("2H"))) == "not_your_turn"
    table.do(LayCard(table.seat("S2"), card("2H")))
    assert table.now.count == 30


def test_with_two_players_neither_passes_for_the_other() -> None:
    table = Table()
    table.starter("5S")
    table.tell("P T, D 8, P T (28)")
    assert table.refused(AllPass(table.seat("P"))) == "nobody_to_pass"


@of_many
def test_only_the_seat_that_laid_last_says_that_all_pass_and_only_if_no_card_fits(rules: Rules) -> None:
    table = Table(rules=rules)
    table.starter("5S")
    assert table.refused(AllPass(table.seat("S1"))) == "no_go_now"
    table.tell("S1 T, S2 A, S3 T (21)")
    assert table.refused(AllPass(table.seat("S3"))) == "can_play"
    table = Table(rules=rules)
    table.starter("5S")
    table.tell("S1 T, S2 8, S3 T (28)")
    assert table.refused(AllPass(table.seat("S2"))) == "not_your_turn"
    assert table.refused(AllPass(table.seat("S1"))) == "not_your_turn"


def test_points_for_the_card_itself_stay_when_a_pass_is_taken_back() -> None:
    """Only the go comes back: the pair was made by a card that still lies there."""
    table = Table(rules=PARTNERS)
    table.starter("5S")
    table.tell("S1 T, S2 9, S3 9 (28)")
    table.do(AllPass(table.seat("S3")))
    table.claim(BLUE, 2)
    table.claim(BLUE, 1)
    assert table.scores == (3, 0)
    table.do(LayCard(table.seat("S1"), card("2H")))
    assert table.scores == (2, 0)


@pytest.mark.parametrize("before", [True, False], ids=["lifted before all passed", "lifted after"])
@pytest.mark.parametrize("called", [2, 3, 5])
def test_a_peg_in_hand_for_the_card_is_let_go_by_the_card_that_takes_a_pass_back(before: bool, called: int) -> None:
    """7.1: the next card lets it go. Two are due for the pair, and nothing for a go that was none."""
    table = Table(rules=PARTNERS)
    table.starter("5S")
    table.tell("S1 T, S2 9, S3 9 (28)")
    lifted, passed = TakePegInHand(BLUE, called), AllPass(table.seat("S3"))
    table.do(*((lifted, passed) if before else (passed, lifted)))
    table.do(LayCard(table.seat("S1"), card("2H")))
    assert (table.scores, table.now.claim) == ((2, 0), None)


@where_cards_are_read
@pytest.mark.parametrize("exact_out", ["on", "off"])
def test_at_thirty_one_no_pass_is_taken_back_any_more(way: str, exact_out: str) -> None:
    """Nothing could be laid."""
    table = all_passed(way, changed(PARTNERS, {"exact_out": exact_out}))
    table.do(LayCard(table.seat("S1"), card("2H")), LayCard(table.seat("S1"), card("AH")))
    if way == "verify":
        table.claim(BLUE, 2)
    assert (table.scores, table.now.count_over) == ((2, 0), True)
    for seat in range(4):
        assert table.refused(TakeBackPass(seat)) == "no_pass_to_take_back"


@where_cards_are_read
@pytest.mark.parametrize("how", ["all pass again", "it says go"])
def test_when_the_seat_that_went_on_can_no_more_the_others_may_still_take_theirs_back(way: str, how: str) -> None:
    table = all_passed(way, PARTNERS)
    first, second = table.seat("S1"), table.seat("S2")
    table.do(LayCard(first, card("AH")), AllPass(first) if how == "all pass again" else SayGo(first))
    if way == "verify":
        table.claim(BLUE, 1)
    assert table.scores == (1, 0)
    table.do(TakeBackPass(second))
    assert (table.scores, table.now.turn) == ((0, 0), second)
    table.do(LayCard(second, card("AD")))
    assert table.now.count == 30


@where_cards_are_read
def test_a_pass_that_others_said_is_no_renege_when_it_is_taken_back(way: str) -> None:
    table = all_passed(way, PARTNERS)
    events = table.do(LayCard(table.seat("S1"), card("2H")))
    assert not [event for event in events if isinstance(event, FalseGoFound)]


@where_cards_are_read
def test_a_pass_taken_back_can_be_undone_itself(way: str) -> None:
    table = all_passed(way, PARTNERS)
    before = without_history(table.now)
    table.do(LayCard(table.seat("S1"), card("2H")))
    undo(table)
    assert without_history(table.now) == before


# Who must say OK to an undo


@in_every_way
@pytest.mark.parametrize("rules", [SIX_CARD, THREE], ids=lambda rules: str(rules.name))
def test_an_undo_is_free_agreed_or_official(way: str, rules: Rules) -> None:
    """7.13: free at once; agreed at once but in verify, where every other side says OK; official all sides, always."""
    sides = list(rules.sides)
    asks = {"free": [], "agreed": sides[1:] if way == "verify" else [], "official": sides}
    for value, must_answer in asks.items():
        table = Table(way, rules=changed(rules, {"undo": value}), scores=[30] * len(sides))
        lays_or_pegs(table)
        events = table.do(Undo())
        assert any(isinstance(event, Asked) for event in events) is bool(must_answer)
        for place_in_row, side in enumerate(must_answer):
            assert see(table.now).prompt.kind is PromptKind.UNDO
            last_one = place_in_row == len(must_answer) - 1
            assert see(table.now).prompt.side == (side if last_one else None)
            events = table.do(Agree(side))
            assert last_one or table.refused(Agree(side)) == "waits_for_other_side"
        assert isinstance(events[-1], Undone)
        assert table.scores == (30,) * len(sides)
        assert way == "trust" or table.now.stack == ()


def lays_or_pegs(table: Table) -> None:
    """Blue does something: it lays a card, or pegs where none are read."""
    if table.now.way is Way.TRUST:
        table.press(BLUE, 4)
    else:
        table.starter()
        table.tell("S1 T")


@in_every_way
def test_with_jeux50_and_acc_both_sides_say_ok_and_the_one_who_acted_too(way: str) -> None:
    for name in ("jeux50", "acc"):
        table = Table(way, rules=RULES[name], scores=(30, 30))
        lays_or_pegs(table)
        table.do(Undo(), Agree(RED))
        assert (see(table.now).prompt.kind, see(table.now).prompt.side) == (PromptKind.UNDO, BLUE)
        assert isinstance(table.do(Agree(BLUE))[-1], Undone)


def test_a_peg_in_hand_for_the_go_was_right_when_it_was_lifted_and_the_go_comes_back() -> None:
    table = Table(rules=THREE, scores=[10, 10, 10])
    table.starter()
    table.tell("S1 T, S2 Q, S3 8")
    laid_last = table.seat("S3")
    side = THREE.side_of(laid_last)
    table.do(AllPass(laid_last), TakePegInHand(side, 1))
    caused = table.do(LayCard(table.seat("S1"), card("2C")))
    assert verdict_in(caused).verdict is Verdict.EXACT
    assert table.scores == (10, 10, 10)


def test_no_side_wins_by_a_false_go() -> None:
    table = Table(rules=THREE, scores=[120, 120, 120])
    table.starter()
    table.tell("S1 T, S2 Q, S3 8")
    laid_last = table.seat("S3")
    table.do(AllPass(laid_last), TakePegInHand(THREE.side_of(laid_last), 1), TakeBackPass(table.seat("S1")))
    assert (table.now.winner, table.now.claim, table.scores) == (None, None, (120, 120, 120))


def test_asking_the_same_question_is_an_agreement() -> None:
    table = Table(rules=THREE)
    table.do(*(Ask(side, Question.MISDEAL) for side in (0, 1)))
    assert table.refused(Ask(1, Question.MISDEAL)) == "waits_for_other_side"
    caused = table.do(Ask(2, Question.MISDEAL))
    assert any(isinstance(event, DealVoided) for event in caused)
