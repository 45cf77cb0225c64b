"""What a press or a scan means at a table of more than two: seats, sides, partners, the naming of a dealer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.press_meanings import LONG, MENU, MENU_HELD, UNDO, game, go, lay, meant, ok, refused, too_much
from tests.support.refusals import is_complete
from tests.support.seats import BLUE, GREEN, RED, card
from tests.support.sweeps import examples

from cribboard import PACK, RULES, Card, Game, IllegalAction
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    AllPass,
    Ask,
    Challenge,
    CutForDeal,
    EndDeal,
    LayCard,
    NameDealer,
    Question,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.position import Phase
from cribboard.rules import changed
from cribboard.view import PromptKind, see
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyHeld, KeyPressed, KeysTogether
from cribd.table.commands import ChangeMode, InputMeaning, OpenMenu, Situation, TakeLine
from cribd.table.interpret import interpret
from cribd.table.snapshot import PLAYING, Line, Menu, MenuLine, NamingDealer, Playing, Refusal

# 7.7: go, of a seat that is named by its side's key


def partners(
    *acts: Action | Sequence[Action], dealer: int | None = 3, way: str = "verify", name: str = "partners"
) -> Game:
    return game(way, *acts, dealer=dealer, rules=RULES[name])


def laid_by(first: int, seats: int, names: str) -> list[Action]:
    return [LayCard((first + number) % seats, each) for number, each in enumerate(Card.parse_many(names))]


#: Blue 1 leads to 28 with the third card, which is blue 2's.
AT_28: list[Action] = [TurnStarter(card("6C")), *laid_by(0, 4, "TC 8D TH")]


#: All sixteen cards. Nobody says go: three counts end with a 31, and the fourth with the last card, which is red 2's.
PLAYED_BY_FOUR: list[Action] = [
    *(LayCard(0, card("TC")), LayCard(1, card("8D")), LayCard(2, card("TH")), LayCard(3, card("3C"))),
    *(LayCard(0, card("9C")), LayCard(1, card("7D")), LayCard(2, card("KH")), LayCard(3, card("5C"))),
    *(LayCard(0, card("QC")), LayCard(1, card("4D")), LayCard(2, card("JH")), LayCard(3, card("7S"))),
    *(LayCard(0, card("JC")), LayCard(1, card("3D")), LayCard(2, card("2H")), LayCard(3, card("6S"))),
]


def test_a_card_belongs_to_the_seat_to_play_and_not_to_its_partner() -> None:
    play = partners(TurnStarter(card("6C")))
    for seat, name in enumerate(["TC", "8D", "TH"]):
        assert meant(play, CardRead(name)) == LayCard(seat, card(name))
        play.do(LayCard(seat, card(name)))


def test_either_partner_presses_go_for_the_seat_to_play() -> None:
    play = partners(AT_28)
    assert play.position.turn == 3
    assert meant(play, go(RED)) == SayGo(3)
    assert refused(play, go(BLUE)) == Refusal("not_your_turn", {"seat": 3})
    play.do(SayGo(3))
    assert meant(play, go(BLUE)) == SayGo(0)


@pytest.mark.parametrize("name", ["three-player", "partners", "six-player"])
def test_a_held_go_of_the_side_that_laid_last_passes_for_all(name: str) -> None:
    rules = RULES[name]
    seats = len(rules.seats)
    play = game("verify", TurnStarter(card("6C")), laid_by(0, seats, "TC 8D TH"), dealer=seats - 1, rules=rules)
    last, next_seat = 2, 3 % seats
    assert play.position.turn == next_seat
    assert meant(play, KeyHeld(Key.GO, rules.side_of(last))) == AllPass(last)
    for side in rules.sides:
        if side != rules.side_of(last):
            held, pressed = meant(play, KeyHeld(Key.GO, side)), meant(play, go(side))
            assert held == pressed
    play.do(AllPass(last))
    assert play.position.count_over


def test_a_held_go_passes_for_all_even_if_the_side_that_laid_last_is_to_play() -> None:
    """At a table of three the two others have said go, so the seat that laid last is to play."""
    play = game("verify", TurnStarter(card("6C")), laid_by(0, 3, "TC 8D TH"), dealer=2, rules=RULES["three-player"])
    play.do(SayGo(0))
    play.do(SayGo(1))
    assert play.position.turn == 2
    assert meant(play, go(GREEN)) == SayGo(2)
    assert meant(play, KeyHeld(Key.GO, GREEN)) == AllPass(2)


def test_before_the_next_lead_a_short_go_takes_the_pass_back_for_its_side() -> None:
    """A77: of a side with two seats, the first in the order of play."""
    play = partners(AT_28, AllPass(2))
    assert play.position.declared_for == (3, 0, 1, 2)
    assert meant(play, go(RED)) == TakeBackPass(3)
    assert meant(play, go(BLUE)) == TakeBackPass(0)
    play.do(TakeBackPass(0))
    assert (play.position.turn, play.position.count) == (0, 28)
    assert meant(play, CardRead("3D")) == LayCard(0, card("3D"))


def test_after_the_next_lead_a_go_is_a_go_again() -> None:
    play = partners(AT_28, AllPass(2), LayCard(3, card("9S")))
    assert play.position.count == 9
    assert meant(play, go(BLUE)) == SayGo(0)


def test_a_held_go_before_the_next_lead_undoes_one_pass() -> None:
    play = partners(AT_28, AllPass(2))
    assert meant(play, KeyHeld(Key.GO, RED)) == TakeBackPass(3)


def test_in_trust_go_means_nothing() -> None:
    for now in (game("trust"), game("trust", dealer=None), game("trust", rules=RULES["three-player"])):
        for given_input in (go(RED), KeyHeld(Key.GO, RED)):
            assert meant(now, given_input) == Refusal("key_means_nothing", {"key": Key.GO})


# 7.8: cut for deal


@pytest.mark.parametrize("name", ["three-player", "partners", "six-player"])
def test_every_seat_cuts_in_turn(name: str) -> None:
    cut = game("verify", dealer=None, rules=RULES[name])
    for seat, each in zip(RULES[name].seats, Card.parse_many("9H KC 4H 5S TD 6D"), strict=False):
        assert meant(cut, CardRead(str(each))) == CutForDeal(seat, each)
        cut.do(CutForDeal(seat, each))
    assert cut.position.dealer == 2


def test_after_a_tie_only_the_tied_seats_cut_again() -> None:
    rules = changed(RULES["partners"], {"cut_tie": "tied_recut"})
    cut = game(
        "verify",
        *(CutForDeal(n, each) for n, each in enumerate(Card.parse_many("9H 2C KD 2S"))),
        dealer=None,
        rules=rules,
    )
    assert meant(cut, CardRead("7D")) == CutForDeal(1, card("7D"))
    cut.do(CutForDeal(1, card("7D")))
    assert meant(cut, CardRead("8D")) == CutForDeal(3, card("8D"))


def test_with_a_seat_a_side_its_ok_names_the_dealer() -> None:
    for way in ("trust", "verify", "auto"):
        for side in (BLUE, RED, GREEN):
            assert meant(game(way, dealer=None, rules=RULES["three-player"]), ok(side)) == NameDealer(side)


def naming(seat: int) -> ChangeMode:
    """The command that asks whether this seat deals."""
    return ChangeMode(NamingDealer(seat))


def named(seat: int, given_input: Input, *, way: str = "trust", name: str = "six-player") -> InputMeaning | None:
    now = game(way, dealer=None, rules=RULES[name])
    return interpret(Situation(LONG, now.position, NamingDealer(seat)), given_input)


def test_with_more_seats_than_sides_an_ok_brings_up_the_first_seat_of_that_side() -> None:
    for name in ("partners", "six-player"):
        cut = game("trust", dealer=None, rules=RULES[name])
        assert [meant(cut, ok(side)) for side in (BLUE, RED)] == [naming(BLUE), naming(RED)]
    assert meant(game("trust", dealer=None, rules=RULES["six-player"]), ok(GREEN)) == naming(GREEN)


def test_menu_steps_through_all_seats_and_any_ok_names_the_one_that_is_shown() -> None:
    stepped = [named(seat, MENU) for seat in range(6)]
    assert stepped == [naming(seat) for seat in (1, 2, 3, 4, 5, 0)]
    assert [named(seat, MENU, name="partners") for seat in range(4)] == [naming(seat) for seat in (1, 2, 3, 0)]
    assert {named(4, ok(side)) for side in (BLUE, RED, GREEN)} == {NameDealer(4)}


def test_undo_ends_the_naming_of_a_dealer_and_a_held_menu_opens_the_menu() -> None:
    assert named(4, UNDO) == ChangeMode(PLAYING)
    assert named(4, MENU_HELD) == OpenMenu()


def test_while_a_dealer_is_named_cards_and_holes_go_to_the_game() -> None:
    assert named(4, CardRead("9H"), way="verify") == CutForDeal(0, card("9H"))
    assert named(4, HolePressed(BLUE, 3)) == TakePegInHand(BLUE, 3)


def test_a_menu_over_the_naming_of_a_dealer_has_the_keys() -> None:
    now = game("trust", dealer=None, rules=RULES["partners"])
    opened = Situation(LONG, now.position, Menu((MenuLine(Line.BREAK_OFF),), covers=NamingDealer(1)))
    assert interpret(opened, MENU) == OpenMenu(0)
    assert interpret(opened, ok(RED)) == TakeLine(MenuLine(Line.BREAK_OFF), RED)


def test_ok_answers_an_open_question_before_it_names_a_dealer() -> None:
    cut = game("trust", Ask(BLUE, Question.BREAK_OFF), dealer=None, rules=RULES["partners"])
    assert meant(cut, ok(RED)) == Agree(RED)


# 7.2 and 7.13: three sides


def test_a_third_track_has_its_player_at_a_table_of_three() -> None:
    of_three = game("trust", rules=RULES["three-player"])
    assert meant(of_three, HolePressed(GREEN, 8)) == TakePegInHand(GREEN, 8)


def to_the_show() -> Game:
    """Red deals, so green counts first: 5H 6H 9H 4S with the starter 6C."""
    begun = game("verify", TurnStarter(card("6C")), dealer=RED, rules=RULES["three-player"])
    for each in Card.parse_many("5H KD KS 6H QD QS 9H 2D JS 4S JD 7S"):
        assert begun.position.turn is not None
        begun.do(LayCard(begun.position.turn, each))
    return begun


def test_the_side_that_counts_next_accepts_and_no_other() -> None:
    show = to_the_show()
    assert show.position.phase is Phase.SHOW
    assert show.position.counting is not None
    first = show.position.counting[0]
    assert first == GREEN
    show.do(TakePegInHand(GREEN, 12))
    show.do(ReleasePeg(GREEN))
    assert see(show.position).prompt.side == BLUE
    assert meant(show, ok(BLUE)) == Accept(BLUE)
    assert refused(show, ok(RED)) == Refusal("not_your_claim", {"side": BLUE})
    for side in (BLUE, RED):
        assert meant(show, too_much(side)) == Challenge(side)


def test_every_other_side_agrees_to_a_question_once() -> None:
    play = game("verify", TurnStarter(card("6C")), dealer=RED, rules=RULES["three-player"])
    play.do(LayCard(GREEN, card("TC")))
    play.do(Undo())
    assert see(play.position).prompt.side is None
    assert meant(play, ok(BLUE)) == Agree(BLUE)
    assert refused(play, ok(GREEN)) == Refusal("waits_for_other_side", {"side": GREEN})
    play.do(Agree(BLUE))
    assert see(play.position).prompt.side == RED
    assert refused(play, ok(BLUE)) == Refusal("waits_for_other_side", {"side": BLUE})
    play.do(Agree(RED))
    assert play.position.stack == ()


def test_a_result_is_accepted_by_all_three() -> None:
    won = game("trust", [TakePegInHand(BLUE, 121)] * 2, ReleasePeg(BLUE), dealer=RED, rules=RULES["three-player"])
    for side in (GREEN, BLUE, RED):
        assert meant(won, ok(side)) == AcceptResult(side)
        won.do(AcceptResult(side))
    assert won.position.phase is Phase.OVER


def test_any_other_side_lets_go_of_a_peg_in_the_play_and_the_third_may_say_too_much() -> None:
    """7.2 and 7.3: who accepts is only fixed at the show."""
    play = game("verify", TurnStarter(card("6C")), laid_by(GREEN, 3, "TC 5D"), dealer=RED, rules=RULES["three-player"])
    play.do(TakePegInHand(BLUE, 2))
    for side in (RED, GREEN):
        assert meant(play, ok(side)) == Accept(side)
        assert meant(play, too_much(side)) == Challenge(side)
    assert refused(play, too_much(BLUE)).code == "own_claim"
    play.do(Accept(GREEN))
    assert play.position.pegs[BLUE].front == 2


def test_a_late_claim_of_three_is_answered_by_the_side_on_the_left() -> None:
    """7.5."""
    play = game(
        "verify", TurnStarter(card("KC")), laid_by(GREEN, 3, "TC 5D 9S"), dealer=RED, rules=RULES["three-player"]
    )
    play.do(TakePegInHand(BLUE, 2))
    prompt = see(play.position).prompt
    assert (prompt.kind, prompt.side) == (PromptKind.LATE, RED)
    assert meant(play, ok(RED)) == Accept(RED)
    assert refused(play, ok(GREEN)) == Refusal("not_your_claim", {"side": RED})


def test_a_misdeal_of_three_is_done_when_both_others_agree() -> None:
    """7.10."""
    deal = game("verify", Ask(GREEN, Question.MISDEAL), dealer=RED, rules=RULES["three-player"])
    assert refused(deal, ok(GREEN)) == Refusal("waits_for_other_side", {"side": GREEN})
    for side in (RED, BLUE):
        assert meant(deal, ok(side)) == Agree(side)
        deal.do(Agree(side))
    assert (deal.position.phase, deal.position.dealer, deal.position.question) == (Phase.DEAL, RED, None)


def test_under_official_rules_the_asker_says_ok_to_an_undo_too() -> None:
    """7.13."""
    for way in ("trust", "verify", "auto"):
        dealt = game(way, NameDealer(RED), dealer=None, rules=RULES["acc"])
        dealt.do(Undo())
        for side in (BLUE, RED):
            assert meant(dealt, ok(side)) == Agree(side)
            dealt.do(Agree(side))
        assert dealt.position.dealer is None


def test_with_partners_zero_is_claimed_for_the_seat_whose_hand_is_counted() -> None:
    """7.4."""
    show = partners(TurnStarter(card("6C")), PLAYED_BY_FOUR)
    counting = show.position.counting
    assert counting is not None
    assert counting[0] == 0
    assert meant(show, ok(BLUE)) == TakeZero(BLUE)
    assert refused(show, ok(RED)).code == "nothing_to_accept"


# 7.11: cards that were not laid (five-card)


def test_cards_that_were_not_laid_are_shown_for_the_hand_that_is_next() -> None:
    """A33: the play ends with the first go, and unlaid cards are scanned before their hand is counted."""
    show = game("verify", TurnStarter(card("KC")), lay("9C 6D TC"), SayGo(RED), SayGo(BLUE), rules=RULES["five-card"])
    assert show.position.phase is Phase.SHOW
    assert show.position.to_show == BLUE
    prompt = see(show.position).prompt
    assert (prompt.kind, prompt.side) == (PromptKind.READ_HAND, BLUE)
    assert meant(show, CardRead("2H")) == ShowCard(BLUE, card("2H"))
    show.do(ShowCard(BLUE, card("2H")))
    assert see(show.position).prompt.kind is PromptKind.COUNT_HAND


# 7.12: the end of a deal, by the side whose seat deals


def test_either_partner_ends_the_deal_of_his_side() -> None:
    for dealer in range(6):
        deal = game("trust", dealer=dealer, rules=RULES["six-player"])
        side = dealer % 3
        assert meant(deal, ok(side)) == EndDeal(side)
        assert refused(deal, ok((side + 1) % 3)) == Refusal("not_the_dealer", {"seat": dealer})


# Laws


INPUTS: st.SearchStrategy[Input] = st.one_of(
    st.builds(HolePressed, st.integers(0, 2), st.integers(1, 121)),
    st.builds(CardRead, st.sampled_from([str(each) for each in PACK])),
    st.builds(KeyPressed, st.sampled_from([Key.GO, Key.OK, Key.CHALLENGE]), st.integers(0, 2)),
    st.builds(KeyHeld, st.sampled_from(list(Key)), st.integers(0, 2)),
    st.sampled_from([UNDO, MENU, MENU_HELD, KeysTogether()]),
)


@pytest.mark.sweep
@settings(max_examples=examples(150), deadline=None)
@given(
    name=st.sampled_from(sorted(RULES)),
    way=st.sampled_from(["trust", "verify", "auto"]),
    inputs=st.lists(INPUTS, max_size=60),
)
def test_under_every_preset_each_input_has_an_answer_and_each_refusal_a_text(
    name: str, way: str, inputs: list[Input]
) -> None:
    now = game(way, dealer=None, rules=RULES[name])
    mode: Playing | NamingDealer = PLAYING
    for given_input in inputs:
        answer = interpret(Situation(LONG, now.position, mode), given_input)
        assert answer is not None
        match answer:
            case ChangeMode(Playing() | NamingDealer() as mode):
                continue
            case OpenMenu() | Refusal():
                pass
            case _:
                mode = PLAYING
                try:
                    now.do(answer)  # type: ignore[arg-type]
                except IllegalAction as no:
                    answer = Refusal(no.code, no.values)
        if isinstance(answer, Refusal):
            assert is_complete(answer)
