"""Decide which events an action causes, or refuse the action.

`decide` answers with events, or refuses with `IllegalAction` and changes nothing (design law 2; rules reference,
section 7). Here is only who must answer first; each topic of the game judges its own actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cribboard import actions, events
from cribboard.actions import Action, By, IllegalAction
from cribboard.deal import (
    claims,
    cut_and_deal,
    end_of_game,
    false_go,
    go,
    laying_cards,
    muggins,
    questions,
    show,
    starter,
    undo,
    unread_cards,
)
from cribboard.deal.decision import Decision
from cribboard.deal.press_kind import is_counting
from cribboard.evolution import evolve
from cribboard.position import OpenChallenge, Phase, Position, updated


def decide(position: Position, action: Action) -> tuple[events.Event, ...]:
    """Return the events that `action` causes, `Acted` first.

    Raises `IllegalAction` if the action is not allowed."""
    return tuple(rule(position, action).events)


def rule(position: Position, action: Action) -> Decision:
    """Decide which events `action` causes, with the position after each event. Raises `IllegalAction`."""
    if position.phase is Phase.OVER:
        raise IllegalAction("game_is_over")
    if position.phase is Phase.WON and not isinstance(action, _AFTER_THE_WIN):
        raise IllegalAction("game_is_won")
    for field, known in (("side", position.rules.sides), ("seat", position.rules.seats)):
        if (number := getattr(action, field, 0)) not in known:
            raise IllegalAction("no_such_seat", seat=number)
    _must_wait_for_no_answer(position, action)
    decision = Decision(position, evolve)
    decision.add(events.Acted(action))
    if position.open_challenge is not None and _apply_to_challenge(decision, position.open_challenge, action):
        show.open_next_count(decision)
        return decision
    if isinstance(action, actions.Challenge) and muggins.is_played(position):
        muggins.raise_or_withdraw(decision, action.side)
        return decision
    _RULINGS[action.__class__](decision, *(getattr(action, field) for field in action.__match_args__))
    if isinstance(action, actions.TakePegInHand | actions.Accept | actions.Challenge):
        show.open_next_count(decision)
    return decision


#: The ruling on each type of action. It takes the decision, and the fields of the action.
_RULINGS: Mapping[type, Callable[..., None]] = {
    actions.CutForDeal: cut_and_deal.cut,
    actions.NameDealer: cut_and_deal.name_dealer,
    actions.TurnStarter: starter.turn_starter,
    actions.LayCard: laying_cards.lay,
    actions.SayGo: go.say_go,
    actions.AllPass: go.all_pass,
    actions.TakeBackPass: go.take_back_pass,
    actions.ShowCard: show.show_card,
    actions.GoOnUnread: lambda decision, _: unread_cards.go_on_unread(decision),
    actions.LetLieDead: false_go.let_lie_dead,
    actions.TakePegInHand: claims.lift_or_move_peg,
    actions.TakeZero: claims.claim_zero,
    actions.PutPegBack: claims.put_back,
    actions.ReleasePeg: claims.release_own,
    actions.Accept: claims.accept,
    actions.Challenge: claims.challenge,
    actions.OpenCount: lambda decision, _: show.see_count(decision),
    actions.ReadCrib: show.read_crib,
    actions.EndDeal: cut_and_deal.end_trusted_deal,
    actions.AcceptResult: end_of_game.accept_result,
    actions.Undo: undo.undo,
    actions.UndoOfficially: lambda decision: undo.undo(decision, officially=True),
    actions.Ask: questions.ask,
    actions.Agree: questions.agree,
    actions.BreakOff: lambda decision: decision.add(events.BrokenOff()),
    actions.DropQuestion: questions.drop,
}

#: Actions that are possible when the game is won.
_AFTER_THE_WIN = (
    actions.AcceptResult | actions.Undo | actions.UndoOfficially | actions.Agree | actions.DropQuestion
    | actions.BreakOff
)  # fmt: skip

#: Actions that go on with the game, and so settle a challenge that was raised.
_GOES_ON = (
    actions.TurnStarter | actions.LayCard | actions.GoOnUnread | actions.ShowCard | actions.ReadCrib
    | actions.TakePegInHand | actions.TakeZero | actions.ReleasePeg
)  # fmt: skip

#: Actions that are possible while a call that reaches the game hole, or a false go, waits for its answer.
_ALLOWED_WHILE_WAITING = (
    actions.Accept | actions.Challenge | actions.Agree | actions.Ask | actions.DropQuestion
    | actions.Undo | actions.UndoOfficially | actions.BreakOff
)  # fmt: skip


def _must_wait_for_no_answer(p: Position, action: Action) -> None:
    if p.awaits_false_go_answer and not isinstance(action, _ALLOWED_WHILE_WAITING | actions.LetLieDead):
        assert p.false_go is not None
        raise IllegalAction("renege_first", side=(p.rules.side_of(p.false_go.seat) + 1) % len(p.pegs))
    claimant = p.game_claimed
    if claimant is None or isinstance(action, _ALLOWED_WHILE_WAITING):
        return
    if (
        p.open_challenge is None
        or getattr(action, "side", None) != p.open_challenge.by
        or isinstance(action, actions.GoOnUnread)
    ):
        raise IllegalAction("game_is_claimed", side=claimant)


def _apply_to_challenge(decision: Decision, open_challenge: OpenChallenge, action: Action) -> bool:
    """Apply this action to the open challenge.

    Returns whether the action is then complete. An action that goes on with the game settles the challenge first."""
    p = decision.position
    match action:
        case actions.TakePegInHand(side, points) if side == open_challenge.by:
            muggins.claim_muggins(decision, side, points)
        case actions.PutPegBack(side) if side == open_challenge.by:
            decision.add(events.ChallengeWithdrawn(side))
        case actions.Accept(side) | actions.ReleasePeg(side, By.OWNER) if (
            side == open_challenge.by and open_challenge.points is None
        ):
            muggins.challenge_as_too_much(decision, side)
        case actions.Accept() | actions.ReleasePeg(by=By.OWNER) if open_challenge.points is not None:
            muggins.judge_muggins_claim(decision, open_challenge)
        case actions.TakePegInHand(side) if muggins.challenge_is_too_early(p, side):
            decision.add(events.ChallengeWithdrawn(open_challenge.by))
            return False
        case actions.TakePegInHand() if open_challenge.points is not None:
            muggins.judge_muggins_claim(decision, open_challenge)
        case actions.TakeZero(side) if open_challenge.points is not None and is_counting(p, side):
            muggins.judge_muggins_claim(decision, open_challenge)
        case actions.Accept() | actions.TakePegInHand() | actions.TakeZero():  # the first press has the challenge (7.2)
            raise IllegalAction("waits_for_other_side", side=open_challenge.by)
        case _ if isinstance(action, _GOES_ON):
            muggins.settle_challenge(decision)
            if decision.won():
                rule(updated(p, open_challenge=None), action)  # an illegal action releases nothing
            return decision.won()
        case _:
            return False
    return True
