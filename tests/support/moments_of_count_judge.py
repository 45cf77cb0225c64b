"""The moments of the count judge that the tests of its screen look at."""

from __future__ import annotations

from dataclasses import replace

from tests.support.moments import moments

from cribboard import RULES, Card
from cribboard.count_judge import CountJudge
from cribd.inputs import Fault, FaultKind
from cribd.table import count_judge_mode
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import PLAYING, CountJudgeMode, JudgeCall, Lobby, Playing, Refusal, Snapshot

GAME = moments()["four-cards"]


def judge(
    cards: str,
    *called: int | None,
    page: int = 0,
    crib: bool = False,
    rules: str = "six-card",
    covers: Lobby | Playing = Lobby.START,
) -> Snapshot:
    """The judge with these cards, and with a number called by a hole of blue's."""
    asked = CountJudge(rules=RULES[rules]).as_crib(crib).with_cards(Card.parse_many(cards))
    call = next((JudgeCall(number, (0, number) if number else None) for number in called), None)
    now = CountJudgeMode(asked, RuleSet(rules, RULES[rules]), call, covers=covers)
    return Snapshot(mode=replace(count_judge_mode.with_answer(now), page=page))


A01 = "6C 7S 8D 8H 9S"
MOMENTS = {
    "first-card": judge(""),
    "starter": judge("TC JD QH KS"),
    "crib": judge("5H 5C", crib=True, rules="five-card"),
    "call": judge("TC JD QH KS TD"),
    "too-few": judge(A01, 12),
    "too-few-more": judge(A01, 12, page=1),
    "right": judge("TC JD QH KS 5D", 13),
    "two-reasons": judge("7H 8D 2C 3S KS", 8),
    "one-reason": judge("3H 8H KH QS", 3, rules="five-card"),
    "nothing": judge("2H 4C 6D 8S TC", 19),
    "counted": judge(A01, None),
    "impossible": judge("5H 5C 5S JD 5D", 27),
    "fits": judge("TD JC QC QD", 9),
    "fits-one": judge("5H 5C 5S JD", 29),
    "fits-many": judge("5H 5C", 12),
    "fits-nothing": judge("5H 5C 5S JD", 2),
    "fits-never": judge("5H 5C 5S JD", 25),
    "twice": replace(judge("5H 5C"), refusal=Refusal("judge_twice", {"card": Card.parse("5H")})),
    "closed": replace(judge("", covers=PLAYING), view=GAME.view, refusal=Refusal("judge_closed")),
    "fault": replace(judge(A01, 12), faults=(Fault(FaultKind.READER_SILENT, "reader"),)),
    "fault-and-refusal": replace(
        judge("5H"),
        refusal=Refusal("judge_waits", {"wanted": 2, "missing": 4}),
        faults=(Fault(FaultKind.KEYS_AWAY, "keys"),),
    ),
}  # fmt: skip
