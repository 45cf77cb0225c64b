"""What a press or a scan means during a game, paragraph by paragraph of the rules reference, section 7."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.press_meanings import (
    MENU,
    MENU_HELD,
    PLAYED,
    TWICE_ROUND,
    UNDO,
    game,
    go,
    lay,
    meant,
    ok,
    refused,
    too_much,
)
from tests.support.refusals import is_complete
from tests.support.seats import BLUE, RED, card

from cribboard import PACK, RULES, Game, IllegalAction, Way
from cribboard.actions import (
    Accept,
    Agree,
    Ask,
    Challenge,
    CutForDeal,
    EndDeal,
    LayCard,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
)
from cribboard.evolution import start
from cribboard.position import Pegs
from cribboard.possible_counts import MOST
from cribboard.rules import changed
from cribboard.view import PromptKind, see
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyHeld, KeyPressed, KeysTogether
from cribd.table.button_actions import points_ahead
from cribd.table.commands import OpenMenu, Situation
from cribd.table.interpret import interpret
from cribd.table.snapshot import Refusal

# 7.1: the peg in hand


def test_a_hole_on_a_track_takes_its_peg_in_hand() -> None:
    assert meant(game("trust"), HolePressed(BLUE, 8)) == TakePegInHand(BLUE, 8)
    assert meant(game("trust"), HolePressed(RED, 3)) == TakePegInHand(RED, 3)


def test_holes_are_counted_from_the_front_peg() -> None:
    scored = game("trust", TakePegInHand(BLUE, 8), ReleasePeg(BLUE))
    assert meant(scored, HolePressed(BLUE, 11)) == TakePegInHand(BLUE, 3)


def test_another_hole_moves_the_peg_in_hand_forward_and_back() -> None:
    in_hand = game("trust", TakePegInHand(BLUE, 8))
    assert meant(in_hand, HolePressed(BLUE, 9)) == TakePegInHand(BLUE, 9)
    assert meant(in_hand, HolePressed(BLUE, 2)) == TakePegInHand(BLUE, 2)


def test_pressing_the_hole_of_the_peg_in_hand_releases_it() -> None:
    assert meant(game("trust", TakePegInHand(BLUE, 8)), HolePressed(BLUE, 8)) == ReleasePeg(BLUE)


def test_the_hole_of_the_front_peg_puts_the_peg_in_hand_back() -> None:
    in_hand = game("trust", TakePegInHand(BLUE, 8), ReleasePeg(BLUE), TakePegInHand(BLUE, 2))
    assert meant(in_hand, HolePressed(BLUE, 8)) == PutPegBack(BLUE)


def test_the_own_ok_releases_the_peg_and_the_others_ok_accepts() -> None:
    in_hand = game("trust", TakePegInHand(BLUE, 8))
    assert meant(in_hand, ok(BLUE)) == ReleasePeg(BLUE)
    assert meant(in_hand, ok(RED)) == Accept(RED)


def test_a_press_on_the_other_track_while_a_peg_is_in_hand_is_the_other_sides_own_claim() -> None:
    assert meant(game("trust", TakePegInHand(BLUE, 8)), HolePressed(RED, 4)) == TakePegInHand(RED, 4)


def test_a_hole_behind_the_peg_is_refused_with_and_without_a_peg_in_hand() -> None:
    scored = game("trust", TakePegInHand(BLUE, 8), ReleasePeg(BLUE))
    assert refused(scored, HolePressed(BLUE, 5)).code == "behind_the_peg"
    assert refused(scored, HolePressed(BLUE, 8)).code == "behind_the_peg"
    scored.do(TakePegInHand(BLUE, 4))
    assert refused(scored, HolePressed(BLUE, 5)).code == "behind_the_peg"


def test_a_third_track_has_no_player_at_a_table_for_two() -> None:
    assert refused(game("trust"), HolePressed(2, 8)) == Refusal("not_playing", {"side": 2})


def test_in_auto_a_hole_is_refused_because_the_board_pegs() -> None:
    assert refused(game("auto", TurnStarter(card("6C"))), HolePressed(BLUE, 2)).code == "board_pegs"


# 7.2 and 7.3: acceptance and challenge


def test_challenge_says_that_the_other_side_took_too_much() -> None:
    in_hand = game("verify", TurnStarter(card("6C")), lay("TC"), TakePegInHand(BLUE, 2))
    assert meant(in_hand, too_much(RED)) == Challenge(RED)
    assert refused(in_hand, too_much(BLUE)).code == "own_claim"


def test_with_nothing_claimed_there_is_nothing_to_challenge_and_nothing_to_accept() -> None:
    dealt = game("verify")
    assert refused(dealt, too_much(RED)).code == "nothing_to_challenge"
    assert refused(dealt, ok(RED)).code == "nothing_to_accept"


# 7.4: zero, and 19


def test_at_the_own_count_ok_claims_zero_and_a_second_ok_releases_it() -> None:
    counting = game("verify", PLAYED, TakePegInHand(RED, 1), Accept(BLUE))
    assert meant(counting, ok(BLUE)) == TakeZero(BLUE)
    counting.do(TakeZero(BLUE))
    assert meant(counting, ok(BLUE)) == ReleasePeg(BLUE)
    assert meant(counting, ok(RED)) == Accept(RED)
    assert meant(counting, HolePressed(BLUE, 4)) == TakePegInHand(BLUE, 4)


def test_a_zero_in_hand_is_released_by_the_hole_of_the_front_peg() -> None:
    pegged = [*PLAYED[:5], TakePegInHand(RED, 2), *PLAYED[5:]]
    counting = game("verify", pegged, TakeZero(BLUE), Accept(RED), TakeZero(RED))
    assert counting.position.pegs[RED].front == 2
    assert meant(counting, HolePressed(RED, 2)) == ReleasePeg(RED)


def test_unclaimed_points_of_the_play_need_no_ok_before_the_own_count() -> None:
    """7.2: the next count accepts it. A peg that is still in hand is released first."""
    in_hand = game("verify", PLAYED, TakePegInHand(RED, 1))
    assert meant(in_hand, ok(BLUE)) == Accept(BLUE)
    in_hand.do(ReleasePeg(RED))
    prompt = see(in_hand.position).prompt
    assert (prompt.kind, prompt.side) == (PromptKind.COUNT_HAND, BLUE)
    assert meant(in_hand, ok(BLUE)) == TakeZero(BLUE)
    in_hand.do(TakeZero(BLUE))
    assert in_hand.position.claim is not None
    assert (in_hand.position.claim.side, in_hand.position.pegs[RED].front) == (BLUE, 1)


def test_only_the_side_that_counts_can_claim_zero() -> None:
    counting = game("verify", PLAYED, TakePegInHand(RED, 1), Accept(BLUE))
    assert refused(counting, ok(RED)).code == "nothing_to_accept"


def test_19_asks_whether_it_means_zero_and_only_ok_or_another_hole_answers() -> None:
    asked = game("trust", TakePegInHand(BLUE, 19))
    assert meant(asked, ok(BLUE)) == ReleasePeg(BLUE)
    assert meant(asked, HolePressed(BLUE, 18)) == TakePegInHand(BLUE, 18)
    assert refused(asked, HolePressed(BLUE, 19)).code == "answer_first"
    assert refused(asked, ok(RED)).code == "answer_first"


# 7.5: forgotten points


def forgotten() -> Game:
    """Blue made a fifteen, red laid the next card, and now blue presses for it."""
    return game("verify", TurnStarter(card("KC")), lay("TC 5D 9S"), TakePegInHand(RED, 2))


def test_a_late_claim_waits_for_the_other_side() -> None:
    late = forgotten()
    assert refused(late, HolePressed(RED, 2)).code == "waits_for_other_side"
    assert refused(late, ok(RED)).code == "waits_for_other_side"
    assert meant(late, ok(BLUE)) == Accept(BLUE)
    assert meant(late, too_much(BLUE)) == Challenge(BLUE)


# 7.6 to 7.9: cards


def test_a_card_in_the_cut_is_that_of_the_seat_that_is_named() -> None:
    cut = game("verify", dealer=None)
    assert meant(cut, CardRead("4H")) == CutForDeal(BLUE, card("4H"))
    cut.do(CutForDeal(BLUE, card("4H")))
    assert meant(cut, CardRead("9s")) == CutForDeal(RED, card("9S"))


def test_without_a_cut_the_dealers_own_ok_names_the_dealer() -> None:
    for way in ("trust", "verify", "auto"):
        assert meant(game(way, dealer=None), ok(RED)) == NameDealer(RED)


def test_after_the_deal_the_only_card_is_the_starter() -> None:
    assert meant(game("verify"), CardRead("10h")) == TurnStarter(card("TH"))


def test_in_the_play_a_card_belongs_to_the_seat_whose_turn_it_is() -> None:
    play = game("verify", TurnStarter(card("6C")))
    assert meant(play, CardRead("TC")) == LayCard(BLUE, card("TC"))
    play.do(LayCard(BLUE, card("TC")))
    assert meant(play, CardRead("7D")) == LayCard(RED, card("7D"))


def test_at_the_show_cards_are_those_of_the_crib() -> None:
    assert meant(game("verify", PLAYED), CardRead("JD")) == ReadCrib(card("JD"))


def test_a_card_before_the_crib_is_wanted_is_refused() -> None:
    assert refused(game("verify", PLAYED), CardRead("JD")).code == "no_card_now"


def test_a_table_that_trusts_wants_no_cards() -> None:
    assert refused(game("trust"), CardRead("JD")).code == "no_cards_here"
    assert refused(game("trust", dealer=None), CardRead("JD")).code == "no_cards_here"


@pytest.mark.parametrize(("text", "shown"), [("XX", "XX"), ("1", "1"), ("", "?"), ("4H4H4H4H4H", "4H4H4H4H")])
def test_a_text_that_is_no_card_is_refused_and_shown_shortened(text: str, shown: str) -> None:
    assert meant(game("verify"), CardRead(text)) == Refusal("no_such_card", {"text": shown})


def test_a_card_that_was_seen_and_one_that_passes_31_are_refused_by_name() -> None:
    play = game("verify", TurnStarter(card("6C")), lay("TC 7D KD"))
    assert refused(play, CardRead("6C")) == Refusal("card_twice", {"card": card("6C")})
    assert refused(play, CardRead("7D")) == Refusal("card_twice", {"card": card("7D")})
    assert refused(play, CardRead("9D")) == Refusal("past_thirty_one", {"card": card("9D"), "count": 36})


# 7.7: go


def test_go_belongs_to_the_seat_to_play() -> None:
    play = game("verify", TurnStarter(card("6C")), lay("TC 7D KD"))
    assert meant(play, go(RED)) == SayGo(RED)
    assert refused(play, go(BLUE)) == Refusal("not_your_turn", {"seat": RED})


def test_a_held_go_key_means_go_at_a_table_for_two() -> None:
    play = game("verify", TurnStarter(card("6C")), lay("TC 7D KD"))
    assert meant(play, KeyHeld(Key.GO, RED)) == SayGo(RED)


def test_go_before_any_card_is_refused() -> None:
    play = game("verify", TurnStarter(card("6C")))
    assert refused(play, go(BLUE)).code == "no_go_now"
    assert refused(play, go(RED)) == Refusal("not_your_turn", {"seat": BLUE})
    assert refused(game("verify"), go(BLUE)).code == "no_go_now"
    assert refused(game("verify", PLAYED), go(BLUE)).code == "no_go_now"


def test_go_is_refused_while_every_card_can_be_laid() -> None:
    play = game("verify", TurnStarter(card("6C")), lay("TC"))
    assert refused(play, go(RED)) == Refusal("can_play", {"count": 10})


# 7.11 and 7.12: the show, and the end of a deal


def test_in_auto_any_ok_opens_the_next_count() -> None:
    shown = game("auto", PLAYED)
    assert meant(shown, ok(BLUE)) == OpenCount(BLUE)
    assert meant(shown, ok(RED)) == OpenCount(RED)


def test_a_trusted_deal_is_ended_by_its_dealer_with_no_peg_in_hand() -> None:
    trusted = game("trust")
    assert meant(trusted, ok(RED)) == EndDeal(RED)
    assert refused(trusted, ok(BLUE)) == Refusal("not_the_dealer", {"seat": RED})
    trusted.do(TakePegInHand(RED, 4))
    assert meant(trusted, ok(RED)) == ReleasePeg(RED)


def test_ok_answers_the_nearest_thing_first() -> None:
    """A question before a claim, a claim before one's own count, the count before anything else."""
    shown = game("verify", PLAYED, TakePegInHand(RED, 1))
    assert meant(shown, ok(BLUE)) == Accept(BLUE)
    shown.do(Accept(BLUE))
    assert meant(shown, ok(BLUE)) == TakeZero(BLUE)
    shown.do(Ask(RED, Question.BREAK_OFF))
    assert meant(shown, ok(BLUE)) == Agree(BLUE)


# 7.20: a board that is walked twice


@given(front=st.integers(0, 120), hole=st.integers(1, 60))
def test_on_two_laps_a_hole_is_the_next_of_its_number_if_that_is_1_to_29_ahead(front: int, hole: int) -> None:
    now = game(
        "trust", [TakePegInHand(BLUE, front)] * 2 if front else [], [ReleasePeg(BLUE)] if front not in (0, 19) else []
    )
    if front == 19:  # which asks whether it means zero
        now = game("trust", TakePegInHand(BLUE, 10), ReleasePeg(BLUE), TakePegInHand(BLUE, 9), ReleasePeg(BLUE))
    assert now.position.pegs[BLUE].front == front
    ahead = [points for points in range(1, MOST + 1) if front + points < 121 and (front + points - 1) % 60 + 1 == hole]
    points = points_ahead(TWICE_ROUND, now.position, BLUE, hole)
    assert [points] == ahead if ahead else points <= 0
    assert (points == 0) == (front > 0 and (front - 1) % 60 + 1 == hole)


def test_the_game_hole_is_the_game_hole_from_wherever_the_peg_stands() -> None:
    assert meant(game("trust"), HolePressed(BLUE, 121)) == TakePegInHand(BLUE, 121)
    small = Situation(TWICE_ROUND, game("trust").position)
    assert interpret(small, HolePressed(BLUE, 61)) == TakePegInHand(BLUE, 121)


def test_a_far_hole_is_asked_for_again_in_trust_and_ruled_impossible_in_verify() -> None:
    far = game("trust", TakePegInHand(BLUE, 30))
    assert meant(far, HolePressed(BLUE, 30)) == TakePegInHand(BLUE, 30)
    assert refused(far, ok(BLUE)) == Refusal("same_hole_again", {"points": 30})
    far.do(TakePegInHand(BLUE, 30))
    assert meant(far, HolePressed(BLUE, 30)) == ReleasePeg(BLUE)


# Laws


INPUTS: st.SearchStrategy[Input] = st.one_of(
    st.builds(HolePressed, st.integers(0, 2), st.integers(1, 121)),
    st.builds(CardRead, st.one_of(st.sampled_from([str(each) for each in PACK]), st.text(max_size=12))),
    st.builds(KeyPressed, st.sampled_from([Key.GO, Key.OK, Key.CHALLENGE]), st.integers(0, 2)),
    st.builds(KeyHeld, st.sampled_from(list(Key)), st.integers(0, 2)),
    st.sampled_from([UNDO, MENU, MENU_HELD, KeysTogether()]),
)


@settings(max_examples=300, deadline=None)
@given(way=st.sampled_from(["trust", "verify", "auto"]), inputs=st.lists(INPUTS, max_size=60))
def test_every_input_has_an_answer_and_every_refusal_a_text(way: str, inputs: list[Input]) -> None:
    now = game(way, dealer=None)
    for given_input in inputs:
        answer = meant(now, given_input)
        assert answer is not None
        if not isinstance(answer, Refusal | OpenMenu):
            try:
                now.do(answer)  # type: ignore[arg-type]
            except IllegalAction as no:
                answer = Refusal(no.code, no.values)
        if isinstance(answer, Refusal):
            assert is_complete(answer)


@pytest.mark.parametrize(("front", "hole", "points"), [(29, 31, 2), (89, 31, 2), (62, 31, 29), (85, 32, -53)])
def test_on_two_laps_a_target_in_the_wood_is_the_next_hole_of_its_number(front: int, hole: int, points: int) -> None:
    """A game to 91 ends in hole 31 of the second lap, which is passed on the first."""
    begun = start(changed(RULES["six-card"], {"target": 91, "skunk_line": 60}), Way.TRUST, dealer=RED)
    now = replace(begun, pegs=(Pegs(front, front - 1), Pegs()))
    assert points_ahead(TWICE_ROUND, now, BLUE, hole) == points
