"""A card that no reader can read: the players go on, what rests on it stands as called, and the record says so."""

from __future__ import annotations

import pytest
from tests.support.seats import BLUE, RED, SIX_CARD, Table, card, verdict_in

from cribboard import RULES, Card, Rules
from cribboard.actions import (
    Accept,
    Challenge,
    GoOnUnread,
    OpenCount,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakePegInHand,
    TurnStarter,
    Undo,
)
from cribboard.event_terms import Ground, Occasion, Verdict
from cribboard.events import CardUnread, CountUnverified, StarterUnread
from cribboard.position import Phase
from cribboard.rules import changed
from cribboard.view import LaidCard, PromptKind, see

SILENT = changed(RULES["six-card"], {"telling": "tournament"})


def with_an_unread_card(way: str = "verify", *, rules: Rules = SIX_CARD) -> Table:
    """Blue has led a seven, and red's card cannot be read."""
    table = Table(way, scores=(10, 20), rules=rules)
    table.starter("KS")
    table.play("7C")
    table.do(GoOnUnread(RED))
    return table


def test_an_unread_card_is_laid_and_the_count_is_unknown() -> None:
    table = with_an_unread_card()
    view = see(table.now)
    assert CardUnread(RED) in table.game.log
    assert view.laid == (LaidCard(BLUE, card("7C")), LaidCard(RED, None))
    assert view.count is None
    assert (view.prompt.kind, view.prompt.values["seat"]) == (PromptKind.LAY, BLUE)


@pytest.mark.parametrize("rules", [RULES["six-card"], SILENT])
def test_a_call_for_an_unread_card_stands_as_called(rules: Rules) -> None:
    table = with_an_unread_card(rules=rules)
    judged = table.claim(RED, 2)
    assert (judged.verdict, judged.called, judged.due, judged.ground) == (Verdict.UNVERIFIED, 2, 2, Ground.UNREAD)
    assert table.scores == (10, 22)


def test_any_card_may_be_laid_on_an_unread_card_and_is_unverified_too() -> None:
    table = with_an_unread_card()
    table.play("T Q")
    assert table.claim(RED, 3).verdict is Verdict.UNVERIFIED


def test_after_a_go_the_next_count_is_known_again() -> None:
    table = with_an_unread_card()
    table.do(SayGo(BLUE), SayGo(RED))
    assert table.claim(RED, 1).verdict is Verdict.UNVERIFIED
    table.play("8C 7D+2")
    assert see(table.now).count == 15


def test_an_unread_card_is_asked_for_at_the_show_and_may_be_scanned_late() -> None:
    table = with_an_unread_card()
    table.play("2C 3C 2D 3D 9S 9H")
    assert table.now.phase is Phase.SHOW
    table.press(RED, 1)
    table.count(BLUE, 2)
    view = see(table.now)
    assert (view.prompt.kind, view.prompt.side, view.prompt.values["read"]) == (PromptKind.READ_HAND, RED, 3)
    table.do(ShowCard(RED, card("8D")))
    assert table.claim(RED, 2).verdict is not Verdict.UNVERIFIED


def test_the_last_card_that_was_not_read_is_claimed_apart_from_the_hand() -> None:
    table = Table(scores=(10, 20))
    table.starter("KS")
    table.play("7C 8C+2 2C 3C 9S 2D+2 AC")
    table.do(GoOnUnread(RED))
    table.count(BLUE, 0)
    table.do(ShowCard(RED, card("8D")))
    assert see(table.now).prompt.values["of"] == "play"
    assert table.claim(RED, 1).verdict is Verdict.UNVERIFIED
    assert see(table.now).prompt.values["of"] == "hand"
    assert table.claim(RED, 4).verdict is Verdict.EXACT


def test_a_hand_with_an_unread_card_is_counted_unverified() -> None:
    table = with_an_unread_card()
    table.play("2C 3C 2D 3D 9S 9H")
    table.count(BLUE, 2)
    table.do(GoOnUnread(RED))
    assert CountUnverified(RED, Occasion.HAND) in table.game.log
    before = table.scores[RED]
    assert table.claim(RED, 8).verdict is Verdict.UNVERIFIED
    assert table.scores[RED] == before + 8


def test_a_challenge_of_an_unverifiable_call_changes_nothing() -> None:
    table = with_an_unread_card(rules=SILENT)
    table.press(RED, 2)
    assert verdict_in(table.do(Challenge(BLUE))).verdict is Verdict.UNVERIFIED
    assert table.scores == (10, 22)


def test_an_unread_starter_is_asked_for_once_more_before_the_first_count() -> None:
    table = Table(scores=(10, 20))
    table.do(GoOnUnread(BLUE))
    assert StarterUnread() in table.game.log
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C"})
    assert see(table.now).prompt.kind is PromptKind.READ_STARTER
    table.do(TurnStarter(card("7H")))
    assert (see(table.now).prompt.kind, see(table.now).starter) == (PromptKind.COUNT_HAND, card("7H"))
    assert table.claim(BLUE, 0).verdict is not Verdict.UNVERIFIED


def test_without_the_starter_every_count_of_the_deal_is_unverified() -> None:
    table = Table(scores=(10, 20))
    table.do(GoOnUnread(BLUE))
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C"})
    table.do(GoOnUnread(RED))
    assert table.claim(BLUE, 6).verdict is Verdict.UNVERIFIED
    table.do(Accept(RED))
    assert table.claim(RED, 6).verdict is Verdict.UNVERIFIED
    table.do(Accept(BLUE))
    assert table.claim(RED, 4).verdict is Verdict.UNVERIFIED


def test_a_jack_that_could_not_be_read_may_be_claimed_as_his_heels() -> None:
    table = Table(scores=(10, 20))
    table.do(GoOnUnread(BLUE))
    assert table.claim(RED, 2).verdict is Verdict.UNVERIFIED


def test_a_card_of_the_crib_may_be_missing() -> None:
    table = Table(scores=(10, 20))
    table.starter("7H")
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C"}, crib="KD JC TH 9H")
    table.count(BLUE, 0)
    table.count(RED, 0)
    table.read_crib("KD JC TH")
    table.do(GoOnUnread(RED))
    assert table.claim(RED, 1).verdict is Verdict.UNVERIFIED


def test_on_auto_the_players_call_what_the_board_cannot() -> None:
    table = with_an_unread_card("auto")
    table.press(RED, 2)
    assert table.scores == (10, 22)
    table.play("2C 3C 2D 3D 9S 9H")
    table.do(OpenCount(BLUE), OpenCount(BLUE), GoOnUnread(RED), TakePegInHand(RED, 8), ReleasePeg(RED))
    before = table.scores
    table.do(OpenCount(RED))
    assert see(table.now).prompt.kind is PromptKind.READ_CRIB
    assert table.scores == before


def test_on_auto_an_unverifiable_count_that_is_not_called_scores_nothing() -> None:
    table = with_an_unread_card("auto")
    table.play("2C 3C 2D 3D 9S 9H")
    table.do(OpenCount(BLUE), OpenCount(BLUE), GoOnUnread(RED), OpenCount(BLUE))
    assert see(table.now).prompt.kind is PromptKind.READ_CRIB


def test_going_on_unread_is_refused_while_no_card_is_asked_for() -> None:
    table = Table(scores=(10, 20))
    table.starter("7H")
    table.play_out({0: "2C 4D 6H 8S", 1: "2D 4H 6S 8C"})
    assert table.refused(GoOnUnread(RED)) == "nothing_unread"
    assert Table("trust").refused(GoOnUnread(RED)) == "no_cards_here"


def test_a_card_seen_before_in_the_deal_is_refused() -> None:
    table = with_an_unread_card()
    table.play("2C 3C 2D 3D 9S 9H")
    table.count(BLUE, 2)
    assert table.refused(ShowCard(RED, Card.parse("2C"))) == "card_twice"


def test_undo_restores_the_position_before_an_unread_card() -> None:
    table = with_an_unread_card(rules=changed(RULES["six-card"], {"undo": "free"}))
    table.do(Undo())
    assert see(table.now).count == 7
    assert table.now.cards_left(RED) == 4


def test_a_card_that_could_not_have_been_laid_there_is_not_shown_late() -> None:
    table = Table(scores=(10, 20))
    table.starter("KS")
    table.play("T Q 9")
    table.do(GoOnUnread(RED), SayGo(BLUE), SayGo(RED))
    table.play("7 8 6 A")
    assert see(table.now).prompt.kind is PromptKind.COUNT_HAND
    table.count(BLUE, 0)
    assert table.refused(ShowCard(RED, card("3D"))) == "could_not_be_laid"
    table.do(ShowCard(RED, card("2D")))
