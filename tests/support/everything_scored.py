"""Every entry that a score log can hold, for tests of whatever words them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.everything_happened import every_judgement
from tests.support.moments import moments

from cribboard import Card
from cribboard.event_terms import Ground, Occasion, Verdict
from cribboard.events import Awarded, ClaimJudged, MugginsRuled, PassTakenBack, SetBack, ThreeForLast
from cribboard.score_entry import ScoreEntry
from cribboard.scoring import Combination, Kind
from cribd.text import Phrases
from cribd.web.kiosk.shared.score_json import in_words

HAND = tuple(Card.parse_many("5H 5C 5S JD"))


def every_entry() -> Iterator[ScoreEntry]:
    """Entries with a judgement, of the play and of a hand, and entries without one."""
    awards = (Awarded(0, 2, Ground.OVER_CLAIM), Awarded(0, 2, Ground.WRONG_CALL))
    muggins = (
        MugginsRuled(0, 1, 2, 2, Verdict.EXACT, (Combination(Kind.THIRTY_ONE, HAND[:1], 2),), Ground.MUGGINS),
        MugginsRuled(0, 1, 3, 2, Verdict.TOO_MANY, (), Ground.MUGGINS),
        MugginsRuled(0, 1, 2, 3, Verdict.TOO_FEW, (), Ground.MUGGINS),
    )
    others = (*awards, *muggins, ThreeForLast(0, 3), SetBack(0, 4, 4, Ground.OVER_CLAIM), PassTakenBack(1), None)
    judged = (event for events in every_judgement(2) for event in events if isinstance(event, ClaimJudged))
    unread = ClaimJudged(0, (Occasion.HAND,), Verdict.UNVERIFIED, 4, 4, (), Ground.UNREAD)
    nothing = ClaimJudged(0, (Occasion.CARD,), Verdict.TOO_MANY, 2, 0, (), Ground.OVER_CLAIM)
    for what in (*others, *judged, unread, nothing):
        counted = isinstance(what, ClaimJudged) and {*what.occasions} & {Occasion.HAND, Occasion.CRIB}
        yield ScoreEntry(1, 1, 0, 0, what, 2, 9, HAND if counted else (), Card.parse("5D") if counted else None)


def everything_scored(words: Phrases) -> Iterator[str]:
    view = moments()["lead"].view
    assert view is not None
    for scored in every_entry():
        text = in_words(scored, words.named(()).seated_for(view))
        yield from (text["who"], text["what"], *text["steps"], text["spoken"], text["ruling"])
