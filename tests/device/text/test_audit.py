"""A record as an audit: each act is met once, each dispute found, each claim told when it closed, and by which rule."""

from __future__ import annotations

from random import Random

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.moments import BLUE, RED, Story
from tests.support.moments_of_rulings import ACC, ACC_MUGGINS, BRITANNICA, to_the_show
from tests.support.places import A_GAME
from tests.support.walks import walk

from cribboard import RULES, Card, Game, record
from cribboard.actions import (
    Action,
    Agree,
    Ask,
    By,
    Challenge,
    GoOnUnread,
    LayCard,
    LetLieDead,
    Question,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TurnStarter,
    Undo,
)
from cribboard.event_terms import Ground, Verdict
from cribboard.events import ClaimChallenged, ClaimJudged, FalseGoFound
from cribboard.ledger import ClaimMade
from cribboard.rules import Rules, Way, changed
from cribd.text import load
from cribd.text.audit import Audit, describe, holes_in_words, rules_in_words

TEXT = (A_GAME).read_text(encoding="utf-8")
READ = record.read(TEXT)
AUDIT = Audit(READ, record.judge(READ))


def french(code: str, **values: object) -> str:
    return phrase(code, "fr_CA", **values)


def test_stepping_forward_and_back_meets_each_act_once() -> None:
    forth = [0]
    while forth[-1] < AUDIT.last:
        forth.append(AUDIT.after(forth[-1]))
    back = [AUDIT.last]
    while back[-1] > 0:
        back.append(AUDIT.before(back[-1]))
    assert forth == back[::-1]
    assert len(forth) == TEXT.count(" > ") + 1


def test_next_disputed_meets_every_dispute_and_nothing_else() -> None:
    met, at = [], AUDIT.next_disputed(0)
    while at is not None:
        met.append(at)
        at = AUDIT.next_disputed(at)
    wrong = {Verdict.TOO_MANY, Verdict.TOO_FEW, Verdict.OUT_OF_TURN, Verdict.TOO_LATE, Verdict.IMPOSSIBLE}
    other = ClaimChallenged | FalseGoFound
    expected = [
        end
        for end in AUDIT.ends
        if any(getattr(event, "verdict", None) in wrong or isinstance(event, other) for event in AUDIT.act(end))
    ]
    assert met == expected
    assert len(met) > 3


def test_the_audit_says_what_was_due_only_once_the_claim_is_closed() -> None:
    """Whoever reads every step in turn meets what was due at the act that closed the claim, and no sooner."""
    for number in AUDIT.ends:
        text = "\n".join(describe(AUDIT, number, load("en")))
        says_due = has_phrase(text, "audit.judged") or has_phrase(text, "audit.ground.over_claim")
        assert says_due == any(isinstance(event, ClaimJudged) for event in AUDIT.act(number))


def audited(game: Game) -> Audit:
    """This game as whoever was given its record has it."""
    heading = record.Heading(rules=game.beginning.rules, way=Way.VERIFY, dealer=1)
    read = record.read(record.write(record.Record(heading, game.log)))
    return Audit(read, record.judge(read))


def played(rules: str, *actions: Action) -> Audit:
    game = Game.start(RULES[rules], way="verify", dealer=1)
    for action in actions:
        game.do(action)
    return audited(game)


TEN, FIVE, JACK = Card.parse_many("TC 5D JC")
LAID: tuple[Action, ...] = (TurnStarter(Card.parse("5H")), LayCard(0, TEN), LayCard(1, FIVE))
FOUR_CALLED = (TakePegInHand(1, 4), ReleasePeg(1))


def test_the_audit_of_a_silent_game_names_each_claim_when_it_closes_and_who_accepted_it() -> None:
    audit = played("acc", *LAID, *FOUR_CALLED, LayCard(0, JACK))
    (claim,) = audit.claims()
    assert (claim.called, claim.due, claim.verdict, claim.ground) == (4, 2, Verdict.TOO_MANY, Ground.OVER_CLAIM)
    assert (claim.accepted_by, claim.challenged) == (By.NEXT_CARD, False)
    let_go = audit.before(audit.last)
    words = load("en")
    assert not any(has_phrase(line, "audit.judged") for line in describe(audit, let_go, words))
    card, too_many = phrase("audit.for.card"), phrase("audit.verdict.too-many")
    judged = phrase("audit.judged", side="Red", called=4, what=card, due=2, verdict=too_many)
    fifteen, over_claim = phrase("short.fifteen", total=2), phrase("audit.ground.over_claim")
    assert f"    {judged} ({fifteen} 10♣ 5♦) [{over_claim}" in "\n".join(describe(audit, audit.last, words))


def test_a_challenge_is_listed_with_its_outcome_and_its_rule() -> None:
    audit = played("acc", *LAID, *FOUR_CALLED, Challenge(0))
    (claim,) = audit.claims()
    assert (claim.verdict, claim.challenged, claim.accepted_by) == (Verdict.TOO_MANY, True, By.CHALLENGE)
    lines = "\n".join(describe(audit, audit.last, load("en")))
    awarded = phrase("audit.awarded", points=phrase("points", n=2), side="Blue")
    assert f"{awarded} [{phrase('audit.ground.over_claim')}" in lines
    assert phrase("audit.set_back", side="Red", front=2, back=0) in lines
    assert phrase("audit.closed", side="Red", by=phrase("audit.by.challenge")) in lines
    assert not any(has_phrase(lines, code) for code in ("audit.accepted", "said.stands"))
    assert audit.next_disputed(0) == audit.last


def test_a_claim_that_was_undone_is_marked() -> None:
    audit = played("six-card", *LAID, TakePegInHand(1, 2), ReleasePeg(1), Undo(), Agree(0))
    (claim,) = audit.claims()
    assert claim.undone


# What a claim came to


def lines_of(audit: Audit, language: str = "en") -> str:
    """Everything that is told of the last act."""
    return "\n".join(describe(audit, audit.last, load(language)))


def last_claim(audit: Audit) -> ClaimMade:
    return audit.claims()[-1]


SIX_CARD = RULES["six-card"]


def test_the_crib_belongs_to_the_deal_that_it_ends() -> None:
    """Its acceptance ends the deal and begins the next, all in one act."""
    begun = [number for number, event in enumerate(READ.events, start=1) if type(event).__name__ == "DealBegan"]
    for claim in AUDIT.claims():
        assert claim.deal == sum(number < claim.at for number in begun)


@pytest.mark.parametrize(
    ("rules", "called", "closing", "closed_by"),
    [
        (SIX_CARD, 12, (Challenge(RED),), "challenge"),
        (SIX_CARD, 9, (Challenge(RED),), "challenge"),
        (ACC, 12, (Challenge(RED),), "challenge"),
        (BRITANNICA, 6, (Challenge(RED), TakePegInHand(RED, 3), ReleasePeg(RED)), "muggins"),
        (ACC_MUGGINS, 9, (Challenge(RED), TakePegInHand(RED, 3), ReleasePeg(RED)), "muggins"),
        (BRITANNICA, 12, (Challenge(RED), ReleasePeg(RED)), "challenge"),
    ],
)
def test_a_claim_closed_by_a_challenge_is_never_said_to_stand(
    rules: Rules, called: int, closing: tuple[Action, ...], closed_by: str
) -> None:
    audit = audited(to_the_show(rules).peg(BLUE, called).do(*closing).game)
    assert phrase("audit.closed", side="Blue", by=phrase(f"audit.by.{closed_by}")) in lines_of(audit)
    assert french("audit.closed", side="Bleu", by=french(f"audit.by.{closed_by}")) in lines_of(audit, "fr_CA")
    (hand,) = (claim for claim in audit.claims() if claim.side == BLUE and claim.occasions)
    assert (hand.accepted_by, hand.mugged) == (By.CHALLENGE, closed_by == "muggins")


def test_a_false_game_has_every_hole_that_it_cost_and_every_rule() -> None:
    """Blue stands in 18, and its hand is 9: it calls 13 and the game. The excess is red's, and 15 holes are lost."""
    rules = changed(ACC, {"target": 31, "skunk_line": None, "double_skunk_line": None})
    story = Story("verify", dealer=RED, rules=rules).starter("6C")
    story.lay(BLUE, "TC").peg(BLUE, 6).lay(RED, "7D KD").peg(BLUE, 6).lay(RED, "4S 4H").peg(BLUE, 6).lay(
        RED, "9D 5S 5H"
    )
    story.peg(RED, 3).peg(BLUE, 13)
    audit = audited(story.do(Challenge(RED)).game)
    claim = last_claim(audit)
    assert claim.grounds == (Ground.OVER_CLAIM, Ground.COUNT, Ground.FALSE_GAME)
    assert (claim.gained(BLUE), claim.lost(BLUE), claim.gained(RED), claim.lost(RED)) == (13, 4 + 15, 4, 0)
    words = load("en")
    assert holes_in_words(claim, 2, words) == "Blue +13 −19, Red +4"
    said = rules_in_words(claim, words, rules)
    over_claim, false_game = phrase("audit.ground.over_claim"), phrase("audit.ground.false_game_penalty")
    assert said == f"{over_claim}, ACC 8.4c; {false_game}, ACC 8.4b"
    assert has_phrase(lines_of(audit), "audit.set_back", side="Blue", front=12)


FALSE_GO: tuple[Action, ...] = (
    SayGo(RED),
    LayCard(BLUE, Card.parse("4D")),
    SayGo(BLUE),
    LayCard(RED, Card.parse("3C")),
)


def false_go(rules: Rules, *answer: Action) -> Audit:
    """Red says go, and has the 3♣ after all; it had pegged a pair before."""
    story = Story("verify", dealer=RED, rules=rules).starter("6C").lay(BLUE, "TC TD").peg(RED, 2).lay(BLUE, "2D")
    return audited(story.do(*FALSE_GO, *answer).game)


def test_a_false_go_is_listed_with_its_outcome() -> None:
    assert phrase("audit.reneged", seat="Red", card="3♣", count=22) in lines_of(false_go(SIX_CARD))
    back = false_go(SIX_CARD, Ask(BLUE, Question.ROLL_BACK), Agree(RED))
    assert phrase("audit.rolled_back", seat="Red") in lines_of(back)
    assert french("audit.rolled_back", seat="Rouge") in lines_of(back, "fr_CA")
    assert not back.claims()[0].undone, "the pair was pegged before the go"
    dead = false_go(ACC, LetLieDead(BLUE))
    assert phrase("audit.dead", card="3♣", seat="Red") in lines_of(dead)
    assert french("audit.dead", card="3♣", seat="Rouge") in lines_of(dead, "fr_CA")
    given = last_claim(dead)
    assert (given.side, given.called, given.verdict, given.ground) == (BLUE, None, None, Ground.RENEGE)
    assert (given.gained(BLUE), given.lost(RED)) == (2, 0)


def test_points_pegged_since_a_false_go_are_marked_when_play_goes_back_to_it() -> None:
    story = Story("verify", dealer=RED).starter("6C").lay(BLUE, "TC TD 2D").do(SayGo(RED))
    story.lay(BLUE, "2C").peg(BLUE, 2).do(SayGo(BLUE), LayCard(RED, Card.parse("3C")))
    audit = audited(story.do(Ask(BLUE, Question.ROLL_BACK), Agree(RED)).game)
    assert audit.view(audit.last).sides[BLUE].score == 0
    assert [claim.undone for claim in audit.claims()] == [True] * len(audit.claims())
    assert audit.claims()


def test_an_unread_card_is_named_and_marked() -> None:
    story = Story("verify", dealer=RED).do(GoOnUnread(RED))
    assert phrase("audit.unread_starter") in lines_of(audited(story.game))
    story.lay(BLUE, "TC").do(GoOnUnread(RED))
    audit = audited(story.game)
    assert phrase("audit.unread_card", seat="Red") in lines_of(audit)
    assert has_phrase(lines_of(audit), "audit.laid", count="?")
    assert french("audit.unread_card", seat="Rouge") in lines_of(audit, "fr_CA")
    claim = last_claim(audited(story.peg(RED, 2).lay(BLUE, "KD").game))
    assert (claim.verdict, claim.ground, claim.gained(RED)) == (Verdict.UNVERIFIED, Ground.UNREAD, 2)


def test_a_hand_counted_without_a_card_is_listed_without_muggins() -> None:
    story = (
        Story("verify", dealer=RED, rules=BRITANNICA).starter("6C").lay(BLUE, "TC 7D KD 4S 4H 9D").do(GoOnUnread(BLUE))
    )
    story.lay(RED, "5H").do(GoOnUnread(BLUE))
    audit = audited(story.game)
    assert phrase("audit.count_unverified", seat="Blue", what=phrase("audit.for.hand")) in lines_of(audit)
    unverified = french("audit.count_unverified", seat="Bleu", what=french("audit.for.hand"))
    assert unverified in lines_of(audit, "fr_CA")
    story.do(TakePegInHand(BLUE, 6), ReleasePeg(BLUE), Challenge(RED), TakePegInHand(RED, 3), ReleasePeg(RED))
    audit = audited(story.game)
    ruled = last_claim(audit)
    assert (ruled.side, ruled.verdict, ruled.ground, ruled.gained(RED)) == (RED, Verdict.UNVERIFIED, Ground.UNREAD, 0)
    said = phrase("audit.ruled", side="Red", called=3, verdict=phrase("audit.verdict.unverified"))
    assert f"{said} [{phrase('audit.ground.unread')}]" in lines_of(audit)
    dit = french("audit.ruled", side="Rouge", called=3, verdict=french("audit.verdict.unverified"))
    assert f"{dit} [{french('audit.ground.unread')}]" in lines_of(audit, "fr_CA")


def test_awarded_and_barred_points_are_listed_with_their_rule() -> None:
    rules = changed(BRITANNICA, {"no_single_point_from": 2})
    audit = audited(to_the_show(rules).peg(BLUE, 8).do(Challenge(RED), TakePegInHand(RED, 1), ReleasePeg(RED)).game)
    one, why = phrase("points", n=1), phrase("audit.bar.single-point")
    assert phrase("audit.barred", points=one, side="Red", why=why) in lines_of(audit)
    un, raison = french("points", n=1), french("audit.bar.single-point")
    assert french("audit.barred", points=un, side="Rouge", why=raison) in lines_of(audit, "fr_CA")
    muggins = last_claim(audit)
    assert muggins.gained(RED) == 0
    assert muggins.grounds == (Ground.MUGGINS, Ground.SINGLE_POINT)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["six-card", "acc", "britannica", "fadoq"])
@pytest.mark.parametrize("muggins", ["off", "on"])
def test_the_holes_of_all_claims_add_up_to_the_score(name: str, muggins: str) -> None:
    """Whatever was challenged, mugged, given, set back or taken back on the way."""
    rules = changed(RULES[name], {"muggins": muggins, "renege": "two_per_card"})
    for seed in range(3):
        game = Game.start(rules, way="verify", dealer=1)
        walk(game, Random(seed), 250, taking_back=0.15)
        claims = [claim for claim in audited(game).claims() if not claim.undone]
        waiting = game.position.unjudged if game.position.silent else ()
        for side, pegs in enumerate(game.position.pegs):
            told_of = sum(claim.gained(side) - claim.lost(side) for claim in claims)
            assert told_of + sum(each.called for each in waiting if each.side == side) == pegs.front
