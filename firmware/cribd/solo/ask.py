"""What the person must do next, as JSON for the page.

It never contains the points that are due.
"""

from __future__ import annotations

from typing import Any

from cribboard.deal.laying_cards import may_lay
from cribboard.deal.show import waits_for_crib
from cribboard.event_terms import Doubt, Occasion, Timing
from cribboard.position import PegState, Phase, Position
from cribboard.rules import Way
from cribboard.view import PromptKind, prompt_of
from cribd.robots.deal import Deal
from cribd.robots.next_action import Robots, unseen
from cribd.robots.trusted_play import TrustedPlay
from cribd.solo.session import PERSON


def ask_of(p: Position, deal: Deal | None, play: TrustedPlay | None, robots: Robots | None) -> dict[str, Any] | None:
    """Return what the person must do next; None while others act."""
    rules = p.rules
    side = rules.side_of(PERSON)
    if p.phase is Phase.OVER:
        return None
    if p.question is not None:
        return None if side in p.answered else {"kind": str(prompt_of(p).kind)}
    if p.phase is Phase.CUT:
        return {"kind": "cut"} if p.way is not Way.TRUST and p.to_cut == PERSON else None
    if deal is not None and deal.discarded[PERSON] is None and p.phase in (Phase.DEAL, Phase.PEGGING):
        wanted = len(deal.hands[PERSON]) - rules.deal_and_play.hand_size
        own = rules.side_of(deal.dealer) == side
        return {"kind": "discard", "wanted": wanted, "own": own}
    if deal is not None and deal.cutter(p) == PERSON:
        return {"kind": "starter"}
    prompt = prompt_of(p)
    if prompt.kind is PromptKind.LATE and prompt.side != side:
        return None
    is_released_by_robots = False
    if (claim := p.claim) is not None and claim.side == side and claim.state is PegState.IN_HAND:
        is_sure = claim.doubt is Doubt.NONE and claim.timing is Timing.IN_TIME
        is_released_by_robots = is_sure and robots is not None and robots.call_of(p, side) == claim.points
        if not is_released_by_robots:
            kind = prompt.kind if prompt.kind in _ASKS_BACK else PromptKind.RELEASE
            return {"kind": str(kind), "points": claim.points}
    if play is not None:
        return _ask_on_trust(p, play, side)
    if p.phase is Phase.PLAY and p.turn == PERSON and prompt.kind in _MAY_LAY:
        assert deal is not None
        fits = any(may_lay(p, PERSON, card) for card in unseen(p, deal.kept(PERSON)))
        return {"kind": "lay" if fits else "go"}
    if is_released_by_robots:
        return None
    if p.phase is Phase.SHOW and p.to_show == PERSON:
        return {"kind": "show"}
    if waits_for_crib(p) and p.dealer == PERSON:
        return {"kind": "crib"}
    if prompt.kind in _OF_CARDS or (prompt.kind in _COUNTS and prompt.values["seat"] != PERSON):
        return None
    if prompt.side == side or (prompt.side is None and prompt.kind in _FOR_ANYBODY):
        return {"kind": str(prompt.kind)}
    return None


def _ask_on_trust(p: Position, play: TrustedPlay, side: int) -> dict[str, Any] | None:
    if p.phase is Phase.WON:
        return None if side in p.agreed else {"kind": "result"}
    if play.is_over:
        return {"kind": "end_deal"} if p.rules.side_of(play.deal.dealer) == side else None
    if play.counting is not None:
        return {"kind": "counted", "crib": play.counting[1] is Occasion.CRIB} if play.counting[0] == PERSON else None
    at = play.position
    fits = any(may_lay(at, PERSON, card) for card in unseen(at, play.deal.kept(PERSON)))
    return {"kind": "lay"} if at.turn == PERSON and fits else None


#: The board asks about the number before the peg may be released.
_ASKS_BACK = (PromptKind.NINETEEN, PromptKind.SAME_HOLE)
_TO_LAY = (PromptKind.LEAD, PromptKind.LAY, PromptKind.LAY_AFTER_GO)
#: The seat to play may also lay a card if another side has a peg in hand: the card releases that peg (7.1).
_MAY_LAY = (*_TO_LAY, PromptKind.RELEASE)
_COUNTS = (PromptKind.COUNT_HAND, PromptKind.COUNT_CRIB)
#: The steps in which another seat lays, cuts or shows a card.
_OF_CARDS = (
    *_TO_LAY,
    PromptKind.CUT,
    PromptKind.CUT_AGAIN,
    PromptKind.STARTER,
    PromptKind.READ_HAND,
    PromptKind.READ_CRIB,
)
_FOR_ANYBODY = (PromptKind.NEXT_COUNT, PromptKind.RESULT)
