"""Everything that is said of a record that a judge looks at, in lines as long as a terminal has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cribboard import RULES, Card, record
from cribboard.actions import By
from cribboard.events import (
    Awarded,
    ClaimAccepted,
    ClaimJudged,
    ClaimRuled,
    Ground,
    MugginsRuled,
    Occasion,
    SetBack,
    Verdict,
)
from cribboard.scoring import Combination, Kind
from cribboard.view import Laid
from cribd import audit
from cribd.phrases import Phrases

RECORD = Path(__file__).parents[2] / "docs" / "a-game.txt"
CARDS = Card.parse_many("5H JD")


def everything_audited(words: Phrases) -> Iterator[str]:
    """Every line, with every word that a record can put in it."""
    read = record.read(RECORD.read_text(encoding="utf-8"))
    game = audit.Audit(read, record.judge(read))
    yield audit.where(game, 0, words)
    yield from audit.told(game, game.last, words)
    view = game.view(game.last)
    lifted = replace(view, sides=(replace(view.sides[0], in_hand=46), view.sides[1]))
    yield from audit.table(replace(lifted, laid=(Laid(0, CARDS[0]), Laid(1, None)), count=0, counted=CARDS), words)
    for kind in Kind:
        made = (Combination(kind, CARDS, 2),)
        for verdict in Verdict:
            judged = ClaimJudged(0, tuple(Occasion), verdict, 2, 2, made, Ground.COUNT)
            muggins = MugginsRuled(0, 1, 2, 4, verdict, made, Ground.MUGGINS)
            for event in (judged, muggins, ClaimRuled(0, 2, verdict, Ground.ORDER)):
                yield audit.claim_in_words(event, words, RULES["acc"]) or ""
    for ground in Ground:
        yield audit.rule_in_words(ground, words, RULES["acc"])
        for told in (Awarded(0, 2, ground), SetBack(0, 14, 12, ground)):
            yield audit.claim_in_words(told, words, RULES["acc"]) or ""
    for by in By:
        yield audit.claim_in_words(ClaimAccepted(0, by), words, RULES["acc"]) or ""
    yield audit.keys(words)
    yield audit.no_further(words)
