"""Decide what an action causes.

`decide` answers with events, or refuses with `IllegalAction` and leaves no trace. Points are the business of
`cribboard.claims` and `cribboard.muggins`, and the order of a deal that of `cribboard.course`; here are the words about
the game: undo, a misdeal, the result. See the rules reference, section 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cribboard import claims, course, muggins
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    AllPass,
    Ask,
    BreakOff,
    By,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    GoOnUnread,
    IllegalAction,
    LayCard,
    LetLieDead,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
    UndoOfficially,
)
from cribboard.decision import Ruling
from cribboard.events import (
    Acted,
    Agreed,
    Asked,
    BrokenOff,
    ChallengeWithdrawn,
    CutStands,
    DealVoided,
    Event,
    QuestionDropped,
    ResultAccepted,
    ResultFinal,
    RolledBack,
)
from cribboard.position import Phase, Position, Raised
from cribboard.press_kind import counts
from cribboard.rules import ExposedCut, UndoBy, Way

if TYPE_CHECKING:  # the same, but the type checker knows the fields
    from dataclasses import replace as updated
else:
    from cribboard.position import updated


def decide(position: Position, action: Action) -> tuple[Event, ...]:
    """What `action` causes: `Acted` first, then its consequences. Raises `IllegalAction` if it is not allowed."""
    return tuple(rule(position, action).events)


def rule(position: Position, action: Action) -> Ruling:
    """`decide`, with the position after each event. Raises `IllegalAction`."""
    if position.phase is Phase.OVER:
        raise IllegalAction("game_is_over")
    if position.phase is Phase.WON and not isinstance(action, _AFTER_THE_WIN):
        raise IllegalAction("game_is_won")
    if (side := getattr(action, "side", 0)) not in position.rules.sides:
        raise IllegalAction("no_such_seat", seat=side)
    if (seat := getattr(action, "seat", 0)) not in position.rules.seats:
        raise IllegalAction("no_such_seat", seat=seat)
    _must_wait_for_no_answer(position, action)
    ruling = Ruling(position)
    ruling.add(Acted(action))
    if position.raised is not None and _answers_challenge(ruling, position.raised, action):
        course.open_next_count(ruling)
        return ruling
    match action:
        case CutForDeal(seat, card):
            course.cut(ruling, seat, card)
        case NameDealer(seat):
            course.name_dealer(ruling, seat)
        case TurnStarter(card):
            course.turn_starter(ruling, card)
        case LayCard(seat, card):
            course.lay(ruling, seat, card)
        case SayGo(seat):
            course.say_go(ruling, seat)
        case AllPass(seat):
            course.all_pass(ruling, seat)
        case TakeBackPass(seat):
            course.take_back_pass(ruling, seat)
        case ShowCard(seat, card):
            course.show_card(ruling, seat, card)
        case GoOnUnread():
            course.go_on_unread(ruling)
        case LetLieDead(side):
            course.let_lie_dead(ruling, side)
        case TakePegInHand(side, points):
            claims.take(ruling, side, points)
            course.open_next_count(ruling)
        case TakeZero(side):
            claims.take_zero(ruling, side)
        case PutPegBack(side):
            claims.put_back(ruling, side)
        case ReleasePeg(side, by):
            claims.let_go(ruling, side, by)
        case Accept(side):
            claims.accept(ruling, side)
            course.open_next_count(ruling)
        case Challenge(side) if muggins.is_played(position):
            muggins.challenge(ruling, side)
        case Challenge(side):
            claims.challenge(ruling, side)
            course.open_next_count(ruling)
        case OpenCount():
            course.see_count(ruling)
        case ReadCrib(card):
            course.read_crib(ruling, card)
        case EndDeal(side):
            course.end_trusted_deal(ruling, side)
        case AcceptResult(side):
            _accept_result(ruling, side)
        case Undo():
            _undo(ruling)
        case UndoOfficially():
            _undo_officially(ruling)
        case Ask(side, question):
            _ask(ruling, side, question)
        case Agree(side):
            _agree(ruling, side)
        case BreakOff():
            ruling.add(BrokenOff())
        case DropQuestion():
            if position.question is None:
                raise IllegalAction("nothing_asked")
            ruling.add(QuestionDropped(position.question[0]))
    return ruling


#: What may still be said when the game is won.
_AFTER_THE_WIN = AcceptResult | Undo | UndoOfficially | Agree | DropQuestion | BreakOff

#: What goes on with the game, and so settles a challenge that was raised.
_GOES_ON = TurnStarter | LayCard | ShowCard | ReadCrib | TakePegInHand | TakeZero | ReleasePeg | GoOnUnread

#: What a side may do while the game waits for the answer to a claim of the game, or to a false go.
_WORDS = Accept | Challenge | Agree | Ask | DropQuestion | Undo | UndoOfficially | BreakOff


def _must_wait_for_no_answer(p: Position, action: Action) -> None:
    if p.renege and not isinstance(action, _WORDS | LetLieDead):
        assert p.false_go is not None
        raise IllegalAction("renege_first", side=(p.rules.side_of(p.false_go.seat) + 1) % len(p.pegs))
    claimant = p.game_claimed
    if claimant is None or isinstance(action, _WORDS):
        return
    if p.raised is None or getattr(action, "side", None) != p.raised.by or isinstance(action, GoOnUnread):
        raise IllegalAction("game_is_claimed", side=claimant)


def _answers_challenge(ruling: Ruling, raised: Raised, action: Action) -> bool:
    """Whether the action is for the challenge that was raised, and done with it. What goes on with the game settles the
    challenge first."""
    p = ruling.position
    match action:
        case TakePegInHand(side, points) if side == raised.by:
            muggins.take(ruling, side, points)
        case PutPegBack(side) if side == raised.by:
            ruling.add(ChallengeWithdrawn(side))
        case Accept(side) | ReleasePeg(side, By.OWNER) if side == raised.by and raised.points is None:
            muggins.too_much(ruling, side)
        case Accept() | ReleasePeg(by=By.OWNER) if raised.points is not None:
            muggins.let_go(ruling, raised)
        case TakePegInHand(side) if muggins.is_in_time(p, side):
            ruling.add(ChallengeWithdrawn(raised.by))
            return False
        case TakePegInHand() if raised.points is not None:
            muggins.let_go(ruling, raised)
        case TakeZero(side) if raised.points is not None and counts(p, side):
            muggins.let_go(ruling, raised)
        case Accept() | TakePegInHand() | TakeZero():  # the first press has the challenge (7.2)
            raise IllegalAction("waits_for_other_side", side=raised.by)
        case _ if isinstance(action, _GOES_ON):
            muggins.settle(ruling)
            if ruling.won():
                rule(updated(p, raised=None), action)  # what could not be done lets go of nothing
            return ruling.won()
        case _:
            return False
    return True


def _accept_result(ruling: Ruling, side: int) -> None:
    p = ruling.position
    if p.phase is not Phase.WON:
        raise IllegalAction("nothing_to_accept")
    if side in p.agreed:
        raise IllegalAction("waits_for_other_side", side=side)
    ruling.add(ResultAccepted(side))
    if len(ruling.position.agreed) == len(p.pegs):
        ruling.add(ResultFinal())


def _undo(ruling: Ruling) -> None:
    """7.13: at once where the rules are free or no cards are read; or it needs the other sides, or all. On auto nobody
    calls, so the sides are asked whose points go with the act."""
    p = ruling.position
    if not p.acts:
        raise IllegalAction("nothing_to_undo")
    before, side = p.acts[-1]
    match p.rules.claims.undo:
        case UndoBy.OFFICIAL:
            ruling.add(Asked(side, Question.UNDO))
        case UndoBy.AGREED if p.way is Way.VERIFY:
            ruling.add(Asked(side, Question.UNDO))
        case UndoBy.AGREED if p.way is Way.AUTO and (losing := _pegged_by_last_act(p)):
            keeping = (each for each in p.rules.sides if each not in losing)
            ruling.add(Asked(next(keeping, side), Question.UNDO))
        case _:
            ruling.go_back(before)


def _pegged_by_last_act(p: Position) -> set[int]:
    """The sides whose pegs the last act moved, by the rulings of version 2."""
    since = p.acts[-1][0]
    return {score.side for score in p.scores if score.number > since and score.points} if p.rules.version > 1 else set()


def _undo_officially(ruling: Ruling) -> None:
    """7.13, by the word of somebody who stands above the sides."""
    p = ruling.position
    if not p.acts:
        raise IllegalAction("nothing_to_undo")
    ruling.go_back(p.acts[-1][0])


def _ask(ruling: Ruling, side: int, question: Question) -> None:
    p = ruling.position
    match question:
        case Question.UNDO:
            raise IllegalAction("nothing_to_undo")
        case Question.EXPOSED_CUT if p.rules.deal_and_play.exposed_cut is ExposedCut.IGNORE:
            raise IllegalAction("no_exposed_cut")
        case Question.ROLL_BACK if p.false_go is None:
            raise IllegalAction("nothing_to_roll_back")
        case Question.MISDEAL if not may_misdeal(p):
            raise IllegalAction("no_deal_now")
        case Question.EXPOSED_CUT if not may_have_seen_the_cut(p):
            raise IllegalAction("no_misdeal_now")
        case Question.EXPOSED_CUT if p.rules.deal_and_play.exposed_cut is ExposedCut.TOP_CARD_STANDS:
            ruling.add(CutStands())
        case _ if p.question and p.question[0] is question and side not in p.answered:
            _agree(ruling, side)
        case _ if p.question and p.question[0] is question:
            raise IllegalAction("waits_for_other_side", side=side)
        case _:
            ruling.add(Asked(side, question))


def _agree(ruling: Ruling, side: int) -> None:
    """What is asked is done when every side has said yes to it, the asker by asking."""
    p = ruling.position
    if p.renege and p.question is None:
        course.play_false_go(ruling, side)
        return
    if p.question is None:
        raise IllegalAction("nothing_asked")
    question, _ = p.question
    if side in p.answered:
        raise IllegalAction("waits_for_other_side", side=side)
    if len(p.answered) + 1 < len(p.pegs):
        ruling.add(Agreed(side))
        return
    match question:
        case Question.UNDO:
            ruling.go_back(p.acts[-1][0])
        case Question.MISDEAL | Question.EXPOSED_CUT:
            assert p.dealer is not None
            ruling.add(DealVoided(p.dealer))
        case Question.ROLL_BACK:
            assert p.false_go is not None
            ruling.add(RolledBack(p.false_go.seat))
        case Question.BREAK_OFF:
            ruling.add(BrokenOff())


def may_misdeal(p: Position) -> bool:
    """From the deal until the next one: a misdeal that is found late voids the deal too (rules reference, 3.28)."""
    return p.phase in (Phase.DEAL, Phase.PLAY, Phase.SHOW, Phase.PEGGING)


def may_have_seen_the_cut(p: Position) -> bool:
    """From the deal until the first card is laid (7.10). Without cards: until more than his heels is pegged."""
    match p.phase:
        case Phase.DEAL:
            return True
        case Phase.PLAY:
            return not any(p.hands)
        case Phase.PEGGING:
            assert p.dealer is not None
            dealer = p.rules.side_of(p.dealer)
            moved = {s: now.front - was.front for s, (now, was) in enumerate(zip(p.pegs, p.pegs_at_deal, strict=True))}
            return all(by == 0 or (s == dealer and by == p.rules.deal_and_play.his_heels) for s, by in moved.items())
        case _:
            return False
