"""Every line that `cribboard record` can print about a record, as long as a terminal allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.support.places import A_GAME

from cribboard import RULES, Card, record
from cribboard.actions import By, IllegalAction
from cribboard.event_terms import Bar, Ground, Occasion, Verdict
from cribboard.events import (
    Awarded,
    CardDead,
    CardUnread,
    ChallengeRaised,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountUnverified,
    Event,
    FalseGoFound,
    MugginsRuled,
    PointsBarred,
    RolledBack,
    SetBack,
    StarterUnread,
)
from cribboard.ledger import ClaimMade, PegMove
from cribboard.scoring import Combination, Kind
from cribboard.view import LaidCard
from cribd.cli import record_verify
from cribd.cli.record_verify import FirstRecordError, RecordErrorKind
from cribd.text import Phrases, audit, verdicts

RECORD = A_GAME
CARDS = Card.parse_many("5H JD")


def everything_audited(words: Phrases) -> Iterator[str]:
    """Every line, with every word that a record can put into it."""
    read = record.read(RECORD.read_text(encoding="utf-8"))
    game = audit.Audit(read, record.judge(read))
    yield audit.where(game, 0, words)
    yield from audit.describe(game, game.last, words)
    view = game.view(game.last)
    lifted = replace(view, sides=(replace(view.sides[0], in_hand=46), view.sides[1]))
    yield from audit.table(
        replace(lifted, laid=(LaidCard(0, CARDS[0]), LaidCard(1, None)), count=0, counted=CARDS), words
    )
    for kind in Kind:
        made = (Combination(kind, CARDS, 2),)
        for verdict in Verdict:
            judged = ClaimJudged(0, tuple(Occasion), verdict, 2, 2, made, Ground.COUNT)
            muggins = MugginsRuled(0, 1, 2, 4, verdict, made, Ground.MUGGINS)
            for event in (judged, muggins, ClaimRuled(0, 2, verdict, Ground.ORDER)):
                yield audit.sentence(event, words, RULES["acc"])
    for ground in Ground:
        yield verdicts.rule_in_words(ground, words, RULES["acc"])
        for ruling in (Awarded(0, 2, ground), SetBack(0, 14, 12, ground)):
            yield audit.sentence(ruling, words, RULES["acc"])
    for by in By:
        yield audit.sentence(ClaimAccepted(0, by), words, RULES["acc"])
        yield verdicts.by_in_words(by, words, mugged=True)
    for beside in _beside_claims():
        yield audit.sentence(beside, words, RULES["acc"])
    moves = (PegMove(0, 22, Ground.COUNT), PegMove(0, -15, Ground.FALSE_GAME), PegMove(1, 2, Ground.OVER_CLAIM))
    claim = ClaimMade(at=7, deal=1, side=0, ground=Ground.OVER_CLAIM, moves=moves)
    yield audit.holes_in_words(claim, 2, words)
    yield audit.rules_in_words(claim, words, RULES["acc"])
    yield from _examined(words)
    yield audit.keys(words)
    yield audit.no_further(words)


def _beside_claims() -> Iterator[Event]:
    yield from (StarterUnread(), CardUnread(0), ClaimChallenged(0, 1), ChallengeRaised(0, 1), ChallengeWithdrawn(0))
    yield from (FalseGoFound(0, CARDS[0], 25), RolledBack(0), CardDead(0, CARDS[0]))
    yield from (CountUnverified(0, occasion) for occasion in Occasion)
    yield from (PointsBarred(0, 1, bar) for bar in Bar)


def _examined(words: Phrases) -> Iterator[str]:
    """Everything that can be wrong with a record, with a file, and with arguments."""
    numbers = {"first": 23, "last": 24, "there": 40, "said": 99, "number": 22, "due": 3, "written": 2}
    values: dict[str, Any] = {**numbers, "reason": "…", "code": "", "wanted": "…"}
    refused = IllegalAction("not_your_turn", seat=1)
    for wrong in RecordErrorKind:
        values |= {"refused": refused} if wrong is RecordErrorKind.NOT_ALLOWED else {"refused": None}
        found = FirstRecordError(30, "…", wrong, values)
        yield from (line.strip() for line in record_verify.error_lines(found, "game.txt", words))
        yield from (line.strip() for line in record_verify.error_lines(replace(found, chain=found), "game.txt", words))
        yield from (line.strip() for line in record_verify.error_lines(replace(found, before=found), "game.txt", words))
    spelled = dict.fromkeys(("wanted", "seats", "keys", "key", "number", "ways"), "7")
    for code in record_verify.FORMS:
        yield record_verify.reason_in_words(
            FirstRecordError(30, "…", RecordErrorKind.FORM, {**spelled, "code": code, "reason": "…"}), words
        )
    for problem in (
        FileNotFoundError(),
        IsADirectoryError(),
        PermissionError(),
        UnicodeDecodeError("utf-8", b"", 0, 1, ""),
        OSError(5, "…"),
    ):
        yield record_verify.unreadable("game.txt", problem, words)
    yield words.count("record.sound", 669, file="game.txt", rules="six-card/2")
    for lines in (["664"], ["12", "664"]):
        yield words.count("record.ruled_otherwise", len(lines), lines=", ".join(lines))
    yield words.say("audit.statistics.line", what="…", value=f"7{words.say('audit.statistics.decimal')}3")
    yield words.say("record.no_games", game=9)
    yield words.say("record.no_game", game=9, games="1, 2")
    yield words.say("record.no_event", number=9999, last=669)
    yield words.say("record.no_deal", number=99, last=9)
    yield words.say("record.no_such_place", asked="…", sides="…, …", example="…")
    yield words.say("record.never_there", hole="1", side=words.side(0), stood="0, 2")
