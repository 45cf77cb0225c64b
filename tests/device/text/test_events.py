"""An event in every style: for the screen, the voice, the audit of a record and the pages."""

from __future__ import annotations

import pytest
from tests.support.moments import BLUE, RED

from cribboard import Card
from cribboard.event_terms import Ground
from cribboard.events import Awarded, CardDead, ClaimChallenged, Event, PassTakenBack, SaidGo
from cribd.text import load
from cribd.text.events import event_in_words
from cribd.text.words import Style

#: Screen, voice, audit and pages, in English and in French.
WORDED: dict[Event, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Awarded(RED, 2, Ground.MUGGINS): (
        ("+2 to Red", "two for Red", "2 points to Red", "award"),
        ("+2 à Rouge", "deux pour Rouge", "2 points à Rouge", "accordé"),
    ),
    SaidGo(RED): (("Red: go", "go", "", ""), ("Rouge : go", "go", "", "")),
    CardDead(RED, Card.parse("JH")): (
        (
            "J♥ lies dead", "jack of hearts lies dead",
            "The J♥ of Red lies dead: it is counted in the hand, and not laid", "",
        ),
        (
            "V♥ : carte morte", "valet de cœur : carte morte",
            "V♥ de Rouge reste morte : elle compte dans la main, sans être posée", "",
        ),
    ),
    ClaimChallenged(BLUE, RED): (
        ("Red challenges", "Red challenges", "Red says that Blue called too much", ""),
        ("Rouge conteste", "Rouge conteste", "Rouge dit que Bleu compte trop", ""),
    ),
    PassTakenBack(RED): (
        ("Red goes on", "Red goes on", "", "the go comes back"),
        ("Rouge joue encore", "Rouge joue encore", "", "le go revient"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("event", WORDED, ids=lambda event: type(event).__name__)
def test_an_event_has_its_phrase_in_each_style(event: Event) -> None:
    for language, wording in zip(("en", "fr_CA"), WORDED[event], strict=True):
        assert tuple(event_in_words(event, load(language).styled(style)) for style in Style) == wording
