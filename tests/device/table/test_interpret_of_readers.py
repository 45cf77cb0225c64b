"""Scans that are no card of this table are refused with their reason (rules reference, 7.6)."""

import pytest
from tests.support.refusals import is_complete

from cribboard import RULES, Card, Game
from cribboard.actions import Action, IllegalAction, LayCard, TurnStarter
from cribd.boards import load
from cribd.inputs import CardRead, Input, MultipleCards, MultipleTags, OtherDeck, ReadFailed, TagRead, UnknownTag
from cribd.table.commands import Situation
from cribd.table.interpret import interpret
from cribd.table.snapshot import Lobby, Refusal
from cribd.text import load as words_in

LONG = load("continuous")
FIVE, TEN = Card.parse("5H"), Card.parse("10S")


@pytest.mark.parametrize(
    ("given_input", "refusal"),
    [
        (ReadFailed("north"), Refusal("read_again")),
        (MultipleCards(("5H", "10s")), Refusal("two_cards", {"one": FIVE, "other": TEN})),
        (MultipleCards(("5H", "5\ufffd")), Refusal("two_cards", {"one": FIVE, "other": "…"})),
        (MultipleCards(("5H",)), Refusal("read_again")),
        (MultipleTags(("04A2", "04A3")), Refusal("read_again")),
        (OtherDeck("blue"), Refusal("other_deck", {"deck": "blue"})),
        (UnknownTag("0062E3086C"), Refusal("unknown_tag", {"uid": "E3086C"})),
        (TagRead("0062E3086C"), Refusal("unknown_tag", {"uid": "E3086C"})),
    ],
)
def test_a_scan_that_is_no_card_of_this_table_is_refused_with_its_reason(given_input: Input, refusal: Refusal) -> None:
    assert interpret(Situation(LONG, mode=Lobby.START), given_input) == refusal
    assert is_complete(refusal)
    for language in ("en", "fr_CA"):
        assert all("{" not in line for line in words_in(language).refusal(refusal))


def begun(*acts: Action) -> Game:
    game = Game.start(RULES["six-card"], way="verify", dealer=1)
    for act in acts:
        game.do(act)
    return game


STARTED = begun(TurnStarter(Card.parse("6C")), LayCard(0, Card.parse("5D")))


@pytest.mark.parametrize(
    ("text", "half", "cards"),
    [
        ("5?", "5…", "5C 5H 5S"),
        ("5\ufffd", "5…", "5C 5H 5S"),
        ("10\ufffd", "10…", "10C 10D 10H 10S"),
        ("?c", "…C", "AC 2C 3C 4C"),
        ("\ufffd\ufffdH", "…H", "AH 2H 3H 4H"),
    ],
)
def test_a_half_legible_card_is_refused_with_the_unseen_cards_that_it_may_be(text: str, half: str, cards: str) -> None:
    refusal = Refusal("unclear_card", {"half": half, "cards": tuple(Card.parse_many(cards))})
    assert interpret(Situation(LONG, STARTED.position), CardRead(text)) == refusal
    assert words_in("fr_CA").refusal(refusal)[0].endswith(half.replace("C", "♣").replace("H", "♥"))


@pytest.mark.parametrize("text", ["5", "H", "??", "5HH", "XX", "\ufffd", "1\ufffd"])
def test_a_text_without_a_legible_corner_is_no_card(text: str) -> None:
    answer = interpret(Situation(LONG, STARTED.position), CardRead(text))
    assert isinstance(answer, Refusal)
    assert answer.code == "no_such_card"


def test_a_card_at_a_sides_own_reader_belongs_to_that_side() -> None:
    now = Situation(LONG, STARTED.position)
    red, blue = interpret(now, CardRead("9H", "north", 1)), interpret(now, CardRead("9H", "south", 0))
    assert (red, blue) == (LayCard(1, Card.parse("9H")), LayCard(0, Card.parse("9H")))
    assert isinstance(blue, LayCard)
    with pytest.raises(IllegalAction, match="turn"):
        STARTED.decide(blue)
