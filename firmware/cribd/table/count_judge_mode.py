"""The mode of the open count judge.

Two players bring a hand to the board and ask who is right (rules reference, section 4). Scans are the cards, the
starter last. GO changes between hand and crib, CHALLENGE steps through the rules, and a hole on any track is the number
that was called. OK asks what the cards count, or turns the page. UNDO takes the last card away, and MENU leaves. Pure,
a part of `interpret`: nothing here reaches the game.

The judge must not tell what a silent game keeps silent (design law 9). While a deal of such a game is open, the board's
own judge takes no card at all: a card that the board has not seen may belong to that deal. A judge on a page or at a
terminal judges other cards meanwhile; `could_tell` says which cards it must not judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cribboard.cards import Card, NotationError
from cribboard.count_judge import MOST_MISSING, Counted, CountJudge, NotJudged
from cribboard.position import Phase, Position
from cribboard.rules import CRIB_SIZE
from cribd.inputs import CardRead, HolePressed, Key, KeyHeld, KeyPressed, Press
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import PLAYING, Base, CountJudgeMode, JudgeCall, Refusal

#: Phases in which no card of the deal has been shown, or the game is over.
_OPEN = (Phase.CUT, Phase.DEAL, Phase.OVER)
#: How many cards of a hand must be shown, with the starter, to compare it; before, each of its cards is closed.
_KNOWN = 3


def opened(rules: RuleSet, covers: Base = PLAYING) -> CountJudgeMode:
    """Return the newly opened count judge, without cards."""
    return CountJudgeMode(CountJudge(rules=rules.rules), rules, covers=covers)


def closed_to(p: Position | None) -> bool:
    """Whether a silent deal in progress closes the count judge."""
    return p is not None and p.silent and p.phase not in _OPEN


def could_tell(p: Position | None, judge: CountJudge) -> bool:
    """Whether the judge's answer could reveal points of a silent deal.

    Only ranks are compared, in any order, since a count depends on ranks and on which suits are alike. Cards that a
    hand has not shown yet may be any. The answer could tell if the judge's cards may be a hand of the deal with its
    starter, or a part of one; if they differ from one in a single card, since the rest can be worked out; and if they
    hold a card of a hand that has shown almost nothing.
    """
    if p is None or not closed_to(p) or judge.missing > MOST_MISSING:
        return False
    return any(_is_near(judge.cards, shown, size) for shown, size in _hands(p))


def _hands(p: Position) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield each hand's shown cards, and its full size.

    Both include the starter. The crib is included once hands are counted."""
    starter = () if p.starter is None else (p.starter,)
    for hand in p.hands:
        yield (*hand, *starter), p.rules.deal_and_play.hand_size + 1
    if p.phase is not Phase.PLAY:
        yield (*p.crib, *starter), CRIB_SIZE + 1


def _is_near(asked: Sequence[Card], shown: Sequence[Card], size: int) -> bool:
    shared = (Counter(card.rank for card in asked) & Counter(card.rank for card in shown)).total()
    may_be_of_it = shared + min(len(asked) - shared, size - len(shown))
    if may_be_of_it == len(asked):
        return True
    if len(shown) < _KNOWN:
        return any(card in shown for card in asked)
    return may_be_of_it >= size - 1


def interpret(
    now: CountJudgeMode,
    press: Press,
    *,
    closed: bool,
    offered: Sequence[RuleSet],
    pages: Callable[[JudgeCall | None], int],
) -> CountJudgeMode | Base | Refusal:
    """Interpret an input in the count judge.

    Return the judge's new state, the mode to return to, or a refusal. `closed`: whether it takes no cards now.
    CHALLENGE steps through the rules that are `offered`, and OK through the `pages` of an answer.
    """
    try:
        match press:
            case CardRead(text):
                return _card(now, text, closed=closed)
            case HolePressed(track, hole):
                return _called(now, JudgeCall(hole, (track, hole)))
            case KeyPressed(Key.MENU) | KeyHeld(Key.MENU):
                return now.covers
            case KeyPressed(Key.GO) | KeyHeld(Key.GO):
                return _count_otherwise(now, now.judge.as_crib(now.judge.counted is Counted.HAND))
            case KeyPressed(Key.CHALLENGE):
                return _other_rules(now, offered)
            case KeyPressed(Key.UNDO):
                return replace(now, judge=now.judge.drop(), called=None, page=0, answered=False)
            case KeyPressed(Key.OK):
                return _ok(now, pages(now.called))
            case KeyHeld(key) | KeyPressed(key):
                return Refusal("key_means_nothing", {"key": key})
    except NotJudged as refused:
        return Refusal(refused.code, refused.values)


def with_answer(now: CountJudgeMode) -> CountJudgeMode:
    """Answer the judge's open question, and return the changed mode.

    With three cards missing, finding the cards that would fit takes tenths of a second."""
    called, judge = now.called, now.judge
    if called is None or called.answer is not None:
        return now
    return replace(now, called=replace(called, answer=judge.answer(called.number)), answered=not judge.missing)


def _card(now: CountJudgeMode, text: str, *, closed: bool) -> CountJudgeMode | Refusal:
    """Add a scanned card to the hand that is judged.

    After the answer about a hand, the card begins a new hand."""
    try:
        card = Card.parse(text.strip())
    except NotationError:
        return Refusal("no_such_card", {"text": text.strip()[:8] or "?"})
    if closed:
        return Refusal("judge_closed")
    judge = replace(now.judge, cards=()) if now.answered else now.judge  # the next hand may hold the same card
    return replace(now, judge=judge.add(card), called=None, page=0, answered=False)


def _called(now: CountJudgeMode, called: JudgeCall) -> CountJudgeMode:
    """Put this question to the judge, about the cards it now has.

    If no card is missing, the judge answers at once; otherwise `with_answer` adds the answer."""
    judge = now.judge
    asked = replace(now, called=called, page=0)
    if not judge.missing:
        return with_answer(asked)
    judge.may_fit()
    return asked


def _ok(now: CountJudgeMode, pages: int) -> CountJudgeMode | Refusal:
    """Ask the judge, or show the next page of the answer.

    OK asks if no question was asked yet and no card is missing."""
    if now.called is None and not now.judge.missing:
        return _called(now, JudgeCall(None))
    if now.called is None:
        return Refusal("key_means_nothing", {"key": Key.OK})
    return replace(now, page=(now.page + 1) % pages)


def _other_rules(now: CountJudgeMode, offered: Sequence[RuleSet]) -> CountJudgeMode:
    """Change to the next of the offered rules."""
    at = next((number for number, rule_set in enumerate(offered) if rule_set.rules == now.rules.rules), -1)
    rules = offered[(at + 1) % len(offered)]
    return replace(_count_otherwise(now, now.judge.with_rules(rules.rules)), rules=rules)


def _count_otherwise(now: CountJudgeMode, judge: CountJudge) -> CountJudgeMode:
    """Count the same cards with another judge.

    After an answer, cards of the wrong number are dropped: they are not the beginning of the next hand."""
    if now.answered and judge.missing:
        judge = replace(judge, cards=())
    return replace(now, judge=judge, called=None, page=0, answered=now.answered and not judge.missing)
