"""A79 of the rules reference: a press that could be for two things is for the one that public facts allow.

All cards of the play lie open, so the most that a side can claim for it is public: a call above that is for the hand
(3.25).
"""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, Table, card, verdict_in

from cribboard import RULES, Rules
from cribboard.actions import Accept, Challenge, GoOnUnread, LayCard, ReleasePeg, TakePegInHand, TakeZero
from cribboard.event_terms import Occasion, Verdict
from cribboard.rules import changed
from cribboard.view import PromptKind, see

MUGGINS = changed(RULES["britannica"], {"muggins": "on"})
TOURNAMENT = changed(RULES["six-card"], {"telling": "tournament"})
in_silence = pytest.mark.parametrize("rules", [RULES["acc"], MUGGINS, TOURNAMENT], ids=["acc", "muggins", "telling"])


def blue_laid_last(rules: Rules) -> Table:
    """Blue, the pone, laid last and has not pegged the point for it; its hand is worth nine."""
    table = Table(rules=rules, scores=(60, 70))
    table.starter("TC")
    names = ((BLUE, "KS"), (RED, "2D"), (BLUE, "6H"), (RED, "QH"))
    table.do(*(LayCard(seat, card(name)) for seat, name in names))
    table.play("go 2S go 5D 8C 4C")
    assert table.now.counting == (BLUE, Occasion.HAND)
    return table


@in_silence
def test_a79_a_call_above_the_play_is_for_the_hand_and_the_hand_is_not_asked_again(rules: Rules) -> None:
    table = blue_laid_last(rules)
    judged = verdict_in(table.do(TakePegInHand(BLUE, 9), ReleasePeg(BLUE), Accept(RED)))
    assert (judged.occasions, judged.verdict, judged.due) == ((Occasion.HAND,), Verdict.EXACT, 9)
    assert table.scores == (69, 70), "the point for the last card is lost"
    assert table.now.counting == (RED, Occasion.HAND)


@in_silence
def test_the_screen_says_what_the_press_is_for(rules: Rules) -> None:
    table = blue_laid_last(rules)
    table.do(TakePegInHand(BLUE, 1))
    assert see(table.now).prompt.values["of"] == "play"
    table.do(TakePegInHand(BLUE, 9))
    assert see(table.now).prompt.values["of"] == "hand"
    table.do(ReleasePeg(BLUE))
    assert see(table.now).prompt.kind is PromptKind.ACCEPT


@in_silence
def test_a_call_that_the_play_can_be_worth_is_for_the_play(rules: Rules) -> None:
    table = blue_laid_last(rules)
    assert table.claim(BLUE, 1).occasions == (Occasion.CARD,)
    assert table.claim(BLUE, 9).occasions == (Occasion.HAND,)
    assert table.scores == (70, 70)


@in_silence
def test_a_zero_is_still_for_the_play_first(rules: Rules) -> None:
    table = blue_laid_last(rules)
    table.do(TakeZero(BLUE), ReleasePeg(BLUE), Accept(RED))
    assert table.claim(BLUE, 9).occasions == (Occasion.HAND,)


def test_a_hand_called_too_high_is_challenged_as_a_hand() -> None:
    table = blue_laid_last(RULES["acc"])
    table.do(TakePegInHand(BLUE, 11), ReleasePeg(BLUE))
    judged = verdict_in(table.do(Challenge(RED)))
    assert (judged.occasions, judged.due) == ((Occasion.HAND,), 9)
    assert table.scores == (69, 72)


def test_with_muggins_a_forgotten_last_card_is_lost_once_the_hand_is_released() -> None:
    table = blue_laid_last(MUGGINS)
    table.do(TakePegInHand(BLUE, 9), ReleasePeg(BLUE), Challenge(RED), TakePegInHand(RED, 1), ReleasePeg(RED))
    assert table.scores == (69, 70)


@in_silence
def test_with_an_unread_card_a_press_is_for_the_play(rules: Rules) -> None:
    table = Table(rules=rules, scores=(60, 70))
    table.starter("TC")
    names = ((BLUE, "KS"), (RED, "2D"), (BLUE, "6H"), (RED, "QH"))
    table.do(*(LayCard(seat, card(name)) for seat, name in names))
    table.play("go 2S go 5D 8C")
    table.do(GoOnUnread(BLUE))
    table.show(BLUE, "4C")
    assert table.now.counting == (BLUE, Occasion.HAND)
    assert table.claim(BLUE, 9).occasions == (Occasion.CARD,)


@pytest.mark.parametrize(("name", "verdict"), [("six-card", None), ("jeux50", "too-late"), ("acc", "too-late")])
def test_a_call_above_the_value_of_the_own_card_claims_forgotten_points(name: str, verdict: str | None) -> None:
    table = Table(rules=RULES[name], scores=(60, 70))
    table.starter("TC")
    table.play("5")
    table.do(LayCard(RED, card("5D")), LayCard(BLUE, card("8H")), LayCard(RED, card("3D")))
    events = table.do(TakePegInHand(RED, 2))
    if verdict is None:
        assert see(table.now).prompt.kind is PromptKind.LATE
    else:
        assert [event.verdict for event in events if hasattr(event, "verdict")] == [verdict]
    assert table.scores == (60, 70)


def test_a_call_that_matches_neither_is_judged_as_the_own_card() -> None:
    table = Table(scores=(60, 70))
    table.starter("TC")
    table.play("5")
    table.do(LayCard(RED, card("5D")), LayCard(BLUE, card("8H")), LayCard(RED, card("3D")))
    assert verdict_in(table.press(RED, 7)).verdict is Verdict.TOO_MANY
