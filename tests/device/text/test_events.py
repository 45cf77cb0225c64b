"""An event in every style: for the screen, the voice, the audit of a record and the pages."""

from __future__ import annotations

import pytest
from tests.support.coded_lines import lines
from tests.support.moments import BLUE, RED

from cribboard import Card
from cribboard.event_terms import Ground
from cribboard.events import Awarded, CardDead, ClaimChallenged, Event, PassTakenBack, SaidGo
from cribd.text.events import event_in_words
from cribd.text.words import Style

#: On the screen, by the voice, in the audit and on the pages.
WORDED: dict[Event, tuple[str, str, str, str]] = {
    Awarded(RED, 2, Ground.MUGGINS): (
        "⟨said.awarded points=2 side=⟨side.1⟩⟩",
        "⟨voice.awarded points=⟨number.2⟩ side=⟨side.1⟩⟩",
        "⟨audit.awarded points=⟨points n=2⟩ side=⟨side.1⟩⟩",
        "⟨audit.scores.award⟩",
    ),
    SaidGo(RED): ("⟨said.go side=⟨side.1⟩⟩", "⟨voice.go⟩", "", ""),
    CardDead(RED, Card.parse("JH")): (
        "⟨said.dead card=⟨rank.11⟩♥⟩",
        "⟨said.dead card=⟨voice.card rank=⟨voice.rank.11⟩ suit=⟨voice.suit.H⟩⟩⟩",
        "⟨audit.dead card=⟨rank.11⟩♥ seat=⟨side.1⟩⟩",
        "",
    ),
    ClaimChallenged(BLUE, RED): (
        "⟨said.challenged side=⟨side.1⟩⟩",
        "⟨said.challenged side=⟨side.1⟩⟩",
        "⟨audit.challenged by=⟨side.1⟩ side=⟨side.0⟩⟩",
        "",
    ),
    PassTakenBack(RED): (
        "⟨said.pass_taken_back seat=⟨side.1⟩⟩",
        "⟨said.pass_taken_back seat=⟨side.1⟩⟩",
        "",
        "⟨audit.scores.pass_back⟩",
    ),
}


@pytest.mark.parametrize("event", WORDED, ids=lambda event: type(event).__name__)
def test_an_event_has_its_phrase_in_each_style(event: Event) -> None:
    assert lines(lambda words: [event_in_words(event, words.styled(style)) for style in Style]) == WORDED[event]
