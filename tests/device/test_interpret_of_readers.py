"""What a reader says that is no card of this table: refused, each with its reason, whatever is asked now (7.6)."""

import pytest

from cribboard import Card
from cribd.boards import load
from cribd.facts import CardsTogether, Fact, OtherDeck, ReadFailed, TagRead, TagsTogether, UnknownTag
from cribd.interpret import REFUSALS, Situation, interpret
from cribd.phrases import load as words_in
from cribd.showing import Lobby, Refusal

LONG = load("continuous")
FIVE, TEN = Card.parse("5H"), Card.parse("10S")


@pytest.mark.parametrize(
    ("fact", "refusal"),
    [
        (ReadFailed("north"), Refusal("read_again")),
        (CardsTogether(("5H", "10s")), Refusal("two_cards", {"one": FIVE, "other": TEN})),
        (CardsTogether(("5H", "5\ufffd")), Refusal("two_cards", {"one": FIVE, "other": "…"})),
        (CardsTogether(("5H",)), Refusal("read_again")),
        (TagsTogether(("04A2", "04A3")), Refusal("read_again")),
        (OtherDeck("blue"), Refusal("other_deck", {"deck": "blue"})),
        (UnknownTag("0062E3086C"), Refusal("unknown_tag", {"uid": "E3086C"})),
        (TagRead("0062E3086C"), Refusal("unknown_tag", {"uid": "E3086C"})),
    ],
)
def test_what_is_no_card_of_this_table_is_refused_with_its_reason(fact: Fact, refusal: Refusal) -> None:
    assert interpret(Situation(LONG, lobby=Lobby.START), fact) == refusal
    assert "{" not in REFUSALS[refusal.code].format(**refusal.values)
    for language in ("en", "fr_CA"):
        assert all("{" not in line for line in words_in(language).refusal(refusal))
