"""A record as an audit: each act is met once, each dispute found, each claim told when it closed, and by which rule."""

from __future__ import annotations

from pathlib import Path

from cribboard import RULES, Card, Game, record
from cribboard.actions import Action, Agree, By, Challenge, LayCard, ReleasePeg, TakePegInHand, TurnStarter, Undo
from cribboard.events import ClaimChallenged, ClaimJudged, Ground, Reneged, Verdict
from cribboard.rules import Way
from cribd.audit import Audit, told
from cribd.phrases import load

TEXT = (Path(__file__).parents[2] / "docs" / "a-game.txt").read_text(encoding="utf-8")
READ = record.read(TEXT)
AUDIT = Audit(READ, record.judge(READ))


def test_there_and_back_again_each_act_is_met_once() -> None:
    forth = [0]
    while forth[-1] < AUDIT.last:
        forth.append(AUDIT.after(forth[-1]))
    back = [AUDIT.last]
    while back[-1] > 0:
        back.append(AUDIT.before(back[-1]))
    assert forth == back[::-1]
    assert len(forth) == TEXT.count(" > ") + 1


def test_the_disputes_are_all_met_and_nothing_else() -> None:
    met, at = [], AUDIT.next_disputed(0)
    while at is not None:
        met.append(at)
        at = AUDIT.next_disputed(at)
    wrong = {Verdict.TOO_MANY, Verdict.TOO_FEW, Verdict.OUT_OF_TURN, Verdict.TOO_LATE, Verdict.IMPOSSIBLE}
    other = ClaimChallenged | Reneged
    expected = [
        end
        for end in AUDIT.ends
        if any(getattr(event, "verdict", None) in wrong or isinstance(event, other) for event in AUDIT.act(end))
    ]
    assert met == expected
    assert len(met) > 3


def test_of_no_claim_what_is_due_is_told_before_it_is_closed() -> None:
    """Whoever reads every step in turn meets what was due at the act that closed the claim, and no sooner."""
    for number in AUDIT.ends:
        text = "\n".join(told(AUDIT, number, load("en")))
        assert ("was due" in text) == any(isinstance(event, ClaimJudged) for event in AUDIT.act(number))


def audited(game: Game, rules: str) -> Audit:
    """This game as whoever was given its record has it."""
    heading = record.Heading(rules=RULES[rules], way=Way.VERIFY, dealer=1)
    read = record.read(record.write(record.Record(heading, game.log)))
    return Audit(read, record.judge(read))


def played(rules: str, *actions: Action) -> Audit:
    game = Game.start(RULES[rules], way="verify", dealer=1)
    for action in actions:
        game.do(action)
    return audited(game, rules)


TEN, FIVE, JACK = Card.parse_many("TC 5D JC")
LAID: tuple[Action, ...] = (TurnStarter(Card.parse("5H")), LayCard(0, TEN), LayCard(1, FIVE))
FOUR_CALLED = (TakePegInHand(1, 4), ReleasePeg(1))


def test_where_the_board_is_silent_a_claim_is_told_when_it_was_closed_and_by_whom_it_stood() -> None:
    audit = played("acc", *LAID, *FOUR_CALLED, LayCard(0, JACK))
    (claim,) = audit.claims()
    assert (claim.called, claim.due, claim.verdict, claim.ground) == (4, 2, Verdict.TOO_MANY, Ground.OVER_CLAIM)
    assert (claim.accepted_by, claim.challenged) == (By.NEXT_CARD, False)
    let_go = audit.before(audit.last)
    words = load("en")
    assert not any("was due" in line for line in told(audit, let_go, words))
    assert "    Red called 4 for the card; 2 was due: too many (fifteen 10♣ 5♦ 2) [more than was due" in "\n".join(
        told(audit, audit.last, words)
    )


def test_a_challenge_is_told_with_what_it_came_to_and_by_which_rule() -> None:
    audit = played("acc", *LAID, *FOUR_CALLED, Challenge(0))
    (claim,) = audit.claims()
    assert (claim.verdict, claim.challenged) == (Verdict.TOO_MANY, True)
    lines = "\n".join(told(audit, audit.last, load("en")))
    assert "2 points to Blue [more than was due" in lines
    assert "The pegs of Red go to 2 and 0" in lines
    assert audit.next_disputed(0) == audit.last


def test_a_claim_that_was_undone_is_marked() -> None:
    audit = played("six-card", *LAID, TakePegInHand(1, 2), ReleasePeg(1), Undo(), Agree(0))
    (claim,) = audit.claims()
    assert claim.undone
