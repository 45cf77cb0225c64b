"""How each event changes what is true.

`evolve` never refuses and never asks: it is told what happened. The same start and the same events give an equal
position, always (design law 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cribboard import openings, score_log
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    By,
    DropQuestion,
    LayCard,
    Question,
    ReleasePeg,
    TakePegInHand,
    TakeZero,
    Undo,
    UndoOfficially,
)
from cribboard.cards import Card
from cribboard.events import (
    Acted,
    Agreed,
    AllPassed,
    Asked,
    Awarded,
    BrokenOff,
    CardCut,
    CardDead,
    CardLaid,
    CardUnread,
    ChallengeRaised,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountEnded,
    CountOpened,
    CountUnverified,
    CribCardRead,
    CutStands,
    CutTied,
    DealBegan,
    DealEnded,
    DealVoided,
    Doubt,
    Event,
    GameWon,
    HandCardShown,
    MugginsRuled,
    MugginsTaken,
    PassTakenBack,
    Pegged,
    PegPutBack,
    PegReleased,
    PegTaken,
    PlayEnded,
    PointsBarred,
    QuestionDropped,
    Reneged,
    ResultAccepted,
    ResultFinal,
    RolledBack,
    SaidGo,
    SetBack,
    StarterTurned,
    StarterUnread,
    ThreeForLast,
    Undone,
)
from cribboard.openings import put
from cribboard.play import LIMIT
from cribboard.position import Claim, FalseGo, Opening, Pegs, PegState, Phase, Position, Raised, RememberedGo
from cribboard.rules import CutTie, Option, Renege, Rules, UndoBy, Way

if TYPE_CHECKING:  # the same, but the type checker knows the fields
    from dataclasses import replace as updated
else:
    from cribboard.position import updated


def start(rules: Rules, way: Way, *, dealer: int | None = None) -> Position:
    """A new game. `dealer` is None where the cut decides; a later game of a match knows its dealer."""
    begun = Position(rules=rules, way=way, pegs=(Pegs(),) * rules.deal_and_play.teams)
    if dealer is None:
        return begun
    for event in beginning_of_deal(begun, dealer):
        begun = evolve(begun, event)
    return updated(begun, number=0, last=begun.last[1:])


def beginning_of_deal(p: Position, dealer: int) -> Sequence[Event]:
    """This seat deals. On the first deal of a game its opponent may have points for it (five-card)."""
    three = p.rules.deal_and_play.three_for_last
    if p.deal or not three:
        return (DealBegan(dealer),)
    side = p.rules.side_of(p.rules.left_of(dealer))
    return DealBegan(dealer), ThreeForLast(side, three), Pegged(side, three, p.pegs[side].front + three)


def fold(position: Position, events: Iterable[Event]) -> Position:
    """The position after all of `events`. What was undone is left out first; the numbers stay those of the log."""
    history = [position]
    for event in events:
        history.append(step(history, event))
    return history[-1]


def step(history: list[Position], event: Event) -> Position:
    """The next position after `history`, whose index is the event number; the one place where undo reaches back."""
    if not isinstance(event, Undone):
        return evolve(history[-1], event)
    began = history[event.to + 1].last[0]
    return updated(
        history[event.to],
        number=len(history),
        question=None,
        answered=frozenset(),
        last=(history[-1].last[0], event),
        taken_back=began.action if isinstance(began, Acted) else None,
    )


def evolve(position: Position, event: Event) -> Position:
    """The position after `event`. Never refuses; what may happen is the referee's business."""
    changed = _evolve(position, event)
    return updated(changed, number=position.number + 1, last=(*changed.last, event))


def _evolve(p: Position, event: Event) -> Position:
    match event:
        case Acted(action):
            acts = (*p.acts, (p.number, _whose(p, action))) if _begins(p, action) else p.acts
            leaves = isinstance(action, _ABOUT_THE_GAME) or getattr(action, "by", None) is By.TIME
            return updated(p if leaves else _asks_no_more(p), acts=acts, last=(), taken_back=None)
        case CardLaid(seat, card):
            return _lay(p, seat, card)
        case PegTaken(side, points, doubt, timing):
            held = p.claim is not None and p.claim.side == side and p.claim.state is PegState.IN_HAND
            since = p.claim.since if p.claim and held else p.acts[-1][0]
            return updated(p, claim=Claim(side, points, PegState.IN_HAND, doubt, timing, since))
        case PegReleased(side, points):
            if p.claim is None or p.way is Way.TRUST:
                return updated(p, claim=None)
            claim = replace(p.claim, points=points, state=PegState.RELEASED, doubt=Doubt.NONE)
            return updated(openings.stood(p, side, points) if p.silent else p, claim=claim)
        case ClaimJudged():
            return openings.closed(p, event)
        case Pegged(side, _, score):
            moved = Pegs(front=score, back=p.pegs[side].front)
            return score_log.moved(updated(p, pegs=put(p.pegs, side, moved)), event)
        case ClaimAccepted():
            accepted = updated(p, claim=None, raised=None, open=tuple(p.unclaimed(side) for side in p.rules.sides))
            if p.counting and not openings.still_open(accepted, *p.counting):
                nothing = ((),) * len(p.pegs)
                return updated(accepted, counting=None, turn=None, counts_done=p.counts_done + 1, missed=nothing)
            return accepted
        case SaidGo(seat):
            gone = updated(p, gone=p.gone | {seat}, gos=_bound(p, (seat,)), went=_went(p, (seat,)))
            return updated(gone, turn=gone.may_lay(seat))
        case CountEnded(last, count):
            may_go_on = p.passed if count < LIMIT else ()
            went = _went_without_a_word(p, count)
            ended = updated(went, count_over=True, gone=frozenset(), turn=p.holds_cards(last), passed=may_go_on)
            ended = updated(ended, gone_at_end=p.gone if may_go_on else frozenset(), go_pegged=None)
            return openings.opened(ended, *openings.of_go(p, last, count))
        case CountOpened(seat, occasion):
            still_muggins = p.silent and p.rules.claims.muggins is Option.ON  # until the first hand is let go
            missed = p.missed if still_muggins else ((),) * len(p.pegs)
            left = ((),) * len(p.pegs) if p.way is Way.AUTO else p.open  # what no card told and nobody called is past
            counting = updated(p, counting=(seat, occasion), turn=seat, missed=missed, open=left)
            return openings.opened(counting, *openings.of_count(p, seat, occasion))
        case seldom:
            return _seldom(p, seldom)


#: Words about the game: they leave what was asked as it stands.
_ABOUT_THE_GAME = (Undo, UndoOfficially, Ask, Agree, DropQuestion)

#: What happens now and then. What every card and every call brings with it is looked for first.
_Seldom = (
    CardCut | CutTied | DealBegan | ThreeForLast | StarterTurned | StarterUnread | CardUnread | AllPassed | Reneged
    | RolledBack | CardDead | PassTakenBack | PlayEnded | HandCardShown | CribCardRead | CountUnverified
    | PegPutBack | SetBack | ChallengeRaised | MugginsTaken | ChallengeWithdrawn | MugginsRuled | ClaimRuled
    | DealVoided | GameWon | ResultAccepted | ResultFinal | BrokenOff | Asked | Agreed | QuestionDropped
    | PointsBarred | Awarded | DealEnded | ClaimChallenged | CutStands | Undone
)  # fmt: skip


def _seldom(p: Position, event: _Seldom) -> Position:
    match event:
        case CardCut(seat, card):
            return updated(p, cuts=(*p.cuts, (seat, card)))
        case CutTied():
            only_these = p.rules.deal_and_play.cut_tie is CutTie.TIED_RECUT
            return updated(p, cuts=(), cutters=p.best_cuts if only_these else ())
        case DealBegan(dealer):
            return _deal(p, dealer)
        case ThreeForLast(side, points):
            with_three = Pegs(front=p.pegs[side].front + points, back=p.pegs[side].front)
            return score_log.given(updated(p, pegs_at_deal=put(p.pegs_at_deal, side, with_three)), event)
        case StarterTurned(card):
            return _turn_starter(p, card)
        case StarterUnread():
            return _turn_starter(updated(p, unread_starter=True), None)
        case CardUnread(seat):
            unread = p.unread or ((),) * len(p.hands)
            at = 0 if p.count_over else p.count
            return _lay(updated(p, unread=put(unread, seat, (*unread[seat], at))), seat, None)
        case AllPassed(seats):
            passed = updated(p, gone=p.gone | set(seats), gos=_bound(p, seats), went=_went(p, seats))
            return updated(passed, passed=(*p.passed, *seats), turn=None)
        case Reneged(seat, card, count) if (seat, count) not in (*p.gos, *p.unsaid):
            return updated(p, remembered=tuple(_counted(each, seat, card) for each in p.remembered))
        case Reneged(seat, card, count):
            before = next(then for who, at, then in reversed(p.went) if (who, at) == (seat, count))
            must_answer = p.rules.claims.renege is Renege.TWO_PER_CARD and p.phase is Phase.PLAY
            return updated(p, false_go=FalseGo(seat, card, before), renege=must_answer)
        case RolledBack():
            return _rolled_back(p)
        case CardDead(seat, card):
            dead = updated(p, hands=put(p.hands, seat, (*p.hands[seat], card)), renege=False)
            if dead.cards_left(seat):
                return dead
            return updated(dead, turn=dead.holds_cards(seat) if p.count_over else dead.may_lay(seat))
        case PassTakenBack():
            return _pass_taken_back(p, event)
        case PlayEnded():
            ended = updated(p, phase=Phase.SHOW, count_over=True, gone=frozenset(), turn=None)
            return updated(ended, passed=(), gone_at_end=frozenset())
        case HandCardShown(seat, card):
            return updated(p, hands=put(p.hands, seat, (*p.hands[seat], card)))
        case CribCardRead(card):
            return updated(p, crib=(*p.crib, card))
        case CountUnverified(seat, occasion):
            return updated(p, waived=p.waived | {(seat, occasion)})
        case PegPutBack():
            return updated(p, claim=None)
        case SetBack(side, score, back):
            back_again = updated(p, pegs=put(p.pegs, side, Pegs(front=score, back=back)))
            return score_log.came_back(back_again, side, event, p.pegs[side].front - score)
        case ChallengeRaised(by, against):
            return updated(p, raised=Raised(by, against))
        case MugginsTaken(_, points):
            return updated(p, raised=replace(p.raised, points=points)) if p.raised else p
        case ChallengeWithdrawn():
            return updated(p, raised=None)
        case MugginsRuled():
            return openings.taken_over(p, event)
        case ClaimRuled():
            only_this = p.acts and p.acts[-1][0] == p.number - 1
            return updated(p, acts=p.acts[:-1]) if only_this else p
        case DealVoided(dealer):
            kept = tuple(each for each in p.scores if each.deal < p.deal or isinstance(each.what, ThreeForLast))
            return _deal(_asks_no_more(updated(p, pegs=p.pegs_at_deal, deal=p.deal - 1, scores=kept)), dealer)
        case GameWon(side):
            won = updated(p, phase=Phase.WON, winner=side, claim=None, raised=None, renege=False)
            return _asks_no_more(updated(won, counting=None, turn=None))
        case ResultAccepted(side):
            return updated(p, agreed=p.agreed | {side})
        case ResultFinal():
            return _asks_no_more(updated(p, phase=Phase.OVER))
        case BrokenOff():
            return _asks_no_more(updated(p, phase=Phase.OVER, claim=None, winner=None))
        case Asked(side, question):
            by_all = question is Question.UNDO and p.rules.claims.undo is UndoBy.OFFICIAL
            return updated(p, question=(question, side), answered=frozenset() if by_all else frozenset({side}))
        case Agreed(side) if p.question is None and p.claim is not None:
            return updated(p, claim=replace(p.claim, let_by=(*p.claim.let_by, side)))
        case Agreed(side):
            return updated(p, answered=p.answered | {side})
        case QuestionDropped():
            return _asks_no_more(p)
        case Awarded():
            return score_log.given(p, event)
        case PointsBarred() | DealEnded() | ClaimChallenged() | CutStands() | Undone():
            return p


def _asks_no_more(p: Position) -> Position:
    return updated(p, question=None, answered=frozenset()) if p.question or p.answered else p


def _begins(p: Position, action: Action) -> bool:
    """Whether this action begins an act, which UNDO takes back as a whole. A peg lifted, moved and let go by its owner
    is one act, and so is one that another or the timer lets go where the table trusts: taken back, it is down where it
    was, and no timer can let it go again. Words about the game are no acts, but for the OK that voids a deal."""
    match action:
        case Undo() | UndoOfficially() | Ask() | DropQuestion() | AcceptResult():
            return False
        case Agree() if p.renege and p.question is None:
            return True
        case Agree():
            if p.question is None or len(p.answered) + 1 < len(p.pegs):
                return False
            return p.question[0] in (Question.MISDEAL, Question.EXPOSED_CUT, Question.ROLL_BACK)
    claim = p.claim
    if claim is None or claim.state is not PegState.IN_HAND or p.acts[-1:] != ((claim.since, claim.side),):
        return True
    match action:
        case TakePegInHand(side) | TakeZero(side) | ReleasePeg(side):
            return side != claim.side
        case Accept():
            return p.way is not Way.TRUST
    return True


def _whose(p: Position, action: Action) -> int:
    """The side that acts. What belongs to no seat (the starter, the crib) is the dealer's doing."""
    match getattr(action, "side", None), getattr(action, "seat", None):
        case int(side), _:
            return side
        case _, int(seat):
            return p.rules.side_of(seat)
    return p.rules.side_of(p.dealer or 0)


def _deal(p: Position, dealer: int) -> Position:
    nobody: tuple[tuple[Opening, ...], ...] = ((),) * len(p.pegs)
    return updated(
        p,
        phase=Phase.PEGGING if p.way is Way.TRUST else Phase.DEAL,
        deal=p.deal + 1,
        dealer=dealer,
        cuts=(),
        cutters=(),
        starter=None,
        turn=None,
        hands=((),) * p.rules.deal_and_play.players,
        stack=(),
        count_over=True,
        gone=frozenset(),
        gos=(),
        gos_before=0,
        unsaid=(),
        passed=(),
        gone_at_end=frozenset(),
        go_pegged=None,
        crib=(),
        counting=None,
        counts_done=0,
        open=nobody,
        missed=nobody,
        claim=None,
        standing=(),
        raised=None,
        unread=(),
        unread_starter=False,
        waived=frozenset(),
        went=(),
        false_go=None,
        remembered=(),
        renege=False,
        pegs_at_deal=p.pegs,
    )


def _turn_starter(p: Position, card: Card | None) -> Position:
    """The starter is turned up; None where no reader can read it. It may be read as late as the first count."""
    assert p.dealer is not None
    if p.phase is Phase.SHOW:
        return updated(p, starter=card, unread_starter=False)
    turned = updated(p, phase=Phase.PLAY, starter=card, turn=p.rules.left_of(p.dealer))
    return openings.opened(turned, *openings.of_starter(p, card))


def _lay(p: Position, seat: int, card: Card | None) -> Position:
    laid = updated(
        openings.left_behind(p, seat),
        hands=p.hands if card is None else put(p.hands, seat, (*p.hands[seat], card)),
        stack=(() if p.count_over else p.stack) + ((seat, card),),
        count_over=False,
        gos_before=len(p.gos) if p.count_over else p.gos_before,
        passed=() if p.count_over else p.passed,
        gone_at_end=frozenset(),
        go_pegged=None,
    )
    laid = openings.opened(laid, *openings.of_card(p, seat, card))
    return updated(laid, turn=laid.may_lay(seat))


def _went(p: Position, seats: tuple[int, ...]) -> tuple[tuple[int, int, Position], ...]:
    """Where play stood before these seats said go. What went before is left out: nobody goes back twice."""
    before = updated(p, went=(), false_go=None, last=())
    return (*p.went, *((seat, p.count, before) for seat in seats))


def _went_without_a_word(p: Position, count: int) -> Position:
    """Who alone holds cards and lays one over thirty-one has said go without a word (rules reference, 3.26)."""
    match p.last[:1]:
        case (Acted(LayCard(seat)),) if count < LIMIT and not any(isinstance(event, CardLaid) for event in p.last):
            bound = _bound(p, (seat,))[len(p.gos) :]
            return updated(p, unsaid=(*p.unsaid, *bound), went=_went(p, (seat,)))
    return p


def _counted(go: RememberedGo, seat: int, card: Card) -> RememberedGo:
    return replace(go, counted=(*go.counted, card)) if go.counts(seat, card) else go


def _rolled_back(p: Position) -> Position:
    """Play stands again where it stood before the false go; the acts since can still be taken back one by one. What
    each card of it is worth to the side that took play back is remembered."""
    assert p.false_go is not None
    then = p.false_go.before
    went = tuple(each for each in p.went if each[2].number < then.number)
    claim = then.claim if then.claim and then.claim.state is PegState.RELEASED else None
    return _asks_no_more(
        updated(
            then,
            number=p.number,
            acts=p.acts,
            last=p.last,
            went=went,
            claim=claim,
            raised=None,
            taken_back=None,
            remembered=_remembered(p, p.false_go),
        )
    )


def _remembered(p: Position, false_go: FalseGo) -> tuple[RememberedGo, ...]:
    """The false gos whose cards count, with the one that play goes back to."""
    match p.last[:1]:
        case (Acted(Agree(side)),) if p.renege:
            count = next(at for seat, at, then in reversed(p.went) if then is false_go.before)
            return (*false_go.before.remembered, RememberedGo(false_go.seat, count, side, (false_go.card,)))
    return false_go.before.remembered


def _pass_taken_back(p: Position, event: PassTakenBack) -> Position:
    """The count goes on with this seat; what the side that laid last had pegged for the go comes back."""
    back, side = openings.taken_back(p, event.seat), p.rules.side_of(p.stack[-1][0])
    points = p.pegs[side].front - back.pegs[side].front
    return score_log.came_back(back, side, event, points) if points else back


def _bound(p: Position, seats: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The gos of the deal with those of these seats, as far as each must lay if it can: after another's go it may be
    free to stop (rules reference, 3.8)."""
    if p.blind:
        return p.gos
    if p.rules.deal_and_play.must_play_after_go is Option.OFF:
        seats = () if p.gone else seats[:1]
    return (*p.gos, *((seat, p.count) for seat in seats))
