"""The manners of the count judge: what a scan or a press means while it is open.

Two players bring a hand to the board and ask who is right (rules reference, section 4). Scans are the cards, the
starter last; GO says hand or crib, CHALLENGE steps through the rules, a hole is the number that was called, whoever's
track it is on; OK asks only what the cards count, or turns the page; UNDO takes the last card away, MENU leaves. Pure,
as `interpret` is: nothing here reaches the game, and the game never hears of it.

Where a game under way keeps silent about what is due, the judge is no way round: while a deal of it is open the judge
takes no card at all, for one that the board has not seen may be of that deal as well (design law 9). A judge who stands
elsewhere, on a page or at a terminal, answers others meanwhile, and only `could_tell` says of which cards he may not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cribboard.cards import Card, NotationError
from cribboard.count_judge import MOST_MISSING, Counted, CountJudge, Fits, Judgment, NotJudged
from cribboard.position import Phase, Position
from cribboard.rules import CRIB_SIZE
from cribboard.scoring import Score
from cribd.inputs import CardRead, HolePressed, Key, KeyHeld, KeyPressed
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import Called, Judging, Refusal

#: Phases in which no card of a deal has been shown, or everything of it is settled.
_OPEN = (Phase.CUT, Phase.DEAL, Phase.OVER)
#: Of a hand that has shown fewer cards than these, the starter among them, each of them is closed by itself.
_KNOWN = 3

Press = HolePressed | CardRead | KeyPressed | KeyHeld


class Leave:
    """Back to the game, as it was."""


def opened(rules: RuleSet) -> Judging:
    """The judge as it stands when it is asked for: no card, a hand, these rules."""
    return Judging(CountJudge(rules=rules.rules), rules)


def closed_to(p: Position | None) -> bool:
    """Whether the game under way is silent, and a deal of it is open: then the judge would tell what is due."""
    return p is not None and p.silent and p.phase not in _OPEN


def could_tell(p: Position | None, judge: CountJudge) -> bool:
    """Whether what the judge says of its cards could tell what is due in a silent deal.

    A count depends on ranks, and on which suits are alike: so ranks are compared, in any order. Cards that a hand has
    not shown yet may be any. Closed is what may be a hand of the deal with its starter, or part of one; what differs
    from one in a single card, for the rest can be reckoned; and of a hand that is hardly known, what it has shown.
    """
    if p is None or not closed_to(p) or judge.missing > MOST_MISSING:
        return False
    return any(_is_near(judge.cards, shown, size) for shown, size in _hands(p))


def _hands(p: Position) -> Iterator[tuple[tuple[Card, ...], int]]:
    """What each hand of the deal has shown, and the crib once hands are counted, all with the starter; and of how many
    cards they are."""
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


def hear(
    now: Judging, fact: Press, *, closed: bool, offered: Sequence[RuleSet], pages: Callable[[Called | None], int]
) -> Judging | Leave | Refusal:
    """What the judge makes of a press or a scan. CHALLENGE steps through the rules that are `offered`, OK through the
    `pages` on which the reasons of an answer stand."""
    try:
        match fact:
            case CardRead(text):
                return _card(now, text, closed=closed)
            case HolePressed(track, hole):
                return _called(now, Called(hole, (track, hole)))
            case KeyPressed(Key.MENU) | KeyHeld(Key.MENU):
                return Leave()
            case KeyPressed(Key.GO) | KeyHeld(Key.GO):
                return _otherwise(now, now.judge.as_crib(now.judge.counted is Counted.HAND))
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


def weighed(now: Judging) -> Judging:
    """The answer to what was asked; with three cards missing it takes tenths of a second to find what would fit."""
    called, judge = now.called, now.judge
    if called is None or called.told is not None:
        return now
    told: Judgment | Score | Fits | None
    if called.number is None:
        told = judge.score
    else:
        told = judge.fits(called.number) if judge.missing else judge.judge(called.number)
    return replace(now, called=replace(called, told=told), answered=not judge.missing)


def _card(now: Judging, text: str, *, closed: bool) -> Judging | Refusal:
    """A card of the hand, or the starter; once the cards were judged, the first of the next hand."""
    try:
        card = Card.parse(text.strip())
    except NotationError:
        return Refusal("no_such_card", {"text": text.strip()[:8] or "?"})
    if closed:
        return Refusal("judge_closed")
    judge = replace(now.judge, cards=()) if now.answered else now.judge  # it may have been in the last hand as well
    return replace(now, judge=judge.add(card), called=None, page=0, answered=False)


def _called(now: Judging, called: Called) -> Judging:
    """A number is called. With all cards there the answer is there as well; what would fit has to be looked for."""
    judge = now.judge
    asked = replace(now, called=called, page=0)
    if not judge.missing:
        return weighed(asked)
    judge.may_fit()
    return asked


def _ok(now: Judging, pages: int) -> Judging | Refusal:
    """OK turns the page of reasons; with all cards and no number called it asks what they count."""
    if now.called is None and not now.judge.missing:
        return _called(now, Called(None))
    if now.called is None:
        return Refusal("key_means_nothing", {"key": Key.OK})
    return replace(now, page=(now.page + 1) % pages)


def _other_rules(now: Judging, offered: Sequence[RuleSet]) -> Judging:
    """The next rules of those that are offered."""
    at = next((number for number, each in enumerate(offered) if each.rules == now.rules.rules), -1)
    rules = offered[(at + 1) % len(offered)]
    return replace(_otherwise(now, now.judge.with_rules(rules.rules)), rules=rules)


def _otherwise(now: Judging, judge: CountJudge) -> Judging:
    """The same cards counted otherwise. Of cards that were judged none stay if they are not whole by this: the next
    hand is not made of what the last left over."""
    if now.answered and judge.missing:
        judge = replace(judge, cards=())
    return replace(now, judge=judge, called=None, page=0, answered=now.answered and not judge.missing)
